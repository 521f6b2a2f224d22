/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs do with halves besides computing: macros and literals, arguments by value, structs
 * and private arrays, vectors in memory, shuffles and selections, asynchronous copies, sums in
 * loops, images.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1003 };

#define ENABLE "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"

static void need_half(void)
{
    if (!has_extension("cl_khr_fp16"))
        check_skip("no cl_khr_fp16");
}

/* With the extension enabled: kernel k(in, out) over `items`; `out` keeps what is not written. */
static void run(const char *source, const void *in, size_t in_size, void *out, size_t out_size,
                size_t items)
{
    char *text = malloc(strlen(source) + sizeof ENABLE);
    REQUIRE(text);
    strcpy(text, ENABLE);
    strcat(text, source);
    cl_kernel kernel = new_kernel(text, "k", "-cl-std=CL3.0");
    free(text);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, in_size, (void *)(size_t)in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, out_size, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, items, 0);
    read_back(b, out_size, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

static void fill(uint16_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = half_from_double((double)(int64_t)random_bits() * 0x1p-60);
}

static void macros_and_literals(void)
{
    need_half();
    static const double want[] = {1.5, 0.1, 65504, 0x1p-14,  0x1p-10, 3.14159265, 1,
                                  11,  16,  -13,   INFINITY, 2,       7};
    uint16_t in[1] = {0}, out[LEN(want)];
    run("#ifndef cl_khr_fp16\n#error no macro\n#endif\n"
        "constant half seven = 7.0h;\n"
        "kernel void k(global const half *in, global half *out)\n{\n"
        "    out[0] = 1.5h; out[1] = 0.1H; out[2] = HALF_MAX; out[3] = HALF_MIN;\n"
        "    out[4] = HALF_EPSILON; out[5] = M_PI_H; out[6] = cl_khr_fp16; out[7] = "
        "HALF_MANT_DIG;\n"
        "    out[8] = HALF_MAX_EXP; out[9] = HALF_MIN_EXP; out[10] = (half)1e6f;\n"
        "    out[11] = as_half((ushort)0x4000); out[12] = seven;\n}\n",
        in, sizeof in, out, sizeof out, 1);
    for (size_t i = 0; i < LEN(want); i++)
        CHECK_EQ(out[i], half_from_double(want[i]));
}

static void arguments_by_value(void)
{
    need_half();
    static const char source[] =
        ENABLE "typedef struct { char c; half h; half3 v; } S;\n"
               "kernel void k(half x, half4 v, char c, half3 w, S s, global half *out)\n{\n"
               "    out[0] = x; vstore4(v, 0, out + 1); vstore3(w, 0, out + 5); out[8] = c;\n"
               "    out[9] = s.h; vstore3(s.v, 0, out + 10); out[13] = sizeof(S);\n}\n";
    struct {
        cl_char c, pad;
        uint16_t h, pad2[2];
        _Alignas(8) uint16_t v[4];
    } s = {.c = 1, .h = 0x3c00, .v = {0x4000, 0x4200, 0x4400}};
    uint16_t x = 0x5640, v[4] = {1, 2, 3, 4}, w[4] = {5, 6, 7}, out[14] = {0};
    cl_char c = 2;
    cl_kernel kernel = new_kernel(source, "k", "-cl-kernel-arg-info");
    cl_mem mem = new_buffer(0, sizeof out, NULL);
    char type[32] = "";
    ARG(kernel, 0, x);
    ARG(kernel, 1, v);
    ARG(kernel, 2, c);
    ARG(kernel, 3, w);
    ARG(kernel, 4, s);
    ARG(kernel, 5, mem);
    CHECK(clSetKernelArg(kernel, 0, 4, &c) == CL_INVALID_ARG_SIZE);
    CHECK_OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    CHECK(!strcmp(type, "half4"));
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof out, out);
    CHECK_EQ(out[0], x);
    CHECK(!memcmp(out + 1, v, 8) && !memcmp(out + 5, w, 6));
    CHECK_EQ(out[8], 0x4000);
    CHECK_EQ(out[9], s.h);
    CHECK(!memcmp(out + 10, s.v, 6));
    CHECK_EQ(out[13], half_from_double(sizeof s));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* Vectors at any half's address, in each address space, against the same bits as ushort. */
static void loads_and_stores(void)
{
    static const unsigned sizes[] = {2, 3, 4, 8, 16};
    need_half();
    for (size_t k = 0; k < LEN(sizes); k++) {
        unsigned n = sizes[k];
        char source[1536];
        uint16_t in[64], out[80], want[80];
        random_fill(in, sizeof in);
        memset(out, 0xcc, sizeof out);
        memset(want, 0xcc, sizeof want);
        memcpy(want + 1, in + 1 + n, n * sizeof *in);
        memcpy(want + 1 + n, in + 1 + 2 * n, n * sizeof *in);
        for (unsigned i = 0; i < n; i++)
            want[1 + 2 * n + i] = half_from_double(i);
        snprintf(source, sizeof source,
                 "constant half table[] = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15};\n"
                 "kernel void k(global const half *in, global half *out)\n{\n"
                 "    half mine[40]; local half shared[40];\n"
                 "    vstore%u(vload%u(1, in + 1), 1, mine + 3);\n"
                 "    vstore%u(vload%u(2, in + 1), 1, shared + 1);\n"
                 "    half *any = shared; if (in[0] == in[0]) any = mine + 3;\n"
                 "    vstore%u(vload%u(1, any), 0, out + 1);\n"
                 "    vstore%u(vload%u(1, shared + 1), 1, out + 1);\n"
                 "    vstore%u(vload%u(0, table), 2, out + 1);\n}\n",
                 n, n, n, n, n, n, n, n, n, n);
        in[0] = 0;
        run(source, in, sizeof in, out, sizeof out, 1);
        if (memcmp(out, want, sizeof out))
            check_fail(__FILE__, __LINE__, "vload and vstore of half%u", n);
    }
}

static void shuffles(void)
{
    need_half();
    uint16_t in[32], out[40];
    random_fill(in, sizeof in);
    run("kernel void k(global const half *in, global half *out)\n{\n"
        "    half16 a = vload16(0, in), b = vload16(1, in);\n"
        "    vstore4(shuffle(a, (ushort4)(15, 0, 7, 18)), 0, out);\n"
        "    vstore8(shuffle2(a.s01, b.s01, (ushort8)(0, 1, 2, 3, 3, 2, 1, 0)), 0, out + 4);\n"
        "    vstore16(shuffle2(a, b, (ushort16)(31, 0, 30, 1, 29, 2, 28, 3, 27, 4, 26, 5, 25, 6, "
        "24, "
        "7)), 0, out + 12);\n"
        "    half4 s = (half4)(1, 2, 3, 4), t = a.s4567;\n"
        "    vstore4(select(s, t, (short4)(-1, 0, -1, 1)), 0, out + 28);\n"
        "    vstore4(select(s, t, (ushort4)(0x8000, 0x7fff, 0, 0xffff)), 0, out + 32);\n"
        "    out[36] = select(s.x, t.x, (short)1); out[37] = select(s.x, t.x, (ushort)0);\n"
        "    half4 w = s.wzyx; w.yz = t.zw; vstore2(w.odd, 0, out + 38);\n}\n",
        in, sizeof in, out, sizeof out, 1);
    const uint16_t *a = in, *b = in + 16;
    const uint16_t want[40] = {
        a[15], a[0],   a[7],  a[2],   a[0],   a[1], b[0],  b[1],   b[1],  b[0],
        a[1],  a[0],   b[15], a[0],   b[14],  a[1], b[13], a[2],   b[12], a[3],
        b[11], a[4],   b[10], a[5],   b[9],   a[6], b[8],  a[7],   a[4],  0x4000,
        a[6],  0x4400, a[4],  0x4000, 0x4200, a[7], a[4],  0x3c00, a[6],  0x3c00,
    };
    for (size_t i = 0; i < LEN(want); i++)
        CHECK_EQ(out[i], want[i]);
}

static void asynchronous_copies(void)
{
    need_half();
    static uint16_t in[4 * 37], out[4 * 37];
    random_fill(in, sizeof in);
    run("kernel void k(global const half4 *in, global half4 *out)\n{\n"
        "    local half4 all[37]; local half few[19];\n"
        "    prefetch(in, 37);\n"
        "    event_t e = async_work_group_copy(all, in, 37, 0);\n"
        "    wait_group_events(1, &e);\n"
        "    e = async_work_group_copy(out, all, 37, 0);\n"
        "    wait_group_events(1, &e);\n"
        "    e = async_work_group_strided_copy(few, (global const half *)in, 19, 3, 0);\n"
        "    wait_group_events(1, &e);\n"
        "    e = async_work_group_strided_copy((global half *)out, few, 19, 2, 0);\n"
        "    wait_group_events(1, &e);\n}\n",
        in, sizeof in, out, sizeof out, 1);
    for (int i = 0; i < 4 * 37; i++)
        CHECK_EQ(out[i], i % 2 == 0 && i < 38 ? in[i / 2 * 3] : in[i]);
}

/* Loops, branches, private arrays and a vectorised row of odd length; each step rounds. */
static void sums(void)
{
    need_half();
    static uint16_t in[N + 16], out[N];
    fill(in, LEN(in));
    run("#pragma OPENCL FP_CONTRACT OFF\n"
        "kernel void k(global const half *in, global half *out)\n{\n"
        "    size_t i = get_global_id(0);\n"
        "    half sum = 0, kept[4];\n"
        "    for (int j = 0; j < 4; j++) kept[j] = in[i + j];\n"
        "    for (int j = 0; j < 16; j++) {\n"
        "        half x = in[i + j];\n"
        "        if (x > 0.0h) sum += x * kept[j & 3]; else sum -= x;\n"
        "        if (sum > 100.0h) sum = sum / 3;\n"
        "    }\n"
        "    out[i] = sum;\n}\n",
        in, sizeof in, out, sizeof out, N);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < 16; j++) {
            double x = double_from_half(in[i + j]), y = double_from_half(in[i + (j & 3)]);
            double term = double_from_half(half_from_double(x * y));
            sum = double_from_half(half_from_double(x > 0 ? sum + term : sum - x));
            if (sum > 100)
                sum = double_from_half(half_from_double(sum / 3));
        }
        if (out[i] != half_from_double(sum)) {
            check_fail(__FILE__, __LINE__, "item %d: expected %04x, got %04x", i,
                       half_from_double(sum), out[i]);
            return;
        }
    }
}

