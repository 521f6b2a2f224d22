/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images read and written by several items at once give the same bits as item by item, which is how
 * a program without optimisation runs: every format and shape, samplers of the kernel's own and
 * given ones, neighbours and items far apart, rows, some that do not run, coordinates that no image
 * has.
 * What the bits ought to be is asked by image_sample and image_format.
 */
#include "cl_help.h"
#include "image_reference.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 37,
    HEIGHT = 7,
    DEPTH = 5,
    POINTS = 301,
    ROWS = 7, /* of POINTS / ROWS items each */
    MOST_BYTES = WIDTH * HEIGHT * DEPTH * 16
};

static const struct shape {
    const char *type, *coordinate; /* of float4 or int4 p */
    cl_image_desc desc;
} shapes[] = {
    {"1d", "p.x", {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = WIDTH}},
    {"1d_array",
     "p.xy",
     {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = WIDTH, .image_array_size = DEPTH}},
    {"2d",
     "p.xy",
     {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT}},
    {"2d_array",
     "p",
     {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_array_size = DEPTH}},
    {"3d",
     "p",
     {.image_type = CL_MEM_OBJECT_IMAGE3D,
      .image_width = WIDTH,
      .image_height = HEIGHT,
      .image_depth = DEPTH}},
};

/* Kernels of every family; an item whose point has a negative w does not run. */
static const char text[] =
    "constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP |"
    " CLK_FILTER_LINEAR;\n"
    "constant sampler_t wrapped = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT |"
    " CLK_FILTER_NEAREST;\n"
    "#define READ(NAME, P, FAMILY, ...) kernel void NAME(read_only IMAGE image, sampler_t given,"
    " global P *at, global uint4 *out) { size_t i = get_global_id(0); P p = at[i];"
    " if (as_int(p.w) >= 0) out[i] = as_uint4(read_image##FAMILY(image, __VA_ARGS__)); }\n"
    "#define WRITE(NAME, FAMILY, V) kernel void NAME(write_only IMAGE image, sampler_t given,"
    " global int4 *at, global V *in) { size_t i = get_global_id(0); int4 p = at[i];"
    " if (p.w >= 0) write_image##FAMILY(image, C, in[i]); }\n"
    /* Items of a row from a point that they share, stored as they are and in another order. */
    "#define ROW(NAME, P, STEP, FAMILY, ...) kernel void NAME(read_only IMAGE image, sampler_t "
    "given,"
    " global P *at, global uint4 *out) { int i = get_global_id(0), n = get_global_size(0);"
    " for (int r = 0; r < ROWS; r++) { P p = at[r]; p.x += STEP;"
    " out[r * n + i] = as_uint4(read_image##FAMILY(image, __VA_ARGS__)) ORDER; } }\n"
    "#define ALL(FAMILY, V) READ(given_##FAMILY, float4, FAMILY, given, C)"
    " ROW(row_##FAMILY, float4, i, FAMILY, given, C)"
    " ROW(unit_##FAMILY, float4, i / (float)WIDTH, FAMILY, given, C)"
    " ROW(close_##FAMILY, float4, i * 0.7f, FAMILY, given, C)"
    " ROW(steps_##FAMILY, int4, i, FAMILY, given, C)"
    " READ(whole_##FAMILY, int4, FAMILY, given, C) READ(bare_##FAMILY, int4, FAMILY, C)"
    " WRITE(write_##FAMILY, FAMILY, V)\n"
    "ALL(f, float4) ALL(i, int4) ALL(ui, uint4)\n"
    "READ(border_f, float4, f, border, C) READ(wrapped_f, float4, f, wrapped, C)\n"
    "ROW(line_f, float4, i, f, border, C)\n";

union number {
    float f;
    cl_int i;
};
typedef union number points[POINTS][4];
typedef unsigned char outcome[MOST_BYTES > POINTS * 16 ? MOST_BYTES : POINTS * 16];

static cl_program programs[2]; /* at once, in turn */

static void build(const struct shape *shape, const char *order)
{
    char options[128];
    snprintf(options, sizeof options,
             "-D IMAGE=image%s_t -D C=%s -D ROWS=%d -D WIDTH=%d -D ORDER=%s", shape->type,
             shape->coordinate, ROWS, WIDTH, order);
    programs[0] = built(text, options);
    strcat(options, " -cl-opt-disable");
    programs[1] = built(text, options);
}

