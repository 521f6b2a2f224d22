/* SPDX-License-Identifier: Apache-2.0 */
/* See fake_device.h. `lock` guards the list of works and the device's threads. */
#include "fake_device.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "commands/device_callbacks/host_ops.h"
#include "fake_pipe.h"
#include "platform/device.h"
#include "platform/platform.h"

enum { THREADS = 3 };

struct sl_memory {
    unsigned char *host;
    bool owned;
};
struct sl_work_queue {
    struct fake *fake;
};
struct fake {
    struct sl_device device;
    enum fake_manner manner;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct sl_work *works;
    bool stopping;
    pthread_t threads[THREADS];
    unsigned thread_count;
};

atomic_int fake_status;
atomic_uint fake_work_queues, fake_memories, fake_submitted;
static _Thread_local int native_status;

void fake_fail(int status)
{
    native_status = status;
}

static unsigned char *at(struct sl_place place)
{
    return (place.memory ? place.memory->host : NULL) + place.offset;
}

static void do_copy(const struct sl_copy *c)
{
    for (size_t z = 0; z < c->region[2]; z++)
        for (size_t y = 0; y < c->region[1]; y++)
            memcpy(at(c->dst) + z * c->dst_pitch[1] + y * c->dst_pitch[0],
                   at(c->src) + z * c->src_pitch[1] + y * c->src_pitch[0], c->region[0]);
}

static void do_fill(const struct sl_fill *f)
{
    for (size_t i = 0; i < f->region[0]; i += f->pattern_bytes)
        memcpy(at(f->dst) + i, f->pattern, f->pattern_bytes);
}

static void execute(struct sl_work *work)
{
    if (work->kind == SL_WORK_PIPE) {
        fake_pipe_work(work);
        return;
    }
    sl_host_ops.started(work);
    native_status = atomic_load(&fake_status);
    switch (work->kind) {
    case SL_WORK_COPY:
        do_copy(&work->u.copy);
        break;
    case SL_WORK_FILL:
        do_fill(&work->u.fill);
        break;
    case SL_WORK_NATIVE:
        work->u.native.function(work->u.native.args);
        break;
    case SL_WORK_KERNEL:
    case SL_WORK_PIPE:
        break;
    }
    sl_host_ops.finished(work, native_status);
}

/* A random one of the waiting works: the driver has ordered what must be ordered. */
static struct sl_work *take_locked(struct fake *fake, unsigned *seed)
{
    struct sl_work **link = &fake->works;
    for (unsigned skip = (unsigned)rand_r(seed) % 4; skip && *link && (*link)->next; skip--)
        link = &(*link)->next;
    struct sl_work *work = *link;
    if (work)
        *link = work->next;
    return work;
}

static void *thread_main(void *data)
{
    struct fake *fake = data;
    pthread_setname_np(pthread_self(), SL_THREAD_PREFIX "fake");
    unsigned seed = (unsigned)(uintptr_t)pthread_self();
    pthread_mutex_lock(&fake->lock);
    for (;;) {
        while (!fake->works && !fake->stopping)
            pthread_cond_wait(&fake->wake, &fake->lock);
        struct sl_work *work = take_locked(fake, &seed);
        if (!work)
            break;
        pthread_mutex_unlock(&fake->lock);
        for (int i = rand_r(&seed) % 3; i > 0; i--)
            sched_yield();
        execute(work);
        pthread_mutex_lock(&fake->lock);
    }
    pthread_mutex_unlock(&fake->lock);
    return NULL;
}

static int start(struct sl_device *device)
{
    struct fake *fake = (struct fake *)device;
    fake->stopping = false;
    while (fake->manner == FAKE_THREADS && fake->thread_count < THREADS)
        if (pthread_create(&fake->threads[fake->thread_count++], NULL, thread_main, fake))
            abort();
    return 0;
}

static void stop(struct sl_device *device)
{
    struct fake *fake = (struct fake *)device;
    pthread_mutex_lock(&fake->lock);
    fake->stopping = true;
    pthread_cond_broadcast(&fake->wake);
    pthread_mutex_unlock(&fake->lock);
    while (fake->thread_count)
        pthread_join(fake->threads[--fake->thread_count], NULL);
}

static void close_device(struct sl_device *device)
{
    (void)device;
}

