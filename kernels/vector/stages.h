/* SPDX-License-Identifier: Apache-2.0 */
/* The pass of this folder that is a stage of the pipeline. */
#ifndef SL_KERNELS_VECTOR_STAGES_H
#define SL_KERNELS_VECTOR_STAGES_H

#include "ir/pass.h"

/* cost/choice.c: which kernels get vector form, and of how many lanes. */
int sl_pass_vector_choice(struct sl_pass *);

#endif
