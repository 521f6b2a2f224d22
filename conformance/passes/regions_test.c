/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of regions.cl, as the passes and LLVM made them, against plain C: ids, barriers
 * everywhere, local and private memory, arguments, printf. No driver, one thread. Arguments: the
 * bitcode file, and the pipeline for LLVM after the passes ("default<O2>").
 */
#include "lower.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arguments.h"

static struct lowered code;

/* ---- a device in forty lines ----------------------------------------------------------------- */

struct range {
    uint32_t dims;
    size_t global[3], local[3], offset[3];
    size_t step; /* work-groups of a row per call; 0: the row */
};

struct printed {
    int calls;
    uint32_t arg_count, bytes;
    const char *format;
    unsigned char record[256];
} printed;

static int32_t record_print(const struct sl_launch *launch, const char *format, const void *record,
                            uint32_t bytes, uint32_t arg_count)
{
    assert_non_null(launch);
    printed.calls++;
    printed.arg_count = arg_count;
    printed.bytes = bytes;
    printed.format = format;
    memcpy(printed.record, record, bytes < sizeof printed.record ? bytes : sizeof printed.record);
    return 0;
}

static const struct sl_runtime runtime = {.size = sizeof runtime, .print = record_print};

static struct arguments begin(const char *kernel)
{
    struct arguments a = {.count = 0};
    a.run = lower_find(&code, kernel, &a.facts);
    assert_non_null(a.run);
    a.local = a.facts->local_bytes;
    return a;
}

static void add_int(struct arguments *a, int value)
{
    add(a, &value, sizeof value);
}

static void add_local(struct arguments *a, size_t bytes)
{
    uint64_t offset = (a->local + SL_LOCAL_ALIGN - 1) / SL_LOCAL_ALIGN * SL_LOCAL_ALIGN;
    a->local = offset + bytes;
    add(a, &offset, sizeof offset);
}

static size_t items_of(const struct range *r)
{
    return r->local[0] * r->local[1] * r->local[2];
}

static void fill_launch(const struct range *r, struct sl_launch *launch)
{
    *launch = (struct sl_launch){.work_dim = r->dims, .runtime = &runtime};
    for (int d = 0; d < 3; d++) {
        launch->global_offset[d] = r->offset[d];
        launch->global_size[d] = r->global[d];
        launch->local_size[d] = r->local[d];
        launch->group_count[d] = (r->global[d] + r->local[d] - 1) / r->local[d];
    }
}

