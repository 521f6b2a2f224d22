/* SPDX-License-Identifier: Apache-2.0 */
/* Which machine runs which code (PI-13), and which of several images a device takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/values.h"
#include "common/kernel/select_image.h"
#include "sluice/base/target.h"

static void test_suits(void **state)
{
    static const char *const levels[] = {"x86_64:generic", "x86_64:sse4.2", "x86_64:avx2",
                                         "x86_64:avx512"};
    (void)state;
    for (uint32_t image = 0; image < 4; image++)
        for (uint32_t machine = 0; machine < 4; machine++)
            assert_int_equal(sl_target_suits(levels[image], levels[machine]),
                             image == machine  ? SL_TARGET_EXACT
                             : image > machine ? 0
                                               : image + SL_TARGET_GENERIC);
    assert_int_equal(sl_target_suits("x86_64", "x86_64:avx2"), SL_TARGET_GENERIC);
    assert_int_equal(sl_target_suits("x86_64:avx2", "x86_64"), 0);
    assert_int_equal(sl_target_suits("acme:b,a", "acme:a,b,c"), SL_TARGET_GENERIC + 2);
    assert_int_equal(sl_target_suits("acme:a,d", "acme:a,b,c"), 0);
    assert_int_equal(sl_target_suits("acme:a,avx2", "acme:avx512,a"), SL_TARGET_GENERIC + 3);
    assert_int_equal(sl_target_suits("acme:ab", "acme:abc"), 0);
    assert_int_equal(sl_target_suits("acme:abc", "acme:ab"), 0);
    assert_int_equal(sl_target_suits("aarch64:generic", "x86_64:avx2"), 0);
    assert_int_equal(sl_target_suits("x86_64:test", "x86_64:other"), 0);
    assert_int_equal(sl_target_suits("", "x86_64:avx2"), 0);
    assert_int_equal(sl_target_suits("", ""), SL_TARGET_EXACT);
    assert_true(sl_target_akin("x86_64:avx512", "x86_64:avx2"));
    assert_false(sl_target_akin("x86_6", "x86_64:avx2"));
    assert_false(sl_target_akin("", ""));
}

/* ---- the helper for authors ------------------------------------------------------------------ */

static struct sl_program_ops programs = {.size = sizeof programs};

static const void *query(struct sl_device *device, const char *name)
{
    (void)device;
    return strcmp(name, SL_QUERY_PROGRAMS) ? NULL : &programs;
}

static const struct sl_device_ops ops = {.abi = SL_DEVICE_ABI, .size = sizeof ops, .query = query};

static const unsigned char words[] = {3, 2, 0x23, 7, 0, 0, 1, 0}, turned[] = {7, 0x23, 2, 3},
                           bitcode[] = {'B', 'C', 0xc0, 0xde, 1};

#define IMAGE(form, name, bytes) {form, bytes, sizeof(bytes), name}

static void expect(uint32_t features, uint32_t forms, const struct sl_program_part *images,
                   uint32_t count, int64_t want)
{
    struct sl_device device = {.ops = &ops,
                               .caps = {.target = "x86_64:avx512", .features = features}};
    uint32_t index = 77;
    programs.forms = forms;
    assert_int_equal(sluice_select_image(&device, images, count, &index),
                     want < 0 ? SL_INVALID_BINARY : 0);
    assert_int_equal(index, want < 0 ? 77 : want);
}

static const struct sl_program_part all[] = {
    IMAGE(SL_PROGRAM_SPIRV, "spir64_x86_64", words),
    IMAGE(0, "spir64", bitcode),
    IMAGE(0, "spir64", turned),
    IMAGE(SL_PROGRAM_SPIRV, "spir64_fpga", words),
    IMAGE(SL_PROGRAM_OWN, "x86_64:generic", "code"),
    IMAGE(SL_PROGRAM_OWN, "x86_64:sse4.2", "code"),
    IMAGE(0, "x86_64:avx2", "code"),
    IMAGE(SL_PROGRAM_OWN, "x86_64:avx2", "code"),
    IMAGE(SL_PROGRAM_OWN, "x86_64:avx512", "code"),
    IMAGE(SL_PROGRAM_OWN, "x86_64:avx512,amx", "code"),
    IMAGE(SL_PROGRAM_OWN, "nvptx64", "code"),
};

/* Without the best one the next best: from the end of the table. */
static void test_order(void **state)
{
    static const int64_t best[] = {-1, -1, 1, 2, 3, 4, 5, 6, 6, 8, 8, 8};
    (void)state;
    for (uint32_t count = 0; count < 12; count++)
        expect(SL_FEATURE_IL | SL_FEATURE_DATAFLOW, SL_PROGRAM_IR, all, count, best[count]);
}

static void test_forms(void **state)
{
    (void)state;
    expect(SL_FEATURE_IL, SL_PROGRAM_IR, all, 4, 2); /* no dataflow device */
    expect(0, SL_PROGRAM_IR, all, 4, 1);             /* takes no SPIR-V */
    expect(0, SL_PROGRAM_SPIRV, all, 4, 2);
    expect(0, 0, all, 4, -1);
    expect(0, 0, &all[9], 2, -1);
    expect(0, SL_PROGRAM_OWN, &(struct sl_program_part){SL_PROGRAM_OWN, "x", 1, NULL}, 1, -1);
    expect(SL_FEATURE_IL, 0, &(struct sl_program_part){SL_PROGRAM_SPIRV, words, 8, NULL}, 1, 0);
    expect(SL_FEATURE_IL, 0, &(struct sl_program_part){0, words, 3, "spir64"}, 1, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suits),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
