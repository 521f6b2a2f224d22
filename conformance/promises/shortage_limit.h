/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of this process that a thread lowers, a step each half millisecond. */
#ifndef SLUICE_TEST_SHORTAGE_LIMIT_H
#define SLUICE_TEST_SHORTAGE_LIMIT_H

#include "shortage.h"

/* Not to be called again before the end, from one thread. */
void shortage_limit_begin(const struct shortage_page *page);
/* The limit is as it was before; a handler of a signal may say so. */
void shortage_limit_lift(void);
/* Likewise, and the thread has ended. */
void shortage_limit_end(void);
#endif
