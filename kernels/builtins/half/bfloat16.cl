/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_bfloat16_conversions: the upper half of a float, rounded to the nearest, ties to even. */
#include "table.h"

/* Of what is no number the sign and the leading bits stay, and it is quiet. */
#define SL_BFLOAT16(N)                                                                             \
    SL_PURE ushort##N intel_convert_bfloat16##N##_as_ushort##N(float##N x)                         \
    {                                                                                              \
        const uint##N bits = as_uint##N(x), high = bits >> 16;                                     \
        const uint##N rounded = (bits + 0x7fff + (high & 1)) >> 16;                                \
        return convert_ushort##N((bits & 0x7fffffff) > 0x7f800000 ? high | 0x40 : rounded);            \
    }                                                                                              \
    SL_PURE float##N intel_convert_as_bfloat16##N##_float##N(ushort##N x)                          \
    {                                                                                              \
        return as_float##N(convert_uint##N(x) << 16);                                                  \
    }
SL_BFLOAT16()
SL_BFLOAT16(2)
SL_BFLOAT16(3)
SL_BFLOAT16(4)
SL_BFLOAT16(8)
SL_BFLOAT16(16)
