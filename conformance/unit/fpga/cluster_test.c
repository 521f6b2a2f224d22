/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of kernels with pipes: overlap, polling, traps, autorun kernels, unloading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "flow.h"
#include "fpga/cluster/machine.h"
#include "fpga/fpga.h"
#include "fpga/ring/ring.h"
#include "fpga/stall/stall_claims.h"

static const struct sl_pipe_site put = {.pipe = "c", .op = SL_PIPE_WRITE, .blocking = 1};
static const struct sl_pipe_site get = {.pipe = "c", .op = SL_PIPE_READ, .blocking = 1};
static const struct sl_pipe_site try_put = {.pipe = "c", .op = SL_PIPE_WRITE};
static const struct sl_pipe_site try_get = {.pipe = "c", .op = SL_PIPE_READ};

struct block {
    struct sl_pipe_ring *in, *out;
    int64_t count;
    atomic_long sum, tries;
    atomic_int flag;
};

static struct sl_device *device;
static struct sl_work_queue *work_queues[3]; /* in order, in order, out of order */

static struct block *block_of(const void *args)
{
    return *(struct block *const *)args;
}

static int open_device(void **state);

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void pause_ms(long ms)
{
    const struct timespec moment = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void writer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)group;
    for (int64_t i = 0; i < block->count; i++)
        flow_write_int(launch, block->out, &put, (int32_t)i);
}

static void reader(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)group;
    for (int64_t i = 0; i < block->count; i++)
        atomic_fetch_add(&block->sum, flow_read_int(launch, block->in, &get));
}

/* One packet per item. */
static void item_writer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    for (size_t g = 0; g < group->count; g++) {
        size_t *local = group->local;
        for (size_t i = 0; i < launch->local_size[0]; i++)
            local[i] = (group->id[0] + g) * launch->local_size[0] + i;
        for (size_t i = 0; i < launch->local_size[0] && local[i] < launch->global_size[0]; i++)
            flow_write_int(launch, block->out, &put, (int32_t)local[i]);
    }
}

static void polling_writer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)group;
    for (int32_t i = 0; i < block->count;) {
        i += !flow_write(launch, block->out, &try_put, &i, sizeof i);
        atomic_fetch_add_explicit(&block->tries, 1, memory_order_relaxed);
    }
}

static void polling_reader(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    int32_t value = -7;
    (void)group;
    for (int64_t i = 0; i < block->count;) {
        if (!flow_read(launch, block->in, &try_get, &value, sizeof value)) {
            atomic_fetch_add(&block->sum, value);
            i++;
        }
        atomic_fetch_add_explicit(&block->tries, 1, memory_order_relaxed);
    }
}

/* Does work of its own, and looks whether somebody has something to tell it. */
static void looker(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    int32_t value;
    (void)group;
    for (int64_t i = 0; i < block->count; i++) {
        flow_read(launch, block->in, &try_get, &value, sizeof value);
        atomic_fetch_add_explicit(&block->sum, 1, memory_order_relaxed);
    }
}

static void spinner(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)group;
    flow_write_int(launch, block->out, &put, 1);
    while (!atomic_load_explicit(&block->flag, memory_order_relaxed))
        launch->runtime->yield(launch);
}

static void flag_raiser(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)group;
    flow_read_int(launch, block->in, &get);
    atomic_store(&block->flag, 1);
}

static void trapper(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)group;
    flow_write_int(launch, block->out, &put, 1);
    launch->runtime->trap(launch, "a test");
}

static void busy(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct block *block = block_of(args);
    (void)launch;
    (void)group;
    while (!atomic_load_explicit(&block->flag, memory_order_relaxed))
        ;
}

static void plain(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)launch;
    (void)group;
    atomic_fetch_add(&block_of(args)->sum, 1);
}

/* Autorun kernels have no arguments. */
static struct block auto_block;
static void auto_forward(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)group;
    int32_t value = flow_read_int(launch, auto_block.in, &get);
    flow_write_int(launch, auto_block.out, &put, value + 1);
    atomic_fetch_add(&auto_block.tries, 1);
}

static void auto_empty(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    (void)group;
    atomic_fetch_add(&auto_block.sum, 1);
}

static void auto_endless(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    (void)group;
    while (!atomic_load_explicit(&auto_block.flag, memory_order_relaxed))
        ;
    atomic_store(&auto_block.flag, 2);
}

/* ---- two kernels and a pipe ------------------------------------------------------------------ */

struct pair {
    struct flow *flow;
    struct block block, *args;
    struct fake_work works[2];
};

