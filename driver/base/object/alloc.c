/* SPDX-License-Identifier: Apache-2.0 */
/* All dynamic memory of the driver, with the test hook SLUICE_FAIL_ALLOC. No lock: one counter. */
#include "base/object/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"

static atomic_long calls;
static atomic_long fail_at = -1; /* -1: environment not read yet; 0: never */

static bool must_fail(void)
{
    long at = atomic_load_explicit(&fail_at, memory_order_relaxed);
    if (at < 0) {
        at = sl_config_long(SL_CONFIG_FAIL_ALLOC, 0, 1L << 40);
        atomic_store_explicit(&fail_at, at, memory_order_relaxed);
    }
    return at && atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1 == at;
}

void *sl_alloc(size_t bytes)
{
    return must_fail() ? NULL : malloc(bytes ? bytes : 1);
}

void *sl_zalloc(size_t bytes)
{
    return must_fail() ? NULL : calloc(1, bytes ? bytes : 1);
}

void *sl_realloc(void *old, size_t bytes)
{
    return must_fail() ? NULL : realloc(old, bytes ? bytes : 1);
}

void *sl_memdup(const void *from, size_t bytes)
{
    void *copy = sl_alloc(bytes);
    return copy && bytes ? memcpy(copy, from, bytes) : copy;
}

char *sl_strdup(const char *text)
{
    return sl_memdup(text, strlen(text) + 1);
}

void sl_free(void *memory)
{
    free(memory);
}
