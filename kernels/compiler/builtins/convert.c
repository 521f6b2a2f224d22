/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of the convert_* builtins. Each is straight-line code on whole vectors, so the vectoriser
 * can widen it, and never touches the floating-point mode: directed rounding starts from the
 * nearest result and steps to the neighbour where that lies on the wrong side. Stateless.
 */
#include "compiler/builtins/convert.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum rounding { ROUND_DEFAULT, ROUND_NEAREST, ROUND_ZERO, ROUND_UP, ROUND_DOWN };

struct scalar {
    const char *name;
    char mangled[3];
    uint8_t bits, is_float, is_signed, digits; /* digits: of a float's significand */
};

static const struct scalar scalars[] = {
    {"char", "c", 8, 0, 1, 0},    {"uchar", "h", 8, 0, 0, 0},    {"short", "s", 16, 0, 1, 0},
    {"ushort", "t", 16, 0, 0, 0}, {"int", "i", 32, 0, 1, 0},     {"uint", "j", 32, 0, 0, 0},
    {"long", "l", 64, 0, 1, 0},   {"ulong", "m", 64, 0, 0, 0},   {"half", "Dh", 16, 1, 1, 11},
    {"float", "f", 32, 1, 1, 24}, {"double", "d", 64, 1, 1, 53},
};
enum { SCALARS = sizeof scalars / sizeof *scalars };

struct conversion {
    const struct scalar *from, *to;
    unsigned lanes;
    bool saturate;
    enum rounding rounding;
};

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_lanes(unsigned lanes)
{
    return lanes == 1 || lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

static bool skip(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length))
        return false;
    *at += length;
    return true;
}

static unsigned read_number(const char **at, unsigned none)
{
    if (!isdigit((unsigned char)**at))
        return none;
    char *end;
    unsigned long value = strtoul(*at, &end, 10);
    *at = end;
    return value > 1000 ? 1000 : (unsigned)value;
}

static bool read_target(const char **at, struct conversion *out)
{
    for (int i = 0; i < SCALARS && !out->to; i++)
        if (skip(at, scalars[i].name))
            out->to = &scalars[i];
    out->lanes = read_number(at, 1);
    return out->to && is_lanes(out->lanes);
}

static void read_mode(const char **at, struct conversion *out)
{
    out->saturate = skip(at, "_sat");
    if (skip(at, "_rte"))
        out->rounding = ROUND_NEAREST;
    else if (skip(at, "_rtz"))
        out->rounding = ROUND_ZERO;
    else if (skip(at, "_rtp"))
        out->rounding = ROUND_UP;
    else if (skip(at, "_rtn"))
        out->rounding = ROUND_DOWN;
}

static bool read_source(const char *at, struct conversion *out)
{
    unsigned lanes = 1;
    if (skip(&at, "Dv")) {
        lanes = read_number(&at, 0);
        if (!skip(&at, "_"))
            return false;
    }
    for (int i = 0; i < SCALARS; i++)
        if (!strcmp(at, scalars[i].mangled))
            out->from = &scalars[i];
    return out->from && lanes == out->lanes;
}

/* _Z <length> convert_<type><lanes>[_sat][_rounding] <source type> */
static bool parse(const char *name, struct conversion *out)
{
    const char *at = name;
    *out = (struct conversion){0};
    if (!skip(&at, "_Z"))
        return false;
    unsigned length = read_number(&at, 0);
    const char *start = at;
    if (!length || !skip(&at, "convert_") || !read_target(&at, out))
        return false;
    read_mode(&at, out);
    return (size_t)(at - start) == length && read_source(at, out);
}

bool sl_is_conversion(const char *name)
{
    struct conversion ignored;
    return parse(name, &ignored);
}

/* ---- small builders -------------------------------------------------------------------------- */

struct maker {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    const struct conversion *what;
};

static LLVMTypeRef widen(LLVMTypeRef scalar, unsigned lanes)
{
    return lanes == 1 ? scalar : LLVMVectorType(scalar, lanes);
}

static LLVMTypeRef int_type(const struct maker *m, unsigned bits)
{
    return widen(LLVMIntTypeInContext(m->context, bits), m->what->lanes);
}

static LLVMTypeRef type_of(const struct maker *m, const struct scalar *scalar)
{
    if (!scalar->is_float)
        return int_type(m, scalar->bits);
    LLVMTypeRef type = scalar->bits == 16   ? LLVMHalfTypeInContext(m->context)
                       : scalar->bits == 32 ? LLVMFloatTypeInContext(m->context)
                                            : LLVMDoubleTypeInContext(m->context);
    return widen(type, m->what->lanes);
}

