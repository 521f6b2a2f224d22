/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vload_half and vstore_half: every half, and floats in all roundings against a reference in
 * integers: those half way between two halves and their neighbours, and each SLUICE_HALF_STEP-th
 * (4099; 1 takes every float and minutes). The same for random doubles. No state but the buffers.
 */
#include <stdio.h>

#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1 << 18, MODES = 5, KERNELS = 6 };
enum mode { NEAREST, NEAREST_TOO, TO_ZERO, UP, DOWN }; /* in the order of the kernels' results */

/* ---- reference ------------------------------------------------------------------------------- */

/* A number's magnitude is m * 2^exponent; its highest bit counts 2^top. */
struct number {
    uint64_t m;
    int exponent, top;
    bool negative, is_nan;
};

static struct number from_bits(uint64_t bits, int fraction_bits, int exponent_bits)
{
    uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
    int largest = (1 << exponent_bits) - 1, bias = largest >> 1;
    int field = (int)(bits >> fraction_bits) & largest;
    struct number n = {.m = fraction | (uint64_t)(field > 0) << fraction_bits,
                       .exponent = (field ? field : 1) - bias - fraction_bits,
                       .top = (field ? field : 1) - bias,
                       .negative = bits >> (fraction_bits + exponent_bits) & 1,
                       .is_nan = field == largest && fraction};
    return n;
}

static bool away_from_zero(enum mode mode, bool negative, uint64_t q, uint64_t rest, uint64_t half)
{
    switch (mode) {
    case NEAREST:
    case NEAREST_TOO:
        return rest > half || (rest == half && q & 1);
    case TO_ZERO:
        return false;
    case UP:
        return rest && !negative;
    case DOWN:
        break;
    }
    return rest && negative;
}

/* Infinity is a number beyond all halves, which only rounding to nearest takes for itself. */
static uint16_t half_of(const struct number *n, enum mode mode, bool is_infinite)
{
    uint16_t sign = n->negative ? 0x8000 : 0;
    int unit = n->top - 10 < -24 ? -24 : n->top - 10;
    int shift = unit - n->exponent;
    uint64_t q = shift > 60 ? 0 : n->m >> shift;
    uint64_t rest = shift > 60 ? n->m : n->m - (q << shift);
    uint64_t half = shift > 60 ? UINT64_MAX : (uint64_t)1 << (shift - 1);
    q += away_from_zero(mode, n->negative, q, rest, half);
    uint64_t bits = ((uint64_t)(unit + 24) << 10) + q;
    if (is_infinite)
        return sign | 0x7c00;
    if (bits < 0x7c00)
        return sign | (uint16_t)bits;
    bool stays = mode == TO_ZERO || mode == (n->negative ? UP : DOWN);
    return sign | (stays ? 0x7bff : 0x7c00);
}

/* ---- running --------------------------------------------------------------------------------- */

struct run {
    bool is_float;
    size_t bytes;
    cl_kernel kernels[KERNELS]; /* of so many elements as widths[] says */
    cl_mem in, out;
    uint64_t arguments[COUNT]; /* bits, packed where they are those of floats */
    uint16_t results[MODES][COUNT];
    int reported;
};

static const size_t widths[KERNELS] = {1, 2, 3, 4, 8, 16};

static const char source[] =
    "kernel void one(global const T *in, global half *out)\n{\n"
    "    size_t i = get_global_id(0), n = COUNT;\n"
    "    vstore_half(in[i], i, out);\n"
    "    vstore_half_rte(in[i], i, out + n);\n"
    "    vstore_half_rtz(in[i], i, out + 2 * n);\n"
    "    vstore_half_rtp(in[i], i, out + 3 * n);\n"
    "    vstore_half_rtn(in[i], i, out + 4 * n);\n}\n"
    "#define J_(a, b, c) a##b##c\n#define J(a, b, c) J_(a, b, c)\n"
    "#define LOAD(i, in) J(vload, N, )(i, in)\n"
    "#define STORE(mode) J(vstore_half, N, mode)\n"
    "#if N == 3\n#define ALIGNED STORE\n#else\n#define ALIGNED(mode) J(vstorea_half, N, mode)\n"
    "#endif\n"
    "#if N > 1\nkernel void several(global const T *in, global half *out)\n{\n"
    "    size_t i = get_global_id(0), n = COUNT;\n"
    "    STORE()(LOAD(i, in), i, out);\n"
    "    ALIGNED(_rte)(LOAD(i, in), i, out + n);\n"
    "    STORE(_rtz)(LOAD(i, in), i, out + 2 * n);\n"
    "    ALIGNED(_rtp)(LOAD(i, in), i, out + 3 * n);\n"
    "    STORE(_rtn)(LOAD(i, in), i, out + 4 * n);\n}\n#endif\n";

