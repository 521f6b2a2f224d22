/* SPDX-License-Identifier: Apache-2.0 */
/* Where a profile goes. No state. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fpga/profile/profile_data.h"

/* "%p" is the number of the process, "%%" a percent sign, as in other profilers. NULL: no memory.
 */
static char *expand(const char *setting)
{
    char *path = NULL;
    size_t bytes;
    FILE *out = open_memstream(&path, &bytes);
    if (!out)
        return NULL;
    for (const char *at = setting; *at; at++) {
        if (at[0] == '%' && at[1] == 'p')
            fprintf(out, "%d", (int)getpid());
        else
            putc(*at, out);
        at += at[0] == '%' && (at[1] == 'p' || at[1] == '%');
    }
    if (fclose(out)) {
        free(path);
        return NULL;
    }
    return path;
}

/* Of the folder that the file would be made in. */
static const char *folder_fault(char *path)
{
    char *end = strrchr(path, '/');
    if (end)
        *end = '\0';
    const char *folder = !end ? "." : end == path ? "/" : path;
    const char *why = access(folder, W_OK | X_OK) ? strerror(errno) : NULL;
    if (end)
        *end = '/';
    return why;
}

char *sl_profile_path(const char *setting, const char **why)
{
    struct stat status;
    char *path = expand(setting);
    *why = NULL;
    if (!path)
        return NULL;
    if (stat(path, &status))
        *why = folder_fault(path);
    else if (S_ISDIR(status.st_mode))
        *why = strerror(EISDIR);
    else if (access(path, W_OK))
        *why = strerror(errno);
    return path;
}
