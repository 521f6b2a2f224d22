/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quotients and remainders of 64 bits, which vectors have no instruction for: by constants of all
 * kinds, and by what the launch or the data bring, below and above what a double holds, in all
 * items and in some. Against C.
 */
#include <stdint.h>
#include <stdio.h>

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

static const struct test_case cases[] = {CASE(constants),     CASE(large),         CASE(small),
                                         CASE(up_to_52_bits), CASE(up_to_53_bits), CASE(ids)};
TEST_MAIN("division", cases)
