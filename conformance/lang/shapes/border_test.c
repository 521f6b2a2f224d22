/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items at a border that do something else than those inside: stencils and filters in one to three
 * dimensions, whose border is one branch or several, wide or narrow, known when the kernel is built
 * or by arguments; in grids that are no multiple of anything, with offsets, in groups of all kinds.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct grid {
    cl_int w, h, d, r;
};

struct stencil {
    const char *name, *ids, *type, *text;
    void (*item)(cl_int x, cl_int y, cl_int z, struct grid, const void *from, void *to);
    size_t size;
};

typedef cl_uchar uchar;

/* The same text for the kernel and for C. */
#define AS(TYPE, IDS, NAME, ...)                                                                   \
    static void NAME(cl_int x, cl_int y, cl_int z, struct grid g, const void *from, void *to)      \
    {                                                                                              \
        const TYPE *a = from;                                                                      \
        TYPE *o = to;                                                                              \
        const cl_int w = g.w, h = g.h, d = g.d, r = g.r, p = (z * h + y) * w + x;                  \
        (void)h, (void)d, (void)r, (void)a;                                                        \
        __VA_ARGS__                                                                                \
    }
#define ROW(TYPE, IDS, NAME, ...) {#NAME, #IDS, #TYPE, #__VA_ARGS__, NAME, sizeof(TYPE)},

#define STENCILS(M)                                                                                \
    M(                                                                                             \
        int, int, known_width, if (x == 0 || y == 0 || x == 70 || y == 20) {                       \
            o[p] = a[p];                                                                           \
            return;                                                                                \
        } o[p] = 2 * a[p] + a[p - 1] + a[p + 1] - a[p - w] - a[p + w];)                            \
    M(int, int, five_points,                                                                       \
      if (x > 0 && x < w - 1 && y > 0 && y < h - 1) o[p] =                                         \
          2 * a[p] + a[p - 1] + a[p + 1] - a[p - w] - a[p + w];                                    \
      else o[p] = 7 - a[p];)                                                                       \
    M(int, uint, unsigned_ids, if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) o[p] = -a[p];     \
      else o[p] = a[p - 1] - a[p + 1] + 3 * a[p - w] + a[p + w];)                                  \
    M(int, long, long_ids,                                                                         \
      if (x >= 1 && y >= 1 && x <= w - 2 && y <= h - 2) o[p] =                                     \
          a[p - 1] - a[p + 1] + 3 * a[p - w] + a[p + w];                                           \
      else if (x == 0) o[p] = 11; else o[p] = 12;)                                                 \
    M(int, int, wide, if (x < r || x >= w - r || y < r || y >= h - r) o[p] = a[p];                 \
      else o[p] = a[p - r] + 2 * a[p + r] + 4 * a[p - r * w] + 8 * a[p + r * w];)                  \
    M(int, int, rounded, if (x >= w || y >= h) return; if (x == 0 || x == w - 1) o[p] = -a[p];     \
      else o[p] = a[p - 1] + 5 * a[p + 1];)                                                        \
    M(int, int, one_by_one, int s = a[p]; if (x > 0) s += 2 * a[p - 1];                            \
      if (x < w - 1) s -= 3 * a[p + 1]; if (y > 0) s += 4 * a[p - w];                              \
      if (y < h - 1) s -= 5 * a[p + w]; o[p] = s;)                                                 \
    M(int, int, one_way, if (x != 9) o[p] = a[p]; else o[p] = a[p - 3] + a[p + 4];)                \
    M(int, int, most_are_outside, if (x >= w - 5) o[p] = a[p];                                     \
      else if (x > 3) o[p] = a[p - 2] ^ a[p + 1]; else o[p] = y;)                                  \
    M(                                                                                             \
        int, int, on_data,                                                                         \
        if (a[p] & 4) {                                                                            \
            if (x > 1 && x < w - 2)                                                                \
                o[p] = a[p - 2] + a[p + 2];                                                        \
            else                                                                                   \
                o[p] = 5;                                                                          \
        } else if (x < w - 3) o[p] = a[p + 3];                                                     \
        else o[p] = -x;)                                                                           \
    M(                                                                                             \
        int, int, filter,                                                                          \
        if (x < r || x >= w - r) {                                                                 \
            o[p] = 1;                                                                              \
            return;                                                                                \
        } unsigned s = 0;                                                                          \
        for (int k = -r; k <= r; k++) s = 3 * s + a[p + k]; o[p] = s;)                             \
    M(int, int, taps, unsigned s = 0;                                                              \
      for (int k = -2; k <= 2; k++) if (x + k >= 0 && x + k < w) s = 3 * s + a[p + k]; o[p] = s;)  \
    M(int, int, box,                                                                               \
      if (x == 0 || y == 0 || z == 0 || x == w - 1 || y == h - 1 || z == d - 1) o[p] = a[p];       \
      else o[p] = a[p - 1] + 2 * a[p + 1] + 3 * a[p - w] + 4 * a[p + w] + 5 * a[p - w * h] -       \
                  a[p + w * h];)                                                                   \
    M(uchar, int, bytes, if (x == 0 || y == 0 || x == w - 1 || y == h - 1) o[p] = 9;               \
      else o[p] = (a[p - 1] + a[p + 1] + a[p - w] + a[p + w]) / 4;)                                \
    M(double, int, doubles, if (x > 0 && x < w - 1) o[p] = a[p - 1] + a[p + 1]; else o[p] = 0.5;)
