/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles in local memory, groups of two dimensions: products of matrices, transpositions, sums along
 * either dimension; and histograms, whose items update local memory at places that only they know.
 * Groups of every shape, so that rows are left over, and items that fill no vector; and each with
 * the dimensions in each other's place, so that neighbours in memory follow each other in the
 * second.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <string.h>

static const size_t shapes[][2] = {{1, 1},  {4, 4},  {8, 4},  {16, 16}, {5, 3},  {17, 7}, {32, 8},
                                   {64, 3}, {16, 5}, {31, 9}, {15, 12}, {48, 4}, {2, 40}};

enum { GROUPS = 2, MOST = 2 * 64 * 2 * 40 * GROUPS };

static cl_int a[MOST], b[MOST], c[MOST];

static void fill(void)
{
    for (size_t i = 0; i < MOST; i++) {
        a[i] = (cl_int)random_below(50);
        b[i] = (cl_int)random_below(50);
    }
}

/* GROUPS by GROUPS groups of the shape; local memory for two tiles, the first of w by w. */
static void run(cl_kernel kernel, const size_t *shape, bool turned, size_t bytes_a, size_t bytes_b)
{
    size_t w = shape[0], h = shape[1], local[2] = {turned ? h : w, turned ? w : h};
    size_t global[2] = {GROUPS * local[0], GROUPS * local[1]};
    cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, bytes_a, a);
    cl_mem mb = new_buffer(CL_MEM_COPY_HOST_PTR, bytes_b, b);
    cl_mem mc = new_buffer(CL_MEM_READ_WRITE, global[0] * global[1] * sizeof *c, NULL);
    ARG(kernel, 0, ma);
    ARG(kernel, 1, mb);
    ARG(kernel, 2, mc);
    set_arg(kernel, 3, w * h * 8, NULL);
    set_arg(kernel, 4, w * w * 8, NULL);
    run_nd(kernel, 2, NULL, global, local);
    read_back(mc, global[0] * global[1] * sizeof *c, c);
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mc);
}

#define HEAD                                                                                       \
    "kernel void k(global const int *a, global const int *b, global int *c, local T *s,\n"         \
    "              local T *t) {\n"                                                                \
    "  int x = get_global_id(X), y = get_global_id(1 - X), lx = get_local_id(X);\n"                \
    "  int ly = get_local_id(1 - X), w = get_local_size(X), h = get_local_size(1 - X);\n"          \
    "  int n = get_global_size(X);\n"
#define STEP "barrier(CLK_LOCAL_MEM_FENCE);"

typedef cl_int (*want_fn)(size_t w, size_t h, size_t x, size_t y);

static void in_each_shape(const char *source, want_fn want)
{
    static const char *const types[] = {"-DX=0 -DT=int",    "-DX=0 -DT=float", "-DX=0 -DT=double",
                                        "-DX=0 -DT=ushort", "-DX=1 -DT=int",   "-DX=1 -DT=double"};
    for (size_t t = 0; t < LEN(types); t++) {
        const bool turned = strstr(types[t], "X=1") != NULL;
        if (strstr(types[t], "double") && !has_extension("cl_khr_fp64"))
            continue;
        cl_kernel kernel = new_kernel(source, "k", types[t]);
        cl_int mask = strstr(types[t], "ushort") ? 65535 : -1;
        for (size_t i = 0; i < LEN(shapes); i++) {
            size_t w = shapes[i][0], h = shapes[i][1], n = GROUPS * w;
            fill();
            run(kernel, shapes[i], turned, n * GROUPS * h * sizeof *a, n * n * sizeof *b);
            for (size_t y = 0; y < GROUPS * h; y++)
                for (size_t x = 0; x < n; x++)
                    REQUIRE(CHECK_EQ(c[y * n + x], want(w, h, x, y) & mask));
        }
        RELEASE_KERNEL(kernel);
    }
}

