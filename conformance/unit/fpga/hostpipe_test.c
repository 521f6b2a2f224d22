/* SPDX-License-Identifier: Apache-2.0 */
/* The host's end of pipes: packets, mapped regions, transfers as work; HOSTPIPE_BENCH=1 for rates.
 */
#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "flow.h"
#include "fpga/cluster/machine.h"
#include "fpga/fpga.h"
#include "sluice/base/wait.h"

static const struct sl_pipe_site put = {.pipe = "out", .op = SL_PIPE_WRITE, .blocking = 1};
static const struct sl_pipe_site get = {.pipe = "in", .op = SL_PIPE_READ, .blocking = 1};
static const struct sl_pipe_site try_get = {.pipe = "in", .op = SL_PIPE_READ};
static const struct sl_pipe_site try_put = {.pipe = "out", .op = SL_PIPE_WRITE};

static struct sl_device *device;
static struct sl_work_queue *work_queue;

struct block {
    struct sl_pipe_ring *in, *out;
    size_t packet_bytes;
    int64_t count, errors;
};

/* What byte `i` of packet n holds. */
static unsigned char byte_of(int64_t n, size_t i)
{
    return (unsigned char)(n * 7 + (int64_t)i * 3 + 1);
}

static void source(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    unsigned char packet[1024];
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        for (size_t i = 0; i < block->packet_bytes; i++)
            packet[i] = byte_of(n, i);
        flow_write(launch, block->out, &put, packet, block->packet_bytes);
        flow_attend(launch, block->out);
    }
}

static void sink(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    unsigned char packet[1024];
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        flow_read(launch, block->in, &get, packet, block->packet_bytes);
        flow_attend(launch, block->in);
        for (size_t i = 0; i < block->packet_bytes; i++)
            block->errors += packet[i] != byte_of(n, i);
    }
}

static void polling_sink(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    int32_t value = 0;
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        while (flow_read(launch, block->in, &try_get, &value, sizeof value))
            ;
        block->errors += (unsigned char)value != byte_of(n, 0);
    }
}

static void polling_echo(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    int32_t value = 0;
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        while (flow_read(launch, block->in, &try_get, &value, sizeof value))
            ;
        while (flow_write(launch, block->out, &try_put, &value, sizeof value))
            ;
    }
}

static void add_one(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    int32_t value;
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        flow_read(launch, block->in, &get, &value, sizeof value);
        flow_attend(launch, block->in);
        value++;
        flow_write(launch, block->out, &put, &value, sizeof value);
        flow_attend(launch, block->out);
    }
}

static void int_source(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        flow_write_int(launch, block->out, &put, (int32_t)n);
        flow_attend(launch, block->out);
    }
}

static void int_sink(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        block->errors += flow_read_int(launch, block->in, &get) != (int32_t)n;
        flow_attend(launch, block->in);
    }
}

/* ---- one kernel and pipes of clCreatePipe ---------------------------------------------------- */

struct rig {
    struct flow *flow;
    struct sl_pipe *in, *out;
    struct block block, *args;
    struct fake_work work;
};

static struct sl_pipe *make_pipe(uint32_t packet_bytes, uint32_t depth, bool host_writes)
{
    struct sl_pipe *pipe;
    const struct sl_pipe_desc desc = {.packet_bytes = packet_bytes,
                                      .max_packets = depth,
                                      .host_reads = !host_writes,
                                      .host_writes = host_writes};
    assert_int_equal(device->ops->pipe_create(device, &desc, &pipe), 0);
    return pipe;
}

static void rig_init(struct rig *rig, sl_group_fn run, uint32_t packet_bytes, uint32_t depth,
                     int64_t count)
{
    memset(rig, 0, sizeof *rig);
    rig->flow = flow_create();
    flow_kernel(rig->flow, "kernel", run, SL_KERNEL_PIPE_ARGS);
    rig->in = make_pipe(packet_bytes, depth, true);
    rig->out = make_pipe(packet_bytes, depth, false);
    rig->block = (struct block){.in = device->ops->pipe_ring(rig->in),
                                .out = device->ops->pipe_ring(rig->out),
                                .packet_bytes = packet_bytes,
                                .count = count};
    rig->args = &rig->block;
    flow_load(rig->flow, device);
    flow_work(&rig->work, rig->flow, 0, &rig->args, 1, 1);
}

