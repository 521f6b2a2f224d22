/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler's pipeline: the lists below are all there is, in order.
 *
 * What LLVM calls a fatal error ends the build (stage/guard.h). No locks: a build's state belongs
 * to its thread.
 */
#include "compiler/build.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/codegen/on_demand.h"
#include "compiler/codegen/parts.h"
#include "compiler/stage/crash.h"
#include "compiler/stage/guard.h"
#include "compiler/stage/stage.h"
#include "sluice/base/level.h"

struct stage_row {
    const char *name;
    int (*run)(struct sl_stages *);
    enum sl_form emits; /* a request for this form ends here; SL_FORM_CONTAINER: none does */
    bool dump;
};

static const struct stage_row from_source[] = {
    {"frontend", sl_stage_frontend, 0, true},
    {"fold-twins", sl_stage_fold_twins, 0, false},
    {"denormals", sl_stage_denormals, 0, false},
    {"function-pointers", sl_stage_function_pointers, 0, false},
    {"recursion", sl_stage_recursion, 0, false},
    {"latency", sl_stage_latency, 0, false},
    {0},
};

static const struct stage_row from_objects[] = {
    {"read-objects", sl_stage_read_objects, 0, true},
    {"denormals", sl_stage_denormals, 0, false},
    {"function-pointers", sl_stage_function_pointers, 0, false},
    {"recursion", sl_stage_recursion, 0, false},
    {"latency", sl_stage_latency, 0, false},
    {0},
};

static const struct stage_row to_object[] = {
    {"write-object", sl_stage_write_object, SL_FORM_LL, false},
    {"container", sl_stage_container, 0, false},
    {0},
};

static const struct stage_row to_executable[] = {
    {"clear-private", sl_stage_clear_private, 0, false},
    {"initializers", sl_stage_initializers, 0, false},
    {"processes", sl_stage_processes, 0, true},
    {"timing", sl_stage_timing, 0, false},
    {"postpone", sl_stage_postpone, 0, false},
    {"blocks", sl_stage_blocks, 0, false},
    {"kernel-texts", sl_stage_read_kernel_texts, 0, false},
    {"lower-types", sl_stage_lower_types, 0, false},
    {"retarget", sl_stage_retarget, 0, false},
    {"dead-ends", sl_stage_dead_ends, 0, false},
    {"builtins", sl_stage_builtins, 0, true},
    {"check-complete", sl_stage_check_complete, 0, false},
    {"check-sizes", sl_stage_check_sizes, 0, false},
    {"work-groups", sl_stage_work_groups, 0, false},
    {"tables", sl_stage_tables, 0, true},
    {"stand-in", sl_stage_stand_in, 0, false},
    {"optimize", sl_stage_optimize, SL_FORM_LL, true},
    {"codegen", sl_stage_codegen, SL_FORM_OBJECT, false},
    {"link", sl_stage_link, SL_FORM_ELF, false},
    {"container", sl_stage_container, 0, false},
    {0},
};

/* A program that was kept for later. */
static const struct stage_row from_rest[] = {
    {"read-rest", sl_stage_read_rest, 0, false},
    {0},
};

/* ---- running the lists ----------------------------------------------------------------------- */

/* CPU time, so that stages of a build on a busy machine can be compared. */
static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void emit(struct sl_stages *stages, enum sl_form form)
{
    struct sl_text *out = &stages->result->binary;
    if (form == SL_FORM_LL) {
        char *text = LLVMPrintModuleToString(stages->module);
        sl_text_addf(out, "%s", text);
        LLVMDisposeMessage(text);
        return;
    }
    const struct sl_text *code = form == SL_FORM_OBJECT ? &stages->object : &stages->payload;
    sl_text_add(out, code->data, code->bytes);
}

/* 0: go on with the next list; 1: the request is answered; -1: failed. */
static int run_list(struct sl_stages *stages, const struct stage_row *row)
{
    enum sl_form form = stages->request->form;
    for (; row->name; row++) {
        uint64_t start = now_ns();
        sl_crash_stage(row->name);
        int rc = row->run(stages);
        sl_text_addf(&stages->result->times, "%s %llu\n", row->name,
                     (unsigned long long)((now_ns() - start) / 1000));
        if ((rc || stages->llvm_error) && stages->part)
            sl_parts_hand_over(stages, false);
        if (rc || stages->llvm_error)
            return -1;
        if (row->dump)
            sl_dump_module(stages, row->name);
        if (form != SL_FORM_CONTAINER && form == row->emits) {
            emit(stages, form);
            return 1;
        }
    }
    return 0;
}

