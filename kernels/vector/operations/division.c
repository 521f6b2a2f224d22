/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer division of lanes: `x / 3` of 64 bits is made a product here, of up to 32 bits by LLVM
 * (TargetLowering::BuildUDIV and BuildSDIV, as for code without lanes; nothing of ours changes
 * that). By what is no constant there are no instructions: it is the quotient of floating-point
 * numbers, which is exact as long as these hold what is divided: the quotient's distance from the
 * next integer is at least one part in divisor times quotient, which the mantissa can tell apart.
 * No shared state.
 */
#include "vector/operations/division.h"

#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#define EXACT 52 /* bits of an integer that the lowest ones of a double hold as they are */

struct division {
    struct sl_vector *v;
    LLVMTypeRef type; /* of all lanes */
    bool sign, remainder;
};

static LLVMBuilderRef builder(const struct division *d)
{
    return d->v->g->e.builder;
}

static LLVMValueRef number(const struct division *d, uint64_t value)
{
    return sl_vector_splat(d->v, LLVMConstInt(LLVMGetElementType(d->type), value, false));
}

static LLVMValueRef shifted(const struct division *d, LLVMValueRef x, unsigned bits)
{
    return bits ? LLVMBuildLShr(builder(d), x, number(d, bits), "") : x;
}

bool sl_vector_is_division(LLVMValueRef i)
{
    LLVMOpcode op = LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : LLVMRet;
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

/* Lanes that do not run must not divide by zero. */
static LLVMValueRef safe_divisor(const struct division *d, LLVMValueRef divisor)
{
    return LLVMBuildSelect(builder(d), d->v->now.mask, divisor, number(d, 1), "");
}

/* ---- by way of magnitudes -------------------------------------------------------------------- */

static LLVMValueRef sign_of(const struct division *d, LLVMValueRef x)
{
    return LLVMBuildAShr(builder(d), x, number(d, 63), "");
}

/* -x where `sign` is -1, and back. */
static LLVMValueRef with_sign(const struct division *d, LLVMValueRef x, LLVMValueRef sign)
{
    return LLVMBuildSub(builder(d), LLVMBuildXor(builder(d), x, sign, ""), sign, "");
}

/* ---- 64 bits by a constant ------------------------------------------------------------------- */

/* The upper half of the product, of halves. */
static LLVMValueRef high_product(const struct division *d, LLVMValueRef x, uint64_t by)
{
    LLVMBuilderRef b = builder(d);
    LLVMValueRef low_bits = number(d, UINT32_MAX), half = number(d, 32);
    LLVMValueRef by_low = number(d, by & UINT32_MAX), by_high = number(d, by >> 32);
    LLVMValueRef low = LLVMBuildAnd(b, x, low_bits, ""), high = LLVMBuildLShr(b, x, half, "");
    LLVMValueRef carried = LLVMBuildLShr(b, LLVMBuildMul(b, low, by_low, ""), half, "");
    LLVMValueRef middle = LLVMBuildAdd(b, LLVMBuildMul(b, high, by_low, ""), carried, "");
    LLVMValueRef other = LLVMBuildAdd(b, LLVMBuildMul(b, low, by_high, ""),
                                      LLVMBuildAnd(b, middle, low_bits, ""), "");
    LLVMValueRef top =
        LLVMBuildAdd(b, LLVMBuildMul(b, high, by_high, ""), LLVMBuildLShr(b, middle, half, ""), "");
    return LLVMBuildAdd(b, top, LLVMBuildLShr(b, other, half, ""), "");
}

/* x / by for x up to 2^63, by no power of two: 2^(63 + bits) / by, rounded up, is too large by
 * less than would show (Granlund and Montgomery, Division by Invariant Integers using
 * Multiplication, 1994). */
static LLVMValueRef divide_magnitude(const struct division *d, LLVMValueRef x, uint64_t by)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(by);
    unsigned __int128 scaled = (unsigned __int128)1 << (63 + bits);
    return shifted(d, high_product(d, x, (uint64_t)(scaled / by) + 1), bits - 1);
}

