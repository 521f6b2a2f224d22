/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quotients and remainders, which vectors have no instruction for. Of 64 bits: by constants of all
 * kinds, and by what the launch or the data bring, below and above what a double holds, in all
 * items and in some. Of fewer: by a number of the launch, and by data. Against C.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cl_help.h"
#include "reference.h"

enum { ITEMS = 4099 };

static const uint64_t divisors[] = {1,
                                    2,
                                    3,
                                    5,
                                    7,
                                    10,
                                    11,
                                    60,
                                    641,
                                    1000,
                                    0xffff,
                                    998244353,
                                    UINT64_C(1) << 31,
                                    UINT64_C(0xffffffff),
                                    UINT64_C(1) << 32,
                                    UINT64_C(0x100000001),
                                    UINT64_C(1000000000039),
                                    (UINT64_C(1) << 52) - 1,
                                    (UINT64_C(1) << 52) + 1,
                                    UINT64_C(0x123456789abcdef1),
                                    (UINT64_C(1) << 62) + 1,
                                    (UINT64_C(1) << 63) - 1,
                                    UINT64_C(1) << 63,
                                    (UINT64_C(1) << 63) + 1,
                                    UINT64_MAX - 1,
                                    UINT64_MAX,
                                    (uint64_t)-7,
                                    (uint64_t)-1000,
                                    (uint64_t)-998244353};

static uint64_t a[ITEMS], b[ITEMS], got[2 * ITEMS];

static uint64_t any(void)
{
    return (uint64_t)random_below(1u << 31) << 33 ^ (uint64_t)random_below(1u << 31) << 11 ^
           random_below(1 << 11);
}

/* Of every length, and around multiples of the divisors. */
static void fill(unsigned longest)
{
    for (size_t i = 0; i < ITEMS; i++) {
        uint64_t d = divisors[random_below(LEN(divisors))];
        a[i] = any() >> (64 - 1 - random_below(longest));
        b[i] = any() >> (64 - 1 - random_below(longest));
        if (i % 3 == 0)
            a[i] = d * random_below(1000) + random_below(3) - 1;
        if (i % 5 == 0)
            a[i] = a[i] / (b[i] ? b[i] : 1) * b[i] - random_below(2);
        if (longest < 64) {
            a[i] &= (UINT64_C(1) << longest) - 1;
            b[i] &= (UINT64_C(1) << longest) - 1;
        }
        if (i % 7 == 0)
            a[i] = 0 - a[i];
        if (i % 4 == 0)
            b[i] = 0 - b[i];
        b[i] = b[i] ? b[i] : 1;
    }
    a[0] = UINT64_C(1) << 63;
    a[1] = UINT64_MAX;
    a[2] = 0;
}

/* What C leaves open is left out. */
static int is_open(int is_signed, uint64_t x, uint64_t d)
{
    return !d || (is_signed && x == UINT64_C(1) << 63 && d == UINT64_MAX);
}

static void compare(int is_signed, size_t i, uint64_t x, uint64_t d, const char *what)
{
    if (is_open(is_signed, x, d))
        return;
    uint64_t quotient = is_signed ? (uint64_t)((int64_t)x / (int64_t)d) : x / d;
    uint64_t rest = is_signed ? (uint64_t)((int64_t)x % (int64_t)d) : x % d;
    if (got[i] != quotient || got[ITEMS + i] != rest)
        check_fail(__FILE__, __LINE__,
                   "%s %s: 0x%llx by 0x%llx: 0x%llx rest 0x%llx, not 0x%llx, 0x%llx",
                   is_signed ? "long" : "ulong", what, (unsigned long long)x, (unsigned long long)d,
                   (unsigned long long)got[i], (unsigned long long)got[ITEMS + i],
                   (unsigned long long)quotient, (unsigned long long)rest);
}

static void run(cl_kernel kernel, size_t items)
{
    cl_mem of_a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem of_b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem out = new_buffer(0, sizeof got, NULL);
    cl_uint n = ITEMS;
    ARG(kernel, 0, of_a);
    ARG(kernel, 1, of_b);
    ARG(kernel, 2, out);
    ARG(kernel, 3, n);
    run_1d(kernel, items, 0);
    read_back(out, sizeof got, got);
    RELEASE_MEM(of_a);
    RELEASE_MEM(of_b);
    RELEASE_MEM(out);
}

