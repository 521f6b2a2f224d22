/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel has noted (ahead_journal.h), for the files that write it and go through it:
 * ahead_journal.c, ahead_noted.c. All of the thread that runs the cluster. */
#ifndef SL_FPGA_AHEAD_NOTES_H
#define SL_FPGA_AHEAD_NOTES_H

#include "fpga/ahead/ahead_journal.h"
#include "fpga/clock/clock_noted.h"

enum {
    WORDS = 4096,
    SLACK = SL_PIPE_MOST_EVENT_WORDS + 16, /* behind the end: for whoever has begun, and for us */
    MOST_KINDS = 16,
    FEW_ROUNDS = 32,   /* are gone through one by one */
    FEW_PACKETS = 512, /* likewise, of rounds with one each */
};
#define SINGLE ((uint64_t)1 << 63)
#define ROUNDS SL_PIPE_NOTED_ROUNDS
static_assert((int)MOST_KINDS > (int)SL_PIPE_MOST_KINDS, "the compiler's, and others");

struct part { /* an end of a pipe */
    struct sl_pipe_ring *ring;
    struct sl_clock_ring *times;
    int32_t row; /* of the profile */
    unsigned op;
    bool both;          /* the kernel has the other end as well */
    bool leads;         /* since the clock went on, who is there did so at once */
    uint64_t from;      /* packets there that were counted */
    struct tally tally; /* of packets since then, if it has both */
};

struct sl_ahead_notes {
    const struct sl_pipe_event *events;
    struct sl_clock *clock; /* borrowed */
    bool shares, closed;    /* closed: nothing is noted, since memory is shared */
    bool begun;             /* ahead_noted.c: packets of parts are counted */
    uint32_t part_count, kind_count;
    struct part parts[SL_PIPE_MOST_RINGS];
    struct kind { /* of rounds, that were told */
        struct sl_pipe_rounds of;
        uint32_t few; /* that are gone through one by one; 0: none, they are no such */
        uint32_t parts[SL_CLOCK_MOST_NOTED], each[SL_CLOCK_MOST_NOTED]; /* of each step: packets of
                                                                           its part in a round */
        struct sl_clock_noted steps;
    } kinds[MOST_KINDS];
    struct same { /* event, again and again, that begins an iteration with a packet */
        const struct sl_pipe_event *event; /* NULL: none so far */
        struct sl_clock_noted steps;
    } same;
    uint64_t words[WORDS];
};

static inline struct sl_clock_noted_move sl_journal_move(const struct part *part,
                                                         const struct sl_pipe_site *site)
{
    return (struct sl_clock_noted_move){
        .times = part->times, .site = site, .row = part->row, .op = part->op};
}

#endif