static void launch(struct arguments *a, const struct range *r)
{
    struct sl_launch l;
    fill_launch(r, &l);
    assert_int_equal(a->count, a->facts->arg_count);
    size_t context = a->facts->context_fixed + a->facts->context_per_item * items_of(r);
    struct sl_group group = {.local = aligned_alloc(128, (a->local + 127) / 128 * 128 + 128),
                             .context = aligned_alloc(64, (context + 63) / 64 * 64 + 64)};
    memset(group.context, 0x5a, context);
    memset((char *)group.context + context, 0x77, 64);
    size_t step = r->step ? r->step : l.group_count[0];
    for (size_t z = 0; z < l.group_count[2]; z++)
        for (size_t y = 0; y < l.group_count[1]; y++)
            for (size_t x = 0; x < l.group_count[0]; x += step) {
                size_t left = l.group_count[0] - x;
                memcpy(group.id, (size_t[]){x, y, z}, sizeof group.id);
                group.count = left < step ? left : step;
                a->run(a->block, &l, &group);
            }
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(((unsigned char *)group.context)[context + i], 0x77);
    free(group.local);
    free(group.context);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static const struct range ranges[] = {
    {1, {64, 1, 1}, {16, 1, 1}, {0, 0, 0}, 0},   {1, {64, 1, 1}, {64, 1, 1}, {0, 0, 0}, 1},
    {1, {96, 1, 1}, {1, 1, 1}, {0, 0, 0}, 7},    {1, {91, 1, 1}, {13, 1, 1}, {5, 0, 0}, 2},
    {1, {100, 1, 1}, {32, 1, 1}, {3, 0, 0}, 0},  {1, {101, 1, 1}, {40, 1, 1}, {0, 0, 0}, 1},
    {1, {7, 1, 1}, {50, 1, 1}, {0, 0, 0}, 0},    {2, {12, 10, 1}, {4, 5, 1}, {0, 0, 0}, 0},
    {2, {13, 11, 1}, {4, 3, 1}, {2, 9, 0}, 1},   {2, {33, 5, 1}, {16, 2, 1}, {0, 0, 0}, 2},
    {3, {6, 5, 4}, {3, 5, 2}, {0, 0, 0}, 0},     {3, {7, 6, 5}, {3, 4, 2}, {1, 2, 3}, 1},
    {3, {64, 3, 2}, {64, 1, 1}, {0, 0, 7}, 0},   {1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0},
    {3, {20, 20, 3}, {7, 7, 2}, {100, 0, 0}, 3},
};
#define RANGES (sizeof ranges / sizeof *ranges)
#define LIMIT 4096 /* ints and items enough for every range */

static size_t local_of(const struct range *r, int d, size_t group)
{
    size_t left = r->global[d] - group * r->local[d];
    return left < r->local[d] ? left : r->local[d];
}

/* One-dimensional kernels: calls `check` for each group with its first item and size. */
typedef void (*group_check)(size_t group, size_t first, size_t size, void *data);
static void each_group(const struct range *r, group_check check, void *data)
{
    for (size_t g = 0; g * r->local[0] < r->global[0]; g++)
        check(g, g * r->local[0], local_of(r, 0, g), data);
}

struct lines {
    int in[LIMIT], out[LIMIT], want[LIMIT];
    int a, b;
};
static struct lines lines;

static void fill_lines(int a, int b)
{
    for (int i = 0; i < LIMIT; i++) {
        lines.in[i] = (i * 7919 + 13) % 1009 - 300;
        lines.out[i] = lines.want[i] = -1;
    }
    lines.a = a;
    lines.b = b;
}

static void check_lines(const char *kernel, const struct range *r)
{
    for (int i = 0; i < LIMIT; i++)
        if (lines.out[i] != lines.want[i])
            fail_msg("%s: global %zu local %zu offset %zu: item %d is %d, not %d", kernel,
                     r->global[0], r->local[0], r->offset[0], i, lines.out[i], lines.want[i]);
}

/* Out, local int array, up to two ints: what most kernels below take. Ids start at the offset, so
 * the buffers do as well. */
static void run_line(const char *kernel, const struct range *r, bool in, int locals, int ints,
                     group_check check)
{
    struct arguments a = begin(kernel);
    if (in)
        add_pointer(&a, lines.in - r->offset[0]);
    add_pointer(&a, lines.out - r->offset[0]);
    for (int i = 0; i < locals; i++)
        add_local(&a, r->local[0] * sizeof(int));
    if (ints > 0)
        add_int(&a, lines.a);
    if (ints > 1)
        add_int(&a, lines.b);
    launch(&a, r);
    each_group(r, check, &lines);
    check_lines(kernel, r);
}

static void each_line(const char *kernel, bool in, int locals, int ints, int a, int b,
                      group_check check)
{
    for (size_t i = 0; i < RANGES; i++)
        if (ranges[i].dims == 1) {
            fill_lines(a, b);
            run_line(kernel, &ranges[i], in, locals, ints, check);
        }
}

/* ---- ids ------------------------------------------------------------------------------------- */

static uint64_t *ids_buffer(void)
{
    static uint64_t out[16 * LIMIT];
    memset(out, 0xff, sizeof out);
    return out;
}

static void check_all_ids(const struct range *r, const uint64_t *out, const size_t at[3])
{
    const uint64_t *o = out + 16 * ((at[2] * r->global[1] + at[1]) * r->global[0] + at[0]);
    for (int d = 0; d < 3; d++) {
        size_t group = at[d] / r->local[d], groups = (r->global[d] + r->local[d] - 1) / r->local[d];
        assert_int_equal(o[d], at[d] % r->local[d] + 100 * local_of(r, d, group));
        assert_int_equal(o[4 + d], group + 100 * groups);
        assert_int_equal(o[8 + d], at[d] + r->offset[d] + 1000 * r->global[d]);
        assert_int_equal(o[12 + d], r->offset[d]);
    }
    assert_int_equal(o[3], 100);
    assert_int_equal(o[7], 100);
    assert_int_equal(o[11], 1000);
    assert_int_equal(o[15], r->dims);
}

static void all_ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++) {
        const struct range *r = &ranges[i];
        struct arguments a = begin("all_ids");
        uint64_t *out = ids_buffer();
        add_pointer(&a, out);
        launch(&a, r);
        for (size_t z = 0; z < r->global[2]; z++)
            for (size_t y = 0; y < r->global[1]; y++)
                for (size_t x = 0; x < r->global[0]; x++)
                    check_all_ids(r, out, (size_t[]){x, y, z});
    }
}

