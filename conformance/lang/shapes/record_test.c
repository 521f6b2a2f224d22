/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of structs and of vectors with three to eight elements of 8 to 64 bits: any of them are
 * read and written, and what is not written stays. Sizes that fill vectors and that do not. */
#include "cl_help.h"

#include <stdint.h>
#include <stdio.h>

enum { MOST_ITEMS = 259, MOST_FIELDS = 8 };

static const uint32_t sizes[] = {1, 15, 16, 17, 33, 64, 259};
static const uint32_t counts[] = {3, 4, 5, 8};

/* The kernel adds up the read fields, each times its number and one more; written fields are that
 * of the input, three times, and the sum. */
static void print_kernel(char *text, size_t bytes, const char *type, uint32_t count, uint32_t reads,
                         uint32_t writes)
{
    size_t n = (size_t)snprintf(text, bytes,
                                "typedef %s T;\n"
                                "typedef struct { T f[%u]; } R;\n"
                                "kernel void f(global const R *a, global R *b, global T *s)\n"
                                "{\n    size_t i = get_global_id(0);\n    T sum = 0;\n",
                                type, count);
    for (uint32_t k = 0; k < count; k++)
        if (reads >> k & 1)
            n +=
                (size_t)snprintf(text + n, bytes - n, "    sum += a[i].f[%u] * (T)%u;\n", k, k + 1);
    for (uint32_t k = 0; k < count; k++)
        if (writes >> k & 1)
            n += (size_t)snprintf(text + n, bytes - n,
                                  "    b[i].f[%u] = a[i].f[%u] * (T)3 + sum;\n", k, k);
    snprintf(text + n, bytes - n, "    s[i] = sum;\n}\n");
}

#define OLD 77

/* Small whole numbers, so that every sum is exact in each of the types. */
static int64_t input(uint32_t item, uint32_t field)
{
    return (int64_t)(item * 31 + field * 7) % 101 - 50;
}

#define DEFINE_CHECK(T, NAME)                                                                      \
    static void check_##T(cl_kernel kernel, uint32_t items, uint32_t count, uint32_t reads,        \
                          uint32_t writes)                                                         \
    {                                                                                              \
        static T a[MOST_ITEMS * MOST_FIELDS], b[MOST_ITEMS * MOST_FIELDS], s[MOST_ITEMS];          \
        for (uint32_t n = 0; n < items * count; n++) {                                             \
            a[n] = (T)input(n / count, n % count);                                                 \
            b[n] = OLD;                                                                            \
        }                                                                                          \
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, items * count * sizeof(T), a),              \
               to = new_buffer(CL_MEM_COPY_HOST_PTR, items * count * sizeof(T), b),                \
               sums = new_buffer(0, items * sizeof(T), NULL);                                      \
        ARG(kernel, 0, from);                                                                      \
        ARG(kernel, 1, to);                                                                        \
        ARG(kernel, 2, sums);                                                                      \
        run_1d(kernel, items, 0);                                                                  \
        read_back(to, items * count * sizeof(T), b);                                               \
        read_back(sums, items * sizeof(T), s);                                                     \
        for (uint32_t i = 0; i < items; i++) {                                                     \
            int64_t sum = 0;                                                                       \
            for (uint32_t k = 0; k < count; k++)                                                   \
                sum += reads >> k & 1 ? input(i, k) * (k + 1) : 0;                                 \
            if (s[i] != (T)sum)                                                                    \
                check_fail(__FILE__, __LINE__, NAME " of %u, reads %x, sum of item %u of %u: %g",  \
                           count, reads, i, items, (double)s[i]);                                  \
            for (uint32_t k = 0; k < count; k++) {                                                 \
                int64_t want = writes >> k & 1 ? input(i, k) * 3 + sum : OLD;                      \
                if (b[i * count + k] != (T)want)                                                   \
                    check_fail(__FILE__, __LINE__,                                                 \
                               NAME " of %u, writes %x, field %u of item %u of %u: %g", count,     \
                               writes, k, i, items, (double)b[i * count + k]);                     \
            }                                                                                      \
        }                                                                                          \
        RELEASE_MEM(from);                                                                         \
        RELEASE_MEM(to);                                                                           \
        RELEASE_MEM(sums);                                                                         \
    }
DEFINE_CHECK(int32_t, "int")
DEFINE_CHECK(uint8_t, "uchar")
DEFINE_CHECK(int16_t, "short")
DEFINE_CHECK(float, "float")
DEFINE_CHECK(double, "double")

typedef void check_fn(cl_kernel, uint32_t items, uint32_t count, uint32_t reads, uint32_t writes);

static void all(const char *type, check_fn *check)
{
    for (size_t c = 0; c < LEN(counts); c++) {
        const uint32_t whole = (1u << counts[c]) - 1, last = 1u << (counts[c] - 1);
        const uint32_t masks[][2] = {{whole, whole},
                                     {whole, 1},
                                     {1 | last, whole},
                                     {whole & 0x5, whole & 0xa},
                                     {whole & 0xc6, whole & 0x3c},
                                     {2, 4}};
        for (size_t m = 0; m < LEN(masks); m++) {
            char text[2048];
            print_kernel(text, sizeof text, type, counts[c], masks[m][0], masks[m][1]);
            cl_kernel kernel = new_kernel(text, "f", NULL);
            for (size_t n = 0; n < LEN(sizes); n++)
                check(kernel, sizes[n], counts[c], masks[m][0], masks[m][1]);
            RELEASE_KERNEL(kernel);
        }
    }
}

static void ints(void)
{
    all("int", check_int32_t);
}

/* Fields of pixels: more items than records of so many bytes have vectors for. */
static void bytes(void)
{
    all("uchar", check_uint8_t);
}

static void shorts(void)
{
    all("short", check_int16_t);
}

static void floats(void)
{
    all("float", check_float);
}

static void doubles(void)
{
    if (!has_extension("cl_khr_fp64"))
        check_skip("no double precision");
    all("double", check_double);
}

static const struct test_case cases[] = {CASE(ints), CASE(bytes), CASE(shorts), CASE(floats),
                                         CASE(doubles)};
TEST_MAIN("record", cases)
