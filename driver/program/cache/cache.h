/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled containers on disk, shared by all processes of a user. Never an error: whatever goes
 * wrong means "not cached". Any thread.
 *
 * One file per key: a header with a checksum, the list of #included files with their hashes and of
 * files that must not exist (an entry for which this no longer holds is not used), the container.
 * Files appear whole by rename; a file that is damaged, foreign or not ours to trust is ignored and
 * removed if that is allowed.
 */
#ifndef SL_DRIVER_PROGRAM_CACHE_H
#define SL_DRIVER_PROGRAM_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/base/hash.h"

/* Part of every key: entries of another version are never found. */
#define SL_CACHE_VERSION 2u

bool sl_cache_enabled(void);
/* Would the folder take an entry now? It is made if it does not exist. */
bool sl_cache_is_writable(void);
/* True with an owned copy of the container. */
bool sl_cache_load(struct sl_hash key, unsigned char **container, size_t *bytes);
/* `dependencies`: lines "HASH PATH\n" as of SL_CHUNK_DEPENDENCY and cache_guard.h. */
void sl_cache_store(struct sl_hash key, const char *dependencies, size_t dependencies_bytes,
                    const unsigned char *container, size_t bytes);

#endif
