/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Builtins are told by their names: they have no bodies yet. No locks. */
#include "compiler/program/waits.h"

#include <string.h>

#include "spirv/spirv.h"

bool sl_is_call_of_pointer(LLVMValueRef i)
{
    return LLVMIsACallInst(i) &&
           LLVMGetCallSiteStringAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          SL_FUNCTION_POINTER_ATTRIBUTE,
                                          sizeof SL_FUNCTION_POINTER_ATTRIBUTE - 1);
}

/* Barriers, and what all items of a group do together; get_group_id() and its kin are neither. */
static bool waits_by_name(LLVMValueRef builtin)
{
    size_t bytes;
    const char *name = LLVMGetValueName2(builtin, &bytes);
    return strstr(name, "barrier") || (strstr(name, "group") && !strstr(name, "get_"));
}

static bool reaches_wait(struct sl_map *seen, const struct sl_list *pointed, LLVMValueRef function);

static bool pointed_waits(struct sl_map *seen, const struct sl_list *pointed, LLVMTypeRef type)
{
    for (size_t k = 0; k < pointed->count; k++)
        if (LLVMGlobalGetValueType(pointed->items[k]) == type &&
            reaches_wait(seen, pointed, pointed->items[k]))
            return true;
    return false;
}

static bool call_waits(struct sl_map *seen, const struct sl_list *pointed, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (function)
        return reaches_wait(seen, pointed, function);
    return sl_is_call_of_pointer(call) &&
           pointed_waits(seen, pointed, LLVMGetCalledFunctionType(call));
}

/* What was seen is being looked at, or came to nothing but what is. */
static bool reaches_wait(struct sl_map *seen, const struct sl_list *pointed, LLVMValueRef function)
{
    static char mark;
    if (LLVMIsDeclaration(function))
        return waits_by_name(function);
    if (sl_map_get(seen, function))
        return false;
    sl_map_set(seen, function, &mark);
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && call_waits(seen, pointed, i))
                return true;
    return false;
}

bool sl_may_wait(const struct sl_list *pointed, LLVMValueRef function)
{
    struct sl_map seen = {0};
    bool waits = reaches_wait(&seen, pointed, function);
    sl_map_finish(&seen);
    return waits;
}
