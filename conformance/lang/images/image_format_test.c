/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every format in every type of image, however it is stored: memory of its own, the application's
 * with gaps behind rows and slices, a buffer's. What kernels read is what the bytes mean; what they
 * write is the bytes again, and nothing between them.
 */
#include "cl_help.h"
#include "image_reference.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, MOST = 16384, POISON = 0xcd };
enum storage { OWN, HOST, BUFFER };

struct shape {
    cl_mem_object_type type;
    const char *name, *at; /* of the coordinates x, y, z */
    size_t size[3];        /* layers of 1D are rows */
};
static const struct shape shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1d", "x", {WIDTH, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "1d_buffer", "x", {WIDTH, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1d_array", "(int2)(x, y)", {WIDTH, DEPTH, 1}},
    {CL_MEM_OBJECT_IMAGE2D, "2d", "(int2)(x, y)", {WIDTH, HEIGHT, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2d_array", "(int4)(x, y, z, 0)", {WIDTH, HEIGHT, DEPTH}},
    {CL_MEM_OBJECT_IMAGE3D, "3d", "(int4)(x, y, z, 0)", {WIDTH, HEIGHT, DEPTH}},
};

/* One image in memory. */
struct picture {
    const struct shape *shape;
    enum storage storage;
    cl_image_format format;
    size_t elem, pitch[2], bytes; /* bytes: from the first to behind the last */
    cl_mem mem, store;
    unsigned char memory[MOST]; /* what it was made from; of HOST: where it is */
};
static struct picture from, to;

static size_t place(const struct picture *p, size_t x, size_t y, size_t z)
{
    return x * p->elem + y * p->pitch[0] + z * p->pitch[1];
}

/* Finite values only: comparing goes by value. */
static void random_texels(unsigned char *at, size_t size, cl_channel_type type)
{
    random_fill(at, size);
    for (size_t i = 0; type == CL_FLOAT && i + 4 <= size; i += 4) {
        const float value = (float)((double)(int64_t)random_bits() * 0x1p-60);
        memcpy(at + i, &value, sizeof value);
    }
    for (size_t i = 1; type == CL_HALF_FLOAT && i < size; i += 2)
        at[i] &= 0xbb;
}

static void lay_out(struct picture *p, const struct shape *shape, enum storage storage,
                    const cl_image_format *format)
{
    const int gaps = storage != OWN && shape->type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    p->shape = shape;
    p->storage = storage;
    p->format = *format;
    p->store = NULL;
    p->elem = image_channel_bytes(format->image_channel_data_type) *
              image_channel_count(format->image_channel_order);
    p->pitch[0] = (shape->size[0] + (gaps ? 2 : 0)) * p->elem;
    p->pitch[1] = (shape->size[1] + (gaps && shape->size[2] > 1 ? 1 : 0)) * p->pitch[0];
    p->bytes = p->pitch[1] * shape->size[2];
    REQUIRE(p->bytes <= MOST);
}

static cl_image_desc describe(const struct picture *p)
{
    const struct shape *shape = p->shape;
    const int rows = shape->type == CL_MEM_OBJECT_IMAGE2D || shape->size[2] > 1;
    cl_image_desc desc = {.image_type = shape->type,
                          .image_width = shape->size[0],
                          .image_height = rows ? shape->size[1] : 0,
                          .mem_object = p->store};
    if (shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        desc.image_array_size = shape->size[1];
    else if (shape->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc.image_array_size = shape->size[2];
    else if (shape->type == CL_MEM_OBJECT_IMAGE3D)
        desc.image_depth = shape->size[2];
    if (shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return desc;
    desc.image_row_pitch = p->pitch[0];
    if (!p->store && shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        desc.image_slice_pitch = p->pitch[0];
    else if (shape->size[2] > 1)
        desc.image_slice_pitch = p->pitch[1];
    return desc;
}

static void make(struct picture *p)
{
    static const cl_mem_flags flags[] = {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR, 0};
    cl_int rc;
    if (p->storage == BUFFER)
        p->store = new_buffer(CL_MEM_COPY_HOST_PTR, p->bytes, p->memory);
    const cl_image_desc desc = describe(p);
    p->mem = clCreateImage(cl.context, flags[p->storage], &p->format, &desc,
                           p->store ? NULL : p->memory, &rc);
    REQUIRE_OK(rc);
}

/* The bytes of the image, in the layout that it was made from. */
static void fetch(struct picture *p, unsigned char *out)
{
    const size_t zero[3] = {0}, *size = p->shape->size;
    size_t row, slice;
    cl_int rc;
    if (p->storage == OWN) {
        REQUIRE_OK(
            clEnqueueReadImage(cl.queue, p->mem, CL_TRUE, zero, size, 0, 0, out, 0, NULL, NULL));
    } else if (p->storage == BUFFER) {
        read_back(p->store, p->bytes, out);
    } else {
        void *at = clEnqueueMapImage(cl.queue, p->mem, CL_TRUE, CL_MAP_READ, zero, size, &row,
                                     &slice, 0, NULL, NULL, &rc);
        REQUIRE_OK(rc);
        CHECK(at == p->memory);
        memcpy(out, p->memory, p->bytes);
        CHECK_OK(clEnqueueUnmapMemObject(cl.queue, p->mem, at, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
    }
}

static void drop(struct picture *p)
{
    RELEASE_MEM(p->mem);
    if (p->store)
        RELEASE_MEM(p->store);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static cl_program build(const struct shape *shape)
{
    char source[2048], *end = source;
    static const char *const rows[][2] = {{"f", "float4"}, {"i", "int4"}, {"ui", "uint4"}};
    for (size_t i = 0; i < LEN(rows); i++)
        end += snprintf(
            end, (size_t)(source + sizeof source - end),
            "#define PLACE int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
            " size_t i = ((size_t)z * get_global_size(1) + y) * get_global_size(0) + x;\n"
            "kernel void read_%s(read_only image%s_t image, global %s *out)"
            " { PLACE out[i] = read_image%s(image, %s); }\n"
            "kernel void write_%s(write_only image%s_t image, global %s *in)"
            " { PLACE write_image%s(image, %s, in[i]); }\n",
            rows[i][0], shape->name, rows[i][1], rows[i][0], shape->at, rows[i][0], shape->name,
            rows[i][1], rows[i][0], shape->at);
    return built(source, "");
}

static void run_on(cl_program program, const char *what, struct picture *p, cl_mem colors)
{
    const char family = image_family(p->format.image_channel_data_type);
    char name[16];
    snprintf(name, sizeof name, "%s_%s", what, family == 'f' ? "f" : family == 'i' ? "i" : "ui");
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, p->mem);
    ARG(kernel, 1, colors);
    run_nd(kernel, 3, NULL, p->shape->size, NULL);
    RELEASE_KERNEL(kernel);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static double component(const void *colors, char family, size_t i)
{
    return family == 'f'   ? (double)((const cl_float *)colors)[i]
           : family == 'i' ? (double)((const cl_int *)colors)[i]
                           : (double)((const cl_uint *)colors)[i];
}

static void complain(const struct picture *p, const char *what, size_t at)
{
    check_fail(__FILE__, __LINE__, "image%s_t, storage %d, order %#x, type %#x: %s at %zu",
               p->shape->name, (int)p->storage, p->format.image_channel_order,
               p->format.image_channel_data_type, what, at);
}

static int colors_are_right(const struct picture *p, const void *colors)
{
    const size_t *size = p->shape->size;
    const char family = image_family(p->format.image_channel_data_type);
    size_t i = 0;
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < size[0]; x++, i++) {
                double want[4];
                image_decode(p->memory + place(p, x, y, z), &p->format, want);
                for (size_t c = 0; c < 4; c++) {
                    const double got = component(colors, family, 4 * i + c);
                    if (!(fabs(got - want[c]) <= 1e-6 * fabs(want[c]))) {
                        complain(p, "wrong colour", i);
                        return 0;
                    }
                }
            }
    return 1;
}

/* Two bytes may mean -1. */
static int is_same(const struct picture *p, const unsigned char *got, const unsigned char *want)
{
    const cl_channel_type type = p->format.image_channel_data_type;
    const size_t bytes = image_channel_bytes(type);
    for (size_t i = 0; i < p->elem; i += bytes) {
        if (!memcmp(got + i, want + i, bytes))
            continue;
        const size_t top = i + bytes - 1;
        if ((type != CL_SNORM_INT8 && type != CL_SNORM_INT16) || want[top] != 0x80 ||
            got[i] != (bytes == 1 ? 0x81 : 0x01))
            return 0;
    }
    return 1;
}

static void check_bytes(const struct picture *p, const unsigned char *got,
                        const unsigned char *source)
{
    static unsigned char gaps[MOST];
    const size_t *size = p->shape->size;
    memcpy(gaps, got, p->bytes);
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < size[0]; x++) {
                const size_t at = place(p, x, y, z);
                if (!is_same(p, got + at, source + at)) {
                    complain(p, "wrong bytes", at);
                    return;
                }
                memset(gaps + at, POISON, p->elem);
            }
    for (size_t i = 0; i < p->bytes; i++)
        if (gaps[i] != POISON) {
            complain(p, "a gap was written", i);
            return;
        }
}

/* ---- the case -------------------------------------------------------------------------------- */

static void one(cl_program program, const struct shape *shape, enum storage storage,
                const cl_image_format *format)
{
    static cl_float4 colors[WIDTH * HEIGHT * DEPTH];
    static unsigned char got[MOST];
    lay_out(&from, shape, storage, format);
    lay_out(&to, shape, storage, format);
    random_texels(from.memory, from.bytes, format->image_channel_data_type);
    memset(to.memory, POISON, to.bytes);
    make(&from);
    make(&to);
    cl_mem buffer = new_buffer(CL_MEM_READ_WRITE, sizeof colors, NULL);
    run_on(program, "read", &from, buffer);
    read_back(buffer, sizeof colors, colors);
    if (colors_are_right(&from, colors)) {
        run_on(program, "write", &to, buffer);
        fetch(&to, got);
        check_bytes(&to, got, from.memory);
    }
    RELEASE_MEM(buffer);
    drop(&from);
    drop(&to);
}

static void every_format(const struct shape *shape, enum storage storage)
{
    cl_image_format list[256];
    cl_uint count = 0;
    REQUIRE_OK(
        clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, shape->type, 256, list, &count));
    REQUIRE(count && count <= 256);
    cl_program program = build(shape);
    for (cl_uint i = 0; i < count; i++)
        if (image_channels(list[i].image_channel_order) && list[i].image_channel_order != CL_DEPTH)
            one(program, shape, storage, &list[i]);
    RELEASE_PROGRAM(program);
}

static int is_possible(const struct shape *shape, enum storage storage)
{
    if (!strcmp(shape->name, "3d") && !has_extension("cl_khr_3d_image_writes"))
        return 0;
    if (shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return storage == BUFFER;
    return storage != BUFFER ||
           (shape->type == CL_MEM_OBJECT_IMAGE2D && has_extension("cl_khr_image2d_from_buffer"));
}

static void in_storage(enum storage storage)
{
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    for (size_t i = 0; i < LEN(shapes); i++)
        if (is_possible(&shapes[i], storage))
            every_format(&shapes[i], storage);
}

static void own(void)
{
    in_storage(OWN);
}

static void host(void)
{
    in_storage(HOST);
}

static void buffer(void)
{
    in_storage(BUFFER);
}

static const struct test_case cases[] = {CASE(own), CASE(host), CASE(buffer)};
TEST_MAIN("image_format", cases)
