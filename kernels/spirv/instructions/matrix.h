/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrices that the items of a sub-group have together (SPV_KHR_cooperative_matrix, revision 10).
 * A value of such a type is one item's components, as a vector of LLVM's, in the places that
 * cl_intel_subgroup_matrix_multiply_accumulate has for sub-groups of 16: so a product is calls of
 * its functions, elementwise operations are operations on vectors, and all else is memory. Answers
 * as instruction.h has them.
 */
#ifndef SL_KERNELS_SPIRV_MATRIX_H
#define SL_KERNELS_SPIRV_MATRIX_H

#include "spirv/module/translate.h"

/* matrix_use.c: may this instruction have the matrices that it has? 0: it may, or has none. */
int sl_spirv_check_matrices(struct sl_spirv *, const struct sl_spirv_instruction *);
/* matrix.c: the instructions that only matrices have, and those that mean something else there. */
int sl_spirv_matrix(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
