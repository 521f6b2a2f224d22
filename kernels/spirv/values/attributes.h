/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's attributes of functions and calls, and what marks a module. */
#ifndef SL_KERNELS_SPIRV_ATTRIBUTES_H
#define SL_KERNELS_SPIRV_ATTRIBUTES_H

#include "spirv/module/module.h"

LLVMAttributeRef sl_spirv_attribute(struct sl_spirv *, const char *name, uint64_t value);
void sl_spirv_mark(struct sl_spirv *, LLVMValueRef function, const char *attribute);
/* A function of the library that only looks. */
void sl_spirv_mark_pure(struct sl_spirv *, LLVMValueRef function);
/* The module has pointers to functions (SL_FUNCTION_POINTERS_METADATA). */
void sl_spirv_mark_function_pointers(struct sl_spirv *);

#endif
