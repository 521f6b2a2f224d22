/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes that turn work-item code into work-group code. C on the LLVM-C interface; what that
 * lacks is in ir/ or behind llvm/llvm_extra.h.
 *
 * Input: one module of LLVM IR as clang made it for spir64 (no passes run, `_imp_` twins already
 * folded), re-targeted to the machine (data layout, triple, calling conventions) with all needed
 * builtins linked in and made internal, image/sampler/event types lowered to pointers.
 * Address-space numbers are still spir64's (1 global, 2 constant, 3 local, 4 generic). Kernels are
 * the functions with the string attribute SL_KERNEL_ATTRIBUTE (shim/llvm_extra.h); their calling
 * convention is already the C one. Images and pipes are ptr, samplers, events and reservation ids
 * i64; literal samplers still come from __translate_sampler_initializer(i32). Output: for each
 * kernel a function of type sl_group_fn (module.h) and a row of facts.
 *
 * A pass that refuses its input says why through sl_pass.error; nothing else may print or exit.
 * No globals: several modules may be compiled at once on several threads.
 */
#ifndef SL_KERNELS_PASSES_H
#define SL_KERNELS_PASSES_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/module.h"

/* Of kernels compiled with -cl-denorms-are-zero. */
#define SL_FLUSH_ATTRIBUTE "sl-flush-denormals"
/* On functions that are declared and complete: machine code of theirs is linked to the module. */
#define SL_READY_ATTRIBUTE "sl-ready-code"
static inline bool sl_has_ready_code(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_READY_ATTRIBUTE, sizeof SL_READY_ATTRIBUTE - 1);
}
/* Of kernels made of blocks. */
#define SL_BLOCK_ATTRIBUTE "sl-block"
/* Of the kernel that a program is initialized with. */
#define SL_INITIALIZER_ATTRIBUTE "sl-initializer"

struct sl_arg_facts {
    uint8_t kind;    /* enum sl_arg_kind; from type, address space and metadata */
    uint32_t size;   /* as sl_arg_info.size */
    uint32_t offset; /* in the argument block */
    uint32_t align;
    char *name;              /* owned; of pipes, else NULL */
    struct sl_pipe_arg pipe; /* of pipes; packet_bytes 0: no operation tells; io is owned */
};

struct sl_kernel_facts {
    char *name;   /* owned */
    char *source; /* owned: name in the source; of a compute unit's copy not the same */
    LLVMValueRef
        kernel; /* the work-item function as clang made it, for its metadata; NULL once deleted */
    LLVMValueRef run;          /* the sl_group_fn */
    LLVMValueRef body;         /* the work-group function that it calls */
    LLVMValueRef turned;       /* of two forms, the one that `run` calls if dimensions changed places */
    bool is_form;              /* not a kernel, but the other form of kernel number form_of */
    uint32_t form_of;
    struct sl_arg_facts *args; /* owned */
    uint32_t arg_count, args_bytes;
    uint32_t line;  /* in the source, for remarks; 0: nobody kept it */
    uint32_t flags; /* enum sl_kernel_flags, what passes know of them */
    uint32_t local_bytes, vector_width;
    uint32_t lanes;  /* items that its vector form computes at once; 1: there is none */
    uint32_t sum_bits; /* of the sums that its threads keep for themselves (atomic_sums.h); 0: none */
    uint32_t sum_entries;  /* they are so many from an argument on; 0: they may be anywhere */
    uint32_t sum_argument; /* that argument's number */
    bool elsewhere;   /* another process makes its code; here its functions have no bodies */
    bool loop_passes;    /* LLVM's passes for loops may find something in its code */
    bool has_inner_part; /* whole vectors of a row lie between others (vector/inner_part.c) */
    /* All of them are at most 1 GiB once sl_passes_run has ended without an error. */
    uint64_t context_per_item, context_fixed, private_bytes, stack_bytes;
    uint32_t sub_group_size, reqd_sub_group_size; /* items; reqd: 0 where nothing was asked for */
    bool sub_group_stops; /* items wait for others of their sub-group */
    uint32_t unit[3];    /* compute unit of an autorun kernel */
    uint32_t first_unit; /* index of the kernel that this is a copy of, or its own */
    uint32_t component;  /* as sl_kernel_info.component */
    uint32_t work;       /* as sl_kernel_info.work */
    uint32_t stored_bytes; /* by an item, as its source counts */
};

