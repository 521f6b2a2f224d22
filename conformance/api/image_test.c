/* SPDX-License-Identifier: Apache-2.0 */
/* Creating images, asking about them, images over buffers, and every refusal of the image calls. */
#include "cl_help.h"
#include "reference.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};
static unsigned char memory[65536] __attribute__((aligned(4096)));

static void need_images(void)
{
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
}

static cl_image_desc plane(size_t width, size_t height)
{
    return (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

static cl_mem new_image(cl_mem_flags flags, cl_image_desc desc, void *host)
{
    cl_int rc;
    cl_mem image = clCreateImage(cl.context, flags, &rgba8, &desc, host, &rc);
    REQUIRE_OK(rc);
    return image;
}

/* ---- creating -------------------------------------------------------------------------------- */

static cl_mem create(cl_mem_flags flags, cl_image_desc desc, void *host)
{
    return clCreateImage(cl.context, flags, &rgba8, &desc, host, ERR);
}

static void create_errors(void)
{
    need_images();
    cl_image_desc desc = plane(8, 8);
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &rgba8, &desc, NULL, ERR));
    CREATE_WRONG(CL_INVALID_CONTEXT,
                 clCreateImage((cl_context)cl.queue, 0, &rgba8, &desc, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, create(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, desc, NULL));
    CREATE_FAILS(CL_INVALID_VALUE,
                 create(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, desc, memory));
    CREATE_FAILS(CL_INVALID_VALUE,
                 create(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, desc, NULL));
    CREATE_FAILS(CL_INVALID_VALUE, create((cl_mem_flags)1 << 40, desc, NULL));
    CREATE_FAILS(CL_INVALID_HOST_PTR, create(CL_MEM_COPY_HOST_PTR, desc, NULL));
    CREATE_FAILS(CL_INVALID_HOST_PTR, create(CL_MEM_USE_HOST_PTR, desc, NULL));
    CREATE_FAILS(CL_INVALID_HOST_PTR, create(0, desc, memory));
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR,
                 clCreateImage(cl.context, 0, &rgba8, NULL, NULL, ERR));
}

static void format_errors(void)
{
    need_images();
    const cl_image_desc desc = plane(8, 8);
    static const cl_image_format bad[] = {
        {0, CL_FLOAT},
        {CL_RGBA, 0},
        {CL_RGB, CL_FLOAT},
        {CL_RGBA, CL_UNORM_SHORT_565},
        {CL_BGRA, CL_FLOAT},
        {CL_LUMINANCE, CL_SIGNED_INT8},
        {CL_ARGB, CL_HALF_FLOAT},
        {CL_INTENSITY, CL_UNSIGNED_INT32},
    };
    for (size_t i = 0; i < LEN(bad); i++)
        CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                     clCreateImage(cl.context, 0, &bad[i], &desc, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 clCreateImage(cl.context, 0, NULL, &desc, NULL, ERR));
    if (is_sluice()) {
        const cl_image_format packed = {CL_RGB, CL_UNORM_SHORT_565};
        CREATE_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED,
                     clCreateImage(cl.context, 0, &packed, &desc, NULL, ERR));
    }
}

/* 8 x 8 elements of 4 bytes, or such layers and slices. */
static void descriptor_errors(void)
{
    need_images();
    const cl_mem_object_type line = CL_MEM_OBJECT_IMAGE1D, lines = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                             flat = CL_MEM_OBJECT_IMAGE2D, solid = CL_MEM_OBJECT_IMAGE3D,
                             planes = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const struct {
        cl_mem_object_type type;
        size_t width, height, depth, layers, row, slice;
        int host;
    } bad[] = {
        {0, 8, 8, 8, 8, 0, 0, 0},
        {CL_MEM_OBJECT_BUFFER, 8, 8, 8, 8, 0, 0, 0},
        {0xffff, 8, 8, 8, 8, 0, 0, 0},
        {line, 0, 8, 8, 8, 0, 0, 0},
        {lines, 8, 8, 8, 0, 0, 0, 0},
        {flat, 0, 8, 8, 8, 0, 0, 0},
        {flat, 8, 0, 8, 8, 0, 0, 0},
        {planes, 8, 0, 8, 8, 0, 0, 0},
        {planes, 8, 8, 8, 0, 0, 0, 0},
        {solid, 8, 0, 8, 8, 0, 0, 0},
        {solid, 8, 8, 0, 8, 0, 0, 0},
        {flat, 8, 8, 0, 0, 32, 0, 0},
        {flat, 8, 8, 0, 0, 28, 0, 1},
        {flat, 8, 8, 0, 0, 33, 0, 1},
        {solid, 8, 8, 2, 0, 32, 256, 0},
        {solid, 8, 8, 2, 0, 32, 224, 1},
        {solid, 8, 8, 2, 0, 32, 257, 1},
        {planes, 8, 8, 0, 2, 0, 224, 1},
        {planes, 8, 8, 0, 2, 36, 300, 1},
        {lines, 8, 0, 0, 2, 36, 32, 1},
        {CL_MEM_OBJECT_IMAGE1D_BUFFER, 8, 0, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < LEN(bad); i++) {
        const cl_image_desc desc = {.image_type = bad[i].type,
                                    .image_width = bad[i].width,
                                    .image_height = bad[i].height,
                                    .image_depth = bad[i].depth,
                                    .image_array_size = bad[i].layers,
                                    .image_row_pitch = bad[i].row,
                                    .image_slice_pitch = bad[i].slice};
        const int held =
            CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(bad[i].host ? CL_MEM_COPY_HOST_PTR : 0,
                                                             desc, bad[i].host ? memory : NULL));
        if (!held)
            check_fail(__FILE__, __LINE__, "in row %zu", i);
    }
}

