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
 * with something that is no constant and grow by a constant in each round: they become that
 * beginning and a multiple of the round's number, which is the same for all items and no value of
 * each item's that lives across the meeting. Compilers that reduce strength write the former.
 */
void sl_llvm_say_by_round(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
