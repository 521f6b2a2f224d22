/* SPDX-License-Identifier: Apache-2.0 */
/* See group_chunks.h. Chunks are handed out by an atomic counter, large ones first. */
#include "common/runtime/group_chunks.h"

#include "common/base/times.h"
#include "common/runtime/job.h"

/* No chunk should last much longer, so that all threads end at about the same time. */
static const uint64_t chunk_ns = 1000000;

/* What takes as long is worth to be handed out by itself, however few items it has: of a launch of
 * a hundred microseconds the last thread would have too much left. */
static const uint64_t worthwhile_ns = 2000;

/* Chunks: not below a worthwhile number of work-items, not above what takes a moment. */
void sl_job_size_chunks(struct sl_job *job, uint64_t unit_ps, uint64_t least)
{
    uint64_t share = job->total / (8 * (uint64_t)job->seats);
    if (unit_ps && worthwhile_ns * 1000 / unit_ps < least)
        least = worthwhile_ns * 1000 / unit_ps;
    job->least = sl_clamp(least, 1, share ? share : 1);
    job->most = share;
    if (unit_ps)
        job->most = chunk_ns * 1000 / unit_ps;
    if (job->most < job->least)
        job->most = job->least;
}

/* A guest that joins is back after a moment. */
bool sl_job_has_short_chunks(const struct sl_job *job, uint32_t cost_ps, uint64_t group_items)
{
    return cost_ps && sl_times(sl_times(cost_ps, group_items), job->most) <= 2 * chunk_ns * 1000;
}

static uint64_t chunk_of(const struct sl_job *job, uint64_t left)
{
    uint64_t chunk = job->alone;
    if (job->published)
        chunk = sl_clamp(left / (4 * (uint64_t)job->seats), job->least, job->most);
    chunk = (chunk + job->grain - 1) / job->grain * job->grain;
    if (!chunk)
        chunk = job->grain;
    return chunk < left ? chunk : left;
}

bool sl_job_take_chunk(struct sl_job *job, uint64_t *first, uint64_t *count)
{
    uint64_t at = atomic_load_explicit(&job->handed_out, memory_order_relaxed);
    do {
        if (at >= job->total)
            return false;
        *count = chunk_of(job, job->total - at);
    } while (!atomic_compare_exchange_weak_explicit(&job->handed_out, &at, at + *count,
                                                    memory_order_relaxed, memory_order_relaxed));
    *first = at;
    return true;
}