static void rig_run(struct rig *rig)
{
    device->ops->submit(work_queue, &rig->work.work);
}

static void rig_finish(struct rig *rig)
{
    fake_sleep_until(&rig->work.finished, 1);
    assert_int_equal(rig->work.status, 0);
    assert_int_equal(rig->block.errors, 0);
    device->ops->pipe_destroy(rig->in);
    device->ops->pipe_destroy(rig->out);
    device->ops->code_unload(rig->flow->code);
    flow_destroy(rig->flow);
}

static void write_packet(struct rig *rig, int64_t n)
{
    unsigned char packet[1024];
    for (size_t i = 0; i < rig->block.packet_bytes; i++)
        packet[i] = byte_of(n, i);
    while (device->ops->pipe_write(rig->in, packet))
        ;
}

static void test_packets(void **state)
{
    static const uint32_t sizes[] = {1, 3, 4, 12, 64, 1000};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct rig rig;
        unsigned char packet[1024] = {0};
        rig_init(&rig, sink, sizes[s], 5, 300);
        for (int64_t n = 0; n < 5; n++)
            write_packet(&rig, n);
        assert_int_equal(device->ops->pipe_write(rig.in, packet), SL_PIPE_WOULD_WAIT);
        rig_run(&rig);
        for (int64_t n = 5; n < 300; n++)
            write_packet(&rig, n);
        rig_finish(&rig);

        rig_init(&rig, source, sizes[s], 7, 300);
        assert_int_equal(device->ops->pipe_read(rig.out, packet), SL_PIPE_WOULD_WAIT);
        rig_run(&rig);
        for (int64_t n = 0; n < 300; n++) {
            while (device->ops->pipe_read(rig.out, packet))
                ;
            for (size_t i = 0; i < sizes[s]; i++)
                assert_int_equal(packet[i], byte_of(n, i));
        }
        rig_finish(&rig);
    }
}

/* A cluster whose kernels poll in vain sleeps for moments; a packet wakes it up. */
static void test_nap(void **state)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    struct rig rig;
    (void)state;
    rig_init(&rig, polling_sink, 4, 16, 20);
    struct {
        struct block *block;
        struct sl_pipe_ring *in;
    } args = {&rig.block, rig.block.in};
    const struct sl_arg_info row = {
        .kind = SL_ARG_PIPE, .access = SL_ACCESS_READ_ONLY, .offset = sizeof args.block};
    rig.flow->kernels[0].args = &row;
    rig.flow->kernels[0].arg_count = 1;
    flow_work(&rig.work, rig.flow, 0, &args, 1, 1);
    rig_run(&rig);
    struct sl_cluster *cluster = sl_fpga_machine(device)->shared;
    for (int64_t n = 0; n < rig.block.count; n++) {
        while (__atomic_load_n(&rig.block.in->head, __ATOMIC_ACQUIRE) != (uint64_t)n ||
               atomic_load(&cluster->state) != SL_CLUSTER_NAPPING)
            nanosleep(&moment, NULL);
        uint32_t before = atomic_load(&cluster->poked);
        write_packet(&rig, n);
        assert_int_not_equal(atomic_load(&cluster->poked), before);
    }
    rig_finish(&rig);
}

static void fill_ints(int32_t *at, size_t bytes, int32_t *next)
{
    for (size_t i = 0; i < bytes / sizeof *at; i++)
        at[i] = (*next)++;
}

static void test_map_write(void **state)
{
    struct rig rig;
    size_t got = 0, more = 0;
    int32_t next = 0, packet;
    (void)state;
    rig_init(&rig, int_sink, 4, 100, 1000);
    int32_t *at = device->ops->pipe_map(rig.in, true, 40, &got);
    assert_int_equal(got, 40);
    fill_ints(at, got, &next);
    packet = next++; /* behind the region */
    assert_int_equal(device->ops->pipe_write(rig.in, &packet), 0);
    int32_t *second = device->ops->pipe_map(rig.in, true, 1000, &more);
    assert_ptr_equal(second, at + 11);
    assert_int_equal(more, 4 * (100 - 11)); /* mapped room is no further room */
    fill_ints(second, more, &next);
    assert_null(device->ops->pipe_map(rig.in, true, 4, &got));
    rig_run(&rig);
    device->ops->pipe_unmap(rig.in, true, 12);
    device->ops->pipe_unmap(rig.in, true, 28);
    device->ops->pipe_unmap(rig.in, true, more);
    while (next < 1000) {
        at = device->ops->pipe_map(rig.in, true, 4 * (size_t)(1000 - next), &got);
        if (!at)
            continue;
        fill_ints(at, got, &next);
        device->ops->pipe_unmap(rig.in, true, got);
    }
    rig_finish(&rig);
}

