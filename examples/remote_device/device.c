/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device whose kernels run in another process (worker.c), as on a card behind a bus: its memory
 * is its own, modules are sent to it, and each piece of work is a request. What a kernel breaks is
 * that process's, and its works end with an error. Here: what it is, and when it starts and ends.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "card.h"
#include "common/kernel/ndrange.h"
#include "common/machine/isa.h"

/* ---- life ------------------------------------------------------------------------------------ */

static int start(struct sl_device *device)
{
    struct remote *remote = remote_of(device);
    remote->stopping = false;
    int rc = card_start_worker(remote);
    if (rc)
        return rc;
    if (!pthread_create(&remote->thread, NULL, card_serve, remote))
        return 0;
    card_stop_worker(remote);
    return SL_OUT_OF_RESOURCES;
}

static void stop(struct sl_device *device)
{
    struct remote *remote = remote_of(device);
    pthread_mutex_lock(&remote->lock);
    remote->stopping = true;
    pthread_cond_signal(&remote->changed);
    pthread_mutex_unlock(&remote->lock);
    pthread_join(remote->thread, NULL);
    card_stop_worker(remote);
}

static void close_device(struct sl_device *device)
{
    struct remote *remote = remote_of(device);
    munmap(REMOTE_BASE, REMOTE_BYTES);
    close(remote->memory_fd);
    free(remote);
}

static void suggest_local_size(struct sl_device *device, const struct sl_kernel_info *kernel,
                               uint32_t work_dim, const size_t global[3], size_t local[3])
{
    sl_ndrange_suggest(kernel, work_dim, global, 1, device->caps.max_work_group_size, local);
}

static const struct sl_device_ops ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof ops,
    .close = close_device,
    .start = start,
    .stop = stop,
    .memory_create = card_memory_create,
    .memory_destroy = card_memory_destroy,
    .memory_host = card_memory_host,
    .code_load = card_code_load,
    .code_unload = card_code_unload,
    .work_queue_create = card_queue_create,
    .work_queue_destroy = card_queue_destroy,
    .submit = card_submit,
    .suggest_local_size = suggest_local_size,
};

static void set_caps(struct sl_device_caps *caps, const char *level)
{
    *caps = (struct sl_device_caps){
        .name = "Remote device",
        .vendor = "An example",
        .short_name = "remote",
        .type = SL_TYPE_ACCELERATOR,
        .features = SL_FEATURE_FP64 | SL_FEATURE_INT64_ATOMICS | SL_FEATURE_NON_UNIFORM_GROUPS |
                    SL_FEATURE_NATIVE_KERNELS,
        .compute_units = 1,
        .max_work_group_size = 1024,
        .max_work_item_sizes = {1024, 1024, 1024},
        .preferred_group_multiple = 16,
        .global_mem_bytes = REMOTE_BYTES,
        .max_alloc_bytes = REMOTE_BYTES / 4,
        .local_mem_bytes = 64 << 10,
        .max_constant_bytes = 64 << 10,
        .max_parameter_bytes = 1024,
        .print_buffer_bytes = 1 << 20,
        .mem_base_align_bits = 1024,
        .local_mem_type = SL_LOCAL_IS_GLOBAL_MEMORY,
        .single_fp_config = SL_FP_DENORM | SL_FP_INF_NAN | SL_FP_NEAREST | SL_FP_FMA,
        .double_fp_config =
            SL_FP_DENORM | SL_FP_INF_NAN | SL_FP_NEAREST | SL_FP_ZERO | SL_FP_INF | SL_FP_FMA,
        .timer_resolution_ns = 1,
    };
    sl_isa_caps(caps, level); /* target, processor, vector widths */
}

__attribute__((visibility("default"))) int sl_device_plugin(const struct sl_host_ops *host,
                                                            struct sl_device_list *list)
{
    struct remote *remote = calloc(1, sizeof *remote);
    if (!remote)
        return SL_OUT_OF_HOST_MEMORY;
    remote->host = host;
    remote->base.ops = &ops;
    remote->tail = &remote->head;
    set_caps(&remote->base.caps, host->config("SLUICE_CPU"));
    pthread_mutex_init(&remote->lock, NULL);
    pthread_mutex_init(&remote->blocks, NULL);
    pthread_mutex_init(&remote->bus, NULL);
    pthread_cond_init(&remote->changed, NULL);
    int fd = memfd_create("remote", MFD_CLOEXEC);
    remote->memory_fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 64);
    close(fd);
    if (remote->memory_fd >= 0 && !ftruncate(remote->memory_fd, REMOTE_BYTES) &&
        mmap(REMOTE_BASE, REMOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
             remote->memory_fd, 0) == REMOTE_BASE) {
        list->devices[list->count++] = &remote->base;
        return 0;
    }
    close(remote->memory_fd);
    free(remote);
    return SL_OUT_OF_RESOURCES;
}
