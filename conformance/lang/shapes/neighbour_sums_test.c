/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of an item in a private array that lie side by side, as those of a product of matrices
 * without local memory: they may be vectors of the item. Counts that fill vectors and that do not,
 * sums that begin with what lies in memory, elements that are asked for elsewhere, too, rows that
 * overlap, and no rounds at all.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>

enum { ITEMS_X = 11, ITEMS_Y = 3, MOST = 160 * 160 };

static cl_int a[MOST], b[MOST], c[MOST], before[MOST];

/* SKEW: how far an item's columns are from its neighbour's, in place of as many as it has. */
static const char source[] =
    "kernel void k(global const T *a, global const T *b, global T *c, int n, int depth, int skew)\n"
    "{\n"
    "  int col = get_global_id(0) * C, row = get_global_id(1) * R, from = get_global_id(0) * "
    "skew;\n"
    "  T s[R][C];\n"
    "  for (int i = 0; i < R; i++) for (int j = 0; j < C; j++)\n"
    "    s[i][j] = FIRST;\n"
    "  for (int k = 0; k < depth; k++) {\n"
    "    T x[R], y[C];\n"
    "    for (int i = 0; i < R; i++) x[i] = a[(row + i) * depth + k];\n"
    "    for (int j = 0; j < C; j++) y[j] = b[k * n + from + j];\n"
    "    for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) s[i][j] += x[i] * y[j];\n"
    "  }\n"
    "  for (int i = 0; i < R; i++) for (int j = 0; j < C; j++)\n"
    "    c[(row + i) * n + col + j] = LAST;\n"
    "}\n";

struct form {
    int rows, cols, skew, depth;
    bool begins;  /* with what is in c */
    bool differs; /* the last one of the item's first row is taken away from each */
};

static const struct form forms[] = {
    {4, 4, 4, 17, false, false}, {8, 8, 8, 9, false, false},  {2, 16, 16, 5, false, false},
    {3, 12, 12, 6, true, false}, {6, 6, 6, 8, false, false},  {1, 4, 1, 7, false, false},
    {4, 8, 3, 6, true, false},   {4, 4, 0, 6, false, false},  {4, 4, 4, 0, true, false},
    {4, 4, 4, 6, false, true},   {5, 24, 24, 3, false, true}, {7, 2, 2, 4, true, false}};

static cl_int sum_at(const struct form *f, int n, int row, int col)
{
    cl_int sum = f->begins ? before[row * n + col] : 0;
    for (int k = 0; k < f->depth; k++)
        sum += a[row * f->depth + k] * b[k * n + col / f->cols * f->skew + col % f->cols];
    return sum;
}

/* Whole numbers, as the kernel's type has them. */
static cl_mem upload(const cl_int *numbers, bool wide)
{
    static double large[MOST];
    static float small[MOST];
    for (int i = 0; i < MOST; i++)
        large[i] = small[i] = (float)numbers[i];
    return wide ? new_buffer(CL_MEM_COPY_HOST_PTR, sizeof large, large)
                : new_buffer(CL_MEM_COPY_HOST_PTR, sizeof small, small);
}

static void download(cl_mem from, bool wide)
{
    static double large[MOST];
    static float small[MOST];
    read_back(from, wide ? sizeof large : sizeof small, wide ? (void *)large : small);
    for (int i = 0; i < MOST; i++)
        c[i] = (cl_int)(wide ? large[i] : small[i]);
}

static void check_form(const struct form *f, bool wide)
{
    const cl_int n = ITEMS_X * f->cols, m = ITEMS_Y * f->rows;
    const size_t global[] = {ITEMS_X, ITEMS_Y};
    char options[160];
    snprintf(options, sizeof options, "-DT=%s -DR=%d -DC=%d -DFIRST=%s -DLAST=s[i][j]%s",
             wide ? "double" : "float", f->rows, f->cols, f->begins ? "c[(row+i)*n+col+j]" : "0",
             f->differs ? "-s[0][C-1]" : "");
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem ma = upload(a, wide), mb = upload(b, wide), mc = upload(before, wide);
    ARG(kernel, 0, ma);
    ARG(kernel, 1, mb);
    ARG(kernel, 2, mc);
    ARG(kernel, 3, n);
    ARG(kernel, 4, f->depth);
    ARG(kernel, 5, f->skew);
    run_nd(kernel, 2, NULL, global, NULL);
    download(mc, wide);
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            int first = row / f->rows * f->rows, last = col / f->cols * f->cols + f->cols - 1;
            cl_int less = f->differs ? sum_at(f, n, first, last) : 0;
            REQUIRE(CHECK_EQ(c[row * n + col], sum_at(f, n, row, col) - less));
        }
    for (int i = m * n; i < MOST; i++)
        REQUIRE(CHECK_EQ(c[i], before[i]));
    RELEASE_MEM(ma);
    RELEASE_MEM(mb);
    RELEASE_MEM(mc);
    RELEASE_KERNEL(kernel);
}

static void each_form(bool wide)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = (cl_int)random_below(20) - 10;
        b[i] = (cl_int)random_below(20) - 10;
        before[i] = (cl_int)random_below(2000) - 1000;
    }
    for (size_t t = 0; t < LEN(forms); t++)
        check_form(&forms[t], wide);
}

static void of_float(void)
{
    each_form(false);
}

static void of_double(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double");
    each_form(true);
}

static const struct test_case cases[] = {CASE(of_float), CASE(of_double)};
TEST_MAIN("neighbour_sums", cases)
