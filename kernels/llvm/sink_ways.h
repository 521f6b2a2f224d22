/* SPDX-License-Identifier: Apache-2.0 */
/* What only one way behind a branch needs, computed there. Stateless. */
#ifndef SL_KERNELS_LLVM_SINK_WAYS_H
#define SL_KERNELS_LLVM_SINK_WAYS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Behind conditional branches with this kind of metadata: instructions without effects, outside of
 * both ways, that only one of them uses go into it, unless it is in a loop that they are not in. */
void sl_llvm_sink_into_ways(LLVMValueRef function, unsigned kind);

#ifdef __cplusplus
}
#endif
#endif
