/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the shapes that have been found. No shared state. */
#include "vector/cost/parts.h"

#include "vector/analysis/control_flow.h"
#include "vector/analysis/shape.h"

#define LEAST_LANES 4
#define MOST_LANES 64

/* So many items, a power of two, are on one side; 0: it does not part, or they do not count up. */
static uint32_t items_of_part(const struct sl_vector_facts *v, LLVMValueRef i)
{
    uint64_t part = sl_affine_part(i);
    struct sl_shape from = part ? sl_vector_shape(v, LLVMGetOperand(i, 0)) : sl_shape_uniform();
    uint32_t items = 1;
    if (from.kind != SL_SHAPE_LINEAR || from.stride <= 0)
        return 0;
    while (items < MOST_LANES && (uint64_t)from.stride * items * 2 <= part)
        items *= 2;
    return items;
}

struct sl_vector_parts sl_vector_parts(const struct sl_vector_facts *v)
{
    struct sl_vector_parts parts = {0};
    for (uint32_t b = 0; b < v->plan.count && v->may_count_on; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            uint32_t items = items_of_part(v, i);
            bool varies = sl_vector_shape(v, i).kind == SL_SHAPE_VARYING;
            if (!items)
                continue;
            if (!varies && (!parts.least || items < parts.least))
                parts.least = items;
            if (varies && items < v->lanes && items >= LEAST_LANES && items > parts.fewer)
                parts.fewer = items;
        }
    return parts;
}
