/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a fault of LLVM's away. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_NARROW_INDICES_H
#define SL_KERNELS_LLVM_NARROW_INDICES_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Where an index of few bits may wrap around, as in `x[i & 7]`, LLVM's vectoriser asks in front of
 * the loop whether it does. Up to LLVM 22 it takes the answer for an index of more bits as one for
 * an index of fewer (llvm-project #191382), and reads beyond the array. Innermost loops that have
 * two such indices stay as they are.
 */
void sl_llvm_leave_narrow_indices(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
