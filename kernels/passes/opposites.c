/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabs(x * c) and fabs(x * -c), as erfc(x / sqrt(2)) and erfc(-x / sqrt(2)) come to: most functions
 * of our library begin with fabs. The second product is said to be the opposite of the first, so
 * that all that follows is computed once. Other products stay, since the sums that they are parts
 * of may be fused with them. Stateless.
 */
#include "passes/stages.h"

#include "ir/emit.h"
#include "llvm/intrinsics.h"

#define MOST_USERS 32 /* of x; where there are more, none is looked at */

static bool loses_sign(LLVMValueRef value)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)) &&
            sl_llvm_is_intrinsic(LLVMGetUser(u), SL_INTRINSIC_SIGN))
            return true;
    return false;
}

/* x of a product or quotient of x and a constant. */
static LLVMValueRef scaled(LLVMValueRef i)
{
    if (!LLVMIsABinaryOperator(i))
        return NULL;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return (op == LLVMFMul || op == LLVMFDiv) && LLVMIsAConstantFP(LLVMGetOperand(i, 1)) &&
                   !LLVMIsConstant(LLVMGetOperand(i, 0))
               ? LLVMGetOperand(i, 0)
               : NULL;
}

/* How exact a division has to be. */
static LLVMValueRef accuracy_of(LLVMValueRef i)
{
    return LLVMGetMetadata(i, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), "fpmath",
                                                       sizeof "fpmath" - 1));
}

static bool are_opposite(LLVMValueRef a, LLVMValueRef b)
{
    LLVMBool lost;
    double c = LLVMConstRealGetDouble(LLVMGetOperand(a, 1), &lost),
           d = LLVMConstRealGetDouble(LLVMGetOperand(b, 1), &lost);
    return LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && c == -d && c != 0 &&
           LLVMGetFastMathFlags(a) == LLVMGetFastMathFlags(b) && accuracy_of(a) == accuracy_of(b);
}

static bool has_few_users(LLVMValueRef x)
{
    unsigned users = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(x); u && users <= MOST_USERS; u = LLVMGetNextUse(u))
        users++;
    return users <= MOST_USERS;
}

/* NULL: none in the block. An earlier one would have replaced `i` already: users come in no order,
 * but all of them were looked at. */
static LLVMValueRef later_opposite(LLVMValueRef i, LLVMValueRef x)
{
    if (!has_few_users(x))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(x); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (user != i && LLVMIsAInstruction(user) && scaled(user) == x &&
            LLVMGetInstructionParent(user) == LLVMGetInstructionParent(i) &&
            are_opposite(i, user) && loses_sign(user))
            return user;
    }
    return NULL;
}

bool sl_name_opposites(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    bool any = false;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef x = scaled(i), other;
            x = x && loses_sign(i) ? x : NULL;
            while (x && (other = later_opposite(i, x))) {
                LLVMPositionBuilderBefore(e.builder, other);
                LLVMReplaceAllUsesWith(other, LLVMBuildFNeg(e.builder, i, ""));
                LLVMInstructionEraseFromParent(other);
                any = true;
            }
        }
    sl_emit_finish(&e);
    return any;
}
