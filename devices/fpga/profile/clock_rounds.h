/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of a pipelined loop with a packet at each of their moves, which are all at different
 * pipes: what they have in common is found once, then they are gone through, many at a time or move
 * by move. Between sl_clock_moves_find() and _note() the run does nothing else. Of the thread that
 * runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_ROUNDS_H
#define SL_FPGA_CLOCK_ROUNDS_H

#include "fpga/profile/clock_run.h"
#include "sluice/module.h"

struct sl_clock_move {
    struct sl_clock_ring *times;
    const struct sl_pipe_site *site;
    unsigned op;
    uint32_t step;   /* of the loop */
    uint64_t offset; /* its cycle within an iteration */
    uint64_t waited; /* cycles, in all rounds */
};

struct sl_clock_moves {
    struct sl_clock_frame *frame; /* whose iterations the rounds are */
    struct sl_clock_frame *inner; /* of a loop that is part of that one; NULL: of none */
    uint64_t iterations, through; /* not noted so far; through: the cycle behind all of them */
    uint32_t count;
    struct sl_clock_move at[SL_PIPE_MOST_MOVES];
};

/* False: something is out of the ordinary, each packet has to be told by itself. */
bool sl_clock_moves_find(struct sl_clock_run *, const struct sl_pipe_rounds *,
                         struct sl_clock_moves *);
/* So many rounds. */
void sl_clock_moves_go(struct sl_clock_run *, struct sl_clock_moves *, uint64_t rounds);
/* What has happened is counted; `rows`: of the profile. */
void sl_clock_moves_note(struct sl_clock_run *, struct sl_clock_moves *, const int32_t *rows);

/* Of two runs with one move a round, at both ends of a pipe; by enum sl_pipe_op. */
struct sl_clock_pair {
    struct sl_clock_run *run;
    struct sl_clock_moves *moves;
    uint64_t rounds;     /* that may be done */
    uint64_t done;       /* that were; these four are the result */
    uint64_t fill, most; /* packets in the pipe behind each of them, together; and at most */
    uint64_t waited;
    uint64_t began, next, late, interval; /* of the round that comes next */
};
/* As many as can be, packet by packet. False: nothing was done. */
bool sl_clock_pair_go(struct sl_clock_pair[2]);

/* Cycles that it had to wait. */
static inline uint64_t sl_clock_move_once(struct sl_clock_run *run, struct sl_clock_move *move,
                                          uint64_t began)
{
    struct sl_clock_ring *times = move->times;
    unsigned op = move->op;
    uint64_t nominal = began + move->offset;
    uint64_t cycle = run->begin + nominal + sl_delays_at(&run->time, nominal);
    uint64_t least = sl_clock_ring_allowed(times, op, times->count[op]), waited = 0;
    if (cycle < least) {
        sl_clock_delay(run, nominal, least - run->begin - nominal);
        waited = least - cycle;
        cycle = least;
    }
    move->waited += waited;
    if (!sl_clock_ring_move(times, op, 1, cycle))
        sl_clock_guess(run, SL_CLOCK_TOO_EARLY);
    if (run->cycle < cycle)
        run->cycle = cycle;
    return waited;
}

/* The next move. The first round of a loop that is part of the pipelined one around it is in an
 * iteration of that one already, if nothing has happened in it so far. */
static inline void sl_clock_moves_step(struct sl_clock_run *run, struct sl_clock_moves *moves,
                                       uint32_t move)
{
    if (!move && (!moves->inner || moves->inner->iterations++)) {
        sl_clock_iterate(run, moves->frame);
        moves->iterations++;
    }
    run->cycle = 0;
    sl_clock_move_once(run, &moves->at[move], moves->frame->began);
    if (moves->through < run->cycle + 1)
        moves->through = run->cycle + 1;
}

#endif