static void mip_levels_and_samples(void)
{
    need_images();
    cl_image_desc desc = plane(8, 8);
    desc.num_mip_levels = 1;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc = plane(8, 8);
    desc.num_samples = 1;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
}

static void size_limits(void)
{
    need_images();
    const size_t width = device_size(CL_DEVICE_IMAGE2D_MAX_WIDTH),
                 height = device_size(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
                 layers = device_size(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
                 depth = device_size(CL_DEVICE_IMAGE3D_MAX_DEPTH);
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, plane(width + 1, 1), NULL));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, plane(1, height + 1), NULL));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, plane(SIZE_MAX, SIZE_MAX), NULL));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, plane(((size_t)1 << 32) + 1, 1), NULL));
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = width + 1};
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                           .image_width = 1,
                           .image_array_size = layers + 1};
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    desc.image_height = 1;
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc = plane(1, 1);
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = depth + 1;
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    /* the largest are there, as long as there is memory for them */
    RELEASE_MEM(new_image(0, plane(width, 1), NULL));
    RELEASE_MEM(new_image(0, plane(1, height), NULL));
    desc = (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 1, .image_array_size = layers};
    RELEASE_MEM(new_image(0, desc, NULL));
    desc = plane(1, 1);
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = depth;
    RELEASE_MEM(new_image(0, desc, NULL));
}