static void pair_init(struct pair *pair, sl_group_fn a, sl_group_fn b, uint32_t depth,
                      int64_t count)
{
    memset(pair, 0, sizeof *pair);
    pair->flow = flow_create();
    flow_kernel(pair->flow, "a", a, 0);
    flow_kernel(pair->flow, "b", b, 0);
    uint32_t pipe = flow_pipe(pair->flow, "c", 4, depth, 0, 1, 0);
    pair->block.in = pair->block.out = flow_ring(pair->flow, pipe);
    pair->block.count = count;
    pair->args = &pair->block;
    flow_load(pair->flow, device);
    for (uint32_t i = 0; i < 2; i++)
        flow_work(&pair->works[i], pair->flow, i, &pair->args, 1, 1);
}

static void pair_finish(struct pair *pair)
{
    device->ops->code_unload(pair->flow->code);
    flow_destroy(pair->flow);
}

static void expect_done(struct fake_work *work, int status)
{
    fake_sleep_until(&work->finished, 1);
    assert_int_equal(work->status, status);
    assert_int_equal(atomic_load(&work->started), 1);
}

static void run_pair(sl_group_fn a, sl_group_fn b, uint32_t depth, int64_t count, unsigned first,
                     unsigned second)
{
    struct pair pair;
    pair_init(&pair, a, b, depth, count);
    device->ops->submit(work_queues[first], &pair.works[0].work);
    device->ops->submit(work_queues[second], &pair.works[1].work);
    expect_done(&pair.works[0], 0);
    expect_done(&pair.works[1], 0);
    assert_int_equal(atomic_load(&pair.block.sum), count * (count - 1) / 2);
    pair_finish(&pair);
}

static void test_work_queues(void **state)
{
    (void)state;
    run_pair(writer, reader, 3, 1009, 0, 1);
    run_pair(writer, reader, 3, 1009, 1, 0);
    run_pair(writer, reader, 1, 1009, 2, 2);
}

/* Several launches parked at one end: each gets a packet, whether it goes through the ring or not.
 */
static void test_line_of_readers(void **state)
{
    enum { READERS = 5 };
    struct pair pair;
    struct fake_work works[READERS];
    (void)state;
    pair_init(&pair, writer, reader, 2, 1);
    struct sl_pipe_ring *ring = pair.block.in;
    for (int i = 0; i < READERS; i++) {
        flow_work(&works[i], pair.flow, 1, &pair.args, 1, 1);
        device->ops->submit(work_queues[2], &works[i].work);
    }
    for (int i = 0; i < READERS; i++)
        fake_sleep_until(&works[i].started, 1);
    pause_ms(20);
    struct block all = {.out = ring, .count = READERS}, *args = &all;
    flow_work(&pair.works[0], pair.flow, 0, &args, 1, 1);
    device->ops->submit(work_queues[2], &pair.works[0].work);
    expect_done(&pair.works[0], 0);
    for (int i = 0; i < READERS; i++)
        expect_done(&works[i], 0);
    assert_int_equal(atomic_load(&pair.block.sum), READERS * (READERS - 1) / 2);
    assert_int_equal(ring->head, ring->tail);
    assert_true(sl_ring_progress(ring) >= READERS);
    pair_finish(&pair);
}

static void test_polling(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth < 20; depth += 6) {
        run_pair(polling_writer, polling_reader, depth, 5003, 0, 1);
        run_pair(writer, polling_reader, depth, 5003, 0, 1);
        run_pair(polling_writer, reader, depth, 5003, 2, 2);
    }
}

/* Somebody who polls for what does not come must not keep a core busy, nor others waiting. */
static void test_fruitless(void **state)
{
    struct pair pair;
    (void)state;
    pair_init(&pair, writer, polling_reader, 4, 10);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    pause_ms(50);
    uint64_t before = cpu_ns();
    pause_ms(100);
    assert_true(cpu_ns() - before < 50000000);
    device->ops->submit(work_queues[0], &pair.works[0].work);
    expect_done(&pair.works[0], 0);
    expect_done(&pair.works[1], 0);
    pair_finish(&pair);
}

/* What else it does must go on meanwhile. */
static void test_fruitless_work(void **state)
{
    enum { LOOKS = 100000 };
    struct pair pair;
    (void)state;
    pair_init(&pair, writer, looker, 4, LOOKS);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    expect_done(&pair.works[1], 0);
    assert_int_equal(atomic_load(&pair.block.sum), LOOKS);
    pair_finish(&pair);
}

