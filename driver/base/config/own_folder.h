/* SPDX-License-Identifier: Apache-2.0 */
/* Where the library (or the program) that holds the driver lies. No state, no lock. */
#ifndef SL_DRIVER_BASE_OWN_FOLDER_H
#define SL_DRIVER_BASE_OWN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/* Its folder, links followed, with a slash at the end. */
bool sl_own_folder(char folder[PATH_MAX]);

#endif
