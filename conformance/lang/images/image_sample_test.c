/* SPDX-License-Identifier: Apache-2.0 */
/* Reading images through samplers against the formulas of the specification (section 8.2): every
 * shape, every sampler, every format; and coordinates that no image has. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cl_help.h"
#include "image_reference.h"
#include "reference.h"

enum { WIDTH = 9, HEIGHT = 5, DEPTH = 4, MOST = WIDTH * HEIGHT * DEPTH, POINTS = 256 };

struct shape {
    const char *type, *coordinate; /* of float4 or int4 p */
    cl_image_desc desc;
    int axes;  /* that are filtered */
    int layer; /* component that names a layer, or -1 */
    int size[3];
};
static const struct shape shapes[] = {
    {"1d",
     "p.x",
     {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = WIDTH},
     1,
     -1,
     {WIDTH, 1, 1}},
    {"1d_array",
     "p.xy",
     {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = WIDTH, .image_array_size = DEPTH},
     1,
     1,
     {WIDTH, DEPTH, 1}},
    {"2d",
     "p.xy",
     {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT},
     2,
     -1,
     {WIDTH, HEIGHT, 1}},
    {"2d_array",
     "p",
     {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_array_size = DEPTH},
     2,
     2,
     {WIDTH, HEIGHT, DEPTH}},
    {"3d",
     "p",
     {.image_type = CL_MEM_OBJECT_IMAGE3D,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_depth = DEPTH},
     3,
     -1,
     {WIDTH, HEIGHT, DEPTH}},
};
static const struct shape depth_shapes[] = {
    {"2d_depth",
     "p.xy",
     {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT},
     2,
     -1,
     {WIDTH, HEIGHT, 1}},
    {"2d_array_depth",
     "p",
     {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_array_size = DEPTH},
     2,
     2,
     {WIDTH, HEIGHT, DEPTH}},
};

/* Kernels read one float. */
static int is_depth(const struct shape *shape)
{
    return strstr(shape->type, "depth") != NULL;
}

struct sampler {
    cl_bool normalized;
    cl_addressing_mode mode;
    cl_filter_mode filter;
};

struct picture {
    const struct shape *shape;
    cl_image_format format;
    cl_mem mem;
    double colors[MOST][4], border[4];
};

static void need_images(void)
{
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
}

/* ---- the reference --------------------------------------------------------------------------- */

struct taps {
    int at[2]; /* -1: the border */
    double weight[2];
};

static int wrap(int i, int size, cl_addressing_mode mode)
{
    switch (mode) {
    case CL_ADDRESS_REPEAT:
        return i < 0 ? i + size : i > size - 1 ? i - size : i;
    case CL_ADDRESS_CLAMP:
        return i < 0 || i > size - 1 ? -1 : i;
    default:
        return i < 0 ? 0 : i > size - 1 ? size - 1 : i;
    }
}

/* A filter without addressing finds the border beside the image, on other implementations too. */
static cl_addressing_mode mode_of(const struct sampler *sampler)
{
    return sampler->mode == CL_ADDRESS_NONE && sampler->filter == CL_FILTER_LINEAR
               ? CL_ADDRESS_CLAMP
               : sampler->mode;
}

static struct taps find_taps(double s, int size, const struct sampler *sampler)
{
    double u = sampler->normalized ? s * size : s;
    const cl_addressing_mode mode = mode_of(sampler);
    if (sampler->mode == CL_ADDRESS_REPEAT)
        u = (s - floor(s)) * size;
    else if (sampler->mode == CL_ADDRESS_MIRRORED_REPEAT)
        u = fabs(s - 2 * rint(0.5 * s)) * size;
    if (sampler->filter == CL_FILTER_NEAREST)
        return (struct taps){{wrap((int)floor(u), size, mode), 0}, {1, 0}};
    const int low = (int)floor(u - 0.5);
    const double part = u - 0.5 - low;
    return (struct taps){{wrap(low, size, mode), wrap(low + 1, size, mode)}, {1 - part, part}};
}

static struct taps find_layer(double s, int count)
{
    const double layer = fmin(fmax(rint(s), 0), count - 1);
    return (struct taps){{(int)layer, 0}, {1, 0}};
}

