/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that count up from lane to lane unless a number on the way wraps around: `id & 255`,
 * `id / width`, sums of unsigned ids. What the wrap depends on is known before the access, so the
 * code asks for it: with lane 0's number and the steps it sees whether these lanes are on one side.
 * No shared state.
 */
#include "vector/vector.h"

#include "compiler/shim/pass_support.h"
#include <llvm-c/Target.h>
#include <stdlib.h>

#define DEEPEST 8
#define LARGEST (INT64_C(1) << 30) /* step from lane to lane */

struct guesser {
    const struct sl_vector *v;
    uint32_t block; /* where the value is wanted */
};

static bool is_constant(LLVMValueRef value, uint64_t *is)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *is = LLVMConstIntGetZExtValue(value);
    return true;
}

static uint64_t ones(LLVMTypeRef integer)
{
    unsigned width = LLVMGetIntTypeWidth(integer);
    return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

static bool is_low_mask(uint64_t mask)
{
    return mask && !(mask & (mask + 1));
}

/* How far the last lane is from the first. */
static uint64_t span(const struct sl_vector *v, int64_t stride)
{
    return (uint64_t)llabs(stride) * (v->lanes - 1);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static bool find(const struct guesser *g, LLVMValueRef value, unsigned depth, int64_t *stride);

static bool find_operand(const struct guesser *g, LLVMValueRef i, unsigned k, unsigned depth,
                         int64_t *stride)
{
    return find(g, LLVMGetOperand(i, k), depth - 1, stride);
}

static bool fits(int64_t stride)
{
    return llabs(stride) <= LARGEST;
}

static bool is_same(const struct guesser *g, LLVMValueRef value)
{
    return sl_vector_shape_at(g->v, value, g->block).kind <= SL_SHAPE_UNIFORM;
}

static bool find_product(const struct guesser *g, LLVMValueRef i, int64_t a, int64_t *stride)
{
    uint64_t by;
    bool shift = LLVMGetInstructionOpcode(i) == LLVMShl;
    if (!a && is_same(g, LLVMGetOperand(i, 1)))
        return *stride = 0, true;
    if (!is_constant(LLVMGetOperand(i, 1), &by) || by > (shift ? 30u : LARGEST))
        return false;
    *stride = shift ? a * (INT64_C(1) << by) : a * (int64_t)by;
    return fits(*stride);
}

/* -x, ~x, -1 << x: most likely ones above zeros, where x + 1, 1 << x - 1 are zeros above ones. */
static bool looks_high(LLVMValueRef mask)
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

/* The operand of an "and" that counts; the other one is its mask. */
static unsigned counting_operand(const struct guesser *g, LLVMValueRef i)
{
    return is_same(g, LLVMGetOperand(i, 1)) ? 0 : 1;
}

static bool find_masked(const struct guesser *g, LLVMValueRef i, unsigned depth, int64_t *stride)
{
    unsigned counts = counting_operand(g, i);
    LLVMValueRef by = LLVMGetOperand(i, 1 - counts);
    uint64_t mask, all = ones(LLVMTypeOf(i));
    int64_t a;
    if (!find_operand(g, i, counts, depth, &a))
        return false;
    *stride = a;
    if (!is_constant(by, &mask)) {
        *stride = looks_high(by) ? 0 : a;
        return a >= 0 && is_same(g, by);
    }
    if (is_low_mask(mask))
        return span(g->v, a) <= mask;
    *stride = 0;
    return is_low_mask(~mask & all) && span(g->v, a) <= (~mask & all);
}

static bool find_shifted(const struct guesser *g, LLVMValueRef i, int64_t a, int64_t *stride)
{
    uint64_t by;
    *stride = 0;
    return is_constant(LLVMGetOperand(i, 1), &by) && by < 63 &&
           by < LLVMGetIntTypeWidth(LLVMTypeOf(i)) && span(g->v, a) < UINT64_C(1) << by;
}

static bool find_quotient(const struct guesser *g, LLVMValueRef i, int64_t a, int64_t *stride)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    *stride = op == LLVMURem || op == LLVMSRem ? a : 0;
    return a >= 0 && is_same(g, LLVMGetOperand(i, 1));
}

static bool find_address(const struct guesser *g, LLVMValueRef i, unsigned depth, int64_t *stride)
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
        if (is_same(g, index))
            continue;
        if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64 ||
            !find_operand(g, i, (unsigned)k, depth, &one) || size > (uint64_t)LARGEST)
            return false;
        *stride += one * (int64_t)size;
    }
    return fits(*stride);
}

