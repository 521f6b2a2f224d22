/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device with a fault, or with something of its own, by the name of the file it was loaded from:
 * NAME.sluice7.so has row NAME of the table. Where FILE.trace exists beside it, what happens to
 * it is written there, line by line. No lock: nothing is shared.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/device.h"

enum { OUT_OF_RESOURCES = -5, TYPE_CPU = 1 << 1, TYPE_CUSTOM = 1 << 4 };

static const struct sl_host_ops *host; /* set once, when the library is asked */

static const char *own_file(void)
{
    Dl_info info;
    return dladdr((void *)(uintptr_t)own_file, &info) ? info.dli_fname : "";
}

static void note(const char *what)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.trace", own_file());
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0)
        return;
    dprintf(file, "%s\n", what);
    close(file);
}

__attribute__((constructor)) static void loaded(void)
{
    note("load");
}

__attribute__((destructor)) static void unloaded(void)
{
    note("unload");
}

static void close_device(struct sl_device *device)
{
    note("close");
    free(device);
}

static int start(struct sl_device *device)
{
    (void)device;
    note("start");
    return 0;
}

static void stop(struct sl_device *device)
{
    (void)device;
    note("stop");
}

static int memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                         struct sl_memory **out)
{
    (void)device, (void)desc, (void)out;
    return OUT_OF_RESOURCES;
}

static void memory_destroy(struct sl_memory *memory)
{
    (void)memory;
}

static void *memory_host(struct sl_memory *memory)
{
    (void)memory;
    return NULL;
}

static int work_queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                             struct sl_work_queue **out)
{
    (void)device, (void)desc, (void)out;
    return OUT_OF_RESOURCES;
}

static void work_queue_destroy(struct sl_work_queue *work_queue)
{
    (void)work_queue;
}

static void submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    (void)work_queue;
    host->finished(work, OUT_OF_RESOURCES);
}

/* An OpenCL extension function of the device's own: how many compute units the device has. */
static uint32_t count_units(void *device_id)
{
    const struct sl_handles *handles = host->query(SL_QUERY_HANDLES);
    struct sl_device *device = handles ? handles->device(device_id) : NULL;
    return device ? device->caps.compute_units : 0;
}

static int build_nothing(struct sl_device *device, struct sl_program_request *request)
{
    (void)device, (void)request;
    return OUT_OF_RESOURCES;
}

static const void *query(struct sl_device *device, const char *name)
{
    static const struct sl_program_ops programs = {
        .size = sizeof programs, .forms = SL_PROGRAM_BUILT_IN, .build = build_nothing};
    static const struct sl_named_version kernels[] = {{"one", 1}, {"two;three", 1}, {0}};
    static const struct sl_named_version rows[] = {{"cl_nobody_units", 1u << 22 | 2u << 12}, {0}};
    static const struct sl_named_version faulty[] = {{"cl nobody", 1}, {0}};
    bool fault = strcmp(device->caps.short_name, "extension") == 0;
    if (!strcmp(name, SL_QUERY_EXTENSIONS))
        return fault ? faulty : rows;
    if (!strcmp(device->caps.short_name, "kernel"))
        return !strcmp(name, SL_QUERY_PROGRAMS)           ? (const void *)&programs
               : !strcmp(name, SL_QUERY_BUILT_IN_KERNELS) ? kernels
                                                          : NULL;
    if (!strcmp(name, "clCountUnitsNOBODY"))
        return (const void *)(uintptr_t)count_units;
    return NULL;
}

static const struct sl_device_ops odd_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof odd_ops,
    .close = close_device,
    .start = start,
    .stop = stop,
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .memory_host = memory_host,
    .work_queue_create = work_queue_create,
    .work_queue_destroy = work_queue_destroy,
    .submit = submit,
    .query = query,
};

static const struct sl_device_caps sound_caps = {
    .name = "Odd device",
    .vendor = "Nobody",
    .short_name = "odd",
    .type = TYPE_CUSTOM,
    .compute_units = 7,
    .max_work_group_size = 1,
    .max_work_item_sizes = {1, 1, 1},
    .preferred_group_multiple = 1,
    .global_mem_bytes = 1 << 30,
    .max_alloc_bytes = 1 << 28,
    .max_parameter_bytes = 1024,
    .mem_base_align_bits = 1024,
    .target = "odd",
};

#define LETTERS_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Makes the facts of the row `name`; false: there is no such row. */
static bool spoil(struct sl_device_caps *caps, const char *name)
{
#define FAULT(word, change)                                                                        \
    if (!strcmp(name, word)) {                                                                     \
        change;                                                                                    \
        return true;                                                                               \
    }
    FAULT("sound", )
    FAULT("twin", caps->short_name = "twin")
    FAULT("no_name", caps->name = "")
    FAULT("no_vendor", caps->vendor = NULL)
    FAULT("no_word", caps->short_name = "a,b")
    FAULT("type_0", caps->type = 0)
    FAULT("type_two", caps->type = TYPE_CPU | TYPE_CUSTOM)
    FAULT("no_units", caps->compute_units = 0)
    FAULT("no_group", caps->max_work_group_size = 0)
    FAULT("no_sizes",
          (caps->compute_units = 0, caps->max_work_group_size = 0, caps->global_mem_bytes = 0))
    FAULT("no_items", caps->max_work_item_sizes[2] = 0)
    FAULT("no_memory", caps->global_mem_bytes = 0)
    FAULT("alloc", caps->max_alloc_bytes = caps->global_mem_bytes + 1)
    FAULT("align", caps->mem_base_align_bits = 1000)
    FAULT("no_local", caps->type = TYPE_CPU)
    FAULT("fp64", caps->features = SL_FEATURE_FP64)
    FAULT("images", caps->features = SL_FEATURE_IMAGES)
    FAULT("no_target", caps->target = NULL)
    FAULT("long_target", caps->target = LETTERS_64)
    FAULT("cpu", caps->cpu = "skylak")
    FAULT("feature", caps->cpu_features = "+avx2,+avx521f")
    FAULT("sign", caps->cpu_features = "avx2")
    FAULT("good_cpu", (caps->cpu = "skylake", caps->cpu_features = "+avx2,-fma"))
    FAULT("extension", caps->short_name = "extension")
    FAULT("kernel", caps->short_name = "kernel")
#undef FAULT
    return false;
}

__attribute__((visibility("default"))) int sl_device_plugin(const struct sl_host_ops *ops,
                                                            struct sl_device_list *list)
{
    static struct sl_device_ops other_ops;
    char name[64] = "";
    const char *file = strrchr(own_file(), '/');
    snprintf(name, sizeof name, "%s", file ? file + 1 : "");
    name[strcspn(name, ".")] = 0;
    struct sl_device *device = calloc(1, sizeof *device);
    if (!device)
        return OUT_OF_RESOURCES;
    host = ops;
    device->ops = &odd_ops;
    device->caps = sound_caps;
    list->devices[list->count++] = device;
    if (spoil(&device->caps, name))
        return 0;
    other_ops = odd_ops;
    device->ops = &other_ops;
    if (!strcmp(name, "other_abi"))
        other_ops.abi++;
    else if (!strcmp(name, "no_submit"))
        other_ops.submit = NULL;
    else if (!strcmp(name, "short_table"))
        other_ops.size = offsetof(struct sl_device_ops, query);
    else
        return OUT_OF_RESOURCES;
    return 0;
}
