/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of correction.cl.
 */

/* ---- gamma: libclc's takes exp of lgamma, which loses digits and the range ------------------- */

/* sqrt(2 pi) * exp(1/12y - 1/360y^3 + ...), the slowly varying part of gamma(y) for y >= 12. */
SL_PURE static DOUBLEN sl_stirling(DOUBLEN y)
{
    DOUBLEN w = 1.0 / y;
    DOUBLEN v = w * w;
    DOUBLEN s = 1.0 / 1188 - v * (691.0 / 360360);
    s = 1.0 / 1260 - v * (1.0 / 1680 - v * s);
    s = w * (1.0 / 12 - v * (1.0 / 360 - v * s));
    DOUBLEN series = s * (1.0 + s * (1.0 / 2 + s * (1.0 / 6 + s * (1.0 / 24 + s / 120))));
    return 0x1.40d931ff62706p+1 + 0x1.40d931ff62706p+1 * series;
}

/* y (y + 1) ... (y + 11); what sums and products lose is carried along. */
SL_PURE static DOUBLEN sl_rising(DOUBLEN y)
{
    DOUBLEN product = y;
    DOUBLEN lost = 0.0;
#pragma unroll
    for (int i = 1; i < 12; i++) {
        DOUBLEN factor = y + (double)i;
        DOUBLEN rest = y < (double)i ? y - (factor - (double)i) : (double)i - (factor - y);
        DOUBLEN next = product * factor;
        lost = fma(product, factor, -next) + (product * rest + lost * factor);
        product = next;
    }
    return product + lost;
}

/*
 * Stirling's formula, y^(y - 1/2) in two equal factors so that nothing overflows early; up to 12
 * for y + 12, divided by what lies between. Negative arguments by gamma(x) gamma(-x) =
 * -pi / (x sin(pi x)); below -184 nothing is left. What y lost to rounding counts: gamma's
 * logarithm grows by log(y) - 1/2y for each unit.
 */
SL_PURE DOUBLEN tgamma(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    LONGN far = magnitude > 12.0;
    DOUBLEN y = far ? (magnitude > 200.0 ? (DOUBLEN)200.0 : magnitude) : magnitude + 12.0;
    DOUBLEN between = far ? (DOUBLEN)1.0 : sl_rising(magnitude);
    DOUBLEN root = pow(y, (y - 0.5) * 0.5);
    DOUBLEN lost = far ? (DOUBLEN)0.0 : magnitude - (y - 12.0);
    DOUBLEN slow = sl_stirling(y);
    slow += slow * lost * (TO_DOUBLEN(log(TO_FLOATN(y))) - 0.5 / y);
    DOUBLEN above = root * exp(-y) * slow / between * root;
    DOUBLEN below =
        0x1.921fb54442d18p+1 / (magnitude * sinpi(x) * slow) * between / root * exp(y) / root;
    DOUBLEN low = floor(x);
    DOUBLEN half_low = low * 0.5;
    DOUBLEN zero = floor(half_low) == half_low ? (DOUBLEN)0.0 : (DOUBLEN)-0.0;
    below = x < -184.0 ? zero : below;
    below = low == x ? (DOUBLEN)NAN : below;
    DOUBLEN value = x < 0.0 ? below : above;
    return magnitude < 0x1p-60 ? 1.0 / x : value;
}

SL_PURE FLOATN tgamma(FLOATN x)
{
    return TO_FLOATN(tgamma(TO_DOUBLEN(x)));
}

/* ---- ldexp, whose small results libclc flushes ----------------------------------------------- */

/* In double nothing is lost, so the result rounds once. */
SL_PURE FLOATN ldexp(FLOATN x, INTN n)
{
    INTN limited = clamp(n, -320, 320);
    return TO_FLOATN(TO_DOUBLEN(x) * AS_DOUBLEN((TO_LONGN(limited) + 1023) << 52));
}

/*
 * The exponent is replaced, 64 too high if the result will be subnormal, and the last
 * multiplication rounds.
 */
SL_PURE DOUBLEN ldexp(DOUBLEN x, INTN n)
{
    LONGN small = fabs(x) < 0x1p-1022;
    LONGN bits = AS_LONGN(small ? x * 0x1p54 : x);
    LONGN exponent =
        (bits >> 52 & 0x7ff) - (small ? (LONGN)54 : (LONGN)0) + TO_LONGN(clamp(n, -2400, 2400));
    LONGN lowered = exponent < 1;
    LONGN stored = lowered ? exponent + 64 : exponent;
    stored = stored < 1 ? (LONGN)0 : stored;
    DOUBLEN value = AS_DOUBLEN((bits & (long)0x800fffffffffffff) | stored << 52);
    value = stored == 0 ? copysign((DOUBLEN)0.0, x) : value;
    value = lowered ? value * 0x1p-64 : value;
    value = exponent > 2046 ? copysign((DOUBLEN)INFINITY, x) : value;
    return x == 0.0 || !(fabs(x) < (DOUBLEN)INFINITY) ? x : value;
}
