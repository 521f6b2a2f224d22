/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of two and three dimensions whose items are neighbours in memory along any of them: rows
 * first, columns first, transpositions, products, filters with borders. The same text is the
 * kernel's function and the reference; ranges of every shape, with offsets, groups of every shape.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned char uchar;
#define global

enum { LENGTH = 40000 };

static cl_int given[LENGTH], got[LENGTH], wanted[LENGTH];

/* x, y, z: the item's ids without the offset; nx, ny, nz: the range. */
typedef void item_fn(const int *in, int *out, int x, int y, int z, int nx, int ny, int nz, int w);

struct shape {
    size_t size[3], local[3]; /* local 0: none is named */
};

static const struct shape shapes[] = {
    {{1, 1, 1}, {0}},
    {{37, 1, 1}, {0}},
    {{1, 53, 1}, {0}},
    {{33, 41, 1}, {0}},
    {{64, 64, 2}, {0}},
    {{8, 129, 3}, {0}},
    {{130, 9, 3}, {0}},
    {{160, 168, 1}, {0}},
    {{160, 168, 1}, {16, 8, 1}},
    {{168, 160, 1}, {1, 32, 1}},
    {{96, 80, 2}, {96, 1, 1}},
    {{17, 19, 13}, {17, 1, 13}},
    {{20, 30, 40}, {5, 3, 8}},
    {{3, 200, 7}, {1, 1, 7}},
    {{400, 3, 2}, {0}},
    {{1000, 1, 1}, {10, 1, 1}},
    {{129, 7, 1}, {129, 7, 1}},
    {{7, 5, 300}, {0}},
    {{150, 200, 1}, {1, 1, 1}},
    {{257, 67, 1}, {257, 1, 1}},
};

