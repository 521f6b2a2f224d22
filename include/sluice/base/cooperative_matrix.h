/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The products of matrices that sub-groups compute (cl_khr_cooperative_matrix, draft 1.0.0): what
 * devices announce and what the reader of SPIR-V takes is this one table. No state; any thread.
 */
#ifndef SL_BASE_COOPERATIVE_MATRIX_H
#define SL_BASE_COOPERATIVE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* Items of the sub-groups that have such matrices. */
#define SL_COOPERATIVE_SUB_GROUP 16u
/* On functions of LLVM with such matrices. */
#define SL_COOPERATIVE_ATTRIBUTE "sl-cooperative-matrix"

/* cl_device_cooperative_matrix_component_type_khr */
enum sl_cooperative_component {
    SL_COOPERATIVE_FP16,
    SL_COOPERATIVE_FP32,
    SL_COOPERATIVE_FP64,
    SL_COOPERATIVE_SINT8,
    SL_COOPERATIVE_SINT16,
    SL_COOPERATIVE_SINT32,
    SL_COOPERATIVE_SINT64,
    SL_COOPERATIVE_UINT8,
    SL_COOPERATIVE_UINT16,
    SL_COOPERATIVE_UINT32,
    SL_COOPERATIVE_UINT64,
};

/* SPIR-V's Cooperative Matrix Use */
enum sl_cooperative_use { SL_COOPERATIVE_A, SL_COOPERATIVE_B, SL_COOPERATIVE_ACCUMULATOR };

/* a of m rows and k columns, b of k rows and n columns, c and the result of m rows and n columns.
 */
struct sl_cooperative_variant {
    uint32_t m, n, k;
    enum sl_cooperative_component a, b, c, result;
    bool saturates;
};

size_t sl_cooperative_variant_count(void);
struct sl_cooperative_variant sl_cooperative_variant_at(size_t);

uint32_t sl_cooperative_bits(enum sl_cooperative_component);
bool sl_cooperative_is_real(enum sl_cooperative_component);
bool sl_cooperative_is_signed(enum sl_cooperative_component); /* an integer with a sign */

/* Has any product such a matrix? SPIR-V's integers have no sign. */
bool sl_cooperative_has_matrix(enum sl_cooperative_use, bool is_real, uint32_t bits, uint32_t rows,
                               uint32_t columns);
bool sl_cooperative_has_variant(const struct sl_cooperative_variant *);

SL_END_C

#endif