static cl_int product_at(size_t w, size_t h, size_t x, size_t y)
{
    size_t n = GROUPS * w;
    cl_int sum = 0;
    (void)h;
    for (size_t k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    return sum;
}

static void product(void)
{
    in_each_shape(HEAD "T sum = 0;\n"
                       "for (int i = 0; i < n; i += w) {\n"
                       "  s[ly * w + lx] = a[y * n + i + lx];\n"
                       "  for (int r = ly; r < w; r += h) t[r * w + lx] = b[(i + r) * n + x];\n"
                       "  " STEP "\n"
                       "  for (int k = 0; k < w; k++) sum += s[ly * w + k] * t[k * w + lx];\n"
                       "  " STEP " }\n"
                       "c[y * n + x] = (int)sum;\n}\n",
                  product_at);
}

static cl_int columns_at(size_t w, size_t h, size_t x, size_t y)
{
    size_t n = GROUPS * w, top = y - y % h;
    cl_int sum = 0;
    for (size_t k = 0; k < h; k++)
        sum += a[(top + k) * n + x];
    return sum;
}

/* Rows take part or do not. */
static void sums_of_columns(void)
{
    in_each_shape(HEAD "s[ly * w + lx] = a[y * n + x]; " STEP "\n"
                       "for (int m = h; m > 1;) { int o = (m + 1) / 2;\n"
                       "  if (ly < m - o) s[ly * w + lx] += s[(ly + o) * w + lx]; m = o; " STEP
                       "}\n"
                       "c[y * n + x] = (int)s[lx];\n}\n",
                  columns_at);
}

static cl_int rows_at(size_t w, size_t h, size_t x, size_t y)
{
    size_t n = GROUPS * w, left = x - x % w;
    cl_int sum = 0;
    (void)h;
    for (size_t k = 0; k < w; k++)
        sum += a[y * n + left + k];
    return sum;
}

static void sums_of_rows(void)
{
    in_each_shape(HEAD "s[ly * w + lx] = a[y * n + x]; " STEP "\n"
                       "for (int m = w; m > 1;) { int o = (m + 1) / 2;\n"
                       "  if (lx < m - o) s[ly * w + lx] += s[ly * w + lx + o]; m = o; " STEP "}\n"
                       "c[y * n + x] = (int)s[ly * w];\n}\n",
                  rows_at);
}

static cl_int scan_at(size_t w, size_t h, size_t x, size_t y)
{
    size_t n = GROUPS * w;
    cl_int sum = 0;
    (void)h;
    for (size_t k = x - x % w; k <= x; k++)
        sum += a[y * n + k];
    return sum;
}

static void scans_of_rows(void)
{
    in_each_shape(HEAD "s[ly * w + lx] = a[y * n + x]; " STEP "\n"
                       "for (int d = 1; d < w; d <<= 1) { T v = 0;\n"
                       "  if (lx < d) v = s[ly * w + lx];\n"
                       "  else v = s[ly * w + lx] + s[ly * w + lx - d];\n"
                       "  " STEP " s[ly * w + lx] = v; " STEP "}\n"
                       "c[y * n + x] = (int)s[ly * w + lx];\n}\n",
                  scan_at);
}

static cl_int turned_at(size_t w, size_t h, size_t x, size_t y)
{
    size_t n = GROUPS * w, i = y % h * w + x % w;
    return a[(y - y % h + i % h) * n + x - x % w + i / h] * 3 + b[(y % n) * n + x];
}

static void transposition(void)
{
    in_each_shape(HEAD "s[lx * h + ly] = a[y * n + x]; " STEP "\n"
                       "c[y * n + x] = (int)(T)(s[ly * w + lx] * 3 + b[y % n * n + x]);\n}\n",
                  turned_at);
}

/* ---- histograms ------------------------------------------------------------------------------ */

enum { BINS = 61, ROUNDS = 5 };

static const char histogram_source[] =
    "kernel void k(global const uchar *a, global uint *c, local uint *h, int bins, int n) {\n"
    "  int l = get_local_id(0), L = get_local_size(0), g = get_group_id(0);\n"
    "  for (int i = l; i < bins; i += L) h[i] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int k = 0; k < n; k++) {\n"
    "    uchar v = a[(g * n + k) * L + l];\n"
    "    UPDATE\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = l; i < bins; i += L) c[g * bins + i] = h[i];\n"
    "}\n";

static void count(const char *update, cl_uint by_value, cl_uint least)
{
    static cl_uchar from[GROUPS * ROUNDS * 256];
    cl_uint got[GROUPS * BINS], want[GROUPS * BINS];
    cl_int bins = BINS, rounds = ROUNDS;
    cl_kernel kernel = new_kernel(histogram_source, "k", update);
    for (size_t L = 1; L <= 256; L += L < 20 ? 3 : 59) {
        memset(want, 0, sizeof want);
        for (size_t i = 0; i < GROUPS * ROUNDS * L; i++) {
            from[i] = (cl_uchar)random_below(BINS);
            if (from[i] >= least)
                want[i / (ROUNDS * L) * BINS + from[i]] += by_value ? from[i] : 1;
        }
        cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, GROUPS * ROUNDS * L, from);
        cl_mem mc = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
        ARG(kernel, 0, ma);
        ARG(kernel, 1, mc);
        set_arg(kernel, 2, BINS * sizeof *got, NULL);
        ARG(kernel, 3, bins);
        ARG(kernel, 4, rounds);
        run_1d(kernel, GROUPS * L, L);
        read_back(mc, sizeof got, got);
        for (size_t i = 0; i < LEN(got); i++)
            REQUIRE(CHECK_EQ(got[i], want[i]));
        RELEASE_MEM(ma);
        RELEASE_MEM(mc);
    }
    RELEASE_KERNEL(kernel);
}

