/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes that have an end outside of the cluster: the host's, or an I/O peripheral's; and pipes made
 * by clCreatePipe, whoever is at their ends.
 */
#ifndef SL_FPGA_HOSTPIPE_H
#define SL_FPGA_HOSTPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/device.h"

struct sl_cluster;
struct sl_design;
struct sl_fiber;
struct sl_machine;
struct sl_news;
struct sl_shm;

/* The pipe_* calls. */
int sl_pipe_create(struct sl_device *, const struct sl_pipe_desc *, struct sl_pipe **);
void sl_pipe_destroy(struct sl_pipe *); /* NULL is a no-op */
struct sl_pipe_ring *sl_pipe_ring(struct sl_pipe *);
int sl_pipe_read(struct sl_pipe *, void *packet);
int sl_pipe_write(struct sl_pipe *, const void *packet);
void *sl_pipe_map(struct sl_pipe *, bool write, size_t want_bytes, size_t *got_bytes);
void sl_pipe_unmap(struct sl_pipe *, bool write, size_t bytes);
int sl_pipe_pass(struct sl_pipe *, bool write, void *packet);

/* ---- for threads that serve I/O pipes -------------------------------------------------------- */

/* `changed` is called, on a thread of the machine, after a kernel has moved its index while
 * somebody awaited it. NULL: nobody listens any more; none is running on return. */
void sl_pipe_listen(struct sl_pipe *, void (*changed)(void *data), void *data);
/* True: the foreign end can move now (write: there is room). Else `changed` will be called; *told
 * is false where the system cannot promise that and the caller has to look again by itself. */
bool sl_pipe_await(struct sl_pipe *, bool write, bool *told);
/* The foreign end may be served by the cluster's thread as well, which calls `poll` when a kernel
 * waits for that end, or (`moved`) has moved its index while that was awaited: what can move at
 * once does.
 * False: it is for the thread of the end. NULL: not any more; none is running on return. */
void sl_pipe_poll_by(struct sl_pipe *, bool (*poll)(void *data, bool moved), void *data);
/* Whoever uses the foreign end of such a pipe has its turn. */
void sl_pipe_take_turn(struct sl_pipe *);
void sl_pipe_give_turn(struct sl_pipe *);
/* By the cluster's thread. False: nothing was done, or there is more to do. */
bool sl_pipe_poll(struct sl_pipe_ring *);
bool sl_pipe_poll_moved(struct sl_pipe *);
/* Served so far: changes while the cluster's thread looks again and again. */
uint32_t sl_pipe_polls(const struct sl_pipe *);
/* The thread of the end leaves it to the cluster's for a moment: `changed` is called when that
 * sleeps. */
void sl_pipe_rest(struct sl_pipe *, bool rests);
bool sl_pipe_is_resting(const struct sl_pipe *);
/* It sleeps already, until something moves: who asked after `rests` is not told any more. */
bool sl_pipe_sleeps(const struct sl_pipe *);
/* It sleeps. */
void sl_pipe_tell_listener(struct sl_pipe *);
/* By `poll`, of a kernel that writes: it is to be called again at the next packet. */
void sl_pipe_watch_kernel(struct sl_pipe *);
/* The ring is that one in shared memory from now on, which has been joined and is taken over; from
 * malloc. Before any kernel uses it. */
void sl_pipe_link(struct sl_pipe *, struct sl_shm *);
/* The ring has so many slots in pages of its own from now on, which whoever serves its foreign end
 * may map anew. Before any kernel uses it. NULL: no memory, nothing has changed. */
void *sl_pipe_set_apart(struct sl_pipe *, uint64_t slot_count);
/* Of one in shared memory: the other process has moved. */
void sl_pipe_moved(struct sl_pipe *);
/* The foreign end will never move again. */
void sl_pipe_at_end(struct sl_pipe *);
bool sl_pipe_is_at_end(const struct sl_pipe *);
/* Nobody is there outside to take what kernels write: `where` says where that is, and lasts as long
 * as they do. NULL: there is somebody again. */
void sl_pipe_lacks_peer(struct sl_pipe *, const char *where);
/* NULL: it lacks none, else *since_ns is when that began. */
const char *sl_pipe_lacked_peer(const struct sl_pipe *, uint64_t *since_ns);

/* Around a foreign ring of a loaded program. */
int sl_pipe_around(struct sl_machine *, struct sl_cluster *, struct sl_pipe_ring *,
                   struct sl_pipe **);
/* Its end outside is the host's, which may run the kernels itself (visit.h). Before it is used. */
void sl_pipe_allow_visits(struct sl_pipe *);
/* Takes a SL_WORK_PIPE. */
void sl_pipe_submit(struct sl_machine *, struct sl_work_queue *, struct sl_work *);

/* ---- for the watch --------------------------------------------------------------------------- */

/* A transfer of the host waits there. */
bool sl_pipe_is_awaited(const struct sl_pipe *);
/* Looks in a row, with this one of number `look`, in which a transfer has waited and nothing has
 * moved; *op is the transfer's. */
uint32_t sl_pipe_look(struct sl_pipe *, uint32_t look, unsigned *op);
/* The first of them; NULL: there is none. */
struct sl_work *sl_pipe_first(struct sl_pipe *);
/* Whether it was reported; cleared when something moves. */
bool *sl_pipe_told(struct sl_pipe *);
/* Ends the transfers that wait. */
void sl_pipe_fail(struct sl_pipe *, int status);

/* Pipes that the host asks in vain, with machine->lock: `next` of NULL is the first. What is held
 * is not destroyed before it is let go. */
struct sl_pipe *sl_pipe_next_asked_locked(struct sl_machine *, struct sl_pipe *);
bool sl_pipe_hold_asked_locked(struct sl_pipe *); /* false: not any more */
void sl_pipe_drop_asked(struct sl_pipe *);
struct sl_pipe_ring *sl_pipe_asked_ring(const struct sl_pipe *, unsigned *op);
struct sl_cluster *sl_pipe_cluster(const struct sl_pipe *);
/* As sl_pipe_look. */
uint32_t sl_pipe_look_asked(struct sl_pipe *, uint32_t look);

/* ---- for the cluster ------------------------------------------------------------------------- */

/* The cluster sleeps until the foreign end moves. */
void sl_pipe_announce(struct sl_pipe_ring *);
/* A kernel has moved an index of a foreign ring whose attention is set. */
void sl_pipe_notify(struct sl_fiber *, struct sl_pipe_ring *);
/* A transfer waits, which is to be looked at. */
bool sl_pipe_is_served_by(const struct sl_news *);
/* Completes what the host waits for at the first pipe of cluster->notified. */
void sl_pipe_serve(struct sl_cluster *);

#endif
