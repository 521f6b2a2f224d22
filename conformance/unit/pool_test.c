/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes, jobs and worker threads of devices/common, with kernels written by hand. */
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/code.h"
#include "common/ndrange.h"
#include "common/sched.h"
#include "cpu/cpu.h"
#include "fake_host.h"
#include "fpga/fpga.h"

/* ---- kernels ------------------------------------------------------------------------------- */

struct args {
    _Atomic uint8_t *hits; /* one per work-group or NULL */
    _Atomic uint64_t *groups;
    uint64_t work_ns; /* per work-group */
};

static void burn(uint64_t ns)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((uint64_t)(now.tv_sec - start.tv_sec) * 1000000000u + (uint64_t)now.tv_nsec -
               (uint64_t)start.tv_nsec <
           ns);
}

/* Marks each of its groups; checks that its memory is there and aligned. */
static void count_groups(const void *block, const struct sl_launch *launch, struct sl_group *group)
{
    const struct args *args = block;
    size_t row = group->id[2] * launch->group_count[1] + group->id[1];
    size_t at = row * launch->group_count[0] + group->id[0];
    for (size_t i = 0; args->hits && i < group->count; i++)
        atomic_fetch_add_explicit(&args->hits[at + i], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(args->groups, group->count, memory_order_relaxed);
    if (args->work_ns)
        burn(args->work_ns * group->count);
}

static void use_memory(const void *block, const struct sl_launch *launch, struct sl_group *group)
{
    if ((uintptr_t)group->local % SL_LOCAL_ALIGN || (uintptr_t)group->context % 64)
        return;
    memset(group->local, 1, 5000);
    memset(group->context, 2, 100 + launch->local_size[0] * 24);
    count_groups(block, launch, group);
}

static void stop_at_third(const void *block, const struct sl_launch *launch, struct sl_group *group)
{
    for (size_t i = group->id[0]; i < group->id[0] + group->count; i++) {
        if (i == 2)
            launch->runtime->trap(launch, "third group");
    }
    count_groups(block, launch, group);
}

static void check_rounding(const void *block, const struct sl_launch *launch,
                           struct sl_group *group)
{
    volatile float one = 1, little = 1e-10f;
    if (one + little == 1)
        count_groups(block, launch, group);
}

enum { COUNT, MEMORY, TRAP, ROUNDING, HUNGRY, KERNELS };
static const struct sl_kernel_info kernels[KERNELS] = {
    [COUNT] = {.name = "count", .run = count_groups, .vector_width = 8},
    [MEMORY] = {.name = "memory", .run = use_memory, .context_per_item = 24, .context_fixed = 100},
    [TRAP] = {.name = "trap", .run = stop_at_third},
    [ROUNDING] = {.name = "rounding", .run = check_rounding},
    [HUNGRY] = {.name = "hungry", .run = count_groups, .stack_bytes = 1 << 20},
};
static const struct sl_module_info module = {
    .abi = SL_MODULE_ABI, .size = sizeof module, .kernel_count = KERNELS, .kernels = kernels};

/* ---- fixture ------------------------------------------------------------------------------- */

struct bed {
    struct sl_device *device;
    struct sl_code *code;
    struct sl_lane *lane;
};

static int set_up(void **state)
{
    struct bed *bed = calloc(1, sizeof *bed);
    bed->device = fake_open(sl_cpu_plugin);
    bed->code = sl_code_around(&module);
    bed->lane = fake_lane(bed->device, true);
    *state = bed;
    return 0;
}

static int tear_down(void **state)
{
    struct bed *bed = *state;
    bed->device->ops->lane_destroy(bed->lane);
    free(bed->code);
    fake_close(bed->device);
    free(bed);
    fake_set("SLUICE_NUM_THREADS", NULL);
    fake_set("SLUICE_PIN_THREADS", NULL);
    return 0;
}

static struct fake_work launch(struct bed *bed, unsigned kernel, const struct args *args,
                               const size_t global[3], const size_t local[3])
{
    struct fake_work fake = {.work.kind = SL_WORK_KERNEL};
    struct sl_launch_args *l = &fake.work.u.kernel;
    l->code = bed->code;
    l->kernel_index = kernel;
    l->args = args;
    l->work_dim = 3;
    l->local_bytes = 5000;
    memcpy(l->global_size, global, sizeof l->global_size);
    memcpy(l->local_size, local, sizeof l->local_size);
    return fake;
}

static struct fake_work launch_1d(struct bed *bed, unsigned kernel, const struct args *args,
                                  size_t groups)
{
    return launch(bed, kernel, args, (size_t[]){groups, 1, 1}, (size_t[]){1, 1, 1});
}

static void run(struct bed *bed, struct fake_work *fake)
{
    bed->device->ops->submit(bed->lane, &fake->work);
    fake_wait(bed->lane, fake, 1);
    assert_int_equal(atomic_load(&fake->started), 1);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void every_group_once(void **state)
{
    static const size_t sizes[][2][3] = {
        {{1, 1, 1}, {1, 1, 1}},      {{7, 1, 1}, {2, 1, 1}},       {{1000003, 1, 1}, {1, 1, 1}},
        {{64, 64, 1}, {8, 8, 1}},    {{65, 33, 1}, {8, 8, 1}},     {{5, 7, 11}, {2, 3, 4}},
        {{1, 1, 999}, {1, 1, 1}},    {{1, 4096, 3}, {1, 1, 1}},    {{4096, 4096, 1}, {16, 16, 1}},
        {{17, 19, 23}, {17, 1, 23}}, {{100000, 1, 1}, {64, 1, 1}}, {{2, 2, 2}, {4, 4, 4}},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t *global = sizes[i][0], *local = sizes[i][1];
        size_t total = 1;
        for (int d = 0; d < 3; d++)
            total *= (global[d] + local[d] - 1) / local[d];
        _Atomic uint64_t groups = 0;
        struct args args = {.hits = calloc(total, 1), .groups = &groups};
        for (unsigned turn = 1; turn <= 3; turn++) {
            struct fake_work fake = launch(*state, COUNT, &args, global, local);
            run(*state, &fake);
            assert_int_equal(fake.status, 0);
            assert_int_equal(groups, turn * total);
            for (size_t g = 0; g < total; g++) {
                if (args.hits[g] != turn)
                    fail_msg("case %zu, group %zu of %zu: %u of %u", i, g, total, args.hits[g],
                             turn);
            }
        }
        free((void *)args.hits);
    }
}

static void ten_million_groups(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = launch_1d(*state, COUNT, &args, 10000000);
    run(*state, &fake);
    assert_int_equal(groups, 10000000);
}

static void no_group_at_all(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = launch_1d(*state, COUNT, &args, 0);
    run(*state, &fake);
    assert_int_equal(fake.status, 0);
    assert_int_equal(groups, 0);
}

static void too_many_groups_are_refused(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    const size_t much = (size_t)1 << 40;
    struct fake_work fake =
        launch(*state, COUNT, &args, (size_t[]){much, much, 1}, (size_t[]){1, 1, 1});
    run(*state, &fake);
    assert_int_equal(fake.status, -5);
    assert_int_equal(groups, 0);
}

static void memory_is_there(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    for (size_t local = 1; local <= 4096; local *= 8) {
        struct fake_work fake =
            launch(*state, MEMORY, &args, (size_t[]){local * 100, 1, 1}, (size_t[]){local, 1, 1});
        groups = 0;
        run(*state, &fake);
        assert_int_equal(groups, 100);
    }
}

static void starts_without_anybody_waiting(void **state)
{
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    for (int i = 0; i < 20; i++) {
        struct fake_work fake = launch_1d(bed, COUNT, &args, 1);
        bed->device->ops->submit(bed->lane, &fake.work);
        fake_sleep_until(&fake.finished, 1);
        burn(i * 2000000); /* from busy lanes to quiet ones */
    }
    assert_int_equal(groups, 20);
}

/*
 * The linker puts these before the pool's own (--wrap). While `unwatched` the lanes believe that
 * somebody will look at them, and nobody does: what was held back lies there until it is flushed.
 */
int __real_sl_pool_create(const struct sl_pool_desc *, struct sl_pool **);
int __wrap_sl_pool_create(const struct sl_pool_desc *, struct sl_pool **);
bool __real_sl_pool_attended(struct sl_pool *);
bool __wrap_sl_pool_attended(struct sl_pool *);

static atomic_bool unwatched;
static bool (*real_watch)(void *);

static bool watch(void *owner)
{
    return !unwatched && real_watch(owner);
}

int __wrap_sl_pool_create(const struct sl_pool_desc *desc, struct sl_pool **out)
{
    static struct sl_pool_ops ops;
    struct sl_pool_desc changed = *desc;
    real_watch = desc->ops->watch;
    ops = (struct sl_pool_ops){.run = desc->ops->run, .watch = watch};
    changed.ops = &ops;
    return __real_sl_pool_create(&changed, out);
}

bool __wrap_sl_pool_attended(struct sl_pool *pool)
{
    return unwatched || __real_sl_pool_attended(pool);
}

static int set_up_unwatched(void **state)
{
    unwatched = true;
    return set_up(state);
}

static int tear_down_unwatched(void **state)
{
    int rc = tear_down(state);
    unwatched = false;
    return rc;
}

static void flush_starts(void **state)
{
    enum { MOST_FLUSHES = 4 }; /* the first ones may leave a short work to who waits for it */
    struct bed *bed = *state;
    const struct sl_device_ops *ops = bed->device->ops;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work first = launch_1d(bed, COUNT, &args, 3);
    ops->submit(bed->lane, &first.work); /* a lane nobody knew yet: starts at once */
    fake_sleep_until(&first.finished, 1);
    burn(20000000); /* the worker falls asleep */
    int held = 0;
    for (int i = 0; i < 10; i++) {
        struct fake_work fake = launch_1d(bed, COUNT, &args, 3);
        ops->submit(bed->lane, &fake.work);
        burn(5000000);
        held += !atomic_load(&fake.finished);
        for (int n = 0; n < MOST_FLUSHES; n++)
            ops->flush(bed->lane);
        fake_sleep_until(&fake.finished, 1); /* for ever, if flush() did nothing */
        burn(5000000);
    }
    assert_int_equal(groups, 33);
    if (!held)
        skip(); /* a machine so slow that no launch counts as short */
}

/* With nobody to look after what was held back the first flush is enough. */
static void first_flush_starts(void **state)
{
    struct bed *bed = *state;
    const struct sl_device_ops *ops = bed->device->ops;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work works[2];
    for (int i = 0; i < 2; i++) {
        works[i] = launch_1d(bed, COUNT, &args, 3);
        ops->submit(bed->lane, &works[i].work);
        if (!i)
            fake_sleep_until(&works[0].finished, 1);
        burn(20000000);
    }
    bool held = !atomic_load(&works[1].finished);
    unwatched = false; /* the lanes see now that nobody is awake */
    ops->flush(bed->lane);
    fake_sleep_until(&works[1].finished, 1);
    assert_int_equal(groups, 6);
    if (!held)
        skip();
}

static void trap_ends_the_launch(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups, .work_ns = 1000};
    int lines = atomic_load(&fake_log_lines);
    struct fake_work fake = launch_1d(*state, TRAP, &args, 1000);
    run(*state, &fake);
    assert_int_equal(fake.status, -5);
    assert_int_equal(atomic_load(&fake_log_lines), lines + 1);
    assert_true(groups < 1000);
    fake = launch_1d(*state, COUNT, &args, 10);
    run(*state, &fake);
    assert_int_equal(fake.status, 0);
}

static void rounding_mode_is_reset_and_given_back(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    fesetround(FE_UPWARD);
    struct fake_work fake = launch_1d(*state, ROUNDING, &args, 1);
    run(*state, &fake);
    int mode = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(mode, FE_UPWARD);
    assert_int_equal(groups, 1);
}

static void large_private_memory_stays_off_the_caller(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = launch_1d(*state, HUNGRY, &args, 100);
    run(*state, &fake);
    assert_int_equal(groups, 100);
    struct sl_kernel_info huge = kernels[HUNGRY];
    huge.stack_bytes = 100u << 20;
    const struct sl_module_info other = {.kernel_count = 1, .kernels = &huge};
    struct sl_code *code = sl_code_around(&other);
    fake = launch_1d(*state, 0, &args, 1);
    fake.work.u.kernel.code = code;
    run(*state, &fake);
    assert_int_equal(fake.status, -5);
    free(code);
}

/* An in-order queue as the driver makes one: each end submits the next. */
struct chain {
    struct bed *bed;
    struct fake_work *works;
    unsigned next, count;
};

static void submit_next(struct fake_work *fake)
{
    struct chain *chain = fake->data;
    if (chain->next < chain->count)
        chain->bed->device->ops->submit(chain->bed->lane, &chain->works[chain->next++].work);
}

static void submits_from_finished(void **state)
{
    enum { LENGTH = 20000 };
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct chain chain = {.bed = *state, .next = 1, .count = LENGTH};
    chain.works = calloc(LENGTH, sizeof *chain.works);
    for (unsigned i = 0; i < LENGTH; i++) {
        chain.works[i] = launch_1d(*state, COUNT, &args, i % 5);
        chain.works[i].then = submit_next;
        chain.works[i].data = &chain;
    }
    chain.bed->device->ops->submit(chain.bed->lane, &chain.works[0].work);
    fake_wait(chain.bed->lane, chain.works, LENGTH);
    assert_int_equal(groups, LENGTH / 5 * (0 + 1 + 2 + 3 + 4));
    free(chain.works);
}

static void backlog(void **state)
{
    enum { LENGTH = 20000 };
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work *works = calloc(LENGTH, sizeof *works);
    for (unsigned i = 0; i < LENGTH; i++) {
        works[i] = launch_1d(bed, COUNT, &args, 2);
        bed->device->ops->submit(bed->lane, &works[i].work);
    }
    fake_wait(bed->lane, works, LENGTH);
    assert_int_equal(groups, 2 * LENGTH);
    free(works);
}

static void *lane_user(void *data)
{
    enum { LAUNCHES = 300, GROUPS = 700 };
    struct bed bed = *(struct bed *)data;
    for (int round = 0; round < 3; round++) {
        bed.lane = fake_lane(bed.device, round & 1);
        _Atomic uint64_t groups = 0;
        const struct args args = {.groups = &groups, .work_ns = 20};
        struct fake_work works[LAUNCHES];
        for (unsigned i = 0; i < LAUNCHES; i++) {
            works[i] = launch_1d(&bed, COUNT, &args, i % 10 ? 3 : GROUPS);
            bed.device->ops->submit(bed.lane, &works[i].work);
            if (i % 16 == 0)
                fake_wait(bed.lane, &works[i], 1);
        }
        fake_wait(bed.lane, works, LAUNCHES);
        assert_int_equal(groups, LAUNCHES / 10 * GROUPS + (LAUNCHES - LAUNCHES / 10) * 3);
        bed.device->ops->lane_destroy(bed.lane);
    }
    return NULL;
}

static void many_lanes_many_threads(void **state)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, lane_user, *state), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void *waiter(void *data)
{
    struct chain *chain = data;
    fake_wait(chain->bed->lane, chain->works, chain->count);
    return NULL;
}

