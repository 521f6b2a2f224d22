/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images: addressing, filtering, decoding and encoding of elements (OpenCL C 1.2, section 8). Not
 * inlined into kernels: a format is known only at run time, and one copy is enough. No access leaves
 * the image, whatever the coordinates. What filters many items at once (image_lanes_filter.h,
 * image_lanes_row.h) gives the same bits: they change together.
 */
#include "image/image_tap.h"

#define SL_CORE __attribute__((noinline))
#define SL_INLINE static __attribute__((always_inline))
/* The headers name them for OpenCL C 2.0 only. */
#define SL_SRGBA 0x10c1
#define SL_SBGRA 0x10c2

/* ---- elements -------------------------------------------------------------------------------- */

/* Channels of an element; those of one type have 1, 2 or 4 bytes. */
static uint sl_channel_count(sl_image_ptr image)
{
    switch (image->channel_type) {
    case CLK_SNORM_INT8:
    case CLK_UNORM_INT8:
    case CLK_SIGNED_INT8:
    case CLK_UNSIGNED_INT8:
        return image->elem_bytes;
    case CLK_SIGNED_INT32:
    case CLK_UNSIGNED_INT32:
    case CLK_FLOAT:
        return image->elem_bytes >> 2;
    default:
        return image->elem_bytes >> 1;
    }
}

/* The stored channels of one element as they are, missing ones zero. */
#define SL_GATHER(T, AT, COUNT)                                                                    \
    ((COUNT) == 4 ? vload4(0, (global const T *)(AT))                                              \
                  : (T##4)(((global const T *)(AT))[0],                                            \
                           (COUNT) > 1 ? ((global const T *)(AT))[1] : (T)0,                       \
                           (COUNT) > 2 ? ((global const T *)(AT))[2] : (T)0, (T)0))

static float4 sl_halves(global const uchar *at, uint count)
{
    global const half *from = (global const half *)at;
    return (float4)(vload_half(0, from), count > 1 ? vload_half(1, from) : 0.0f,
                    count > 2 ? vload_half(2, from) : 0.0f, count > 3 ? vload_half(3, from) : 0.0f);
}

static float4 sl_decode(global const uchar *at, uint type, uint count)
{
    switch (type) {
    case CLK_UNORM_INT8:
        return convert_float4(SL_GATHER(uchar, at, count)) / 255.0f;
    case CLK_UNORM_INT16:
        return convert_float4(SL_GATHER(ushort, at, count)) / 65535.0f;
    case CLK_SNORM_INT8:
        return fmax(convert_float4(SL_GATHER(char, at, count)) / 127.0f, -1.0f);
    case CLK_SNORM_INT16:
        return fmax(convert_float4(SL_GATHER(short, at, count)) / 32767.0f, -1.0f);
    case CLK_HALF_FLOAT:
        return sl_halves(at, count);
    default:
        return SL_GATHER(float, at, count);
    }
}

static int4 sl_decode_int(global const uchar *at, uint type, uint count)
{
    switch (type) {
    case CLK_SIGNED_INT8:
        return convert_int4(SL_GATHER(char, at, count));
    case CLK_UNSIGNED_INT8:
        return convert_int4(SL_GATHER(uchar, at, count));
    case CLK_SIGNED_INT16:
        return convert_int4(SL_GATHER(short, at, count));
    case CLK_UNSIGNED_INT16:
        return convert_int4(SL_GATHER(ushort, at, count));
    default:
        return SL_GATHER(int, at, count);
    }
}

