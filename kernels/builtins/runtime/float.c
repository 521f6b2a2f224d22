/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating-point operations that code generation calls where the processor lacks the instruction:
 * fused multiply-add below x86-64-v3, conversions to and from half. Correctly rounded, to nearest
 * even. No state.
 */
#include <stdint.h>

float fmaf(float x, float y, float z);
double fma(double x, double y, double z);
_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
float __extendhfsf2(_Float16 value);

typedef unsigned __int128 wide;

static uint64_t bits_of(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/*
 * The product of two floats is exact in double. The sum is rounded to odd there, which makes the
 * second rounding, to float, the only one that counts.
 */
float fmaf(float x, float y, float z)
{
    double product = (double)x * y;
    double sum = product + z;
    uint64_t bits = bits_of(sum);
    if ((bits >> 52 & 0x7ff) == 0x7ff)
        return (float)sum;
    double part = sum - product;
    double error = (product - (sum - part)) + (z - part);
    if (error != 0 && !(bits & 1))
        bits += (error < 0) == (sum < 0) ? 1 : UINT64_MAX;
    return (float)double_of(bits);
}

/* significand * 2^exponent with the significand's top bit at 125 of a wide number. */
struct parts {
    wide significand;
    int exponent;
};

static wide shift_sticky(wide value, int count)
{
    if (count > 126)
        return 1;
    return value >> count | ((value & (((wide)1 << count) - 1)) != 0);
}

static struct parts normalise(wide significand, int exponent)
{
    uint64_t high = (uint64_t)(significand >> 64);
    int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)significand);
    if (zeros < 2) /* a sum's carry */
        return (struct parts){shift_sticky(significand, 2 - zeros), exponent + 2 - zeros};
    return (struct parts){significand << (zeros - 2), exponent - (zeros - 2)};
}

static wide significand_of(uint64_t bits, int *exponent)
{
    int biased = (int)(bits >> 52 & 0x7ff);
    *exponent = (biased ? biased : 1) - 1075;
    return (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(biased != 0) << 52;
}

/* Rounds value * 2^exponent to a double's bits without sign. */
static uint64_t round_to_double(wide value, int exponent)
{
    struct parts parts = normalise(value, exponent);
    uint64_t top = (uint64_t)(parts.significand >> 62);
    top |= (parts.significand & (((wide)1 << 62) - 1)) != 0;
    int biased = parts.exponent + 62 + 63 + 1023;
    if (biased > 2046)
        return UINT64_C(0x7ff) << 52;
    int shift = biased >= 1 ? 11 : 12 - biased;
    if (shift > 64)
        return 0;
    wide kept = (wide)top >> shift;
    wide rest = top & (((wide)1 << shift) - 1);
    wide tie = (wide)1 << (shift - 1);
    uint64_t result = (uint64_t)kept + (rest > tie || (rest == tie && (kept & 1)));
    return biased >= 1 ? result + ((uint64_t)(biased - 1) << 52) : result;
}

static double fma_finite(uint64_t x, uint64_t y, uint64_t z)
{
    int ex, ey, ez;
    wide mx = significand_of(x, &ex);
    wide my = significand_of(y, &ey);
    wide mz = significand_of(z, &ez);
    struct parts p = normalise(mx * my, ex + ey);
    struct parts q = normalise(mz, ez);
    uint64_t sign_p = (x ^ y) >> 63;
    uint64_t sign_q = z >> 63;
    int exponent = p.exponent > q.exponent ? p.exponent : q.exponent;
    p.significand = shift_sticky(p.significand, exponent - p.exponent);
    q.significand = shift_sticky(q.significand, exponent - q.exponent);
    if (sign_p == sign_q)
        return double_of(round_to_double(p.significand + q.significand, exponent) | sign_p << 63);
    if (p.significand == q.significand)
        return 0;
    if (p.significand > q.significand)
        return double_of(round_to_double(p.significand - q.significand, exponent) | sign_p << 63);
    return double_of(round_to_double(q.significand - p.significand, exponent) | sign_q << 63);
}

static int is_finite(double value)
{
    return (bits_of(value) >> 52 & 0x7ff) != 0x7ff;
}

double fma(double x, double y, double z)
{
    if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0)
        return x * y + z;
    if (!is_finite(z))
        return z;
    if (z == 0)
        return x * y;
    return fma_finite(bits_of(x), bits_of(y), bits_of(z));
}

/* ---- half ------------------------------------------------------------------------------------ */

static _Float16 half_of(uint16_t bits)
{
    _Float16 value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

_Float16 __truncdfhf2(double value)
{
    uint64_t bits = bits_of(value);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    uint64_t magnitude = bits << 1 >> 1;
    if (magnitude > UINT64_C(0x7ff) << 52)
        return half_of(sign | 0x7e00 | (magnitude >> 42 & 0x1ff));
    int biased = (int)(magnitude >> 52) - 1023 + 15;
    if (biased > 30)
        return half_of(sign | 0x7c00);
    int shift = biased >= 1 ? 42 : 43 - biased;
    if (shift > 54)
        return half_of(sign);
    uint64_t significand = (magnitude & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    uint64_t kept = significand >> shift;
    uint64_t rest = significand & ((UINT64_C(1) << shift) - 1);
    uint64_t tie = UINT64_C(1) << (shift - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    if (biased >= 1)
        kept += (uint64_t)(biased - 1) << 10;
    return half_of((uint16_t)(sign | kept));
}

_Float16 __truncsfhf2(float value)
{
    return __truncdfhf2(value);
}

float __extendhfsf2(_Float16 value)
{
    uint16_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t magnitude = bits & 0x7fff;
    uint32_t result = (magnitude << 13) + (magnitude >= 0x7c00 ? 224u << 23 : 112u << 23);
    float positive;
    if (magnitude < 0x400) {
        positive = (float)magnitude * 0x1p-24f;
    } else {
        __builtin_memcpy(&positive, &result, sizeof positive);
    }
    uint32_t out;
    __builtin_memcpy(&out, &positive, sizeof out);
    out |= sign;
    __builtin_memcpy(&positive, &out, sizeof positive);
    return positive;
}
