/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that count up from lane to lane unless a number on the way wraps around or meets a
 * bound: `id & 255`, `id / width`, sums of unsigned ids, `min(id + 1, width - 1)`. What that
 * depends on is known before the access, so the code asks for it: with lane 0's number and the
 * steps it sees whether these lanes are on one side. No shared state.
 */
#include "vector/analysis/speculative_stride.h"

#include "ir/calls.h"
#include "ir/map.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/memory/arrays.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST (INT64_C(1) << 30) /* step from lane to lane */

bool sl_speculative_is_constant(LLVMValueRef value, uint64_t *is)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *is = LLVMConstIntGetZExtValue(value);
    return true;
}

uint64_t sl_speculative_ones(LLVMTypeRef integer)
{
    unsigned width = LLVMGetIntTypeWidth(integer);
    return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

bool sl_speculative_is_low_mask(uint64_t mask)
{
    return mask && !(mask & (mask + 1));
}

uint64_t sl_speculative_span(const struct sl_vector_facts *v, int64_t stride)
{
    return (uint64_t)llabs(stride) * (v->lanes - 1);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool find_operand(const struct sl_speculation *g, LLVMValueRef i, unsigned k, unsigned depth,
                         int64_t *stride)
{
    return sl_speculative_find(g, LLVMGetOperand(i, k), depth - 1, stride);
}

static bool fits(int64_t stride)
{
    return llabs(stride) <= LARGEST;
}

bool sl_speculative_is_same(const struct sl_speculation *g, LLVMValueRef value)
{
    return sl_vector_shape_at(g->v, value, g->block).kind <= SL_SHAPE_UNIFORM;
}

static bool find_product(const struct sl_speculation *g, LLVMValueRef i, int64_t a, int64_t *stride)
{
    uint64_t by;
    bool shift = LLVMGetInstructionOpcode(i) == LLVMShl;
    if (!a && sl_speculative_is_same(g, LLVMGetOperand(i, 1)))
        return *stride = 0, true;
    if (!sl_speculative_is_constant(LLVMGetOperand(i, 1), &by) || by > (shift ? 30u : LARGEST))
        return false;
    *stride = shift ? a * (INT64_C(1) << by) : a * (int64_t)by;
    return fits(*stride);
}

/* -x, ~x, -1 << x: most likely ones above zeros, where x + 1, 1 << x - 1 are zeros above ones. */
bool sl_speculative_looks_high(LLVMValueRef mask)
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

unsigned sl_speculative_counting_operand(const struct sl_speculation *g, LLVMValueRef i)
{
    return sl_speculative_is_same(g, LLVMGetOperand(i, 1)) ? 0 : 1;
}

static bool find_masked(const struct sl_speculation *g, LLVMValueRef i, unsigned depth,
                        int64_t *stride)
{
    unsigned counts = sl_speculative_counting_operand(g, i);
    LLVMValueRef by = LLVMGetOperand(i, 1 - counts);
    uint64_t mask, all = sl_speculative_ones(LLVMTypeOf(i));
    int64_t a;
    if (!find_operand(g, i, counts, depth, &a))
        return false;
    *stride = a;
    if (!sl_speculative_is_constant(by, &mask)) {
        *stride = sl_speculative_looks_high(by) ? 0 : a;
        return a >= 0 && sl_speculative_is_same(g, by);
    }
    if (sl_speculative_is_low_mask(mask))
        return sl_speculative_span(g->v, a) <= mask;
    *stride = 0;
    return sl_speculative_is_low_mask(~mask & all) && sl_speculative_span(g->v, a) <= (~mask & all);
}

int64_t sl_speculative_divided(LLVMValueRef i, int64_t stride)
{
    uint64_t by;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool shift = op == LLVMLShr || op == LLVMAShr;
    if ((!shift && op != LLVMUDiv && op != LLVMSDiv) ||
        !sl_speculative_is_constant(LLVMGetOperand(i, 1), &by) || by > (shift ? 30u : LARGEST) ||
        !by)
        return 0;
    int64_t divisor = shift ? INT64_C(1) << by : (int64_t)by;
    return stride % divisor ? 0 : stride / divisor;
}

static bool find_shifted(const struct sl_speculation *g, LLVMValueRef i, int64_t a, int64_t *stride)
{
    uint64_t by;
    *stride = sl_speculative_divided(i, a);
    if (*stride)
        return true;
    return sl_speculative_is_constant(LLVMGetOperand(i, 1), &by) && by < 63 &&
           by < LLVMGetIntTypeWidth(LLVMTypeOf(i)) &&
           sl_speculative_span(g->v, a) < UINT64_C(1) << by;
}

static bool find_quotient(const struct sl_speculation *g, LLVMValueRef i, int64_t a,
                          int64_t *stride)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    uint64_t by;
    *stride = op == LLVMURem || op == LLVMSRem ? a : sl_speculative_divided(i, a);
    bool divided = *stride && op != LLVMURem && op != LLVMSRem;
    if (!divided && sl_speculative_is_constant(LLVMGetOperand(i, 1), &by) &&
        sl_speculative_span(g->v, a) >= by)
        return false; /* it is passed each time */
    return a >= 0 && sl_speculative_is_same(g, LLVMGetOperand(i, 1));
}

static bool find_address(const struct sl_speculation *g, LLVMValueRef i, unsigned depth,
                         int64_t *stride)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(g->v->g->pass->module);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    if (!find_operand(g, i, 0, depth, stride))
        return false;
    for (int k = 1; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        int64_t one;
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(data, type);
        if (sl_speculative_is_same(g, index))
            continue;
        if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64 ||
            !find_operand(g, i, (unsigned)k, depth, &one) || size > (uint64_t)LARGEST)
            return false;
        *stride += one * (int64_t)size;
    }
    return fits(*stride);
}

