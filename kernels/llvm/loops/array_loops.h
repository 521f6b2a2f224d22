/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that keep a private array from being values. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_ARRAY_LOOPS_H
#define SL_KERNELS_LLVM_ARRAY_LOOPS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In a function with barriers, loops of a known number of rounds whose counters are all that the
 * indices of a private array are made of, perhaps by way of tables that are constant, ask to be
 * unrolled, if that makes no more than `most` instructions and none of them has said otherwise: its
 * elements can be values then. As an array it would live across the barriers as one piece for each
 * item, and neighbours' elements be far apart.
 */
void sl_llvm_unroll_array_loops(LLVMValueRef function, uint32_t most);

#ifdef __cplusplus
}
#endif
#endif
