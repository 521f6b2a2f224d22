/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded: says on stderr what libsluice.so leaves for the end of the process or of a thread, by
 * atexit and what C++ makes of objects with destructors, and by keys of thread-local data.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void tell(const char *how, void *function)
{
    Dl_info place;
    if (dladdr(function, &place) && place.dli_fname && strstr(place.dli_fname, "libsluice"))
        fprintf(stderr, "LEFT %s %s\n", how, place.dli_sname ? place.dli_sname : "?");
}

int __cxa_atexit(void (*function)(void *), void *data, void *library);
int __cxa_atexit(void (*function)(void *), void *data, void *library)
{
    int (*next)(void (*)(void *), void *, void *);
    *(void **)&next = dlsym(RTLD_NEXT, "__cxa_atexit");
    tell("atexit", (void *)function);
    return next(function, data, library);
}

int pthread_key_create(pthread_key_t *key, void (*function)(void *))
{
    int (*next)(pthread_key_t *, void (*)(void *));
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_key_create");
    if (function)
        tell("key", (void *)function);
    return next(key, function);
}
