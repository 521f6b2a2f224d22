/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the work-group passes alone, as the compiler would, on bitcode or IR text that clang made of
 * OpenCL C; for the pass tests and sl-opt.
 */
#ifndef SL_TEST_LOWER_H
#define SL_TEST_LOWER_H

#include "passes/passes.h"

struct lowered {
    struct sl_pass pass;
    void *library; /* dlopen handle, or NULL */
};

/* Reads and re-targets; false with a message on stderr. cpu NULL: this machine's. */
bool lower_open(struct lowered *, const char *path, const char *cpu);
/* LLVM's own pipeline on the result, e.g. "default<O2>". */
bool lower_optimize(struct lowered *, const char *pipeline);
/* Kernels become callable: "NAME.kernel" of each, found with lower_find. */
bool lower_load(struct lowered *);
sl_group_fn lower_find(const struct lowered *, const char *kernel,
                       const struct sl_kernel_facts **facts);
void lower_close(struct lowered *);

#endif
