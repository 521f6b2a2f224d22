/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of image_lanes_body.h: from red, green, blue and alpha to what is stored.
 */

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
        SL_EACH_CHANNEL                                                                            \
            v[c] = (VALUE);                                                                        \
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
        float4 one = sl_srgb_encode(
            (float4)(colors.each[0][k], colors.each[1][k], colors.each[2][k], colors.each[3][k]));
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
