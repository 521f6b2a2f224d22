/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fmod, remainder and remquo, all exact. Up to a quotient of SL_QUICK_LIMIT its whole part is a
 * quotient of T, one too large at most, and what is left of x a number of T again. Beyond, by long
 * division of the significands, where a digit of the quotient takes as many bits as a 64-bit
 * dividend leaves room for. SL_REST(T)(q, b, a): a - q * b without an error in between.
 */

struct sl_division {
    ulong rest;    /* |x| mod |y| in units of 2^(exponent of y) */
    ulong divisor; /* |y| in the same units */
    uint quotient; /* its low bits */
};

/* x * 2^(ex - ey) divided by y, both below 2^(64 - room). */
SL_PURE static struct sl_division sl_divide(ulong x, int shift, ulong y, int room)
{
    uint quotient = (uint)(x / y);
    ulong rest = x % y;
    while (shift > 0) {
        int step = shift < room ? shift : room;
        rest <<= step;
        quotient = (step < 32 ? quotient << step : 0) + (uint)(rest / y);
        rest %= y;
        shift -= step;
    }
    return (struct sl_division){rest, y, quotient};
}

/* Rounds the quotient to nearest even; true if the rest, now negated, has the other sign. */
SL_INLINE static bool sl_to_nearest(private struct sl_division *division)
{
    ulong twice = division->rest * 2;
    bool up = twice > division->divisor || (twice == division->divisor && division->quotient & 1);
    if (up) {
        division->rest = division->divisor - division->rest;
        division->quotient++;
    }
    return up;
}

#define SL_REMAINDERS(T, U, DIGITS, AS_T, AS_U, SCALE)                                             \
    SL_PURE static T sl_fmod(T x, T y)                                                             \
    {                                                                                              \
        U ux = AS_U(fabs(x));                                                                      \
        U uy = AS_U(fabs(y));                                                                      \
        if (uy == 0 || ux >= AS_U((T)INFINITY) || uy > AS_U((T)INFINITY))                          \
            return isnan(x) || isnan(y) ? x + y : (T)NAN;                                          \
        if (ux < uy)                                                                               \
            return x;                                                                              \
        int ex = max((int)(ux >> (DIGITS - 1)), 1);                                                \
        int ey = max((int)(uy >> (DIGITS - 1)), 1);                                                \
        U mx = ux - ((U)(ex - 1) << (DIGITS - 1));                                                 \
        U my = uy - ((U)(ey - 1) << (DIGITS - 1));                                                 \
        struct sl_division division = sl_divide(mx, ex - ey, my, 64 - DIGITS);                     \
        return copysign(SCALE(division.rest, ey), x);                                              \
    }                                                                                              \
    SL_INLINE static T sl_remainder(T x, T y, private int *quotient)                               \
    {                                                                                              \
        U ux = AS_U(fabs(x));                                                                      \
        U uy = AS_U(fabs(y));                                                                      \
        *quotient = 0;                                                                             \
        if (uy == 0 || ux >= AS_U((T)INFINITY) || uy > AS_U((T)INFINITY))                          \
            return isnan(x) || isnan(y) ? x + y : (T)NAN;                                          \
        int ex = max((int)(ux >> (DIGITS - 1)), 1);                                                \
        int ey = max((int)(uy >> (DIGITS - 1)), 1);                                                \
        if (uy == AS_U((T)INFINITY) || ex < ey - 1)                                                \
            return x;                                                                              \
        ulong mx = ux - ((U)(ex - 1) << (DIGITS - 1));                                             \
        ulong my = uy - ((U)(ey - 1) << (DIGITS - 1));                                             \
        if (ex < ey) {                                                                             \
            my <<= 1;                                                                              \
            ey = ex;                                                                               \
        }                                                                                          \
        struct sl_division division = sl_divide(mx, ex - ey, my, 63 - DIGITS);                     \
        T rest = SCALE(division.rest, ey);                                                         \
        if (sl_to_nearest(&division))                                                              \
            rest = -SCALE(division.rest, ey);                                                      \
        int low = (int)(division.quotient & 0x7f);                                                 \
        *quotient = (AS_U(x) ^ AS_U(y)) >> (sizeof(T) * 8 - 1) ? -low : low;                       \
        return AS_T(AS_U(rest) ^ (AS_U(x) & AS_U((T) - 0.0)));                                     \
    }