static void deprecated_calls(void)
{
    need_images();
    size_t width = 0, depth = 0;
    cl_int rc;
    cl_mem image = clCreateImage2D(cl.context, CL_MEM_COPY_HOST_PTR, &rgba8, 5, 7, 24, memory, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof width, &width, NULL));
    CHECK_EQ(width, 5);
    RELEASE_MEM(image);
    image = clCreateImage3D(cl.context, 0, &rgba8, 5, 7, 3, 0, 0, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_DEPTH, sizeof depth, &depth, NULL));
    CHECK_EQ(depth, 3);
    RELEASE_MEM(image);
    const cl_image_format bad = {CL_RGB, CL_FLOAT};
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateImage2D(NULL, 0, &rgba8, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateImage2D(cl.context, 6, &rgba8, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 clCreateImage2D(cl.context, 0, &bad, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage2D(cl.context, 0, &rgba8, 0, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage2D(cl.context, 0, &rgba8, 5, 7, 20, NULL, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR,
                 clCreateImage2D(cl.context, CL_MEM_USE_HOST_PTR, &rgba8, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateImage3D(NULL, 0, &rgba8, 5, 7, 3, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage3D(cl.context, 0, &rgba8, 5, 7, 0, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage3D(cl.context, 0, &rgba8, 5, 7, 1, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage3D(cl.context, CL_MEM_COPY_HOST_PTR, &rgba8, 5,
                                                        7, 3, 20, 100, memory, ERR));
}

/* ---- queries --------------------------------------------------------------------------------- */

static size_t ask(cl_mem image, cl_image_info name)
{
    size_t value = 77777, size = 0;
    CHECK_OK(clGetImageInfo(image, name, sizeof value, &value, &size));
    CHECK_EQ(size, sizeof value);
    return value;
}

static void image_info(void)
{
    need_images();
    static const struct {
        cl_image_desc desc;
        size_t row, slice; /* of tight rows; 0: no slices */
        size_t bytes;
    } rows[] = {
        {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 9}, 36, 0, 36},
        {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 9, .image_array_size = 4},
         36,
         36,
         144},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 9, .image_height = 3}, 36, 0, 108},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 9,
          .image_height = 3,
          .image_array_size = 4},
         36,
         108,
         432},
        {{.image_type = CL_MEM_OBJECT_IMAGE3D,
          .image_width = 9,
          .image_height = 3,
          .image_depth = 2},
         36,
         108,
         216},
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        const cl_image_desc *desc = &rows[i].desc;
        cl_mem image = new_image(CL_MEM_READ_ONLY, *desc, NULL);
        CHECK_EQ(ask(image, CL_IMAGE_WIDTH), desc->image_width);
        CHECK_EQ(ask(image, CL_IMAGE_HEIGHT), desc->image_height);
        CHECK_EQ(ask(image, CL_IMAGE_DEPTH), desc->image_depth);
        CHECK_EQ(ask(image, CL_IMAGE_ARRAY_SIZE), desc->image_array_size);
        CHECK_EQ(ask(image, CL_IMAGE_ELEMENT_SIZE), 4);
        CHECK(ask(image, CL_IMAGE_ROW_PITCH) >= rows[i].row);
        CHECK(rows[i].slice ? ask(image, CL_IMAGE_SLICE_PITCH) >= rows[i].slice
                            : ask(image, CL_IMAGE_SLICE_PITCH) == 0);
        cl_mem_object_type type = 0;
        size_t bytes = 0;
        CHECK_OK(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
        CHECK_EQ(type, desc->image_type);
        CHECK_OK(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
        CHECK(bytes >= rows[i].bytes);
        RELEASE_MEM(image);
    }
}

static void image_info_errors(void)
{
    need_images();
    cl_mem image = new_image(0, plane(3, 3), NULL), buffer = new_buffer(0, 64, NULL), parent = NULL;
    cl_image_format format = {0, 0};
    cl_uint number = 9;
    size_t value, size = 0;
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, &size));
    CHECK(format.image_channel_order == CL_RGBA && format.image_channel_data_type == CL_UNORM_INT8);
    CHECK_EQ(size, sizeof format);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof parent, &parent, NULL));
    CHECK(!parent);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof number, &number, NULL));
    CHECK_EQ(number, 0);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_NUM_SAMPLES, sizeof number, &number, NULL));
    CHECK_EQ(number, 0);
    FAILS(CL_INVALID_MEM_OBJECT, clGetImageInfo(NULL, CL_IMAGE_WIDTH, sizeof value, &value, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof value, &value, NULL));
    FAILS(CL_INVALID_VALUE, clGetImageInfo(image, CL_MEM_SIZE, sizeof value, &value, NULL));
    FAILS(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, 4, &value, NULL));
    RELEASE_MEM(image);
    RELEASE_MEM(buffer);
}

static int listed(const cl_image_format *list, cl_uint count, cl_channel_order order,
                  cl_channel_type type)
{
    for (cl_uint i = 0; i < count; i++)
        if (list[i].image_channel_order == order && list[i].image_channel_data_type == type)
            return 1;
    return 0;
}

/* The formats that a device with images must have. */
static void supported_formats(void)
{
    need_images();
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    static const cl_mem_flags uses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};
    static const cl_channel_type channels[] = {
        CL_UNORM_INT8,    CL_UNORM_INT16,    CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
        CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
    cl_image_format list[256];
    cl_uint count = 0;
    for (size_t t = 0; t < LEN(types); t++)
        for (size_t u = 0; u < LEN(uses); u++) {
            CHECK_OK(clGetSupportedImageFormats(cl.context, uses[u], types[t], 256, list, &count));
            REQUIRE(count <= 256);
            for (size_t c = 0; c < LEN(channels); c++)
                CHECK(listed(list, count, CL_RGBA, channels[c]));
            CHECK(listed(list, count, CL_BGRA, CL_UNORM_INT8));
        }
    memset(list, 0, sizeof list);
    REQUIRE_OK(
        clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, types[3], 0, NULL, &count));
    cl_uint all = count;
    CHECK_OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, types[3], 3, list, &all));
    CHECK_EQ(all, count);
    CHECK(list[2].image_channel_order && !list[3].image_channel_order);
    CHECK_OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, types[3], 0, NULL, &all));
    CHECK_OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, types[3], 3, list, NULL));
    FAILS(CL_INVALID_CONTEXT,
          clGetSupportedImageFormats(NULL, CL_MEM_READ_WRITE, types[3], 3, list, &all));
    FAILS(CL_INVALID_VALUE,
          clGetSupportedImageFormats(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, types[3], 3,
                                     list, &all));
    FAILS(CL_INVALID_VALUE, clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE,
                                                       CL_MEM_OBJECT_BUFFER, 3, list, &all));
    FAILS(CL_INVALID_VALUE,
          clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, types[3], 0, list, &all));
}

