/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin and cos for |r| <= pi/4. The last steps keep the sign of zero. Part of the bodies of the
 * double functions.
 */
SL_PURE static DOUBLEN sl_sin_reduced(DOUBLEN r)
{
    DOUBLEN s = r * r;
    DOUBLEN p = 0x1.5d859bae55326p-33 * s - 0x1.ae5e46299d481p-26;
    p = p * s + 0x1.71de3567eac84p-19;
    p = p * s - 0x1.a01a019c28b12p-13;
    p = p * s + 0x1.111111110fb18p-7;
    p = p * s - 0x1.555555555554cp-3;
    return r * s * p + r;
}

SL_PURE static DOUBLEN sl_cos_reduced(DOUBLEN r)
{
    DOUBLEN s = r * r;
    DOUBLEN p = -0x1.8ff804b87c64ap-37 * s + 0x1.1eea864612c12p-29;
    p = p * s - 0x1.27e4f900478c3p-22;
    p = p * s + 0x1.a01a019e20ebbp-16;
    p = p * s - 0x1.6c16c16c16118p-10;
    p = p * s + 0x1.5555555555553p-5;
    DOUBLEN half_s = 0.5 * s;
    DOUBLEN high = 1.0 - half_s;
    return high + (((1.0 - high) - half_s) + s * s * p);
}
