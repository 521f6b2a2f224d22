/* SPDX-License-Identifier: Apache-2.0 */
/* Image objects: what is created, asked and refused; images over buffers. What commands refuse is
 * in image_command_test.c, what they copy in image_copy_test.c. */
#include "image_help.h"
#include "reference.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned char memory[65536] __attribute__((aligned(4096)));

/* ---- creating -------------------------------------------------------------------------------- */

static cl_mem create(cl_mem_flags flags, cl_image_desc desc, void *host)
{
    return clCreateImage(cl.context, flags, &image_rgba8, &desc, host, ERR);
}

static void create_errors(void)
{
    image_need();
    cl_image_desc desc = image_plane(8, 8);
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &image_rgba8, &desc, NULL, ERR));
    CREATE_WRONG(CL_INVALID_CONTEXT,
                 clCreateImage((cl_context)cl.queue, 0, &image_rgba8, &desc, NULL, ERR));
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
                 clCreateImage(cl.context, 0, &image_rgba8, NULL, NULL, ERR));
}

static void format_errors(void)
{
    image_need();
    const cl_image_desc desc = image_plane(8, 8);
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
    image_need();
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
    image_need();
    cl_image_desc desc = image_plane(8, 8);
    desc.num_mip_levels = 1;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc = image_plane(8, 8);
    desc.num_samples = 1;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
}

static void size_limits(void)
{
    image_need();
    const size_t width = device_size(CL_DEVICE_IMAGE2D_MAX_WIDTH),
                 height = device_size(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
                 layers = device_size(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
                 depth = device_size(CL_DEVICE_IMAGE3D_MAX_DEPTH);
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, image_plane(width + 1, 1), NULL));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, image_plane(1, height + 1), NULL));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, image_plane(SIZE_MAX, SIZE_MAX), NULL));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, image_plane(((size_t)1 << 32) + 1, 1), NULL));
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = width + 1};
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                           .image_width = 1,
                           .image_array_size = layers + 1};
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    desc.image_height = 1;
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    desc = image_plane(1, 1);
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = depth + 1;
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE, create(0, desc, NULL));
    /* the largest are there, as long as there is memory for them */
    RELEASE_MEM(image_new(0, image_plane(width, 1), NULL));
    RELEASE_MEM(image_new(0, image_plane(1, height), NULL));
    desc = (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 1, .image_array_size = layers};
    RELEASE_MEM(image_new(0, desc, NULL));
    desc = image_plane(1, 1);
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = depth;
    RELEASE_MEM(image_new(0, desc, NULL));
}

static void deprecated_calls(void)
{
    image_need();
    size_t width = 0, depth = 0;
    cl_int rc;
    cl_mem image =
        clCreateImage2D(cl.context, CL_MEM_COPY_HOST_PTR, &image_rgba8, 5, 7, 24, memory, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof width, &width, NULL));
    CHECK_EQ(width, 5);
    RELEASE_MEM(image);
    image = clCreateImage3D(cl.context, 0, &image_rgba8, 5, 7, 3, 0, 0, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_DEPTH, sizeof depth, &depth, NULL));
    CHECK_EQ(depth, 3);
    RELEASE_MEM(image);
    const cl_image_format bad = {CL_RGB, CL_FLOAT};
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateImage2D(NULL, 0, &image_rgba8, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateImage2D(cl.context, 6, &image_rgba8, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 clCreateImage2D(cl.context, 0, &bad, 5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage2D(cl.context, 0, &image_rgba8, 0, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage2D(cl.context, 0, &image_rgba8, 5, 7, 20, NULL, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR, clCreateImage2D(cl.context, CL_MEM_USE_HOST_PTR, &image_rgba8,
                                                      5, 7, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT,
                 clCreateImage3D(NULL, 0, &image_rgba8, 5, 7, 3, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage3D(cl.context, 0, &image_rgba8, 5, 7, 0, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage3D(cl.context, 0, &image_rgba8, 5, 7, 1, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_SIZE,
                 clCreateImage3D(cl.context, CL_MEM_COPY_HOST_PTR, &image_rgba8, 5, 7, 3, 20, 100,
                                 memory, ERR));
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
    image_need();
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
        cl_mem image = image_new(CL_MEM_READ_ONLY, *desc, NULL);
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
    image_need();
    cl_mem image = image_new(0, image_plane(3, 3), NULL), buffer = new_buffer(0, 64, NULL),
           parent = NULL;
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
    image_need();
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
    image_need();
    const size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    random_fill(memory, 4 * align + 256);
    cl_mem buffer = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * align + 256, memory);
    const cl_buffer_region part = {2 * align, 256};
    cl_int rc;
    cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &rc);
    REQUIRE_OK(rc);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64};
    desc.mem_object = sub;
    cl_mem image = image_new(0, desc, NULL);
    cl_mem_flags flags = 0;
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags & CL_MEM_READ_ONLY);
    check_over(image, sub, 2 * align, 256);
    RELEASE_MEM(image);
    desc.image_row_pitch = 256;
    image = image_new(0, desc, NULL);
    check_over(image, sub, 2 * align, 256);
    RELEASE_MEM(image);
    desc.image_row_pitch = 252;
    CREATE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, create(0, desc, NULL));
    desc.image_row_pitch = 0;
    desc.mem_object = buffer;
    image = image_new(CL_MEM_READ_ONLY, desc, NULL);
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
    image_need();
    if (!has_extension("cl_khr_image2d_from_buffer"))
        check_skip("no 2D images in buffers");
    const size_t pitch = 4 * (size_t)device_uint(CL_DEVICE_IMAGE_PITCH_ALIGNMENT), row = 16 * pitch;
    random_fill(memory, 8 * row);
    cl_mem buffer = new_buffer(CL_MEM_USE_HOST_PTR, 8 * row, memory);
    cl_image_desc desc = image_plane(row / 4 - 3, 8);
    desc.mem_object = buffer;
    desc.image_row_pitch = row;
    cl_mem image = image_new(0, desc, NULL);
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
    image_need();
    static const cl_image_format pairs[][2] = {
        {{CL_RGBA, CL_UNORM_INT8}, {CL_sRGBA, CL_UNORM_INT8}},
        {{CL_sBGRA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}},
        {{CL_R, CL_FLOAT}, {CL_DEPTH, CL_FLOAT}}};
    if (!is_sluice())
        check_skip("not every implementation has both formats");
    for (size_t i = 0; i < LEN(pairs); i++) {
        cl_image_desc desc = image_plane(9, 5);
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

static const struct test_case cases[] = {
    CASE(create_errors),     CASE(format_errors),
    CASE(descriptor_errors), CASE(mip_levels_and_samples),
    CASE(size_limits),       CASE(deprecated_calls),
    CASE(image_info),        CASE(image_info_errors),
    CASE(supported_formats), CASE(over_buffers),
    CASE(planes_in_buffers), CASE(planes_over_planes),
};
TEST_MAIN("images", cases)
