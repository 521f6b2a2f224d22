/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-groups as cl_intel_subgroups and those behind it have them: shuffles, blocks, small numbers.
 */
#include "sub_group_help.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- cl_intel_subgroups ---------------------------------------------------------------------- */

static void intel_shuffles(void)
{
    static const char source[] =
        "#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n"
        "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#else\n"
        "#define half float\n#endif\n"
        "kernel void k(global const long *x, global long *out)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    uint me = get_sub_group_local_id(), n = get_sub_group_size();\n"
        "    float4 v = (float4)(x[i], 2, 3, -x[i]);\n"
        "    int16 w = (int16)((int)x[i] + 100), u = (int16)((int)x[i] + 200);\n"
        "    out += i * 5;\n"
        "    out[0] = (long)intel_sub_group_shuffle(v, n - 1 - me).w;\n"
        "    long a = intel_sub_group_shuffle_xor(x[i], 1); out[1] = (me ^ 1) < n ? a : -1;\n"
        "    out[2] = n == get_max_sub_group_size() ? intel_sub_group_shuffle_down(w, u, 3).sa : "
        "0;\n"
        "    out[3] = n == get_max_sub_group_size() ? intel_sub_group_shuffle_up(w, u, 2).s0 : 0;\n"
        "    out[4] = intel_sub_group_shuffle((uint)x[i], 0);\n"
        "    if ((long)intel_sub_group_shuffle((half)x[i], 0) != out[4]) out[4] = -1;\n"
        "}\n";
    static const char *const standards[] = {"-cl-std=CL1.2", "-cl-std=CL3.0"};
    need("cl_intel_subgroups");
    fill_inputs();
    for (size_t o = 0; o < LEN(standards); o++) {
        cl_kernel kernel = new_kernel(source, "k", standards[o]);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g], size = largest_size(kernel, group);
            run_three(kernel, inputs, group, 5, outputs);
            for (size_t i = 0; i < 3 * group; i++) {
                struct part p = part_of(i, group, size);
                const cl_long *v = inputs + p.first, *out = outputs + 5 * i;
                size_t me = i - p.first, n = p.count;
                CHECK_EQ(out[0], -v[n - 1 - me]);
                CHECK_EQ(out[1], (me ^ 1) < n ? v[me ^ 1] : -1);
                CHECK_EQ(out[2], n < size ? 0 : me + 3 < n ? v[me + 3] + 100 : v[me + 3 - n] + 200);
                CHECK_EQ(out[3], n < size ? 0 : me < 2 ? v[n + me - 2] + 100 : v[me - 2] + 200);
                CHECK_EQ(out[4], v[0]);
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

/* The element types that blocks are made of, and what their functions' names end in. */
static const struct block_type {
    const char *options, *extension;
    size_t bytes;
} block_types[] = {
    {"-cl-std=CL1.2 -DNAME(f,n)=f##n -DT=uint -DVECTOR(n)=uint##n", "cl_intel_subgroups", 4},
    {"-cl-std=CL1.2 -DNAME(f,n)=f##_ui##n -DT=uint -DVECTOR(n)=uint##n", "cl_intel_subgroups_long",
     4},
    {"-cl-std=CL3.0 -DNAME(f,n)=f##_uc##n -DT=uchar -DVECTOR(n)=uchar##n",
     "cl_intel_subgroups_char", 1},
    {"-cl-std=CL1.2 -DNAME(f,n)=f##_us##n -DT=ushort -DVECTOR(n)=ushort##n",
     "cl_intel_subgroups_short", 2},
    {"-cl-std=CL1.2 -DNAME(f,n)=f##_ul##n -DT=ulong -DVECTOR(n)=ulong##n",
     "cl_intel_subgroups_long", 8},
};

/* The element of that index, where numbers are stored with the first byte least. */
static cl_ulong element(const void *values, size_t index, size_t bytes)
{
    cl_ulong value = 0;
    memcpy(&value, (const cl_uchar *)values + index * bytes, bytes);
    return value;
}

static cl_ulong cut(cl_ulong value, size_t bytes)
{
    return bytes == 8 ? value : value & ((1ul << 8 * bytes) - 1);
}

static void blocks_of(const struct block_type *type)
{
    enum { WORDS = 64 * 8 };
    static const char source[] =
        "__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global const T *in,\n"
        "    global T *out)\n"
        "{\n"
        "    uint first = get_group_id(0) * 32 + get_sub_group_id() * 16;\n"
        "    T a = NAME(intel_sub_group_block_read, )(in + first);\n"
        "    NAME(intel_sub_group_block_write, )(out + first, a * 3);\n"
        "    VECTOR(8) b = NAME(intel_sub_group_block_read, 8)(in + first * 8);\n"
        "    NAME(intel_sub_group_block_write, 4)(out + 64 + first * 4, b.odd);\n"
        "}\n";
    cl_uchar in[WORDS * 8], out[(64 + 256) * 8];
    size_t bytes = type->bytes;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (cl_uchar)(i * 7 + i / 256 + 1);
    cl_kernel kernel = new_kernel(source, "k", type->options);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), b = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, 64, 32);
    read_back(b, sizeof out, out);
    for (size_t i = 0; i < 64; i++) {
        CHECK_EQ(element(out, i, bytes), cut(element(in, i, bytes) * 3, bytes));
        for (size_t row = 0; row < 4; row++)
            CHECK_EQ(element(out, 64 + i / 16 * 64 + row * 16 + i % 16, bytes),
                     element(in, i / 16 * 128 + (row * 2 + 1) * 16 + i % 16, bytes));
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void intel_blocks(void)
{
    need("cl_intel_subgroups");
    need("cl_intel_required_subgroup_size");
    for (size_t t = 0; t < LEN(block_types); t++)
        if (has_extension(block_types[t].extension))
            blocks_of(&block_types[t]);
}

/* The same through local memory: each sub-group takes what another one has put there. */
static void local_blocks_of(const struct block_type *type)
{
    enum { LOCAL = 48, ITEMS = 3 * LOCAL };
    static const char source[] =
        "__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global const T *in,\n"
        "    global T *out)\n"
        "{\n"
        "    local T s[48 * 8], d[48 * 8];\n"
        "    uint me = get_sub_group_id() * 8, other = 40 - me, base = get_group_id(0) * 48;\n"
        "    for (uint i = get_local_id(0); i < 48 * 8; i += 48) s[i] = in[base * 8 + i];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    NAME(intel_sub_group_block_write, 8)(d + me * 8,\n"
        "        NAME(intel_sub_group_block_read, 8)(s + other * 8).s76543210 * (T)3);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    VECTOR(2) a = NAME(intel_sub_group_block_read, 2)(d + other * 8 + 16);\n"
        "    NAME(intel_sub_group_block_write, )(s + me, a.x + a.y);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = s[47 - get_local_id(0)];\n"
        "}\n";
    cl_uchar in[ITEMS * 8 * 8], out[ITEMS * 8];
    size_t bytes = type->bytes;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (cl_uchar)(i * 11 + i / 256 + 1);
    cl_kernel kernel = new_kernel(source, "k", type->options);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), b = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, ITEMS, LOCAL);
    read_back(b, sizeof out, out);
    for (size_t i = 0; i < ITEMS; i++) {
        size_t from = LOCAL - 1 - i % LOCAL; /* who put it there, of rows 2 and 3 of its mirror, */
        size_t at = i / LOCAL * LOCAL * 8 + from / 8 * 64 + from % 8; /* which took rows 5 and 4 */
        CHECK_EQ(element(out, i, bytes),
                 cut(3 * (element(in, at + 5 * 8, bytes) + element(in, at + 4 * 8, bytes)), bytes));
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void intel_local_blocks(void)
{
    need("cl_intel_subgroup_local_block_io");
    need("cl_intel_required_subgroup_size");
    for (size_t t = 0; t < LEN(block_types); t++)
        if (has_extension(block_types[t].extension))
            local_blocks_of(&block_types[t]);
}

/* Copies two rows, in groups of which the last may stand out at the right. */
static void image_blocks_of(const struct block_type *type)
{
    enum { WIDTH = 39, HEIGHT = 6 };
    static const char source[] =
        "__attribute__((intel_reqd_sub_group_size(8))) kernel void k(read_only image2d_t in,\n"
        "    write_only image2d_t out)\n"
        "{\n"
        "    int2 at = (int2)(get_group_id(0) * 8 * sizeof(T), 1);\n"
        "    VECTOR(4) a = NAME(intel_sub_group_block_read, 4)(in, at);\n"
        "    NAME(intel_sub_group_block_write, 2)(out, at + (int2)(0, 2), a.s02 + (T)5);\n"
        "}\n";
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    size_t bytes = type->bytes, across = WIDTH * 4 / bytes;
    cl_uchar in[HEIGHT][WIDTH * 4], out[HEIGHT][WIDTH * 4] = {{0}};
    cl_int rc;
    for (cl_uint y = 0; y < HEIGHT; y++)
        for (cl_uint x = 0; x < WIDTH * 4; x++)
            in[y][x] = (cl_uchar)(y * 50 + x);
    cl_mem a = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, in, &rc);
    REQUIRE_OK(rc);
    cl_mem b = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, out, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel = new_kernel(source, "k", type->options);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, (across + 7) / 8 * 8, 8);
    REQUIRE_OK(clEnqueueReadImage(cl.queue, b, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < across; x++) {
            cl_ulong copied = cut(element(in[y == 3 ? 1 : 3], x, bytes) + 5, bytes);
            CHECK_EQ(element(out[y], x, bytes), y == 3 || y == 4 ? copied : 0);
        }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void intel_image_blocks(void)
{
    need("cl_intel_subgroups");
    need("cl_intel_required_subgroup_size");
    for (size_t t = 0; t < LEN(block_types); t++)
        if (has_extension(block_types[t].extension))
            image_blocks_of(&block_types[t]);
}

/* cl_intel_subgroups_char and _short: the functions of the core under names of their own. */
static const char small_source[] =
    "__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global const T *x,\n"
    "    global T *out)\n"
    "{\n"
    "    T v = x[get_global_id(0)];\n"
    "    VECTOR(4) four = (VECTOR(4))(0, 1, 2, v), five = four + (T)5;\n"
    "    out += get_global_id(0) * 9;\n"
    "    out[0] = intel_sub_group_reduce_add(v);\n"
    "    out[1] = intel_sub_group_reduce_max(v);\n"
    "    out[2] = intel_sub_group_scan_inclusive_min(v);\n"
    "    out[3] = intel_sub_group_scan_exclusive_add(v);\n"
    "    out[4] = intel_sub_group_broadcast(four, 3).w;\n"
    "    out[5] = intel_sub_group_shuffle(four, 7 - get_sub_group_local_id()).w;\n"
    "    out[6] = intel_sub_group_shuffle_xor(v, 2);\n"
    "    out[7] = intel_sub_group_shuffle_down(four, five, 3).w;\n"
    "    out[8] = intel_sub_group_shuffle_up(five, four, 3).w;\n"
    "}\n";

static void intel_small_numbers(void)
{
    static const struct {
        const char *options, *extension;
        size_t bytes;
        bool is_signed;
    } types[] = {
        {"-DT=char -DVECTOR(n)=char##n", "cl_intel_subgroups_char", 1, true},
        {"-DT=uchar -DVECTOR(n)=uchar##n", "cl_intel_subgroups_char", 1, false},
        {"-DT=short -DVECTOR(n)=short##n", "cl_intel_subgroups_short", 2, true},
        {"-DT=ushort -DVECTOR(n)=ushort##n", "cl_intel_subgroups_short", 2, false},
    };
    for (size_t t = 0; t < LEN(types); t++) {
        size_t bytes = types[t].bytes;
        cl_ulong sign = types[t].is_signed ? 1ul << (8 * bytes - 1) : 0;
        cl_uchar in[8 * 2], out[8 * 9 * 2];
        need(types[t].extension);
        for (size_t i = 0; i < sizeof in; i++)
            in[i] = (cl_uchar)(i * 77 + 40);
        cl_kernel kernel = new_kernel(small_source, "k", types[t].options);
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
               b = new_buffer(0, sizeof out, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        run_1d(kernel, 8, 8);
        read_back(b, sizeof out, out);
        cl_ulong x[8], sum = 0, least = 0, most = 0, before = 0;
        for (size_t i = 0; i < 8; i++) {
            x[i] = element(in, i, bytes);
            sum += x[i];
            most = i && (x[i] ^ sign) < (most ^ sign) ? most : x[i];
        }
        for (size_t i = 0; i < 8; i++) {
            least = i && (x[i] ^ sign) > (least ^ sign) ? least : x[i];
            cl_ulong want[9] = {sum,
                                most,
                                least,
                                before,
                                x[3],
                                x[7 - i],
                                x[i ^ 2],
                                i < 5 ? x[i + 3] : x[i - 5] + 5,
                                i >= 3 ? x[i - 3] : x[i + 5] + 5};
            before += x[i];
            for (size_t w = 0; w < 9; w++)
                CHECK_EQ(element(out, i * 9 + w, bytes), cut(want[w], bytes));
        }
        RELEASE_KERNEL(kernel);
        RELEASE_MEM(a);
        RELEASE_MEM(b);
    }
}

static const struct test_case cases[] = {
    CASE(intel_shuffles),     CASE(intel_blocks),        CASE(intel_local_blocks),
    CASE(intel_image_blocks), CASE(intel_small_numbers),
};
TEST_MAIN("sub_group_intel", cases)
