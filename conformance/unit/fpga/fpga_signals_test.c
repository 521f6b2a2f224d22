/* SPDX-License-Identifier: Apache-2.0 */
/* Whether handlers of the application could run. In one test: what is known is the process's. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fpga/base/signals.h"

enum { ENOUGH = 1000 };
static const uint64_t long_ns = 1000000000;

static void handler(int number)
{
    (void)number;
}

/* cmocka has its own for faults. */
static void catch_nothing(void)
{
    for (int number = 1; number <= SIGRTMAX; number++)
        if (number != SIGKILL && number != SIGSTOP)
            signal(number, number == SIGPIPE ? SIG_IGN : SIG_DFL);
}

static bool known_after(uint64_t now_ns)
{
    bool caught = true;
    for (int i = 0; i < ENOUGH; i++)
        caught = sl_signals_caught(now_ns);
    return caught;
}

static void test_known(void **state)
{
    (void)state;
    catch_nothing();
    assert_true(sl_signals_caught(1)); /* not yet asked */
    assert_false(known_after(1));
    signal(SIGUSR1, handler);
    assert_true(sl_signals_caught(1 + long_ns)); /* what was known is old */
    assert_true(known_after(1 + long_ns));
    signal(SIGUSR1, SIG_DFL);
    assert_false(known_after(1 + 2 * long_ns));
    signal(SIGRTMAX, handler);
    assert_true(known_after(1 + 3 * long_ns));
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    signal(SIGRTMAX, SIG_DFL);
    action.sa_sigaction = (void (*)(int, siginfo_t *, void *))(uintptr_t)handler;
    sigaction(SIGCHLD, &action, NULL);
    assert_true(known_after(1 + 4 * long_ns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