static void flat_ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++) {
        const struct range *r = &ranges[i];
        struct arguments a = begin("flat_ids");
        assert_true(a.facts->flags & SL_KERNEL_FLAT);
        uint64_t *out = ids_buffer();
        size_t n = 0;
        add_pointer(&a, out);
        launch(&a, r);
        for (size_t z = r->offset[2]; z < r->global[2] + r->offset[2]; z++)
            for (size_t y = r->offset[1]; y < r->global[1] + r->offset[1]; y++)
                for (size_t x = r->offset[0]; x < r->global[0] + r->offset[0]; x++)
                    assert_int_equal(out[n++], x + 1000 * y + 1000000 * z);
        assert_int_equal(out[n], UINT64_MAX);
    }
}

/* Ids around multiples of 2^31, where narrowed ids change sign. */
static void huge_ids(void **state)
{
    (void)state;
    static const size_t starts[] = {(1u << 31) - 20, (1ull << 32) - 33, (3ull << 31) - 1,
                                    (1ull << 40) - 64};
    for (size_t i = 0; i < 4; i++) {
        struct range r = {1, {100, 1, 1}, {25, 1, 1}, {starts[i], 0, 0}, 0};
        struct arguments a = begin("flat_ids");
        uint64_t *out = ids_buffer();
        add_pointer(&a, out);
        launch(&a, &r);
        for (size_t x = 0; x < 100; x++)
            assert_int_equal(out[x], x + starts[i]);
        struct arguments b = begin("all_ids");
        add_pointer(&b, ids_buffer());
        launch(&b, &r);
        for (size_t x = 0; x < 100; x++)
            check_all_ids(&r, out, (size_t[]){x, 0, 0});
    }
}

static void check_narrow_rows(const struct range *r)
{
    struct arguments a = begin("narrow_rows");
    uint64_t *out = ids_buffer();
    add_pointer(&a, out);
    launch(&a, r);
    for (size_t z = 0, n = 0; z < r->global[2]; z++)
        for (size_t y = 0; y < r->global[1]; y++)
            for (size_t x = 0; x < r->global[0]; x++) {
                int64_t low = (int32_t)(uint32_t)(x + r->offset[0]);
                assert_int_equal(out[n++], (uint64_t)low + 1000 * y + 1000000 * z);
            }
}

static void check_narrow_columns(const struct range *r)
{
    struct arguments a = begin("narrow_columns");
    uint64_t *out = ids_buffer();
    size_t rows = r->global[1] * r->global[2];
    for (size_t x = 0; x < r->global[0]; x++)
        out[2 * x + 1] = 0;
    add_pointer(&a, out);
    launch(&a, r);
    for (size_t x = 0; x < r->global[0]; x++) {
        assert_int_equal(out[2 * x], (uint64_t)(int64_t)(int32_t)(uint32_t)(x + r->offset[0]));
        assert_int_equal(out[2 * x + 1], rows);
    }
}

/* Several rows, each in two segments. */
static void huge_narrow_ids(void **state)
{
    (void)state;
    static const size_t starts[] = {0, (1u << 31) - 20, (1ull << 32) - 33, (3ull << 31) - 1};
    for (size_t i = 0; i < 4; i++) {
        struct range r = {3, {45, 3, 4}, {15, 3, 2}, {starts[i], 0, 0}, 0};
        check_narrow_rows(&r);
        check_narrow_columns(&r);
    }
}

