/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the image builtins share: struct sl_image of sluice/module.h in OpenCL C, and the core that
 * image_core.cl defines once for all overloads.
 */
#ifndef SL_BUILTINS_IMAGE_H
#define SL_BUILTINS_IMAGE_H

struct sl_image {
    global uchar *data;
    uint width, height, depth, array_size;
    ulong row_pitch, slice_pitch;
    uint channel_order, channel_type;
    uint elem_bytes, dims;
};

typedef const private struct sl_image *sl_image_ptr;

/* Which coordinates an image type has. x, y and z are filtered; a layer is in z and is not. */
enum sl_image_shape {
    SL_SHAPE_1D = 1,
    SL_SHAPE_2D = 2,
    SL_SHAPE_3D = 3,
    SL_SHAPE_LAYERS = 4,
    SL_SHAPE_PACKED = 8 /* of a read for items in a row: colours as memory has them */
};

float4 sl_image_sample(sl_image_ptr image, uint sampler, float4 at, uint shape);
int4 sl_image_sample_int(sl_image_ptr image, uint sampler, float4 at, uint shape);
/* Whole coordinates; the sampler's addressing decides outside the image. */
float4 sl_image_read(sl_image_ptr image, uint sampler, int4 at, uint shape);
int4 sl_image_read_int(sl_image_ptr image, uint sampler, int4 at, uint shape);
void sl_image_write(sl_image_ptr image, int4 at, float4 color, uint shape);
void sl_image_write_int(sl_image_ptr image, int4 at, int4 color, uint shape);
void sl_image_write_uint(sl_image_ptr image, int4 at, uint4 color, uint shape);

/* srgb.cl: stored red, green, blue, alpha and their colour; a colour and what is scaled and stored.
 */
float4 sl_srgb_decode(uchar4 stored);
float4 sl_srgb_encode(float4 color);

#endif
