/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of affine_modulo.h: what holds as long as nothing is met on the way. No shared state.
 */
#include "ir/affine/affine_modulo.h"

#include "llvm/intrinsics.h"

#include <stdlib.h>

#define LARGEST (INT64_C(1) << 30) /* step from item to item */

bool sl_affine_is_constant(LLVMValueRef value, uint64_t *is)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *is = LLVMConstIntGetZExtValue(value);
    return true;
}

uint64_t sl_affine_ones(LLVMTypeRef integer)
{
    unsigned width = LLVMGetIntTypeWidth(integer);
    return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

bool sl_affine_is_low_mask(uint64_t mask)
{
    return mask && !(mask & (mask + 1));
}

uint64_t sl_affine_span(const struct sl_affine *a, int64_t stride)
{
    return (uint64_t)llabs(stride) * (a->items - 1);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* False: nobody knows. */
static bool find(struct sl_affine *o, LLVMValueRef value, int64_t *stride)
{
    struct sl_shape shape = sl_affine_shape(o, value);
    *stride = shape.stride;
    return shape.kind != SL_SHAPE_VARYING;
}

static bool find_operand(struct sl_affine *o, LLVMValueRef i, unsigned k, int64_t *stride)
{
    return find(o, LLVMGetOperand(i, k), stride);
}

bool sl_affine_is_same(struct sl_affine *o, LLVMValueRef value)
{
    return sl_affine_shape(o, value).kind <= SL_SHAPE_UNIFORM;
}

static bool fits(int64_t stride)
{
    return llabs(stride) <= LARGEST;
}

/* ---- products, masks, quotients -------------------------------------------------------------- */

unsigned sl_affine_counting_operand(struct sl_affine *o, LLVMValueRef i)
{
    return sl_affine_is_same(o, LLVMGetOperand(i, 1)) ? 0 : 1;
}

bool sl_affine_is_brought(LLVMValueRef value)
{
    while (LLVMIsACastInst(value))
        value = LLVMGetOperand(value, 0);
    if (!LLVMIsALoadInst(value))
        return LLVMIsAArgument(value);
    LLVMValueRef place = LLVMGetOperand(value, 0);
    while (LLVMIsAGetElementPtrInst(place)) {
        for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(place); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(place, k)))
                return false;
        place = LLVMGetOperand(place, 0);
    }
    return LLVMIsAArgument(place);
}

bool sl_affine_has_unit_factor(struct sl_affine *o, LLVMValueRef i)
{
    if (!o->unit_factors || LLVMGetInstructionOpcode(i) != LLVMMul)
        return false;
    LLVMValueRef by = LLVMGetOperand(i, 1 - sl_affine_counting_operand(o, i));
    return sl_affine_is_brought(by);
}

static bool find_product(struct sl_affine *o, LLVMValueRef i, int64_t *stride)
{
    uint64_t by;
    int64_t a;
    bool shift = LLVMGetInstructionOpcode(i) == LLVMShl;
    if (sl_affine_has_unit_factor(o, i))
        return find_operand(o, i, sl_affine_counting_operand(o, i), stride);
    if (!find_operand(o, i, 0, &a))
        return false;
    if (!a && sl_affine_is_same(o, LLVMGetOperand(i, 1)))
        return *stride = 0, true;
    if (!sl_affine_is_constant(LLVMGetOperand(i, 1), &by) || by > (shift ? 30u : LARGEST))
        return false;
    *stride = shift ? a * (INT64_C(1) << by) : a * (int64_t)by;
    return fits(*stride);
}

bool sl_affine_looks_high(LLVMValueRef mask)
{
    if (!LLVMIsAInstruction(mask))
        return false;
    LLVMValueRef a = LLVMGetOperand(mask, 0);
    switch (LLVMGetInstructionOpcode(mask)) {
    case LLVMSub:
        return LLVMIsConstant(a) && LLVMIsNull(a);
    case LLVMShl:
        return a == LLVMConstAllOnes(LLVMTypeOf(mask));
    case LLVMXor:
        return LLVMGetOperand(mask, 1) == LLVMConstAllOnes(LLVMTypeOf(mask));
    default:
        return false;
    }
}

