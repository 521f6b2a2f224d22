/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device whose kernels run in another process (worker.c), as on a card behind a bus: its memory
 * is its own, modules are sent to it, and each launch is a request. What a kernel breaks is that
 * process's, and its works end with an error. Work queues, blocks of memory and the process are
 * the kit's (common/); here is what is this device's own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/peer.h"
#include "common/base/values.h"
#include "common/kernel/loader.h"
#include "common/kernel/ndrange.h"
#include "common/machine/isa.h"
#include "common/memory/blocks.h"
#include "common/memory/copy.h"
#include "common/runtime/serial.h"
#include "remote.h"

struct remote {
    struct sl_device base; /* first: the driver knows this part */
    const struct sl_host_ops *host;
    int memory_fd;
    struct sl_blocks blocks; /* of the card's memory */
    struct sl_peer card;
    struct sl_serial works;
};

struct sl_memory {
    struct remote *remote;
    size_t bytes;
    unsigned char *at;   /* on the card */
    unsigned char *host; /* the application's own, of which `at` is a copy while a kernel runs */
    unsigned char *sent; /* owned: what that copy was; both NULL: there is none */
};

struct sl_code {
    struct remote *remote;
    struct sl_loaded loaded; /* for its tables only */
    uint64_t code;           /* the card's */
};

static struct remote *remote_of(struct sl_device *device)
{
    return (struct remote *)(void *)device;
}

static struct remote_answer ask(struct remote *remote, const struct remote_request *request)
{
    struct remote_answer answer;
    if (sl_peer_ask(&remote->card, request, sizeof *request, &answer, sizeof answer))
        return answer;
    return (struct remote_answer){.status = SL_OUT_OF_RESOURCES,
                                  .why = "the card's process has ended"};
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void memory_destroy(struct sl_memory *memory)
{
    sl_blocks_give(&memory->remote->blocks, memory->at);
    free(memory->sent);
    free(memory);
}

static int memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                         struct sl_memory **out)
{
    struct remote *remote = remote_of(device);
    struct sl_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return SL_OUT_OF_HOST_MEMORY;
    *memory = (struct sl_memory){.remote = remote,
                                 .bytes = desc->size_bytes,
                                 .at = sl_blocks_take(&remote->blocks, desc->size_bytes),
                                 .host = desc->host_ptr};
    if (memory->host)
        memory->sent = malloc(desc->size_bytes);
    if (!memory->at || (memory->host && !memory->sent)) {
        memory_destroy(memory);
        return SL_MEM_ALLOCATION_FAILURE;
    }
    if (!desc->filled)
        memset(memory->at, 0, desc->size_bytes);
    *out = memory;
    return 0;
}

static void *memory_host(struct sl_memory *memory)
{
    return memory->host ? memory->host : memory->at;
}

static void send_to_card(struct sl_memory *memory)
{
    if (!memory->host)
        return;
    memcpy(memory->sent, memory->host, memory->bytes);
    memcpy(memory->at, memory->sent, memory->bytes);
}

/* Only bytes that have changed: the application may write to others meanwhile. */
static void receive(struct sl_memory *memory)
{
    for (size_t i = 0; memory->host && i < memory->bytes; i++)
        if (memory->at[i] != memory->sent[i])
            memory->host[i] = memory->at[i];
}

/* ---- code ------------------------------------------------------------------------------------ */

static int code_load(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                     struct sl_code **out, const struct sl_module_info **info)
{
    struct remote *remote = remote_of(device);
    struct sl_code *code = calloc(1, sizeof *code);
    unsigned char *copy = code ? sl_blocks_take(&remote->blocks, elf_bytes) : NULL;
    int rc = copy ? sl_loader_open(&code->loaded, elf, elf_bytes, name, NULL, remote->host)
                  : SL_OUT_OF_HOST_MEMORY;
    if (!rc) {
        memcpy(copy, elf, elf_bytes);
        struct remote_answer answer =
            ask(remote,
                &(struct remote_request){.kind = REMOTE_LOAD, .elf = copy, .elf_bytes = elf_bytes});
        code->remote = remote;
        code->code = answer.code;
        *info = code->loaded.info;
        rc = answer.status;
        if (rc)
            sl_loader_close(&code->loaded);
    }
    sl_blocks_give(&remote->blocks, copy);
    if (rc)
        free(code);
    else
        *out = code;
    return rc;
}

static void code_unload(struct sl_code *code)
{
    ask(code->remote, &(struct remote_request){.kind = REMOTE_UNLOAD, .code = code->code});
    sl_loader_close(&code->loaded);
    free(code);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Memory as the card has it. An argument elsewhere, say in another device's memory, would end its
 * process. */
static int set_pointers(struct remote *remote, struct sl_work *work,
                        const struct sl_kernel_info *kernel, unsigned char *block)
{
    const struct sl_launch_args *args = &work->u.kernel;
    for (uint32_t i = 0; i < args->memory_count; i++) {
        const struct sl_arg_memory *one = &args->memories[i];
        uint64_t address = (uintptr_t)one->memory->at + one->offset;
        memcpy(block + kernel->args[one->arg_index].offset, &address, sizeof address);
    }
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        const struct sl_arg_info *arg = &kernel->args[i];
        uint64_t address;
        if (arg->kind != SL_ARG_GLOBAL && arg->kind != SL_ARG_CONSTANT)
            continue;
        memcpy(&address, block + arg->offset, sizeof address);
        if (!address || address - (uintptr_t)REMOTE_BASE < REMOTE_BYTES)
            continue;
        char why[128];
        snprintf(why, sizeof why, "argument %u is in memory that the card does not reach", i);
        remote->host->failed(work, why);
        return SL_MEM_ALLOCATION_FAILURE;
    }
    return 0;
}

