/* SPDX-License-Identifier: Apache-2.0 */
/* Register pressure, roughly. */
#ifndef SL_KERNELS_VECTOR_COST_PRESSURE_H
#define SL_KERNELS_VECTOR_COST_PRESSURE_H

#include "vector/analysis/facts.h"

/* Registers that a block needs at once. */
uint32_t sl_vector_pressure(const struct sl_vector_facts *, uint32_t block);
/* Is the value only part of addresses that lanes go by where they are no neighbours after all? */
bool sl_vector_is_spare_address(const struct sl_vector_facts *, LLVMValueRef value);

#endif
