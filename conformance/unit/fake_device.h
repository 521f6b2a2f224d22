/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device for tests of the driver: host memory, copies and fills done plainly, native functions
 * called. Three manners: everything inside submit(); on threads, a little later, in random order;
 * held back until flush() or assist(). It never runs kernels.
 */
#ifndef SL_UNIT_FAKE_DEVICE_H
#define SL_UNIT_FAKE_DEVICE_H

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>

enum fake_manner { FAKE_INLINE, FAKE_THREADS, FAKE_HELD };

extern atomic_int fake_status;       /* what the next works end with; 0 */
extern atomic_uint fake_work_queues; /* alive */
extern atomic_uint fake_memories;    /* alive */
extern atomic_uint fake_submitted;   /* works so far */

/* A native function may set the status its work ends with. */
void fake_fail(int status);

cl_device_id fake_device(enum fake_manner);
/* A context of that device; release it with sl_clReleaseContext. */
cl_context fake_context(cl_device_id);

#endif
