/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles that are turned round: what lies in a row elsewhere is stored in a column, or read from
 * one, by items of groups whose shape is known, so that rows of them go in step. With padding,
 * backward, several at once, under conditions, in global memory too, and places that lie upon each
 * other. The same text is the kernel's and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef cl_long lint;

enum { GROUPS = 3, MOST = 1024, ROOM = 4 * MOST + 256 };

/* For item (x, y), the l-th of W * H: `v` of the input; what it does to the tile before the
 * barrier, and `r` of the tile behind it. */
#define BODIES(M)                                                                                  \
    M(turned, t[x * H + y] = v;, r = t[l];)                                                        \
    M(turned_back, t[l] = v;, r = t[x * H + y];)                                                   \
    M(twice, t[x * H + y] = v;, r = t[x * H + y];)                                                 \
    M(padded, t[x * (H + 1) + y] = v;, r = t[x * (H + 1) + H - 1 - y];)                            \
    M(far, t[x * 64 + y + 1] = v;, r = t[x * 64 + y] + t[y * 64 + x];)                             \
    M(backward, t[x * H + H - 1 - y] = v;, r = t[(W - 1 - x) * H + y];)                            \
    M(lanes_backward, t[(W - 1 - x) * H + y] = v;, r = t[x * H + y];)                              \
    M(two_columns, t[x * 2 * H + y] = v; t[x * 2 * H + H + y] = v + 1;                             \
      , r = t[x * 2 * H + y] * 2 + t[x * 2 * H + H + y];)                                          \
    M(neighbours, t[x * 2 * H + 2 * y] = v; t[x * 2 * H + 2 * y + 1] = v + 1;                      \
      , r = t[x * 2 * H + 2 * y] * 2 + t[x * 2 * H + 2 * y + 1];)                                  \
    M(read_again, t[x * H + y] = v; t[x * H + y] = t[x * H + y] * 2 + 1;, r = t[l];)               \
    M(one_for_all, t[l] = v;, r = t[x * 2 + y] + t[y] + t[x];)                                     \
    M(under_condition, if (v % 4) t[x * H + y] = v;, if (v % 8) r = t[x * H + y];)                 \
    M(parts, for (int i = 0; i < 4; i++)                                                           \
                 t[(l + i * W * H) % 16 * (W * H / 4 + 1) + (l + i * W * H) / 16] = v + i;         \
      , for (int i = 0; i < 4; i++) r = r * 2 + t[(i * 2 + x % 2) * (W * H / 4 + 1) + y];)         \
    M(global_rows, t[l] = v; out[x * H + y] = v;, r = in[x * H + y];)                              \
    M(from_global, t[l] = in[x * H + y];, r = t[l] + in[(W - 1 - x) * H + y];)

#define AS_FUNCTIONS(NAME, BEFORE, BEHIND)                                                         \
    static void NAME##_before(const lint *in, lint *t, lint *out, int W, int H, int x, int y)      \
    {                                                                                              \
        const int l = y * W + x;                                                                   \
        const lint v = in[l];                                                                      \
        (void)H, (void)out, (void)v;                                                               \
        BEFORE                                                                                     \
    }                                                                                              \
    static lint NAME##_behind(const lint *in, const lint *t, int W, int H, int x, int y)           \
    {                                                                                              \
        const int l = y * W + x;                                                                   \
        const lint v = in[l];                                                                      \
        lint r = 0;                                                                                \
        (void)H, (void)t, (void)v;                                                                 \
        BEHIND                                                                                     \
        return r;                                                                                  \
    }
