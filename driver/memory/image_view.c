/* SPDX-License-Identifier: Apache-2.0 */
/* Which 2D images may lie over another one (5.3.1, image_desc->mem_object). Constant table, no
 * lock. */
#include "base/log/error.h"
#include "base/query/info.h"
#include "memory/image.h"

/* The same bytes with another meaning, in both directions. */
static const cl_channel_order pairs[][2] = {
    {CL_RGBA, CL_sRGBA},
    {CL_BGRA, CL_sBGRA},
    {CL_R, CL_DEPTH},
};

static bool is_pair(cl_channel_order one, cl_channel_order other)
{
    for (size_t i = 0; i < SL_LEN(pairs); i++)
        if ((pairs[i][0] == one && pairs[i][1] == other) ||
            (pairs[i][1] == one && pairs[i][0] == other))
            return true;
    return false;
}

bool sl_is_image_view(const cl_image_desc *desc)
{
    return desc->image_type == CL_MEM_OBJECT_IMAGE2D && desc->mem_object &&
           desc->mem_object->type == CL_MEM_OBJECT_IMAGE2D;
}

cl_int sl_image_check_view(const cl_image_format *format, const cl_image_desc *desc)
{
    const struct _cl_mem *under = desc->mem_object;
    if (format->image_channel_data_type != under->format.image_channel_data_type ||
        !is_pair(format->image_channel_order, under->format.image_channel_order))
        return sl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "order %#x over an image of %#x",
                         format->image_channel_order, under->format.image_channel_order);
    if (desc->image_width != under->desc.image_width ||
        desc->image_height != under->desc.image_height || desc->image_slice_pitch ||
        (desc->image_row_pitch && desc->image_row_pitch != under->desc.image_row_pitch))
        return sl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                         "another size than the image below: %zu x %zu, rows %zu apart",
                         under->desc.image_width, under->desc.image_height,
                         under->desc.image_row_pitch);
    return CL_SUCCESS;
}
