/* SPDX-License-Identifier: Apache-2.0 */
/* Reading, writing, copying, filling and mapping of images against a plain array, with odd sizes
 * and all pitches. */
#include "image_help.h"
#include "reference.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 16384, ROUNDS = 10, POISON = 0xcd };

/* As the commands see an image: columns, rows or layers of 1D, slices or layers of 2D. */
struct shape {
    cl_mem_object_type type;
    size_t size[3];
};
static const struct shape shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, {37, 1, 1}},       {CL_MEM_OBJECT_IMAGE1D_BUFFER, {41, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, {13, 7, 1}}, {CL_MEM_OBJECT_IMAGE2D, {17, 11, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, {9, 5, 7}},  {CL_MEM_OBJECT_IMAGE3D, {11, 3, 5}},
};
static const struct {
    cl_image_format format;
    size_t bytes;
} formats[] = {
    {{CL_R, CL_UNSIGNED_INT8}, 1},   {{CL_R, CL_HALF_FLOAT}, 2}, {{CL_RGBA, CL_UNORM_INT8}, 4},
    {{CL_RGBA, CL_SIGNED_INT16}, 8}, {{CL_RGBA, CL_FLOAT}, 16},
};

struct image {
    const struct shape *shape;
    size_t bytes; /* of one element */
    cl_mem mem, store;
    unsigned char texels[BYTES]; /* what it should hold, without gaps */
};

struct box {
    size_t origin[3], region[3];
};

static size_t volume(const size_t size[3])
{
    return size[0] * size[1] * size[2];
}

static cl_image_desc describe(const struct shape *shape)
{
    cl_image_desc desc = {.image_type = shape->type, .image_width = shape->size[0]};
    switch (shape->type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        desc.image_array_size = shape->size[1];
        break;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        desc.image_height = shape->size[1];
        desc.image_array_size = shape->size[2];
        break;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE3D:
        desc.image_height = shape->size[1];
        desc.image_depth = shape->type == CL_MEM_OBJECT_IMAGE3D ? shape->size[2] : 0;
        break;
    default:
        break;
    }
    return desc;
}

static void open_image(struct image *image, const struct shape *shape, size_t format)
{
    cl_image_desc desc = describe(shape);
    image->shape = shape;
    image->bytes = formats[format].bytes;
    image->store = NULL;
    const size_t all = volume(shape->size) * image->bytes;
    REQUIRE(all <= BYTES);
    random_fill(image->texels, all);
    void *host = image->texels;
    cl_mem_flags flags = CL_MEM_COPY_HOST_PTR;
    if (shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        desc.mem_object = image->store = new_buffer(CL_MEM_COPY_HOST_PTR, all, image->texels);
        host = NULL;
        flags = 0;
    }
    cl_int rc;
    image->mem = clCreateImage(cl.context, flags, &formats[format].format, &desc, host, &rc);
    REQUIRE_OK(rc);
}

static void close_image(struct image *image)
{
    RELEASE_MEM(image->mem);
    if (image->store)
        RELEASE_MEM(image->store);
}

static struct box random_box(const size_t size[3])
{
    struct box box;
    for (int i = 0; i < 3; i++) {
        box.origin[i] = random_below(size[i]);
        box.region[i] = 1 + random_below(size[i] - box.origin[i]);
    }
    return box;
}

/* Rows of a box one after the other, between two layouts: an offset and two steps each. */
struct layout {
    size_t at, row, slice;
};

static struct layout inside(const struct image *image, const size_t origin[3])
{
    const size_t row = image->shape->size[0] * image->bytes, slice = row * image->shape->size[1];
    return (struct layout){origin[0] * image->bytes + origin[1] * row + origin[2] * slice, row,
                           slice};
}

static void move_box(unsigned char *to, struct layout dst, const unsigned char *from,
                     struct layout src, const size_t region[3], size_t bytes)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + dst.at + z * dst.slice + y * dst.row,
                   from + src.at + z * src.slice + y * src.row, region[0] * bytes);
}

/* Chooses pitches for host memory: *row and *slice as given to the command, the layout they mean.
 */
