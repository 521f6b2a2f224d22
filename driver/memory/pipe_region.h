/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of a ring that the host has mapped at its end of a pipe. They are given back to the
 * kernel's end in the order in which they were mapped: what is unmapped of the oldest at once, of
 * later ones when their turn comes. Whoever calls has its turn at that end.
 */
#ifndef SL_DRIVER_MEMORY_PIPE_REGION_H
#define SL_DRIVER_MEMORY_PIPE_REGION_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_device;
struct sl_pipe;

struct sl_pipe_region { /* one map */
    struct sl_pipe_region *next;
    unsigned char *start;
    size_t bytes, returned; /* mapped; unmapped so far */
    size_t given;           /* of `returned`, what the kernel's end has got */
};

struct sl_pipe_regions {
    struct sl_pipe_region *first, *last; /* owned; oldest first */
};

/* Whose regions they are. */
struct sl_pipe_region_end {
    struct sl_device *device; /* borrowed, as all below */
    struct sl_pipe *pipe;
    bool write;
    uint32_t packet_bytes;
};

/* `region`, from sl_alloc, is the list's if there was something to map: true. */
bool sl_pipe_region_map(struct sl_pipe_regions *, const struct sl_pipe_region_end *,
                        struct sl_pipe_region *region, size_t want_bytes);
/* What was unmapped in full may be freed. CL_INVALID_VALUE: not mapped, or no whole packets. */
cl_int sl_pipe_region_unmap(struct sl_pipe_regions *, const struct sl_pipe_region_end *,
                            const void *start, size_t bytes);
/* Gives the kernel's end what has come back up to the first gap. */
void sl_pipe_region_give_back(struct sl_pipe_regions *, const struct sl_pipe_region_end *);
/* The pipe is going. */
void sl_pipe_regions_finish(struct sl_pipe_regions *);

#endif
