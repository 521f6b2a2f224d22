/* SPDX-License-Identifier: Apache-2.0 */
/* Small extensions for work-groups: more reductions and scans, copies of lines and planes and their
 * order, barriers in two halves, clocks. */
#include "cl_help.h"
#include "reference.h"

#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(const char *extension)
{
    if (!has_extension(extension))
        check_skip(extension);
}

static void run_two(cl_kernel kernel, const void *in, size_t in_bytes, void *out, size_t out_bytes,
                    size_t global, size_t local)
{
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, in_bytes, (void *)(uintptr_t)in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, out_bytes, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, global, local);
    read_back(b, out_bytes, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static const size_t group_sizes[] = {1, 2, 7, 16, 33, 64, 100};
static const char *const standards[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"};

/* ---- cl_khr_work_group_uniform_arithmetic ---------------------------------------------------- */

enum operation { AND, OR, XOR, MUL, OPERATIONS };
static const char *const operation_names[OPERATIONS] = {"and", "or", "xor", "mul"};
static const cl_ulong neutral[OPERATIONS] = {~(cl_ulong)0, 0, 0, 1};

static cl_ulong combined(enum operation operation, cl_ulong a, cl_ulong b)
{
    switch (operation) {
    case AND:
        return a & b;
    case OR:
        return a | b;
    case XOR:
        return a ^ b;
    default:
        return a * b;
    }
}

static const char fold_source[] =
    "#define JOIN_(a, b) a##b\n"
    "#define JOIN(a, b) JOIN_(a, b)\n"
    "kernel void k(global const ulong *in, global ulong *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    T x = (T)in[i];\n"
    "    out[i * 3] = (ulong)JOIN(work_group_reduce_, OP)(x);\n"
    "    out[i * 3 + 1] = (ulong)JOIN(work_group_scan_inclusive_, OP)(x);\n"
    "    out[i * 3 + 2] = (ulong)JOIN(work_group_scan_exclusive_, OP)(x);\n"
    "}\n";

/* What a conversion of the element to ulong makes of it: `bits` wide, perhaps with a sign. */
static cl_ulong as_result(cl_ulong value, unsigned bits, int is_signed)
{
    if (bits == 64)
        return value;
    return is_signed ? (cl_ulong)(cl_long)(cl_int)(cl_uint)value : (cl_uint)value;
}

static void check_folds(enum operation operation, const cl_ulong *in, const cl_ulong *out,
                        size_t count, unsigned bits, int is_signed)
{
    cl_ulong all = neutral[operation], so_far = neutral[operation];
    for (size_t i = 0; i < count; i++)
        all = combined(operation, all, in[i]);
    for (size_t i = 0; i < count; i++) {
        CHECK_EQ(out[i * 3 + 2], as_result(so_far, bits, is_signed));
        so_far = combined(operation, so_far, in[i]);
        CHECK_EQ(out[i * 3 + 1], as_result(so_far, bits, is_signed));
        CHECK_EQ(out[i * 3], as_result(all, bits, is_signed));
    }
}

static void fold_of(enum operation operation, const char *type, unsigned bits, int is_signed)
{
    enum { MOST = 300 };
    cl_ulong in[MOST], out[MOST * 3];
    for (size_t i = 0; i < MOST; i++)
        in[i] = (i + 3) * 0x9e3779b97f4a7c15u | (operation == MUL ? 1 : 0x10);
    for (size_t o = 0; o < LEN(standards); o++) {
        char options[128];
        snprintf(options, sizeof options, "%s -DT=%s -DOP=%s", standards[o], type,
                 operation_names[operation]);
        cl_kernel kernel = new_kernel(fold_source, "k", options);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g],
                   count = 2 * group + group / 2; /* the last one is short */
            run_two(kernel, in, sizeof in, out, sizeof out, count, group);
            for (size_t first = 0; first < count; first += group)
                check_folds(operation, in + first, out + first * 3,
                            count - first < group ? count - first : group, bits, is_signed);
        }
        RELEASE_KERNEL(kernel);
    }
}

static void whole_numbers(void)
{
    need("cl_khr_work_group_uniform_arithmetic");
    for (enum operation operation = AND; operation < OPERATIONS; operation++) {
        fold_of(operation, "int", 32, 1);
        fold_of(operation, "uint", 32, 0);
        fold_of(operation, "long", 64, 1);
        fold_of(operation, "ulong", 64, 0);
    }
}

