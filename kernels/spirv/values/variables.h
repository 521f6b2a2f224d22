/* SPDX-License-Identifier: Apache-2.0 */
/* OpVariable, wherever it stands. */
#ifndef SL_KERNELS_SPIRV_VARIABLES_H
#define SL_KERNELS_SPIRV_VARIABLES_H

#include "spirv/module/module.h"

/* Of the module. 0, or -1: failed. */
int sl_spirv_declare_variable(struct sl_spirv *, const struct sl_spirv_instruction *);
/* Of the function at hand. */
int sl_spirv_local_variable(struct sl_spirv *, const struct sl_spirv_instruction *);
/* The constant sampler that a variable holds; NULL: it is not of that kind. */
const struct sl_spirv_instruction *sl_spirv_held_sampler(struct sl_spirv *, uint32_t variable);
/* Linkage and name of a variable or function; its name is borrowed. */
void sl_spirv_take_linkage(struct sl_spirv *, uint32_t id, LLVMLinkage *, const char **name);

/* work_item.c: a variable that tells something of the work-item: its place in the frame of the
 * function at hand, filled at its entry. NULL: failed. */
bool sl_spirv_is_of_work_item(struct sl_spirv *, uint32_t id);
LLVMValueRef sl_spirv_work_item_variable(struct sl_spirv *, const struct sl_spirv_instruction *);
/* Is this OpLoad one of such a variable? Its value is made where it is used; NULL: failed. */
bool sl_spirv_loads_work_item(struct sl_spirv *, const struct sl_spirv_instruction *load);
LLVMValueRef sl_spirv_work_item_value(struct sl_spirv *, const struct sl_spirv_instruction *load);
/* NULL: it has no such dimension (or failed). */
LLVMValueRef sl_spirv_work_item_dimension(struct sl_spirv *,
                                          const struct sl_spirv_instruction *load,
                                          uint32_t dimension);

#endif