static void many_waiters_one_lane(void **state)
{
    enum { THREADS = 6, LENGTH = 500 };
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups, .work_ns = 100};
    struct chain chain = {.bed = bed, .count = LENGTH};
    pthread_t threads[THREADS];
    chain.works = calloc(LENGTH, sizeof *chain.works);
    for (unsigned i = 0; i < LENGTH; i++)
        chain.works[i] = launch_1d(bed, COUNT, &args, i % 50);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, waiter, &chain);
    for (unsigned i = 0; i < LENGTH; i++)
        bed->device->ops->submit(bed->lane, &chain.works[i].work);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(groups, LENGTH / 50 * (49 * 50 / 2));
    free(chain.works);
}

static atomic_int inside_now, inside_most;

static void watch_company(const void *block, const struct sl_launch *l, struct sl_group *group)
{
    int now = atomic_fetch_add(&inside_now, 1) + 1, most = atomic_load(&inside_most);
    while (now > most && !atomic_compare_exchange_weak(&inside_most, &most, now))
        ;
    burn(20000 * group->count);
    count_groups(block, l, group);
    atomic_fetch_sub(&inside_now, 1);
}

static void sub_device_limits_threads(void **state)
{
    struct bed *bed = *state;
    const struct sl_kernel_info kernel = {.name = "company", .run = watch_company};
    const struct sl_module_info info = {.kernel_count = 1, .kernels = &kernel};
    struct bed mine = {.device = bed->device, .code = sl_code_around(&info)};
    const uint32_t unit = 0;
    const struct sl_lane_desc desc = {.out_of_order = true, .units = &unit, .unit_count = 1};
    assert_int_equal(bed->device->ops->lane_create(bed->device, &desc, &mine.lane), 0);
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work works[4];
    inside_most = 0;
    for (int i = 0; i < 4; i++) {
        works[i] = launch_1d(&mine, 0, &args, 40);
        bed->device->ops->submit(mine.lane, &works[i].work);
    }
    fake_wait(mine.lane, works, 4);
    assert_int_equal(groups, 160);
    assert_int_equal(inside_most, 1);
    bed->device->ops->lane_destroy(mine.lane);
    free(mine.code);
}

