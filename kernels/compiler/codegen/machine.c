/* SPDX-License-Identifier: Apache-2.0 */
/* From LLVM IR for spir64 to an object file for the machine. No locks. */
#include <stdlib.h>
#include <string.h>

#include "compiler/builtins/library.h"
#include "compiler/builtins/rare_code.h"
#include "compiler/builtins/ready_code.h"
#include "compiler/builtins/resources.h"
#include "compiler/codegen/on_demand.h"
#include "compiler/codegen/parts.h"
#include "compiler/codegen/pipelines.h"
#include "compiler/stage/stage.h"
#include "ir/compile_effort.h"
#include "items/group_frame.h"
#include "model/remarks.h"
#include "pipes/stages.h"
#include "vector/analysis/target.h"
#include "vector/control_flow/mask_width.h"
#include "vector/operations/image_copy.h"
#include "clang/emit.h"
#include "llvm/llvm_extra.h"
#include "llvm/loops/matrix/matrix_tiles.h"
#include "llvm/run_passes.h"
#include "llvm/target.h"
#include "llvm/wide_integers.h"

int sl_stage_lower_types(struct sl_stages *stages)
{
    sl_lower_target_types(stages->module);
    return 0;
}

int sl_stage_retarget(struct sl_stages *stages)
{
    LLVMCodeGenOptLevel level = stages->quick              ? LLVMCodeGenLevelNone
                                : stages->options.optimize ? LLVMCodeGenLevelDefault
                                                           : LLVMCodeGenLevelLess;
    if (sl_target_machine_take(&stages->target_machine, stages->cpu, stages->features, level))
        return sl_stage_fail(stages, "this compiler cannot make code for x86-64");
    stages->machine = stages->target_machine.llvm;
    sl_target_apply(stages->module, stages->machine, stages->cpu, stages->features);
    return 0;
}

int sl_stage_dead_ends(struct sl_stages *stages)
{
    sl_trap_dead_ends(stages->module);
    return 0;
}

int sl_stage_builtins(struct sl_stages *stages)
{
    const char *why;
    const struct sl_library *library = sl_resources_builtins(&why);
    if (!library)
        return sl_stage_fail(stages, "%s", why);
    char *error = NULL;
    const struct sl_pass pass = {.machine = stages->machine};
    const struct sl_vector_target *target =
        stages->options.optimize ? sl_vector_target(&pass) : NULL;
    struct sl_ready_code code;
    const bool ready = sl_ready_code_serves(stages) && sl_ready_code_find(stages, &code);
    const struct sl_library_machine machine = {
        .form = sl_library_form(stages->cpu, stages->features),
        .lanes = target ? target->register_bits / 32 : 0,
        .has_code = ready ? sl_ready_code_has : NULL,
        .code_data = &code,
    };
    sl_library_fold_powers(stages->module);
    sl_library_relax(library, stages->module);
    if (sl_library_pair(library, stages->module, stages->machine, &error) ||
        sl_library_link(library, stages->module, &machine, &error)) {
        sl_stage_fail(stages, "%s", error ? error : "builtins cannot be linked");
        free(error);
        return -1;
    }
    sl_target_apply(stages->module, stages->machine, stages->cpu, stages->features);
    return 0;
}

static void dump_pass(struct sl_pass *pass, const char *stage)
{
    sl_dump_module(pass->dump_data, stage);
}

/* Only then may the passes assume it for the functions that kernels share. */
static bool has_uniform_groups(const struct sl_stages *stages)
{
    for (unsigned i = 0; i < stages->kernel_text_count; i++)
        if (!sl_kernel_has_uniform_groups(stages, i))
            return false;
    return true;
}

/* Words nobody knows mean the default, as they do to Intel's emulator. */
static enum sl_pipe_depth_mode depth_mode(const struct sl_stages *stages)
{
    const char *word = stages->options.depth_mode;
    if (!word)
        word = sl_stage_setting(stages, "SLUICE_FPGA_DEPTH");
    enum sl_pipe_depth_mode mode = word ? sl_pipe_depth_mode_of(word) : SL_PIPE_DEPTH_STRICT;
    return mode == SL_PIPE_DEPTH_COUNT ? SL_PIPE_DEPTH_STRICT : mode;
}

