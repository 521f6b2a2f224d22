/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items that read several numbers which lie side by side while the items are anywhere: records of
 * small numbers, rows that a loop goes through, pixels by index; or places close to each other that
 * are no neighbours. What they read ends where a page
 * ends that nobody may read behind, so that not a byte more is read than the program names.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_ITEMS = 70, OUT = 16 /* bytes of an item */, MOST_N = 37 };

/* What item i stores at o + OUT * i, or changes anywhere in o. */
typedef void item_fn(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i);

struct row {
    const char *text; /* global const uchar *a, const int *x; global uchar *o; int n; size_t i */
    item_fn *item;
    size_t fixed, each; /* bytes of an item in a; n times */
};

static void put(uint8_t *o, size_t i, int32_t value)
{
    memcpy(o + OUT * i, &value, sizeof value);
}

static int short_at(const uint8_t *from, size_t n)
{
    int16_t is;
    memcpy(&is, from + 2 * n, sizeof is);
    return is;
}

static int32_t int_at(const uint8_t *from, size_t n)
{
    int32_t is;
    memcpy(&is, from + 4 * n, sizeof is);
    return is;
}

static int32_t wrapped(int64_t sum)
{
    return (int32_t)(uint32_t)(uint64_t)sum;
}

static void block_of_18(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    int sum = 0;
    for (int b = 0; b < n; b++) {
        const uint8_t *p = a + (i * (size_t)n + (size_t)b) * 18;
        int part = 0;
        for (int j = 0; j < 16; j++)
            part += ((p[2 + j] & 15) - 8) * x[j] + (p[2 + j] >> 4) * x[j + 16];
        sum += part % 1000 + short_at(p, 0);
    }
    put(o, i, sum);
}

static void row_of_bytes(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    uint32_t sum = (uint32_t)x[i];
    for (int k = 0; k < n; k++)
        sum = sum * 3 + a[i * (size_t)n + (size_t)k];
    put(o, i, (int32_t)sum);
}

static void row_of_shorts(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    int64_t sum = 0;
    for (int k = 0; k < n; k++)
        sum += (int64_t)short_at(a, i * (size_t)n + (size_t)k) * (x[k] % 100);
    put(o, i, wrapped(sum));
}

static void row_of_ints(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    uint32_t sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 7 + ((uint32_t)int_at(a, i * (size_t)n + (size_t)k) ^ (uint32_t)x[k]);
    put(o, i, (int32_t)sum);
}

static void every_row(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    int32_t best = INT32_MAX, at = -1;
    for (int j = 0; j < n; j++) {
        int32_t far = 0;
        for (int k = 0; k < 11; k++) {
            int32_t d = int_at(a, i * 11 + (size_t)k) % 1000 - x[j] % 1000 - k;
            far += d * d;
        }
        if (far < best)
            best = far, at = j;
    }
    put(o, i, at);
}

static void pixels_of_four(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)x, (void)n;
    for (size_t e = 0; e < 4; e++) {
        int least = 255;
        for (size_t k = 0; k < 4; k++)
            least = a[i * 16 + k * 4 + e] < least ? a[i * 16 + k * 4 + e] : least;
        o[OUT * i + e] = (uint8_t)least;
    }
}

static void with_a_gap(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    const uint8_t *p = a + i * (size_t)(7 * n);
    (void)x;
    put(o, i, p[0] + p[1] * 3 + p[2] * 5 + p[5] * 7 + p[6] * 11);
}

static void some_rows(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    if (x[i] & 1)
        row_of_ints(a, x, o, n, i);
}

static void as_far_as(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    uint32_t sum = 0;
    for (int k = 0; k < (x[i] & 31) && k < n; k++)
        sum = sum * 5 + a[i * (size_t)n + (size_t)k];
    put(o, i, (int32_t)sum);
}

static void stored_between(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    uint8_t *p = o + OUT * i;
    (void)n;
    int sum = p[0] + p[1];
    p[2] = (uint8_t)(sum + a[i]);
    p[3] = (uint8_t)x[i];
    sum += p[2] * 3 + p[3] * 5;
    p[1] = (uint8_t)sum;
    p[0] = (uint8_t)(p[1] + p[2] + p[4]);
}

