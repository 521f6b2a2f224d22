/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image core's functions have versions for as many items as fit in a register
 * (builtins/image_lanes.cl), which only the vector form of a kernel calls.
 */
#ifndef SL_KERNELS_VECTOR_IMAGE_H
#define SL_KERNELS_VECTOR_IMAGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* How the names of the core's functions begin (builtins/archive.h). */
#define SL_IMAGE_CORE "__sl_image_"
/* What such a version's name has behind the function's, before the number. */
#define SL_LANES_SUFFIX ".lanes"

/* The version of a function, and for how many items it is; NULL: there is none. */
LLVMValueRef sl_image_lanes(LLVMValueRef function, uint32_t *items);
/* It has one, or is one. */
bool sl_image_has_lanes(LLVMValueRef function);
/* Once all kernels have their vector forms: what is called once goes into its caller, what is
 * called more often stays a function, which a build has to optimise only once. */
void sl_image_settle_copies(LLVMModuleRef);

#endif
