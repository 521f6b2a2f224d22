/* SPDX-License-Identifier: Apache-2.0 */
/* What follows for an instruction from its operands' shapes, one rule for each kind. No shared
 * state. */
#include "ir/affine/affine.h"

#include "ir/affine/affine_modulo.h"
#include "llvm/intrinsics.h"

#include <stdlib.h>

#define LARGEST (INT64_C(1) << 61)
#define LARGEST_STEP 65536 /* from item to item, for which a signed number does not wrap */

struct sl_shape sl_shape_uniform(void)
{
    return (struct sl_shape){.kind = SL_SHAPE_UNIFORM, .nsw = true, .nuw = true};
}

struct sl_shape sl_shape_varying(void)
{
    return (struct sl_shape){.kind = SL_SHAPE_VARYING};
}

struct sl_shape sl_shape_linear(int64_t stride, bool nsw, bool nuw)
{
    if (!stride)
        return sl_shape_uniform();
    if (stride > LARGEST || stride < -LARGEST)
        return sl_shape_varying();
    return (struct sl_shape){.kind = SL_SHAPE_LINEAR, .stride = stride, .nsw = nsw, .nuw = nuw};
}

struct sl_shape sl_shape_meet(struct sl_shape a, struct sl_shape b)
{
    if (a.kind == SL_SHAPE_NONE)
        return b;
    if (b.kind == SL_SHAPE_NONE)
        return a;
    if (a.kind != b.kind || a.stride != b.stride)
        return sl_shape_varying();
    a.nsw &= b.nsw;
    a.nuw &= b.nuw;
    a.low_half &= b.low_half;
    return a;
}

struct sl_shape sl_shape_as_is(struct sl_shape shape)
{
    if (shape.kind == SL_SHAPE_LINEAR) {
        shape.nuw = shape.low_half = false;
        shape.nsw &= llabs(shape.stride) <= LARGEST_STEP;
    }
    return shape;
}

/* ---- operands -------------------------------------------------------------------------------- */

static struct sl_shape operand(struct sl_affine *a, LLVMValueRef i, unsigned k)
{
    return sl_affine_shape(a, LLVMGetOperand(i, k));
}

struct sl_shape sl_affine_mixed(struct sl_affine *a, LLVMValueRef i)
{
    struct sl_shape all = sl_shape_uniform();
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        if (LLVMValueIsBasicBlock(LLVMGetOperand(i, k)))
            continue;
        struct sl_shape one = operand(a, i, k);
        if (one.kind == SL_SHAPE_NONE && !LLVMIsAUndefValue(LLVMGetOperand(i, k)))
            return one;
        if (one.kind > SL_SHAPE_UNIFORM)
            all = sl_shape_varying();
    }
    return all;
}

static bool is_constant(LLVMValueRef value, int64_t *is)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *is = LLVMConstIntGetSExtValue(value);
    return true;
}

