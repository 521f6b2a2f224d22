/* SPDX-License-Identifier: Apache-2.0 */
/* Address ranges: a random history beside a plain array that is searched from end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/object/interval.h"

enum { SLOTS = 400, SPAN = 1000, ROUNDS = 60000 };

static struct sl_interval slots[SLOTS];
static bool used[SLOTS];

static uint32_t random_below(uint32_t below)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

static struct sl_interval *search(uintptr_t address)
{
    for (int i = 0; i < SLOTS; i++)
        if (used[i] && address >= slots[i].start && address - slots[i].start < slots[i].size)
            return &slots[i];
    return NULL;
}

static unsigned depth(const struct sl_interval *node)
{
    if (!node)
        return 0;
    unsigned less = depth(node->less), more = depth(node->more);
    return 1 + (less > more ? less : more);
}

static void history(void **state)
{
    (void)state;
    struct sl_interval *root = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t i = random_below(SLOTS);
        if (used[i]) {
            sl_interval_remove(&root, &slots[i]);
        } else {
            slots[i].start = (uintptr_t)(i + 1) * SPAN + random_below(10);
            slots[i].size = 1 + random_below(random_below(4) ? SPAN - 10 : 1);
            sl_interval_add(&root, &slots[i]);
        }
        used[i] = !used[i];
        uintptr_t at = random_below((SLOTS + 2) * SPAN);
        assert_ptr_equal(sl_interval_find(root, at), search(at));
        i = random_below(SLOTS);
        assert_ptr_equal(sl_interval_find(root, slots[i].start), search(slots[i].start));
        at = slots[i].start + slots[i].size;
        assert_ptr_equal(sl_interval_find(root, at), search(at));
        assert_ptr_equal(sl_interval_find(root, at - 1), search(at - 1));
    }
    for (int i = 0; i < SLOTS; i++)
        if (used[i])
            sl_interval_remove(&root, &slots[i]);
    assert_null(root);
}

/* Neighbouring pages in rising order, as an allocator gives them out. */
static void stays_flat(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct sl_interval *all = calloc(MANY, sizeof *all), *root = NULL;
    assert_non_null(all);
    for (uintptr_t i = 0; i < MANY; i++) {
        all[i] = (struct sl_interval){.start = 0x7f0000000000u + i * 4096, .size = 4096};
        sl_interval_add(&root, &all[i]);
    }
    assert_in_range(depth(root), 17, 60);
    assert_ptr_equal(sl_interval_find(root, all[MANY / 3].start + 4095), &all[MANY / 3]);
    assert_null(sl_interval_find(root, all[0].start - 1));
    assert_null(sl_interval_find(root, all[MANY - 1].start + 4096));
    assert_null(sl_interval_find(NULL, 0));
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(history),
        cmocka_unit_test(stays_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
