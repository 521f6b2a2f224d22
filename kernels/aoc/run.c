/* SPDX-License-Identifier: Apache-2.0 */
/* See run.h. */
#include "aoc/run.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sluice/base/environment.h"

int sl_aoc_beside(const char *below, char *out, size_t bytes)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return -1;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    if (!slash)
        return -1;
    *slash = 0;
    int written = snprintf(out, bytes, "%s/%s", self, below);
    return written < 0 || (size_t)written >= bytes ? -1 : 0;
}

bool sl_aoc_has(const char *name)
{
    char path[4096];
    const char *folders = sl_environment("PATH");
    if (!sl_aoc_beside(name, path, sizeof path) && !access(path, X_OK))
        return true;
    for (const char *at = folders; at && *at; at += *at == ':') {
        const int length = (int)strcspn(at, ":");
        if (snprintf(path, sizeof path, "%.*s/%s", length, at, name) < (int)sizeof path &&
            !access(path, X_OK))
            return true;
        at += length;
    }
    return false;
}

int sl_aoc_run(const char *path, char *const *argv, bool verbose)
{
    pid_t child;
    int status;
    for (char *const *word = argv; verbose && *word; word++)
        fprintf(stderr, "%s%c", *word, word[1] ? ' ' : '\n');
    int rc = posix_spawn(&child, path, NULL, NULL, argv, sl_environment_all());
    if (rc) {
        errno = rc;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
