/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generic pointers that are asked where they point: to_global and the like, get_fence. All memory
 * is the host's, so the answer is in the address. Local memory is the block that sl_group names;
 * private memory lies in the thread's context or on its stack, between the frame of the work-group
 * function and where the stack ends at the moment; anything else is global. A piece of global
 * memory may lie on some stack too (CL_MEM_USE_HOST_PTR), but not in that part of this one.
 * What asks was inlined before, so only kernels do. No shared state.
 */
#include "passes/stages.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "ir/space.h"
#include "items/work_item.h"
#include <string.h>

enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 };

enum question { TO_GLOBAL, TO_LOCAL, TO_PRIVATE, FENCE };

static const struct row {
    const char *name;
    enum question question;
} rows[] = {
    {"__to_global", TO_GLOBAL},     {"__to_local", TO_LOCAL},        {"__to_private", TO_PRIVATE},
    {"_Z9get_fencePU3AS4v", FENCE}, {"_Z9get_fencePU3AS4Kv", FENCE},
};

static const struct row *lookup(const char *name)
{
    return sl_find_row(rows, sizeof rows / sizeof *rows, sizeof *rows, name);
}

bool sl_asks_for_space(const char *callee)
{
    return lookup(callee);
}

/* ---- in the kernel --------------------------------------------------------------------------- */

static LLVMValueRef is_between(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef address,
                               enum sl_wi low, enum sl_wi high)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef first = LLVMBuildPtrToInt(b, sl_wi_emit(e, pass->module, low, 0), e->i64, "");
    LLVMValueRef end = LLVMBuildPtrToInt(b, sl_wi_emit(e, pass->module, high, 0), e->i64, "");
    return LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, address, first, ""),
                         LLVMBuildSub(b, end, first, ""), "");
}

static LLVMValueRef is_private(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef address)
{
    return LLVMBuildOr(e->builder, is_between(pass, e, address, SL_WI_STACK_LOW, SL_WI_STACK_HIGH),
                       is_between(pass, e, address, SL_WI_CONTEXT_BASE, SL_WI_CONTEXT_END), "");
}

static LLVMValueRef lower(struct sl_pass *pass, const struct sl_emit *e, enum question question,
                          LLVMValueRef call)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef pointer = LLVMGetArgOperand(call, 0);
    LLVMValueRef address = LLVMBuildPtrToInt(b, pointer, e->i64, "");
    LLVMValueRef local = is_between(pass, e, address, SL_WI_LOCAL_BASE, SL_WI_LOCAL_END),
                 is = local;
    if (question == FENCE) {
        LLVMValueRef other = LLVMBuildSelect(b, is_private(pass, e, address), sl_emit_i32(e, 0),
                                             sl_emit_i32(e, GLOBAL_FENCE), "");
        return LLVMBuildSelect(b, local, sl_emit_i32(e, LOCAL_FENCE), other, "");
    }
    if (question == TO_PRIVATE)
        is = is_private(pass, e, address);
    else if (question == TO_GLOBAL)
        is = LLVMBuildNot(b, LLVMBuildOr(b, local, is_private(pass, e, address), ""), "");
    LLVMTypeRef type = LLVMTypeOf(call);
    return LLVMBuildSelect(b, is, LLVMBuildAddrSpaceCast(b, pointer, type, ""), LLVMConstNull(type),
                           "");
}

static void lower_kernel(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef kernel)
{
    struct sl_list calls = {0};
    sl_find_calls(kernel, sl_asks_for_space, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        LLVMValueRef call = calls.items[i];
        LLVMPositionBuilderBefore(e->builder, call);
        LLVMReplaceAllUsesWith(call, lower(pass, e, lookup(sl_callee_name(call))->question, call));
        LLVMInstructionEraseFromParent(call);
    }
    sl_list_finish(&calls);
}

int sl_pass_generic_space(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        lower_kernel(pass, &e, pass->kernels[k].kernel);
    sl_emit_finish(&e);
    return 0;
}

LLVMValueRef sl_named_pointer(LLVMValueRef pointer)
{
    for (LLVMValueRef at = pointer;;) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != SL_SPACE_GENERIC)
            return at;
        if (!LLVMIsAAddrSpaceCastInst(at) && !LLVMIsAGetElementPtrInst(at))
            return pointer;
        at = LLVMGetOperand(at, 0);
    }
}