static struct layout host_layout(const struct image *image, const size_t region[3], size_t *row,
                                 size_t *slice)
{
    const cl_mem_object_type type = image->shape->type;
    const int layers = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const int slices = type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    struct layout host = {0, region[0] * image->bytes, 0};
    *row = *slice = 0;
    if (random_below(2))
        host.row = *row = host.row + image->bytes * random_below(4);
    host.slice = host.row * (layers ? 1 : region[1]);
    if ((layers || slices) && random_below(2))
        host.slice = *slice = host.slice + host.row * random_below(3);
    if (layers)
        host.row = host.slice;
    return host;
}

static unsigned char host[4 * BYTES], want[4 * BYTES];

static void check_whole(const struct image *image, int line)
{
    const size_t origin[3] = {0}, all = volume(image->shape->size) * image->bytes;
    memset(host, POISON, all);
    REQUIRE_OK(clEnqueueReadImage(cl.queue, image->mem, CL_TRUE, origin, image->shape->size, 0, 0,
                                  host, 0, NULL, NULL));
    if (memcmp(host, image->texels, all))
        check_fail(__FILE__, line, "image type %#x with elements of %zu bytes differs",
                   image->shape->type, image->bytes);
}
#define CHECK_WHOLE(image) check_whole(image, __LINE__)

static void for_all(void (*test)(struct image *))
{
    image_need();
    for (size_t s = 0; s < LEN(shapes); s++)
        for (size_t f = 0; f < LEN(formats); f++) {
            struct image image;
            open_image(&image, &shapes[s], f);
            test(&image);
            CHECK_WHOLE(&image);
            close_image(&image);
        }
}

/* ---- reading and writing --------------------------------------------------------------------- */