/* Stored channels to red, green, blue, alpha. */
#define SL_ARRANGE(T)                                                                              \
    static T##4 sl_arrange_##T(T##4 v, uint order)                                                 \
    {                                                                                              \
        switch (order) {                                                                           \
        case CLK_BGRA:                                                                             \
        case SL_SBGRA:                                                                             \
            return v.zyxw;                                                                         \
        case CLK_ARGB:                                                                             \
            return v.yzwx;                                                                         \
        case CLK_ABGR:                                                                             \
            return v.wzyx;                                                                         \
        case CLK_RA:                                                                               \
            return (T##4)(v.x, 0, 0, v.y);                                                         \
        case CLK_A:                                                                                \
            return (T##4)(0, 0, 0, v.x);                                                           \
        case CLK_INTENSITY:                                                                        \
            return v.xxxx;                                                                         \
        case CLK_LUMINANCE:                                                                        \
            return (T##4)(v.xxx, 1);                                                               \
        case CLK_RGBA:                                                                             \
        case SL_SRGBA:                                                                             \
            return v;                                                                              \
        default:                                                                                   \
            return (T##4)(v.xyz, 1);                                                               \
        }                                                                                          \
    }
SL_ARRANGE(float)
SL_ARRANGE(int)

#define SL_ARRANGE_BACK(T)                                                                           \
    static T##4 sl_arrange_back_##T(T##4 v, uint order)                                            \
    {                                                                                              \
        switch (order) {                                                                           \
        case CLK_BGRA:                                                                             \
        case SL_SBGRA:                                                                             \
            return v.zyxw;                                                                         \
        case CLK_ARGB:                                                                             \
            return v.wxyz;                                                                         \
        case CLK_ABGR:                                                                             \
            return v.wzyx;                                                                         \
        case CLK_RA:                                                                               \
            return v.xwzy;                                                                         \
        case CLK_A:                                                                                \
            return v.wxyz;                                                                         \
        default:                                                                                   \
            return v;                                                                              \
        }                                                                                          \
    }
SL_ARRANGE_BACK(float)
SL_ARRANGE_BACK(int)

static bool sl_has_alpha(uint order)
{
    switch (order) {
    case CLK_R:
    case CLK_RG:
    case CLK_RGB:
    case CLK_LUMINANCE:
    case CLK_DEPTH:
        return false;
    default:
        return true;
    }
}

static bool sl_is_srgb(uint order)
{
    return order == SL_SRGBA || order == SL_SBGRA;
}

static global uchar *sl_element(sl_image_ptr image, int x, int y, int z)
{
    return image->data + (ulong)x * image->elem_bytes + (ulong)y * image->row_pitch +
           (ulong)z * image->slice_pitch;
}

static float4 sl_fetch(sl_image_ptr image, int x, int y, int z)
{
    uint order = image->channel_order;
    if (x == SL_OUTSIDE || y == SL_OUTSIDE || z == SL_OUTSIDE)
        return (float4)(0, 0, 0, sl_has_alpha(order) ? 0 : 1);
    if (sl_is_srgb(order))
        return sl_arrange_float(sl_srgb_decode(vload4(0, sl_element(image, x, y, z))), order);
    uint type = image->channel_type;
    uint count = sl_channel_count(image);
    return sl_arrange_float(sl_decode(sl_element(image, x, y, z), type, count), order);
}

static int4 sl_fetch_int(sl_image_ptr image, int x, int y, int z)
{
    uint order = image->channel_order;
    if (x == SL_OUTSIDE || y == SL_OUTSIDE || z == SL_OUTSIDE)
        return (int4)(0, 0, 0, sl_has_alpha(order) ? 0 : 1);
    uint type = image->channel_type;
    uint count = sl_channel_count(image);
    return sl_arrange_int(sl_decode_int(sl_element(image, x, y, z), type, count), order);
}

/* ---- coordinates ----------------------------------------------------------------------------- */

static struct sl_taps sl_tap_z(sl_image_ptr image, float z, uint sampler, uint shape)
{
    if ((shape & 3) == SL_SHAPE_3D)
        return sl_tap(z, (int)image->depth, sampler);
    int layer = shape & SL_SHAPE_LAYERS ? sl_layer(z, image->array_size) : 0;
    return (struct sl_taps){layer, layer, 0.0f};
}

static struct sl_taps sl_tap_y(sl_image_ptr image, float y, uint sampler, uint shape)
{
    if ((shape & 3) == SL_SHAPE_1D)
        return (struct sl_taps){0, 0, 0.0f};
    return sl_tap(y, (int)image->height, sampler);
}

/* Repetition is for normalised coordinates only; here it must not leave the image. */
static int4 sl_whole(sl_image_ptr image, int4 at, uint sampler, uint shape)
{
    uint addressing = (sampler & 0xe) == CLK_ADDRESS_CLAMP ? CLK_ADDRESS_CLAMP
                                                           : CLK_ADDRESS_CLAMP_TO_EDGE;
    int4 result = (int4)(sl_inside(at.x, (int)image->width, addressing), 0, 0, 0);
    if ((shape & 3) != SL_SHAPE_1D)
        result.y = sl_inside(at.y, (int)image->height, addressing);
    if ((shape & 3) == SL_SHAPE_3D)
        result.z = sl_inside(at.z, (int)image->depth, addressing);
    else if (shape & SL_SHAPE_LAYERS)
        result.z = clamp(at.z, 0, (int)image->array_size - 1);
    return result;
}

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * Elements on their way through a filter. The two common four-channel types are filtered as they are
 * stored, so that their type is looked at once for all elements; channels change places at the end.
 */
enum sl_storage { SL_STORED_ANY, SL_STORED_BYTES, SL_STORED_FLOATS };

static uint sl_storage_of(sl_image_ptr image)
{
    if (image->channel_type == CLK_UNORM_INT8 && image->elem_bytes == 4 &&
        !sl_is_srgb(image->channel_order))
        return SL_STORED_BYTES;
    return image->channel_type == CLK_FLOAT && image->elem_bytes == 16 ? SL_STORED_FLOATS
                                                                       : SL_STORED_ANY;
}

/* Four-channel orders have a border of zeros. */
SL_INLINE float4 sl_raw(sl_image_ptr image, int x, int y, int z, uint storage)
{
    if (storage == SL_STORED_ANY)
        return sl_fetch(image, x, y, z);
    if ((x | y | z) < 0)
        return (float4)(0);
    global uchar *at = sl_element(image, x, y, z);
    return storage == SL_STORED_BYTES ? convert_float4(vload4(0, at))
                                      : vload4(0, (global const float *)at);
}

SL_INLINE float4 sl_filter_column(sl_image_ptr image, int x, struct sl_taps y, int z, uint shape,
                                  uint storage)
{
    if ((shape & 3) == SL_SHAPE_1D)
        return sl_raw(image, x, 0, z, storage);
    return sl_raw(image, x, y.low, z, storage) * (1.0f - y.weight) +
           sl_raw(image, x, y.high, z, storage) * y.weight;
}

/* Columns first: neighbours of a row share them (image_lanes_row.h). */
SL_INLINE float4 sl_filter_plane(sl_image_ptr image, struct sl_taps x, struct sl_taps y, int z,
                                 uint shape, uint storage)
{
    return sl_filter_column(image, x.low, y, z, shape, storage) * (1.0f - x.weight) +
           sl_filter_column(image, x.high, y, z, shape, storage) * x.weight;
}

SL_INLINE float4 sl_filter(sl_image_ptr image, struct sl_taps x, struct sl_taps y, struct sl_taps z,
                           uint shape, uint storage)
{
    float4 plane = sl_filter_plane(image, x, y, z.low, shape, storage);
    if ((shape & 3) != SL_SHAPE_3D)
        return plane;
    return plane * (1.0f - z.weight) +
           sl_filter_plane(image, x, y, z.high, shape, storage) * z.weight;
}

SL_CORE float4 sl_image_sample(sl_image_ptr image, uint sampler, float4 at, uint shape)
{
    struct sl_taps x = sl_tap(at.x, (int)image->width, sampler);
    struct sl_taps y = sl_tap_y(image, at.y, sampler, shape);
    struct sl_taps z = sl_tap_z(image, at.z, sampler, shape);
    if (!(sampler & CLK_FILTER_LINEAR))
        return sl_fetch(image, x.low, y.low, z.low);
    switch (sl_storage_of(image)) {
    case SL_STORED_BYTES:
        return sl_arrange_float(sl_filter(image, x, y, z, shape, SL_STORED_BYTES) / 255.0f,
                                image->channel_order);
    case SL_STORED_FLOATS:
        return sl_arrange_float(sl_filter(image, x, y, z, shape, SL_STORED_FLOATS),
                                image->channel_order);
    default:
        return sl_filter(image, x, y, z, shape, SL_STORED_ANY);
    }
}

/* Integers are not filtered (section 8.2: undefined with a linear filter). */
SL_CORE int4 sl_image_sample_int(sl_image_ptr image, uint sampler, float4 at, uint shape)
{
    uint nearest = sampler & ~(uint)CLK_FILTER_LINEAR;
    struct sl_taps x = sl_tap(at.x, (int)image->width, nearest);
    struct sl_taps y = sl_tap_y(image, at.y, nearest, shape);
    struct sl_taps z = sl_tap_z(image, at.z, nearest, shape);
    return sl_fetch_int(image, x.low, y.low, z.low);
}

SL_CORE float4 sl_image_read(sl_image_ptr image, uint sampler, int4 at, uint shape)
{
    int4 inside = sl_whole(image, at, sampler, shape);
    return sl_fetch(image, inside.x, inside.y, inside.z);
}

SL_CORE int4 sl_image_read_int(sl_image_ptr image, uint sampler, int4 at, uint shape)
{
    int4 inside = sl_whole(image, at, sampler, shape);
    return sl_fetch_int(image, inside.x, inside.y, inside.z);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The first `COUNT` components of V. */
#define SL_SCATTER(T, AT, COUNT, V)                                                                \
    do {                                                                                           \
        T##4 sl_v = (V);                                                                           \
        global T *sl_to = (global T *)(AT);                                                        \
        if ((COUNT) == 4) {                                                                        \
            vstore4(sl_v, 0, sl_to);                                                               \
        } else {                                                                                   \
            sl_to[0] = sl_v.x;                                                                     \
            if ((COUNT) > 1)                                                                       \
                sl_to[1] = sl_v.y;                                                                 \
            if ((COUNT) > 2)                                                                       \
                sl_to[2] = sl_v.z;                                                                 \
        }                                                                                          \
    } while (0)

static bool sl_is_inside(sl_image_ptr image, int4 at, uint shape)
{
    if (at.x < 0 || (uint)at.x >= image->width)
        return false;
    if ((shape & 3) != SL_SHAPE_1D && (at.y < 0 || (uint)at.y >= image->height))
        return false;
    if ((shape & 3) == SL_SHAPE_3D)
        return at.z >= 0 && (uint)at.z < image->depth;
    return !(shape & SL_SHAPE_LAYERS) || (at.z >= 0 && (uint)at.z < image->array_size);
}

static global uchar *sl_target(sl_image_ptr image, int4 at, uint shape)
{
    int y = (shape & 3) == SL_SHAPE_1D ? 0 : at.y;
    int z = (shape & 3) == SL_SHAPE_3D || shape & SL_SHAPE_LAYERS ? at.z : 0;
    return sl_element(image, at.x, y, z);
}

SL_CORE void sl_image_write(sl_image_ptr image, int4 at, float4 color, uint shape)
{
    if (!sl_is_inside(image, at, shape))
        return;
    global uchar *to = sl_target(image, at, shape);
    uint type = image->channel_type;
    uint count = sl_channel_count(image);
    if (sl_is_srgb(image->channel_order))
        color = sl_srgb_encode(color);
    float4 v = sl_arrange_back_float(color, image->channel_order);
    switch (type) {
    case CLK_UNORM_INT8:
        SL_SCATTER(uchar, to, count, convert_uchar4_sat_rte(v * 255.0f));
        break;
    case CLK_UNORM_INT16:
        SL_SCATTER(ushort, to, count, convert_ushort4_sat_rte(v * 65535.0f));
        break;
    case CLK_SNORM_INT8:
        SL_SCATTER(char, to, count, convert_char4_sat_rte(v * 127.0f));
        break;
    case CLK_SNORM_INT16:
        SL_SCATTER(short, to, count, convert_short4_sat_rte(v * 32767.0f));
        break;
    case CLK_HALF_FLOAT:
        for (uint i = 0; i < count; i++)
            vstore_half_rte(v[i], i, (global half *)to);
        break;
    default:
        SL_SCATTER(float, to, count, v);
    }
}

/* The image tells the sign: instructions of SPIR-V that write integers need not. */
static void sl_write_whole(sl_image_ptr image, int4 at, int4 color, uint shape)
{
    if (!sl_is_inside(image, at, shape))
        return;
    global uchar *to = sl_target(image, at, shape);
    uint type = image->channel_type;
    uint count = sl_channel_count(image);
    int4 v = sl_arrange_back_int(color, image->channel_order);
    switch (type) {
    case CLK_SIGNED_INT8:
        SL_SCATTER(char, to, count, convert_char4_sat(v));
        break;
    case CLK_SIGNED_INT16:
        SL_SCATTER(short, to, count, convert_short4_sat(v));
        break;
    case CLK_UNSIGNED_INT8:
        SL_SCATTER(uchar, to, count, convert_uchar4_sat(as_uint4(v)));
        break;
    case CLK_UNSIGNED_INT16:
        SL_SCATTER(ushort, to, count, convert_ushort4_sat(as_uint4(v)));
        break;
    default:
        SL_SCATTER(int, to, count, v);
    }
}

SL_CORE void sl_image_write_int(sl_image_ptr image, int4 at, int4 color, uint shape)
{
    sl_write_whole(image, at, color, shape);
}

SL_CORE void sl_image_write_uint(sl_image_ptr image, int4 at, uint4 color, uint shape)
{
    sl_write_whole(image, at, as_int4(color), shape);
}
