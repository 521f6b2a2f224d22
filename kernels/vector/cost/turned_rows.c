/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "vector/cost/turned_rows.h"

#include "ir/affine/affine.h"
#include "items/item_shape.h"
#include "vector/analysis/shape.h"
#include "vector/cost/cost.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

#define TOGETHER 16 /* bytes of a lane that are accessed at once */

static bool is_turned(const struct sl_vector_facts *v, struct sl_affine *down, LLVMValueRef i,
                      uint32_t block)
{
    bool store = LLVMIsAStoreInst(i);
    LLVMValueRef place = LLVMGetOperand(i, store);
    LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
    int64_t size = (int64_t)LLVMStoreSizeOfType(down->data, type);
    struct sl_shape lanes = sl_vector_shape_at(v, place, block);
    bool stays = !store && sl_pass_has(v->g->pass, SL_PASS_FAST_GATHERS);
    if (stays || (size != 4 && size != 8) || LLVMGetTypeKind(type) == LLVMVectorTypeKind ||
        lanes.kind != SL_SHAPE_LINEAR || llabs(lanes.stride) < TOGETHER)
        return false;
    struct sl_shape rows = sl_affine_shape(down, place);
    return rows.kind == SL_SHAPE_LINEAR && rows.stride == size;
}

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    return sl_item_shape(a, value, shape);
}

uint64_t sl_vector_turned_cost(const struct sl_vector_facts *v)
{
    struct sl_affine down = {.exactness = SL_AFFINE_LIKELY,
                             .dimension = 1,
                             .data = LLVMGetModuleDataLayout(v->g->pass->module),
                             .known = known};
    uint64_t cost = 0;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && is_turned(v, &down, i, b))
                cost += sl_vector_cost(v, i, b);
    sl_affine_finish(&down);
    return cost;
}
