/* SPDX-License-Identifier: Apache-2.0 */
/* Whole transfers on file descriptors: interruptions and partial ones are gone on with. */
#ifndef SL_BASE_IO_H
#define SL_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* False: an error (errno says which) or, reading, the end came first (errno is 0). */
bool sl_write_all(int fd, const void *data, size_t bytes);
bool sl_read_all(int fd, void *out, size_t bytes);

SL_END_C

#endif
