/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Masks on machines without registers for them: a vector of bits that lives from one block to the
 * next would be packed into bytes and unpacked again. Here it becomes a vector of integers as wide
 * as what is compared, of which only the sign is asked for; a compare makes one for free, and a
 * blend, a masked access or a question for any lane takes one as it is. Runs behind LLVM's
 * optimiser, which would fold it back. No shared state.
 */
#include "vector/control_flow/mask_width.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "llvm/pass_support.h"

#include <stdbool.h>
#include <stdint.h>

#define MOST_LANES 64

struct widening {
    LLVMValueRef function;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    unsigned bits[MOST_LANES + 1]; /* by lanes: of an element of the wide mask; 0: not known */
    struct sl_map wide;            /* mask -> vector of integers */
    struct sl_list masks, pending; /* all masks of the function; phis that have no entries yet */
};

static unsigned lanes_of(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return 0;
    LLVMTypeRef element = LLVMGetElementType(type);
    bool bit = LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1;
    unsigned lanes = LLVMGetVectorSize(type);
    return bit && lanes > 1 && lanes <= MOST_LANES && !(lanes & (lanes - 1)) ? lanes : 0;
}

static LLVMTypeRef wide_type(const struct widening *w, LLVMValueRef mask)
{
    unsigned lanes = lanes_of(LLVMTypeOf(mask));
    return LLVMVectorType(LLVMIntTypeInContext(w->context, w->bits[lanes]), lanes);
}

/* ---- which masks ----------------------------------------------------------------------------- */

static bool is_compare(LLVMValueRef i)
{
    return LLVMIsAICmpInst(i) || LLVMIsAFCmpInst(i);
}

/* Has a wide form that is made of its operands' wide forms. */
static bool is_derived(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFreeze:
        return true;
    case LLVMSelect:
        return lanes_of(LLVMTypeOf(LLVMGetOperand(i, 0))) ||
               LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind;
    case LLVMShuffleVector:
        return LLVMTypeOf(i) == LLVMTypeOf(LLVMGetOperand(i, 0));
    default:
        return false;
    }
}

static bool is_used_elsewhere(LLVMValueRef i)
{
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(i))
            return true;
    }
    return false;
}

static unsigned element_bits(LLVMValueRef compare)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(compare, 0)));
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    case LLVMHalfTypeKind:
        return 16;
    default:
        return 64;
    }
}

static unsigned index_of(unsigned bits)
{
    return bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
}

/* Fills masks and bits; false if all masks stay in their blocks. */
static bool look(struct widening *w)
{
    unsigned votes[MOST_LANES + 1][4] = {{0}};
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            unsigned lanes = lanes_of(LLVMTypeOf(i));
            if (!lanes)
                continue;
            sl_list_add(&w->masks, i);
            any |= is_used_elsewhere(i);
            if (is_compare(i))
                votes[lanes][index_of(element_bits(i))]++;
        }
    for (unsigned lanes = 2; lanes <= MOST_LANES; lanes *= 2) {
        unsigned best = lanes <= 4 ? 3 : lanes <= 8 ? 2 : lanes <= 16 ? 1 : 0;
        for (unsigned k = 0; k < 4; k++)
            if (votes[lanes][k] > votes[lanes][best])
                best = k;
        w->bits[lanes] = 8u << best;
    }
    return any;
}

/* ---- wide forms ------------------------------------------------------------------------------ */

static LLVMValueRef wide_constant(struct widening *w, LLVMValueRef mask)
{
    LLVMTypeRef type = wide_type(w, mask);
    LLVMValueRef all[MOST_LANES];
    unsigned lanes = lanes_of(LLVMTypeOf(mask));
    for (unsigned l = 0; l < lanes; l++) {
        LLVMValueRef bit = LLVMGetAggregateElement(mask, l);
        all[l] = bit && LLVMIsAConstantInt(bit)
                     ? LLVMConstInt(LLVMGetElementType(type),
                                    LLVMConstIntGetZExtValue(bit) ? UINT64_MAX : 0, true)
                     : LLVMGetPoison(LLVMGetElementType(type));
    }
    return LLVMConstVector(all, lanes);
}

static bool is_all(LLVMValueRef mask, bool ones)
{
    LLVMTypeRef type = LLVMTypeOf(mask);
    return mask == (ones ? LLVMConstAllOnes(type) : LLVMConstNull(type));
}

static LLVMValueRef widen(struct widening *w, LLVMValueRef mask);

static LLVMValueRef wide_operand(struct widening *w, LLVMValueRef i, unsigned k)
{
    return widen(w, LLVMGetOperand(i, k));
}

/* The lanes that are not chosen may be poison. */
static LLVMValueRef frozen(struct widening *w, LLVMValueRef i, unsigned k)
{
    LLVMValueRef value = wide_operand(w, i, k);
    LLVMPositionBuilderBefore(w->builder, i);
    return LLVMBuildFreeze(w->builder, value, "");
}

