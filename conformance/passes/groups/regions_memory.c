/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of regions.cl against plain C: private memory, arguments, required sizes, printf. */
#include "regions_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int regions_memory(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_array), cmocka_unit_test(big_arrays),
        cmocka_unit_test(odd_types),     cmocka_unit_test(by_value),
        cmocka_unit_test(divide),        cmocka_unit_test(called_kernels),
        cmocka_unit_test(required),      cmocka_unit_test(speaks),
    };
    return cmocka_run_group_tests_name("regions_memory", tests, NULL, NULL);
}
