/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device whose kernels run in another process (worker.c), as on a card behind a bus: its memory
 * is its own, modules are sent to it, and each piece of work is a request. What a kernel breaks is
 * that process's, and its works end with an error.
 *
 * Locks: `lock` guards the list of works; `bus` one request with its answer, and the memory's
 * blocks.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/values.h"
#include "common/kernel/loader.h"
#include "common/kernel/ndrange.h"
#include "common/machine/isa.h"
#include "common/memory/copy.h"
#include "remote.h"

enum { BLOCK = 4096, BLOCKS = (256 << 20) / BLOCK };

struct remote {
    struct sl_device base; /* first: the driver knows this part */
    const struct sl_host_ops *host;
    int memory_fd, socket;
    pid_t worker;
    pthread_t thread;
    pthread_mutex_t lock, bus;
    pthread_cond_t changed;
    struct sl_work *head, **tail;
    bool stopping;
    unsigned char used[BLOCKS]; /* 0 free, 1 the first of an allocation, 2 one more of it */
};

struct sl_memory {
    struct remote *remote;
    unsigned char *at; /* NULL: none left */
};

struct sl_work_queue {
    struct remote *remote;
};

struct sl_code {
    struct remote *remote;
    struct sl_loaded loaded; /* for its tables only */
    uint64_t code;           /* the worker's */
};

static struct remote *remote_of(struct sl_device *device)
{
    return (struct remote *)(void *)device;
}

/* ---- memory of the card ---------------------------------------------------------------------- */

static unsigned char *take(struct remote *remote, size_t bytes)
{
    size_t want = bytes / BLOCK + 1, run = 0;
    unsigned char *found = NULL;
    pthread_mutex_lock(&remote->bus);
    for (size_t i = 0; i < BLOCKS && !found && want <= BLOCKS; i++) {
        run = remote->used[i] ? 0 : run + 1;
        if (run < want)
            continue;
        memset(&remote->used[i + 1 - want], 2, want);
        remote->used[i + 1 - want] = 1;
        found = REMOTE_BASE + (i + 1 - want) * BLOCK;
    }
    pthread_mutex_unlock(&remote->bus);
    return found;
}

static void give(struct remote *remote, unsigned char *at)
{
    if (!at)
        return;
    size_t i = (size_t)(at - REMOTE_BASE) / BLOCK;
    pthread_mutex_lock(&remote->bus);
    do
        remote->used[i++] = 0;
    while (i < BLOCKS && remote->used[i] == 2);
    pthread_mutex_unlock(&remote->bus);
}

static int memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                         struct sl_memory **out)
{
    struct remote *remote = remote_of(device);
    if (desc->host_ptr) /* the application's memory is not the card's */
        return SL_MEM_ALLOCATION_FAILURE;
    struct sl_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return SL_OUT_OF_HOST_MEMORY;
    *memory = (struct sl_memory){remote, take(remote, desc->size_bytes)};
    if (!memory->at) {
        free(memory);
        return SL_MEM_ALLOCATION_FAILURE;
    }
    if (!desc->filled)
        memset(memory->at, 0, desc->size_bytes);
    *out = memory;
    return 0;
}

static void memory_destroy(struct sl_memory *memory)
{
    if (memory)
        give(memory->remote, memory->at);
    free(memory);
}

static void *memory_host(struct sl_memory *memory)
{
    return memory->at;
}

/* ---- the bus --------------------------------------------------------------------------------- */

static struct remote_answer ask(struct remote *remote, const struct remote_request *request)
{
    struct remote_answer answer = {.status = SL_OUT_OF_RESOURCES};
    struct remote_answer none = answer;
    pthread_mutex_lock(&remote->bus);
    bool whole =
        send(remote->socket, request, sizeof *request, MSG_NOSIGNAL) == (ssize_t)sizeof *request &&
        recv(remote->socket, &answer, sizeof answer, 0) == (ssize_t)sizeof answer;
    pthread_mutex_unlock(&remote->bus);
    return whole ? answer : none;
}