static void want_narrow(size_t group, size_t first, size_t size, void *data)
{
    (void)group, (void)data;
    for (size_t i = 0; i < size; i++)
        if ((int)(first + i) < lines.a)
            lines.want[first + i] = 3 * (first + i) + i;
}

static void narrow_ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++)
        if (ranges[i].dims == 1 && !ranges[i].offset[0]) {
            fill_lines(77, 0);
            run_line("narrow_ids", &ranges[i], false, 0, 1, want_narrow);
        }
}

static void want_edges(const struct range *r, const int *out)
{
    size_t n = 0;
    for (size_t z = 0; z < r->global[2]; z++)
        for (size_t y = 0; y < r->global[1]; y++)
            for (size_t x = 0; x < r->global[0]; x++, n++) {
                size_t sx = local_of(r, 0, x / r->local[0]), sy = local_of(r, 1, y / r->local[1]);
                size_t l = (z % r->local[2] * sy + y % r->local[1]) * sx + x % r->local[0];
                assert_int_equal(out[n], l);
            }
}

static void edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++) {
        struct arguments a = begin("edges");
        assert_true(a.facts->flags & SL_KERNEL_USES_BARRIER);
        add_pointer(&a, lines.out);
        launch(&a, &ranges[i]);
        want_edges(&ranges[i], lines.out);
    }
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void want_reduce(size_t group, size_t first, size_t size, void *data)
{
    (void)data;
    lines.want[group] = 0;
    for (size_t i = 0; i < size; i++)
        lines.want[group] += lines.in[first + i];
}

static void reduce(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++)
        if (ranges[i].dims == 1 && !ranges[i].offset[0]) {
            fill_lines(0, 0);
            run_line("reduce", &ranges[i], true, 1, 0, want_reduce);
        }
}

static void want_scan(size_t group, size_t first, size_t size, void *data)
{
    (void)group, (void)data;
    int sum = 0;
    for (size_t i = 0; i < size; i++)
        lines.want[first + i] = sum += lines.in[first + i];
}

static void scan(void **state)
{
    (void)state;
    each_line("scan", true, 2, 0, 0, 0, want_scan);
}

static void tiled_matmul(void **state)
{
    (void)state;
    enum { N = 24 };
    static float a[N * N], b[N * N], c[N * N];
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 17 - 5;
        b[i] = i % 13 - 7;
    }
    struct arguments args = begin("tiled_matmul");
    add_pointer(&args, a);
    add_pointer(&args, b);
    add_pointer(&args, c);
    add_int(&args, N);
    launch(&args, &(struct range){2, {N, N, 1}, {8, 8, 1}, {0, 0, 0}, 0});
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[y * N + k] * b[k * N + x];
            assert_true(sum == c[y * N + x]);
        }
}

static void want_both_arms(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    for (size_t l = 0; l < n; l++) {
        size_t r = (l + 1) % n;
        int mirrored = (n - 1 - l) * (n - 1 - l), v = mirrored;
        if (!(lines.a & 1))
            v = 7 * l + r * r;
        else if (lines.a & 2)
            v += (int)((n - 1 - r) * (n - 1 - r)) + 1;
        lines.want[first + l] = v;
    }
}

static void both_arms(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++)
        each_line("both_arms", false, 1, 1, which, 0, want_both_arms);
}

static void want_early_return(size_t group, size_t first, size_t n, void *data)
{
    (void)data;
    for (size_t l = 0; l < n; l++)
        if ((int)group < lines.a && lines.a != 2)
            lines.want[first + l] = n - l;
}

static void early_return(void **state)
{
    (void)state;
    for (int limit = 0; limit < 5; limit++)
        each_line("early_return", false, 1, 1, limit, 0, want_early_return);
}

static void want_do_while(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int a[LIMIT], b[LIMIT], s[LIMIT], t[LIMIT], round = 0;
    for (size_t l = 0; l < n; l++) {
        a[l] = 1;
        b[l] = l;
    }
    do {
        for (size_t l = 0; l < n; l++)
            s[l] = a[l] + b[l];
        for (size_t l = 0; l < n; l++)
            t[l] = s[(l + 1) % n] * 3;
        for (size_t l = 0; l < n; l++) {
            a[l] = b[l];
            b[l] = t[(l + n - 1) % n] & 0xffff;
        }
        round++;
    } while (round < lines.a);
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = 1000 * a[l] + b[l] + round;
}

