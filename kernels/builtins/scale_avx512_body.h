/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of scale_avx512.cl.
 */
SL_PURE FLOATN sl_scale(FLOATN y, FLOATN t)
{
    return __builtin_elementwise_ldexp(y, AS_INTN(t) - as_int(0x1.8p23f));
}

SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t)
{
    return __builtin_elementwise_ldexp(y, TO_INTN(AS_LONGN(t)));
}