bool sl_speculative_read_bound(const struct sl_speculation *g, LLVMValueRef call,
                               struct sl_speculative_bound *bound)
{
    const char *name = LLVMIsACallInst(call) ? sl_callee_name(call) : NULL;
    if (!name || strncmp(name, "llvm.", 5))
        return false;
    bound->minus = !strncmp(name + 5, "usub.sat.", 9);
    bound->zero = !strncmp(name + 5, "abs.", 4);
    bound->sign = name[5] == 's' || bound->zero;
    bound->most = !strncmp(name + 6, "min.", 4);
    bool known = bound->minus || bound->zero || bound->most || !strncmp(name + 6, "max.", 4);
    if (!known || !strchr("sua", name[5]))
        return false;
    bound->same = bound->minus || sl_speculative_is_same(g, LLVMGetOperand(call, 1)) ? 1 : 0;
    return sl_speculative_is_same(g, LLVMGetOperand(call, bound->same));
}

/* Operands of what was made in a loop that lanes leave at different times are gone behind it. */
static bool is_at_hand(const struct sl_speculation *g, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(g->v, value);
    const struct sl_vector_plan *plan = &g->v->plan;
    if (!known || known->away)
        return false;
    for (uint32_t l = known->block < plan->count ? plan->blocks[known->block].loop : 0; l;
         l = plan->loops[l - 1].parent)
        if (plan->loops[l - 1].divergent && !sl_vector_loop_has(plan, l, g->block))
            return false;
    return true;
}

static bool find_binary(const struct sl_speculation *g, LLVMValueRef i, unsigned depth,
                        int64_t *stride)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    int64_t a, b;
    if (op == LLVMAnd)
        return find_masked(g, i, depth, stride);
    if (!find_operand(g, i, 0, depth, &a))
        return false;
    switch (op) {
    case LLVMOr:
    case LLVMAdd:
    case LLVMSub:
        if ((op == LLVMOr && !LLVMGetIsDisjoint(i)) || !find_operand(g, i, 1, depth, &b))
            return false;
        *stride = op == LLVMSub ? a - b : a + b;
        return fits(*stride);
    case LLVMMul:
    case LLVMShl:
        return find_product(g, i, a, stride);
    case LLVMLShr:
    case LLVMAShr:
        return find_shifted(g, i, a, stride);
    default:
        return find_quotient(g, i, a, stride);
    }
}

