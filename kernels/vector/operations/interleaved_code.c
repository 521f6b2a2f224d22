/* SPDX-License-Identifier: Apache-2.0 */
/* Code for OpenCL vectors of items in memory's order. No shared state. */
#include "vector/operations/interleaved_code.h"

#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/memory/memory.h"
#include "vector/memory/quads.h"
#include "vector/operations/call.h"
#include "vector/operations/element.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

/* ---- what is done element by element --------------------------------------------------------- */

LLVMValueRef sl_vector_repeated_scalar(LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++)
        if (LLVMGetMaskValue(i, k) != 0)
            return NULL;
    bool first = LLVMIsAInsertElementInst(from) && LLVMIsAConstantInt(LLVMGetOperand(from, 2)) &&
                 LLVMConstIntGetZExtValue(LLVMGetOperand(from, 2)) == 0;
    return first ? LLVMGetOperand(from, 1) : NULL;
}

bool sl_vector_is_reordering(LLVMValueRef i)
{
    uint32_t count = LLVMGetNumMaskElements(i);
    bool all = sl_vector_part_count(LLVMTypeOf(LLVMGetOperand(i, 0))) == count;
    for (unsigned k = 0; all && k < count; k++)
        all = LLVMGetMaskValue(i, k) >= 0 && (uint32_t)LLVMGetMaskValue(i, k) < count;
    return all;
}

bool sl_vector_is_elementwise(LLVMValueRef i, uint32_t count)
{
    if (LLVMIsACastInst(i)) /* some casts regroup */
        return sl_vector_part_count(LLVMTypeOf(LLVMGetOperand(i, 0))) == count;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFNeg:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFreeze:
        return true;
    case LLVMUDiv: /* by a constant, which LLVM makes products of */
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return LLVMIsConstant(LLVMGetOperand(i, 1)) && sl_vector_part_bits(LLVMTypeOf(i)) <= 32;
    case LLVMSelect:
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMVectorTypeKind;
    case LLVMCall:
        return sl_vector_is_elementwise_call(i);
    default:
        return false;
    }
}

static LLVMValueRef operation(struct sl_vector *v, LLVMValueRef i, LLVMValueRef *x)
{
    LLVMBuilderRef b = builder(v);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (LLVMIsACastInst(i)) {
        LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(i));
        return LLVMBuildCast(b, op, x[0],
                             LLVMVectorType(element, LLVMGetVectorSize(LLVMTypeOf(x[0]))), "");
    }
    switch (op) {
    case LLVMFNeg:
        return LLVMBuildFNeg(b, x[0], "");
    case LLVMFreeze:
        return LLVMBuildFreeze(b, x[0], "");
    case LLVMICmp:
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(i), x[0], x[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), x[0], x[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(b, x[0], x[1], x[2], "");
    default:
        return LLVMBuildBinOp(b, op, x[0], x[1], "");
    }
}

LLVMValueRef sl_vector_elementwise(struct sl_vector *v, LLVMValueRef i, LLVMValueRef *operands)
{
    if (LLVMIsACallInst(i))
        return sl_vector_elementwise_call(v, i, operands);
    LLVMValueRef now = operation(v, i, operands);
    if (LLVMIsAInstruction(now))
        sl_llvm_copy_flags(i, now);
    return now;
}

/* ---- orders ---------------------------------------------------------------------------------- */

LLVMValueRef sl_vector_to_all(struct sl_vector *v, LLVMValueRef from, enum sl_vector_source source,
                              LLVMValueRef shuffle, uint32_t count)
{
    LLVMValueRef numbers[64 * SL_VECTOR_MOST_PARTS];
    for (uint32_t n = 0; n < v->facts.lanes * count; n++) {
        uint32_t item = n / count, k = n % count;
        uint32_t element = shuffle ? (uint32_t)LLVMGetMaskValue(shuffle, k) : k;
        uint32_t at = source == SL_VECTOR_FROM_NUMBERS ? item
                      : source == SL_VECTOR_FROM_ITEMS ? item * count + element
                                                       : element;
        numbers[n] = sl_emit_i32(&v->g->e, at);
    }
    return LLVMBuildShuffleVector(builder(v), from, LLVMGetPoison(LLVMTypeOf(from)),
                                  LLVMConstVector(numbers, v->facts.lanes * count), "");
}

/* All elements are this number. */
static LLVMValueRef number_to_all(struct sl_vector *v, LLVMValueRef number, uint32_t count)
{
    LLVMValueRef poison = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(number), v->facts.lanes * count));
    LLVMValueRef zero = sl_emit_i32(&v->g->e, 0);
    LLVMTypeRef order = LLVMVectorType(v->g->e.i32, v->facts.lanes * count);
    LLVMValueRef from = LLVMBuildInsertElement(builder(v), poison, number, zero, "");
    return LLVMBuildShuffleVector(builder(v), from, poison, LLVMConstNull(order), "");
}

/* Which element of its first operand all elements of the shuffle are; -1: there is none such. */
static int repeated_element(LLVMValueRef value)
{
    if (!LLVMIsAShuffleVectorInst(value))
        return -1;
    int first = LLVMGetMaskValue(value, 0);
    for (unsigned k = 1; k < LLVMGetNumMaskElements(value); k++)
        if (LLVMGetMaskValue(value, k) != first)
            return -1;
    return first < (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(value, 0))) ? first : -1;
}

