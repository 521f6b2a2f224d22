/* SPDX-License-Identifier: Apache-2.0 */
/* See compile_request.h. No lock. */
#include "program/build/compile_request.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl_ext_sluice.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "base/query/extension.h"
#include "platform/context.h"
#include "sluice/base/file.h"
#include "sluice/build_mode.h"

static void add_device(struct sl_request *request, const struct sl_device_caps *caps)
{
    char *extensions = sl_extension_names(SL_EXT_OFFERED, caps->features);
    if (!extensions)
        request->failed = true;
    else
        sl_request_add_text(request, SL_CHUNK_EXTENSIONS, extensions);
    sl_free(extensions);
    sl_request_add_text(request, SL_CHUNK_TARGET, caps->target);
    sl_request_add_text(request, SL_CHUNK_CPU, caps->cpu ? caps->cpu : "");
    sl_request_add_text(request, SL_CHUNK_CPU_FEATURES,
                        caps->cpu_features ? caps->cpu_features : "");
}

static void add_sources(struct sl_request *request, const struct sl_build_job *job)
{
    const struct _cl_program *program = job->program;
    sl_request_add(request, SL_CHUNK_SOURCE, program->source, program->source_bytes);
    for (cl_uint i = 0; i < job->header_count; i++) {
        const struct sl_build_header *header = &job->headers[i];
        sl_request_add_text(request, SL_CHUNK_HEADER_NAME, header->name);
        sl_request_add(request, SL_CHUNK_HEADER_TEXT, header->program->source,
                       header->program->source_bytes);
    }
}

static void add_module(struct sl_request *request, const struct sl_build_task *task)
{
    const struct sl_spec_constants *constants = &task->job->constants;
    const struct _cl_program *program = task->job->program;
    if (program->origin == SL_FROM_IL)
        sl_request_add(request, SL_CHUNK_SOURCE, program->il, program->il_bytes);
    else
        sl_request_add(request, SL_CHUNK_SOURCE, sl_build_task_given(task)->binary,
                       sl_build_task_given(task)->binary_bytes);
    if (constants->count)
        sl_request_add(request, SL_CHUNK_CONSTANTS, constants->rows,
                       constants->count * sizeof *constants->rows);
}

static void add_inputs(struct sl_request *request, const struct sl_build_task *task)
{
    const struct sl_build_job *job = task->job;
    for (cl_uint k = 0; k < job->input_count; k++) {
        const struct sl_build_blob *input = &job->inputs[task->i * job->input_count + k];
        sl_request_add(request, SL_CHUNK_INPUT, input->bytes, input->size);
    }
    if (job->kind != SL_BUILD_LINK) /* clBuildProgram of a binary object or library */
        sl_request_add(request, SL_CHUNK_INPUT, sl_build_task_given(task)->binary,
                       sl_build_task_given(task)->binary_bytes);
}

