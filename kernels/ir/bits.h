/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bits for data-flow problems. */
#ifndef SL_KERNELS_IR_BITS_H
#define SL_KERNELS_IR_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t sl_bits_words(size_t bits)
{
    return (bits + 63) / 64;
}

static inline bool sl_bits_has(const uint64_t *row, size_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

static inline void sl_bits_add(uint64_t *row, size_t bit)
{
    row[bit / 64] |= UINT64_C(1) << bit % 64;
}

#endif