static void test_map_read(void **state)
{
    struct rig rig;
    size_t got = 0;
    int32_t expected = 0, packet;
    (void)state;
    rig_init(&rig, int_source, 4, 100, 1000);
    assert_null(device->ops->pipe_map(rig.out, false, 4, &got));
    rig_run(&rig);
    while (expected < 1000) {
        const int32_t *at = device->ops->pipe_map(rig.out, false, 4 * 37, &got);
        if (!at)
            continue;
        for (size_t i = 0; i < got / 4; i++)
            assert_int_equal(at[i], expected++);
        if (!device->ops->pipe_read(rig.out, &packet)) /* behind the region */
            assert_int_equal(packet, expected++);
        device->ops->pipe_unmap(rig.out, false, got);
    }
    rig_finish(&rig);
}

/* ---- transfers as work ----------------------------------------------------------------------- */

static void pipe_work(struct fake_work *work, struct sl_pipe *pipe, int32_t *packet, bool write)
{
    *work = (struct fake_work){
        .work = {.kind = SL_WORK_PIPE,
                 .u.pipe = {.pipe = pipe, .packet = packet, .write = write, .blocking = true}}};
}

static void test_transfers(void **state)
{
    enum { COUNT = 300 };
    static struct fake_work reads[COUNT], writes[COUNT];
    static int32_t in[COUNT], out[COUNT];
    struct rig rig;
    (void)state;
    rig_init(&rig, add_one, 4, 3, COUNT);
    for (int i = 0; i < COUNT; i++) {
        pipe_work(&reads[i], rig.out, &out[i], false);
        device->ops->submit(work_queue, &reads[i].work);
    }
    for (int i = 0; i < COUNT; i++) {
        in[i] = 5 * i;
        pipe_work(&writes[i], rig.in, &in[i], true);
        device->ops->submit(work_queue, &writes[i].work);
        if (i == COUNT / 2)
            rig_run(&rig);
    }
    for (int i = 0; i < COUNT; i++) {
        fake_sleep_until(&writes[i].finished, 1);
        fake_sleep_until(&reads[i].finished, 1);
        assert_int_equal(reads[i].status, 0);
        assert_int_equal(out[i], 5 * i + 1);
    }
    int32_t nothing;
    pipe_work(&reads[0], rig.out, &nothing, false);
    reads[0].work.u.pipe.blocking = false;
    device->ops->submit(work_queue, &reads[0].work);
    fake_sleep_until(&reads[0].finished, 1);
    assert_int_equal(reads[0].status, SL_PIPE_WOULD_WAIT);
    rig_finish(&rig);
}

/* ---- visits ---------------------------------------------------------------------------------- */

static void slow_sink(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = *(struct block *const *)args;
    (void)group;
    for (int64_t n = 0; n < block->count; n++) {
        block->errors += flow_read_int(launch, block->in, &get) != (int32_t)n;
        flow_attend(launch, block->in);
        for (uint64_t start = sl_clock_ns(); sl_clock_ns() - start < 1000;)
            ;
    }
}

static void write_ints(struct rig *rig, int32_t from, int32_t to)
{
    for (int32_t n = from; n < to; n++)
        while (device->ops->pipe_write(rig->in, &n))
            ;
}

static void wait_for_head(const struct rig *rig, uint64_t head)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (__atomic_load_n(&rig->block.in->head, __ATOMIC_ACQUIRE) != head)
        nanosleep(&moment, NULL);
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The kernel goes on, and rests, when the host that ran it does not come back. */
static void test_visits(void **state)
{
    const struct timespec moment = {.tv_nsec = 100000000};
    struct rig rig;
    (void)state;
    rig_init(&rig, int_sink, 4, 64, 5000);
    struct sl_cluster *cluster = sl_fpga_machine(device)->shared;
    rig_run(&rig);
    for (int32_t at = 0; at < 4960; at += 40) {
        write_ints(&rig, at, at + 40);
        if (at % 400 == 0)
            wait_for_head(&rig, (uint64_t)at + 40);
    }
    wait_for_head(&rig, 4960);
    assert_int_not_equal(atomic_load(&cluster->visits), 0);
    while (atomic_load(&cluster->state) != SL_CLUSTER_IDLE)
        nanosleep(&moment, NULL);
    uint64_t before = cpu_ns();
    nanosleep(&moment, NULL);
    assert_true(cpu_ns() - before < 20000000);
    write_ints(&rig, 4960, 5000);
    rig_finish(&rig);
}

