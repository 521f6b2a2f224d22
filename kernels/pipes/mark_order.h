/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks of several loops at one place of the source, as copies of a function's loop are, told apart
 * by the order in which a work-item comes to them. Stateless.
 */
#ifndef SL_KERNELS_PIPES_MARK_ORDER_H
#define SL_KERNELS_PIPES_MARK_ORDER_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Does an item come to a loop by it, or hear of all of the loop at once? */
bool sl_pipe_is_way_in(LLVMValueRef mark);

/*
 * Marks (llvm/loops/counts/loop_marks.h) of so many loops at one place, in any order: `which`, of
 * each of them, becomes that of its loop, from 0 in the order in which items come to these. False:
 * an item may come to one of them again, or pass one by and come to another; then nothing is said.
 */
bool sl_pipe_order_marks(LLVMValueRef kernel, const LLVMValueRef *marks, uint32_t count,
                         uint32_t loops, uint32_t *which);

#endif
