/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins that are one instruction of AVX-512 each, or a few (builtins/lane.h), by name: which
 * ones there are, and what the instruction takes. operations/builtin.c makes it. Stateless. */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_LANE_BUILTIN_H
#define SL_KERNELS_VECTOR_ANALYSIS_LANE_BUILTIN_H

#include <llvm-c/Core.h>

enum sl_lane_builtin_form {
    SL_LANE_ESTIMATE,       /* value, passed by, mask */
    SL_LANE_UNARY,          /* value, passed by, mask, rounding */
    SL_LANE_UNARY_CONTROL,  /* value, control, passed by, mask, rounding */
    SL_LANE_BINARY,         /* two values, passed by, mask, rounding */
    SL_LANE_BINARY_CONTROL, /* two values, control, passed by, mask, rounding */
    SL_LANE_ENTRY_OF_16,    /* table, index */
    SL_LANE_ENTRY_OF_32,
    SL_LANE_DOT, /* two registers of bytes: operations/dot_product.c */
};

struct sl_lane_builtin {
    const char *name;
    enum sl_lane_builtin_form form;
    const char *machine; /* between "llvm.x86.avx512." and the type */
    unsigned control;    /* of products: which factors are signed, SL_DOT_A_SIGNED... */
};

enum { SL_DOT_A_SIGNED = 1, SL_DOT_B_SIGNED = 2 };

/* NULL: the call is none of one. */
const struct sl_lane_builtin *sl_lane_builtin(LLVMValueRef call);

#endif