/* Operands of what was made in a loop that lanes leave at different times are gone behind it. */
static bool is_at_hand(const struct guesser *g, LLVMValueRef value)
{
    const struct sl_vector_value *known = sl_map_get(&g->v->values, value);
    const struct sl_vector_plan *plan = &g->v->plan;
    if (!known || known->in_cells)
        return false;
    for (uint32_t l = known->block < plan->count ? plan->blocks[known->block].loop : 0; l;
         l = plan->loops[l - 1].parent)
        if (plan->loops[l - 1].divergent && !sl_vector_loop_has(plan, l, g->block))
            return false;
    return true;
}

static bool find_binary(const struct guesser *g, LLVMValueRef i, unsigned depth, int64_t *stride)
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

static bool find(const struct guesser *g, LLVMValueRef value, unsigned depth, int64_t *stride)
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
    default:
        return false;
    }
}

bool sl_vector_guess_stride(const struct sl_vector *v, LLVMValueRef pointer, uint32_t block,
                            int64_t *stride)
{
    struct guesser g = {v, block};
    return sl_vector_shape_at(v, pointer, block).kind == SL_SHAPE_VARYING &&
           find(&g, pointer, DEEPEST, stride);
}

/* ---- lane 0's numbers ----------------------------------------------------------------------- */

struct maker {
    struct sl_vector *v;
    struct guesser g;
    LLVMValueRef sure; /* NULL: always so */
};

static LLVMValueRef base_of(struct maker *m, LLVMValueRef value);

static LLVMBuilderRef builder(struct maker *m)
{
    return m->v->g->e.builder;
}

static void only_if(struct maker *m, LLVMValueRef condition)
{
    m->sure = m->sure ? LLVMBuildAnd(builder(m), m->sure, condition, "") : condition;
}

/* From lane 0's number all lanes can count on without passing `least` or `most`. */
static void keep_between(struct maker *m, LLVMValueRef base, int64_t stride, uint64_t least,
                         uint64_t most, bool sign)
{
    LLVMTypeRef type = LLVMTypeOf(base);
    uint64_t far = span(m->v, stride);
    if (!stride)
        return;
    if (far > most - least) {
        only_if(m, LLVMConstNull(m->v->g->e.i1));
        return;
    }
    bool up = stride > 0;
    LLVMValueRef limit = LLVMConstInt(type, up ? most - far : least + far, sign);
    LLVMIntPredicate in = up ? (sign ? LLVMIntSLE : LLVMIntULE) : sign ? LLVMIntSGE : LLVMIntUGE;
    only_if(m, LLVMBuildICmp(builder(m), in, base, limit, ""));
}

static int64_t stride_of(struct maker *m, LLVMValueRef value)
{
    int64_t stride = 0;
    find(&m->g, value, DEEPEST, &stride);
    return stride;
}

/* The mask's zeros or ones are the low bits, and lanes do not count beyond them. */
static void keep_below(struct maker *m, LLVMValueRef a, int64_t stride, LLVMValueRef low)
{
    LLVMBuilderRef b = builder(m);
    LLVMTypeRef type = LLVMTypeOf(a);
    if (span(m->v, stride) > ones(type)) {
        only_if(m, LLVMConstNull(m->v->g->e.i1));
        return;
    }
    LLVMValueRef next = LLVMBuildAdd(b, low, LLVMConstInt(type, 1, false), "");
    LLVMValueRef gaps = LLVMBuildAnd(b, low, next, "");
    only_if(m, LLVMBuildICmp(b, LLVMIntEQ, gaps, LLVMConstNull(type), ""));
    LLVMValueRef room = LLVMBuildSub(b, low, LLVMBuildAnd(b, a, low, ""), "");
    LLVMValueRef far = LLVMConstInt(type, span(m->v, stride), false);
    only_if(m, LLVMBuildICmp(b, LLVMIntUGE, room, far, ""));
}

static LLVMValueRef make_masked(struct maker *m, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(m);
    unsigned counts = counting_operand(&m->g, i);
    LLVMValueRef by = LLVMGetOperand(i, 1 - counts), a = base_of(m, LLVMGetOperand(i, counts));
    LLVMTypeRef type = LLVMTypeOf(i);
    int64_t stride = stride_of(m, LLVMGetOperand(i, counts));
    uint64_t mask, all = ones(type);
    LLVMValueRef now = LLVMBuildAnd(b, a, sl_vector_scalar(m->v, by), "");
    if (!stride)
        return now;
    if (!is_constant(by, &mask)) {
        LLVMValueRef low = sl_vector_scalar(m->v, by);
        keep_below(m, a, stride, looks_high(by) ? LLVMBuildNot(b, low, "") : low);
    } else if (is_low_mask(mask)) {
        keep_between(m, now, stride, 0, mask, false);
    } else {
        uint64_t low = ~mask & all;
        LLVMValueRef rest = LLVMBuildAnd(b, a, LLVMConstInt(type, low, false), "");
        keep_between(m, rest, stride, 0, low, false);
    }
    return now;
}

