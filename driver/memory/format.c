/* SPDX-License-Identifier: Apache-2.0 */
/* Image formats: one row per channel order, one per channel type. No state. */
#include "memory/format.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/query/info.h" /* SL_LEN */

enum family { UNORM, SNORM, SIGNED, UNSIGNED, HALF, FLOAT };

struct type_row {
    cl_channel_type type;
    enum family family;
    unsigned bytes;
};

static const struct type_row types[] = {
    {CL_SNORM_INT8, SNORM, 1},        {CL_SNORM_INT16, SNORM, 2},
    {CL_UNORM_INT8, UNORM, 1},        {CL_UNORM_INT16, UNORM, 2},
    {CL_SIGNED_INT8, SIGNED, 1},      {CL_SIGNED_INT16, SIGNED, 2},
    {CL_SIGNED_INT32, SIGNED, 4},     {CL_UNSIGNED_INT8, UNSIGNED, 1},
    {CL_UNSIGNED_INT16, UNSIGNED, 2}, {CL_UNSIGNED_INT32, UNSIGNED, 4},
    {CL_HALF_FLOAT, HALF, 2},         {CL_FLOAT, FLOAT, 4},
};

enum { ANY_TYPE, BYTES_ONLY, NORMALIZED_OR_FLOAT, DEPTH_TYPES, SRGB_BYTES };

struct order_row {
    cl_channel_order order;
    unsigned channels;
    int which;             /* types that may go with it */
    unsigned char from[4]; /* stored channel i comes from component from[i] of the colour */
};

static const struct order_row orders[] = {
    {CL_RGBA, 4, ANY_TYPE, {0, 1, 2, 3}},
    {CL_BGRA, 4, BYTES_ONLY, {2, 1, 0, 3}},
    {CL_ARGB, 4, BYTES_ONLY, {3, 0, 1, 2}},
    {CL_R, 1, ANY_TYPE, {0}},
    {CL_RG, 2, ANY_TYPE, {0, 1}},
    {CL_RA, 2, ANY_TYPE, {0, 3}},
    {CL_A, 1, ANY_TYPE, {3}},
    {CL_INTENSITY, 1, NORMALIZED_OR_FLOAT, {0}},
    {CL_LUMINANCE, 1, NORMALIZED_OR_FLOAT, {0}},
    {CL_DEPTH, 1, DEPTH_TYPES, {0}},
    {CL_sRGBA, 4, SRGB_BYTES, {0, 1, 2, 3}},
    {CL_sBGRA, 4, SRGB_BYTES, {2, 1, 0, 3}},
};

static const struct order_row *find_order(cl_channel_order order)
{
    for (size_t i = 0; i < SL_LEN(orders); i++)
        if (orders[i].order == order)
            return &orders[i];
    return NULL;
}

