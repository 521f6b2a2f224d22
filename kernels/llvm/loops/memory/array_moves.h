/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that move what is in a private array. Stateless; a module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_ARRAY_MOVES_H
#define SL_KERNELS_LLVM_ARRAY_MOVES_H

#include <llvm-c/Core.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In each of `rows` rows, which begin at `first` and are `stride` bytes apart, `bytes` bytes get
 * what is `distance` behind them (in front of them, if it is negative): all that is read is what
 * was there in front of the loop. Rows do not touch each other.
 */
struct sl_array_move {
    LLVMValueRef array; /* of the entry block */
    LLVMValueRef
        store; /* what does it, or a copy of memory: its value or source is what was read */
    LLVMValueRef behind; /* the first instruction that runs once the loop is done */
    int64_t distance;
    uint64_t first, bytes, rows, stride;
    uint64_t elements; /* of the array, as the loop moves them */
    /* Once loops are unrolled that are short or shall be, all indices are constant, and so many
     * elements are read each time by what does not move them. 0: some index stays unknown. */
    uint64_t reads;
};

typedef void (*sl_array_move_fn)(void *data, const struct sl_array_move *);

/* `tell` hears of loops, and nests of two, that read and write an array of at least `least` bytes
 * only to move a part of it. Nothing changes but that loops get the blocks around them that LLVM
 * wants. */
void sl_llvm_find_array_moves(LLVMValueRef function, uint64_t least, sl_array_move_fn tell,
                              void *data);

#ifdef __cplusplus
}
#endif
#endif