/* x[64 + i] is a number of an item, each once. */
static void pixel_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)n;
    for (size_t e = 0; e < 4; e++)
        o[OUT * i + e] = (uint8_t)(a[4 * (size_t)x[128 + i] + e] / 2 + 1);
}

static void shorts_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    for (size_t e = 0; e < 4; e++) {
        int16_t is = (int16_t)(short_at(a, 4 * (size_t)x[128 + i] + e) / 2 + n);
        memcpy(o + OUT * i + 2 * e, &is, sizeof is);
    }
}

static void words_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    for (size_t e = 0; e < 4; e++) {
        int32_t is = int_at(a, 4 * (size_t)x[128 + i] + e) / 2 + n;
        memcpy(o + OUT * i + 4 * e, &is, sizeof is);
    }
}

/* What lanes without an item read has to be as aligned as what the others do. */
static void wide_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    for (size_t e = 0; e < 4 && x[i] & 1; e++) {
        size_t first = 16 * (size_t)x[128 + i] + e;
        int32_t is = int_at(a, first) / 2 + int_at(a, first + 12) / 3 + n;
        memcpy(o + OUT * i + 4 * e, &is, sizeof is);
    }
}

/* The first number read lies behind others, and where it lies is a multiple of more than they are.
 */
static void from_the_middle(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    const uint8_t *q = a + 16 * (i + 1);
    uint32_t sum = q[0];
    (void)x, (void)n;
    for (int k = 4; k > 0; k--)
        sum = sum * 3 + q[-k];
    for (int k = 1; k < 12; k++)
        sum = sum * 3 + q[k];
    put(o, i, (int32_t)sum);
}

static void pixel_to_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)n;
    for (size_t e = 0; e < 4; e++)
        o[4 * (size_t)x[128 + i] + e] = (uint8_t)(a[4 * i + e] + e);
}

static void shorts_to_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    for (size_t e = 0; e < 4; e++) {
        int16_t is = (int16_t)(short_at(a, 4 * i + e) / 2 - n);
        memcpy(o + 8 * (size_t)x[128 + i] + 2 * e, &is, sizeof is);
    }
}

static void pair_to_anywhere(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)n;
    if (x[i] & 1)
        for (size_t e = 0; e < 2; e++)
            o[2 * (size_t)x[128 + i] + e] = (uint8_t)(a[2 * i + 1 - e] * 3);
}

static void blended(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)x;
    for (size_t e = 0; e < 4; e++) {
        int now = (short_at(a, 4 * i + e) * (256 - n) + short_at(a, 4 * i + e) / 3 * n) >> 7;
        int16_t is = (int16_t)(now < INT16_MIN ? INT16_MIN : now > INT16_MAX ? INT16_MAX : now);
        memcpy(o + 8 * i + 2 * e, &is, sizeof is);
    }
}

static void averaged(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)x;
    for (size_t e = 0; e < 8; e++)
        o[8 * i + e] = (uint8_t)((a[8 * i + e] * n + 255 - a[8 * i + e]) >> 6);
}

/* ---- close places, of which the last item's is the last one ---------------------------------- */

static size_t last; /* item */

#define CLOSE(name, index, value)                                                                  \
    static void name(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)              \
    {                                                                                              \
        (void)x, (void)n;                                                                          \
        size_t beyond = (size_t)(index(last)), k = (size_t)(index(i)) + last - beyond;             \
        put(o, i, wrapped(value));                                                                 \
    }

#define HALF(i) ((i) / 2)
#define THIRD(i) ((i) / 3)
#define EVEN(i) ((i) & ~(size_t)1)
#define FOUR(i) ((i) >> 2)
#define SIGNED(i) (((int)(i) - 5) / 2 + 2)