static bool is_likely(const struct sl_affine *a)
{
    return a->exactness == SL_AFFINE_LIKELY;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static struct sl_shape sum(struct sl_affine *o, LLVMValueRef i, int sign, bool nsw, bool nuw)
{
    struct sl_shape a = operand(o, i, 0), b = operand(o, i, 1);
    if (a.kind == SL_SHAPE_NONE || b.kind == SL_SHAPE_NONE || a.kind == SL_SHAPE_VARYING ||
        b.kind == SL_SHAPE_VARYING || (a.kind == SL_SHAPE_UNIFORM && b.kind == SL_SHAPE_UNIFORM))
        return sl_affine_mixed(o, i);
    return sl_shape_linear(a.stride + sign * b.stride, nsw && a.nsw && b.nsw,
                           nuw && a.nuw && b.nuw);
}

static struct sl_shape scaled(struct sl_affine *o, LLVMValueRef i, bool shift)
{
    struct sl_shape a = operand(o, i, 0);
    int64_t factor;
    if (a.kind != SL_SHAPE_LINEAR || !is_constant(LLVMGetOperand(i, 1), &factor) ||
        (shift && (factor < 0 || factor > 62)))
        return sl_affine_mixed(o, i);
    factor = shift ? INT64_C(1) << factor : factor;
    if (llabs(factor) > INT32_MAX || llabs(a.stride) > INT32_MAX)
        return sl_shape_varying();
    return sl_shape_linear(a.stride * factor, a.nsw && LLVMGetNSW(i), a.nuw && LLVMGetNUW(i));
}

/* ~x is -1 - x. */
static struct sl_shape inverted(struct sl_affine *o, LLVMValueRef i)
{
    struct sl_shape a = operand(o, i, 0);
    int64_t ones;
    if (a.kind != SL_SHAPE_LINEAR || !is_constant(LLVMGetOperand(i, 1), &ones) || ones != -1)
        return sl_affine_mixed(o, i);
    return sl_shape_linear(-a.stride, a.nsw, false);
}

/* ashr (shl x, 32), k: the lower half as a signed number, times a power of two. */
static struct sl_shape narrowed(struct sl_affine *o, LLVMValueRef i)
{
    LLVMValueRef shl = LLVMGetOperand(i, 0);
    int64_t up, down;
    if (!LLVMIsAInstruction(shl) || LLVMGetInstructionOpcode(shl) != LLVMShl ||
        !is_constant(LLVMGetOperand(shl, 1), &up) || !is_constant(LLVMGetOperand(i, 1), &down) ||
        up != 32 || down < 1 || down > 32)
        return sl_affine_mixed(o, i);
    struct sl_shape a = operand(o, shl, 0);
    bool fine = a.low_half || is_likely(o);
    if (a.kind != SL_SHAPE_LINEAR || !fine || llabs(a.stride) > INT32_MAX)
        return sl_affine_mixed(o, i);
    return sl_shape_linear(a.stride * (INT64_C(1) << (32 - down)), true, true);
}

static struct sl_shape low_half(struct sl_affine *o, LLVMValueRef i)
{
    struct sl_shape a = operand(o, i, 0);
    int64_t bits;
    if (a.kind != SL_SHAPE_LINEAR || !(a.low_half || is_likely(o)) ||
        !is_constant(LLVMGetOperand(i, 1), &bits) || bits != 0xffffffff)
        return sl_affine_mixed(o, i);
    return sl_shape_linear(a.stride, true, true);
}

static struct sl_shape truncated(struct sl_affine *o, LLVMValueRef i)
{
    struct sl_shape a = operand(o, i, 0);
    if (a.kind != SL_SHAPE_LINEAR)
        return sl_affine_mixed(o, i);
    bool half = a.low_half && LLVMGetIntTypeWidth(LLVMTypeOf(i)) == 32;
    return sl_shape_linear(a.stride, half, half);
}

static struct sl_shape widened(struct sl_affine *o, LLVMValueRef i, bool sign)
{
    struct sl_shape a = operand(o, i, 0);
    if (a.kind != SL_SHAPE_LINEAR)
        return sl_affine_mixed(o, i);
    bool fine = is_likely(o) || (sign ? a.nsw : a.nuw || (a.nsw && LLVMGetNNeg(i)));
    return fine ? sl_shape_linear(a.stride, true, !sign || a.nuw) : sl_shape_varying();
}

/* ---- numbers that begin at a multiple of a power of two -------------------------------------- */

#define DEEPEST_MULTIPLE 8
#define LARGEST_MULTIPLE (UINT64_C(1) << 30)

static uint64_t lowest_bit(uint64_t x)
{
    return x && (x & -x) < LARGEST_MULTIPLE ? x & -x : LARGEST_MULTIPLE;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of what is the first item's number a multiple? A power of two. */
static uint64_t multiple_of(struct sl_affine *o, LLVMValueRef value, unsigned depth)
{
    int64_t number;
    uint64_t known = o->multiple(o, value);
    if (is_constant(value, &number))
        return lowest_bit((uint64_t)number);
    if (known || depth == DEEPEST_MULTIPLE || !LLVMIsAInstruction(value))
        return known ? known : 1;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return lesser(multiple_of(o, LLVMGetOperand(value, 0), depth + 1),
                      multiple_of(o, LLVMGetOperand(value, 1), depth + 1));
    case LLVMMul:
        return lesser(multiple_of(o, LLVMGetOperand(value, 0), depth + 1) *
                          multiple_of(o, LLVMGetOperand(value, 1), depth + 1),
                      LARGEST_MULTIPLE);
    case LLVMShl:
        if (!is_constant(LLVMGetOperand(value, 1), &number) || number < 0 || number > 30)
            return 1;
        return lesser(multiple_of(o, LLVMGetOperand(value, 0), depth + 1) << number,
                      LARGEST_MULTIPLE);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return multiple_of(o, LLVMGetOperand(value, 0), depth + 1);
    default:
        return 1;
    }
}

/* Items differ in what is below this power of two only; 0: nobody knows. */
static uint64_t room_of(struct sl_affine *o, LLVMValueRef value)
{
    struct sl_shape a = sl_affine_shape(o, value);
    uint64_t room = 1;
    if (o->exactness != SL_AFFINE_PROVEN || !o->multiple || a.kind != SL_SHAPE_LINEAR ||
        a.stride < 0)
        return 0;
    while (room <= sl_affine_span(o, a.stride) && room <= LARGEST_MULTIPLE)
        room *= 2;
    return multiple_of(o, value, 0) >= room ? room : 0;
}

/* A number that has no sign to tell from others, in as many bits as an id has. */
static bool is_natural(struct sl_affine *o, LLVMValueRef value)
{
    while (LLVMIsATruncInst(value) || LLVMIsASExtInst(value) || LLVMIsAZExtInst(value)) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 32)
            return false;
        value = LLVMGetOperand(value, 0);
    }
    return o->natural && o->natural(o, value);
}

