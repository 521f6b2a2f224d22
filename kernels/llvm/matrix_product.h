/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices in registers: `rows` rows of a, each eight words, times a matrix of eight
 * rows of words, one per lane, plus as many rows of sums. A word is four bytes or two halves, which
 * are multiplied with those of the other word. Stateless.
 */
#ifndef SL_KERNELS_LLVM_MATRIX_PRODUCT_H
#define SL_KERNELS_LLVM_MATRIX_PRODUCT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SL_MATRIX_WORDS 8u
#define SL_MATRIX_MOST_ROWS 8u

enum sl_matrix_number {
    SL_MATRIX_BYTES,   /* sums are integers, which wrap around; else they are floats */
    SL_MATRIX_BFLOATS, /* tiny ones may count as zero */
    SL_MATRIX_HALVES,
    SL_MATRIX_FLOATS, /* or doubles; no words: see sl_matrix_expand_floats */
};

struct sl_matrix_product {
    enum sl_matrix_number number;
    bool a_signed, b_signed; /* of bytes */
    uint32_t rows, lanes;
};

/* What the machine has. */
struct sl_matrix_machine {
    uint32_t register_bits;
    bool byte_products;   /* VNNI */
    bool bfloat_products; /* AVX512_BF16 */
};

/* The code: a[row] has eight words, b[word] and sums[row] have `lanes`; `sums` become the result.
 */
void sl_matrix_expand(LLVMBuilderRef, const struct sl_matrix_machine *,
                      const struct sl_matrix_product *, LLVMValueRef *a, LLVMValueRef *b,
                      LLVMValueRef *sums);

/*
 * Of numbers as wide as their sums: a row of a is SL_MATRIX_FLOAT_TERMS of them, and so many rows b
 * has, each with a number per lane.
 */
#define SL_MATRIX_FLOAT_TERMS 16u
void sl_matrix_expand_floats(LLVMBuilderRef, uint32_t rows, LLVMValueRef *a, LLVMValueRef *b,
                             LLVMValueRef *sums);

/* What sl_matrix_expand makes as a call that LLVM's passes leave alone, for
 * loops/matrix/matrix_tiles.h to find. */
void sl_matrix_postpone(LLVMBuilderRef, const struct sl_matrix_product *, LLVMValueRef *a,
                        LLVMValueRef *b, LLVMValueRef *sums);
#define SL_MATRIX_STACK                                                                            \
    8192u /* bytes that a function with any may take: rows of tiles go there                       \
           */
/* Is it one? Its operands are a's rows, b's and the sums; its result is an array of sums. */
bool sl_matrix_is_postponed(LLVMValueRef, struct sl_matrix_product *);

#ifdef __cplusplus
}
#endif
#endif
