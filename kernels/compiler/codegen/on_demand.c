/* SPDX-License-Identifier: Apache-2.0 */
/* Code on demand: see the header. No locks: a build's state belongs to its thread. */
#include "compiler/codegen/on_demand.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <string.h>

#include "compiler/binary/container.h"
#include "compiler/binary/needed.h"
#include "compiler/builtins/library.h"
#include "compiler/frontend/initializers.h"
#include "groups/group_function.h"
#include "ir/call_reach.h"
#include "ir/calls.h"
#include "ir/emit.h"
#include "ir/space.h"
#include "items/sub_group_op.h"
#include "items/trap.h"
#include "passes/stages.h"
#include "pipes/pipe.h"
#include "sluice/build_mode.h"
#include "llvm/lazy_bitcode.h"

/* Of so many kernels few are launched; shorter programs are compiled in no time. */
#define FEWEST_KERNELS 8
#define SHORT 400 /* instructions as clang makes them, builtins called */
/* From here on quick code would not be, in all; and of kernels of this length, as programs write
 * them, it takes a third of the time of the best code, which they are going to need. */
#define LONG 16000
#define LONG_KERNEL 1500
/* Several kernels of this length each take a twentieth of a second and more, beside which the few
 * milliseconds of a request are little. */
#define FEWEST_LONG 2
#define WORTH_A_REQUEST 500

/* ---- which programs -------------------------------------------------------------------------- */

static bool has_shared_variable(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (sl_space_is_global(LLVMGetPointerAddressSpace(LLVMTypeOf(g))) &&
            !LLVMIsGlobalConstant(g))
            return true;
    return false;
}

static bool has_pipe(LLVMValueRef f)
{
    for (unsigned p = 0; p < LLVMCountParams(f); p++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, p));
        if (LLVMGetTypeKind(type) == LLVMTargetExtTypeKind &&
            !strcmp(LLVMGetTargetExtTypeName(type), "spirv.Pipe"))
            return true;
    }
    return false;
}

/* Kernels that are not launched by themselves: of pipes, or by each other, which they do by
 * functions that clang has names for. */
static bool has_company(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t bytes;
        const char *name = LLVMGetValueName2(f, &bytes);
        bool enqueues = strstr(name, "__enqueue_") || strstr(name, "__get_kernel_");
        if (has_pipe(f) || (enqueues && LLVMIsDeclaration(f)))
            return true;
    }
    return false;
}

static bool is_design(LLVMModuleRef module)
{
    return LLVMGetNamedMetadataNumOperands(module, "sl.pipes");
}

/* Kernels that are not launched, and copies of one belong together (dialect/describe.cpp). */
static bool runs_by_itself(LLVMModuleRef module)
{
    static const char *const words[] = {"sl-autorun", "sl-num-compute-units"};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, words[w],
                                              (unsigned)strlen(words[w])))
                return true;
    return false;
}

/* Does what a kernel computes depend on when others come? */
static bool asks_pipes(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const struct sl_pipe_operation *operation =
            LLVMIsDeclaration(f) && LLVMGetFirstUse(f) ? sl_pipe_operation_find(LLVMGetValueName(f))
                                                       : NULL;
        if (operation && operation->wait == SL_PIPE_NEVER_WAITS)
            return true;
    }
    return false;
}

struct size {
    uint32_t kernels;
    uint64_t instructions;
};

static struct size measure(LLVMModuleRef module)
{
    struct size size = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size.kernels += sl_is_kernel(f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                size.instructions++;
    }
    return size;
}

static enum sl_build_mode build_mode(const struct sl_stages *stages)
{
    return sl_build_mode_of(sl_stage_setting(stages, "SLUICE_BUILD"));
}

static bool quick_code_pays(const struct size *size)
{
    return size->instructions < LONG && size->instructions < (uint64_t)size->kernels * LONG_KERNEL;
}

static bool is_plain(const struct sl_stages *stages)
{
    return stages->options.optimize && !stages->options.debug_info && !stages->dump_folder &&
           !stages->wants_remarks && !sl_stage_wants_timing(stages) &&
           !sl_stage_setting(stages, "SLUICE_PASS_LIMIT") &&
           stages->request->form == SL_FORM_CONTAINER;
}

/* Settings that the second half would not hear of. */
static bool has_own_depths(const struct sl_stages *stages)
{
    return stages->options.depth_mode || sl_stage_setting(stages, "SLUICE_FPGA_DEPTH") ||
           sl_stage_setting(stages, "SLUICE_FPGA_DEPTHS");
}

/* All of its best code is made together, and hardly ever are only some of its kernels launched: so
 * it has to be so much that small launches gain by it. */
