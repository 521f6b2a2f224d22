/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key under which the answer to a request is kept, and whether it may be kept at all. No state;
 * any thread.
 */
#ifndef SL_DRIVER_PROGRAM_CACHE_KEY_H
#define SL_DRIVER_PROGRAM_CACHE_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "program/build/build_task.h"
#include "program/build/wire_format.h"

/* What the answer to a request (begun, not ended) depends on; false: there is no compiler. */
bool sl_build_key(const struct sl_request *, struct sl_hash *);
/* The disk cache may be asked for the task's key, and others for the same may wait for it. */
bool sl_build_is_cacheable(const struct sl_build_task *);
/* The same request would get the same code tomorrow, as far as the dependency lines (owned, as of
 * SL_CHUNK_DEPENDENCY; some may be added) can tell. */
bool sl_build_may_be_kept(const struct sl_build_task *, char **dependencies, size_t *bytes);

#endif
