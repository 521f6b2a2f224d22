/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of a design: for each loop of each kernel its initiation interval, what limits it,
 * and in which cycle of an iteration which pipe is used. docs/timing.md says what the model is. No
 * shared state.
 */
#ifndef SL_KERNELS_TIMING_TIMING_H
#define SL_KERNELS_TIMING_TIMING_H

#include <llvm-c/Core.h>

#include "timing/operators.h"

struct sl_timing_source {    /* the program's own file, not what it includes; borrowed */
    const char *name, *text; /* text: NULL, if nobody could read it */
    size_t bytes;
};

/*
 * The schedule as JSON, malloc'ed; NULL with *error, lines of the log (malloc'ed), where LLVM
 * gives up or a latency constraint cannot hold. *warning: what
 * the build should say, malloc'ed, a line; NULL: nothing. The module is
 * IR for spir64 as the front end made it, its kernels marked; it is copied, and stays as it is.
 */
char *sl_timing_describe(LLVMModuleRef, const struct sl_operator_table *,
                         const struct sl_timing_source *, char **error, char **warning);

#endif
