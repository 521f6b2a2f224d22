/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the files that belong to the compiler, relative to its own executable, so that an installed
 * tree may be moved and a build folder works uninstalled. Once found they are constant; `lock`
 * guards all that is here, and the search, which is repeated for what is there and could not be
 * opened: memory may only have been short.
 */
#include "compiler/builtins/resources.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sluice/base/environment.h"
#include "sluice/base/level.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool found;
static const struct sl_library *builtins; /* owned by the process */
static char trouble[256];                 /* why there are no builtins */
static char runtime[4096];

enum { MOST_LEVELS = 4 };
static const struct sl_library *code[MOST_LEVELS]; /* by level; owned by the process */

/* From libexec/sluice/ and bin/ of an installation, from kernels/compiler/ of a build folder. */
static const char *const folders[] = {
    "../../" SL_INSTALL_LIBDIR "/sluice",
    "../" SL_INSTALL_LIBDIR "/sluice",
    "../builtins",
    "../../kernels/builtins",
};

static void own_folder(char *path, size_t bytes)
{
    ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    const char *started = (const char *)getauxval(AT_EXECFN); /* where there is no /proc */
    if (length > 0)
        path[length] = '\0';
    else
        snprintf(path, bytes, "%s", started ? started : "");
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
}

static bool exists_in(const char *folder, const char *name, char *path, size_t bytes)
{
    int length = snprintf(path, bytes, "%s/%s", folder, name);
    return length > 0 && (size_t)length < bytes && !access(path, R_OK);
}

static bool find_file(const char *name, char *path, size_t bytes)
{
    char own[2048], folder[4096];
    const char *chosen = sl_environment("SLUICE_LIBRARY_DIR");
    if (chosen && exists_in(chosen, name, path, bytes))
        return true;
    own_folder(own, sizeof own);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(folder, sizeof folder, "%s/%s", own, folders[i]);
        if (exists_in(folder, name, path, bytes))
            return true;
    }
    if (exists_in(SL_INSTALL_PREFIX "/" SL_INSTALL_LIBDIR "/sluice", name, path, bytes))
        return true;
    path[0] = '\0';
    return false;
}

/* NULL, and errno says why. */
static const struct sl_library *find_archive(const char *name)
{
    char path[4096];
    struct sl_library *library;
    errno = ENOENT;
    return find_file(name, path, sizeof path) && !sl_library_open(path, &library) ? library : NULL;
}

/* Levels of which there is no code are no fault. */
static bool find_code_locked(void)
{
    bool all = true;
    for (unsigned i = 0; i < MOST_LEVELS && sl_level_at(i); i++) {
        const char *serves = sl_level_at(i)->code;
        bool shared = i && !strcmp(serves, sl_level_at(i - 1)->code);
        char name[64];
        snprintf(name, sizeof name, "code_%s.slb", serves);
        if (!code[i])
            code[i] = shared ? code[i - 1] : find_archive(name);
        all &= code[i] || errno == ENOENT;
    }
    return all;
}

static void find_all_locked(void)
{
    if (found)
        return;
    if (!builtins)
        builtins = find_archive("builtins.slb");
    if (!builtins && !trouble[0]) /* once: whoever was given it may be reading it */
        snprintf(trouble, sizeof trouble, "the compiler cannot read its builtins.slb: %s",
                 strerror(errno));
    found = find_code_locked() && builtins;
    if (!runtime[0])
        find_file("libsluice_kernel_runtime.a", runtime, sizeof runtime);
}

const struct sl_library *sl_resources_builtins(const char **why)
{
    pthread_mutex_lock(&lock);
    find_all_locked();
    const struct sl_library *library = builtins;
    *why = trouble;
    pthread_mutex_unlock(&lock);
    return library;
}

const struct sl_library *sl_resources_code(unsigned level)
{
    pthread_mutex_lock(&lock);
    find_all_locked();
    const struct sl_library *library = level < MOST_LEVELS ? code[level] : NULL;
    pthread_mutex_unlock(&lock);
    return library;
}

const char *sl_resources_runtime(void)
{
    pthread_mutex_lock(&lock);
    find_all_locked();
    pthread_mutex_unlock(&lock);
    return runtime;
}
