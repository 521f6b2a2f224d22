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
            rc = sl_pass_run_llvm(pass, pass->kernels[k].kernel, "sroa<modify-cfg>");
    free(uses);
    return rc;
}

/* Then what is said of the declared ones may be wrong of those that it runs with. */
static bool has_other_depths(const struct sl_pipe_design *design)
{
    bool any = false;
    for (uint32_t i = 0; i < design->variable_count && !any; i++) {
        uint32_t declared = design->variables[i].declared_depth;
        any = design->variables[i].depth != (declared ? declared : 1);
    }
    return any;
}

int sl_pass_deadlocks(struct sl_pass *pass)
{
    if (pass->pipe_kind != SL_PIPES_DATAFLOW || !sl_pass_has(pass, SL_PASS_OPTIMIZE) ||
        sl_pipe_is_timed(pass->module) || !has_ring_of_kernels(pass) ||
        has_other_depths(pass->pipes))
        return 0;
    if (make_values(pass))
        return -1;
    char *text = sl_deadlock_warning(pass->module);
    if (text) {
        text[strcspn(text, "\n")] = '\0';
        sl_pass_warn(pass, "%s", text);
    }
    free(text);
    return 0;
}