static bool is_power(uint64_t number)
{
    return number && !(number & (number - 1));
}

uint64_t sl_affine_part(LLVMValueRef i)
{
    LLVMOpcode op = LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : LLVMRet;
    int64_t by;
    bool shift = op == LLVMLShr || op == LLVMAShr, mask = op == LLVMAnd;
    bool quotient = op == LLVMUDiv || op == LLVMSDiv, rest = op == LLVMURem || op == LLVMSRem;
    if ((!shift && !mask && !quotient && !rest) || !is_constant(LLVMGetOperand(i, 1), &by))
        return 0;
    const uint64_t number = (uint64_t)by & sl_affine_ones(LLVMTypeOf(i));
    if (shift)
        return number < 31 ? UINT64_C(1) << number : 0;
    if (mask)
        return is_power(number + 1) ? number + 1 : number & -number;
    return by > 0 && is_power(number) ? number : 0;
}

/* Is what no active item has below zero so in the first item as well, which may be inactive? Sums
 * and products of ids and what is the same for all: the first id is the least. What is taken away
 * may be more than the first item has: other operations go on below zero and are even steps
 * nevertheless, a shift is not. */
static bool is_least_of_all(struct sl_affine *o, LLVMValueRef value, unsigned depth)
{
    if (sl_affine_shape(o, value).kind == SL_SHAPE_UNIFORM)
        return true;
    if (depth == DEEPEST_MULTIPLE || sl_affine_shape(o, value).kind != SL_SHAPE_LINEAR ||
        !LLVMIsAInstruction(value))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMCall: /* an id */
        return !LLVMGetNumArgOperands(value);
    case LLVMAdd:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMAnd:
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMURem:
        return is_least_of_all(o, LLVMGetOperand(value, 0), depth + 1) &&
               is_least_of_all(o, LLVMGetOperand(value, 1), depth + 1);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return is_least_of_all(o, LLVMGetOperand(value, 0), depth + 1);
    default:
        return false;
    }
}

/* The same of numbers in steps of whole parts: the lower part is the same for all, and the upper
 * one goes in steps too. */
