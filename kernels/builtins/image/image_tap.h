/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From one coordinate to elements (OpenCL C 1.2, section 8.2): for items in turn, and for what is
 * the same for all items of a vector.
 */
#ifndef SL_BUILTINS_IMAGE_TAP_H
#define SL_BUILTINS_IMAGE_TAP_H

#include "image/image.h"

#define SL_OUTSIDE (-1)

struct sl_taps { /* the elements that a coordinate lies between, and how near the second is */
    int low, high;
    float weight;
};

/* A filter without addressing mixes the border's colour in where it reaches beside the image, as
 * other implementations have it; programs ask for that without knowing. Elsewhere nothing is
 * promised, and the nearest element as good as any. */
static uint sl_addressing(uint sampler)
{
    bool filters_any =
        (sampler & (CLK_FILTER_LINEAR | 0xe)) == (CLK_FILTER_LINEAR | CLK_ADDRESS_NONE);
    return filters_any ? CLK_ADDRESS_CLAMP : sampler & 0xe;
}

static int sl_inside(int at, int size, uint addressing)
{
    if (addressing == CLK_ADDRESS_REPEAT)
        return at < 0 ? at + size : at >= size ? at - size : at;
    if (addressing == CLK_ADDRESS_CLAMP)
        return at < 0 || at >= size ? SL_OUTSIDE : at;
    at = at < 0 ? 0 : at;
    return at < size ? at : size - 1;
}

static struct sl_taps sl_tap(float s, int size, uint sampler)
{
    uint addressing = sl_addressing(sampler);
    float extent = (float)size;
    float u = sampler & CLK_NORMALIZED_COORDS_TRUE ? s * extent : s;
    if (addressing == CLK_ADDRESS_REPEAT)
        u = (s - __builtin_elementwise_floor(s)) * extent;
    else if (addressing == CLK_ADDRESS_MIRRORED_REPEAT)
        u = __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_rint(0.5f * s)) * extent;
    if (sampler & CLK_FILTER_LINEAR)
        u -= 0.5f;
    /* Where both elements are outside all is the same, but that a weight of infinity is no number
     * and that of an element may not be 0, as 0 times infinity is none; NaN ends at an edge. */
    u = u > -1.5f ? u : -1.5f;
    u = u < extent + 0.5f ? u : extent + 0.5f;
    float whole = __builtin_elementwise_floor(u);
    int low = (int)whole;
    return (struct sl_taps){sl_inside(low, size, addressing), sl_inside(low + 1, size, addressing),
                            u - whole};
}

static int sl_layer(float layer, uint count)
{
    float last = (float)(count - 1);
    layer = __builtin_elementwise_rint(layer);
    layer = layer > 0.0f ? layer : 0.0f;
    return (int)(layer < last ? layer : last);
}

#endif
