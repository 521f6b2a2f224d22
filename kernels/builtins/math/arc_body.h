/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of arc.cl. The quotient of the smaller and the larger magnitude is at most one; where they
 * were exchanged, the angle is taken from a right one, and left of the axis from a straight one.
 */

/* atan(t) for 0 <= t <= 1 */
SL_PURE static FLOATN sl_atan_reduced(FLOATN t)
{
    FLOATN s = t * t;
    FLOATN p = -0x1.c919cep-10f * s + 0x1.6034f4p-7f;
    p = p * s - 0x1.fbc2e4p-6f;
    p = p * s + 0x1.da6d8p-5f;
    p = p * s - 0x1.58801ap-4f;
    p = p * s + 0x1.c0dd1p-4f;
    p = p * s - 0x1.242cbep-3f;
    p = p * s + 0x1.999388p-3f;
    p = p * s - 0x1.555548p-2f;
    return t * s * p + t;
}

SL_PURE static DOUBLEN sl_atan_reduced(DOUBLEN t)
{
    DOUBLEN s = t * t;
    DOUBLEN p = 0x1.b385b8e656a5ap-17 * s - 0x1.3afe25007adbbp-13;
    p = p * s + 0x1.b05e50b0e9825p-11;
    p = p * s - 0x1.789e0a5cc7627p-9;
    p = p * s + 0x1.d725458b2811ep-8;
    p = p * s - 0x1.c7e5de9a912ebp-7;
    p = p * s + 0x1.68d72d2b97036p-6;
    p = p * s - 0x1.ead7349c3c791p-6;
    p = p * s + 0x1.2c94c09c30b42p-5;
    p = p * s - 0x1.59e7b3ef7508dp-5;
    p = p * s + 0x1.82fbf3ff1a00bp-5;
    p = p * s - 0x1.ae6a8f3490f88p-5;
    p = p * s + 0x1.e1bef4f9a9136p-5;
    p = p * s - 0x1.110ea65d57848p-4;
    p = p * s + 0x1.3b1372f65851ap-4;
    p = p * s - 0x1.745d12ed44f2bp-4;
    p = p * s + 0x1.c71c7194e5220p-4;
    p = p * s - 0x1.24924923ea4a7p-3;
    p = p * s + 0x1.999999999783cp-3;
    p = p * s - 0x1.5555555555545p-2;
    return t * s * p + t;
}

/* The constants are in two parts each: a right angle, and what a turn by 0, 1 or 2 of them adds. */
#define SL_ARC(T, TRUTH, ZERO, ONE, RIGHT, RIGHT_LOW, PER_PI)                                      \
    SL_PURE T atan(T x)                                                                            \
    {                                                                                              \
        T magnitude = fabs(x);                                                                     \
        TRUTH far = magnitude > ONE;                                                               \
        T angle = sl_atan_reduced(far ? ONE / magnitude : magnitude);                              \
        angle = far ? RIGHT - (angle - RIGHT_LOW) : angle;                                         \
        return copysign(angle, x);                                                                 \
    }                                                                                              \
    SL_PURE T atanpi(T x)                                                                          \
    {                                                                                              \
        T magnitude = fabs(x);                                                                     \
        TRUTH far = magnitude > ONE;                                                               \
        T angle = sl_atan_reduced(far ? ONE / magnitude : magnitude);                              \
        T turn = far ? ONE / 2 - angle * PER_PI : angle * PER_PI;                                  \
        return copysign(magnitude == ONE ? (T)(ONE / 4) : turn, x);                                \
    }                                                                                              \
    /* Of magnitudes; two zeros are a quotient of zero, two infinities one of one. */              \
    SL_PURE static T sl_first_octant(T small, T large)                                             \
    {                                                                                              \
        T quotient = small / large;                                                                \
        quotient = large == ZERO ? large : quotient;                                               \
        quotient = small == (T)INFINITY ? (T)ONE : quotient;                                       \
        return sl_atan_reduced(quotient);                                                          \
    }                                                                                              \
    SL_PURE T atan2(T y, T x)                                                                      \
    {                                                                                              \
        T height = fabs(y);                                                                        \
        T width = fabs(x);                                                                         \
        TRUTH steep = height > width;                                                              \
        T angle = sl_first_octant(steep ? width : height, steep ? height : width);                 \
        angle = steep ? RIGHT - (angle - RIGHT_LOW) : angle;                                       \
        angle = signbit(x) ? 2 * RIGHT - (angle - 2 * RIGHT_LOW) : angle;                          \
        angle = copysign(angle, y);                                                                \
        return isnan(x) || isnan(y) ? x + y : angle;                                               \
    }                                                                                              \
    SL_PURE T atan2pi(T y, T x)                                                                    \
    {                                                                                              \
        T height = fabs(y);                                                                        \
        T width = fabs(x);                                                                         \
        TRUTH steep = height > width;                                                              \
        T angle = sl_first_octant(steep ? width : height, steep ? height : width) * PER_PI;        \
        angle = height == width && height > ZERO ? (T)(ONE / 4) : angle;                           \
        angle = steep ? ONE / 2 - angle : angle;                                                   \
        angle = signbit(x) ? ONE - angle : angle;                                                  \
        angle = copysign(angle, y);                                                                \
        return isnan(x) || isnan(y) ? x + y : angle;                                               \
    }
