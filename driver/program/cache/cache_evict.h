/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping the cache folder below SLUICE_CACHE_MAX_MB: the least recently used entries go. */
#ifndef SL_DRIVER_PROGRAM_CACHE_EVICT_H
#define SL_DRIVER_PROGRAM_CACHE_EVICT_H

#include <stddef.h>

#define SL_CACHE_TEMPORARY ".new-" /* how names of files being written begin */

/* `bytes` were added to the folder by this process. Looks at the folder at the first call and then
 * whenever a sixteenth of the limit has been added. */
void sl_cache_grew(int folder, size_t bytes);

#endif
