/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenCL's work-item, barrier and fence builtins become placeholders (work_item.h) and fences; the
 * rows below are the single list of them. Out-of-range dimensions answer as the specification says
 * (OpenCL C, 6.15.1). No shared state.
 */
#include "items/work_item.h"
#include "passes/stages.h"
#include "pipes/pipe.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "llvm/loops/counts/loop_marks.h"
#include <string.h>

enum kind { QUERY, GLOBAL_LINEAR, LOCAL_LINEAR, BARRIER, FENCE, SAMPLER };

static const struct builtin {
    const char *name;
    enum kind kind;
    enum sl_wi what;          /* QUERY */
    uint64_t beyond;          /* QUERY: the answer for dimensions that do not exist */
    LLVMAtomicOrdering order; /* FENCE */
} builtins[] = {
    {"_Z12get_work_dimv", QUERY, SL_WI_WORK_DIM, 0, 0},
    {"_Z15get_global_sizej", QUERY, SL_WI_GLOBAL_SIZE, 1, 0},
    {"_Z17get_global_offsetj", QUERY, SL_WI_GLOBAL_OFFSET, 0, 0},
    {"_Z13get_global_idj", QUERY, SL_WI_GLOBAL_ID, 0, 0},
    {"_Z14get_local_sizej", QUERY, SL_WI_LOCAL_SIZE, 1, 0},
    {"_Z23get_enqueued_local_sizej", QUERY, SL_WI_ENQUEUED_LOCAL_SIZE, 1, 0},
    {"_Z12get_local_idj", QUERY, SL_WI_LOCAL_ID, 0, 0},
    {"_Z14get_num_groupsj", QUERY, SL_WI_NUM_GROUPS, 1, 0},
    {"_Z12get_group_idj", QUERY, SL_WI_GROUP_ID, 0, 0},
    {"_Z20get_global_linear_idv", GLOBAL_LINEAR, 0, 0, 0},
    {"_Z19get_local_linear_idv", LOCAL_LINEAR, 0, 0, 0},
    {"_Z7barrierj", BARRIER, 0, 0, 0},
    {"_Z18work_group_barrierj", BARRIER, 0, 0, 0},
    {"_Z18work_group_barrierj12memory_scope", BARRIER, 0, 0, 0},
    {"_Z9mem_fencej", FENCE, 0, 0, LLVMAtomicOrderingAcquireRelease},
    {"_Z14read_mem_fencej", FENCE, 0, 0, LLVMAtomicOrderingAcquire},
    {"_Z15write_mem_fencej", FENCE, 0, 0, LLVMAtomicOrderingRelease},
    {"_Z22atomic_work_item_fencej12memory_order12memory_scope", FENCE, 0, 0,
     LLVMAtomicOrderingSequentiallyConsistent},
    {"__translate_sampler_initializer", SAMPLER, 0, 0, 0},
};

static const struct builtin *lookup(const char *name)
{
    return sl_find_row(builtins, sizeof builtins / sizeof *builtins, sizeof *builtins, name);
}

bool sl_wi_is_builtin(const char *mangled)
{
    return lookup(mangled) || strcmp(mangled, "printf") == 0 ||
           strcmp(mangled, SL_COMPUTE_ID) == 0 || sl_asks_for_space(mangled) ||
           sl_asks_for_sub_group(mangled) || sl_asks_for_children(mangled) ||
           strcmp(mangled, SL_GROUP_SCRATCH) == 0 || strcmp(mangled, SL_LOOP_MARK) == 0 ||
           sl_pipe_operation_find(mangled);
}

static LLVMValueRef lower_query(const struct sl_emit *e, LLVMModuleRef m, const struct builtin *row,
                                LLVMValueRef call)
{
    if (row->what == SL_WI_WORK_DIM)
        return sl_wi_emit(e, m, row->what, 0);
    LLVMValueRef dim = LLVMGetArgOperand(call, 0);
    LLVMValueRef beyond = sl_emit_i64(e, row->beyond);
    if (LLVMIsAConstantInt(dim)) {
        uint64_t d = LLVMConstIntGetZExtValue(dim);
        return d < 3 ? sl_wi_emit(e, m, row->what, d) : beyond;
    }
    LLVMValueRef result = beyond;
    for (unsigned d = 3; d-- > 0;) {
        LLVMValueRef same = LLVMBuildICmp(e->builder, LLVMIntEQ, dim, sl_emit_i32(e, d), "");
        result = LLVMBuildSelect(e->builder, same, sl_wi_emit(e, m, row->what, d), result, "");
    }
    return result;
}

/* Row-major index of the item; without the offset for global ids. */
static LLVMValueRef lower_linear(const struct sl_emit *e, LLVMModuleRef m, bool global)
{
    LLVMValueRef result = NULL;
    for (unsigned d = 3; d-- > 0;) {
        LLVMValueRef id = sl_wi_emit(e, m, global ? SL_WI_GLOBAL_ID : SL_WI_LOCAL_ID, d);
        if (global)
            id = LLVMBuildSub(e->builder, id, sl_wi_emit(e, m, SL_WI_GLOBAL_OFFSET, d), "");
        if (!result) {
            result = id;
            continue;
        }
        LLVMValueRef size = sl_wi_emit(e, m, global ? SL_WI_GLOBAL_SIZE : SL_WI_LOCAL_SIZE, d);
        result = sl_emit_add_exact(e, sl_emit_mul_exact(e, result, size, ""), id, "");
    }
    return result;
}

static LLVMValueRef lower(const struct sl_emit *e, LLVMModuleRef m, const struct builtin *row,
                          LLVMValueRef call)
{
    switch (row->kind) {
    case QUERY:
        return lower_query(e, m, row, call);
    case GLOBAL_LINEAR:
        return lower_linear(e, m, true);
    case LOCAL_LINEAR:
        return lower_linear(e, m, false);
    case BARRIER:
        sl_wi_emit_barrier(e, m);
        return NULL;
    case FENCE:
        LLVMBuildFence(e->builder, row->order, false, "");
        return NULL;
    case SAMPLER:
        return LLVMBuildZExt(e->builder, LLVMGetArgOperand(call, 0), e->i64, "");
    }
    return NULL;
}

static bool is_lowered_here(const char *callee)
{
    return lookup(callee);
}

static void lower_function(struct sl_pass *pass, const struct sl_emit *e, LLVMValueRef f)
{
    struct sl_list calls = {0};
    sl_find_calls(f, is_lowered_here, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        LLVMPositionBuilderBefore(e->builder, calls.items[i]);
        const struct builtin *row = lookup(sl_callee_name(calls.items[i]));
        LLVMValueRef value = lower(e, pass->module, row, calls.items[i]);
        if (value)
            LLVMReplaceAllUsesWith(calls.items[i], value);
        LLVMInstructionEraseFromParent(calls.items[i]);
    }
    sl_list_finish(&calls);
}

int sl_pass_work_item_lower(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        lower_function(pass, &e, f);
    sl_emit_finish(&e);
    return 0;
}