static LLVMValueRef splat(const struct maker *m, LLVMValueRef value)
{
    LLVMValueRef values[16];
    for (unsigned i = 0; i < m->what->lanes; i++)
        values[i] = value;
    return m->what->lanes == 1 ? value : LLVMConstVector(values, m->what->lanes);
}

static LLVMValueRef int_const(const struct maker *m, unsigned bits, uint64_t value)
{
    return splat(m, LLVMConstInt(LLVMIntTypeInContext(m->context, bits), value, 0));
}

static LLVMValueRef call(const struct maker *m, const char *name, LLVMTypeRef *overloads,
                         size_t overload_count, LLVMValueRef *args, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->module, id, overloads, overload_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(m->context, id, overloads, overload_count);
    return LLVMBuildCall2(m->builder, type, f, args, count, "");
}

static LLVMValueRef call1(const struct maker *m, const char *name, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return call(m, name, &type, 1, &value, 1);
}

static LLVMValueRef call2(const struct maker *m, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return call(m, name, &type, 1, (LLVMValueRef[]){a, b}, 2);
}

static LLVMValueRef bits_of(const struct maker *m, LLVMValueRef value, unsigned bits)
{
    return LLVMBuildBitCast(m->builder, value, int_type(m, bits), "");
}

/* ---- integer to integer ---------------------------------------------------------------------- */

static LLVMValueRef clamp_int(const struct maker *m, LLVMValueRef value)
{
    const struct scalar *from = m->what->from;
    const struct scalar *to = m->what->to;
    unsigned room = (unsigned)to->bits - to->is_signed; /* value bits of the target */
    if (!from->is_signed) {
        if (from->bits <= room)
            return value;
        return call2(m, "llvm.umin", value,
                     int_const(m, from->bits, room == 64 ? UINT64_MAX : (UINT64_C(1) << room) - 1));
    }
    if (from->bits - 1u > room) {
        uint64_t top = (UINT64_C(1) << room) - 1;
        value = call2(m, "llvm.smin", value, int_const(m, from->bits, top));
        if (to->is_signed)
            value = call2(m, "llvm.smax", value, int_const(m, from->bits, ~top));
    }
    return to->is_signed ? value : call2(m, "llvm.smax", value, int_const(m, from->bits, 0));
}

static LLVMValueRef int_to_int(const struct maker *m, LLVMValueRef value)
{
    if (m->what->saturate)
        value = clamp_int(m, value);
    return LLVMBuildIntCast2(m->builder, value, type_of(m, m->what->to), m->what->from->is_signed,
                             "");
}

/* ---- integer to float ------------------------------------------------------------------------ */

/*
 * The magnitude cut to the significand's digits converts exactly; where digits were lost and the
 * direction leads away from zero, the next float is the next bit pattern.
 */
static LLVMValueRef int_to_float_directed(const struct maker *m, LLVMValueRef value)
{
    LLVMBuilderRef b = m->builder;
    const struct scalar *from = m->what->from;
    const struct scalar *to = m->what->to;
    LLVMValueRef zero = int_const(m, from->bits, 0);
    LLVMValueRef negative = from->is_signed
                                ? LLVMBuildICmp(b, LLVMIntSLT, value, zero, "")
                                : splat(m, LLVMConstInt(LLVMInt1TypeInContext(m->context), 0, 0));
    LLVMValueRef magnitude = LLVMBuildSelect(b, negative, LLVMBuildNeg(b, value, ""), value, "");
    LLVMTypeRef type = int_type(m, from->bits);
    LLVMValueRef poison_at_zero = LLVMConstInt(LLVMInt1TypeInContext(m->context), 0, 0);
    LLVMValueRef leading =
        call(m, "llvm.ctlz", &type, 1, (LLVMValueRef[]){magnitude, poison_at_zero}, 2);
    LLVMValueRef spare = int_const(m, from->bits, (uint64_t)from->bits - to->digits);
    LLVMValueRef lost = LLVMBuildSub(b, spare, call2(m, "llvm.umin", leading, spare), "");
    LLVMValueRef mask = LLVMBuildShl(b, int_const(m, from->bits, UINT64_MAX), lost, "");
    LLVMValueRef cut = LLVMBuildAnd(b, magnitude, mask, "");
    LLVMValueRef bits = bits_of(m, LLVMBuildUIToFP(b, cut, type_of(m, to), ""), to->bits);
    if (m->what->rounding != ROUND_ZERO) {
        LLVMValueRef away =
            m->what->rounding == ROUND_DOWN ? negative : LLVMBuildNot(b, negative, "");
        LLVMValueRef step =
            LLVMBuildAnd(b, away, LLVMBuildICmp(b, LLVMIntNE, cut, magnitude, ""), "");
        bits = LLVMBuildAdd(b, bits, LLVMBuildZExt(b, step, int_type(m, to->bits), ""), "");
    }
    LLVMValueRef sign = LLVMBuildShl(b, LLVMBuildZExt(b, negative, int_type(m, to->bits), ""),
                                     int_const(m, to->bits, to->bits - 1u), "");
    return LLVMBuildBitCast(b, LLVMBuildOr(b, bits, sign, ""), type_of(m, to), "");
}

