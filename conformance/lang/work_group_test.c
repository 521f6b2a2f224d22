/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of whole work-groups: reductions, scans, broadcasts, votes; odd and non-uniform sizes.
 */
#include "cl_help.h"

#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, OPERATIONS = 3, RESULTS = 9 };

static void need_functions(void)
{
    cl_bool yes = CL_FALSE;
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                             sizeof yes, &yes, NULL));
    if (!yes)
        check_skip("no work-group functions");
}

static double combine(int operation, double a, double b)
{
    switch (operation) {
    case 0:
        return a + b;
    case 1:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static void check_group(const int *in, const double *out, int begin, int end)
{
    for (int op = 0; op < OPERATIONS; op++) {
        double total = in[begin];
        for (int i = begin + 1; i < end; i++)
            total = combine(op, total, in[i]);
        double before = 0;
        for (int i = begin; i < end; i++) {
            const double *mine = out + (size_t)i * RESULTS + op * 3;
            double upto = i == begin ? in[i] : combine(op, before, in[i]);
            CHECK_EQ(mine[0], total);
            CHECK_EQ(mine[1], upto);
            CHECK(i == begin ? op != 0 || mine[2] == 0 : mine[2] == before);
            before = upto;
        }
    }
}

/* Values below `most`, so that the type holds their sums. */
static void run_type(const char *type, size_t local, uint32_t most)
{
    static const char source[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                 "kernel void k(global int *in, global double *out)\n"
                                 "{\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    T x = (T)in[i];\n"
                                 "    out += i * 9;\n"
                                 "    out[0] = work_group_reduce_add(x);\n"
                                 "    out[1] = work_group_scan_inclusive_add(x);\n"
                                 "    out[2] = work_group_scan_exclusive_add(x);\n"
                                 "    out[3] = work_group_reduce_min(x);\n"
                                 "    out[4] = work_group_scan_inclusive_min(x);\n"
                                 "    out[5] = work_group_scan_exclusive_min(x);\n"
                                 "    out[6] = work_group_reduce_max(x);\n"
                                 "    out[7] = work_group_scan_inclusive_max(x);\n"
                                 "    out[8] = work_group_scan_exclusive_max(x);\n"
                                 "}\n";
    static int in[N];
    static double out[N * RESULTS];
    char options[64];
    for (int i = 0; i < N; i++)
        in[i] = (int)random_below(most);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -D T=%s", type);
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    run_1d(kernel, N, local);
    read_back(to, sizeof out, out);
    for (int begin = 0; begin < N; begin += (int)local)
        check_group(in, out, begin, begin + (int)local < N ? begin + (int)local : N);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void reductions_and_scans(void)
{
    static const char *const types[] = {"int", "uint", "long", "ulong", "float", "double"};
    static const size_t sizes[] = {1, 2, 100, 7, 1000, 64};
    need_functions();
    for (size_t i = 0; i < LEN(types); i++) {
        run_type(types[i], 8, 1000);
        run_type(types[i], sizes[i], 1000); /* 7 and 64 leave a smaller last group */
    }
    if (has_extension("cl_khr_fp16")) {
        run_type("half", 8, 250);
        run_type("half", 64, 32);
    }
}

/* Ones beside a number so large that it stays what it is when one is added: added one after the
 * other all are lost. */
static void sums_round_little(void)
{
    static const char source[] = "kernel void k(global float *x)\n"
                                 "{\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    x[i] = work_group_reduce_add(x[i]);\n"
                                 "}\n";
    enum { ITEMS = 250, LARGE = 1 << 24 };
    float x[ITEMS];
    need_functions();
    for (int i = 0; i < ITEMS; i++)
        x[i] = i == 7 ? (float)LARGE : 1;
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    ARG(kernel, 0, buffer);
    run_1d(kernel, ITEMS, ITEMS);
    read_back(buffer, sizeof x, x);
    for (int i = 0; i < ITEMS; i++)
        CHECK(x[i] >= LARGE + (ITEMS - 1) * 7 / 8 && x[i] <= LARGE + ITEMS);
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
}

static void broadcasts_and_votes(void)
{
    static const char source[] =
        "kernel void k(global int *out)\n"
        "{\n"
        "    size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);\n"
        "    int me = (int)(x + 10 * y + 100 * z);\n"
        "    out += 6 * get_global_linear_id();\n"
        "    out[0] = work_group_broadcast(me, 2, 1, 1);\n"
        "    out[1] = (int)work_group_broadcast((float)me, 0, 0, 0);\n"
        "    out[2] = work_group_any(me == 112);\n"
        "    out[3] = work_group_any(me == 999);\n"
        "    out[4] = work_group_all(me < 113);\n"
        "    out[5] = work_group_all(me != 112);\n"
        "}\n";
    enum { ITEMS = 6 * 4 * 2 };
    static const int want[6] = {112, 0, 1, 0, 1, 0};
    int out[ITEMS * 6];
    const size_t global[3] = {6, 4, 2}, local[3] = {3, 2, 2};
    need_functions();
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    cl_mem to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, to);
    run_nd(kernel, 3, NULL, global, local);
    read_back(to, sizeof out, out);
    for (int i = 0; i < ITEMS * 6; i++)
        CHECK_EQ(out[i], want[i % 6]);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

/* One and the same call is passed many times, in a loop and in a function of the user's. */
static void in_loops(void)
{
    static const char source[] = "int step(int x) { return work_group_scan_exclusive_add(x & 3) + "
                                 "work_group_reduce_max(x); }\n"
                                 "kernel void k(global int *out)\n"
                                 "{\n"
                                 "    int x = (int)get_local_id(0);\n"
                                 "    for (int i = 0; i < 5; i++)\n"
                                 "        x = step(x) % 1000;\n"
                                 "    out[get_global_id(0)] = x;\n"
                                 "}\n";
    enum { GROUP = 37, ITEMS = 2 * GROUP };
    int out[ITEMS], want[GROUP];
    need_functions();
    for (int i = 0; i < GROUP; i++)
        want[i] = i;
    for (int round = 0; round < 5; round++) {
        int most = 0, sum = 0;
        for (int i = 0; i < GROUP; i++)
            most = want[i] > most ? want[i] : most;
        for (int i = 0; i < GROUP; i++) {
            int bits = want[i] & 3;
            want[i] = (sum + most) % 1000;
            sum += bits;
        }
    }
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    cl_mem to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, to);
    run_1d(kernel, ITEMS, GROUP);
    read_back(to, sizeof out, out);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(out[i], want[i % GROUP]);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

/* As many items as the device takes, and one less. */
static void largest_groups(void)
{
    static const char source[] =
        "kernel void k(global const int *in, global long *out)\n"
        "{\n"
        "    size_t l = get_local_linear_id();\n"
        "    long x = in[l];\n"
        "    out[4 * l] = work_group_scan_inclusive_add(x);\n"
        "    out[4 * l + 1] = work_group_scan_exclusive_max(x);\n"
        "    out[4 * l + 2] = work_group_reduce_add(x) + work_group_any(x == 999);\n"
        "    out[4 * l + 3] = work_group_broadcast(x, get_local_size(0) - 1);\n"
        "}\n";
    need_functions();
    const size_t most = device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    cl_int *in = malloc(most * sizeof *in);
    cl_long *out = malloc(4 * most * sizeof *out);
    for (size_t i = 0; i < most; i++)
        in[i] = (cl_int)random_below(900);
    for (size_t items = most; items + 2 > most; items--) {
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *in, in);
        cl_mem to = new_buffer(CL_MEM_READ_WRITE, 4 * items * sizeof *out, NULL);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        run_1d(kernel, items, items);
        read_back(to, 4 * items * sizeof *out, out);
        cl_long sum = 0, before = CL_LONG_MIN, total = 0;
        for (size_t i = 0; i < items; i++)
            total += in[i];
        for (size_t i = 0; i < items; i++) {
            sum += in[i];
            REQUIRE(CHECK_EQ(out[4 * i], sum));
            REQUIRE(CHECK_EQ(out[4 * i + 1], before));
            REQUIRE(CHECK_EQ(out[4 * i + 2], total));
            REQUIRE(CHECK_EQ(out[4 * i + 3], in[items - 1]));
            before = in[i] > before ? in[i] : before;
        }
        RELEASE_MEM(from);
        RELEASE_MEM(to);
    }
    free(in);
    free(out);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(reductions_and_scans), CASE(sums_round_little), CASE(broadcasts_and_votes), CASE(in_loops),
    CASE(largest_groups),
};
TEST_MAIN("work_group", cases)
