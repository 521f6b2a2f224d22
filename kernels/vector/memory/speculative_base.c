/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lane 0's number of what speculative_stride.c found to count up from lane to lane, and whether it
 * does so for all lanes here. No shared state.
 */
#include "vector/memory/speculative_base.h"

#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/speculative_stride.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <llvm-c/Core.h>

struct maker {
    struct sl_vector *v;
    struct sl_affine along;
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
    uint64_t far = sl_affine_span(&m->along, stride);
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
    return sl_affine_shape(&m->along, value).stride;
}

/* Lanes do not count beyond the ones that the mask, or what it leaves out, ends in. What is above
 * these is the same for all lanes then: DPC++ makes `i & (p - 1)` of an i that is not negative
 * `i & (p + INT_MAX)`. */
static void keep_below(struct maker *m, LLVMValueRef a, int64_t stride, LLVMValueRef low)
{
    LLVMBuilderRef b = builder(m);
    LLVMTypeRef type = LLVMTypeOf(a);
    if (sl_affine_span(&m->along, stride) > sl_affine_ones(type)) {
        only_if(m, LLVMConstNull(m->v->g->e.i1));
        return;
    }
    LLVMValueRef next = LLVMBuildAdd(b, low, LLVMConstInt(type, 1, false), "");
    LLVMValueRef ones = LLVMBuildAnd(b, low, LLVMBuildNot(b, next, ""), "");
    LLVMValueRef room = LLVMBuildSub(b, ones, LLVMBuildAnd(b, a, ones, ""), "");
    LLVMValueRef far = LLVMConstInt(type, sl_affine_span(&m->along, stride), false);
    only_if(m, LLVMBuildICmp(b, LLVMIntUGE, room, far, ""));
}

static LLVMValueRef make_masked(struct maker *m, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(m);
    unsigned counts = sl_affine_counting_operand(&m->along, i);
    LLVMValueRef by = LLVMGetOperand(i, 1 - counts), a = base_of(m, LLVMGetOperand(i, counts));
    LLVMTypeRef type = LLVMTypeOf(i);
    int64_t stride = stride_of(m, LLVMGetOperand(i, counts));
    uint64_t mask, all = sl_affine_ones(type);
    LLVMValueRef now = LLVMBuildAnd(b, a, sl_vector_scalar(m->v, by), "");
    if (!stride)
        return now;
    if (!sl_affine_is_constant(by, &mask)) {
        LLVMValueRef low = sl_vector_scalar(m->v, by);
        keep_below(m, a, stride, sl_affine_looks_high(by) ? LLVMBuildNot(b, low, "") : low);
    } else if (sl_affine_is_low_mask(mask)) {
        keep_between(m, now, stride, 0, mask, false);
    } else {
        uint64_t low = ~mask & all;
        LLVMValueRef remainder = LLVMBuildAnd(b, a, LLVMConstInt(type, low, false), "");
        keep_between(m, remainder, stride, 0, low, false);
    }
    return now;
}

static LLVMValueRef make_shifted(struct maker *m, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(m);
    LLVMValueRef by = LLVMGetOperand(i, 1), a = base_of(m, LLVMGetOperand(i, 0));
    uint64_t low = (UINT64_C(1) << LLVMConstIntGetZExtValue(by)) - 1;
    uint64_t all = sl_affine_ones(LLVMTypeOf(i));
    int64_t stride = stride_of(m, LLVMGetOperand(i, 0));
    bool sign = LLVMGetInstructionOpcode(i) == LLVMAShr;
    if (sl_affine_divided(i, stride)) {
        keep_between(m, a, stride, sign ? ~(all >> 1) : 0, sign ? all >> 1 : all, sign);
    } else {
        LLVMValueRef remainder = LLVMBuildAnd(b, a, LLVMConstInt(LLVMTypeOf(i), low, false), "");
        keep_between(m, remainder, stride, 0, low, false);
    }
    return LLVMBuildBinOp(b, LLVMGetInstructionOpcode(i), a, by, "");
}

