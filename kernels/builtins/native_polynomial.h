/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The polynomials of the native forms, for one width. Part of the bodies.
 */

/* 2^r for |r| <= 0.5, error 2^-23.6 */
SL_PURE static FLOATN sl_exp2_native(FLOATN r)
{
    FLOATN p = 0x1.5c062cp-10f * r + 0x1.3d102ap-7f;
    p = p * r + 0x1.c6b6fep-5f;
    p = p * r + 0x1.ebf90cp-3f;
    p = p * r + 0x1.62e428p-1f;
    return p * r + 1.0f;
}

/* log2(1 + f) for 0 <= f < 1, error 2^-23.5 */
SL_PURE static FLOATN sl_log2_native(FLOATN f)
{
    FLOATN p = -0x1.22ce5ap-7f * f + 0x1.9ea53p-5f;
    p = p * f - 0x1.15fa74p-3f;
    p = p * f + 0x1.ed5cdap-3f;
    p = p * f - 0x1.637bbap-2f;
    p = p * f + 0x1.ea39dp-2f;
    p = p * f - 0x1.713f2ep-1f;
    p = p * f + 0x1.715438p+0f;
    return p * f;
}

/* sin(r) for |r| <= pi/2, error 2^-19; turned over by `sign` */
SL_PURE static FLOATN sl_sin_native(FLOATN r, UINTN sign)
{
    FLOATN s = r * r;
    FLOATN p = -0x1.845b92p-13f * s + 0x1.106f72p-7f;
    p = p * s - 0x1.555166p-3f;
    return AS_FLOATN(AS_UINTN(p * (s * r) + r) ^ sign);
}
