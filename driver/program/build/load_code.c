/* SPDX-License-Identifier: Apache-2.0 */
/* See load_code.h. No lock is held. */
#include "program/build/load_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/registry.h"
#include "program/build/cacheable.h"
#include "program/cache/cache.h"
#include "program/object/demand.h"
#include "program/object/module.h"
#include "sluice/build_mode.h"

/* Devices that share an implementation (sub-devices) share the loaded code. */
static struct sl_code_ref *loaded_before(const struct sl_build_task *tasks,
                                         const struct sl_build_task *task,
                                         const struct sl_device *device)
{
    const struct sl_build_task *equal = sl_build_task_equal(tasks, task);
    struct sl_code_ref *code = equal ? equal->result->code : NULL;
    return code && code->device == device ? sl_code_hold(code) : NULL;
}

static void add_to_log(struct sl_build *result, const char *text)
{
    size_t before = result->log ? strlen(result->log) : 0;
    char *log = *text ? sl_alloc(before + strlen(text) + 1) : NULL;
    if (!log)
        return;
    memcpy(log, result->log ? result->log : "", before);
    strcpy(log + before, text);
    sl_free(result->log);
    result->log = log;
}

/* What only the device knows belongs to the build's messages too. */
static void add_warnings(struct sl_build *result)
{
    const struct sl_device_ops *ops = result->code->device->ops;
    char *text = NULL;
    if (!ops->code_report || ops->code_report(result->code->code, SL_REPORT_WARNINGS, &text))
        return;
    add_to_log(result, text);
    free(text);
}

static void tell_late(struct sl_build *result, enum sl_config_key key, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "warning: %s does nothing for a binary: %s\n", sl_config_name(key),
             why);
    add_to_log(result, text);
    text[strlen(text) - 1] = '\0';
    sl_log_always(sl_registry_name(result->code->device), text + strlen("warning: "));
}

/* Settings in vain: hosts seldom print the log of a build that succeeds, so it is said on standard
 * error and to the context as well. */
static void tell_settings(const struct _cl_program *program, const struct sl_build *result)
{
    static const char begin[] = "warning: SLUICE_FPGA_DEPTHS: ";
    const char *at = result->log;
    while (at && *at) {
        size_t length = strcspn(at, "\n");
        char text[512];
        if (!strncmp(at, begin, sizeof begin - 1)) {
            const size_t word = strlen("warning: ");
            snprintf(text, sizeof text, "%.*s", (int)(length - word), at + word);
            sl_log_always(sl_registry_name(result->code->device), text);
            sl_context_notify(program->context, "%s", text);
        }
        at += length + (at[length] == '\n');
    }
}

/* Hosts that load binaries seldom print logs: what was set in vain is said on standard error. */
static void tell_late_settings(const struct _cl_program *program, struct sl_build *result)
{
    const char *depths = sl_config(SL_CONFIG_FPGA_DEPTHS), *mode = sl_config(SL_CONFIG_FPGA_DEPTH);
    const struct sl_module_info *info = result->code->info;
    if (program->origin != SL_FROM_BINARY || !info->pipe_count ||
        !(result->code->device->caps.features & SL_FEATURE_DATAFLOW))
        return;
    if (mode && *mode)
        tell_late(result, SL_CONFIG_FPGA_DEPTH,
                  "its pipes are as deep as they were compiled; set it for sluicec or aoc");
    if (depths && *depths)
        tell_late(result, SL_CONFIG_FPGA_DEPTHS,
                  "its pipes are as deep as they were compiled; set it for sluicec or aoc");
    if (sl_config_bool(SL_CONFIG_FPGA_TIMING) && !info->timing)
        tell_late(result, SL_CONFIG_FPGA_TIMING,
                  "it was compiled without a schedule; sluicec and aoc keep one by -sluice-timing");
}

/* Is code on demand, once it was made, there for other processes? */
static bool is_kept(void)
{
    return sl_cache_is_writable() && !sl_config(SL_CONFIG_DUMP);
}

/* May a binary's code be taken from where other processes left theirs? */
static bool is_shared(void)
{
    return sl_cache_enabled() && !sl_config(SL_CONFIG_DUMP);
}

/* Somebody needed all of the program before. */
static void take_whole(const struct sl_build_task *task)
{
    struct sl_build *result = task->result;
    unsigned char *whole;
    size_t bytes;
    bool given = task->job->program->origin == SL_FROM_BINARY;
    if (!(given ? is_shared() : sl_build_is_cacheable(task)) ||
        sl_build_mode_of(sl_config(SL_CONFIG_BUILD)) == SL_MODE_QUICK ||
        !sl_demand_find_whole(task->caps, result->binary + result->shell_bytes,
                              result->binary_bytes - result->shell_bytes, &whole, &bytes))
        return;
    sl_free(result->binary);
    result->binary = whole;
    result->binary_bytes = bytes;
    result->shell_bytes = 0;
}

static cl_int load_binary(const struct sl_build_task *task, struct sl_device *device,
                          const char **why)
{
    struct sl_build *result = task->result;
    size_t shell = result->shell_bytes;
    cl_int rc = sl_code_load(device, result->binary, shell ? shell : result->binary_bytes,
                             &result->code, why);
    if (rc || !shell)
        return rc;
    result->code->demand = sl_demand_create(task->caps, result->binary + shell,
                                            result->binary_bytes - shell, result->code->info);
    if (result->code->demand)
        return CL_SUCCESS;
    *why = "out of memory";
    return CL_OUT_OF_HOST_MEMORY;
}

cl_int sl_build_task_load(const struct sl_build_task *tasks, struct sl_build_task *task)
{
    struct sl_build *result = task->result;
    struct sl_device *device = task->job->program->devices[task->job->which[task->i]]->root->impl;
    const char *why = "";
    if (result->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return CL_SUCCESS;
    result->stays_divided = result->shell_bytes && is_kept();
    result->code = loaded_before(tasks, task, device);
    if (result->code)
        return CL_SUCCESS;
    if (result->shell_bytes)
        take_whole(task);
    cl_int rc = load_binary(task, device, &why);
    if (!rc) {
        add_warnings(result);
        tell_settings(task->job->program, result);
        tell_late_settings(task->job->program, result);
    } else {
        sl_build_fail(result, why);
    }
    return rc;
}
