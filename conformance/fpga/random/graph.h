/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random designs: kernels joined by bounded pipes, made from a seed, as OpenCL C and as input of an
 * interpreter in plain C. Each kernel is a sequential process that reads and writes with waiting
 * only, so (Kahn) values, the number of packets and who is blocked in the end do not depend on the
 * schedule. Where a design cannot deadlock some ends poll instead of waiting, which is the same.
 *
 * What a process does is one thing and how its kernel is written another: graph_make.c decides the
 * first, which the interpreter follows, graph_shape.c the second, which it does not look at.
 */
#ifndef SLUICE_TEST_GRAPH_H
#define SLUICE_TEST_GRAPH_H

#include "flow.h"

#include <stdint.h>

enum { MOST_PROCESSES = 10, MOST_LINKS = 40, MOST_OPS = 240, MOST_ITEMS = 8, MOST_SPAN = 4 };

enum graph_via { VIA_CHANNEL, VIA_PIPE, VIA_ARGUMENT };

struct graph_link {
    enum graph_via via;
    uint32_t type;        /* row of the table of packet types */
    uint32_t depth;       /* declared; 0: no attribute */
    uint32_t array, at;   /* element `at` of an array of so many, declared with its first element's
                             link; 0: no array */
    uint32_t array_first; /* that link */
    int polling_write, polling_read;
};

enum graph_section { SECTION_BEFORE, SECTION_ROUNDS, SECTION_BEHIND };

/* Which of the links a packet takes, when there are several. */
enum graph_pick {
    PICK_ROUND, /* the round tells */
    PICK_TURN,  /* one after the other */
};

/* How the transfers of an operation are written. */
enum graph_form {
    FORM_LOOP,
    FORM_TEXT, /* written out, where there are few */
    FORM_HELPER,
    FORM_NESTED, /* a helper of a helper */
};

/* How it is told which of several links that is. */
enum graph_choice {
    CHOICE_INDEX,
    CHOICE_SWITCH, /* each element by its number */
    CHOICE_GUARDS, /* the lower ones and the others apart */
    CHOICE_LOOP,   /* a loop over all looks for the one */
    CHOICE_COUNT
};

/* Of a round only in those with round % every == phase, from number `from` on. */
struct graph_op {
    int write;
    enum graph_section section;
    uint32_t link, span; /* the first of so many */
    enum graph_pick pick;
    uint32_t times; /* packets; 0: a number that the writer finds in its data and sends ahead */
    uint32_t every, phase, from;
    int discard;     /* reads, but does not look at the packets */
    uint32_t bounds; /* the packet says how many rounds its reader has: this many; 0: it does not */
    enum graph_form form;
    enum graph_choice choice;
    uint32_t spelling; /* drawn: of the index (graph_index.c) */
};

enum graph_runs {
    RUNS_LAUNCHED,
    RUNS_FOR_EVER,  /* autorun, its rounds have no end */
    RUNS_AND_AGAIN, /* autorun, starts anew when it has ended */
};

enum graph_loop { LOOP_FOR, LOOP_WHILE, LOOP_BREAK, LOOP_STATES, LOOP_COUNT };

struct graph_process {
    struct graph_op ops[MOST_OPS]; /* by section */
    uint32_t op_count, rounds;     /* of one work-item */
    uint32_t items, local;         /* 1: a task */
    uint32_t seed;
    enum graph_runs runs;
    uint32_t unit, units; /* compute unit of so many, which are neighbours; 1: there is no other */
    enum graph_loop loop;
    uint32_t attributes; /* drawn bits (graph_attributes.c) */
};

struct graph {
    struct graph_process processes[MOST_PROCESSES];
    struct graph_link links[MOST_LINKS];
    uint32_t process_count, link_count;
};

enum graph_depths { DEPTHS_STRICT, DEPTHS_DEFAULT, DEPTHS_IGNORED };

/* What comes out: the state of each work-item at its end; what is blocked has none. */
struct graph_result {
    int blocked[MOST_PROCESSES];
    uint32_t state[MOST_PROCESSES][MOST_ITEMS];
};

void graph_make(struct graph *graph, uint64_t seed);
/* Kernels gN_kM of (global uint *o, uint at) and pipe arguments; they store o[at + work-item]. */
void graph_declare(const struct graph *graph, uint32_t number, struct text *source);
void graph_interpret(const struct graph *graph, enum graph_depths depths, struct graph_result *to);
int graph_blocks(const struct graph_result *result);
static inline int graph_is_launched(const struct graph_process *process)
{
    return process->runs == RUNS_LAUNCHED;
}

/* ---- drawing (graph_draw.c) ------------------------------------------------------------------ */

struct graph_random {
    uint64_t state;
};
uint32_t draw_below(struct graph_random *, uint32_t limit);
int draw_chance(struct graph_random *, uint32_t percent);
/* graph_shape.c: how the kernels are written. */
void graph_shape(struct graph *graph, struct graph_random *);

/* ---- packets (graph_packet.c) ---------------------------------------------------------------- */

/* Packets are made from a uint and give back those bits of it. */
uint32_t packet_types(void);
uint32_t packet_bits(uint32_t type);
uint32_t packet_bytes(uint32_t type);
const char *packet_name(uint32_t type);
/* A statement that makes the packet v of the uint x; an expression that makes a uint of v. */
const char *packet_pack(uint32_t type);
const char *packet_unpack(uint32_t type);
void packet_declare_all(struct text *source);

/* ---- the text (graph_transfer.c, graph_attributes.c) ----------------------------------------- */

/* The links of the pipe arguments in order, each direction by itself: `write` has the directions.
 */
uint32_t graph_arguments(const struct graph *graph, uint32_t process, uint32_t links[MOST_OPS],
                         int write[MOST_OPS]);
/* One argument of a kernel or helper. */
void graph_pipe_parameter(const struct graph *graph, uint32_t link, int write, struct text *to);
/* The helper functions that the process's operations call. */
void graph_declare_helpers(const struct graph *graph, uint32_t number, uint32_t process,
                           struct text *to);
/* Statements; s is the state, r the round, n the number of rounds. */
void graph_operation(const struct graph *graph, uint32_t number, uint32_t process, uint32_t op,
                     struct text *to);
void graph_attributes(const struct graph_process *process, struct text *to);
/* Does a packet say how many rounds it has? */
int graph_is_bounded(const struct graph_process *process);

/* ---- indices (graph_index.c) ----------------------------------------------------------------- */

void graph_declare_picks(struct text *source);
/* `turn` modulo `span`. `below`: what the turn is less than, as one can see; 0: nobody knows. */
void graph_pick(const char *turn, uint32_t span, uint32_t below, uint32_t spelling,
                struct text *to);
/* Which compute unit, of `count`. */
void graph_compute_id(uint32_t count, uint32_t spelling, struct text *to);

/* The arithmetic that generated kernels and the interpreter share. */
uint32_t state_next(uint32_t state);
uint32_t state_mix(uint32_t state, uint32_t value);
uint32_t state_value(uint32_t state);
uint32_t state_times(uint32_t state);
uint32_t state_first(uint32_t seed, uint32_t item);
#endif
