/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of the functions of builtins/lane.h that plain code cannot give the machine's bits. */
#ifndef SL_COMPILER_LANE_CODE_H
#define SL_COMPILER_LANE_CODE_H

#include <llvm-c/Core.h>

/* In a module of builtins for a machine with AVX-512. The estimate of a reciprocal square root is
 * the machine's instruction for each element, as in the vector form, so that an item has the same
 * value in every form of a kernel. Any thread, with a context of its own. */
void sl_lane_code(LLVMModuleRef builtins);

#endif
