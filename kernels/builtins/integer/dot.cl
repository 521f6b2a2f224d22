/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_integer_dot_product: of four 8-bit numbers each, apart or packed in a uint. */
#include "table.h"

#define SL_DOT(A, B, R)                                                                            \
    SL_PURE R dot(A a, B b)                                                                        \
    {                                                                                              \
        return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z + (R)a.w * (R)b.w;              \
    }

SL_DOT(char4, char4, int)
SL_DOT(char4, uchar4, int)
SL_DOT(uchar4, char4, int)
SL_DOT(uchar4, uchar4, uint)

#include "integer/dot_forms.h"
