/* SPDX-License-Identifier: Apache-2.0 */
/* Work-item functions become work-group functions, kernel by kernel. No shared state. */
#include "groups/group_function.h"
#include "groups/stages.h"

#include <string.h>

static void drop_placeholders(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        const char *name = LLVMGetValueName(f);
        if (strncmp(name, "sl.", 3) == 0 && LLVMIsDeclaration(f) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

int sl_pass_work_group_regions(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (!pass->kernels[k].elsewhere && sl_group_function_build(pass, &pass->kernels[k]))
            return -1;
    int rc = sl_pass_drop_forms(pass);
    drop_placeholders(pass->module);
    return rc;
}
