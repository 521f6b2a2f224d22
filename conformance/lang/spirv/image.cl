/* SPDX-License-Identifier: Apache-2.0 */
/* Images of 8 x 8 texels; an item for each. */
#include "item.h"

#define PLACE(k)                                                                                   \
    (float2)((in[get_global_id(0) * 16 + (k)] % 97) / 40.0f,                                       \
             (in[get_global_id(0) * 16 + (k) + 1] % 89) / 30.0f)
#define TEXEL (int2)(get_global_id(0) % 8, get_global_id(0) / 8)

#define READS(NAME, READ)                                                                          \
    kernel void NAME(global uint *out, global const uint *in, read_only image2d_t image,           \
                     sampler_t sampler)                                                            \
    {                                                                                              \
        const sampler_t nearest =                                                                  \
            CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;                  \
        global uint *to = out + get_global_id(0) * 96;                                             \
        PUT(READ(image, TEXEL));                                                                   \
        PUT(READ(image, sampler, PLACE(0)));                                                       \
        PUT(READ(image, sampler, PLACE(2) - 0.5f));                                                \
        PUT(READ(image, nearest, PLACE(4) * 4.0f));                                                \
        PUT(READ(image, nearest, TEXEL * 3 - 2));                                                  \
        PUT(get_image_dim(image));                                                                 \
        PUT(get_image_width(image));                                                               \
        PUT(get_image_height(image));                                                              \
    }
READS(reads_of_floats, read_imagef)
READS(reads_of_ints, read_imagei)
READS(reads_of_uints, read_imageui)

#define WRITES(NAME, WRITE, T)                                                                     \
    kernel void NAME(global uint *out, global const uint *in, write_only image2d_t image)          \
    {                                                                                              \
        WRITE(image, TEXEL, *(global const T *)(in + get_global_id(0) * 16));                      \
        WRITE(image, TEXEL + 8, (T)(1));                                                           \
    }
WRITES(writes_of_floats, write_imagef, float4)
WRITES(writes_of_ints, write_imagei, int4)
WRITES(writes_of_uints, write_imageui, uint4)
