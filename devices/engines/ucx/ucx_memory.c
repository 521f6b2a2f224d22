/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that a writer shares with its reader: a file without a name that is sealed, so that no
 * page of it can be taken from under the reader. UCX's own can.
 */
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "ucx/ucx_end.h"

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

static bool map(struct ucx_memory *memory, int fd, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return false;
    memory->at = at;
    memory->bytes = bytes;
    return true;
}

bool ucx_make_memory(struct ucx_memory *memory, size_t bytes)
{
    int fd = memfd_create("sluice-ucx", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return false;
    if (ftruncate(fd, (off_t)bytes) || fcntl(fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL) ||
        !map(memory, fd, bytes)) {
        close(fd);
        return false;
    }
    memory->fd = fd;
    memory->made = true;
    return true;
}

struct ucx_place ucx_place_of(const struct ucx_memory *memory)
{
    struct stat status = {0};
    if (fstat(memory->fd, &status))
        return (struct ucx_place){.process = -1};
    return (struct ucx_place){getpid(), memory->fd, status.st_dev, status.st_ino};
}

static bool is_that(const struct stat *status, const struct ucx_place *place, size_t bytes)
{
    return S_ISREG(status->st_mode) && status->st_dev == place->device &&
           status->st_ino == place->inode && status->st_size == (off_t)bytes;
}

/* Of the kernel's shared memory. A file of huge pages may have holes for which there are none left:
 * to read there would end this process. */
static bool has_plain_pages(int fd)
{
    struct statfs files;
    return !fstatfs(fd, &files) && files.f_type == TMPFS_MAGIC;
}

/* Looked at before it is opened: to open what is no such file may do anything. */
bool ucx_open_memory(struct ucx_memory *memory, const struct ucx_place *place, size_t bytes)
{
    char path[64];
    struct stat status;
    if (place->process <= 0 || place->fd < 0)
        return false;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)place->process,
             (long long)place->fd);
    if (stat(path, &status) || !is_that(&status, place, bytes))
        return false;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    int seals = fcntl(fd, F_GET_SEALS);
    bool fine = !fstat(fd, &status) && is_that(&status, place, bytes) && seals >= 0 &&
                (seals & SEALS) == SEALS && has_plain_pages(fd) && map(memory, fd, bytes);
    close(fd);
    return fine;
}

void ucx_free_memory(struct ucx_memory *memory)
{
    if (memory->at)
        munmap(memory->at, memory->bytes);
    if (memory->made)
        close(memory->fd);
    *memory = (struct ucx_memory){0};
}
