/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image core's functions have versions for as many items as fit in a register
 * (builtins/image/image_lanes.cl), which only the vector form of a kernel calls.
 */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_IMAGE_H
#define SL_KERNELS_VECTOR_OPERATIONS_IMAGE_H

#include "ir/emit.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_vector;
struct sl_vector_facts;

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

/* Calls of the core's reads and writes in a kernel, which have versions for several items. */
bool sl_vector_is_image_read(LLVMValueRef call);
/* Of all lanes; *scalar: of one item. */
uint64_t sl_vector_image_cost(const struct sl_vector_facts *, LLVMValueRef call, uint64_t *scalar);
bool sl_vector_has_image_form(const struct sl_vector_facts *, LLVMValueRef call, uint32_t block);
void sl_vector_emit_image(struct sl_vector *, LLVMValueRef call);

#endif
