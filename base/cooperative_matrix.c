/* SPDX-License-Identifier: Apache-2.0 */
/* See cooperative_matrix.h. Every kind of product in every shape; no state, no lock. */
#include "sluice/base/cooperative_matrix.h"

static const struct kind {
    enum sl_cooperative_component a, b, c; /* the result is like c */
    bool saturates;
    uint32_t terms; /* k is this, or as often as the shape says */
} kinds[] = {
    {SL_COOPERATIVE_SINT8, SL_COOPERATIVE_SINT8, SL_COOPERATIVE_SINT32, false, 32},
    {SL_COOPERATIVE_SINT8, SL_COOPERATIVE_UINT8, SL_COOPERATIVE_SINT32, false, 32},
    {SL_COOPERATIVE_UINT8, SL_COOPERATIVE_SINT8, SL_COOPERATIVE_SINT32, false, 32},
    {SL_COOPERATIVE_UINT8, SL_COOPERATIVE_UINT8, SL_COOPERATIVE_SINT32, false, 32},
    {SL_COOPERATIVE_UINT8, SL_COOPERATIVE_UINT8, SL_COOPERATIVE_UINT32, false, 32},
    {SL_COOPERATIVE_SINT8, SL_COOPERATIVE_SINT8, SL_COOPERATIVE_SINT32, true, 32},
    {SL_COOPERATIVE_SINT8, SL_COOPERATIVE_UINT8, SL_COOPERATIVE_SINT32, true, 32},
    {SL_COOPERATIVE_UINT8, SL_COOPERATIVE_SINT8, SL_COOPERATIVE_SINT32, true, 32},
    {SL_COOPERATIVE_UINT8, SL_COOPERATIVE_UINT8, SL_COOPERATIVE_SINT32, true, 32},
    {SL_COOPERATIVE_UINT8, SL_COOPERATIVE_UINT8, SL_COOPERATIVE_UINT32, true, 32},
    {SL_COOPERATIVE_FP16, SL_COOPERATIVE_FP16, SL_COOPERATIVE_FP32, false, 16},
    {SL_COOPERATIVE_FP16, SL_COOPERATIVE_FP16, SL_COOPERATIVE_FP16, false, 16},
    {SL_COOPERATIVE_FP32, SL_COOPERATIVE_FP32, SL_COOPERATIVE_FP32, false, 16},
    {SL_COOPERATIVE_FP64, SL_COOPERATIVE_FP64, SL_COOPERATIVE_FP64, false, 16},
};

/* Those of a sum twice as long are the last ones: of bytes only. What is converted to another type
 * keeps its rows and columns, and only bytes lie among the items in pairs: so no matrix A of theirs
 * has the shape of one of wider numbers. */
static const struct shape {
    uint32_t m, n, times;
} shapes[] = {
    {8, 16, 1}, {16, 16, 1}, {32, 32, 1}, {1, 16, 1},
    {2, 16, 1}, {4, 16, 1},  {16, 16, 2}, {32, 32, 2},
};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
    SHAPES = sizeof shapes / sizeof *shapes,
    SHORT_SHAPES = SHAPES - 2,
    BYTES = 10, /* kinds of them, which come first */
    VARIANTS = BYTES * SHAPES + (KINDS - BYTES) * SHORT_SHAPES,
};

size_t sl_cooperative_variant_count(void)
{
    return VARIANTS;
}

struct sl_cooperative_variant sl_cooperative_variant_at(size_t index)
{
    const bool of_bytes = index < BYTES * SHAPES;
    const size_t behind = of_bytes ? 0 : index - BYTES * SHAPES;
    const struct kind *kind = &kinds[of_bytes ? index / SHAPES : BYTES + behind / SHORT_SHAPES];
    const struct shape *shape = &shapes[of_bytes ? index % SHAPES : behind % SHORT_SHAPES];
    return (struct sl_cooperative_variant){.m = shape->m,
                                           .n = shape->n,
                                           .k = kind->terms * shape->times,
                                           .a = kind->a,
                                           .b = kind->b,
                                           .c = kind->c,
                                           .result = kind->c,
                                           .saturates = kind->saturates};
}

uint32_t sl_cooperative_bits(enum sl_cooperative_component component)
{
    static const uint8_t bits[] = {
        [SL_COOPERATIVE_FP16] = 16,   [SL_COOPERATIVE_FP32] = 32,   [SL_COOPERATIVE_FP64] = 64,
        [SL_COOPERATIVE_SINT8] = 8,   [SL_COOPERATIVE_SINT16] = 16, [SL_COOPERATIVE_SINT32] = 32,
        [SL_COOPERATIVE_SINT64] = 64, [SL_COOPERATIVE_UINT8] = 8,   [SL_COOPERATIVE_UINT16] = 16,
        [SL_COOPERATIVE_UINT32] = 32, [SL_COOPERATIVE_UINT64] = 64,
    };
    return bits[component];
}

bool sl_cooperative_is_real(enum sl_cooperative_component component)
{
    return component <= SL_COOPERATIVE_FP64;
}

bool sl_cooperative_is_signed(enum sl_cooperative_component component)
{
    return component >= SL_COOPERATIVE_SINT8 && component <= SL_COOPERATIVE_SINT64;
}

bool sl_cooperative_has_matrix(enum sl_cooperative_use use, bool is_real, uint32_t bits,
                               uint32_t rows, uint32_t columns)
{
    for (size_t i = 0; i < sl_cooperative_variant_count(); i++) {
        const struct sl_cooperative_variant v = sl_cooperative_variant_at(i);
        enum sl_cooperative_component component = use == SL_COOPERATIVE_A   ? v.a
                                                  : use == SL_COOPERATIVE_B ? v.b
                                                                            : v.c;
        if (sl_cooperative_is_real(component) == is_real &&
            sl_cooperative_bits(component) == bits &&
            rows == (use == SL_COOPERATIVE_B ? v.k : v.m) &&
            columns == (use == SL_COOPERATIVE_A ? v.k : v.n))
            return true;
    }
    return false;
}

bool sl_cooperative_has_variant(const struct sl_cooperative_variant *wanted)
{
    for (size_t i = 0; i < sl_cooperative_variant_count(); i++) {
        const struct sl_cooperative_variant v = sl_cooperative_variant_at(i);
        if (v.m == wanted->m && v.n == wanted->n && v.k == wanted->k && v.a == wanted->a &&
            v.b == wanted->b && v.c == wanted->c && v.result == wanted->result &&
            v.saturates == wanted->saturates)
            return true;
    }
    return false;
}
