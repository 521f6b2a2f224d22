/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While address spaces still tell, marks what work-items may do in any order: plain loads and
 * stores of global, constant and local memory. Items do not depend on each other between barriers;
 * private memory is left out because the items of a group take turns in using it. The work-item
 * loops name the one access group of the module as parallel. No shared state.
 */
#include "passes/parallel_access.h"

#include "passes/passes_internal.h"

#include "llvm/pass_support.h"
#include "ir/space.h"
#include <string.h>

#define GROUP_HOLDER "sl.parallel"

LLVMValueRef sl_parallel_group(LLVMContextRef context, LLVMModuleRef module)
{
    if (!LLVMGetNamedMetadataNumOperands(module, GROUP_HOLDER)) {
        LLVMMetadataRef node = sl_llvm_distinct_node(context);
        LLVMAddNamedMetadataOperand(module, GROUP_HOLDER, LLVMMetadataAsValue(context, node));
    }
    LLVMValueRef group;
    LLVMGetNamedMetadataOperands(module, GROUP_HOLDER, &group);
    return group;
}

static unsigned kind_id(LLVMContextRef context, const char *name)
{
    return LLVMGetMDKindIDInContext(context, name, strlen(name));
}

void sl_mark_parallel(LLVMValueRef access, LLVMContextRef context, LLVMModuleRef module)
{
    LLVMSetMetadata(access, kind_id(context, "llvm.access.group"),
                    sl_parallel_group(context, module));
}

static void mark(struct sl_pass *pass, LLVMValueRef access)
{
    bool store = LLVMIsAStoreInst(access);
    LLVMValueRef pointer = sl_named_pointer(LLVMGetOperand(access, store));
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    if (LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic)
        return;
    if (sl_space_is_global(space) || space == SL_SPACE_CONSTANT || space == SL_SPACE_LOCAL)
        sl_mark_parallel(access, pass->context, pass->module);
    if (space == SL_SPACE_CONSTANT && !store)
        LLVMSetMetadata(
            access, kind_id(pass->context, "invariant.load"),
            LLVMMetadataAsValue(pass->context, LLVMMDNodeInContext2(pass->context, NULL, 0)));
}

int sl_pass_parallel_access(struct sl_pass *pass)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                    mark(pass, i);
    return 0;
}
