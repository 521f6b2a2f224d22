/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All dynamic memory of the driver. Any thread. Tests can make the n-th allocation fail
 * (SLUICE_FAIL_ALLOC=n, counted over the process), which is why nobody calls malloc directly.
 */
#ifndef SL_DRIVER_BASE_ALLOC_H
#define SL_DRIVER_BASE_ALLOC_H

#include <stddef.h>

void *sl_alloc(size_t bytes) __attribute__((malloc, warn_unused_result));  /* uninitialised */
void *sl_zalloc(size_t bytes) __attribute__((malloc, warn_unused_result)); /* zeroed */
void *sl_realloc(void *, size_t bytes) __attribute__((warn_unused_result));
void *sl_memdup(const void *, size_t bytes) __attribute__((warn_unused_result));
char *sl_strdup(const char *) __attribute__((malloc, warn_unused_result));
void sl_free(void *);

#endif
