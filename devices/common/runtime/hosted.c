/* SPDX-License-Identifier: Apache-2.0 */
/* What all devices on this machine's cores have in common. No lock: the driver serialises start,
 * stop. */
#include "common/runtime/hosted.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/times.h"
#include "common/base/values.h"
#include "common/kernel/ndrange.h"
#include "common/kernel/shared_pipe.h"
#include "common/machine/isa.h"
#include "common/memory/memory.h"
#include "common/runtime/code.h"
#include "sluice/base/extension.h"
#include "sluice/group_sizes.h"

static const uint64_t kib = 1 << 10, mib = 1 << 20;
/* Variables of one program; they are part of its code, which each device loads for itself. */
static const size_t most_globals = 1 << 20;
/* Of what a worker's stack has, less what the code around a work-item needs. */
static const size_t most_stack = SL_WORKER_STACK - SL_SPARE_STACK;

/* SLUICE_STREAM_KIB in bytes; *bytes stays where it is not set. False: it means nothing. */
static bool read_stream(const struct sl_host_ops *host, uint64_t *bytes)
{
    const char *text = host->config("SLUICE_STREAM_KIB");
    if (!text || !*text)
        return true;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number >= UINT32_MAX)
        return false;
    *bytes = number * kib;
    return true;
}

/* What all devices read, the first that is opened checks. */
static void check_settings(const struct sl_host_ops *host)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    const char *threads = host->config("SLUICE_NUM_THREADS"), *cpu = host->config("SLUICE_CPU");
    const char *wrong = sl_isa_complaint(cpu);
    bool odd = threads && *threads && !sl_topology_threads(threads);
    uint64_t unused;
    bool lost = !read_stream(host, &unused);
    if ((!odd && !wrong && !lost) || atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))
        return;
    if (odd)
        host->log(SL_LOG_WARN, "setting", "SLUICE_NUM_THREADS=%s is no positive number: ignored",
                  threads);
    if (wrong)
        host->log(SL_LOG_WARN, "setting", "SLUICE_CPU=%s is not %s: ignored", cpu, wrong);
    if (lost)
        host->log(SL_LOG_WARN, "setting", "SLUICE_STREAM_KIB=%s is no number of KiB: ignored",
                  host->config("SLUICE_STREAM_KIB"));
}

static int create(const struct sl_host_ops *host, const char *topic, struct sl_hosted **out)
{
    struct sl_hosted *hosted = aligned_alloc(64, (sizeof *hosted + 63) / 64 * 64);
    if (!hosted)
        return SL_OUT_OF_HOST_MEMORY;
    memset(hosted, 0, sizeof *hosted);
    check_settings(host);
    sl_topology_read(&hosted->topology, host->config("SLUICE_NUM_THREADS"), "");
    enum sl_placing placing = sl_placing_from(host->config("SLUICE_PIN_THREADS"));
    const struct sl_sched_desc desc = {.host = host,
                                       .device = &hosted->base,
                                       .topic = topic,
                                       .units = hosted->topology.units,
                                       .placing = placing};
    int rc = sl_sched_init(&hosted->sched, &desc);
    if (rc) {
        free(hosted);
        return rc;
    }
    /* while source and copy fit into the last cache, the reader that follows finds the copy there
     */
    hosted->sched.stream_from = sl_clamp(hosted->topology.last_cache_bytes / 2, 2 * mib, 16 * mib);
    read_stream(host, &hosted->sched.stream_from);
    hosted->sched.most_stack = most_stack;
    sl_bound_init(&hosted->bound);
    sl_nest_init(&hosted->nest, &hosted->base.caps, hosted->sched.units);
    *out = hosted;
    return 0;
}

static const size_t usual_group = SL_GROUP_ITEMS_CPU;

static void size_caps(struct sl_device_caps *caps)
{
    caps->max_work_group_size = usual_group;
    for (int i = 0; i < 3; i++)
        caps->max_work_item_sizes[i] = usual_group;
    caps->max_parameter_bytes = 4096;
    caps->max_stack_bytes = most_stack;
    caps->print_buffer_bytes = mib;
    caps->mem_base_align_bits = 1024; /* a long16 */
    caps->local_mem_type = SL_LOCAL_IS_GLOBAL_MEMORY;
    caps->global_cache_type = SL_CACHE_READ_WRITE;
    caps->timer_resolution_ns = 1;
    caps->host_unified_memory = true;
}

/* What compiled code is able to, on whatever device. */
static void language_caps(struct sl_device_caps *caps)
{
    caps->features |= SL_FEATURES_LANGUAGE;
    caps->max_global_variable_bytes = most_globals;
}