static void geometry(void)
{
    need_half();
    static uint16_t in[4 * N], out[12 * N];
    fill(in, LEN(in));
    run("kernel void k(global const half *in, global half *out)\n{\n"
        "    size_t i = get_global_id(0), other = get_global_size(0) - 1 - i;\n"
        "    half4 a = vload4(i, in), b = vload4(other, in);\n"
        "    out += 12 * i;\n"
        "    out[0] = dot(a, b); out[1] = length(a.xyz); out[2] = distance(a.xy, b.xy);\n"
        "    vstore3(cross(a.xyz, b.xyz), 0, out + 3); vstore2(normalize(a.xy), 0, out + 6);\n"
        "    vstore2(mix(a.xy, b.xy, 0.25h), 0, out + 8); out[10] = degrees(a.x);\n"
        "    out[11] = smoothstep(-2.0h, 3.0h, a.x);\n}\n",
        in, sizeof in, out, sizeof out, N);
    for (int i = 0; i < N; i++) {
        double a[4], b[4], want[12];
        for (int j = 0; j < 4; j++) {
            a[j] = double_from_half(in[4 * i + j]);
            b[j] = double_from_half(in[4 * (N - 1 - i) + j]);
        }
        want[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        want[1] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        want[2] = hypot(a[0] - b[0], a[1] - b[1]);
        for (int j = 0; j < 3; j++)
            want[3 + j] = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3];
        for (int j = 0; j < 2; j++) {
            want[6 + j] = a[j] / hypot(a[0], a[1]);
            want[8 + j] = a[j] + (b[j] - a[j]) * 0.25;
        }
        want[10] = a[0] * 57.29577951308232;
        double t = fmin(fmax((a[0] + 2) / 5, 0), 1);
        want[11] = t * t * (3 - 2 * t);
        for (int j = 0; j < 12; j++) {
            /* near nothing: what the sum's parts lose */
            double error = fabs(double_from_half(out[12 * i + j]) - want[j]);
            if (error > 0x1p-11 * fabs(want[j]) * 1.01 + 0x1p-14)
                check_fail(__FILE__, __LINE__, "result %d: expected %g, got %04x", j, want[j],
                           out[12 * i + j]);
        }
    }
}

