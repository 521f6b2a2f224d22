/* SPDX-License-Identifier: Apache-2.0 */
/*
 * y * 2^n where t is n + 1.5 * 2^52 and |n| < 2048: in two factors, of which the first is exact, so
 * only the second rounds. Part of the bodies of the double functions.
 */
SL_PURE static DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t)
{
    ULONGN n = AS_ULONGN(t);
    ULONGN half_n = n << 51 & (ulong)0xfff0000000000000;
    ULONGN rest = (n << 52) - half_n;
    return y * AS_DOUBLEN(half_n + (ulong)0x3ff0000000000000) *
           AS_DOUBLEN(rest + (ulong)0x3ff0000000000000);
}
