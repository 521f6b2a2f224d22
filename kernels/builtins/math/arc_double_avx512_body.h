/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of arc_double_avx512.cl: the angle is atan(c) + atan((a - c) / (1 + a c)), where 15 a / (1 +
 * a) is closest to 15 c / (1 + c), or close to it; beyond the last c it is that of -1 / a.
 */
#define SL_ROUNDER 0x1.8p52

SL_PURE DOUBLEN atan(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    DOUBLEN at = (SL_ROUNDER + 15.0) - 15.0 * sl_lane_reciprocal(a + 1.0);
    LONGN i = AS_LONGN(at);
    DOUBLEN c = sl_lane_entry16(sl_atan_node, i);
    LONGN far = at == SL_ROUNDER + 15.0;
    DOUBLEN above = far ? (DOUBLEN)-1.0 : a - c;
    DOUBLEN below = far ? a : a * c + 1.0;
    DOUBLEN r = above / below;
    DOUBLEN s = r * r;
    DOUBLEN p = -0x1.70c44f48dbeb6p-4 * s + 0x1.c718c04022e9bp-4;
    p = p * s - 0x1.2492485e63875p-3;
    p = p * s + 0x1.999999997c97p-3;
    p = p * s - 0x1.555555555555p-2;
    DOUBLEN angle = sl_lane_entry16(sl_atan_of_node, i) + (r * s * p + r);
    return copysign(angle, x);
}

#undef SL_ROUNDER
