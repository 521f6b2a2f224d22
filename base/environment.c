/* SPDX-License-Identifier: Apache-2.0 */
/* See environment.h. No state, no lock. */
#include "sluice/base/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

extern char **environ;

bool sl_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

const char *sl_environment(const char *name)
{
    return sl_privileged() ? NULL : getenv(name);
}

void sl_environment_clean(void)
{
    if (sl_privileged())
        clearenv();
}

char **sl_environment_all(void)
{
    static char *none[] = {NULL};
    return sl_privileged() || !environ ? none : environ;
}

static bool is_named(const char *row, const char *const *names, size_t count)
{
    size_t length = strcspn(row, "=");
    for (size_t i = 0; i < count; i++) {
        size_t bytes = strlen(names[i]);
        bool any = bytes && names[i][bytes - 1] == '*';
        if (!strncmp(row, names[i], bytes - any) && (any || bytes == length))
            return true;
    }
    return false;
}

char **sl_environment_copy(const char *const *names, size_t count, void *(*allocate)(size_t))
{
    char **from = sl_environment_all();
    size_t rows = 0, bytes = 0, kept = 0;
    for (; from[rows]; rows++)
        bytes += is_named(from[rows], names, count) ? strlen(from[rows]) + 1 : 0;
    char **copy = allocate((rows + 1) * sizeof *copy + bytes);
    if (!copy)
        return NULL;
    char *text = (char *)(copy + rows + 1);
    for (size_t i = 0; i < rows; i++) {
        if (!is_named(from[i], names, count))
            continue;
        copy[kept++] = text;
        text = stpcpy(text, from[i]) + 1;
    }
    copy[kept] = NULL;
    return copy;
}
