/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of cbrt_double_avx512.cl: |x| = 8^n * 2^k * m with k of -1, 0, 1. The inverse root of 2^k m
 * is a line times a parabola of k; one step of third order makes 2^-37 of 2^-13, and its square
 * times 2^k m the root but for that, which the last step takes off.
 */
SL_PURE DOUBLEN cbrt(DOUBLEN x)
{
    DOUBLEN a = fabs(x);
    DOUBLEN e = sl_lane_exponent(a);
    DOUBLEN m = sl_lane_mantissa(a);
    DOUBLEN n = (e * (1.0 / 3.0) + 0x1.8p52) - 0x1.8p52;
    DOUBLEN k = e - 3.0 * n;
    LONGN i = AS_LONGN(AS_ULONGN(m) >> 48);
    DOUBLEN z = sl_lane_entry16(sl_cbrt_slope, i) * m + sl_lane_entry16(sl_cbrt_start, i);
    z = z * ((0x1.b74498585354p-6 * k - 0x1.dd68e9bbaedb2p-3) * k + 1.0);
    m = sl_lane_scale(m, k);
    DOUBLEN missing = 1.0 - (m * z) * (z * z);
    z = z * missing * (missing * (2.0 / 9.0) + 1.0 / 3.0) + z;
    DOUBLEN square = z * z;
    DOUBLEN y = m * square;
    DOUBLEN rest = m - y * y * y;
    y = rest * (1.0 / 3.0) * square + y;
    DOUBLEN value = sl_lane_scale(y, n);
    return a < (DOUBLEN)INFINITY && x != 0.0 ? copysign(value, x) : x;
}