static const char by_constant[] =
    "kernel void k(global const T *a, global const T *b, global T *o, uint n) {\n"
    "  size_t i = get_global_id(0); o[i] = a[i] / (T)D; o[n + i] = a[i] % (T)D; }\n";

static void constants(void)
{
    fill(64);
    for (int is_signed = 0; is_signed < 2; is_signed++)
        for (size_t d = 0; d < LEN(divisors); d++) {
            char options[96];
            snprintf(options, sizeof options, "-DT=%s -DD=0x%llxUL", is_signed ? "long" : "ulong",
                     (unsigned long long)divisors[d]);
            cl_kernel kernel = new_kernel(by_constant, "k", options);
            run(kernel, ITEMS);
            for (size_t i = 0; i < ITEMS; i++)
                compare(is_signed, i, a[i], divisors[d], "by a constant");
            RELEASE_KERNEL(kernel);
        }
}

static const char by_data[] =
    "kernel void k(global const T *a, global const T *b, global T *o, uint n) {\n"
    "  size_t i = get_global_id(0); o[i] = a[i] / b[i]; o[n + i] = a[i] % b[i]; }\n";
/* Those of the others would trap: their divisor is zero. */
static const char by_some[] =
    "kernel void k(global const T *a, global const T *b, global T *o, uint n) {\n"
    "  size_t i = get_global_id(0); T d = i % 3 ? b[i] : 0;\n"
    "  if (d != 0) { o[i] = a[i] / d; o[n + i] = a[i] % d; } }\n";
static const char by_one[] =
    "kernel void k(global const T *a, global const T *b, global T *o, uint n) {\n"
    "  size_t i = get_global_id(0); o[i] = a[i] / b[3]; o[n + i] = a[i] % b[3]; }\n";
static const char in_vectors[] =
    "#define V2(x) x##2\n#define V1(x) V2(x)\n"
    "kernel void k(global const V1(T) *a, global const V1(T) *b, global T *o, uint n) {\n"
    "  size_t i = get_global_id(0); vstore2(a[i] / b[i], i, o); vstore2(a[i] % b[i], i, o + n); "
    "}\n";

static void given(unsigned longest)
{
    static const struct {
        const char *source, *what;
        size_t items;
    } kernels[] = {{by_data, "by data", ITEMS},
                   {by_some, "by some", ITEMS},
                   {by_one, "by one number", ITEMS},
                   {in_vectors, "in vectors", ITEMS / 2}};
    fill(longest);
    for (int is_signed = 0; is_signed < 2; is_signed++)
        for (size_t k = 0; k < LEN(kernels); k++) {
            cl_kernel kernel =
                new_kernel(kernels[k].source, "k", is_signed ? "-DT=long" : "-DT=ulong");
            run(kernel, kernels[k].items);
            for (size_t i = 0; i < ITEMS - 1; i++)
                if (kernels[k].source != by_some || i % 3)
                    compare(is_signed, i, a[i], kernels[k].source == by_one ? b[3] : b[i],
                            kernels[k].what);
            RELEASE_KERNEL(kernel);
        }
}

static void large(void)
{
    given(64);
}

/* The most that doubles hold, and one bit more in few items. */
static void up_to_52_bits(void)
{
    given(52);
}
static void up_to_53_bits(void)
{
    given(53);
}

static void small(void)
{
    given(20);
}

static const char of_ids[] =
    "kernel void k(global const long *a, global const long *b, global long *o, uint n) {\n"
    "  size_t i = get_global_id(0); o[i] = i / b[3]; o[n + i] = i % b[3] + i / 7 + i % 1000; }\n";

