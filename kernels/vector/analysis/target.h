/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the vector form wants to know of a machine. One row per kind of machine in target.c; nothing
 * else in this folder asks which processor it is.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_TARGET_H
#define SL_KERNELS_VECTOR_ANALYSIS_TARGET_H

#include "ir/pass.h"

#define SL_VECTOR_ARRAY_ALIGN 64 /* of private arrays that many items share */

struct sl_vector_target {
    uint32_t register_bits;
    uint32_t registers;
    /* Any lanes of any width are masked off at no cost. Otherwise full vectors run without a mask,
     * the items that are left over one by one, and masks are vectors as wide as what they choose
     * from. */
    bool mask_registers;
    bool masked_words;    /* loads and stores of some lanes, if elements have 32 or 64 bits */
    bool gathers;         /* of elements of 32 or 64 bits, faster than lane by lane */
    bool fused;           /* multiplies and adds with one rounding */
    bool byte_products;   /* adds the products of four bytes each to a word (VNNI) */
    bool bfloat_products; /* adds those of two bfloat16 each to a float (AVX512_BF16) */
    bool tiles;           /* of sixteen rows, which are multiplied with each other (AMX) */
    /* Puts a register's words, or its bytes, in any order; NULL: some lanes go side by side at
     * once. */
    const char *shuffle;
    bool shuffles_bytes;
    bool orders_bytes; /* of 64 bytes, any of them anywhere (AVX512_VBMI) */
    /* In scalar instructions, roughly. */
    uint32_t gather;  /* one lane of a load from anywhere */
    uint32_t scatter; /* one lane of a store to anywhere */
};

/* NULL: LLVM's vectoriser does better there. */
const struct sl_vector_target *sl_vector_target(const struct sl_pass *);

#endif
