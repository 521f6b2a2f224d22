/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the passes. No shared state. */
#include "passes/passes.h"

#include "groups/stages.h"
#include "passes/changed.h"
#include "passes/stages.h"
#include "passes/undefined.h"
#include "pipes/pipe.h"
#include "pipes/stages.h"
#include "vector/stages.h"

#include "ir/memory.h"
#include "items/work_item.h"
#include "llvm/llvm_extra.h"
#include "llvm/pass_support.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

static int divide(struct sl_pass *pass)
{
    return pass->divide ? pass->divide(pass) : 0;
}

static const struct {
    const char *name;
    sl_pass_fn run;
} stages[] = {
    {"kernel_facts", sl_pass_kernel_facts},
    {"denormals", sl_pass_denormals},
    {"matrix_sub_groups", sl_pass_matrix_sub_groups},
    {"work_item_inline", sl_pass_work_item_inline},
    {"safe_division", sl_pass_safe_division},
    {"compute_units", sl_pass_compute_units},
    {"pipe_declare", sl_pass_pipe_declare},
    {"pipe_reach", sl_pass_pipe_reach},
    {"pipe_connect", sl_pass_pipe_connect},
    {"pipe_bounds", sl_pass_pipe_bounds},
    {"deadlocks", sl_pass_deadlocks},
    {"pipe_resolve", sl_pass_pipe_resolve},
    {"spin_yield", sl_pass_spin_yield},
    {"sub_groups", sl_pass_sub_groups},
    {"work_item_lower", sl_pass_work_item_lower},
    {"generic_space", sl_pass_generic_space},
    {"local_memory", sl_pass_local_memory},
    {"printf_lower", sl_pass_printf_lower},
    {"enqueue_lower", sl_pass_enqueue_lower},
    {"trap_lower", sl_pass_trap_lower},
    {"local_atomics", sl_pass_local_atomics},
    {"parallel_access", sl_pass_parallel_access},
    {"flatten", sl_pass_flatten},
    {"argument_copy", sl_pass_argument_copy},
    {"whole_groups", sl_pass_whole_groups},
    {"divide", divide},
    {"simplify", sl_pass_simplify},
    {"memory_use", sl_pass_memory_use},
    {"memory_sums", sl_pass_memory_sums},
    {"work_estimate", sl_pass_work_estimate},
    {"stored_bytes", sl_pass_stored_bytes},
    {"atomic_sums", sl_pass_atomic_sums},
    {"steady_loads", sl_pass_steady_loads},
    {"vector_choice", sl_pass_vector_choice},
    {"lone_rounds", sl_pass_lone_rounds},
    {"drop_forms", sl_pass_drop_forms},
    {"fetch_ahead", sl_pass_fetch_ahead},
    {"loop_split", sl_pass_loop_split},
    {"branch_split", sl_pass_branch_split},
    {"compaction_split", sl_pass_compaction_split},
    {"pipe_loops", sl_pass_pipe_loops},
    {"work_group_regions", sl_pass_work_group_regions},
    {"lane_bounds", sl_pass_lane_bounds},
    {"early_blend", sl_pass_early_blend},
    {"second_ways", sl_pass_second_ways},
    {"plain_atomics", sl_pass_plain_atomics},
    {"pipe_tables", sl_pass_pipe_tables},
    {"pipe_expand", sl_pass_pipe_expand},
    {"stack_need", sl_pass_stack_need},
    {"join_forms", sl_pass_join_forms},
};

static int verify(struct sl_pass *pass, const char *stage)
{
    char *text = NULL;
    int rc = 0;
    if (LLVMVerifyModule(pass->module, LLVMReturnStatusAction, &text))
        rc = sl_pass_refuse(pass, "internal error: malformed code after %s: %s", stage, text);
    LLVMDisposeMessage(text);
    return rc;
}

/* For SL_PASS_CHECK. */
struct checks {
    struct sl_undefined undefined;
    struct sl_changed changed;
};

/* The functions that a stage has changed; the last one's outcome is verified whole. */
static int check_changed(struct sl_pass *pass, struct checks *checks, const char *stage)
{
    struct sl_list changed = {0};
    int rc = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && sl_changed_since(&checks->changed, f))
            sl_list_add(&changed, f);
    for (size_t i = 0; !rc && i < changed.count; i++)
        if (LLVMVerifyFunction(changed.items[i], LLVMReturnStatusAction))
            rc = verify(pass, stage);
    if (!rc)
        rc = sl_undefined_check(&checks->undefined, &changed, stage);
    sl_list_finish(&changed);
    return rc;
}

int sl_pass_flatten(struct sl_pass *pass)
{
    sl_llvm_flatten_address_spaces(pass->module);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        pass->kernels[k].kernel = LLVMGetNamedFunction(pass->module, pass->kernels[k].name);
    return 0;
}

static int run_stages(struct sl_pass *pass, struct checks *checks)
{
    size_t count = sizeof stages / sizeof *stages;
    for (size_t i = 0; i < count; i++) {
        if (stages[i].run(pass))
            return -1;
        if (i + 1 == count && verify(pass, stages[i].name))
            return -1;
        if (sl_pass_has(pass, SL_PASS_CHECK) && check_changed(pass, checks, stages[i].name))
            return -1;
        if (pass->dump)
            pass->dump(pass, stages[i].name);
    }
    return 0;
}

int sl_passes_run(struct sl_pass *pass)
{
    struct checks checks = {0};
#ifndef NDEBUG
    pass->flags |= SL_PASS_CHECK;
#endif
    if (sl_pass_has(pass, SL_PASS_CHECK))
        sl_undefined_begin(&checks.undefined, pass);
    int rc = run_stages(pass, &checks);
    sl_undefined_finish(&checks.undefined);
    sl_changed_finish(&checks.changed);
    return rc;
}

void sl_passes_free(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        for (uint32_t i = 0; i < pass->kernels[k].arg_count; i++) {
            free(pass->kernels[k].args[i].name);
            free((char *)pass->kernels[k].args[i].pipe.io);
        }
        free(pass->kernels[k].name);
        free(pass->kernels[k].source);
        free(pass->kernels[k].work_rule);
        free(pass->kernels[k].args);
    }
    free(pass->kernels);
    sl_pipe_design_free(pass->pipes);
    free(pass->error);
    free(pass->warnings);
    free(pass->remarks);
    pass->kernels = NULL;
    pass->pipes = NULL;
    pass->warnings = NULL;
    pass->remarks = NULL;
    pass->warning_bytes = pass->warning_room = pass->remark_bytes = pass->remark_room = 0;
    pass->error = NULL;
    pass->flags &= ~(uint32_t)SL_PASS_ERROR_HAS_PLACE;
    pass->kernel_count = 0;
}
