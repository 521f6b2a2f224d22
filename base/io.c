/* SPDX-License-Identifier: Apache-2.0 */
/* See io.h. No state, no lock. */
#include "sluice/base/io.h"

#include <errno.h>
#include <unistd.h>

bool sl_write_all(int fd, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    while (bytes) {
        ssize_t wrote = write(fd, at, bytes);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        at += wrote;
        bytes -= (size_t)wrote;
    }
    return true;
}

bool sl_read_all(int fd, void *out, size_t bytes)
{
    unsigned char *at = out;
    while (bytes) {
        ssize_t got = read(fd, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (!got)
            errno = 0;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}