static void ids(void)
{
    cl_kernel kernel = new_kernel(of_ids, "k", "");
    for (uint64_t d = 1; d < 3000; d = d * 3 + 1) {
        b[3] = d;
        run(kernel, ITEMS);
        for (uint64_t i = 0; i < ITEMS; i++)
            if (got[i] != i / d || got[ITEMS + i] != i % d + i / 7 + i % 1000)
                check_fail(__FILE__, __LINE__, "item %llu by %llu: %llu, %llu",
                           (unsigned long long)i, (unsigned long long)d, (unsigned long long)got[i],
                           (unsigned long long)got[ITEMS + i]);
    }
    RELEASE_KERNEL(kernel);
}

static const char by_argument[] =
    "kernel void k(global const T *a, global const T *b, global T *o, uint n, T by) {\n"
    "  size_t i = get_global_id(0); o[i] = a[i] / by; o[n + i] = a[i] % by; }\n";

/* Each of the divisors for all items: around its multiples as far as a double goes. */
static void by_each(void)
{
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        cl_kernel kernel = new_kernel(by_argument, "k", is_signed ? "-DT=long" : "-DT=ulong");
        for (size_t d = 0; d < LEN(divisors); d++) {
            const uint64_t by = divisors[d], size = is_signed && by >> 63 ? 0 - by : by;
            for (size_t i = 0; i < ITEMS; i++) {
                uint64_t x = (any() >> 12 >> random_below(50)) / size * size;
                a[i] = x + random_below(3) - 1;
                a[i] = i % 7 && is_signed ? 0 - a[i] : a[i];
            }
            ARG(kernel, 4, by);
            run(kernel, ITEMS);
            for (size_t i = 0; i < ITEMS; i++)
                compare(is_signed, i, a[i], by, "by an argument");
        }
        RELEASE_KERNEL(kernel);
    }
}

/* ---- fewer bits ------------------------------------------------------------------------------ */

static const struct narrow {
    const char *name;
    unsigned bits;
    int is_signed;
} narrow[] = {{"int", 32, 1},    {"uint", 32, 0}, {"short", 16, 1},
              {"ushort", 16, 0}, {"char", 8, 1},  {"uchar", 8, 0}};

static int64_t cut(const struct narrow *type, uint64_t x)
{
    const unsigned above = 64 - type->bits;
    return type->is_signed ? (int64_t)(x << above) >> above : (int64_t)(x << above >> above);
}

/* By `by`, or its own `b`: around multiples, and of every length. */
static void fill_narrow(const struct narrow *type, int64_t by)
{
    for (size_t i = 0; i < ITEMS; i++) {
        uint64_t x = any() >> random_below(63);
        b[i] = (uint64_t)cut(type, any() >> random_below(63) >> (64 - type->bits));
        b[i] = b[i] ? b[i] : 1;
        uint64_t d = by ? (uint64_t)by : b[i];
        a[i] = i % 2 ? x : (uint64_t)cut(type, x) / d * d + random_below(3) - 1;
        a[i] = (uint64_t)cut(type, i % 5 ? a[i] : 0 - a[i]);
    }
    a[0] = (uint64_t)cut(type, UINT64_MAX);
    a[1] = (uint64_t)cut(type, UINT64_MAX << (type->bits - 1));
    a[2] = (uint64_t)cut(type, UINT64_MAX >> (65 - type->bits));
}

static void compare_narrow(const struct narrow *type, int64_t by)
{
    for (size_t i = 0; i < ITEMS; i++) {
        int64_t x = (int64_t)a[i], d = by ? by : (int64_t)b[i];
        if (type->is_signed && type->bits == 32 && d == -1 && x == INT32_MIN)
            continue; /* C leaves it open */
        int64_t quotient = cut(type, (uint64_t)(x / d)), rest = cut(type, (uint64_t)(x % d));
        if (cut(type, got[i]) != quotient || cut(type, got[ITEMS + i]) != rest)
            check_fail(__FILE__, __LINE__, "%s%s: %lld by %lld: %lld rest %lld, not %lld, %lld",
                       type->name, by ? ", by one" : "", (long long)x, (long long)d,
                       (long long)cut(type, got[i]), (long long)cut(type, got[ITEMS + i]),
                       (long long)quotient, (long long)rest);
    }
}