static void histogram(void)
{
    count("-DUPDATE=atomic_inc(&h[v]);", 0, 0);
    count("-DUPDATE=atomic_add(&h[v],v);", 1, 0);
    count("-DUPDATE=if(v>=20)atomic_inc(&h[v]);", 0, 20);
}

/* Neighbours that are kept inside of the tile, or of a part of it. */
static cl_int smoothed_at(size_t w, size_t h, size_t x, size_t y)
{
    const size_t n = GROUPS * w, left = x - x % w, top = y - y % h;
    const size_t last = w > 3 ? w - 3 : w - 1, lx = x % w, ly = y % h;
    const size_t east = lx + 1 < last ? lx + 1 : last, west = lx > 2 ? lx - 2 : 0;
    const size_t south = ly + 1 < h ? ly + 1 : h - 1, north = ly ? ly - 1 : 0;
    return a[y * n + left + east] + 3 * a[y * n + left + west] + 5 * a[(top + south) * n + x] +
           7 * a[(top + north) * n + x];
}

static void neighbours_inside(void)
{
    in_each_shape(HEAD "int last = w > 3 ? w - 3 : w - 1, e = min(lx + 1, last);\n"
                       "int v = max(lx - 2, 0), q = min(ly + 1, h - 1), p = max(ly - 1, 0);\n"
                       "s[ly * w + lx] = a[y * n + x]; " STEP "\n"
                       "T r = s[ly * w + e] + (T)3 * s[ly * w + v] + (T)5 * s[q * w + lx] +\n"
                       "      (T)7 * s[p * w + lx];\n"
                       "c[y * n + x] = (int)r;\n}\n",
                  smoothed_at);
}