/* ---- points ---------------------------------------------------------------------------------- */

static float wild_real(void)
{
    static const float reals[] = {NAN,    INFINITY, -INFINITY,   1e30f, -1e30f, 0x1p31f, -0x1p31f,
                                  1e-40f, -1e-9f,   0.99999994f, 1,     -1,     4095.9f, 0.5f};
    return reals[random_below(LEN(reals))];
}

/* Runs of neighbours that leave the image, then anything. */
static void choose_points(points at, int whole, int scale)
{
    static const int sizes[] = {WIDTH, HEIGHT, DEPTH};
    static const cl_int wild[] = {INT32_MIN, INT32_MAX, -1, 0, WIDTH, 1000000, -1000000};
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 3; c++) {
            const int near = c ? i / 64 % sizes[c] : i % 64 - 9;
            const int any = (int)random_below((uint64_t)sizes[c] * 3) - sizes[c];
            const int place = i < POINTS / 2 ? near : any;
            const int odd = i >= POINTS / 4 * 3 && random_below(4) == 0;
            const float real = ((float)place + (float)random_below(256) / 256) / (scale ? 32 : 1);
            if (whole)
                at[i][c].i = odd ? wild[random_below(LEN(wild))] : place;
            else
                at[i][c].f = odd ? wild_real() : real;
        }
    for (int i = 0; i < POINTS; i++)
        at[i][3].i = i / 100 % 2 && random_below(3) == 0 ? -1 : 1;
}

/* Where rows begin: before the image, in it, behind it; at one of its rows, or somewhere. `unit`:
 * as parts of the image. */
static void choose_rows(points at, int whole, int unit)
{
    static const int begins[ROWS] = {-9, 0, 3, 20, 36, -1, 1};
    static const int sizes[] = {WIDTH, HEIGHT, DEPTH};
    memset(at, 0, sizeof(points));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < 3; c++) {
            const int place = c ? (int)random_below((uint64_t)sizes[c] + 2) - 1 : begins[r];
            if (whole)
                at[r][c].i = place;
            else if (random_below(16) == 0)
                at[r][c].f = wild_real();
            else
                at[r][c].f = ((float)place + (float)random_below(1000) / 1000) /
                             (float)(unit ? sizes[c] : 1);
        }
}

/* ---- both forms ------------------------------------------------------------------------------ */

struct run {
    const struct shape *shape;
    size_t items; /* of the launch; 0: POINTS */
    const cl_image_format *format;
    const char *kernel, *how;
    cl_sampler sampler;
    const void *points, *texels, *colors; /* colors: what is written; NULL: it is read */
    size_t texel_bytes;
};

static cl_mem open_image(const struct run *run)
{
    cl_int rc;
    cl_mem image = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, run->format, &run->shape->desc,
                                 (void *)(uintptr_t)run->texels, &rc);
    REQUIRE_OK(rc);
    return image;
}

static void fetch_image(const struct run *run, cl_mem image, void *to)
{
    const cl_image_desc *desc = &run->shape->desc;
    const int rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t layers = desc->image_array_size ? desc->image_array_size : desc->image_depth;
    const size_t region[3] = {WIDTH,
                              rows                 ? layers
                              : desc->image_height ? HEIGHT
                                                   : 1,
                              rows || !layers ? 1 : layers},
                 origin[3] = {0};
    REQUIRE_OK(
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL));
}

static void launch(const struct run *run, cl_program program, unsigned char *out)
{
    cl_kernel kernel = kernel_of(program, run->kernel);
    cl_mem image = open_image(run);
    cl_mem at = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof(points), (void *)(uintptr_t)run->points);
    memset(out, 0x5a, sizeof(outcome));
    cl_mem data = new_buffer(CL_MEM_COPY_HOST_PTR, POINTS * 16,
                             run->colors ? (void *)(uintptr_t)run->colors : out);
    ARG(kernel, 0, image);
    ARG(kernel, 1, run->sampler);
    ARG(kernel, 2, at);
    ARG(kernel, 3, data);
    const size_t items = run->items ? run->items : POINTS;
    run_1d(kernel, items, items); /* one group: of items at one place the last one writes last */
    if (run->colors)
        fetch_image(run, image, out);
    else
        read_back(data, POINTS * 16, out);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(image);
    RELEASE_MEM(at);
    RELEASE_MEM(data);
}

