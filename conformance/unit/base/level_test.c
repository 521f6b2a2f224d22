/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of processors: which runs the code of which, and that this machine runs what it is said to
 * be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sluice/base/level.h"
#include "sluice/base/target.h"

static const char *const best_first[] = {"avx512amx", "avx512bf16", "avx512icl",
                                         "avx512",    "avx2",       "sse4.2"};
#define COUNT (sizeof best_first / sizeof *best_first)

static void a_level_runs_what_is_below(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT; i++) {
        const struct sl_level *level = sl_level_at(i);
        char target[64];
        snprintf(target, sizeof target, "x86_64:%s", best_first[i]);
        assert_string_equal(level->name, best_first[i]);
        assert_string_equal(level->target, target);
        assert_ptr_equal(sl_level_find(best_first[i]), level);
        assert_ptr_equal(sl_level_find(target), level);
        for (unsigned k = 0; k < COUNT; k++)
            assert_int_equal(sl_target_suits(sl_level_at(k)->target, target) != 0, k >= i);
    }
    assert_null(sl_level_at(COUNT));
    assert_null(sl_level_find("avx10"));
}

static void other_targets_run_their_own(void **state)
{
    (void)state;
    assert_true(sl_target_suits("riscv64:card", "riscv64:card"));
    assert_false(sl_target_suits("x86_64:sse4.2", "riscv64:card"));
    assert_false(sl_target_suits("riscv64:card", "x86_64:avx512icl"));
    assert_false(sl_target_suits("riscv64:card", "riscv64:card2"));
}

/* /proc/cpuinfo lists what the kernel knows of the processor. */
static void this_machine_has_what_its_level_says(void **state)
{
    static const char *const words[COUNT] = {" amx_int8 ", " avx512_bf16 ", " avx512_vnni ",
                                             " avx512bw ", " avx2 ",        " sse4_2 "};
    char line[8192];
    FILE *f = fopen("/proc/cpuinfo", "r");
    (void)state;
    if (!f)
        skip();
    while (fgets(line, sizeof line, f) && strncmp(line, "flags", 5))
        ;
    fclose(f);
    if (strncmp(line, "flags", 5))
        skip();
    line[strcspn(line, "\n")] = ' ';
    for (unsigned i = 0; i < COUNT; i++)
        if (sl_target_suits(sl_level_at(i)->target, sl_level_host()->target))
            assert_non_null(strstr(line, words[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_level_runs_what_is_below),
                                       cmocka_unit_test(other_targets_run_their_own),
                                       cmocka_unit_test(this_machine_has_what_its_level_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
