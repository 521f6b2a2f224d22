/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Few rounds of a pipelined loop, of which it is not worth to find what they have in common
 * (clock_rounds.h): each operation by itself, but all else once. Of the thread that runs the
 * cluster.
 */
#ifndef SL_FPGA_CLOCK_NOTED_H
#define SL_FPGA_CLOCK_NOTED_H

#include "fpga/clock/clock_rounds.h"

enum { SL_CLOCK_MOST_NOTED = 8 }; /* operations of a round */

struct sl_clock_noted_move { /* an operation of each round */
    struct sl_clock_ring *times;
    const struct sl_pipe_site *site;
    int32_t row;     /* of the profile */
    unsigned op;     /* enum sl_pipe_op */
    uint64_t offset; /* its cycle within an iteration; this and the next are filled in */
    uint64_t waited; /* cycles, that are not counted so far */
};

struct sl_clock_noted {    /* what the rounds of a loop do; zero but for what the caller knows */
    uint32_t line, column; /* of the loop */
    uint32_t count;
    struct sl_clock_noted_move moves[SL_CLOCK_MOST_NOTED];
    /* Found when they are gone through, and kept for the next time. */
    const struct sl_clock_loop *loop; /* to which the following belongs; NULL: nothing is known */
    uint32_t next;                    /* step: behind the last one */
    bool ordered;                     /* operations are in the order of their cycles */
    bool apart;                       /* operations have no cycles of the schedule */
    bool entered;                     /* from that frame the run has come to that row: */
    int32_t around, last, row;
};

/* The run is in the loop, each of so many rounds begins with its mark, and all operations are
 * known. False: something is out of the ordinary, and nothing was done. */
bool sl_clock_noted_go(struct sl_clock_run *, struct sl_clock_noted *, uint64_t rounds);

/* Likewise an iteration, with one operation, of a loop whose iterations do not overlap. */
bool sl_clock_noted_step(struct sl_clock_run *, struct sl_clock_noted *);

/* The same of all that the loop does, none or more: the run enters it, and leaves it behind that.
 */
bool sl_clock_noted_pass(struct sl_clock_run *, struct sl_clock_noted *, uint64_t rounds);

/* An iteration of a loop whose iterations do not overlap, with one operation, and behind that all
 * that a loop inside does, which has one as well: so they are noted, in these words. Rounds of the
 * loop inside in the last word but one. */
enum { SL_CLOCK_NEST_WORDS = 5, SL_CLOCK_NEST_ROUNDS = 3 };
/* The kernel at the other end of what the loop inside moves, which goes on at once with each of
 * those packets: nothing is handed over between the two clocks. */
struct sl_clock_noted_peer {
    struct sl_clock_pair side;  /* between sl_clock_pair_begin() and _end() */
    uint64_t moved, fill, most; /* of the loop inside; as sl_clock_pair has them. In front: 0 */
};
/* As many of them as there are one behind the other, each with no more than so many rounds, until
 * one that is not known or is out of the ordinary. Where what is left begins: between words, if the
 * operation was done and the loop was not. The last one NULL: the peer goes on by itself. */
const uint64_t *sl_clock_noted_nest(struct sl_clock_run *, struct sl_clock_noted *iteration,
                                    struct sl_clock_noted *inside, const uint64_t *words,
                                    const uint64_t *end, uint64_t rounds,
                                    struct sl_clock_noted_peer *);

/* What its operations have waited counts. */
static inline void sl_clock_noted_count(struct sl_clock *clock, struct sl_clock_noted *noted)
{
    for (uint32_t i = 0; i < noted->count; i++) {
        struct sl_clock_noted_move *move = &noted->moves[i];
        if (move->waited)
            sl_clock_note_wait(clock, move->site, move->row, move->waited);
        move->waited = 0;
    }
}

#endif