/* The same through an array of the kernel's own, step after step. */
static void steps_in_a_tile(void)
{
    static const size_t shapes_of_16[][2] = {{16, 16}, {16, 3}, {13, 16}, {5, 7}};
    cl_kernel kernel = new_kernel(
        "kernel void k(global const int *a, global const int *b, global int *c, local int *s,\n"
        "              local int *t) {\n"
        "  local int u[16][16], v[16][16];\n"
        "  int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0);\n"
        "  int h = get_local_size(1);\n"
        "  size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
        "  u[y][x] = a[at]; " STEP "\n"
        "  for (int i = 0; i < 3; i++) {\n"
        "    if (x > 0 && x <= w - 1 - i)\n"
        "      v[y][x] = u[y][min(x + 1, w - 1)] + 3 * u[y][max(x - 1, i)] +\n"
        "                5 * u[min(y + 1, h - 1)][x];\n"
        "    else v[y][x] = u[y][x];\n"
        "    " STEP " u[y][x] = v[y][x] & 4095; " STEP "\n"
        "  }\n"
        "  c[at] = u[y][x];\n}\n",
        "k", "");
    for (size_t i = 0; i < LEN(shapes_of_16); i++) {
        const int w = (int)shapes_of_16[i][0], h = (int)shapes_of_16[i][1], n = GROUPS * w;
        fill();
        run(kernel, shapes_of_16[i], false, (size_t)(n * GROUPS * h) * sizeof *a, sizeof *b);
        for (int g = 0; g < GROUPS * GROUPS; g++) {
            const int from = g / GROUPS * h * n + g % GROUPS * w;
            cl_int u[16][16], v[16][16];
            for (int k = 0; k < w * h; k++)
                u[k / w][k % w] = a[from + k / w * n + k % w];
            for (int step = 0; step < 3; step++) {
                for (int y = 0; y < h; y++)
                    for (int x = 0; x < w; x++) {
                        const int west = x - 1 > step ? x - 1 : step;
                        v[y][x] = u[y][x];
                        if (x > 0 && x <= w - 1 - step)
                            v[y][x] = u[y][x + 1 < w ? x + 1 : w - 1] + 3 * u[y][west] +
                                      5 * u[y + 1 < h ? y + 1 : h - 1][x];
                    }
                for (int k = 0; k < w * h; k++)
                    u[k / w][k % w] = v[k / w][k % w] & 4095;
            }
            for (int k = 0; k < w * h; k++)
                REQUIRE(CHECK_EQ(c[from + k / w * n + k % w], u[k / w][k % w]));
        }
    }
    RELEASE_KERNEL(kernel);
}

/* Groups are columns, and nobody asks for an id along dimension 0: a transformation of columns. */
static void columns_alone(void)
{
    static const size_t groups[][2] = {{1, 1}, {1, 7}, {1, 16}, {1, 33}, {1, 80}, {3, 20}};
    cl_kernel kernel =
        new_kernel("kernel void k(global const int *a, global int *c, local int *s) {\n"
                   "  int x = get_group_id(0), y = get_local_id(1), h = get_local_size(1);\n"
                   "  int n = get_num_groups(0), from = get_global_id(1) * n + x;\n"
                   "  s[y] = a[from];\n"
                   "  " STEP "\n"
                   "  int v = s[h - 1 - y] + 3 * s[y / 2];\n"
                   "  " STEP "\n"
                   "  s[y] = v;\n"
                   "  " STEP "\n"
                   "  c[from] = s[(y + 1) % h] - a[from];\n}\n",
                   "k", "");
    for (size_t i = 0; i < LEN(groups); i++) {
        const size_t h = groups[i][1], n = 5;
        const size_t global[2] = {n * groups[i][0], GROUPS * h};
        fill();
        cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
        cl_mem mc = new_buffer(CL_MEM_READ_WRITE, sizeof c, NULL);
        ARG(kernel, 0, ma);
        ARG(kernel, 1, mc);
        set_arg(kernel, 2, h * sizeof *a, NULL);
        run_nd(kernel, 2, NULL, global, groups[i]);
        read_back(mc, n * GROUPS * h * sizeof *c, c);
        for (size_t k = 0; k < n * GROUPS * h; k++) {
            const size_t x = k % n, y = k / n % h, top = k / n - y, z = (y + 1) % h;
            const cl_int want = a[(top + h - 1 - z) * n + x] + 3 * a[(top + z / 2) * n + x] - a[k];
            REQUIRE(CHECK_EQ(c[k], want));
        }
        RELEASE_MEM(ma);
        RELEASE_MEM(mc);
    }
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(columns_alone), CASE(neighbours_inside), CASE(steps_in_a_tile),
    CASE(product),       CASE(sums_of_columns),   CASE(sums_of_rows),
    CASE(scans_of_rows), CASE(transposition),     CASE(histogram),
};
TEST_MAIN("local_tiles", cases)
