/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels and the device that the tests of threads share. */
#include "pool_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "cpu/cpu.h"

void burn(uint64_t ns)
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
void count_groups(const void *block, const struct sl_launch *launch, struct sl_group *group)
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

const struct sl_kernel_info bed_kernels[KERNELS] = {
    [COUNT] = {.name = "count", .run = count_groups, .vector_width = 8},
    [MEMORY] = {.name = "memory", .run = use_memory, .context_per_item = 24, .context_fixed = 100},
    [TRAP] = {.name = "trap", .run = stop_at_third},
    [ROUNDING] = {.name = "rounding", .run = check_rounding},
    [HUNGRY] = {.name = "hungry", .run = count_groups, .stack_bytes = 1 << 20},
};
const struct sl_module_info bed_module = {.abi = SL_MODULE_ABI,
                                          .size = sizeof bed_module,
                                          .kernel_count = KERNELS,
                                          .kernels = bed_kernels};

int bed_set_up(void **state)
{
    struct bed *bed = calloc(1, sizeof *bed);
    bed->device = fake_open(sl_cpu_plugin);
    bed->code = sl_code_around(&bed_module);
    bed->work_queue = fake_work_queue(bed->device, true);
    *state = bed;
    return 0;
}

int bed_tear_down(void **state)
{
    struct bed *bed = *state;
    bed->device->ops->work_queue_destroy(bed->work_queue);
    free(bed->code);
    fake_close(bed->device);
    free(bed);
    fake_set("SLUICE_NUM_THREADS", NULL);
    fake_set("SLUICE_PIN_THREADS", NULL);
    return 0;
}

struct fake_work bed_launch(struct bed *bed, unsigned kernel, const struct args *args,
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

struct fake_work bed_launch_1d(struct bed *bed, unsigned kernel, const struct args *args,
                               size_t groups)
{
    return bed_launch(bed, kernel, args, (size_t[]){groups, 1, 1}, (size_t[]){1, 1, 1});
}

void bed_run(struct bed *bed, struct fake_work *fake)
{
    bed->device->ops->submit(bed->work_queue, &fake->work);
    fake_wait(bed->work_queue, fake, 1);
    assert_int_equal(atomic_load(&fake->started), 1);
}

int bed_set_up_single(void **state)
{
    fake_set("SLUICE_NUM_THREADS", "1");
    return bed_set_up(state);
}

int bed_set_up_pinned(void **state)
{
    fake_set("SLUICE_PIN_THREADS", "1");
    return bed_set_up(state);
}
