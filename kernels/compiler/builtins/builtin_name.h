/* SPDX-License-Identifier: Apache-2.0 */
/* What the mangled name of a builtin says. Stateless; names are borrowed. */
#ifndef SL_KERNELS_COMPILER_BUILTIN_NAME_H
#define SL_KERNELS_COMPILER_BUILTIN_NAME_H

#include <stdbool.h>
#include <stddef.h>

struct sl_builtin_name {
    const char *name; /* not terminated */
    size_t length;
    const char *parameters; /* as they are mangled */
};

/* "_Z3sinDv4_f": the name is sin, the parameters are Dv4_f. False: not such a name. */
bool sl_builtin_name_split(const char *mangled, struct sl_builtin_name *out);

bool sl_builtin_is_named(const struct sl_builtin_name *, const char *name);

#endif