static void run_narrow(cl_kernel kernel, const struct narrow *type, int64_t by)
{
    fill_narrow(type, by);
    cl_ulong divisor = (cl_ulong)by;
    ARG(kernel, 4, divisor);
    run(kernel, ITEMS);
    compare_narrow(type, by);
}

/* Alone, where short ones are divided as ints, and in vectors, where they are not. */
static const char *const of_few_bits[] = {
    "kernel void k(global const ulong *a, global const ulong *b, global ulong *o, uint n, ulong "
    "by) {\n"
    "  size_t i = get_global_id(0); T x = (T)a[i], d = (T)b[i];\n"
    "  if (by) { o[i] = (T)(x / (T)by); o[n + i] = (T)(x % (T)by); }\n"
    "  else { o[i] = (T)(x / d); o[n + i] = (T)(x % d); } }\n",
    "#define V2(x) x##2\n#define V1(x) V2(x)\n#define V V1(T)\n"
    "kernel void k(global const ulong *a, global const ulong *b, global ulong *o, uint n, ulong "
    "by) {\n"
    "  size_t i = get_global_id(0); V x = (V)(a[i], ~a[i]), d = (V)(b[i], 3);\n"
    "  if (by) { o[i] = (x / (V)by).x; o[n + i] = (x % (V)by).x; }\n"
    "  else { o[i] = (x / d).x; o[n + i] = (x % d).x; } }\n",
};

static void few_bits(void)
{
    for (size_t t = 0; t < 2 * LEN(narrow); t++) {
        const struct narrow *type = &narrow[t / 2];
        char options[32];
        snprintf(options, sizeof options, "-DT=%s", type->name);
        cl_kernel kernel = new_kernel(of_few_bits[t % 2], "k", options);
        run_narrow(kernel, type, 0);
        for (int64_t by = 1; by < INT64_C(1) << type->bits; by = by * 2 + (by % 3 == 0)) {
            const int64_t near[] = {by - 1, by, by + 1, -by, -by - 1};
            for (size_t k = 0; k < LEN(near); k++)
                if (cut(type, (uint64_t)near[k]))
                    run_narrow(kernel, type, cut(type, (uint64_t)near[k]));
        }
        RELEASE_KERNEL(kernel);
    }
}

/* All lanes of a loop have one divisor, and behind it each has that of its last round. */
static const char behind_loop[] =
    "kernel void k(global const ulong *a, global const ulong *b, global ulong *o, uint n) {\n"
    "  size_t i = get_global_id(0); ulong bits = b[i]; T x = (T)a[i], d; uint at = 0;\n"
    "  do { d = (T)(3 * at) | 1; at++; } while (bits >> (d & 63) & 1 && at < 30);\n"
    "  o[i] = (T)(x / d); o[n + i] = (T)(x % d); }\n";

static void compare_last_rounds(const struct narrow *type)
{
    for (size_t i = 0; i < ITEMS; i++) {
        int64_t x = cut(type, a[i]), d;
        unsigned at = 0;
        do
            d = 3 * at++ | 1;
        while (b[i] >> (d & 63) & 1 && at < 30);
        int64_t quotient = cut(type, (uint64_t)(x / d)), rest = cut(type, (uint64_t)(x % d));
        if (cut(type, got[i]) != quotient || cut(type, got[ITEMS + i]) != rest)
            check_fail(__FILE__, __LINE__, "%s: %lld by %lld: %lld rest %lld, not %lld, %lld",
                       type->name, (long long)x, (long long)d, (long long)cut(type, got[i]),
                       (long long)cut(type, got[ITEMS + i]), (long long)quotient, (long long)rest);
    }
}

static void of_last_rounds(void)
{
    static const struct narrow more[] = {{"long", 64, 1}};
    for (size_t t = 0; t < LEN(narrow) + LEN(more); t++) {
        const struct narrow *type = t < LEN(narrow) ? &narrow[t] : &more[t - LEN(narrow)];
        char options[32];
        snprintf(options, sizeof options, "-DT=%s", type->name);
        for (size_t i = 0; i < ITEMS; i++) {
            a[i] = any() >> 13 >> random_below(40);
            b[i] = any() | any();
        }
        cl_kernel kernel = new_kernel(behind_loop, "k", options);
        run(kernel, ITEMS);
        compare_last_rounds(type);
        RELEASE_KERNEL(kernel);
    }
}