static bool find_masked(struct sl_affine *o, LLVMValueRef i, int64_t *stride)
{
    unsigned counts = sl_affine_counting_operand(o, i);
    LLVMValueRef by = LLVMGetOperand(i, 1 - counts);
    uint64_t mask, all = sl_affine_ones(LLVMTypeOf(i));
    int64_t a;
    if (!find_operand(o, i, counts, &a))
        return false;
    *stride = a;
    if (!sl_affine_is_constant(by, &mask)) {
        *stride = sl_affine_looks_high(by) ? 0 : a;
        return a >= 0 && sl_affine_is_same(o, by);
    }
    if (sl_affine_is_low_mask(mask))
        return sl_affine_span(o, a) <= mask;
    *stride = 0;
    return sl_affine_is_low_mask(~mask & all) && sl_affine_span(o, a) <= (~mask & all);
}

int64_t sl_affine_divided(LLVMValueRef i, int64_t stride)
{
    uint64_t by;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool shift = op == LLVMLShr || op == LLVMAShr;
    if ((!shift && op != LLVMUDiv && op != LLVMSDiv) ||
        !sl_affine_is_constant(LLVMGetOperand(i, 1), &by) || by > (shift ? 30u : LARGEST) || !by)
        return 0;
    int64_t divisor = shift ? INT64_C(1) << by : (int64_t)by;
    return stride % divisor ? 0 : stride / divisor;
}

static bool find_shifted(struct sl_affine *o, LLVMValueRef i, int64_t a, int64_t *stride)
{
    uint64_t by;
    *stride = sl_affine_divided(i, a);
    if (*stride)
        return true;
    return sl_affine_is_constant(LLVMGetOperand(i, 1), &by) && by < 63 &&
           by < LLVMGetIntTypeWidth(LLVMTypeOf(i)) && sl_affine_span(o, a) < UINT64_C(1) << by;
}

static bool find_quotient(struct sl_affine *o, LLVMValueRef i, int64_t a, int64_t *stride)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    uint64_t by;
    *stride = op == LLVMURem || op == LLVMSRem ? a : sl_affine_divided(i, a);
    bool divided = *stride && op != LLVMURem && op != LLVMSRem;
    if (!divided && sl_affine_is_constant(LLVMGetOperand(i, 1), &by) && sl_affine_span(o, a) >= by)
        return false; /* it is passed each time */
    return a >= 0 && sl_affine_is_same(o, LLVMGetOperand(i, 1));
}

bool sl_affine_is_complement(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMXor &&
           LLVMGetOperand(i, 1) == LLVMConstAllOnes(LLVMTypeOf(i));
}

static bool find_binary(struct sl_affine *o, LLVMValueRef i, int64_t *stride)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    int64_t a, b;
    if (op == LLVMAnd)
        return find_masked(o, i, stride);
    if (op == LLVMMul || op == LLVMShl)
        return find_product(o, i, stride);
    if (!find_operand(o, i, 0, &a))
        return false;
    switch (op) {
    case LLVMXor:
        *stride = -a;
        return sl_affine_is_complement(i);
    case LLVMOr:
    case LLVMAdd:
    case LLVMSub:
        if ((op == LLVMOr && !LLVMGetIsDisjoint(i)) || !find_operand(o, i, 1, &b))
            return false;
        *stride = op == LLVMSub ? a - b : a + b;
        return fits(*stride);
    case LLVMLShr:
    case LLVMAShr:
        return find_shifted(o, i, a, stride);
    default:
        return find_quotient(o, i, a, stride);
    }
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool find_address(struct sl_affine *o, LLVMValueRef i, int64_t *stride)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    if (!find_operand(o, i, 0, stride))
        return false;
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        int64_t one;
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(o->data, type);
        if (sl_affine_is_same(o, index))
            continue;
        if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64 || !find_operand(o, i, k, &one) ||
            size > (uint64_t)LARGEST)
            return false;
        *stride += one * (int64_t)size;
    }
    return fits(*stride);
}

/* ---- bounds and choices ---------------------------------------------------------------------- */

bool sl_affine_read_bound(struct sl_affine *o, LLVMValueRef call, struct sl_affine_bound *bound)
{
    const struct sl_intrinsic *row = sl_llvm_intrinsic(call);
    if (!row || row->bound == SL_BOUND_NONE)
        return false;
    bound->minus = row->bound == SL_BOUND_DIFFERENCE;
    bound->zero = row->bound == SL_BOUND_ABSOLUTE;
    bound->most = row->bound == SL_BOUND_MIN;
    bound->sign = row->flags & SL_INTRINSIC_SIGNED;
    bound->same = bound->minus || sl_affine_is_same(o, LLVMGetOperand(call, 1)) ? 1 : 0;
    return sl_affine_is_same(o, LLVMGetOperand(call, bound->same));
}

