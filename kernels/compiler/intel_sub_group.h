/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations of cl_intel_subgroups, which clang has only in a header that takes longer to read
 * than most kernels to compile. A source that may name them gets this one instead.
 */
#ifndef SL_KERNELS_COMPILER_INTEL_SUB_GROUP_H
#define SL_KERNELS_COMPILER_INTEL_SUB_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#define SL_INTEL_SUB_GROUP_HEADER "__sluice_intel_subgroups.h"

extern const char sl_intel_sub_group_text[];

/* Does this text, or one that it includes, perhaps name them? */
bool sl_may_name_intel_sub_groups(const char *text, size_t bytes);

#endif
