/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a run with a clock that wait for each other in a ring, so that none of them limits the
 * design, but the way round. No shared state. */
#ifndef SL_KERNELS_REPORT_CRITICAL_H
#define SL_KERNELS_REPORT_CRITICAL_H

#include "report/advice.h"

struct sl_critical_wait {
    uint32_t kernel, pipe;
    int32_t peer;  /* for whom: the next one's kernel, of the last one the first one's */
    bool for_room; /* else for a packet */
};

/* Owned by the caller; NULL, with a count of 0: there is no such ring, or no memory. */
struct sl_critical_wait *sl_critical_cycle(const struct sl_report_design *, size_t *count);

#endif