/* value * 2^(exponent of a float whose biased one is given): exact, since the result is a float. */
SL_PURE static float sl_scale_float(ulong value, int biased)
{
    return (float)((double)value * as_double((ulong)(biased - 150 + 1023) << 52));
}

/* In two factors: the smaller of a double's units is itself no normal number. */
SL_PURE static double sl_scale_double(ulong value, int biased)
{
    int exponent = biased - 1075;
    int half_way = exponent >> 1;
    return (double)value * as_double((ulong)(half_way + 1023) << 52) *
           as_double((ulong)(exponent - half_way + 1023) << 52);
}

SL_REMAINDERS(float, uint, 24, as_float, as_uint, sl_scale_float)
SL_REMAINDERS(double, ulong, 53, as_double, as_ulong, sl_scale_double)

/* Calls also in the vector form, where they are made for the lanes that need them: loops of
 * divisions beside would make everything else look slow. */
#define SL_COLD __attribute__((overloadable, const, noinline))
#define SL_COLD_CALLS(T)                                                                           \
    SL_COLD T sl_cold_fmod(T x, T y)                                                               \
    {                                                                                              \
        return sl_fmod(x, y);                                                                      \
    }                                                                                              \
    SL_COLD T sl_cold_remainder(T x, T y)                                                          \
    {                                                                                              \
        int quotient;                                                                              \
        return sl_remainder(x, y, &quotient);                                                      \
    }                                                                                              \
    SL_COLD int sl_cold_quotient(T x, T y)                                                         \
    {                                                                                              \
        int quotient;                                                                              \
        sl_remainder(x, y, &quotient);                                                             \
        return quotient;                                                                           \
    }
SL_COLD_CALLS(float)
SL_COLD_CALLS(double)

/* Of magnitudes; the whole part of their quotient, less than a 31-bit number, goes to *whole.
 * False: it is larger, or there is none. */