static void long_launch_is_shared(void **state)
{
    struct bed *bed = *state;
    if (bed->device->caps.compute_units < 2)
        skip();
    const struct sl_kernel_info kernel = {.name = "company", .run = watch_company};
    const struct sl_module_info info = {.kernel_count = 1, .kernels = &kernel};
    struct bed mine = *bed;
    mine.code = sl_code_around(&info);
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    inside_most = 0;
    struct fake_work fake = launch_1d(&mine, 0, &args, 2000);
    run(&mine, &fake);
    assert_int_equal(groups, 2000);
    assert_true(inside_most >= 2);
    free(mine.code);
}

static void native(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static void native_functions_run(void **state)
{
    atomic_int calls = 0;
    struct fake_work fake = {.work = {.kind = SL_WORK_NATIVE}};
    fake.work.u.native = (struct sl_native){.function = native, .args = &calls};
    run(*state, &fake);
    assert_int_equal(calls, 1);
}

/* What the caller does not wait for: it notes its thread and lasts until the caller lets it go. */
static struct {
    atomic_int go, on_caller;
    pthread_t caller;
} other;

static void last(void)
{
    if (pthread_equal(pthread_self(), other.caller))
        atomic_store(&other.on_caller, 1);
    for (int i = 0; i < 5000 && !atomic_load(&other.go); i++)
        burn(100000);
}

static void last_native(void *data)
{
    (void)data;
    last();
}

static void last_kernel(const void *block, const struct sl_launch *l, struct sl_group *group)
{
    last();
    count_groups(block, l, group);
}

/* Submits `long_one` and a short kernel, and waits for the kernel only. */
static void wait_past(struct bed *bed, struct fake_work *long_one)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = launch_1d(bed, COUNT, &args, 1);
    other.go = other.on_caller = 0;
    other.caller = pthread_self();
    bed->device->ops->submit(bed->lane, &long_one->work);
    bed->device->ops->submit(bed->lane, &fake.work);
    fake_wait(bed->lane, &fake, 1);
    int over = atomic_load(&long_one->finished);
    atomic_store(&other.go, 1);
    fake_wait(bed->lane, long_one, 1);
    assert_int_equal(over, 0);
    assert_int_equal(other.on_caller, 0);
    assert_int_equal(groups, 1);
}