/* Powers of two: exact in any order. */
static void real_numbers(void)
{
    static const char *const types[] = {"float", "double", "half"};
    static const char *const needs[] = {NULL, "cl_khr_fp64", "cl_khr_fp16"};
    static const char source[] =
        "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
        "kernel void k(global const float *in, global float *out)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    out[i * 3] = (float)work_group_reduce_mul((T)in[i]);\n"
        "    out[i * 3 + 1] = (float)work_group_scan_inclusive_mul((T)in[i]);\n"
        "    out[i * 3 + 2] = (float)work_group_scan_exclusive_mul((T)in[i]);\n"
        "}\n";
    enum { MOST = 300 };
    cl_float in[MOST], out[MOST * 3];
    need("cl_khr_work_group_uniform_arithmetic");
    for (size_t i = 0; i < MOST; i++)
        in[i] = (i & 1 ? 2.0f : 0.5f) * (i % 5 == 3 ? -1 : 1);
    for (size_t t = 0; t < LEN(types); t++) {
        if (needs[t] && !has_extension(needs[t]))
            continue;
        char options[64];
        snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s", types[t]);
        cl_kernel kernel = new_kernel(source, "k", options);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g];
            run_two(kernel, in, sizeof in, out, sizeof out, 3 * group, group);
            for (size_t first = 0; first < 3 * group; first += group) {
                cl_float all = 1, so_far = 1;
                for (size_t i = first; i < first + group; i++)
                    all *= in[i];
                for (size_t i = first; i < first + group; i++) {
                    CHECK(out[i * 3 + 2] == so_far);
                    so_far *= in[i];
                    CHECK(out[i * 3 + 1] == so_far);
                    CHECK(out[i * 3] == all);
                }
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

static void logical(void)
{
    enum { MOST = 300 };
    static const char *const names[] = {"logical_and", "logical_or", "logical_xor"};
    cl_int in[MOST], out[MOST * 3];
    need("cl_khr_work_group_uniform_arithmetic");
    for (int mostly = 0; mostly < 2; mostly++)
        for (size_t n = 0; n < LEN(names); n++) {
            char options[128], source[1024];
            snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=int -DOP=%s", names[n]);
            snprintf(source, sizeof source, "#define ulong int\n%s", fold_source);
            cl_kernel kernel = new_kernel(source, "k", options);
            for (int i = 0; i < MOST; i++)
                in[i] = mostly == (i % 6 != 4) ? 0x100 * (i + 1) : 0;
            for (size_t g = 0; g < LEN(group_sizes); g++) {
                size_t group = group_sizes[g];
                run_two(kernel, in, sizeof in, out, sizeof out, 2 * group, group);
                for (size_t first = 0; first < 2 * group; first += group) {
                    const enum operation op = (enum operation)n;
                    cl_ulong all = neutral[op] & 1, so_far = neutral[op] & 1;
                    for (size_t i = first; i < first + group; i++)
                        all = combined(op, all, in[i] != 0);
                    for (size_t i = first; i < first + group; i++) {
                        CHECK_EQ(out[i * 3 + 2] != 0, so_far);
                        so_far = combined(op, so_far, in[i] != 0);
                        CHECK_EQ(out[i * 3 + 1] != 0, so_far);
                        CHECK_EQ(out[i * 3] != 0, all);
                    }
                }
            }
            RELEASE_KERNEL(kernel);
        }
}

/* ---- cl_khr_extended_async_copies ------------------------------------------------------------ */

struct shape {
    cl_ulong bytes, elements, lines, planes;
    cl_ulong in_offset, in_line, in_plane, there_offset, there_line, there_plane;
    cl_ulong out_offset, out_line, out_plane;
};

static const char copy_source[] =
    "struct shape { ulong bytes, elements, lines, planes; ulong in_offset, in_line, in_plane,\n"
    "    there_offset, there_line, there_plane; ulong out_offset, out_line, out_plane; };\n"
    "kernel void k(global const uchar *in, global uchar *out, struct shape s, local uchar *there)\n"
    "{\n"
    "    size_t base = get_group_id(0) * 4096;\n"
    "    event_t e = PLANES ? async_work_group_copy_3D3D(there, s.there_offset, in + base,\n"
    "        s.in_offset, s.bytes, s.elements, s.lines, s.planes, s.in_line, s.in_plane,\n"
    "        s.there_line, s.there_plane, 0)\n"
    "        : async_work_group_copy_2D2D(there, s.there_offset, in + base, s.in_offset, s.bytes,\n"
    "        s.elements, s.lines, s.in_line, s.there_line, 0);\n"
    "    wait_group_events(1, &e);\n"
    "    e = PLANES ? async_work_group_copy_3D3D(out + base, s.out_offset, there, s.there_offset,\n"
    "        s.bytes, s.elements, s.lines, s.planes, s.there_line, s.there_plane, s.out_line,\n"
    "        s.out_plane, 0)\n"
    "        : async_work_group_copy_2D2D(out + base, s.out_offset, there, s.there_offset, "
    "s.bytes,\n"
    "        s.elements, s.lines, s.there_line, s.out_line, 0);\n"
    "    wait_group_events(1, &e);\n"
    "}\n";

static void copy_shape(cl_kernel kernel, const struct shape *s, int planes, size_t local)
{
    enum { BYTES = 4096, GROUPS = 3 };
    static cl_uchar in[BYTES * GROUPS], out[BYTES * GROUPS], want[BYTES * GROUPS];
    random_fill(in, sizeof in);
    memset(out, 0xa5, sizeof out);
    memset(want, 0xa5, sizeof want);
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t p = 0; p < (planes ? s->planes : 1); p++)
            for (size_t l = 0; l < s->lines; l++)
                memcpy(want + g * BYTES +
                           (s->out_offset + p * s->out_plane + l * s->out_line) * s->bytes,
                       in + g * BYTES +
                           (s->in_offset + p * s->in_plane + l * s->in_line) * s->bytes,
                       s->elements * s->bytes);
    set_arg(kernel, 2, sizeof *s, s);
    CHECK_OK(clSetKernelArg(kernel, 3, BYTES, NULL));
    run_two(kernel, in, sizeof in, out, sizeof out, local * GROUPS, local);
    CHECK(!memcmp(out, want, sizeof out));
}

static void lines_and_planes(void)
{
    static const struct shape shapes[] = {
        {1, 5, 3, 2, 0, 5, 15, 0, 5, 15, 0, 5, 15},   /* tight */
        {1, 7, 5, 3, 11, 13, 70, 3, 9, 50, 2, 8, 45}, /* each with gaps of its own */
        {3, 5, 4, 2, 1, 6, 30, 2, 7, 29, 0, 5, 25},   /* elements of no type */
        {4, 1, 17, 1, 2, 9, 0, 0, 1, 0, 1, 3, 0},     /* a column becomes a line and a column */
        {8, 6, 5, 4, 3, 8, 45, 0, 6, 30, 5, 7, 40},   /* */
        {16, 3, 2, 3, 0, 4, 9, 1, 3, 6, 0, 5, 11},    /* */
        {12, 4, 3, 2, 1, 5, 16, 0, 4, 12, 2, 4, 13},  /* float3 without gaps */
        {128, 1, 2, 3, 0, 3, 7, 0, 2, 4, 1, 4, 9},    /* */
        {4, 0, 3, 2, 0, 4, 12, 0, 4, 12, 0, 4, 12},   /* nothing, in any way */
        {4, 3, 0, 2, 0, 4, 12, 0, 4, 12, 0, 4, 12},   /* */
    };
    static const size_t locals[] = {1, 5, 32};
    need("cl_khr_extended_async_copies");
    for (int planes = 0; planes < 2; planes++) {
        for (size_t o = 0; o < 2; o++) {
            char options[64];
            snprintf(options, sizeof options, "-DPLANES=%d -cl-std=%s", planes,
                     o ? "CL3.0" : "CL1.2");
            cl_kernel kernel = new_kernel(copy_source, "k", options);
            for (size_t s = 0; s < LEN(shapes); s++)
                for (size_t l = 0; l < LEN(locals); l++)
                    copy_shape(kernel, &shapes[s], planes, locals[l]);
            RELEASE_KERNEL(kernel);
        }
    }
}

/* ---- cl_khr_async_work_group_copy_fence ------------------------------------------------------ */

/* The second copy reads what the first one writes, and the third overwrites what it read. */
static void copies_in_order(void)
{
    enum { N = 37, GROUPS = 4 };
    static const char source[] =
        "kernel void k(global const int *in, global int *out)\n"
        "{\n"
        "    local int s[37];\n"
        "    size_t base = get_group_id(0) * 37;\n"
        "    event_t e = async_work_group_copy(s, in + base, 37, 0);\n"
        "    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n"
        "    e = async_work_group_copy(out + base, s + 1, 36, e);\n"
        "    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    e = async_work_group_copy(s, in + 148 - 37 - base, 37, e);\n"
        "    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n"
        "    e = async_work_group_copy(out + base + 36, s, 1, e);\n"
        "    wait_group_events(1, &e);\n"
        "}\n";
    cl_int in[N * GROUPS], out[N * GROUPS];
    need("cl_khr_async_work_group_copy_fence");
    for (int i = 0; i < N * GROUPS; i++)
        in[i] = i * 31 + 5;
    for (size_t g = 0; g < LEN(group_sizes); g++) {
        cl_kernel kernel = new_kernel(source, "k", NULL);
        memset(out, 0, sizeof out);
        run_two(kernel, in, sizeof in, out, sizeof out, GROUPS * group_sizes[g], group_sizes[g]);
        for (int i = 0; i < N * GROUPS; i++)
            CHECK_EQ(out[i], i % N < N - 1 ? in[i + 1] : in[N * (GROUPS - 1 - i / N)]);
        RELEASE_KERNEL(kernel);
    }
}

/* ---- cl_intel_split_work_group_barrier ------------------------------------------------------- */

static const char split_source[] =
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    local int s[2][100];\n"
    "    int me = get_local_id(0), n = get_local_size(0), sum = 0, own = 0;\n"
    "    size_t i = get_global_id(0);\n"
    "    for (int turn = 0; turn < 5; turn++) {\n"
    "        s[turn & 1][me] = in[i] + turn;\n"
    "        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE SCOPE);\n"
    "        own += turn * in[i];\n" /* between the halves an item does what is its own */
    "        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE SCOPE);\n"
    "        sum += s[turn & 1][(me + turn + 1) % n];\n"
    "    }\n"
    "    out[i] = sum * 3 + own;\n"
    "}\n";

static void halves_of_barriers(void)
{
    enum { MOST = 300 };
    static const char *const options[] = {"-DSCOPE=", "-DSCOPE= -cl-std=CL3.0",
                                          "-DSCOPE=,memory_scope_work_group -cl-std=CL3.0",
                                          "-DSCOPE=,memory_scope_device -cl-std=CL3.0"};
    cl_int in[MOST], out[MOST];
    need("cl_intel_split_work_group_barrier");
    for (int i = 0; i < MOST; i++)
        in[i] = i * 17 + 3;
    for (size_t o = 0; o < LEN(options); o++) {
        cl_kernel kernel = new_kernel(split_source, "k", options[o]);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            int n = (int)group_sizes[g];
            run_two(kernel, in, sizeof in, out, sizeof out, 3 * group_sizes[g], group_sizes[g]);
            for (int i = 0; i < 3 * n; i++) {
                int sum = 0;
                for (int turn = 0; turn < 5; turn++)
                    sum += in[i / n * n + (i % n + turn + 1) % n] + turn;
                CHECK_EQ(out[i], sum * 3 + 10 * in[i]);
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

/* ---- cl_khr_kernel_clock --------------------------------------------------------------------- */

static const char clock_source[] =
    "kernel void k(global const int *in, global ulong *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    ulong before = READ(), sum = 0;\n"
    "    for (int n = 0; n < 200; n++) sum = sum * 3 + in[i] + (ulong)n;\n"
    "    out[i * 4] = before;\n"
    "    out[i * 4 + 1] = READ() + (sum == 12345 ? 1 : 0);\n"
    "    uint2 halves = HILO();\n"
    "    out[i * 4 + 2] = (ulong)halves.hi << 32 | halves.lo;\n"
    "    out[i * 4 + 3] = READ();\n"
    "}\n";

static void clock_of(const char *scope, size_t local)
{
    enum { ITEMS = 96 };
    char options[256];
    cl_int in[ITEMS];
    cl_ulong out[2][4 * ITEMS] = {{0}};
    for (int i = 0; i < ITEMS; i++)
        in[i] = i;
    snprintf(options, sizeof options,
             "-cl-std=CL3.0 -DREAD=clock_read_%s -DHILO=clock_read_hilo_%s", scope, scope);
    cl_kernel kernel = new_kernel(clock_source, "k", options);
    for (int turn = 0; turn < 2; turn++)
        run_two(kernel, in, sizeof in, out[turn], sizeof out[turn], ITEMS, local);
    for (int i = 0; i < ITEMS; i++) {
        const cl_ulong *t = out[0] + 4 * i;
        CHECK(t[0] && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]);
        CHECK(t[0] < t[3]);
        CHECK(t[3] < out[1][4 * i]); /* a later launch, later times */
    }
    RELEASE_KERNEL(kernel);
}

static void clocks(void)
{
    static const char *const scopes[] = {"device", "work_group", "sub_group"};
    cl_device_kernel_clock_capabilities_khr has = 0;
    need("cl_khr_kernel_clock");
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, sizeof has, &has,
                               NULL));
    CHECK(has && !(has & ~(cl_bitfield)7));
    for (int s = 0; s < 3; s++) {
        char source[256];
        snprintf(source, sizeof source,
                 "#if%sdef __opencl_c_kernel_clock_scope_%s\n#error the query says otherwise\n"
                 "#endif\nkernel void k(void) {}",
                 has >> s & 1 ? "n" : "", scopes[s]);
        RELEASE_PROGRAM(built(source, "-cl-std=CL3.0"));
        for (size_t l = 0; has >> s & 1 && l < 3; l++)
            clock_of(scopes[s], l == 0 ? 1 : l == 1 ? 12 : 96);
    }
}

static const struct test_case cases[] = {
    CASE(whole_numbers),   CASE(real_numbers),       CASE(logical), CASE(lines_and_planes),
    CASE(copies_in_order), CASE(halves_of_barriers), CASE(clocks),
};
TEST_MAIN("lang_group_extension", cases)
