/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph of kernels divided into parts of about the same load, in the order in which data goes
 * through it. Kernels of a cycle stay together. No state.
 */
#ifndef SL_FPGA_PARTITION_H
#define SL_FPGA_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct sl_partition_edge {
    uint32_t from, to; /* nodes */
    uint64_t packets;
};

struct sl_partition {
    uint32_t count;
    const uint64_t *load; /* by node */
    const struct sl_partition_edge *edges;
    uint32_t edge_count;
    uint64_t packet_load; /* what a packet between parts costs each of them */
    uint32_t *part;       /* by node: the result */
    uint64_t most;        /* load of the part with the most, such packets included: the result */
    uint64_t crossing;    /* packets of the part with the most: the result */
};

/* Into `parts` at most; into how many it was, 0: no memory. */
uint32_t sl_partition(struct sl_partition *, uint32_t parts);

#endif
