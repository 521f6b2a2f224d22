/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs with pipes made by hand: kernels are C functions that use pipes the way compiled code
 * does (sluice/pipe.h).
 */
#ifndef SL_UNIT_FLOW_H
#define SL_UNIT_FLOW_H

#include <string.h>

#include "fake_host.h"
#include "sluice/device.h"
#include "sluice/module.h"

enum { FLOW_KERNELS = 1200, FLOW_PIPES = 1200 };

struct flow {
    struct sl_module_info info;
    struct sl_kernel_info kernels[FLOW_KERNELS];
    struct sl_pipe_info pipes[FLOW_PIPES];
    struct sl_pipe_ring *rings;
    unsigned char *slots[FLOW_PIPES];
    struct sl_code *code;
};

struct flow *flow_create(void);
void flow_destroy(struct flow *); /* unloaded, and the device stopped */

/* A row; the pipe's row tells who is at its ends. */
uint32_t flow_kernel(struct flow *, const char *name, sl_group_fn, uint32_t flags);
uint32_t flow_pipe(struct flow *, const char *name, uint32_t packet_bytes, uint32_t depth,
                   uint32_t flags, int32_t reader, int32_t writer);
static inline struct sl_pipe_ring *flow_ring(struct flow *flow, uint32_t pipe)
{
    return &flow->rings[pipe];
}

/* Loads it, as code_load does. */
void flow_load(struct flow *, struct sl_device *);

/* A launch of `items` items in groups of `local`. */
void flow_work(struct fake_work *, struct flow *, uint32_t kernel, const void *args, size_t items,
               size_t local);

/* The fast path. */
static inline int32_t flow_write(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                                 const struct sl_pipe_site *site, const void *packet, size_t bytes)
{
    uint64_t tail = ring->tail;
    if (__builtin_expect(tail == ring->write_limit, 0))
        return launch->runtime->pipe_slow(launch, ring, site, (void *)(uintptr_t)packet);
    memcpy(ring->slots + (tail & ring->mask) * bytes, packet, bytes);
    __atomic_store_n(&ring->tail, tail + 1, __ATOMIC_RELEASE);
    return 0;
}

static inline int32_t flow_read(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                                const struct sl_pipe_site *site, void *packet, size_t bytes)
{
    uint64_t head = ring->head;
    if (__builtin_expect(head == ring->read_limit, 0))
        return launch->runtime->pipe_slow(launch, ring, site, packet);
    memcpy(packet, ring->slots + (head & ring->mask) * bytes, bytes);
    __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
    return 0;
}

/* After either, on a foreign ring. */
static inline void flow_attend(const struct sl_launch *launch, struct sl_pipe_ring *ring)
{
    if (__builtin_expect(__atomic_load_n(&ring->attention, __ATOMIC_RELAXED), 0))
        launch->runtime->pipe_notify(launch, ring);
}

/* The slow call must not make the packet's address escape in the fast path. */
static inline void flow_write_int(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                                  const struct sl_pipe_site *site, int32_t value)
{
    uint64_t tail = ring->tail;
    if (__builtin_expect(tail == ring->write_limit, 0)) {
        int32_t copy = value;
        launch->runtime->pipe_slow(launch, ring, site, &copy);
        return;
    }
    memcpy(ring->slots + (tail & ring->mask) * sizeof value, &value, sizeof value);
    __atomic_store_n(&ring->tail, tail + 1, __ATOMIC_RELEASE);
}

static inline int32_t flow_read_int(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                                    const struct sl_pipe_site *site)
{
    uint64_t head = ring->head;
    int32_t value;
    if (__builtin_expect(head == ring->read_limit, 0)) {
        int32_t copy;
        launch->runtime->pipe_slow(launch, ring, site, &copy);
        return copy;
    }
    memcpy(&value, ring->slots + (head & ring->mask) * sizeof value, sizeof value);
    __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
    return value;
}

#endif
