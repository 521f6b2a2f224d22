/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image core's functions have versions for as many items as fit in a register
 * (builtins/image_lanes.cl), which only the vector form of a kernel calls.
 */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_IMAGE_H
#define SL_KERNELS_VECTOR_OPERATIONS_IMAGE_H

#include "ir/emit.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* How the names of the core's functions begin (builtins/archive.h). */
#define SL_IMAGE_CORE "__sl_image_"
/* What a version's name has behind the function's, before the number. */
#define SL_LANES_SUFFIX ".lanes"

/* Versions of a function, and their suffixes: does it; of reads, whether items are in a row, and
 * what these have then (builtins/image_lanes_row.h). */
enum sl_image_version { SL_IMAGE_ANYWHERE, SL_IMAGE_ROW, SL_IMAGE_COLORS, SL_IMAGE_VERSIONS };
#define SL_IMAGE_SUFFIXES                                                                          \
    {                                                                                              \
        SL_LANES_SUFFIX, ".row" SL_LANES_SUFFIX, ".colors" SL_LANES_SUFFIX                         \
    }

/* Of builtins/image.h. */
enum { SL_IMAGE_3D = 3, SL_IMAGE_DIMENSIONS = 3, SL_IMAGE_LAYERS = 4, SL_IMAGE_PACKED = 8 };

/* A version of a function, and for how many items it is; NULL: there is none. */
LLVMValueRef sl_image_lanes(LLVMValueRef function, enum sl_image_version, uint32_t *items);
/* It has one, or is one. */
bool sl_image_has_lanes(LLVMValueRef function);

/* ---- image_copy.c --------------------------------------------------------------------------- */

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
