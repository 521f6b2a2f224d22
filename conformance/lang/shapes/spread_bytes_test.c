/* SPDX-License-Identifier: Apache-2.0 */
/* Computed bytes that go to every second, third or fourth place, and what lies between them: the
 * code generator of some machines did not come back from such shuffles. */
#include <stdio.h>

#include "cl_help.h"

enum { MOST_STRIDE = 4, MOST = 1003, BETWEEN = 0xa5 };

typedef cl_uint (*byte_fn)(cl_uint a, cl_uint b);

static cl_uint quotient(cl_uint a, cl_uint b)
{
    return a / b & 63;
}
static cl_uint cube(cl_uint a, cl_uint b)
{
    return a * b * a / 7;
}
static cl_uint digit(cl_uint a, cl_uint b)
{
    (void)b;
    return a % 10 + '0';
}
static cl_uint smaller(cl_uint a, cl_uint b)
{
    return (a < b ? a : b) & 7;
}
static cl_uint shifted(cl_uint a, cl_uint b)
{
    return a >> (b & 7) | 1;
}

static const struct {
    const char *code;
    byte_fn byte;
} rows[] = {
    {"a / b & 63", quotient},    {"a * b * a / 7", cube},       {"a % 10 + '0'", digit},
    {"min(a, b) & 7u", smaller}, {"a >> (b & 7) | 1", shifted},
};

static void check_row(size_t k, size_t items, unsigned stride, unsigned first)
{
    static cl_uchar x[MOST], y[MOST], got[MOST_STRIDE * MOST];
    char text[512];
    snprintf(text, sizeof text,
             "kernel void k(global const uchar *x, global const uchar *y, global uchar *out)\n"
             "{\n    size_t i = get_global_id(0);\n    uint a = x[i], b = y[i];\n"
             "    out[%u * i + %u] = %s;\n}\n",
             stride, first, rows[k].code);
    for (size_t i = 0; i < items; i++) {
        x[i] = (cl_uchar)(i * 77 + 5);
        y[i] = (cl_uchar)(i % 31 + 1);
    }
    for (size_t i = 0; i < stride * items; i++)
        got[i] = BETWEEN;
    cl_program program = built(text, NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem buffers[] = {new_buffer(CL_MEM_COPY_HOST_PTR, items, x),
                        new_buffer(CL_MEM_COPY_HOST_PTR, items, y),
                        new_buffer(CL_MEM_COPY_HOST_PTR, stride * items, got)};
    for (cl_uint b = 0; b < LEN(buffers); b++)
        ARG(kernel, b, buffers[b]);
    run_1d(kernel, items, 0);
    read_back(buffers[2], stride * items, got);
    for (size_t i = 0; i < stride * items; i++) {
        const size_t item = i / stride;
        const cl_uint wanted =
            i % stride == first ? rows[k].byte(x[item], y[item]) & 0xff : BETWEEN;
        if (got[i] != wanted) {
            check_fail(__FILE__, __LINE__, "%s, every %u: byte %zu is %#x, not %#x", rows[k].code,
                       stride, i, got[i], wanted);
            break;
        }
    }
    for (size_t b = 0; b < LEN(buffers); b++)
        RELEASE_MEM(buffers[b]);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void every_few_bytes(void)
{
    for (size_t k = 0; k < LEN(rows); k++)
        for (unsigned stride = 2; stride <= MOST_STRIDE; stride++)
            check_row(k, MOST, stride, (unsigned)(k % stride));
}

static void every_second_byte(void)
{
    for (size_t k = 0; k < LEN(rows); k++)
        check_row(k, MOST - 64, 2, 0);
}

static const struct test_case cases[] = {
    CASE(every_second_byte),
    CASE(every_few_bytes),
};
TEST_MAIN("lang.spread_bytes", cases)