/* The same in all items. A number that is loaded with others is broadcast from where it lies if
 * nobody wants the vector. */
static LLVMValueRef one_to_all(struct sl_vector *v, LLVMValueRef one)
{
    uint32_t count = LLVMGetVectorSize(LLVMTypeOf(one));
    int element = repeated_element(one);
    if (element < 0)
        return sl_vector_to_all(v, one, SL_VECTOR_FROM_ONE, NULL, count);
    LLVMValueRef at = sl_emit_i32(&v->g->e, (uint32_t)element);
    LLVMValueRef from = LLVMGetOperand(one, 0);
    return number_to_all(v, LLVMBuildExtractElement(builder(v), from, at, ""), count);
}

LLVMValueRef sl_vector_interleaved(struct sl_vector *v, LLVMValueRef value)
{
    const struct sl_vector_value *code = sl_vector_value(v, value);
    LLVMValueRef parts[SL_VECTOR_MOST_PARTS];
    if (code && code->known->interleaved)
        return code->known->away
                   ? LLVMBuildLoad2(builder(v), code->cell_types[0], code->cells[0], "")
                   : code->parts[0];
    if (!code || sl_vector_shape_at(&v->facts, value, v->now.block).kind <= SL_SHAPE_UNIFORM)
        return one_to_all(v, sl_vector_scalar(v, value));
    uint32_t count = sl_vector_part_count(LLVMTypeOf(value));
    for (uint32_t k = 0; k < count; k++)
        parts[k] = sl_vector_part(v, value, k);
    return sl_vector_interleave(v, parts, count);
}

LLVMValueRef sl_vector_lanes_of(struct sl_vector *v, LLVMValueRef value, uint32_t part)
{
    LLVMValueRef all = sl_vector_interleaved(v, value), parts[SL_VECTOR_MOST_PARTS];
    uint32_t count = sl_vector_part_count(LLVMTypeOf(value));
    if (!sl_vector_has_quads(&v->facts, LLVMGetElementType(LLVMTypeOf(all)), count))
        return sl_vector_every(v, all, count, part);
    sl_vector_load_quads(v, all, count, parts); /* what nobody wants of it is removed later */
    return parts[part];
}

/* ---- instructions ---------------------------------------------------------------------------- */

static LLVMValueRef emit_shuffle(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMValueRef number = sl_vector_repeated_scalar(i);
    if (number)
        return sl_vector_to_all(v, sl_vector_part(v, number, 0), SL_VECTOR_FROM_NUMBERS, NULL,
                                count);
    LLVMValueRef from = sl_vector_interleaved(v, LLVMGetOperand(i, 0));
    return sl_vector_to_all(v, from, SL_VECTOR_FROM_ITEMS, i, count);
}

static LLVMValueRef emit_insert(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMValueRef into = sl_vector_interleaved(v, LLVMGetOperand(i, 0));
    LLVMValueRef number = LLVMGetOperand(i, 1), numbers[64 * SL_VECTOR_MOST_PARTS];
    uint32_t at = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
    bool same = sl_vector_shape_at(&v->facts, number, v->now.block).kind <= SL_SHAPE_UNIFORM;
    LLVMValueRef all = same ? number_to_all(v, sl_vector_scalar(v, number), count)
                            : sl_vector_to_all(v, sl_vector_part(v, number, 0),
                                               SL_VECTOR_FROM_NUMBERS, NULL, count);
    for (uint32_t n = 0; n < v->facts.lanes * count; n++)
        numbers[n] = sl_emit_i32(&v->g->e, n % count == at ? v->facts.lanes * count + n : n);
    return LLVMBuildShuffleVector(builder(v), into, all,
                                  LLVMConstVector(numbers, v->facts.lanes * count), "");
}

/* All of an item's elements by one condition. */
static LLVMValueRef emit_choice(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMValueRef on = LLVMGetOperand(i, 0);
    bool same = sl_vector_shape_at(&v->facts, on, v->now.block).kind <= SL_SHAPE_UNIFORM;
    LLVMValueRef mask =
        same ? sl_vector_scalar(v, on) : sl_vector_repeat_mask(v, sl_vector_part(v, on, 0), count);
    LLVMValueRef now =
        LLVMBuildSelect(builder(v), mask, sl_vector_interleaved(v, LLVMGetOperand(i, 1)),
                        sl_vector_interleaved(v, LLVMGetOperand(i, 2)), "");
    if (LLVMIsAInstruction(now))
        sl_llvm_copy_flags(i, now);
    return now;
}

void sl_vector_emit_interleaved(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef x[4], now;
    uint32_t count = sl_vector_part_count(LLVMTypeOf(i));
    unsigned operands =
        LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        sl_vector_emit_load(v, i);
        return;
    case LLVMShuffleVector:
        now = emit_shuffle(v, i, count);
        break;
    case LLVMInsertElement:
        now = emit_insert(v, i, count);
        break;
    default:
        if (!sl_vector_is_elementwise(i, count)) {
            now = emit_choice(v, i, count);
            break;
        }
        for (unsigned k = 0; k < operands; k++)
            x[k] = sl_vector_interleaved(v, LLVMGetOperand(i, k));
        now = sl_vector_elementwise(v, i, x);
    }
    sl_vector_set_part(v, i, 0, now);
}