static bool is_exact_int_to_float(const struct conversion *what)
{
    return what->from->bits - what->from->is_signed <= what->to->digits;
}

/* Integers may lie beyond half's range. */
static LLVMValueRef int_to_half(const struct maker *m, LLVMValueRef value);

static LLVMValueRef int_to_float(const struct maker *m, LLVMValueRef value)
{
    const struct conversion *what = m->what;
    if (what->to->bits == 16 && what->from->bits > 8)
        return int_to_half(m, value);
    bool directed = what->rounding != ROUND_DEFAULT && what->rounding != ROUND_NEAREST;
    if (directed && !is_exact_int_to_float(what))
        return int_to_float_directed(m, value);
    LLVMTypeRef type = type_of(m, what->to);
    return what->from->is_signed ? LLVMBuildSIToFP(m->builder, value, type, "")
                                 : LLVMBuildUIToFP(m->builder, value, type, "");
}

/* ---- float to float -------------------------------------------------------------------------- */

/* The neighbour of `bits` one step away from zero where `out` holds, towards zero where `in` holds.
 */
static LLVMValueRef step_bits(const struct maker *m, LLVMValueRef bits, LLVMValueRef out,
                              LLVMValueRef in)
{
    LLVMTypeRef type = LLVMTypeOf(bits);
    bits = LLVMBuildAdd(m->builder, bits, LLVMBuildZExt(m->builder, out, type, ""), "");
    return LLVMBuildSub(m->builder, bits, LLVMBuildZExt(m->builder, in, type, ""), "");
}

static LLVMValueRef narrow_directed(const struct maker *m, LLVMValueRef value, LLVMValueRef near)
{
    LLVMBuilderRef b = m->builder;
    const struct scalar *to = m->what->to;
    LLVMTypeRef wide = LLVMTypeOf(value);
    LLVMValueRef back = LLVMBuildFPExt(b, near, wide, "");
    LLVMValueRef bits = bits_of(m, near, to->bits);
    LLVMValueRef none = splat(m, LLVMConstInt(LLVMInt1TypeInContext(m->context), 0, 0));
    LLVMValueRef in;
    LLVMValueRef out = none;
    if (m->what->rounding == ROUND_ZERO) {
        in = LLVMBuildFCmp(b, LLVMRealOGT, call1(m, "llvm.fabs", back),
                           call1(m, "llvm.fabs", value), "");
    } else {
        bool up = m->what->rounding == ROUND_UP;
        LLVMValueRef wrong = LLVMBuildFCmp(b, up ? LLVMRealOLT : LLVMRealOGT, back, value, "");
        LLVMValueRef minus = LLVMBuildICmp(b, LLVMIntSLT, bits, int_const(m, to->bits, 0), "");
        LLVMValueRef plus = LLVMBuildNot(b, minus, "");
        out = LLVMBuildAnd(b, wrong, up ? plus : minus, "");
        in = LLVMBuildAnd(b, wrong, up ? minus : plus, "");
    }
    return LLVMBuildBitCast(b, step_bits(m, bits, out, in), LLVMTypeOf(near), "");
}

/*
 * A double as a float that rounds to the half that the double rounds to, in each direction: where
 * it is not exact its last bit is odd, which stands for what lies beyond. The processor has no
 * conversion from double to half.
 */