int sl_build_failure(enum sl_build_kind kind)
{
    switch (kind) {
    case SL_BUILD_COMPILE:
        return SL_BUILD_COMPILE_FAILED;
    case SL_BUILD_LINK:
        return SL_BUILD_LINK_FAILED;
    case SL_BUILD_BUILD:
    case SL_BUILD_HELLO:
    case SL_BUILD_FINISH:
        break;
    }
    return SL_BUILD_FAILED;
}

static int run_all(struct sl_stages *stages)
{
    enum sl_build_kind kind = stages->request->kind;
    bool executable = kind != SL_BUILD_COMPILE && !stages->options.create_library;
    int rc = run_list(stages, kind == SL_BUILD_FINISH ? from_rest
                              : kind == SL_BUILD_LINK ? from_objects
                                                      : from_source);
    if (!rc)
        rc = run_list(stages, executable ? to_executable : to_object);
    while (rc < 0 && !sl_postponed_start_over(stages))
        rc = run_list(stages, to_executable);
    return rc < 0 ? sl_build_failure(kind) : SL_BUILD_OK;
}

/* ---- one build ------------------------------------------------------------------------------- */

static void choose_target(struct sl_stages *stages)
{
    const struct sl_build_request *request = stages->request;
    const struct sl_level *level = request->target ? sl_level_find(request->target) : NULL;
    level = level ? level : sl_level_host();
    stages->cpu = request->cpu ? request->cpu : level->cpu;
    stages->features = request->cpu_features ? request->cpu_features : level->features;
    stages->target = request->target && !strchr(request->target, ':') ? level->target
                     : request->target                                ? request->target
                                                                      : level->target;
}

static void choose_settings(struct sl_stages *stages)
{
    static atomic_uint serial;
    const char name[] = "SLUICE_DUMP=";
    for (size_t i = 0; i < stages->request->setting_count; i++) {
        const char *row = stages->request->settings[i];
        if (!strncmp(row, name, sizeof name - 1))
            stages->dump_folder = row + sizeof name - 1;
        stages->wants_remarks |= !strcmp(row, "SLUICE_REMARKS=1");
    }
    if (stages->dump_folder && !*stages->dump_folder)
        stages->dump_folder = NULL;
    stages->dump_serial = atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed);
}

static void finish(struct sl_stages *stages)
{
    bool poisoned = stages->result->poisoned;
    if (stages->pass.remarks)
        sl_text_add(&stages->result->remarks, stages->pass.remarks, stages->pass.remark_bytes);
    if (stages->part)
        sl_parts_hand_over(stages, false); /* LLVM gave up in a child */
    sl_parts_abandon(stages);
    for (uint32_t p = 0; p < SL_MOST_PARTS; p++)
        sl_text_finish(&stages->objects[p]);
    sl_compile_options_finish(&stages->options);
    sl_kernel_texts_finish(stages);
    sl_text_finish(&stages->object);
    sl_text_finish(&stages->payload);
    sl_text_finish(&stages->rest);
    free(stages->timing);
    if (poisoned)
        return; /* half-done IR cannot be taken apart safely; the process ends soon */
    sl_passes_free(&stages->pass);
    if (stages->without_tiles)
        LLVMDisposeModule(stages->without_tiles);
    if (stages->module)
        LLVMDisposeModule(stages->module);
    if (stages->context)
        LLVMContextDispose(stages->context);
    sl_target_machine_give(&stages->target_machine);
}

int sl_compiler_build(const struct sl_build_request *request, struct sl_build_result *result)
{
    struct sl_stages stages = {.request = request,
                               .result = result,
                               .quick = request->quick,
                               .always_quick = request->quick};
    choose_target(&stages);
    choose_settings(&stages);
    int status = sl_compile_options_read(&stages.options, request, &result->log);
    stages.options.optimize &= !stages.quick;
    if (!status) {
        sl_target_init();
        stages.context = LLVMContextCreate();
        status = sl_stage_guarded(&stages, run_all, sl_build_failure(request->kind));
    }
    finish(&stages);
    if (status && !result->log.bytes)
        sl_text_addf(&result->log, "error: the build failed without a message\n");
    if (!status && (result->binary.failed || result->log.failed))
        status = SL_BUILD_NO_MEMORY;
    return status;
}

void sl_build_result_finish(struct sl_build_result *result)
{
    sl_text_finish(&result->log);
    sl_text_finish(&result->binary);
    sl_text_finish(&result->times);
    sl_text_finish(&result->remarks);
    sl_strings_finish(&result->dependencies);
}