static void natives_stay_off_the_caller(void **state)
{
    struct bed *bed = *state;
    if (bed->device->caps.compute_units < 2)
        skip();
    for (int i = 0; i < 50; i++) {
        struct fake_work fake = {.work = {.kind = SL_WORK_NATIVE}};
        fake.work.u.native = (struct sl_native){.function = last_native};
        wait_past(bed, &fake);
    }
}

/* One group: at first not measured, then known to be long. */
static void long_works_of_others_stay_off_the_caller(void **state)
{
    struct bed mine = *(struct bed *)*state;
    if (mine.device->caps.compute_units < 2)
        skip();
    struct sl_kernel_info both[] = {kernels[COUNT], {.name = "last", .run = last_kernel}};
    const struct sl_module_info info = {.kernel_count = 2, .kernels = both};
    mine.code = sl_code_around(&info);
    for (int i = 0; i < 5; i++) {
        _Atomic uint64_t ran = 0;
        const struct args args = {.groups = &ran};
        struct fake_work fake = launch_1d(&mine, 1, &args, 1);
        wait_past(&mine, &fake);
        assert_int_equal(ran, 1);
    }
    free(mine.code);
}

/* The last command of the last context: queue and device threads go from within finished(). */
static void destroy_all(struct fake_work *fake)
{
    struct bed *bed = fake->data;
    bed->device->ops->lane_destroy(bed->lane);
    bed->device->ops->stop(bed->device);
}

