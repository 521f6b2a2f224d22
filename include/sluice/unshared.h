/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of pipes beside those of sluice/pipe.h: what kernels at their ends do to memory besides.
 */
#ifndef SLUICE_UNSHARED_H
#define SLUICE_UNSHARED_H

/* Of sl_pipe_ring.flags, apart from enum sl_pipe_flags. */
enum {
    /* << enum sl_pipe_op: the memory of the arguments of the kernel at that end is nobody else's,
     * or nobody writes it, so loops that use it, and nothing else that others can see, go ahead of
     * their clock. */
    SL_PIPE_UNSHARED = 1 << 12,
};

#endif
