/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a launch's work-groups (of a copy: its blocks) are cut into chunks and handed to threads:
 * large ones first, so that little is left to wait for at the end (guided self-scheduling). Any
 * thread; a job's chunks are handed out without a lock.
 */
#ifndef SL_DEVICES_GROUP_CHUNKS_H
#define SL_DEVICES_GROUP_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_job;

/* How large chunks may be: not below `least` units, a worthwhile number, and not above what takes a
 * moment at `unit_ps` a unit (0: unknown). Before the job has run. */
void sl_job_size_chunks(struct sl_job *, uint64_t unit_ps, uint64_t least);
/* A guest that joins is back after a moment. */
bool sl_job_has_short_chunks(const struct sl_job *, uint32_t cost_ps, uint64_t group_items);
/* The next units for the calling thread; false: all are handed out. */
bool sl_job_take_chunk(struct sl_job *, uint64_t *first, uint64_t *count);

SL_END_C

#endif
