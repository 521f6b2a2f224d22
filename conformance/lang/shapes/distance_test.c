/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements at a distance that an argument says, as in BLAS: 1 mostly, any other too. Planes of a
 * grid that items go through together, from one to the next by what an argument says; and
 * neighbours in each, or the border's own element. Rows of a sparse matrix of which neighbours are
 * neighbours in memory, each as long as it is. Pictures of another size, channels in dimension 0.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 20000, ROOM = 2 * WORDS };

static cl_uint x[ROOM], y[ROOM], got[ROOM], wanted[ROOM];

/* ---- distances ------------------------------------------------------------------------------- */

static const char distances[] =
    "kernel void each(global const uint *x, global uint *y, TYPE from, TYPE incx, TYPE to,\n"
    "                 TYPE incy, int n)\n"
    "{\n"
    "    int id = get_global_id(0);\n"
    "    if (id < n)\n"
    "        y[id * incy + to] = 3 * x[from + incx * id] + y[id * incy + to];\n"
    "}\n"
    "kernel void loop(global const uint *x, global uint *y, TYPE from, TYPE incx, TYPE to,\n"
    "                 TYPE incy, int n)\n"
    "{\n"
    "    for (int i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        y[i * incy + to] += x[i * incx + from] * x[i * incx];\n"
    "}\n";

struct distance {
    int from, incx, to, incy;
};

static void expect_each(const struct distance *d, int n)
{
    for (int i = 0; i < n; i++)
        wanted[i * d->incy + d->to] += 3 * x[d->from + i * d->incx];
}

static void expect_loop(const struct distance *d, int n)
{
    for (int i = 0; i < n; i++)
        wanted[i * d->incy + d->to] += x[i * d->incx + d->from] * x[i * d->incx];
}

static void compare(const char *what, const char *type, int a, int b)
{
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__, "%s, %s, %d, %d: word %zu is %u, not %u", what, type, a,
                       b, i, got[i], wanted[i]);
            check_abandon();
        }
}

static void set_distance(cl_kernel kernel, cl_uint at, int value, bool small)
{
    cl_short half = (cl_short)value;
    cl_int word = value;
    if (small)
        ARG(kernel, at, half);
    else
        ARG(kernel, at, word);
}

static void one_distance(cl_program program, bool loop, const char *type, const struct distance *d,
                         int n)
{
    cl_kernel kernel = kernel_of(program, loop ? "loop" : "each");
    bool small = !strcmp(type, "short");
    random_fill(x, sizeof x);
    random_fill(y, sizeof y);
    memcpy(wanted, y, sizeof y);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof y, y);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    set_distance(kernel, 2, d->from, small);
    set_distance(kernel, 3, d->incx, small);
    set_distance(kernel, 4, d->to, small);
    set_distance(kernel, 5, d->incy, small);
    ARG(kernel, 6, n);
    run_1d(kernel, loop ? 77 : (size_t)n + 5, 0);
    read_back(to, sizeof got, got);
    if (loop)
        expect_loop(d, n);
    else
        expect_each(d, n);
    compare(loop ? "loop" : "each", type, d->incx, d->incy);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void elements(void)
{
    static const struct distance all[] = {
        {0, 1, 0, 1}, {5, 1, 3, 1},          {0, 2, 0, 1},   {7, 1, 1, 3},   {0, 0, 0, 1},
        {0, 1, 9, 2}, {3, 1, WORDS - 1, -1}, {1, 17, 0, 19}, {0, 1, 0, -65},
    };
    static const char *const types[] = {"int", "uint", "short"};
    static const int counts[] = {1, 16, 33, 300};
    for (size_t t = 0; t < LEN(types); t++) {
        char option[20];
        snprintf(option, sizeof option, "-DTYPE=%s", types[t]);
        cl_program program = built(distances, option);
        for (size_t k = 0; k < 2 * LEN(all); k++)
            for (size_t n = 0; n < LEN(counts); n++) {
                struct distance d = all[k / 2];
                if (d.incy < 0)
                    d.to = WORDS;
                one_distance(program, k % 2, types[t], &d, counts[n]);
            }
        RELEASE_PROGRAM(program);
    }
}

/* ---- planes ---------------------------------------------------------------------------------- */

static const char planes_source[] =
    "kernel void planes(global const uint *x, global uint *y, int start, int wide, int more,\n"
    "                   int planes)\n"
    "{\n"
    "    local uint tile[64];\n"
    "    int l = get_local_id(0), n = get_local_size(0), stride = wide + 2 * more;\n"
    "    int in = get_global_id(0) + start, out = in;\n"
    "    global const uint *p = x + in;\n"
    "    for (int k = 0; k < planes; k++) {\n"
    "        in += stride;\n"
    "        tile[l] = x[in] + 7 * *p;\n"
    "        p += stride;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        y[out] = tile[l] ^ tile[n - 1 - l];\n"
    "        out += stride;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

