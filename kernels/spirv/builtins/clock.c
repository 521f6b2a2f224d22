/* SPDX-License-Identifier: Apache-2.0 */
/* The clock that kernels read: cl_khr_kernel_clock's functions. */
#include <stdio.h>

#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"
#include "spirv/grammar/numbers.h"

int sl_builtin_clock(const struct sl_builtin *op)
{
    static const char *const scopes[] = {
        [ScopeDevice] = "device", [ScopeWorkgroup] = "work_group", [ScopeSubgroup] = "sub_group"};
    struct sl_call call;
    char name[40];
    uint64_t scope;
    LLVMTypeRef type = sl_build_type(op->spirv, op->instruction);
    if (!type || sl_spirv_number(op->spirv, op->instruction->operands[0], &scope))
        return -1;
    if (scope >= sizeof scopes / sizeof *scopes || !scopes[scope])
        return sl_spirv_fail(op->spirv, op->instruction, "scope %u has no clock", (unsigned)scope);
    LLVMTypeRef element = sl_build_element(type);
    bool halves = sl_build_lanes(type) == 2;
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(element) != (halves ? 32u : 64u) || sl_build_lanes(type) > 2)
        return sl_spirv_fail(op->spirv, op->instruction, "no clock is read as this type");
    snprintf(name, sizeof name, "clock_read_%s%s", halves ? "hilo_" : "", scopes[scope]);
    sl_call_begin(&call, op->spirv, op->instruction, name);
    call.effect = SL_CALL_ALONE;
    call.is_unsigned = true;
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}
