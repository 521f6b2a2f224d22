/* SPDX-License-Identifier: Apache-2.0 */
/* Types: what SPIR-V declares, as clang writes it for spir64. */
#ifndef SL_KERNELS_SPIRV_TYPES_H
#define SL_KERNELS_SPIRV_TYPES_H

#include "spirv/module/module.h"

/* An instruction OpType...; -1: failed. */
int sl_spirv_declare_type(struct sl_spirv *, const struct sl_spirv_instruction *);
/* LLVM's address space of a storage class; -1: none that OpenCL has. */
int sl_spirv_address_space(uint32_t storage_class);
/* A vector of one lane, which is of that lane's kind, or an item's only component of a matrix. */
bool sl_spirv_is_single(const struct sl_spirv_type *);
/* May objects of the type lie in memory? */
bool sl_spirv_is_sized(const struct sl_spirv_type *);
/* What getelementptr and the like shall see; never void. */
LLVMTypeRef sl_spirv_memory_type(struct sl_spirv *, uint32_t type_id);
/* Of objects in memory, where nobody says otherwise. */
unsigned sl_spirv_alignment(struct sl_spirv *, const struct sl_spirv_type *);

#endif
