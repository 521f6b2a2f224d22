/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of scale.cl: two factors, of which the first is exact, so only the second rounds.
 */
SL_PURE FLOATN sl_scale_biased(FLOATN y, FLOATN t)
{
    UINTN n = AS_UINTN(t);
    UINTN half_n = n << 22 & 0xff800000;
    return y * AS_FLOATN(half_n) * AS_FLOATN((n << 23) - half_n);
}

SL_PURE DOUBLEN sl_scale_biased(DOUBLEN y, DOUBLEN t)
{
    ULONGN n = AS_ULONGN(t);
    ULONGN half_n = n << 51 & (ulong)0xfff0000000000000;
    return y * AS_DOUBLEN(half_n) * AS_DOUBLEN((n << 52) - half_n);
}

SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t)
{
    return sl_scale_biased(y, t + 2046.0);
}