static void expect(const struct picture *picture, const struct sampler *sampler, const float at[4],
                   double out[4])
{
    const struct shape *shape = picture->shape;
    struct taps taps[3];
    for (int c = 0; c < 3; c++)
        taps[c] = c < shape->axes     ? find_taps(at[c], shape->size[c], sampler)
                  : c == shape->layer ? find_layer(at[c], shape->size[c])
                                      : (struct taps){{0, 0}, {1, 0}};
    memset(out, 0, 4 * sizeof *out);
    for (int i = 0; i < 8; i++) {
        const int x = taps[0].at[i & 1], y = taps[1].at[i >> 1 & 1], z = taps[2].at[i >> 2];
        const double weight =
            taps[0].weight[i & 1] * taps[1].weight[i >> 1 & 1] * taps[2].weight[i >> 2];
        const double *color = x < 0 || y < 0 || z < 0
                                  ? picture->border
                                  : picture->colors[(z * shape->size[1] + y) * shape->size[0] + x];
        for (int c = 0; c < 4 && weight != 0; c++)
            out[c] += weight * color[c];
    }
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void random_texels(unsigned char *to, size_t size, cl_channel_type type)
{
    random_fill(to, size);
    for (size_t i = 0; type == CL_FLOAT && i + 4 <= size; i += 4) {
        const float value = (float)((double)(int64_t)random_bits() * 0x1p-63);
        memcpy(to + i, &value, sizeof value);
    }
    for (size_t i = 1; type == CL_HALF_FLOAT && i < size; i += 2)
        to[i] &= 0xbb; /* below 2 */
}

static void open_picture(struct picture *picture, const struct shape *shape,
                         const cl_image_format *format)
{
    unsigned char texels[MOST * 16];
    const cl_channel_order order = format->image_channel_order;
    const size_t bytes =
        image_channel_bytes(format->image_channel_data_type) * image_channel_count(order);
    const int count = shape->size[0] * shape->size[1] * shape->size[2];
    random_texels(texels, (size_t)count * bytes, format->image_channel_data_type);
    picture->shape = shape;
    picture->format = *format;
    for (int i = 0; i < count; i++)
        image_decode(texels + (size_t)i * bytes, format, picture->colors[i]);
    memset(picture->border, 0, sizeof picture->border);
    picture->border[3] =
        order == CL_R || order == CL_RG || order == CL_LUMINANCE || order == CL_DEPTH;
    cl_int rc;
    picture->mem = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, format,
                                 &shape->desc, texels, &rc);
    REQUIRE_OK(rc);
}

static cl_program build(const struct shape *shape)
{
    char source[2048], line[512];
    source[0] = 0;
    static const char *const rows[][3] = {{"f", "float4", "float4"}, {"i", "float4", "int4"},
                                          {"ui", "float4", "uint4"}, {"f", "int4", "float4"},
                                          {"i", "int4", "int4"},     {"ui", "int4", "uint4"}};
    for (size_t i = 0; i < LEN(rows); i++) {
        if (is_depth(shape) && *rows[i][0] != 'f')
            continue;
        snprintf(line, sizeof line,
                 "kernel void %s_%s(read_only image%s_t image, sampler_t s, global %s *at,"
                 " global %s *out) { size_t i = get_global_id(0); %s p = at[i];"
                 " out[i] = %sread_image%s(image, s, %s)%s; }\n",
                 rows[i][0], rows[i][1], shape->type, rows[i][1], rows[i][2], rows[i][1],
                 is_depth(shape) ? "(float4)(" : "", rows[i][0], shape->coordinate,
                 is_depth(shape) ? ", 0, 0, 1)" : "");
        strcat(source, line);
    }
    return built(source, "");
}

/* ---- points ---------------------------------------------------------------------------------- */

/* So far from where the nearest element changes that rounding does not matter. */
static float random_coordinate(const struct sampler *sampler, int size)
{
    const int cell = (int)random_below((uint64_t)(5 * size)) - 2 * size;
    const double u = cell + 0.1 + 0.8 * (double)random_below(1024) / 1024;
    return (float)(sampler->normalized ? u / size : u);
}

static void random_points(const struct shape *shape, const struct sampler *sampler,
                          float at[POINTS][4])
{
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 4; c++) {
            const int size = c < 3 ? shape->size[c] : 1;
            at[i][c] = c == shape->layer
                           ? (float)((int)random_below(16) - 5) + (float)random_below(8) / 8.0f
                           : random_coordinate(sampler, size);
        }
    /* elements' middles and edges are exact without normalisation */
    for (int i = 0; !sampler->normalized && i < POINTS / 4; i++)
        for (int c = 0; c < shape->axes; c++)
            at[i][c] = (float)random_below(2 * (uint64_t)shape->size[c] + 4) / 2 - 1;
    /* the nearest without addressing: only what lies inside is defined */
    for (int i = 0; mode_of(sampler) == CL_ADDRESS_NONE && i < POINTS; i++)
        for (int c = 0; c < shape->axes; c++)
            at[i][c] = fmodf(fabsf(at[i][c]), sampler->normalized ? 1 : (float)shape->size[c]);
}

