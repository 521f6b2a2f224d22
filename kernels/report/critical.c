/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: from each kernel to whom it waits for most, until one comes again. */
#include "report/critical.h"

#include <stdlib.h>

enum { SHARE = 5 }; /* less than a fifth of the run is no reason */

static uint64_t wait_at(const struct sl_design_pipe *pipe, int32_t kernel, int32_t *peer)
{
    bool reads = pipe->reader == kernel;
    *peer = reads ? pipe->writer : pipe->reader;
    return reads ? pipe->empty_cycles : pipe->full_cycles;
}

/* Where it waits most, and for whom. */
static struct sl_critical_wait longest_wait(const struct sl_report_design *d, uint32_t kernel)
{
    struct sl_critical_wait most = {.kernel = kernel, .peer = -1};
    uint64_t longest = d->cycles / SHARE;
    for (size_t p = 0; p < d->pipe_count; p++) {
        const struct sl_design_pipe *pipe = &d->pipes[p];
        int32_t peer;
        if ((pipe->writer != (int32_t)kernel && pipe->reader != (int32_t)kernel) ||
            pipe->other_writers || pipe->other_readers || pipe->writer == pipe->reader)
            continue;
        uint64_t wait = wait_at(pipe, (int32_t)kernel, &peer);
        if (wait <= longest || peer < 0)
            continue;
        longest = wait;
        most.pipe = (uint32_t)p;
        most.peer = peer;
        most.for_room = pipe->writer == (int32_t)kernel;
    }
    return most;
}

/* From the busiest kernel on: others may go round beside what limits the design. */
static size_t follow(const struct sl_report_design *d, uint32_t first,
                     struct sl_critical_wait *waits, uint32_t *place)
{
    size_t count = 0;
    for (uint32_t k = first;;) {
        if (place[k])
            break; /* the place of its first visit, from 1 */
        waits[count] = longest_wait(d, k);
        place[k] = (uint32_t)++count;
        if (waits[count - 1].peer < 0)
            return 0;
        k = (uint32_t)waits[count - 1].peer;
    }
    uint32_t begin = place[waits[count - 1].peer] - 1;
    for (size_t i = begin; i < count; i++)
        waits[i - begin] = waits[i];
    return count - begin;
}

struct sl_critical_wait *sl_critical_cycle(const struct sl_report_design *d, size_t *count)
{
    struct sl_critical_wait *waits = calloc(d->kernel_count + 1, sizeof *waits);
    uint32_t *place = calloc(d->kernel_count + 1, sizeof *place);
    const struct sl_report_kernel *most = sl_advice_busiest(d);
    *count = 0;
    if (d->clock == SL_DESIGN_TIMED && waits && place && most)
        *count = follow(d, (uint32_t)(most - d->kernels), waits, place);
    free(place);
    if (*count)
        return waits;
    free(waits);
    return NULL;
}
