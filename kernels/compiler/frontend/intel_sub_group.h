/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of cl_intel_subgroups and what belongs to it (declarations.h), constant. */
#ifndef SL_KERNELS_COMPILER_INTEL_SUB_GROUP_H
#define SL_KERNELS_COMPILER_INTEL_SUB_GROUP_H

extern const char sl_intel_sub_group_text[];

#endif
