/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and fails the requests for memory and threads of everything that is linked in. No lock:
 * atomic counters. */
#include "exhaust.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static atomic_long requests, live, fail_from, fail_to;

void exhaust_at(long n, bool all)
{
    atomic_store(&fail_from, 0);
    atomic_store(&requests, 0);
    atomic_store(&fail_to, all ? 1L << 60 : n);
    atomic_store(&fail_from, n);
}

long exhaust_requests(void)
{
    return atomic_load(&requests);
}

long exhaust_live(void)
{
    return atomic_load(&live);
}

static bool refused(void)
{
    long n = atomic_fetch_add(&requests, 1) + 1, from = atomic_load(&fail_from);
    bool refuse = from && n >= from && n <= atomic_load(&fail_to);
    if (refuse)
        errno = ENOMEM;
    return refuse;
}

static void *counted(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

/* The linker's names for the wrapped functions. */
#define WRAPPED(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(void *, malloc, size_t size)
{
    return refused() ? NULL : counted(__real_malloc(size));
}

WRAPPED(void *, calloc, size_t count, size_t size)
{
    return refused() ? NULL : counted(__real_calloc(count, size));
}

WRAPPED(void *, realloc, void *old, size_t size)
{
    if (refused())
        return NULL;
    void *block = __real_realloc(old, size);
    return old ? block : counted(block);
}

WRAPPED(void *, aligned_alloc, size_t align, size_t size)
{
    return refused() ? NULL : counted(__real_aligned_alloc(align, size));
}

WRAPPED(char *, strdup, const char *text)
{
    return refused() ? NULL : counted(__real_strdup(text));
}

WRAPPED(void, free, void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    __real_free(block);
}

WRAPPED(void *, mmap, void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return refused() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

WRAPPED(int, memfd_create, const char *name, unsigned flags)
{
    return refused() ? -1 : __real_memfd_create(name, flags);
}

WRAPPED(void *, dlopen, const char *path, int flags)
{
    return refused() ? NULL : __real_dlopen(path, flags);
}

WRAPPED(int, eventfd, unsigned value, int flags)
{
    return refused() ? -1 : __real_eventfd(value, flags);
}

WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
        void *arg)
{
    return refused() ? EAGAIN : __real_pthread_create(thread, how, run, arg);
}