/* ---- images over buffers --------------------------------------------------------------------- */

static void check_over(cl_mem image, cl_mem parent, size_t at, size_t bytes)
{
    cl_mem got = NULL;
    size_t offset = 77, size = 0;
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof got, &got, NULL));
    CHECK(got == parent);
    got = NULL;
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof got, &got, NULL));
    CHECK(got == parent);
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    CHECK_EQ(offset, 0);
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, bytes);
    /* the same bytes from both sides */
    unsigned char back[256];
    const size_t origin[3] = {2, 0, 0}, region[3] = {5, 1, 1};
    CHECK_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
    CHECK(!memcmp(back, memory + at + 8, 20));
    const cl_float white[4] = {1, 1, 1, 1};
    CHECK_OK(clEnqueueFillImage(cl.queue, image, white, origin, region, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(cl.queue, parent, CL_TRUE, 0, 64, back, 0, NULL, NULL));
    memset(memory + at + 8, 255, 20);
    CHECK(!memcmp(back, memory + at, 64));
}

static void over_buffers(void)
{
    need_images();
    const size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    random_fill(memory, 4 * align + 256);
    cl_mem buffer = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * align + 256, memory);
    const cl_buffer_region part = {2 * align, 256};
    cl_int rc;
    cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &rc);
    REQUIRE_OK(rc);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64};
    desc.mem_object = sub;
    cl_mem image = new_image(0, desc, NULL);
    cl_mem_flags flags = 0;
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags & CL_MEM_READ_ONLY);
    check_over(image, sub, 2 * align, 256);
    RELEASE_MEM(image);
    desc.image_row_pitch = 256;
    image = new_image(0, desc, NULL);
    check_over(image, sub, 2 * align, 256);
    RELEASE_MEM(image);
    desc.image_row_pitch = 252;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc.image_row_pitch = 0;
    desc.mem_object = buffer;
    image = new_image(CL_MEM_READ_ONLY, desc, NULL);
    check_over(image, buffer, 0, 256);
    RELEASE_MEM(buffer); /* the image holds it */
    unsigned char back[256];
    const size_t origin[3] = {0}, region[3] = {64, 1, 1};
    CHECK_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
    CHECK(!memcmp(back, memory, 256));
    desc.mem_object = sub;
    CREATE_FAILS(CL_INVALID_VALUE, create(CL_MEM_WRITE_ONLY, desc, NULL));
    CREATE_FAILS(CL_INVALID_VALUE, create(CL_MEM_ALLOC_HOST_PTR, desc, NULL));
    desc.image_width = 65;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc.image_width = device_size(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) + 1;
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc.image_width = 8;
    desc.mem_object = image;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc.image_type = CL_MEM_OBJECT_IMAGE1D;
    desc.mem_object = sub;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    RELEASE_MEM(image);
    RELEASE_MEM(sub);
}

/* cl_khr_image2d_from_buffer */
static void planes_in_buffers(void)
{
    need_images();
    if (!has_extension("cl_khr_image2d_from_buffer"))
        check_skip("no 2D images in buffers");
    const size_t pitch = 4 * (size_t)device_uint(CL_DEVICE_IMAGE_PITCH_ALIGNMENT), row = 16 * pitch;
    random_fill(memory, 8 * row);
    cl_mem buffer = new_buffer(CL_MEM_USE_HOST_PTR, 8 * row, memory);
    cl_image_desc desc = plane(row / 4 - 3, 8);
    desc.mem_object = buffer;
    desc.image_row_pitch = row;
    cl_mem image = new_image(0, desc, NULL);
    CHECK_EQ(ask(image, CL_IMAGE_ROW_PITCH), row);
    unsigned char back[8];
    const size_t origin[3] = {1, 7, 0}, region[3] = {2, 1, 1};
    CHECK_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
    CHECK(!memcmp(back, memory + 7 * row + 4, 8));
    RELEASE_MEM(image);
    desc.image_height = 9;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc.image_height = 8;
    desc.image_row_pitch = row - 16;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    RELEASE_MEM(buffer);
    desc.mem_object = buffer = new_buffer(CL_MEM_USE_HOST_PTR, 8 * row, memory + 2);
    desc.image_row_pitch = row;
    CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, create(0, desc, NULL));
    RELEASE_MEM(buffer);
}

