/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Handlers run on a stack of their own: most crashes are overflows of the other. No
 * locks: one thread compiles, and the second one to come by here ends the process.
 */
#include "compiler/stage/crash.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clang/crash_place.h"

#define STACK_BYTES ((size_t)256 << 10)
#define PATIENCE_S 3 /* to find out the place, which may need what the crash has broken */

static void (*tell)(const char *, size_t);
static const char *_Atomic stage = "start";
static atomic_int crashes;
static int first_signal; /* written by whoever makes crashes 1 */

static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

void sl_crash_stage(const char *name)
{
    atomic_store_explicit(&stage, name, memory_order_relaxed);
}

static const char *what_happened(int number)
{
    return number == SIGABRT ? "gave up or ran out of memory" : "crashed";
}

static void say(const char *place)
{
    char text[1024];
    const char *name = atomic_load_explicit(&stage, memory_order_relaxed);
    int bytes =
        snprintf(text, sizeof text, "error: the compiler %s (signal %d, stage %s)%s%s\n",
                 what_happened(first_signal), first_signal, name, *place ? ": " : "", place);
    tell(text, (size_t)bytes < sizeof text ? (size_t)bytes : sizeof text - 1);
}

static void on_signal(int number, siginfo_t *info, void *unused)
{
    char place[768] = "";
    (void)unused;
    bool sent =
        info->si_code <= 0 && number != SIGABRT; /* by another process: it is meant to end */
    if (sent && number != SIGALRM) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    if (!atomic_fetch_add_explicit(&crashes, 1, memory_order_acq_rel)) {
        first_signal = number;
        alarm(PATIENCE_S);
        sl_crash_place(place, sizeof place);
    }
    say(place);
    _exit(1);
}

void sl_crash_watch(void (*report)(const char *, size_t))
{
    stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    if (!stack.ss_sp || sigaltstack(&stack, NULL))
        return;
    tell = report;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    sigaction(SIGALRM, &action, NULL);
}
