/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of erf_float.cl. All coefficients are positive, so that nothing cancels. From 3.92 on the
 * result is 1.
 */
SL_PURE FLOATN erf(FLOATN x)
{
    FLOATN magnitude = fabs(x);
    FLOATN a = magnitude > 3.93f ? (FLOATN)3.93f : magnitude;
    FLOATN s = a * a;
    FLOATN p = 0x1.121164p-19f * s + 0x1.2aa162p-12f;
    p = p * s + 0x1.ef5b8cp-9f;
    p = p * s + 0x1.b07328p-5f;
    p = p * s + 0x1.86b604p-3f;
    p = p * s + 0x1.20dd74p+0f;
    FLOATN q = 0x1.3ecb94p-15f * s + 0x1.316e0ap-10f;
    q = q * s + 0x1.eb6a36p-7f;
    q = q * s + 0x1.d3fc98p-4f;
    q = q * s + 0x1.013b24p-1f;
    q = q * s + 1.0f;
    FLOATN value = a * (p / q);
    value = magnitude > 3.92f || value > 1.0f ? (FLOATN)1.0f : value;
    return copysign(value, x);
}