static void stop_from_within_finished(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct bed bed = {.device = fake_open(sl_cpu_plugin), .code = sl_code_around(&module)};
        bed.lane = fake_lane(bed.device, false);
        _Atomic uint64_t groups = 0;
        const struct args args = {.groups = &groups};
        struct fake_work fake = launch_1d(&bed, HUNGRY, &args, 100);
        fake.then = destroy_all;
        fake.data = &bed;
        bed.device->ops->submit(bed.lane, &fake.work);
        fake_sleep_until(&fake.finished, 1);
        if (i & 1) { /* and up again */
            assert_int_equal(bed.device->ops->start(bed.device), 0);
            bed.device->ops->stop(bed.device);
        }
        bed.device->ops->close(bed.device);
        free(bed.code);
    }
}

static void start_stop_repeats(void **state)
{
    (void)state;
    fake_set("SLUICE_NUM_THREADS", "1");
    struct sl_device *device = fake_open(sl_fpga_plugin);
    assert_int_equal(device->caps.compute_units, 1);
    for (int i = 0; i < 20; i++) {
        device->ops->stop(device);
        assert_int_equal(device->ops->start(device), 0);
    }
    fake_close(device);
    fake_set("SLUICE_NUM_THREADS", NULL);
}

static int set_up_single(void **state)
{
    fake_set("SLUICE_NUM_THREADS", "1");
    return set_up(state);
}

