/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that keep a private array from being values. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_ARRAY_LOOPS_H
#define SL_KERNELS_LLVM_ARRAY_LOOPS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Loops ask to be unrolled if that makes constants of all indices of a private array, and no more
 * than `most` instructions, or `most_apart` in a function without barriers: its elements can be
 * values then. What decides how often they are gone through, and the indices, follows from
 * constants: counters, also of loops around them, and tables that are constant. None of them may
 * have said that it stays a loop, unless that was said of hardware (`is_design`). As an array it
 * would live across barriers as one piece for each item, and neighbours' elements be far apart;
 * without barriers each round waits for what the one before it has put into memory, and short loops
 * end where nobody foretells it. Unless `most_apart` is 0, so do loops of which mostly
 * floating-point constants would be left.
 */
bool sl_llvm_unroll_array_loops(LLVMValueRef function, uint32_t most, uint32_t most_apart,
                                bool is_design);

#ifdef __cplusplus
}
#endif
#endif
