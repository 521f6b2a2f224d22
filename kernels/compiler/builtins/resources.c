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
static char trouble[4096];                /* why there are no builtins */
static char runtime[4096];
static char no_runtime[4096]; /* where it is not */

enum { MOST_LEVELS = 8 };
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

/* The n-th folder to look in; false: there are no more. "" has no file. */
static bool folder_at(unsigned n, char *folder, size_t bytes)
{
    enum { OWN = sizeof folders / sizeof *folders };
    char own[2048];
    const char *chosen = sl_environment("SLUICE_LIBRARY_DIR");
    own_folder(own, sizeof own);
    if (!n)
        snprintf(folder, bytes, "%s", chosen ? chosen : "");
    else if (n <= OWN)
        snprintf(folder, bytes, "%s/%s", own, folders[n - 1]);
    else
        snprintf(folder, bytes, "%s", SL_INSTALL_PREFIX "/" SL_INSTALL_LIBDIR "/sluice");
    return n <= OWN + 1;
}

static bool find_file(const char *name, char *path, size_t bytes)
{
    char folder[4096];
    for (unsigned n = 0; folder_at(n, folder, sizeof folder); n++)
        if (folder[0] && exists_in(folder, name, path, bytes))
            return true;
    path[0] = '\0';
    return false;
}

/* All folders, as find_file() looks through them. */
static void list_folders(char *text, size_t bytes)
{
    char folder[4096];
    size_t length = 0;
    text[0] = '\0';
    for (unsigned n = 0; folder_at(n, folder, sizeof folder); n++) {
        if (!folder[0] || length + strlen(folder) + 3 > bytes)
            continue;
        length +=
            (size_t)snprintf(text + length, bytes - length, "%s%s", length ? ", " : "", folder);
    }
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

/* Why there are no builtins; those that nobody found may be anywhere. */
static void explain(int error, char *text, size_t bytes)
{
    char places[3900] = "";
    if (error == ENOENT)
        list_folders(places, sizeof places);
    snprintf(text, bytes, "the compiler cannot read its builtins.slb: %s%s%s", strerror(error),
             places[0] ? "; it was looked for in " : "", places);
}

static void find_all_locked(void)
{
    if (found)
        return;
    if (!builtins)
        builtins = find_archive("builtins.slb");
    if (!builtins && !trouble[0]) /* once: whoever was given it may be reading it */
        explain(errno, trouble, sizeof trouble);
    found = find_code_locked() && builtins;
    if (!runtime[0] && !find_file("libsluice_kernel_runtime.a", runtime, sizeof runtime) &&
        !no_runtime[0])
        list_folders(no_runtime, sizeof no_runtime);
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

const char *sl_resources_runtime(const char **places)
{
    pthread_mutex_lock(&lock);
    find_all_locked();
    const char *path = runtime[0] ? runtime : NULL;
    *places = no_runtime;
    pthread_mutex_unlock(&lock);
    return path;
}
