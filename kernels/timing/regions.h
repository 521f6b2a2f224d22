/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of a kernel whose work-items are on their way one behind the other: what each of them
 * takes beside loops and pipes (docs/timing_model.md). No shared state.
 */
#ifndef SL_KERNELS_TIMING_REGIONS_H
#define SL_KERNELS_TIMING_REGIONS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "timing/operators.h"
#include "timing/schedule_rows.h"

/* Of the kernel that was added last, which has such work-items; `lanes` of them side by side. */
void sl_regions_add(struct sl_schedule_rows *, LLVMValueRef kernel,
                    const struct sl_operator_table *, uint32_t lanes);

#endif
