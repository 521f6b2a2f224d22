/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the passes, and what all of them use. No shared state. */
#include "passes/passes_internal.h"
#include "passes/pipe.h"

#include "compiler/shim/llvm_extra.h"
#include "compiler/shim/pass_support.h"
#include "passes/work_item.h"
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
    {"work_item_inline", sl_pass_work_item_inline},
    {"safe_division", sl_pass_safe_division},
    {"compute_units", sl_pass_compute_units},
    {"pipe_declare", sl_pass_pipe_declare},
    {"pipe_resolve", sl_pass_pipe_resolve},
    {"pipe_connect", sl_pass_pipe_connect},
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
    {"divide", divide},
    {"simplify", sl_pass_simplify},
    {"work_estimate", sl_pass_work_estimate},
    {"atomic_sums", sl_pass_atomic_sums},
    {"vector_choice", sl_pass_vector_choice},
    {"inner_cut", sl_pass_inner_cut},
    {"uniform_cut", sl_pass_uniform_cut},
    {"pack_cut", sl_pass_pack_cut},
    {"work_group_regions", sl_pass_work_group_regions},
    {"plain_atomics", sl_pass_plain_atomics},
    {"pipe_tables", sl_pass_pipe_tables},
    {"pipe_expand", sl_pass_pipe_expand},
    {"stack_need", sl_pass_stack_need},
};

static int check_run(struct sl_pass *pass, const char *pipeline, LLVMErrorRef error)
{
    if (!error)
        return 0;
    char *text = LLVMGetErrorMessage(error);
    sl_pass_refuse(pass, "%s: %s", pipeline, text);
    LLVMDisposeErrorMessage(text);
    return -1;
}

int sl_pass_run_llvm(struct sl_pass *pass, LLVMValueRef function, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, pipeline, pass->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return check_run(pass, pipeline, error);
}

int sl_pass_run_llvm_on_module(struct sl_pass *pass, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(pass->module, pipeline, pass->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return check_run(pass, pipeline, error);
}

bool sl_is_kernel(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, SL_KERNEL_ATTRIBUTE,
                                         strlen(SL_KERNEL_ATTRIBUTE));
}

static int verify(struct sl_pass *pass, const char *stage)
{
    char *text = NULL;
    int rc = 0;
    if (LLVMVerifyModule(pass->module, LLVMReturnStatusAction, &text))
        rc = sl_pass_refuse(pass, "internal error: malformed code after %s: %s", stage, text);
    LLVMDisposeMessage(text);
    return rc;
}

int sl_pass_flatten(struct sl_pass *pass)
{
    sl_llvm_flatten_address_spaces(pass->module);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        pass->kernels[k].kernel = LLVMGetNamedFunction(pass->module, pass->kernels[k].name);
    return 0;
}

/* Most kernels keep their ids in an int or uint. As a value of its own the low half is known to
 * count up without wrapping (item_loops.c), which LLVM's passes would hide in shifts and masks. */
static void name_low_halves(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            enum sl_wi what;
            unsigned dim;
            if (!LLVMIsATruncInst(i) || LLVMTypeOf(i) != e.i32 ||
                !sl_wi_parse(LLVMGetOperand(i, 0), &what, &dim) || dim ||
                (what != SL_WI_GLOBAL_ID && what != SL_WI_LOCAL_ID))
                continue;
            LLVMPositionBuilderBefore(e.builder, i);
            what = what == SL_WI_GLOBAL_ID ? SL_WI_GLOBAL_LOW : SL_WI_LOCAL_LOW;
            LLVMReplaceAllUsesWith(i, sl_wi_emit(&e, pass->module, what, 0));
            LLVMInstructionEraseFromParent(i);
        }
    sl_emit_finish(&e);
}

