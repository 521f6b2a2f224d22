/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile consists of: counted by profile.c, written by profile_text.c. Counters are
 * relaxed: a reader may see one launch's numbers half added. */
#ifndef SL_FPGA_PROFILE_DATA_H
#define SL_FPGA_PROFILE_DATA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "fpga/profile/profile.h"

enum { SL_PROFILE_ARGUMENTS = 64, SL_PROFILE_SPANS = 10000 };

typedef _Atomic uint64_t sl_count;

struct sl_profile_kernel {
    sl_count launches, run_ns, stall_ns;
};

struct sl_profile_pipe {
    _Atomic(struct sl_pipe_ring *) ring; /* identity only; of an argument's row */
    const char *name;                    /* borrowed from the program */
    uint32_t packet_bytes, depth, flags; /* flags: enum sl_pipe_flags; these three of an argument */
    atomic_int writer, reader;           /* rows of kernels, -1: not seen */
    sl_count moved[2];                   /* packets by enum sl_pipe_op */
    sl_count samples, fill_sum, high_water, stalled_ns[2];
};

struct sl_profile_site {
    sl_count stalls, stall_ns;
};

enum sl_span_state { SL_SPAN_RUN, SL_SPAN_FULL, SL_SPAN_EMPTY };
struct sl_profile_span {
    uint64_t start_ns, end_ns;
    uint32_t kernel;
    int32_t pipe; /* row, -1 */
    enum sl_span_state state;
};

struct sl_profile {
    struct sl_profile *next;  /* guarded by the list's lock */
    struct sl_design *design; /* borrowed: owns it */
    char *path;               /* owned */
    unsigned number;          /* of its file; 0: not written yet. Guarded by the list's lock */
    _Atomic uint64_t start_ns;
    struct sl_profile_kernel *kernels; /* owned; as in the module */
    struct sl_profile_pipe *pipes;     /* owned; as in the module, then those of arguments */
    struct sl_profile_site *sites;     /* owned; as in the module */
    struct sl_trace *trace;            /* owned; NULL: not traced */
    struct sl_clock *clock;            /* owned; NULL: not timed */
    pthread_mutex_t lock;              /* guards the rest */
    struct sl_profile_span *spans;     /* owned */
    uint32_t span_count;
};

#endif
