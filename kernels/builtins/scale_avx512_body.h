/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of scale_avx512.cl.
 */
SL_PURE DOUBLEN sl_scale(DOUBLEN y, DOUBLEN t)
{
    return __builtin_elementwise_ldexp(y, TO_INTN(AS_LONGN(t)));
}