/* As long as the factor is 1. */
static LLVMValueRef make_product(struct maker *m, LLVMValueRef i)
{
    unsigned counts = sl_affine_counting_operand(&m->along, i);
    LLVMValueRef by = sl_vector_scalar(m->v, LLVMGetOperand(i, 1 - counts));
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(by), 1, false);
    only_if(m, LLVMBuildICmp(builder(m), LLVMIntEQ, by, one, ""));
    return base_of(m, LLVMGetOperand(i, counts));
}

/* As long as the remainder does not pass the divisor, the quotient is one and the remainder counts;
 * or the remainder is one and the quotient counts. */
static LLVMValueRef make_quotient(struct maker *m, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(m);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    bool sign = op == LLVMSDiv || op == LLVMSRem;
    uint64_t most = sign ? sl_affine_ones(type) >> 1 : sl_affine_ones(type);
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
    LLVMValueRef remainder = LLVMBuildSub(b, a, LLVMBuildMul(b, quotient, by, ""), "");
    LLVMValueRef far = LLVMConstInt(type, sl_affine_span(&m->along, stride), false);
    if (stride && !sl_affine_divided(i, stride))
        only_if(m, LLVMBuildICmp(b, LLVMIntUGT, LLVMBuildSub(b, by, remainder, ""), far, ""));
    return op == LLVMURem || op == LLVMSRem ? remainder : quotient;
}

static LLVMValueRef last_of(struct maker *m, LLVMValueRef first, int64_t stride)
{
    int64_t far = stride * (int64_t)(m->v->facts.lanes - 1);
    return LLVMBuildAdd(builder(m), first, LLVMConstInt(LLVMTypeOf(first), (uint64_t)far, true),
                        "");
}

/* As long as no lane meets the bound. */
static LLVMValueRef make_bounded(struct maker *m, LLVMValueRef call)
{
    LLVMBuilderRef b = builder(m);
    struct sl_affine_bound bound = {0};
    sl_affine_read_bound(&m->along, call, &bound);
    LLVMValueRef counts = LLVMGetOperand(call, 1 - bound.same), a = base_of(m, counts);
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef limit =
        bound.zero ? LLVMConstNull(type) : sl_vector_scalar(m->v, LLVMGetOperand(call, bound.same));
    int64_t stride = stride_of(m, counts);
    uint64_t all = sl_affine_ones(type), top = bound.sign ? all >> 1 : all;
    keep_between(m, a, stride, bound.sign ? ~top : 0, top, bound.sign);
    LLVMValueRef last = last_of(m, a, stride);
    LLVMIntPredicate in = bound.most ? (bound.sign ? LLVMIntSLE : LLVMIntULE)
                                     : (bound.sign ? LLVMIntSGE : LLVMIntUGE);
    only_if(m, LLVMBuildICmp(b, in, (stride > 0) == bound.most ? last : a, limit, ""));
    return bound.minus ? LLVMBuildSub(b, a, limit, "") : a;
}

static LLVMValueRef compare(struct maker *m, const struct sl_affine_choice *c, LLVMValueRef lane)
{
    LLVMValueRef same = sl_vector_scalar(m->v, c->same);
    return c->right ? LLVMBuildICmp(builder(m), c->is, lane, same, "")
                    : LLVMBuildICmp(builder(m), c->is, same, lane, "");
}

/* The number lies before the first lane's or behind the last one's. */
static LLVMValueRef none_equal(struct maker *m, const struct sl_affine_choice *c,
                               LLVMValueRef first, LLVMValueRef last)
{
    LLVMBuilderRef b = builder(m);
    LLVMValueRef same = sl_vector_scalar(m->v, c->same);
    LLVMValueRef least = c->counting > 0 ? first : last, most = c->counting > 0 ? last : first;
    return LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntSLT, same, least, ""),
                       LLVMBuildICmp(b, LLVMIntSGT, same, most, ""), "");
}

