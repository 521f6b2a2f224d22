/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of image_lanes.cl for SL_N items. Colours are four vectors of bits, of ints or floats.
 */

#include "image/image_lanes_coordinates.h"
#include "image/image_lanes_decode.h"
#include "image/image_lanes_encode.h"
#include "image/image_lanes_memory.h"

#include "image/image_lanes_filter.h"
#include "image/image_lanes_row.h"
#undef SL_RUN
#undef SL_PUT

/* ---- reading --------------------------------------------------------------------------------- */

/* In: coordinates x, y, z as their shape has them; out: red, green, blue, alpha. */
void SL_OF(sl_sample)(sl_image_ptr, uint, private F *, uint) SL_LANES("sl_image_sample");
void SL_OF(sl_sample)(sl_image_ptr image, uint sampler, private F *at, uint shape)
{
    struct SL_OF(sl_spot) spot;
    I v[4];
    SL_OF(sl_find_spot)(image, sampler, at, shape, &spot);
    bool linear = sampler & CLK_FILTER_LINEAR, border = sl_lanes_have_border(sampler);
    bool plain = linear && !SL_IS_3D(shape);
    uint type = image->channel_type, bytes = image->elem_bytes, order = image->channel_order;
    bool late =
        linear && type == CLK_UNORM_INT8 && bytes == 4 && order != SL_SRGBA && order != SL_SBGRA;
    if (plain && late)
        SL_OF(sl_filter_plain)(image, &spot, shape, border, 4, v);
    else if (plain && type == CLK_FLOAT && bytes == 16)
        SL_OF(sl_filter_plain)(image, &spot, shape, border, 16, v);
    else
        SL_OF(sl_filter)(image, &spot, shape, border, linear, late, v), order = CLK_RGBA;
    SL_OF(sl_arrange)(v, order, 0);
    SL_EACH_CHANNEL
        at[c] = SL_NUMBER(v[c]);
}

void SL_OF(sl_sample_int)(sl_image_ptr, uint, private F *, uint) SL_LANES("sl_image_sample_int");
void SL_OF(sl_sample_int)(sl_image_ptr image, uint sampler, private F *at, uint shape)
{
    struct SL_OF(sl_spot) spot;
    I v[4];
    SL_OF(sl_find_spot)(image, sampler & ~(uint)CLK_FILTER_LINEAR, at, shape, &spot);
    struct SL_OF(sl_place) place = {spot.x.low, spot.y.low, spot.z.low};
    SL_OF(sl_fetch)(image, place, shape, sl_lanes_have_border(sampler), true, false, v);
    SL_EACH_CHANNEL
        at[c] = SL_NUMBER(v[c]);
}

/* Repetition is for normalised coordinates only; here it must not leave the image. */
SL_INLINE void SL_OF(sl_whole)(sl_image_ptr image, uint sampler, private I *at, uint shape,
                               bool whole)
{
    I v[4];
    uint addressing =
        (sampler & 0xe) == CLK_ADDRESS_CLAMP ? CLK_ADDRESS_CLAMP : CLK_ADDRESS_CLAMP_TO_EDGE;
    struct SL_OF(sl_place) place = {SL_OF(sl_inside)(at[0], (int)image->width, addressing), (I)0,
                                    (I)0};
    if (SL_HAS_Y(shape))
        place.y = SL_OF(sl_inside)(at[1], (int)image->height, addressing);
    if (SL_IS_3D(shape))
        place.z = SL_OF(sl_inside)(at[2], (int)image->depth, addressing);
    else if (shape & SL_SHAPE_LAYERS)
        place.z = SL_OF(sl_inside)(at[2], (int)image->array_size, CLK_ADDRESS_CLAMP_TO_EDGE);
    SL_OF(sl_fetch)(image, place, shape, addressing == CLK_ADDRESS_CLAMP, whole, false, v);
    SL_EACH_CHANNEL
        at[c] = v[c];
}

void SL_OF(sl_read)(sl_image_ptr, uint, private I *, uint) SL_LANES("sl_image_read");
void SL_OF(sl_read)(sl_image_ptr image, uint sampler, private I *at, uint shape)
{
    SL_OF(sl_whole)(image, sampler, at, shape, false);
}

void SL_OF(sl_read_int)(sl_image_ptr, uint, private I *, uint) SL_LANES("sl_image_read_int");
void SL_OF(sl_read_int)(sl_image_ptr image, uint sampler, private I *at, uint shape)
{
    SL_OF(sl_whole)(image, sampler, at, shape, true);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* x, y, z, then four channels, then which items write. */
SL_INLINE void SL_OF(sl_write_at)(sl_image_ptr image, private I *at, uint shape, I *v)
{
    struct SL_OF(sl_aside) aside = {.at = {at[0], (I)0, (I)0}};
    I inside = at[7] & (at[0] >= 0) & (at[0] < (int)image->width);
    if (SL_HAS_Y(shape)) {
        aside.at.y = at[1];
        inside &= (at[1] >= 0) & (at[1] < (int)image->height);
    }
    if (SL_HAS_Z(shape)) {
        int count = SL_IS_3D(shape) ? (int)image->depth : (int)image->array_size;
        aside.at.z = at[2];
        inside &= (at[2] >= 0) & (at[2] < count);
    }
    if (!__builtin_reduce_or(~inside & INT_MIN) && SL_OF(sl_are_neighbours)(&aside.at, shape)) {
        SL_OF(sl_put)(
            v, image->elem_bytes,
            (uchar *)SL_OF(sl_element)(image, at[0].s0, aside.at.y.s0, aside.at.z.s0, shape));
        return;
    }
    SL_OF(sl_put)(v, image->elem_bytes, (uchar *)aside.elements);
    SL_OF(sl_spread)(image, &aside, inside, shape);
}

void SL_OF(sl_write)(sl_image_ptr, uint, private I *, uint) SL_LANES("sl_image_write");
void SL_OF(sl_write)(sl_image_ptr image, uint sampler, private I *at, uint shape)
{
    I v[4] = {at[3], at[4], at[5], at[6]};
    uint order = image->channel_order;
    if (order == SL_SRGBA || order == SL_SBGRA)
        SL_OF(sl_encode_srgb)(v);
    SL_OF(sl_arrange_back)(v, order);
    SL_OF(sl_encode)(v, image->channel_type);
    SL_OF(sl_write_at)(image, at, shape, v);
}

SL_INLINE void SL_OF(sl_write_whole)(sl_image_ptr image, private I *at, uint shape)
{
    I v[4] = {at[3], at[4], at[5], at[6]};
    SL_OF(sl_arrange_back)(v, image->channel_order);
    SL_OF(sl_encode_int)(v, image->channel_type);
    SL_OF(sl_write_at)(image, at, shape, v);
}

void SL_OF(sl_write_int)(sl_image_ptr, uint, private I *, uint) SL_LANES("sl_image_write_int");
void SL_OF(sl_write_int)(sl_image_ptr image, uint sampler, private I *at, uint shape)
{
    SL_OF(sl_write_whole)(image, at, shape);
}

void SL_OF(sl_write_uint)(sl_image_ptr, uint, private I *, uint) SL_LANES("sl_image_write_uint");
void SL_OF(sl_write_uint)(sl_image_ptr image, uint sampler, private I *at, uint shape)
{
    SL_OF(sl_write_whole)(image, at, shape);
}
