/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that a program wants unrolled and that are too long for it; short ones that gain by it.
 * Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_UNROLL_LIMIT_H
#define SL_KERNELS_LLVM_UNROLL_LIMIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hears of a loop that stays one: the end of its round, how often it goes round. */
typedef void (*sl_long_loop_fn)(void *data, LLVMValueRef branch, uint32_t rounds);

/*
 * LLVM unrolls what asks for it up to a million rounds. Loops of the function that would make more
 * than `most` instructions by more than `most_rounds` rounds are told not to ask.
 */
void sl_llvm_limit_unrolling(LLVMValueRef function, uint32_t most, uint32_t most_rounds,
                             sl_long_loop_fn tell, void *data);

/*
 * The same for a function whose nests of loops together would make more than `most_in_all`
 * instructions: of each nest only as many loops are unrolled, from the inside, as make `most`.
 */
void sl_llvm_limit_unrolled_nests(LLVMValueRef function, uint64_t most_in_all, uint64_t most,
                                  sl_long_loop_fn tell, void *data);

/*
 * Loops that would make more than `most` instructions, and around such an instruction as `is` says:
 * they are told not to ask.
 */
void sl_llvm_limit_unrolling_around(LLVMValueRef function, bool (*is)(LLVMValueRef instruction),
                                    uint64_t most, sl_long_loop_fn tell, void *data);

/*
 * Loops that would make more than `most` instructions and in which something else is divided in
 * each round by one number: what copies save is nothing beside that. Not where they index private
 * arrays, whose elements become values by it. They are told not to ask.
 */
void sl_llvm_limit_unrolling_of_divisions(LLVMValueRef function, uint64_t most,
                                          sl_long_loop_fn tell, void *data);

/*
 * Innermost loops of up to 16 rounds, with hardly a branch, that compute with their counter as a
 * floating-point number ask to be unrolled if that makes no more than `most` instructions and they
 * have not said otherwise: the number, what is multiplied by it and its way into all lanes of a
 * vector are constants then.
 */
void sl_llvm_unroll_counting(LLVMValueRef function, uint32_t most);

/*
 * Loops without branches that add up products of what they load, `fewest` rounds and more, stay
 * loops whatever they ask for: where several rows' sums go through them in step, each round is as
 * many sums that do not wait for each other, whereas straight code is one sum's chain after the
 * other.
 */
void sl_llvm_keep_sum_loops(LLVMValueRef function, uint32_t fewest, sl_long_loop_fn tell,
                            void *data);

#ifdef __cplusplus
}
#endif

#endif
