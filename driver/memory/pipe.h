/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipe objects: what a cl_mem made by clCreatePipe has beyond other memory objects, and the host's
 * end of it (cl_intel_fpga_host_pipe). Spec 5.4 (pipes).
 */
#ifndef SL_DRIVER_MEMORY_PIPE_H
#define SL_DRIVER_MEMORY_PIPE_H

#include "base/thread/spin_lock.h"
#include "memory/buffer.h"
#include "memory/pipe_region.h"

struct sl_pipe_side {
    struct sl_device *device; /* borrowed from the context: the ring is its memory */
    struct sl_pipe *pipe;     /* owned */
};

struct sl_mem_pipe {
    struct sl_pipe_side *sides; /* owned; one per device that has pipes (pipe_sides.h) */
    uint32_t side_count;        /* the host's end is that of the first */
    cl_uint packet_bytes, max_packets;
    bool host_reads, host_writes; /* a host pipe: one of them */
    /*
     * The turn at the host's end, or of who hands the packets to another device: held while the
     * device moves packets, since only one thread may. Guards what follows.
     */
    struct sl_spin_lock end_lock;
    uint32_t at, users; /* the side that has the packets; commands that use it there */
    void *packet;       /* owned: room for one on its way; NULL: there is one side only */
    struct sl_pipe_regions regions;
    uint32_t vain; /* calls of the host in a row that found nothing */
    /* Of host pipes: the one kernel argument it belongs to (pipe_binding.h). */
    cl_program bound_program;  /* borrowed: compared, with its generation, never followed */
    unsigned bound_generation; /* of the program */
    uint32_t bound_kernel, bound_arg;
};

/* NULL is a no-op. The memory object is going; nothing uses the pipe. */
void sl_mem_pipe_destroy(struct sl_mem_pipe *);
/* What a device needs for pipes whose host's end is used, or is not. */
uint32_t sl_pipe_feature(bool host);
/* A valid pipe object, or NULL. */
struct sl_mem_pipe *sl_pipe_of(cl_mem);

#endif