/* The same for any x, where the factor has a 65th bit, which is one. */
static LLVMValueRef divide_any(const struct division *d, LLVMValueRef x, uint64_t by)
{
    LLVMBuilderRef b = builder(d);
    unsigned bits = 64 - (unsigned)__builtin_clzll(by);
    unsigned __int128 over =
        bits < 64 ? ((unsigned __int128)1 << bits) - by : (unsigned __int128)(0 - by);
    LLVMValueRef high = high_product(d, x, (uint64_t)((over << 64) / by) + 1);
    LLVMValueRef left = shifted(d, LLVMBuildSub(b, x, high, ""), 1);
    return shifted(d, LLVMBuildAdd(b, left, high, ""), bits - 1);
}

static LLVMValueRef by_constant(const struct division *d, LLVMValueRef x, LLVMValueRef constant)
{
    LLVMBuilderRef b = builder(d);
    uint64_t by = LLVMConstIntGetZExtValue(constant);
    bool below = d->sign && (int64_t)by < 0;
    LLVMValueRef quotient;
    by = below ? 0 - by : by;
    if (d->sign) {
        LLVMValueRef sign = sign_of(d, x);
        quotient = divide_magnitude(d, with_sign(d, x, sign), by);
        quotient = with_sign(d, quotient, below ? LLVMBuildNot(b, sign, "") : sign);
    } else {
        quotient = divide_any(d, x, by);
    }
    LLVMValueRef divisor = sl_vector_splat(d->v, constant);
    return d->remainder ? LLVMBuildSub(b, x, LLVMBuildMul(b, quotient, divisor, ""), "") : quotient;
}

/* The constant of a part if that form is the one: LLVM has its own of powers of two, and of less
 * bits. */
static LLVMValueRef long_constant(const struct division *d, LLVMValueRef divisor)
{
    LLVMTypeRef element = LLVMGetElementType(d->type);
    LLVMValueRef one = LLVMGetAggregateElement(divisor, 0);
    if (LLVMGetIntTypeWidth(element) != 64 || !one || !LLVMIsAConstantInt(one))
        return NULL;
    uint64_t by = LLVMConstIntGetZExtValue(one);
    by = d->sign && (int64_t)by < 0 ? 0 - by : by;
    return by & (by - 1) ? one : NULL;
}

/* ---- as floating point ----------------------------------------------------------------------- */

static LLVMTypeRef real_for(const struct division *d)
{
    LLVMContextRef context = d->v->g->e.context;
    return LLVMGetIntTypeWidth(LLVMGetElementType(d->type)) <= 16
               ? LLVMFloatTypeInContext(context)
               : LLVMDoubleTypeInContext(context);
}

/* Up to 32 bits as `real`, and back. */
static LLVMValueRef word_to_real(const struct division *d, LLVMValueRef x, LLVMTypeRef real)
{
    LLVMBuilderRef b = builder(d);
    bool lanes = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    LLVMTypeRef i32 = d->v->g->e.i32, middle = lanes ? sl_vector_wide_type(d->v, i32) : i32;
    if (LLVMTypeOf(x) != middle)
        x = LLVMBuildIntCast2(b, x, middle, d->sign, "");
    return LLVMBuildCast(b, d->sign ? LLVMSIToFP : LLVMUIToFP, x,
                         lanes ? sl_vector_wide_type(d->v, real) : real, "");
}

static LLVMValueRef word_from_real(const struct division *d, LLVMValueRef x)
{
    LLVMTypeRef middle = sl_vector_wide_type(d->v, d->v->g->e.i32);
    x = LLVMBuildCast(builder(d), d->sign ? LLVMFPToSI : LLVMFPToUI, x, middle, "");
    return middle == d->type ? x : LLVMBuildTrunc(builder(d), x, d->type, "");
}

