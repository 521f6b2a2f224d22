/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build-option text to tokens, by the table options.def; what they mean to the compiler is a row in
 * kernels/compiler/request/options.c. Spec 5.8.6, 5.8.7.
 *
 * Quoting: white space separates; inside '...' everything is literal, inside "..." a backslash
 * quotes " and \, outside a backslash quotes the next character. A token that leaves here is whole
 * and unquoted: "-DNAME=value", "-I/absolute/folder", "-cl-mad-enable".
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_OPTIONS_H
#define SL_DRIVER_PROGRAM_BUILD_OPTIONS_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* GENERIC: for devices with generic pointers, which take OpenCL C 2.0 but for its queues of
 * devices, and C++ for OpenCL. */
enum { SL_FOR_COMPILE = 1, SL_FOR_LINK = 2, SL_FOR_GENERIC = 4, SL_FOR_31 = 8 };

struct sl_options {
    char **tokens; /* owned, each owned */
    uint32_t count, capacity;
    bool create_library;
    char why[200]; /* of a refusal: a sentence for the build log, else "" */
};

enum sl_options_result {
    SL_OPTIONS_OK,
    SL_OPTIONS_INVALID,     /* the entry point's CL_INVALID_*_OPTIONS */
    SL_OPTIONS_UNSUPPORTED, /* a language version we know and do not have: the build fails */
    SL_OPTIONS_NO_MEMORY,
};

/* `text` NULL is no options. `out` is always valid for sl_options_finish afterwards. */
enum sl_options_result sl_options_parse(const char *text, unsigned where, struct sl_options *out);
/* -I tokens with relative folders become absolute; with `here` the working folder is appended as
 * the last -I. The compiler is another process whose working folder may differ. */
bool sl_options_anchor(struct sl_options *, bool here);
void sl_options_finish(struct sl_options *);

#endif