static void do_while(void **state)
{
    (void)state;
    each_line("do_while", false, 1, 1, 1, 0, want_do_while);
    each_line("do_while", false, 1, 1, 6, 0, want_do_while);
}

static void nested_row(int *s, int *v, size_t n, int i)
{
    int t[LIMIT];
    for (size_t l = 0; l < n; l++)
        s[l] = v[l] + i;
    for (int j = 0; j < i + lines.b; j++) {
        for (size_t l = 0; l < n; l++)
            t[l] = s[(l + j) % n];
        if (j == 5)
            break;
        for (size_t l = 0; l < n; l++)
            s[l] = t[l] & 1 ? t[l] + j : s[l] ^ t[l];
    }
    for (size_t l = 0; l < n; l++)
        v[l] += s[l] & 255;
}

static void want_nested_loops(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int s[LIMIT];
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = l;
    for (int i = 0; i < lines.a; i++)
        nested_row(s, lines.want + first, n, i);
}

static void nested_loops(void **state)
{
    (void)state;
    each_line("nested_loops", false, 1, 2, 5, 3, want_nested_loops);
    each_line("nested_loops", false, 1, 2, 3, 0, want_nested_loops);
    each_line("nested_loops", false, 1, 2, 0, 4, want_nested_loops);
}

static void want_cases(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int *v = lines.want + first, s[LIMIT];
    for (size_t l = 0; l < n; l++)
        v[l] = l;
    for (int i = 0; i <= lines.a; i++) {
        for (size_t l = 0; l < n; l++)
            s[l] = i % 3 == 2 ? v[l] * 2 : v[l];
        for (size_t l = 0; l < n; l++)
            v[l] = i % 3 == 0   ? v[l] + s[n - 1 - l]
                   : i % 3 == 1 ? v[l] ^ 5
                                : s[(l + 2) % n] & 0xfffff;
    }
}

static void cases(void **state)
{
    (void)state;
    for (int rounds = 0; rounds < 8; rounds++)
        each_line("cases", false, 1, 1, rounds, 0, want_cases);
}

static void want_shared_flag(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int most = 0;
    for (size_t l = 0; l < n; l++)
        most = lines.in[first + l] > most ? lines.in[first + l] : most;
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = most + 1;
}

static void shared_flag(void **state)
{
    (void)state;
    each_line("shared_flag", true, 0, 0, 0, 0, want_shared_flag);
}

static void want_many(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    unsigned v[LIMIT], s[LIMIT];
    for (size_t l = 0; l < n; l++)
        v[l] = l;
    for (int i = 0; i < 30 * (3 + (lines.a & 1)); i++) {
        int b = i % 30;
        for (size_t l = 0; l < n; l++)
            s[l] = v[l] + b;
        for (size_t l = 0; l < n; l++)
            v[l] = lines.a & 1 << b % 10 ? v[l] + s[(l + b) % n] * 3 : v[l] ^ (unsigned)b;
    }
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = v[l];
}

static void many_barriers(void **state)
{
    (void)state;
    for (int n = 0; n < 1024; n += 341)
        each_line("many_barriers", false, 1, 1, n, 0, want_many);
}

/* ---- loops in step --------------------------------------------------------------------------- */

static int want_row(int x, int y, int z, int rounds)
{
    unsigned sum = x;
    for (int k = 0; k < rounds + y; k++) {
        int v = lines.in[k * 40 + x];
        sum = v & 1 ? sum * 3 + v : sum - v;
        if (k == 9)
            break;
        if (k + z == 7)
            continue;
        sum ^= lines.in[x + 2] + k;
    }
    return sum;
}

static int want_nested_row(int x, int group, int n, int rounds)
{
    unsigned sum = 0, other = 1;
    for (int i = 0; i < rounds; i++) {
        for (int k = i; k < rounds; k++) {
            sum += lines.in[k * 40 + x] * (i + 1);
            other = other * 5 + sum;
        }
        if (i & 1)
            other -= lines.in[group + x];
    }
    for (int k = n; k > 3; k -= 3)
        sum += lines.in[k + x];
    return sum + other;
}

