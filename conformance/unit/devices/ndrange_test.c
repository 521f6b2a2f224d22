/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting an ND-range: counts beyond 32 bits, local sizes that nobody chose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/kernel/ndrange.h"

static void splits_64_bit_counts(void **state)
{
    (void)state;
    struct sl_launch l;
    struct sl_launch_args args = {
        .work_dim = 2, .global_size = {(size_t)1 << 35, 3}, .local_size = {1, 2}};
    uint64_t total;
    assert_true(sl_ndrange_init(&l, &args, &total));
    assert_int_equal(total, (uint64_t)2 << 35);
    assert_int_equal(l.global_size[2], 1);
}

static void suggests_divisors(void **state)
{
    (void)state;
    static const size_t globals[][3] = {
        {1, 1, 1},      {64, 1, 1},     {1000, 1, 1},   {1 << 20, 1, 1}, {1000003, 1, 1},
        {999999, 1, 1}, {512, 512, 1},  {1021, 769, 1}, {1920, 1080, 1}, {160, 160, 160},
        {4, 4096, 4},   {131073, 1, 1}, {7, 11, 13},    {4096, 4096, 1}, {3, 1 << 20, 1}};
    static const uint32_t flags[] = {0, SL_KERNEL_FLAT, SL_KERNEL_USES_BARRIER,
                                     SL_KERNEL_FLAT | SL_KERNEL_ROWS_IN_STEP};
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            struct sl_kernel_info kernel = {.flags = flags[f], .vector_width = 16};
            size_t local[3];
            sl_ndrange_suggest(&kernel, 3, globals[i], 2, 4096, local);
            for (int d = 0; d < 3; d++)
                assert_int_equal(globals[i][d] % local[d], 0);
            assert_in_range(local[0] * local[1] * local[2], 1, 4096);
            kernel.max_work_group_size = 8;
            sl_ndrange_suggest(&kernel, 3, globals[i], 2, 4096, local);
            assert_in_range(local[0] * local[1] * local[2], 1, 8);
        }
    }
    const struct sl_kernel_info fixed = {.reqd_size = {4, 2, 1}};
    size_t local[3];
    sl_ndrange_suggest(&fixed, 2, (size_t[]){64, 64, 1}, 2, 4096, local);
    assert_int_equal(local[0], 4);
    assert_int_equal(local[1], 2);
    const struct sl_kernel_info plain = {.vector_width = 16};
    sl_ndrange_suggest(&plain, 1, (size_t[]){1 << 20, 1, 1}, 2, 4096, local);
    assert_int_equal(local[0], 1024);
}

/* Few rows are left over where several go in step; groups are as large as others. */
static void suggests_several_rows(void **state)
{
    (void)state;
    static const struct row {
        size_t global[3], rows;
    } rows[] = {{{512, 512, 1}, 8}, {{512, 12, 1}, 4}, {{512, 1001, 1}, 13}, {{512, 7, 1}, 7},
                {{512, 2, 1}, 1},   {{48, 60, 3}, 4},  {{512, 1021, 1}, 1},  {{512, 36, 1}, 4},
                {{512, 1, 1}, 1},   {{16, 4, 1}, 1}};
    const struct sl_kernel_info kernel = {.flags = SL_KERNEL_FLAT | SL_KERNEL_ROWS_IN_STEP,
                                          .vector_width = 16};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t local[3];
        sl_ndrange_suggest(&kernel, 3, rows[i].global, 2, 4096, local);
        assert_int_equal(local[1], rows[i].rows);
        assert_in_range(local[0] * local[1] * local[2], 1, 1024);
    }
}

/* How many groups there are. */
static uint64_t open_launch(struct sl_launch *launch, const size_t global[3], const size_t local[3])
{
    struct sl_launch_args args = {.work_dim = 3};
    uint64_t total;
    memcpy(args.global_size, global, sizeof args.global_size);
    memcpy(args.local_size, local, sizeof args.local_size);
    assert_true(sl_ndrange_init(launch, &args, &total));
    return total;
}

