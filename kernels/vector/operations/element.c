/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements of OpenCL's vectors and fields of structs only get other names; what casts between
 * vectors of different elements, and what memory holds, is regrouped. No shared state.
 */
#include "vector/operations/element.h"

#include "vector/analysis/facts.h"
#include "vector/memory/pairs.h"
#include "vector/memory/quads.h"
#include "vector/operations/packed.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdlib.h>

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static LLVMValueRef part(struct sl_vector *v, LLVMValueRef i, unsigned operand, uint32_t k)
{
    return sl_vector_part(v, LLVMGetOperand(i, operand), k);
}

/* ---- OpenCL's vectors: elements only get other names ----------------------------------------- */

static bool constant_index(LLVMValueRef index, uint32_t count, uint32_t *at)
{
    if (!LLVMIsAConstantInt(index))
        return false;
    *at = (uint32_t)LLVMConstIntGetZExtValue(index);
    return *at < count;
}

void sl_vector_emit_extract(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    uint32_t count = sl_vector_part_count(LLVMTypeOf(from)), at;
    if (constant_index(index, count, &at)) {
        sl_vector_set_part(v, i, 0, part(v, i, 0, at));
        return;
    }
    LLVMValueRef now = part(v, i, 0, 0), wanted = part(v, i, 1, 0);
    for (uint32_t k = 1; k < count; k++) {
        LLVMValueRef here = sl_vector_splat(v, LLVMConstInt(LLVMTypeOf(index), k, false));
        LLVMValueRef hit = LLVMBuildICmp(builder(v), LLVMIntEQ, wanted, here, "");
        now = LLVMBuildSelect(builder(v), hit, part(v, i, 0, k), now, "");
    }
    sl_vector_set_part(v, i, 0, now);
}

void sl_vector_emit_insert(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef index = LLVMGetOperand(i, 2);
    uint32_t count = sl_vector_part_count(LLVMTypeOf(i)), at = count;
    bool fixed = constant_index(index, count, &at);
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef now = k == at ? part(v, i, 1, 0) : part(v, i, 0, k);
        if (!fixed) {
            LLVMValueRef here = sl_vector_splat(v, LLVMConstInt(LLVMTypeOf(index), k, false));
            LLVMValueRef hit = LLVMBuildICmp(builder(v), LLVMIntEQ, part(v, i, 2, 0), here, "");
            now = LLVMBuildSelect(builder(v), hit, part(v, i, 1, 0), now, "");
        }
        sl_vector_set_part(v, i, k, now);
    }
}

void sl_vector_emit_shuffle(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    uint32_t half = sl_vector_part_count(LLVMTypeOf(LLVMGetOperand(i, 0)));
    LLVMTypeRef wide = sl_vector_wide_type(v, LLVMGetElementType(LLVMTypeOf(i)));
    for (uint32_t k = 0; k < count; k++) {
        int from = LLVMGetMaskValue(i, k);
        bool second = from >= (int)half;
        sl_vector_set_part(v, i, k,
                           from == LLVMGetUndefMaskElem()
                               ? LLVMGetPoison(wide)
                               : part(v, i, second, (uint32_t)from - (second ? half : 0)));
    }
}

void sl_vector_emit_field(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    unsigned at = LLVMGetIndices(i)[0];
    if (LLVMGetInstructionOpcode(i) == LLVMExtractValue) {
        sl_vector_set_part(v, i, 0, part(v, i, 0, at));
        return;
    }
    for (uint32_t k = 0; k < count; k++)
        sl_vector_set_part(v, i, k, k == at ? part(v, i, 1, 0) : part(v, i, 0, k));
}

/* ---- casts that regroup bits ----------------------------------------------------------------- */

/* Element k of lane l of `from` parts is at l * count + k. */
static LLVMValueRef interleave(struct sl_vector *v, LLVMValueRef *parts, uint32_t count)
{
    LLVMBuilderRef b = builder(v);
    uint32_t size = v->facts.lanes;
    LLVMValueRef numbers[64 * SL_VECTOR_MOST_PARTS], all = parts[0];
    for (uint32_t have = 1; have < count; have++) {
        /* Both sides of a shuffle are of one size: the next part is made as long as the rest. */
        LLVMValueRef next = parts[have];
        for (uint32_t n = 0; n < size; n++)
            numbers[n] = n < v->facts.lanes ? sl_emit_i32(&v->g->e, n) : LLVMGetUndef(v->g->e.i32);
        if (size > v->facts.lanes)
            next = LLVMBuildShuffleVector(b, next, LLVMGetPoison(LLVMTypeOf(next)),
                                          LLVMConstVector(numbers, size), "");
        for (uint32_t n = 0; n < size + v->facts.lanes; n++)
            numbers[n] = sl_emit_i32(&v->g->e, n);
        all = LLVMBuildShuffleVector(b, all, next, LLVMConstVector(numbers, size + v->facts.lanes),
                                     "");
        size += v->facts.lanes;
    }
    for (uint32_t l = 0; l < v->facts.lanes; l++)
        for (uint32_t k = 0; k < count; k++)
            numbers[l * count + k] = sl_emit_i32(&v->g->e, k * v->facts.lanes + l);
    return LLVMBuildShuffleVector(b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(numbers, size), "");
}