BODIES(AS_FUNCTIONS)
#define TEXT(...) #__VA_ARGS__
#define ROW_OF(NAME, BEFORE, BEHIND)                                                               \
    {#NAME, TEXT(BEFORE), TEXT(BEHIND), NAME##_before, NAME##_behind},
static const struct row {
    const char *name, *before_text, *behind_text;
    void (*before)(const lint *in, lint *t, lint *out, int W, int H, int x, int y);
    lint (*behind)(const lint *in, const lint *t, int W, int H, int x, int y);
} rows[] = {BODIES(ROW_OF)};

static const int shapes[][2] = {{16, 16}, {8, 8},  {32, 8},  {16, 4}, {64, 4},
                                {16, 32}, {16, 6}, {24, 16}, {4, 16}, {64, 16}};

static lint in[GROUPS * MOST], wanted[GROUPS * MOST * 2], got[GROUPS * MOST * 2], tile[ROOM];

static cl_kernel make_kernel(const struct row *row, int w, int h, const char *type)
{
    char source[4096];
    snprintf(source, sizeof source,
             "#define W %d\n#define H %d\ntypedef %s T;\n"
             "__attribute__((reqd_work_group_size(W, H, 1)))\n"
             "kernel void k(global const long *all, global T *copy, global T *out) {\n"
             "  local T t[%d];\n"
             "  const int x = get_local_id(0), y = get_local_id(1), l = y * W + x;\n"
             "  const int g = get_group_id(0) * W * H;\n"
             "  global const T *in = copy + g;\n"
             "  for (int i = l; i < %d; i += W * H) t[i] = i %% 100;\n"
             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  const int v = all[g + l]; T r = 0;\n"
             "  out += g * 2;\n"
             "  %s\n"
             "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
             "  %s\n"
             "  out[W * H + l] = r;\n}\n",
             w, h, type, ROOM, ROOM, row->before_text, row->behind_text);
    return new_kernel(source, "k", NULL);
}

static void want(const struct row *row, int w, int h)
{
    const int items = w * h;
    for (int g = 0; g < GROUPS; g++) {
        const lint *from = in + g * items;
        lint *to = wanted + g * items * 2;
        for (int i = 0; i < ROOM; i++)
            tile[i] = i % 100;
        for (int l = 0; l < items; l++)
            row->before(from, tile, to, w, h, l % w, l / w);
        for (int l = 0; l < items; l++)
            to[items + l] = row->behind(from, tile, w, h, l % w, l / w);
    }
}

/* Elements of `size` bytes, whole numbers or not. */
static lint element(const void *all, size_t at, size_t size, bool real)
{
    const char *place = (const char *)all + at * size;
    if (real)
        return size == 4 ? (lint) * (const cl_float *)(const void *)place
                         : (lint) * (const cl_double *)(const void *)place;
    return size == 2   ? *(const cl_short *)(const void *)place
           : size == 4 ? *(const cl_int *)(const void *)place
                       : *(const cl_long *)(const void *)place;
}

static void put(void *all, size_t at, size_t size, bool real, lint value)
{
    char *place = (char *)all + at * size;
    if (real && size == 4)
        *(cl_float *)(void *)place = (cl_float)value;
    else if (real)
        *(cl_double *)(void *)place = (cl_double)value;
    else if (size == 2)
        *(cl_short *)(void *)place = (cl_short)value;
    else if (size == 4)
        *(cl_int *)(void *)place = (cl_int)value;
    else
        *(cl_long *)(void *)place = value;
}

static void run_shape(int w, int h, const char *type, size_t size, bool real)
{
    static lint copy[GROUPS * MOST];
    const size_t items = (size_t)(w * h), global[] = {GROUPS * (size_t)w, (size_t)h},
                 local[] = {(size_t)w, (size_t)h};
    for (size_t i = 0; i < GROUPS * items; i++) {
        in[i] = (lint)random_below(500);
        put(copy, i, size, real, in[i]);
    }
    cl_mem all = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           same = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof copy, copy),
           out = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    for (size_t r = 0; r < LEN(rows); r++) {
        cl_kernel kernel = make_kernel(&rows[r], w, h, type);
        memset(got, 0, sizeof got);
        memset(wanted, 0, sizeof wanted);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        ARG(kernel, 0, all);
        ARG(kernel, 1, same);
        ARG(kernel, 2, out);
        run_nd(kernel, 2, NULL, global, local);
        read_back(out, sizeof got, got);
        want(&rows[r], w, h);
        for (size_t i = 0; i < GROUPS * items * 2; i++)
            if (element(got, i, size, real) != wanted[i]) {
                check_fail(__FILE__, __LINE__, "%s of %s, %d x %d: %zu is %lld, not %lld",
                           rows[r].name, type, w, h, i, (long long)element(got, i, size, real),
                           (long long)wanted[i]);
                break;
            }
        RELEASE_KERNEL(kernel);
    }
    RELEASE_MEM(all);
    RELEASE_MEM(same);
    RELEASE_MEM(out);
}

static void in_shapes(size_t count, const char *type, size_t size, bool real)
{
    for (size_t s = 0; s < count; s++)
        run_shape(shapes[s][0], shapes[s][1], type, size, real);
}

static void of_words(void)
{
    in_shapes(LEN(shapes), "int", 4, false);
}

static void of_floats(void)
{
    in_shapes(3, "float", 4, true);
}

static void of_longs(void)
{
    in_shapes(3, "long", 8, false);
}

static void of_doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("the device has no cl_khr_fp64, which the kernels are written for");
    in_shapes(3, "double", 8, true);
}

static void of_shorts(void)
{
    in_shapes(1, "short", 2, false);
}

static const struct test_case cases[] = {
    CASE(of_words), CASE(of_floats), CASE(of_longs), CASE(of_doubles), CASE(of_shorts),
};
TEST_MAIN("turned_tile", cases)
