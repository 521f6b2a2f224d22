/* SPDX-License-Identifier: Apache-2.0 */
/* Words that kernels put together of bytes and halves from several planes, in all orders and not
 * quite so: what machines that order bytes as they like make of it. */
#include <stdio.h>

#include "cl_help.h"

enum { PLANES = 4, MOST = 1003 };

typedef cl_uint (*word_fn)(const cl_uint *);

static cl_uint as_they_are(const cl_uint *x)
{
    return x[0] | x[1] << 8 | x[2] << 16 | x[3] << 24;
}
static cl_uint turned_round(const cl_uint *x)
{
    return x[3] | x[2] << 8 | x[1] << 16 | x[0] << 24;
}
static cl_uint three(const cl_uint *x)
{
    return x[0] | x[1] << 8 | x[2] << 16;
}
static cl_uint overlapping(const cl_uint *x)
{
    return x[0] | x[1] << 8 | x[2] << 8 | x[3] << 24;
}
static cl_uint by_four_bits(const cl_uint *x)
{
    return x[0] | x[1] << 4 | x[2] << 16 | x[3] << 24;
}
static cl_uint twice(const cl_uint *x)
{
    return x[0] | x[1] << 8 | x[0] << 16 | x[1] << 24;
}
static cl_uint halves(const cl_uint *x)
{
    return (x[0] << 8 | x[1]) | (x[2] << 8 | x[3]) << 16;
}
static cl_uint summed(const cl_uint *x)
{
    return (x[0] | x[1] << 8 | x[2] << 16 | x[3] << 24) + (x[0] | x[1] << 8);
}

static const struct {
    const char *code;
    word_fn word;
} rows[] = {
    {"a[i] | b[i] << 8 | c[i] << 16 | (uint)d[i] << 24", as_they_are},
    {"as_uint((uchar4)(a[i], b[i], c[i], d[i]))", as_they_are},
    {"(uint)a[i] << 24 | (b[i] << 16 | (d[i] | c[i] << 8))", turned_round},
    {"a[i] + b[i] * 256 + c[i] * 65536 + d[i] * 16777216u", as_they_are},
    {"a[i] | b[i] << 8 | c[i] << 16", three},
    {"a[i] | b[i] << 8 | c[i] << 8 | (uint)d[i] << 24", overlapping},
    {"a[i] | b[i] << 4 | c[i] << 16 | (uint)d[i] << 24", by_four_bits},
    {"a[i] | b[i] << 8 | a[i] << 16 | (uint)b[i] << 24", twice},
    {"as_uint((ushort2)((ushort)(a[i] << 8 | b[i]), (ushort)(c[i] << 8 | d[i])))", halves},
    {"(a[i] | b[i] << 8 | c[i] << 16 | (uint)d[i] << 24) + (a[i] | b[i] << 8)", summed},
};

static void check_row(size_t k, size_t items)
{
    static cl_uchar planes[PLANES][MOST];
    static cl_uint got[MOST];
    char text[1024];
    cl_uint x[PLANES];
    snprintf(text, sizeof text,
             "kernel void k(global const uchar *a, global const uchar *b, global const uchar *c,\n"
             "              global const uchar *d, global uint *out)\n"
             "{\n    size_t i = get_global_id(0);\n    out[i] = %s;\n}\n",
             rows[k].code);
    cl_program program = built(text, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem buffers[PLANES], out = new_buffer(0, items * sizeof *got, NULL);
    for (unsigned p = 0; p < PLANES; p++) {
        for (size_t i = 0; i < items; i++)
            planes[p][i] = (cl_uchar)((i + 1) * (p * 34 + 77) >> (p + 1));
        buffers[p] = new_buffer(CL_MEM_COPY_HOST_PTR, items, planes[p]);
        ARG(kernel, p, buffers[p]);
    }
    ARG(kernel, PLANES, out);
    run_1d(kernel, items, 0);
    read_back(out, items * sizeof *got, got);
    for (size_t i = 0; i < items; i++) {
        for (unsigned p = 0; p < PLANES; p++)
            x[p] = planes[p][i];
        if (got[i] != rows[k].word(x)) {
            check_fail(__FILE__, __LINE__, "%s: word %zu is %#x, not %#x", rows[k].code, i, got[i],
                       rows[k].word(x));
            break;
        }
    }
    for (unsigned p = 0; p < PLANES; p++)
        RELEASE_MEM(buffers[p]);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void words_of_planes(void)
{
    for (size_t k = 0; k < LEN(rows); k++) {
        check_row(k, MOST);
        check_row(k, 64);
    }
}

static const struct test_case cases[] = {
    CASE(words_of_planes),
};
TEST_MAIN("lang.planes", cases)
