/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of scale.cl: two factors, of which the first is exact, so only the second rounds.
 */
SL_PURE FLOATN sl_scale(FLOATN y, FLOATN t)
{
    UINTN n = AS_UINTN(t);
    UINTN half_n = n << 22 & 0xff800000;
    UINTN rest = (n << 23) - half_n;
    return y * AS_FLOATN(half_n + 0x3f800000) * AS_FLOATN(rest + 0x3f800000);
}

SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t)
{
    ULONGN n = AS_ULONGN(t);
    ULONGN half_n = n << 51 & (ulong)0xfff0000000000000;
    ULONGN rest = (n << 52) - half_n;
    return y * AS_DOUBLEN(half_n + (ulong)0x3ff0000000000000) *
           AS_DOUBLEN(rest + (ulong)0x3ff0000000000000);
}