/* Vectors of items that go from memory to memory are divided as they lie there. */
static const char of_vectors[] =
    "#define V2(x, n) x##n\n#define V1(x, n) V2(x, n)\n#define V V1(T, COUNT)\n"
    "kernel void k(global const V *a, global V *o) {\n"
    "  size_t i = get_global_id(0); V x = a[i]; o[i] = x / (T)BY + x % (T)BY; }\n";

static void check_vectors(const struct narrow *type, int count, int by)
{
    char options[64];
    unsigned char in[ITEMS * 4], out[ITEMS * 4];
    const size_t bytes = type->bits / 8, elements = sizeof in / bytes / 16 * 16;
    snprintf(options, sizeof options, "-DT=%s -DCOUNT=%d -DBY=%d", type->name, count, by);
    for (size_t k = 0; k < sizeof in; k++)
        in[k] = (unsigned char)random_below(256);
    cl_kernel kernel = new_kernel(of_vectors, "k", options);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    run_1d(kernel, elements / (size_t)count, 0);
    read_back(to, sizeof out, out);
    for (size_t k = 0; k < elements; k++) {
        uint64_t raw = 0, made = 0;
        memcpy(&raw, in + k * bytes, bytes);
        memcpy(&made, out + k * bytes, bytes);
        int64_t x = cut(type, raw), want = cut(type, (uint64_t)(x / by + x % by));
        if (cut(type, made) != want)
            check_fail(__FILE__, __LINE__, "%s%d: %lld by %d: %lld, not %lld", type->name, count,
                       (long long)x, by, (long long)cut(type, made), (long long)want);
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void in_memory_order(void)
{
    static const int by[] = {3, 7, 10, 100, 127, -5};
    for (size_t t = 0; t < LEN(narrow); t++)
        for (int count = 4; count <= 16; count *= 4)
            for (size_t d = 0; d < LEN(by) - !narrow[t].is_signed; d++)
                check_vectors(&narrow[t], count, by[d]);
}

/* A loop of so many rounds for all behind one that items leave one by one: where vectors have no
 * form for what it does, items go through it in turn. */
static void in_the_next_loop(void)
{
    static const char source_of_two[] =
        "kernel void k(global const ulong *a, global const ulong *b, global ulong *o, uint n) {\n"
        "  int i = get_global_id(0), x = (int)(a[i] >> 5), c = 0, r = 0;\n"
        "  ulong v = a[i], d = b[i], w = v;\n"
        "  do { w = (w * 3) ^ v; } while (c++ < (x & 3));\n"
        "  do { v = v % max(d, 1UL) % max(v, 1UL) + d; d = d % max(a[i], 1UL) + v; } while (r++ < "
        "9);\n"
        "  o[i] = v + w; o[n + i] = d; }\n";
    cl_kernel kernel = new_kernel(source_of_two, "k", "");
    fill(40);
    run(kernel, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        uint64_t v = a[i], d = b[i], w = v;
        for (uint64_t c = 0; c <= (a[i] >> 5 & 3); c++)
            w = (w * 3) ^ v;
        for (int r = 0; r < 10; r++) {
            v = v % (d ? d : 1) % (v ? v : 1) + d;
            d = d % (a[i] ? a[i] : 1) + v;
        }
        if (got[i] != v + w || got[ITEMS + i] != d)
            check_fail(__FILE__, __LINE__, "item %zu: 0x%llx, 0x%llx, not 0x%llx, 0x%llx", i,
                       (unsigned long long)got[i], (unsigned long long)got[ITEMS + i],
                       (unsigned long long)(v + w), (unsigned long long)d);
    }
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(constants),        CASE(large),    CASE(small),         CASE(up_to_52_bits),
    CASE(up_to_53_bits),    CASE(ids),      CASE(by_each),       CASE(in_memory_order),
    CASE(in_the_next_loop), CASE(few_bits), CASE(of_last_rounds)};
TEST_MAIN("division", cases)