static struct run *begin(bool is_float)
{
    struct run *r = calloc(1, sizeof *r);
    CHECK(r);
    r->is_float = is_float;
    r->bytes = COUNT * (is_float ? sizeof(float) : sizeof(double));
    r->in = new_buffer(CL_MEM_READ_ONLY, r->bytes, NULL);
    r->out = new_buffer(CL_MEM_READ_WRITE, sizeof r->results, NULL);
    for (int k = 0; k < KERNELS; k++) {
        char options[80];
        snprintf(options, sizeof options, "-DT=%s -DN=%zu -DCOUNT=%d",
                 is_float ? "float" : "double", widths[k], COUNT);
        r->kernels[k] = new_kernel(source, k ? "several" : "one", options);
        ARG(r->kernels[k], 0, r->in);
        ARG(r->kernels[k], 1, r->out);
    }
    return r;
}

static void end(struct run *r)
{
    for (int k = 0; k < KERNELS; k++)
        RELEASE_KERNEL(r->kernels[k]);
    RELEASE_MEM(r->in);
    RELEASE_MEM(r->out);
    free(r);
}

static uint64_t argument(const struct run *r, int i)
{
    uint32_t word;
    if (!r->is_float)
        return r->arguments[i];
    memcpy(&word, (const char *)r->arguments + (size_t)i * sizeof word, sizeof word);
    return word;
}

static void put(struct run *r, int i, uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    if (r->is_float)
        memcpy((char *)r->arguments + (size_t)i * sizeof word, &word, sizeof word);
    else
        r->arguments[i] = bits;
}

static void compare(struct run *r, int count)
{
    static const char *const names[] = {"default", "rte", "rtz", "rtp", "rtn"};
    uint64_t infinity = r->is_float ? 0x7f800000 : 0x7ff0000000000000;
    for (int i = 0; i < count; i++) {
        uint64_t bits = argument(r, i);
        struct number n = from_bits(bits, r->is_float ? 23 : 52, r->is_float ? 8 : 11);
        for (int mode = 0; mode < MODES; mode++) {
            uint16_t got = r->results[mode][i];
            uint16_t want = half_of(&n, (enum mode)mode, (bits & infinity) == infinity);
            bool same = n.is_nan ? (got & 0x7fff) > 0x7c00 : got == want;
            if (!same && r->reported++ < 10)
                check_fail(__FILE__, __LINE__,
                           "vstore_half %s of %s 0x%llx: expected %04x, got %04x", names[mode],
                           r->is_float ? "float" : "double", (unsigned long long)bits, want, got);
        }
    }
}

static void run_batch(struct run *r)
{
    CHECK_OK(
        clEnqueueWriteBuffer(cl.queue, r->in, CL_TRUE, 0, r->bytes, r->arguments, 0, NULL, NULL));
    for (int k = 0; k < KERNELS; k++) {
        size_t items = COUNT / widths[k];
        memset(r->results, 0xee, sizeof r->results);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, r->out, CL_TRUE, 0, sizeof r->results, r->results,
                                      0, NULL, NULL));
        run_1d(r->kernels[k], items, 0);
        read_back(r->out, sizeof r->results, r->results);
        compare(r, (int)(items * widths[k]));
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void floats(void)
{
    const char *text = getenv("SLUICE_HALF_STEP");
    uint64_t step = text ? strtoull(text, NULL, 0) : 4099;
    struct run *r = begin(true);
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += COUNT * step) {
        for (int i = 0; i < COUNT; i++)
            put(r, i, bits + (uint64_t)i * step);
        run_batch(r);
    }
    end(r);
}