CLOSE(halves, HALF, a[k] * 3)
CLOSE(thirds, THIRD, a[k] + 1)
CLOSE(nibbles, HALF, a[k] >> (i & 1) * 4 & 15)
CLOSE(signed_halves, SIGNED, a[k])
CLOSE(even_shorts, EVEN, short_at(a, k) * 5)
CLOSE(third_shorts, THIRD, short_at(a, k) - 2)
CLOSE(half_ints, HALF, (int64_t)int_at(a, k) + 7)
CLOSE(four_ints, FOUR, (int64_t)int_at(a, k) - 1)
CLOSE(half_longs, HALF, (int64_t)int_at(a, 2 * k) + int_at(a, 2 * k + 1))

static void pairs(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    size_t k = (i & ~(size_t)1) + last;
    (void)x, (void)n;
    put(o, i, a[k] * 256 + a[k + 1]);
}

static void some_halves(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    if (x[i] & 1)
        halves(a, x, o, n, i);
}

static void some_ints(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    if (x[i] & 2)
        half_ints(a, x, o, n, i);
}

static void round_and_round(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    (void)x;
    put(o, i, a[(uint8_t)(i + (size_t)n + 200) / 2]);
}

static void sums_of_halves(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    int32_t sum = 0;
    (void)x;
    for (size_t k = 0; k < (size_t)n; k++)
        sum += a[(i + k) / 2] * (int32_t)(k + 1);
    put(o, i, sum);
}

/* Some of these windows have a page's end in them. */
static void far_halves(const uint8_t *a, const int32_t *x, uint8_t *o, int n, size_t i)
{
    int32_t sum = 0;
    (void)x;
    for (size_t k = 0; k < (size_t)n; k++)
        sum += a[i / 2 + k * 111] * (int32_t)(k + 1);
    put(o, i, sum);
}

#define PUT "*(global int *)(o + 16 * i) = "

