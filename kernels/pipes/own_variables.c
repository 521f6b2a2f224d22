/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "pipes/own_variables.h"

#include <string.h>

#include "ir/map.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"

#define OWN "sl.own"

static unsigned own_kind(LLVMValueRef global)
{
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(global)), OWN,
                                    strlen(OWN));
}

/* An address in the same variable. */
static bool passes_on(LLVMValueRef user)
{
    if (LLVMIsAConstantExpr(user)) {
        const LLVMOpcode code = LLVMGetConstOpcode(user);
        return code == LLVMGetElementPtr || code == LLVMAddrSpaceCast || code == LLVMBitCast;
    }
    return LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user) ||
           LLVMIsABitCastInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
}

/* What is there is read or written, and nobody learns where it is. */
static bool is_access(LLVMValueRef user, LLVMValueRef address)
{
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 0) != address;
    if (LLVMIsAAtomicRMWInst(user))
        return LLVMGetOperand(user, 1) != address;
    return LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) ||
           (LLVMIsACallInst(user) && sl_llvm_is_intrinsic(user, SL_INTRINSIC_ANY));
}

/* All of its users are in one function, or there are none: NULL. False: not so, or somebody learns
 * its address. */
static bool has_one_function(LLVMValueRef place, LLVMValueRef *result)
{
    struct sl_list addresses = {0};
    struct sl_map seen = {0};
    LLVMValueRef function = NULL;
    bool only = true;
    sl_list_add(&addresses, place);
    for (size_t n = 0; n < addresses.count && only; n++) {
        LLVMValueRef address = addresses.items[n];
        for (LLVMUseRef use = LLVMGetFirstUse(address); use && only; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            const bool on = passes_on(user);
            only = on || is_access(user, address);
            if (LLVMIsAInstruction(user)) {
                LLVMValueRef in = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
                only &= !function || function == in;
                function = in;
            }
            if (on && !sl_map_get(&seen, user)) {
                sl_map_set(&seen, user, user);
                sl_list_add(&addresses, user);
            }
        }
    }
    sl_list_finish(&addresses);
    sl_map_finish(&seen);
    *result = function;
    return only;
}

/* All functions are here. */
static bool is_whole(const struct sl_pass *pass)
{
    bool whole = true;
    for (uint32_t k = 0; k < pass->kernel_count && whole; k++)
        whole = !pass->kernels[k].elsewhere;
    return whole;
}

static bool is_of_kernel(const struct sl_pass *pass, LLVMValueRef function)
{
    bool found = false;
    for (uint32_t k = 0; k < pass->kernel_count && !found; k++)
        found = pass->kernels[k].body == function;
    return found;
}

void sl_pipe_find_own_variables(struct sl_pass *pass)
{
    const bool whole = is_whole(pass);
    for (LLVMValueRef g = LLVMGetFirstGlobal(pass->module); g && whole; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef function;
        if (!LLVMIsDeclaration(g) && !LLVMIsThreadLocal(g) && has_one_function(g, &function) &&
            (!function || is_of_kernel(pass, function)))
            LLVMGlobalSetMetadata(g, own_kind(g), LLVMMDNodeInContext2(pass->context, NULL, 0));
    }
}

bool sl_pipe_is_own_variable(LLVMValueRef global)
{
    const unsigned kind = own_kind(global);
    size_t count;
    bool own = false;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &count);
    for (unsigned i = 0; i < count && !own; i++)
        own = LLVMValueMetadataEntriesGetKind(all, i) == kind;
    LLVMDisposeValueMetadataEntries(all);
    return own;
}
