/* SPDX-License-Identifier: Apache-2.0 */
/* See builtin_name.h. */
#include "compiler/builtins/builtin_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool sl_builtin_name_split(const char *mangled, struct sl_builtin_name *out)
{
    char *end;
    if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2]))
        return false;
    out->length = strtoul(mangled + 2, &end, 10);
    out->name = end;
    if (out->length >= strlen(end))
        return false;
    out->parameters = end + out->length;
    return true;
}

bool sl_builtin_is_named(const struct sl_builtin_name *builtin, const char *name)
{
    return strlen(name) == builtin->length && !strncmp(builtin->name, name, builtin->length);
}