/* The same bytes as another format: what is written through one is read through the other. */
static void planes_over_planes(void)
{
    need_images();
    static const cl_image_format pairs[][2] = {
        {{CL_RGBA, CL_UNORM_INT8}, {CL_sRGBA, CL_UNORM_INT8}},
        {{CL_sBGRA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}},
        {{CL_R, CL_FLOAT}, {CL_DEPTH, CL_FLOAT}}};
    if (!is_sluice())
        check_skip("not every implementation has both formats");
    for (size_t i = 0; i < LEN(pairs); i++) {
        cl_image_desc desc = plane(9, 5);
        cl_int rc;
        unsigned char back[9 * 5 * 4];
        const size_t at[3] = {2, 1, 0}, some[3] = {3, 4, 1}, none[3] = {0}, all[3] = {9, 5, 1};
        random_fill(memory, 12 * 4 * 5);
        desc.image_row_pitch = 12 * 4;
        cl_mem below =
            clCreateImage(cl.context, CL_MEM_USE_HOST_PTR, &pairs[i][0], &desc, memory, &rc);
        REQUIRE_OK(rc);
        desc.mem_object = below;
        desc.image_row_pitch = 0;
        cl_mem view = clCreateImage(cl.context, 0, &pairs[i][1], &desc, NULL, &rc), other = NULL;
        REQUIRE_OK(rc);
        CHECK_EQ(ask(view, CL_IMAGE_ROW_PITCH), 12 * 4);
        CHECK_OK(clGetMemObjectInfo(view, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof other, &other, NULL));
        CHECK(other == below);
        CHECK_OK(clGetImageInfo(view, CL_IMAGE_BUFFER, sizeof other, &other, NULL));
        CHECK(!other);
        const cl_float4 one = {{1, 1, 1, 1}};
        CHECK_OK(clEnqueueFillImage(cl.queue, view, &one, at, some, 0, NULL, NULL));
        CHECK_OK(
            clEnqueueReadImage(cl.queue, below, CL_TRUE, none, all, 0, 0, back, 0, NULL, NULL));
        for (size_t y = 0; y < 5; y++)
            CHECK(!memcmp(back + y * 36, memory + y * 48, 36));
        CHECK(back[1 * 36 + 2 * 4 + 3] ==
              (pairs[i][0].image_channel_data_type == CL_FLOAT ? 0x3f : 255));
        desc.image_width = 8;
        CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                     clCreateImage(cl.context, 0, &pairs[i][1], &desc, NULL, ERR));
        desc.image_width = 9;
        desc.image_row_pitch = 36;
        CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                     clCreateImage(cl.context, 0, &pairs[i][1], &desc, NULL, ERR));
        desc.image_row_pitch = 0;
        CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                     clCreateImage(cl.context, 0, &pairs[(i + 1) % 3][1], &desc, NULL, ERR));
        CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                     clCreateImage(cl.context, 0, &pairs[i][0], &desc, NULL, ERR));
        desc.image_type = CL_MEM_OBJECT_IMAGE1D;
        CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR,
                     clCreateImage(cl.context, 0, &pairs[i][1], &desc, NULL, ERR));
        RELEASE_MEM(below); /* the view holds it */
        CHECK_OK(clEnqueueReadImage(cl.queue, view, CL_TRUE, none, all, 0, 0, back, 0, NULL, NULL));
        for (size_t y = 0; y < 5; y++)
            CHECK(!memcmp(back + y * 36, memory + y * 48, 36));
        RELEASE_MEM(view);
    }
}

/* ---- refusals of the commands ---------------------------------------------------------------- */

static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, bad_origin[3] = {6, 0, 0},
                    bad_z[3] = {0, 0, 1}, two[3] = {2, 2, 1}, empty[3] = {1, 0, 1},
                    deep[3] = {1, 1, 2}, huge[3] = {SIZE_MAX, 1, 1};

struct fixture {
    cl_mem image, solid, buffer, foreign, silent, reads, writes;
    cl_context other;
    cl_event event, foreign_event;
};

