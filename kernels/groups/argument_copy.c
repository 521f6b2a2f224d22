/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structs passed by value stay in the argument block, which all work-items share: a kernel that
 * writes to one gets a copy per item. What is read of the others is the same at any time, which
 * loads say from here on. No shared state.
 */
#include "groups/stages.h"
#include "items/work_item.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"
#include <llvm-c/Target.h>
#include <string.h>

static bool passes_on(LLVMValueRef user)
{
    return LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) ||
           LLVMIsABitCastInst(user);
}

static bool only_reads(LLVMValueRef user, LLVMValueRef pointer)
{
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user))
        return true;
    return sl_llvm_is_intrinsic(user, SL_INTRINSIC_COPY | SL_INTRINSIC_COPY_INLINE) &&
           LLVMGetArgOperand(user, 0) != pointer;
}

static bool is_read_only(LLVMValueRef parameter)
{
    struct sl_map seen = {0};
    struct sl_list pointers = {0};
    bool result = true;
    sl_list_add(&pointers, parameter);
    for (size_t p = 0; p < pointers.count; p++)
        for (LLVMUseRef use = LLVMGetFirstUse(pointers.items[p]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!passes_on(user)) {
                result &= only_reads(user, pointers.items[p]);
            } else if (!sl_map_get(&seen, user)) {
                sl_map_set(&seen, user, user);
                sl_list_add(&pointers, user);
            }
        }
    sl_map_finish(&seen);
    sl_list_finish(&pointers);
    return result;
}

/* Where nothing but the parameter may be meant. */
static void mark_loads(const struct sl_emit *e, LLVMValueRef pointer)
{
    unsigned kind =
        LLVMGetMDKindIDInContext(e->context, "invariant.load", strlen("invariant.load"));
    LLVMValueRef none = LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, NULL, 0));
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            LLVMSetMetadata(user, kind, none);
        else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user))
            mark_loads(e, user);
    }
}

static void copy(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef parameter,
                 LLVMTypeRef type, uint32_t align)
{
    LLVMValueRef kernel = LLVMGetParamParent(parameter);
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(pass->module), type);
    LLVMValueRef own = sl_emit_entry_alloca(e, kernel, type, align, "copy");
    LLVMReplaceAllUsesWith(parameter, own);
    LLVMPositionBuilderBefore(e->builder, LLVMGetNextInstruction(own));
    LLVMBuildMemCpy(e->builder, own, align, parameter, align, sl_emit_i64(e, size));
}

int sl_pass_argument_copy(struct sl_pass *pass)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        for (uint32_t i = 0; i < pass->kernels[k].arg_count; i++) {
            LLVMValueRef kernel = pass->kernels[k].kernel, parameter = LLVMGetParam(kernel, i);
            LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(kernel, i + 1, byval);
            if (attribute && is_read_only(parameter))
                mark_loads(&e, parameter);
            else if (attribute)
                copy(pass, &e, parameter, LLVMGetTypeAttributeValue(attribute),
                     pass->kernels[k].args[i].align);
        }
    sl_emit_finish(&e);
    return 0;
}
