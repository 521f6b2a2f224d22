/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A word whose parts are taken out one by one and put into a vector is that vector in memory, and
 * the other way round: `sycl::vec` of uchar4 and short2 is loaded and stored as an int, and each
 * part is shifted and masked, four or five operations where one would do. No shared state.
 */
#include "passes/stages.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

#define MOST_PARTS 8

struct parts {
    LLVMValueRef from;           /* the word; of a word made of parts, the vector */
    unsigned count, bits, width; /* bits: of a part; width: of an element of the vector */
    bool with_sign;
};

static bool is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

/* The constant at the right of this operation. */
static bool has_constant(LLVMValueRef v, LLVMOpcode op, uint64_t *constant)
{
    LLVMValueRef right = is_op(v, op) ? LLVMGetOperand(v, 1) : NULL;
    if (!right || !LLVMIsAConstantInt(right) || LLVMGetIntTypeWidth(LLVMTypeOf(right)) > 64)
        return false;
    *constant = LLVMConstIntGetZExtValue(right);
    return true;
}

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* ---- a vector of a word's parts -------------------------------------------------------------- */

/* The word whose part k this is, as an int as wide as the word. */
static LLVMValueRef word_of(LLVMValueRef v, unsigned k, const struct parts *p, bool *with_sign)
{
    uint64_t by, mask, up = 0;
    unsigned word_bits = p->width, at = k * p->bits;
    *with_sign = false;
    if (has_constant(v, LLVMAnd, &mask)) {
        LLVMValueRef in = LLVMGetOperand(v, 0);
        if (mask != ones(p->bits))
            return NULL;
        if (!at)
            return in;
        return has_constant(in, LLVMLShr, &by) && by == at ? LLVMGetOperand(in, 0) : NULL;
    }
    if (has_constant(v, LLVMLShr, &by))
        return by == at && at + p->bits == word_bits ? LLVMGetOperand(v, 0) : NULL;
    if (!has_constant(v, LLVMAShr, &by) || by != word_bits - p->bits)
        return NULL;
    *with_sign = true;
    LLVMValueRef in = LLVMGetOperand(v, 0);
    if (at + p->bits == word_bits)
        return in;
    return has_constant(in, LLVMShl, &up) && up == word_bits - p->bits - at ? LLVMGetOperand(in, 0)
                                                                            : NULL;
}

/* The last of the insertions that fill a vector with the parts of one word. */
static bool find_vector(LLVMValueRef last, struct parts *p)
{
    LLVMTypeRef type = LLVMTypeOf(last), element = LLVMGetElementType(type);
    p->count = LLVMGetVectorSize(type);
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || p->count < 2 || p->count > MOST_PARTS)
        return false;
    p->width = LLVMGetIntTypeWidth(element);
    p->bits = p->width / p->count;
    p->from = NULL;
    if (p->width > 64 || p->bits < 8 || p->bits * p->count != p->width)
        return false;
    LLVMValueRef v = last;
    for (unsigned k = p->count; k-- > 0; v = LLVMGetOperand(v, 0)) {
        bool with_sign;
        if (!is_op(v, LLVMInsertElement) || !LLVMIsAConstantInt(LLVMGetOperand(v, 2)) ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2)) != k)
            return false;
        LLVMValueRef word = word_of(LLVMGetOperand(v, 1), k, p, &with_sign);
        if (!word || (p->from && (word != p->from || with_sign != p->with_sign)))
            return false;
        p->from = word;
        p->with_sign = with_sign;
    }
    return true;
}

static LLVMTypeRef short_vector(const struct parts *p)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(p->from));
    return LLVMVectorType(LLVMIntTypeInContext(context, p->bits), p->count);
}

static void make_vector(LLVMBuilderRef b, LLVMValueRef last, const struct parts *p)
{
    LLVMPositionBuilderBefore(b, last);
    LLVMValueRef parts = LLVMBuildBitCast(b, p->from, short_vector(p), "");
    LLVMTypeRef type = LLVMTypeOf(last);
    LLVMReplaceAllUsesWith(last, p->with_sign ? LLVMBuildSExt(b, parts, type, "")
                                              : LLVMBuildZExt(b, parts, type, ""));
}

/* ---- a word of a vector's elements ----------------------------------------------------------- */

/* Takes the elements that are in `v` at their places; false: something else is. */
static bool take_parts(LLVMValueRef v, struct parts *p, unsigned *seen, unsigned depth)
{
    uint64_t mask = 0, by = 0;
    if (is_op(v, LLVMOr))
        return depth && take_parts(LLVMGetOperand(v, 0), p, seen, depth - 1) &&
               take_parts(LLVMGetOperand(v, 1), p, seen, depth - 1);
    bool masked = has_constant(v, LLVMAnd, &mask);
    v = masked ? LLVMGetOperand(v, 0) : v;
    bool shifted = has_constant(v, LLVMShl, &by);
    v = shifted ? LLVMGetOperand(v, 0) : v;
    if (!is_op(v, LLVMExtractElement) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    LLVMValueRef vector = LLVMGetOperand(v, 0);
    uint64_t k = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    p->count = LLVMGetVectorSize(LLVMTypeOf(vector));
    p->bits = p->width / p->count;
    if (p->count < 2 || p->count > MOST_PARTS || p->bits * p->count != p->width || p->bits < 8 ||
        k >= p->count || by != k * p->bits || (*seen & 1u << k) || (p->from && vector != p->from))
        return false;
    if (masked ? mask != ones(p->bits) << by : k + 1 != p->count)
        return false;
    p->from = vector;
    *seen |= 1u << k;
    return true;
}

static bool find_word(LLVMValueRef top, struct parts *p)
{
    unsigned seen = 0;
    LLVMTypeRef type = LLVMTypeOf(top);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return false;
    *p = (struct parts){.width = LLVMGetIntTypeWidth(type)};
    return take_parts(top, p, &seen, MOST_PARTS) && seen == ones(p->count);
}

static void make_word(LLVMBuilderRef b, LLVMValueRef top, const struct parts *p)
{
    LLVMPositionBuilderBefore(b, top);
    LLVMValueRef parts = LLVMBuildTrunc(b, p->from, short_vector(p), "");
    LLVMReplaceAllUsesWith(top, LLVMBuildBitCast(b, parts, LLVMTypeOf(top), ""));
}

bool sl_join_packed_parts(LLVMValueRef kernel)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(kernel)));
    struct parts p;
    bool any = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (is_op(i, LLVMInsertElement) && LLVMGetFirstUse(i) && find_vector(i, &p))
                any = (make_vector(b, i, &p), true);
            else if (is_op(i, LLVMOr) && LLVMGetFirstUse(i) && find_word(i, &p))
                any = (make_word(b, i, &p), true);
        }
    LLVMDisposeBuilder(b);
    return any;
}
