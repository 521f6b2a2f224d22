/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers without address space: what they reach, and what they say of where they point. */
#include "cl_help.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char *const standards[] = {"-cl-std=CL2.0", "-cl-std=CL3.0",
                                        "-cl-std=CL3.0 -cl-opt-disable"};

static void need_generic(void)
{
    cl_bool has = CL_FALSE;
    if (device_version() < 200)
        check_skip("no generic address space");
    if (device_version() >= 300)
        CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof has,
                                 &has, NULL));
    if (!has && device_version() >= 300)
        check_skip("no generic address space");
}

static void is_declared(void)
{
    cl_name_version features[64];
    size_t size = 0, found = 0;
    need_generic();
    REQUIRE_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size));
    for (size_t i = 0; i < size / sizeof *features; i++)
        found += !strcmp(features[i].name, "__opencl_c_generic_address_space");
    CHECK_EQ(found, 1);
    RELEASE_PROGRAM(built("#ifndef __opencl_c_generic_address_space\n#error\n#endif\n"
                          "kernel void k(global int *a) { int *p = a; *p = 1; }",
                          "-cl-std=CL3.0"));
}

/* ---- access ---------------------------------------------------------------------------------- */

/* Item i works on its place in one of four memories; all do the same. */
static const char access_source[] =
    "int step(int *p, int by) { int old = *p; *p = old * 3 + by; return old; }\n"
    "void turn(int *from, int *to, int n) { for (int i = 0; i < n; i++) to[n - 1 - i] = from[i]; "
    "}\n"
    "kernel void k(global int *a, local int *l, global int *out)\n"
    "{\n"
    "    size_t i = get_global_id(0), me = get_local_id(0);\n"
    "    local int fixed[64];\n"
    "    int own[5] = {1, 2, 3, 4, 5}, turned[5];\n"
    "    l[me] = a[i]; fixed[me] = a[i]; own[2] = a[i];\n"
    "    int *p = i % 4 == 0 ? (int *)&a[i] : i % 4 == 1 ? (int *)&l[me] :\n"
    "             i % 4 == 2 ? (int *)&fixed[me] : &own[2];\n"
    "    int before = step(p, (int)i);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    turn(own, turned, 5);\n"
    "    out[i * 4] = before;\n"
    "    out[i * 4 + 1] = *p;\n"
    "    out[i * 4 + 2] = turned[2] - *p;\n"
    "    out[i * 4 + 3] = turned[4] * 10 + turned[1];\n"
    "}\n";

static void access_with(const char *options, size_t items, size_t group)
{
    cl_int a[150], out[600];
    for (size_t i = 0; i < items; i++)
        a[i] = (cl_int)(i * 7 + 3);
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *a, a);
    cl_mem result = new_buffer(0, items * 4 * sizeof *out, NULL);
    cl_kernel kernel = new_kernel(access_source, "k", options);
    ARG(kernel, 0, in);
    set_arg(kernel, 1, group * sizeof(cl_int), NULL);
    ARG(kernel, 2, result);
    run_1d(kernel, items, group);
    read_back(result, items * 4 * sizeof *out, out);
    for (size_t i = 0; i < items; i++) {
        CHECK_EQ(out[i * 4], a[i]);
        CHECK_EQ(out[i * 4 + 1], a[i] * 3 + (cl_int)i);
        CHECK_EQ(out[i * 4 + 2], i % 4 == 3 ? 0 : a[i] - (a[i] * 3 + (cl_int)i));
        CHECK_EQ(out[i * 4 + 3], 14);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(in);
    RELEASE_MEM(result);
}

static void access(void)
{
    need_generic();
    for (size_t s = 0; s < LEN(standards); s++) {
        access_with(standards[s], 1, 1);
        access_with(standards[s], 147, 49);
        access_with(standards[s], 128, 64);
    }
}

