/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image builtins: one row per image type, expanded to all reads, writes and queries, which call
 * the core. Once image and sampler types are lowered, an image is a pointer to struct sl_image and a
 * sampler its bits: sl_image and sl_sampler_bits are then identities (tools/split.py).
 */
#include "half/half.h"
#include "image/image.h"

SL_OVERLOAD ulong sl_sampler_bits(sampler_t);

#define SL_NO_SAMPLER CLK_ADDRESS_CLAMP_TO_EDGE

/* Coordinates of each shape as x, y, z. */
#define SL_FROM_1D(T, C) ((T##4)((C), 0, 0, 0))
#define SL_FROM_1D_ARRAY(T, C) ((T##4)((C).x, 0, (C).y, 0))
#define SL_FROM_2D(T, C) ((T##4)((C), 0, 0))
#define SL_FROM_3D(T, C) (C)

#define SL_READS(IMAGE, FROM, N, SHAPE)                                                            \
    SL_OVERLOAD float4 read_imagef(IMAGE image, int##N at)                                         \
    {                                                                                              \
        return sl_image_read(sl_image(image), SL_NO_SAMPLER, FROM(int, at), SHAPE);                \
    }                                                                                              \
    SL_OVERLOAD half4 read_imageh(IMAGE image, int##N at)                                          \
    {                                                                                              \
        return sl_narrow(read_imagef(image, at));                                                  \
    }                                                                                              \
    SL_OVERLOAD int4 read_imagei(IMAGE image, int##N at)                                           \
    {                                                                                              \
        return sl_image_read_int(sl_image(image), SL_NO_SAMPLER, FROM(int, at), SHAPE);            \
    }                                                                                              \
    SL_OVERLOAD uint4 read_imageui(IMAGE image, int##N at)                                         \
    {                                                                                              \
        return as_uint4(                                                                           \
            sl_image_read_int(sl_image(image), SL_NO_SAMPLER, FROM(int, at), SHAPE));              \
    }

#define SL_SAMPLES(IMAGE, FROM, N, SHAPE)                                                          \
    SL_OVERLOAD float4 read_imagef(IMAGE image, sampler_t sampler, int##N at)                      \
    {                                                                                              \
        return sl_image_read(sl_image(image), (uint)sl_sampler_bits(sampler), FROM(int, at),       \
                             SHAPE);                                                               \
    }                                                                                              \
    SL_OVERLOAD half4 read_imageh(IMAGE image, sampler_t sampler, int##N at)                       \
    {                                                                                              \
        return sl_narrow(read_imagef(image, sampler, at));                                         \
    }                                                                                              \
    SL_OVERLOAD int4 read_imagei(IMAGE image, sampler_t sampler, int##N at)                        \
    {                                                                                              \
        return sl_image_read_int(sl_image(image), (uint)sl_sampler_bits(sampler), FROM(int, at),   \
                                 SHAPE);                                                           \
    }                                                                                              \
    SL_OVERLOAD uint4 read_imageui(IMAGE image, sampler_t sampler, int##N at)                      \
    {                                                                                              \
        return as_uint4(sl_image_read_int(sl_image(image), (uint)sl_sampler_bits(sampler),         \
                                          FROM(int, at), SHAPE));                                  \
    }                                                                                              \
    SL_OVERLOAD float4 read_imagef(IMAGE image, sampler_t sampler, float##N at)                    \
    {                                                                                              \
        return sl_image_sample(sl_image(image), (uint)sl_sampler_bits(sampler), FROM(float, at),   \
                               SHAPE);                                                             \
    }                                                                                              \
    SL_OVERLOAD half4 read_imageh(IMAGE image, sampler_t sampler, float##N at)                     \
    {                                                                                              \
        return sl_narrow(read_imagef(image, sampler, at));                                         \
    }                                                                                              \
    SL_OVERLOAD int4 read_imagei(IMAGE image, sampler_t sampler, float##N at)                      \
    {                                                                                              \
        return sl_image_sample_int(sl_image(image), (uint)sl_sampler_bits(sampler),                \
                                   FROM(float, at), SHAPE);                                        \
    }                                                                                              \
    SL_OVERLOAD uint4 read_imageui(IMAGE image, sampler_t sampler, float##N at)                    \
    {                                                                                              \
        return as_uint4(sl_image_sample_int(sl_image(image), (uint)sl_sampler_bits(sampler),       \
                                            FROM(float, at), SHAPE));                              \
    }

#define SL_WRITES(IMAGE, FROM, N, SHAPE)                                                           \
    SL_OVERLOAD void write_imagef(IMAGE image, int##N at, float4 color)                            \
    {                                                                                              \
        sl_image_write(sl_image(image), FROM(int, at), color, SHAPE);                              \
    }                                                                                              \
    SL_OVERLOAD void write_imageh(IMAGE image, int##N at, half4 color)                             \
    {                                                                                              \
        write_imagef(image, at, sl_wide(color));                                                   \
    }                                                                                              \
    SL_OVERLOAD void write_imagei(IMAGE image, int##N at, int4 color)                              \
    {                                                                                              \
        sl_image_write_int(sl_image(image), FROM(int, at), color, SHAPE);                          \
    }                                                                                              \
    SL_OVERLOAD void write_imageui(IMAGE image, int##N at, uint4 color)                            \
    {                                                                                              \
        sl_image_write_uint(sl_image(image), FROM(int, at), color, SHAPE);                         \
    }

/* Depth images: one float, no integers. */
#define SL_DEPTH_READS(IMAGE, FROM, N, SHAPE)                                                      \
    SL_OVERLOAD float read_imagef(IMAGE image, int##N at)                                          \
    {                                                                                              \
        return sl_image_read(sl_image(image), SL_NO_SAMPLER, FROM(int, at), SHAPE).x;              \
    }
#define SL_DEPTH_SAMPLES(IMAGE, FROM, N, SHAPE)                                                    \
    SL_OVERLOAD float read_imagef(IMAGE image, sampler_t sampler, int##N at)                       \
    {                                                                                              \
        return sl_image_read(sl_image(image), (uint)sl_sampler_bits(sampler), FROM(int, at),       \
                             SHAPE)                                                                \
            .x;                                                                                    \
    }                                                                                              \
    SL_OVERLOAD float read_imagef(IMAGE image, sampler_t sampler, float##N at)                     \
    {                                                                                              \
        return sl_image_sample(sl_image(image), (uint)sl_sampler_bits(sampler), FROM(float, at),   \
                               SHAPE)                                                              \
            .x;                                                                                    \
    }
#define SL_DEPTH_WRITES(IMAGE, FROM, N, SHAPE)                                                     \
    SL_OVERLOAD void write_imagef(IMAGE image, int##N at, float depth)                             \
    {                                                                                              \
        sl_image_write(sl_image(image), FROM(int, at), (float4)(depth, 0, 0, 1), SHAPE);           \
    }

#define SL_QUERY(IMAGE, T, NAME, VALUE)                                                            \
    SL_OVERLOAD T NAME(IMAGE image)                                                                \
    {                                                                                              \
        sl_image_ptr it = sl_image(image);                                                         \
        return VALUE;                                                                              \
    }
#define SL_COMMON(IMAGE)                                                                           \
    SL_OVERLOAD sl_image_ptr sl_image(IMAGE);                                                      \
    SL_QUERY(IMAGE, int, get_image_width, (int)it->width)                                          \
    SL_QUERY(IMAGE, int, get_image_channel_data_type, (int)it->channel_type)                       \
    SL_QUERY(IMAGE, int, get_image_channel_order, (int)it->channel_order)
#define SL_PLANE(IMAGE)                                                                            \
    SL_QUERY(IMAGE, int, get_image_height, (int)it->height)                                        \
    SL_QUERY(IMAGE, int2, get_image_dim, (int2)((int)it->width, (int)it->height))
#define SL_LAYERS(IMAGE) SL_QUERY(IMAGE, size_t, get_image_array_size, it->array_size)
#define SL_VOLUME(IMAGE)                                                                           \
    SL_QUERY(IMAGE, int, get_image_height, (int)it->height)                                        \
    SL_QUERY(IMAGE, int, get_image_depth, (int)it->depth)                                          \
    SL_QUERY(IMAGE, int4, get_image_dim,                                                           \
             (int4)((int)it->width, (int)it->height, (int)it->depth, 0))
#define SL_NOTHING(...)

/* READS, SAMPLES and WRITES for the three accesses; then the queries each has. */
#define SL_IMAGE(TYPE, READS, SAMPLES, WRITES, FROM, N, SHAPE, Q1, Q2)                             \
    SL_COMMON(read_only TYPE)                                                                      \
    SL_COMMON(write_only TYPE)                                                                     \
    SL_COMMON(read_write TYPE)                                                                     \
    Q1(read_only TYPE) Q1(write_only TYPE) Q1(read_write TYPE)                                     \
    Q2(read_only TYPE) Q2(write_only TYPE) Q2(read_write TYPE)                                     \
    READS(read_only TYPE, FROM, N, SHAPE)                                                          \
    READS(read_write TYPE, FROM, N, SHAPE)                                                         \
    SAMPLES(read_only TYPE, FROM, N, SHAPE)                                                        \
    WRITES(write_only TYPE, FROM, N, SHAPE)                                                        \
    WRITES(read_write TYPE, FROM, N, SHAPE)

SL_IMAGE(image1d_t, SL_READS, SL_SAMPLES, SL_WRITES, SL_FROM_1D, , SL_SHAPE_1D, SL_NOTHING,
         SL_NOTHING)
SL_IMAGE(image1d_buffer_t, SL_READS, SL_NOTHING, SL_WRITES, SL_FROM_1D, , SL_SHAPE_1D, SL_NOTHING,
         SL_NOTHING)
SL_IMAGE(image1d_array_t, SL_READS, SL_SAMPLES, SL_WRITES, SL_FROM_1D_ARRAY, 2,
         SL_SHAPE_1D | SL_SHAPE_LAYERS, SL_LAYERS, SL_NOTHING)
SL_IMAGE(image2d_t, SL_READS, SL_SAMPLES, SL_WRITES, SL_FROM_2D, 2, SL_SHAPE_2D, SL_PLANE,
         SL_NOTHING)
SL_IMAGE(image2d_array_t, SL_READS, SL_SAMPLES, SL_WRITES, SL_FROM_3D, 4,
         SL_SHAPE_2D | SL_SHAPE_LAYERS, SL_PLANE, SL_LAYERS)
SL_IMAGE(image3d_t, SL_READS, SL_SAMPLES, SL_WRITES, SL_FROM_3D, 4, SL_SHAPE_3D, SL_VOLUME,
         SL_NOTHING)
SL_IMAGE(image2d_depth_t, SL_DEPTH_READS, SL_DEPTH_SAMPLES, SL_DEPTH_WRITES, SL_FROM_2D, 2,
         SL_SHAPE_2D, SL_PLANE, SL_NOTHING)
SL_IMAGE(image2d_array_depth_t, SL_DEPTH_READS, SL_DEPTH_SAMPLES, SL_DEPTH_WRITES, SL_FROM_3D, 4,
         SL_SHAPE_2D | SL_SHAPE_LAYERS, SL_PLANE, SL_LAYERS)

/* A literal sampler is its bits. */
ulong sl_literal_sampler(int bits) __asm__("__translate_sampler_initializer");
ulong sl_literal_sampler(int bits)
{
    return (uint)bits;
}
