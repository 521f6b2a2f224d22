/* SPDX-License-Identifier: Apache-2.0 */
/* Which language -cl-std asks for: the macros of each version, and what OpenCL C 3.1 has in its
 * core. */
#include "cl_help.h"

#include <stdio.h>
#include <string.h>

static int speaks(cl_uint major, cl_uint minor)
{
    cl_name_version list[64];
    size_t bytes = 0;
    if (device_version() < 300)
        return 0;
    REQUIRE_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &bytes));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        if (CL_VERSION_MAJOR(list[i].version) == major &&
            CL_VERSION_MINOR(list[i].version) == minor)
            return 1;
    return 0;
}

static void need_31(void)
{
    if (!speaks(3, 1))
        check_skip("no OpenCL C 3.1");
}

static cl_uint value_of(const char *expression, const char *options)
{
    char source[512];
    cl_uint value = 0;
    snprintf(source, sizeof source, "kernel void k(global uint *a) { *a = %s; }", expression);
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem mem = new_buffer(0, sizeof value, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 1);
    read_back(mem, sizeof value, &value);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    return value;
}

static void numbers(void)
{
    static const struct {
        const char *options;
        cl_uint major, minor, language;
    } rows[] = {
        {NULL, 1, 2, 120},
        {"", 1, 2, 120},
        {"-cl-std=CL1.1", 1, 1, 110},
        {"-cl-std=CL1.2", 1, 2, 120},
        {"-cl-std=CL3.0", 3, 0, 300},
        {"-cl-std=CL3.1", 3, 1, 310},
        {"-cl-std=CL3.1 -cl-std=CL1.2", 3, 1, 120}, /* the last one counts */
        {"-cl-std=CL1.2 -cl-std=CL3.1", 3, 1, 310},
        {"-cl-std=CL3.1 -cl-std=CL3.0", 3, 1, 300},
        {"-cl-std=CL3.1 -Werror -Wall", 3, 1, 310},
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        if (!speaks(rows[i].major, rows[i].minor))
            continue;
        CHECK_EQ(value_of("__OPENCL_C_VERSION__", rows[i].options), rows[i].language);
        CHECK_EQ(value_of("__OPENCL_VERSION__", rows[i].options), device_version());
    }
}

static void constants(void)
{
    need_31();
    CHECK_EQ(value_of("CL_VERSION_1_0", "-cl-std=CL3.1"), 100);
    CHECK_EQ(value_of("CL_VERSION_1_1", "-cl-std=CL3.1"), 110);
    CHECK_EQ(value_of("CL_VERSION_1_2", "-cl-std=CL3.1"), 120);
    CHECK_EQ(value_of("CL_VERSION_2_0", "-cl-std=CL3.1"), 200);
    CHECK_EQ(value_of("CL_VERSION_3_0", "-cl-std=CL3.1"), 300);
    CHECK_EQ(value_of("CL_VERSION_3_1", "-cl-std=CL3.1"), 310);
}

/* Features are the same macros with the same values in 3.0 and 3.1. */
static void features(void)
{
    cl_name_version list[128];
    char source[16384] = "kernel void k(global int *a) { *a = 1; }\n";
    size_t bytes = 0;
    need_31();
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &bytes));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        snprintf(source + strlen(source), sizeof source - strlen(source),
                 "#if %s != 1\n#error %s\n#endif\n", list[i].name, list[i].name);
    strcat(source,
           "#ifndef __opencl_c_subgroups\n#error sub-groups\n#endif\n"
           "#ifndef __opencl_c_integer_dot_product_input_4x8bit_packed\n#error dot\n#endif");
    RELEASE_PROGRAM(built(source, "-cl-std=CL3.0"));
    RELEASE_PROGRAM(built(source, "-cl-std=CL3.1"));
}

