/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of erf_double.cl: |x| = r + d with |d| <= 1/128 and a row of the table for r. From r to
 * there it is the derivative at r times the integral of e^(-2rt - t^2) from 0 to d.
 */

#if SL_N + 0 == 0
#define SL_ERF_COLUMN(PLACE, COLUMN) ((constant double *)sl_erf_rows)[PLACE + COLUMN]
#else
#define SL_ERF_COLUMN(PLACE, COLUMN) sl_erf_column(PLACE, COLUMN)
SL_PURE static DOUBLEN sl_erf_column(ULONGN place, int column)
{
    DOUBLEN found;
    for (int k = 0; k < SL_N; k++)
        found[k] = ((constant double *)sl_erf_rows)[place[k] + column];
    return found;
}
#endif

/* The integral is d + d * this: with z = 2rd a series of d^2, whose factors are polynomials of z,
 * relative error 2^-54 where |z| is up to 3/32. */
SL_PURE static DOUBLEN sl_erf_rest(DOUBLEN z, DOUBLEN w)
{
    DOUBLEN s = z * z;
    DOUBLEN a = -0x1.a02c3659dffc4p-16 * s + (0x1.a030c3a125295p-13 * z - 0x1.6c16c11a28f76p-10);
    a = a * s + (0x1.111110aaa7434p-7 * z - 0x1.55555555560dbp-5);
    a = a * s + (0x1.5555555557223p-3 * z - 0.5);
    DOUBLEN b = -0x1.11229f7a66ccfp-10 * z + 0x1.863a84eb6a09dp-8;
    b = b * s + (-0x1.c71c70da17ebp-6 * z + 0x1.999997ccb6eaep-4);
    b = b * s + (-0x1.0000000001da1p-2 * z + 0x1.5555555563bc7p-2);
    DOUBLEN c = -0x1.55740eda7b1b6p-7 * z + 0x1.24bcf619c70fep-5;
    c = c * s + (-0x1.55555440ce1cp-4 * z + 0x1.999993993b55ap-4);
    c = c - 0x1.8618618618618p-6 * w;
    return a * z - (b - c * w) * w;
}

/* What is to be added to erf(r) for erf(a); *place: where in the table the row for r begins. NaN
 * for NaN. */
SL_INLINE static DOUBLEN sl_erf_from_row(DOUBLEN a, private ULONGN *place)
{
    DOUBLEN at = a * 64.0 + 0x1.8p52;
    DOUBLEN n = at - 0x1.8p52;
    DOUBLEN d = a - n * 0x1p-6;
    *place = AS_ULONGN(at) << 2 & (ulong)0x7fc;
    DOUBLEN slope = SL_ERF_COLUMN(*place, 1) * d;
    return slope * sl_erf_rest(n * 0x1p-5 * d, d * d) + slope;
}

/* erfc(x) for 6 < x: exp(-x^2) / x times a polynomial of 1 / x^2. What the square loses counts when
 * it is large. */
SL_RARE DOUBLEN sl_rare_wide_erfc(DOUBLEN x)
{
    DOUBLEN a = x > 27.3 ? (DOUBLEN)27.3 : x;
    DOUBLEN one = 1.0 / a;
    DOUBLEN w = one * one;
    DOUBLEN p = -0x1.6904794fe3dbcp+13 * w + 0x1.913ef29ab88ecp+11;
    p = p * w - 0x1.16924eb3b15cbp+9;
    p = p * w + 0x1.6b77f37ee36cp+6;
    p = p * w - 0x1.0a6b0cb54414dp+4;
    p = p * w + 0x1.d9e8865e35e5dp+1;
    p = p * w - 0x1.0ecf961bc2d4bp+0;
    p = p * w + 0x1.b14c2f6e415d6p-2;
    p = p * w - 0x1.20dd75041ffccp-2;
    p = p * w + 0x1.20dd750429b61p-1;
    DOUBLEN square = a * a;
    DOUBLEN lost = fma(a, a, -square);
    DOUBLEN quotient = p * one;
    return exp(-square) * (quotient - quotient * lost);
}

/* Of 6 it is 1. */
SL_PURE DOUBLEN erf(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    ULONGN place;
    DOUBLEN more = sl_erf_from_row(magnitude > 6.0 ? (DOUBLEN)6.0 : magnitude, &place);
    return copysign(SL_ERF_COLUMN(place, 0) + more, x);
}

/* From -6 on downwards it is 2. */
SL_PURE DOUBLEN erfc(DOUBLEN x)
{
    DOUBLEN magnitude = fabs(x);
    ULONGN place;
    DOUBLEN more = sl_erf_from_row(magnitude > 6.0 ? (DOUBLEN)6.0 : magnitude, &place);
    DOUBLEN value = SL_ERF_COLUMN(place, 2) - more;
    value = x < 0.0 ? 2.0 - value : value;
    LONGN rare = x > 6.0;
    if (sl_any(rare))
        value = rare ? sl_rare_wide_erfc(x) : value;
    return value;
}

#undef SL_ERF_COLUMN
