/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of hypot.cl: numbers whose squares would leave the range are scaled by powers of two. Where
 * one is infinite the other may be anything.
 */
SL_PURE FLOATN hypot(FLOATN x, FLOATN y)
{
    FLOATN a = fabs(x), b = fabs(y);
    FLOATN most = a > b ? a : b;
    FLOATN scale = most > 0x1p+60f ? (FLOATN)0x1p-68f : (FLOATN)1.0f;
    FLOATN back = most > 0x1p+60f ? (FLOATN)0x1p+68f : (FLOATN)1.0f;
    scale = most < 0x1p-60f ? (FLOATN)0x1p+86f : scale;
    back = most < 0x1p-60f ? (FLOATN)0x1p-86f : back;
    FLOATN u = a * scale, v = b * scale;
    FLOATN value = sqrt(u * u + v * v) * back;
    FLOATN infinite = (FLOATN)INFINITY;
    return a == infinite || b == infinite ? infinite : value;
}

SL_PURE DOUBLEN hypot(DOUBLEN x, DOUBLEN y)
{
    DOUBLEN a = fabs(x), b = fabs(y);
    DOUBLEN most = a > b ? a : b;
    DOUBLEN scale = most > 0x1p+500 ? (DOUBLEN)0x1p-600 : (DOUBLEN)1.0;
    DOUBLEN back = most > 0x1p+500 ? (DOUBLEN)0x1p+600 : (DOUBLEN)1.0;
    scale = most < 0x1p-500 ? (DOUBLEN)0x1p+600 : scale;
    back = most < 0x1p-500 ? (DOUBLEN)0x1p-600 : back;
    DOUBLEN u = a * scale, v = b * scale;
    DOUBLEN value = sqrt(u * u + v * v) * back;
    DOUBLEN infinite = (DOUBLEN)INFINITY;
    return a == infinite || b == infinite ? infinite : value;
}
