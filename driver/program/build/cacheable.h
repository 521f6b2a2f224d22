/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer to a task's request may be kept. No state; any thread. */
#ifndef SL_DRIVER_PROGRAM_BUILD_CACHEABLE_H
#define SL_DRIVER_PROGRAM_BUILD_CACHEABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "program/build/build_task.h"

/* The disk cache may be asked for the task's key, and others for the same may wait for it. */
bool sl_build_is_cacheable(const struct sl_build_task *);
/* The same request would get the same code tomorrow, as far as the dependency lines (owned, as of
 * SL_CHUNK_DEPENDENCY; some may be added) can tell. */
bool sl_build_may_be_kept(const struct sl_build_task *, char **dependencies, size_t *bytes);

#endif
