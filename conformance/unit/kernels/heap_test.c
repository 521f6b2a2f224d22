/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the compiler's programs, which is this program's too: a random history, in which
 * each block is filled with a byte of its own and looked at before it goes. */
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/programs/heap.h"

enum { SLOTS = 300, ROUNDS = 8000 };

struct slot {
    unsigned char *block;
    size_t bytes, alignment;
};

struct history {
    struct slot slots[SLOTS];
    uint64_t random;
    bool fine;
};

static uint32_t random_below(struct history *h, uint32_t below)
{
    h->random ^= h->random << 13;
    h->random ^= h->random >> 7;
    h->random ^= h->random << 17;
    return (uint32_t)(h->random >> 20) % below;
}

/* Most are small; now and then one of some hundred kilobytes, seldom megabytes. */
static size_t random_bytes(struct history *h)
{
    uint32_t kind = random_below(h, 400);
    return random_below(h, kind == 0 ? 6u << 20 : kind < 8 ? 1u << 20 : kind < 80 ? 20000 : 300);
}

static bool is_filled(const struct slot *slot, size_t bytes, unsigned char with)
{
    for (size_t i = 0; i < bytes; i++)
        if (slot->block[i] != with)
            return false;
    return true;
}

static unsigned char fill_of(const struct history *h, const struct slot *slot)
{
    return (unsigned char)(1 + (slot - h->slots) % 255);
}

static void take(struct history *h, struct slot *slot)
{
    slot->bytes = random_bytes(h);
    slot->alignment = (size_t)8 << random_below(h, random_below(h, 50) ? 5 : 14);
    uint32_t how = random_below(h, 3);
    void *out = NULL;
    if (how == 0) {
        slot->block = malloc(slot->bytes);
        slot->alignment = 16;
    } else if (how == 1) {
        slot->block = calloc(slot->bytes, 1);
        slot->alignment = 16;
        h->fine &= slot->block && is_filled(slot, slot->bytes, 0);
    } else {
        h->fine &= !posix_memalign(&out, slot->alignment, slot->bytes);
        slot->block = out;
    }
    h->fine &= slot->block && (uintptr_t)slot->block % slot->alignment == 0 &&
               malloc_usable_size(slot->block) >= slot->bytes;
    if (h->fine)
        memset(slot->block, fill_of(h, slot), slot->bytes);
}

static void resize(struct history *h, struct slot *slot)
{
    size_t before = slot->bytes;
    slot->bytes = random_bytes(h) + 1;
    slot->block = realloc(slot->block, slot->bytes);
    h->fine &= slot->block &&
               is_filled(slot, before < slot->bytes ? before : slot->bytes, fill_of(h, slot));
    if (h->fine)
        memset(slot->block, fill_of(h, slot), slot->bytes);
}

static void *live(void *data)
{
    struct history *h = data;
    h->fine = true;
    for (int round = 0; round < ROUNDS && h->fine; round++) {
        struct slot *slot = &h->slots[random_below(h, SLOTS)];
        if (!slot->block) {
            take(h, slot);
        } else if (random_below(h, 4) == 0) {
            resize(h, slot);
        } else {
            h->fine &= is_filled(slot, slot->bytes, fill_of(h, slot));
            free(slot->block);
            slot->block = NULL;
        }
    }
    return NULL;
}

static void *live_and_own(void *data)
{
    sl_heap_claim();
    return live(data);
}

/* One thread owns the heap, two share what is left; what they leave is freed by another. */
static void histories(void **state)
{
    static struct history all[3] = {{.random = 88172645463325252u},
                                    {.random = 7046029254386353131u},
                                    {.random = 1442695040888963407u}};
    pthread_t threads[3];
    (void)state;
    for (int t = 0; t < 3; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, t ? live : live_and_own, &all[t]), 0);
    for (int t = 0; t < 3; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    for (int t = 0; t < 3; t++) {
        assert_true(all[t].fine);
        for (int s = 0; s < SLOTS; s++) {
            struct slot *slot = &all[t].slots[s];
            if (slot->block)
                assert_true(is_filled(slot, slot->bytes, fill_of(&all[t], slot)));
            free(slot->block);
        }
    }
}

/* Sizes around each step, all at once: none lies in another. */
static void sizes(void **state)
{
    enum { COUNT = 3000 };
    static unsigned char *blocks[COUNT];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        size_t bytes = i < 2000 ? i : (i - 1999) * 1021;
        assert_non_null(blocks[i] = malloc(bytes));
        memset(blocks[i], (int)(i % 251), bytes);
    }
    for (size_t i = 0; i < COUNT; i++) {
        struct slot slot = {.block = blocks[i]};
        assert_true(is_filled(&slot, i < 2000 ? i : (i - 1999) * 1021, (unsigned char)(i % 251)));
        free(blocks[i]);
    }
}

static void impossible_sizes(void **state)
{
    volatile size_t huge = SIZE_MAX; /* the compiler knows better than to ask */
    (void)state;
    assert_null(malloc(huge));
    assert_null(malloc(huge - 600));
    assert_null(calloc(huge / 2, 3));
    void *volatile block = malloc(100);
    assert_non_null(block);
    assert_null(realloc(block, huge));
    free(block);
    free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories),
        cmocka_unit_test(sizes),
        cmocka_unit_test(impossible_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