static void open_fixture(struct fixture *f)
{
    cl_image_desc solid = plane(7, 5);
    solid.image_type = CL_MEM_OBJECT_IMAGE3D;
    solid.image_depth = 3;
    const cl_image_desc desc = plane(6, 5);
    cl_int rc;
    f->image = new_image(0, desc, NULL);
    f->solid = new_image(0, solid, NULL);
    f->buffer = new_buffer(0, 64, NULL);
    f->silent = new_image(CL_MEM_HOST_NO_ACCESS, desc, NULL);
    f->reads = new_image(CL_MEM_HOST_READ_ONLY, desc, NULL);
    f->writes = new_image(CL_MEM_HOST_WRITE_ONLY, desc, NULL);
    f->other = new_context();
    f->foreign = clCreateImage(f->other, 0, &rgba8, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    f->event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    f->foreign_event = clCreateUserEvent(f->other, &rc);
    REQUIRE_OK(rc);
}

static void close_fixture(struct fixture *f)
{
    CHECK_OK(clSetUserEventStatus(f->event, CL_COMPLETE));
    RELEASE_MEM(f->image);
    RELEASE_MEM(f->solid);
    RELEASE_MEM(f->buffer);
    RELEASE_MEM(f->silent);
    RELEASE_MEM(f->reads);
    RELEASE_MEM(f->writes);
    RELEASE_MEM(f->foreign);
    RELEASE_EVENT(f->event);
    RELEASE_EVENT(f->foreign_event);
    RELEASE_CONTEXT(f->other);
}

/* What reading, writing, filling and mapping refuse alike; CALL(queue, image, origin, region,
 * count, list). */
#define BOX_ERRORS(CHECK_FAILS, CHECK_WRONG, CALL)                                                 \
    do {                                                                                           \
        cl_command_queue own = cl.queue;                                                           \
        CHECK_FAILS(CL_INVALID_COMMAND_QUEUE, CALL(NULL, f.image, zero, one, 0, NULL));            \
        CHECK_FAILS(CL_INVALID_CONTEXT, CALL(own, f.foreign, zero, one, 0, NULL));                 \
        CHECK_FAILS(CL_INVALID_CONTEXT, CALL(own, f.image, zero, one, 1, &f.foreign_event));       \
        CHECK_FAILS(CL_INVALID_MEM_OBJECT, CALL(own, NULL, zero, one, 0, NULL));                   \
        CHECK_WRONG(CL_INVALID_MEM_OBJECT, CALL(own, f.buffer, zero, one, 0, NULL));               \
        CHECK_WRONG(CL_INVALID_MEM_OBJECT, CALL(own, (cl_mem)cl.context, zero, one, 0, NULL));     \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, NULL, one, 0, NULL));                     \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, zero, NULL, 0, NULL));                    \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, bad_origin, one, 0, NULL));               \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, bad_z, one, 0, NULL));                    \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, zero, empty, 0, NULL));                   \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, zero, deep, 0, NULL));                    \
        CHECK_FAILS(CL_INVALID_VALUE, CALL(own, f.image, one, huge, 0, NULL));                     \
        CHECK_FAILS(CL_INVALID_EVENT_WAIT_LIST, CALL(own, f.image, zero, one, 1, NULL));           \
        CHECK_FAILS(CL_INVALID_EVENT_WAIT_LIST, CALL(own, f.image, zero, one, 0, &f.event));       \
    } while (0)

static void read_write_errors(void)
{
    need_images();
    struct fixture f;
    open_fixture(&f);
#define READ(q, image, origin, region, count, list)                                                \
    clEnqueueReadImage(q, image, CL_TRUE, origin, region, 0, 0, memory, count, list, NULL)
#define WRITE(q, image, origin, region, count, list)                                               \
    clEnqueueWriteImage(q, image, CL_TRUE, origin, region, 0, 0, memory, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, READ);
    BOX_ERRORS(FAILS, WRONG, WRITE);
    cl_command_queue q = cl.queue;
    static const struct {
        size_t row, slice;
        int solid;
    } pitches[] = {{7, 0, 0}, {8, 16, 0}, {0, 15, 1}, {16, 31, 1}};
    for (size_t i = 0; i < LEN(pitches); i++) {
        cl_mem image = pitches[i].solid ? f.solid : f.image;
        FAILS(CL_INVALID_VALUE, clEnqueueReadImage(q, image, CL_TRUE, zero, two, pitches[i].row,
                                                   pitches[i].slice, memory, 0, NULL, NULL));
        FAILS(CL_INVALID_VALUE, clEnqueueWriteImage(q, image, CL_TRUE, zero, two, pitches[i].row,
                                                    pitches[i].slice, memory, 0, NULL, NULL));
    }
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadImage(q, f.image, CL_TRUE, zero, one, 0, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteImage(q, f.image, CL_TRUE, zero, one, 0, 0, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, READ(q, f.silent, zero, one, 0, NULL));
    FAILS(CL_INVALID_OPERATION, READ(q, f.writes, zero, one, 0, NULL));
    FAILS(CL_INVALID_OPERATION, WRITE(q, f.silent, zero, one, 0, NULL));
    FAILS(CL_INVALID_OPERATION, WRITE(q, f.reads, zero, one, 0, NULL));
    CHECK_OK(READ(q, f.reads, zero, one, 0, NULL));
    CHECK_OK(WRITE(q, f.writes, zero, one, 0, NULL));
    close_fixture(&f);
}

static void fill_errors(void)
{
    need_images();
    struct fixture f;
    const cl_float color[4] = {0};
    open_fixture(&f);
#define FILL(q, image, origin, region, count, list)                                                \
    clEnqueueFillImage(q, image, color, origin, region, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, FILL);
    FAILS(CL_INVALID_VALUE, clEnqueueFillImage(cl.queue, f.image, NULL, zero, one, 0, NULL, NULL));
    CHECK_OK(FILL(cl.queue, f.silent, zero, one, 0, NULL));
    close_fixture(&f);
}

static void map_errors(void)
{
    need_images();
    struct fixture f;
    size_t row, slice;
    open_fixture(&f);
#define MAP_WITH(image, flags, row_at, slice_at)                                                   \
    clEnqueueMapImage(cl.queue, image, CL_TRUE, flags, zero, one, row_at, slice_at, 0, NULL, NULL, \
                      ERR)
#define MAP(q, image, origin, region, count, list)                                                 \
    clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, origin, region, &row, &slice, count, list,   \
                      NULL, ERR)
    BOX_ERRORS(CREATE_FAILS, CREATE_WRONG, MAP);
    const cl_map_flags r = CL_MAP_READ, w = CL_MAP_WRITE, i = CL_MAP_WRITE_INVALIDATE_REGION;
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.image, r | i, &row, &slice));
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.image, 1 << 20, &row, &slice));
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.image, r, NULL, &slice));
    CREATE_FAILS(CL_INVALID_VALUE, MAP_WITH(f.solid, r, &row, NULL));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.silent, r, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.silent, w, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.reads, w, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.reads, i, &row, &slice));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP_WITH(f.writes, r, &row, &slice));
    void *at = MAP_WITH(f.image, r | w, &row, NULL);
    CHECK(at);
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, f.image, at, 0, NULL, NULL));
    close_fixture(&f);
}

