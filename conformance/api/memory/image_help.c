/* SPDX-License-Identifier: Apache-2.0 */
#include "image_help.h"

const cl_image_format image_rgba8 = {CL_RGBA, CL_UNORM_INT8};

void image_need(void)
{
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
}

cl_image_desc image_plane(size_t width, size_t height)
{
    return (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

cl_mem image_new(cl_mem_flags flags, cl_image_desc desc, void *host)
{
    cl_int rc;
    cl_mem image = clCreateImage(cl.context, flags, &image_rgba8, &desc, host, &rc);
    REQUIRE_OK(rc);
    return image;
}