STENCILS(AS)
static const struct stencil stencils[] = {STENCILS(ROW)};

static const struct launch {
    struct grid grid;
    size_t local[3]; /* zeros: none */
    size_t offset[3];
} launches[] = {
    {{71, 21, 1, 2}, {0}, {0}},        {{71, 21, 1, 2}, {1, 1, 1}, {0}},
    {{71, 21, 1, 3}, {0}, {5, 2, 0}},  {{72, 20, 2, 1}, {8, 4, 1}, {0}},
    {{64, 5, 3, 4}, {16, 1, 1}, {0}},  {{150, 3, 3, 40}, {50, 3, 1}, {0}},
    {{150, 4, 1, 7}, {0}, {33, 1, 0}}, {{16, 16, 4, 1}, {16, 16, 1}, {0}},
    {{33, 3, 3, 16}, {0}, {0}},        {{9, 2, 5, 1}, {3, 1, 5}, {0}},
    {{1, 1, 1, 0}, {0}, {0}},          {{2, 30, 1, 1}, {2, 5, 1}, {0}},
    {{260, 2, 1, 100}, {0}, {0}},
};

enum { MOST = 2900, MARGIN = 256 /* on either side of the grid, for texts that do not ask */ };

static bool check_launch(const struct stencil *s, cl_kernel kernel, const struct launch *l,
                         const void *from, cl_mem buffer)
{
    static cl_uchar out[(MOST + 2 * MARGIN) * 8], want[sizeof out];
    const struct grid *g = &l->grid;
    size_t global[3] = {(size_t)g->w - l->offset[0], (size_t)g->h - l->offset[1],
                        (size_t)g->d - l->offset[2]};
    memset(out, 0, sizeof out);
    memset(want, 0, sizeof want);
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    ARG(kernel, 2, *g);
    run_nd(kernel, 3, l->offset, global, l->local[0] ? l->local : NULL);
    read_back(buffer, sizeof out, out);
    for (cl_int z = (cl_int)l->offset[2]; z < g->d; z++)
        for (cl_int y = (cl_int)l->offset[1]; y < g->h; y++)
            for (cl_int x = (cl_int)l->offset[0]; x < g->w; x++)
                s->item(x, y, z, *g, (const cl_uchar *)from + MARGIN * s->size,
                        want + MARGIN * s->size);
    for (size_t k = 0; k < sizeof out; k += s->size)
        if (memcmp(out + k, want + k, s->size) != 0) {
            cl_long at = (cl_long)(k / s->size) - MARGIN;
            check_fail(__FILE__, __LINE__, "%s of %d x %d x %d, launch %zu: item %lld", s->name,
                       g->w, g->h, g->d, (size_t)(l - launches), (long long)at);
            return false;
        }
    return true;
}

/* `local`: the kernel asks where an item is in its group. */
static cl_kernel stencil_kernel(const struct stencil *s, bool local)
{
    char source[2048];
    snprintf(source, sizeof source,
             "%sstruct grid { int w, h, d, r; };\n"
             "#define ID(D) %s\n"
             "kernel void k(global const %s *A, global %s *O, struct grid g)\n{\n"
             "    const %s x = ID(0), y = ID(1), z = ID(2); const int w = g.w, h = g.h, d = g.d, "
             "r = g.r;\n    const int p = ((int)z * h + (int)y) * w + (int)x;\n"
             "    global const %s *a = A + %d; global %s *o = O + %d;\n    %s\n}\n",
             strcmp(s->type, "double") ? "" : "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
             local
                 ? "(get_global_offset(D) + get_group_id(D) * get_local_size(D) + get_local_id(D))"
                 : "get_global_id(D)",
             s->type, s->type, s->ids, s->type, MARGIN, s->type, MARGIN, s->text);
    return new_kernel(source, "k", NULL);
}

static void run_stencil(const struct stencil *s, bool local)
{
    static cl_uchar from[(MOST + 2 * MARGIN) * 8];
    for (size_t k = 0; k < sizeof from; k += s->size)
        if (s->size == 8)
            *(cl_double *)(from + k) = (cl_double)random_below(1000);
        else if (s->size == 4)
            *(cl_int *)(from + k) = (cl_int)random_below(1000);
        else
            from[k] = (cl_uchar)random_below(256);
    cl_kernel kernel = stencil_kernel(s, local);
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof from, from);
    cl_mem out = new_buffer(0, sizeof from, NULL);
    ARG(kernel, 0, in);
    ARG(kernel, 1, out);
    for (size_t k = 0; k < LEN(launches); k++)
        REQUIRE(check_launch(s, kernel, &launches[k], from, out));
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
}

static bool is_known(const struct stencil *s)
{
    cl_device_fp_config doubles = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    return doubles || strcmp(s->type, "double") != 0;
}

static void by_global_ids(void)
{
    for (size_t k = 0; k < LEN(stencils); k++)
        if (is_known(&stencils[k]))
            run_stencil(&stencils[k], false);
}

static void by_local_ids(void)
{
    for (size_t k = 0; k < LEN(stencils); k++)
        if (is_known(&stencils[k]))
            run_stencil(&stencils[k], true);
}

static const struct test_case cases[] = {CASE(by_global_ids), CASE(by_local_ids)};
TEST_MAIN("border", cases)