static bool goes_by_parts(struct sl_affine *o, LLVMValueRef i, struct sl_shape *shape)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    const struct sl_shape all = operand(o, i, 0);
    int64_t by;
    if (all.kind != SL_SHAPE_LINEAR || !is_constant(LLVMGetOperand(i, 1), &by))
        return false;
    const uint64_t steps = (uint64_t)all.stride & -(uint64_t)all.stride;
    if (op == LLVMAnd && !((uint64_t)by & sl_affine_ones(LLVMTypeOf(i)) & -steps)) {
        *shape = sl_shape_uniform();
        return true;
    }
    const uint64_t part = sl_affine_part(i);
    bool exact = is_likely(o) || (all.nuw && is_least_of_all(o, LLVMGetOperand(i, 0), 0));
    if ((op != LLVMLShr && op != LLVMUDiv) || !part || steps % part || !exact)
        return false;
    *shape = sl_shape_linear(all.stride / (int64_t)part, part > 1, true);
    return true;
}

/* x >> k, x / n, x % n, x & mask: what is above the room is the same for all. */
static bool is_parted(struct sl_affine *o, LLVMValueRef i, struct sl_shape *shape)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    int64_t by;
    if (!is_constant(LLVMGetOperand(i, 1), &by))
        return false;
    if (o->largest_part && sl_affine_part(i) > o->largest_part)
        return false;
    const uint64_t number = (uint64_t)by & sl_affine_ones(LLVMTypeOf(i));
    const uint64_t room = room_of(o, LLVMGetOperand(i, 0)), below = room - 1;
    if (!room)
        return goes_by_parts(o, i, shape);
    if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem) {
        bool sign = op == LLVMSDiv || op == LLVMSRem, rest = op == LLVMURem || op == LLVMSRem;
        if (sl_affine_part(i) < room || (sign && !is_natural(o, LLVMGetOperand(i, 0))))
            return false;
        int64_t stride = rest ? sl_affine_shape(o, LLVMGetOperand(i, 0)).stride : 0;
        *shape = sl_shape_linear(stride, true, true);
        return true;
    }
    *shape = sl_shape_uniform();
    if (op == LLVMAnd && (number & below) == below)
        *shape = sl_shape_linear(sl_affine_shape(o, LLVMGetOperand(i, 0)).stride, true, true);
    else if (op == LLVMAnd)
        return !(number & below);
    else
        return number < 31 && UINT64_C(1) << number >= room;
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* By how many bytes an index moves an address; false: nobody knows. */
static bool moves_by(struct sl_affine *o, LLVMValueRef index, LLVMTypeRef type, int64_t *by)
{
    struct sl_shape s = sl_affine_shape(o, index);
    bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64;
    if (s.kind == SL_SHAPE_VARYING || (narrow && !s.nsw && !is_likely(o)))
        return false;
    uint64_t size = LLVMABISizeOfType(o->data, type) * (o->element_stride ? o->element_stride : 1);
    *by = 0;
    if (!s.stride)
        return true;
    if (size > INT32_MAX || llabs(s.stride) > INT32_MAX)
        return false;
    *by = s.stride * (int64_t)size;
    return true;
}

static struct sl_shape moved(struct sl_affine *o, LLVMValueRef i)
{
    struct sl_shape all = operand(o, i, 0), plain = sl_affine_mixed(o, i);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    if (plain.kind != SL_SHAPE_VARYING || all.kind == SL_SHAPE_VARYING ||
        LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind)
        return plain;
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        int64_t by;
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        if (!moves_by(o, index, type, &by))
            return sl_shape_varying();
        all = sl_shape_linear(all.stride + by, false, false);
        if (all.kind == SL_SHAPE_VARYING)
            return all;
    }
    return all;
}

/* ---- choices --------------------------------------------------------------------------------- */

/* Of one of two: the one that moves at all. */
static struct sl_shape either(struct sl_shape a, struct sl_shape b)
{
    return a.kind == SL_SHAPE_UNIFORM ? b : a;
}

