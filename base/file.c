/* SPDX-License-Identifier: Apache-2.0 */
/* See file.h. Who may write to a folder may change what a name in it means at any moment, so what
 * counts is asked of descriptors. No state, no lock. */
#include "sluice/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 16 }; /* while others make and remove the same file */

static int refuse(const char **why, const char *reason)
{
    *why = reason;
    return -1;
}

static int close_and_refuse(int fd, const char **why, const char *reason)
{
    int error = errno;
    close(fd);
    errno = error;
    return refuse(why, reason);
}

/* The folder that a path names something in, and the name. */
static int open_parent(const char *path, const char **name, struct stat *status)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    *name = path + length;
    char *folder = strndup(length ? path : ".", length ? length : 1); /* stacks may be small */
    int fd = folder ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (fd < 0 || !fstat(fd, status))
        return fd;
    close(fd);
    return -1;
}

/* Anybody may put something there: the system's own rule for links in such folders may be off. */
static bool is_everybodys(const struct stat *folder)
{
    return folder->st_mode & S_IWOTH || (folder->st_mode & S_ISVTX && folder->st_mode & S_IWGRP);
}

/* ---- files that are written ------------------------------------------------------------------ */

static const char *distrust(const struct stat *file, const struct stat *folder)
{
    errno = EPERM;
    if (file->st_uid != geteuid() && file->st_uid != folder->st_uid)
        return "it belongs to somebody else, in a folder that everybody may write to";
    if (S_ISREG(file->st_mode) && file->st_nlink > 1)
        return "it has another name, in a folder that everybody may write to";
    return NULL;
}

static int open_or_make(int folder, const char *name, int flags)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        int fd = openat(folder, name, flags);
        if (fd >= 0 || errno != ENOENT)
            return fd;
        fd = openat(folder, name, flags | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int open_among_others(int folder, const struct stat *status, const char *name, int flags,
                             const char **why)
{
    int given = flags & ~O_TRUNC;
    int fd = open_or_make(folder, name, given | O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat file;
    if (fd < 0)
        return refuse(why, errno == ELOOP ? "it is a link, in a folder that everybody may write to"
                                          : strerror(errno));
    const char *reason = fstat(fd, &file) ? strerror(errno) : distrust(&file, status);
    if (reason)
        return close_and_refuse(fd, why, reason);
    bool emptied = !(flags & O_TRUNC) || !S_ISREG(file.st_mode) || !ftruncate(fd, 0);
    bool waits = flags & O_NONBLOCK || !fcntl(fd, F_SETFL, given);
    return emptied && waits ? fd : close_and_refuse(fd, why, strerror(errno));
}

int sl_output_open(const char *path, int flags, const char **why)
{
    struct stat status;
    const char *name;
    int folder = open_parent(path, &name, &status), fd;
    if (folder < 0)
        return refuse(why, strerror(errno));
    if (is_everybodys(&status))
        fd = open_among_others(folder, &status, name, flags, why);
    else if ((fd = openat(folder, name, flags | O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) < 0)
        *why = strerror(errno);
    int error = errno;
    close(folder);
    errno = error;
    return fd;
}

FILE *sl_output_stream(const char *path, const char **why)
{
    int fd = sl_output_open(path, O_TRUNC, why);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "we");
    if (fd >= 0 && !file)
        close_and_refuse(fd, why, strerror(errno));
    return file;
}

/* ---- folders of one's own -------------------------------------------------------------------- */

/* Of a path without slashes at its end. */
static int open_folder(const char *path, const char **why)
{
    struct stat status;
    const char *name;
    int parent = open_parent(path, &name, &status);
    if (parent < 0)
        return refuse(why, strerror(errno));
    int link = is_everybodys(&status) ? O_NOFOLLOW : 0;
    name = *name ? name : ".";
    mkdirat(parent, name, 0700);
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | link);
    if (folder < 0 && link && (errno == ELOOP || errno == ENOTDIR))
        *why = "it is no folder, or a link in a folder that everybody may write to";
    else if (folder < 0)
        *why = strerror(errno);
    close(parent);
    return folder;
}

int sl_own_folder_open(const char *path, const char **why)
{
    struct stat status;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *bare = strndup(path, length);
    int folder = bare ? open_folder(bare, why) : refuse(why, strerror(ENOMEM));
    free(bare);
    if (folder < 0)
        return -1;
    if (fstat(folder, &status))
        return close_and_refuse(folder, why, strerror(errno));
    if (status.st_uid != geteuid())
        return close_and_refuse(folder, why, "it belongs to somebody else");
    if (status.st_mode & (S_IWGRP | S_IWOTH))
        return close_and_refuse(folder, why, "others may write to it");
    return folder;
}

int sl_own_file_create(int folder, const char *name, unsigned mode)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(folder, name, flags, mode);
    if (fd < 0 && errno == EEXIST && !unlinkat(folder, name, 0))
        fd = openat(folder, name, flags, mode);
    return fd;
}

bool sl_names_source(const char *path)
{
    static const char *const endings[] = {".cl", ".clcpp", ".spv"};
    const char *dot = strrchr(path, '.');
    bool is = false;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        is |= !strcmp(dot, endings[i]);
    return is;
}