/* How deep pipes are. Intel's name for it is known to designs that ran on its emulator. */
static void add_depth_mode(struct sl_request *request)
{
    char text[96];
    const char *mode = sl_config(SL_CONFIG_FPGA_DEPTH);
    if (!mode || !*mode)
        mode = sl_config(SL_CONFIG_INTEL_DEPTH);
    if (!mode || !*mode)
        return;
    snprintf(text, sizeof text, "SLUICE_FPGA_DEPTH=%s", mode);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

/* Those of single pipes. */
static void add_depths(struct sl_request *request)
{
    static const char name[] = "SLUICE_FPGA_DEPTHS=";
    const char *depths = sl_config(SL_CONFIG_FPGA_DEPTHS);
    if (!depths || !*depths)
        return;
    size_t bytes = sizeof name + strlen(depths);
    char *text = sl_alloc(bytes);
    if (!text) {
        request->failed = true;
        return;
    }
    snprintf(text, bytes, "%s%s", name, depths);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
    sl_free(text);
}

/* What the schedule of a design is made with. */
static void add_timing(struct sl_request *request)
{
    char text[4160];
    const char *operators = sl_config(SL_CONFIG_FPGA_OPERATORS);
    if (sl_config_bool(SL_CONFIG_FPGA_TIMING))
        sl_request_add_text(request, SL_CHUNK_SETTING, "SLUICE_FPGA_TIMING=1");
    if (!operators || !*operators)
        return;
    snprintf(text, sizeof text, "SLUICE_FPGA_OPERATORS=%s", operators);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

static void add_pass_limit(struct sl_request *request)
{
    char text[48];
    const char *limit = sl_config(SL_CONFIG_PASS_LIMIT);
    if (!limit || !*limit)
        return;
    snprintf(text, sizeof text, "SLUICE_PASS_LIMIT=%.16s", limit);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

/* A profile of a dataflow machine has a row for each kernel and each place of a program, and where
 * a seed has kernels interrupted depends on their code. */
bool sl_compile_in_one_piece(const struct sl_device_caps *caps)
{
    const char *profile = sl_config(SL_CONFIG_FPGA_PROFILE), *seed = sl_config(SL_CONFIG_FPGA_SEED);
    bool profiled = profile && *profile, drawn = seed && *seed && strcmp(seed, "0") != 0;
    return caps->features & SL_FEATURE_DATAFLOW && (profiled || drawn);
}

/* A device with pipes that has no way to load code beside other code. */
static bool has_one_code(const struct sl_build_task *task)
{
    return task->caps->features & SL_FEATURE_DATAFLOW &&
           !sl_build_task_device(task)->ops->code_load_other;
}

/* Whether the code of kernels may come later. */
static void add_build_mode(struct sl_request *request, const struct sl_build_task *task)
{
    char text[48];
    const char *mode = sl_build_mode_meant(sl_config(SL_CONFIG_BUILD));
    bool executable = task->kind != SL_BUILD_COMPILE && !task->job->options.create_library;
    bool linked = task->job->program->origin == SL_FROM_BINARY && !sl_build_task_is_of_il(task);
    if (!executable || sl_build_mode_of(mode) == SL_MODE_WHOLE || linked ||
        sl_compile_in_one_piece(task->caps) || has_one_code(task))
        return;
    snprintf(text, sizeof text, "SLUICE_BUILD=%s", mode);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

/* Executables have zeros in variables that have no value; objects are for any. */
static void add_clearing(struct sl_request *request, const struct sl_build_task *task)
{
    cl_bitfield initialize = task->job->program->context->initialize;
    bool object = task->kind == SL_BUILD_COMPILE || task->job->options.create_library;
    if (initialize & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR && !object)
        sl_request_add_text(request, SL_CHUNK_OPTION, "-sluice-clear-private");
}

/* All that decides what comes back; settings that only watch are added after hashing. */
void sl_compile_request_compose(struct sl_request *request, const struct sl_build_task *task)
{
    const struct sl_build_job *job = task->job;
    bool from_source = job->program->origin == SL_FROM_SOURCE,
         from_il = sl_build_task_is_of_il(task);
    sl_request_begin(request, from_source || from_il ? task->kind : SL_BUILD_LINK);
    for (uint32_t i = 0; i < job->options.count; i++)
        sl_request_add_text(request, SL_CHUNK_OPTION, job->options.tokens[i]);
    if (task->links_library && !job->options.create_library)
        sl_request_add_text(request, SL_CHUNK_OPTION, "-create-library");
    add_clearing(request, task);
    add_device(request, task->caps);
    if (from_source)
        add_sources(request, job);
    else if (from_il)
        add_module(request, task);
    else
        add_inputs(request, task);
    add_depth_mode(request);
    add_depths(request);
    add_timing(request);
    add_pass_limit(request);
    add_build_mode(request, task);
}

/* The compiler process may have another working folder than the application has by now. */
static void add_dump_folder(struct sl_request *request)
{
    char text[PATH_MAX + 16] = "SLUICE_DUMP=";
    const char *path = sl_config(SL_CONFIG_DUMP), *why;
    if (!path || !*path)
        return;
    int folder = sl_own_folder_open(path, &why);
    if (folder >= 0 && realpath(path, text + strlen(text)))
        sl_request_add_text(request, SL_CHUNK_SETTING, text);
    else
        sl_log(SL_LOG_ERROR, SL_LOG_SETTING, "SLUICE_DUMP=%s: %s", path,
               folder < 0 ? why : strerror(errno));
    if (folder >= 0)
        close(folder);
}

static bool wants_remarks(void)
{
    return sl_log_enabled(SL_LOG_DEBUG, "vectorize");
}

/* With what the machine's rows are, which only remarks are made with. */
static void add_remarks(struct sl_request *request)
{
    char text[4160];
    const char *machine = sl_config(SL_CONFIG_MACHINE);
    sl_request_add_text(request, SL_CHUNK_SETTING, "SLUICE_REMARKS=1");
    if (!machine || !*machine)
        return;
    snprintf(text, sizeof text, "SLUICE_MACHINE=%s", machine);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}

void sl_compile_request_add_settings(struct sl_request *request)
{
    char text[4200];
    const char *log = sl_config(SL_CONFIG_LOG);
    add_dump_folder(request);
    if (wants_remarks())
        add_remarks(request);
    if (sl_config_bool(SL_CONFIG_CHECK_PASSES))
        sl_request_add_text(request, SL_CHUNK_SETTING, "SLUICE_CHECK_PASSES=1");
    if (!log)
        return;
    snprintf(text, sizeof text, "SLUICE_LOG=%s", log);
    sl_request_add_text(request, SL_CHUNK_SETTING, text);
}