static void compare(cl_kernel kernel, const char *name, item_fn *item, const struct shape *s,
                    const size_t offset[3], int w)
{
    int n[3] = {(int)s->size[0], (int)s->size[1], (int)s->size[2]};
    for (int i = 0; i < LENGTH; i++) {
        given[i] = (cl_int)random_below(1000);
        got[i] = wanted[i] = -1;
    }
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, w);
    run_nd(kernel, 3, offset, s->size, s->local[0] ? s->local : NULL);
    read_back(b, sizeof got, got);
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++)
                item(given, wanted, x, y, z, n[0], n[1], n[2], w);
    for (size_t i = 0; i < LENGTH; i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__,
                       "%s: %dx%dx%d in %zux%zux%zu from %zu, w %d: [%zu] is %d, not %d", name,
                       n[0], n[1], n[2], s->local[0], s->local[1], s->local[2], offset[0], w, i,
                       got[i], wanted[i]);
            check_abandon();
        }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void run(const char *name, const char *text, item_fn *item)
{
    static const size_t offsets[][3] = {{0, 0, 0}, {5, 1, 9}, {0x7ffffff0, 3, 0xfffffff5}};
    static const int ws[] = {0, 3, 17};
    char source[4096];
    snprintf(source, sizeof source,
             "void item(global const int *in, global int *out, int x, int y, int z, int nx, int ny,"
             " int nz, int w)\n%s\n"
             "#define N get_global_size(0), get_global_size(1), get_global_size(2)\n"
             "#define I(D) get_global_id(D)\n#define O(D) get_global_offset(D)\n"
             "kernel void from_0(global const int *in, global int *out, int w)\n"
             "{ item(in, out, I(0), I(1), I(2), N, w); }\n"
             "kernel void k(global const int *in, global int *out, int w)\n"
             "{ item(in, out, I(0) - O(0), I(1) - O(1), I(2) - O(2), N, w); }\n",
             text);
    cl_program program = built(source, NULL);
    for (size_t o = 0; o < LEN(offsets); o++) {
        cl_kernel kernel = kernel_of(program, o ? "k" : "from_0");
        for (size_t s = 0; s < LEN(shapes); s++)
            for (size_t w = 0; w < LEN(ws); w++)
                compare(kernel, name, item, &shapes[s], offsets[o], ws[w]);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
}

#define SAME(name, ...)                                                                            \
    static void item_##name(const int *in, int *out, int x, int y, int z, int nx, int ny, int nz,  \
                            int w)                                                                 \
    {                                                                                              \
        (void)x, (void)y, (void)z, (void)nx, (void)ny, (void)nz, (void)w;                          \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static void name(void)                                                                         \
    {                                                                                              \
        run(#name, "{" #__VA_ARGS__ "}", item_##name);                                             \
    }

/* Neighbours along dimension 1, 2, 0. */
SAME(second_first, { out[(z * nx + x) * ny + y] = in[(z * nx + x) * ny + y] * 3 + in[y] + w; })

/* With so much to compute the kernel has both forms. */
SAME(second_first_long, {
    uint v = (uint)in[(z * nx + x) * ny + y] + (uint)w;
    for (int k = 0; k < 3; k++) {
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
    }
    v ^= v >> 7;
    v = (v ^ (v >> 3)) * 2654435761u ^ (uint)in[y];
    out[(z * nx + x) * ny + y] = (int)(v >> 1);
})

SAME(third_first, { out[(x * ny + y) * nz + z] += in[(x * ny + y) * nz + z] - in[(y + z) % 31]; })

SAME(first_first, { out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x] ^ in[w + x]; })

SAME(transposed, { out[(z * nx + x) * ny + y] = in[(z * ny + y) * nx + x] + w; })

SAME(transposed_bytes, {
    global uchar *o = (global uchar *)out;
    global const uchar *i = (global const uchar *)in;
    o[(z * nx + x) * ny + y] = (uchar)(i[(z * ny + y) * nx + x] + w);
})

SAME(turned_around,
     { out[(z * nx + x) * ny + y] = in[((nz - 1 - z) * nx + (nx - 1 - x)) * ny + (ny - 1 - y)]; })

/* Products of matrices, row in dimension 0. */
SAME(product, {
    int s = 0;
    for (int k = 0; k < w; k++)
        s += in[x * w + k] * in[(k * ny + y) % 9000 + z];
    out[(z * nx + x) * ny + y] = s;
})

/* Filters with borders left alone, and with borders that repeat. */
SAME(inner_filter, {
    int at = (z * nx + x) * ny + y;
    if (x > 0 && y >= 1 && x < nx - 1 && y < ny - 1 - w % 2)
        out[at] = in[at] * 4 - in[at - 1] - in[at + 1] - in[at - ny] - in[at + ny];
})

SAME(inner_volume, {
    int at = (z * ny + y) * nx + x;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    out[at] = in[at] * 6 - in[at - 1] - in[at + 1] - in[at - nx] - in[at + nx] - in[at - nx * ny] -
              in[at + nx * ny];
})

SAME(clamped_filter, {
    int up = x > 0 ? x - 1 : 0, left = y > 0 ? y - 1 : 0, right = y < ny - 1 ? y + 1 : ny - 1;
    out[(z * nx + x) * ny + y] =
        in[up * ny + y] + in[x * ny + left] * 3 + in[x * ny + right] * 5 + w;
})

/* Elimination below a row and right of a column. */
SAME(eliminated, {
    int t = w % 5;
    if (x < nx - 1 - t && y < ny - t)
        out[(z * nx + x + 1 + t) * ny + y + t] +=
            in[(x + 1 + t) * ny + t] * in[ny * t + y + t] % 101;
})

/* Columns that a plane's counter walks down: an int that goes on from turn to turn. */
SAME(walked_down, {
    int i = y * nx + x + w;
    int s = 0;
    for (int k = 0; k < nz; k++, i += nx * ny)
        s = s * 3 + in[i] + in[i + 1] * 5 + (i >= nx ? in[i - nx] : 7);
    out[(z * ny + y) * nx + x] = s;
})

SAME(walked_up, {
    int i = (nz - 1) * nx * ny + y * nx + x;
    int s = 0;
    do {
        s = s * 5 + in[i];
        i -= nx * ny;
    } while (i >= 0);
    out[(z * ny + y) * nx + x] = s;
})

static const struct test_case cases[] = {
    CASE(second_first), CASE(second_first_long), CASE(third_first),    CASE(first_first),
    CASE(transposed),   CASE(transposed_bytes),  CASE(turned_around),  CASE(product),
    CASE(inner_filter), CASE(inner_volume),      CASE(clamped_filter), CASE(eliminated),
    CASE(walked_down),  CASE(walked_up),
};
TEST_MAIN("order", cases)