#define SL_QUICK(T)                                                                                \
    SL_INLINE static bool sl_quick(T a, T b, private T *rest, private int *whole)                  \
    {                                                                                              \
        T quotient = trunc(a / b);                                                                 \
        bool fits = (quotient < SL_QUICK_LIMIT_##T) & (b < (T)INFINITY);                           \
        quotient = fits ? quotient : 0;                                                            \
        T left = SL_REST_##T(quotient, b, a);                                                      \
        bool over = left < 0;                                                                      \
        *rest = over ? left + b : left;                                                            \
        *whole = (int)quotient - over;                                                             \
        return fits;                                                                               \
    }                                                                                              \
    SL_INLINE static T sl_nearest_rest(T x, T y, private int *quotient)                            \
    {                                                                                              \
        T rest;                                                                                    \
        int whole;                                                                                 \
        bool fits = sl_quick(fabs(x), fabs(y), &rest, &whole);                                     \
        T other = fabs(y) - rest;                                                                  \
        bool up = (rest > other) | ((rest == other) & (whole & 1));                                \
        rest = up ? rest - fabs(y) : rest;                                                         \
        int low = (whole + up) & 0x7f;                                                             \
        bool differ = signbit(x) != signbit(y);                                                    \
        *quotient = differ ? -low : low;                                                           \
        T value = signbit(x) ? -rest : rest;                                                       \
        if (!fits) {                                                                               \
            value = sl_cold_remainder(x, y);                                                       \
            *quotient = sl_cold_quotient(x, y);                                                    \
        }                                                                                          \
        return value;                                                                              \
    }
SL_QUICK(float)
SL_QUICK(double)

/* Less work where nobody asks for the quotient: it is rounded at once, to the wrong one of two at
 * most, which halves of y may tell; ties are quotients that division does not round. */
#define SL_QUICK_REMAINDER(T)                                                                      \
    SL_INLINE static T sl_quick_remainder(T x, T y)                                                \
    {                                                                                              \
        T quotient = rint(x / y);                                                                  \
        bool fits = (fabs(quotient) < SL_QUICK_LIMIT_##T) & (fabs(y) < (T)INFINITY);               \
        T rest = SL_REST_##T(quotient, y, x);                                                      \
        rest = fabs(rest) * 2 > fabs(y) ? rest - copysign(y, rest) : rest;                         \
        rest = rest == 0 ? copysign(rest, x) : rest;                                               \
        if (!fits)                                                                                 \
            rest = sl_cold_remainder(x, y);                                                        \
        return rest;                                                                               \
    }
SL_QUICK_REMAINDER(float)
SL_QUICK_REMAINDER(double)

#define SL_SCALARS(T)                                                                              \
    SL_OVERLOAD __attribute__((const)) T fmod(T x, T y)                                            \
    {                                                                                              \
        T rest;                                                                                    \
        int whole;                                                                                 \
        bool fits = sl_quick(fabs(x), fabs(y), &rest, &whole);                                     \
        T value = copysign(rest, x);                                                               \
        if (!fits)                                                                                 \
            value = sl_cold_fmod(x, y);                                                            \
        return value;                                                                              \
    }                                                                                              \
    SL_OVERLOAD __attribute__((const)) T remainder(T x, T y)                                       \
    {                                                                                              \
        return sl_quick_remainder(x, y);                                                           \
    }                                                                                              \
    SL_SCALAR_QUO(T, private)                                                                      \
    SL_SCALAR_QUO(T, global)                                                                       \
    SL_SCALAR_QUO(T, local)

#define SL_SCALAR_QUO(T, SPACE)                                                                    \
    SL_OVERLOAD T remquo(T x, T y, SPACE int *quotient)                                            \
    {                                                                                              \
        int low;                                                                                   \
        T rest = sl_nearest_rest(x, y, &low);                                                      \
        *quotient = low;                                                                           \
        return rest;                                                                               \
    }

SL_SCALARS(float)
SL_SCALARS(double)

/* Vectors by halves; three elements as two and one. */
#define SL_HALVES(T, N, H)                                                                         \
    SL_OVERLOAD __attribute__((const)) T##N fmod(T##N x, T##N y)                                   \
    {                                                                                              \
        return (T##N)(fmod(x.lo, y.lo), fmod(x.hi, y.hi));                                         \
    }                                                                                              \
    SL_OVERLOAD __attribute__((const)) T##N remainder(T##N x, T##N y)                              \
    {                                                                                              \
        return (T##N)(remainder(x.lo, y.lo), remainder(x.hi, y.hi));                               \
    }                                                                                              \
    SL_HALVES_QUO(T, N, H, private)                                                                \
    SL_HALVES_QUO(T, N, H, global)                                                                 \
    SL_HALVES_QUO(T, N, H, local)

#define SL_HALVES_QUO(T, N, H, SPACE)                                                              \
    SL_OVERLOAD T##N remquo(T##N x, T##N y, SPACE int##N *quotient)                                \
    {                                                                                              \
        int##H low, high;                                                                          \
        T##N rest = (T##N)(remquo(x.lo, y.lo, &low), remquo(x.hi, y.hi, &high));                   \
        *quotient = (int##N)(low, high);                                                           \
        return rest;                                                                               \
    }

#define SL_THREE(T)                                                                                \
    SL_OVERLOAD __attribute__((const)) T##3 fmod(T##3 x, T##3 y)                                   \
    {                                                                                              \
        return (T##3)(fmod(x.xy, y.xy), fmod(x.z, y.z));                                           \
    }                                                                                              \
    SL_OVERLOAD __attribute__((const)) T##3 remainder(T##3 x, T##3 y)                              \
    {                                                                                              \
        return (T##3)(remainder(x.xy, y.xy), remainder(x.z, y.z));                                 \
    }                                                                                              \
    SL_THREE_QUO(T, private)                                                                       \
    SL_THREE_QUO(T, global)                                                                        \
    SL_THREE_QUO(T, local)

#define SL_THREE_QUO(T, SPACE)                                                                     \
    SL_OVERLOAD T##3 remquo(T##3 x, T##3 y, SPACE int3 *quotient)                                  \
    {                                                                                              \
        int2 low;                                                                                  \
        int high;                                                                                  \
        T##3 rest = (T##3)(remquo(x.xy, y.xy, &low), remquo(x.z, y.z, &high));                     \
        *quotient = (int3)(low, high);                                                             \
        return rest;                                                                               \
    }

#define SL_VECTORS(T)                                                                              \
    SL_HALVES(T, 2, )                                                                              \
    SL_THREE(T)                                                                                    \
    SL_HALVES(T, 4, 2)                                                                             \
    SL_HALVES(T, 8, 4)                                                                             \
    SL_HALVES(T, 16, 8)

SL_VECTORS(float)
SL_VECTORS(double)
