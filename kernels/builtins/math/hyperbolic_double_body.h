/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of hyperbolic_double.cl.
 */

/* Beyond 709 in two equal factors, so that nothing overflows early. */
SL_PURE DOUBLEN cosh(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    LONGN large = magnitude > 709.0;
    DOUBLEN e = exp(large ? magnitude * 0.5 : magnitude);
    return large ? (0.5 * e) * e : 0.5 * e + 0.5 / e;
}

SL_PURE DOUBLEN sinh(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    LONGN large = magnitude > 709.0;
    DOUBLEN t = expm1(large ? magnitude * 0.5 : magnitude);
    DOUBLEN e = t + 1.0;
    return copysign(large ? (0.5 * e) * e : 0.5 * (t + t / e), x);
}

SL_PURE DOUBLEN tanh(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    DOUBLEN t = expm1(magnitude > 20.0 ? (DOUBLEN)40.0 : 2.0 * magnitude);
    return copysign(t / (t + 2.0), x);
}

/* From 2^28 on the logarithm of twice the argument. */
SL_PURE DOUBLEN asinh(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    LONGN large = a > 0x1p28;
    DOUBLEN s = a * a;
    DOUBLEN value = log1p(large ? a - 1.0 : a + s / (1.0 + sqrt(s + 1.0)));
    value += large ? (DOUBLEN)0x1.62e42fefa39efp-1 : (DOUBLEN)0.0;
    return copysign(value, x);
}

SL_PURE DOUBLEN acosh(DOUBLEN x)
{
    LONGN large = x > 0x1p28;
    DOUBLEN t = x - 1.0;
    DOUBLEN value = log1p(large ? t : t + sqrt(t * (t + 2.0)));
    value += large ? (DOUBLEN)0x1.62e42fefa39efp-1 : (DOUBLEN)0.0;
    return x < 1.0 ? (DOUBLEN)NAN : value;
}

SL_PURE DOUBLEN atanh(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    DOUBLEN value = 0.5 * log1p(2.0 * a / (1.0 - a));
    return a <= 1.0 ? copysign(value, x) : (DOUBLEN)NAN;
}

/*
 * |x| = 8^k * m with m in [0.5, 4): a polynomial good to 2^-10, one step of third order, and one
 * of second order with an exact remainder, whose divisor need not be good.
 */
SL_PURE DOUBLEN cbrt(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    LONGN tiny = magnitude < 0x1p-1022;
    ULONGN bits = AS_ULONGN(tiny ? magnitude * 0x1p54 : magnitude);
    DOUBLEN exponent = AS_DOUBLEN(bits >> 52 | (ulong)0x4330000000000000) - (0x1p52 + 1023.0);
    DOUBLEN t = exponent * (1.0 / 3.0) + 0x1.8p52;
    ULONGN thirds = AS_ULONGN(t) << 52;
    DOUBLEN m = AS_DOUBLEN(bits - thirds * 3);
    DOUBLEN y = 0x1.25406fe9ebcacp-9 * m - 0x1.e02577245b55dp-6;
    y = y * m + 0x1.3a724e1e19487p-3;
    y = y * m - 0x1.b559b737296a0p-2;
    y = y * m + 0x1.aba345f2a1ce2p-1;
    y = y * m + 0x1.dd2bb901bcd59p-2;
    DOUBLEN cube = y * y * y;
    y = y * (cube + 2.0 * m) / (2.0 * cube + m);
    DOUBLEN square = y * y;
    DOUBLEN lost = fma(y, y, -square);
    DOUBLEN rest = fma(-square, y, m) - lost * y;
    y = y + rest / (3.0 * square);
    DOUBLEN value = AS_DOUBLEN(AS_ULONGN(y) + thirds) * (tiny ? (DOUBLEN)0x1p-18 : (DOUBLEN)1.0);
    return magnitude < (DOUBLEN)INFINITY && x != 0.0 ? copysign(value, x) : x;
}
