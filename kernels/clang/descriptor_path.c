/* SPDX-License-Identifier: Apache-2.0 */
/* See descriptor_path.h. These take the place of the C library's functions in the whole program. No
 * state. */
#include "clang/descriptor_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char folder[] = "/proc/self/fd/";

void sl_descriptor_path(int fd, char path[SL_DESCRIPTOR_PATH_BYTES])
{
    snprintf(path, SL_DESCRIPTOR_PATH_BYTES, "%s%d", folder, fd);
}

/* -1: it is another path. */
static int descriptor_of(const char *path)
{
    const size_t length = sizeof folder - 1;
    if (!path || strncmp(path, folder, length) || path[length] < '0' || path[length] > '9')
        return -1;
    char *end;
    long fd = strtol(path + length, &end, 10);
    return *end || fd > INT_MAX ? -1 : (int)fd;
}

int open(const char *path, int flags, ...)
{
    int fd = descriptor_of(path);
    unsigned mode = 0;
    if (fd >= 0)
        return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, unsigned);
        va_end(list);
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int stat(const char *restrict path, struct stat *restrict out)
{
    int fd = descriptor_of(path);
    return fd >= 0 ? fstat(fd, out) : fstatat(AT_FDCWD, path, out, 0);
}