/* Who pokes a cluster while the watch has it finds nobody to wake: the watch does, then. */
static void test_poked_before_the_watch_looked(void **state)
{
    struct pair pair;
    struct sl_machine *machine = sl_fpga_machine(device);
    struct sl_stall_claims claims = {0};
    (void)state;
    pair_init(&pair, writer, reader, 4, 10);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    fake_sleep_until(&pair.works[1].started, 1);
    struct sl_cluster *cluster = machine->clusters;
    while (cluster && !sl_cluster_launched(cluster))
        cluster = cluster->next_cluster;
    assert_non_null(cluster);
    while (atomic_load(&cluster->state) != SL_CLUSTER_IDLE)
        pause_ms(1);
    uint32_t activity = atomic_load(&machine->activity);
    atomic_fetch_add(&cluster->poked, 1);
    assert_true(sl_stall_list_clusters(machine, &claims));
    sl_stall_claim(machine, &claims);
    sl_stall_release(machine, &claims);
    for (int i = 0; i < 10000 && atomic_load(&machine->activity) == activity; i++)
        pause_ms(1);
    assert_int_not_equal(atomic_load(&machine->activity), activity);
    device->ops->submit(work_queues[0], &pair.works[0].work);
    expect_done(&pair.works[0], 0);
    expect_done(&pair.works[1], 0);
    pair_finish(&pair);
}

static void test_spin(void **state)
{
    struct pair pair;
    (void)state;
    pair_init(&pair, spinner, flag_raiser, 1, 1);
    device->ops->submit(work_queues[0], &pair.works[0].work);
    pause_ms(5);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    expect_done(&pair.works[0], 0);
    expect_done(&pair.works[1], 0);
    pair_finish(&pair);
}

static void test_trap(void **state)
{
    struct pair pair;
    (void)state;
    pair_init(&pair, trapper, reader, 1, 1);
    device->ops->submit(work_queues[0], &pair.works[0].work);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    expect_done(&pair.works[0], -5);
    expect_done(&pair.works[1], 0);
    pair_finish(&pair);
}

static void test_ndrange(void **state)
{
    struct pair pair;
    (void)state;
    pair_init(&pair, item_writer, reader, 5, 1000);
    pair.flow->kernels[0].local_bytes = 7 * sizeof(size_t);
    flow_work(&pair.works[0], pair.flow, 0, &pair.args, 1000, 7);
    device->ops->submit(work_queues[0], &pair.works[0].work);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    expect_done(&pair.works[0], 0);
    expect_done(&pair.works[1], 0);
    assert_int_equal(atomic_load(&pair.block.sum), 1000 * 999 / 2);
    pair_finish(&pair);
}

/* Two launches of one consumer share out what comes; contents outlive their writer. */
static void test_shared(void **state)
{
    struct pair pair;
    struct fake_work other_reader, other_writer;
    (void)state;
    pair_init(&pair, writer, reader, 8, 4);
    flow_work(&other_writer, pair.flow, 0, &pair.args, 1, 1);
    flow_work(&other_reader, pair.flow, 1, &pair.args, 1, 1);
    device->ops->submit(work_queues[2], &pair.works[0].work);
    expect_done(&pair.works[0], 0); /* 4 of 8: it need not wait */
    device->ops->submit(work_queues[2], &other_reader.work);
    device->ops->submit(work_queues[2], &pair.works[1].work);
    device->ops->submit(work_queues[2], &other_writer.work);
    expect_done(&pair.works[1], 0);
    expect_done(&other_reader, 0);
    expect_done(&other_writer, 0);
    assert_int_equal(atomic_load(&pair.block.sum), 2 * (0 + 1 + 2 + 3));
    pair_finish(&pair);
}

/* ---- others are not starved ------------------------------------------------------------------ */

static void test_parked(void **state)
{
    enum { PARKED = 40 };
    struct pair pair;
    struct fake_work *parked = calloc(PARKED, sizeof *parked), other;
    (void)state;
    pair_init(&pair, writer, reader, 1, 3);
    for (int i = 0; i < PARKED; i++) {
        flow_work(&parked[i], pair.flow, 1, &pair.args, 1, 1);
        device->ops->submit(work_queues[2], &parked[i].work);
    }
    pause_ms(20);
    uint64_t before = cpu_ns();
    pause_ms(50);
    assert_true(cpu_ns() - before < 5000000);
    run_pair(writer, reader, 2, 1009, 0, 1); /* another program */
    pair.flow->kernels[0].flags = 0;
    pair.flow->kernels[0].run = plain;
    flow_work(&other, pair.flow, 0, &pair.args, 1, 1);
    device->ops->submit(work_queues[2], &other.work);
    device->ops->flush(work_queues[2]);
    fake_wait(work_queues[2], &other, 1);
    pair.flow->kernels[0].flags = SL_KERNEL_USES_PIPES;
    pair.flow->kernels[0].run = writer;
    for (int i = 0; i < PARKED; i++) {
        flow_work(&pair.works[0], pair.flow, 0, &pair.args, 1, 1);
        device->ops->submit(work_queues[0], &pair.works[0].work);
        expect_done(&pair.works[0], 0);
    }
    for (int i = 0; i < PARKED; i++)
        expect_done(&parked[i], 0);
    assert_int_equal(atomic_load(&pair.block.sum), 1 + PARKED * 3);
    free(parked);
    pair_finish(&pair);
}

