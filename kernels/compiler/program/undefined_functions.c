/* SPDX-License-Identifier: Apache-2.0 */
/* What must be refused by name before the work-group passes: functions that nobody defined. No
 * locks. */
#include <stdlib.h>
#include <string.h>

#include "compiler/program/call_walk.h"
#include "ir/map.h"
#include "items/work_item.h"
#include "passes/passes.h"
#include "pipes/stages.h"
#include "llvm/llvm_extra.h"

static char *readable(LLVMValueRef function)
{
    size_t bytes;
    return sl_readable_name(LLVMGetValueName2(function, &bytes));
}

static bool is_initializer(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_INITIALIZER_ATTRIBUTE,
                                         sizeof SL_INITIALIZER_ATTRIBUTE - 1);
}

/* The walk starts at kernels, so the bottom of its stack is one. */
static int report_undefined(struct sl_call_walk *walk, LLVMValueRef caller, LLVMValueRef callee)
{
    size_t bytes;
    if (sl_has_ready_code(callee) || sl_wi_is_builtin(LLVMGetValueName2(callee, &bytes)))
        return 0;
    LLVMValueRef kernel = walk->stack[0].function;
    char *name = readable(callee), *from = readable(caller), *root = readable(kernel);
    if (name && is_initializer(kernel))
        sl_stage_fail(walk->stages,
                      "undefined function '%s' called from an initializer at program scope", name);
    else if (name && from && root && caller == kernel)
        sl_stage_fail(walk->stages, "undefined function '%s' called from kernel '%s'", name, root);
    else if (name && from && root)
        sl_stage_fail(walk->stages,
                      "undefined function '%s' called from function '%s' of kernel '%s'", name,
                      from, root);
    free(name);
    free(from);
    free(root);
    walk->stages->incomplete = true; /* go on: all of them shall be named */
    return 0;
}

static int check_variables(struct sl_stages *stages)
{
    struct sl_map pipes = {0};
    int rc = 0;
    sl_pipe_find_declared(stages->module, &pipes);
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g)) {
        size_t bytes;
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) && !sl_map_get(&pipes, g))
            rc = sl_stage_fail(stages, "undefined variable '%s'", LLVMGetValueName2(g, &bytes));
    }
    sl_map_finish(&pipes);
    return rc;
}

int sl_stage_check_complete(struct sl_stages *stages)
{
    struct sl_call_walk walk = {.undefined = report_undefined, .is_root = sl_is_marked_kernel};
    int rc = sl_walk_calls(&walk, stages);
    if (check_variables(stages) || stages->incomplete)
        return -1;
    return rc;
}
