/* SPDX-License-Identifier: Apache-2.0 */
/* Body of extremes.cl: as the standard words them. */
SL_PURE FLOATN max(FLOATN x, FLOATN y)
{
    return x < y ? y : x;
}

SL_PURE FLOATN min(FLOATN x, FLOATN y)
{
    return y < x ? y : x;
}

SL_PURE DOUBLEN max(DOUBLEN x, DOUBLEN y)
{
    return x < y ? y : x;
}

SL_PURE DOUBLEN min(DOUBLEN x, DOUBLEN y)
{
    return y < x ? y : x;
}