static void check_rows(const char *kernel, const struct range *r, int rounds, bool nested)
{
    struct arguments a = begin(kernel);
    fill_lines(0, 0);
    add_pointer(&a, lines.in);
    add_pointer(&a, lines.out);
    add_int(&a, 40);
    add_int(&a, rounds);
    launch(&a, r);
    size_t n = 0;
    for (size_t z = 0; z < r->global[2]; z++)
        for (size_t y = 0; y < r->global[1]; y++)
            for (size_t x = 0; x < r->global[0]; x++, n++) {
                size_t group = x / r->local[0];
                lines.want[n] =
                    nested ? want_nested_row(x % r->local[0], group, local_of(r, 0, group), rounds)
                           : want_row(x, y, z, rounds);
            }
    check_lines(kernel, r);
}

static void rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++)
        for (int rounds = 0; rounds < 13; rounds += 4) {
            check_rows("rows", &ranges[i], rounds, false);
            check_rows("rows_nested", &ranges[i], rounds, true);
        }
    for (size_t x = 1; x < 300; x = x * 3 / 2 + 1)
        check_rows("rows", &(struct range){2, {x, 2, 1}, {x, 1, 1}, {0, 0, 0}, 0}, 5, false);
}

static void want_rows_and_barriers(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int s[LIMIT];
    unsigned *sum = (unsigned *)lines.want + first;
    memset(sum, 0, n * sizeof *sum);
    for (int i = 0; i < 3; i++) {
        for (size_t l = 0; l < n; l++)
            s[l] = lines.in[first + l + i] + sum[l];
        for (size_t l = 0; l < n; l++) {
            for (size_t k = 0; k < n; k++)
                sum[l] += s[k] * ((unsigned)k + lines.a) - lines.in[l + k];
            for (int k = 0; k < lines.a; k++)
                sum[l] += lines.in[(k + i) * 2 + l];
            sum[l] += s[0] & 7;
        }
    }
}

static void rows_and_barriers(void **state)
{
    (void)state;
    for (int rounds = 0; rounds < 6; rounds += 5)
        for (size_t i = 0; i < RANGES; i++) {
            if (ranges[i].dims != 1)
                continue;
            struct arguments a = begin("rows_and_barriers");
            fill_lines(rounds, 0);
            add_pointer(&a, lines.in);
            add_pointer(&a, lines.out);
            add_local(&a, ranges[i].local[0] * sizeof(int));
            add_int(&a, rounds);
            launch(&a, &ranges[i]);
            each_group(&ranges[i], want_rows_and_barriers, &lines);
            check_lines("rows_and_barriers", &ranges[i]);
        }
}

/* ---- private memory -------------------------------------------------------------------------- */

static void want_private_array(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int s[LIMIT], a[LIMIT][8];
    for (size_t l = 0; l < n; l++) {
        for (int i = 0; i < 8; i++)
            a[l][(i * 3 + lines.a) & 7] = i * l;
        s[l] = a[l][(l + lines.a) & 7];
    }
    for (size_t l = 0; l < n; l++) {
        a[l][l & 7] = s[(l + 1) % n];
        int sum = 0;
        for (int i = 0; i < 8; i++)
            sum = (int)((unsigned)sum * 5 + a[l][(i + lines.a) & 7]);
        lines.want[first + l] = sum;
    }
}

static void private_array(void **state)
{
    (void)state;
    assert_true(begin("private_array").facts->context_per_item >= 32);
    each_line("private_array", false, 1, 1, 3, 0, want_private_array);
}

static void want_big_array(size_t group, size_t first, size_t n, void *data)
{
    (void)group;
    const struct range *r = data;
    static int a[3000];
    for (size_t l = 0; l < n; l++) {
        int g = first + l + r->offset[0];
        for (int i = 0; i < 3000; i++)
            a[i] = i * g;
        for (int i = 0; i < 3000; i++)
            a[(i * 7 + 11) % 3000] += a[(i + 11) % 3000];
        lines.want[first + l] = a[11] + a[(11 + g) % 3000];
    }
}

