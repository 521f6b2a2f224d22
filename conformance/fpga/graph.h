/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random designs: kernels joined by bounded pipes, made from a seed, as OpenCL C and as input of an
 * interpreter in plain C. Each kernel is a sequential process that reads and writes with waiting
 * only, so (Kahn) values, the number of packets and who is blocked in the end do not depend on the
 * schedule. Where a design cannot deadlock some ends poll instead of waiting, which is the same.
 */
#ifndef SLUICE_TEST_GRAPH_H
#define SLUICE_TEST_GRAPH_H

#include "flow.h"

#include <stdint.h>

enum { MOST_PROCESSES = 7, MOST_LINKS = 12, MOST_OPS = 48, MOST_ITEMS = 8 };

enum graph_via { VIA_CHANNEL, VIA_PIPE, VIA_ARGUMENT };

struct graph_link {
    enum graph_via via;
    uint32_t type;    /* row of the table of packet types */
    uint32_t depth;   /* declared; 0: no attribute */
    uint32_t element; /* of an array of this many, the last is used; 0: no array */
    int polling_write, polling_read;
};

/* Happens in rounds with round % every == phase; `times` packets, or for times == 0 a number that
 * the writer finds in its data and sends ahead. */
struct graph_op {
    int write;
    uint32_t link, times, every, phase;
};

struct graph_process {
    struct graph_op ops[MOST_OPS]; /* of one round */
    uint32_t op_count, rounds;     /* of one work-item */
    uint32_t items, local;         /* 1: a task */
    uint32_t seed;
    int autorun;
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
/* The links of the pipe arguments that follow, in order. */
uint32_t graph_arguments(const struct graph *graph, uint32_t process, uint32_t links[MOST_OPS]);
void graph_interpret(const struct graph *graph, enum graph_depths depths, struct graph_result *to);
int graph_blocks(const struct graph_result *result);

/* Packets are made from a uint and give back those bits of it. */
uint32_t packet_bits(uint32_t type);
uint32_t packet_bytes(uint32_t type);

/* The arithmetic that generated kernels and the interpreter share. */
uint32_t state_next(uint32_t state);
uint32_t state_mix(uint32_t state, uint32_t value);
uint32_t state_value(uint32_t state);
uint32_t state_times(uint32_t state);
uint32_t state_first(uint32_t seed, uint32_t item);
#endif
