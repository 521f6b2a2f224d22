/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of image_lanes.cl for SL_N items. Colours are four vectors of bits, of ints or floats.
 */

/* ---- coordinates ---------------------------------------------------------------------------- */

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

SL_INLINE struct SL_OF(sl_taps) SL_OF(sl_tap)(F s, int size, uint sampler)
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
    F whole = __builtin_elementwise_floor(u);
    F near = whole > -2.0f ? whole : (F)-2.0f;
    near = near < extent + 1.0f ? near : (F)(extent + 1.0f);
    I low = __builtin_convertvector(near, I);
    struct SL_OF(sl_taps) taps = {SL_OF(sl_inside)(low, size, addressing),
                                  SL_OF(sl_inside)(low + 1, size, addressing), u - whole};
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

/* ---- elements ------------------------------------------------------------------------------- */

/* Where an element is. */
struct SL_OF(sl_place) {
    I x, y, z;
};

/* Room for elements that are not neighbours. */
struct SL_OF(sl_aside) {
    struct SL_OF(sl_place) at;
    int4 elements[SL_N];
};

SL_INLINE bool SL_OF(sl_are_neighbours)(const struct SL_OF(sl_place) *at, uint shape)
{
    I x = at->x - SL_IOTA;
    I apart = x ^ x.s0;
    if (SL_HAS_Y(shape))
        apart |= at->y ^ at->y.s0;
    if (SL_HAS_Z(shape))
        apart |= at->z ^ at->z.s0;
    return !__builtin_reduce_or(apart != 0);
}

SL_INLINE global uchar *SL_OF(sl_element)(sl_image_ptr image, int x, int y, int z, uint shape)
{
    global uchar *data = image->data + (ulong)x * image->elem_bytes;
    if (SL_HAS_Y(shape))
        data += (ulong)y * image->row_pitch;
    return SL_HAS_Z(shape) ? data + (ulong)z * image->slice_pitch : data;
}

#define SL_LANE(V, K) (((const int *)&(V))[K])
#define SL_COPY(T)                                                                                 \
    _Pragma("clang loop unroll(disable)") for (int k = 0; k < SL_N; k++)((T *)aside->elements)[k] = \
        *(global const T##_anywhere *)SL_OF(sl_element)(                                           \
            image, SL_LANE(aside->at.x, k), SL_LANE(aside->at.y, k), SL_LANE(aside->at.z, k), shape)

/* Puts elements, none of them outside, side by side. */
SL_INLINE const uchar *SL_OF(sl_collect)(sl_image_ptr image, const struct SL_OF(sl_place) *at,
                                         uint shape, uint bytes, struct SL_OF(sl_aside) *aside)
{
    aside->at = *at;
    switch (bytes) {
    case 1:
        SL_COPY(uchar);
        break;
    case 2:
        SL_COPY(ushort);
        break;
    case 4:
        SL_COPY(int);
        break;
    case 8:
        SL_COPY(long);
        break;
    default:
        SL_COPY(int4);
    }
    return (const uchar *)aside->elements;
}
#undef SL_COPY

#define SL_RUN(T) (*(const SL_JOIN(SL_JOIN(T, SL_N), _anywhere) *)from)

/* Four words of each item; they change places in each piece of four items. */
SL_INLINE void SL_OF(sl_fours)(const uchar *from, I *out)
{
    const int4_anywhere *all = (const int4_anywhere *)from;
    I a = SL_QUARTER(all, 0), b = SL_QUARTER(all, 1);
    I c = SL_QUARTER(all, 2), d = SL_QUARTER(all, 3);
    I ab = SL_MIX(a, b, 0, 4, 1, 5), cd = SL_MIX(c, d, 0, 4, 1, 5);
    out[0] = SL_MIX(ab, cd, 0, 1, 4, 5);
    out[1] = SL_MIX(ab, cd, 2, 3, 6, 7);
    ab = SL_MIX(a, b, 2, 6, 3, 7), cd = SL_MIX(c, d, 2, 6, 3, 7);
    out[2] = SL_MIX(ab, cd, 0, 1, 4, 5);
    out[3] = SL_MIX(ab, cd, 2, 3, 6, 7);
}