static bool find_bounded(struct sl_affine *o, LLVMValueRef call, int64_t *stride)
{
    struct sl_affine_bound bound;
    return sl_affine_read_bound(o, call, &bound) && find_operand(o, call, 1 - bound.same, stride) &&
           *stride;
}

static bool read_question(struct sl_affine *o, LLVMValueRef question,
                          struct sl_affine_choice *choice)
{
    struct sl_shape shape;
    if (!LLVMIsAICmpInst(question) || (o->known && o->known(o, question, &shape)))
        return false;
    choice->right = sl_affine_is_same(o, LLVMGetOperand(question, 1));
    choice->is = LLVMGetICmpPredicate(question);
    choice->counts = LLVMGetOperand(question, !choice->right);
    choice->same = LLVMGetOperand(question, choice->right);
    return LLVMGetTypeKind(LLVMTypeOf(choice->counts)) == LLVMIntegerTypeKind &&
           sl_affine_is_same(o, choice->same) && find(o, choice->counts, &choice->counting) &&
           choice->counting;
}

bool sl_affine_read_choice(struct sl_affine *o, LLVMValueRef select,
                           struct sl_affine_choice *choice)
{
    LLVMValueRef question = LLVMGetOperand(select, 0);
    int64_t strides[2];
    *choice = (struct sl_affine_choice){.agreed = sl_affine_is_same(o, question)};
    if (!choice->agreed && !read_question(o, question, choice))
        return false;
    if (!find_operand(o, select, 1, &strides[0]) || !find_operand(o, select, 2, &strides[1]))
        return false;
    bool equal = choice->is == LLVMIntEQ || choice->is == LLVMIntNE;
    bool first =
        !choice->agreed && equal ? choice->is == LLVMIntNE : strides[0] && strides[0] >= strides[1];
    choice->likely = first ? 1 : 2;
    choice->stride = strides[!first];
    return choice->agreed || choice->stride;
}

bool sl_affine_read_truth(struct sl_affine *o, LLVMValueRef cast, struct sl_affine_choice *choice)
{
    LLVMValueRef question = LLVMGetOperand(cast, 0);
    *choice = (struct sl_affine_choice){0};
    if (!read_question(o, question, choice) || (choice->is != LLVMIntEQ && choice->is != LLVMIntNE))
        return false;
    choice->likely = choice->is == LLVMIntNE ? 1 : 2;
    return true;
}

static bool find_cast(struct sl_affine *o, LLVMValueRef cast, int64_t *stride)
{
    struct sl_affine_choice choice;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(cast, 0));
    if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(from) > 1)
        return find_operand(o, cast, 0, stride);
    *stride = 0;
    return sl_affine_read_truth(o, cast, &choice);
}

static bool find_chosen(struct sl_affine *o, LLVMValueRef select, int64_t *stride)
{
    struct sl_affine_choice choice;
    if (!sl_affine_read_choice(o, select, &choice))
        return false;
    *stride = choice.stride;
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool find_stride(struct sl_affine *o, LLVMValueRef i, int64_t *stride)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMOr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMXor:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return find_binary(o, i, stride);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return find_cast(o, i, stride);
    case LLVMGetElementPtr:
        return find_address(o, i, stride);
    case LLVMCall:
        return find_bounded(o, i, stride);
    case LLVMSelect:
        return find_chosen(o, i, stride);
    default:
        return false;
    }
}

/* Made of nothing but its operands. */
static bool is_plain(LLVMValueRef i)
{
    return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAGetElementPtrInst(i) ||
           LLVMIsAICmpInst(i);
}

struct sl_shape sl_affine_guarded_by_operands(struct sl_affine *o, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    int64_t stride;
    if (is_plain(i) && sl_affine_mixed(o, i).kind <= SL_SHAPE_UNIFORM)
        return sl_shape_uniform();
    bool number = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
    if (!(number || LLVMGetTypeKind(type) == LLVMPointerTypeKind) || !find_stride(o, i, &stride))
        return sl_shape_varying();
    return (struct sl_shape){.kind = SL_SHAPE_LINEAR, .stride = stride};
}
