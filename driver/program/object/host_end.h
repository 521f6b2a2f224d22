/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's ends of program-scope pipes (cl_intel_program_scope_host_pipe): which there are, and
 * which device and direction each has. They belong to the code loaded on a device and live as long
 * as that. An end is used by one transfer at a time; transfers that wait form a line, and only the
 * first of it is ever with the device (host_pipe_wait.h). Any thread.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_HOST_END_H
#define SL_DRIVER_PROGRAM_OBJECT_HOST_END_H

#include "base/thread/spin_lock.h"
#include "memory/pipe_region.h"
#include "program/object/program.h"

struct sl_host_end {
    const struct sl_pipe_info *info; /* borrowed from the code */
    struct sl_device *device;        /* borrowed from the code */
    struct sl_pipe *pipe;            /* borrowed from the code */
    atomic_int direction;            /* enum sl_host_direction */
    bool open;                       /* no kernel has that end: the first transfer decides */
    uint64_t claims;                 /* guarded by the program's lock, as direction if open */
    struct sl_spin_lock end_lock;    /* at the end; guards what follows */
    cl_event first, last;            /* transfers that wait, in order; the device has the first */
    struct sl_pipe_regions regions;  /* what is mapped; packets that move are behind it */
};
enum sl_host_direction { SL_HOST_UNKNOWN, SL_HOST_READS, SL_HOST_WRITES };

/* All host ends of a module, sorted by name; made when first asked for, gone with the code. */
struct sl_host_ends;
void sl_host_ends_destroy(struct sl_host_ends *); /* NULL is a no-op */

/*
 * The end of the pipe `symbol`: CL_INVALID_VALUE: there is no such pipe; CL_INVALID_OPERATION: it
 * is not the host's.
 */
cl_int sl_host_end_find(struct sl_code_ref *, const char *symbol, struct sl_host_end **out);
/*
 * A host pipe talks to one device and in one direction: the end is that of the code's device, and
 * used so, from now on. CL_INVALID_OPERATION when it goes the other way, or the same pipe was used
 * on another device; of that contexts are told, too. Sub-devices are their root device.
 */
cl_int sl_host_end_claim(struct sl_host_end *, bool write, cl_program, const struct sl_code_ref *);
/* The transfer was refused after all: each call takes one claim back. */
void sl_host_end_unclaim(struct sl_host_end *, cl_program);
/* The same for all ends that a kernel has the other side of. A claim may fail after a check. */
cl_int sl_host_ends_check(cl_program, struct sl_code_ref *, uint32_t kernel);
cl_int sl_host_ends_claim(cl_program, struct sl_code_ref *, uint32_t kernel);
void sl_host_ends_unclaim(cl_program, struct sl_code_ref *, uint32_t kernel);

#endif