static int code_load(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                     struct sl_code **out, const struct sl_module_info **info)
{
    struct remote *remote = remote_of(device);
    struct sl_code *code = calloc(1, sizeof *code);
    unsigned char *copy = code ? take(remote, elf_bytes) : NULL;
    int rc = copy ? sl_loader_open(&code->loaded, elf, elf_bytes, name, NULL, remote->host)
                  : SL_OUT_OF_HOST_MEMORY;
    if (!rc) {
        memcpy(copy, elf, elf_bytes);
        struct remote_answer answer = ask(
            remote,
            &(struct remote_request){.kind = REMOTE_LOAD, .data = copy, .data_bytes = elf_bytes});
        code->remote = remote;
        code->code = answer.code;
        *info = code->loaded.info;
        rc = answer.status;
        if (rc)
            sl_loader_close(&code->loaded);
    }
    give(remote, copy);
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

static int run_kernel(struct remote *remote, const struct sl_launch_args *args)
{
    const struct sl_kernel_info *kernel = &args->code->loaded.info->kernels[args->kernel_index];
    unsigned char *block = take(remote, kernel->args_bytes);
    struct remote_request request = {.kind = REMOTE_RUN,
                                     .code = args->code->code,
                                     .data = block,
                                     .kernel_index = args->kernel_index,
                                     .work_dim = args->work_dim,
                                     .local_bytes = args->local_bytes};
    if (!block)
        return SL_OUT_OF_RESOURCES;
    memcpy(block, args->args, kernel->args_bytes);
    memcpy(request.global_offset, args->global_offset, sizeof request.global_offset);
    memcpy(request.global_size, args->global_size, sizeof request.global_size);
    memcpy(request.local_size, args->local_size, sizeof request.local_size);
    int status = ask(remote, &request).status;
    give(remote, block);
    return status;
}

/* The kit's copies know memory of its own; ours has an address. */
static struct sl_place address(struct sl_place place)
{
    return place.memory ? (struct sl_place){NULL, (uintptr_t)place.memory->at + place.offset}
                        : place;
}

static int run(struct remote *remote, struct sl_work *work)
{
    struct sl_transfer transfer;
    switch (work->kind) {
    case SL_WORK_KERNEL:
        return run_kernel(remote, &work->u.kernel);
    case SL_WORK_COPY:
        work->u.copy.dst = address(work->u.copy.dst);
        work->u.copy.src = address(work->u.copy.src);
        sl_transfer_copy(&transfer, &work->u.copy, UINT64_MAX);
        break;
    case SL_WORK_FILL:
        work->u.fill.dst = address(work->u.fill.dst);
        sl_transfer_fill(&transfer, &work->u.fill, UINT64_MAX);
        break;
    case SL_WORK_NATIVE:
    case SL_WORK_PIPE:
        return SL_INVALID_OPERATION; /* their features are not announced */
    }
    sl_transfer_run(&transfer, 0, transfer.units);
    return 0;
}

/* ---- work queues: one list for all, in order ------------------------------------------------- */

static void *serve(void *data)
{
    struct remote *remote = data;
    pthread_setname_np(pthread_self(), SL_THREAD_PREFIX "remote");
    pthread_mutex_lock(&remote->lock);
    while (remote->head || !remote->stopping) {
        struct sl_work *work = remote->head;
        if (!work) {
            pthread_cond_wait(&remote->changed, &remote->lock);
            continue;
        }
        remote->head = work->next;
        if (!remote->head)
            remote->tail = &remote->head;
        pthread_mutex_unlock(&remote->lock);
        remote->host->started(work);
        remote->host->finished(work, run(remote, work));
        pthread_mutex_lock(&remote->lock);
    }
    pthread_mutex_unlock(&remote->lock);
    return NULL;
}

static void submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    struct remote *remote = work_queue->remote;
    work->next = NULL;
    pthread_mutex_lock(&remote->lock);
    *remote->tail = work;
    remote->tail = &work->next;
    pthread_cond_signal(&remote->changed);
    pthread_mutex_unlock(&remote->lock);
}

static int work_queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                             struct sl_work_queue **out)
{
    (void)desc;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return SL_OUT_OF_HOST_MEMORY;
    (*out)->remote = remote_of(device);
    return 0;
}

static void work_queue_destroy(struct sl_work_queue *work_queue)
{
    free(work_queue);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* The program beside this library. */
static int start_worker(struct remote *remote, int peer)
{
    Dl_info own;
    char path[4096];
    char *const none[] = {NULL}, *argv[] = {path, NULL};
    posix_spawn_file_actions_t actions;
    if (!dladdr((void *)(uintptr_t)start_worker, &own) ||
        snprintf(path, sizeof path, "%.*s/remote_worker",
                 (int)(strrchr(own.dli_fname, '/') - own.dli_fname),
                 own.dli_fname) >= (int)sizeof path)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, peer, REMOTE_SOCKET);
    posix_spawn_file_actions_adddup2(&actions, remote->memory_fd, REMOTE_MEMORY);
    int rc = posix_spawn(&remote->worker, path, &actions, NULL, argv, none);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static int start(struct sl_device *device)
{
    struct remote *remote = remote_of(device);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return SL_OUT_OF_RESOURCES;
    /* Above the numbers that they get in the process. */
    int peer = fcntl(ends[1], F_DUPFD_CLOEXEC, 64);
    remote->socket = ends[0];
    remote->stopping = false;
    int rc = peer < 0 || start_worker(remote, peer);
    close(ends[1]);
    if (peer >= 0)
        close(peer);
    if (!rc && !pthread_create(&remote->thread, NULL, serve, remote))
        return 0;
    close(remote->socket);
    if (!rc)
        waitpid(remote->worker, NULL, 0);
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
    close(remote->socket);
    waitpid(remote->worker, NULL, 0);
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
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .memory_host = memory_host,
    .code_load = code_load,
    .code_unload = code_unload,
    .work_queue_create = work_queue_create,
    .work_queue_destroy = work_queue_destroy,
    .submit = submit,
    .suggest_local_size = suggest_local_size,
};

static void set_caps(struct sl_device_caps *caps, const char *level)
{
    *caps = (struct sl_device_caps){
        .name = "Remote device",
        .vendor = "An example",
        .short_name = "remote",
        .type = SL_TYPE_ACCELERATOR,
        .features = SL_FEATURE_FP64 | SL_FEATURE_INT64_ATOMICS | SL_FEATURE_NON_UNIFORM_GROUPS,
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
