/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While address spaces still tell, marks what work-items may do in any order: plain loads and
 * stores of global, constant and local memory. Items do not depend on each other between barriers;
 * private memory is left out because the items of a group take turns in using it. The work-item
 * loops name the one access group of the module as parallel. No shared state.
 */
#include "passes/stages.h"

#include "ir/space.h"
#include "items/parallel_access.h"
#include <string.h>

static unsigned kind_id(LLVMContextRef context, const char *name)
{
    return LLVMGetMDKindIDInContext(context, name, strlen(name));
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
