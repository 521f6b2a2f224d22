/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang as a function: OpenCL C text and cc1 arguments in, a module of LLVM IR for spir64 out.
 * Nothing is written to files or standard streams. Diagnostics go to the log sink as text with
 * line, column, source line and caret.
 */
#ifndef SL_KERNELS_CLANG_FRONTEND_H
#define SL_KERNELS_CLANG_FRONTEND_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where sources lie for clang. Cannot exist in the real file system by accident, and is cut from
 * messages. */
#define SL_VIRTUAL_FOLDER "/__sluice__/"

struct sl_frontend_file {
    const char *name; /* as #include'd; the main source's name as it shall appear in messages */
    const char *text;
    size_t bytes;
};

struct sl_frontend_input {
    LLVMContextRef context;
    const char *const *args; /* cc1 arguments without file names */
    size_t arg_count;
    struct sl_frontend_file source;
    const struct sl_frontend_file *headers;
    size_t header_count;
    const char *folder;     /* where relative names start; NULL: the process's own */
    const char *extensions; /* names that the device offers, separated by spaces */
    bool channels;          /* as well without the pragma for them, with a warning */
    void *data;             /* for the functions below */
    void (*log)(void *data, const char *text, size_t bytes); /* one message */
    void (*abandon)(void *data); /* does not return; after a message about a source without end */
    void (*dependency)(void *data, const char *path, const void *text, size_t bytes);
};

/* NULL when there were errors; the log says which. */
LLVMModuleRef sl_frontend_run(const struct sl_frontend_input *);

#ifdef __cplusplus
}
#endif

#endif
