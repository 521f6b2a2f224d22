/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many lanes machines with few registers take. Bytes are computed with as ints: as many lanes
 * as fill a register with bytes would need four per int. And a chain of operations that wait for
 * each other leaves the machine idle: several registers per value fill it, as long as there are
 * enough of them. No shared state.
 */
#include "vector/vector.h"

#define LONG_CODE 60 /* instructions beyond which the next vector's are too far away to overlap */

static uint32_t most_pressure(const struct sl_vector *v)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < v->plan.count; b++) {
        uint32_t one = sl_vector_pressure(v, b);
        most = one > most ? one : most;
    }
    return most;
}

static bool fits(struct sl_vector *v, uint32_t lanes)
{
    uint32_t was = v->lanes;
    v->lanes = lanes;
    bool fine = most_pressure(v) <= v->target->registers;
    v->lanes = was;
    return fine;
}

static bool is_varying(const struct sl_vector *v, LLVMValueRef i)
{
    return sl_vector_shape(v, i).kind == SL_SHAPE_VARYING;
}

static bool computes_with_words(const struct sl_vector *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = sl_vector_part_type(LLVMTypeOf(i), 0);
            if (is_varying(v, i) && LLVMIsABinaryOperator(i) &&
                LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32)
                return true;
        }
    return false;
}

/* Then a row may be of all groups side by side, else it is as short as one of them. */
static bool has_long_rows(const struct sl_vector *v)
{
    bool barrier = false;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            barrier |= sl_wi_is_barrier(i);
    return !barrier && sl_only_global_places(v->g->facts->kernel);
}

uint32_t sl_vector_fit_lanes(struct sl_vector *v)
{
    uint32_t lanes = v->lanes, least = v->target->register_bits / 32;
    if (lanes > least && !has_long_rows(v))
        return least;
    if (lanes <= least || !computes_with_words(v))
        return lanes;
    while (lanes > least && !fits(v, lanes))
        lanes /= 2;
    return lanes;
}

/* Does a loop, or code without any, wait for its own results? */
static bool waits(const struct sl_vector *v)
{
    uint32_t varying = 0;
    for (uint32_t b = 0; b < v->plan.count; b++) {
        const struct sl_vector_block *block = &v->plan.blocks[b];
        uint32_t loop = block->loop;
        bool header = loop && v->plan.loops[loop - 1].header == b;
        if (loop && v->plan.loops[loop - 1].divergent)
            return false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i;
             i = LLVMGetNextInstruction(i)) {
            varying += is_varying(v, i);
            if (header && LLVMIsAPHINode(i) && is_varying(v, i))
                return true;
        }
    }
    return !v->plan.loop_count && varying > LONG_CODE;
}

uint32_t sl_vector_fill_registers(struct sl_vector *v)
{
    uint32_t times = 4;
    if (!waits(v) || !has_long_rows(v))
        return 1;
    while (times > 1 && !fits(v, v->lanes * times))
        times /= 2;
    return times;
}