/* Elements 2k and 2k + 1 of `a` are in front of those of `b`. */
static LLVMValueRef interleave_pairs(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef numbers[64 * SL_VECTOR_MOST_PARTS];
    const uint32_t size = LLVMGetVectorSize(LLVMTypeOf(a));
    for (uint32_t n = 0; n < 2 * size; n++)
        numbers[n] = sl_emit_i32(&v->g->e, n / 4 * 2 + n % 2 + (n & 2 ? size : 0));
    return LLVMBuildShuffleVector(builder(v), a, b, LLVMConstVector(numbers, 2 * size), "");
}

/* An opaque pixel of three colours: a constant among four numbers. LLVM sees that it need not be
 * fetched from anywhere, and takes the one shuffle of registers apart into many of quarters. */
static bool has_constant_number(const struct sl_vector *v, LLVMValueRef *parts, uint32_t count)
{
    bool constant = false, number = false;
    for (uint32_t k = 0; k < count; k++) {
        bool is = LLVMIsConstant(parts[k]);
        constant |= is && !LLVMIsUndef(parts[k]);
        number |= !is && !LLVMIsALoadInst(parts[k]) && !LLVMIsAShuffleVectorInst(parts[k]);
    }
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(parts[0]));
    bool word = LLVMGetTypeKind(element) == LLVMFloatTypeKind || element == v->g->e.i32;
    return v->facts.target->mask_registers && count == 4 && constant && number && word;
}

LLVMValueRef sl_vector_interleave(struct sl_vector *v, LLVMValueRef *parts, uint32_t count)
{
    if (sl_vector_has_quads(&v->facts, LLVMGetElementType(LLVMTypeOf(parts[0])), count))
        return sl_vector_store_quads(v, parts, count);
    if (has_constant_number(v, parts, count))
        return interleave_pairs(v, LLVMBuildFreeze(builder(v), interleave(v, parts, 2), ""),
                                LLVMBuildFreeze(builder(v), interleave(v, parts + 2, 2), ""));
    if (sl_vector_has_pairs(&v->facts, LLVMGetElementType(LLVMTypeOf(parts[0])), count))
        return sl_vector_store_pairs(v, parts, count);
    return count == 1 ? parts[0] : interleave(v, parts, count);
}

void sl_vector_deinterleave(struct sl_vector *v, LLVMValueRef all, uint32_t count,
                            LLVMValueRef *parts)
{
    if (sl_vector_has_quads(&v->facts, LLVMGetElementType(LLVMTypeOf(all)), count)) {
        sl_vector_load_quads(v, all, count, parts);
        return;
    }
    if (sl_vector_has_pairs(&v->facts, LLVMGetElementType(LLVMTypeOf(all)), count)) {
        sl_vector_load_pairs(v, all, count, parts);
        return;
    }
    for (uint32_t k = 0; k < count; k++)
        parts[k] = sl_vector_every(v, all, count, k);
}

LLVMValueRef sl_vector_every(struct sl_vector *v, LLVMValueRef all, uint32_t step, uint32_t first)
{
    LLVMValueRef numbers[64];
    if (step == 1)
        return all;
    for (uint32_t l = 0; l < v->facts.lanes; l++)
        numbers[l] = sl_emit_i32(&v->g->e, l * step + first);
    return LLVMBuildShuffleVector(builder(v), all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(numbers, v->facts.lanes), "");
}

void sl_vector_emit_regroup(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMValueRef from = LLVMGetOperand(i, 0), parts[SL_VECTOR_MOST_PARTS];
    uint32_t had = sl_vector_part_count(LLVMTypeOf(from));
    for (uint32_t k = 0; k < had; k++)
        parts[k] = sl_vector_part(v, from, k);
    if (had == 1 && sl_vector_packed_type(LLVMTypeOf(i)) == LLVMTypeOf(from)) {
        LLVMValueRef elements[SL_VECTOR_MOST_PARTS];
        sl_vector_unpack(v, parts[0], LLVMTypeOf(i), elements);
        for (uint32_t k = 0; k < count; k++)
            sl_vector_set_part(v, i, k, elements[k]);
        return;
    }
    if (count == 1 && sl_vector_packed_type(LLVMTypeOf(from)) == LLVMTypeOf(i)) {
        sl_vector_set_part(v, i, 0, sl_vector_pack(v, parts, LLVMTypeOf(from)));
        return;
    }
    LLVMTypeRef packed = sl_vector_packed_type(LLVMTypeOf(i));
    if (packed && packed == sl_vector_packed_type(LLVMTypeOf(from))) {
        LLVMValueRef elements[SL_VECTOR_MOST_PARTS];
        sl_vector_unpack(v, sl_vector_pack(v, parts, LLVMTypeOf(from)), LLVMTypeOf(i), elements);
        for (uint32_t k = 0; k < count; k++)
            sl_vector_set_part(v, i, k, elements[k]);
        return;
    }
    LLVMTypeRef type =
        LLVMVectorType(sl_vector_part_type(LLVMTypeOf(i), 0), v->facts.lanes * count);
    LLVMValueRef all = LLVMBuildBitCast(builder(v), sl_vector_interleave(v, parts, had), type, "");
    sl_vector_deinterleave(v, all, count, parts);
    for (uint32_t k = 0; k < count; k++)
        sl_vector_set_part(v, i, k, parts[k]);
}
