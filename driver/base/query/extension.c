/* SPDX-License-Identifier: Apache-2.0 */
/* Names and versions of extensions as queries answer them. No state, no lock. */
#include "base/query/extension.h"

#include <string.h>

#include "base/object/alloc.h"

char *sl_extension_names(unsigned scopes, uint32_t features)
{
    char *names = sl_zalloc(SL_EXTENSION_BYTES);
    if (names)
        sl_extension_list(scopes, features, names);
    return names;
}

cl_name_version *sl_extension_rows(unsigned scopes, uint32_t features, size_t more, size_t *count)
{
    cl_name_version *versions = sl_zalloc((SL_EXTENSION_ROWS + more) * sizeof *versions);
    const struct sl_extension *row;
    *count = 0;
    for (size_t i = 0; versions && (row = sl_extension_at(i)); i++)
        if (sl_extension_applies(row, scopes, features))
            sl_extension_row(&versions[(*count)++], row->name,
                             CL_MAKE_VERSION(row->major, row->minor, row->patch));
    return versions;
}

void sl_extension_row(cl_name_version *row, const char *name, cl_version version)
{
    row->version = version;
    strncpy(row->name, name, sizeof row->name - 1);
}

void sl_extension_versions(unsigned scopes, uint32_t features, struct sl_answer *answer)
{
    size_t count;
    cl_name_version *versions = sl_extension_rows(scopes, features, 0, &count);
    if (versions)
        sl_answer_bytes(answer, versions, count * sizeof *versions);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(versions);
}
