/* SPDX-License-Identifier: Apache-2.0 */
/* Files that change while they are read or written. No state. */
#include "fpga/stream/io_follow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a file of that name comes into being again; of a link that is not where its file does. */
static int watch_folder(int watch, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = !slash          ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    const unsigned events = IN_CREATE | IN_MOVED_TO | IN_ONLYDIR;
    int rc = folder ? inotify_add_watch(watch, folder, events) : -1;
    free(folder);
    return rc;
}

int sl_io_follow_watch(const char *path)
{
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const unsigned events = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF;
    if (watch < 0)
        return -1;
    bool file = inotify_add_watch(watch, path, events) >= 0;
    bool folder = watch_folder(watch, path) >= 0;
    if (file || folder)
        return watch;
    close(watch);
    return -1;
}

void sl_io_follow_seen(int watch)
{
    _Alignas(struct inotify_event) char events[1024];
    while (watch >= 0 && read(watch, events, sizeof events) > 0)
        ;
}

bool sl_io_follow_is_there(int fd, const char *path)
{
    struct stat now, mine;
    return !stat(path, &now) && !fstat(fd, &mine) && now.st_dev == mine.st_dev &&
           now.st_ino == mine.st_ino;
}

bool sl_io_follow_rewind(int fd)
{
    struct stat status;
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (at < 0 || fstat(fd, &status) || status.st_size >= at)
        return false;
    return lseek(fd, 0, SEEK_SET) == 0;
}
