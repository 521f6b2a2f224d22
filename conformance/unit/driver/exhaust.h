/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations and threads that fail on demand: the linker sends every call of the driver and of the
 * devices here (--wrap). */
#ifndef SLUICE_TEST_EXHAUST_H
#define SLUICE_TEST_EXHAUST_H

#include <stdbool.h>

/* From now on the n-th request fails, and with `all` every one after it; 0: none. */
void exhaust_at(long n, bool all);
/* Requests since then. */
long exhaust_requests(void);
/* Blocks of memory that are still allocated. */
long exhaust_live(void);
#endif