static void copy_errors(void)
{
    need_images();
    struct fixture f;
    open_fixture(&f);
#define FROM(q, image, origin, region, count, list)                                                \
    clEnqueueCopyImage(q, image, f.silent, origin, zero, region, count, list, NULL)
#define TO(q, image, origin, region, count, list)                                                  \
    clEnqueueCopyImage(q, f.silent, image, zero, origin, region, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, FROM);
    BOX_ERRORS(FAILS, WRONG, TO);
    const cl_image_format floats = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = plane(6, 5);
    cl_int rc;
    cl_mem other = clCreateImage(cl.context, 0, &floats, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_IMAGE_FORMAT_MISMATCH,
          clEnqueueCopyImage(cl.queue, f.image, other, zero, zero, one, 0, NULL, NULL));
    RELEASE_MEM(other);
    const size_t near[3] = {1, 1, 0}, beside[3] = {2, 0, 0};
    FAILS(CL_MEM_COPY_OVERLAP,
          clEnqueueCopyImage(cl.queue, f.image, f.image, zero, near, two, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyImage(cl.queue, f.image, f.image, zero, beside, two, 0, NULL, NULL));
    close_fixture(&f);
}

static void copy_with_buffer_errors(void)
{
    need_images();
    struct fixture f;
    open_fixture(&f);
    cl_command_queue q = cl.queue;
    cl_int rc;
    cl_mem foreign = clCreateBuffer(f.other, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
#define OUT(q, image, origin, region, count, list)                                                 \
    clEnqueueCopyImageToBuffer(q, image, f.buffer, origin, region, 0, count, list, NULL)
#define IN(q, image, origin, region, count, list)                                                  \
    clEnqueueCopyBufferToImage(q, f.buffer, image, 0, origin, region, count, list, NULL)
    BOX_ERRORS(FAILS, WRONG, OUT);
    BOX_ERRORS(FAILS, WRONG, IN);
    const size_t all[3] = {6, 5, 1};
    const struct {
        cl_mem buffer;
        const size_t *region;
        size_t offset;
        cl_int code;
    } rows[] = {
        {NULL, one, 0, CL_INVALID_MEM_OBJECT},
        {foreign, one, 0, CL_INVALID_CONTEXT},
        {f.buffer, one, 61, CL_INVALID_VALUE},
        {f.buffer, one, 65, CL_INVALID_VALUE},
        {f.buffer, one, SIZE_MAX - 3, CL_INVALID_VALUE},
        {f.buffer, all, 0, CL_INVALID_VALUE},
        {f.buffer, one, 60, CL_SUCCESS},
        {f.buffer, two, 48, CL_SUCCESS},
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        FAILS(rows[i].code,
              clEnqueueCopyImageToBuffer(q, f.image, rows[i].buffer, zero, rows[i].region,
                                         rows[i].offset, 0, NULL, NULL));
        FAILS(rows[i].code, clEnqueueCopyBufferToImage(q, rows[i].buffer, f.image, rows[i].offset,
                                                       zero, rows[i].region, 0, NULL, NULL));
    }
    RELEASE_MEM(foreign);
    close_fixture(&f);
}

/* ---- other calls that take images ------------------------------------------------------------ */

static void kernel_arguments(void)
{
    need_images();
    struct fixture f;
    open_fixture(&f);
    cl_mem input = new_image(CL_MEM_READ_ONLY, plane(4, 4), NULL),
           output = new_image(CL_MEM_WRITE_ONLY, plane(4, 4), NULL);
    cl_kernel kernel = new_kernel("kernel void k(read_only image2d_t a, write_only image2d_t b,"
                                  " sampler_t s) {"
                                  " int2 at = (int2)(get_global_id(0), 0);"
                                  " write_imagef(b, at, read_imagef(a, s, at)); }",
                                  "k", "");
    cl_int rc;
    cl_sampler sampler =
        clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof input, &input));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof output, &output));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof f.image, &f.image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof f.image, &f.image));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof output, &output));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof input, &input));
    WRONG(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof f.buffer, &f.buffer));
    WRONG(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof sampler, &sampler));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &input));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 4, &sampler));
    WRONG(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 2, sizeof input, &input));
    FAILS(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 2, sizeof sampler, NULL));
    /* images migrate like buffers; the reference count says who holds them */
    cl_mem both[2] = {input, f.buffer};
    CHECK_OK(
        clEnqueueMigrateMemObjects(cl.queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    run_1d(kernel, 4, 0);
    cl_uint refs = 0;
    CHECK_OK(clGetMemObjectInfo(f.image, CL_MEM_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK_EQ(refs, 1);
    RELEASE_KERNEL(kernel);
    CHECK_OK(clReleaseSampler(sampler));
    RELEASE_MEM(input);
    RELEASE_MEM(output);
    close_fixture(&f);
}

static void command_types(void)
{
    need_images();
    cl_mem image = new_image(0, plane(4, 4), NULL), other = new_image(0, plane(4, 4), NULL),
           buffer = new_buffer(0, 64, NULL);
    const cl_float color[4] = {0};
    cl_event events[7] = {0};
    size_t row;
    cl_command_queue q = cl.queue;
    CHECK_OK(clEnqueueWriteImage(q, image, CL_FALSE, zero, two, 0, 0, memory, 0, NULL, &events[0]));
    CHECK_OK(clEnqueueReadImage(q, image, CL_FALSE, zero, two, 0, 0, memory, 0, NULL, &events[1]));
    CHECK_OK(clEnqueueCopyImage(q, image, other, zero, zero, two, 1, events, &events[2]));
    CHECK_OK(clEnqueueCopyImageToBuffer(q, image, buffer, zero, two, 0, 0, NULL, &events[3]));
    CHECK_OK(clEnqueueCopyBufferToImage(q, buffer, image, 0, zero, two, 0, NULL, &events[4]));
    CHECK_OK(clEnqueueFillImage(q, image, color, zero, two, 0, NULL, &events[5]));
    void *at = clEnqueueMapImage(q, image, CL_FALSE, CL_MAP_READ, zero, two, &row, NULL, 0, NULL,
                                 &events[6], ERR);
    CHECK(at);
    static const cl_command_type want[] = {CL_COMMAND_WRITE_IMAGE,
                                           CL_COMMAND_READ_IMAGE,
                                           CL_COMMAND_COPY_IMAGE,
                                           CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                                           CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                                           CL_COMMAND_FILL_IMAGE,
                                           CL_COMMAND_MAP_IMAGE};
    CHECK_OK(clWaitForEvents(7, events));
    for (size_t i = 0; i < LEN(want); i++) {
        cl_command_type type = 0;
        CHECK_OK(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        CHECK_EQ(type, want[i]);
        RELEASE_EVENT(events[i]);
    }
    CHECK_OK(clEnqueueUnmapMemObject(q, image, at, 0, NULL, NULL));
    RELEASE_MEM(image);
    RELEASE_MEM(other);
    RELEASE_MEM(buffer);
    CHECK_OK(clFinish(q));
}

static const struct test_case cases[] = {
    CASE(create_errors),
    CASE(format_errors),
    CASE(descriptor_errors),
    CASE(mip_levels_and_samples),
    CASE(size_limits),
    CASE(deprecated_calls),
    CASE(image_info),
    CASE(image_info_errors),
    CASE(supported_formats),
    CASE(over_buffers),
    CASE(planes_in_buffers),
    CASE(planes_over_planes),
    CASE(read_write_errors),
    CASE(fill_errors),
    CASE(map_errors),
    CASE(copy_errors),
    CASE(copy_with_buffer_errors),
    CASE(kernel_arguments),
    CASE(command_types),
};
TEST_MAIN("images", cases)
