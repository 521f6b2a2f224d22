/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "long_number.h"

#include <math.h>

static bool is_negative(const struct number *a)
{
    return a->part[NUMBER_PARTS - 1] >> 31;
}

static struct number size_of(const struct number *a)
{
    return is_negative(a) ? number_negate(a) : *a;
}

static bool bit(const struct number *a, unsigned k)
{
    return a->part[k / 32] >> k % 32 & 1;
}

/* Of one that is not negative: the number of its bits. */
static unsigned length(const struct number *a)
{
    unsigned bits = 32 * NUMBER_PARTS;
    while (bits && !bit(a, bits - 1))
        bits--;
    return bits;
}

struct number number_of(int64_t value)
{
    struct number a;
    for (unsigned k = 0; k < NUMBER_PARTS; k++)
        a.part[k] = k == 0 ? (uint32_t)value : (uint32_t)(value >> (k == 1 ? 32 : 63));
    return a;
}

struct number number_cut(const struct number *a, unsigned bits, bool sign)
{
    struct number cut = *a;
    const uint32_t fill = sign && bit(a, bits - 1) ? UINT32_MAX : 0;
    for (unsigned k = bits / 32; k < NUMBER_PARTS; k++) {
        uint32_t kept = k == bits / 32 ? (UINT32_C(1) << bits % 32) - 1 : 0;
        cut.part[k] = (a->part[k] & kept) | (fill & ~kept);
    }
    return cut;
}

struct number number_add(const struct number *a, const struct number *b)
{
    struct number sum;
    uint64_t carry = 0;
    for (unsigned k = 0; k < NUMBER_PARTS; k++) {
        carry += (uint64_t)a->part[k] + b->part[k];
        sum.part[k] = (uint32_t)carry;
        carry >>= 32;
    }
    return sum;
}

struct number number_negate(const struct number *a)
{
    const struct number one = number_of(1);
    struct number not = *a;
    for (unsigned k = 0; k < NUMBER_PARTS; k++)
        not.part[k] = ~not.part[k];
    return number_add(&not, &one);
}

struct number number_multiply(const struct number *a, const struct number *b)
{
    struct number product = number_of(0);
    for (unsigned i = 0; i < NUMBER_PARTS; i++) {
        uint64_t carry = 0;
        for (unsigned k = 0; a->part[i] && i + k < NUMBER_PARTS; k++) {
            carry += (uint64_t)a->part[i] * b->part[k] + product.part[i + k];
            product.part[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

struct number number_shift_left(const struct number *a, unsigned by)
{
    struct number to = number_of(0);
    for (unsigned k = by / 32; k < NUMBER_PARTS; k++) {
        uint64_t from = (uint64_t)a->part[k - by / 32] << 32;
        from |= k > by / 32 ? a->part[k - by / 32 - 1] : 0;
        to.part[k] = (uint32_t)(from << by % 32 >> 32);
    }
    return to;
}

struct number number_shift_right(const struct number *a, unsigned by)
{
    const uint32_t fill = is_negative(a) ? UINT32_MAX : 0;
    struct number to;
    for (unsigned k = 0; k < NUMBER_PARTS; k++) {
        const unsigned at = k + by / 32;
        uint64_t from = at < NUMBER_PARTS ? a->part[at] : fill;
        from |= (uint64_t)(at + 1 < NUMBER_PARTS ? a->part[at + 1] : fill) << 32;
        to.part[k] = (uint32_t)(from >> by % 32);
    }
    return to;
}

int number_compare(const struct number *a, const struct number *b)
{
    if (is_negative(a) != is_negative(b))
        return is_negative(a) ? -1 : 1;
    for (unsigned k = NUMBER_PARTS; k-- > 0;)
        if (a->part[k] != b->part[k])
            return a->part[k] < b->part[k] ? -1 : 1;
    return 0;
}

struct number number_divide(const struct number *a, const struct number *by, bool remainder)
{
    const struct number n = size_of(a), d = size_of(by), less = number_negate(&d);
    struct number quotient = number_of(0), rest = number_of(0);
    for (unsigned k = length(&n); k-- > 0;) {
        rest = number_shift_left(&rest, 1);
        rest.part[0] |= bit(&n, k);
        if (number_compare(&rest, &d) >= 0) {
            rest = number_add(&rest, &less);
            quotient.part[k / 32] |= UINT32_C(1) << k % 32;
        }
    }
    if (remainder)
        return is_negative(a) ? number_negate(&rest) : rest;
    return is_negative(a) != is_negative(by) ? number_negate(&quotient) : quotient;
}

double number_round(const struct number *a, unsigned digits)
{
    const struct number n = size_of(a);
    const unsigned bits = length(&n), gone = bits > digits ? bits - digits : 0;
    const struct number top = number_shift_right(&n, gone);
    uint64_t kept = (uint64_t)top.part[1] << 32 | top.part[0];
    bool half = gone && bit(&n, gone - 1), more = false;
    for (unsigned k = 0; gone && k < gone - 1; k++)
        more |= bit(&n, k);
    kept += half && (more || (kept & 1));
    const double size = ldexp((double)kept, (int)gone);
    return is_negative(a) ? -size : size;
}

struct number number_of_double(double value)
{
    int power;
    const int64_t digits = (int64_t)ldexp(frexp(fabs(value), &power), 53);
    struct number n = number_of(digits);
    n = power > 53    ? number_shift_left(&n, (unsigned)power - 53)
        : power > -11 ? number_shift_right(&n, (unsigned)(53 - power))
                      : number_of(0);
    return value < 0 ? number_negate(&n) : n;
}
