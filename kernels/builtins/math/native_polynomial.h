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

/* sin(r) for |r| <= pi/2, error 2^-26; turned over by `sign` */
SL_PURE static FLOATN sl_sin_native(FLOATN r, UINTN sign)
{
    FLOATN s = r * r;
    FLOATN p = 0x1.5d9384p-19f * s - 0x1.9f6f5ap-13f;
    p = p * s + 0x1.110edcp-7f;
    p = p * s - 0x1.55554cp-3f;
    return AS_FLOATN(AS_UINTN(p * (s * r) + r) ^ sign);
}
