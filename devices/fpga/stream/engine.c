/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. `lock` guards the list of what is loaded, which stays. */
#include "fpga/stream/engine.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
    struct loaded *next;
    const struct sl_engine *engine;
    char name[16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loaded *list;

/* In a folder beside this library. */
static void *open_in(const char *place, const char *name, char *why, size_t why_bytes)
{
    Dl_info info;
    const char *slash = dladdr(&list, &info) ? strrchr(info.dli_fname, '/') : NULL;
    char *path = NULL;
    if (!slash || asprintf(&path, "%.*s%s/libsluice-io-%s.so", (int)(slash - info.dli_fname),
                           info.dli_fname, place, name) < 0)
        return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(why, why_bytes, "the library for %s cannot be loaded: %s", name, dlerror());
    free(path);
    return library;
}

static void *open_library(const char *name, char *why, size_t why_bytes)
{
    char unused[8];
    void *library = open_in("/sluice", name, why, why_bytes);
    return library ? library : open_in("", name, unused, sizeof unused);
}

/* What comes along with such a library may want to hear of faults, which are the application's, or
 * the device's. */
static void *open_quietly(const char *name, char *why, size_t why_bytes)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    enum { FAULTS = sizeof faults / sizeof *faults };
    struct sigaction before[FAULTS];
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i], NULL, &before[i]);
    void *library = open_library(name, why, why_bytes);
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i], &before[i], NULL);
    return library;
}

static const struct sl_engine *start(const char *name, void (*flush)(void), char *why,
                                     size_t why_bytes)
{
    void *library = open_quietly(name, why, why_bytes);
    sl_engine_entry *entry = NULL;
    if (!library)
        return NULL;
    *(void **)&entry = dlsym(library, SL_ENGINE_SYMBOL);
    const struct sl_engine *engine = entry ? entry(flush, why, why_bytes) : NULL;
    if (engine && engine->abi == SL_ENGINE_ABI)
        return engine;
    if (!entry || engine)
        snprintf(why, why_bytes, "the library for %s is of another version", name);
    return NULL;
}

const struct sl_engine *sl_engine_load(const char *name, void (*flush)(void), char *why,
                                       size_t why_bytes)
{
    pthread_mutex_lock(&lock);
    struct loaded *at = list;
    while (at && strcmp(at->name, name))
        at = at->next;
    const struct sl_engine *engine = at ? at->engine : start(name, flush, why, why_bytes);
    struct loaded *row = !at && engine ? calloc(1, sizeof *row) : NULL;
    if (row) {
        row->engine = engine;
        row->next = list;
        snprintf(row->name, sizeof row->name, "%s", name);
        list = row;
    }
    pthread_mutex_unlock(&lock);
    return engine;
}
