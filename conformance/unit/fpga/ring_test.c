/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels joined by rings: order, capacity, blocking, non-blocking, seeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "flow.h"
#include "fpga/fpga.h"

static const struct sl_pipe_site write_site = {.pipe = "c",
                                               .file = "flow.cl",
                                               .line = 3,
                                               .column = 5,
                                               .op = SL_PIPE_WRITE,
                                               .blocking = 1,
                                               .arg_index = -1};
static const struct sl_pipe_site read_site = {.pipe = "c",
                                              .file = "flow.cl",
                                              .line = 9,
                                              .column = 9,
                                              .op = SL_PIPE_READ,
                                              .blocking = 1,
                                              .arg_index = -1};
static const struct sl_pipe_site try_write = {.pipe = "c", .op = SL_PIPE_WRITE, .arg_index = -1};
static const struct sl_pipe_site try_read = {.pipe = "c", .op = SL_PIPE_READ, .arg_index = -1};

struct stream {
    struct sl_pipe_ring *in, *out;
    int64_t count, errors;
};

static void produce(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct stream *stream = *(struct stream *const *)args;
    (void)group;
    for (int64_t i = 0; i < stream->count; i++)
        flow_write_int(launch, stream->out, &write_site, (int32_t)i);
}

static void consume(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct stream *stream = *(struct stream *const *)args;
    int64_t errors = 0;
    (void)group;
    for (int64_t i = 0; i < stream->count; i++)
        errors += flow_read_int(launch, stream->in, &read_site) != (int32_t)i;
    stream->errors = errors;
}

static void forward(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct stream *stream = *(struct stream *const *)args;
    (void)group;
    for (int64_t i = 0; i < stream->count; i++) {
        int32_t value = flow_read_int(launch, stream->in, &read_site);
        flow_write_int(launch, stream->out, &write_site, value);
    }
}

static void answer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct stream *stream = *(struct stream *const *)args;
    (void)group;
    for (int64_t i = 0; i < stream->count; i++) {
        int32_t value = flow_read_int(launch, stream->in, &read_site);
        flow_write_int(launch, stream->out, &write_site, value + 1);
    }
}

static void ask(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct stream *stream = *(struct stream *const *)args;
    int32_t value = 0;
    (void)group;
    for (int64_t i = 0; i < stream->count; i++) {
        flow_write_int(launch, stream->out, &write_site, value);
        value = flow_read_int(launch, stream->in, &read_site);
    }
    stream->errors = value != stream->count;
}

static struct sl_device *device;

/* Of the process: other programs on this machine do not count. */
static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void run(struct flow *flow, const uint32_t *kernels, struct stream *streams, unsigned count)
{
    struct sl_work_queue *work_queue = fake_work_queue(device, true);
    struct fake_work *works = calloc(count, sizeof *works);
    struct stream **blocks = calloc(count, sizeof *blocks);
    for (unsigned i = 0; i < count; i++) {
        blocks[i] = &streams[i];
        flow_work(&works[i], flow, kernels[i], &blocks[i], 1, 1);
    }
    for (unsigned i = 0; i < count; i++)
        device->ops->submit(work_queue, &works[i].work);
    for (unsigned i = 0; i < count; i++) {
        fake_sleep_until(&works[i].finished, 1);
        assert_int_equal(works[i].status, 0);
    }
    device->ops->work_queue_destroy(work_queue);
    free(blocks);
    free(works);
}

/* Nanoseconds per packet. */
static double stream(unsigned stages, uint32_t depth, int64_t count)
{
    struct flow *flow = flow_create();
    uint32_t *kernels = calloc(stages, sizeof *kernels);
    struct stream *streams = calloc(stages, sizeof *streams);
    for (unsigned i = 0; i < stages; i++)
        kernels[i] = flow_kernel(flow, "stage",
                                 i == 0            ? produce
                                 : i + 1 == stages ? consume
                                                   : forward,
                                 0);
    for (unsigned i = 0; i + 1 < stages; i++) {
        uint32_t pipe = flow_pipe(flow, "c", 4, depth, 0, (int32_t)i + 1, (int32_t)i);
        streams[i].out = flow_ring(flow, pipe);
        streams[i + 1].in = flow_ring(flow, pipe);
    }
    for (unsigned i = 0; i < stages; i++)
        streams[i].count = count;
    flow_load(flow, device);
    uint64_t start = cpu_ns();
    run(flow, kernels, streams, stages);
    double ns = (double)(cpu_ns() - start) / (double)count;
    assert_int_equal(streams[stages - 1].errors, 0);
    device->ops->code_unload(flow->code);
    flow_destroy(flow);
    free(streams);
    free(kernels);
    return ns;
}

static void test_streams(void **state)
{
    static const uint32_t depths[] = {1, 2, 3, 7, 8, 64, 100, 1024};
    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        stream(2, depths[i], 10007);
    stream(3, 1, 5003);
    stream(17, 5, 2003);
    stream(1000, 64, 307);
}

