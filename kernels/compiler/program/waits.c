/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Builtins are told by their names: they have no bodies yet. No locks. */
#include "compiler/program/waits.h"

#include <string.h>

#include "spirv/spirv.h"

static char yes, no;

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

static bool pointed_waits(struct sl_map *known, const struct sl_list *pointed, LLVMTypeRef type)
{
    for (size_t k = 0; k < pointed->count; k++)
        if (LLVMGlobalGetValueType(pointed->items[k]) == type &&
            sl_may_wait(known, pointed, pointed->items[k]))
            return true;
    return false;
}

static bool call_waits(struct sl_map *known, const struct sl_list *pointed, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (function)
        return sl_may_wait(known, pointed, function);
    return sl_is_call_of_pointer(call) &&
           pointed_waits(known, pointed, LLVMGetCalledFunctionType(call));
}

static bool body_waits(struct sl_map *known, const struct sl_list *pointed, LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && call_waits(known, pointed, i))
                return true;
    return false;
}

bool sl_may_wait(struct sl_map *known, const struct sl_list *pointed, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function))
        return waits_by_name(function);
    const char *answer = sl_map_get(known, function);
    if (answer)
        return answer == &yes;
    sl_map_set(known, function, &no); /* for a circle, which is refused later */
    bool waits = body_waits(known, pointed, function);
    sl_map_set(known, function, waits ? &yes : &no);
    return waits;
}
