/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a run so far: which of them another one comes directly behind. An event comes
 * behind each one that is in front of it in the program and has no later nominal cycle; directly,
 * if no other such one is between them. No shared state.
 */
#ifndef SL_KERNELS_REPORT_TIMES_PAST_H
#define SL_KERNELS_REPORT_TIMES_PAST_H

#include <stdbool.h>
#include <stdint.h>

struct sl_past;

struct sl_past *sl_past_create(uint32_t site_count); /* NULL: no memory */
void sl_past_destroy(struct sl_past *);              /* NULL is a no-op */

/* A run begins whose events, counted from 0, have these nominal cycles. Borrowed. */
void sl_past_clear(struct sl_past *, const uint64_t *nominals);
/* The event happens, the next one of this site; nothing behind it has an earlier nominal cycle than
 * the horizon. False: no memory. */
bool sl_past_add(struct sl_past *, uint32_t event, uint32_t site, uint64_t horizon);
/* Which events one in that cycle, no earlier than the last horizon, comes directly behind; how
 * many. The row is the past's, until the next call. */
uint32_t sl_past_find(struct sl_past *, uint64_t nominal, const uint32_t **events);
/* Some events, of which there is one behind each other event in the same or a later cycle. */
uint32_t sl_past_latest(struct sl_past *, const uint32_t **events);

#endif
