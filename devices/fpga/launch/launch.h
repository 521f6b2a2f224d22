/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel launches as fibers: submit, run, report. */
#ifndef SL_FPGA_LAUNCH_H
#define SL_FPGA_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster/fiber.h"

struct sl_machine;

extern const struct sl_runtime sl_fpga_runtime;         /* the fast default order */
extern const struct sl_runtime sl_fpga_runtime_general; /* with a seed or a profile */

/* Takes a kernel that uses pipes. */
void sl_launch_submit(struct sl_machine *, struct sl_work_queue *, struct sl_work *);
/* Sends a fiber to the cluster that is to run it. */
void sl_launch_post(struct sl_machine *, struct sl_cluster *, struct sl_fiber *);
/* The fiber's kernel has returned or was stopped: reports, and puts the fiber back. The fiber is in
 * no list but cluster->fibers. */
void sl_launch_ended(struct sl_fiber *);
/* Of the fiber that runs: its launch, or the autorun kernel, ends with an error, which is told with
 * words that go behind "kernel NAME stopped: ". Does not come back. */
void sl_launch_stop(struct sl_fiber *, const char *what);
/* Ends a parked fiber from outside. */
void sl_launch_discard(struct sl_fiber *, int status);

/* The rings a kernel instance can use: those of the program, then those of its arguments. */
struct sl_fiber_reach {
    struct sl_pipe_ring *const *program;
    uint32_t program_count, count;
    const struct sl_fiber *fiber;
};
void sl_launch_reach(const struct sl_fiber *, struct sl_fiber_reach *);
struct sl_pipe_ring *sl_launch_argument_ring(const struct sl_fiber *, uint32_t n);
/* The sum of their indices: grows when anything moves there. */
uint64_t sl_launch_progress(const struct sl_fiber *);
static inline struct sl_pipe_ring *sl_fiber_reach_ring(const struct sl_fiber_reach *reach,
                                                       uint32_t n)
{
    return n < reach->program_count
               ? reach->program[n]
               : sl_launch_argument_ring(reach->fiber, n - reach->program_count);
}

#endif
