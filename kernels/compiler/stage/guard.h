/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What LLVM reports during a build is the build's. LLVM ends the process on what it calls fatal
 * errors; here it leaves the build instead: what LLVM held then is lost, so the process must not
 * compile again (result->poisoned).
 */
#ifndef SL_KERNELS_GUARD_H
#define SL_KERNELS_GUARD_H

#include "compiler/stage/stage.h"

/* run(stages), or `failure` if it was left in the middle. Errors that LLVM tells the context go to
 * the log and set stages->llvm_error. */
int sl_stage_guarded(struct sl_stages *, int (*run)(struct sl_stages *), int failure);
/* Leaves clang or LLVM in the middle, after the log says why; the process compiles no more. */
_Noreturn void sl_stage_abandon(struct sl_stages *);

#endif