/* Kernels that never use their pipe keep threads; there are more. */
static void test_busy(void **state)
{
    enum { BUSY = 6 };
    struct pair pairs[BUSY];
    (void)state;
    for (int i = 0; i < BUSY; i++) {
        pair_init(&pairs[i], busy, reader, 1, 1);
        device->ops->submit(work_queues[2], &pairs[i].works[0].work);
    }
    run_pair(writer, reader, 2, 1009, 0, 1);
    for (int i = 0; i < BUSY; i++) {
        atomic_store(&pairs[i].block.flag, 1);
        expect_done(&pairs[i].works[0], 0);
        pair_finish(&pairs[i]);
    }
}

/* More clusters than threads: they take turns. */
static void take_turns(void)
{
    enum { MOST = 65 };
    struct pair pairs[MOST];
    unsigned count = device->caps.compute_units < MOST ? device->caps.compute_units + 1 : MOST;
    for (unsigned i = 0; i < count; i++) {
        pair_init(&pairs[i], spinner, flag_raiser, 1, 1);
        device->ops->submit(work_queues[2], &pairs[i].works[0].work);
    }
    pause_ms(50);
    for (unsigned i = 0; i < count; i++) {
        device->ops->submit(work_queues[2], &pairs[i].works[1].work);
        expect_done(&pairs[i].works[0], 0);
        expect_done(&pairs[i].works[1], 0);
        pair_finish(&pairs[i]);
    }
}

/* The stall report counts on the number of launches afterwards. */
static void test_turns(void **state)
{
    struct sl_machine *machine = sl_fpga_machine(device);
    (void)state;
    take_turns();
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *at = machine->clusters; at; at = at->next_cluster)
        assert_int_equal(sl_cluster_launched(at), 0);
    pthread_mutex_unlock(&machine->lock);
}

/* Who polls in vain stands still, also after it gave way to others. */
static void test_turns_of_pollers(void **state)
{
    struct pair pair;
    (void)state;
    int before = atomic_load(&fake_stalls);
    pair_init(&pair, writer, polling_reader, 4, 10);
    device->ops->submit(work_queues[1], &pair.works[1].work);
    pause_ms(20);
    take_turns();
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    device->ops->host_waits(device, -1);
    device->ops->submit(work_queues[0], &pair.works[0].work);
    expect_done(&pair.works[0], 0);
    expect_done(&pair.works[1], 0);
    pair_finish(&pair);
}

/* ---- autorun --------------------------------------------------------------------------------- */

static struct flow *leftover; /* its fibers are gone for certain once the device has stopped */

static struct flow *auto_flow(sl_group_fn run)
{
    struct flow *flow = flow_create();
    flow_kernel(flow, "auto", run, SL_KERNEL_AUTORUN);
    flow_kernel(flow, "a", writer, 0);
    flow_kernel(flow, "b", reader, 0);
    uint32_t in = flow_pipe(flow, "in", 4, 2, 0, 0, 1), out = flow_pipe(flow, "out", 4, 2, 0, 2, 0);
    memset(&auto_block, 0, sizeof auto_block);
    auto_block.in = flow_ring(flow, in);
    auto_block.out = flow_ring(flow, out);
    return flow;
}

static void test_autorun(void **state)
{
    struct flow *flow = auto_flow(auto_forward);
    struct block block = {.in = auto_block.out, .out = auto_block.in, .count = 1000},
                 *args = &block;
    struct fake_work works[2];
    (void)state;
    flow_load(flow, device);
    for (uint32_t i = 0; i < 2; i++) {
        flow_work(&works[i], flow, i + 1, &args, 1, 1);
        device->ops->submit(work_queues[i], &works[i].work);
    }
    expect_done(&works[0], 0);
    expect_done(&works[1], 0);
    assert_int_equal(atomic_load(&block.sum), 1000 * 999 / 2 + 1000);
    device->ops->code_unload(flow->code);
    leftover = flow;
}

