/* SPDX-License-Identifier: Apache-2.0 */
/* See own_folder.h. */
#include "base/config/own_folder.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool sl_own_folder(char folder[PATH_MAX])
{
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)sl_own_folder, &info) || !info.dli_fname)
        return false;
    if (!realpath(info.dli_fname, folder))
        return false;
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    slash[1] = 0;
    return true;
}