/* The middle between each half and the next, its neighbours, and the half itself. */
static void middles(void)
{
    for (int is_float = 0; is_float < 2; is_float++) {
        if (!is_float && !has_extension("cl_khr_fp64"))
            continue;
        struct run *r = begin(is_float);
        for (int i = 0; i < COUNT; i++) {
            uint16_t half = (uint16_t)(i / 4), next = (half & 0x7fff) < 0x7c00 ? half + 1 : half;
            double from = double_from_half(half), to = double_from_half(next), value;
            to = next == 0x7c00 ? 65536 : next == 0xfc00 ? -65536 : to;
            value = i % 4 ? (from + to) / 2 : from;
            float narrow = (float)value;
            uint64_t bits;
            uint32_t word;
            memcpy(&bits, &value, sizeof bits);
            memcpy(&word, &narrow, sizeof word);
            bits = is_float ? word : bits;
            put(r, i,
                i % 4 == 2                                  ? bits + 1
                : i % 4 == 3 && bits << (is_float ? 33 : 1) ? bits - 1
                                                            : bits);
        }
        run_batch(r);
        end(r);
    }
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no cl_khr_fp64");
    struct run *r = begin(false);
    for (int batch = 0; batch < 4; batch++) {
        for (int i = 0; i < COUNT; i++) {
            /* of halves' size, of all sizes, and with few bits set */
            uint64_t bits = random_bits();
            if (i % 4)
                bits = (bits & 0x800fffffffffffff) | (uint64_t)(1023 - 30 + random_below(50)) << 52;
            if (i % 4 == 2)
                bits &= 0xfffffe0000000000;
            put(r, i, bits);
        }
        run_batch(r);
    }
    end(r);
}

enum { HALVES = 1 << 16, LOADS = 5 };

static void compare_loads(const char *what, size_t width, const float *got)
{
    for (size_t i = 0; i < HALVES / width * width; i++) {
        double want = double_from_half((uint16_t)i);
        uint32_t bits;
        memcpy(&bits, &got[i], sizeof bits);
        bool same = (i & 0x7fff) > 0x7c00 ? got[i] != got[i]
                                          : (double)got[i] == want && bits >> 31 == (i >> 15 & 1);
        if (!same)
            check_fail(__FILE__, __LINE__, "%s, %zu: half 0x%04zx: expected %a, got %a", what,
                       width, i, want, (double)got[i]);
    }
}

static void loads(void)
{
    static const char *const names[LOADS] = {"global", "aligned", "constant", "local", "private"};
    static const char text[] =
        "#define J_(a, b) a##b\n#define J(a, b) J_(a, b)\n"
        "#if N == 1\n#define PUT(x, i, o) o[i] = x\n#define LOAD vload_half\n"
        "#else\n#define PUT J(vstore, N)\n#define LOAD J(vload_half, N)\n#endif\n"
        "#if N == 1 || N == 3\n#define ALIGNED LOAD\n"
        "#else\n#define ALIGNED J(vloada_half, N)\n#endif\n"
        "kernel void k(global const half *in, constant half *c, local half *l, global float "
        "*o)\n{\n"
        "    size_t i = get_global_id(0), me = get_local_id(0), n = HALVES;\n"
        "    ushort p[N];\n"
        "    for (int e = 0; e < N; e++) {\n"
        "        ((local ushort *)l)[me * N + e] = ((global const ushort *)in)[i * N + e];\n"
        "        p[e] = ((global const ushort *)in)[i * N + e];\n    }\n"
        "    PUT(LOAD(i, in), i, o);\n"
        "    PUT(ALIGNED(i, in), i, (o + n));\n"
        "    PUT(LOAD(i, c), i, (o + 2 * n));\n"
        "    PUT(LOAD(me, l), i, (o + 3 * n));\n"
        "    PUT(LOAD(0, (private const half *)p), i, (o + 4 * n));\n}\n";
    static uint16_t halves[HALVES];
    static float wide[LOADS][HALVES];
    for (int i = 0; i < HALVES; i++)
        halves[i] = (uint16_t)i;
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof halves, halves);
    cl_mem out = new_buffer(CL_MEM_READ_WRITE, sizeof wide, NULL);
    for (size_t k = 0; k < KERNELS; k++) {
        char options[80];
        snprintf(options, sizeof options, "-DN=%zu -DHALVES=%d", widths[k], HALVES);
        cl_kernel kernel = new_kernel(text, "k", options);
        ARG(kernel, 0, in);
        ARG(kernel, 1, in);
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof(uint16_t) * widths[k], NULL));
        ARG(kernel, 3, out);
        run_1d(kernel, HALVES / widths[k], 1);
        read_back(out, sizeof wide, wide);
        for (int l = 0; l < LOADS; l++)
            compare_loads(names[l], widths[k], wide[l]);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_MEM(in);
    RELEASE_MEM(out);
}

static const struct test_case cases[] = {
    CASE(loads),
    CASE(middles),
    CASE(floats),
    CASE(doubles),
};
TEST_MAIN("math_half", cases)
