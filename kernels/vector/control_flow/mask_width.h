/* SPDX-License-Identifier: Apache-2.0 */
/* Masks that live across blocks, for machines without mask registers. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_MASK_WIDTH_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_MASK_WIDTH_H

#include <llvm-c/Core.h>

/* Behind the optimiser, right before code is generated. */
void sl_vector_widen_masks(LLVMModuleRef);

#endif
