/* SPDX-License-Identifier: Apache-2.0 */
/* Random input and comparisons. One thread; no lock. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

uint64_t random_bits(void)
{
    if (!state) {
        const char *seed = getenv("SLUICE_TEST_SEED");
        state = 0x9e3779b97f4a7c15u * (seed ? strtoull(seed, NULL, 0) + 1 : 2);
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}

uint64_t random_below(uint64_t below)
{
    return (random_bits() >> 11) % below;
}

void random_fill(void *to, size_t size)
{
    unsigned char *bytes = to;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(random_bits() >> 32);
}

int64_t random_integer(unsigned bits)
{
    uint64_t all = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    uint64_t high = 1ull << (bits - 1);
    switch (random_below(8)) {
    case 0:
        return (int64_t)(random_below(17) & all);
    case 1:
        return (int64_t)((0 - random_below(17)) & all);
    case 2:
        return (int64_t)((high + random_below(5) - 2) & all);
    default:
        return (int64_t)(random_bits() & all);
    }
}

float random_float(void)
{
    if (!random_below(8)) {
        uint32_t bits = (uint32_t)(random_bits() >> 32);
        float any;
        memcpy(&any, &bits, sizeof any);
        if (isnormal(any))
            return any;
    }
    return (float)((double)(int64_t)random_bits() * 0x1p-60);
}

double random_double(void)
{
    if (!random_below(8)) {
        uint64_t bits = random_bits();
        double any;
        memcpy(&any, &bits, sizeof any);
        if (isnormal(any))
            return any;
    }
    return (double)(int64_t)random_bits() * 0x1p-60;
}

double ulps_float(float got, double want)
{
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want) ? 0 : HUGE_VAL;
    if (isinf(got) || isinf((float)want))
        return got == (float)want ? 0 : HUGE_VAL;
    int exponent = want != 0 ? ilogb(want) : -126;
    double unit = ldexp(1, (exponent < -126 ? -126 : exponent) - 23);
    return fabs(got - want) / unit;
}

double ulps_double(double got, long double want)
{
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want) ? 0 : HUGE_VAL;
    if (isinf(got) || isinf((double)want))
        return got == (double)want ? 0 : HUGE_VAL;
    int exponent = want != 0 ? ilogbl(want) : -1022;
    long double unit = ldexpl(1, (exponent < -1022 ? -1022 : exponent) - 52);
    return (double)(fabsl(got - want) / unit);
}

uint16_t half_from_double(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (isnan(value))
        return (uint16_t)(sign | 0x7e00);
    if (size >= 65520)
        return (uint16_t)(sign | 0x7c00);
    int exponent = size < 0x1p-14 ? -14 : ilogb(size);
    double steps = nearbyint(ldexp(size, 10 - exponent)); /* in units of the last place */
    if (size < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)steps);
    /* a carry out of the fraction moves on into the exponent by itself */
    return (uint16_t)(sign | (uint16_t)(((exponent + 15) << 10) + (int)steps - 1024));
}

double double_from_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    int fraction = bits & 1023;
    double size;
    if (exponent == 31)
        size = fraction ? NAN : INFINITY;
    else if (exponent)
        size = ldexp(1024 + fraction, exponent - 25);
    else
        size = ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}
