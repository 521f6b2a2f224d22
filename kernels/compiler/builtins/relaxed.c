/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of math functions of float that may be approximate (-cl-fast-relaxed-math,
 * -cl-unsafe-math-optimizations) go to the native forms, which keep the wider limits that the
 * standard has for these options. Part of the compiler's stages; no shared state.
 */
#include "compiler/builtins/builtin_name.h"
#include "compiler/builtins/library.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *native;
} rows[] = {
    {"cos", "native_cos"},   {"exp", "native_exp"},        {"exp10", "native_exp10"},
    {"exp2", "native_exp2"}, {"log", "native_log"},        {"log10", "native_log10"},
    {"log2", "native_log2"}, {"pow", "sl_fast_pow"},       {"powr", "native_powr"},
    {"sin", "native_sin"},   {"sincos", "sl_fast_sincos"}, {"tan", "native_tan"},
};

/* The first parameter decides; a function of double has no wider limits. */
static bool is_of_float(const char *parameters)
{
    if (*parameters == 'f')
        return true;
    return !strncmp(parameters, "Dv", 2) && isdigit((unsigned char)parameters[2]) &&
           parameters[2 + strspn(parameters + 2, "0123456789")] == '_' &&
           parameters[3 + strspn(parameters + 2, "0123456789")] == 'f';
}

/* The declaration of the native form of `f`; NULL: none. */
static LLVMValueRef native_form(const struct sl_library *lib, LLVMValueRef f)
{
    struct sl_builtin_name known_as;
    if (!sl_builtin_name_split(LLVMGetValueName(f), &known_as) || !is_of_float(known_as.parameters))
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char native[128];
        if (!sl_builtin_is_named(&known_as, rows[i].name))
            continue;
        int written = snprintf(native, sizeof native, "_Z%zu%s%s", strlen(rows[i].native),
                               rows[i].native, known_as.parameters);
        if (written >= (int)sizeof native || !sl_library_has(lib, native))
            return NULL;
        LLVMModuleRef module = LLVMGetGlobalParent(f);
        LLVMValueRef known = LLVMGetNamedFunction(module, native);
        return known ? known : LLVMAddFunction(module, native, LLVMGlobalGetValueType(f));
    }
    return NULL;
}

static bool may_be_approximate(LLVMValueRef call, LLVMValueRef callee)
{
    return LLVMIsACallInst(call) && LLVMGetCalledValue(call) == callee &&
           LLVMCanValueUseFastMathFlags(call) &&
           LLVMGetFastMathFlags(call) & LLVMFastMathApproxFunc;
}

static void relax(const struct sl_library *lib, LLVMValueRef f)
{
    LLVMValueRef native = NULL;
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!may_be_approximate(call, f))
            continue;
        if (!native && !(native = native_form(lib, f)))
            return;
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, native);
    }
}

void sl_library_relax(const struct sl_library *lib, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f))
            relax(lib, f);
}
