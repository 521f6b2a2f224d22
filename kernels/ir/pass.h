/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One module on its way through the passes: what is known of its kernels, and what passes say
 * (pass_messages.h). Every layer above llvm/ gets this struct. A pass that refuses its input says
 * why through sl_pass.error. No globals: several modules may be compiled at once on several
 * threads.
 */
#ifndef SL_KERNELS_IR_PASS_H
#define SL_KERNELS_IR_PASS_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

#include "ir/pass_messages.h"
#include "sluice/depth_mode.h"
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
/* On functions that come from the builtins library: a program may have its own of such a name. */
#define SL_BUILTIN_ATTRIBUTE "sl-builtin"
/* Of kernels made of blocks. */
#define SL_BLOCK_ATTRIBUTE "sl-block"
/* Of the kernel that a program is initialized with. */
#define SL_PROCESS_ATTRIBUTE "sl-process" /* of a call in a dataflow region */
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
    LLVMValueRef run;       /* the sl_group_fn */
    LLVMValueRef body;      /* the work-group function that it calls */
    LLVMValueRef main_form; /* of two forms, the one that `run` calls if dimensions changed places,
                               if groups are whole, or if arguments may overlap */
    LLVMValueRef other_form;
    bool is_form; /* not a kernel, but the other form of kernel number form_of */
    uint32_t form_of;
    struct sl_arg_facts *args; /* owned */
    uint32_t arg_count, args_bytes;
    uint32_t line;  /* in the source, for remarks; 0: nobody kept it */
    uint32_t flags; /* enum sl_kernel_flags, what passes know of them */
    bool task;      /* it is made for launches of one item, though others are no error */
    uint32_t local_bytes, vector_width;
    uint32_t most_items;   /* of a work-group, for which it has room; 0: of any */
    uint32_t lanes;        /* items that its vector form computes at once; 1: there is none */
    uint32_t may_count_on; /* bits of enum sl_vector_multiples, of that form */
    uint32_t
        sum_bits; /* of the sums that its threads keep for themselves (atomic_sums.h); 0: none */
    uint32_t sum_entries;    /* they are so many from an argument on; 0: they may be anywhere */
    uint32_t sum_argument;   /* that argument's number */
    bool elsewhere;          /* another process makes its code; here its functions have no bodies */
    bool only_moves_packets; /* its loops do nothing that LLVM's passes for loops know of */
    bool loop_passes;        /* LLVM's passes for loops may find something in its code */
    bool has_inner_part;     /* whole vectors of a row lie between others
                                (vector/control_flow/inner_part.c) */
    /* All of them are at most 1 GiB once sl_passes_run has ended without an error. */
    uint64_t context_per_item, context_fixed, private_bytes, stack_bytes;
    uint32_t sub_group_size, reqd_sub_group_size; /* items; reqd: 0 where nothing was asked for */
    bool sub_group_stops;                         /* items wait for others of their sub-group */
    bool in_step;          /* its sub-groups are the vectors (groups/sub_group_forms.c); a form, or
                              all there is of a kernel (SL_KERNEL_IN_STEP) */
    bool whole_sub_groups; /* in step, and for launches whose sub-groups are whole and begin at
                              multiples of their size (SL_KERNEL_WHOLE_SUB_GROUPS) */
    bool whole_groups;     /* its groups have the required size; a form, or all there is of a kernel
                              (SL_KERNEL_WHOLE_GROUPS, groups/whole_groups.c) */
    uint32_t required[3];  /* that size, where groups are whole and run one by one; else 0 */
    uint32_t unit[3];      /* compute unit of an autorun kernel */
    uint32_t first_unit;   /* index of the kernel that this is a copy of, or its own */
    uint32_t component;    /* as sl_kernel_info.component */
    uint32_t work;         /* as sl_kernel_info.work */
    char *work_rule;       /* as sl_kernel_info.work_rule: owned, or NULL */
    uint32_t stored_bytes; /* by an item, as its source counts */
    uint32_t times;        /* as sl_kernel_info.times */
    uint32_t apart;        /* as sl_kernel_info.apart */
    uint32_t only_read;    /* bits of arguments, SL_ARG_ONLY_READ; of the first 32 */
    bool is_apart;         /* a form for launches with sl_launch.apart */
};