/* What was an extension before 3.1, named without one. Items run in one sub-group. */
static const char promoted[] =
    "kernel void k(global long *out)\n"
    "{\n"
    "    int i = get_global_id(0), n = get_sub_group_size();\n"
    "    global long *a = out + i * 8;\n"
    "    a[0] = bitfield_insert((short)0x1234, (short)0x5, 4u, 4u);\n"
    "    a[1] = bit_reverse((uchar)(i + 1));\n"
    "    a[2] = dot_acc_sat_4x8packed_ss_int(0xff02fe03u, 0x01010101u + i, 7);\n"
    "    int turned = sub_group_rotate(i, 1);\n" /* in the row of the largest sub-group */
    "    a[3] = i + 1 < n ? turned : 0;\n"
    "    a[4] = sub_group_shuffle(i, n - 1 - i);\n"
    "    a[5] = sub_group_shuffle_xor(i, 1u);\n"
    "    a[6] = i ? sub_group_shuffle_up(i, 1u) : -1;\n"
    "    char3 v = sub_group_broadcast((char3)(i, i + 1, i + 2), 2u);\n"
    "    a[7] = v.x + v.y * 16 + v.z * 256 + 4096 * sub_group_reduce_add((ushort)i);\n"
    "}\n";

static void core(void)
{
    enum { ITEMS = 8 };
    cl_long got[ITEMS * 8];
    need_31();
    cl_kernel kernel = new_kernel(promoted, "k", "-cl-std=CL3.1");
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, ITEMS, ITEMS);
    read_back(mem, sizeof got, got);
    for (int i = 0; i < ITEMS; i++) {
        const cl_long *a = got + i * 8;
        cl_uint b = 0x01010101u + (cl_uint)i, turned = 0;
        for (int bit = 0; bit < 8; bit++)
            turned |= ((unsigned)(i + 1) >> bit & 1) << (7 - bit);
        CHECK_EQ(a[0], 0x1254);
        CHECK_EQ(a[1], turned);
        CHECK_EQ(a[2], 3 * (cl_char)b - 2 + 2 - 1 + 7);
        CHECK_EQ(a[3], (i + 1) % ITEMS);
        CHECK_EQ(a[4], ITEMS - 1 - i);
        CHECK_EQ(a[5], i ^ 1);
        CHECK_EQ(a[6], i - 1);
        CHECK_EQ(a[7], 2 + 3 * 16 + 4 * 256 + 4096 * (ITEMS * (ITEMS - 1) / 2));
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

/* A release at the scope of a device and an acquire at that of a work-group make a chain since 3.1:
 * each item reads what the one before it wrote, with the other scope. */
static const char scopes[] =
    "kernel void k(global int *data, volatile global atomic_int *flags)\n"
    "{\n"
    "    int i = get_global_id(0), first = get_local_id(0) == 0;\n"
    "    data[i] = i * 3;\n"
    "    atomic_store_explicit(flags + i, 1, memory_order_release,\n"
    "                          i & 1 ? memory_scope_device : memory_scope_work_group);\n"
    "    work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    int other = first ? i + (int)get_local_size(0) - 1 : i - 1;\n"
    "    int seen = atomic_load_explicit(flags + other, memory_order_acquire,\n"
    "                                    i & 1 ? memory_scope_work_group : memory_scope_device);\n"
    "    data[get_global_size(0) + i] = seen ? data[other] : -1;\n"
    "}\n";

static void inclusive_scopes(void)
{
    enum { LOCAL = 5, ITEMS = 35 };
    cl_int got[2 * ITEMS], zeros[ITEMS] = {0};
    need_31();
    cl_kernel kernel = new_kernel(scopes, "k", "-cl-std=CL3.1");
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    cl_mem flags = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, flags);
    run_1d(kernel, ITEMS, LOCAL);
    read_back(mem, sizeof got, got);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(got[ITEMS + i], 3 * (i % LOCAL ? i - 1 : i + LOCAL - 1));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_MEM(flags);
}

static void unknown(void)
{
    static const char *const bad[] = {"-cl-std=CL3.2", "-cl-std=CL3.", "-cl-std=CL3.10",
                                      "-cl-std=", "-cl-std=cl 3.1"};
    for (size_t i = 0; i < LEN(bad); i++) {
        cl_program program = new_program("kernel void k(void) {}");
        FAILS(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 1, &cl.device, bad[i], NULL, NULL));
        RELEASE_PROGRAM(program);
    }
}

static const struct test_case cases[] = {
    CASE(numbers), CASE(constants),        CASE(features),
    CASE(core),    CASE(inclusive_scopes), CASE(unknown),
};
TEST_MAIN("lang_version", cases)