static void expect_planes(int start, int stride, int planes, int items, int group)
{
    for (int k = 0; k < planes; k++)
        for (int i = 0; i < items; i++) {
            int other = i / group * group + group - 1 - i % group;
            int a = i + start + k * stride, b = other + start + k * stride;
            wanted[a] = (x[a + stride] + 7 * x[a]) ^ (x[b + stride] + 7 * x[b]);
        }
}

static void planes(void)
{
    static const int grids[][4] = {
        {0, 200, 4, 9}, {3, 96, 0, 1}, {11, 150, 25, 0}, {9000, -100, -30, 20}, {2, 97, 1, 33}};
    cl_program program = built(planes_source, NULL);
    for (size_t g = 0; g < 2 * LEN(grids); g++) {
        const int *grid = grids[g / 2];
        int group = g % 2 ? 32 : 24, items = g % 2 ? 96 : 72;
        cl_kernel kernel = kernel_of(program, "planes");
        random_fill(x, sizeof x);
        memset(wanted, 0, sizeof wanted);
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
        cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof wanted, wanted);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        for (cl_uint a = 0; a < 4; a++)
            ARG(kernel, 2 + a, grid[a]);
        run_1d(kernel, (size_t)items, (size_t)group);
        read_back(to, sizeof got, got);
        expect_planes(grid[0], grid[1] + 2 * grid[2], grid[3], items, group);
        compare("planes", "", grid[1], grid[3]);
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
}

/* ---- borders --------------------------------------------------------------------------------- */

static const char borders_source[] =
    "kernel void borders(global const uint *x, global uint *y, int nx, int plane, int planes)\n"
    "{\n"
    "    int i = get_global_id(0), c = i + get_global_id(1) * nx;\n"
    "    int w = i == 0 ? c : c - 1, e = i == nx - 1 ? c : c + 1;\n"
    "    int far = i > 2 ? c - 3 : c, on = i < nx - 5 ? c + 5 : c;\n"
    "    for (int k = 0; k < planes; k++) {\n"
    "        y[c] = x[w] + 3 * x[e] + 5 * x[far] + 7 * x[on];\n"
    "        c += plane;\n"
    "        w += plane;\n"
    "        e += plane;\n"
    "        far += plane;\n"
    "        on += plane;\n"
    "    }\n"
    "}\n";

static void expect_borders(int nx, int ny, int plane, int planes)
{
    for (int at = 0; at < planes * ny * nx; at++) {
        int i = at % nx, k = at / nx / ny, c = i + at / nx % ny * nx + k * plane;
        wanted[c] = x[i ? c - 1 : c] + 3 * x[i < nx - 1 ? c + 1 : c] + 5 * x[i > 2 ? c - 3 : c] +
                    7 * x[i < nx - 5 ? c + 5 : c];
    }
}

static void borders(void)
{
    static const int grids[][3] = {{1, 3, 4},   {15, 4, 5},  {16, 2, 1},
                                   {33, 7, 11}, {64, 3, 20}, {101, 5, 9}};
    cl_program program = built(borders_source, NULL);
    for (size_t g = 0; g < LEN(grids); g++) {
        const int nx = grids[g][0], ny = grids[g][1], planes = grids[g][2], plane = nx * ny + 7;
        cl_kernel kernel = kernel_of(program, "borders");
        random_fill(x, sizeof x);
        memset(wanted, 0, sizeof wanted);
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
        cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof wanted, wanted);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        ARG(kernel, 2, nx);
        ARG(kernel, 3, plane);
        ARG(kernel, 4, planes);
        const size_t items[] = {(size_t)nx, (size_t)ny};
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
        read_back(to, sizeof got, got);
        expect_borders(nx, ny, plane, planes);
        compare("borders", "", nx, planes);
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char rows_source[] =
    "kernel void rows(global const uint *x, global uint *y, global const uint *longs, int n,\n"
    "                 global const uint *begin)\n"
    "{\n"
    "    int id = get_global_id(0);\n"
    "    if (id < n) {\n"
    "        uint sum = 1, end = longs[id / 4];\n"
    "        for (uint k = 0; k < end; k++) {\n"
    "            int at = begin[k] + id;\n"
    "            sum += x[at] * x[x[at] % 1000];\n"
    "        }\n"
    "        y[id] = sum;\n"
    "    }\n"
    "}\n";

static void rows(void)
{
    enum { MOST = 24, EACH = 700 };
    static cl_uint longs[EACH], begin[MOST];
    cl_int n = EACH - 9;
    random_fill(x, sizeof x);
    memset(wanted, 0, sizeof wanted);
    for (size_t i = 0; i < EACH; i++)
        longs[i] = x[i] % 5 ? x[i] % MOST : 0;
    for (cl_uint k = 0; k < MOST; k++)
        begin[k] = k * EACH;
    for (cl_int i = 0; i < n; i++) {
        wanted[i] = 1;
        for (cl_uint k = 0; k < longs[i / 4]; k++)
            wanted[i] += x[begin[k] + (cl_uint)i] * x[x[begin[k] + (cl_uint)i] % 1000];
    }
    cl_program program = built(rows_source, NULL);
    cl_kernel kernel = kernel_of(program, "rows");
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof y, memset(y, 0, sizeof y));
    cl_mem ends = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof longs, longs);
    cl_mem starts = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof begin, begin);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, ends);
    ARG(kernel, 3, n);
    ARG(kernel, 4, starts);
    run_1d(kernel, EACH, 0);
    read_back(to, sizeof got, got);
    compare("rows", "", n, 0);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_MEM(ends);
    RELEASE_MEM(starts);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* ---- pictures of another size ---------------------------------------------------------------- */

