/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of hyperbolic_float.cl.
 */
#include "math/wide_float.h"

#define SL_ROUNDER 0x1.8p52

/* e^x - 1 = 2^n * (2^r - 1 + (1 - 2^-n)) for any x below 500; NaN stays. */
SL_PURE static DOUBLEN sl_expm1_wide(DOUBLEN x)
{
    DOUBLEN a = x < -40.0 ? (DOUBLEN)-40.0 : x;
    a = a * 0x1.71547652b82fep+0;
    DOUBLEN t = a + SL_ROUNDER;
    DOUBLEN r = a - (t - SL_ROUNDER);
    DOUBLEN p = 0x1.63efb77efd102p-20 * r + 0x1.00c0ff298229fp-16;
    p = p * r + 0x1.430891d589bf0p-13;
    p = p * r + 0x1.5d8775766412cp-10;
    p = p * r + 0x1.3b2ab72572f83p-7;
    p = p * r + 0x1.c6b08da721f60p-5;
    p = p * r + 0x1.ebfbdff81d236p-3;
    p = p * r + 0x1.62e42fef9cc2cp-1;
    ULONGN exponent = AS_ULONGN(t) << 52;
    DOUBLEN inverse = AS_DOUBLEN((ulong)0x3ff0000000000000 - exponent);
    return (p * r + (1.0 - inverse)) * AS_DOUBLEN((ulong)0x3ff0000000000000 + exponent);
}

/* log(1 + x) for -1 < x; near zero x itself goes into the series. Finite for infinity. */
SL_PURE static DOUBLEN sl_log1p_wide(DOUBLEN x)
{
    ULONGN bits = AS_ULONGN(1.0 + x);
    ULONGN above = bits - (ulong)0x3fe6a09e667f3bcd;
    ULONGN biased = (above + ((ulong)1023 << 52)) >> 52 | (ulong)0x4330000000000000;
    DOUBLEN e = AS_DOUBLEN(biased) - (0x1p52 + 1023.0);
    DOUBLEN f = AS_DOUBLEN(bits - (above & (ulong)0xfff0000000000000)) - 1.0;
    f = e == 0.0 ? x : f;
    return sl_log2_near_one(f, e) * 0x1.62e42fefa39efp-1;
}

SL_PURE FLOATN expm1(FLOATN x)
{
    FLOATN a = x > 90.0f ? (FLOATN)90.0f : x;
    FLOATN value = TO_FLOATN(sl_expm1_wide(TO_DOUBLEN(a)));
    return x == 0.0f ? x : value;
}

SL_PURE FLOATN log1p(FLOATN x)
{
    FLOATN value = TO_FLOATN(sl_log1p_wide(TO_DOUBLEN(x)));
    value = x < INFINITY ? value : x;
    value = x < -1.0f ? (FLOATN)NAN : value;
    value = x == -1.0f ? (FLOATN)-INFINITY : value;
    return x == 0.0f ? x : value;
}

SL_PURE FLOATN sinh(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    DOUBLEN t = sl_expm1_wide(TO_DOUBLEN(magnitude > 91.0f ? (FLOATN)91.0f : magnitude));
    return copysign(TO_FLOATN(0.5 * (t + t / (t + 1.0))), x);
}

SL_PURE FLOATN cosh(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    DOUBLEN e = sl_expm1_wide(TO_DOUBLEN(magnitude > 91.0f ? (FLOATN)91.0f : magnitude)) + 1.0;
    return TO_FLOATN(0.5 * (e + 1.0 / e));
}

SL_PURE FLOATN tanh(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    FLOATN a = magnitude > 10.0f ? (FLOATN)10.0f : magnitude;
    DOUBLEN t = sl_expm1_wide(TO_DOUBLEN(a) * 2.0);
    return copysign(TO_FLOATN(t / (t + 2.0)), x);
}

SL_PURE FLOATN asinh(FLOATN x)
{
    DOUBLEN a = TO_DOUBLEN(fabs(x));
    DOUBLEN s = a * a;
    FLOATN value = TO_FLOATN(sl_log1p_wide(a + s / (1.0 + sqrt(s + 1.0))));
    value = fabs(x) < INFINITY ? copysign(value, x) : x;
    return x == 0.0f ? x : value;
}

SL_PURE FLOATN acosh(FLOATN x)
{
    DOUBLEN t = TO_DOUBLEN(x) - 1.0;
    FLOATN value = TO_FLOATN(sl_log1p_wide(t + sqrt(t * (t + 2.0))));
    value = x < INFINITY ? value : x;
    value = x == 1.0f ? (FLOATN)0.0f : value;
    return x < 1.0f ? (FLOATN)NAN : value;
}

SL_PURE FLOATN atanh(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    DOUBLEN a = TO_DOUBLEN(magnitude);
    FLOATN value = TO_FLOATN(0.5 * sl_log1p_wide(2.0 * a / (1.0 - a)));
    value = magnitude == 1.0f ? (FLOATN)INFINITY : value;
    value = magnitude <= 1.0f ? value : (FLOATN)NAN;
    return x == 0.0f ? x : copysign(value, x);
}

SL_PURE FLOATN cbrt(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    FLOATN value = copysign(sl_exp2_wide(sl_log2_wide(magnitude) * (1.0 / 3.0)), x);
    return magnitude < INFINITY && x != 0.0f ? value : x;
}

/* exp(-a^2) / (1 + 2a) times a polynomial of (a - 2) / (a + 2) for a = |x|; the rest is 2 minus
 * that. */
SL_PURE FLOATN erfc(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    DOUBLEN a = TO_DOUBLEN(magnitude > 10.1f ? (FLOATN)10.1f : magnitude);
    DOUBLEN t = (a - 2.0) / (a + 2.0);
    DOUBLEN p = -0x1.a40a513c820bdp-12 * t - 0x1.426b886b23fe3p-10;
    p = p * t + 0x1.58552bbae6403p-10;
    p = p * t + 0x1.1ad7d8849e6c3p-7;
    p = p * t - 0x1.081b21665171ep-7;
    p = p * t - 0x1.bc0aa8338d923p-5;
    p = p * t + 0x1.4ffc3fe156568p-3;
    p = p * t - 0x1.5408489fa8f06p-3;
    p = p * t - 0x1.7bf6157fac54cp-4;
    p = p * t + 0x1.46e80e5596d6cp+0;
    DOUBLEN z = a * a * -0x1.71547652b82fep+0;
    DOUBLEN n = z + SL_ROUNDER;
    DOUBLEN r = z - (n - SL_ROUNDER);
    DOUBLEN e = 0x1.00c0e4e15189cp-16 * r + 0x1.446c79efd4834p-13;
    e = e * r + 0x1.5d877598350dep-10;
    e = e * r + 0x1.3b29d8bb0b97ep-7;
    e = e * r + 0x1.c6b08da70cce3p-5;
    e = e * r + 0x1.ebfbe0aa03dfp-3;
    e = e * r + 0x1.62e42fef9cc69p-1;
    e = e * r + 1.0;
    e = e * AS_DOUBLEN((AS_ULONGN(n) << 52) + (ulong)0x3ff0000000000000);
    DOUBLEN value = e * p / (1.0 + 2.0 * a);
    LONGN below = TO_DOUBLEN(x) < 0.0;
    return TO_FLOATN(below ? 2.0 - value : value);
}

#undef SL_ROUNDER
