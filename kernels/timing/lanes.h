/* SPDX-License-Identifier: Apache-2.0 */
/* Work-items that a vendor's compiler takes through a kernel side by side. A module belongs to one
 * thread. */
#ifndef SL_KERNELS_TIMING_LANES_H
#define SL_KERNELS_TIMING_LANES_H

#include <llvm-c/Core.h>
#include <stdint.h>
#include <stdio.h>

#include "timing/network.h"

/* What num_simd_work_items of this kernel asks for, where that has an effect; else 1, and if
 * something was asked for a line says why. All its functions were inlined. */
uint32_t sl_simd_lanes(LLVMValueRef kernel, enum sl_network_items, FILE *warnings);
/* Work-items of a group, as reqd_work_group_size says; or, then *most, max_work_group_size. 0:
 * neither is given. */
uint64_t sl_group_items(LLVMValueRef kernel, bool *most);
/* What num_compute_units asks for, of a kernel that is launched and has no pipes; else 1. */
uint32_t sl_launched_units(LLVMValueRef kernel);

#endif
