/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts and stacks: switches keep what they must, stacks have guards and colours. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fpga/base/context.h"
#include "fpga/base/stack.h"

struct party {
    struct sl_context main, fiber;
    struct sl_stack stack;
    uint64_t sum;
    int rounds;
};

/* Enough live values that some are in each saved register. */
static uint64_t mix(struct party *party, uint64_t a, uint64_t b, uint64_t c, double d)
{
    uint64_t e = a * 3, f = b * 5, g = c * 7;
    double h = d * 1.5;
    sl_context_switch(&party->fiber, &party->main);
    return a + b * 2 + c * 3 + e + f + g + (uint64_t)(d + h);
}

static void entry(void *data)
{
    struct party *party = data;
    sl_shadow_arrive(&party->fiber.shadow);
    for (int i = 0; i < party->rounds; i++) {
        uint64_t n = (uint64_t)i;
        party->sum += mix(party, n, n + 1, n + 2, (double)i);
    }
    party->sum++;
    sl_context_end(&party->fiber, &party->main);
}

static void test_switch(void **state)
{
    struct party party = {.rounds = 1000};
    uint64_t expected = 0;
    (void)state;
    assert_int_equal(sl_stack_map(&party.stack, 65536, 0), 0);
    sl_shadow_thread(&party.main.shadow);
    sl_context_init(&party.fiber, party.stack.low, party.stack.top, entry, &party);
    for (int i = 0; i <= party.rounds; i++) {
        assert_int_equal(party.sum, expected);
        sl_context_switch(&party.main, &party.fiber);
        uint64_t n = (uint64_t)i;
        if (i)
            expected += (n - 1) * 4 + n * 7 + (n + 1) * 10 + (uint64_t)((double)(i - 1) * 2.5);
    }
    assert_int_equal(party.sum, expected + 1);
    sl_context_finish(&party.fiber);
    sl_stack_unmap(&party.stack);
}

static void test_many(void **state)
{
    enum { COUNT = 300 };
    static struct party parties[COUNT];
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        parties[i] = (struct party){.rounds = 10};
        assert_int_equal(sl_stack_map(&parties[i].stack, 65536, i), 0);
        assert_int_equal((uintptr_t)parties[i].stack.top % 64, 0);
        assert_true((char *)parties[i].stack.top - (char *)parties[i].stack.low >= 65536);
        sl_shadow_thread(&parties[i].main.shadow);
        sl_context_init(&parties[i].fiber, parties[i].stack.low, parties[i].stack.top, entry,
                        &parties[i]);
    }
    assert_true((uintptr_t)parties[0].stack.top % 4096 != (uintptr_t)parties[1].stack.top % 4096);
    for (int round = 0; round <= 10; round++) {
        for (int i = 0; i < COUNT; i++)
            sl_context_switch(&parties[i].main, &parties[i].fiber);
    }
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(parties[i].sum, parties[0].sum);
        sl_context_finish(&parties[i].fiber);
        sl_stack_unmap(&parties[i].stack);
    }
}

static void test_guard(void **state)
{
    struct sl_stack stack;
    int status;
    (void)state;
    assert_int_equal(sl_stack_map(&stack, 65536, 3), 0);
    memset(stack.low, 1, 65536);
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, SIG_DFL);
        *((volatile char *)stack.low - 1) = 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    sl_stack_unmap(&stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_guard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