SL_ARC(FLOATN, INTN, 0.0f, 1.0f, 0x1.921fb6p+0f, -0x1.777a5cp-25f, 0x1.45f306p-2f)
SL_ARC(DOUBLEN, LONGN, 0.0, 1.0, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, 0x1.45f306dc9c883p-2)
#undef SL_ARC

/* (asin(sqrt(s)) / sqrt(s) - 1) / s for s <= 1/4 */
SL_PURE static FLOATN sl_asin_reduced(FLOATN s)
{
    FLOATN p = 0x1.595c92p-5f * s + 0x1.8c3e28p-6f;
    p = p * s + 0x1.747bbap-5f;
    p = p * s + 0x1.330204p-4f;
    return p * s + 0x1.5555c8p-3f;
}

SL_PURE static DOUBLEN sl_asin_reduced(DOUBLEN s)
{
    DOUBLEN p = 0x1.063ca51dfb0cdp-5 * s - 0x1.0a5948528f18ep-6;
    p = p * s + 0x1.3ef34f5f8a90fp-6;
    p = p * s + 0x1.af8666b514eacp-8;
    p = p * s + 0x1.8e08845a07915p-7;
    p = p * s + 0x1.c7279fa881d02p-7;
    p = p * s + 0x1.1c68f8bc42371p-6;
    p = p * s + 0x1.6e8a354261e29p-6;
    p = p * s + 0x1.f1c728c065f2ep-6;
    p = p * s + 0x1.6db6db5002cecp-5;
    p = p * s + 0x1.3333333354813p-4;
    return p * s + 0x1.55555555554a4p-3;
}

/* Beyond 1/2: acos(a) = 2 asin(sqrt((1 - a) / 2)). What magnitudes of more than one give is NaN. */
#define SL_ARC_OF_RATIO(T, TRUTH, ZERO, ONE, RIGHT, RIGHT_LOW, PER_PI)                             \
    /* asin of |x|, or of that root if it is outer */                                              \
    SL_PURE static T sl_asin_folded(T x, TRUTH outer)                                              \
    {                                                                                              \
        T magnitude = fabs(x);                                                                     \
        T s = outer ? (ONE - magnitude) * (ONE / 2) : x * x;                                       \
        T root = outer ? sqrt(s) : magnitude;                                                      \
        return root * s * sl_asin_reduced(s) + root;                                               \
    }                                                                                              \
    SL_PURE T asin(T x)                                                                            \
    {                                                                                              \
        TRUTH outer = fabs(x) > ONE / 2;                                                           \
        T arc = sl_asin_folded(x, outer);                                                          \
        return copysign(outer ? RIGHT - (2 * arc - RIGHT_LOW) : arc, x);                           \
    }                                                                                              \
    SL_PURE T asinpi(T x)                                                                          \
    {                                                                                              \
        TRUTH outer = fabs(x) > ONE / 2;                                                           \
        T arc = sl_asin_folded(x, outer);                                                          \
        return copysign(outer ? ONE / 2 - arc * (2 * PER_PI) : arc * PER_PI, x);                   \
    }                                                                                              \
    SL_PURE T acos(T x)                                                                            \
    {                                                                                              \
        TRUTH outer = fabs(x) > ONE / 2;                                                           \
        T arc = sl_asin_folded(x, outer);                                                          \
        T of_outer = x < ZERO ? 2 * RIGHT - (2 * arc - 2 * RIGHT_LOW) : 2 * arc;                   \
        T of_inner = RIGHT - (copysign(arc, x) - RIGHT_LOW);                                       \
        return outer ? of_outer : of_inner;                                                        \
    }                                                                                              \
    SL_PURE T acospi(T x)                                                                          \
    {                                                                                              \
        TRUTH outer = fabs(x) > ONE / 2;                                                           \
        T arc = sl_asin_folded(x, outer);                                                          \
        T of_outer = x < ZERO ? ONE - arc * (2 * PER_PI) : arc * (2 * PER_PI);                     \
        return outer ? of_outer : ONE / 2 - copysign(arc, x) * PER_PI;                             \
    }
SL_ARC_OF_RATIO(FLOATN, INTN, 0.0f, 1.0f, 0x1.921fb6p+0f, -0x1.777a5cp-25f, 0x1.45f306p-2f)
SL_ARC_OF_RATIO(DOUBLEN, LONGN, 0.0, 1.0, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                0x1.45f306dc9c883p-2)
#undef SL_ARC_OF_RATIO