static void want_big_crossing(size_t group, size_t first, size_t n, void *data)
{
    (void)group;
    const struct range *r = data;
    for (size_t l = 0; l < n; l++) {
        int g = first + l + r->offset[0];
        lines.want[first + l] = (11 + 11) * g + ((11 + g) % 1500 + 11) * g;
    }
}

static void run_big(const char *kernel, group_check check)
{
    for (size_t i = 0; i < RANGES; i++) {
        if (ranges[i].dims != 1)
            continue;
        struct range r = ranges[i];
        struct arguments a = begin(kernel);
        fill_lines(0, 0);
        add_pointer(&a, lines.out - r.offset[0]);
        add_int(&a, 11);
        launch(&a, &r);
        each_group(&r, check, &r);
        check_lines(kernel, &r);
    }
}

static void big_arrays(void **state)
{
    (void)state;
    assert_true(begin("big_array").facts->context_fixed >= 12000);
    assert_int_equal(begin("big_array_crossing").facts->context_per_item, 6000);
    run_big("big_array", want_big_array);
    run_big("big_array_crossing", want_big_crossing);
}

static void odd_types(void **state)
{
    (void)state;
    static double in[64], out[64];
    for (int i = 0; i < 64; i++)
        in[i] = i % 5 * 0.25;
    struct arguments a = begin("odd_types");
    add_pointer(&a, in);
    add_pointer(&a, out);
    add_local(&a, 16 * sizeof(int));
    launch(&a, &(struct range){1, {64, 1, 1}, {16, 1, 1}, {0, 0, 0}, 0});
    for (int g = 0; g < 64; g++) {
        int flag = in[g] > 0.5, next = in[g / 16 * 16 + (g + 1) % 16] > 0.5;
        double want = in[g] * 3 + 5 + (flag ? 4 * next : 0) + in[g] + 3 + g + g + 15 + g;
        assert_true(out[g] == want + (flag ? 100 : 0));
    }
}

/* ---- arguments and the rest ------------------------------------------------------------------ */

struct pair {
    int a;
    float b[4];
    short c;
};

static void by_value(void **state)
{
    (void)state;
    static float out[64];
    struct pair p = {10, {1, 2, 3, 4}, 5}, r = {0, {100, 200, 300, 400}, 0};
    struct arguments a = begin("by_value");
    add_pointer(&a, out);
    add(&a, &p, sizeof p);
    add(&a, (float[4]){0.5f, 1, 2, 99}, 16);
    add(&a, "\x07", 1);
    add(&a, &r, sizeof r);
    launch(&a, &(struct range){1, {64, 1, 1}, {16, 1, 1}, {0, 0, 0}, 0});
    for (int g = 0; g < 64; g++)
        assert_true(out[g] == 10 + g + 11 + 5 + 3.5f + 7 + r.b[g & 3]);
}

static void divide(void **state)
{
    (void)state;
    static const int top[] = {7, -7, 0, INT32_MIN, INT32_MIN, INT32_MIN, 100, 5};
    static const int bottom[] = {2, 2, 0, -1, 0, 1, -3, 0};
    int out[32];
    struct arguments a = begin("divide");
    add_pointer(&a, top);
    add_pointer(&a, bottom);
    add_pointer(&a, out);
    launch(&a, &(struct range){1, {8, 1, 1}, {8, 1, 1}, {0, 0, 0}, 0});
    for (int g = 0; g < 8; g++) {
        int d = bottom[g] == 0 || (bottom[g] == -1 && top[g] == INT32_MIN) ? 1 : bottom[g];
        assert_int_equal(out[4 * g], top[g] / d);
        assert_int_equal(out[4 * g + 1], top[g] % d);
        unsigned u = bottom[g] ? (unsigned)bottom[g] : 1;
        assert_int_equal((unsigned)out[4 * g + 2], (unsigned)top[g] / u);
        assert_int_equal(out[4 * g + 3], top[g] / 7);
    }
}