static int set_up_pinned(void **state)
{
    fake_set("SLUICE_PIN_THREADS", "1");
    return set_up(state);
}

static void splits_64_bit_counts(void **state)
{
    (void)state;
    struct sl_launch l;
    struct sl_launch_args args = {
        .work_dim = 2, .global_size = {(size_t)1 << 35, 3}, .local_size = {1, 2}};
    uint64_t total;
    assert_true(sl_ndrange_init(&l, &args, &total));
    assert_int_equal(total, (uint64_t)2 << 35);
    assert_int_equal(l.global_size[2], 1);
}

static void suggests_divisors(void **state)
{
    (void)state;
    static const size_t globals[][3] = {
        {1, 1, 1},      {64, 1, 1},     {1000, 1, 1},   {1 << 20, 1, 1}, {1000003, 1, 1},
        {999999, 1, 1}, {512, 512, 1},  {1021, 769, 1}, {1920, 1080, 1}, {160, 160, 160},
        {4, 4096, 4},   {131073, 1, 1}, {7, 11, 13},    {4096, 4096, 1}, {3, 1 << 20, 1}};
    static const uint32_t flags[] = {0, SL_KERNEL_FLAT, SL_KERNEL_USES_BARRIER};
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
        for (size_t f = 0; f < 3; f++) {
            struct sl_kernel_info kernel = {.flags = flags[f], .vector_width = 16};
            size_t local[3];
            sl_ndrange_suggest(&kernel, 3, globals[i], 2, 4096, local);
            for (int d = 0; d < 3; d++)
                assert_int_equal(globals[i][d] % local[d], 0);
            assert_in_range(local[0] * local[1] * local[2], 1, 4096);
            kernel.max_work_group_size = 8;
            sl_ndrange_suggest(&kernel, 3, globals[i], 2, 4096, local);
            assert_in_range(local[0] * local[1] * local[2], 1, 8);
        }
    }
    const struct sl_kernel_info fixed = {.reqd_size = {4, 2, 1}};
    size_t local[3];
    sl_ndrange_suggest(&fixed, 2, (size_t[]){64, 64, 1}, 2, 4096, local);
    assert_int_equal(local[0], 4);
    assert_int_equal(local[1], 2);
    const struct sl_kernel_info plain = {.vector_width = 16};
    sl_ndrange_suggest(&plain, 1, (size_t[]){1 << 20, 1, 1}, 2, 4096, local);
    assert_int_equal(local[0], 1024);
}

#define BED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define UNWATCHED(test) cmocka_unit_test_setup_teardown(test, set_up_unwatched, tear_down_unwatched)
#define SINGLE(test)                                                                               \
    {                                                                                              \
#test "_single", test, set_up_single, tear_down, NULL                                      \
    }
#define PINNED(test)                                                                               \
    {                                                                                              \
#test "_pinned", test, set_up_pinned, tear_down, NULL                                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BED(every_group_once),
        SINGLE(every_group_once),
        PINNED(every_group_once),
        BED(ten_million_groups),
        BED(no_group_at_all),
        BED(too_many_groups_are_refused),
        BED(memory_is_there),
        BED(starts_without_anybody_waiting),
        SINGLE(starts_without_anybody_waiting),
        UNWATCHED(flush_starts),
        UNWATCHED(first_flush_starts),
        BED(trap_ends_the_launch),
        BED(rounding_mode_is_reset_and_given_back),
        BED(large_private_memory_stays_off_the_caller),
        BED(submits_from_finished),
        SINGLE(submits_from_finished),
        BED(backlog),
        SINGLE(backlog),
        BED(many_lanes_many_threads),
        SINGLE(many_lanes_many_threads),
        BED(many_waiters_one_lane),
        BED(sub_device_limits_threads),
        BED(long_launch_is_shared),
        BED(native_functions_run),
        BED(natives_stay_off_the_caller),
        BED(long_works_of_others_stay_off_the_caller),
        cmocka_unit_test(stop_from_within_finished),
        cmocka_unit_test(start_stop_repeats),
        cmocka_unit_test(splits_64_bit_counts),
        cmocka_unit_test(suggests_divisors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
