/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Joining and leaving exclude each other by a lock on the file, which the system
 * takes away from who dies. */
#include "fpga/stream/shm_ring.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fpga/base/barrier.h"
#include "sluice/base/wait.h"

enum { HEADER_BYTES = SL_SHM_HEADER_BYTES, LOOK_MS = 50 };
static const uint64_t ring_magic = 0x32676e6972636c73; /* the layout's version is in it */
_Static_assert(sizeof(struct sl_shm_header) <= HEADER_BYTES, "the slots begin there");

/* ---- barriers between processes -------------------------------------------------------------- */

static bool asks_for_barriers(void)
{
#ifdef SYS_membarrier
    return !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
#else
    return false;
#endif
}

static bool is_symmetric(const struct sl_shm *s)
{
    return atomic_load_explicit(&s->header->symmetric, memory_order_relaxed);
}

/* Who published, before it looks whether somebody sleeps. */
static inline void barrier_light(const struct sl_shm *s)
{
    if (is_symmetric(s))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

/* Who is about to sleep. */
static void barrier_heavy(const struct sl_shm *s)
{
    atomic_thread_fence(memory_order_seq_cst);
#ifdef SYS_membarrier
    if (!is_symmetric(s))
        syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
#endif
}

/* ---- bells ----------------------------------------------------------------------------------- */

static void ring_bell(struct sl_shm_seat *seat)
{
    atomic_fetch_add_explicit(&seat->bell, 1, memory_order_seq_cst);
    syscall(SYS_futex, &seat->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void sl_shm_ring_bell(struct sl_shm *s)
{
    ring_bell(&s->header->seats[s->op]);
}

uint32_t sl_shm_listen(struct sl_shm *s, uint32_t heard)
{
    struct sl_shm_seat *seat = &s->header->seats[s->op];
    const struct timespec moment = {.tv_nsec = LOOK_MS * 1000000L};
    syscall(SYS_futex, &seat->bell, FUTEX_WAIT, heard, &moment, NULL, 0);
    return atomic_load_explicit(&seat->bell, memory_order_seq_cst);
}

/* ---- of the thread that runs the kernel ------------------------------------------------------ */

/* False: the end is closed. */
static inline bool enter(struct sl_shm *s)
{
    atomic_store_explicit(&s->busy, true, memory_order_relaxed);
    sl_barrier_light();
    if (__builtin_expect(!atomic_load_explicit(&s->closed, memory_order_acquire), 1))
        return true;
    atomic_store_explicit(&s->busy, false, memory_order_release);
    return false;
}

static inline void leave(struct sl_shm *s)
{
    atomic_store_explicit(&s->busy, false, memory_order_release);
}

void sl_shm_publish(struct sl_shm *s, uint64_t own)
{
    if (own == s->published || !enter(s))
        return;
    struct sl_shm_seat *peer = &s->header->seats[!s->op];
    s->published = own;
    atomic_store_explicit(&s->header->index[s->op].at, own, memory_order_release);
    barrier_light(s);
    if (atomic_load_explicit(&peer->waits, memory_order_relaxed) &&
        atomic_exchange_explicit(&peer->waits, 0, memory_order_acq_rel))
        ring_bell(peer);
    leave(s);
}

/* What cannot be, as another process has written where it should not, does not count. */
uint64_t sl_shm_peer_index(struct sl_shm *s, uint64_t own, uint64_t was)
{
    if (!enter(s))
        return was;
    uint64_t now = atomic_load_explicit(&s->header->index[!s->op].at, memory_order_acquire);
    uint64_t packets = s->op == SL_PIPE_WRITE ? own - now : now - own;
    leave(s);
    return packets <= s->header->depth ? now : was;
}

void sl_shm_announce(struct sl_shm *s)
{
    if (!enter(s))
        return;
    atomic_store_explicit(&s->header->seats[s->op].waits, 1, memory_order_seq_cst);
    barrier_heavy(s);
    leave(s);
}

/* ---- who sits where -------------------------------------------------------------------------- */

/* True: the seat is the calling thread's; *killed: of somebody who did not leave it. */
static bool try_seat(struct sl_shm_seat *seat, bool *killed)
{
    int rc = pthread_mutex_trylock(&seat->lock);
    if (rc == EOWNERDEAD)
        rc = pthread_mutex_consistent(&seat->lock);
    if (rc)
        return false;
    *killed = atomic_exchange_explicit(&seat->taken, 0, memory_order_acq_rel);
    if (*killed) { /* before the next one's name is there */
        atomic_store_explicit(&seat->killed, atomic_load(&seat->process), memory_order_relaxed);
        atomic_fetch_add_explicit(&seat->deaths, 1, memory_order_release);
    }
    return true;
}

/* Who takes a seat at this very moment tries again. */
static bool is_taken(struct sl_shm_seat *seat)
{
    bool killed;
    if (!try_seat(seat, &killed))
        return true;
    pthread_mutex_unlock(&seat->lock);
    return false;
}

struct sl_shm_peer sl_shm_look_at_peer(struct sl_shm *s)
{
    struct sl_shm_seat *seat = &s->header->seats[!s->op];
    uint32_t deaths = atomic_load_explicit(&seat->deaths, memory_order_acquire); /* first */
    return (struct sl_shm_peer){
        .there = is_taken(seat),
        .deaths = deaths,
        .killed = atomic_load_explicit(&seat->killed, memory_order_relaxed),
    };
}

uint64_t sl_shm_fill(const struct sl_shm *s)
{
    const struct sl_shm_index *index = s->header->index;
    return atomic_load_explicit(&index[SL_PIPE_WRITE].at, memory_order_acquire) -
           atomic_load_explicit(&index[SL_PIPE_READ].at, memory_order_acquire);
}

/* ---- joining --------------------------------------------------------------------------------- */

enum step { JOINED, AGAIN, REFUSED };

struct joining {
    struct sl_shm *shm;
    const struct sl_shm_shape *shape;
    size_t bytes; /* of the file */
    uint64_t *dropped;
    char *why;
    size_t why_bytes;
};

bool sl_shm_is_key(const char *text)
{
    size_t length = strlen(text);
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            return false;
    return length && length < SL_SHM_KEY && *text != '.';
}

static enum step refuse(const struct joining *j, const char *what, int error)
{
    snprintf(j->why, j->why_bytes, "%s%s%s", what, error ? ": " : "", error ? strerror(error) : "");
    return REFUSED;
}

/* Who has it has it for microseconds, unless it was stopped just then. */
static bool lock_file(int fd)
{
    enum { TRIES = 2000 };
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < TRIES; i++) {
        if (!flock(fd, LOCK_EX | LOCK_NB))
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

static void init_seat(struct sl_shm_seat *seat)
{
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&seat->lock, &how);
    pthread_mutexattr_destroy(&how);
}

static enum step map(struct joining *j)
{
    struct sl_shm *s = j->shm;
    void *at = mmap(NULL, j->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (at == MAP_FAILED)
        return refuse(j, "its memory", errno);
    s->header = at;
    s->slots = (unsigned char *)at + HEADER_BYTES;
    s->slot_bytes = j->bytes - HEADER_BYTES;
    return JOINED;
}

static enum step make(struct joining *j)
{
    int error = posix_fallocate(j->shm->fd, 0, (off_t)j->bytes);
    if (error) {
        shm_unlink(j->shm->name);
        return refuse(j, "its memory", error);
    }
    if (map(j) != JOINED)
        return REFUSED;
    struct sl_shm_header *h = j->shm->header;
    h->packet_bytes = j->shape->packet_bytes;
    h->depth = j->shape->depth;
    h->slot_count = j->shape->slot_count;
    init_seat(&h->seats[0]);
    init_seat(&h->seats[1]);
    h->magic = ring_magic;
    return JOINED;
}

/* Nobody is there who could go on with it. */
static enum step remove_leftover(struct joining *j)
{
    struct sl_shm *s = j->shm;
    if (s->header && s->header->magic == ring_magic)
        *j->dropped += sl_shm_fill(s);
    shm_unlink(s->name);
    return AGAIN;
}

static enum step compare(struct joining *j)
{
    const struct sl_shm_header *h = j->shm->header;
    const struct sl_shm_seat *peer = &h->seats[!j->shm->op];
    char who[128], what[256];
    snprintf(who, sizeof who, "process %u, pipe %.63s,", atomic_load(&peer->process),
             atomic_load(&peer->process) ? peer->pipe : "?");
    if (h->packet_bytes != j->shape->packet_bytes)
        snprintf(what, sizeof what, "%s has packets of %u bytes there, this pipe of %u", who,
                 h->packet_bytes, j->shape->packet_bytes);
    else if (h->depth != j->shape->depth || h->slot_count != j->shape->slot_count)
        snprintf(what, sizeof what, "%s has a capacity of %u packets there, this pipe of %u", who,
                 h->depth, j->shape->depth);
    else
        return JOINED;
    return refuse(j, what, 0);
}

static enum step join_made(struct joining *j, size_t bytes)
{
    struct sl_shm *s = j->shm;
    size_t wanted = j->bytes;
    if (bytes < HEADER_BYTES)
        return remove_leftover(j);
    j->bytes = HEADER_BYTES; /* there may be no more, of another shape */
    enum step step = map(j);
    j->bytes = wanted;
    if (step != JOINED)
        return step;
    struct sl_shm_header *h = s->header;
    if (h->magic != ring_magic || (!is_taken(&h->seats[0]) && !is_taken(&h->seats[1])))
        return remove_leftover(j);
    step = compare(j);
    if (step == JOINED && bytes != wanted)
        step = refuse(j, "it has another size", 0);
    munmap(h, HEADER_BYTES);
    s->header = NULL;
    return step == JOINED ? map(j) : step;
}

static enum step take_seat(struct joining *j, const char *pipe)
{
    struct sl_shm *s = j->shm;
    struct sl_shm_seat *seat = &s->header->seats[s->op];
    bool killed;
    if (!try_seat(seat, &killed))
        return AGAIN;
    atomic_store(&seat->process, (uint32_t)getpid());
    atomic_store(&seat->waits, 0);
    seat->wait.op = SL_SHM_MOVES;
    snprintf(seat->pipe, sizeof seat->pipe, "%s", pipe);
    atomic_store(&seat->taken, 1);
    if (!asks_for_barriers())
        atomic_store(&s->header->symmetric, 1);
    ring_bell(&s->header->seats[!s->op]);
    return JOINED;
}

static void let_go(struct sl_shm *s)
{
    if (s->header)
        munmap(s->header, s->slots ? HEADER_BYTES + s->slot_bytes : HEADER_BYTES);
    if (s->fd >= 0)
        close(s->fd);
    s->header = NULL;
    s->slots = NULL;
    s->fd = -1;
}

static enum step try_to_join(struct joining *j, const char *pipe)
{
    struct sl_shm *s = j->shm;
    struct stat status;
    s->fd = shm_open(s->name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->fd < 0)
        return refuse(j, s->name, errno);
    if (!lock_file(s->fd))
        return refuse(j, "another process has it locked", 0);
    if (fstat(s->fd, &status))
        return refuse(j, s->name, errno);
    if (!status.st_nlink)
        return AGAIN; /* removed since */
    enum step step = status.st_size ? join_made(j, (size_t)status.st_size) : make(j);
    if (step == JOINED)
        step = take_seat(j, pipe);
    if (step == AGAIN && s->header && s->slots)
        snprintf(j->why, j->why_bytes, "process %u, pipe %.63s, %s it already",
                 atomic_load(&s->header->seats[s->op].process), s->header->seats[s->op].pipe,
                 s->op == SL_PIPE_WRITE ? "writes" : "reads");
    flock(s->fd, LOCK_UN);
    return step;
}

bool sl_shm_join(struct sl_shm *s, const char *key, unsigned op, const struct sl_shm_shape *shape,
                 const char *pipe, uint64_t *dropped, char *why, size_t why_bytes)
{
    enum { TRIES = 50 };
    const struct timespec moment = {.tv_nsec = 10000000};
    const size_t slot_bytes =
        (shape->slot_count * shape->packet_bytes + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
    struct joining j = {s, shape, HEADER_BYTES + slot_bytes, dropped, why, why_bytes};
    enum step step = AGAIN;
    *dropped = 0;
    *s = (struct sl_shm){.op = op, .fd = -1};
    snprintf(s->name, sizeof s->name, "/sluice-ring.%u.%s", (unsigned)geteuid(), key);
    for (int i = 0; i < TRIES && step == AGAIN; i++) {
        if (i > 1)
            nanosleep(&moment, NULL);
        step = try_to_join(&j, pipe);
        if (step != JOINED)
            let_go(s);
    }
    if (step == JOINED)
        s->published = atomic_load_explicit(&s->header->index[op].at, memory_order_acquire);
    return step == JOINED;
}

/* ---- leaving --------------------------------------------------------------------------------- */

void sl_shm_close(struct sl_shm *s, const uint64_t *own)
{
    atomic_store_explicit(&s->closed, true, memory_order_seq_cst);
    sl_barrier();
    for (unsigned tries = 0; atomic_load_explicit(&s->busy, memory_order_acquire); tries++)
        sl_let_others(tries);
    uint64_t last = __atomic_load_n(own, __ATOMIC_ACQUIRE);
    atomic_store_explicit(&s->header->index[s->op].at, last, memory_order_release);
    ring_bell(&s->header->seats[!s->op]);
    /* What is in the ring stays visible, what is written does not get there; without memory for it
     * it lies beyond the index that the peer reads up to. */
    if (mmap(s->slots, s->slot_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, s->fd,
             HEADER_BYTES) == MAP_FAILED)
        return;
}

void sl_shm_leave(struct sl_shm *s)
{
    struct sl_shm_seat *seat = &s->header->seats[s->op], *peer = &s->header->seats[!s->op];
    bool locked = lock_file(s->fd);
    if (locked && !is_taken(peer))
        shm_unlink(s->name);
    atomic_store_explicit(&seat->taken, 0, memory_order_release);
    pthread_mutex_unlock(&seat->lock);
    ring_bell(peer);
    if (locked)
        flock(s->fd, LOCK_UN);
}

void sl_shm_finish(struct sl_shm *s)
{
    let_go(s);
}