static struct sl_shape selected(struct sl_affine *o, LLVMValueRef i)
{
    if (is_likely(o))
        return either(operand(o, i, 1), operand(o, i, 2));
    struct sl_shape on = operand(o, i, 0);
    if (on.kind != SL_SHAPE_UNIFORM)
        return on.kind == SL_SHAPE_NONE ? on : sl_shape_varying();
    return sl_shape_as_is(sl_shape_meet(operand(o, i, 1), operand(o, i, 2)));
}

/* ---- places in an image of another size ------------------------------------------------------ */

/* `(int)(x * scale + offset)`: nobody knows how fast it goes, but for a cost about as fast as x. */
static struct sl_shape stretched(struct sl_affine *o, LLVMValueRef i)
{
    struct sl_shape a = operand(o, i, 0), b = operand(o, i, 1);
    if (!is_likely(o) || a.kind == SL_SHAPE_NONE || b.kind == SL_SHAPE_NONE ||
        a.kind == SL_SHAPE_VARYING || b.kind == SL_SHAPE_VARYING || (a.stride && b.stride))
        return sl_affine_mixed(o, i);
    return either(a, b);
}

static struct sl_shape stretched_and_moved(struct sl_affine *o, LLVMValueRef fma)
{
    struct sl_shape product = stretched(o, fma), by = operand(o, fma, 2);
    if (product.kind == SL_SHAPE_VARYING || by.kind == SL_SHAPE_VARYING)
        return sl_shape_varying();
    return sl_shape_linear(product.stride + by.stride, true, true);
}

static struct sl_shape rounded(struct sl_affine *o, LLVMValueRef i)
{
    return is_likely(o) ? operand(o, i, 0) : sl_affine_mixed(o, i);
}

static struct sl_shape called(struct sl_affine *o, LLVMValueRef call)
{
    if (!is_likely(o) || !sl_llvm_intrinsic(call))
        return sl_affine_mixed(o, call);
    if (sl_llvm_is_min_or_max(call))
        return either(operand(o, call, 0), operand(o, call, 1));
    if (sl_llvm_is_intrinsic(call, SL_INTRINSIC_FMA))
        return stretched_and_moved(o, call);
    return LLVMGetNumArgOperands(call) == 1 ? rounded(o, call) : sl_affine_mixed(o, call);
}

struct sl_shape sl_affine_by_operands(struct sl_affine *a, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    struct sl_shape parted;
    if (a->exactness == SL_AFFINE_GUARDED)
        return sl_affine_guarded_by_operands(a, i);
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
        return sum(a, i, op == LLVMSub ? -1 : 1, LLVMGetNSW(i), LLVMGetNUW(i));
    case LLVMOr:
        return is_likely(a) || LLVMGetIsDisjoint(i) ? sum(a, i, 1, true, true)
                                                    : sl_affine_mixed(a, i);
    case LLVMMul:
    case LLVMShl:
        return scaled(a, i, op == LLVMShl);
    case LLVMXor:
        return inverted(a, i);
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return is_parted(a, i, &parted) ? parted : sl_affine_mixed(a, i);
    case LLVMAShr:
        return is_parted(a, i, &parted) ? parted : narrowed(a, i);
    case LLVMAnd:
        return is_parted(a, i, &parted) ? parted : low_half(a, i);
    case LLVMTrunc:
        return truncated(a, i);
    case LLVMSExt:
    case LLVMZExt:
        return widened(a, i, op == LLVMSExt);
    case LLVMFreeze:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPToSI:
    case LLVMFPToUI:
        return rounded(a, i);
    case LLVMFMul:
    case LLVMFDiv:
        return stretched(a, i);
    case LLVMFAdd:
    case LLVMFSub:
        return is_likely(a) ? sum(a, i, op == LLVMFSub ? -1 : 1, true, true)
                            : sl_affine_mixed(a, i);
    case LLVMGetElementPtr:
        return moved(a, i);
    case LLVMSelect:
        return selected(a, i);
    case LLVMCall:
        return called(a, i);
    default:
        return sl_affine_mixed(a, i);
    }
}
