/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image core's functions have versions for as many items as fit in a register
 * (builtins/image/image_lanes.cl), which only the vector form of a kernel calls: how they are
 * named, and which calls of a kernel have them. Stateless.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_IMAGE_CALL_H
#define SL_KERNELS_VECTOR_ANALYSIS_IMAGE_CALL_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* How the names of the core's functions begin (builtins/archive.h). */
#define SL_IMAGE_CORE "__sl_image_"
/* What a version's name has behind the function's, before the number. */
#define SL_LANES_SUFFIX ".lanes"

/* Versions of a function, and their suffixes: does it; of reads, whether items are in a row, and
 * what these have then (builtins/image/image_lanes_row.h). */
enum sl_image_version { SL_IMAGE_ANYWHERE, SL_IMAGE_ROW, SL_IMAGE_COLORS, SL_IMAGE_VERSIONS };
#define SL_IMAGE_SUFFIXES {SL_LANES_SUFFIX, ".row" SL_LANES_SUFFIX, ".colors" SL_LANES_SUFFIX}

/* Of builtins/image/image.h. */
enum { SL_IMAGE_3D = 3, SL_IMAGE_DIMENSIONS = 3, SL_IMAGE_LAYERS = 4, SL_IMAGE_PACKED = 8 };

/* A version of a function, and for how many items it is; NULL: there is none. */
LLVMValueRef sl_image_lanes(LLVMValueRef function, enum sl_image_version, uint32_t *items);
/* It has one, or is one. */
bool sl_image_has_lanes(LLVMValueRef function);

/* Operands of the core's functions by what they are; -1: it has none. */
struct sl_image_form {
    int image, sampler, at, color, shape;
    unsigned count;
};

/* Of a call of the core's reads and writes that has versions for several items; NULL: the call is
 * none. Only writes have a colour. */
const struct sl_image_form *sl_image_form(LLVMValueRef call);
bool sl_vector_is_image_read(LLVMValueRef call);

#endif
