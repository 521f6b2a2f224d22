/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler as a library: one request in, one module out. The protocol of the compiler process
 * (sluice/build.h) is these two structs in chunks; both mains are thin shells around them.
 *
 * Several builds may run at once on several threads. Give each thread SL_COMPILER_STACK_BYTES of
 * stack: clang and LLVM recurse along the source.
 */
#ifndef SL_KERNELS_BUILD_H
#define SL_KERNELS_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/request/text.h"
#include "sluice/build.h"
#include "sluice/module.h"
#include "spirv/specialization.h"

#define SL_COMPILER_STACK_BYTES ((size_t)256 << 20)

/* The OpenCL error codes that a build can end with. */
enum sl_build_status {
    SL_BUILD_OK = 0,
    SL_BUILD_NO_MEMORY = -6,       /* CL_OUT_OF_HOST_MEMORY */
    SL_BUILD_FAILED = -11,         /* CL_BUILD_PROGRAM_FAILURE */
    SL_BUILD_COMPILE_FAILED = -15, /* CL_COMPILE_PROGRAM_FAILURE */
    SL_BUILD_LINK_FAILED = -17,    /* CL_LINK_PROGRAM_FAILURE */
    SL_BUILD_BAD_BINARY = -42,     /* CL_INVALID_BINARY */
    SL_BUILD_BAD_OPTIONS = -43,    /* CL_INVALID_BUILD_OPTIONS */
    SL_BUILD_BAD_COMPILE_OPTIONS = -66,
    SL_BUILD_BAD_LINK_OPTIONS = -67,
};

/* What the result's binary is; all but SL_FORM_CONTAINER are for people and tests. */
enum sl_form { SL_FORM_CONTAINER, SL_FORM_LL, SL_FORM_OBJECT, SL_FORM_ELF };

struct sl_blob { /* borrowed bytes */
    const char *data;
    size_t bytes;
};

struct sl_header { /* for #include; borrowed */
    const char *name;
    struct sl_blob text;
};

/* All pointers are borrowed until sl_compiler_build returns; NULL texts mean the default. */
struct sl_build_request {
    enum sl_build_kind kind;
    enum sl_form form;
    const char *const *options; /* tokens */
    size_t option_count;
    struct sl_blob source;
    const char *source_name; /* in messages and debug information; default "<source>" */
    const struct sl_header *headers;
    size_t header_count;
    const struct sl_blob *inputs; /* containers to link */
    size_t input_count;
    const char *cpu, *cpu_features, *target; /* default: this machine */
    const char *extensions;
    bool quick;                  /* code for small launches: made fast, not fast */
    const char *kernel;          /* of SL_BUILD_FINISH; default: all */
    bool all_forms;              /* of that kernel; of all kernels they always are made */
    const char *const *settings; /* "NAME=value" */
    size_t setting_count;
    const struct sl_spirv_specialization *specializations; /* of a source in SPIR-V */
    size_t specialization_count;
};

struct sl_build_result { /* owned; sl_build_result_finish() */
    struct sl_text log;
    struct sl_text binary;
    struct sl_strings dependencies; /* "HASH PATH" */
    struct sl_text times, remarks;
    bool poisoned; /* LLVM gave up half-way: this process must not compile again */
};

/* The status of a request of this kind when its source is at fault. */
int sl_build_failure(enum sl_build_kind kind);
/* Returns enum sl_build_status. `result` is zero-initialised by the caller. */
int sl_compiler_build(const struct sl_build_request *, struct sl_build_result *);
void sl_build_result_finish(struct sl_build_result *);

/* Version and build of this compiler, fits sl_binary_header.compiler. */
const char *sl_compiler_version(void);
/* Initialises LLVM and compiles a dummy kernel, so that the next build finds all warm. */
void sl_compiler_warm_up(void);
/* Runs work(data) on a thread with SL_COMPILER_STACK_BYTES of stack; -1: no such thread. */
int sl_compiler_on_large_stack(void (*work)(void *), void *data);

#endif
