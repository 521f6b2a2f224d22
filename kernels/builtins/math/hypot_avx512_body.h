/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of hypot_avx512.cl.
 */

/* Scaled by the larger number's exponent. Where one is infinite the other may be anything. */
SL_PURE static DOUBLEN sl_hypot_scaled(DOUBLEN a, DOUBLEN b)
{
    DOUBLEN e = sl_lane_limit(sl_lane_exponent(a > b ? a : b), (DOUBLEN)2000.0);
    DOUBLEN u = sl_lane_scale(a, -e), v = sl_lane_scale(b, -e);
    DOUBLEN value = sl_lane_scale(sqrt(u * u + v * v), e);
    DOUBLEN infinite = (DOUBLEN)INFINITY;
    return a == infinite || b == infinite ? infinite : value;
}

/* The root by two steps from an estimate of its inverse. */
SL_PURE DOUBLEN hypot(DOUBLEN x, DOUBLEN y)
{
    DOUBLEN sum = x * x + y * y;
    DOUBLEN inverse = sl_lane_rsqrt(sum);
    DOUBLEN root = sum * inverse, half_inverse = 0.5 * inverse;
    DOUBLEN missing = 0.5 - root * half_inverse;
    root = root * missing + root;
    half_inverse = half_inverse * missing + half_inverse;
    root = (sum - root * root) * half_inverse + root;
    LONGN other = !(sum > 0x1p-900 && sum < 0x1p+1000);
    if (sl_any(other))
        root = other ? sl_hypot_scaled(fabs(x), fabs(y)) : root;
    return root;
}
