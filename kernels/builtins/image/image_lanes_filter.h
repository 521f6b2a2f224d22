/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of image_lanes_body.h: one element's colour, and colours from between elements.
 */

/* `whole`: of a read that gives integers; `late` as above. */
SL_INLINE void SL_OF(sl_fetch)(sl_image_ptr image, struct SL_OF(sl_place) at, uint shape,
                               bool border, bool whole, bool late, I *v)
{
    bool any;
    int one = whole ? 1 : as_int(1.0f);
    uint order = image->channel_order;
    I outside = SL_OF(sl_take_in)(&at, shape, border, &any);
    SL_OF(sl_load)(image, &at, shape, image->elem_bytes, v);
    if (whole)
        SL_OF(sl_decode_int)(v, image->channel_type);
    else if (order == SL_SRGBA || order == SL_SBGRA)
        SL_OF(sl_decode_srgb)(v);
    else
        SL_OF(sl_decode)(v, image->channel_type, late);
    SL_OF(sl_arrange)(v, order, one);
    if (!any)
        return;
    int alpha = sl_lanes_have_alpha(order) ? 0 : one;
    SL_EACH_CHANNEL
        v[c] = outside ? (I)(c == 3 ? alpha : 0) : v[c];
}

/* Any format, any number of dimensions, or no filter: the common ones have their own below. */
SL_INLINE void SL_OF(sl_filter)(sl_image_ptr image, const struct SL_OF(sl_spot) *at, uint shape,
                                bool border, bool linear, bool late, I *out)
{
    int last_y = linear && SL_HAS_Y(shape), last_z = linear && SL_IS_3D(shape);
    F column[4], plane[4], all[4];
    _Pragma("clang loop unroll(disable)") for (int z = 0; z <= last_z; z++)
    {
        _Pragma("clang loop unroll(disable)") for (int x = 0; x <= linear; x++)
        {
            _Pragma("clang loop unroll(disable)") for (int y = 0; y <= last_y; y++)
            {
                I v[4];
                struct SL_OF(sl_place) place = {x ? at->x.high : at->x.low,
                                                y ? at->y.high : at->y.low,
                                                z ? at->z.high : at->z.low};
                SL_OF(sl_fetch)(image, place, shape, border, false, late, v);
                SL_EACH_CHANNEL
                    column[c] = !last_y ? SL_NUMBER(v[c])
                                : y     ? column[c] + SL_NUMBER(v[c]) * at->y.weight
                                        : SL_NUMBER(v[c]) * (1.0f - at->y.weight);
            }
            SL_EACH_CHANNEL
                plane[c] = !linear ? column[c]
                           : x     ? plane[c] + column[c] * at->x.weight
                                   : column[c] * (1.0f - at->x.weight);
        }
        SL_EACH_CHANNEL
            all[c] = !last_z ? plane[c]
                     : z     ? all[c] + plane[c] * at->z.weight
                             : plane[c] * (1.0f - at->z.weight);
    }
    SL_EACH_CHANNEL
        out[c] = SL_BITS(late ? SL_OVER(all[c], 255.0f) : all[c]);
}

/* One element as it is stored; four channels have a border of zeros. */
SL_INLINE void SL_OF(sl_raw)(sl_image_ptr image, I x, I y, I z, uint shape, bool border, uint bytes,
                             I *v)
{
    bool any;
    struct SL_OF(sl_place) at = {x, y, z};
    I outside = SL_OF(sl_take_in)(&at, shape, border, &any);
    SL_OF(sl_load)(image, &at, shape, bytes, v);
    if (any)
        SL_EACH_CHANNEL
            v[c] = outside ? (I)0 : v[c];
}

/* Elements of four bytes that are not neighbours from item to item, but inside of the image and
 * side by side for each of them. False: nothing was done. */
SL_INLINE bool SL_OF(sl_raw_pairs)(sl_image_ptr image, const struct SL_OF(sl_spot) *at, uint shape,
                                   I (*v)[4])
{
#ifdef SL_GATHER
    struct SL_OF(sl_place) place = {at->x.low, at->y.low, at->z.low};
    I odd = at->x.high != at->x.low + 1;
    odd |= (at->x.low | at->y.low | at->y.high | at->z.low) < 0;
    if (!__builtin_reduce_or(odd) && !SL_OF(sl_are_neighbours)(&place, shape) &&
        sl_lanes_fit(image)) {
        I offset = at->x.low * 4;
        if (SL_HAS_Z(shape))
            offset += at->z.low * (int)image->slice_pitch;
        if (SL_HAS_Y(shape)) {
            SL_OF(sl_gather_pairs)(image->data, offset + at->y.high * (int)image->row_pitch,
                                   &v[1][0], &v[3][0]);
            offset += at->y.low * (int)image->row_pitch;
        }
        SL_OF(sl_gather_pairs)(image->data, offset, &v[0][0], &v[2][0]);
        return true;
    }
#endif
    return false;
}

SL_INLINE void SL_OF(sl_raw_all)(sl_image_ptr image, const struct SL_OF(sl_spot) *at, uint shape,
                                 bool border, uint bytes, I (*v)[4])
{
    if (bytes == 4 && SL_OF(sl_raw_pairs)(image, at, shape, v))
        return;
    SL_OF(sl_raw)(image, at->x.low, at->y.low, at->z.low, shape, border, bytes, v[0]);
    if (SL_HAS_Y(shape))
        SL_OF(sl_raw)(image, at->x.low, at->y.high, at->z.low, shape, border, bytes, v[1]);
    SL_OF(sl_raw)(image, at->x.high, at->y.low, at->z.low, shape, border, bytes, v[2]);
    if (SL_HAS_Y(shape))
        SL_OF(sl_raw)(image, at->x.high, at->y.high, at->z.low, shape, border, bytes, v[3]);
}

/* Of one or two dimensions, four channels of bytes or floats, before the order of channels. */
SL_INLINE void SL_OF(sl_filter_plain)(sl_image_ptr image, const struct SL_OF(sl_spot) *at,
                                      uint shape, bool border, uint bytes, I *out)
{
    I v[4][4];
    F left = 1.0f - at->x.weight, up = 1.0f - at->y.weight;
    SL_OF(sl_raw_all)(image, at, shape, border, bytes, v);
    SL_EACH_CHANNEL {
#define SL_RAW(T) (bytes == 4 ? SL_TO_F(SL_UNSIGNED(v[T], c, 1)) : SL_NUMBER(v[T][c]))
        F low = SL_RAW(0), high = SL_RAW(2);
        if (SL_HAS_Y(shape)) {
            low = low * up + SL_RAW(1) * at->y.weight;
            high = high * up + SL_RAW(3) * at->y.weight;
        }
#undef SL_RAW
        F plane = low * left + high * at->x.weight;
        out[c] = SL_BITS(bytes == 4 ? SL_OVER(plane, 255.0f) : plane);
    }
}
