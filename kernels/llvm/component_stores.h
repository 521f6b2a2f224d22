/* SPDX-License-Identifier: Apache-2.0 */
/* Components of vectors in memory, written one by one. Stateless. */
#ifndef SL_KERNELS_LLVM_COMPONENT_STORES_H
#define SL_KERNELS_LLVM_COMPONENT_STORES_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang writes `v[i].x = n` as all of v[i]: a load, an insertion, a store. But each component is a
 * place of its own (OpenCL C 3.0, 6.3 and the memory model's "memory location"), which other items
 * may write at the same time, in step with this one or on another thread; what was loaded would
 * take their numbers back. So what a store only gives back to where it came from, is not stored.
 * Components of one vector that are written with no access in between are stored together.
 * Variables of the item alone stay as they are. */
void sl_llvm_store_components(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
