/* SPDX-License-Identifier: Apache-2.0 */
#include "arbitrary.h"

#include "cl_help.h"

#include <string.h>

static uint64_t state;

uint64_t arbitrary_draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t high = state >> 32;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((high << 32) ^ (state >> 32)) % below;
}

struct number arbitrary_cut(struct arbitrary_type type, struct number value)
{
    return number_cut(&value, type.bits, type.sign);
}

uint64_t arbitrary_low(const struct number *x)
{
    return (uint64_t)x->part[1] << 32 | x->part[0];
}

uint64_t arbitrary_double(const struct number *x)
{
    const double value = number_round(x, 53);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

size_t arbitrary_bytes(struct arbitrary_type type)
{
    size_t bytes = 1;
    while (8 * bytes < type.bits && bytes < 16)
        bytes *= 2;
    return type.bits > 128 ? (type.bits + 127) / 128 * 16 : bytes;
}

void arbitrary_begin(uint64_t seed)
{
    state = seed;
}

void arbitrary_need(void)
{
    if (!is_sluice())
        check_skip("no integers of any width");
}
