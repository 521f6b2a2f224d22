/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a kernel gets vector form, and with how many lanes. The stage itself is in
 * vector/stages.h. */
#ifndef SL_KERNELS_VECTOR_COST_CHOICE_H
#define SL_KERNELS_VECTOR_COST_CHOICE_H

#include "ir/pass.h"

/* Bytes of a private variable. */
uint64_t sl_vector_array_bytes(const struct sl_pass *, LLVMValueRef variable);

#endif
