/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build options: the table from option tokens to clang arguments and settings of later stages.
 * Which tokens are options at all, the driver knows (driver/program/build/options.def): a new one
 * has a row in both.
 */
#ifndef SL_KERNELS_OPTIONS_H
#define SL_KERNELS_OPTIONS_H

#include <stdbool.h>

#include "compiler/build.h"
#include "passes/passes.h"

struct sl_compile_options {
    struct sl_strings clang; /* cc1 arguments that came from options */
    bool optimize;           /* no -cl-opt-disable */
    bool debug_info;
    bool quiet; /* -w */
    bool create_library;
    const char *depth_mode;  /* "strict", "default", "ignore-depth"; borrowed; NULL: not given */
    const char *source_name; /* likewise */
    bool flush_denormals;    /* -cl-denorms-are-zero */
    bool timing;             /* -sluice-timing */
    bool channels;           /* -sluice-channels */
    bool clear_private;      /* -sluice-clear-private */
    bool standard_31;        /* -cl-std=CL3.1 */
};

/* Returns enum sl_build_status; on a refusal the log names the option. */
int sl_compile_options_read(struct sl_compile_options *, const struct sl_build_request *,
                            struct sl_text *log);
void sl_compile_options_finish(struct sl_compile_options *);

/* Of the source in messages and debug information, a file's if anybody has told it. */
const char *sl_compile_source_name(const struct sl_compile_options *,
                                   const struct sl_build_request *);
/* The request's, or what the CPU device offers if it names none. */
const char *sl_offered_extensions(const struct sl_build_request *);
/* What they say of pipes. */
enum sl_pipe_kind sl_compile_pipe_kind(const struct sl_build_request *);

/* The arguments that every compilation has, ahead of those from options. */
void sl_compile_options_base(struct sl_strings *args, const struct sl_build_request *);

#endif
