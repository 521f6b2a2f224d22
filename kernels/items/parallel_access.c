/* SPDX-License-Identifier: Apache-2.0 */
/* The access group of what items may do in any order; see the header. No shared state. */
#include "items/parallel_access.h"

#include "llvm/pass_support.h"
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
