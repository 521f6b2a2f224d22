/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of work-groups: large blocks are address space until they are touched, and are given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/values.h"
#include "common/memory/arena.h"
#include "sluice/module.h"

#define MIB ((size_t)1 << 20)

static size_t resident(void *at, size_t bytes)
{
    static unsigned char pages[64 << 8];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = bytes / page, there = 0;
    assert_true(count <= sizeof pages);
    assert_int_equal(mincore(at, bytes, pages), 0);
    for (size_t i = 0; i < count; i++)
        there += pages[i] & 1;
    return there * page;
}

static void test_sizes(void **state)
{
    static const size_t sizes[] = {1, 4096, 4097, 131071, 131072, 131073, 3 * MIB + 1, 64 * MIB};
    struct sl_arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(sl_arena_reserve(&arena, sizes[i], sizes[i] / 3), 0);
        assert_true(arena.local_bytes >= sizes[i] && arena.context_bytes >= sizes[i] / 3);
        assert_int_equal((uintptr_t)arena.local % SL_LOCAL_ALIGN, 0);
        assert_int_equal((uintptr_t)arena.context % 64, 0);
        ((char *)arena.local)[0] = ((char *)arena.local)[sizes[i] - 1] = 1;
    }
    sl_arena_finish(&arena);
    assert_null(arena.local);
    assert_int_equal(sl_arena_reserve(&arena, 100, 0), 0); /* it can be used again */
    assert_null(arena.context);
    sl_arena_finish(&arena);
}

static void test_touched_as_used(void **state)
{
    struct sl_arena arena = {0};
    (void)state;
    assert_int_equal(sl_arena_reserve(&arena, 64 * MIB, 33 * MIB), 0);
    assert_int_equal(resident(arena.local, 64 * MIB), 0);
    memset((char *)arena.local + 17, 1, 3 * MIB);
    assert_in_range(resident(arena.local, 64 * MIB), 3 * MIB, 5 * MIB);
    assert_int_equal(resident(arena.context, 33 * MIB), 0);
    sl_arena_finish(&arena);
}

static void test_trim(void **state)
{
    struct sl_arena arena = {0};
    (void)state;
    assert_int_equal(sl_arena_reserve(&arena, 1000, SL_ARENA_KEPT), 0);
    void *local = arena.local, *context = arena.context;
    assert_false(sl_arena_is_large(&arena));
    sl_arena_trim(&arena);
    assert_ptr_equal(arena.local, local);
    assert_ptr_equal(arena.context, context);
    assert_int_equal(sl_arena_reserve(&arena, SL_ARENA_KEPT + 1, 0), 0);
    assert_true(sl_arena_is_large(&arena));
    sl_arena_trim(&arena);
    assert_null(arena.local);
    assert_int_equal(arena.local_bytes, 0);
    assert_ptr_equal(arena.context, context);
    sl_arena_finish(&arena);
}

/* Nobody rests: the large block goes after a while without a use, not between two uses. */
static void test_small_uses(void **state)
{
    struct sl_arena arena = {0};
    (void)state;
    for (int round = 0; round < 50; round++) {
        assert_int_equal(sl_arena_reserve(&arena, round % 20 ? 64 : 16 * MIB, 64), 0);
        assert_true(sl_arena_is_large(&arena));
    }
    int round = 0;
    while (sl_arena_is_large(&arena) && round++ < 1000)
        assert_int_equal(sl_arena_reserve(&arena, 64, 64), 0);
    assert_in_range(round, 20, 200);
    assert_true(arena.local_bytes >= 64);
    sl_arena_finish(&arena);
}

/* A limit of address space, in a process of its own. */
static int short_of_space(void)
{
    struct sl_arena arena = {0};
    const struct rlimit limit = {256 * MIB, 256 * MIB};
    if (setrlimit(RLIMIT_AS, &limit))
        return 77;
    if (sl_arena_reserve(&arena, 1024 * MIB, 64) != SL_OUT_OF_RESOURCES || arena.local)
        return 1;
    if (sl_arena_reserve(&arena, 64, 1024 * MIB) != SL_OUT_OF_RESOURCES || arena.context)
        return 2;
    if (sl_arena_reserve(&arena, SIZE_MAX - 5, 64) != SL_OUT_OF_RESOURCES)
        return 3;
    if (sl_arena_reserve(&arena, MIB, MIB) || !arena.local || !arena.context)
        return 4;
    memset(arena.local, 1, MIB);
    sl_arena_finish(&arena);
    return 0;
}

static void test_short_of_space(void **state)
{
    int status;
    (void)state;
    pid_t pid = fork();
    if (!pid)
        _exit(short_of_space());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* shadows do not fit */
    assert_int_equal(WEXITSTATUS(status), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_touched_as_used),
        cmocka_unit_test(test_trim),           cmocka_unit_test(test_small_uses),
        cmocka_unit_test(test_short_of_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
