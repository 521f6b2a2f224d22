/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions of numbers. What a cast of C does is a cast of LLVM; saturation, rounding and what
 * may be out of range are the convert functions of OpenCL C, which never give poison.
 */
#include <stdio.h>

#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"
#include "spirv/grammar/numbers.h"

static bool is_real(LLVMTypeRef type)
{
    return LLVMGetTypeKind(sl_build_element(type)) != LLVMIntegerTypeKind;
}

static bool is_half(LLVMTypeRef type)
{
    return LLVMGetTypeKind(sl_build_element(type)) == LLVMHalfTypeKind;
}

/* The type's name in OpenCL C, without lanes. NULL: none. */
static const char *name_of(LLVMTypeRef type, bool is_unsigned)
{
    static const struct {
        char mangled, length;
        const char *name;
    } rows[] = {{'c', 1, "char"}, {'h', 1, "uchar"}, {'s', 1, "short"}, {'t', 1, "ushort"},
                {'i', 1, "int"},  {'j', 1, "uint"},  {'l', 1, "long"},  {'m', 1, "ulong"},
                {'D', 2, "half"}, {'f', 1, "float"}, {'d', 1, "double"}};
    struct sl_mangle_type described;
    if (!sl_call_describe(sl_build_element(type), is_unsigned, &described))
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].mangled == *described.base)
            return rows[i].name;
    return NULL;
}

static LLVMValueRef cast(const struct sl_builtin *op, LLVMValueRef value, LLVMTypeRef to)
{
    LLVMBuilderRef b = sl_spirv_builder(op->spirv);
    if (is_real(to))
        return is_real(LLVMTypeOf(value))     ? LLVMBuildFPCast(b, value, to, "")
               : op->flags & SL_FROM_UNSIGNED ? LLVMBuildUIToFP(b, value, to, "")
                                              : LLVMBuildSIToFP(b, value, to, "");
    if (is_real(LLVMTypeOf(value)))
        return op->flags & SL_TO_UNSIGNED ? LLVMBuildFPToUI(b, value, to, "")
                                          : LLVMBuildFPToSI(b, value, to, "");
    return LLVMBuildIntCast2(b, value, to, !(op->flags & SL_FROM_UNSIGNED), "");
}

/* NULL: the number may be out of range, which casts of constants alone tell. */
static LLVMValueRef cast_or_none(const struct sl_builtin *op, LLVMValueRef value, LLVMTypeRef to)
{
    bool may_exceed = is_real(LLVMTypeOf(value)) && !is_real(to);
    if (may_exceed && !LLVMIsConstant(value))
        return NULL;
    LLVMValueRef made = cast(op, value, to);
    return may_exceed && (!LLVMIsConstant(made) || LLVMIsPoison(made)) ? NULL : made;
}

/* convert_char4_sat_rte and the like */
static LLVMValueRef call(const struct sl_builtin *op, LLVMValueRef value, LLVMTypeRef to,
                         const char *saturation, const char *rounding)
{
    struct sl_call call;
    char name[48], lanes[8] = "";
    const char *target = name_of(to, op->flags & SL_TO_UNSIGNED);
    if (sl_build_lanes(to) > 1)
        snprintf(lanes, sizeof lanes, "%u", sl_call_lanes(sl_build_lanes(to)));
    snprintf(name, sizeof name, "convert_%s%s%s%s", target ? target : "?", lanes, saturation,
             rounding);
    sl_call_begin(&call, op->spirv, op->instruction, name);
    call.result = to;
    call.effect = SL_CALL_PURE;
    call.is_unsigned = op->flags & SL_TO_UNSIGNED;
    sl_call_add(&call, value, op->flags & SL_FROM_UNSIGNED);
    return sl_call_make(&call);
}

/* Of more lanes than vectors of OpenCL C have: those of a matrix, which are a power of two. */
static LLVMValueRef call_by_pieces(const struct sl_builtin *op, LLVMValueRef value, LLVMTypeRef to,
                                   const char *saturation, const char *rounding)
{
    const unsigned lanes = sl_build_lanes(to);
    LLVMTypeRef piece = LLVMVectorType(sl_build_element(to), SL_SPIRV_MOST_LANES);
    LLVMValueRef result = LLVMGetPoison(to);
    if (lanes <= SL_SPIRV_MOST_LANES)
        return call(op, value, to, saturation, rounding);
    for (unsigned k = 0; result && k < lanes; k += SL_SPIRV_MOST_LANES) {
        LLVMValueRef part = sl_build_slice(op->spirv, value, k, SL_SPIRV_MOST_LANES);
        part = call(op, part, piece, saturation, rounding);
        result = part ? sl_build_with_slice(op->spirv, result, part, k) : NULL;
    }
    return result;
}

