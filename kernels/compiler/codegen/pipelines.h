/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of LLVM's passes a kernel's code goes through. Each kernel has its own answer, whatever
 * else is in its program: a kernel is as fast among thirty others as alone.
 */
#ifndef SL_KERNELS_PIPELINES_H
#define SL_KERNELS_PIPELINES_H

#include "compiler/stage/stage.h"

/* LLVM's optimiser over all of the module. */
int sl_stage_run_pipelines(struct sl_stages *);

#endif
