/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and pitches: limits, overflow, and overlap against a byte-by-byte reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rect.h"
#include "sluice/device.h"

static cl_int set(struct sl_rect *r, size_t x, size_t y, size_t z, size_t w, size_t h, size_t d,
                  size_t row, size_t slice)
{
    return sl_rect_set(r, (size_t[]){x, y, z}, (size_t[]){w, h, d}, row, slice);
}

static void test_pitches(void **state)
{
    (void)state;
    struct sl_rect r;
    assert_int_equal(set(&r, 1, 2, 3, 4, 5, 6, 0, 0), CL_SUCCESS);
    assert_int_equal(r.pitch[0], 4);
    assert_int_equal(r.pitch[1], 20);
    assert_int_equal(r.start, 1 + 2 * 4 + 3 * 20);
    assert_int_equal(r.end, r.start + 5 * 20 + 4 * 4 + 4);
    assert_int_equal(set(&r, 0, 0, 0, 4, 5, 6, 16, 96), CL_SUCCESS);
    assert_int_equal(r.end, 5 * 96 + 4 * 16 + 4);
    assert_int_equal(set(&r, 0, 0, 0, 4, 5, 6, 3, 0), CL_INVALID_VALUE);   /* row below width */
    assert_int_equal(set(&r, 0, 0, 0, 4, 5, 6, 16, 79), CL_INVALID_VALUE); /* slice below rows */
    assert_int_equal(set(&r, 0, 0, 0, 4, 5, 6, 16, 81), CL_INVALID_VALUE); /* no multiple */
    assert_int_equal(set(&r, 0, 0, 0, 0, 1, 1, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(&r, 0, 0, 0, 1, 0, 1, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(&r, 0, 0, 0, 1, 1, 0, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(sl_rect_set(&r, NULL, (size_t[]){1, 1, 1}, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(sl_rect_set(&r, (size_t[]){0, 0, 0}, NULL, 0, 0), CL_INVALID_VALUE);
}

static void test_overflow(void **state)
{
    (void)state;
    struct sl_rect r;
    const size_t big = SIZE_MAX / 2 + 1;
    assert_int_equal(set(&r, 0, 0, 0, big, 2, 1, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(&r, SIZE_MAX, 0, 0, 2, 1, 1, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(&r, 0, big, 0, 2, 1, 1, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(&r, 0, 0, big, 2, 1, 1, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(&r, 0, 0, 0, 1, 1, SIZE_MAX, 2, 4), CL_INVALID_VALUE);
    assert_int_equal(set(&r, 0, 0, 0, SIZE_MAX, 1, 1, 0, 0), CL_SUCCESS);
    assert_false(sl_range_inside(SIZE_MAX, 2, SIZE_MAX));
    assert_false(sl_range_inside(1, SIZE_MAX, SIZE_MAX));
    assert_true(sl_range_inside(1, SIZE_MAX - 1, SIZE_MAX));
    assert_true(sl_range_inside(5, 0, 5));
}

enum { SPACE = 4096 };

static void mark(unsigned char *space, const struct sl_rect *r, int bit)
{
    for (size_t z = 0; z < r->region[2]; z++)
        for (size_t y = 0; y < r->region[1]; y++)
            for (size_t x = 0; x < r->region[0]; x++)
                space[r->start + z * r->pitch[1] + y * r->pitch[0] + x] |= (unsigned char)bit;
}

static bool share_bytes(const struct sl_rect *a, const struct sl_rect *b)
{
    static unsigned char space[SPACE];
    memset(space, 0, sizeof space);
    mark(space, a, 1);
    mark(space, b, 2);
    return memchr(space, 3, sizeof space);
}

/* Different pitches: exact. Equal pitches: the spec's algorithm, which may only err towards
 * overlap, and does not err when no row wraps around. */
static void test_overlap(void **state)
{
    (void)state;
    unsigned seed = 12, overlaps = 0, equal_pitch_misses = 0;
    for (int i = 0; i < 20000; i++) {
#define R(n) ((size_t)rand_r(&seed) % (n))
        size_t region[3] = {1 + R(6), 1 + R(4), 1 + R(3)};
        size_t row = region[0] + R(8), rows = region[1] + R(3);
        bool same = R(2);
        size_t row2 = same ? row : region[0] + R(8), rows2 = same ? rows : region[1] + R(3);
        struct sl_rect a, b;
        assert_int_equal(
            sl_rect_set(&a, (size_t[]){R(row), R(rows), R(3)}, region, row, row * rows),
            CL_SUCCESS);
        assert_int_equal(
            sl_rect_set(&b, (size_t[]){R(row2), R(rows2), R(3)}, region, row2, row2 * rows2),
            CL_SUCCESS);
        assert_true(a.end <= SPACE && b.end <= SPACE);
        bool want = share_bytes(&a, &b), got = sl_rects_overlap(&a, &b);
        overlaps += want;
        assert_int_equal(got, sl_rects_overlap(&b, &a));
        if (!same)
            assert_int_equal(got, want);
        else if (want)
            assert_true(got);
        else
            equal_pitch_misses += got;
    }
    assert_true(overlaps > 1000 && overlaps < 19000);
    assert_true(equal_pitch_misses < 2000);
}

static void test_images(void **state)
{
    (void)state;
    size_t pitch[2], span;
    assert_true(sl_pitches_set(pitch, (size_t[]){10, 4, 3}, 4, 0, 0, &span));
    assert_int_equal(pitch[0], 40);
    assert_int_equal(pitch[1], 160);
    assert_int_equal(span, 480);
    assert_true(sl_pitches_set(pitch, (size_t[]){10, 4, 3}, 4, 64, 300, &span));
    assert_int_equal(span, 2 * 300 + 3 * 64 + 40);
    assert_int_equal(sl_origin_bytes((size_t[]){2, 3, 1}, 4, pitch), 8 + 192 + 300);
    assert_false(sl_pitches_set(pitch, (size_t[]){10, 4, 3}, 4, 39, 0, &span));
    assert_false(sl_pitches_set(pitch, (size_t[]){10, 4, 3}, 4, 64, 255, &span));
    assert_false(sl_pitches_set(pitch, (size_t[]){SIZE_MAX / 2, 4, 3}, 4, 0, 0, &span));
    const size_t extent[3] = {8, 8, 1};
    assert_true(sl_region_inside((size_t[]){0, 0, 0}, extent, extent));
    assert_false(sl_region_inside((size_t[]){1, 0, 0}, extent, extent));
    assert_false(sl_region_inside((size_t[]){0, 0, 0}, (size_t[]){1, 1, 0}, extent));
    assert_false(sl_region_inside((size_t[]){SIZE_MAX, 0, 0}, (size_t[]){2, 1, 1}, extent));
    assert_true(sl_boxes_overlap((size_t[]){0, 0, 0}, (size_t[]){3, 3, 0}, (size_t[]){4, 4, 1}));
    assert_false(sl_boxes_overlap((size_t[]){0, 0, 0}, (size_t[]){4, 3, 0}, (size_t[]){4, 4, 1}));
}

static void test_copy(void **state)
{
    (void)state;
    struct sl_rect dst, src;
    struct sl_copy copy;
    assert_int_equal(set(&dst, 0, 0, 0, 4, 5, 6, 16, 96), CL_SUCCESS);
    assert_int_equal(set(&src, 0, 0, 0, 4, 5, 6, 0, 0), CL_SUCCESS);
    sl_rect_copy(&copy, &dst, &src);
    assert_int_equal(copy.region[2], 6);
    assert_int_equal(copy.dst_pitch[1], 96);
    assert_int_equal(copy.src_pitch[0], 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pitches), cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_overlap), cmocka_unit_test(test_images),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
