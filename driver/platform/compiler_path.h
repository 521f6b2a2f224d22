/* SPDX-License-Identifier: Apache-2.0 */
/* Which file is the compiler that belongs to this library. Any thread. */
#ifndef SL_DRIVER_PLATFORM_COMPILER_PATH_H
#define SL_DRIVER_PLATFORM_COMPILER_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/base/hash.h"

/* There is a file to start. */
bool sl_compiler_available(void);
/* What is compiled with: changes whenever the helper's file does. False: there is none. */
bool sl_compiler_identity(struct sl_hash *out);
/* Warns, if SLUICE_COMPILER names no file that can be started. */
void sl_compiler_check_setting(void);
/* The helper's path as it would be started, into `path`; "" when there is none. */
void sl_compiler_path(char *path, size_t capacity);

#endif
