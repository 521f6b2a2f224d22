/* SPDX-License-Identifier: Apache-2.0 */
/* Integers of any width as tests have them: their types, what they keep of a long number, and
 * numbers drawn by chance. */
#pragma once

#include "long_number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arbitrary_type {
    unsigned bits;
    bool sign, plain; /* plain: int, uint, long, ulong */
};

/* Skips the case on drivers that have none. */
void arbitrary_need(void);

/* What an integer of the type keeps of `value`. */
struct number arbitrary_cut(struct arbitrary_type type, struct number value);

/* Of an integer of the type in memory. */
size_t arbitrary_bytes(struct arbitrary_type type);

/* Its last 64 bits; a `double`'s bits that is nearest to it. */
uint64_t arbitrary_low(const struct number *x);
uint64_t arbitrary_double(const struct number *x);

/* From 0 to below - 1, the same numbers after each `arbitrary_begin` with that seed. */
void arbitrary_begin(uint64_t seed);
uint64_t arbitrary_draw(uint64_t below);
