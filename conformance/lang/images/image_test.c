/* SPDX-License-Identifier: Apache-2.0 */
/* Image builtins against plain C: formats, addressing and filters, shapes, queries. */
#include <stdio.h>

#include "cl_help.h"
#include "image_reference.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 9, HEIGHT = 5, TEXELS = WIDTH * HEIGHT };

static void need_images(void)
{
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
}

static cl_mem new_image(cl_mem_flags flags, const cl_image_format *format, cl_image_desc desc,
                        void *host)
{
    cl_int rc;
    cl_mem image = clCreateImage(cl.context, flags, format, &desc, host, &rc);
    REQUIRE_OK(rc);
    return image;
}

static cl_image_desc plane(size_t width, size_t height)
{
    return (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

/* ---- formats --------------------------------------------------------------------------------- */

static cl_uint supported(cl_image_format list[256])
{
    cl_uint count = 0;
    REQUIRE_OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 256,
                                          list, &count));
    REQUIRE(count > 0 && count <= 256);
    return count;
}

/* Finite values only: comparing goes by value. */
static void random_texels(unsigned char *to, size_t size, cl_channel_type type)
{
    random_fill(to, size);
    for (size_t i = 0; type == CL_FLOAT && i + 4 <= size; i += 4) {
        float value = (float)((double)(int64_t)random_bits() * 0x1p-60);
        memcpy(to + i, &value, sizeof value);
    }
    for (size_t i = 1; type == CL_HALF_FLOAT && i < size; i += 2)
        to[i] &= 0xbb;
}

static const char format_source[] =
    "#define COPY(F, T, READ, WRITE)"
    " kernel void read_##F(read_only image2d_t image, global T *out)"
    " { int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "   out[at.y * get_global_size(0) + at.x] = READ(image, at); }"
    " kernel void write_##F(write_only image2d_t image, global T *in)"
    " { int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "   WRITE(image, at, in[at.y * get_global_size(0) + at.x]); }\n"
    "COPY(f, float4, read_imagef, write_imagef)\n"
    "COPY(i, int4, read_imagei, write_imagei)\n"
    "COPY(u, uint4, read_imageui, write_imageui)\n";

static double component(const void *colors, char kind, size_t i)
{
    if (kind == 'f')
        return ((const cl_float *)colors)[i];
    return kind == 'i' ? (double)((const cl_int *)colors)[i] : (double)((const cl_uint *)colors)[i];
}

static void run_plane(cl_program program, const char *name, char kind, cl_mem image, cl_mem buffer)
{
    char full[16];
    snprintf(full, sizeof full, "%s_%c", name, kind);
    cl_kernel kernel = kernel_of(program, full);
    ARG(kernel, 0, image);
    ARG(kernel, 1, buffer);
    size_t global[2] = {WIDTH, HEIGHT};
    run_nd(kernel, 2, NULL, global, NULL);
    RELEASE_KERNEL(kernel);
}

/* What is read is what the bytes mean; written back it gives the same bytes. */
static void one_format(cl_program program, const cl_image_format *format)
{
    if (!image_channels(format->image_channel_order) || format->image_channel_order == CL_DEPTH)
        return;
    char kind = image_family(format->image_channel_data_type);
    size_t bytes = image_channel_bytes(format->image_channel_data_type) *
                   image_channel_count(format->image_channel_order);
    unsigned char texels[TEXELS * 16], again[TEXELS * 16];
    random_texels(texels, TEXELS * bytes, format->image_channel_data_type);
    cl_mem source = new_image(CL_MEM_COPY_HOST_PTR, format, plane(WIDTH, HEIGHT), texels);
    cl_mem target = new_image(0, format, plane(WIDTH, HEIGHT), NULL);
    cl_mem buffer = new_buffer(CL_MEM_READ_WRITE, TEXELS * 16, NULL);
    run_plane(program, "read", kind, source, buffer);
    cl_float4 colors[TEXELS];
    read_back(buffer, sizeof colors, colors);
    for (size_t i = 0; i < TEXELS; i++) {
        double want[4];
        image_decode(texels + i * bytes, format, want);
        for (size_t c = 0; c < 4; c++) {
            double got = component(colors, kind, i * 4 + c);
            if (fabs(got - want[c]) > 1e-6 * fabs(want[c]))
                check_fail(__FILE__, __LINE__, "order %x type %x texel %zu.%zu: %g, got %g",
                           format->image_channel_order, format->image_channel_data_type, i, c,
                           want[c], got);
        }
    }
    run_plane(program, "write", kind, target, buffer);
    size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, target, CL_TRUE, origin, region, 0, 0, again, 0, NULL, NULL));
    for (size_t i = 0; i < TEXELS * bytes; i++) {
        int lowest = again[i] == 0x81 && texels[i] == 0x80; /* both mean -1 */
        if (again[i] != texels[i] && !lowest && format->image_channel_data_type != CL_SNORM_INT16) {
            check_fail(__FILE__, __LINE__, "order %x type %x byte %zu: wrote %02x for %02x",
                       format->image_channel_order, format->image_channel_data_type, i, again[i],
                       texels[i]);
            break;
        }
    }
    RELEASE_MEM(source);
    RELEASE_MEM(target);
    RELEASE_MEM(buffer);
}