/* The modes that the result is decorated with. */
static int read_modes(const struct sl_builtin *op, bool *saturates, const char **rounding)
{
    static const char *const suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    uint32_t mode;
    uint32_t result = op->instruction->result;
    *saturates = op->flags & SL_SATURATES ||
                 sl_spirv_decoration(op->spirv, result, DecorationSaturatedConversion, NULL);
    *rounding = "";
    if (!sl_spirv_decoration(op->spirv, result, DecorationFPRoundingMode, &mode))
        return 0;
    if (mode > FPRoundingModeRTN)
        return sl_spirv_fail(op->spirv, op->instruction, "rounding mode %u", (unsigned)mode);
    *rounding = suffixes[mode];
    return 0;
}

static bool fits(LLVMValueRef value, LLVMTypeRef to)
{
    struct sl_mangle_type type;
    LLVMTypeRef from = LLVMTypeOf(value);
    return sl_build_lanes(from) == sl_build_lanes(to) &&
           sl_call_describe(sl_build_element(from), false, &type) &&
           sl_call_describe(sl_build_element(to), false, &type);
}

int sl_builtin_convert(const struct sl_builtin *op)
{
    bool saturates;
    const char *rounding;
    LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMTypeRef to = sl_build_type(op->spirv, op->instruction);
    if (!value || !to || read_modes(op, &saturates, &rounding))
        return -1;
    if (!fits(value, to))
        return sl_spirv_fail(op->spirv, op->instruction, "no conversion between these types");
    bool narrows_to_half = is_half(to) && !is_half(LLVMTypeOf(value));
    bool as_in_c = !saturates && !*rounding && !narrows_to_half;
    LLVMValueRef made = as_in_c ? cast_or_none(op, value, to) : NULL;
    if (!made)
        made = call_by_pieces(op, value, to, saturates ? "_sat" : "", rounding);
    return sl_build_result(op->spirv, op->instruction, made);
}

/* ---- bfloat16, as integers ------------------------------------------------------------------- */

static int check_bfloat(const struct sl_builtin *op, LLVMTypeRef real, LLVMTypeRef bits)
{
    LLVMTypeRef element = sl_build_element(bits);
    if (LLVMGetTypeKind(sl_build_element(real)) == LLVMFloatTypeKind &&
        LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 16 &&
        sl_build_lanes(real) == sl_build_lanes(bits))
        return 0;
    return sl_spirv_fail(op->spirv, op->instruction, "not between float and 16-bit integers");
}

/* To the nearest, ties to even; what is no number stays none. */
int sl_builtin_to_bfloat(const struct sl_builtin *op)
{
    LLVMBuilderRef b = sl_spirv_builder(op->spirv);
    LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMTypeRef to = sl_build_type(op->spirv, op->instruction);
    if (!value || !to || check_bfloat(op, LLVMTypeOf(value), to))
        return -1;
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(op->spirv));
    LLVMTypeRef words = sl_build_as_many(word, to);
    LLVMValueRef bits = LLVMBuildBitCast(b, value, words, "");
    LLVMValueRef top = LLVMBuildLShr(b, bits, sl_build_integer(words, 16), "");
    LLVMValueRef odd = LLVMBuildAnd(b, top, sl_build_integer(words, 1), "");
    LLVMValueRef bias = LLVMBuildAdd(b, odd, sl_build_integer(words, 0x7fff), "");
    LLVMValueRef rounded =
        LLVMBuildLShr(b, LLVMBuildAdd(b, bits, bias, ""), sl_build_integer(words, 16), "");
    LLVMValueRef quiet = LLVMBuildOr(b, top, sl_build_integer(words, 0x40), "");
    LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    LLVMValueRef all = LLVMBuildSelect(b, is_nan, quiet, rounded, "");
    return sl_build_result(op->spirv, op->instruction, LLVMBuildTrunc(b, all, to, ""));
}

int sl_builtin_from_bfloat(const struct sl_builtin *op)
{
    LLVMBuilderRef b = sl_spirv_builder(op->spirv);
    LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMTypeRef to = sl_build_type(op->spirv, op->instruction);
    if (!value || !to || check_bfloat(op, to, LLVMTypeOf(value)))
        return -1;
    LLVMTypeRef words = sl_build_as_many(LLVMInt32TypeInContext(sl_spirv_context(op->spirv)), to);
    LLVMValueRef bits =
        LLVMBuildShl(b, LLVMBuildZExt(b, value, words, ""), sl_build_integer(words, 16), "");
    return sl_build_result(op->spirv, op->instruction, LLVMBuildBitCast(b, bits, to, ""));
}
