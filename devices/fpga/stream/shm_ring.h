/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring in POSIX shared memory that joins a kernel that writes with one that reads, of two
 * processes or of one. Whoever comes first makes it, the other one joins if packet size and
 * capacity are the same. At each end is a seat, a robust mutex: the system frees that of a process
 * that is killed, so that another one may take it and go on where the ring is. Who leaves last
 * removes the ring; one whose two processes were killed is removed by the next who names it.
 *
 * The index of an end is published by the thread that runs its kernel, and read by the thread that
 * runs the other one. Who sleeps says so in its seat, and has its bell rung.
 */
#ifndef SL_DEVICES_FPGA_SHM_RING_H
#define SL_DEVICES_FPGA_SHM_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/pipe.h"

enum { SL_SHM_KEY = 64, SL_SHM_NAME = 64, SL_SHM_HEADER_BYTES = 4096 };

/* Where the kernel at an end waits (shm_wait.h). */
enum { SL_SHM_MOVES = 2 };
struct sl_shm_wait {
    uint32_t op; /* enum sl_pipe_op, or that it does not */
    uint64_t index;
    char kernel[SL_SHM_NAME], name[SL_SHM_KEY + 48]; /* which has the end; of the ring there */
};

struct sl_shm_seat {
    pthread_mutex_t lock;     /* robust: of the thread that serves the end */
    _Atomic uint32_t taken;   /* cleared by who leaves; of who was killed it stays */
    _Atomic uint32_t deaths;  /* of those who had it and were killed */
    _Atomic uint32_t process; /* as it calls itself */
    _Atomic uint32_t killed;  /* of those the last */
    _Atomic uint32_t bell;    /* futex */
    _Atomic uint32_t waits;   /* the bell is to be rung when the other end moves */
    char pipe[SL_SHM_NAME];   /* of the program there */
    _Atomic uint32_t words;   /* of `wait`: odd while it is written */
    struct sl_shm_wait wait;
};

struct sl_shm_index {
    _Alignas(64) _Atomic uint64_t at;
};

struct sl_shm_header {
    uint64_t magic; /* written last */
    uint32_t packet_bytes, depth;
    uint64_t slot_count;
    _Atomic uint32_t symmetric;  /* some process cannot have barriers made by others */
    struct sl_shm_seat seats[2]; /* by enum sl_pipe_op */
    struct sl_shm_index index[2];
};

struct sl_shm {
    struct sl_shm_header *header; /* mapped, as are the slots behind it; NULL: not joined */
    unsigned char *slots;
    size_t slot_bytes;
    unsigned op; /* enum sl_pipe_op: the kernel's */
    int fd;      /* owned; -1 */
    char name[SL_SHM_KEY + 48];
    uint64_t published;       /* of the thread that runs the kernel */
    atomic_bool busy, closed; /* that thread is at it; it is not to begin any more */
};

struct sl_shm_shape {
    uint32_t packet_bytes, depth;
    uint64_t slot_count;
};

bool sl_shm_is_key(const char *text);

/* ---- by the thread that serves the end ------------------------------------------------------- */

/* Makes or joins the ring and takes the seat, which it waits half a second for. What others have
 * left is dropped, *dropped packets. False: `why` tells, nothing is held. */
bool sl_shm_join(struct sl_shm *, const char *key, unsigned op, const struct sl_shm_shape *,
                 const char *pipe, uint64_t *dropped, char *why, size_t why_bytes);
/* The kernel's index, *own, is published for the last time, and the kernel does not reach the ring
 * any more: what it writes from now on stays in this process, at the same addresses. */
void sl_shm_close(struct sl_shm *, const uint64_t *own);
/* Closed: leaves the seat. */
void sl_shm_leave(struct sl_shm *);
/* The memory; zeroed: no-op. Left, or never joined. */
void sl_shm_finish(struct sl_shm *);

struct sl_shm_peer {
    bool there;
    uint32_t deaths; /* of those who were killed there so far */
    uint32_t killed; /* of them the last */
};
struct sl_shm_peer sl_shm_look_at_peer(struct sl_shm *);
/* Until the bell has rung since it was `heard`, a moment is over or for no reason; what it is now.
 */
uint32_t sl_shm_listen(struct sl_shm *, uint32_t heard);
void sl_shm_ring_bell(struct sl_shm *); /* the own one; any thread, closed or not */

/* Packets that were written and not read. */
uint64_t sl_shm_fill(const struct sl_shm *);

/* ---- by the thread that runs the kernel ------------------------------------------------------ */

/* The kernel's index has moved. */
void sl_shm_publish(struct sl_shm *, uint64_t own);
/* The other end's index, at least what it `was`. */
uint64_t sl_shm_peer_index(struct sl_shm *, uint64_t own, uint64_t was);
/* It is going to sleep unless the other end has moved, which it looks at afterwards. */
void sl_shm_announce(struct sl_shm *);

#endif