static const struct type_row *find_type(cl_channel_type type)
{
    for (size_t i = 0; i < SL_LEN(types); i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

static bool goes_with(const struct order_row *order, const struct type_row *type)
{
    const bool integer = type->family == SIGNED || type->family == UNSIGNED;
    switch (order->which) {
    case BYTES_ONLY:
        return type->bytes == 1;
    case NORMALIZED_OR_FLOAT:
        return !integer;
    case DEPTH_TYPES:
        return type->type == CL_UNORM_INT16 || type->type == CL_FLOAT;
    case SRGB_BYTES:
        return type->type == CL_UNORM_INT8;
    default:
        return true;
    }
}

/* Formats of the specification that need not be there and are not: valid descriptors. */
static bool known_elsewhere(const cl_image_format *format)
{
    const cl_channel_type type = format->image_channel_data_type;
    const bool packed = type >= CL_UNORM_SHORT_565 && type <= CL_UNORM_INT_101010;
    switch (format->image_channel_order) {
    case CL_RGB:
    case CL_RGBx:
        return packed;
    case CL_RGBA:
        return type == CL_UNORM_INT_101010_2;
    case CL_Rx:
    case CL_RGx:
        return find_type(type);
    case CL_DEPTH_STENCIL:
        return type == CL_UNORM_INT24 || type == CL_FLOAT;
    case CL_sRGB:
    case CL_sRGBx:
        return type == CL_UNORM_INT8;
    case CL_ABGR:
        return find_type(type) && find_type(type)->bytes == 1;
    default:
        return false;
    }
}

bool sl_format_valid(const cl_image_format *format)
{
    const struct order_row *order = find_order(format->image_channel_order);
    const struct type_row *type = find_type(format->image_channel_data_type);
    if (order && type)
        return goes_with(order, type);
    return known_elsewhere(format);
}

size_t sl_format_bytes(const cl_image_format *format)
{
    const struct order_row *order = find_order(format->image_channel_order);
    const struct type_row *type = find_type(format->image_channel_data_type);
    return order && type && goes_with(order, type) ? order->channels * type->bytes : 0;
}

bool sl_format_suits(const cl_image_format *format, cl_mem_object_type type)
{
    const struct order_row *order = find_order(format->image_channel_order);
    if (order && order->which == DEPTH_TYPES)
        return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    return !order || order->which != SRGB_BYTES || type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

cl_uint sl_format_list(cl_mem_object_type type, cl_mem_flags flags, cl_uint cap,
                       cl_image_format *out)
{
    cl_uint count = 0;
    for (size_t i = 0; i < SL_LEN(orders); i++)
        for (size_t j = 0; j < SL_LEN(types); j++) {
            const cl_image_format format = {orders[i].order, types[j].type};
            if (!goes_with(&orders[i], &types[j]) || !sl_format_suits(&format, type))
                continue;
            /* no image that one kernel reads and writes is sRGB */
            if ((flags & CL_MEM_KERNEL_READ_AND_WRITE) && orders[i].which == SRGB_BYTES)
                continue;
            if (out && count < cap)
                out[count] = format;
            count++;
        }
    return count;
}

/* Round to nearest even, as vstore_half does by default. */
static uint16_t half_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) /* rounds to infinity */
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { /* subnormal or zero in half precision */
        const float scaled = fabsf(value) * 0x1p24f;
        return (uint16_t)(sign | (uint32_t)nearbyintf(scaled));
    }
    const uint32_t odd = (magnitude >> 13) & 1u;
    return (uint16_t)(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

/* As kernels write it: scaled in single precision, rounded, saturated; a NaN becomes 0. */
static int32_t normalize(float v, float low, float high)
{
    const float scaled = v * high;
    return isnan(v) ? 0 : (int32_t)nearbyintf(scaled < low ? low : scaled > high ? high : scaled);
}

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

static void pack_channel(const struct type_row *type, const void *color, unsigned from,
                         unsigned char *out)
{
    const unsigned bits = type->bytes * 8;
    float f;
    int32_t i;
    uint32_t u = 0;
    memcpy(&f, (const char *)color + 4 * from, 4);
    memcpy(&i, (const char *)color + 4 * from, 4);
    switch (type->family) {
    case UNORM:
        u = (uint32_t)normalize(f, 0, (float)((1u << bits) - 1));
        break;
    case SNORM:
        u = (uint32_t)normalize(f, -(float)(1u << (bits - 1)), (float)((1u << (bits - 1)) - 1));
        break;
    case SIGNED:
        u = (uint32_t)(int32_t)clamp(i, -ldexp(1, (int)bits - 1), ldexp(1, (int)bits - 1) - 1);
        break;
    case UNSIGNED:
        memcpy(&u, &i, 4);
        u = (uint32_t)clamp(u, 0, ldexp(1, (int)bits) - 1);
        break;
    case HALF:
        u = half_from_float(f);
        break;
    case FLOAT:
        memcpy(&u, &f, 4);
        break;
    }
    memcpy(out, &u, type->bytes); /* little-endian */
}

/* Linear light to the sRGB curve, of a colour's red, green and blue. */
static void curve(float color[4])
{
    for (int c = 0; c < 3; c++) {
        const double v = color[c] > 0 ? fmin(color[c], 1) : 0; /* a NaN is 0 */
        color[c] = (float)(v < 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055);
    }
}

/* Apart, so that no arithmetic moves out of the mode that its caller sets. */
__attribute__((noinline)) static void pack(const cl_image_format *format, const void *color,
                                           unsigned char *out)
{
    const struct order_row *order = find_order(format->image_channel_order);
    const struct type_row *type = find_type(format->image_channel_data_type);
    float curved[4];
    if (order && order->which == SRGB_BYTES) {
        memcpy(curved, color, sizeof curved);
        curve(curved);
        color = curved;
    }
    for (unsigned c = 0; order && type && c < order->channels; c++)
        pack_channel(type, color, order->from[c], out + (size_t)c * type->bytes);
}

/* Rounded as kernels round, and without the application's traps. */
void sl_format_pack(const cl_image_format *format, const void *color, unsigned char *out)
{
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    pack(format, color, out);
    fesetenv(&callers);
}
