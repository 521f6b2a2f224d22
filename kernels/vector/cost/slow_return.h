/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers of what the same loop scattered, which wait for memory. */
#ifndef SL_KERNELS_VECTOR_COST_SLOW_RETURN_H
#define SL_KERNELS_VECTOR_COST_SLOW_RETURN_H

#include "vector/analysis/facts.h"

/* What the loop's last iteration scattered may come back by this load. */
bool sl_vector_waits_for_scatter(const struct sl_vector_facts *, LLVMValueRef load, uint32_t block);

#endif
