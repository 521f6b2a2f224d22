/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of integer.cl.
 */
SL_PURE LONGN mad_sat(LONGN a, LONGN b, LONGN c)
{
    LONGN high = mul_hi(a, b);
    ULONGN low = AS_ULONGN(a) * AS_ULONGN(b);
    ULONGN sum = low + AS_ULONGN(c);
    high += (c >> 63) + (sum < low ? (LONGN)1 : (LONGN)0);
    LONGN limit = high < 0 ? (LONGN)LONG_MIN : (LONGN)LONG_MAX;
    return high == AS_LONGN(sum) >> 63 ? AS_LONGN(sum) : limit;
}
SL_PURE UINTN mul24(UINTN a, UINTN b)
{
    return a * b;
}
SL_PURE INTN mul24(INTN a, INTN b)
{
    return AS_INTN(AS_UINTN(a) * AS_UINTN(b));
}
SL_PURE UINTN mad24(UINTN a, UINTN b, UINTN c)
{
    return a * b + c;
}
SL_PURE INTN mad24(INTN a, INTN b, INTN c)
{
    return AS_INTN(AS_UINTN(a) * AS_UINTN(b) + AS_UINTN(c));
}