static double ping_pong(int64_t count)
{
    struct flow *flow = flow_create();
    uint32_t kernels[] = {flow_kernel(flow, "ask", ask, 0), flow_kernel(flow, "answer", answer, 0)};
    uint32_t there = flow_pipe(flow, "there", 4, 1, 0, 1, 0),
             back = flow_pipe(flow, "back", 4, 1, 0, 0, 1);
    struct stream streams[] = {
        {.out = flow_ring(flow, there), .in = flow_ring(flow, back), .count = count},
        {.in = flow_ring(flow, there), .out = flow_ring(flow, back), .count = count}};
    flow_load(flow, device);
    uint64_t start = cpu_ns();
    run(flow, kernels, streams, 2);
    double ns = (double)(cpu_ns() - start) / (double)count;
    assert_int_equal(streams[0].errors, 0);
    device->ops->code_unload(flow->code);
    flow_destroy(flow);
    return ns;
}

static void test_ping_pong(void **state)
{
    (void)state;
    ping_pong(10007);
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* Two reservations, committed in the wrong order, and a packet behind them. */
static void reserve_write(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct stream *stream = *(struct stream *const *)args;
    const struct sl_runtime *runtime = launch->runtime;
    struct sl_pipe_ring *ring = stream->out;
    (void)group;
    for (int32_t n = 0; n < stream->count; n += 6) {
        uint64_t a, b;
        while (!(a = runtime->pipe_reserve(launch, ring, &try_write, 2)))
            ;
        while (!(b = runtime->pipe_reserve(launch, ring, &try_write, 3)))
            ;
        flow_write_int(launch, ring, &write_site, n + 5);
        stream->errors += runtime->pipe_reserved(launch, ring, a, 2) != NULL;
        for (int32_t i = 0; i < 3; i++)
            *(int32_t *)runtime->pipe_reserved(launch, ring, b, (uint32_t)i) = n + 2 + i;
        runtime->pipe_commit(launch, ring, &try_write, b);
        for (int32_t i = 0; i < 2; i++)
            *(int32_t *)runtime->pipe_reserved(launch, ring, a, (uint32_t)i) = n + i;
        runtime->pipe_commit(launch, ring, &try_write, a);
    }
    stream->errors += runtime->pipe_reserve(launch, ring, &try_write, 1000) != 0;
}

static void reserve_read(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct stream *stream = *(struct stream *const *)args;
    const struct sl_runtime *runtime = launch->runtime;
    struct sl_pipe_ring *ring = stream->in;
    (void)group;
    for (int32_t n = 0; n < stream->count; n += 3) {
        uint64_t id;
        while (!(id = runtime->pipe_reserve(launch, ring, &try_read, 2)))
            ;
        stream->errors += flow_read_int(launch, ring, &read_site) != n + 2;
        for (int32_t i = 1; i >= 0; i--)
            stream->errors +=
                *(int32_t *)runtime->pipe_reserved(launch, ring, id, (uint32_t)i) != n + i;
        runtime->pipe_commit(launch, ring, &try_read, id);
    }
}

static void reserve_with(sl_group_fn write, sl_group_fn read, uint32_t depth)
{
    struct flow *flow = flow_create();
    uint32_t kernels[] = {flow_kernel(flow, "w", write, 0), flow_kernel(flow, "r", read, 0)};
    uint32_t pipe = flow_pipe(flow, "c", 4, depth, 0, 1, 0);
    struct stream streams[] = {{.out = flow_ring(flow, pipe), .count = 600},
                               {.in = flow_ring(flow, pipe), .count = 600}};
    flow_load(flow, device);
    run(flow, kernels, streams, 2);
    assert_int_equal(streams[0].errors, 0);
    assert_int_equal(streams[1].errors, 0);
    device->ops->code_unload(flow->code);
    flow_destroy(flow);
}

static void test_reserve(void **state)
{
    (void)state;
    for (uint32_t depth = 6; depth < 20; depth += 5) {
        reserve_with(reserve_write, consume, depth);
        reserve_with(produce, reserve_read, depth);
        reserve_with(reserve_write, reserve_read, depth);
    }
}

/* ---- figures, by RING_BENCH=1 ---------------------------------------------------------------- */

static void test_figures(void **state)
{
    static const uint32_t depths[] = {1, 2, 4, 8, 64, 1024};
    (void)state;
    if (!getenv("RING_BENCH"))
        skip();
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        stream(2, depths[i], 20000);
        double ns = stream(2, depths[i], 20000000);
        printf("stream depth %4u: %6.2f ns, %7.1f M/s\n", depths[i], ns, 1000 / ns);
    }
    printf("ping-pong: %.2f ns\n", ping_pong(5000000));
    for (unsigned stages = 8; stages <= 1000; stages = stages * 5 / 4 * 3) {
        unsigned n = stages > 700 ? 1000 : stages;
        stream(n, 64, 1000);
        double ns = stream(n, 64, 100000000 / n);
        printf("chain of %4u: %6.2f ns per element-stage, %7.1f M/s\n", n, ns / n, 1000 * n / ns);
        if (n == 1000)
            break;
    }
}

static int open_device(void **state)
{
    (void)state;
    device = fake_open(sl_fpga_plugin);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    fake_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_streams, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_ping_pong, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_reserve, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_figures, open_device, close_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