static LLVMValueRef wide_select(struct widening *w, LLVMValueRef i)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef on = LLVMGetOperand(i, 0), yes, no;
    if (!lanes_of(LLVMTypeOf(on))) {
        yes = wide_operand(w, i, 1), no = wide_operand(w, i, 2);
        LLVMPositionBuilderBefore(b, i);
        return LLVMBuildSelect(b, on, yes, no, "");
    }
    on = widen(w, on);
    yes = frozen(w, i, 1), no = frozen(w, i, 2);
    LLVMPositionBuilderBefore(b, i);
    if (is_all(LLVMGetOperand(i, 2), false))
        return LLVMBuildAnd(b, on, yes, "");
    if (is_all(LLVMGetOperand(i, 1), true))
        return LLVMBuildOr(b, on, no, "");
    return LLVMBuildOr(b, LLVMBuildAnd(b, on, yes, ""),
                       LLVMBuildAnd(b, LLVMBuildNot(b, on, ""), no, ""), "");
}

static LLVMValueRef derive(struct widening *w, LLVMValueRef i)
{
    LLVMBuilderRef b = w->builder;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMPHI) {
        LLVMPositionBuilderBefore(b, i);
        sl_list_add(&w->pending, i);
        return LLVMBuildPhi(b, wide_type(w, i), "lanes");
    }
    if (op == LLVMSelect)
        return wide_select(w, i);
    if (op == LLVMFreeze)
        return frozen(w, i, 0);
    LLVMValueRef x = wide_operand(w, i, 0), y = wide_operand(w, i, 1);
    LLVMPositionBuilderBefore(b, i);
    if (op == LLVMShuffleVector) {
        LLVMValueRef numbers[MOST_LANES];
        LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
        for (unsigned l = 0; l < LLVMGetNumMaskElements(i); l++) {
            int from = LLVMGetMaskValue(i, l);
            numbers[l] = from < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, (unsigned)from, false);
        }
        LLVMValueRef order = LLVMConstVector(numbers, LLVMGetNumMaskElements(i));
        return LLVMBuildShuffleVector(b, x, y, order, "");
    }
    return LLVMBuildBinOp(b, op, x, y, "");
}

/* From the place on where the mask itself is known. */
static LLVMValueRef widen(struct widening *w, LLVMValueRef mask)
{
    LLVMValueRef now = sl_map_get(&w->wide, mask);
    if (now)
        return now;
    if (LLVMIsAConstant(mask))
        return wide_constant(w, mask);
    if (LLVMIsAInstruction(mask) && is_derived(mask)) {
        now = derive(w, mask);
    } else {
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->function);
        LLVMPositionBuilderBefore(w->builder, LLVMIsAInstruction(mask)
                                                  ? LLVMGetNextInstruction(mask)
                                                  : LLVMGetFirstInstruction(entry));
        now = LLVMBuildSExt(w->builder, mask, wide_type(w, mask), "");
    }
    sl_map_set(&w->wide, mask, now);
    return now;
}

static void fill_phis(struct widening *w)
{
    for (size_t p = 0; p < w->pending.count; p++) {
        LLVMValueRef phi = w->pending.items[p], now = sl_map_get(&w->wide, phi);
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            LLVMValueRef value = widen(w, LLVMGetIncomingValue(phi, k));
            LLVMAddIncoming(now, &value, &from, 1);
        }
    }
}

/* ---- who uses them --------------------------------------------------------------------------- */

static bool takes_wide(LLVMValueRef user)
{
    return lanes_of(LLVMTypeOf(user)) && is_derived(user);
}

/* A compare and what follows from it in one block are best left to the code generator. */
static void narrow_uses(struct widening *w, LLVMValueRef mask)
{
    for (LLVMUseRef u = LLVMGetFirstUse(mask), next; u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef user = LLVMGetUser(u);
        bool near = LLVMGetInstructionParent(user) == LLVMGetInstructionParent(mask);
        if (takes_wide(user) || (near && !is_derived(mask)))
            continue;
        LLVMValueRef now = widen(w, mask);
        LLVMPositionBuilderBefore(w->builder, user);
        LLVMValueRef bits =
            LLVMBuildICmp(w->builder, LLVMIntSLT, now, LLVMConstNull(LLVMTypeOf(now)), "");
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == mask)
                LLVMSetOperand(user, k, bits);
        next = LLVMGetFirstUse(mask);
    }
}

static void drop_narrow(struct widening *w)
{
    for (size_t m = 0; m < w->masks.count; m++)
        if (is_derived(w->masks.items[m]))
            LLVMReplaceAllUsesWith(w->masks.items[m], LLVMGetPoison(LLVMTypeOf(w->masks.items[m])));
    for (size_t m = 0; m < w->masks.count; m++)
        if (is_derived(w->masks.items[m]))
            LLVMInstructionEraseFromParent(w->masks.items[m]);
}

static void widen_function(struct widening *w)
{
    if (look(w)) {
        for (size_t m = 0; m < w->masks.count; m++)
            narrow_uses(w, w->masks.items[m]);
        fill_phis(w);
        drop_narrow(w);
    }
    sl_list_finish(&w->masks);
    sl_list_finish(&w->pending);
    sl_map_finish(&w->wide);
}

void sl_vector_widen_masks(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct widening w = {.function = f, .context = context, .builder = builder};
        if (!LLVMIsDeclaration(f))
            widen_function(&w);
    }
    LLVMDisposeBuilder(builder);
}
