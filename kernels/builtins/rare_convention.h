/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How kernels call the precompiled builtins (tools/precompile.c, compiler/builtins/rare_code.h).
 * Versions for whole registers of lanes save what they use: no vectorised loop keeps its values in
 * memory because it might call one. Not those with smaller arguments, before whose calls LLVM
 * clears the upper halves of registers whatever is in them (vzeroupper), nor those of AVX-512,
 * whose registers no convention saves whole.
 */
#ifndef SL_BUILTINS_RARE_CONVENTION_H
#define SL_BUILTINS_RARE_CONVENTION_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

/* The convention of a function NAME.vLANES(values, mask), or any other, for a level of processors
 * (llvm/target.h). */
static inline unsigned sl_rare_convention(LLVMValueRef f, const char *level)
{
    unsigned whole = !strcmp(level, "avx2") ? 256 : !strcmp(level, "sse4.2") ? 128 : 0;
    size_t bytes;
    const char *name = LLVMGetValueName2(f, &bytes), *version = strstr(name, ".v");
    if (!whole || !strstr(name, "sl_rare_") || !version || LLVMCountParams(f) != 2)
        return LLVMCCallConv;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, 0));
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMCCallConv;
    bool is_double = LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMDoubleTypeKind;
    bool fills = LLVMGetVectorSize(type) * (is_double ? 64 : 32) >= whole;
    return fills ? LLVMPreserveAllCallConv : LLVMCCallConv;
}

#endif