static LLVMValueRef double_to_odd_float(const struct maker *m, LLVMValueRef value)
{
    LLVMBuilderRef b = m->builder;
    LLVMTypeRef single = widen(LLVMFloatTypeInContext(m->context), m->what->lanes);
    LLVMValueRef near = LLVMBuildFPTrunc(b, value, single, "");
    LLVMValueRef back = LLVMBuildFPExt(b, near, LLVMTypeOf(value), "");
    LLVMValueRef bits = bits_of(m, near, 32);
    LLVMValueRef one = int_const(m, 32, 1);
    LLVMValueRef inexact = LLVMBuildFCmp(b, LLVMRealONE, back, value, "");
    LLVMValueRef even =
        LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, bits, one, ""), int_const(m, 32, 0), "");
    LLVMValueRef beyond = LLVMBuildFCmp(b, LLVMRealOGT, call1(m, "llvm.fabs", back),
                                        call1(m, "llvm.fabs", value), "");
    LLVMValueRef moves = LLVMBuildAnd(b, inexact, even, "");
    LLVMValueRef in = LLVMBuildAnd(b, moves, beyond, "");
    LLVMValueRef out = LLVMBuildAnd(b, moves, LLVMBuildNot(b, beyond, ""), "");
    return LLVMBuildBitCast(b, step_bits(m, bits, out, in), single, "");
}

static LLVMValueRef float_to_float(const struct maker *m, LLVMValueRef value)
{
    const struct scalar *from = m->what->from;
    const struct scalar *to = m->what->to;
    if (from->bits == to->bits)
        return value;
    if (from->bits < to->bits)
        return LLVMBuildFPExt(m->builder, value, type_of(m, to), "");
    if (from->bits == 64 && to->bits == 16)
        value = double_to_odd_float(m, value);
    LLVMValueRef near = LLVMBuildFPTrunc(m->builder, value, type_of(m, to), "");
    if (m->what->rounding == ROUND_DEFAULT || m->what->rounding == ROUND_NEAREST)
        return near;
    return narrow_directed(m, value, near);
}

/* Floats hold what matters of any integer here: beyond 2^24 every half is infinite or the largest.
 */
static LLVMValueRef int_to_half(const struct maker *m, LLVMValueRef value)
{
    static const struct scalar wide = {"float", "f", 32, 1, 1, 24};
    LLVMTypeRef type = type_of(m, &wide);
    value = m->what->from->is_signed ? LLVMBuildSIToFP(m->builder, value, type, "")
                                     : LLVMBuildUIToFP(m->builder, value, type, "");
    struct conversion narrowing = *m->what;
    narrowing.from = &wide;
    struct maker inner = *m;
    inner.what = &narrowing;
    return float_to_float(&inner, value);
}

/* ---- float to integer ------------------------------------------------------------------------ */

static LLVMValueRef float_to_int(const struct maker *m, LLVMValueRef value)
{
    static const char *const rounders[] = {
        [ROUND_NEAREST] = "llvm.roundeven", [ROUND_UP] = "llvm.ceil", [ROUND_DOWN] = "llvm.floor"};
    const char *rounder = rounders[m->what->rounding];
    if (rounder)
        value = call1(m, rounder, value);
    LLVMTypeRef type = type_of(m, m->what->to);
    bool is_signed = m->what->to->is_signed;
    if (m->what->saturate) {
        LLVMTypeRef types[2] = {type, LLVMTypeOf(value)};
        return call(m, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &value, 1);
    }
    /* Out of range is any value in OpenCL, but not the compiler's licence to drop code: freeze. */
    LLVMValueRef cast = is_signed ? LLVMBuildFPToSI(m->builder, value, type, "")
                                  : LLVMBuildFPToUI(m->builder, value, type, "");
    return LLVMBuildFreeze(m->builder, cast, "");
}

/* ---- the function ---------------------------------------------------------------------------- */

static LLVMValueRef convert(const struct maker *m, LLVMValueRef value)
{
    if (m->what->from->is_float)
        return m->what->to->is_float ? float_to_float(m, value) : float_to_int(m, value);
    return m->what->to->is_float ? int_to_float(m, value) : int_to_int(m, value);
}

static void add_attribute(LLVMContextRef context, LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMValueRef declared(const struct maker *m, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    LLVMTypeRef from = type_of(m, m->what->from);
    if (!f)
        f = LLVMAddFunction(m->module, name,
                            LLVMFunctionType(type_of(m, m->what->to), &from, 1, 0));
    return f;
}

bool sl_define_conversion(LLVMModuleRef module, const char *name)
{
    struct conversion what;
    if (!parse(name, &what))
        return false;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct maker m = {module, context, LLVMCreateBuilderInContext(context), &what};
    LLVMValueRef f = declared(&m, name);
    LLVMPositionBuilderAtEnd(m.builder, LLVMAppendBasicBlockInContext(context, f, ""));
    LLVMBuildRet(m.builder, convert(&m, LLVMGetParam(f, 0)));
    static const char *const attributes[] = {"alwaysinline", "nounwind",  "willreturn",  "nosync",
                                             "nofree",       "norecurse", "mustprogress"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        add_attribute(context, f, attributes[i]);
    LLVMDisposeBuilder(m.builder);
    return true;
}
