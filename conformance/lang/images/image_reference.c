/* SPDX-License-Identifier: Apache-2.0 */
/* See image_reference.h. No state. */
#include "image_reference.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "reference.h"

size_t image_channel_bytes(cl_channel_type type)
{
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return 1;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4;
    default:
        return 2;
    }
}

const char *image_channels(cl_channel_order order)
{
    switch (order) {
    case CL_RGBA:
    case CL_sRGBA:
        return "\0\1\2\3";
    case CL_BGRA:
    case CL_sBGRA:
        return "\2\1\0\3";
    case CL_ARGB:
        return "\3\0\1\2";
    case CL_RG:
        return "\0\1";
    case CL_RA:
        return "\0\3";
    case CL_A:
        return "\3";
    case CL_R:
    case CL_DEPTH:
    case CL_INTENSITY:
    case CL_LUMINANCE:
        return "\0";
    default:
        return NULL;
    }
}

size_t image_channel_count(cl_channel_order order)
{
    switch (order) {
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_sRGBA:
    case CL_sBGRA:
        return 4;
    case CL_RG:
    case CL_RA:
        return 2;
    default:
        return 1;
    }
}

int image_is_srgb(cl_channel_order order)
{
    return order == CL_sRGBA || order == CL_sBGRA;
}

double image_linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

char image_family(cl_channel_type type)
{
    if (type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32)
        return 'i';
    return type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32 ? 'u' : 'f';
}

static double decode(const unsigned char *at, cl_channel_type type)
{
    int64_t value = 0;
    memcpy(&value, at, image_channel_bytes(type));
    switch (type) {
    case CL_UNORM_INT8:
        return (double)value / 255;
    case CL_UNORM_INT16:
        return (double)value / 65535;
    case CL_SNORM_INT8:
        return fmax((int8_t)value / 127.0, -1);
    case CL_SNORM_INT16:
        return fmax((int16_t)value / 32767.0, -1);
    case CL_SIGNED_INT8:
        return (int8_t)value;
    case CL_SIGNED_INT16:
        return (int16_t)value;
    case CL_SIGNED_INT32:
        return (int32_t)value;
    case CL_HALF_FLOAT:
        return double_from_half((uint16_t)value);
    case CL_FLOAT: {
        float f;
        memcpy(&f, at, sizeof f);
        return f;
    }
    default:
        return (double)value;
    }
}

void image_decode(const unsigned char *at, const cl_image_format *format, double out[4])
{
    cl_channel_order order = format->image_channel_order;
    int has_alpha = order != CL_R && order != CL_RG && order != CL_LUMINANCE && order != CL_DEPTH;
    const char *which = image_channels(order);
    out[0] = out[1] = out[2] = 0;
    out[3] = has_alpha ? 0 : 1;
    size_t bytes = image_channel_bytes(format->image_channel_data_type);
    for (size_t i = 0; i < image_channel_count(order); i++)
        out[(int)which[i]] = decode(at + i * bytes, format->image_channel_data_type);
    for (int c = 0; c < 3 && image_is_srgb(order); c++)
        out[c] = image_linear(out[c]);
    if (order == CL_INTENSITY || order == CL_LUMINANCE)
        out[1] = out[2] = out[0];
    if (order == CL_INTENSITY)
        out[3] = out[0];
}
