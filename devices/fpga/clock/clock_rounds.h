/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of a loop with a packet at each of their moves, which are all at different pipes; a move
 * may be several steps of a round, which has as many packets then. What they have in common is
 * found once, then they are gone through, many at a time or step by step. Between
 * sl_clock_moves_find() and _end() the run does nothing else. Of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_ROUNDS_H
#define SL_FPGA_CLOCK_ROUNDS_H

#include "fpga/clock/clock_run.h"
#include "sluice/module.h"

struct sl_clock_move {
    struct sl_clock_ring *times;
    const struct sl_pipe_site *site;
    unsigned op;
    uint32_t each;   /* packets in a round */
    uint64_t offset; /* its cycle within an iteration, of the first one */
    /* for clock_steady.c */
    uint64_t *own;        /* cycles, in `times` */
    const uint64_t *peer; /* of the other end, likewise */
    uint32_t lag;         /* it waits for the operation there that has a number so much less */
};

/* What a slow step does to another one: so many rounds later, and `back` operations of its end
 * then, that is `cycles` behind it at least. */
struct sl_clock_term {
    uint32_t rounds, back;
    uint64_t cycles;
};
enum { SL_CLOCK_MOST_SLOW = 8, SL_CLOCK_PATTERN = 64 };

struct sl_clock_moves {
    struct sl_clock_marked *marked; /* borrowed: the run's; NULL: these two say it all */
    struct sl_clock_frame *frame;   /* whose iterations the rounds are */
    struct sl_clock_frame *inner;   /* of a loop that is part of that one; NULL: of none */
    /* What was found may serve again: its rounds, NULL: it may not; the loop of its frame. */
    const struct sl_loop_told *found;
    const struct sl_clock_loop *found_in;
    uint64_t iterations, through; /* not noted so far; through: the cycle behind all of them */
    uint32_t count;
    uint32_t step_count;  /* more than `count`: these two say more */
    const uint8_t *steps; /* borrowed: which move each step is; NULL: each once, in their order */
    const struct sl_pipe_site *const *sites; /* likewise: of each step; NULL where `steps` is */
    uint64_t offsets[SL_PIPE_MOST_STEPS];    /* of each: its cycle within an iteration */
    uint32_t next;                           /* of the frame's loop, behind them */
    uint32_t varied;                         /* loops inside that end by data: clock_varied.h */
    const uint64_t *trips; /* borrowed: what their marks say, from the present round on */
    bool stands;           /* what the run has come by of the round that it is in is counted */
    uint32_t stands_at;
    /* for clock_steady.c */
    uint32_t part;           /* steps of the present round that are done */
    uint64_t start, nominal; /* where that begins, and where it would if nothing waited */
    uint64_t interval;
    uint64_t since, done;       /* rounds: since the moves were found; since it is steady */
    uint64_t pause, skip;       /* rounds until it is tried again to do them in rows; left */
    uint64_t late;              /* the largest delay */
    uint64_t least, most;       /* offset */
    uint64_t foreign;           /* nominal: until then delays of what was before may begin */
    bool can_be_steady, steady; /* the second: all of these hold */
    bool in_step;               /* clock_rows.h: the last ones in rows were */
    uint32_t holds_all; /* a bit for each step: what it waits for holds up all that follows */
    uint8_t slow[SL_CLOCK_MOST_SLOW];      /* steps that do not */
    uint8_t slow_back[SL_CLOCK_MOST_SLOW]; /* of its end's operations in a round, from it on */
    uint32_t slow_count;
    struct sl_clock_move at[SL_PIPE_MOST_MOVES];
    uint64_t waited[SL_PIPE_MOST_STEPS]; /* at each step, in cycles of all rounds */
    struct sl_clock_term terms[SL_PIPE_MOST_STEPS][SL_CLOCK_MOST_SLOW]; /* second: of `slow` */
    /* for clock_steps.c: cycles of a move's operations in so many rounds (`block`), from the begin
     * of the first one on; and how far apart they are, 0: not as far each time */
    uint64_t pattern[SL_PIPE_MOST_MOVES][SL_CLOCK_PATTERN], strides[SL_PIPE_MOST_MOVES];
    uint32_t block;
    struct { /* what they are the patterns of; in the beginning zeros */
        const uint8_t *steps;
        uint32_t count;
        uint64_t interval, offsets[SL_PIPE_MOST_STEPS];
    } pattern_of;
};

/* False: something is out of the ordinary, each packet has to be told by itself. */
bool sl_clock_moves_find(struct sl_clock_run *, const struct sl_pipe_rounds *,
                         struct sl_clock_moves *);
/* The same where they are those of the last time, at the same place; else false. */
bool sl_clock_moves_find_again(struct sl_clock_run *, const struct sl_pipe_rounds *,
                               struct sl_clock_moves *);
/* So many rounds, of which all is known. */
void sl_clock_moves_go(struct sl_clock_run *, struct sl_clock_moves *, uint64_t rounds);
/* The next step, which is known. */
void sl_clock_moves_step(struct sl_clock_run *, struct sl_clock_moves *, uint32_t step);
static inline uint32_t sl_clock_move_of(const struct sl_clock_moves *m, uint32_t step)
{
    return m->steps ? m->steps[step] : step;
}
static inline const struct sl_pipe_site *sl_clock_site_of(const struct sl_clock_moves *m,
                                                          uint32_t step)
{
    return m->steps ? m->sites[step] : m->at[step].site;
}
/* One operation a cycle at each end, in their order, by the schedule alone. */
bool sl_clock_moves_are_apart(const struct sl_clock_moves *, uint64_t interval);
/* Behind a round: the run goes on with something else. */
void sl_clock_moves_end(struct sl_clock_run *, struct sl_clock_moves *);
/* What has happened is counted; `rows`: of the profile. */
void sl_clock_moves_note(struct sl_clock_run *, struct sl_clock_moves *, const int32_t *rows);
/* Behind that: the run is in a round, of which so many steps are done, and waits for the next one.
 * So that is counted, until it goes on. */
void sl_clock_moves_stand(struct sl_clock_run *, struct sl_clock_moves *, uint32_t part);
void sl_clock_moves_go_on(struct sl_clock_run *, struct sl_clock_moves *);

/* Of two runs with one move a round, at both ends of a pipe; by enum sl_pipe_op. */
struct sl_clock_pair {
    struct sl_clock_run *run;
    struct sl_clock_moves *moves;
    uint64_t rounds;     /* that may be done */
    uint64_t done;       /* that were; these four are the result */
    uint64_t fill, most; /* packets in the pipe behind each of them, together; and at most */
    uint64_t waited;
    uint64_t next, interval; /* the cycle of the move that comes next, if it does not wait */
};
/* As many as can be, packet by packet. False: nothing was done. */
bool sl_clock_pair_go(struct sl_clock_pair[2]);
/* The same of one of them, by somebody who goes through the packets. False: not now. */
bool sl_clock_pair_begin(struct sl_clock_pair *);
void sl_clock_pair_end(struct sl_clock_pair *);

#endif
