/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of a kernel's work: values, beside the same in C, and rules that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "program/object/work_rule.h"
#include "sluice/work_rule.h"

static const struct sl_arg_info args[] = {
    {.kind = SL_ARG_VALUE, .size = 4, .offset = 0},
    {.kind = SL_ARG_VALUE, .size = 8, .offset = 8},
    {.kind = SL_ARG_GLOBAL, .size = 8, .offset = 16},
    {.kind = SL_ARG_VALUE, .size = 2, .offset = 24},
};

static uint64_t work(const char *rule, int32_t a, int64_t b, int16_t c)
{
    unsigned char values[32] = {0};
    const struct sl_kernel_info info = {.args = args, .arg_count = 4, .work_rule = rule};
    memcpy(values, &a, sizeof a);
    memcpy(values + 8, &b, sizeof b);
    memcpy(values + 24, &c, sizeof c);
    return sl_work_by_rule(&info, values);
}

static void test_values(void **state)
{
    (void)state;
    static const int32_t numbers[] = {0, 1, -1, 7, 1000, INT32_MAX, INT32_MIN};
    for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        int32_t a = numbers[k];
        uint32_t u = (uint32_t)a;
        assert_int_equal(work("a0.32", a, 0, 0), u);
        assert_int_equal(work("a0.16", a, 0, 0), u & 0xffff);
        assert_int_equal(work("a0.32 s32.64", a, 0, 0), (uint64_t)(int64_t)a);
        assert_int_equal(work("a0.32 t5", a, 0, 0), u & 31);
        assert_int_equal(work("a0.32 3 +32", a, 0, 0), u + 3);
        assert_int_equal(work("a0.32 3 *32", a, 0, 0), u * 3);
        assert_int_equal(work("a0.32 3 /32", a, 0, 0), u / 3);
        assert_int_equal(work("a0.32 5 G32", a, 0, 0), a > 5 ? u : 5);
        assert_int_equal(work("a0.32 5 L32", a, 0, 0), a < 5 ? u : 5);
        assert_int_equal(work("a0.32 5 g32", a, 0, 0), u > 5 ? u : 5);
        assert_int_equal(work("a0.32 5 l32", a, 0, 0), u < 5 ? u : 5);
        assert_int_equal(work("5 a0.32 l32", a, 0, 0), u < 5 ? u : 5);
    }
    assert_int_equal(work("a1.64", 0, -3, 0), (uint64_t)-3);
    assert_int_equal(work("a3.16 s16.64 a1.64 +64", 0, 10, -4), 6);
    assert_int_equal(work("4 a0.32 10 P S", 6, 0, 0), 64);
    assert_int_equal(work("a1.64 a1.64 P", 0, -3, 0), UINT64_MAX);
    assert_int_equal(work("a1.64 4 S", 0, -3, 0), UINT64_MAX);
}

/* None has a value, and nothing beyond the arguments is read. */
static void test_refused(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "",
        " ",
        "1 2",
        "1  2 S",
        "+32",
        "1 +32",
        "S",
        "1 S",
        "1 2 +",
        "1 2 +0",
        "1 2 +65",
        "1 2 ?32",
        "a4.32",
        "a0.64",
        "a0.12",
        "a2.64",
        "a0",
        "a0.",
        "a.32",
        "ax.32",
        "1 s0.64",
        "1 s8",
        "1 s8.65",
        "s8.16",
        "t8",
        "1 t",
        "1x",
        "-1",
        "1 0 /32",
        "1 2 S3",
        "a3.32",
        "99999999999999999999",
        "a99999999999999999999.8",
        "1 2 +99999999999999999999",
    };
    for (unsigned k = 0; k < sizeof rules / sizeof *rules; k++)
        assert_int_equal(work(rules[k], 3, 3, 3), UINT64_MAX);
    char deep[2 * SL_WORK_RULE_DEPTH + 3] = "";
    for (unsigned k = 0; k <= SL_WORK_RULE_DEPTH; k++)
        strcat(deep, k ? " 1" : "1");
    assert_int_equal(work(deep, 0, 0, 0), UINT64_MAX);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("unit.work_rule", tests, NULL, NULL);
}
