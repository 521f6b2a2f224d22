/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lane.h declares, in instructions that every machine has.
 */
#include "table.h"

#include "lane.h"

#define SL_DOT(NAME, A, B)                                                                         \
    SL_LANE int sl_lane_dot_##NAME(uint u, uint v)                                                 \
    {                                                                                              \
        A a = as_##A(u);                                                                           \
        B b = as_##B(v);                                                                           \
        return (int)a.x * b.x + (int)a.y * b.y + (int)a.z * b.z + (int)a.w * b.w;                  \
    }

SL_DOT(ss, char4, char4)
SL_DOT(uu, uchar4, uchar4)
SL_DOT(us, uchar4, char4)

#define SL_BODY "lane_body.h"
#include "each_width.h"