/* As long as all lanes take the likely side. */
static void keep_likely(struct maker *m, const struct sl_affine_choice *c)
{
    LLVMBuilderRef b = builder(m);
    LLVMValueRef first = base_of(m, c->counts), last = last_of(m, first, c->counting), fine;
    bool equal = c->is == LLVMIntEQ || c->is == LLVMIntNE;
    bool sign = equal || (c->is >= LLVMIntSGT && c->is <= LLVMIntSLE);
    uint64_t all = sl_affine_ones(LLVMTypeOf(first)), top = sign ? all >> 1 : all;
    keep_between(m, first, c->counting, sign ? ~top : 0, top, sign);
    if (equal)
        fine = none_equal(m, c, first, last);
    else if (c->likely == 1)
        fine = LLVMBuildAnd(b, compare(m, c, first), compare(m, c, last), "");
    else
        fine = LLVMBuildNot(b, LLVMBuildOr(b, compare(m, c, first), compare(m, c, last), ""), "");
    only_if(m, fine);
}

static LLVMValueRef make_chosen(struct maker *m, LLVMValueRef select)
{
    struct sl_affine_choice c;
    sl_affine_read_choice(&m->along, select, &c);
    if (c.agreed) {
        LLVMValueRef is = sl_vector_scalar(m->v, LLVMGetOperand(select, 0));
        only_if(m, c.likely == 1 ? is : LLVMBuildNot(builder(m), is, ""));
    } else {
        keep_likely(m, &c);
    }
    return base_of(m, LLVMGetOperand(select, c.likely));
}

/* As long as no lane meets the number. */
static LLVMValueRef make_truth(struct maker *m, LLVMValueRef cast)
{
    struct sl_affine_choice c;
    sl_affine_read_truth(&m->along, cast, &c);
    keep_likely(m, &c);
    LLVMValueRef is = LLVMConstInt(m->v->g->e.i1, c.likely == 1, false);
    return LLVMBuildCast(builder(m), LLVMGetInstructionOpcode(cast), is, LLVMTypeOf(cast), "");
}

static LLVMValueRef make_cast(struct maker *m, LLVMValueRef i)
{
    if (LLVMTypeOf(LLVMGetOperand(i, 0)) == m->v->g->e.i1)
        return make_truth(m, i);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef a = base_of(m, LLVMGetOperand(i, 0));
    uint64_t all = sl_affine_ones(LLVMTypeOf(a));
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
    if (sl_vector_shape_at(&m->v->facts, value, m->v->now.block).kind != SL_SHAPE_VARYING)
        return sl_vector_scalar(m->v, value);
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (sl_affine_has_unit_factor(&m->along, value))
        return make_product(m, value);
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
    case LLVMCall:
        return make_bounded(m, value);
    case LLVMSelect:
        return make_chosen(m, value);
    case LLVMXor: /* with ones */
        return LLVMBuildNot(builder(m), base_of(m, LLVMGetOperand(value, 0)), "");
    default: {
        LLVMValueRef a = base_of(m, LLVMGetOperand(value, 0));
        LLVMValueRef b = base_of(m, LLVMGetOperand(value, 1));
        return LLVMBuildBinOp(builder(m), op == LLVMOr ? LLVMAdd : op, a, b, "");
    }
    }
}

LLVMValueRef sl_vector_speculative_base(struct sl_vector *v, LLVMValueRef pointer,
                                        LLVMValueRef *sure)
{
    struct sl_speculation g = {&v->facts, v->now.block};
    struct maker m = {.v = v, .along = sl_speculative_affine(&g, pointer)};
    LLVMValueRef base = base_of(&m, pointer);
    sl_affine_finish(&m.along);
    *sure = LLVMConstInt(v->g->e.i1, 1, false);
    if (m.sure) /* a branch asks for it, and no lane may be on its way here */
        *sure = LLVMBuildFreeze(v->g->e.builder, m.sure, "sure");
    return base;
}
