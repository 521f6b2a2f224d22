/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of groups: kinds of rows (builtin.def), and what they share. */
#ifndef SL_KERNELS_SPIRV_GROUP_H
#define SL_KERNELS_SPIRV_GROUP_H

#include "spirv/builtins/builtin.h"

/*
 * The first operand as a scope: 1: a sub-group, 0: a work-group, -1: failed. `prefix`: what names
 * of its functions begin with.
 */
int sl_group_scope(const struct sl_builtin *, const char **prefix);

#endif