static void called_kernels(void **state)
{
    (void)state;
    static int out[128];
    struct arguments a = begin("outer");
    assert_int_equal(a.facts->local_bytes, 512);
    add_pointer(&a, out);
    add_int(&a, 5);
    launch(&a, &(struct range){1, {128, 1, 1}, {32, 1, 1}, {0, 0, 0}, 0});
    for (int g = 0; g < 128; g++) {
        int next = g / 32 * 32 + (g + 1) % 32;
        assert_int_equal(out[g], next + 5 + 2 * next);
    }
}

static void required(void **state)
{
    (void)state;
    static int out[64];
    struct arguments a = begin("required");
    add_pointer(&a, out);
    launch(&a, &(struct range){2, {8, 8, 1}, {4, 2, 1}, {0, 0, 0}, 0});
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            assert_int_equal(out[y * 8 + x], 42 + y % 2 * 4 + x % 4);
}

static void check_printed(uint32_t offset, uint16_t kind, uint16_t lanes, uint32_t bytes,
                          const void *value)
{
    struct sl_print_arg arg;
    memcpy(&arg, printed.record + offset, sizeof arg);
    assert_int_equal(arg.kind, kind);
    assert_int_equal(arg.lanes, lanes);
    assert_int_equal(arg.elem_bytes, bytes);
    if (value)
        assert_memory_equal(printed.record + offset + sizeof arg, value, lanes * bytes);
}

static void speaks(void **state)
{
    (void)state;
    static int out[4] = {5, 5, 5, 5};
    struct arguments a = begin("speaks");
    assert_true(a.facts->flags & SL_KERNEL_USES_PRINT);
    add_pointer(&a, out);
    launch(&a, &(struct range){1, {4, 1, 1}, {2, 1, 1}, {0, 0, 0}, 0});
    assert_int_equal(printed.calls, 4);
    assert_int_equal(printed.arg_count, 7);
    assert_string_equal(printed.format, "%d %s %5.2f %v3hld %*p|%%|%c\n");
    check_printed(0, SL_PRINT_INT, 1, 4, &(int){3});
    check_printed(16, SL_PRINT_STRING, 1, 8, NULL);
    const char *text;
    memcpy(&text, printed.record + 24, sizeof text);
    assert_string_equal(text, "text");
    check_printed(32, SL_PRINT_FLOAT, 1, 8, &(double){1.5});
    check_printed(48, SL_PRINT_INT, 3, 4, (int[]){3, 2, 3});
    check_printed(72, SL_PRINT_INT, 1, 4, &(int){7});
    check_printed(88, SL_PRINT_POINTER, 1, 8, &(int *){out});
    check_printed(104, SL_PRINT_INT, 1, 4, &(int){'x'});
    assert_int_equal(printed.bytes, 120);
    for (int g = 0; g < 4; g++)
        assert_int_equal(out[g], 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ids),       cmocka_unit_test(all_ids),
        cmocka_unit_test(huge_ids),       cmocka_unit_test(huge_narrow_ids),
        cmocka_unit_test(narrow_ids),     cmocka_unit_test(edges),
        cmocka_unit_test(reduce),         cmocka_unit_test(scan),
        cmocka_unit_test(tiled_matmul),   cmocka_unit_test(both_arms),
        cmocka_unit_test(early_return),   cmocka_unit_test(do_while),
        cmocka_unit_test(nested_loops),   cmocka_unit_test(cases),
        cmocka_unit_test(shared_flag),    cmocka_unit_test(private_array),
        cmocka_unit_test(big_arrays),     cmocka_unit_test(odd_types),
        cmocka_unit_test(by_value),       cmocka_unit_test(divide),
        cmocka_unit_test(called_kernels), cmocka_unit_test(many_barriers),
        cmocka_unit_test(rows),           cmocka_unit_test(rows_and_barriers),
        cmocka_unit_test(required),       cmocka_unit_test(speaks),
    };
    if (argc < 3 || !lower_open(&code, argv[1], NULL))
        return 1;
    if (!strcmp(argv[2], "default<O0>"))
        code.pass.flags &= ~(uint32_t)SL_PASS_OPTIMIZE;
    if (sl_passes_run(&code.pass)) {
        fprintf(stderr, "%s\n", code.pass.error);
        return 1;
    }
    if (!lower_optimize(&code, argv[2]) || !lower_load(&code))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lower_close(&code);
    return failed;
}
