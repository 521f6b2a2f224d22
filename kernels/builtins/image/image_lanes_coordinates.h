/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of image_lanes_body.h: from coordinates, as the sampler has them, to elements.
 */

struct SL_OF(sl_taps) {
    I low, high; /* negative: outside of the image */
    F weight;
};

SL_INLINE I SL_OF(sl_inside)(I at, int size, uint addressing)
{
    if (addressing == CLK_ADDRESS_REPEAT)
        return at < 0 ? at + size : at >= size ? at - size : at;
    if (addressing == CLK_ADDRESS_CLAMP)
        return ((at < 0) | (at >= size)) ? (I)-1 : at;
    at = at < 0 ? (I)0 : at;
    return at < size ? at : (I)(size - 1);
}

/* The first element that a coordinate lies between, wherever it is, and how near the second is. */
SL_INLINE I SL_OF(sl_below)(F s, int size, uint sampler, private F *weight)
{
    uint addressing = sampler & 0xe;
    float extent = (float)size;
    F u = sampler & CLK_NORMALIZED_COORDS_TRUE ? s * extent : s;
    if (addressing == CLK_ADDRESS_REPEAT)
        u = (s - __builtin_elementwise_floor(s)) * extent;
    else if (addressing == CLK_ADDRESS_MIRRORED_REPEAT)
        u = __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_rint(0.5f * s)) * extent;
    if (sampler & CLK_FILTER_LINEAR)
        u -= 0.5f;
    u = u > -1.5f ? u : (F)-1.5f;
    u = u < extent + 0.5f ? u : (F)(extent + 0.5f);
    F whole = __builtin_elementwise_floor(u);
    *weight = u - whole;
    return __builtin_convertvector(whole, I);
}

SL_INLINE struct SL_OF(sl_taps) SL_OF(sl_tap)(F s, int size, uint sampler)
{
    uint addressing = sl_addressing(sampler);
    struct SL_OF(sl_taps) taps;
    I low = SL_OF(sl_below)(s, size, sampler, &taps.weight);
    taps.low = SL_OF(sl_inside)(low, size, addressing);
    taps.high = SL_OF(sl_inside)(low + 1, size, addressing);
    return taps;
}

SL_INLINE I SL_OF(sl_layer)(F layer, uint count)
{
    float last = (float)(count - 1);
    layer = __builtin_elementwise_rint(layer);
    layer = layer > 0.0f ? layer : (F)0.0f;
    layer = layer < last ? layer : (F)last;
    return __builtin_convertvector(layer, I);
}

/* Of all of an image's dimensions. */
struct SL_OF(sl_spot) {
    struct SL_OF(sl_taps) x, y, z;
};

SL_INLINE void SL_OF(sl_find_spot)(sl_image_ptr image, uint sampler, private const F *at,
                                   uint shape, struct SL_OF(sl_spot) *spot)
{
    spot->x = SL_OF(sl_tap)(at[0], (int)image->width, sampler);
    spot->y.low = spot->y.high = spot->z.low = spot->z.high = (I)0;
    spot->y.weight = spot->z.weight = (F)0;
    if (SL_HAS_Y(shape))
        spot->y = SL_OF(sl_tap)(at[1], (int)image->height, sampler);
    if (SL_IS_3D(shape))
        spot->z = SL_OF(sl_tap)(at[2], (int)image->depth, sampler);
    else if (shape & SL_SHAPE_LAYERS)
        spot->z.low = SL_OF(sl_layer)(at[2], image->array_size);
}