static const struct row rows[] = {
    {"int sum = 0; for (int b = 0; b < n; b++) { global const B *p = (global const B *)a + i * n + "
     "b; int part = 0; for (int j = 0; j < 16; j++) part += ((p->q[j] & 15) - 8) * x[j] + "
     "(p->q[j] >> 4) * x[j + 16]; sum += part % 1000 + p->d; } " PUT "sum;",
     block_of_18, 0, 18},
    {"uint sum = x[i]; for (int k = 0; k < n; k++) sum = sum * 3 + a[i * n + k]; " PUT "sum;",
     row_of_bytes, 0, 1},
    {"long sum = 0; for (int k = 0; k < n; k++) sum += (long)((global const short *)a)[i * n + k] "
     "* "
     "(x[k] % 100); " PUT "(int)sum;",
     row_of_shorts, 0, 2},
    {"uint sum = 0; for (int k = 0; k < n; k++) sum = sum * 7 + (((global const uint *)a)[i * n + "
     "k] ^ (uint)x[k]); " PUT "sum;",
     row_of_ints, 0, 4},
    {"int best = INT_MAX, at = -1; for (int j = 0; j < n; j++) { int far = 0; for (int k = 0; k < "
     "11; k++) { int d = ((global const int *)a)[i * 11 + k] % 1000 - x[j] % 1000 - k; far += d * "
     "d; } if (far < best) { best = far; at = j; } } " PUT "at;",
     every_row, 44, 0},
    {"global const uchar4 *p = (global const uchar4 *)a + 4 * i; uchar4 least = 255; for (int k = "
     "0; k < 4; k++) least = min(least, p[k]); *(global uchar4 *)(o + 16 * i) = least;",
     pixels_of_four, 16, 0},
    {"global const uchar *p = a + i * (7 * n); " PUT
     "p[0] + p[1] * 3 + p[2] * 5 + p[5] * 7 + p[6] * 11;",
     with_a_gap, 0, 7},
    {"if (x[i] & 1) { uint sum = 0; for (int k = 0; k < n; k++) sum = sum * 7 + (((global const "
     "uint *)a)[i * n + k] ^ (uint)x[k]); " PUT "sum; }",
     some_rows, 0, 4},
    {"uint sum = 0; for (int k = 0; k < (x[i] & 31) && k < n; k++) sum = sum * 5 + a[i * n + "
     "k]; " PUT "sum;",
     as_far_as, 0, 1},
    {"global uchar *p = o + 16 * i; int sum = p[0] + p[1]; p[2] = sum + a[i]; p[3] = x[i]; sum += "
     "p[2] * 3 + p[3] * 5; p[1] = sum; p[0] = p[1] + p[2] + p[4];",
     stored_between, 1, 0},
    {"*(global uchar4 *)(o + 16 * i) = ((global const uchar4 *)a)[x[128 + i]] / (uchar4)2 + "
     "(uchar4)1;",
     pixel_anywhere, 4, 0},
    {"*(global short4 *)(o + 16 * i) = ((global const short4 *)a)[x[128 + i]] / (short4)2 + "
     "(short4)n;",
     shorts_anywhere, 8, 0},
    {"*(global int4 *)(o + 16 * i) = ((global const int4 *)a)[x[128 + i]] / 2 + n;", words_anywhere,
     16, 0},
    {"if (x[i] & 1) { int16 v = ((global const int16 *)a)[x[128 + i]]; *(global int4 *)(o + 16 * "
     "i) "
     "= v.lo.lo / 2 + v.hi.hi / 3 + n; }",
     wide_anywhere, 64, 0},
    {"global const A *q = (global const A *)a + i + 1; uint sum = q->a[0]; for (int k = 4; k > 0; "
     "k--) sum = sum * 3 + q[-1].a[16 - k]; for (int k = 1; k < 12; k++) sum = sum * 3 + "
     "q->a[k]; " PUT "sum;",
     from_the_middle, 32, 0},
    {"((global uchar4 *)o)[x[128 + i]] = ((global const uchar4 *)a)[i] + (uchar4)(0, 1, 2, 3);",
     pixel_to_anywhere, 4, 0},
    {"((global short4 *)o)[x[128 + i]] = ((global const short4 *)a)[i] / (short4)2 - (short4)n;",
     shorts_to_anywhere, 8, 0},
    {"if (x[i] & 1) ((global uchar2 *)o)[x[128 + i]] = ((global const uchar2 *)a)[i].yx * "
     "(uchar2)3;",
     pair_to_anywhere, 2, 0},
    {"int4 v = convert_int4(((global const short4 *)a)[i]); ((global short4 *)o)[i] = "
     "convert_short4_sat((v * (256 - n) + v / 3 * n) >> 7);",
     blended, 8, 0},
    {"ushort8 v = convert_ushort8(((global const uchar8 *)a)[i]); ((global uchar8 *)o)[i] = "
     "convert_uchar8((v * (ushort8)n + (ushort8)255 - v) >> (ushort8)6);",
     averaged, 8, 0},
    {PUT "a[i / 2 + last - last / 2] * 3;", halves, 1, 0},
    {PUT "a[i / 3 + last - last / 3] + 1;", thirds, 1, 0},
    {PUT "a[i / 2 + last - last / 2] >> (i & 1) * 4 & 15;", nibbles, 1, 0},
    {PUT "a[((int)i - 5) / 2 + 2 + (int)last - (((int)last - 5) / 2 + 2)];", signed_halves, 1, 0},
    {PUT "((global const short *)a)[(i & ~1) + last - (last & ~1)] * 5;", even_shorts, 2, 0},
    {PUT "((global const short *)a)[i / 3 + last - last / 3] - 2;", third_shorts, 2, 0},
    {PUT "((global const int *)a)[i / 2 + last - last / 2] + 7u;", half_ints, 4, 0},
    {PUT "((global const int *)a)[(i >> 2) + last - (last >> 2)] - 1u;", four_ints, 4, 0},
    {"long v = ((global const long *)a)[i / 2 + last - last / 2]; " PUT
     "(uint)v + (uint)(v >> 32);",
     half_longs, 8, 0},
    {"int k = ((int)i & ~1) + (int)last; " PUT "a[k] * 256 + a[k + 1];", pairs, 2, 0},
    {"if (x[i] & 1) " PUT "a[i / 2 + last - last / 2] * 3;", some_halves, 1, 0},
    {"if (x[i] & 2) " PUT "((global const int *)a)[i / 2 + last - last / 2] + 7u;", some_ints, 4,
     0},
    {PUT "a[(uchar)(i + n + 200) / 2];", round_and_round, 128, 0},
    {"int sum = 0; for (int k = 0; k < n; k++) sum += a[((int)i + k) / 2] * (k + 1); " PUT "sum;",
     sums_of_halves, 1, 1},
    {"int sum = 0; for (int k = 0; k < n; k++) sum += a[i / 2 + k * 111] * (k + 1); " PUT "sum;",
     far_halves, 111, 111},
};

