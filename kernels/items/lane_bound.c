/* SPDX-License-Identifier: Apache-2.0 */
/* The functions by their names. No shared state. */
#include "items/lane_bound.h"

#include "ir/calls.h"
#include <stdio.h>
#include <string.h>

#define PREFIX "sl.bound."

static const char *const names[][2] = {
    [SL_BOUND_LEAST] = {PREFIX "least.s.", PREFIX "least.u."},
    [SL_BOUND_MOST] = {PREFIX "most.s.", PREFIX "most.u."},
    [SL_BOUND_COMMON] = {PREFIX "common.s.", PREFIX "common.u."},
};

LLVMValueRef sl_lane_bound_function(LLVMModuleRef module, struct sl_lane_bound bound,
                                    LLVMTypeRef type)
{
    static const char *const attributes[] = {"nounwind",   "willreturn",   "nosync", "nofree",
                                             "nocallback", "speculatable", "memory"};
    char name[48];
    snprintf(name, sizeof name, "%s%u", names[bound.which][bound.is_unsigned],
             LLVMGetIntTypeWidth(type));
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, LLVMFunctionType(type, &type, 1, false));
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, attributes[i], 0);
    return f;
}

static bool is_name(const char *name, struct sl_lane_bound *bound)
{
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0)
        return false;
    for (unsigned which = SL_BOUND_LEAST; which <= SL_BOUND_COMMON; which++)
        for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++)
            if (strncmp(name, names[which][is_unsigned], strlen(names[which][is_unsigned])) == 0) {
                *bound = (struct sl_lane_bound){(enum sl_round_bound)which, is_unsigned};
                return true;
            }
    return false;
}

bool sl_lane_bound(LLVMValueRef value, struct sl_lane_bound *bound)
{
    struct sl_lane_bound own;
    return is_name(sl_callee_name(value), bound ? bound : &own);
}

static LLVMValueRef of_one(LLVMValueRef call, const struct sl_lane_bound *bound)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    uint64_t least = bound->is_unsigned ? 0 : UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1);
    return bound->which == SL_BOUND_COMMON ? LLVMConstInt(type, least, false)
                                           : LLVMGetArgOperand(call, 0);
}

bool sl_lane_bounds_of_one(LLVMValueRef function)
{
    struct sl_lane_bound bound;
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!sl_lane_bound(i, &bound))
                continue;
            LLVMReplaceAllUsesWith(i, of_one(i, &bound));
            LLVMInstructionEraseFromParent(i);
            any = true;
        }
    return any;
}
