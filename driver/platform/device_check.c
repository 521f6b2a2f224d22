/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each check is a function that writes what is wrong and returns false. The processor's names are
 * those of the compiler's LLVM, since a name it does not know would end each build with an error
 * of its own.
 */
#include "platform/device_check.h"

#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/query/info.h"

struct report {
    char *why;
    size_t capacity;
};

__attribute__((format(printf, 2, 3))) static bool wrong(const struct report *report,
                                                        const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(report->why, report->capacity, fmt, args);
    va_end(args);
    return false;
}

static bool named(const struct report *report, const char *fact, const char *text)
{
    return text && *text ? true : wrong(report, "%s is empty", fact);
}

static bool names(const struct sl_device_caps *caps, const struct report *report)
{
    if (!named(report, "name", caps->name) || !named(report, "vendor", caps->vendor))
        return false;
    if (!caps->short_name)
        return true;
    if (!*caps->short_name || strpbrk(caps->short_name, ", \t\n"))
        return wrong(report, "short_name \"%s\" is no word for SLUICE_DEVICES", caps->short_name);
    return true;
}

static bool type(const struct sl_device_caps *caps, const struct report *report)
{
    switch (caps->type & ~(uint64_t)CL_DEVICE_TYPE_DEFAULT) {
    case CL_DEVICE_TYPE_CPU:
    case CL_DEVICE_TYPE_GPU:
    case CL_DEVICE_TYPE_ACCELERATOR:
    case CL_DEVICE_TYPE_CUSTOM:
        return true;
    default:
        return wrong(report, "type 0x%llx is not one of CL_DEVICE_TYPE_*",
                     (unsigned long long)caps->type);
    }
}

static bool custom(const struct sl_device_caps *caps)
{
    return caps->type & CL_DEVICE_TYPE_CUSTOM;
}

/* What is divided by, or bounds what an application may ask for. */
static bool sizes(const struct sl_device_caps *caps, const struct report *report)
{
    const struct {
        const char *fact;
        bool missing;
    } rows[] = {
        {"compute_units", !caps->compute_units},
        {"max_work_group_size", !caps->max_work_group_size},
        {"max_work_item_sizes[0]", !caps->max_work_item_sizes[0]},
        {"max_work_item_sizes[1]", !caps->max_work_item_sizes[1]},
        {"max_work_item_sizes[2]", !caps->max_work_item_sizes[2]},
        {"preferred_group_multiple", !caps->preferred_group_multiple},
        {"global_mem_bytes", !caps->global_mem_bytes},
        {"max_alloc_bytes", !caps->max_alloc_bytes},
        {"max_parameter_bytes", !caps->max_parameter_bytes},
        {"mem_base_align_bits", !caps->mem_base_align_bits},
        {"local_mem_bytes", !custom(caps) && !caps->local_mem_bytes},
        {"max_constant_bytes", !custom(caps) && !caps->max_constant_bytes},
        {"print_buffer_bytes", !custom(caps) && !caps->print_buffer_bytes},
        {"single_fp_config", !custom(caps) && !caps->single_fp_config},
    };
    char zeros[256] = "";
    unsigned count = 0;
    for (size_t i = 0; i < SL_LEN(rows); i++) {
        size_t used = strlen(zeros);
        if (rows[i].missing)
            snprintf(zeros + used, sizeof zeros - used, "%s%s", count++ ? ", " : "", rows[i].fact);
    }
    if (count)
        return wrong(report, "%s %s 0", zeros, count > 1 ? "are" : "is");
    if (caps->max_alloc_bytes > caps->global_mem_bytes)
        return wrong(report, "max_alloc_bytes is more than global_mem_bytes");
    if (caps->mem_base_align_bits % 8 ||
        caps->mem_base_align_bits & (caps->mem_base_align_bits - 1))
        return wrong(report, "mem_base_align_bits %u is no power of two of bytes",
                     caps->mem_base_align_bits);
    return true;
}

