/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a launch's work-groups (of a copy: its blocks) are cut into pieces and handed to threads:
 * large ones first, so that little is left to wait for at the end. Any thread; a job's pieces are
 * handed out without a lock.
 */
#ifndef SL_DEVICES_GROUP_PIECES_H
#define SL_DEVICES_GROUP_PIECES_H

#include <stdbool.h>
#include <stdint.h>

struct sl_job;

/* How large pieces may be: not below `least` units, a worthwhile number, and not above what takes a
 * moment at `unit_ps` a unit (0: unknown). Before the job has run. */
void sl_job_size_pieces(struct sl_job *, uint64_t unit_ps, uint64_t least);
/* A guest that joins is back after a moment. */
bool sl_job_has_short_pieces(const struct sl_job *, uint32_t cost_ps, uint64_t group_items);
/* The next units for the calling thread; false: all are handed out. */
bool sl_job_take_piece(struct sl_job *, uint64_t *first, uint64_t *count);

#endif
