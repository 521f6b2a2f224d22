/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Powers whose exponent the program fixes to a small whole number, or to a half more than one, are
 * products and roots: pow(x, 2.0f), pown(x, 3), powr(x, 1.5f). Exact where the functions' edge
 * cases are, within 8 ulp elsewhere (16 are allowed). Done before builtins are linked, while they
 * are calls. All code of a program is made behind this. No shared state.
 */
#include "compiler/builtins/builtin_name.h"
#include "compiler/builtins/library.h"

#include <math.h>
#include <string.h>

#define MOST_HALVES 16 /* of the exponent's magnitude */

enum function { NO_POWER, POW, POWN, POWR };

static enum function which(LLVMValueRef f)
{
    struct sl_builtin_name name;
    if (!LLVMIsDeclaration(f) || !sl_builtin_name_split(LLVMGetValueName(f), &name))
        return NO_POWER;
    return sl_builtin_is_named(&name, "pow")    ? POW
           : sl_builtin_is_named(&name, "pown") ? POWN
           : sl_builtin_is_named(&name, "powr") ? POWR
                                                : NO_POWER;
}

/* The constant that all elements are; NULL: there is none. */
static LLVMValueRef splat_of(LLVMValueRef value)
{
    if (!LLVMIsAConstant(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind)
        return value;
    LLVMValueRef first = LLVMGetAggregateElement(value, 0);
    for (unsigned k = 1; k < LLVMGetVectorSize(LLVMTypeOf(value)); k++)
        if (LLVMGetAggregateElement(value, k) != first)
            return NULL;
    return first;
}

/* Twice the exponent; false: it is none of these. */
static bool read_halves(LLVMValueRef exponent, int *halves)
{
    LLVMValueRef one = splat_of(exponent);
    LLVMBool loses;
    double value;
    if (one && LLVMIsAConstantInt(one))
        value = (double)LLVMConstIntGetSExtValue(one);
    else if (one && LLVMIsAConstantFP(one))
        value = LLVMConstRealGetDouble(one, &loses);
    else
        return false;
    if (!(fabs(value) * 2 <= MOST_HALVES) || value * 2 != trunc(value * 2))
        return false;
    *halves = (int)(value * 2);
    return true;
}

static bool has_limits(LLVMTypeRef type)
{
    LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

struct maker {
    LLVMBuilderRef builder;
    LLVMTypeRef type;
    LLVMFastMathFlags flags;
};

static LLVMValueRef number(const struct maker *m, double value)
{
    LLVMValueRef all[16];
    if (LLVMGetTypeKind(m->type) != LLVMVectorTypeKind)
        return LLVMConstReal(m->type, value);
    unsigned count = LLVMGetVectorSize(m->type);
    for (unsigned k = 0; k < count; k++)
        all[k] = LLVMConstReal(LLVMGetElementType(m->type), value);
    return LLVMConstVector(all, count);
}

static LLVMValueRef flagged(const struct maker *m, LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
        LLVMSetFastMathFlags(value, m->flags);
    return value;
}

static LLVMValueRef times(const struct maker *m, LLVMValueRef a, LLVMValueRef b)
{
    return a ? flagged(m, LLVMBuildFMul(m->builder, a, b, "")) : b;
}

static LLVMValueRef of_intrinsic(const struct maker *m, const char *name, LLVMValueRef x)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(m->builder)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = m->type;
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    return flagged(m, LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, &x, 1, ""));
}

static LLVMValueRef inverse(const struct maker *m, LLVMValueRef x)
{
    return flagged(m, LLVMBuildFDiv(m->builder, number(m, 1), x, ""));
}

/* x^(halves / 2); of an odd number of halves x has no sign. The inverse is taken first: powers
 * leave the range where theirs do not. Only a root does not, and its square's inverse may. */
static LLVMValueRef power(const struct maker *m, LLVMValueRef x, int halves)
{
    unsigned count = (unsigned)(halves < 0 ? -halves : halves);
    LLVMValueRef result = NULL;
    if (halves == -1)
        return inverse(m, of_intrinsic(m, "llvm.sqrt", x));
    if (halves < 0)
        x = inverse(m, x);
    if (count & 1)
        result = of_intrinsic(m, "llvm.sqrt", x);
    for (count >>= 1; count; count >>= 1) {
        if (count & 1)
            result = times(m, result, x);
        if (count > 1)
            x = times(m, x, x);
    }
    return result ? result : number(m, 1);
}

/* NaN where a negative x has no power: all of them for powr, those but infinity for pow. */
static LLVMValueRef refuse(const struct maker *m, enum function f, LLVMValueRef x,
                           LLVMValueRef value)
{
    LLVMValueRef no = LLVMBuildFCmp(m->builder, LLVMRealOLT, x, number(m, 0), "");
    if (f == POW) {
        LLVMValueRef ends =
            LLVMBuildFCmp(m->builder, LLVMRealUNE, x, number(m, -(double)INFINITY), "");
        no = LLVMBuildAnd(m->builder, no, ends, "");
    }
    return LLVMBuildSelect(m->builder, no, number(m, (double)NAN), value, "");
}

static void fold(LLVMBuilderRef builder, enum function f, LLVMValueRef call)
{
    int halves;
    LLVMValueRef x = LLVMGetArgOperand(call, 0), value;
    const struct maker m = {.builder = builder,
                            .type = LLVMTypeOf(call),
                            .flags = LLVMCanValueUseFastMathFlags(call) ? LLVMGetFastMathFlags(call)
                                                                        : LLVMFastMathNone};
    /* powr(x, 0) asks what x is; a constant's power folds later */
    if (!has_limits(m.type) || !read_halves(LLVMGetArgOperand(call, 1), &halves) ||
        (f == POWR && !halves) || LLVMIsAConstant(x))
        return;
    LLVMPositionBuilderBefore(builder, call);
    if (f == POWR || halves % 2)
        value = refuse(&m, f, x, power(&m, of_intrinsic(&m, "llvm.fabs", x), halves));
    else
        value = power(&m, x, halves);
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

void sl_library_fold_powers(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const enum function power_of = which(f);
        LLVMUseRef next;
        for (LLVMUseRef use = power_of ? LLVMGetFirstUse(f) : NULL; use; use = next) {
            LLVMValueRef call = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
                fold(builder, power_of, call);
        }
    }
    LLVMDisposeBuilder(builder);
}
