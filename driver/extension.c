/* SPDX-License-Identifier: Apache-2.0 */
/* Names and versions of extensions, from extension.def. Constant data, no lock. */
#include "extension.h"

#include <string.h>

#include "alloc.h"
#include "sluice/device.h"

struct row {
    const char *name;
    cl_version version;
    unsigned scopes;
    uint32_t features;
};

static const struct row rows[] = {
#define SL_EXTENSION(name, major, minor, patch, scopes, features)                                  \
    {name, CL_MAKE_VERSION(major, minor, patch), scopes, features},
#include "extension.def"
#undef SL_EXTENSION
};

static bool applies(const struct row *row, unsigned scopes, uint32_t features)
{
    return (row->scopes & scopes) && (row->features & features) == row->features;
}

char *sl_extension_names(unsigned scopes, uint32_t features)
{
    size_t bytes = 1;
    for (size_t i = 0; i < SL_LEN(rows); i++)
        bytes += strlen(rows[i].name) + 1;
    char *names = sl_zalloc(bytes);
    if (!names)
        return NULL;
    for (size_t i = 0; i < SL_LEN(rows); i++) {
        if (!applies(&rows[i], scopes, features))
            continue;
        if (*names)
            strcat(names, " ");
        strcat(names, rows[i].name);
    }
    return names;
}

void sl_extension_versions(unsigned scopes, uint32_t features, struct sl_answer *answer)
{
    cl_name_version versions[SL_LEN(rows)] = {0};
    size_t count = 0;
    for (size_t i = 0; i < SL_LEN(rows); i++) {
        if (!applies(&rows[i], scopes, features))
            continue;
        versions[count].version = rows[i].version;
        strncpy(versions[count].name, rows[i].name, sizeof versions[count].name - 1);
        count++;
    }
    sl_answer_bytes(answer, versions, count * sizeof *versions);
}