static void write_box(struct image *image)
{
    const struct box box = random_box(image->shape->size);
    size_t row, slice;
    const struct layout layout = host_layout(image, box.region, &row, &slice);
    random_fill(host, sizeof host);
    const cl_bool blocking = random_below(2) ? CL_TRUE : CL_FALSE;
    CHECK_OK(clEnqueueWriteImage(cl.queue, image->mem, blocking, box.origin, box.region, row, slice,
                                 host, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    move_box(image->texels, inside(image, box.origin), host, layout, box.region, image->bytes);
}

/* Nothing between the rows may be touched. */
static void read_box(struct image *image)
{
    const struct box box = random_box(image->shape->size);
    size_t row, slice;
    const struct layout layout = host_layout(image, box.region, &row, &slice);
    memset(host, POISON, sizeof host);
    memset(want, POISON, sizeof want);
    CHECK_OK(clEnqueueReadImage(cl.queue, image->mem, CL_TRUE, box.origin, box.region, row, slice,
                                host, 0, NULL, NULL));
    move_box(want, layout, image->texels, inside(image, box.origin), box.region, image->bytes);
    if (memcmp(host, want, sizeof host))
        check_fail(__FILE__, __LINE__,
                   "type %#x, %zu bytes: region %zu %zu %zu with pitches %zu and %zu",
                   image->shape->type, image->bytes, box.region[0], box.region[1], box.region[2],
                   row, slice);
}

static void read_write_rounds(struct image *image)
{
    CHECK_WHOLE(image);
    for (int i = 0; i < ROUNDS; i++) {
        write_box(image);
        read_box(image);
    }
}

static void reads_and_writes(void)
{
    for_all(read_write_rounds);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copy_between(struct image *from, struct image *to)
{
    size_t size[3];
    struct box box;
    for (int i = 0; i < 3; i++)
        size[i] =
            from->shape->size[i] < to->shape->size[i] ? from->shape->size[i] : to->shape->size[i];
    box = random_box(size);
    const size_t origin[3] = {0};
    CHECK_OK(clEnqueueCopyImage(cl.queue, from->mem, to->mem, box.origin, origin, box.region, 0,
                                NULL, NULL));
    move_box(to->texels, inside(to, origin), from->texels, inside(from, box.origin), box.region,
             to->bytes);
    CHECK_WHOLE(to);
}

static void copies(void)
{
    image_need();
    for (size_t f = 0; f < LEN(formats); f += 2)
        for (size_t a = 0; a < LEN(shapes); a++)
            for (size_t b = 0; b < LEN(shapes); b++) {
                struct image from, to;
                open_image(&from, &shapes[a], f);
                open_image(&to, &shapes[b], f);
                copy_between(&from, &to);
                CHECK_WHOLE(&from);
                close_image(&from);
                close_image(&to);
            }
}

/* The left part of an image to its right part. */
static void copy_within(struct image *image)
{
    size_t region[3] = {image->shape->size[0] / 2, image->shape->size[1], image->shape->size[2]};
    const size_t left[3] = {0}, right[3] = {region[0], 0, 0};
    CHECK_OK(
        clEnqueueCopyImage(cl.queue, image->mem, image->mem, left, right, region, 0, NULL, NULL));
    move_box(image->texels, inside(image, right), image->texels, inside(image, left), region,
             image->bytes);
    region[0]++;
    FAILS(CL_MEM_COPY_OVERLAP,
          clEnqueueCopyImage(cl.queue, image->mem, image->mem, left, right, region, 0, NULL, NULL));
}

static void copies_within(void)
{
    for_all(copy_within);
}

static void with_buffer(struct image *image)
{
    random_fill(want, BYTES + 100);
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, BYTES + 100, want);
    for (int i = 0; i < ROUNDS; i++) {
        const struct box box = random_box(image->shape->size);
        const size_t row = box.region[0] * image->bytes;
        const struct layout tight = {random_below(100 / image->bytes) * image->bytes, row,
                                     row * box.region[1]};
        const struct layout there = inside(image, box.origin);
        if (i % 2) {
            CHECK_OK(clEnqueueCopyBufferToImage(cl.queue, buffer, image->mem, tight.at, box.origin,
                                                box.region, 0, NULL, NULL));
            move_box(image->texels, there, want, tight, box.region, image->bytes);
        } else {
            CHECK_OK(clEnqueueCopyImageToBuffer(cl.queue, image->mem, buffer, box.origin,
                                                box.region, tight.at, 0, NULL, NULL));
            move_box(want, tight, image->texels, there, box.region, image->bytes);
        }
    }
    read_back(buffer, BYTES + 100, host);
    CHECK(!memcmp(host, want, BYTES + 100));
    RELEASE_MEM(buffer);
}

static void copies_with_buffers(void)
{
    for_all(with_buffer);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static unsigned char *map_box(struct image *image, const struct box *box, cl_map_flags flags,
                              struct layout *layout)
{
    const int layers = image->shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t row = 7777, slice = 7777;
    cl_int rc;
    unsigned char *at = clEnqueueMapImage(cl.queue, image->mem, CL_TRUE, flags, box->origin,
                                          box->region, &row, &slice, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK(row >= box->region[0] * image->bytes && row != 7777);
    const int flat = !layers && image->shape->type != CL_MEM_OBJECT_IMAGE3D &&
                     image->shape->type != CL_MEM_OBJECT_IMAGE2D_ARRAY;
    if (flat)
        CHECK_EQ(slice, 0);
    else
        CHECK(slice >= row * (layers ? 1 : box->region[1]));
    *layout = (struct layout){0, layers ? slice : row, slice};
    return at;
}

static void map_rounds(struct image *image)
{
    for (int i = 0; i < ROUNDS; i++) {
        const struct box box = random_box(image->shape->size);
        const struct layout tight = {0, box.region[0] * image->bytes,
                                     box.region[0] * image->bytes * box.region[1]};
        const size_t all = volume(box.region) * image->bytes;
        struct layout layout;
        unsigned char *at = map_box(image, &box, CL_MAP_READ, &layout);
        move_box(host, tight, at, layout, box.region, image->bytes);
        move_box(want, tight, image->texels, inside(image, box.origin), box.region, image->bytes);
        CHECK(!memcmp(host, want, all));
        CHECK_OK(clEnqueueUnmapMemObject(cl.queue, image->mem, at, 0, NULL, NULL));
        at = map_box(image, &box, i % 2 ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION, &layout);
        random_fill(host, all);
        move_box(at, layout, host, tight, box.region, image->bytes);
        move_box(image->texels, inside(image, box.origin), host, tight, box.region, image->bytes);
        CHECK_OK(clEnqueueUnmapMemObject(cl.queue, image->mem, at, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
    }
    cl_uint count = 99;
    CHECK_OK(clGetMemObjectInfo(image->mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 0);
}

static void maps(void)
{
    for_all(map_rounds);
}

/* ---- host pointers with pitches -------------------------------------------------------------- */

static void one_host_pointer(struct image *image, cl_mem_flags flags)
{
    cl_image_desc desc = describe(image->shape);
    const int layers = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const int slices = desc.image_array_size || desc.image_depth;
    const size_t *size = image->shape->size;
    desc.image_row_pitch = (size[0] + 3) * image->bytes;
    if (slices)
        desc.image_slice_pitch = desc.image_row_pitch * (layers ? 2 : size[1] + 1);
    const struct layout out = {0, layers ? desc.image_slice_pitch : desc.image_row_pitch,
                               desc.image_slice_pitch};
    const size_t origin[3] = {0};
    unsigned char *memory = aligned_alloc(4096, sizeof host);
    REQUIRE(memory);
    memset(memory, POISON, sizeof host);
    move_box(memory, out, image->texels, inside(image, origin), size, image->bytes);
    cl_int rc;
    cl_image_format format;
    CHECK_OK(clGetImageInfo(image->mem, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    struct image other = *image;
    other.mem = clCreateImage(cl.context, flags, &format, &desc, memory, &rc);
    REQUIRE_OK(rc);
    CHECK_WHOLE(&other);
    write_box(&other);
    CHECK_WHOLE(&other);
    if (flags & CL_MEM_USE_HOST_PTR) {
        const struct box box = {{0}, {size[0], size[1], size[2]}};
        struct layout layout;
        unsigned char *at = map_box(&other, &box, CL_MAP_READ, &layout);
        CHECK(at == memory);
        CHECK_EQ(layout.row, out.row);
        move_box(host, inside(&other, origin), at, layout, size, image->bytes);
        CHECK(!memcmp(host, other.texels, volume(size) * image->bytes));
        CHECK_OK(clEnqueueUnmapMemObject(cl.queue, other.mem, at, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
    }
    RELEASE_MEM(other.mem);
    free(memory);
}

static void with_host_pointer(struct image *image)
{
    if (image->store)
        return;
    one_host_pointer(image, CL_MEM_COPY_HOST_PTR);
    one_host_pointer(image, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR);
    one_host_pointer(image, CL_MEM_USE_HOST_PTR);
}

static void host_pointers(void)
{
    for_all(with_host_pointer);
}

/* ---- fills ----------------------------------------------------------------------------------- */

struct channel {
    cl_channel_type type;
    size_t bytes;
    char kind; /* n: normalised to most; i, u, h, f */
    int most;
};
static const struct channel channels[] = {
    {CL_UNORM_INT8, 1, 'n', 255},       {CL_UNORM_INT16, 2, 'n', 65535},
    {CL_SNORM_INT8, 1, 'n', 127},       {CL_SNORM_INT16, 2, 'n', 32767},
    {CL_SIGNED_INT8, 1, 'i', 127},      {CL_SIGNED_INT16, 2, 'i', 32767},
    {CL_SIGNED_INT32, 4, 'i', 0},       {CL_UNSIGNED_INT8, 1, 'u', 255},
    {CL_UNSIGNED_INT16, 2, 'u', 65535}, {CL_UNSIGNED_INT32, 4, 'u', 0},
    {CL_HALF_FLOAT, 2, 'h', 0},         {CL_FLOAT, 4, 'f', 0},
};

/* A component and the bits that it must be stored as; now and then one that has to be clamped. */
static uint32_t random_component(const struct channel *c, void *component)
{
    const int negative = c->type == CL_SNORM_INT8 || c->type == CL_SNORM_INT16;
    const int extreme = !random_below(4);
    int64_t stored =
        c->most ? (int64_t)random_below((uint64_t)c->most + 1) : (int64_t)random_bits();
    float f = 0;
    switch (c->kind) {
    case 'n':
        if (negative && random_below(2))
            stored = -stored;
        f = extreme ? (stored < 0 ? -7.5f : 1.25f) : (float)((double)stored / c->most);
        stored = !extreme ? stored : stored < 0 ? -c->most - 1 : c->most;
        break;
    case 'h':
        f = (float)((double)(random_bits() % 4096) / 64 - 32);
        stored = half_from_double(f);
        break;
    case 'f':
        f = (float)(int32_t)stored;
        memcpy(&stored, &f, sizeof f);
        break;
    default: {
        int64_t given = stored;
        if (extreme && c->most)
            given = c->kind == 'i' && random_below(2) ? INT32_MIN : INT32_MAX;
        if (given != stored)
            stored = given < 0 ? -c->most - 1 : c->most;
        const uint32_t bits = (uint32_t)given;
        memcpy(component, &bits, sizeof bits);
        return (uint32_t)stored;
    }
    }
    memcpy(component, &f, sizeof f);
    return (uint32_t)stored;
}

/* Colours are given as linear light; alpha is linear in any case. */
static void to_linear(uint32_t *component)
{
    float f;
    memcpy(&f, component, sizeof f);
    if (f > 0 && f < 1)
        f = (float)(f <= 0.04045f ? f / 12.92 : pow((f + 0.055) / 1.055, 2.4));
    memcpy(component, &f, sizeof f);
}

static const struct channel *channel_of(cl_channel_type type)
{
    for (size_t i = 0; i < LEN(channels); i++)
        if (channels[i].type == type)
            return &channels[i];
    return NULL;
}

/* Which components are stored, in order; NULL: an order not tested. */
static const char *order_of(cl_channel_order order)
{
    static const struct {
        cl_channel_order order;
        const char *stored;
    } rows[] = {{CL_R, "0"},         {CL_RG, "01"},     {CL_RA, "03"},      {CL_A, "3"},
                {CL_RGBA, "0123"},   {CL_BGRA, "2103"}, {CL_ARGB, "3012"},  {CL_INTENSITY, "0"},
                {CL_LUMINANCE, "0"}, {CL_DEPTH, "0"},   {CL_sRGBA, "0123"}, {CL_sBGRA, "2103"}};
    for (size_t i = 0; i < LEN(rows); i++)
        if (rows[i].order == order)
            return rows[i].stored;
    return NULL;
}

static void fill_format(const struct shape *shape, cl_image_format format)
{
    const struct channel *channel = channel_of(format.image_channel_data_type);
    const char *stored = order_of(format.image_channel_order);
    if (!channel || !stored)
        return;
    const int srgb =
        format.image_channel_order == CL_sRGBA || format.image_channel_order == CL_sBGRA;
    struct image image = {.shape = shape, .bytes = channel->bytes * strlen(stored)};
    const size_t all = volume(shape->size) * image.bytes;
    const cl_image_desc desc = describe(shape);
    cl_int rc;
    random_fill(image.texels, all);
    image.mem = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, image.texels, &rc);
    REQUIRE_OK(rc);
    for (int i = 0; i < 3; i++) {
        uint32_t color[4], bits[4];
        for (int c = 0; c < 4; c++)
            bits[c] = random_component(channel, &color[c]);
        for (int c = 0; srgb && c < 3; c++)
            to_linear(&color[c]);
        const struct box box = random_box(shape->size);
        CHECK_OK(
            clEnqueueFillImage(cl.queue, image.mem, color, box.origin, box.region, 0, NULL, NULL));
        const size_t row = box.region[0] * image.bytes;
        const size_t count = volume(box.region);
        for (size_t t = 0; t < count; t++)
            for (size_t c = 0; stored[c]; c++)
                memcpy(want + t * image.bytes + c * channel->bytes, &bits[stored[c] - '0'],
                       channel->bytes);
        move_box(image.texels, inside(&image, box.origin), want,
                 (struct layout){0, row, row * box.region[1]}, box.region, image.bytes);
        const size_t origin[3] = {0};
        REQUIRE_OK(clEnqueueReadImage(cl.queue, image.mem, CL_TRUE, origin, shape->size, 0, 0, host,
                                      0, NULL, NULL));
        if (memcmp(host, image.texels, all))
            check_fail(__FILE__, __LINE__, "image type %#x, format %#x %#x", shape->type,
                       format.image_channel_order, format.image_channel_data_type);
    }
    RELEASE_MEM(image.mem);
}

static void fills(void)
{
    image_need();
    for (size_t s = 0; s < LEN(shapes); s++) {
        if (shapes[s].type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
            continue;
        cl_image_format list[256];
        cl_uint count = 0;
        REQUIRE_OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, shapes[s].type, 256,
                                              list, &count));
        REQUIRE(count && count <= 256);
        for (cl_uint i = 0; i < count; i++)
            fill_format(&shapes[s], list[i]);
    }
}

static const struct test_case cases[] = {
    CASE(reads_and_writes),
    CASE(copies),
    CASE(copies_within),
    CASE(copies_with_buffers),
    CASE(maps),
    CASE(host_pointers),
    CASE(fills),
};
TEST_MAIN("image_copy", cases)
