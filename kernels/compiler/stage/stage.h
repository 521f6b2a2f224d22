/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One build on its way through the stages that build.c lists. Each stage is a function of this
 * struct that returns 0, or -1 after it has written the reason to the log.
 */
#ifndef SL_KERNELS_STAGE_H
#define SL_KERNELS_STAGE_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "compiler/build.h"
#include "compiler/request/options.h"
#include "passes/passes.h"
#include "llvm/target.h"

struct sl_kernel_text;   /* kernel_text.h */
struct sl_variable_text; /* the same */

#define SL_MOST_PARTS 16

struct sl_part_child {
    int process; /* pid_t; 0: none */
    int file;    /* for its outcome; owned */
    int facts;   /* end of a pipe, for what it finds out about its kernels; owned */
};

struct sl_stages {
    const struct sl_build_request *request; /* borrowed */
    struct sl_build_result *result;         /* borrowed */
    struct sl_compile_options options;
    const char *cpu, *features, *target; /* borrowed from the request or a level */
    const char *dump_folder;             /* SLUICE_DUMP, borrowed; NULL: off */
    unsigned dump_serial, dump_count;
    bool wants_remarks; /* somebody asks how kernels were compiled */
    bool reads_again;   /* the source, for the places of an error: what clang says is known */
    LLVMModuleRef
        lines; /* of it, while errors are told; NULL: the module has them, or none are known */
    LLVMContextRef context; /* owned */
    LLVMModuleRef module;   /* owned */
    struct sl_target_machine target_machine;
    LLVMTargetMachineRef machine; /* its LLVM part */
    struct sl_pass pass;
    struct sl_kernel_text *kernel_texts; /* owned: kernels as clang described them */
    unsigned kernel_text_count;
    struct sl_variable_text *variables; /* owned: those of program scope in global memory */
    unsigned variable_count;
    struct sl_text object, payload; /* code so far */
    char *timing;                   /* owned: sl_module_info.timing; NULL: nobody asked for it */
    /* on_demand.h: the program's code is made later, of `rest`, the bitcode of all of it */
    bool deferred;
    bool quick;          /* code for small launches: made fast, not fast */
    bool worth_requests; /* deferred even if no kernel has quick code */
    bool always_quick;   /* kernels have that whether a launch is known to be small or not */
    /* The same for forms: this build leaves out what only launches of odd sizes need */
    bool usual_only, lacks_forms;
    bool started_over; /* with less of this, after it failed */
    size_t log_before; /* of the log: what the first try did not write */
    struct sl_text rest;
    /* parts.h: machine code made by several processes */
    uint32_t part, part_count; /* which one this is; 0 of 0 or 1: there are no others */
    int part_file, part_facts; /* of a child: where its outcome and its facts go */
    struct sl_part_child children[SL_MOST_PARTS];
    struct sl_text objects[SL_MOST_PARTS]; /* of the children */
    LLVMModuleRef without_tiles;           /* the same module, if LLVM lacks tiles for it; owned */
    bool llvm_error;                       /* LLVM reported an error to its context */
    bool incomplete;                       /* undefined functions were found */
};

/* The value of "NAME=value" among the request's settings; NULL: it is not there. */
const char *sl_stage_setting(const struct sl_stages *, const char *name);
/* Is it there and 1, or a word for that? Others mean the default, which is no. */
bool sl_stage_is_set(const struct sl_stages *, const char *name);
/* Does somebody want the schedule of the design? */
bool sl_stage_wants_timing(const struct sl_stages *);
/* Another build is needed when the file changes. */
void sl_stage_depend(struct sl_stages *, const char *path, const void *text, size_t bytes);

/* source.c: OpenCL C to IR for spir64. */
int sl_stage_frontend(struct sl_stages *);
int sl_stage_fold_twins(struct sl_stages *);
/* timing.c: the schedule of the design, if somebody wants it. */
int sl_stage_timing(struct sl_stages *);
/* denormals.c: marks kernels. */
int sl_stage_denormals(struct sl_stages *);
/* objects.c: bitcode to and from containers. */
int sl_stage_read_objects(struct sl_stages *);
int sl_stage_write_object(struct sl_stages *);
/* Names of variables that hold the number of a function, by which the host points at it. */
#define SL_FUNCTION_NUMBER_NAME "sl.function"
/* function_pointers.c: in programs none is left behind it. */
int sl_stage_function_pointers(struct sl_stages *);
/* recursion.c: none is left behind it. */
int sl_stage_recursion(struct sl_stages *);
/* clear_private.c: variables of work-items begin as zeros, if that is wanted. */
int sl_stage_clear_private(struct sl_stages *);
/* processes.c: calls of dataflow regions become kernels that run at the same time. */
int sl_stage_processes(struct sl_stages *);
/* latency.c: anchors of latency controls are unique. */
int sl_stage_latency(struct sl_stages *);
/* undefined_functions.c: what no later stage can express. */
int sl_stage_check_complete(struct sl_stages *);
/* sizes.c */
int sl_stage_check_sizes(struct sl_stages *);
/* machine.c: from IR for spir64 to machine code. */
int sl_stage_lower_types(struct sl_stages *);
int sl_stage_retarget(struct sl_stages *);
int sl_stage_dead_ends(struct sl_stages *);
int sl_stage_builtins(struct sl_stages *);
/* Only the table is seen from outside: all else may be inlined away. */
void sl_stage_make_internal(LLVMModuleRef);
int sl_stage_work_groups(struct sl_stages *);
int sl_stage_optimize(struct sl_stages *);
/* LLVM's own passes on all of the module; what they say is the build's error. */
int sl_stage_run_llvm(struct sl_stages *, const char *pipeline);
int sl_stage_codegen(struct sl_stages *);
int sl_stage_link(struct sl_stages *);
/* blocks.c: kernels of blocks are named, not pointed at. */
int sl_stage_blocks(struct sl_stages *);
/* initializers.c: one kernel of all that runs when the program is loaded. */
int sl_stage_initializers(struct sl_stages *);
/* kernel_text.c and metadata.c: the tables of sluice/module.h. */
int sl_stage_read_kernel_texts(struct sl_stages *);
int sl_stage_tables(struct sl_stages *);
bool sl_kernel_has_uniform_groups(const struct sl_stages *, unsigned kernel_text);
bool sl_says_uniform_groups(LLVMValueRef kernel); /* the same, before it was read */
void sl_kernel_texts_finish(struct sl_stages *);
/* Debuggers and profilers shall see the kernel's own name on its code. */
void sl_take_kernel_name(LLVMModuleRef, const struct sl_kernel_facts *);
/* container.c */
int sl_stage_container(struct sl_stages *);

/* dump.c: keeps a stage's outcome when SLUICE_DUMP asks for it. */
void sl_dump_module(struct sl_stages *, const char *stage);
void sl_dump_bytes(struct sl_stages *, const char *stage, const char *suffix, const void *,
                   size_t bytes);
/* A source in SPIR-V, and what `spirv-dis` makes of it. */
void sl_dump_spirv(struct sl_stages *, const void *words, size_t bytes);

/* Adds "error: ..." to the log; returns -1. */
int sl_stage_fail(struct sl_stages *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same behind a place, "file:line:column: ", or an empty text. */
int sl_stage_fail_at(struct sl_stages *, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