#ifdef SL_GATHER
/* Words from anywhere; what the copies above leave is read slowly, for it is written in parts. */
SL_INLINE bool SL_OF(sl_gather)(sl_image_ptr image, const struct SL_OF(sl_place) *at, uint shape,
                                uint bytes, I *out)
{
    if ((bytes != 4 && bytes != 8) || !sl_lanes_fit(image))
        return false;
    I offset = at->x * (int)bytes;
    if (SL_HAS_Y(shape))
        offset += at->y * (int)image->row_pitch;
    if (SL_HAS_Z(shape))
        offset += at->z * (int)image->slice_pitch;
    out[0] = SL_GATHER(image->data, offset);
    if (bytes == 8)
        out[1] = SL_GATHER(image->data, offset + 4);
    return true;
}
#endif

/* The element's words, zeros behind it. */
SL_INLINE void SL_OF(sl_load)(sl_image_ptr image, const struct SL_OF(sl_place) *at, uint shape,
                              uint bytes, I *out)
{
    struct SL_OF(sl_aside) aside;
    const uchar *from;
    out[0] = out[1] = out[2] = out[3] = (I)0;
    if (SL_OF(sl_are_neighbours)(at, shape))
        from = (const uchar *)SL_OF(sl_element)(image, at->x.s0, at->y.s0, at->z.s0, shape);
#ifdef SL_GATHER
    else if (SL_OF(sl_gather)(image, at, shape, bytes, out))
        return;
#endif
    else
        from = SL_OF(sl_collect)(image, at, shape, bytes, &aside);
    switch (bytes) {
    case 1:
        out[0] = __builtin_convertvector(SL_RUN(uchar), I);
        break;
    case 2:
        out[0] = __builtin_convertvector(SL_RUN(ushort), I);
        break;
    case 4:
        out[0] = SL_RUN(int);
        break;
    case 8:
        out[0] = __builtin_convertvector(SL_RUN(long), I);
        out[1] = __builtin_convertvector(SL_RUN(long) >> 32, I);
        break;
    default:
        SL_OF(sl_fours)(from, out);
    }
}
#undef SL_RUN

/* x / by for by's inverse; tested with all numbers that come here. */
SL_INLINE F SL_OF(sl_over)(F x, float by, float inverse)
{
#if SL_N > 4 /* machines that have FMA */
    F q = x * inverse;
    return __builtin_elementwise_fma(__builtin_elementwise_fma(-q, (F)by, x), (F)inverse, q);
#else
    return x / by;
#endif
}
#define SL_OVER(X, BY) SL_OF(sl_over)(X, BY, 1.0f / (BY))

SL_INLINE F SL_OF(sl_signed_over)(F x, float by)
{
    x = SL_OVER(x, by);
    return x > -1.0f ? x : (F)-1.0f;
}

SL_INLINE F SL_OF(sl_half)(I bits)
{
    SL_JOIN(ushort, SL_N) narrow = __builtin_convertvector(bits, SL_JOIN(ushort, SL_N));
    return __builtin_convertvector(SL_JOIN(as_half, SL_N)(narrow), F);
}

#define SL_TO_F(V) __builtin_convertvector(V, F)
#define SL_BITS(V) SL_JOIN(as_int, SL_N)(V)
#define SL_NUMBER(V) SL_JOIN(as_float, SL_N)(V)

/* Channel C of words W, as stored: SIZE bytes, with or without a sign. */
#define SL_UNSIGNED(W, C, SIZE)                                                                    \
    ((SIZE) == 4 ? W[C] : W[(C) * (SIZE) / 4] >> ((C) * (SIZE) % 4 * 8) & ((1 << (SIZE) * 8) - 1))
#define SL_SIGNED(W, C, SIZE)                                                                      \
    ((W[(C) * (SIZE) / 4] << (32 - (SIZE) * 8 - (C) * (SIZE) % 4 * 8)) >> (32 - (SIZE) * 8))
#define SL_EACH(VALUE)                                                                             \
    do {                                                                                           \
        I sl_c[4];                                                                                 \
        SL_EACH_CHANNEL sl_c[c] = (VALUE);                           \
        SL_EACH_CHANNEL v[c] = sl_c[c];                              \
    } while (0)

