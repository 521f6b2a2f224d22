/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Few rounds of a pipelined loop, of which it is not worth to find what they have in common
 * (clock_rounds.h): each operation by itself, but all else once. Of the thread that runs the
 * cluster.
 */
#ifndef SL_FPGA_CLOCK_NOTED_H
#define SL_FPGA_CLOCK_NOTED_H

#include "fpga/profile/clock_run.h"

struct sl_clock_noted { /* an operation of each round */
    struct sl_clock_ring *times;
    const struct sl_pipe_site *site;
    int32_t row;     /* of the profile */
    unsigned op;     /* enum sl_pipe_op */
    uint64_t offset; /* its cycle within an iteration; this and the next are filled in */
    uint64_t waited;
};

/* The run is in a loop at that place, each of so many rounds begins with its mark, and all
 * operations are known. False: something is out of the ordinary, and nothing was done. */
bool sl_clock_noted_go(struct sl_clock_run *, uint32_t line, uint32_t column,
                       struct sl_clock_noted *, uint32_t count, uint64_t rounds);

#endif
