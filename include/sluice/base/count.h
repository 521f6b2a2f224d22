/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of those who keep something. */
#ifndef SLUICE_BASE_COUNT_H
#define SLUICE_BASE_COUNT_H

#include <stdbool.h>

#include "sluice/base/atomic.h"

/* One more, for who has a pointer but no hold of its own: false, nobody keeps it any more. */
static inline bool sl_add_unless_zero(atomic_uint *count)
{
    unsigned value = atomic_load_explicit(count, memory_order_relaxed);
    while (value)
        if (atomic_compare_exchange_weak_explicit(count, &value, value + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    return false;
}

#endif