static void test_autorun_empty(void **state)
{
    struct flow *flow = auto_flow(auto_empty);
    (void)state;
    flow_load(flow, device);
    pause_ms(20);
    assert_int_equal(atomic_load(&auto_block.sum), 1);
    device->ops->code_unload(flow->code);
    leftover = flow;
}

static void test_unload_running(void **state)
{
    struct flow *flow = auto_flow(auto_endless);
    (void)state;
    flow_load(flow, device);
    pause_ms(20);
    device->ops->code_unload(flow->code);
    assert_int_equal(atomic_load(&auto_block.flag), 0);
    atomic_store(&auto_block.flag, 1);
    fake_sleep_until(&auto_block.flag, 2);
    leftover = flow;
}

/* A kernel that outlived one stop of the device does not spoil it for good. */
static void test_restart(void **state)
{
    struct pair pair;
    (void)state;
    pair_init(&pair, busy, reader, 1, 0);
    device->ops->submit(work_queues[2], &pair.works[0].work);
    pause_ms(20);
    device->ops->stop(device);
    assert_int_equal(device->ops->start(device), 0);
    run_pair(writer, reader, 2, 1009, 0, 1);
    atomic_store(&pair.block.flag, 1);
    expect_done(&pair.works[0], 0);
    pair_finish(&pair);
    for (int i = 0; i < 2; i++) {
        device->ops->stop(device);
        assert_int_equal(device->ops->start(device), 0);
        run_pair(writer, reader, 2, 1009, 0, 1);
    }
}

/* ---- warm launches --------------------------------------------------------------------------- */

static void test_many(void **state)
{
    struct pair pair;
    (void)state;
    pair_init(&pair, writer, reader, 16, 10);
    for (int i = 0; i < 2000; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            flow_work(&pair.works[k], pair.flow, k, &pair.args, 1, 1);
            device->ops->submit(work_queues[k], &pair.works[k].work);
        }
        for (uint32_t k = 0; k < 2; k++) {
            while (!atomic_load(&pair.works[k].finished))
                device->ops->assist(work_queues[k]);
        }
    }
    assert_int_equal(atomic_load(&pair.block.sum), 2000 * 45);
    pair_finish(&pair);
}

/* A process may end while kernels wait, or compute for ever. */
static void test_exit(void **state)
{
    struct pair pair;
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        open_device(state);
        pair_init(&pair, writer, reader, 1, 10);
        device->ops->submit(work_queues[0], &pair.works[1].work);
        pause_ms(20);
        exit(3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

static int open_device(void **state)
{
    (void)state;
    device = fake_open(sl_fpga_plugin);
    for (int i = 0; i < 3; i++)
        work_queues[i] = fake_work_queue(device, i == 2);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        device->ops->work_queue_destroy(work_queues[i]);
    fake_close(device);
    if (leftover)
        flow_destroy(leftover);
    leftover = NULL;
    return 0;
}

static int open_seeded(void **state)
{
    fake_set("SLUICE_FPGA_SEED", *state);
    return open_device(state);
}

static int close_seeded(void **state)
{
    fake_set("SLUICE_FPGA_SEED", NULL);
    return close_device(state);
}

#define ON_DEVICE(test) cmocka_unit_test_setup_teardown(test, open_device, close_device)
#define SEEDED(test, seed)                                                                         \
    cmocka_unit_test_prestate_setup_teardown(test, open_seeded, close_seeded,                      \
                                             (void *)(uintptr_t)seed)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit),
        ON_DEVICE(test_work_queues),
        ON_DEVICE(test_line_of_readers),
        ON_DEVICE(test_polling),
        ON_DEVICE(test_fruitless),
        ON_DEVICE(test_fruitless_work),
        ON_DEVICE(test_poked_before_the_watch_looked),
        ON_DEVICE(test_spin),
        ON_DEVICE(test_trap),
        ON_DEVICE(test_ndrange),
        ON_DEVICE(test_shared),
        ON_DEVICE(test_parked),
        ON_DEVICE(test_busy),
        ON_DEVICE(test_autorun),
        ON_DEVICE(test_autorun_empty),
        ON_DEVICE(test_unload_running),
        ON_DEVICE(test_many),
        SEEDED(test_work_queues, "1"),
        ON_DEVICE(test_turns),
        ON_DEVICE(test_turns_of_pollers),
        ON_DEVICE(test_restart),
        SEEDED(test_work_queues, "2"),
        SEEDED(test_polling, "3"),
        SEEDED(test_shared, "4"),
        SEEDED(test_autorun, "5"),
        SEEDED(test_parked, "6"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
