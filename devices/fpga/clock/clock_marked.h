/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds in which other loops are gone through as well, always as often: each round is as many
 * nominal cycles behind the one before it, whatever the marks in it say. How many, where its moves
 * are in it, and what is counted of which loop is found by going through two of them with a copy of
 * the run that moves nothing. For clock_rounds.c. Of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_MARKED_H
#define SL_FPGA_CLOCK_MARKED_H

#include "fpga/clock/clock_rounds.h"

enum { SL_CLOCK_MARKED_FRAMES = 8 };

struct sl_clock_point { /* of a round: in front of a step, or behind all of them */
    uint64_t at;        /* sl_clock_run.at there, from the begin of the round on */
    uint64_t through;   /* the last loop in it that had run dry before was through then, likewise */
    bool passed;        /* there was one */
    uint32_t varied;    /* loops that end by data, in front of where that was */
};
struct sl_clock_varied { /* a loop in the round that ends by data */
    uint32_t before;     /* steps in front of it */
    int32_t row;         /* SL_CLOCK_NO_ROW: it counts for nothing */
    uint64_t at;         /* as of a point, if none of them went round */
    uint64_t interval, drain;
    bool pipelined;               /* else it takes no time */
    uint64_t entries, iterations; /* not noted so far */
    uint64_t trips;               /* of the last round that is done */
};

struct sl_clock_trial;

struct sl_clock_marked {
    struct sl_clock_trial *trial; /* owned */
    uint64_t first, base; /* nominal: where the first round began; where the present or next does */
    uint64_t ended;       /* the run is where these rounds have come to; nominal */
    uint64_t interval;
    struct sl_clock_point points[SL_PIPE_MOST_STEPS + 1];
    struct sl_clock_varied varied[SL_PIPE_MOST_VARIED];
    uint8_t in_front[SL_PIPE_MOST_STEPS + 1]; /* of a step, or the end: how many of these */
    /* The run behind the first round. Some of it comes `interval` later behind each that follows.
     */
    struct sl_clock_frame frames[SL_CLOCK_MARKED_FRAMES];
    bool begins_later[SL_CLOCK_MARKED_FRAMES], goes_round[SL_CLOCK_MARKED_FRAMES];
    uint64_t at;
    bool at_later;
    uint32_t depth, loop_count, point_count;
    /* Owned: what is counted from the begin of a round on until each of so many points, by point
     * and loop; and more room for as many loops. */
    struct sl_clock_loop_row *counts;
};

void sl_clock_marked_destroy(struct sl_clock_marked *); /* NULL is a no-op */
/* How rounds like this go on from where the run is; offsets of steps are set. False: not that
 * simple, or no memory. */
bool sl_clock_marked_find(struct sl_clock_run *, const struct sl_pipe_rounds *,
                          struct sl_clock_moves *);
/* What is counted until that point of a round, so many times. */
void sl_clock_marked_count(const struct sl_clock_run *, const struct sl_clock_moves *,
                           uint32_t point, uint64_t times);
/* The run waits at that point. */
void sl_clock_marked_stand(struct sl_clock_run *, const struct sl_clock_moves *, uint32_t point);
/* Whole rounds have been done: moves->iterations. */
void sl_clock_marked_note(struct sl_clock_run *, struct sl_clock_moves *);
/* The run is where the moves have come to. Again, without any in between: it has gone on since, and
 * stays where it is. */
void sl_clock_marked_end(struct sl_clock_run *, struct sl_clock_moves *);

#endif
