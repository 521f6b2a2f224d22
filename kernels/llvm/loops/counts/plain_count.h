/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a loop adds to, said by the number of its round. Stateless. */
#ifndef SL_KERNELS_LLVM_PLAIN_COUNT_H
#define SL_KERNELS_LLVM_PLAIN_COUNT_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In loops in which items meet (a convergent call that writes), numbers and pointers that begin
 * with something that is no constant and grow in each round by a constant, or by what arguments
 * say (a plane of a grid): they become that beginning and a multiple of the round's number, which
 * is the same for all items and no value of each item's that lives across the meeting. People who
 * walk through planes write the former, and compilers that reduce strength. In other loops only
 * what begins with one of two by the item's place, a neighbour or the border's own element: what
 * knows about such choices does not see through a loop's values.
 */
void sl_llvm_say_by_round(LLVMValueRef function);

/* The same of indices that begin with a sum of 32 bits and an id that may wrap around, in any loop:
 * what asks for that does not see through a loop's values either. */
void sl_llvm_say_wrapping_by_round(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