/* How many packets a pipe takes that was declared without depth, or with one. */
enum sl_pipe_depth_mode {
    SL_PIPE_DEPTH_STRICT,  /* 1; as declared */
    SL_PIPE_DEPTH_DEFAULT, /* 256; as declared */
    SL_PIPE_DEPTH_IGNORE,  /* 256; at least 256 */
};

/* What the device has. */
enum sl_pipe_kind {
    SL_PIPES_DATAFLOW, /* kernels that pipes join take turns (sluice/pipe.h) */
    SL_PIPES_SHARED,   /* all threads use a pipe at once; pipes are arguments only */
    SL_PIPES_NONE,
};

struct sl_pipe_design; /* pipe.h */
struct sl_map;         /* ir/map.h */

/* For the module's table; NULL: empty. */
struct sl_pipe_tables {
    LLVMValueRef rings, infos, sites;
    uint32_t ring_count, site_count;
};

struct sl_pass {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;    /* for the textual pipelines a pass asks for */
    struct sl_kernel_facts *kernels; /* owned by the caller; filled by work_group_regions */
    uint32_t kernel_count;
    bool optimize;       /* false for -cl-opt-disable, and for quick code */
    bool quick;          /* the code is for small launches (SL_KERNEL_QUICK) */
    bool always_quick;   /* also of kernels no launch of which is known to be small */
    bool uniform_groups; /* every group has the full local size (OpenCL C 1.x, or the option) */
    bool keep_lines;     /* the front end's line numbers are for more than the places of pipes */
    enum sl_pipe_kind pipe_kind;
    enum sl_pipe_depth_mode pipe_depth_mode;
    struct sl_pipe_design *pipes; /* owned */
    struct sl_pipe_tables pipe_tables;
    bool shared_tables; /* other objects of the program refer to them */
    /* Before each kernel is taken by itself: may leave some to other processes. NULL: all stay. */
    int (*divide)(struct sl_pass *);
    void *divide_data;
    char *error;    /* owned; NULL: no error. "function: reason" */
    bool error_has_place; /* it is a whole line: "file:line:column: error: reason" */
    char *warnings; /* owned; NULL: none. Lines */
    size_t warning_bytes, warning_room;
    bool wants_remarks;
    char *remarks; /* owned; NULL: none. Lines: how kernels were compiled, and why not otherwise */
    size_t remark_bytes, remark_room;
    bool limited; /* SLUICE_PASS_LIMIT is set: of the steps that could be left out only so many */
    uint32_t step_limit, steps;
    void (*dump)(struct sl_pass *, const char *stage); /* SLUICE_DUMP; NULL: off */
    void *dump_data;
};

/* Each returns 0, or -1 with pass->error set. */
typedef int (*sl_pass_fn)(struct sl_pass *);

/* What the program calls unreachable becomes a trap: on its own code, before builtins are linked.
 */
void sl_trap_dead_ends(LLVMModuleRef);
/* And in the group functions what LLVM's optimiser found to be so. */
void sl_trap_proven_dead_ends(struct sl_pass *);

/* The undefined variables that are pipes: !sl.pipes declares them. */
void sl_pipe_find_declared(LLVMModuleRef, struct sl_map *variables);

/* Counts a step that could be left out, of a kernel or (NULL) the program; false: it shall be. */
bool sl_pass_step(struct sl_pass *, const char *what, const struct sl_kernel_facts *);

/* After the last optimisation: a second form of kernels that write more than they compute, whose
 * stores go past the caches, for launches that write a lot. */
void sl_stream_large_stores(struct sl_pass *);

/* After the last optimisation: divisions that LLVM's code generator would make too inexact. */
void sl_divide_where_estimates_are_poor(const struct sl_pass *);

/* Keeps LLVM's optimiser from functions that it would take minutes for. */
void sl_spare_large_functions(LLVMModuleRef);

/* The work-item to work-group pipeline, in order; ends with a verified module. */
int sl_passes_run(struct sl_pass *);
/* After the last optimisation: the contents of pipe_tables. */
void sl_pipe_define_tables(struct sl_pass *);
void sl_passes_free(struct sl_pass *); /* kernels, pipes, error, messages */

#endif
