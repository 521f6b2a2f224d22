/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least device there is, as a library outside the tree would be: it includes the interface and
 * nothing else. Work is over when it is submitted; copies and fills are made, kernels are not run.
 * No lock: nothing is shared.
 */
#include <stdlib.h>
#include <string.h>

#include "sluice/device.h"

enum { OUT_OF_HOST_MEMORY = -6, INVALID_BINARY = -42, TYPE_CUSTOM = 1 << 4 };

struct sl_memory {
    unsigned char *bytes;
    void *owned; /* NULL when the application's */
};

struct sl_work_queue {
    char unused;
};

static const struct sl_host_ops *host; /* set once, when the library is opened */

static void close_device(struct sl_device *device)
{
    free(device);
}

static int start(struct sl_device *device)
{
    (void)device;
    return 0;
}

static void stop(struct sl_device *device)
{
    (void)device;
}

static int memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                         struct sl_memory **out)
{
    (void)device;
    struct sl_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return OUT_OF_HOST_MEMORY;
    if (!desc->host_ptr)
        memory->owned = aligned_alloc(128, (desc->size_bytes + 127) / 128 * 128);
    memory->bytes = desc->host_ptr ? desc->host_ptr : memory->owned;
    if (!memory->bytes) {
        free(memory);
        return OUT_OF_HOST_MEMORY;
    }
    *out = memory;
    return 0;
}

static void memory_destroy(struct sl_memory *memory)
{
    if (memory)
        free(memory->owned);
    free(memory);
}

/* Built a second time as a device whose memory the host cannot see. */
static void *memory_host(struct sl_memory *memory)
{
#ifdef NULL_DEVICE_APART
    (void)memory;
    return NULL;
#else
    return memory->bytes;
#endif
}

static int code_load(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                     struct sl_code **out, const struct sl_module_info **info)
{
    (void)device, (void)elf, (void)elf_bytes, (void)name, (void)out, (void)info;
    return INVALID_BINARY;
}

static void code_unload(struct sl_code *code)
{
    (void)code;
}

static int work_queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                             struct sl_work_queue **out)
{
    (void)device, (void)desc;
    *out = calloc(1, sizeof **out);
    return *out ? 0 : OUT_OF_HOST_MEMORY;
}

static void work_queue_destroy(struct sl_work_queue *work_queue)
{
    free(work_queue);
}

static unsigned char *address(struct sl_place place)
{
    return place.memory ? place.memory->bytes + place.offset : (unsigned char *)place.offset;
}

static void copy(const struct sl_copy *c)
{
    for (size_t z = 0; z < c->region[2]; z++) {
        for (size_t y = 0; y < c->region[1]; y++)
            memcpy(address(c->dst) + z * c->dst_pitch[1] + y * c->dst_pitch[0],
                   address(c->src) + z * c->src_pitch[1] + y * c->src_pitch[0], c->region[0]);
    }
}

static void fill(const struct sl_fill *f)
{
    for (size_t z = 0; z < f->region[2]; z++) {
        for (size_t y = 0; y < f->region[1]; y++) {
            unsigned char *row = address(f->dst) + z * f->dst_pitch[1] + y * f->dst_pitch[0];
            for (size_t x = 0; x < f->region[0]; x += f->pattern_bytes)
                memcpy(row + x, f->pattern, f->pattern_bytes);
        }
    }
}

static void submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    (void)work_queue;
    host->started(work);
    switch (work->kind) {
    case SL_WORK_COPY:
        copy(&work->u.copy);
        break;
    case SL_WORK_FILL:
        fill(&work->u.fill);
        break;
    case SL_WORK_KERNEL:
    case SL_WORK_NATIVE:
    case SL_WORK_PIPE:
        break;
    }
    host->finished(work, 0);
}

static void flush(struct sl_work_queue *work_queue)
{
    (void)work_queue;
}

static bool assist(struct sl_work_queue *work_queue)
{
    (void)work_queue;
    return false;
}

static void suggest_local_size(struct sl_device *device, const struct sl_kernel_info *kernel,
                               uint32_t work_dim, const size_t global[3], size_t local[3])
{
    (void)device, (void)kernel, (void)work_dim, (void)global;
    local[0] = local[1] = local[2] = 1;
}

static const struct sl_device_ops null_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof null_ops,
    .close = close_device,
    .start = start,
    .stop = stop,
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .memory_host = memory_host,
    .code_load = code_load,
    .code_unload = code_unload,
    .work_queue_create = work_queue_create,
    .work_queue_destroy = work_queue_destroy,
    .submit = submit,
    .flush = flush,
    .assist = assist,
    .suggest_local_size = suggest_local_size,
};

static const struct sl_device_caps null_caps = {
    .name = "Null device",
    .vendor = "Nobody",
    .device_version = "null",
    .short_name = "null",
    .type = TYPE_CUSTOM,
    .vendor_id = 0x10FFF,
    .compute_units = 1,
    .max_clock_mhz = 1,
    .max_work_group_size = 1,
    .max_work_item_sizes = {1, 1, 1},
    .preferred_group_multiple = 1,
    .global_mem_bytes = 1 << 30,
    .max_alloc_bytes = 1 << 28,
    .local_mem_bytes = 1 << 15,
    .max_constant_bytes = 1 << 16,
    .global_cacheline_bytes = 64,
    .mem_base_align_bits = 1024,
    .local_mem_type = 2,
    .max_parameter_bytes = 1024,
    .print_buffer_bytes = 1 << 20,
    .timer_resolution_ns = 1,
    .host_unified_memory = true,
    .target = "null",
    .cpu = "",
    .cpu_features = "",
};

__attribute__((visibility("default"))) int sl_device_plugin(const struct sl_host_ops *ops,
                                                            struct sl_device_list *list)
{
    struct sl_device *device = calloc(1, sizeof *device);
    if (!device)
        return OUT_OF_HOST_MEMORY;
    host = ops;
    device->ops = &null_ops;
    device->caps = null_caps;
    list->devices[list->count++] = device;
    return 0;
}
