/* SPDX-License-Identifier: Apache-2.0 */
/* The rings a kernel instance can use: those of the program, then those of its arguments. */
#ifndef SL_FPGA_REACH_H
#define SL_FPGA_REACH_H

#include <stdint.h>

struct sl_fiber;
struct sl_pipe_ring;

struct sl_reach {
    struct sl_pipe_ring *const *program;
    uint32_t program_count, count;
    const struct sl_fiber *fiber;
};
void sl_reach_of(const struct sl_fiber *, struct sl_reach *);
struct sl_pipe_ring *sl_reach_argument(const struct sl_fiber *, uint32_t n);
/* The sum of their indices: grows when anything moves there. */
uint64_t sl_reach_progress(const struct sl_fiber *);
static inline struct sl_pipe_ring *sl_reach_ring(const struct sl_reach *reach, uint32_t n)
{
    return n < reach->program_count ? reach->program[n]
                                    : sl_reach_argument(reach->fiber, n - reach->program_count);
}

#endif
