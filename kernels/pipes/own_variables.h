/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables at program scope that but one kernel names, in loads and stores: no other one sees when
 * something happens to them. Found once in a module with a schedule, when all is inlined, and noted
 * at the variable.
 */
#ifndef SL_KERNELS_PIPES_OWN_VARIABLES_H
#define SL_KERNELS_PIPES_OWN_VARIABLES_H

#include <stdbool.h>

#include "ir/pass.h"

void sl_pipe_find_own_variables(struct sl_pass *);
bool sl_pipe_is_own_variable(LLVMValueRef global);

#endif
