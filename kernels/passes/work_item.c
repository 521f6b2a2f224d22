/* SPDX-License-Identifier: Apache-2.0 */
/* The placeholders of work_item.h. No shared state. */
#include "passes/work_item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BARRIER "sl.barrier"
#define PREFIX "sl.wi."

const char *sl_callee_name(LLVMValueRef call)
{
    if (!LLVMIsACallInst(call))
        return "";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
}

static LLVMTypeRef result_type(const struct sl_emit *e, enum sl_wi what)
{
    if (what == SL_WI_WORK_DIM)
        return e->i32;
    return what == SL_WI_LOCAL_BASE || what == SL_WI_LAUNCH ? e->ptr : e->i64;
}

static LLVMValueRef declare_pure(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    static const char *const pure[] = {"nounwind", "willreturn", "nosync",
                                       "nofree",   "nocallback", "speculatable"};
    LLVMValueRef f = LLVMAddFunction(module, name, type);
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, pure[i], 0);
    sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "memory", 0);
    return f;
}

LLVMValueRef sl_wi_emit(const struct sl_emit *e, LLVMModuleRef module, enum sl_wi what,
                        unsigned dim)
{
    char name[32];
    snprintf(name, sizeof name, PREFIX "%d.%u", (int)what, dim);
    LLVMTypeRef type = LLVMFunctionType(result_type(e, what), NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f)
        f = declare_pure(module, name, type);
    return LLVMBuildCall2(e->builder, type, f, NULL, 0, "");
}

bool sl_wi_parse(LLVMValueRef value, enum sl_wi *what, unsigned *dim)
{
    const char *name = sl_callee_name(value);
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return false;
    char *end;
    *what = (enum sl_wi)strtoul(name + strlen(PREFIX), &end, 10);
    *dim = strtoul(end + 1, NULL, 10);
    return true;
}

LLVMValueRef sl_wi_emit_barrier(const struct sl_emit *e, LLVMModuleRef module)
{
    LLVMTypeRef type = LLVMFunctionType(e->none, NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(module, BARRIER);
    if (!f) {
        f = LLVMAddFunction(module, BARRIER, type);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "convergent", 0);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "nounwind", 0);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "willreturn", 0);
    }
    return LLVMBuildCall2(e->builder, type, f, NULL, 0, "");
}

bool sl_wi_is_barrier(LLVMValueRef value)
{
    return strcmp(sl_callee_name(value), BARRIER) == 0;
}
