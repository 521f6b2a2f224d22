/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that run ahead of their clock. Where all operations of a design wait, and nothing but
 * pipes joins its kernels, what they compute does not depend on cycles (a Kahn network). So packets
 * move through deeper rings than the design has, hundreds at a time, and in which cycles they did
 * is found out behind that, as soon as it is known of what they have to wait for: with the depths
 * of the design.
 *
 * A kernel is ahead with rounds of loops only of which nobody sees anything but packets
 * (kernels/pipes/batch.h). Before it does anything else - a mark of its clock, an operation by
 * itself, its end - it waits until its clock has caught up. So it comes no further in the end than
 * it would with the pipes that it has, and a design stands still where it would.
 *
 * All of the thread that runs the cluster.
 */
#ifndef SL_FPGA_AHEAD_H
#define SL_FPGA_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster/fiber.h"
#include "sluice/module.h"
#include "sluice/pipe.h"

struct sl_profile;

struct sl_ahead {    /* how it begins */
    uint64_t rounds; /* of a loop, that are left; 0: the clock has caught up */
    /* For ring/ring_await.c: so often it is not worth the try, and how often after the next one. */
    uint32_t skip, pause;
    struct sl_pipe_journal journal; /* what comes behind that; ahead_journal.h */
    uint64_t *done;                 /* so far its clock is, in it */
};

/* What the clocks of the design's kernels allow; before anything runs. */
void sl_ahead_prepare(struct sl_profile *);
void sl_ahead_finish(struct sl_profile *);
/* A kernel begins, with a clock. */
void sl_ahead_begin(struct sl_profile *, struct sl_fiber *);
/* There was no memory for that: it cannot run, since others would wait for its clock. */
bool sl_ahead_is_starved(const struct sl_fiber *);
/* It has ended, or will never go on. */
void sl_ahead_end(struct sl_fiber *);

/* Its clock has not caught up. */
static inline bool sl_ahead_is_behind(const struct sl_fiber *fiber)
{
    return fiber->ahead &&
           (fiber->ahead->rounds || fiber->ahead->done != fiber->ahead->journal.next);
}
/* The calling fiber will wait for something else, or end: what is known by now is noted, and who
 * waited for that is ready. `all`: also what need not be while other kernels are ready. Whether
 * there were any of those who waited. */
bool sl_ahead_settle(struct sl_fiber *, bool all);
/* Until its clock has caught up; the calling fiber. */
void sl_ahead_wait(struct sl_fiber *);
/* One that is parked, and in no list, is ready when it has. */
void sl_ahead_hold(struct sl_fiber *);

/* sl_runtime.pipe_journal */
struct sl_pipe_journal *sl_journal_open(const struct sl_launch *, const struct sl_pipe_events *);
/* It can note one thing more. */
static inline bool sl_ahead_has_room(const struct sl_fiber *fiber)
{
    return fiber->ahead && fiber->ahead->journal.next < fiber->ahead->journal.end;
}

/* A packet has moved, the fiber not being behind before if it cannot note it; rounds have, it being
 * behind or not. */
void sl_ahead_moved(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *);
void sl_ahead_rounds(struct sl_profile *, struct sl_fiber *, const struct sl_pipe_rounds *,
                     uint64_t rounds);

/* The rounds that it told last; NULL: it has told other things since, or none. */
const struct sl_pipe_rounds *sl_ahead_last(const struct sl_fiber *);

/* Packets in the pipe and its depth, as the design has them. */
void sl_ahead_shown(struct sl_pipe_ring *, uint64_t *packets, uint32_t *depth);

#endif