static void formats(void)
{
    need_images();
    cl_image_format list[256];
    cl_uint count = supported(list);
    cl_program program = built(format_source, "");
    for (cl_uint i = 0; i < count; i++)
        one_format(program, &list[i]);
    RELEASE_PROGRAM(program);
}

static void writing_rounds_and_saturates(void)
{
    need_images();
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_float4 colors[TEXELS] = {{{-1, 2, 0.5f / 255, 1.5f / 255}}, {{NAN, INFINITY, 0.25f, 1}}};
    cl_program program = built(format_source, "");
    cl_mem image = new_image(0, &format, plane(WIDTH, HEIGHT), NULL);
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof colors, colors);
    run_plane(program, "write", 'f', image, buffer);
    unsigned char got[TEXELS * 4];
    size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    static const unsigned char want[8] = {0, 255, 0, 2, 0, 255, 64, 255};
    for (size_t i = 0; i < sizeof want; i++)
        CHECK_EQ(got[i], want[i]);
    RELEASE_MEM(image);
    RELEASE_MEM(buffer);
    RELEASE_PROGRAM(program);
}

/* ---- samplers -------------------------------------------------------------------------------- */

struct taps {
    int low, high;
    float weight;
};

static int addressed(int i, int size, cl_addressing_mode mode)
{
    if (mode == CL_ADDRESS_REPEAT)
        return i < 0 ? i + size : i >= size ? i - size : i;
    if (mode == CL_ADDRESS_CLAMP)
        return i < 0 || i >= size ? -1 : i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static struct taps taps_of(float s, int size, cl_bool normalized, cl_addressing_mode mode,
                           cl_filter_mode filter)
{
    float u = normalized ? s * (float)size : s;
    if (mode == CL_ADDRESS_REPEAT)
        u = (s - floorf(s)) * (float)size;
    if (mode == CL_ADDRESS_MIRRORED_REPEAT)
        u = fabsf(s - 2 * rintf(0.5f * s)) * (float)size;
    if (filter == CL_FILTER_LINEAR)
        u -= 0.5f;
    float whole = floorf(u);
    return (struct taps){addressed((int)whole, size, mode), addressed((int)whole + 1, size, mode),
                         u - whole};
}

static float texel(const float *texels, int x, int y)
{
    return x < 0 || y < 0 ? 0 : texels[y * WIDTH + x];
}

static float sampled(const float *texels, cl_float2 at, cl_bool normalized, cl_addressing_mode mode,
                     cl_filter_mode filter)
{
    struct taps x = taps_of(at.s[0], WIDTH, normalized, mode, filter);
    struct taps y = taps_of(at.s[1], HEIGHT, normalized, mode, filter);
    if (filter == CL_FILTER_NEAREST)
        return texel(texels, x.low, y.low);
    float top =
        texel(texels, x.low, y.low) * (1 - x.weight) + texel(texels, x.high, y.low) * x.weight;
    float bottom =
        texel(texels, x.low, y.high) * (1 - x.weight) + texel(texels, x.high, y.high) * x.weight;
    return top * (1 - y.weight) + bottom * y.weight;
}

enum { POINTS = 512 };

static void one_sampler(cl_kernel kernel, const float *texels, cl_bool normalized,
                        cl_addressing_mode mode, cl_filter_mode filter)
{
    cl_float2 at[POINTS];
    float got[POINTS];
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 2; c++) {
            double unit = (double)(int64_t)random_bits() * 0x1p-63;
            at[i].s[c] = (float)(unit * (normalized ? 2.5 : 12));
        }
    cl_int rc;
    cl_sampler sampler = clCreateSampler(cl.context, normalized, mode, filter, &rc);
    REQUIRE_OK(rc);
    cl_mem points = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof at, at);
    cl_mem out = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    ARG(kernel, 1, sampler);
    ARG(kernel, 2, points);
    ARG(kernel, 3, out);
    run_1d(kernel, POINTS, 0);
    read_back(out, sizeof got, got);
    for (int i = 0; i < POINTS; i++) {
        float want = sampled(texels, at[i], normalized, mode, filter);
        if (!(fabsf(got[i] - want) <= 1e-4f)) {
            check_fail(__FILE__, __LINE__,
                       "mode %x filter %x normalized %u at (%g, %g): %g, got %g", mode, filter,
                       normalized, (double)at[i].s[0], (double)at[i].s[1], (double)want,
                       (double)got[i]);
            break;
        }
    }
    RELEASE_MEM(points);
    RELEASE_MEM(out);
    CHECK_OK(clReleaseSampler(sampler));
}