/* A kernel that takes its time works beside the host. */
static void test_no_visits(void **state)
{
    struct rig rig;
    (void)state;
    rig_init(&rig, slow_sink, 4, 64, 3000);
    rig_run(&rig);
    write_ints(&rig, 0, 3000);
    rig_finish(&rig);
    assert_int_equal(atomic_load(&sl_fpga_machine(device)->shared->visits), 0);
}

/* All threads there are, and those that they start. */
static void share_one_cpu(bool share)
{
    static cpu_set_t all;
    cpu_set_t one;
    struct dirent *task;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    if (share)
        assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    while ((task = readdir(tasks)))
        if (atoi(task->d_name))
            sched_setaffinity(atoi(task->d_name), sizeof one, share ? &one : &all);
    closedir(tasks);
}

/* A quick kernel that polls but has no processor while the host waits for it: the host runs it. */
static void test_visits_without_processor(void **state)
{
    enum { TRIPS = 5000 };
    struct rig rig;
    (void)state;
    rig_init(&rig, polling_echo, 4, 16, TRIPS);
    share_one_cpu(true);
    rig_run(&rig);
    for (int32_t n = 0, back = -1; n < TRIPS; n++) {
        while (device->ops->pipe_write(rig.in, &n))
            ;
        while (device->ops->pipe_read(rig.out, &back))
            ;
        assert_int_equal(back, n);
    }
    share_one_cpu(false);
    rig_finish(&rig);
    /* A sanitizer's kernel is not quick. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_int_not_equal(atomic_load(&sl_fpga_machine(device)->shared->visits), 0);
#endif
}

/* Who sends the kernel's packets, and who hears of its end. */
static pthread_t host;
static int64_t ran_here, ended_here;

static void own_echo(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    ran_here += pthread_equal(pthread_self(), host) != 0;
    add_one(args, launch, group);
}

static void note_end(struct fake_work *work)
{
    (void)work;
    ended_here += pthread_equal(pthread_self(), host) != 0;
}

/* One launch, one packet: who waits takes in the launch, runs it and reports its end. */
static void launch_once(struct rig *rig, int32_t n)
{
    int32_t back = -1;
    rig->work.then = note_end;
    atomic_store(&rig->work.finished, 0);
    device->ops->submit(work_queue, &rig->work.work);
    while (device->ops->pipe_write(rig->in, &n))
        device->ops->host_waits(device, 0);
    while (device->ops->pipe_read(rig->out, &back))
        device->ops->host_waits(device, 0);
    assert_int_equal(back, n + 1);
    while (!atomic_load(&rig->work.finished))
        if (!device->ops->assist(work_queue))
            sched_yield();
}

static void test_launches_without_processor(void **state)
{
    enum { MOST = 2000, ENOUGH = 20 };
    struct rig rig;
    int32_t n = 0;
    (void)state;
    host = pthread_self();
    ran_here = ended_here = 0;
    rig_init(&rig, own_echo, 4, 4, 1);
    share_one_cpu(true);
    while (n < MOST && (ran_here < ENOUGH || ended_here < ENOUGH))
        launch_once(&rig, n++);
    share_one_cpu(false);
    rig_finish(&rig);
    assert_true(ran_here >= ENOUGH);
    /* Slow as a sanitizer makes the host, the worker has heard of most ends before. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(ended_here >= ENOUGH);
#endif
}

/* ---- figures --------------------------------------------------------------------------------- */

static void figure(const char *what, uint64_t start, int64_t count)
{
    double ns = (double)(sl_clock_ns() - start) / (double)count;
    printf("%-22s %8.2f ns, %8.1f M/s\n", what, ns, 1000 / ns);
}

enum { COUNT = 2000000, TRIPS = 20000, REGION = 16384 };
static const int64_t region_total = 20 * (int64_t)COUNT / REGION * REGION;

static void figure_of_writes(void)
{
    struct rig rig;
    rig_init(&rig, int_sink, 4, 1024, COUNT);
    rig_run(&rig);
    uint64_t start = sl_clock_ns();
    for (int32_t n = 0; n < COUNT; n++) {
        while (device->ops->pipe_write(rig.in, &n))
            ;
    }
    figure("packet write", start, COUNT);
    rig_finish(&rig);
}

static void figure_of_reads(void)
{
    struct rig rig;
    int32_t packet = 0;
    rig_init(&rig, int_source, 4, 1024, COUNT);
    rig_run(&rig);
    uint64_t start = sl_clock_ns();
    for (int32_t n = 0; n < COUNT; n++) {
        while (device->ops->pipe_read(rig.out, &packet))
            ;
    }
    figure("packet read", start, COUNT);
    rig_finish(&rig);
}

static void figure_of_mapped_reads(void)
{
    static int32_t buffer[REGION];
    struct rig rig;
    size_t got;
    rig_init(&rig, int_source, 4, 4 * REGION, region_total);
    rig_run(&rig);
    uint64_t start = sl_clock_ns();
    for (int64_t n = 0; n < region_total;) {
        const void *at = device->ops->pipe_map(rig.out, false, sizeof buffer, &got);
        if (!at)
            continue;
        memcpy(buffer, at, got);
        device->ops->pipe_unmap(rig.out, false, got);
        n += (int64_t)(got / 4);
    }
    figure("mapped read", start, region_total);
    rig_finish(&rig);
}

static void figure_of_mapped_writes(void)
{
    struct rig rig;
    size_t got;
    rig_init(&rig, int_sink, 4, 4 * REGION, region_total);
    rig_run(&rig);
    rig.block.errors = 0;
    uint64_t start = sl_clock_ns();
    for (int64_t n = 0; n < region_total;) {
        size_t want = (size_t)(region_total - n) * 4;
        int32_t *at =
            device->ops->pipe_map(rig.in, true, want < 4 * REGION ? want : 4 * REGION, &got);
        if (!at)
            continue;
        for (size_t i = 0; i < got / 4; i++)
            at[i] = (int32_t)n++;
        device->ops->pipe_unmap(rig.in, true, got);
    }
    figure("mapped write", start, region_total);
    rig_finish(&rig);
}

static void figure_of_round_trips(void)
{
    struct rig rig;
    int32_t packet = 0;
    rig_init(&rig, add_one, 4, 16, TRIPS);
    rig_run(&rig);
    uint64_t start = sl_clock_ns();
    for (int i = 0; i < TRIPS; i++) {
        struct fake_work there, back;
        pipe_work(&there, rig.in, &packet, true);
        device->ops->submit(work_queue, &there.work);
        pipe_work(&back, rig.out, &packet, false);
        device->ops->submit(work_queue, &back.work);
        while (!atomic_load(&back.finished))
            ;
    }
    figure("round trip by work", start, TRIPS);
    assert_int_equal(packet, TRIPS);
    rig_finish(&rig);
}

static void test_figures(void **state)
{
    (void)state;
    if (!getenv("HOSTPIPE_BENCH"))
        skip();
    figure_of_writes();
    figure_of_reads();
    figure_of_mapped_reads();
    figure_of_mapped_writes();
    figure_of_round_trips();
}

static int open_device(void **state)
{
    (void)state;
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
    return 0;
}

static int open_visited(void **state)
{
    fake_set("SLUICE_FPGA_VISITS", "always");
    return open_device(state);
}

static int close_device(void **state)
{
    (void)state;
    fake_set("SLUICE_FPGA_VISITS", NULL);
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    return 0;
}

#define ON_DEVICE(test) cmocka_unit_test_setup_teardown(test, open_device, close_device)

#define VISITED(test) cmocka_unit_test_setup_teardown(test, open_visited, close_device)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DEVICE(test_packets),
        ON_DEVICE(test_map_write),
        ON_DEVICE(test_map_read),
        ON_DEVICE(test_transfers),
        ON_DEVICE(test_figures),
        ON_DEVICE(test_nap),
        ON_DEVICE(test_no_visits),
        VISITED(test_visits),
        VISITED(test_packets),
        VISITED(test_map_write),
        VISITED(test_map_read),
        VISITED(test_transfers),
        ON_DEVICE(test_visits_without_processor),
        VISITED(test_launches_without_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