/* `late`: bytes are divided when they are through the filter. */
SL_INLINE void SL_OF(sl_decode)(I *v, uint type, bool late)
{
    switch (type) {
    case CLK_UNORM_INT8:
        SL_EACH(SL_BITS(SL_TO_F(SL_UNSIGNED(v, c, 1))));
        if (!late)
            SL_EACH(SL_BITS(SL_OVER(SL_NUMBER(v[c]), 255.0f)));
        break;
    case CLK_UNORM_INT16:
        SL_EACH(SL_BITS(SL_OVER(SL_TO_F(SL_UNSIGNED(v, c, 2)), 65535.0f)));
        break;
    case CLK_SNORM_INT8:
        SL_EACH(SL_BITS(SL_OF(sl_signed_over)(SL_TO_F(SL_SIGNED(v, c, 1)), 127.0f)));
        break;
    case CLK_SNORM_INT16:
        SL_EACH(SL_BITS(SL_OF(sl_signed_over)(SL_TO_F(SL_SIGNED(v, c, 2)), 32767.0f)));
        break;
    case CLK_HALF_FLOAT:
        SL_EACH(SL_BITS(SL_OF(sl_half)(SL_UNSIGNED(v, c, 2))));
        break;
    }
}

SL_INLINE void SL_OF(sl_decode_int)(I *v, uint type)
{
    switch (type) {
    case CLK_SIGNED_INT8:
        SL_EACH(SL_SIGNED(v, c, 1));
        break;
    case CLK_UNSIGNED_INT8:
        SL_EACH(SL_UNSIGNED(v, c, 1));
        break;
    case CLK_SIGNED_INT16:
        SL_EACH(SL_SIGNED(v, c, 2));
        break;
    case CLK_UNSIGNED_INT16:
        SL_EACH(SL_UNSIGNED(v, c, 2));
        break;
    }
}

SL_INLINE void SL_OF(sl_set)(I *v, I r, I g, I b, I a)
{
    v[0] = r, v[1] = g, v[2] = b, v[3] = a;
}

SL_INLINE void SL_OF(sl_arrange)(I *v, uint order, int one)
{
    I zero = (I)0;
    switch (order) {
    case CLK_RGBA:
    case SL_SRGBA:
        break;
    case CLK_BGRA:
    case SL_SBGRA:
        SL_OF(sl_set)(v, v[2], v[1], v[0], v[3]);
        break;
    case CLK_ARGB:
        SL_OF(sl_set)(v, v[1], v[2], v[3], v[0]);
        break;
    case CLK_ABGR:
        SL_OF(sl_set)(v, v[3], v[2], v[1], v[0]);
        break;
    case CLK_RA:
        SL_OF(sl_set)(v, v[0], zero, zero, v[1]);
        break;
    case CLK_A:
        SL_OF(sl_set)(v, zero, zero, zero, v[0]);
        break;
    case CLK_INTENSITY:
        SL_OF(sl_set)(v, v[0], v[0], v[0], v[0]);
        break;
    case CLK_LUMINANCE:
        SL_OF(sl_set)(v, v[0], v[0], v[0], (I)one);
        break;
    default:
        v[3] = (I)one;
    }
}

/* Which ones are outside; those are at the first element from now on. There are such only where
 * `border` says so. */
SL_INLINE I SL_OF(sl_take_in)(struct SL_OF(sl_place) *at, uint shape, bool border, bool *any)
{
    I all = at->x;
    if (SL_HAS_Y(shape))
        all |= at->y;
    if (SL_HAS_Z(shape))
        all |= at->z;
    I outside = all < 0;
    *any = border && __builtin_reduce_or(all & INT_MIN);
    if (*any) {
        at->x = outside ? (I)0 : at->x;
        at->y = outside ? (I)0 : at->y;
        at->z = outside ? (I)0 : at->z;
    }
    return outside;
}

SL_INLINE void SL_OF(sl_decode_srgb)(I *v)
{
    union {
        I all[4];
        float each[4][SL_N];
    } colors;
    colors.all[0] = v[0];
    _Pragma("clang loop unroll(disable)") for (int k = 0; k < SL_N; k++)
    {
        float4 one = sl_srgb_decode(as_uchar4(colors.each[0][k]));
        SL_EACH_CHANNEL
            colors.each[c][k] = one[c];
    }
    SL_EACH_CHANNEL
        v[c] = colors.all[c];
}

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

/* ---- linear filters ------------------------------------------------------------------------- */