static uint32_t pass_flags(const struct sl_stages *stages)
{
    const struct {
        bool is;
        enum sl_pass_flags flag;
    } all[] = {
        {stages->options.optimize, SL_PASS_OPTIMIZE},
        {stages->quick, SL_PASS_QUICK},
        {stages->always_quick, SL_PASS_ALWAYS_QUICK},
        {stages->usual_only, SL_PASS_USUAL_ONLY},
        {stages->deferred, SL_PASS_DIVIDED},
        {sl_rest_is_design(stages), SL_PASS_LENT_PIPES},
        {has_uniform_groups(stages), SL_PASS_UNIFORM_GROUPS},
        {sl_target_has_wide_units(), SL_PASS_WIDE_UNITS},
        {sl_target_gathers_fast(), SL_PASS_FAST_GATHERS},
        {stages->options.debug_info, SL_PASS_KEEP_LINES},
        {stages->wants_remarks, SL_PASS_WANTS_REMARKS},
        {sl_stage_setting(stages, "SLUICE_PASS_LIMIT"), SL_PASS_LIMITED},
        {sl_stage_is_set(stages, "SLUICE_CHECK_PASSES"), SL_PASS_CHECK},
    };
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        flags |= all[i].is ? (uint32_t)all[i].flag : 0;
    return flags;
}

int sl_stage_work_groups(struct sl_stages *stages)
{
    const char *limit = sl_stage_setting(stages, "SLUICE_PASS_LIMIT");
    stages->pass = (struct sl_pass){
        .context = stages->context,
        .module = stages->module,
        .machine = stages->machine,
        .flags = pass_flags(stages),
        .pipe_kind =
            sl_rest_is_design(stages) ? SL_PIPES_DATAFLOW : sl_compile_pipe_kind(stages->request),
        .pipe_depth_mode = depth_mode(stages),
        .pipe_depths = sl_stage_setting(stages, "SLUICE_FPGA_DEPTHS"),
        .step_limit = limit ? (uint32_t)strtoul(limit, NULL, 10) : 0,
        .divide = sl_parts_start,
        .divide_data = stages,
        .dump = stages->dump_folder ? dump_pass : NULL,
        .dump_data = stages,
    };
    int rc = sl_passes_run(&stages->pass);
    if (rc && sl_pass_has(&stages->pass, SL_PASS_NEEDS_ALL_FORMS))
        return -1; /* to start over */
    if (stages->pass.warnings && !stages->options.quiet)
        sl_text_addf(&stages->result->log, "%s", stages->pass.warnings);
    if (rc && sl_pass_has(&stages->pass, SL_PASS_ERROR_HAS_PLACE))
        return (sl_text_addf(&stages->result->log, "%s\n", stages->pass.error), -1);
    if (rc)
        return sl_stage_fail(stages, "%s", stages->pass.error ? stages->pass.error : "no memory");
    sl_library_drop_lanes(stages->module);
    sl_image_settle_copies(stages->module);
    return sl_parts_exchange(stages);
}

static bool is_exported(LLVMValueRef value)
{
    size_t bytes;
    return !strcmp(LLVMGetValueName2(value, &bytes), SL_MODULE_SYMBOL);
}

void sl_stage_make_internal(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            LLVMSetVisibility(f, LLVMDefaultVisibility);
        }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && !is_exported(g) && LLVMGetLinkage(g) != LLVMPrivateLinkage &&
            LLVMGetLinkage(g) != LLVMAppendingLinkage) {
            LLVMSetLinkage(g, LLVMInternalLinkage);
            LLVMSetVisibility(g, LLVMDefaultVisibility);
        }
}

#define LONG_BLOCK 8000 /* instructions; with 20 000 LLVM looks for alike ones for minutes */

static bool has_long_block(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        uint32_t count = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (++count > LONG_BLOCK)
                return true;
    }
    return false;
}

/* In vectors of items there is nothing to find for them, and looking takes a quarter of the time */
static bool is_in_vectors(const struct sl_pass *pass, LLVMValueRef f)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        const struct sl_kernel_facts *kernel = &pass->kernels[k];
        if (!kernel->loop_passes && (f == kernel->run || f == kernel->main_form ||
                                     f == kernel->other_form || f == kernel->body))
            return true;
    }
    return false;
}

/* The attribute is one for the code; it also keeps LLVM's optimiser from making vectors of scalars,
 * and is there while that runs. */
static void spare_scalars(struct sl_stages *stages, bool spare)
{
    static const char name[] = "noimplicitfloat";
    static const char mark[] = "sl-spared";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMContextRef context = LLVMGetModuleContext(stages->module);
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f)) {
        if (spare && (is_in_vectors(&stages->pass, f) || has_long_block(f))) {
            LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(context, kind, 0));
            LLVMAddAttributeAtIndex(
                f, at, LLVMCreateStringAttribute(context, mark, sizeof mark - 1, "", 0));
        } else if (!spare && LLVMGetStringAttributeAtIndex(f, at, mark, sizeof mark - 1)) {
            LLVMRemoveEnumAttributeAtIndex(f, at, kind);
            LLVMRemoveStringAttributeAtIndex(f, at, mark, sizeof mark - 1);
        }
    }
}

