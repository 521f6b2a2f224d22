/* SPDX-License-Identifier: Apache-2.0 */
/* Launches kernels of random designs; for the tests that do. */
#ifndef SLUICE_TEST_GRAPH_RUN_H
#define SLUICE_TEST_GRAPH_RUN_H

#include "graph.h"

struct graph_launch {
    const struct graph *graph;
    uint32_t number;  /* in the names of its kernels */
    uint32_t process; /* which one */
    cl_program program;
    cl_mem out;
    uint32_t at;   /* where in `out` its states go */
    cl_mem *pipes; /* of the design, MOST_LINKS; NULL: not yet made. The caller's */
};

void graph_start(const struct graph_launch *, cl_command_queue queue, cl_event *event);
/* Of the design with this index, all with room for each process. */
static inline uint32_t graph_place(uint32_t graph, uint32_t process)
{
    return (graph * MOST_PROCESSES + process) * MOST_ITEMS;
}
void graph_release_pipes(cl_mem *pipes);
/* As SLUICE_FPGA_DEPTH says. */
enum graph_depths graph_depths_in_use(void);

#endif