static const char sizes_source[] =
    "kernel void sizes(global const uint4 *x, global uint4 *y, int4 size, float2 scale, int n)\n"
    "{\n"
    "    int channel = get_global_id(0), column = get_global_id(1), row = get_global_id(2);\n"
    "    if (channel >= n || column >= size.z || row >= size.w) return;\n"
    "    float fx = column * scale.x + 0.25f, fy = row * scale.y;\n"
    "    int left = min(max(0, (int)floor(fx)), size.x - 1), right = min(left + 1, size.x - 1);\n"
    "    int above = min(max(0, (int)floor(fy)), size.y - 1);\n"
    "    int start = (channel * size.y + above) * size.x;\n"
    "    uint weight = (uint)((fx - floor(fx)) * 4);\n"
    "    y[(channel * size.w + row) * size.z + column] =\n"
    "        x[start + left] * (4 - weight) + x[start + right] * weight;\n"
    "}\n";

static void expect_sizes(const cl_int size[4], float scale, int channels)
{
    for (int at = 0; at < channels * size[3] * size[2] * 4; at++) {
        int column = at / 4 % size[2], row = at / 4 / size[2] % size[3];
        float fx = (float)column * scale + 0.25F, fy = (float)row * scale;
        int left = (int)fx < size[0] ? (int)fx : size[0] - 1;
        int right = left + 1 < size[0] ? left + 1 : left;
        int above = (int)fy < size[1] ? (int)fy : size[1] - 1;
        int start = (at / 4 / size[2] / size[3] * size[1] + above) * size[0];
        cl_uint weight = (cl_uint)((fx - (float)(int)fx) * 4);
        wanted[at] = x[4 * (start + left) + at % 4] * (4 - weight) +
                     x[4 * (start + right) + at % 4] * weight;
    }
}

/* Factors whose multiples are exact. */
static void sizes(void)
{
    static const struct {
        cl_int size[4];
        float scale;
        int channels;
        size_t local[3];
    } all[] = {{{17, 9, 33, 17}, 0.5F, 3, {1, 11, 1}},
               {{23, 11, 9, 5}, 2.5F, 5, {4, 3, 2}},
               {{7, 5, 41, 3}, 0.25F, 8, {8, 1, 1}},
               {{1, 3, 1, 9}, 0.5F, 1, {1, 1, 4}},
               {{31, 2, 19, 1}, 1.75F, 33, {32, 1, 1}}};
    cl_program program = built(sizes_source, NULL);
    for (size_t k = 0; k < LEN(all); k++) {
        cl_kernel kernel = kernel_of(program, "sizes");
        const cl_int *size = all[k].size;
        cl_float2 scale = {{all[k].scale, all[k].scale}};
        size_t items[3] = {(size_t)all[k].channels, (size_t)size[2], (size_t)size[3]};
        for (int d = 0; d < 3; d++)
            items[d] = (items[d] + all[k].local[d] - 1) / all[k].local[d] * all[k].local[d];
        random_fill(x, sizeof x);
        memset(wanted, 0, sizeof wanted);
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
        cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof wanted, wanted);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof all[k].size, size));
        ARG(kernel, 3, scale);
        ARG(kernel, 4, all[k].channels);
        CHECK_OK(
            clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, items, all[k].local, 0, NULL, NULL));
        read_back(to, sizeof got, got);
        expect_sizes(size, all[k].scale, all[k].channels);
        compare("sizes", "", size[0], all[k].channels);
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {CASE(elements), CASE(planes), CASE(borders), CASE(rows),
                                         CASE(sizes)};
TEST_MAIN("distance", cases)
