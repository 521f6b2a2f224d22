/* SPDX-License-Identifier: Apache-2.0 */
/* See load_warnings.h. */
#include "program/build/load_warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "platform/context.h"
#include "platform/registry.h"
#include "program/object/module.h"

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

/* A kernel that no launch can run: who builds hears it before who launches. */
static void tell_too_large(struct sl_build *result, const struct sl_kernel_info *kernel)
{
    const struct sl_device_caps *caps = &result->code->device->caps;
    const uint32_t *size = kernel->reqd_size;
    const unsigned long long items = (unsigned long long)size[0] * size[1] * size[2];
    char text[512];
    if (items > caps->max_work_group_size) {
        snprintf(text, sizeof text,
                 "warning: kernel %.200s cannot be launched: it requires work-groups of %ux%ux%u "
                 "= %llu work-items, and the device takes %zu\n",
                 kernel->name, size[0], size[1], size[2], items, caps->max_work_group_size);
        add_to_log(result, text);
    }
    if (kernel->local_bytes > caps->local_mem_bytes) {
        snprintf(text, sizeof text,
                 "warning: kernel %.200s cannot be launched: it has %u bytes of __local variables, "
                 "and the device %llu for a work-group\n",
                 kernel->name, kernel->local_bytes, (unsigned long long)caps->local_mem_bytes);
        add_to_log(result, text);
    }
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

/* Who has no binary of his own to compile again. */
#define KEPT " (pyopencl keeps binaries of sources: PYOPENCL_NO_CACHE=1)"

/* Hosts that load binaries seldom print logs: what was set in vain is said on standard error. */
static void tell_late_settings(const struct _cl_program *program, struct sl_build *result)
{
    static const char deep[] =
        "its pipes are as deep as they were compiled; set it for sluicec or aoc" KEPT;
    const char *depths = sl_config(SL_CONFIG_FPGA_DEPTHS), *mode = sl_config(SL_CONFIG_FPGA_DEPTH);
    const struct sl_module_info *info = result->code->info;
    if (program->origin != SL_FROM_BINARY || !info->pipe_count ||
        !(result->code->device->caps.features & SL_FEATURE_DATAFLOW))
        return;
    if (mode && *mode)
        tell_late(result, SL_CONFIG_FPGA_DEPTH, deep);
    if (depths && *depths)
        tell_late(result, SL_CONFIG_FPGA_DEPTHS, deep);
    if (sl_config_bool(SL_CONFIG_FPGA_TIMING) && !info->timing)
        tell_late(
            result, SL_CONFIG_FPGA_TIMING,
            "it was compiled without a schedule; sluicec and aoc keep one by -sluice-timing" KEPT);
}

void sl_warn_of_loaded(const struct _cl_program *program, struct sl_build *result)
{
    const struct sl_module_info *info = result->code->info;
    for (uint32_t i = 0; i < info->kernel_count; i++)
        tell_too_large(result, &info->kernels[i]);
    add_warnings(result);
    tell_settings(program, result);
    tell_late_settings(program, result);
}
