/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_integer_dot_product for AVX-512: products of bytes stay one operation of whole registers
 * (lane.h), which taking the bytes apart would hide.
 */
#include "table.h"

#include "lane.h"

SL_PURE int dot(char4 a, char4 b)
{
    return sl_lane_dot_ss(as_uint(a), as_uint(b));
}

SL_PURE int dot(uchar4 a, char4 b)
{
    return sl_lane_dot_us(as_uint(a), as_uint(b));
}

SL_PURE int dot(char4 a, uchar4 b)
{
    return sl_lane_dot_us(as_uint(b), as_uint(a));
}

SL_PURE uint dot(uchar4 a, uchar4 b)
{
    return as_uint(sl_lane_dot_uu(as_uint(a), as_uint(b)));
}

#include "integer/dot_forms.h"
