/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches whose last groups have fewer items than the others, of kernels whose groups are run one
 * by one: with barriers and local memory, in rows of one group and of many, in one and two
 * dimensions, with offsets.
 */
#include <string.h>

#include "cl_help.h"
#include "reference.h"
#include "runner.h"

enum { MOST = 4096 };

static cl_uint in[MOST], got[MOST], want[MOST];

/* Each item gets what the one at the other end of its group's row has, and who is there. */
static const char source[] =
    "kernel void k(global const uint *in, global uint *out, local uint *t, uint width)\n{\n"
    "    uint x = get_global_id(0) - get_global_offset(0);\n"
    "    uint y = get_global_id(1) - get_global_offset(1), at = y * width + x;\n"
    "    uint l = get_local_id(0), n = get_local_size(0), row = get_local_id(1) * n;\n"
    "    t[row + l] = in[at];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint other = t[row + n - 1 - l];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint s = 64; s > 0; s >>= 1) {\n"
    "        if (l < s && l + s < n) t[row + l] += t[row + l + s];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"
    "    uint full = get_enqueued_local_size(0);\n"
    "    out[at] = other * 5 + t[row] * 7 + n + get_local_size(1) * 100 + full * 10000\n"
    "              + (uint)get_group_id(0) * 1000000;\n}\n";

static void expect(size_t width, size_t height, size_t wide, size_t high)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            size_t first = x / wide * wide, row = y / high * high;
            size_t n = width - first < wide ? width - first : wide;
            size_t m = height - row < high ? height - row : high;
            cl_uint sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += in[y * width + first + k];
            want[y * width + x] =
                (cl_uint)(in[y * width + first + n - 1 - (x - first)] * 5 + sum * 7 + n + m * 100 +
                          wide * 10000 + x / wide * 1000000);
        }
}

static void check_launch(cl_kernel kernel, size_t width, size_t height, size_t wide, size_t high)
{
    const size_t from[] = {wide + 3, height}, global[] = {width, height}, local[] = {wide, high};
    cl_uint w = (cl_uint)width;
    memset(got, 0, sizeof got);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    CHECK_OK(clSetKernelArg(kernel, 2, wide * high * sizeof(cl_uint), NULL));
    ARG(kernel, 3, w);
    run_nd(kernel, 2, from, global, local);
    read_back(b, sizeof got, got);
    expect(width, height, wide, high);
    for (size_t k = 0; k < width * height; k++)
        if (got[k] != want[k]) {
            check_fail(__FILE__, __LINE__, "%zu by %zu in groups of %zu by %zu: %zu is %u, not %u",
                       width, height, wide, high, k, got[k], want[k]);
            break;
        }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void last_ones(void)
{
    static const size_t widths[] = {1, 7, 16, 63, 64, 65, 100, 333},
                        wides[] = {1, 3, 16, 24, 64, 100, 128};
    cl_bool uneven = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof uneven,
                             &uneven, NULL));
    if (!uneven)
        check_skip("groups of a launch have one size");
    for (size_t k = 0; k < MOST; k++)
        in[k] = (cl_uint)random_below(1000);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    for (size_t w = 0; w < LEN(widths); w++)
        for (size_t l = 0; l < LEN(wides); l++) {
            check_launch(kernel, widths[w], 1, wides[l], 1);
            check_launch(kernel, widths[w], 5, wides[l], 2);
        }
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(last_ones),
};
TEST_MAIN("cut_group", cases)
