/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modulo scheduling of one loop body: in which cycle each operation starts, and how many cycles
 * after one iteration the next one may start (the initiation interval, II). Iterative modulo
 * scheduling after Rau (MICRO 1994): II begins at the larger of what recurrences (RecMII) and
 * resources (ResMII) allow and grows until everything has a place. Plain numbers, no compiler. No
 * shared state.
 */
#ifndef SL_KERNELS_TIMING_MODULO_SCHEDULE_H
#define SL_KERNELS_TIMING_MODULO_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#define SL_NO_RESOURCE UINT32_MAX

struct sl_loop_operation {
    uint32_t latency;  /* cycles from its start to its result */
    uint32_t resource; /* that it needs for the cycle in which it starts; SL_NO_RESOURCE: none */
};

/* `to` starts at least `latency` cycles after `from` of `distance` iterations before has. */
struct sl_loop_dependence {
    uint32_t from, to;
    int32_t latency; /* less than 0: `to` may start so many cycles before */
    uint32_t distance;
};

struct sl_loop_graph { /* all borrowed */
    const struct sl_loop_operation *operations;
    const struct sl_loop_dependence *dependences;
    const uint32_t *ports; /* of each resource: operations in one cycle, at least 1 */
    /* Of each resource: operations of an iteration that need it. Fewer than there are operations,
     * where some exclude each other. */
    const uint32_t *uses;
    uint32_t operation_count, dependence_count, resource_count;
    uint32_t least_interval; /* what the source asks for; 0: nothing */
};

struct sl_loop_schedule {
    uint32_t recurrence_interval, resource_interval; /* RecMII, ResMII; at least 1 */
    uint32_t interval;                               /* II */
    uint32_t depth;                                  /* cycles that one iteration takes */
    uint32_t *start;                                 /* owned; of each operation: its cycle */
    uint32_t *recurrence; /* owned: dependences of the cycle that sets RecMII, in order */
    uint32_t recurrence_count, recurrence_latency, recurrence_distance;
    uint32_t resource; /* that sets ResMII; SL_NO_RESOURCE: ResMII is 1 anyway */
};

/* Fills a schedule, to be finished. 0, or -1: an operation depends on itself within one iteration,
 * bounds from above (dependences of less than 0 cycles) leave no place, or memory is out. */
int sl_modulo_schedule(const struct sl_loop_graph *, struct sl_loop_schedule *);
void sl_modulo_finish(struct sl_loop_schedule *);

#endif
