/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the device side of a launch costs, without a driver: an empty kernel submitted and waited
 * for, enqueued in bulk, as a chain, left to the workers; with the word "copies" also copies
 * against memcpy. Not a test: prints the least of some samples.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/memory/copy.h"
#include "common/runtime/code.h"
#include "common/runtime/scheduler.h"
#include "cpu/cpu.h"

struct bench_work {
    struct sl_work work; /* first */
    struct bench_work *next;
    atomic_int over;
};

static struct sl_work_queue *work_queue;
static struct sl_device *device;

static void started(struct sl_work *work)
{
    (void)work;
}

static void finished(struct sl_work *work, int status)
{
    struct bench_work *self = (struct bench_work *)work, *next = self->next;
    (void)status;
    atomic_store_explicit(&self->over, 1, memory_order_release);
    if (next)
        device->ops->submit(work_queue, &next->work);
}

static void log_line(int level, const char *topic, const char *fmt, ...)
{
    (void)level;
    (void)topic;
    (void)fmt;
}

static bool log_enabled(int level, const char *topic)
{
    (void)level;
    (void)topic;
    return false;
}

static const char *config(const char *name)
{
    return getenv(name);
}

static const struct sl_host_ops host = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof host,
    .started = started,
    .finished = finished,
    .log = log_line,
    .log_enabled = log_enabled,
    .config = config,
};

static void empty(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    (void)group;
}

static const struct sl_kernel_info kernel = {.name = "empty", .run = empty};
static const struct sl_module_info module = {
    .abi = SL_MODULE_ABI, .size = sizeof module, .kernel_count = 1, .kernels = &kernel};
static struct sl_code *code;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void sleep_us(long us)
{
    const struct timespec moment = {.tv_nsec = us * 1000};
    nanosleep(&moment, NULL);
}

static void set_launch(struct bench_work *work, size_t groups)
{
    *work = (struct bench_work){.work = {.kind = SL_WORK_KERNEL}};
    struct sl_launch_args *args = &work->work.u.kernel;
    args->code = code;
    args->work_dim = 1;
    args->global_size[0] = groups;
    args->local_size[0] = 1;
}

static void submit(struct bench_work *work)
{
    device->ops->submit(work_queue, &work->work);
}

static void wait_for(struct bench_work *work)
{
    while (!atomic_load_explicit(&work->over, memory_order_acquire)) {
        if (!device->ops->assist(work_queue))
            sleep_us(1);
    }
}

static void least(double *best, double sample)
{
    if (sample < *best)
        *best = sample;
}

static void launch_and_wait(size_t groups, int turns)
{
    double best = 1e30, start = now_us();
    for (int i = 0; i < turns; i++) {
        struct bench_work work;
        double from = now_us();
        set_launch(&work, groups);
        submit(&work);
        wait_for(&work);
        least(&best, now_us() - from);
    }
    printf("launch of %zu groups and wait: least %.2f us, mean %.2f us\n", groups, best,
           (now_us() - start) / turns);
}

enum { MANY = 10000 };
static struct bench_work works[MANY];

static void bulk(void)
{
    double enqueue = 1e30, all = 1e30;
    for (int turn = 0; turn < 20; turn++) {
        for (int i = 0; i < MANY; i++)
            set_launch(&works[i], 1);
        double from = now_us();
        for (int i = 0; i < MANY; i++)
            submit(&works[i]);
        least(&enqueue, (now_us() - from) / MANY);
        for (int i = 0; i < MANY; i++)
            wait_for(&works[i]);
        least(&all, (now_us() - from) / MANY);
    }
    printf("%d launches: submit %.3f us each, to the end %.3f us each\n", MANY, enqueue, all);
}

static void chain(bool assisted)
{
    double best = 1e30;
    for (int turn = 0; turn < 20; turn++) {
        for (int i = 0; i < MANY; i++) {
            set_launch(&works[i], 1);
            works[i].next = i + 1 < MANY ? &works[i + 1] : NULL;
        }
        double from = now_us();
        submit(&works[0]);
        if (assisted)
            wait_for(&works[MANY - 1]);
        while (!atomic_load_explicit(&works[MANY - 1].over, memory_order_acquire))
            sleep_us(10);
        least(&best, (now_us() - from) / MANY);
    }
    printf("chain of %d, %s: %.3f us each\n", MANY, assisted ? "assisted" : "left alone", best);
}

static void transfer(size_t bytes, unsigned char *dst, unsigned char *src)
{
    double best = 1e30, plain = 1e30;
    for (int turn = 0; turn < (bytes < 1 << 20 ? 2000 : 10); turn++) {
        struct bench_work work = {.work = {.kind = SL_WORK_COPY}};
        work.work.u.copy = (struct sl_copy){.dst = {.offset = (uintptr_t)dst},
                                            .src = {.offset = (uintptr_t)src},
                                            .region = {bytes, 1, 1},
                                            .dst_pitch = {bytes, bytes},
                                            .src_pitch = {bytes, bytes}};
        double from = now_us();
        submit(&work);
        wait_for(&work);
        least(&best, now_us() - from);
        from = now_us();
        memcpy(dst, src, bytes);
        least(&plain, now_us() - from);
        from = now_us();
    }
    printf("copy of %zu bytes: %.2f us, memcpy %.2f us\n", bytes, best, plain);
}

static void stream(size_t bytes, unsigned char *dst, unsigned char *src)
{
    double plain = 1e30, streamed = 1e30;
    for (int turn = 0; turn < 10; turn++) {
        double from = now_us();
        memcpy(dst, src, bytes);
        least(&plain, now_us() - from);
        from = now_us();
        sl_stream_copy(dst, src, bytes);
        least(&streamed, now_us() - from);
    }
    printf("one thread, %zu bytes: memcpy %.0f us, streamed %.0f us\n", bytes, plain, streamed);
}

static void transfers(void)
{
    enum { LARGEST = 256 << 20 };
    unsigned char *dst = malloc(LARGEST), *src = malloc(LARGEST);
    if (!dst || !src)
        abort();
    memset(dst, 1, LARGEST);
    memset(src, 2, LARGEST);
    for (size_t bytes = 4; bytes <= LARGEST; bytes *= 8)
        transfer(bytes, dst, src);
    for (size_t bytes = 1 << 20; bytes <= LARGEST; bytes *= 4)
        stream(bytes, dst, src);
    free(dst);
    free(src);
}

int main(int argc, char *argv[])
{
    struct sl_device_list list = {.capacity = 16};
    const struct sl_work_queue_desc desc = {.out_of_order = false};
    double from = now_us();
    bool with_copies = argc > 1 && !strcmp(argv[1], "copies");
    if (sl_cpu_plugin(&host, &list))
        return 1;
    device = list.devices[0];
    printf("open %.0f us: %s, %u units, %s\n", now_us() - from, device->caps.name,
           device->caps.compute_units, device->caps.target);
    code = sl_code_around(&module);
    if (!code || device->ops->start(device) ||
        device->ops->work_queue_create(device, &desc, &work_queue))
        return 1;
    launch_and_wait(1, 200000);
    launch_and_wait(1000, 20000);
    launch_and_wait(10000000, 20);
    bulk();
    chain(true);
    chain(false);
    if (with_copies)
        transfers();
    device->ops->work_queue_destroy(work_queue);
    device->ops->stop(device);
    device->ops->close(device);
    free(code);
    return 0;
}