static int memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                         struct sl_memory **out)
{
    (void)device;
    struct sl_memory *memory = malloc(sizeof *memory);
    if (!memory)
        abort();
    memory->owned = !desc->host_ptr;
    memory->host = desc->host_ptr;
    if (memory->owned &&
        posix_memalign((void **)&memory->host, desc->align_bytes, desc->size_bytes)) {
        free(memory);
        return CL_OUT_OF_HOST_MEMORY;
    }
    atomic_fetch_add(&fake_memories, 1);
    *out = memory;
    return 0;
}

static void memory_destroy(struct sl_memory *memory)
{
    if (memory->owned)
        free(memory->host);
    free(memory);
    atomic_fetch_sub(&fake_memories, 1);
}

static void *memory_host(struct sl_memory *memory)
{
    return memory->host;
}

static int work_queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                             struct sl_work_queue **out)
{
    (void)desc;
    struct sl_work_queue *work_queue = malloc(sizeof *work_queue);
    if (!work_queue)
        abort();
    work_queue->fake = (struct fake *)device;
    atomic_fetch_add(&fake_work_queues, 1);
    *out = work_queue;
    return 0;
}

static void work_queue_destroy(struct sl_work_queue *work_queue)
{
    free(work_queue);
    atomic_fetch_sub(&fake_work_queues, 1);
}

static void submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    struct fake *fake = work_queue->fake;
    atomic_fetch_add(&fake_submitted, 1);
    if (fake->manner == FAKE_INLINE) {
        execute(work);
        return;
    }
    pthread_mutex_lock(&fake->lock);
    work->next = fake->works;
    fake->works = work;
    pthread_cond_signal(&fake->wake);
    pthread_mutex_unlock(&fake->lock);
}

static bool assist(struct sl_work_queue *work_queue)
{
    static _Thread_local unsigned seed;
    struct fake *fake = work_queue->fake;
    pthread_mutex_lock(&fake->lock);
    struct sl_work *work = take_locked(fake, &seed);
    pthread_mutex_unlock(&fake->lock);
    if (work)
        execute(work);
    return work;
}

static void flush(struct sl_work_queue *work_queue)
{
    if (work_queue->fake->manner == FAKE_HELD)
        while (assist(work_queue))
            ;
}

/* It runs no kernels: what is built for it is compiled, and not loaded. */
static int load_none(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                     struct sl_code **code, const struct sl_module_info **info)
{
    (void)device, (void)elf, (void)elf_bytes, (void)name, (void)code, (void)info;
    return CL_INVALID_BINARY;
}

static void unload_none(struct sl_code *code)
{
    (void)code;
}

static const struct sl_device_ops ops = {.abi = SL_DEVICE_ABI,
                                         .size = sizeof ops,
                                         .close = close_device,
                                         .start = start,
                                         .stop = stop,
                                         .memory_create = memory_create,
                                         .memory_destroy = memory_destroy,
                                         .memory_host = memory_host,
                                         .code_load = load_none,
                                         .code_unload = unload_none,
                                         .work_queue_create = work_queue_create,
                                         .work_queue_destroy = work_queue_destroy,
                                         .submit = submit,
                                         .flush = flush,
                                         .assist = assist,
                                         .pipe_create = fake_pipe_create,
                                         .pipe_destroy = fake_pipe_destroy,
                                         .pipe_ring = fake_pipe_ring,
                                         .pipe_read = fake_pipe_read,
                                         .pipe_write = fake_pipe_write,
                                         .pipe_map = fake_pipe_map,
                                         .pipe_unmap = fake_pipe_unmap,
                                         .host_waits = fake_host_waits};

cl_device_id fake_device(enum fake_manner manner)
{
    static struct fake fakes[3];
    static cl_device_id devices[3];
    if (devices[manner])
        return devices[manner];
    struct fake *fake = &fakes[manner];
    fake->device.ops = &ops;
    fake->device.caps.name = "fake";
    fake->device.caps.type = CL_DEVICE_TYPE_CUSTOM;
    fake->device.caps.features = SL_FEATURE_NATIVE_KERNELS | SL_FEATURE_IMAGES;
    fake->device.caps.compute_units = THREADS;
    fake->device.caps.max_alloc_bytes = 1u << 28;
    fake->device.caps.mem_base_align_bits = 1024;
    fake->manner = manner;
    pthread_mutex_init(&fake->lock, NULL);
    pthread_cond_init(&fake->wake, NULL);
    if (sl_device_create(sl_platform(), &fake->device, &devices[manner]))
        abort();
    return devices[manner];
}

cl_context fake_context(cl_device_id device)
{
    cl_context context = sl_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!context)
        abort();
    return context;
}