static void atomics(void)
{
    static const char source[] =
        "int count(volatile atomic_int *p, int by)\n"
        "{ return atomic_fetch_add_explicit(p, by, memory_order_relaxed, memory_scope_device); }\n"
        "bool swap(volatile atomic_int *p, int *want, int value)\n"
        "{ return atomic_compare_exchange_strong(p, want, value); }\n"
        "kernel void k(global atomic_int *a, global int *out)\n"
        "{\n"
        "    local atomic_int l;\n"
        "    local int seen;\n"
        "    size_t i = get_global_id(0), me = get_local_id(0);\n"
        "    int wrong = -1;\n"
        "    atomic_int own;\n"
        "    int mine = 1000 + (int)i;\n"
        "    atomic_init(&own, (int)i);\n"
        "    if (!me) { atomic_init(&l, 0); seen = -1; }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    count(i & 1 ? (atomic_int *)&l : (atomic_int *)a, 2);\n"
        "    for (int n = 1; n < 4; n++) count(i % 3 ? &own : (atomic_int *)&mine, n);\n"
        "    if (atomic_load(&own) != (int)i + (i % 3 ? 6 : 0) || mine != 1000 + (int)i + (i % 3 ? "
        "0 : 6))\n"
        "        count(a, 1000000);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (!me) {\n"
        "        int sum = atomic_load(&l);\n"
        "        out[get_group_id(0) * 4] = sum;\n"
        "        out[get_group_id(0) * 4 + 1] = swap(&l, &wrong, 1) || wrong != sum;\n"
        "        out[get_group_id(0) * 4 + 2] = swap(&l, (int *)&seen, 1) || seen != sum;\n"
        "        out[get_group_id(0) * 4 + 3] = swap(&l, &wrong, 77) && atomic_load(&l) == 77;\n"
        "    }\n"
        "}\n";
    cl_int zero = 0, total, out[12];
    need_generic();
    for (size_t s = 0; s < LEN(standards); s++) {
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
        cl_mem result = new_buffer(0, sizeof out, NULL);
        cl_kernel kernel = new_kernel(source, "k", standards[s]);
        ARG(kernel, 0, a);
        ARG(kernel, 1, result);
        run_1d(kernel, 99, 33);
        read_back(a, sizeof total, &total);
        read_back(result, sizeof out, out);
        CHECK_EQ(total, 100); /* 50 even ids of 99 */
        for (int g = 0; g < 3; g++) {
            CHECK_EQ(out[g * 4], g == 1 ? 34 : 32);
            CHECK_EQ(out[g * 4 + 1], 0);
            CHECK_EQ(out[g * 4 + 2], 0);
            CHECK_EQ(out[g * 4 + 3], 1);
        }
        RELEASE_KERNEL(kernel);
        RELEASE_MEM(a);
        RELEASE_MEM(result);
    }
}

/* ---- where it points ------------------------------------------------------------------------- */

enum memory {
    GLOBAL,
    LOCAL_ARGUMENT,
    LOCAL_VARIABLE,
    PRIVATE,
    PRIVATE_KEPT,
    PRIVATE_LARGE,
    ARGUMENT,
    NOTHING,
    MEMORIES
};

static const char place_source[] =
    "typedef struct { int value[4]; } record;\n"
    "int where(int *p)\n"
    "{\n"
    "    global int *g = to_global(p);\n"
    "    local int *l = to_local(p);\n"
    "    private int *v = to_private(p);\n"
    "    int right = (!g || g == p) && (!l || l == p) && (!v || v == p);\n"
    "    return right * 1000 + (g != 0) * 100 + (l != 0) * 10 + (v != 0);\n"
    "}\n"
    "kernel void k(global int *a, local int *l, record r, global int *out, int turn)\n"
    "{\n"
    "    size_t i = get_global_id(0), me = get_local_id(0);\n"
    "    local int fixed[2];\n"
    "    int own = 1, large[3000], kept[3];\n"
    "    int *p;\n"
    "    large[i] = (int)i; kept[i % 3] = (int)i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    switch ((i + turn) % 8) {\n"
    "    case 0: p = a + i; break;\n"
    "    case 1: p = l + me; break;\n"
    "    case 2: p = fixed + (me & 1); break;\n"
    "    case 3: p = &own; break;\n"
    "    case 4: p = kept + i % 3; break;\n"
    "    case 5: p = large + i; break;\n"
    "    case 6: p = &r.value[i % 4]; break;\n"
    "    default: p = 0; break;\n"
    "    }\n"
    "    out[i * 2] = where(p);\n"
    "    out[i * 2 + 1] = (int)get_fence(p) + (int)get_fence((const int *)p) * 10;\n"
    "}\n";

static void check_place(enum memory memory, const cl_int *out)
{
    bool local = memory == LOCAL_ARGUMENT || memory == LOCAL_VARIABLE;
    bool global = memory == GLOBAL;
    if (memory == NOTHING) {
        CHECK_EQ(out[0], 1000);
        return;
    }
    CHECK_EQ(out[0], global ? 1100 : local ? 1010 : 1001);
    if (local || global)
        CHECK_EQ(out[1], local ? 11 : 22); /* CLK_LOCAL_MEM_FENCE is 1, CLK_GLOBAL_MEM_FENCE 2 */
}

static void places_with(const char *options, size_t items, size_t group)
{
    cl_int a[96] = {0}, out[192], record[4] = {1, 2, 3, 4};
    /* memory of this thread's stack, which may run the kernel itself */
    cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, sizeof a, a);
    cl_mem result = new_buffer(0, sizeof out, NULL);
    cl_kernel kernel = new_kernel(place_source, "k", options);
    ARG(kernel, 0, mem);
    set_arg(kernel, 1, group * sizeof(cl_int), NULL);
    ARG(kernel, 2, record);
    ARG(kernel, 3, result);
    for (cl_int turn = 0; turn < MEMORIES; turn++) {
        ARG(kernel, 4, turn);
        run_1d(kernel, items, group);
        read_back(result, items * 2 * sizeof *out, out);
        for (size_t i = 0; i < items; i++)
            check_place((enum memory)((i + (size_t)turn) % MEMORIES), out + 2 * i);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_MEM(result);
}

