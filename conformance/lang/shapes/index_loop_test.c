/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indices of 32 bits that a loop moves on from row to row, as kernels have them that do several
 * rows of a picture per item: as sums of int, of uint that wrap around in front of the first
 * element, and of mad24.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PITCH = 53, TALL = 41, ROOM = PITCH * TALL };

static cl_uint x[ROOM], y[ROOM], got[ROOM], wanted[ROOM];

/* Bytes: the index leads to some, as in OpenCV. A number below 0 is a large one. */
static const char source[] =
    "#ifdef MAD\n"
    "#define AT(y, pitch, x, offset) mad24(y, pitch, mad24(x, (T)4, offset))\n"
    "#else\n"
    "#define AT(y, pitch, x, offset) ((y) * (pitch) + (x) * 4 + (offset))\n"
    "#endif\n"
    "kernel void rows(global const uchar *x, T pitch, T offset, global uchar *y, uint room, int "
    "n,\n"
    "                 int tall)\n"
    "{\n"
    "    T column = get_global_id(0), first = get_global_id(1) * PER;\n"
    "    if ((int)column < n) {\n"
    "        T from = AT(first, pitch, column, offset), to = AT(first, pitch, column, offset);\n"
    "        for (int k = first; k < min(tall, (int)first + PER); k++, from += pitch, to += "
    "pitch)\n"
    "            if ((uint)to < room)\n"
    "                *(global uint *)(y + to) = 3 * *(global const uint *)(x + from) + k;\n"
    "    }\n"
    "}\n";

struct picture {
    cl_int offset; /* elements */
    cl_int n, tall;
};

static void expect(const struct picture *p)
{
    for (cl_int k = 0; k < p->tall; k++)
        for (cl_int i = 0; i < p->n; i++) {
            cl_int at = k * PITCH + i + p->offset;
            if (at >= 0 && at < ROOM)
                wanted[at] = 3 * x[at] + (cl_uint)k;
        }
}

static void one_picture(cl_program program, const char *type, cl_int per, const struct picture *p)
{
    cl_kernel kernel = kernel_of(program, "rows");
    random_fill(x, sizeof x);
    random_fill(y, sizeof y);
    memcpy(wanted, y, sizeof y);
    expect(p);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof y, y);
    cl_int pitch = 4 * PITCH, offset = 4 * p->offset;
    cl_uint room = sizeof y;
    ARG(kernel, 0, from);
    ARG(kernel, 1, pitch);
    ARG(kernel, 2, offset);
    ARG(kernel, 3, to);
    ARG(kernel, 4, room);
    ARG(kernel, 5, p->n);
    ARG(kernel, 6, p->tall);
    const size_t items[2] = {(size_t)p->n + 3, ((size_t)p->tall + (size_t)per - 1) / (size_t)per};
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
    read_back(to, sizeof got, got);
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__, "%s, %d rows, offset %d, %d x %d: [%zu] is %u, not %u",
                       type, per, p->offset, p->n, p->tall, i, got[i], wanted[i]);
            check_abandon();
        }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void of_type(const char *type, bool mad)
{
    static const struct picture all[] = {{0, 53, 41}, {1, 37, 7},   {5, 16, 1},  {-5, 53, 41},
                                         {-1, 19, 3}, {-61, 50, 9}, {0, 1, 41},  {-53, 48, 40},
                                         {17, 33, 5}, {-40, 31, 2}, {-8, 52, 23}};
    static const cl_int rows[] = {1, 3, 4};
    for (size_t r = 0; r < LEN(rows); r++) {
        char option[80];
        snprintf(option, sizeof option, "-DT=%s -DPER=%d%s", type, rows[r], mad ? " -DMAD" : "");
        cl_program program = built(source, option);
        for (size_t k = 0; k < LEN(all); k++)
            one_picture(program, type, rows[r], &all[k]);
        RELEASE_PROGRAM(program);
    }
}

static void ints(void)
{
    of_type("int", false);
}

static void uints(void)
{
    of_type("uint", false);
}

static void mad24_of_int(void)
{
    of_type("int", true);
}

static void mad24_of_uint(void)
{
    of_type("uint", true);
}

static const struct test_case cases[] = {CASE(ints), CASE(uints), CASE(mad24_of_int),
                                         CASE(mad24_of_uint)};
TEST_MAIN("index_loop", cases)