static void joins_rows(void **state)
{
    (void)state;
    static const struct row {
        uint32_t flags;
        size_t global[3], local[3], rows;
    } rows[] = {{0, {512, 512, 1}, {64, 1, 1}, 8},
                {0, {512, 511, 2}, {64, 1, 1}, 8},
                {SL_KERNEL_UNIFORM_GROUPS, {512, 60, 3}, {64, 2, 1}, 4},
                {SL_KERNEL_UNIFORM_GROUPS, {512, 509, 1}, {64, 1, 1}, 1},
                {0, {512, 512, 1}, {64, 4, 1}, 4},
                {0, {512, 512, 1}, {4096, 1, 1}, 1},
                {0, {1 << 20, 512, 1}, {1 << 20, 1, 1}, 1},
                {0, {64, 16, 1}, {64, 1, 1}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct sl_kernel_info kernel = {.flags = r->flags | SL_KERNEL_FLAT};
        struct sl_launch launch;
        uint64_t total = open_launch(&launch, r->global, r->local), joined = total;
        sl_ndrange_join_rows(&kernel, &launch, 2, &joined);
        assert_int_equal(launch.local_size[1], r->local[1]);
        assert_int_equal(joined, total);
        kernel.flags |= SL_KERNEL_ROWS_IN_STEP;
        kernel.reqd_size[0] = 64; /* code that counts on it */
        sl_ndrange_join_rows(&kernel, &launch, 2, &joined);
        assert_int_equal(joined, total);
        kernel.reqd_size[0] = 0;
        sl_ndrange_join_rows(&kernel, &launch, 2, &joined);
        assert_int_equal(launch.local_size[1], r->rows);
        assert_int_equal(launch.group_count[1], (r->global[1] + r->rows - 1) / r->rows);
        assert_int_equal(joined,
                         launch.group_count[0] * launch.group_count[1] * launch.group_count[2]);
    }
}

/* Rows of a few items are less than a call each. */
static void joins_narrow_rows(void **state)
{
    (void)state;
    static const struct row {
        uint32_t flags;
        size_t global[3], local[3], rows;
    } rows[] = {
        {SL_KERNEL_FLAT, {1, 1 << 20, 1}, {1, 1, 1}, 1024},
        {SL_KERNEL_FLAT, {1, 1000003, 1}, {1, 1, 1}, 1024},
        {SL_KERNEL_FLAT, {3, 99999, 2}, {3, 3, 1}, 341},
        {SL_KERNEL_FLAT, {64, 5000, 1}, {1, 1, 1}, 16},
        {SL_KERNEL_FLAT, {65, 5000, 1}, {1, 1, 1}, 1},
        {SL_KERNEL_FLAT, {1, 64, 1}, {1, 1, 1}, 1}, /* threads would have nothing to share */
        {SL_KERNEL_FLAT, {1, 1 << 20, 1}, {1, 1000, 1}, 1000},
        {SL_KERNEL_FLAT | SL_KERNEL_UNIFORM_GROUPS, {1, 1 << 20, 1}, {1, 1, 1}, 1024},
        {SL_KERNEL_FLAT | SL_KERNEL_UNIFORM_GROUPS, {1, 1000003, 1}, {1, 1, 1}, 1},
        {SL_KERNEL_FLAT | SL_KERNEL_UNIFORM_GROUPS, {2, 45000, 1}, {1, 2, 1}, 500},
        {0, {1, 1 << 20, 1}, {1, 1, 1}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct sl_kernel_info kernel = {.flags = r->flags};
        struct sl_launch launch;
        uint64_t total = open_launch(&launch, r->global, r->local);
        sl_ndrange_join_rows(&kernel, &launch, 2, &total);
        assert_int_equal(launch.local_size[1], r->rows);
        assert_int_equal(launch.group_count[1], (r->global[1] + r->rows - 1) / r->rows);
        assert_int_equal(total,
                         launch.group_count[0] * launch.group_count[1] * launch.group_count[2]);
    }
}

static void turns(void **state)
{
    (void)state;
    const struct sl_kernel_info kernel = {.flags = SL_KERNEL_FLAT | SL_KERNEL_INTERCHANGED_2,
                                          .vector_width = 8};
    const struct sl_launch_args args = {.work_dim = 3,
                                        .global_offset = {1, 2, 3},
                                        .global_size = {10, 20, 64},
                                        .local_size = {5, 4, 16}};
    const size_t wanted[][3] = {{3, 2, 1}, {64, 20, 10}, {16, 4, 5}, {4, 5, 2}};
    struct sl_launch launch;
    uint64_t total;
    size_t local[3];
    assert_true(sl_ndrange_init(&launch, &args, &total));
    sl_ndrange_interchange(&kernel, &launch);
    assert_memory_equal(launch.global_offset, wanted[0], sizeof wanted[0]);
    assert_memory_equal(launch.global_size, wanted[1], sizeof wanted[1]);
    assert_memory_equal(launch.local_size, wanted[2], sizeof wanted[2]);
    assert_memory_equal(launch.group_count, wanted[3], sizeof wanted[3]);
    sl_ndrange_suggest(&kernel, 3, (size_t[]){1, 3, 4096}, 2, 4096, local);
    assert_int_equal(local[0], 1);
    assert_in_range(local[2], 8, 4096);
    assert_int_equal(4096 % local[2], 0);
}

/* Few items along what would become dimension 0, and many along what is. */
static void chooses_form(void **state)
{
    (void)state;
    static const struct row {
        uint32_t flags;
        size_t size[3];
        uint16_t form;
    } rows[] = {{SL_KERNEL_BOTH_FORMS, {1000, 7, 2}, 1}, {SL_KERNEL_BOTH_FORMS, {1000, 8, 2}, 0},
                {SL_KERNEL_BOTH_FORMS, {7, 7, 9}, 0},    {SL_KERNEL_BOTH_FORMS, {8, 7, 1}, 1},
                {SL_KERNEL_BOTH_FORMS, {1, 1, 1}, 1},    {SL_KERNEL_BOTH_FORMS, {1, 1, 300}, 1},
                {SL_KERNEL_BOTH_FORMS, {1, 2, 1}, 0},    {0, {1000, 7, 2}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        const struct sl_kernel_info kernel = {
            .flags = r->flags | SL_KERNEL_FLAT | SL_KERNEL_INTERCHANGED_1, .vector_width = 8};
        struct sl_launch launch;
        open_launch(&launch, r->size, (size_t[]){1, 1, 1});
        sl_ndrange_interchange(&kernel, &launch);
        assert_int_equal(launch.form, r->form);
        assert_int_equal(launch.global_size[0], r->size[!r->form]);
        assert_int_equal(launch.global_size[1], r->size[r->form]);
    }
}

/* Where groups are run one by one their rows are what counts. */
static void chooses_form_by_group(void **state)
{
    (void)state;
    static const struct {
        size_t local[3];
        uint16_t form;
    } rows[] = {{{1, 16, 1}, 0}, {{16, 16, 1}, 0}, {{4, 4, 1}, 0}, {{64, 4, 1}, 1},
                {{64, 8, 1}, 0}, {{1, 1, 1}, 1},   {{2, 1, 1}, 1}, {{1, 3, 1}, 0}};
    const struct sl_kernel_info kernel = {.flags = SL_KERNEL_BOTH_FORMS | SL_KERNEL_INTERCHANGED_1,
                                          .vector_width = 8};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_launch launch;
        open_launch(&launch, (size_t[]){1024, 1024, 1}, rows[i].local);
        sl_ndrange_interchange(&kernel, &launch);
        assert_int_equal(launch.form, rows[i].form);
        assert_int_equal(launch.local_size[0], rows[i].local[!rows[i].form]);
        assert_int_equal(launch.local_size[1], rows[i].local[rows[i].form]);
    }
}

/* Vectors always, pages where there are enough of them. */
static void cuts_between(void **state)
{
    (void)state;
    static const struct row {
        uint32_t flags;
        size_t global[3], local[3];
        uint64_t grain;
    } rows[] = {{SL_KERNEL_FLAT, {1 << 20, 1, 1}, {1024, 1, 1}, 1},
                {SL_KERNEL_FLAT, {1 << 20, 1, 1}, {64, 1, 1}, 16},
                {SL_KERNEL_FLAT, {1 << 18, 1, 1}, {64, 1, 1}, 16},
                {SL_KERNEL_FLAT, {(1 << 18) - 64, 1, 1}, {64, 1, 1}, 1},
                {SL_KERNEL_FLAT, {10000000, 1, 1}, {100, 1, 1}, 256},
                {SL_KERNEL_FLAT, {1000000, 1, 1}, {100, 1, 1}, 2},
                {SL_KERNEL_FLAT, {1 << 10, 1 << 10, 1}, {5, 1, 1}, 8},
                {SL_KERNEL_FLAT, {1 << 10, 1 << 10, 1}, {4, 16, 1}, 2},
                {SL_KERNEL_FLAT, {1 << 20, 1, 1}, {1, 1, 1}, 1024},
                {SL_KERNEL_FLAT, {1 << 10, 1 << 10, 1}, {1, 1, 1}, 8},
                {SL_KERNEL_FLAT, {1 << 20, 2, 1}, {64, 1, 1}, 1},
                {0, {1 << 20, 1, 1}, {1, 1, 1}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        const struct sl_kernel_info kernel = {.flags = r->flags, .vector_width = 8};
        struct sl_launch launch;
        uint64_t total = open_launch(&launch, r->global, r->local);
        assert_int_equal(sl_ndrange_grain(&kernel, &launch, total), r->grain);
    }
}

static void makes_tiles(void **state)
{
    (void)state;
    static const struct row {
        uint32_t flags;
        size_t global[3], local[3], wanted[2];
    } rows[] = {{0, {512, 511, 2}, {64, 1, 1}, {8, 64}},
                {0, {509, 40, 9}, {509, 1, 1}, {8, 40}},
                {SL_KERNEL_UNIFORM_GROUPS, {512, 96, 1}, {64, 2, 1}, {8, 48}},
                {SL_KERNEL_UNIFORM_GROUPS, {509, 512, 1}, {509, 1, 1}, {509, 1}},
                {0, {512, 7, 1}, {64, 1, 1}, {64, 1}},
                {0, {16, 64, 1}, {16, 1, 1}, {16, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        const struct sl_kernel_info kernel = {.flags = r->flags | SL_KERNEL_FLAT | SL_KERNEL_TILES,
                                              .vector_width = 8};
        struct sl_launch launch;
        uint64_t total = open_launch(&launch, r->global, r->local);
        sl_ndrange_make_tiles(&kernel, &launch, 2, &total);
        assert_memory_equal(launch.local_size, r->wanted, sizeof r->wanted);
        for (unsigned d = 0; d < 2; d++)
            assert_int_equal(launch.group_count[d],
                             (r->global[d] + r->wanted[d] - 1) / r->wanted[d]);
        assert_int_equal(total,
                         launch.group_count[0] * launch.group_count[1] * launch.group_count[2]);
    }
}

static uint64_t calls;
static void count_call(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args, (void)launch, (void)group;
    calls++;
}

/* Where there are no tiles a row of groups is one call, as without the flag. */
static void calls_each_tile(void **state)
{
    (void)state;
    static const struct row {
        size_t global[3], local[3];
        uint64_t calls;
    } rows[] = {{{64, 64, 1}, {8, 32, 1}, 16},
                {{1021, 3, 1}, {1, 1, 1}, 3},
                {{1024, 2, 2}, {16, 1, 1}, 4},
                {{1021, 32, 1}, {1, 16, 1}, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sl_kernel_info kernel = {.flags = SL_KERNEL_FLAT | SL_KERNEL_TILES,
                                              .run = count_call};
        const struct sl_arena arena = {.local = NULL};
        struct sl_launch launch;
        uint64_t total = open_launch(&launch, rows[i].global, rows[i].local);
        calls = 0;
        sl_ndrange_run(&kernel, NULL, &launch, &arena, launch.group_count[0], 0, total);
        assert_int_equal(calls, rows[i].calls);
    }
}

/* ---- strips ---------------------------------------------------------------------------------- */

static void chooses_strips(void **state)
{
    (void)state;
    static const struct row {
        uint32_t flags, item_ps;
        size_t global[3], local[3];
        uint64_t strip;
    } rows[] = {{SL_KERNEL_FLAT, 40000, {1088, 1024, 1}, {16, 16, 1}, 4},
                {SL_KERNEL_FLAT, 40000, {1024, 1088, 1}, {16, 16, 1}, 64},
                {SL_KERNEL_FLAT, 40000, {1000, 999, 3}, {20, 1, 1}, 8},
                {SL_KERNEL_FLAT, 40000, {1280, 1024, 1}, {3, 1, 1}, 32},
                {SL_KERNEL_FLAT, 40000, {1280, 1024, 1}, {256, 1, 1}, 1},
                {SL_KERNEL_USES_BARRIER, 40000, {1088, 1088, 1}, {16, 16, 1}, 4},
                {SL_KERNEL_USES_BARRIER, 40000, {1024, 1088, 1}, {16, 16, 1}, 64},
                {SL_KERNEL_USES_BARRIER, 500, {1088, 1088, 1}, {16, 16, 1}, 68},
                {0, 40000, {1088, 1088, 1}, {16, 16, 1}, 68},
                {SL_KERNEL_FLAT, 0, {1088, 1088, 1}, {16, 16, 1}, 68},
                {SL_KERNEL_FLAT, 500, {1088, 1088, 1}, {16, 16, 1}, 68},
                {SL_KERNEL_FLAT, 40000, {1088, 1, 1}, {16, 1, 1}, 68},
                {SL_KERNEL_FLAT, 40000, {96, 1024, 1}, {16, 16, 1}, 6},
                {SL_KERNEL_FLAT | SL_KERNEL_TILES, 40000, {1088, 1088, 1}, {16, 16, 1}, 68},
                {SL_KERNEL_USES_PRINT, 40000, {1088, 1088, 1}, {16, 16, 1}, 68}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        const struct sl_kernel_info kernel = {.flags = r->flags, .vector_width = 32};
        struct sl_launch launch;
        uint64_t total = open_launch(&launch, r->global, r->local),
                 grain = sl_ndrange_grain(&kernel, &launch, total);
        assert_int_equal(sl_ndrange_strip(&kernel, &launch, r->item_ps, grain), r->strip);
    }
}

enum { COLUMNS = 11, ROWS = 7, PLANES = 3 };
static unsigned order[PLANES][ROWS][COLUMNS], turn;

static void note_order(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    for (size_t k = 0; k < group->count; k++) {
        assert_true(group->id[0] + k < COLUMNS && group->id[1] < ROWS && group->id[2] < PLANES);
        unsigned *at = &order[group->id[2]][group->id[1]][group->id[0] + k];
        assert_int_equal(*at, 0);
        *at = ++turn;
    }
}

/* Each group once, whatever the chunks are, in the order of the strips. */
static void runs_strips(void **state)
{
    (void)state;
    const struct sl_kernel_info kernel = {.flags = SL_KERNEL_FLAT, .run = note_order};
    const struct sl_arena arena = {.local = NULL};
    struct sl_launch launch;
    uint64_t total = open_launch(&launch, (size_t[]){COLUMNS, ROWS, PLANES}, (size_t[]){1, 1, 1});
    for (uint64_t strip = 1; strip <= COLUMNS; strip++)
        for (uint64_t chunk = 1; chunk <= total; chunk += 1 + chunk / 2) {
            memset(order, 0, sizeof order);
            turn = 0;
            for (uint64_t at = 0; at < total; at += chunk)
                sl_ndrange_run(&kernel, NULL, &launch, &arena, strip, at,
                               chunk < total - at ? chunk : total - at);
            unsigned want = 0;
            for (size_t z = 0; z < PLANES; z++)
                for (size_t from = 0; from < COLUMNS; from += strip)
                    for (size_t y = 0; y < ROWS; y++)
                        for (size_t x = from; x < from + strip && x < COLUMNS; x++)
                            assert_int_equal(order[z][y][x], ++want);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_64_bit_counts),  cmocka_unit_test(suggests_divisors),
        cmocka_unit_test(suggests_several_rows), cmocka_unit_test(joins_rows),
        cmocka_unit_test(joins_narrow_rows),     cmocka_unit_test(turns),
        cmocka_unit_test(chooses_form),          cmocka_unit_test(chooses_form_by_group),
        cmocka_unit_test(cuts_between),          cmocka_unit_test(makes_tiles),
        cmocka_unit_test(calls_each_tile),       cmocka_unit_test(chooses_strips),
        cmocka_unit_test(runs_strips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
