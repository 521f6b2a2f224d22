/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a region's values, and what has been decided for all of its items. No shared
 * state. */
#include "vector/analysis/facts.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"

#include <stdlib.h>

const struct sl_vector_known *sl_vector_known(const struct sl_vector_facts *v, LLVMValueRef value)
{
    return sl_map_get(&v->values, value);
}

const struct sl_vector_array *sl_vector_array(const struct sl_vector_facts *v, LLVMValueRef pointer)
{
    return sl_map_get(&v->arrays, pointer);
}

bool sl_vector_is_interleaved(const struct sl_vector_facts *v, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(v, value);
    return known && known->interleaved;
}

bool sl_vector_decide(struct sl_vector_decided *d, LLVMValueRef condition, bool is)
{
    if (d->count == SL_VECTOR_MOST_DECIDED)
        return false;
    d->items[d->count].condition = condition;
    d->items[d->count++].is = is;
    return true;
}

static bool is_among(const struct sl_vector_facts *v, LLVMValueRef condition, bool *is)
{
    for (uint32_t k = 0; k < v->decided.count; k++)
        if (v->decided.items[k].condition == condition) {
            *is = v->decided.items[k].is;
            return true;
        }
    return false;
}

static bool is_bit(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

bool sl_vector_is_decided(const struct sl_vector_facts *v, LLVMValueRef condition, bool *is)
{
    return is_among(v, condition, is) && is_bit(condition);
}

bool sl_vector_is_within(const struct sl_vector_facts *v, LLVMValueRef masked)
{
    bool is;
    return is_among(v, masked, &is) && !is_bit(masked);
}

void sl_vector_facts_finish(struct sl_vector_facts *v)
{
    sl_map_each(&v->values, free);
    sl_map_finish(&v->values);
    for (size_t k = 0; k < v->array_list.count; k++)
        free(v->array_list.items[k]);
    sl_list_finish(&v->array_list);
    sl_map_finish(&v->walks);
    sl_map_finish(&v->arrays);
    sl_vector_plan_finish(&v->plan);
}