static LLVMValueRef rest_of(const struct division *d, LLVMValueRef a, LLVMValueRef b,
                            LLVMValueRef quotient)
{
    return LLVMBuildSub(builder(d), a, LLVMBuildMul(builder(d), quotient, b, ""), "");
}

/* Up to 32 bits, all lanes by one number: one division, in front of the loop if need be, and
 * products. They are too large by a part in 2^40, or 2^20 of 16 bits: more than what is lost on the
 * way, so that no multiple falls short, and less than the distance to the next one, which is at
 * least one part of what is divided. */
static LLVMValueRef divide_words_by_one(const struct division *d, LLVMValueRef a, LLVMValueRef one)
{
    LLVMBuilderRef b = builder(d);
    LLVMTypeRef real = real_for(d);
    bool small = LLVMGetTypeKind(real) == LLVMFloatTypeKind;
    LLVMValueRef more = LLVMConstReal(real, small ? 1 + 0x1p-20 : 1 + 0x1p-40);
    LLVMValueRef part = LLVMBuildFDiv(b, more, word_to_real(d, one, real), "");
    LLVMValueRef quotient = word_from_real(
        d, LLVMBuildFMul(b, word_to_real(d, a, real), sl_vector_splat(d->v, part), ""));
    return d->remainder ? rest_of(d, a, sl_vector_splat(d->v, one), quotient) : quotient;
}

/* Up to 32 bits. */
static LLVMValueRef divide_words(const struct division *d, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef real = real_for(d);
    LLVMValueRef quotient = word_from_real(
        d, LLVMBuildFDiv(builder(d), word_to_real(d, a, real), word_to_real(d, b, real), ""));
    return d->remainder ? rest_of(d, a, b, quotient) : quotient;
}

/* Integers below 2^52 are the lowest bits of themselves and 2^52, as double. */
static LLVMValueRef to_real(const struct division *d, LLVMTypeRef real, LLVMValueRef x)
{
    LLVMBuilderRef b = builder(d);
    LLVMValueRef begin = LLVMConstBitCast(number(d, UINT64_C(0x433) << EXACT), real);
    LLVMValueRef bits = LLVMBuildOr(b, x, number(d, UINT64_C(0x433) << EXACT), "");
    return LLVMBuildFSub(b, LLVMBuildBitCast(b, bits, real, ""), begin, "");
}

static LLVMValueRef from_real(const struct division *d, LLVMTypeRef real, LLVMValueRef x)
{
    LLVMBuilderRef b = builder(d);
    LLVMValueRef begin = LLVMConstBitCast(number(d, UINT64_C(0x433) << EXACT), real);
    LLVMValueRef bits = LLVMBuildBitCast(b, LLVMBuildFAdd(b, x, begin, ""), d->type, "");
    return LLVMBuildAnd(b, bits, number(d, (UINT64_C(1) << EXACT) - 1), "");
}

/* Magnitudes below 2^52; the remainder is one, too, and exact. */
static LLVMValueRef divide_longs(const struct division *d, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef build = builder(d);
    LLVMTypeRef real = sl_vector_wide_type(d->v, LLVMDoubleTypeInContext(d->v->g->e.context));
    LLVMValueRef x = to_real(d, real, a), y = to_real(d, real, b);
    LLVMValueRef quotient = LLVMBuildFDiv(build, x, y, "");
    quotient = sl_vector_intrinsic(d->v, "llvm.trunc", &real, 1, &quotient, 1);
    if (d->remainder)
        quotient = LLVMBuildFSub(build, x, LLVMBuildFMul(build, quotient, y, ""), "");
    return from_real(d, real, quotient);
}

/* The same, all lanes by one number: a product, which is one too small or too large at most, and a
 * rest without rounding, which tells. */
