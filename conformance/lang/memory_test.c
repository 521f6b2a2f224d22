/* SPDX-License-Identifier: Apache-2.0 */
/* Vector loads and stores, half, three-component vectors, shuffles, selects, structs, constants,
 * private arrays. */
#include <stdio.h>

#include "elementwise.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void run_words(const char *source, const char *options, const void *in, size_t in_size,
                      void *out, size_t out_size, size_t global, size_t local)
{
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem a = new_buffer(in ? CL_MEM_COPY_HOST_PTR : 0, in_size, (void *)(size_t)in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, out_size, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, global, local);
    read_back(b, out_size, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

/* vloadN at any element, not only at multiples of the vector's size; vstoreN touches N elements. */
static void vector_load_store(void)
{
    for (size_t t = 0; t < LEN(integers); t++) {
        for (size_t w = 1; w < LEN(widths); w++) {
            const struct element *e = &integers[t];
            unsigned n = widths[w], bytes = e->bits / 8;
            char source[1024];
            unsigned char in[512], out[1024], want[1024];
            snprintf(source, sizeof source,
                     "kernel void k(global %s *in, global %s *out)\n{\n"
                     "    %s%u p = vload%u(2, in + 1);\n    private %s tmp[40];\n"
                     "    vstore%u(p, 1, tmp + 3);\n"
                     "    vstore%u(vload%u(1, tmp + 3), 1, out + 1);\n}\n",
                     e->name, e->name, e->name, n, n, e->name, n, n, n);
            random_fill(in, sizeof in);
            memset(out, 0xcc, sizeof out);
            memset(want, 0xcc, sizeof want);
            memcpy(want + (1 + n) * bytes, in + (1 + 2 * n) * bytes, n * bytes);
            run_words(source, NULL, in, sizeof in, out, sizeof out, 1, 0);
            if (memcmp(out, want, sizeof out))
                check_fail(__FILE__, __LINE__, "vload/vstore of %s%u", e->name, n);
        }
    }
}

/* What the standard leaves open, but processors do not: numbers at odd addresses, of neighbours and
 * from where data say. */
static void odd_addresses(void)
{
    static const char *const types[] = {"ushort", "uint", "ulong"};
    static const char *const places[] = {"x",         "N - 1 - x",
                                         "x / 2",     "2 * x % N",
                                         "x * 7 % N", "(*(global const uchar *)(a + x)) % N"};
    enum { N = 100 };
    unsigned char in[N * 8 + 4];
    random_fill(in, sizeof in);
    for (size_t t = 0; t < LEN(types); t++)
        for (size_t p = 0; p < LEN(places); p++)
            for (unsigned off = 0; off < 4; off++) {
                char source[512];
                unsigned bytes = 2u << t;
                uint64_t got[N], want;
                memset(got, 0, sizeof got);
                snprintf(source, sizeof source,
                         "#define N %d\nkernel void k(global const uchar *in, global ulong *out)\n"
                         "{ uint x = get_global_id(0); global const %s *a = (global const %s *)\n"
                         "(in + %u); out[x] = a[%s]; }\n",
                         N, types[t], types[t], off, places[p]);
                run_words(source, NULL, in, sizeof in, got, sizeof got, N, 0);
                for (unsigned x = 0; x < N; x++) {
                    unsigned at[] = {x,         N - 1 - x, x / 2,
                                     2 * x % N, x * 7 % N, in[off + x * bytes] % N};
                    want = 0;
                    memcpy(&want, in + off + at[p] * bytes, bytes);
                    if (got[x] != want)
                        check_fail(__FILE__, __LINE__, "%s at %s, %u bytes on, [%u]", types[t],
                                   places[p], off, x);
                }
            }
}

static void half_loads(void)
{
    static uint16_t in[65536];
    static float out[65536], out4[65536];
    for (uint32_t i = 0; i < 65536; i++)
        in[i] = (uint16_t)i;
    run_words("kernel void k(global half *in, global float *out)\n"
              "{ size_t i = get_global_id(0); out[i] = vload_half(i, in); }\n",
              NULL, in, sizeof in, out, sizeof out, 65536, 0);
    run_words("kernel void k(global half *in, global float *out)\n"
              "{ size_t i = get_global_id(0); vstore4(vload_half4(i, in), i, out); }\n",
              NULL, in, sizeof in, out4, sizeof out4, 16384, 0);
    for (uint32_t i = 0; i < 65536; i++) {
        double want = double_from_half((uint16_t)i);
        if (ulps_float(out[i], want) != 0 || ulps_float(out4[i], want) != 0) {
            check_fail(__FILE__, __LINE__, "half 0x%04x: expected %a, got %a and %a", i, want,
                       out[i], out4[i]);
            break;
        }
    }
}

static void half_stores(void)
{
    enum { N = 4096 };
    static float in[N];
    static uint16_t out[N * 4];
    for (int i = 0; i < N; i++)
        in[i] = (float)((double)(int64_t)random_bits() * 0x1p-63 * (1 << random_below(18)) /
                        (1 << random_below(28)));
    in[0] = 65504, in[1] = 65519.99f, in[2] = 65520, in[3] = 0x1p-24f, in[4] = 0x1p-25f,
    in[5] = 0x1.8p-25f, in[6] = -0.0f, in[7] = 0x1.ffep-15f, in[8] = 1 + 0x1p-11f,
    in[9] = 1 + 0x3p-11f;
    run_words("kernel void k(global float *in, global half *out)\n"
              "{\n"
              "    size_t i = get_global_id(0), n = get_global_size(0);\n"
              "    vstore_half(in[i], i, out);\n"
              "    vstore_half_rte(in[i], i, out + n);\n"
              "    vstore_half_rtz(in[i], i, out + 2 * n);\n"
              "    if (i % 8 == 0) vstore_half8(vload8(i / 8, in), i / 8, out + 3 * n);\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, N, 0);
    for (int i = 0; i < N; i++) {
        uint16_t want = half_from_double(in[i]), toward_zero = out[2 * N + i];
        CHECK_EQ(out[i], want);
        CHECK_EQ(out[N + i], want);
        CHECK_EQ(out[3 * N + i], want);
        double back = double_from_half(toward_zero), size = fabs((double)in[i]);
        CHECK(fabs(back) <= size &&
              (size >= 65504 || size - fabs(back) < size * 0x1p-10 + 0x1p-24));
    }
}

/* Rounding up and down against every neighbour: none lies nearer on the right side. */
static void half_stores_up_and_down(void)
{
    enum { N = 4096 };
    static float in[N];
    static uint16_t out[N * 6];
    for (int i = 0; i < N; i++)
        in[i] = (float)((double)(int64_t)random_bits() * 0x1p-63 *
                        ldexp(1, 17 - (int)random_below(60)));
    in[0] = 0, in[1] = -0.0f, in[2] = 0x1.08p-95f, in[3] = -0x1.08p-95f, in[4] = 65504,
    in[5] = -65504, in[6] = 65505, in[7] = -65505, in[8] = INFINITY, in[9] = -INFINITY,
    in[10] = 0x1p-24f, in[11] = 0x1.8p-24f, in[12] = 1, in[13] = -1, in[14] = 0x1p-149f;
    run_words("kernel void k(global float *in, global half *out)\n"
              "{\n"
              "    size_t i = get_global_id(0), n = get_global_size(0);\n"
              "    vstore_half_rtp(in[i], i, out);\n"
              "    vstore_half_rtn(in[i], i, out + n);\n"
              "    vstore_half_rtp((double)in[i], i, out + 2 * n);\n"
              "    vstore_half_rtn((double)in[i], i, out + 3 * n);\n"
              "    if (i % 16 == 0) vstorea_half16_rtp(vload16(i / 16, in), i / 16, out + 4 * n);\n"
              "    if (i % 2 == 0) vstore_half2_rtn(vload2(i / 2, in), i / 2, out + 5 * n);\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, N, 0);
    for (int i = 0; i < N; i++) {
        double up = double_from_half(out[i]), down = double_from_half(out[N + i]), x = in[i];
        CHECK(fabsf(in[i]) < 0x1p-126f || (up >= x && down <= x));
        CHECK(up == down || (uint16_t)(out[i] - out[N + i]) == (x > 0 ? 1 : 0xffff) ||
              (down == 0 && out[i] == 1) || (up == 0 && out[N + i] == 0x8001));
        CHECK(up == down ? up == x || fabsf(in[i]) < 0x1p-126f : isinf(x) || up != x);
        CHECK_EQ(out[2 * N + i], out[i]);
        CHECK_EQ(out[3 * N + i], out[N + i]);
        CHECK_EQ(out[4 * N + i], out[i]);
        CHECK_EQ(out[5 * N + i], out[N + i]);
    }
}

static void aligned_half_of_three(void)
{
    float in[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    uint16_t out[16];
    memset(out, 0xee, sizeof out);
    run_words("kernel void k(global float *in, global half *out)\n"
              "{\n"
              "    vstorea_half3(vload3(1, in), 1, out);\n"
              "    vstore_half3(vload3(0, in), 3, out);\n"
              "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
              "    vstore_half4((float4)(vloada_half3(1, out), 2.0f), 3, out);\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, 1, 0);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(out[4 + i], half_from_double(in[3 + i]));
    CHECK_EQ(out[9], half_from_double(1));
    CHECK_EQ(out[8], 0xeeee);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(out[12 + i], half_from_double(in[3 + i]));
    CHECK_EQ(out[15], half_from_double(2));
}

static void three_components(void)
{
    cl_int in[16], out[32];
    for (int i = 0; i < 16; i++)
        in[i] = i * 11;
    memset(out, 0x77, sizeof out);
    run_words("kernel void k(global int3 *in, global int *out)\n"
              "{\n"
              "    out[0] = sizeof(int3); out[1] = vec_step(int3);\n"
              "    int3 v = in[1], w = in[2].zyx;\n"
              "    vstore3(v + w, 0, out + 4);\n"
              "    int3 arr[3] = {v, w, (int3)(1, 2, 3)};\n"
              "    vstore3(arr[2] * arr[0], 1, out + 4);\n"
              "    v.y = 77; v.xz = w.zx;\n"
              "    vstore3(v, 3, out + 4);\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, 1, 0);
    CHECK_EQ(out[0], 16);
    CHECK_EQ(out[1], 4);
    const cl_int v[3] = {44, 55, 66}, w[3] = {110, 99, 88};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(out[4 + i], v[i] + w[i]);
        CHECK_EQ(out[7 + i], v[i] * (i + 1));
    }
    CHECK_EQ(out[10], 0x77777777);
    CHECK_EQ(out[13], 88);
    CHECK_EQ(out[14], 77);
    CHECK_EQ(out[15], 110);
}

static void shuffles_and_swizzles(void)
{
    cl_uint in[32], out[48];
    for (cl_uint i = 0; i < 32; i++)
        in[i] = i * i + 7;
    in[16] = 3, in[17] = 0, in[18] = 9, in[19] = 0xfffffffe; /* masks: modulo */
    run_words("kernel void k(global uint *in, global uint *out)\n"
              "{\n"
              "    uint4 a = vload4(0, in), b = vload4(1, in), m = vload4(4, in);\n"
              "    vstore4(shuffle(a, m), 0, out);\n"
              "    vstore4(shuffle2(a, b, m), 1, out);\n"
              "    vstore8(shuffle(a, (uint8)(3, 3, 2, 2, 1, 1, 0, 0)), 1, out);\n"
              "    vstore4(a.wzyx, 4, out);\n"
              "    vstore4((uint4)(a.hi, b.even), 5, out);\n"
              "    uint16 w = vload16(0, in);\n"
              "    vstore4(w.sF0a8, 6, out);\n"
              "    vstore8(w.odd, 4, out);\n"
              "    uint4 c = a; c.s31 = b.xy; vstore4(c, 10, out);\n"
              "    vstore2(shuffle(w, (uint2)(13, 29)), 22, out);\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, 1, 0);
    const cl_uint *a = in, *b = in + 4;
    const cl_uint want[] = {a[3], a[0], a[1], a[2]};
    for (int i = 0; i < 4; i++)
        CHECK_EQ(out[i], want[i]);
    /* shuffle2 masks modulo 8: 3, 0, 1, 6 */
    CHECK_EQ(out[4], a[3]);
    CHECK_EQ(out[5], a[0]);
    CHECK_EQ(out[6], a[1]);
    CHECK_EQ(out[7], b[2]);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(out[8 + i], a[3 - i / 2]);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(out[16 + i], a[3 - i]);
    CHECK_EQ(out[20], a[2]);
    CHECK_EQ(out[21], a[3]);
    CHECK_EQ(out[22], b[0]);
    CHECK_EQ(out[23], b[2]);
    CHECK_EQ(out[24], in[15]);
    CHECK_EQ(out[25], in[0]);
    CHECK_EQ(out[26], in[10]);
    CHECK_EQ(out[27], in[8]);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(out[32 + i], in[i * 2 + 1]);
    CHECK_EQ(out[40], a[0]);
    CHECK_EQ(out[41], b[1]);
    CHECK_EQ(out[42], a[2]);
    CHECK_EQ(out[43], b[0]);
    CHECK_EQ(out[44], in[13]);
    CHECK_EQ(out[45], in[13]);
}

static void selects(void)
{
    cl_int in[12] = {1, 2, 3, 4, 10, 20, 30, 40, -1, 1, 0, INT32_MIN}, out[20];
    run_words(
        "kernel void k(global int *in, global int *out)\n"
        "{\n"
        "    int4 a = vload4(0, in), b = vload4(1, in), c = vload4(2, in);\n"
        "    vstore4(select(a, b, c), 0, out);\n"
        "    vstore4(c ? b : a, 1, out);\n"
        "    vstore4(bitselect(a, b, (int4)(0xf)), 2, out);\n"
        "    out[12] = select(5, 6, 1); out[13] = select(5, 6, 0); out[14] = select(5, 6, -8);\n"
        "    out[15] = any(c) + any((int4)(1)) * 2 + all(c) * 4 + all((int4)(-1)) * 8;\n"
        "    vstore4(a < (int4)(3), 4, out);\n"
        "}\n",
        NULL, in, sizeof in, out, sizeof out, 1, 0);
    const cl_int want[] = {10, 2, 3, 40, 10, 2, 3, 40};
    for (int i = 0; i < 8; i++)
        CHECK_EQ(out[i], want[i]);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(out[8 + i], (in[i] & ~0xf) | (in[4 + i] & 0xf));
    CHECK_EQ(out[12], 6);
    CHECK_EQ(out[13], 5);
    CHECK_EQ(out[14], 6);
    CHECK_EQ(out[15], 1 + 8);
    CHECK_EQ(out[16], -1);
    CHECK_EQ(out[17], -1);
    CHECK_EQ(out[18], 0);
    CHECK_EQ(out[19], 0);
}

struct packet {
    cl_char tag;
    cl_double value;
    cl_short list[3];
    cl_float v[4] __attribute__((aligned(16)));
    struct {
        cl_uchar x, y;
    } inner;
};

static void struct_arguments(void)
{
    static const char source[] =
        "typedef struct { char tag; double value; short list[3]; float4 v; struct { uchar x, y; } "
        "inner; } packet;\n"
        "kernel void k(global packet *in, global packet *out, packet p, char2 c, float16 wide)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    packet q = in[i];\n"
        "    q.tag += p.tag; q.value *= p.value; q.list[1] = p.list[2] + c.y;\n"
        "    q.v = q.v.wzyx + p.v * wide.sf; q.inner = p.inner; q.inner.y += i;\n"
        "    out[i] = q;\n"
        "}\n";
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    struct packet in[8], out[8], p = {5, 2.5, {1, 2, 300}, {1, 2, 3, 4}, {9, 10}};
    cl_char c[2] = {1, 7};
    cl_float wide[16] = {0};
    wide[15] = 0.5f;
    for (int i = 0; i < 8; i++)
        in[i] = (struct packet){(cl_char)i, i, {1, 2, 3}, {(float)i, 1, 2, 3}, {0, 0}};
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), b = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, p);
    ARG(kernel, 3, c);
    ARG(kernel, 4, wide);
    run_1d(kernel, 8, 2);
    read_back(b, sizeof out, out);
    for (int i = 0; i < 8; i++) {
        CHECK_EQ(out[i].tag, i + 5);
        CHECK(out[i].value == i * 2.5);
        CHECK_EQ(out[i].list[1], 307);
        for (int j = 0; j < 4; j++)
            CHECK(out[i].v[j] == in[i].v[3 - j] + p.v[j] * 0.5f);
        CHECK_EQ(out[i].inner.x, 9);
        CHECK_EQ(out[i].inner.y, 10 + i);
    }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

static void constant_data(void)
{
    cl_int in[4] = {3, 1, 4, 1}, out[64];
    run_words("constant int table[8] = {5, 6, 7, 8, 9, 10, 11, 12};\n"
              "constant struct { int a; float b; } pairs[2] = {{1, 2.5f}, {3, 4.5f}};\n"
              "constant char text[] = \"sluice\";\n"
              "int look(constant int *p, int i) { return p[i & 7]; }\n"
              "kernel void k(constant int *in, global int *out)\n"
              "{\n"
              "    int i = get_global_id(0);\n"
              "    constant int *own = table + 2;\n"
              "    out[i] = look(table, i) + own[i & 3] * 100 + in[i & 3] * 10000 +\n"
              "             (int)(pairs[i & 1].b * 2) * 1000000 + text[i % 6];\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, 64, 0);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(out[i], 5 + (i & 7) + (7 + (i & 3)) * 100 + in[i & 3] * 10000 +
                             (i & 1 ? 9 : 5) * 1000000 + "sluice"[i % 6]);
}

/* A kernel whose items fill an array with multiples of their numbers, and sum it up. */
static void sum_arrays(const char *text)
{
    cl_int in[64], out[64];
    for (int i = 0; i < 64; i++)
        in[i] = (cl_int)random_below(100);
    run_words(text, NULL, in, sizeof in, out, sizeof out, 64, 16);
    for (int i = 0; i < 64; i++) {
        int s = 0;
        for (int j = 0; j < 100; j++)
            s += (j == in[i] ? 12345 : j * i) ^ j;
        CHECK_EQ(out[i], s);
    }
}

static void private_arrays(void)
{
    sum_arrays("kernel void k(global int *in, global int *out)\n"
               "{\n"
               "    int a[100];\n"
               "    int i = get_global_id(0);\n"
               "    for (int j = 0; j < 100; j++) a[j] = j * i;\n"
               "    a[in[i]] = 12345;\n"
               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
               "    int s = 0;\n"
               "    for (int j = 0; j < 100; j++) s += a[j] ^ j;\n"
               "    out[i] = s;\n"
               "}\n");
}

/* As optimizers leave such loops: offsets in bytes, and pointers that step. */
static void private_arrays_by_bytes(void)
{
    sum_arrays("kernel void k(global int *in, global int *out)\n"
               "{\n"
               "    int a[100];\n"
               "    int i = get_global_id(0), v = 0, s = 0, j = 0;\n"
               "    long at = 0;\n"
               "    do { *(int *)((char *)a + at) = v; v += i; at += 4; } while (at != 400);\n"
               "    a[in[i]] = 12345;\n"
               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
               "    at = 0;\n"
               "    do { s += *(int *)((char *)a + at) ^ j; at += 4; j++; } while (at != 400);\n"
               "    out[i] = s;\n"
               "}\n");
}

static void big_private_array(void)
{
    cl_int in[1] = {0}, out[4];
    run_words("kernel void k(global int *in, global int *out)\n"
              "{\n"
              "    volatile int a[1 << 18];\n"
              "    int i = get_global_id(0), s = 0;\n"
              "    for (int j = 0; j < 1 << 18; j++) a[j] = j + i;\n"
              "    for (int j = 0; j < 1 << 18; j += 1021) s += a[j];\n"
              "    out[i] = s;\n"
              "}\n",
              NULL, in, sizeof in, out, sizeof out, 4, 1);
    for (int i = 0; i < 4; i++) {
        int s = 0;
        for (int j = 0; j < 1 << 18; j += 1021)
            s += j + i;
        CHECK_EQ(out[i], s);
    }
}

static void defines_and_includes(void)
{
    cl_int in[1] = {0}, out[2] = {0};
    char folder[] = "/tmp/sluice-include-XXXXXX", path[256], options[512];
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/answer.h", folder);
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    fputs("#define FROM_FILE 31\n", file);
    fclose(file);
    snprintf(options, sizeof options, "-D A=5 -DB -I %s -D TEXT=1+2", folder);
    run_words("#include \"answer.h\"\n"
              "kernel void k(global int *in, global int *out)\n"
              "{ out[0] = FROM_FILE * 100 + A * 10 + B; out[1] = TEXT * 2; }\n",
              options, in, sizeof in, out, sizeof out, 1, 0);
    CHECK_EQ(out[0], 3151);
    CHECK_EQ(out[1], 5);
    remove(path);
    remove(folder);
}

static const struct test_case cases[] = {
    CASE(vector_load_store),
    CASE(odd_addresses),
    CASE(half_loads),
    CASE(half_stores),
    CASE(aligned_half_of_three),
    CASE(three_components),
    CASE(shuffles_and_swizzles),
    CASE(selects),
    CASE(struct_arguments),
    CASE(constant_data),
    CASE(private_arrays),
    CASE(private_arrays_by_bytes),
    CASE(big_private_array),
    CASE(defines_and_includes),
    CASE(half_stores_up_and_down),
};
TEST_MAIN("memory", cases)
