/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin, cos, tan and sincos of float over the whole range without branches. The argument is reduced
 * in double with the bits of 2/pi that its exponent calls for (tools/trig_table.py), the functions
 * are float polynomials on [-pi/4, pi/4].
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "trig_table.h"

SL_PURE static double sl_lookup(constant const double *table, int at)
{
    return table[at];
}

SL_PURE static double2 sl_lookup(constant const double *table, int2 at)
{
    return (double2)(table[at.x], table[at.y]);
}

SL_PURE static double3 sl_lookup(constant const double *table, int3 at)
{
    return (double3)(table[at.x], table[at.y], table[at.z]);
}

SL_PURE static double4 sl_lookup(constant const double *table, int4 at)
{
    return (double4)(sl_lookup(table, at.lo), sl_lookup(table, at.hi));
}

SL_PURE static double8 sl_lookup(constant const double *table, int8 at)
{
    return (double8)(sl_lookup(table, at.lo), sl_lookup(table, at.hi));
}

SL_PURE static double16 sl_lookup(constant const double *table, int16 at)
{
    return (double16)(sl_lookup(table, at.lo), sl_lookup(table, at.hi));
}

#define SL_BODY "trig_float_body.h"
#include "each_width.h"
