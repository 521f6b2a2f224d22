/* SPDX-License-Identifier: Apache-2.0 */
/* Extensions and OpenCL C features: one row each in extension.def. Any thread; constant data. */
#ifndef SL_DRIVER_EXTENSION_H
#define SL_DRIVER_EXTENSION_H

#include <stdint.h>

#include "info.h"

enum sl_extension_scope {
    SL_EXT_PLATFORM = 1, /* named by the platform */
    SL_EXT_DEVICE = 2, /* named by devices that have the features of the row; the compiler's too */
    SL_EXT_LANGUAGE = 4, /* an OpenCL C 3.0 feature macro, not an extension */
    SL_EXT_COMPILER = 8, /* what the compiler shall offer beyond what is announced */
};

/* Space separated names of all rows in `scopes` for a device with `features` (SL_FEATURE_*).
 * SL_EXT_DEVICE | SL_EXT_LANGUAGE | SL_EXT_COMPILER is what SL_CHUNK_EXTENSIONS wants. Owned by the
 * caller. */
char *sl_extension_names(unsigned scopes, uint32_t features);
/* The same as an array of cl_name_version. */
void sl_extension_versions(unsigned scopes, uint32_t features, struct sl_answer *);

#endif
