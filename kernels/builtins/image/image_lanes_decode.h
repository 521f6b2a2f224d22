/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of image_lanes_body.h: from what is stored to red, green, blue and alpha.
 */

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
        SL_EACH_CHANNEL                                                                            \
            sl_c[c] = (VALUE);                                                                     \
        SL_EACH_CHANNEL                                                                            \
            v[c] = sl_c[c];                                                                        \
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