static LLVMValueRef make_shifted(struct maker *m, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(m);
    LLVMValueRef by = LLVMGetOperand(i, 1), a = base_of(m, LLVMGetOperand(i, 0));
    uint64_t low = (UINT64_C(1) << LLVMConstIntGetZExtValue(by)) - 1;
    LLVMValueRef rest = LLVMBuildAnd(b, a, LLVMConstInt(LLVMTypeOf(i), low, false), "");
    keep_between(m, rest, stride_of(m, LLVMGetOperand(i, 0)), 0, low, false);
    return LLVMBuildBinOp(b, LLVMGetInstructionOpcode(i), a, by, "");
}

/* As long as the rest does not pass the divisor, the quotient is one and the rest counts. */
static LLVMValueRef make_quotient(struct maker *m, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(m);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    bool sign = op == LLVMSDiv || op == LLVMSRem;
    uint64_t most = sign ? ones(type) >> 1 : ones(type);
    int64_t stride = stride_of(m, LLVMGetOperand(i, 0));
    LLVMValueRef a = base_of(m, LLVMGetOperand(i, 0)), zero = LLVMConstNull(type);
    LLVMValueRef by = sl_vector_scalar(m->v, LLVMGetOperand(i, 1));
    LLVMValueRef fine = sign ? LLVMBuildICmp(b, LLVMIntSGT, by, zero, "")
                             : LLVMBuildICmp(b, LLVMIntNE, by, zero, "");
    if (sign)
        only_if(m, LLVMBuildICmp(b, LLVMIntSGE, a, zero, ""));
    only_if(m, fine);
    keep_between(m, a, stride, 0, most, sign);
    /* No lane may be on its way here: then the divisor can be anything. */
    by = LLVMBuildSelect(b, LLVMBuildFreeze(b, fine, ""), LLVMBuildFreeze(b, by, ""),
                         LLVMConstInt(type, 1, false), "");
    LLVMValueRef quotient = LLVMBuildUDiv(b, LLVMBuildFreeze(b, a, ""), by, "");
    LLVMValueRef rest = LLVMBuildSub(b, a, LLVMBuildMul(b, quotient, by, ""), "");
    LLVMValueRef far = LLVMConstInt(type, span(m->v, stride), false);
    if (stride)
        only_if(m, LLVMBuildICmp(b, LLVMIntUGT, LLVMBuildSub(b, by, rest, ""), far, ""));
    return op == LLVMURem || op == LLVMSRem ? rest : quotient;
}

static LLVMValueRef make_cast(struct maker *m, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef a = base_of(m, LLVMGetOperand(i, 0));
    uint64_t all = ones(LLVMTypeOf(a));
    int64_t stride = stride_of(m, LLVMGetOperand(i, 0));
    if (op == LLVMZExt)
        keep_between(m, a, stride, 0, all, false);
    else if (op == LLVMSExt)
        keep_between(m, a, stride, ~(all >> 1), all >> 1, true);
    return LLVMBuildCast(builder(m), op, a, LLVMTypeOf(i), "");
}

static LLVMValueRef make_address(struct maker *m, LLVMValueRef i)
{
    LLVMValueRef indices[SL_VECTOR_MOST_PARTS];
    unsigned count = (unsigned)LLVMGetNumOperands(i);
    LLVMValueRef base = base_of(m, LLVMGetOperand(i, 0));
    for (unsigned k = 1; k < count; k++)
        indices[k - 1] = base_of(m, LLVMGetOperand(i, k));
    return LLVMBuildGEP2(builder(m), LLVMGetGEPSourceElementType(i), base, indices, count - 1, "");
}

static LLVMValueRef base_of(struct maker *m, LLVMValueRef value)
{
    if (sl_vector_shape_at(m->v, value, m->g.block).kind != SL_SHAPE_VARYING)
        return sl_vector_scalar(m->v, value);
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    switch (op) {
    case LLVMAnd:
        return make_masked(m, value);
    case LLVMLShr:
    case LLVMAShr:
        return make_shifted(m, value);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return make_quotient(m, value);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return make_cast(m, value);
    case LLVMGetElementPtr:
        return make_address(m, value);
    default: {
        LLVMValueRef a = base_of(m, LLVMGetOperand(value, 0));
        LLVMValueRef b = base_of(m, LLVMGetOperand(value, 1));
        return LLVMBuildBinOp(builder(m), op == LLVMOr ? LLVMAdd : op, a, b, "");
    }
    }
}

LLVMValueRef sl_vector_guess_base(struct sl_vector *v, LLVMValueRef pointer, LLVMValueRef *sure)
{
    struct maker m = {.v = v, .g = {v, v->block}};
    LLVMValueRef base = base_of(&m, pointer);
    *sure = LLVMConstInt(v->g->e.i1, 1, false);
    if (m.sure) /* a branch asks for it, and no lane may be on its way here */
        *sure = LLVMBuildFreeze(v->g->e.builder, m.sure, "sure");
    return base;
}
