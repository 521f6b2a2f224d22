/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_depth_images: formats and what has them, writing, queries, copies, fills and maps of depth
 * images with odd sizes against plain C. Sampling: image_sample_test.c. */
#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

enum { WIDTH = 13, HEIGHT = 7, LAYERS = 5, TEXELS = WIDTH * HEIGHT * LAYERS };

static const cl_image_format formats[] = {{CL_DEPTH, CL_FLOAT}, {CL_DEPTH, CL_UNORM_INT16}};

static void need_depth(void)
{
    if (!has_extension("cl_khr_depth_images"))
        check_skip("no cl_khr_depth_images");
}

static cl_image_desc describe(int layers)
{
    return (cl_image_desc){.image_type =
                               layers > 1 ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D,
                           .image_width = WIDTH,
                           .image_height = HEIGHT,
                           .image_array_size = layers > 1 ? (size_t)layers : 0};
}

static cl_mem new_depth(cl_mem_flags flags, const cl_image_format *format, int layers, void *host)
{
    cl_int rc;
    const cl_image_desc desc = describe(layers);
    cl_mem image = clCreateImage(cl.context, flags, format, &desc, host, &rc);
    REQUIRE_OK(rc);
    return image;
}

static size_t bytes_of(const cl_image_format *format)
{
    return format->image_channel_data_type == CL_FLOAT ? 4 : 2;
}

/* The nearest number of 16 bits, ties to even. */
static void store(const cl_image_format *format, float depth, unsigned char *to)
{
    cl_ushort level = (cl_ushort)nearbyintf(fminf(fmaxf(depth, 0), 1) * 65535.0f);
    if (format->image_channel_data_type == CL_FLOAT)
        memcpy(to, &depth, sizeof depth);
    else
        memcpy(to, &level, sizeof level);
}

/* Everything that clGetSupportedImageFormats lists for 2D images, and for nothing else. */
static void where_they_are(void)
{
    need_depth();
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE1D,
        CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE3D};
    static const cl_mem_flags uses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};
    cl_image_format list[256];
    for (size_t t = 0; t < LEN(types); t++)
        for (size_t u = 0; u < LEN(uses); u++) {
            cl_uint count = 0, found = 0;
            REQUIRE_OK(
                clGetSupportedImageFormats(cl.context, uses[u], types[t], 256, list, &count));
            for (cl_uint i = 0; i < count; i++)
                for (size_t f = 0; f < LEN(formats); f++)
                    found += !memcmp(&list[i], &formats[f], sizeof *list);
            CHECK_EQ(found, t < 2 ? LEN(formats) : 0);
        }
    static const cl_image_desc wrong[] = {
        {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 9},
        {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 9, .image_array_size = 3},
        {.image_type = CL_MEM_OBJECT_IMAGE3D,
         .image_width = 9,
         .image_height = 3,
         .image_depth = 3}};
    const cl_image_format bytes = {CL_DEPTH, CL_UNORM_INT8};
    const cl_image_desc plane = describe(1);
    for (size_t i = 0; is_sluice() && i < LEN(wrong); i++)
        CREATE_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED,
                     clCreateImage(cl.context, 0, &formats[0], &wrong[i], NULL, ERR));
    CREATE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 clCreateImage(cl.context, 0, &bytes, &plane, NULL, ERR));
}

static const char source[] =
    "kernel void write_1(write_only image2d_depth_t image, global float *in)"
    " { int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "   write_imagef(image, at, in[at.y * get_global_size(0) + at.x]); }\n"
    "kernel void write_5(write_only image2d_array_depth_t image, global float *in)"
    " { int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"
    "   write_imagef(image, at, in[(at.z * get_global_size(1) + at.y) * get_global_size(0)"
    "                              + at.x]); }\n"
    "kernel void read_1(read_only image2d_depth_t image, global float *out)"
    " { int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "   out[at.y * get_global_size(0) + at.x] = read_imagef(image, at); }\n"
    "kernel void read_5(read_only image2d_array_depth_t image, global float *out)"
    " { int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"
    "   out[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x]"
    "     = read_imagef(image, at); }\n"
    "kernel void ask_1(read_only image2d_depth_t image, global int *out)"
    " { out[0] = get_image_width(image); out[1] = get_image_height(image);"
    "   out[2] = get_image_dim(image).x; out[3] = get_image_dim(image).y;"
    "   out[4] = get_image_channel_order(image); out[5] = get_image_channel_data_type(image);"
    "   out[6] = 1; }\n"
    "kernel void ask_5(read_only image2d_array_depth_t image, global int *out)"
    " { out[0] = get_image_width(image); out[1] = get_image_height(image);"
    "   out[2] = get_image_dim(image).x; out[3] = get_image_dim(image).y;"
    "   out[4] = get_image_channel_order(image); out[5] = get_image_channel_data_type(image);"
    "   out[6] = get_image_array_size(image); }\n"
    "kernel void plain(read_only image2d_t image, global float *out)"
    " { out[0] = read_imagef(image, (int2)(0)).x; }\n";

