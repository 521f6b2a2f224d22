/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic on sizes and costs. Whole numbers, since the application's threads ask, and may have
 * floating-point arithmetic trap.
 */
#ifndef SL_DEVICES_TIMES_H
#define SL_DEVICES_TIMES_H

#include <stdint.h>

/* a * b, or the largest number where that does not fit. */
static inline uint64_t sl_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t sl_clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

#endif
