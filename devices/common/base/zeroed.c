/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. There is no aligned calloc, which alone knows what is fresh from the system: that
 * is zero without being touched, and only what was used before is cleared.
 */
#include "common/base/zeroed.h"

#include <stdint.h>
#include <stdlib.h>

void *sl_zeroed_alloc(size_t align, size_t bytes, void **owned)
{
    *owned = bytes > SIZE_MAX - align ? NULL : calloc(1, bytes + align);
    if (!*owned)
        return NULL;
    uintptr_t at = (uintptr_t)*owned;
    return (unsigned char *)*owned + (-at & (align - 1));
}