static void samplers(void)
{
    need_images();
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    float texels[TEXELS];
    cl_float4 rgba[TEXELS];
    for (int i = 0; i < TEXELS; i++) {
        texels[i] = (float)random_below(1000) / 1000;
        rgba[i] = (cl_float4){{texels[i], 0, 0, 0}};
    }
    cl_mem image = new_image(CL_MEM_COPY_HOST_PTR, &format, plane(WIDTH, HEIGHT), rgba);
    cl_kernel kernel = new_kernel("kernel void k(read_only image2d_t image, sampler_t s, "
                                  "global float2 *at, global float *out) {"
                                  " size_t i = get_global_id(0);"
                                  " out[i] = read_imagef(image, s, at[i]).x; }",
                                  "k", "");
    ARG(kernel, 0, image);
    for (size_t m = 0; m < LEN(modes); m++)
        for (int filter = 0; filter < 2; filter++)
            for (cl_bool normalized = m > 1; normalized < 2; normalized++)
                one_sampler(kernel, texels, normalized, modes[m],
                            filter ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(image);
}

static void literal_sampler(void)
{
    need_images();
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    unsigned char texels[TEXELS * 4];
    for (size_t i = 0; i < sizeof texels; i++)
        texels[i] = (unsigned char)(i % 251 + 1);
    cl_mem image = new_image(CL_MEM_COPY_HOST_PTR, &format, plane(WIDTH, HEIGHT), texels);
    cl_kernel kernel = new_kernel(
        "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |"
        " CLK_FILTER_NEAREST;\n"
        "kernel void k(read_only image2d_t image, global uint4 *out) {"
        " const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP |"
        " CLK_FILTER_NEAREST;"
        " out[0] = read_imageui(image, edge, (int2)(-5, 2));"
        " out[1] = read_imageui(image, border, (int2)(-5, 2));"
        " out[2] = read_imageui(image, border, (float2)(3.7f, 4.2f)); }",
        "k", "");
    cl_mem out = new_buffer(CL_MEM_READ_WRITE, 3 * sizeof(cl_uint4), NULL);
    ARG(kernel, 0, image);
    ARG(kernel, 1, out);
    run_1d(kernel, 1, 1);
    cl_uint4 got[3];
    read_back(out, sizeof got, got);
    for (size_t c = 0; c < 4; c++) {
        CHECK_EQ(got[0].s[c], texels[2 * WIDTH * 4 + c]);
        CHECK_EQ(got[1].s[c], 0);
        CHECK_EQ(got[2].s[c], texels[(4 * WIDTH + 3) * 4 + c]);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
    RELEASE_MEM(image);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

struct shape {
    const char *type, *at, *sizes;
    cl_image_desc desc;
    size_t texels;
    int want[4]; /* what `sizes` gives */
};

/* Each element holds its own number; coordinates come from it by division. */
static void one_shape(const struct shape *shape)
{
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    char source[1024];
    snprintf(source, sizeof source,
             "kernel void k(read_only image%s_t image, global int *out, global int4 *sizes) {"
             " int i = get_global_id(0); out[i] = read_imagei(image, %s).x;"
             " sizes[0] = (int4)(%s); }"
             "kernel void w(write_only image%s_t image) {"
             " int i = get_global_id(0); write_imagei(image, %s, (int4)(i * 3 + 1, 0, 0, 0)); }",
             shape->type, shape->at, shape->sizes, shape->type, shape->at);
    cl_program program = built(source, "");
    cl_image_desc desc = shape->desc;
    cl_mem store = NULL;
    if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.mem_object = store = new_buffer(CL_MEM_READ_WRITE, 64 * sizeof(cl_int), NULL);
    cl_mem image = new_image(CL_MEM_READ_WRITE, &format, desc, NULL);
    cl_mem out = new_buffer(CL_MEM_READ_WRITE, 64 * sizeof(cl_int), NULL);
    cl_mem sizes = new_buffer(CL_MEM_READ_WRITE, sizeof(cl_int4), NULL);
    cl_kernel writer = kernel_of(program, "w");
    cl_kernel reader = kernel_of(program, "k");
    ARG(writer, 0, image);
    run_1d(writer, shape->texels, 0);
    ARG(reader, 0, image);
    ARG(reader, 1, out);
    ARG(reader, 2, sizes);
    run_1d(reader, shape->texels, 0);
    cl_int got[64];
    cl_int4 dims;
    read_back(out, shape->texels * sizeof(cl_int), got);
    read_back(sizes, sizeof dims, &dims);
    for (size_t i = 0; i < shape->texels; i++)
        if (got[i] != (cl_int)i * 3 + 1) {
            check_fail(__FILE__, __LINE__, "image%s element %zu: got %d", shape->type, i, got[i]);
            break;
        }
    for (int c = 0; c < 4; c++)
        CHECK_EQ(dims.s[c], shape->want[c]);
    RELEASE_KERNEL(writer);
    RELEASE_KERNEL(reader);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(image);
    RELEASE_MEM(out);
    RELEASE_MEM(sizes);
    if (store)
        RELEASE_MEM(store);
}

static void shapes(void)
{
    need_images();
    static const struct shape all[] = {
        {"1d",
         "i",
         "get_image_width(image), get_image_channel_order(image),"
         " get_image_channel_data_type(image), 0",
         {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 7},
         7,
         {7, CL_R, CL_SIGNED_INT32, 0}},
        {"1d_buffer",
         "i",
         "get_image_width(image), 0, 0, 0",
         {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 11},
         11,
         {11, 0, 0, 0}},
        {"1d_array",
         "(int2)(i % 4, i / 4)",
         "get_image_width(image), (int)get_image_array_size(image), 0, 0",
         {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 4, .image_array_size = 3},
         12,
         {4, 3, 0, 0}},
        {"2d",
         "(int2)(i % 5, i / 5)",
         "get_image_dim(image), get_image_width(image), get_image_height(image)",
         {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 5, .image_height = 3},
         15,
         {5, 3, 5, 3}},
        {"2d_array",
         "(int4)(i % 3, i / 3 % 2, i / 6, 0)",
         "get_image_dim(image), (int)get_image_array_size(image), get_image_height(image)",
         {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 3,
          .image_height = 2,
          .image_array_size = 4},
         24,
         {3, 2, 4, 2}},
    };
    for (size_t i = 0; i < LEN(all); i++)
        one_shape(&all[i]);
    static const struct shape volume = {"3d",
                                        "(int4)(i % 4, i / 4 % 3, i / 12, 0)",
                                        "get_image_dim(image)",
                                        {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                         .image_width = 4,
                                         .image_height = 3,
                                         .image_depth = 2},
                                        24,
                                        {4, 3, 2, 0}};
    if (has_extension("cl_khr_3d_image_writes"))
        one_shape(&volume);
}

/* One image for both: each item rewrites its texel twice, and reads what it wrote. */
static void read_and_write(void)
{
    static const char source[] =
        "kernel void k(read_write image2d_t i)\n"
        "{\n"
        "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "    write_imagei(i, at, read_imagei(i, at) + (int4)(1, 2, 3, 4));\n"
        "    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel,\n"
        "                           memory_scope_work_item);\n"
        "    write_imagei(i, at, read_imagei(i, at) * get_image_width(i));\n"
        "}\n";
    enum { ACROSS = 13, DOWN = 7, VALUES = ACROSS * DOWN * 4 };
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    const size_t origin[3] = {0}, region[3] = {ACROSS, DOWN, 1};
    cl_int in[VALUES], out[VALUES];
    need_images();
    if (device_version() < 200 || !device_uint(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS))
        check_skip("no images for both");
    for (int i = 0; i < VALUES; i++)
        in[i] = (int)random_below(1000) - 500;
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    cl_mem image =
        new_image(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, plane(ACROSS, DOWN), in);
    ARG(kernel, 0, image);
    run_nd(kernel, 2, NULL, region, NULL);
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
    for (int i = 0; i < VALUES; i++)
        CHECK_EQ(out[i], (in[i] + 1 + i % 4) * ACROSS);
    RELEASE_MEM(image);
    cl_mem one_way = new_image(CL_MEM_READ_ONLY, &format, plane(ACROSS, DOWN), NULL);
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof(cl_mem), &one_way));
    RELEASE_MEM(one_way);
    RELEASE_KERNEL(kernel);
    cl_image_format list[256];
    cl_uint count = 0;
    CHECK_OK(clGetSupportedImageFormats(cl.context, CL_MEM_KERNEL_READ_AND_WRITE,
                                        CL_MEM_OBJECT_IMAGE2D, 256, list, &count));
    CHECK(count >= 18);
}

static const struct test_case cases[] = {
    CASE(formats),  CASE(writing_rounds_and_saturates),
    CASE(samplers), CASE(literal_sampler),
    CASE(shapes),   CASE(read_and_write),
};
TEST_MAIN("image", cases)