static double component(const void *out, char family, int i)
{
    return family == 'f'   ? (double)((const cl_float *)out)[i]
           : family == 'i' ? (double)((const cl_int *)out)[i]
                           : (double)((const cl_uint *)out)[i];
}

static void compare(const struct picture *picture, const struct sampler *sampler,
                    const float at[POINTS][4], const void *got)
{
    const char family = image_family(picture->format.image_channel_data_type);
    for (int i = 0; i < POINTS; i++) {
        double want[4];
        expect(picture, sampler, at[i], want);
        for (int c = 0; c < 4; c++) {
            const double have = component(got, family, 4 * i + c);
            const double slack = sampler->filter == CL_FILTER_LINEAR ? 1e-4 : 1e-6 * fabs(want[c]);
            if (fabs(have - want[c]) <= slack)
                continue;
            check_fail(__FILE__, __LINE__,
                       "image%s_t %#x %#x, normalized %u, mode %#x, filter %#x: (%.9g %.9g %.9g).%d"
                       " is %.9g, not %.9g",
                       picture->shape->type, picture->format.image_channel_order,
                       picture->format.image_channel_data_type, sampler->normalized, sampler->mode,
                       sampler->filter, (double)at[i][0], (double)at[i][1], (double)at[i][2], c,
                       have, want[c]);
            return;
        }
    }
}

static void run(cl_program program, const struct picture *picture, const struct sampler *sampler,
                const void *points, const char *coordinate, void *got)
{
    static const char *const functions[] = {"f", "i", "ui"};
    const char family = image_family(picture->format.image_channel_data_type);
    char name[16];
    snprintf(name, sizeof name, "%s_%s",
             functions[family == 'f'   ? 0
                       : family == 'i' ? 1
                                       : 2],
             coordinate);
    cl_int rc;
    cl_sampler handle =
        clCreateSampler(cl.context, sampler->normalized, sampler->mode, sampler->filter, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel = kernel_of(program, name);
    cl_mem at = new_buffer(CL_MEM_COPY_HOST_PTR, POINTS * 16, (void *)(uintptr_t)points),
           out = new_buffer(0, POINTS * 16, NULL);
    ARG(kernel, 0, picture->mem);
    ARG(kernel, 1, handle);
    ARG(kernel, 2, at);
    ARG(kernel, 3, out);
    run_1d(kernel, POINTS, 0);
    read_back(out, POINTS * 16, got);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(at);
    RELEASE_MEM(out);
    CHECK_OK(clReleaseSampler(handle));
}

static int next_sampler(struct sampler *s)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                               CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                               CL_ADDRESS_MIRRORED_REPEAT};
    static size_t i;
    for (; i < LEN(modes) * 4; i++) {
        *s = (struct sampler){i / 2 % 2 ? CL_TRUE : CL_FALSE, modes[i / 4],
                              i % 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST};
        if (s->normalized || i / 4 < 3) {
            i++;
            return 1;
        }
    }
    i = 0;
    return 0;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void sample_everything(const struct shape *shape, const cl_image_format *formats,
                              size_t count)
{
    cl_program program = build(shape);
    for (size_t f = 0; f < count; f++) {
        struct picture picture;
        struct sampler sampler;
        const cl_channel_order order = formats[f].image_channel_order;
        if (!image_channels(order) || (order == CL_DEPTH) != is_depth(shape))
            continue;
        open_picture(&picture, shape, &formats[f]);
        const int integer = image_family(formats[f].image_channel_data_type) != 'f';
        while (next_sampler(&sampler)) {
            float at[POINTS][4];
            cl_float4 got[POINTS];
            if (integer && sampler.filter == CL_FILTER_LINEAR)
                continue;
            random_points(shape, &sampler, at);
            run(program, &picture, &sampler, at, "float4", got);
            compare(&picture, &sampler, (const float (*)[4])at, got);
        }
        RELEASE_MEM(picture.mem);
    }
    RELEASE_PROGRAM(program);
}

