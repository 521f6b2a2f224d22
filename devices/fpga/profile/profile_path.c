/* SPDX-License-Identifier: Apache-2.0 */
/* Where a profile goes. No state. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

char *sl_profile_path(const char *setting, const char **why)
{
    char *path = expand(setting);
    char *end = path ? strrchr(path, '/') : NULL;
    *why = NULL;
    if (!end)
        return path;
    *end = '\0';
    if (access(end == path ? "/" : path, W_OK | X_OK))
        *why = strerror(errno);
    *end = '/';
    return path;
}
