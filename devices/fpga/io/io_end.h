/* SPDX-License-Identifier: Apache-2.0 */
/* One I/O pipe's end, for the files that make it up: io_pipe.c (life), io_thread.c, io_debt.c
 * (launches that end when their packets are outside), io_exit.c (the end of the process). */
#ifndef SL_DEVICES_FPGA_IO_END_H
#define SL_DEVICES_FPGA_IO_END_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "fpga/cluster/fiber.h"
#include "fpga/io/io_pipe.h"
#include "fpga/stream/io_stream.h"
#include "sluice/base/thread.h"

struct sl_io_entry;
struct sl_shm;

/* Where packets are going to be: mapped room of which `filled` bytes are there. */
struct sl_io_room {
    char *at;
    size_t left, filled;
    bool fresh; /* what comes next belongs to nothing before */
};

struct sl_io_end {
    atomic_uint refs;                      /* the design's, and one while news is under way */
    struct sl_io *io;                      /* borrowed */
    struct sl_design *design;              /* borrowed; news under way holds it */
    struct sl_pipe *pipe;                  /* borrowed, as all below: outlives the design's end */
    const struct sl_pipe_info *info;       /* borrowed */
    const struct sl_io_bindings *bindings; /* borrowed */
    const struct sl_io_binding *binding;   /* of these; NULL: no row names it */
    const char *row;                       /* borrowed: that one, or which reads what it writes */
    bool input, stopped, unbound;          /* unbound: no thread, no stream */
    bool doubted;                          /* it was said that it cannot work */
    bool listed;                           /* io_exit.c knows it */
    struct sl_shm *shm; /* borrowed: the pipe's, its ring's place; NULL: not joined, or no such */
    int told;           /* of the stream's errors, the last one that was said */
    int stop, changed;  /* owned: event counters */
    struct sl_thread thread;
    sem_t begun;                      /* the thread listens, if that is what it is for */
    struct sl_io_binding writes_pair; /* of an output that only pipe:NAME rows speak of */
    struct sl_io_stream stream;
    void *from; /* output: packets being written; mapped */
    size_t from_bytes;
    struct sl_io_room room; /* input */
    uint32_t polls_seen;    /* io_direct.c: polls of the pipe */
    bool fresh_read;        /* input, there as well: the last one has read something */
    /* Output; `lock` guards the next five. */
    pthread_mutex_t lock;
    struct sl_io_entry *entries; /* launches that wait for their packets to leave */
    int failed;                  /* errno: nothing can be written any more; 0 */
    bool waiting;                /* for a peer: launches do not */
    bool refused;                /* news is under way to end those who wait */
    uint64_t blamed;             /* packets whose launches have had the error */
    struct sl_news news;
    atomic_bool done;                  /* the thread has written what it could */
    atomic_bool used;                  /* a kernel of the program was launched */
    struct sl_io_end *next, *previous; /* io_exit.c: outputs of the process */
};

/* The memory: an end that is closed may be asked for by news that is under way. */
void sl_io_end_hold(struct sl_io_end *);
void sl_io_end_drop(struct sl_io_end *);

/* A line in the log, seen by default, with the pipe and its row. */
void sl_io_note(const struct sl_io_end *, int level, const char *what, const char *why);
/* Packets in the ring up to `limit` that are not delivered, `bytes` more of which are lost outside.
 */
void sl_io_note_lost(const struct sl_io_end *, uint64_t limit, size_t bytes);

/* ---- io_thread.c ----------------------------------------------------------------------------- */

void *sl_io_run(void *end);    /* the thread's main function */
void sl_io_changed(void *end); /* for sl_pipe_listen() */
/* True: it is to stop. */
bool sl_io_wait_to_stop(const struct sl_io_end *, int ms);
/* Nothing can be written, or read, any more, and no kernel shall wait for that: until the end is to
 * stop. */
void sl_io_turn_away(struct sl_io_end *);
void sl_io_watch_stream(struct sl_io_end *); /* the stream tells the end what happens */

/* What was read into the room. */
void sl_io_take_in(struct sl_io_end *, size_t got);
/* What no kernel has read of that, for the library that it came by. */
void sl_io_note_unread(struct sl_io_end *);
/* Moved at once: a whole packet at least. */
static inline size_t sl_io_stretch(const struct sl_io_end *end)
{
    enum { STRETCH = 256 << 10 };
    return end->info->packet_bytes > STRETCH ? end->info->packet_bytes : STRETCH;
}

/* ---- io_direct.c, on the cluster's thread ---------------------------------------------------- */

/* For sl_pipe_poll_by(): of an end that a library serves. */
bool sl_io_poll(void *end, bool moved);
/* By the end's thread, which has its turn: waits as the library does, or rests while the cluster's
 * thread does all. False: it is to stop. */
bool sl_io_rests(void *end);

/* ---- io_shm.c -------------------------------------------------------------------------------- */

void *sl_io_run_shm(void *end); /* the main function where the ring is in shared memory */

/* ---- io_debt.c, on the end's thread ---------------------------------------------------------- */

/* Packets have left. */
void sl_io_settle(struct sl_io_end *);
/* What is in the pipe has to wait for a peer: nobody waits for that. */
void sl_io_let_be(struct sl_io_end *);
/* Nothing can be written any more. */
void sl_io_fail(struct sl_io_end *, int error);
/* The pipe has failed and kernels may wait there: their launches end. */
void sl_io_refuse_waiting(struct sl_io_end *);

/* ---- io_exit.c ------------------------------------------------------------------------------- */

/* An output with a thread that runs, or unbound: is asked to write what it has when the process
 * exits. A ring in shared memory, and what a library serves, is left then at either end. */
void sl_io_enlist(struct sl_io_end *);
void sl_io_delist(struct sl_io_end *);
/* What the exit of the process does; again it is a no-op. */
void sl_io_write_rest(void);

#endif
