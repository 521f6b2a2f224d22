/* SPDX-License-Identifier: Apache-2.0 */
/* See pipes_device.h. Test code: single-threaded. */
#include "pipes_device.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define STACK_BYTES (256 << 10)
#define MOST_TASKS 64

struct task {
    ucontext_t place;
    sl_group_fn run;
    struct sl_launch launch;
    struct sl_group group;
    unsigned char block[256];
    char *stack;
    bool done, endless;
};

struct machine machine;

static struct task tasks[MOST_TASKS];
static unsigned task_count, current;
static unsigned long progress;
static ucontext_t scheduler;
static bool running;

static void give_way(void)
{
    if (running)
        swapcontext(&tasks[current].place, &scheduler);
}

/* ---- the runtime ----------------------------------------------------------------------------- */

static uint64_t limit_between(uint64_t own, uint64_t bound)
{
    switch (machine.limits) {
    case LIMITS_TIGHT:
        return own;
    case LIMITS_RANDOM:
        return own + (uint64_t)rand_r(&machine.seed) % (bound - own + 1);
    case LIMITS_TRUE:
    case LIMITS_COUNT:
        break;
    }
    return bound;
}

static bool try(struct sl_pipe_ring *ring, const struct sl_pipe_site *site, void *packet)
{
    uint64_t fill = ring->tail - ring->head;
    if (fill == (site->op == SL_PIPE_READ ? 0 : ring->depth))
        return false;
    uint64_t *index = site->op == SL_PIPE_READ ? &ring->head : &ring->tail;
    unsigned char *slot = ring->slots + (*index & ring->mask) * ring->packet_bytes;
    if (site->op == SL_PIPE_READ)
        memcpy(packet, slot, ring->packet_bytes);
    else
        memcpy(slot, packet, ring->packet_bytes);
    ++*index;
    ring->read_limit = limit_between(ring->head, ring->tail);
    ring->write_limit = limit_between(ring->tail, ring->head + ring->depth);
    progress++;
    return true;
}

static int32_t slow(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site, void *packet)
{
    (void)launch;
    machine.calls++;
    machine.last_site = site;
    if (machine.limits != LIMITS_TRUE)
        give_way();
    while (!try(ring, site, packet)) {
        give_way();
        if (!site->blocking)
            return -1;
    }
    return 0;
}

static void notify(const struct sl_launch *launch, struct sl_pipe_ring *ring)
{
    (void)launch;
    (void)ring;
    machine.notified++;
    give_way();
}

/* One reservation per end at a time: the id is the end's index + 1. */
static uint64_t reserve(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site, uint32_t count)
{
    (void)launch;
    uint64_t fill = ring->tail - ring->head;
    machine.last_site = site;
    if (count > (site->op == SL_PIPE_READ ? fill : ring->depth - fill)) {
        give_way();
        return 0;
    }
    ring->device[0] = (void *)(uintptr_t)count;
    progress++;
    return (site->op == SL_PIPE_READ ? ring->head : ring->tail) + 1;
}

static void *reserved(const struct sl_launch *launch, struct sl_pipe_ring *ring, uint64_t id,
                      uint32_t index)
{
    (void)launch;
    if (index >= (uintptr_t)ring->device[0])
        return NULL;
    return ring->slots + ((id - 1 + index) & ring->mask) * ring->packet_bytes;
}

static void commit(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                   const struct sl_pipe_site *site, uint64_t id)
{
    (void)launch;
    (void)id;
    uint64_t *index = site->op == SL_PIPE_READ ? &ring->head : &ring->tail;
    *index += (uintptr_t)ring->device[0];
    ring->device[0] = NULL;
    ring->read_limit = ring->tail;
    ring->write_limit = ring->head + ring->depth;
}

static void yield(const struct sl_launch *launch)
{
    (void)launch;
    machine.calls++;
    give_way();
}

static const struct sl_runtime runtime = {
    .size = sizeof runtime,
    .pipe_slow = slow,
    .pipe_notify = notify,
    .pipe_reserve = reserve,
    .pipe_reserved = reserved,
    .pipe_commit = commit,
    .yield = yield,
};

/* ---- kernels --------------------------------------------------------------------------------- */

static void run_task(void)
{
    struct task *task = &tasks[current];
    do {
        task->run(task->block, &task->launch, &task->group);
        if (task->endless)
            give_way();
    } while (task->endless);
    task->done = true;
    progress++;
}

void device_start(sl_group_fn run, const struct sl_kernel_facts *facts, const void *block,
                  size_t global, size_t local, size_t local_bytes)
{
    struct task *task = &tasks[task_count++];
    size_t context = facts->context_fixed + facts->context_per_item * local + 128;
    *task = (struct task){.run = run, .endless = facts->flags & SL_KERNEL_AUTORUN};
    task->launch = (struct sl_launch){.work_dim = 1,
                                      .global_size = {global, 1, 1},
                                      .local_size = {local, 1, 1},
                                      .group_count = {(global + local - 1) / local, 1, 1},
                                      .runtime = &runtime};
    task->group.count = task->launch.group_count[0];
    task->group.local = aligned_alloc(128, (local_bytes + 255) / 128 * 128);
    task->group.context = aligned_alloc(64, (context + 63) / 64 * 64);
    memcpy(task->block, block, sizeof task->block);
    task->stack = malloc(STACK_BYTES);
    getcontext(&task->place);
    task->place.uc_stack.ss_sp = task->stack;
    task->place.uc_stack.ss_size = STACK_BYTES;
    task->place.uc_link = &scheduler;
    makecontext(&task->place, run_task, 0);
}

static bool all_done(void)
{
    for (unsigned t = 0; t < task_count; t++)
        if (!tasks[t].done && !tasks[t].endless)
            return false;
    return true;
}

bool device_run(void)
{
    unsigned long idle = 0;
    running = true;
    while (!all_done() && idle < 1000) {
        unsigned long before = progress;
        for (current = 0; current < task_count; current++)
            if (!tasks[current].done)
                swapcontext(&scheduler, &tasks[current].place);
        idle = progress == before ? idle + 1 : 0;
    }
    running = false;
    for (unsigned t = 0; t < task_count; t++) {
        free(tasks[t].stack);
        free(tasks[t].group.local);
        free(tasks[t].group.context);
    }
    task_count = 0;
    return idle < 1000;
}

struct sl_pipe_ring *device_ring(uint32_t packet_bytes, uint32_t depth)
{
    struct sl_pipe_ring *ring = aligned_alloc(64, sizeof *ring);
    uint64_t slots = 1;
    while (slots < depth)
        slots *= 2;
    memset(ring, 0, sizeof *ring);
    ring->slots = aligned_alloc(64, (slots * packet_bytes + 63) / 64 * 64);
    ring->mask = slots - 1;
    ring->packet_bytes = packet_bytes;
    ring->depth = depth;
    ring->flags = SL_PIPE_ARGUMENT;
    ring->write_limit = depth;
    return ring;
}
