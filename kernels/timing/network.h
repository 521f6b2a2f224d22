/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernels of a program do with pipes, in order, and which pipes there are: for those who
 * follow a design before it runs. A network belongs to one thread.
 */
#ifndef SL_KERNELS_TIMING_NETWORK_H
#define SL_KERNELS_TIMING_NETWORK_H

#include "llvm/pipes/pipe_flow.h"

struct sl_network_item {
    struct sl_flow_item of; /* of.call is good as long as the module stays as it is */
    uint32_t pipe;
    uint32_t line, column; /* of the operation or the loop; 0: nobody knows */
};

enum { SL_NETWORK_DEEPEST = 16 }; /* loops in one another, of kernels that are regular */

struct sl_network_kernel {
    LLVMValueRef function;
    char *name;                    /* owned */
    struct sl_network_item *items; /* owned */
    uint32_t count, room;
    bool autorun;
    bool asks_item; /* which work-item it is, or waits for others */
    bool regular;   /* all its operations wait, and happen once in each iteration of their loops */
    bool ordered;   /* its loops have an order: what follows is known */
    struct sl_network_meeting *meetings; /* owned; in the order of the code */
    uint32_t meeting_count, meeting_room;
};

struct sl_network_meeting { /* of work-items */
    uint32_t before;        /* this item; `count`: behind the last one */
    uint32_t line, column;
    bool always; /* once in each iteration of what is around it */
};

struct sl_network_pipe {
    struct sl_pipe_end end;
    char *name;     /* owned */
    uint32_t depth; /* as declared, 1 without; 0: the host's, an I/O peripheral's, or not known */
};

struct sl_network {
    LLVMModuleRef module;
    struct sl_network_kernel *kernels; /* owned */
    struct sl_network_pipe *pipes;     /* owned */
    uint32_t kernel_count, pipe_count, pipe_room;
    bool failed; /* no memory, or far too much of anything: nothing is known */
};

/* Of a module that sl_llvm_simplify_loops has made, or all of whose functions were inlined and
 * variables made values. To be finished. */
void sl_network_read(struct sl_network *, LLVMModuleRef);
/* The same, with kernels that have no pipes, and with meetings. */
void sl_network_read_all(struct sl_network *, LLVMModuleRef);
void sl_network_finish(struct sl_network *);

enum { SL_NETWORK_NOBODY = -1, SL_NETWORK_UNKNOWN = -2 };
/* By pipe and by write: nobody is there, or one cannot know: the host, an I/O peripheral, whoever
 * has the other end of an argument. Owned by the caller; NULL: no memory. */
int32_t (*sl_network_no_ends(const struct sl_network *))[2];
/* By pipe and by write: the kernel that is there, or one of these. Kernels that are not in `takes`
 * are known by no end, and neither are several at one. Owned by the caller; NULL: no memory. */
int32_t (*sl_network_ends(const struct sl_network *, const bool *takes))[2];

/* Does a kernel with such a call know which work-item it is? */
bool sl_network_asks_item(const char *callee);
/* Does one with such a call wait for other work-items? */
bool sl_network_awaits_items(const char *callee);
/* And if so, do all of a group meet there, and nothing else? */
bool sl_network_meets(const char *callee);

enum sl_network_items {
    SL_ITEMS_NONE,  /* work-items follow each other */
    SL_ITEMS_FREE,  /* they are on their way one behind the other */
    SL_ITEMS_GROUPS /* as well, but all of a group meet now and then */
};
/* Of a kernel all of whose functions were inlined. One with max_global_work_dim(0) has but one
 * work-item, whatever it asks. */
enum sl_network_items sl_network_items_of(LLVMValueRef kernel);
/* May work-items of such a kernel have to wait for others? */
bool sl_network_waits_for_items(LLVMValueRef kernel);

#endif