static bool find_bounded(const struct sl_speculation *g, LLVMValueRef call, unsigned depth,
                         int64_t *stride)
{
    struct sl_speculative_bound bound;
    return sl_speculative_read_bound(g, call, &bound) &&
           find_operand(g, call, 1 - bound.same, depth, stride) && *stride;
}

static bool read_question(const struct sl_speculation *g, LLVMValueRef question, unsigned depth,
                          struct sl_speculative_choice *choice)
{
    if (!LLVMIsAICmpInst(question) || !is_at_hand(g, question))
        return false;
    choice->right = sl_speculative_is_same(g, LLVMGetOperand(question, 1));
    choice->is = LLVMGetICmpPredicate(question);
    choice->counts = LLVMGetOperand(question, !choice->right);
    choice->same = LLVMGetOperand(question, choice->right);
    return LLVMGetTypeKind(LLVMTypeOf(choice->counts)) == LLVMIntegerTypeKind &&
           sl_speculative_is_same(g, choice->same) &&
           sl_speculative_find(g, choice->counts, depth - 1, &choice->counting) && choice->counting;
}

bool sl_speculative_read_choice(const struct sl_speculation *g, LLVMValueRef select, unsigned depth,
                                struct sl_speculative_choice *choice)
{
    LLVMValueRef question = LLVMGetOperand(select, 0);
    int64_t strides[2];
    *choice = (struct sl_speculative_choice){.agreed = sl_speculative_is_same(g, question)};
    if (!choice->agreed && !read_question(g, question, depth, choice))
        return false;
    if (!find_operand(g, select, 1, depth, &strides[0]) ||
        !find_operand(g, select, 2, depth, &strides[1]))
        return false;
    bool equal = choice->is == LLVMIntEQ || choice->is == LLVMIntNE;
    bool first =
        !choice->agreed && equal ? choice->is == LLVMIntNE : strides[0] && strides[0] >= strides[1];
    choice->likely = first ? 1 : 2;
    choice->stride = strides[!first];
    return choice->agreed || choice->stride;
}

static bool find_chosen(const struct sl_speculation *g, LLVMValueRef select, unsigned depth,
                        int64_t *stride)
{
    struct sl_speculative_choice choice;
    if (!sl_speculative_read_choice(g, select, depth, &choice))
        return false;
    *stride = choice.stride;
    return true;
}

bool sl_speculative_find(const struct sl_speculation *g, LLVMValueRef value, unsigned depth,
                         int64_t *stride)
{
    struct sl_shape shape = sl_vector_shape_at(g->v, value, g->block);
    *stride = shape.kind == SL_SHAPE_LINEAR ? shape.stride : 0;
    if (shape.kind != SL_SHAPE_VARYING)
        return fits(*stride);
    LLVMTypeRef type = LLVMTypeOf(value);
    bool number = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
    if (!depth || !LLVMIsAInstruction(value) || !is_at_hand(g, value) ||
        sl_vector_array(g->v, value) || !(number || LLVMGetTypeKind(type) == LLVMPointerTypeKind))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMOr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return find_binary(g, value, depth, stride);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return find_operand(g, value, 0, depth, stride);
    case LLVMGetElementPtr:
        return find_address(g, value, depth, stride);
    case LLVMCall:
        return find_bounded(g, value, depth, stride);
    case LLVMSelect:
        return find_chosen(g, value, depth, stride);
    default:
        return false;
    }
}

bool sl_vector_speculative_stride(const struct sl_vector_facts *v, LLVMValueRef pointer,
                                  uint32_t block, int64_t *stride)
{
    struct sl_speculation g = {v, block};
    return sl_vector_shape_at(v, pointer, block).kind == SL_SHAPE_VARYING &&
           sl_speculative_find(&g, pointer, SL_SPECULATIVE_DEEPEST, stride);
}