static cl_uint supported(cl_mem_object_type type, cl_image_format list[256])
{
    cl_uint count = 0;
    REQUIRE_OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_ONLY, type, 256, list, &count));
    REQUIRE(count && count <= 256);
    return count;
}

static void every_format(void)
{
    need_images();
    cl_image_format list[256];
    for (size_t i = 0; i < LEN(shapes); i++) {
        const cl_uint count = supported(shapes[i].desc.image_type, list);
        sample_everything(&shapes[i], list, count);
    }
}

/* Whole coordinates: no filter, no normalisation, and only the modes that need neither. */
static void read_whole(const struct shape *shape, const cl_image_format *formats, size_t count)
{
    cl_program program = build(shape);
    for (size_t f = 0; f < count; f++) {
        struct picture picture;
        struct sampler sampler;
        const cl_channel_order order = formats[f].image_channel_order;
        if (!image_channels(order) || (order == CL_DEPTH) != is_depth(shape))
            continue;
        open_picture(&picture, shape, &formats[f]);
        while (next_sampler(&sampler)) {
            cl_int at[POINTS][4];
            float same[POINTS][4];
            cl_float4 got[POINTS];
            if (sampler.normalized || sampler.filter == CL_FILTER_LINEAR)
                continue;
            random_points(shape, &sampler, same);
            for (int k = 0; k < POINTS * 4; k++)
                same[k / 4][k % 4] = (float)(at[k / 4][k % 4] = (int)floorf(same[k / 4][k % 4]));
            run(program, &picture, &sampler, at, "int4", got);
            compare(&picture, &sampler, (const float (*)[4])same, got);
        }
        RELEASE_MEM(picture.mem);
    }
    RELEASE_PROGRAM(program);
}

static void whole_coordinates(void)
{
    need_images();
    cl_image_format list[256];
    for (size_t i = 0; i < LEN(shapes); i++) {
        const cl_uint count = supported(shapes[i].desc.image_type, list);
        read_whole(&shapes[i], list, count);
    }
}

static void depth(void)
{
    need_images();
    if (!has_extension("cl_khr_depth_images"))
        check_skip("no cl_khr_depth_images");
    static const cl_image_format formats[] = {{CL_DEPTH, CL_FLOAT}, {CL_DEPTH, CL_UNORM_INT16}};
    for (size_t i = 0; i < LEN(depth_shapes); i++) {
        sample_everything(&depth_shapes[i], formats, LEN(formats));
        read_whole(&depth_shapes[i], formats, LEN(formats));
    }
}

/* An image that fills the memory between two pages that cannot be touched. */
static unsigned char *guarded_page(size_t page)
{
    unsigned char *at =
        mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(at != MAP_FAILED);
    REQUIRE(!mprotect(at, page, PROT_NONE) && !mprotect(at + 2 * page, page, PROT_NONE));
    return at + page;
}

union number {
    float f;
    cl_int i;
};

static void wild_points(union number at[POINTS * 4], int whole)
{
    static const float reals[] = {NAN,    INFINITY, -INFINITY,   1e30f, -1e30f, 0x1p31f, -0x1p31f,
                                  1e-40f, -1e-9f,   0.99999994f, 1,     -1,     4095.9f, 4096};
    static const cl_int integers[] = {INT32_MIN, INT32_MAX, -1, 0, 16, 1000000, -1000000, 255};
    for (int k = 0; k < POINTS * 4; k++) {
        if (whole)
            at[k].i = integers[random_below(LEN(integers))];
        else
            at[k].f = reals[random_below(LEN(reals))];
    }
}

static void wild_coordinates(void)
{
    need_images();
    if (!is_sluice())
        check_skip("not promised by the specification");
    const size_t page = 4096;
    unsigned char *memory = guarded_page(page);
    for (size_t i = 0; i < LEN(shapes); i++) {
        struct shape shape = shapes[i];
        const int deep = shape.desc.image_depth || shape.desc.image_array_size;
        shape.desc.image_width = shape.desc.image_height ? deep ? 8 : 16 : deep ? 64 : 256;
        shape.desc.image_height = shape.desc.image_height ? deep ? 8 : 16 : 0;
        shape.desc.image_depth = shape.desc.image_depth ? 4 : 0;
        shape.desc.image_array_size = shape.desc.image_array_size ? 4 : 0;
        struct picture picture = {.shape = &shape, .format = {CL_RGBA, CL_FLOAT}};
        struct sampler sampler;
        cl_int rc;
        picture.mem = clCreateImage(cl.context, CL_MEM_USE_HOST_PTR, &picture.format, &shape.desc,
                                    memory, &rc);
        REQUIRE_OK(rc);
        cl_program program = build(&shape);
        while (next_sampler(&sampler)) {
            cl_float4 got[POINTS];
            union number at[POINTS * 4];
            wild_points(at, 0);
            run(program, &picture, &sampler, at, "float4", got);
            wild_points(at, 1);
            run(program, &picture, &sampler, at, "int4", got);
        }
        RELEASE_PROGRAM(program);
        RELEASE_MEM(picture.mem);
    }
    munmap(memory - page, 3 * page);
}

