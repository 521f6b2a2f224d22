/* SPDX-License-Identifier: Apache-2.0 */
/* See two_devices.h. No lock: used from one thread. */
#include "two_devices.h"

#include "sluice/device.h"

int fake_starts, fake_stops, fake_start_result;

static void close_device(struct sl_device *device)
{
    (void)device;
}

static int start(struct sl_device *device)
{
    if (device->caps.type != CL_DEVICE_TYPE_CPU)
        return 0;
    fake_starts += !fake_start_result;
    return fake_start_result;
}

static void stop(struct sl_device *device)
{
    fake_stops += device->caps.type == CL_DEVICE_TYPE_CPU;
}

static int memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                         struct sl_memory **out)
{
    (void)device, (void)desc, (void)out;
    return CL_OUT_OF_RESOURCES;
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
    (void)device, (void)desc;
    *out = NULL;
    return 0;
}

static void work_queue_destroy(struct sl_work_queue *work_queue)
{
    (void)work_queue;
}

static void submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    (void)work_queue, (void)work;
}

#define MANDATORY_ROWS                                                                             \
    .close = close_device, .start = start, .stop = stop, .memory_create = memory_create,           \
    .memory_destroy = memory_destroy, .memory_host = memory_host,                                  \
    .work_queue_create = work_queue_create, .work_queue_destroy = work_queue_destroy
/* Two memories, a last cache for all, a cache for the first unit and one for the others. */
static const struct sl_domains *domains(struct sl_device *device)
{
    static const uint32_t nodes[] = {0, 0, 1, 1}, last[] = {0, 0, 0, 0}, first[] = {7, 8, 8, 8};
    static const struct sl_domains all = {
        .of = {[SL_DOMAIN_NUMA] = nodes, [SL_DOMAIN_L3] = last, [SL_DOMAIN_L1] = first}};
    return device->caps.type == CL_DEVICE_TYPE_CPU ? &all : NULL;
}

static const struct sl_device_ops ops = {
    .abi = SL_DEVICE_ABI, .size = sizeof ops, MANDATORY_ROWS, .submit = submit, .domains = domains};
/* Made before the rows behind submit existed: what lies there is none of the driver's business. */
static const struct sl_device_ops short_ops = {.abi = SL_DEVICE_ABI,
                                               .size = offsetof(struct sl_device_ops, flush),
                                               MANDATORY_ROWS,
                                               .submit = submit,
                                               .flush = work_queue_destroy};
static const struct sl_device_ops lame_ops = {
    .abi = SL_DEVICE_ABI, .size = sizeof ops, MANDATORY_ROWS}; /* no submit: refused */
static struct sl_device devices[] = {
    [FAKE_CPU] = {.ops = &ops,
                  .caps = {.name = "Fake CPU",
                           .vendor = "nobody",
                           .short_name = "cpu",
                           .type = CL_DEVICE_TYPE_CPU,
                           .vendor_id = 0x10099,
                           .features = SL_FEATURE_FP64 | SL_FEATURE_INT64_ATOMICS |
                                       SL_FEATURE_IMAGES | SL_FEATURE_IMAGE_3D_WRITES |
                                       SL_FEATURE_NATIVE_KERNELS,
                           .compute_units = 4,
                           .max_work_group_size = 1024,
                           .max_work_item_sizes = {1024, 512, 256},
                           .global_mem_bytes = 1u << 30,
                           .max_sub_devices = 4}},
    [FAKE_FPGA] = {.ops = &short_ops,
                   .caps = {.name = "Fake FPGA",
                            .short_name = "fpga",
                            .type = CL_DEVICE_TYPE_ACCELERATOR,
                            .compute_units = 1}},
    [FAKE_LAME] = {.ops = &lame_ops, .caps = {.name = "Lame", .short_name = "lame"}},
};

static int plugin(const struct sl_host_ops *host, struct sl_device_list *list)
{
    if (host->abi != SL_DEVICE_ABI || list->capacity < 3)
        return CL_INVALID_VALUE;
    list->devices[list->count++] = &devices[FAKE_CPU];
    list->devices[list->count++] = &devices[FAKE_FPGA];
    list->devices[list->count++] = &devices[FAKE_LAME];
    return 0;
}

const sl_device_plugin_fn sl_builtin_devices[] = {plugin, NULL};

cl_device_id fake_device(int which)
{
    return sl_platform()->devices[which];
}