/* ---- memory that ends where nothing may be read ---------------------------------------------- */

struct region {
    uint8_t *pages, *data;
    size_t bytes;
};

static struct region new_region(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    struct region r = {.bytes = whole + page};
    r.pages = mmap(NULL, r.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(r.pages != MAP_FAILED);
    REQUIRE(mprotect(r.pages + whole, page, PROT_NONE) == 0);
    r.data = r.pages + whole - bytes;
    return r;
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static void fill_numbers(int32_t *x, size_t items)
{
    for (size_t k = 0; k < 128; k++)
        x[k] = (int32_t)random_below(2000) - 1000;
    for (size_t k = 0; k < items; k++) {
        size_t other = (size_t)random_below(k + 1);
        x[128 + k] = x[128 + other];
        x[128 + other] = (int32_t)k;
    }
}

static void compare(cl_kernel kernel, const struct row *row, size_t items, int n)
{
    int32_t x[128 + MOST_ITEMS] = {0};
    uint8_t want[OUT * MOST_ITEMS], got[sizeof want];
    last = items - 1;
    struct region a = new_region(items * (row->fixed + row->each * (size_t)n));
    size_t bytes = items * (row->fixed + row->each * (size_t)n);
    for (size_t k = 0; k < bytes; k++)
        a.data[k] = (uint8_t)random_below(256);
    for (size_t k = 0; k < sizeof want; k++)
        want[k] = (uint8_t)random_below(256);
    fill_numbers(x, items);
    cl_mem mem[] = {new_buffer(CL_MEM_USE_HOST_PTR, bytes, a.data),
                    new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x),
                    new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want)};
    for (cl_uint k = 0; k < 3; k++)
        ARG(kernel, k, mem[k]);
    cl_int number = n;
    ARG(kernel, 3, number);
    run_nd(kernel, 1, NULL, &items, NULL);
    for (size_t i = 0; i < items; i++)
        row->item(a.data, x, want, n, i);
    read_back(mem[2], sizeof got, got);
    for (size_t k = 0; k < sizeof got; k++)
        if (got[k] != want[k]) {
            check_fail(__FILE__, __LINE__, "%zu items, n %d: \"%s\": byte %zu is %d, not %d", items,
                       n, row->text, k, got[k], want[k]);
            check_abandon();
        }
    for (int k = 0; k < 3; k++)
        RELEASE_MEM(mem[k]);
    munmap(a.pages, a.bytes);
}

static void side_by_side(void)
{
    static const size_t sizes[] = {1, 7, 16, 31, 33, 64, 67};
    static const int lengths[] = {1, 3, 4, 15, 16, 17, MOST_N};
    char source[16384];
    size_t bytes =
        (size_t)snprintf(source, sizeof source,
                         "typedef struct { short d; uchar q[16]; } B;\n"
                         "typedef struct __attribute__((aligned(16))) { uchar a[16]; } A;\n");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        bytes +=
            (size_t)snprintf(source + bytes, sizeof source - bytes,
                             "kernel void k%zu(global const uchar *a, global const int *x, "
                             "global uchar *o, int n)\n"
                             "{ size_t i = get_global_id(0), last = get_global_size(0) - 1; %s }\n",
                             r, rows[r].text);
    cl_program program = built(source, "");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char name[24];
        snprintf(name, sizeof name, "k%zu", r);
        cl_int rc;
        cl_kernel kernel = clCreateKernel(program, name, &rc);
        REQUIRE_OK(rc);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
                compare(kernel, &rows[r], sizes[s], lengths[n]);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(side_by_side),
};
TEST_MAIN("span", cases)
