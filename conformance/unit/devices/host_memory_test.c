/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of devices that is the host's: large blocks begin at different places of a page, whoever
 * wants whole pages gets them, and all of it can be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/values.h"
#include "common/memory/memory.h"

enum { PAGE = 4096, APART = 512, BLOCKS = 6 };

#define MIB ((size_t)1 << 20)

static struct sl_memory *made(size_t bytes, size_t align, bool filled)
{
    struct sl_memory_desc desc = {.size_bytes = bytes, .align_bytes = align, .filled = filled};
    struct sl_memory *memory = NULL;
    assert_int_equal(sl_host_memory_create(NULL, &desc, &memory), 0);
    unsigned char *at = sl_host_memory_host(memory);
    assert_non_null(at);
    assert_int_equal((uintptr_t)at % (align < 128 ? 128 : align), 0);
    for (size_t i = 0; i < bytes && !filled; i += 509)
        assert_int_equal(at[i], 0);
    memset(at, 0x5a, bytes);
    return memory;
}

static size_t place(struct sl_memory *memory)
{
    return (uintptr_t)sl_host_memory_host(memory) % PAGE;
}

/* In a ring: the last bytes of a page lie before the first. */
static size_t distance(size_t a, size_t b)
{
    size_t d = a < b ? b - a : a - b;
    return d < PAGE - d ? d : PAGE - d;
}

static void test_places(void **state)
{
    static const size_t sizes[] = {64 << 10, 100 * 1000, MIB - 1, 3 * MIB, 4 * MIB - 1, 5 * MIB};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        struct sl_memory *blocks[BLOCKS];
        for (int k = 0; k < BLOCKS; k++) {
            blocks[k] = made(sizes[i / 2], k % 2 ? 128 : 1, i % 2);
            for (int j = 0; j < k; j++)
                assert_true(distance(place(blocks[j]), place(blocks[k])) >= APART);
        }
        for (int k = 0; k < BLOCKS; k++)
            sl_host_memory_destroy(blocks[k]);
    }
}

static void test_alignments(void **state)
{
    static const size_t sizes[] = {1, 127, 4096, 64 << 10, MIB + 1, 4 * MIB, 9 * MIB + 5};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t align = 64; align <= 64 << 10; align *= 2)
            for (int filled = 0; filled < 2; filled++)
                sl_host_memory_destroy(made(sizes[i], align, filled));
}

static void test_limits(void **state)
{
    (void)state;
    for (size_t less = 0; less <= 3 * PAGE; less += PAGE / 2) {
        struct sl_memory_desc desc = {.size_bytes = SIZE_MAX - less, .align_bytes = 128};
        struct sl_memory *memory = NULL;
        assert_int_not_equal(sl_host_memory_create(NULL, &desc, &memory), 0);
        assert_null(memory);
    }
    unsigned char own[16];
    struct sl_memory_desc desc = {.size_bytes = sizeof own, .host_ptr = own};
    struct sl_memory *memory = NULL;
    assert_int_equal(sl_host_memory_create(NULL, &desc, &memory), 0);
    assert_ptr_equal(sl_host_memory_host(memory), own);
    sl_host_memory_destroy(memory);
    sl_host_memory_destroy(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_alignments),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