static void run_on(cl_program program, const char *what, cl_mem image, int layers, cl_mem buffer)
{
    char name[16] = {0};
    const size_t global[3] = {WIDTH, HEIGHT, (size_t)layers};
    strcat(strcpy(name, what), layers > 1 ? "_5" : "_1");
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, image);
    ARG(kernel, 1, buffer);
    run_nd(kernel, layers > 1 ? 3 : 2, NULL, global, NULL);
    RELEASE_KERNEL(kernel);
}

static void random_depths(float *depths, size_t count)
{
    static const float edges[] = {0, 1, -0.5f, 1.5f, 0.5f / 65535, 1.5f / 65535, INFINITY, 0.5f};
    for (size_t i = 0; i < count; i++)
        depths[i] = random_below(4) ? (float)random_below(65536) / 65535.0f
                                    : edges[random_below(LEN(edges))];
}

/* Written by kernels, read back by the host; then the other way. */
static void write_and_read(cl_program program, const cl_image_format *format, int layers)
{
    const size_t count = (size_t)(WIDTH * HEIGHT * layers), bytes = bytes_of(format);
    float depths[TEXELS], seen[TEXELS];
    unsigned char want[TEXELS * 4], got[TEXELS * 4];
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, (size_t)layers};
    random_depths(depths, count);
    for (size_t i = 0; i < count; i++)
        store(format, depths[i], want + i * bytes);
    cl_mem image = new_depth(0, format, layers, NULL);
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof depths, depths);
    run_on(program, "write", image, layers, buffer);
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    CHECK(!memcmp(got, want, count * bytes));
    run_on(program, "read", image, layers, buffer);
    read_back(buffer, sizeof seen, seen);
    for (size_t i = 0; i < count; i++) {
        cl_ushort level;
        memcpy(&level, want + i * bytes, sizeof level);
        const double stored = bytes == 4 ? (double)depths[i] : level / 65535.0;
        if ((double)seen[i] != stored && !(fabs((double)seen[i] - stored) <= 1e-7 * fabs(stored))) {
            check_fail(__FILE__, __LINE__, "texel %zu is %.9g, not %.9g", i, (double)seen[i],
                       stored);
            break;
        }
    }
    RELEASE_MEM(image);
    RELEASE_MEM(buffer);
}

static void writes_and_reads(void)
{
    need_depth();
    cl_program program = built(source, "");
    for (size_t f = 0; f < LEN(formats); f++) {
        write_and_read(program, &formats[f], 1);
        write_and_read(program, &formats[f], LAYERS);
    }
    RELEASE_PROGRAM(program);
}

/* Old and new dialects know the types. */
static void dialects(void)
{
    need_depth();
    static const char *const options[] = {"-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"};
    for (size_t i = 0; i < LEN(options); i++) {
        if (!is_sluice() && i)
            break;
        cl_program program = built(source, options[i]);
        write_and_read(program, &formats[0], LAYERS);
        RELEASE_PROGRAM(program);
    }
    cl_program program = built("#ifndef cl_khr_depth_images\n#error no macro\n#endif\n"
                               "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n"
                               "kernel void k(read_write image2d_depth_t i) {"
                               " write_imagef(i, (int2)(0), read_imagef(i, (int2)(1)) * 2); }",
                               "-cl-std=CL3.0");
    float texels[WIDTH * HEIGHT];
    for (size_t i = 0; i < LEN(texels); i++)
        texels[i] = (float)i;
    cl_mem image = new_depth(CL_MEM_COPY_HOST_PTR, &formats[0], 1, texels);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, image);
    run_1d(kernel, 1, 1);
    const size_t origin[3] = {0}, region[3] = {1, 1, 1};
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    CHECK(texels[0] == 2 * (WIDTH + 1));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(image);
    RELEASE_PROGRAM(program);
}