int sl_stage_run_llvm(struct sl_stages *stages, const char *pipeline)
{
    char *error = sl_llvm_run_on_module(stages->module, stages->machine, pipeline);
    if (!error)
        return 0;
    sl_stage_fail(stages, "%s", error);
    free(error);
    return -1;
}

/* What is known of b for all rows at once is computed once, outside of loops that leave b as it is.
 */
static int settle_matrix_products(struct sl_stages *stages)
{
    static const char again[] = "function(early-cse,loop-mssa(licm),early-cse)";
    const struct sl_vector_target *target = sl_vector_target(&stages->pass);
    if (!target || !target->tiles || !sl_llvm_has_matrix_products(stages->module))
        return 0;
    const struct sl_matrix_machine machine = {.register_bits = target->register_bits,
                                              .byte_products = target->byte_products,
                                              .bfloat_products = target->bfloat_products};
    stages->without_tiles = LLVMCloneModule(stages->module);
    sl_llvm_settle_matrix_products(stages->without_tiles, &machine, false);
    if (sl_llvm_settle_matrix_products(stages->module, &machine, true) != SL_MATRIX_TILES) {
        LLVMDisposeModule(stages->without_tiles);
        stages->without_tiles = NULL;
    }
    return sl_stage_run_llvm(stages, again);
}

int sl_stage_optimize(struct sl_stages *stages)
{
    /* Functions that passes made have no attributes yet. */
    sl_target_apply(stages->module, stages->machine, stages->cpu, stages->features);
    if (stages->part_count < 2) /* else it was done before they got names that others know */
        sl_stage_make_internal(stages->module);
    sl_rare_code_leave_out(stages);
    sl_spare_large_functions(stages->module);
    spare_scalars(stages, true);
    int rc = sl_stage_run_pipelines(stages);
    spare_scalars(stages, false);
    if (!rc) {
        const struct sl_vector_target *target = sl_vector_target(&stages->pass);
        if (stages->options.optimize && target && !target->mask_registers)
            sl_vector_widen_masks(stages->module);
        sl_library_drop_versions(stages->module);
        sl_ready_code_rename(stages);
        sl_trap_proven_dead_ends(&stages->pass);
        sl_divide_where_estimates_are_poor(&stages->pass);
        if (!stages->quick)
            sl_clear_unused_lanes(&stages->pass);
        sl_weave_words(&stages->pass);
        sl_stream_large_stores(&stages->pass);
        if (!stages->part)
            sl_pipe_define_tables(&stages->pass);
        sl_llvm_expand_wide_integers(stages->module);
        rc = settle_matrix_products(stages);
        sl_widen_spread_bytes(&stages->pass);
    }
    return rc;
}

static void take_object(void *data, const char *bytes, size_t count)
{
    struct sl_stages *stages = data;
    sl_text_add(&stages->object, bytes, count);
}

static int emit(struct sl_stages *stages)
{
    struct sl_model_remarks remarks;
    if (!stages->wants_remarks)
        return sl_emit_object(stages->machine, stages->module, false, take_object, stages);
    sl_model_remarks_begin(&remarks, &stages->pass, stages->module,
                           sl_stage_setting(stages, "SLUICE_MACHINE"));
    int rc = sl_emit_object(stages->machine, stages->module, true, take_object, stages);
    sl_model_remarks_end(&remarks);
    return rc;
}

int sl_stage_codegen(struct sl_stages *stages)
{
    size_t said = stages->result->log.bytes;
    int rc = emit(stages);
    if (!rc && stages->llvm_error && stages->without_tiles) { /* there were too few of them */
        stages->llvm_error = false;
        sl_text_truncate(&stages->result->log, said);
        sl_text_truncate(&stages->object, 0);
        LLVMDisposeModule(stages->module);
        stages->module = stages->without_tiles;
        stages->without_tiles = NULL;
        rc = emit(stages);
    }
    if (rc)
        return sl_stage_fail(stages, "this compiler cannot make object files");
    sl_dump_bytes(stages, "object", "o", stages->object.data, stages->object.bytes);
    if (stages->object.failed)
        return sl_stage_fail(stages, "out of memory");
    if (stages->part)
        sl_parts_hand_over(stages, true);
    return sl_parts_collect(stages);
}