/* A NaN's bits are nobody's business. */
static int same(const void *a, const void *b, int reals)
{
    union number x, y;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    return x.i == y.i || (reals && isnan(x.f) && isnan(y.f));
}

static void compare(const struct run *run)
{
    static outcome got[2];
    const cl_channel_type type = run->format->image_channel_data_type;
    const int reals = run->colors ? type == CL_FLOAT : image_family(type) == 'f';
    for (int k = 0; k < 2; k++)
        launch(run, programs[k], got[k]);
    for (size_t k = 0; k < sizeof(outcome); k += 4)
        if (!same(got[0] + k, got[1] + k, reals)) {
            union number have, want;
            memcpy(&have, got[0] + k, 4);
            memcpy(&want, got[1] + k, 4);
            check_fail(__FILE__, __LINE__,
                       "image%s_t %#x %#x, %s, %s: byte %zu: %#x (%.9g), not %#x (%.9g)",
                       run->shape->type, run->format->image_channel_order, type, run->kernel,
                       run->how, k, (unsigned)have.i, (double)have.f, (unsigned)want.i,
                       (double)want.f);
            check_abandon();
        }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static const char *kernel_name(char name[32], const char *what, cl_channel_type type)
{
    const char family = image_family(type);
    snprintf(name, 32, "%s_%s", what, family == 'u' ? "ui" : family == 'i' ? "i" : "f");
    return name;
}

static void read_with(struct run *run, cl_bool normalized, cl_addressing_mode mode,
                      cl_filter_mode filter)
{
    char name[32], how[64];
    cl_int rc;
    points at;
    run->sampler = clCreateSampler(cl.context, normalized, mode, filter, &rc);
    REQUIRE_OK(rc);
    snprintf(how, sizeof how, "normalized %u mode %#x filter %#x", normalized, mode, filter);
    run->how = how;
    run->points = at;
    choose_points(at, 0, normalized);
    run->kernel = kernel_name(name, "given", run->format->image_channel_data_type);
    compare(run);
    if (!normalized && filter == CL_FILTER_NEAREST) {
        choose_points(at, 1, 0);
        run->kernel = kernel_name(name, "whole", run->format->image_channel_data_type);
        compare(run);
    }
    CHECK_OK(clReleaseSampler(run->sampler));
}

static void read_rows(struct run *run)
{
    static const struct {
        cl_addressing_mode mode;
        cl_filter_mode filter;
        const char *kernel, *how;
    } ways[] = {
        {CL_ADDRESS_NONE, CL_FILTER_NEAREST, "row", "none, nearest"},
        {CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, "row", "clamp, nearest"},
        {CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, "row", "edge, linear"},
        {CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, "row", "clamp, linear"},
        {CL_ADDRESS_NONE, CL_FILTER_LINEAR, "row", "none, linear"},
        {CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, "close", "edge, linear"},
        {CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, "close", "clamp, linear"},
        {CL_ADDRESS_NONE, CL_FILTER_LINEAR, "close", "none, linear"},
        {CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, "unit", "repeat, nearest"},
        {CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, "unit", "repeat, linear"},
        {CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, "unit", "mirrored, linear"},
        {CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, "steps", "clamp, whole"},
        {CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, "steps", "edge, whole"},
        {CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, "line", "known, linear"},
    };
    const char family = image_family(run->format->image_channel_data_type);
    char name[32];
    points at;
    run->points = at;
    run->items = POINTS / ROWS;
    for (size_t k = 0; k < LEN(ways); k++) {
        const int unit = !strcmp(ways[k].kernel, "unit");
        cl_int rc;
        if (family != 'f' && ways[k].filter == CL_FILTER_LINEAR)
            continue;
        run->sampler =
            clCreateSampler(cl.context, (cl_bool)unit, ways[k].mode, ways[k].filter, &rc);
        REQUIRE_OK(rc);
        run->how = ways[k].how;
        run->kernel = kernel_name(name, ways[k].kernel, run->format->image_channel_data_type);
        choose_rows(at, !strcmp(ways[k].kernel, "steps"), unit);
        compare(run);
        CHECK_OK(clReleaseSampler(run->sampler));
    }
}

static void read_without(struct run *run)
{
    static const char *const kernels[] = {"border", "wrapped", "bare"};
    char name[32];
    cl_int rc;
    points at;
    run->sampler = clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
    REQUIRE_OK(rc);
    run->points = at;
    for (size_t k = 0; k < LEN(kernels); k++) {
        if (k < 2 && image_family(run->format->image_channel_data_type) != 'f')
            continue;
        choose_points(at, k == 2, k == 1);
        run->kernel = kernel_name(name, kernels[k], run->format->image_channel_data_type);
        compare(run);
    }
    CHECK_OK(clReleaseSampler(run->sampler));
}

static void write_with(struct run *run)
{
    union number colors[POINTS][4];
    char name[32];
    cl_int rc;
    points at;
    const char family = image_family(run->format->image_channel_data_type);
    run->sampler = clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
    REQUIRE_OK(rc);
    for (int k = 0; k < POINTS * 4; k++) {
        colors[k / 4][k % 4].i = (cl_int)random_integer(32);
        if (family == 'f')
            colors[k / 4][k % 4].f =
                random_below(16) ? (float)random_below(4096) / 2048 - 0.5f : wild_real();
    }
    run->points = at;
    run->colors = colors;
    choose_points(at, 1, 0);
    run->kernel = kernel_name(name, "write", run->format->image_channel_data_type);
    compare(run);
    run->colors = NULL;
    CHECK_OK(clReleaseSampler(run->sampler));
}

static cl_uint supported(const struct shape *shape, cl_mem_flags flags, cl_image_format list[256])
{
    cl_uint count = 0;
    REQUIRE_OK(
        clGetSupportedImageFormats(cl.context, flags, shape->desc.image_type, 256, list, &count));
    return count < 256 ? count : 256;
}

typedef void use_fn(struct run *);

/* What `use` says of each format of a shape that has been built. */
static void for_each_format(const struct shape *shape, cl_mem_flags flags, use_fn *use)
{
    static unsigned char texels[MOST_BYTES];
    cl_image_format list[256];
    const cl_uint count = supported(shape, flags, list);
    for (cl_uint f = 0; f < count; f++) {
        if (list[f].image_channel_order == CL_DEPTH)
            continue;
        random_fill(texels, sizeof texels);
        use(&(struct run){.shape = shape, .format = &list[f], .texels = texels, .how = "as it is"});
    }
}

static void sample(struct run *run)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                               CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                               CL_ADDRESS_MIRRORED_REPEAT};
    const cl_channel_type type = run->format->image_channel_data_type;
    const int linear = image_family(type) == 'f';
    const int common =
        run->format->image_channel_order == CL_RGBA && (type == CL_UNORM_INT8 || type == CL_FLOAT);
    for (int normalized = 0; normalized < 2; normalized++)
        for (size_t m = 0; m < (normalized ? LEN(modes) : 3); m++)
            for (int filter = 0; filter <= linear; filter++)
                if (common || random_below(5) == 0)
                    read_with(run, (cl_bool)normalized, modes[m],
                              filter ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
}

