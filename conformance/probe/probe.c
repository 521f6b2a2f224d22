/* SPDX-License-Identifier: Apache-2.0 */
/* See probe.h. Any thread; each has stacks of its own, the table of maxima is atomic. */
#include "probe.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_BYTES = 32 << 10, GUARD_BYTES = 64 << 10, NESTED = 4, MOST_NAMES = 512 };
/* Of this file's own on the painted stack. */
enum { OWN_BYTES = 256 };
static const uint64_t paint = 0xa5c3a5c3a5c3a5c3;

static struct {
    pthread_once_t once;
    long limit; /* 0: stacks are not measured */
    int floats, log;
} mode = {.once = PTHREAD_ONCE_INIT};

/* ---- the maxima ------------------------------------------------------------------------------ */

static struct {
    _Atomic(const char *) name;
    atomic_long bytes;
} used[MOST_NAMES];

static void note(const char *name, long bytes)
{
    size_t i = 0;
    for (; i < MOST_NAMES - 1; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&used[i].name, &none, name) || none == name)
            break;
    }
    long before = atomic_load(&used[i].bytes);
    while (before < bytes && !atomic_compare_exchange_weak(&used[i].bytes, &before, bytes))
        ;
}

static void say_all(void)
{
    for (size_t i = 0; i < MOST_NAMES && atomic_load(&used[i].name); i++)
        fprintf(stderr, "probe: %6ld %s\n", atomic_load(&used[i].bytes),
                atomic_load(&used[i].name));
}

static void choose(void)
{
    const char *word = getenv("SLUICE_PROBE");
    mode.floats = word && !strcmp(word, "floats");
    mode.log = getenv("SLUICE_PROBE_LOG") != NULL;
    if (word && !strncmp(word, "stack:", 6))
        mode.limit = atol(word + 6);
    if (mode.log)
        atexit(say_all);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

struct stack {
    uint64_t *low;
    ucontext_t inside, outside;
    void (*call)(void *);
    void *args;
};

/* A call may call back. Pointers only: the library's thread-local data must be small. */
static _Thread_local struct stack *stacks[NESTED];
static _Thread_local unsigned depth;

static struct stack *make_stack(void)
{
    struct stack *stack = malloc(sizeof *stack);
    char *at = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!stack || at == MAP_FAILED || mprotect(at, GUARD_BYTES, PROT_NONE))
        abort();
    stack->low = (uint64_t *)(at + GUARD_BYTES);
    for (size_t i = 0; i < STACK_BYTES / sizeof paint; i++)
        stack->low[i] = paint;
    return stack;
}

static void enter(unsigned high, unsigned low)
{
    struct stack *stack = (struct stack *)((uint64_t)high << 32 | low);
    stack->call(stack->args);
}

/* Paints what was used anew. */
static long measure(struct stack *stack)
{
    size_t first = 0, count = STACK_BYTES / sizeof paint;
    while (first < count && stack->low[first] == paint)
        first++;
    for (size_t i = first; i < count; i++)
        stack->low[i] = paint;
    return (long)((count - first) * sizeof paint) - OWN_BYTES;
}

static void call_on_stack(const char *name, void (*call)(void *), void *args)
{
    if (depth == NESTED)
        abort();
    if (!stacks[depth])
        stacks[depth] = make_stack();
    struct stack *stack = stacks[depth];
    stack->call = call;
    stack->args = args;
    getcontext(&stack->inside);
    stack->inside.uc_stack.ss_sp = stack->low;
    stack->inside.uc_stack.ss_size = STACK_BYTES;
    stack->inside.uc_link = &stack->outside;
    uint64_t at = (uintptr_t)stack;
    makecontext(&stack->inside, (void (*)(void))enter, 2, (unsigned)(at >> 32), (unsigned)at);
    depth++;
    swapcontext(&stack->outside, &stack->inside);
    depth--;
    long bytes = measure(stack);
    note(name, bytes);
    if (bytes <= mode.limit)
        return;
    fprintf(stderr, "probe: %s used %ld bytes of its caller's stack, more than %ld\n", name, bytes,
            mode.limit);
    abort();
}

/* ---- floating point -------------------------------------------------------------------------- */

static void call_with_traps(const char *name, void (*call)(void *), void *args)
{
    fenv_t before;
    fegetenv(&before);
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_UPWARD);
    feenableexcept(FE_ALL_EXCEPT);
    call(args);
    int traps = fegetexcept(), rounding = fegetround();
    fesetenv(&before);
    if (traps == FE_ALL_EXCEPT && rounding == FE_UPWARD)
        return;
    fprintf(stderr, "probe: %s changed its caller's floating-point mode\n", name);
    abort();
}

void sl_probe(const char *name, void (*call)(void *), void *args)
{
    pthread_once(&mode.once, choose);
    if (mode.limit)
        call_on_stack(name, call, args);
    else if (mode.floats)
        call_with_traps(name, call, args);
    else
        call(args);
}
