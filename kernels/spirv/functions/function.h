/* SPDX-License-Identifier: Apache-2.0 */
/* Functions as callers see them: names, types, attributes. */
#ifndef SL_KERNELS_SPIRV_FUNCTION_H
#define SL_KERNELS_SPIRV_FUNCTION_H

#include "spirv/module/module.h"

/* OpFunction with the parameters behind it. 0, or -1: failed. */
int sl_spirv_declare_function(struct sl_spirv *, const struct sl_spirv_instruction *);
/* A kernel gets structures by reference, as clang's do. */
bool sl_spirv_is_by_reference(const struct sl_spirv_type *parameter, bool kernel);

#endif