/* So far outside that a normalised coordinate times the size is no float any more; `like`: outside
 * in the same directions, near enough for the reference. Layers are clamped in every mode. */
static void far_points(const struct shape *shape, const struct sampler *sampler,
                       float at[POINTS][4], float like[POINTS][4])
{
    static const float far[] = {INFINITY, 3e38f, 0x1p126f, 1e30f, 0x1p31f};
    random_points(shape, sampler, at);
    memcpy(like, at, POINTS * sizeof at[0]);
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 3; c++)
            if (random_below(2)) {
                const float sign = random_below(2) ? 1 : -1;
                const int whole = sampler->normalized && c != shape->layer;
                at[i][c] = sign * far[random_below(LEN(far))];
                like[i][c] = sign * (whole ? 3.0f : 3.0f * (float)shape->size[c] + 0.25f);
            }
}

static void far_coordinates(void)
{
    need_images();
    if (!is_sluice())
        check_skip("others answer with what is no number");
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_FLOAT}, {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}, {CL_RGBA, CL_SNORM_INT16}};
    for (size_t i = 0; i < LEN(shapes) * LEN(formats); i++) {
        const struct shape *shape = &shapes[i / LEN(formats)];
        struct picture picture;
        struct sampler sampler;
        cl_program program = build(shape);
        open_picture(&picture, shape, &formats[i % LEN(formats)]);
        while (next_sampler(&sampler)) {
            float at[POINTS][4], like[POINTS][4];
            cl_float4 got[POINTS];
            if (sampler.mode != CL_ADDRESS_CLAMP && sampler.mode != CL_ADDRESS_CLAMP_TO_EDGE)
                continue;
            far_points(shape, &sampler, at, like);
            run(program, &picture, &sampler, at, "float4", got);
            compare(&picture, &sampler, (const float (*)[4])like, got);
        }
        RELEASE_PROGRAM(program);
        RELEASE_MEM(picture.mem);
    }
}

/* What lies outside is not written. */
static void writes_outside(void)
{
    need_images();
    const size_t page = 4096;
    unsigned char *memory = guarded_page(page);
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 32, .image_height = 32};
    cl_int rc;
    cl_mem image = clCreateImage(cl.context, CL_MEM_USE_HOST_PTR, &format, &desc, memory, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel = new_kernel("kernel void k(write_only image2d_t image) {"
                                  " int2 p = (int2)(get_global_id(0), get_global_id(1)) - 48;"
                                  " write_imageui(image, p, (uint4)(p.x & 255, p.y & 255, 300, 7));"
                                  " write_imageui(image, p * 10000000, (uint4)(9)); }",
                                  "k", "");
    ARG(kernel, 0, image);
    const size_t global[2] = {128, 128};
    run_nd(kernel, 2, NULL, global, NULL);
    unsigned char got[4096];
    const size_t origin[3] = {0}, region[3] = {32, 32, 1};
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    for (int i = 1; i < 1024; i++) { /* element 0 is written twice */
        const unsigned char want[4] = {(unsigned char)(i % 32), (unsigned char)(i / 32), 255, 7};
        if (memcmp(got + 4 * i, want, 4)) {
            check_fail(__FILE__, __LINE__, "element %d is %u %u %u %u", i, got[4 * i],
                       got[4 * i + 1], got[4 * i + 2], got[4 * i + 3]);
            break;
        }
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(image);
    munmap(memory - page, 3 * page);
}

static const struct test_case cases[] = {

    CASE(depth),

    CASE(every_format),    CASE(whole_coordinates), CASE(wild_coordinates),
    CASE(far_coordinates), CASE(writes_outside),
};
TEST_MAIN("image_sample", cases)