static void queries(void)
{
    need_depth();
    cl_program program = built(source, "");
    for (size_t f = 0; f < LEN(formats); f++)
        for (int layers = 1; layers <= LAYERS; layers += LAYERS - 1) {
            cl_int got[7];
            cl_mem image = new_depth(0, &formats[f], layers, NULL);
            cl_mem buffer = new_buffer(0, sizeof got, NULL);
            run_on(program, "ask", image, layers, buffer);
            read_back(buffer, sizeof got, got);
            const cl_int want[7] = {WIDTH,  HEIGHT,   WIDTH,
                                    HEIGHT, CL_DEPTH, (cl_int)formats[f].image_channel_data_type,
                                    layers};
            CHECK(!memcmp(got, want, sizeof want));
            size_t element = 0;
            CHECK_OK(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
            CHECK_EQ(element, bytes_of(&formats[f]));
            RELEASE_MEM(image);
            RELEASE_MEM(buffer);
        }
    RELEASE_PROGRAM(program);
}

/* A depth image is no image2d_t, nor the other way round. */
static void arguments(void)
{
    need_depth();
    const cl_image_format plain = {CL_R, CL_FLOAT};
    cl_program program = built(source, "-cl-kernel-arg-info");
    cl_kernel read = kernel_of(program, "read_1"), other = kernel_of(program, "plain");
    cl_mem depth = new_depth(0, &formats[0], 1, NULL),
           many = new_depth(0, &formats[0], LAYERS, NULL), image = new_depth(0, &plain, 1, NULL);
    char type[64] = "";
    CHECK_OK(clGetKernelArgInfo(read, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    CHECK(!strcmp(type, "image2d_depth_t"));
    if (is_sluice()) {
        FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(read, 0, sizeof image, &image));
        FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(read, 0, sizeof many, &many));
        FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(other, 0, sizeof depth, &depth));
    }
    CHECK_OK(clSetKernelArg(read, 0, sizeof depth, &depth));
    CHECK_OK(clSetKernelArg(other, 0, sizeof image, &image));
    RELEASE_MEM(depth);
    RELEASE_MEM(many);
    RELEASE_MEM(image);
    RELEASE_KERNEL(read);
    RELEASE_KERNEL(other);
    RELEASE_PROGRAM(program);
}

/* The colour of a fill is one float: nothing behind it is read. */
static void fills(void)
{
    need_depth();
    const size_t page = 4096;
    unsigned char *two =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(two != MAP_FAILED && !mprotect(two + page, page, PROT_NONE));
    float *color = (float *)(void *)(two + page - sizeof *color);
    for (size_t f = 0; f < LEN(formats); f++) {
        const size_t bytes = bytes_of(&formats[f]);
        unsigned char want[TEXELS * 4], got[TEXELS * 4];
        random_fill(want, sizeof want);
        cl_mem image = new_depth(CL_MEM_COPY_HOST_PTR, &formats[f], LAYERS, want);
        const size_t origin[3] = {2, 1, 1}, region[3] = {7, 5, 3}, zero[3] = {0},
                     all[3] = {WIDTH, HEIGHT, LAYERS};
        *color = 0.3f;
        CHECK_OK(clEnqueueFillImage(cl.queue, image, color, origin, region, 0, NULL, NULL));
        for (size_t z = 1; z < 4; z++)
            for (size_t y = 1; y < 6; y++)
                for (size_t x = 2; x < 9; x++)
                    store(&formats[f], *color, want + ((z * HEIGHT + y) * WIDTH + x) * bytes);
        REQUIRE_OK(
            clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
        CHECK(!memcmp(got, want, TEXELS * bytes));
        RELEASE_MEM(image);
    }
    munmap(two, 2 * page);
}

/* Host memory with pitches, a copy, a buffer and a map show the same rows. */
static void moves(void)
{
    need_depth();
    for (size_t f = 0; f < LEN(formats); f++) {
        const size_t bytes = bytes_of(&formats[f]), row = WIDTH * bytes, pitch = row + 3 * bytes;
        unsigned char host[(WIDTH + 3) * HEIGHT * 4], got[WIDTH * HEIGHT * 4];
        const size_t zero[3] = {0}, all[3] = {WIDTH, HEIGHT, 1};
        cl_image_desc desc = describe(1);
        cl_int rc;
        random_fill(host, sizeof host);
        desc.image_row_pitch = pitch;
        cl_mem from = clCreateImage(cl.context, CL_MEM_USE_HOST_PTR, &formats[f], &desc, host, &rc);
        REQUIRE_OK(rc);
        cl_mem to = new_depth(0, &formats[f], 1, NULL), buffer = new_buffer(0, sizeof got, NULL);
        CHECK_OK(clEnqueueCopyImage(cl.queue, from, to, zero, zero, all, 0, NULL, NULL));
        CHECK_OK(clEnqueueCopyImageToBuffer(cl.queue, to, buffer, zero, all, 0, 0, NULL, NULL));
        read_back(buffer, row * HEIGHT, got);
        for (size_t y = 0; y < HEIGHT; y++)
            CHECK(!memcmp(got + y * row, host + y * pitch, row));
        CHECK_OK(clEnqueueCopyBufferToImage(cl.queue, buffer, to, 0, zero, all, 0, NULL, NULL));
        size_t mapped = 0;
        unsigned char *at = clEnqueueMapImage(cl.queue, to, CL_TRUE, CL_MAP_READ, zero, all,
                                              &mapped, NULL, 0, NULL, NULL, &rc);
        REQUIRE_OK(rc);
        for (size_t y = 0; y < HEIGHT; y++)
            CHECK(!memcmp(at + y * mapped, host + y * pitch, row));
        CHECK_OK(clEnqueueUnmapMemObject(cl.queue, to, at, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        RELEASE_MEM(buffer);
    }
}

static const struct test_case cases[] = {
    CASE(where_they_are), CASE(writes_and_reads), CASE(dialects),
    CASE(queries),        CASE(arguments),        CASE(fills),
    CASE(moves),
};
TEST_MAIN("depth_image", cases)
