/* SPDX-License-Identifier: Apache-2.0 */
/* See extension.h. Constant data, no lock. */
#include "sluice/base/extension.h"

#include <string.h>

static const struct sl_extension rows[] = {
#define SL_EXTENSION(name, major, minor, patch, scopes, features)                                  \
    {name, major, minor, patch, scopes, features},
#include "sluice/base/extension.def"
#undef SL_EXTENSION
};

const struct sl_extension *sl_extension_at(size_t row)
{
    return row < SL_EXTENSION_ROWS ? &rows[row] : NULL;
}

bool sl_extension_applies(const struct sl_extension *row, unsigned scopes, uint32_t features)
{
    return (row->scopes & scopes) && (row->features & features) == row->features;
}

void sl_extension_list(unsigned scopes, uint32_t features, char out[SL_EXTENSION_BYTES])
{
    char *at = out;
    for (size_t i = 0; i < SL_EXTENSION_ROWS; i++) {
        if (!sl_extension_applies(&rows[i], scopes, features))
            continue;
        if (at > out)
            *at++ = ' ';
        at = stpcpy(at, rows[i].name);
    }
    *at = 0;
}