static int launch(struct remote *remote, struct sl_work *work, const char *name, const void *block)
{
    const struct sl_launch_args *args = &work->u.kernel;
    struct remote_request request = {REMOTE_RUN, .code = args->code->code, .launch = *args};
    request.launch.args = block;
    for (uint32_t i = 0; i < args->memory_count; i++)
        send_to_card(args->memories[i].memory);
    struct remote_answer answer = ask(remote, &request);
    for (uint32_t i = 0; i < args->memory_count; i++)
        receive(args->memories[i].memory);
    if (answer.status && answer.why[0]) {
        char why[256];
        snprintf(why, sizeof why, "kernel %s stopped: %s", name, answer.why);
        remote->host->failed(work, why);
    }
    return answer.status;
}

static int run_kernel(struct remote *remote, struct sl_work *work)
{
    const struct sl_launch_args *args = &work->u.kernel;
    const struct sl_kernel_info *kernel = &args->code->loaded.info->kernels[args->kernel_index];
    unsigned char *block = sl_blocks_take(&remote->blocks, kernel->args_bytes);
    if (!block)
        return SL_OUT_OF_RESOURCES;
    memcpy(block, args->args, kernel->args_bytes);
    int rc = set_pointers(remote, work, kernel, block);
    if (!rc)
        rc = launch(remote, work, kernel->name, block);
    sl_blocks_give(&remote->blocks, block);
    return rc;
}

static int run(struct sl_device *device, struct sl_work *work)
{
    if (work->kind == SL_WORK_KERNEL)
        return run_kernel(remote_of(device), work);
    return sl_transfer_work(work, memory_host) ? 0 : SL_INVALID_OPERATION;
}

static int queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                        struct sl_work_queue **out)
{
    return sl_serial_queue_create(&remote_of(device)->works, desc, out);
}

static void suggest_local_size(struct sl_device *device, const struct sl_kernel_info *kernel,
                               uint32_t work_dim, const size_t global[3], size_t local[3])
{
    sl_ndrange_suggest(kernel, work_dim, global, 1, device->caps.max_work_group_size, local);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void in_this_library(void)
{
}

static int start(struct sl_device *device)
{
    struct remote *remote = remote_of(device);
    int rc = sl_peer_start(&remote->card, "remote_worker", in_this_library, &remote->memory_fd, 1);
    if (rc)
        return rc;
    rc = sl_serial_start(&remote->works, "remote");
    if (rc)
        sl_peer_stop(&remote->card);
    return rc;
}

static void stop(struct sl_device *device)
{
    sl_serial_stop(&remote_of(device)->works);
    sl_peer_stop(&remote_of(device)->card);
}

static void close_device(struct sl_device *device)
{
    struct remote *remote = remote_of(device);
    munmap(REMOTE_BASE, REMOTE_BYTES);
    close(remote->memory_fd);
    sl_blocks_finish(&remote->blocks);
    free(remote);
}

static const struct sl_device_ops ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof ops,
    .close = close_device,
    .start = start,
    .stop = stop,
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .memory_host = memory_host,
    .code_load = code_load,
    .code_unload = code_unload,
    .work_queue_create = queue_create,
    .work_queue_destroy = sl_serial_queue_destroy,
    .submit = sl_serial_submit,
    .suggest_local_size = suggest_local_size,
};

static const struct sl_device_caps facts = {
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

__attribute__((visibility("default"))) int sl_device_plugin(const struct sl_host_ops *host,
                                                            struct sl_device_list *list)
{
    struct remote *remote = calloc(1, sizeof *remote);
    if (!remote || sl_blocks_init(&remote->blocks, REMOTE_BASE, REMOTE_BYTES)) {
        free(remote);
        return SL_OUT_OF_HOST_MEMORY;
    }
    remote->host = host;
    remote->base.ops = &ops;
    remote->base.caps = facts;
    sl_isa_caps(&remote->base.caps, host->config("SLUICE_CPU")); /* target, processor, widths */
    sl_serial_init(&remote->works, &remote->base, host, run);
    remote->memory_fd = sl_peer_memory("remote", REMOTE_BYTES);
    if (remote->memory_fd >= 0 &&
        mmap(REMOTE_BASE, REMOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
             remote->memory_fd, 0) == REMOTE_BASE) {
        list->devices[list->count++] = &remote->base;
        return 0;
    }
    host->tell(&remote->base, remote->memory_fd < 0
                                  ? "there is no shared memory for the card"
                                  : "the card's memory has one place in a process, and it is in "
                                    "use: another copy of this library has it");
    close(remote->memory_fd);
    sl_blocks_finish(&remote->blocks);
    free(remote);
    return SL_OUT_OF_RESOURCES;
}
