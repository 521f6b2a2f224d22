/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of kernels that run ahead of their clock besides what sluice/module.h and
 * sluice/pipe.h say: what they do to memory. Bits of words there, which are 0 in code without a
 * schedule. */
#ifndef SLUICE_UNSHARED_H
#define SLUICE_UNSHARED_H

/* Of sl_pipe_ring.flags, apart from enum sl_pipe_flags. */
enum {
    /* << enum sl_pipe_op: the memory of the arguments of the kernel at that end is nobody else's,
     * or nobody writes it, so loops that use it, and nothing else that others can see, go ahead of
     * their clock. */
    SL_PIPE_UNSHARED = 1 << 12,
};

/* Of sl_arg_info.qualifiers, apart from enum sl_arg_qualifier. */
enum {
    /* A pointer: the kernel reads there, whatever the declaration says, and does nothing else with
     * the address. */
    SL_ARG_ONLY_READ = 1 << 4,
    SL_ARG_DECLARED = SL_ARG_ONLY_READ - 1, /* what the declaration says */
};

/* Of sl_kernel_info.flags, apart from enum sl_kernel_flags. */
enum {
    /* All that it reads and writes are its own variables, those at program scope, and what its
     * arguments point to: it takes no address from memory or a pipe. Pointers to shared memory of
     * the device are told of as its memory objects are, in sl_launch_args.memories. */
    SL_KERNEL_KEEPS_TO_ARGUMENTS = 1 << 24,
};

#endif