static void images(void)
{
    need_half();
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    static const char source[] = ENABLE
        "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
        "CLK_FILTER_LINEAR;\n"
        "kernel void k(read_only image2d_t in, write_only image2d_t out, global half4 *read)\n{\n"
        "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "    half4 c = read_imageh(in, at);\n"
        "    read[at.y * 5 + at.x] = c;\n"
        "    write_imageh(out, at, c * 2.0h);\n"
        "    if (at.x == 1 && at.y == 1) read[15] = read_imageh(in, s, (float2)(1.0f, 1.5f));\n"
        "    if (at.x == 1 && at.y == 1) read[16] = read_imageh(in, s, (int2)(-1, 0));\n}\n";
    const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT}, floats = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 5, .image_height = 3};
    uint16_t texels[15][4], read[17][4];
    float written[15][4];
    cl_int rc;
    fill(texels[0], 60);
    cl_mem in =
        clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, (void *)texels, &rc);
    REQUIRE_OK(rc);
    cl_mem out = clCreateImage(cl.context, CL_MEM_WRITE_ONLY, &floats, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem values = new_buffer(0, sizeof read, NULL);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL1.2");
    ARG(kernel, 0, in);
    ARG(kernel, 1, out);
    ARG(kernel, 2, values);
    const size_t global[] = {5, 3}, origin[3] = {0}, region[] = {5, 3, 1};
    run_nd(kernel, 2, NULL, global, NULL);
    read_back(values, sizeof read, read);
    CHECK_OK(
        clEnqueueReadImage(cl.queue, out, CL_TRUE, origin, region, 0, 0, written, 0, NULL, NULL));
    CHECK(!memcmp(read, texels, sizeof texels));
    for (int i = 0; i < 60; i++)
        CHECK((double)written[i / 4][i % 4] == 2 * double_from_half(texels[i / 4][i % 4]));
    for (int j = 0; j < 4; j++) {
        double a = double_from_half(texels[5][j]), b = double_from_half(texels[6][j]);
        CHECK(fabs(double_from_half(read[15][j]) - (a + b) / 2) <= 0x1p-9);
        CHECK_EQ(read[16][j], 0);
    }
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    RELEASE_MEM(values);
    RELEASE_KERNEL(kernel);
}

/* Without the extension's types a program may still keep halves in memory; with it, C 1.2 has them.
 */
static void every_standard(void)
{
    static const char *const standards[] = {"-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL2.0",
                                            "-cl-std=CL3.0", ""};
    need_half();
    for (size_t i = 0; i < LEN(standards); i++) {
        cl_program program = built(ENABLE "kernel void k(global half2 *x, half y)\n"
                                          "{ *x = sin(*x) * y + fma(*x, *x, (half2)y); }\n",
                                   standards[i]);
        RELEASE_PROGRAM(program);
    }
}

static const struct test_case cases[] = {
    CASE(macros_and_literals),
    CASE(arguments_by_value),
    CASE(loads_and_stores),
    CASE(shuffles),
    CASE(asynchronous_copies),
    CASE(sums),
    CASE(geometry),
    CASE(images),
    CASE(every_standard),
};
TEST_MAIN("half_use", cases)
