/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a design, for who asks for it: a text that goes into the module's table, and
 * calls in its code that tell where a kernel is in its loops. No locks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/stage/stage.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include "pipes/pipe.h"
#include "spirv/spirv.h"
#include "timing/classify.h"
#include "timing/network.h"
#include "timing/timing.h"
#include "llvm/loops/counts/loop_marks.h"
#include "llvm/loops/counts/loop_names.h"

static int read_text(struct sl_text *text, const char *path)
{
    char block[4096];
    FILE *file = fopen(path, "rbe");
    if (!file)
        return -1;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        sl_text_add(text, block, got);
    int rc = ferror(file) || text->failed ? -1 : 0;
    fclose(file);
    sl_text_add(text, "", 1);
    return rc;
}

/* The generic device's, and what the user's file has other numbers for. */
static int read_operators(struct sl_stages *stages, struct sl_operator_table *table)
{
    const char *path = sl_stage_setting(stages, "SLUICE_FPGA_OPERATORS");
    struct sl_text text = {0};
    char why[128];
    int rc = 0;
    sl_operators_generic(table);
    if (!path || !*path)
        return 0;
    if (read_text(&text, path))
        rc = sl_stage_fail(stages, "SLUICE_FPGA_OPERATORS: %s: %s", path, strerror(errno));
    else if (sl_operators_read(table, text.data, why, sizeof why))
        rc = sl_stage_fail(stages, "SLUICE_FPGA_OPERATORS: %s: %s", path, why);
    else
        sl_stage_depend(stages, path, text.data, text.bytes - 1);
    sl_text_finish(&text);
    return rc;
}

static bool has_pipes(LLVMModuleRef module)
{
    bool any = false;
    size_t bytes;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !any; f = LLVMGetNextFunction(f))
        any = LLVMIsDeclaration(f) && sl_pipe_operation_find(LLVMGetValueName2(f, &bytes));
    return any;
}

static bool is_quiet(const char *callee)
{
    return !sl_wi_is_builtin(callee) && sl_pipe_is_quiet(callee);
}

/* The clock asks nothing about loops that are not in the schedule: they vanish in those around. */
static void mark_loops(struct sl_stages *stages, const struct sl_timing *timing)
{
    const struct sl_loop_marking marking = {.mark = SL_LOOP_MARK,
                                            .is_quiet = is_quiet,
                                            .meets = sl_network_meets,
                                            .is_pipe_operation = sl_is_pipe_operation,
                                            .places = timing->places,
                                            .unrolled = timing->unrolled,
                                            .alone = timing->alone,
                                            .place_count = timing->place_count};
    sl_llvm_mark_loops(stages->module, &marking);
}

static void name_kernel(struct sl_stages *stages, const char *name, const char *kernel,
                        const char *value)
{
    LLVMValueRef function = LLVMGetNamedFunction(stages->module, kernel);
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(LLVMGetModuleContext(stages->module), name,
                                  (unsigned)strlen(name), value, (unsigned)strlen(value));
    if (function)
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                attribute);
}

static void name_kernels(struct sl_stages *stages, const struct sl_timing *timing)
{
    for (uint32_t i = 0; i < timing->task_count; i++)
        name_kernel(stages, SL_PIPE_TASK_ATTRIBUTE, timing->tasks[i], "");
    for (uint32_t i = 0; i < timing->counted_count; i++)
        name_kernel(stages, SL_PIPE_COUNTED_ATTRIBUTE, timing->counted[i], "");
    for (uint32_t i = 0; i < timing->telling_count; i++)
        name_kernel(stages, SL_PIPE_ITEMS_ATTRIBUTE, timing->telling[i].kernel,
                    timing->telling[i].text);
}

/* What was found goes to the module and the log. */
static int take_timing(struct sl_stages *stages, struct sl_timing *timing)
{
    if (timing->warning && !timing->error && !stages->options.quiet)
        sl_text_addf(&stages->result->log, "%s", timing->warning);
    if (timing->error) {
        sl_text_addf(&stages->result->log, "%s", timing->error);
        return -1;
    }
    if (timing->items || timing->task_count || has_pipes(stages->module)) {
        name_kernels(stages, timing);
        mark_loops(stages, timing);
        sl_pipe_mark_timed(stages->module);
    }
    stages->timing = timing->text;
    timing->text = NULL;
    return 0;
}

int sl_stage_timing(struct sl_stages *stages)
{
    struct sl_operator_table table;
    if (!sl_stage_wants_timing(stages) || stages->request->kind == SL_BUILD_FINISH)
        return 0;
    if (read_operators(stages, &table))
        return -1;
    const struct sl_build_request *request = stages->request;
    bool words = sl_spirv_is(request->source.data, request->source.bytes);
    const struct sl_timing_source source = {
        .name = sl_compile_source_name(&stages->options, request),
        .text = words ? NULL : request->source.data,
        .bytes = request->source.bytes,
    };
    struct sl_timing timing;
    sl_llvm_name_loops(stages->module);
    sl_timing_describe(&timing, stages->module, &table, &source);
    sl_operators_finish(&table);
    int rc = take_timing(stages, &timing);
    sl_timing_finish(&timing);
    return rc;
}