/* Images are rows in host memory and may start anywhere: the sizes are a choice. */
static void image_caps(struct sl_device_caps *caps)
{
    caps->features |= SL_FEATURES_IMAGES;
    for (int i = 0; i < 2; i++)
        caps->image2d_max[i] = 16384;
    for (int i = 0; i < 3; i++)
        caps->image3d_max[i] = 2048;
    caps->image_max_buffer = (size_t)1 << 27;
    caps->image_max_array = 2048;
    caps->max_samplers = 16;
    caps->max_read_images = 128;
    caps->max_write_images = 64;
    caps->image_pitch_align = 1; /* in elements */
    caps->image_base_align = 1;
}

void sl_hosted_caps(struct sl_hosted *hosted)
{
    const struct sl_topology *topology = &hosted->topology;
    struct sl_device_caps *caps = &hosted->base.caps;
    size_caps(caps);
    language_caps(caps);
    image_caps(caps);
    caps->compute_units = topology->units;
    caps->max_clock_mhz = topology->clock_mhz;
    caps->global_mem_bytes = topology->memory_bytes;
    caps->max_alloc_bytes = topology->memory_bytes / 2 / (64 * kib) * (64 * kib);
    caps->max_constant_bytes = sl_clamp(caps->max_alloc_bytes, 64 * kib, 4 * mib);
    /* local memory should stay in the core's own cache */
    caps->local_mem_bytes = sl_clamp(topology->l2_bytes / 2, 64 * kib, 512 * kib);
    caps->global_cache_bytes = topology->last_cache_bytes;
    caps->global_cacheline_bytes = topology->cacheline_bytes;
    caps->single_fp_config = SL_FP_DENORM | SL_FP_INF_NAN | SL_FP_NEAREST | SL_FP_FMA;
    caps->half_fp_config = SL_FP_DENORM | SL_FP_INF_NAN | SL_FP_NEAREST | SL_FP_FMA;
    caps->double_fp_config =
        SL_FP_DENORM | SL_FP_INF_NAN | SL_FP_NEAREST | SL_FP_ZERO | SL_FP_INF | SL_FP_FMA;
}

static void close_device(struct sl_device *device)
{
    struct sl_hosted *hosted = sl_hosted(device);
    sl_bound_finish(&hosted->bound);
    sl_sched_finish(&hosted->sched);
    sl_nest_finish(&hosted->nest);
    free(hosted);
}

static int start(struct sl_device *device)
{
    return sl_pool_start(sl_hosted(device)->sched.pool);
}

static void stop(struct sl_device *device)
{
    sl_bound_stop(&sl_hosted(device)->bound);
    sl_pool_stop(sl_hosted(device)->sched.pool);
}

static void suggest(struct sl_device *device, const struct sl_kernel_info *kernel,
                    uint32_t work_dim, const size_t global[3], size_t local[3])
{
    const size_t most = device->caps.max_work_group_size;
    sl_ndrange_suggest(kernel, work_dim, global, sl_hosted(device)->sched.units,
                       most < usual_group ? most : usual_group, local);
}

const struct sl_device_ops sl_hosted_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof sl_hosted_ops,
    .close = close_device,
    .start = start,
    .stop = stop,
    .memory_create = sl_host_memory_create,
    .memory_destroy = sl_host_memory_destroy,
    .memory_host = sl_host_memory_host,
    .code_load = sl_code_create,
    .code_unload = sl_code_destroy,
    .work_queue_create = sl_work_queue_create,
    .work_queue_destroy = sl_work_queue_destroy,
    .submit = sl_work_queue_submit,
    .flush = sl_work_queue_flush,
    .assist = sl_work_queue_assist,
    .suggest_local_size = suggest,
    .pipe_create = sl_shared_pipe_create,
    .pipe_destroy = sl_shared_pipe_destroy,
    .pipe_ring = sl_shared_pipe_ring,
    .domains = sl_bound_domains,
    .pipe_pass = sl_shared_pipe_pass,
    .queue_create = sl_nest_queue_create,
    .queue_destroy = sl_nest_queue_destroy,
    .kernel_cost = sl_code_kernel_cost,
};

int sl_hosted_add(const struct sl_host_ops *host, struct sl_device_list *list, const char *topic,
                  void (*set_caps)(struct sl_hosted *))
{
    struct sl_hosted *hosted;
    if (list->count == list->capacity)
        return SL_OUT_OF_RESOURCES;
    int rc = create(host, topic, &hosted);
    if (rc)
        return rc;
    hosted->base.ops = &sl_hosted_ops;
    set_caps(hosted);
    list->devices[list->count++] = &hosted->base;
    return 0;
}
