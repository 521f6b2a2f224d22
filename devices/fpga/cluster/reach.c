/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No state, no lock. */
#include "fpga/cluster/reach.h"

#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/cluster/ring_state.h"

void sl_reach_of(const struct sl_fiber *fiber, struct sl_reach *reach)
{
    const struct sl_kernel_info *kernel = fiber->kernel;
    *reach = (struct sl_reach){.fiber = fiber};
    if (fiber->design) {
        const struct sl_design_kernel *row =
            &fiber->design->kernels[kernel - fiber->design->info->kernels];
        reach->program = row->rings;
        reach->program_count = row->ring_count;
    }
    reach->count = reach->program_count;
    for (uint32_t i = 0; i < kernel->arg_count; i++)
        reach->count += kernel->args[i].kind == SL_ARG_PIPE;
}

struct sl_pipe_ring *sl_reach_argument(const struct sl_fiber *fiber, uint32_t n)
{
    const struct sl_arg_info *arg = fiber->kernel->args;
    while (arg->kind != SL_ARG_PIPE || n--)
        arg++;
    return *(struct sl_pipe_ring *const *)((const char *)fiber->args + arg->offset);
}

uint64_t sl_reach_progress(const struct sl_fiber *fiber)
{
    struct sl_reach reach;
    uint64_t sum = 0;
    sl_reach_of(fiber, &reach);
    for (uint32_t i = 0; i < reach.count; i++)
        sum += sl_ring_progress(sl_reach_ring(&reach, i));
    return sum;
}