static LLVMValueRef divide_longs_by_one(const struct division *d, LLVMValueRef a, LLVMValueRef one)
{
    LLVMBuilderRef b = builder(d);
    LLVMTypeRef element = LLVMDoubleTypeInContext(d->v->g->e.context);
    LLVMTypeRef real = sl_vector_wide_type(d->v, element);
    LLVMValueRef by = LLVMBuildUIToFP(b, one, element, "");
    LLVMValueRef part = LLVMBuildFDiv(b, LLVMConstReal(element, 1), by, "");
    LLVMValueRef x = to_real(d, real, a), y = sl_vector_splat(d->v, by);
    LLVMValueRef quotient = LLVMBuildFMul(b, x, sl_vector_splat(d->v, part), "");
    quotient = sl_vector_intrinsic(d->v, "llvm.trunc", &real, 1, &quotient, 1);
    LLVMValueRef sum[] = {LLVMBuildFNeg(b, quotient, ""), y, x};
    LLVMValueRef rest = sl_vector_intrinsic(d->v, "llvm.fma", &real, 1, sum, 3);
    LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, rest, LLVMConstNull(real), "");
    LLVMValueRef over = LLVMBuildFCmp(b, LLVMRealOGE, rest, y, "");
    LLVMValueRef now = d->remainder ? rest : quotient;
    LLVMValueRef step = d->remainder ? y : sl_vector_splat(d->v, LLVMConstReal(element, 1));
    LLVMValueRef more = LLVMBuildFAdd(b, now, step, ""), less = LLVMBuildFSub(b, now, step, "");
    now = LLVMBuildSelect(b, below, d->remainder ? more : less, now, "");
    return from_real(d, real, LLVMBuildSelect(b, over, d->remainder ? less : more, now, ""));
}

/* ---- 64 bits by what is known when it runs --------------------------------------------------- */

static LLVMBasicBlockRef new_block(const struct division *d, const char *name)
{
    return LLVMAppendBasicBlockInContext(d->v->g->e.context, d->v->g->function, name);
}

/* i1: all lanes that run have magnitudes that a double holds */
static LLVMValueRef are_small(const struct division *d, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef build = builder(d);
    LLVMValueRef bits = LLVMBuildOr(build, a, b, "");
    LLVMValueRef fine = LLVMBuildICmp(build, LLVMIntULT, bits, number(d, UINT64_C(1) << EXACT), "");
    if (!sl_vector_all_run(d->v))
        fine = LLVMBuildOr(build, fine, LLVMBuildNot(build, d->v->now.mask, ""), "");
    return sl_vector_all(d->v, fine);
}

/* What all lanes divide part k of i by; NULL: each by its own, as behind a loop that lanes left at
 * different times. */
static LLVMValueRef one_divisor(const struct division *d, LLVMValueRef i, uint32_t k)
{
    LLVMValueRef divisor = LLVMGetOperand(i, 1);
    if (sl_vector_shape_at(&d->v->facts, divisor, d->v->now.block).kind > SL_SHAPE_UNIFORM)
        return NULL;
    LLVMValueRef one = sl_vector_scalar(d->v, divisor);
    return LLVMGetTypeKind(LLVMTypeOf(one)) == LLVMVectorTypeKind
               ? LLVMBuildExtractElement(builder(d), one, LLVMConstInt(d->v->g->e.i32, k, false),
                                         "")
               : one;
}

static LLVMValueRef magnitude_of(const struct division *d, LLVMValueRef one)
{
    LLVMBuilderRef b = builder(d);
    LLVMValueRef below = LLVMBuildICmp(b, LLVMIntSLT, one, LLVMConstNull(LLVMTypeOf(one)), "");
    return d->sign ? LLVMBuildSelect(b, below, LLVMBuildNeg(b, one, ""), one, "") : one;
}

