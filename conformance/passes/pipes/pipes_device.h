/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device for kernels with pipes in one thread: each kernel on a stack of its own, in turns. It
 * moves limits as it likes within what sluice/pipe.h allows, so that compiled code is seen to
 * follow. Test code: one machine at a time.
 */
#ifndef SL_TEST_PIPES_DEVICE_H
#define SL_TEST_PIPES_DEVICE_H

#include "lower.h"

enum limits { LIMITS_TRUE, LIMITS_TIGHT, LIMITS_RANDOM, LIMITS_COUNT };

struct machine {
    enum limits limits;
    unsigned seed;
    unsigned long calls, notified; /* of the runtime */
    const struct sl_pipe_site *last_site;
};
extern struct machine machine;

/* One kernel to run: the range is (global, local), one-dimensional. `block` is copied. */
void device_start(sl_group_fn, const struct sl_kernel_facts *, const void *block, size_t global,
                  size_t local, size_t local_bytes);
/* Until all have ended but autorun kernels; false: they wait for each other for ever. */
bool device_run(void);

/* A ring as clCreatePipe makes it. */
struct sl_pipe_ring *device_ring(uint32_t packet_bytes, uint32_t depth);

#endif