static void places(void)
{
    need_generic();
    for (size_t s = 0; s < LEN(standards); s++) {
        places_with(standards[s], 1, 1);
        places_with(standards[s], 91, 13);
        places_with(standards[s], 64, 64);
    }
}

/* ---- builtins -------------------------------------------------------------------------------- */

static const char builtin_source[] =
    "void all(float x, float y, float *f, int *i, global float *out)\n"
    "{\n"
    "    out[0] = fract(x, f);      out[1] = *f;\n"
    "    out[2] = frexp(x, i);      out[3] = *i;\n"
    "    out[4] = modf(x, f);       out[5] = *f;\n"
    "    out[6] = remquo(x, y, i);  out[7] = *i & 7;\n"
    "    out[8] = sincos(x, f) - sin(x); out[9] = *f - cos(x);\n"
    "    out[10] = lgamma_r(x, i) - lgamma(x); out[11] = *i;\n"
    "    vstore2((float2)(x, y), 0, f); out[12] = vload2(0, f).y; out[13] = f[0];\n"
    "    vstore_half_rte(x, 0, (half *)f); out[14] = vload_half(0, (const half *)f);\n"
    "}\n"
    "kernel void k(global const float *x, global float *g, local float *l, global float *out)\n"
    "{\n"
    "    size_t n = get_global_id(0);\n"
    "    float own[2]; int whole[2];\n"
    "    all(x[2 * n], x[2 * n + 1], own, whole, out + n * 45);\n"
    "    all(x[2 * n], x[2 * n + 1], l + 4 * get_local_id(0),\n"
    "        (local int *)l + 4 * get_local_id(0) + 2, out + n * 45 + 15);\n"
    "    all(x[2 * n], x[2 * n + 1], g + 4 * n, (global int *)g + 4 * n + 2, out + n * 45 + 30);\n"
    "}\n";

enum { VALUES = 21, RESULTS = 15 };

static void check_builtins(float x, float y, const float *out)
{
    int exponent, quotient;
    float whole, fraction = modff(x, &whole);
    CHECK(out[0] == fminf(x - floorf(x), 0x1.fffffep-1f));
    CHECK(out[1] == floorf(x));
    CHECK(out[2] == frexpf(x, &exponent));
    CHECK_EQ(out[3], exponent);
    CHECK(out[4] == fraction);
    CHECK(out[5] == whole);
    CHECK(out[6] == remquof(x, y, &quotient));
    CHECK_EQ(out[7], quotient & 7);
    CHECK(fabsf(out[8]) < 1e-6f && fabsf(out[9]) < 1e-6f);
    CHECK(fabsf(out[10]) <= 1e-4f * (1 + fabsf(lgammaf(x))));
    CHECK_EQ(out[11], x > 0 || (int)floorf(x) % 2 == 0 ? 1 : -1);
    CHECK(out[12] == y && out[13] == x);
    CHECK(fabsf(out[14] - x) <= fabsf(x) * 0x1p-11f);
}

static void builtins(void)
{
    cl_float x[2 * VALUES], out[VALUES * 3 * RESULTS];
    need_generic();
    for (int i = 0; i < VALUES; i++) {
        x[2 * i] = (cl_float)(i - 10) * 1.37f + 0.13f;
        x[2 * i + 1] = (cl_float)(i % 5) + 0.75f;
    }
    for (size_t s = 0; s < LEN(standards); s++) {
        cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
        cl_mem g = new_buffer(0, VALUES * 16, NULL), result = new_buffer(0, sizeof out, NULL);
        cl_kernel kernel = new_kernel(builtin_source, "k", standards[s]);
        ARG(kernel, 0, in);
        ARG(kernel, 1, g);
        set_arg(kernel, 2, 7 * 16, NULL);
        ARG(kernel, 3, result);
        run_1d(kernel, VALUES, 7);
        read_back(result, sizeof out, out);
        for (int i = 0; i < VALUES * 3; i++)
            check_builtins(x[i / 3 * 2], x[i / 3 * 2 + 1], out + i * RESULTS);
        RELEASE_KERNEL(kernel);
        RELEASE_MEM(in);
        RELEASE_MEM(g);
        RELEASE_MEM(result);
    }
}

static const struct test_case cases[] = {
    CASE(is_declared), CASE(access), CASE(atomics), CASE(places), CASE(builtins),
};
TEST_MAIN("generic", cases)