/* One by one only where lanes have more bits than that. */
static void emit_by_size(struct division *d, LLVMValueRef i, uint32_t count)
{
    LLVMBuilderRef b = builder(d);
    LLVMValueRef small = NULL, fast[SL_VECTOR_MOST_PARTS], divided[SL_VECTOR_MOST_PARTS],
                 by[SL_VECTOR_MOST_PARTS], sign[SL_VECTOR_MOST_PARTS], one[SL_VECTOR_MOST_PARTS];
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef x = sl_vector_part(d->v, LLVMGetOperand(i, 0), k);
        one[k] = d->v->facts.target->fused ? one_divisor(d, i, k) : NULL;
        LLVMValueRef y = one[k] ? sl_vector_splat(d->v, one[k])
                                : safe_divisor(d, sl_vector_part(d->v, LLVMGetOperand(i, 1), k));
        LLVMValueRef of_x = d->sign ? sign_of(d, x) : NULL, of_y = d->sign ? sign_of(d, y) : NULL;
        divided[k] = d->sign ? with_sign(d, x, of_x) : x;
        by[k] = d->sign ? with_sign(d, y, of_y) : y;
        sign[k] = !d->sign ? NULL : d->remainder ? of_x : LLVMBuildXor(b, of_x, of_y, "");
        LLVMValueRef fine = are_small(d, divided[k], by[k]);
        small = small ? LLVMBuildAnd(b, small, fine, "") : fine;
    }
    LLVMBasicBlockRef at_once = new_block(d, "quotients"), serial = new_block(d, "large"),
                      end = new_block(d, "divided");
    LLVMBuildCondBr(b, small, at_once, serial);
    LLVMPositionBuilderAtEnd(b, at_once);
    for (uint32_t k = 0; k < count; k++) {
        fast[k] = one[k] ? divide_longs_by_one(d, divided[k], magnitude_of(d, one[k]))
                         : divide_longs(d, divided[k], by[k]);
        fast[k] = d->sign ? with_sign(d, fast[k], sign[k]) : fast[k];
    }
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, serial);
    sl_vector_emit_serially(d->v, i);
    LLVMValueRef slow[SL_VECTOR_MOST_PARTS];
    for (uint32_t k = 0; k < count; k++)
        slow[k] = sl_vector_part(d->v, i, k);
    serial = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef phi = LLVMBuildPhi(b, d->type, "");
        LLVMAddIncoming(phi, &fast[k], &at_once, 1);
        LLVMAddIncoming(phi, &slow[k], &serial, 1);
        sl_vector_set_part(d->v, i, k, phi);
    }
}

static LLVMValueRef by_variable(const struct division *d, LLVMValueRef i, uint32_t k)
{
    LLVMValueRef x = sl_vector_part(d->v, LLVMGetOperand(i, 0), k), one = one_divisor(d, i, k);
    return one ? divide_words_by_one(d, x, one)
               : divide_words(d, x, safe_divisor(d, sl_vector_part(d->v, LLVMGetOperand(i, 1), k)));
}

void sl_vector_emit_division(struct sl_vector *v, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef element = sl_vector_part_type(LLVMTypeOf(i), 0);
    uint32_t count = sl_vector_part_count(LLVMTypeOf(i));
    struct division d = {.v = v,
                         .type = sl_vector_wide_type(v, element),
                         .sign = op == LLVMSDiv || op == LLVMSRem,
                         .remainder = op == LLVMURem || op == LLVMSRem};
    if (!LLVMIsConstant(LLVMGetOperand(i, 1)) && LLVMGetIntTypeWidth(element) == 64) {
        emit_by_size(&d, i, count);
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef x = sl_vector_part(v, LLVMGetOperand(i, 0), k);
        LLVMValueRef y = sl_vector_part(v, LLVMGetOperand(i, 1), k), now;
        LLVMValueRef constant = LLVMIsConstant(y) ? long_constant(&d, y) : NULL;
        if (constant)
            now = by_constant(&d, x, constant);
        else if (LLVMIsConstant(y))
            now = LLVMBuildBinOp(builder(&d), op, x, y, "");
        else
            now = by_variable(&d, i, k);
        if (LLVMIsAInstruction(now) && sl_vector_is_division(now))
            sl_llvm_copy_flags(i, now);
        sl_vector_set_part(v, i, k, now);
    }
}
