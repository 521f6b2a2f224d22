/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of scale_avx512.cl.
 */
SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t)
{
    return __builtin_elementwise_ldexp(y, TO_INTN(AS_LONGN(t)));
}

SL_PURE FLOATN ldexp(FLOATN x, INTN n)
{
    return __builtin_elementwise_ldexp(x, n);
}

SL_PURE DOUBLEN ldexp(DOUBLEN x, INTN n)
{
    return __builtin_elementwise_ldexp(x, n);
}
