/* SPDX-License-Identifier: Apache-2.0 */
/* Are we in a child that was forked while there were threads? */
#ifndef SL_DRIVER_BASE_FORK_H
#define SL_DRIVER_BASE_FORK_H

#include <stdbool.h>

/*
 * True in a child made by fork() while contexts (hence threads) existed: nothing that needs a
 * thread may be tried there. Entry points that would answer CL_OUT_OF_RESOURCES (or, for a new
 * context, CL_DEVICE_NOT_AVAILABLE) at once. Two loads, no system call. Thread-safe.
 */
bool sl_forked(void);
/* Contexts: the first starts threads, with the last they are gone. Under their lock. */
void sl_fork_watch(bool threads_exist);

#endif