static void every_way(const struct shape *shape)
{
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    build(shape, ".xyzw");
    for_each_format(shape, CL_MEM_READ_ONLY, sample);
    for_each_format(shape, CL_MEM_READ_ONLY, read_without);
    for_each_format(shape, CL_MEM_WRITE_ONLY, write_with);
    for_each_format(shape, CL_MEM_READ_ONLY, read_rows);
    RELEASE_PROGRAM(programs[0]);
    RELEASE_PROGRAM(programs[1]);
    /* Rows by channels, since that is no longer what memory has. */
    build(shape, ".wzxy");
    for_each_format(shape, CL_MEM_READ_ONLY, read_rows);
    RELEASE_PROGRAM(programs[0]);
    RELEASE_PROGRAM(programs[1]);
}

static void image1d(void)
{
    every_way(&shapes[0]);
}

static void image1d_array(void)
{
    every_way(&shapes[1]);
}

static void image2d(void)
{
    every_way(&shapes[2]);
}

static void image2d_array(void)
{
    every_way(&shapes[3]);
}

static void image3d(void)
{
    every_way(&shapes[4]);
}

static const struct test_case cases[] = {
    CASE(image1d), CASE(image1d_array), CASE(image2d), CASE(image2d_array), CASE(image3d),
};
TEST_MAIN("image_lanes", cases)
