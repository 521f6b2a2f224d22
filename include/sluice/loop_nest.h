/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One more mark of loops than sluice/module.h has: a nest of them, in which a clock hears of
 * nothing else, is told of as a whole when its outermost loop has ended.
 */
#ifndef SLUICE_LOOP_NEST_H
#define SLUICE_LOOP_NEST_H

#include <stdint.h>

/* Beside enum sl_loop_mark; `line`: rows, `iterations`: the address of the first one. */
enum { SL_LOOPS_ARE_THROUGH = 16 };

/* A loop of a nest, those around it before it. No two have the same place. */
struct sl_nest_row {
    uint32_t line, column;
    uint64_t entries;    /* how often it has begun; 0 of the first one: nothing has happened */
    uint64_t filled;     /* with an iteration at least */
    uint64_t iterations; /* of all of these */
};

#endif
