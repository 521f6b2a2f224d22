/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words each of whose parts comes from another vector: what packs rows of bytes for products of
 * matrices, or planes of colours. Each part would be widened, shifted and put in, of which a
 * machine that orders bytes as it likes needs nothing: the parts lie side by side in one register,
 * which is put in order at once. Runs behind LLVM's optimiser. No shared state.
 */
#include "passes/passes.h"
#include "passes/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "vector/analysis/target.h"
#include <stdint.h>
#include <string.h>

enum { WORDS = 16, WORD_BITS = 32, MOST_PARTS = 4, MOST_LANES = 64 };

struct weave {
    unsigned bits;                  /* of a part */
    LLVMValueRef parts[MOST_PARTS]; /* WORDS of them each; by their places in the word */
};

static bool is_op(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static bool is_used_once(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use && !LLVMGetNextUse(use);
}

static bool is_vector_of(LLVMTypeRef type, unsigned bits)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) == WORDS &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == bits;
}

/* The number that all elements are; UINT64_MAX: they are not. */
static uint64_t same_number(LLVMValueRef v)
{
    LLVMValueRef one = LLVMIsConstant(v) ? LLVMGetAggregateElement(v, 0) : NULL;
    if (!one || !LLVMIsAConstantInt(one))
        return UINT64_MAX;
    for (unsigned k = 1; k < WORDS; k++)
        if (LLVMGetAggregateElement(v, k) != one)
            return UINT64_MAX;
    return LLVMConstIntGetZExtValue(one);
}

/* A part where it belongs: widened, then shifted. */
static bool add_part(struct weave *w, LLVMValueRef v)
{
    uint64_t by = 0;
    if (is_op(v, LLVMShl)) {
        by = same_number(LLVMGetOperand(v, 1));
        v = LLVMGetOperand(v, 0);
        if (!is_used_once(v))
            return false;
    }
    if (!is_op(v, LLVMZExt))
        return false;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    unsigned bits = is_vector_of(LLVMTypeOf(from), 8)    ? 8
                    : is_vector_of(LLVMTypeOf(from), 16) ? 16
                                                         : 0;
    if (!bits || (w->bits && w->bits != bits) || by >= WORD_BITS || by % bits ||
        w->parts[by / bits])
        return false;
    w->bits = bits;
    w->parts[by / bits] = from;
    return true;
}

static bool add_parts(struct weave *w, LLVMValueRef v)
{
    if (!is_op(v, LLVMOr))
        return add_part(w, v);
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef operand = LLVMGetOperand(v, k);
        if (!is_used_once(operand) || !add_parts(w, operand))
            return false;
    }
    return true;
}

static bool is_weave(LLVMValueRef v, struct weave *w)
{
    *w = (struct weave){0};
    if (!is_op(v, LLVMOr) || !is_vector_of(LLVMTypeOf(v), WORD_BITS) || !add_parts(w, v))
        return false;
    for (unsigned k = 0; k < WORD_BITS / w->bits; k++)
        if (!w->parts[k])
            return false;
    return true;
}

/* ---- the code -------------------------------------------------------------------------------- */

static LLVMValueRef behind_each_other(LLVMBuilderRef b, LLVMTypeRef word, LLVMValueRef one,
                                      LLVMValueRef other)
{
    LLVMValueRef order[MOST_LANES];
    const unsigned count = 2 * LLVMGetVectorSize(LLVMTypeOf(one));
    for (unsigned k = 0; k < count; k++)
        order[k] = LLVMConstInt(word, k, false);
    return LLVMBuildShuffleVector(b, one, other, LLVMConstVector(order, count), "");
}

static LLVMValueRef weave(const struct sl_pass *pass, LLVMBuilderRef b, const struct weave *w)
{
    const char *name =
        w->bits == 8 ? "llvm.x86.avx512.permvar.qi.512" : "llvm.x86.avx512.permvar.hi.512";
    const unsigned count = WORD_BITS / w->bits, lanes = count * WORDS;
    LLVMTypeRef word = LLVMInt32TypeInContext(pass->context);
    LLVMTypeRef element = LLVMIntTypeInContext(pass->context, w->bits);
    LLVMValueRef all = behind_each_other(b, word, w->parts[0], w->parts[1]), order[MOST_LANES];
    if (count == MOST_PARTS)
        all = behind_each_other(b, word, all, behind_each_other(b, word, w->parts[2], w->parts[3]));
    for (unsigned k = 0; k < lanes; k++)
        order[k] = LLVMConstInt(element, k % count * WORDS + k / count, false);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(
        pass->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
    LLVMValueRef arguments[] = {all, LLVMConstVector(order, lanes)};
    LLVMValueRef woven = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, arguments, 2, "");
    return LLVMBuildBitCast(b, woven, LLVMVectorType(word, WORDS), "");
}

/* What nobody uses any more goes with it. */
static void erase(LLVMValueRef v)
{
    LLVMValueRef operands[2];
    if (!LLVMIsAInstruction(v) || LLVMGetFirstUse(v) ||
        !(is_op(v, LLVMOr) || is_op(v, LLVMShl) || is_op(v, LLVMZExt)))
        return;
    const unsigned count = (unsigned)LLVMGetNumOperands(v);
    for (unsigned k = 0; k < count; k++)
        operands[k] = LLVMGetOperand(v, k);
    LLVMInstructionEraseFromParent(v);
    for (unsigned k = 0; k < count; k++)
        erase(operands[k]);
}

/* From the end of a block on: so the whole word comes before the parts of it that are words, too.
 */
static void weave_in(const struct sl_pass *pass, LLVMBuilderRef b, LLVMBasicBlockRef block)
{
    struct weave w;
    struct sl_list found = {0};
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i))
        if (is_weave(i, &w))
            sl_list_add(&found, i);
    for (size_t k = 0; k < found.count; k++) {
        LLVMValueRef v = found.items[k];
        if (!is_weave(v, &w))
            continue;
        LLVMPositionBuilderBefore(b, v);
        LLVMReplaceAllUsesWith(v, weave(pass, b, &w));
        erase(v);
    }
    sl_list_finish(&found);
}

void sl_weave_words(const struct sl_pass *pass)
{
    const struct sl_vector_target *target = sl_vector_target(pass);
    if (!target || !target->orders_bytes)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(pass->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            weave_in(pass, b, block);
    LLVMDisposeBuilder(b);
}