static bool may_divide_design(const struct sl_stages *stages, enum sl_build_mode mode,
                              const struct size *size)
{
    bool gains = size->kernels >= FEWEST_KERNELS && quick_code_pays(size);
    return (mode != SL_MODE_AUTO || gains) && !asks_pipes(stages->module) &&
           !has_own_depths(stages);
}

static bool may_be_divided(const struct sl_stages *stages, enum sl_build_mode mode,
                           const struct size *size)
{
    return is_plain(stages) && mode != SL_MODE_WHOLE && size->kernels &&
           !has_company(stages->module) && !runs_by_itself(stages->module) &&
           (!is_design(stages->module) || may_divide_design(stages, mode, size)) &&
           !has_shared_variable(stages->module) && !sl_initializers_exist(stages->module);
}

/* Code of each by itself: programs with forms of one kernel launch one or two of them. */
static bool is_worth_requests(const struct size *size)
{
    return size->kernels >= FEWEST_KERNELS ||
           (size->kernels >= FEWEST_LONG &&
            size->instructions >= (uint64_t)size->kernels * WORTH_A_REQUEST);
}

static bool pays(enum sl_build_mode mode, const struct size *size)
{
    return mode != SL_MODE_AUTO || is_worth_requests(size) ||
           (size->instructions >= SHORT && quick_code_pays(size));
}

/* Do items of a sub-group do something together? Then kernels may have two forms. */
static bool has_sub_groups(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetFirstUse(f) && sl_is_sub_group_name(LLVMGetValueName(f)))
            return true;
    return false;
}

static bool has_cut_groups(const struct sl_stages *stages, LLVMValueRef kernel)
{
    uint32_t size[3];
    return sl_is_kernel(kernel) && !LLVMIsDeclaration(kernel) && !sl_says_uniform_groups(kernel) &&
           sl_read_required_size(stages->context, kernel, size);
}

/* Kernels that require a size, which not all groups need have, and functions by which items of a
 * group tell each other apart or meet. Then kernels may have two forms as well. */
static bool has_sizes(const struct sl_stages *stages)
{
    static const char *const words[] = {"barrier", "get_local_", "get_group_id", "work_group",
                                        "sub_group"};
    bool any = false, asks = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f)) {
        any = any || has_cut_groups(stages, f);
        for (size_t w = 0; w < sizeof words / sizeof *words && LLVMIsDeclaration(f); w++)
            asks = asks || strstr(LLVMGetValueName(f), words[w]);
    }
    return any && asks;
}

static bool may_have_forms(const struct sl_stages *stages)
{
    return has_sub_groups(stages->module) || has_sizes(stages);
}

/* ---- the first half -------------------------------------------------------------------------- */

