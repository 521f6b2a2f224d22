/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of pipes beside those of sluice/pipe.h, for what may have its slots elsewhere than the
 * module has: I/O pipes, whose ring may be one in shared memory. */
#ifndef SLUICE_MOVABLE_SLOTS_H
#define SLUICE_MOVABLE_SLOTS_H

/* Of sl_pipe_ring.flags and sl_pipe_info.flags, apart from enum sl_pipe_flags. */
enum {
    /* Compiled code takes the slots' address from the ring, when a kernel begins: the device may
     * have put them elsewhere since the module was loaded. */
    SL_PIPE_MOVABLE = 1 << 11,
    /* And their number: it may be greater there. */
    SL_PIPE_MORE_SLOTS = 1 << 14,
};

#endif
