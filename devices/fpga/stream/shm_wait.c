/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. A word has a number that is odd while it is being written. */
#include "fpga/stream/shm_wait.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- telling --------------------------------------------------------------------------------- */

static void write_word(struct sl_shm_seat *seat, const struct sl_shm_wait *wait)
{
    atomic_fetch_add_explicit(&seat->words, 1, memory_order_acq_rel);
    atomic_thread_fence(memory_order_release);
    seat->wait = *wait;
    atomic_fetch_add_explicit(&seat->words, 1, memory_order_release);
}

void sl_shm_tell_wait(struct sl_shm *ring, const char *kernel, const struct sl_shm *where)
{
    struct sl_shm_wait wait = {.op = SL_SHM_MOVES};
    if (atomic_load_explicit(&ring->closed, memory_order_acquire))
        return;
    if (where) {
        wait.op = where->op;
        wait.index = atomic_load(&where->header->index[where->op].at);
        snprintf(wait.kernel, sizeof wait.kernel, "%s", kernel);
        snprintf(wait.name, sizeof wait.name, "%s", where->name);
    }
    write_word(&ring->header->seats[ring->op], &wait);
}

static bool read_word(const struct sl_shm_seat *seat, struct sl_shm_wait *wait)
{
    uint32_t before = atomic_load_explicit(&seat->words, memory_order_acquire);
    *wait = seat->wait;
    atomic_thread_fence(memory_order_acquire);
    bool whole = before && before % 2 == 0 &&
                 before == atomic_load_explicit(&seat->words, memory_order_relaxed);
    wait->kernel[sizeof wait->kernel - 1] = wait->name[sizeof wait->name - 1] = 0;
    return whole && wait->op <= SL_PIPE_WRITE;
}

/* ---- following ------------------------------------------------------------------------------- */

/* Who has that end can do nothing there now, and has done nothing since its index was that. */
static bool is_stuck(const struct sl_shm_header *h, unsigned op, uint64_t index)
{
    uint64_t head = atomic_load(&h->index[SL_PIPE_READ].at);
    uint64_t tail = atomic_load(&h->index[SL_PIPE_WRITE].at);
    return atomic_load(&h->index[op].at) == index &&
           tail - head == (op == SL_PIPE_WRITE ? h->depth : 0);
}

static const struct sl_shm_header *open_ring(const char *name)
{
    struct stat status;
    int fd = shm_open(name, O_RDONLY | O_CLOEXEC, 0);
    const struct sl_shm_header *h = MAP_FAILED;
    if (fd >= 0 && !fstat(fd, &status) && status.st_size >= SL_SHM_HEADER_BYTES)
        h = mmap(NULL, SL_SHM_HEADER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return h == MAP_FAILED ? NULL : h;
}

static void close_ring(const struct sl_shm_header *h)
{
    if (h)
        munmap((void *)(uintptr_t)h, SL_SHM_HEADER_BYTES);
}

static void note_hop(struct sl_shm_hop *hop, const struct sl_shm_seat *seat,
                     const struct sl_shm_wait *wait)
{
    hop->who[0] = 0;
    hop->process = atomic_load(&seat->process);
    memcpy(hop->kernel, wait->kernel, sizeof hop->kernel);
    memcpy(hop->pipe, seat->pipe, sizeof hop->pipe);
    hop->pipe[sizeof hop->pipe - 1] = 0;
}

/* From a kernel that waits at that end of a ring to the one it waits for, and where that waits. */
static bool follow(const struct sl_shm_header *h, unsigned op, uint64_t index,
                   struct sl_shm_hop *hop, struct sl_shm_wait *wait)
{
    const struct sl_shm_seat *peer = &h->seats[!op];
    if (!is_stuck(h, op, index) || !atomic_load(&peer->taken) || !read_word(peer, wait))
        return false;
    note_hop(hop, peer, wait);
    return true;
}

/* *sum is of all indices. */
static uint32_t walk(const struct sl_shm *from, struct sl_shm_hop *hops, uint32_t most,
                     uint64_t *sum)
{
    struct sl_shm_wait wait = {.op = from->op};
    wait.index = atomic_load(&from->header->index[from->op].at);
    memcpy(wait.name, from->name, sizeof wait.name);
    *sum = 0;
    for (uint32_t n = 0; n < most; n++) {
        const struct sl_shm_header *h = open_ring(wait.name);
        *sum += wait.index;
        bool waits = h && follow(h, wait.op, wait.index, &hops[n], &wait);
        close_ring(h);
        if (!waits)
            return 0;
        if (wait.op == from->op && !strcmp(wait.name, from->name))
            return n + 1;
    }
    return 0;
}

/* Twice: what is the same then was so at one moment in between. */
uint32_t sl_shm_find_cycle(const struct sl_shm *from, struct sl_shm_hop *hops, uint32_t most)
{
    uint64_t first, second;
    uint32_t count = walk(from, hops, most, &first);
    return count && walk(from, hops, most, &second) == count && first == second ? count : 0;
}
