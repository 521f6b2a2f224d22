/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warns of kernels that are bound to wait for each other (timing/deadlock.h). Only kernels that
 * pipes join in a ring can: most designs have none, and are not looked at. Kernels that are have
 * their variables made values, as will be done to all of them later. No shared state.
 */
#include "passes/stages.h"

#include "ir/memory.h"
#include "ir/pass_messages.h"
#include "pipes/pipe.h"
#include "timing/deadlock.h"
#include <stdlib.h>
#include <string.h>

static uint32_t root_of(uint32_t *parents, uint32_t kernel)
{
    while (parents[kernel] != kernel)
        kernel = parents[kernel] = parents[parents[kernel]];
    return kernel;
}

static bool joins(const struct sl_pipe_ends *ends)
{
    return ends->kernel[0] >= 0 && ends->kernel[1] >= 0 && !ends->contested[0] &&
           !ends->contested[1];
}

/* Whichever way packets go: one kernel may wait for room, and another for a packet. */
static bool has_ring_of_kernels(const struct sl_pass *pass)
{
    const struct sl_pipe_design *design = pass->pipes;
    uint32_t *parents = sl_ir_alloc(pass->kernel_count, sizeof *parents);
    bool found = false;
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        parents[k] = k;
    for (uint32_t r = 0; r < design->ring_count && !found; r++) {
        if (!joins(&design->ends[r]))
            continue;
        uint32_t a = root_of(parents, (uint32_t)design->ends[r].kernel[0]);
        uint32_t b = root_of(parents, (uint32_t)design->ends[r].kernel[1]);
        found = a == b;
        parents[a] = b;
    }
    free(parents);
    return found;
}

static bool has_copies(const struct sl_pass *pass)
{
    bool any = false;
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        any |= (pass->kernels[k].flags & SL_KERNEL_COPY) != 0;
    return any;
}

/* Loops are told by values that count. */
static int make_values(struct sl_pass *pass)
{
    const struct sl_pipe_design *design = pass->pipes;
    bool *uses = sl_ir_alloc(pass->kernel_count, sizeof *uses);
    int rc = 0;
    for (uint32_t i = 0; i < design->use_count; i++)
        uses[design->uses[i].kernel] = true;
    for (uint32_t k = 0; k < pass->kernel_count && !rc; k++)
        if (uses[k])
            rc = sl_pass_run_llvm(pass, pass->kernels[k].kernel, "sroa<modify-cfg>,instsimplify");
    free(uses);
    return rc;
}

/* Those in effect, whatever is declared. */
static void set_depths(const struct sl_pass *pass, struct sl_network *network)
{
    for (uint32_t i = 0; i < network->pipe_count; i++) {
        struct sl_network_pipe *pipe = &network->pipes[i];
        size_t length;
        const char *symbol = LLVMGetValueName2(pipe->end.pipe, &length);
        int32_t variable = pipe->depth ? sl_pipe_variable_find(pass->pipes, symbol) : -1;
        if (variable >= 0 && pass->pipes->variables[variable].depth)
            pipe->depth = pass->pipes->variables[variable].depth;
    }
}

static void warn(struct sl_pass *pass, char *lines)
{
    char *rest = lines;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line)
            sl_pass_warn(pass, "%s", line);
}

int sl_pass_deadlocks(struct sl_pass *pass)
{
    if (pass->pipe_kind != SL_PIPES_DATAFLOW || !sl_pass_has(pass, SL_PASS_OPTIMIZE) ||
        (sl_pipe_is_timed(pass->module) && !has_copies(pass)) || !has_ring_of_kernels(pass))
        return 0;
    if (make_values(pass))
        return -1;
    struct sl_network network;
    struct sl_deadlocks found;
    sl_network_read(&network, pass->module);
    set_depths(pass, &network);
    sl_deadlocks_find(&found, &network, sl_pipe_is_timed(pass->module)); /* others were told */
    if (found.warnings)
        warn(pass, found.warnings);
    sl_deadlocks_finish(&found);
    sl_network_finish(&network);
    return 0;
}