struct SL_OF(sl_spot) {
    struct SL_OF(sl_taps) x, y, z;
};

/* Any format, any number of dimensions, or no filter: the common ones have their own below. */
SL_INLINE void SL_OF(sl_filter)(sl_image_ptr image, const struct SL_OF(sl_spot) *at, uint shape,
                                bool border, bool linear, bool late, I *out)
{
    int last_y = linear && SL_HAS_Y(shape), last_z = linear && SL_IS_3D(shape);
    F row[4], plane[4], all[4];
    _Pragma("clang loop unroll(disable)") for (int z = 0; z <= last_z; z++)
    {
        _Pragma("clang loop unroll(disable)") for (int y = 0; y <= last_y; y++)
        {
            _Pragma("clang loop unroll(disable)") for (int x = 0; x <= linear; x++)
            {
                I v[4];
                struct SL_OF(sl_place) place = {x ? at->x.high : at->x.low,
                                                y ? at->y.high : at->y.low,
                                                z ? at->z.high : at->z.low};
                SL_OF(sl_fetch)(image, place, shape, border, false, late, v);
                SL_EACH_CHANNEL
                    row[c] = !linear ? SL_NUMBER(v[c])
                             : x     ? row[c] + SL_NUMBER(v[c]) * at->x.weight
                                     : SL_NUMBER(v[c]) * (1.0f - at->x.weight);
            }
            SL_EACH_CHANNEL
                plane[c] = !last_y ? row[c]
                           : y     ? plane[c] + row[c] * at->y.weight
                                   : row[c] * (1.0f - at->y.weight);
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
SL_INLINE void SL_OF(sl_raw)(sl_image_ptr image, I x, I y, I z, uint shape, bool border,
                            uint bytes, I *v)
{
    bool any;
    struct SL_OF(sl_place) at = {x, y, z};
    I outside = SL_OF(sl_take_in)(&at, shape, border, &any);
    SL_OF(sl_load)(image, &at, shape, bytes, v);
    if (any)
        SL_EACH_CHANNEL
            v[c] = outside ? (I)0 : v[c];
}

/* Of one or two dimensions, four channels of bytes or floats, before the order of channels. */
SL_INLINE void SL_OF(sl_filter_plain)(sl_image_ptr image, const struct SL_OF(sl_spot) *at,
                                      uint shape, bool border, uint bytes, I *out)
{
    I v[4][4];
    F left = 1.0f - at->x.weight, up = 1.0f - at->y.weight;
    SL_OF(sl_raw)(image, at->x.low, at->y.low, at->z.low, shape, border, bytes, v[0]);
    SL_OF(sl_raw)(image, at->x.high, at->y.low, at->z.low, shape, border, bytes, v[1]);
    if (SL_HAS_Y(shape)) {
        SL_OF(sl_raw)(image, at->x.low, at->y.high, at->z.low, shape, border, bytes, v[2]);
        SL_OF(sl_raw)(image, at->x.high, at->y.high, at->z.low, shape, border, bytes, v[3]);
    }
    SL_EACH_CHANNEL
    {
#define SL_RAW(T) (bytes == 4 ? SL_TO_F(SL_UNSIGNED(v[T], c, 1)) : SL_NUMBER(v[T][c]))
        F plane = SL_RAW(0) * left + SL_RAW(1) * at->x.weight;
        if (SL_HAS_Y(shape))
            plane = plane * up + (SL_RAW(2) * left + SL_RAW(3) * at->x.weight) * at->y.weight;
#undef SL_RAW
        out[c] = SL_BITS(bytes == 4 ? SL_OVER(plane, 255.0f) : plane);
    }
}

/* ---- reading -------------------------------------------------------------------------------- */

/* In: coordinates x, y, z as their shape has them; out: red, green, blue, alpha. */
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

void SL_OF(sl_sample)(sl_image_ptr, uint, private F *, uint) SL_LANES("sl_image_sample");
void SL_OF(sl_sample)(sl_image_ptr image, uint sampler, private F *at, uint shape)
{
    struct SL_OF(sl_spot) spot;
    I v[4];
    SL_OF(sl_find_spot)(image, sampler, at, shape, &spot);
    bool linear = sampler & CLK_FILTER_LINEAR, border = sl_lanes_have_border(sampler);
    bool plain = linear && !SL_IS_3D(shape);
    uint type = image->channel_type, bytes = image->elem_bytes, order = image->channel_order;
    bool late = linear && type == CLK_UNORM_INT8 && bytes == 4 && order != SL_SRGBA &&
                order != SL_SBGRA;
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
    uint addressing = (sampler & 0xe) == CLK_ADDRESS_CLAMP ? CLK_ADDRESS_CLAMP
                                                           : CLK_ADDRESS_CLAMP_TO_EDGE;
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

/* ---- writing -------------------------------------------------------------------------------- */

/* To the nearest integer from `least` to `most`; NaN is 0. */
SL_INLINE I SL_OF(sl_rounded)(F x, float least, float most)
{
    x = x == x ? x : (F)0.0f;
    x = x > least ? x : (F)least;
    x = x < most ? x : (F)most;
    return __builtin_convertvector(__builtin_elementwise_rint(x), I);
}

SL_INLINE I SL_OF(sl_to_half)(F x)
{
    typedef SL_JOIN(half, SL_N) halves;
    halves near = __builtin_convertvector(x, halves);
    return __builtin_convertvector(SL_JOIN(as_ushort, SL_N)(near), I);
}

/* Four channels of one or two bytes next to each other. */
SL_INLINE void SL_OF(sl_pack)(I *v, uint size)
{
    int mask = (1 << size * 8) - 1;
    SL_EACH_CHANNEL
        v[c] &= mask;
    if (size == 1) {
        v[0] = v[0] | v[1] << 8 | v[2] << 16 | v[3] << 24;
    } else {
        v[0] = v[0] | v[1] << 16;
        v[1] = v[2] | v[3] << 16;
    }
}

#define SL_SCALED(C, BY, LEAST) SL_OF(sl_rounded)(SL_NUMBER(v[C]) * (BY), LEAST, BY)
#define SL_ENCODE(VALUE, SIZE)                                                                     \
    do {                                                                                           \
        SL_EACH_CHANNEL v[c] = (VALUE);                                                            \
        SL_OF(sl_pack)(v, SIZE);                                                                   \
    } while (0)

SL_INLINE void SL_OF(sl_encode)(I *v, uint type)
{
    switch (type) {
    case CLK_UNORM_INT8:
        SL_ENCODE(SL_SCALED(c, 255.0f, 0.0f), 1);
        break;
    case CLK_UNORM_INT16:
        SL_ENCODE(SL_SCALED(c, 65535.0f, 0.0f), 2);
        break;
    case CLK_SNORM_INT8:
        SL_ENCODE(SL_SCALED(c, 127.0f, -128.0f), 1);
        break;
    case CLK_SNORM_INT16:
        SL_ENCODE(SL_SCALED(c, 32767.0f, -32768.0f), 2);
        break;
    case CLK_HALF_FLOAT:
        SL_ENCODE(SL_OF(sl_to_half)(SL_NUMBER(v[c])), 2);
        break;
    }
}

SL_INLINE I SL_OF(sl_between)(I x, int least, int most)
{
    x = x > least ? x : (I)least;
    return x < most ? x : (I)most;
}

SL_INLINE I SL_OF(sl_at_most)(I x, int most)
{
    return ((x < 0) | (x > most)) ? (I)most : x;
}

SL_INLINE void SL_OF(sl_encode_int)(I *v, uint type)
{
    switch (type) {
    case CLK_SIGNED_INT8:
        SL_ENCODE(SL_OF(sl_between)(v[c], -128, 127), 1);
        break;
    case CLK_SIGNED_INT16:
        SL_ENCODE(SL_OF(sl_between)(v[c], -32768, 32767), 2);
        break;
    case CLK_UNSIGNED_INT8:
        SL_ENCODE(SL_OF(sl_at_most)(v[c], 255), 1);
        break;
    case CLK_UNSIGNED_INT16:
        SL_ENCODE(SL_OF(sl_at_most)(v[c], 65535), 2);
        break;
    }
}
#undef SL_SCALED
#undef SL_ENCODE

SL_INLINE void SL_OF(sl_encode_srgb)(I *v)
{
    union {
        I all[4];
        float each[4][SL_N];
    } colors;
    SL_EACH_CHANNEL
        colors.all[c] = v[c];
    _Pragma("clang loop unroll(disable)") for (int k = 0; k < SL_N; k++)
    {
        float4 one = sl_srgb_encode((float4)(colors.each[0][k], colors.each[1][k],
                                             colors.each[2][k], colors.each[3][k]));
        SL_EACH_CHANNEL
            colors.each[c][k] = one[c];
    }
    SL_EACH_CHANNEL
        v[c] = colors.all[c];
}

SL_INLINE void SL_OF(sl_arrange_back)(I *v, uint order)
{
    switch (order) {
    case CLK_BGRA:
    case SL_SBGRA:
        SL_OF(sl_set)(v, v[2], v[1], v[0], v[3]);
        break;
    case CLK_ARGB:
    case CLK_A:
        SL_OF(sl_set)(v, v[3], v[0], v[1], v[2]);
        break;
    case CLK_ABGR:
        SL_OF(sl_set)(v, v[3], v[2], v[1], v[0]);
        break;
    case CLK_RA:
        SL_OF(sl_set)(v, v[0], v[3], v[2], v[1]);
        break;
    }
}

#define SL_PUT(T, VALUE) (*(SL_JOIN(SL_JOIN(T, SL_N), _anywhere) *)to = (VALUE))

/* The inverse of sl_fours. */
SL_INLINE void SL_OF(sl_put_fours)(const I *v, uchar *to)
{
    int4_anywhere *all = (int4_anywhere *)to;
    I ab = SL_MIX(v[0], v[1], 0, 4, 1, 5), cd = SL_MIX(v[2], v[3], 0, 4, 1, 5);
    SL_PUT_QUARTER(all, 0, SL_MIX(ab, cd, 0, 1, 4, 5));
    SL_PUT_QUARTER(all, 1, SL_MIX(ab, cd, 2, 3, 6, 7));
    ab = SL_MIX(v[0], v[1], 2, 6, 3, 7), cd = SL_MIX(v[2], v[3], 2, 6, 3, 7);
    SL_PUT_QUARTER(all, 2, SL_MIX(ab, cd, 0, 1, 4, 5));
    SL_PUT_QUARTER(all, 3, SL_MIX(ab, cd, 2, 3, 6, 7));
}

/* Words of elements side by side. */
SL_INLINE void SL_OF(sl_put)(const I *v, uint bytes, uchar *to)
{
    typedef SL_JOIN(long, SL_N) longs;
    typedef SL_JOIN(uchar, SL_N) uchars;
    typedef SL_JOIN(ushort, SL_N) ushorts;
    switch (bytes) {
    case 1:
        SL_PUT(uchar, __builtin_convertvector(v[0], uchars));
        break;
    case 2:
        SL_PUT(ushort, __builtin_convertvector(v[0], ushorts));
        break;
    case 4:
        SL_PUT(int, v[0]);
        break;
    case 8:
        SL_PUT(long, __builtin_convertvector(SL_JOIN(as_uint, SL_N)(v[0]), longs) |
                         __builtin_convertvector(SL_JOIN(as_uint, SL_N)(v[1]), longs) << 32);
        break;
    default:
        SL_OF(sl_put_fours)(v, to);
    }
}
#undef SL_PUT

#define SL_COPY(T)                                                                                 \
    _Pragma("clang loop unroll(disable)") for (int k = 0; k < SL_N; k++) if (SL_LANE(inside, k)) * \
        (global T##_anywhere *)SL_OF(sl_element)(                                                  \
            image, SL_LANE(aside->at.x, k), SL_LANE(aside->at.y, k), SL_LANE(aside->at.z, k),      \
            shape) = ((T *)aside->elements)[k]

/* Item by item, since the last one of a place wins. */
SL_INLINE void SL_OF(sl_spread)(sl_image_ptr image, const struct SL_OF(sl_aside) *aside,
                                I inside, uint shape)
{
    switch (image->elem_bytes) {
    case 1:
        SL_COPY(uchar);
        break;
    case 2:
        SL_COPY(ushort);
        break;
    case 4:
        SL_COPY(int);
        break;
    case 8:
        SL_COPY(long);
        break;
    default:
        SL_COPY(int4);
    }
}
#undef SL_COPY

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
        SL_OF(sl_put)(v, image->elem_bytes, (uchar *)SL_OF(sl_element)(image, at[0].s0,
                      aside.at.y.s0, aside.at.z.s0, shape));
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