static void keep(struct sl_stages *stages)
{
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(stages->module);
    sl_text_add(&stages->rest, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    stages->log_before = stages->result->log.bytes;
}

int sl_stage_postpone(struct sl_stages *stages)
{
    enum sl_build_mode mode = build_mode(stages);
    struct size size = measure(stages->module);
    bool second_half = stages->request->kind == SL_BUILD_FINISH;
    if (stages->started_over)
        return 0;
    if (second_half)
        stages->usual_only = stages->request->kernel && !stages->request->all_forms &&
                             is_plain(stages) && may_have_forms(stages);
    else if (!may_be_divided(stages, mode, &size))
        return 0;
    else if (pays(mode, &size))
        stages->deferred = true;
    else
        stages->usual_only = may_have_forms(stages);
    if (!stages->deferred && !stages->usual_only)
        return 0;
    keep(stages);
    stages->worth_requests = is_worth_requests(&size);
    stages->options.optimize &= !stages->deferred;
    stages->always_quick = stages->deferred && (mode == SL_MODE_QUICK || mode == SL_MODE_SWING);
    stages->quick = stages->always_quick ||
                    (stages->deferred && mode == SL_MODE_AUTO && quick_code_pays(&size));
    return stages->rest.failed ? sl_stage_fail(stages, "out of memory") : 0;
}

static LLVMModuleRef read_back(struct sl_stages *stages)
{
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(stages->rest.data, stages->rest.bytes, "rest", 0);
    bool bad = LLVMParseBitcodeInContext2(stages->context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    return bad ? NULL : module;
}

int sl_postponed_start_over(struct sl_stages *stages)
{
    bool kept = (stages->deferred || stages->usual_only) && !stages->rest.failed;
    LLVMModuleRef module = kept ? read_back(stages) : NULL;
    if (!module)
        return -1;
    sl_passes_free(&stages->pass);
    stages->pass = (struct sl_pass){0};
    sl_kernel_texts_finish(stages);
    LLVMDisposeModule(stages->module);
    stages->module = module;
    sl_target_machine_give(&stages->target_machine);
    sl_text_finish(&stages->object);
    sl_text_finish(&stages->payload);
    sl_text_truncate(&stages->result->log, stages->log_before);
    stages->usual_only = stages->deferred && !is_design(stages->module) && may_have_forms(stages);
    stages->deferred = stages->quick = stages->always_quick = false;
    stages->llvm_error = stages->incomplete = false;
    stages->options.optimize = stages->started_over = true;
    return 0;
}

/* What the tables point at until there is code. Nobody launches it. */
static LLVMValueRef make_stand_in(struct sl_stages *stages)
{
    struct sl_emit e;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(stages->context, 0);
    LLVMTypeRef params[] = {pointer, pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(stages->context), params, 3, false);
    LLVMValueRef f = LLVMAddFunction(stages->module, "sluice.no_code", type);
    sl_emit_init(&e, stages->context);
    LLVMPositionBuilderAtEnd(e.builder, LLVMAppendBasicBlockInContext(stages->context, f, ""));
    sl_emit_trap(&e, LLVMGetParam(f, 1), "its code was not made");
    LLVMBuildRetVoid(e.builder);
    sl_emit_finish(&e);
    return f;
}

static bool has_any(const struct sl_pass *pass, uint32_t flags)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (pass->kernels[k].flags & flags)
            return true;
    return false;
}

/* Of the others only the tables stay. A program that gains nothing is built whole. */
int sl_stage_stand_in(struct sl_stages *stages)
{
    LLVMValueRef stand_in = NULL;
    stages->lacks_forms = has_any(&stages->pass, SL_KERNEL_IN_STEP | SL_KERNEL_WHOLE_GROUPS);
    if (stages->deferred && stages->quick && !stages->worth_requests &&
        !has_any(&stages->pass, SL_KERNEL_QUICK))
        return -1;
    for (uint32_t k = 0; stages->deferred && k < stages->pass.kernel_count; k++) {
        struct sl_kernel_facts *facts = &stages->pass.kernels[k];
        if (facts->flags & SL_KERNEL_QUICK)
            continue;
        stand_in = stand_in ? stand_in : make_stand_in(stages);
        LLVMReplaceAllUsesWith(facts->run, stand_in);
        facts->run = facts->body = facts->kernel = NULL;
        facts->loop_passes = false;
    }
    if (!stand_in)
        return 0;
    sl_stage_make_internal(stages->module);
    sl_library_drop_versions(stages->module);
    return sl_stage_run_llvm(stages, "globaldce");
}

/* ---- the second half ------------------------------------------------------------------------- */

bool sl_rest_is_design(const struct sl_stages *stages)
{
    return stages->request->kind == SL_BUILD_FINISH && is_design(stages->module);
}

static int read_bitcode(struct sl_stages *stages)
{
    const struct sl_build_request *request = stages->request;
    struct sl_blob bitcode;
    const char *why = request->input_count == 1
                          ? sl_container_payload(&request->inputs[0], SL_BINARY_REST, &bitcode)
                          : "one is needed";
    if (why)
        return sl_stage_fail(stages, "the program cannot be finished: %s", why);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(bitcode.data, bitcode.bytes, "rest", 0);
    if (LLVMGetBitcodeModuleInContext2(stages->context, buffer, &stages->module))
        return sl_stage_fail(stages, "the program cannot be finished: damaged bitcode");
    return 0;
}

/* 0, or -1: a body cannot be read. */
static int reach_all(struct sl_call_reach *r, LLVMValueRef kernel)
{
    sl_call_reach_add(r, kernel);
    for (size_t i = 0; i < r->found.count; i++) {
        if (sl_lazy_load_body(r->found.items[i]))
            return -1;
        sl_call_reach_callees(r, r->found.items[i]);
    }
    return 0;
}

/* Nobody calls a kernel: those who would call its twin (llvm/llvm_extra.h). */
static int keep_kernel(struct sl_stages *stages, const char *name)
{
    struct sl_call_reach r = {0};
    LLVMValueRef kernel = LLVMGetNamedFunction(stages->module, name);
    if (!kernel || !sl_is_kernel(kernel))
        return sl_stage_fail(stages, "there is no kernel %s", name);
    int rc = reach_all(&r, kernel);
    if (rc)
        sl_stage_fail(stages, "the program cannot be finished: damaged bitcode");
    else
        sl_forget_functions(stages->module, &r);
    sl_call_reach_finish(&r);
    return rc;
}

int sl_stage_read_rest(struct sl_stages *stages)
{
    stages->options.quiet = true; /* the first half has said it all */
    int rc = read_bitcode(stages);
    if (rc)
        return rc;
    if (stages->request->kernel)
        rc = keep_kernel(stages, stages->request->kernel);
    if (!rc && sl_lazy_load_rest(stages->module))
        rc = sl_stage_fail(stages, "the program cannot be finished: damaged bitcode");
    return rc;
}