/* The int in `long << 32 >> by`, by at most 32: it was cut, and perhaps multiplied by a size. */
static LLVMValueRef find_cut_long(const struct sl_emit *e, LLVMValueRef i, uint64_t *by)
{
    LLVMValueRef up = LLVMIsABinaryOperator(i) ? LLVMGetOperand(i, 0) : NULL;
    if (!up || LLVMGetInstructionOpcode(i) != LLVMAShr || LLVMTypeOf(i) != e->i64 ||
        !LLVMIsABinaryOperator(up) || LLVMGetInstructionOpcode(up) != LLVMShl ||
        LLVMGetOperand(up, 1) != sl_emit_i64(e, 32) || !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return NULL;
    *by = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    return *by <= 32 ? LLVMGetOperand(up, 0) : NULL;
}

/* A long cut to an int, as in `int i = get_global_id(0) + width * get_global_id(1)`, is two shifts
 * to LLVM; as an int it is known to count up from item to item (guess.c). */
static void name_cut_longs(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    uint64_t by;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef now = find_cut_long(&e, i, &by), up = now ? LLVMGetOperand(i, 0) : NULL;
            if (!now)
                continue;
            LLVMPositionBuilderBefore(e.builder, i);
            now = LLVMBuildSExt(e.builder, LLVMBuildTrunc(e.builder, now, e.i32, ""), e.i64, "");
            if (by < 32)
                now = LLVMBuildShl(e.builder, now, sl_emit_i64(&e, 32 - by), "");
            LLVMReplaceAllUsesWith(i, now);
            LLVMInstructionEraseFromParent(i);
            if (!LLVMGetFirstUse(up))
                LLVMInstructionEraseFromParent(up);
        }
    sl_emit_finish(&e);
}

/* Ids, sizes and arguments are what they are; "freeze" would hide from barrier.h that they are
 * cheap to have again. */
static void drop_freezes(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef of = LLVMIsAFreezeInst(i) ? LLVMGetOperand(i, 0) : NULL;
            enum sl_wi what;
            unsigned dim;
            if (!of || (!LLVMIsAArgument(of) && !sl_wi_parse(of, &what, &dim)))
                continue;
            LLVMReplaceAllUsesWith(i, of);
            LLVMInstructionEraseFromParent(i);
        }
}

/* Private variables become values, so that few of them live across barriers, and code is small
 * before it is copied. */
int sl_pass_simplify(struct sl_pass *pass)
{
    const char *values = "sroa<modify-cfg>";
    const char *pipeline =
        "early-cse<memssa>,jump-threading,simplifycfg,"
        "instcombine<no-verify-fixpoint>,loop(loop-rotate,indvars,loop-unroll-full),"
        "sroa<modify-cfg>,early-cse,reassociate,instcombine<no-verify-fixpoint>,simplifycfg,dce";
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        LLVMValueRef kernel = pass->kernels[k].kernel;
        if (pass->kernels[k].elsewhere)
            continue;
        bool full = pass->optimize && !sl_is_too_large(kernel) &&
                    sl_pass_step(pass, "simplify", &pass->kernels[k]);
        if (sl_pass_run_llvm(pass, kernel, full ? values : "mem2reg"))
            return -1;
        if (!full)
            continue;
        name_low_halves(pass, kernel);
        if (sl_pass_run_llvm(pass, kernel, pipeline))
            return -1;
        name_cut_longs(pass, kernel);
        drop_freezes(kernel);
        if (sl_settle_switches(kernel))
            sl_llvm_remove_unreachable_blocks(kernel);
    }
    return 0;
}

int sl_passes_run(struct sl_pass *pass)
{
    size_t count = sizeof stages / sizeof *stages;
    for (size_t i = 0; i < count; i++) {
        if (stages[i].run(pass))
            return -1;
#ifdef NDEBUG
        bool check = i + 1 == count;
#else
        bool check = true;
#endif
        if (check && verify(pass, stages[i].name))
            return -1;
        if (pass->dump)
            pass->dump(pass, stages[i].name);
    }
    return 0;
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
    pass->error_has_place = false;
    pass->kernel_count = 0;
}
