/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the image core's versions for several items: one for each sampler and shape that calls
 * agree on. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_IMAGE_COPY_H
#define SL_KERNELS_VECTOR_OPERATIONS_IMAGE_COPY_H

#include "ir/emit.h"

/* What a copy takes: coordinates, then colours and who writes. Result: the colours. In registers:
 * what comes from memory waits for all that was stored before. All vectors are of words. */
enum {
    SL_IMAGE_IMAGE,
    SL_IMAGE_SAMPLER,
    SL_IMAGE_SHAPE,
    SL_IMAGE_VECTORS,
    SL_IMAGE_COORDINATES = 3,
    SL_IMAGE_CHANNELS = 4,
    SL_IMAGE_MOST = SL_IMAGE_VECTORS + SL_IMAGE_COORDINATES + SL_IMAGE_CHANNELS + 1
};

/* The copy of a version for a call with these operands. */
LLVMValueRef sl_image_copy(const struct sl_emit *, LLVMValueRef version, LLVMValueRef *args,
                           bool reads);
/* That of a read for items in a row; its shape is known. `anywhere`: the copy for the same operands
 * that it calls where the items turn out to be in none. `packed`: colours come in memory's order, a
 * vector for each quarter of the items instead of one for each channel. */
LLVMValueRef sl_image_row_copy(const struct sl_emit *, LLVMValueRef read, LLVMValueRef *args,
                               bool packed, LLVMValueRef anywhere);
/* Once all kernels have their vector forms: what is called once goes into its caller, what is
 * called more often, or from a copy for rows, stays a function, which a build has to optimise only
 * once. */
void sl_image_settle_copies(LLVMModuleRef);

#endif
