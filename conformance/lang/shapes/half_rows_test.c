/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of halves, one for each item, read and written as OpenCL vectors of each width: by number,
 * in any order, by some items only. All numbers are small and whole, so that sums of floats agree
 * to the bit with the reference's integers.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>

enum { ITEMS = 67, VECTORS = 5, MOST_WIDTH = 16, LENGTH = ITEMS * VECTORS * MOST_WIDTH };

static const char source[] =
    "#define J_(a, b, c) a##b##c\n#define J(a, b, c) J_(a, b, c)\n"
    "#define LOAD J(vload_half, N, )\n#define STORE(mode) J(vstore_half, N, mode)\n"
    "typedef J(float, N, ) V;\n"
    "kernel void sums(global const half *a, global const half *x, global const int *where,\n"
    "                 global half *o)\n{\n"
    "    size_t i = WHERE;\n    V s = 0;\n"
    "    for (int k = 0; k < 5; k++) s += LOAD(k + i * 5, a) * LOAD(k, x);\n"
    "    STORE()(s, i * 2, o);\n    STORE(_rtz)(-s, i * 2 + 1, o);\n}\n"
    "kernel void some(global const half *a, global const half *x, global const int *where,\n"
    "                 global half *o)\n{\n"
    "    size_t i = WHERE;\n    V s = (V)(i);\n"
    "    for (int k = 0; k < (int)(i % 6); k++) s += LOAD(k + i * 5, a);\n"
    "    if (i & 1) STORE(_rte)(s * LOAD(1, x), i * 2, o);\n"
    "    else STORE(_rtn)(s, i * 2 + 1, o);\n}\n";

static int numbers[2][LENGTH]; /* of a and of x */

static int sum_of(int item, int e, int width)
{
    int sum = 0;
    for (int k = 0; k < VECTORS; k++)
        sum += numbers[0][(k + item * VECTORS) * width + e] * numbers[1][k * width + e];
    return sum;
}

static int some_of(int item, int e, int width)
{
    int sum = item;
    for (int k = 0; k < item % 6 && k < VECTORS; k++)
        sum += numbers[0][(k + item * VECTORS) * width + e];
    return item & 1 ? sum * numbers[1][width + e] : sum;
}

/* NOTHING where no item stores. */
#define NOTHING 0x7e11

static uint16_t wanted(int kernel, int place, int e, int width)
{
    int item = place / 2, second = place & 1;
    if (kernel == 0)
        return half_from_double(second ? -sum_of(item, e, width) : sum_of(item, e, width));
    return second == (item & 1) ? NOTHING : half_from_double(some_of(item, e, width));
}

static void compare(cl_kernel kernel, int which, int width, cl_mem o)
{
    static uint16_t got[ITEMS * 2 * MOST_WIDTH];
    for (size_t n = 0; n < LEN(got); n++)
        got[n] = NOTHING;
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, o, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    run_1d(kernel, ITEMS, 0);
    read_back(o, sizeof got, got);
    for (int place = 0; place < ITEMS * 2; place++)
        for (int e = 0; e < width; e++) {
            uint16_t want = wanted(which, place, e, width), is = got[place * width + e];
            bool zero = !(want & 0x7fff) && !(is & 0x7fff); /* -0 is as good */
            if (is != want && !zero) {
                check_fail(__FILE__, __LINE__, "kernel %d, width %d: o[%d].s%d: %04x, not %04x",
                           which, width, place, e, is, want);
                check_abandon();
            }
        }
}

static void all_widths(const char *where)
{
    static const char *const names[] = {"sums", "some"};
    static const int widths[] = {2, 3, 4, 8, 16};
    static uint16_t halves[2][LENGTH];
    cl_int order[ITEMS] = {0};
    for (int m = 0; m < 2; m++)
        for (int n = 0; n < LENGTH; n++) {
            numbers[m][n] = (int)random_below(19) - 9;
            halves[m][n] = half_from_double(numbers[m][n]);
        }
    for (int i = 0; i < ITEMS; i++) {
        int other = (int)random_below((uint64_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof halves[0], halves[0]);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof halves[1], halves[1]);
    cl_mem places = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof order, order);
    cl_mem o = new_buffer(CL_MEM_READ_WRITE, sizeof(cl_half) * ITEMS * 2 * MOST_WIDTH, NULL);
    for (size_t w = 0; w < LEN(widths); w++)
        for (int k = 0; k < 2; k++) {
            char options[80];
            snprintf(options, sizeof options, "-DN=%d -DWHERE=%s", widths[w], where);
            cl_kernel kernel = new_kernel(source, names[k], options);
            ARG(kernel, 0, a);
            ARG(kernel, 1, x);
            ARG(kernel, 2, places);
            ARG(kernel, 3, o);
            compare(kernel, k, widths[w], o);
            RELEASE_KERNEL(kernel);
        }
    RELEASE_MEM(a);
    RELEASE_MEM(x);
    RELEASE_MEM(places);
    RELEASE_MEM(o);
}

static void by_number(void)
{
    all_widths("get_global_id(0)");
}

static void anywhere(void)
{
    all_widths("where[get_global_id(0)]");
}

static const struct test_case cases[] = {CASE(by_number), CASE(anywhere)};
TEST_MAIN("half_rows", cases)