/* What the device has. */
enum sl_pipe_kind {
    SL_PIPES_DATAFLOW, /* kernels that pipes join take turns (sluice/pipe.h) */
    SL_PIPES_SHARED,   /* all threads use a pipe at once; pipes are arguments only */
    SL_PIPES_NONE,
};

struct sl_pipe_design; /* pipe.h */

/* For the module's table; NULL: empty. */
struct sl_pipe_tables {
    LLVMValueRef rings, infos, sites, users;
    uint32_t ring_count, site_count, user_count;
};

enum sl_pass_flags {
    SL_PASS_OPTIMIZE = 1 << 0,       /* not for -cl-opt-disable, nor for quick code */
    SL_PASS_QUICK = 1 << 1,          /* the code is for small launches (SL_KERNEL_QUICK) */
    SL_PASS_ALWAYS_QUICK = 1 << 2,   /* also of kernels no launch of which is known to be small */
    SL_PASS_UNIFORM_GROUPS = 1 << 3, /* every group has the full local size (OpenCL C 1.x, or the
                                        option) */
    SL_PASS_KEEP_LINES = 1 << 4,     /* lines of the source are for more than the places of pipes */
    SL_PASS_SHARED_TABLES = 1 << 5,  /* other objects of the program refer to the pipes' tables */
    SL_PASS_WANTS_REMARKS = 1 << 6,
    SL_PASS_LIMITED =
        1 << 7, /* SLUICE_PASS_LIMIT: of the steps that could be left out only so many */
    SL_PASS_CHECK = 1 << 8, /* SLUICE_CHECK_PASSES: look for faults behind each pass; debug builds
                               always do */
    SL_PASS_USUAL_ONLY = 1 << 11,      /* a form for nearly all launches is a kernel's only one */
    SL_PASS_NEEDS_ALL_FORMS = 1 << 12, /* said by a pass that fails: there is no such form, or no
                                          code for later */
    SL_PASS_DIVIDED = 1 << 14,         /* better code will be made later, of the same program */
    SL_PASS_LENT_PIPES = 1 << 15,      /* this is that code: pipes are found by sl_launch.pipes */
    SL_PASS_WIDE_UNITS = 1 << 10,      /* the machine begins two operations on its largest registers
                                          per cycle */
    SL_PASS_FAST_GATHERS = 1 << 13,    /* it loads lanes from anywhere as fast as one by one */
    SL_PASS_ERROR_HAS_PLACE = 1 << 9,  /* sl_pass.error is a whole line: "file:line:column: error:
                                          reason" */
};

struct sl_pass {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;    /* for the textual pipelines a pass asks for */
    struct sl_kernel_facts *kernels; /* owned by the caller; filled by work_group_regions */
    uint32_t kernel_count;
    uint32_t flags; /* enum sl_pass_flags */
    enum sl_pipe_kind pipe_kind;
    enum sl_pipe_depth_mode pipe_depth_mode;
    const char *pipe_depths; /* "a=5 b=7": of these, whatever the mode; NULL: of none; borrowed */
    struct sl_pipe_design *pipes; /* owned */
    struct sl_pipe_tables pipe_tables;
    /* Before each kernel is taken by itself: may leave some to other processes. NULL: all stay. */
    int (*divide)(struct sl_pass *);
    void *divide_data;
    char *error;    /* owned; NULL: no error. "function: reason", or as its flag says */
    char *warnings; /* owned; NULL: none. Lines */
    size_t warning_bytes, warning_room;
    char *remarks; /* owned; NULL: none. Lines: how kernels were compiled, and why not otherwise */
    size_t remark_bytes, remark_room;
    uint32_t step_limit, steps;
    void (*dump)(struct sl_pass *, const char *stage); /* SLUICE_DUMP; NULL: off */
    void *dump_data;
};

static inline bool sl_pass_has(const struct sl_pass *pass, enum sl_pass_flags flag)
{
    return pass->flags & flag;
}

/* step_limit.c: counts a step that could be left out, of a kernel or (NULL) the program; false: it
 * shall be. */
bool sl_pass_step(struct sl_pass *, const char *what, const struct sl_kernel_facts *);

/* run_llvm.c: LLVM's own passes by their textual names, on one function; on all. */
int sl_pass_run_llvm(struct sl_pass *, LLVMValueRef function, const char *pipeline);
int sl_pass_run_llvm_on_module(struct sl_pass *, const char *pipeline);

#endif
