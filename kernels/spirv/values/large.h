/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large arrays and structures as values. LLVM takes them apart, element by element, so that they
 * are kept in the frame and copied as memory; who wants one as a value loads it there.
 */
#ifndef SL_KERNELS_SPIRV_LARGE_H
#define SL_KERNELS_SPIRV_LARGE_H

#include "spirv/module/module.h"

struct sl_spirv_copy { /* between two addresses */
    LLVMValueRef to, from;
    unsigned to_alignment, from_alignment; /* 0: unknown */
    bool is_volatile;
};

bool sl_spirv_is_large(const struct sl_spirv_type *);
void sl_spirv_copy_bytes(struct sl_spirv *, const struct sl_spirv_copy *, LLVMValueRef bytes);
/* OpLoad: the result's place, with a copy in it. */
int sl_spirv_load_large(struct sl_spirv *, const struct sl_spirv_instruction *,
                        const struct sl_spirv_type *, struct sl_spirv_copy);
/* OpStore of `id`, where that needs no value: of large ones, and of zeros of any size, which
 * element by element would make bytes of what they overwrite (DPC++ clears a vector as
 * `uchar[16]`). 1: done; 0: it does; -1: failed. */
int sl_spirv_store_as_bytes(struct sl_spirv *, uint32_t id, struct sl_spirv_copy);
/* The part that the indices lead to, without the whole; NULL: failed, or `id` has no place. */
LLVMValueRef sl_spirv_extract_large(struct sl_spirv *, uint32_t id,
                                    const struct sl_spirv_instruction *);

#endif
