/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of regions.cl against plain C: the ids that items see, in whole and in cut groups. */
#include "regions_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int regions_ids(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ids),         cmocka_unit_test(flat_ids),   cmocka_unit_test(huge_ids),
        cmocka_unit_test(huge_narrow_ids), cmocka_unit_test(narrow_ids), cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests_name("regions_ids", tests, NULL, NULL);
}
