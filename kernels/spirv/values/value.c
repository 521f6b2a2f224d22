/* SPDX-License-Identifier: Apache-2.0 */
/* The value that an id stands for: made where it is used if it is a sampler's or a work-item's. */
#include "spirv/values/constants.h"
#include "spirv/values/operand.h"
#include "spirv/values/variables.h"

LLVMValueRef sl_spirv_value(struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *i = sl_spirv_definition(s, id);
    if (!i)
        return NULL;
    if (s->ids[id].value)
        return s->ids[id].value;
    if (s->ids[id].place) /* a type of memory is its own as a value, where it has parts */
        return LLVMBuildLoad2(s->builder, sl_spirv_type(s, i->type)->memory, s->ids[id].place, "");
    if (i->opcode == OpConstantSampler)
        return sl_spirv_literal_sampler(s, i);
    if (i->opcode == OpVariable && sl_spirv_is_of_work_item(s, id))
        return sl_spirv_work_item_variable(s, i);
    if (s->function.value && sl_spirv_loads_work_item(s, i))
        return sl_spirv_work_item_value(s, i);
    sl_spirv_fail(s, i, "is used where it has no value");
    return NULL;
}
