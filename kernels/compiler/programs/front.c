/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sluicec as users call it: becomes the compiler, which is installed once, under that name. Found
 * relative to this file, so that an installed tree may be moved.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "compiler/programs/programs.h"
#include "sluice/base/environment.h"

/* From an installation's folder of programs, and from a build folder. */
static const char *const places[] = {SL_COMPILER_FROM_BIN, "sluice-compiler"};

/* With a slash at the end. */
static size_t own_folder(char path[PATH_MAX])
{
    const char *started = (const char *)getauxval(AT_EXECFN); /* where there is no /proc */
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length > 0)
        path[length] = '\0';
    else
        snprintf(path, PATH_MAX, "%s", started ? started : "");
    char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

int main(int argc, char **argv)
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    char *bare[] = {NULL, NULL};
    char **words = argc ? argv : bare;
    size_t length = own_folder(folder);
    words[0] = (char *)SL_OFFLINE_NAME;
    sl_environment_clean();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%.*s%s", (int)length, folder, places[i]);
        execve(path, words, sl_environment_all());
        if (errno != ENOENT)
            break;
    }
    fprintf(stderr, "sluicec: %s: %s\n", path, strerror(errno));
    return 1;
}
