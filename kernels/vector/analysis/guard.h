/* SPDX-License-Identifier: Apache-2.0 */
/* What is between finding limits (guard.c) and computing them (guard_count.c). No shared state. */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_GUARD_H
#define SL_KERNELS_VECTOR_ANALYSIS_GUARD_H

#include "vector/vector.h"

/* NULL: the pointer is none to a variable that lives across pieces. */
const struct sl_slot *sl_clip_slot_of(const struct sl_cut *, LLVMValueRef pointer);
/* What the value is in front of the piece; NULL: it is made in the piece by other means. */
LLVMValueRef sl_clip_in_front(const struct sl_vector *, LLVMValueRef value);

#endif