/* What comes with a feature. */
static bool features(const struct sl_device_caps *caps, const struct report *report)
{
    const struct {
        uint32_t feature;
        bool missing;
        const char *text;
    } rows[] = {
        {SL_FEATURE_FP64, !caps->double_fp_config, "SL_FEATURE_FP64 without double_fp_config"},
        {SL_FEATURE_FP16, !caps->half_fp_config, "SL_FEATURE_FP16 without half_fp_config"},
        {SL_FEATURE_IMAGES, !caps->image2d_max[0] || !caps->image2d_max[1] || !caps->max_samplers,
         "SL_FEATURE_IMAGES without image2d_max or max_samplers"},
        {SL_FEATURE_IMAGES, !caps->max_read_images || !caps->max_write_images,
         "SL_FEATURE_IMAGES without max_read_images or max_write_images"},
        {SL_FEATURE_IMAGE_3D_WRITES, !(caps->features & SL_FEATURE_IMAGES),
         "SL_FEATURE_IMAGE_3D_WRITES without SL_FEATURE_IMAGES"},
        {SL_FEATURE_DATAFLOW, !(caps->features & SL_FEATURE_PIPES),
         "SL_FEATURE_DATAFLOW without SL_FEATURE_PIPES"},
        {SL_FEATURE_DEVICE_ENQUEUE, !caps->device_queue_max_bytes || !caps->max_device_queues,
         "SL_FEATURE_DEVICE_ENQUEUE without device_queue_max_bytes or max_device_queues"},
    };
    for (size_t i = 0; i < SL_LEN(rows); i++)
        if (caps->features & rows[i].feature && rows[i].missing)
            return wrong(report, "%s", rows[i].text);
    return true;
}

static bool known_processor(const char *name)
{
    static const char *const list[] = {
#define SL_PROCESSOR(name) name,
#define SL_PROCESSOR_FEATURE(name)
#include "platform/processor_names.def"
#undef SL_PROCESSOR
#undef SL_PROCESSOR_FEATURE
    };
    for (size_t i = 0; i < SL_LEN(list); i++)
        if (!strcmp(list[i], name))
            return true;
    return false;
}

static bool known_feature(const char *name, size_t length)
{
    static const char *const list[] = {
#define SL_PROCESSOR(name)
#define SL_PROCESSOR_FEATURE(name) name,
#include "platform/processor_names.def"
#undef SL_PROCESSOR
#undef SL_PROCESSOR_FEATURE
    };
    for (size_t i = 0; i < SL_LEN(list); i++)
        if (strlen(list[i]) == length && !strncmp(list[i], name, length))
            return true;
    return false;
}

/* "+avx2,-fma", each with its sign. */
static bool feature_list(const char *text, const struct report *report)
{
    while (*text) {
        size_t length = strcspn(text, ",");
        if (length < 2 || !strchr("+-", *text) || !known_feature(text + 1, length - 1))
            return wrong(report, "cpu_features has \"%.*s\", which the compiler does not know",
                         (int)length, text);
        text += length + (text[length] == ',');
    }
    return true;
}

static bool target(const struct sl_device_caps *caps, const struct report *report)
{
    const size_t room = sizeof((struct sl_binary_header){0}.target) - 1;
    if (!named(report, "target", caps->target))
        return false;
    if (strlen(caps->target) > room)
        return wrong(report, "target has %zu letters, %zu are possible", strlen(caps->target),
                     room);
    if (caps->cpu && *caps->cpu && !known_processor(caps->cpu))
        return wrong(report, "cpu \"%s\" is no processor that the compiler knows", caps->cpu);
    return feature_list(caps->cpu_features ? caps->cpu_features : "", report);
}

bool sl_facts_sound(const struct sl_device_caps *caps, char *why, size_t capacity)
{
    const struct report report = {why, capacity};
    return names(caps, &report) && type(caps, &report) && sizes(caps, &report) &&
           features(caps, &report) && target(caps, &report);
}
