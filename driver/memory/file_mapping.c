/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. A list: a process imports few files. `lock` guards it and the counts in it. */
#include "memory/file_mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/object/alloc.h"
#include "base/thread/fork.h"

struct sl_file_mapping {
    struct sl_file_mapping *next;
    dev_t device; /* with `inode`: the file, which stays as long as it is mapped */
    ino_t inode;
    bool regular, writable;
    unsigned refs;
    void *start;
    size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_file_mapping *mapped;

/* Whole blocks, which may be huge pages: a mapping of those has to be unmapped so. */
static size_t whole_blocks(const struct stat *about, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t block = about->st_blksize > 0 ? (size_t)about->st_blksize : page;
    if (block % page)
        block = page;
    return (bytes + block - 1) / block * block;
}

static bool map(struct sl_file_mapping *m, int file, size_t bytes, int protection)
{
    void *start = mmap(NULL, bytes, protection, MAP_SHARED, file, 0);
    if (start == MAP_FAILED)
        return false;
    m->start = start;
    m->bytes = bytes;
    m->writable = protection & PROT_WRITE;
    return true;
}

/* All of a regular file, since the next may ask for more of it; `bytes` if that is too much. */
static bool map_some(struct sl_file_mapping *m, int file, const struct stat *about, size_t bytes,
                     int protection)
{
    const size_t least = whole_blocks(about, bytes);
    const size_t all = m->regular ? whole_blocks(about, (size_t)about->st_size) : least;
    return map(m, file, all, protection) || (all > least && map(m, file, least, protection));
}

/* No descriptor gives more than it was opened for because another one gave it. */
static bool may_write(int file)
{
    return (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR;
}

static struct sl_file_mapping *find_locked(int file, const struct stat *about, size_t bytes,
                                           bool writes)
{
    const bool writable = may_write(file);
    struct sl_file_mapping *m = mapped;
    while (m && (m->device != about->st_dev || m->inode != about->st_ino || m->bytes < bytes ||
                 m->writable != writable || (writes && !writable)))
        m = m->next;
    return m;
}

static struct sl_file_mapping *add_locked(int file, const struct stat *about, size_t bytes,
                                          bool writes)
{
    struct sl_file_mapping *m = sl_zalloc(sizeof *m);
    if (!m) {
        errno = ENOMEM;
        return NULL;
    }
    m->device = about->st_dev;
    m->inode = about->st_ino;
    m->regular = S_ISREG(about->st_mode);
    bool done = map_some(m, file, about, bytes, PROT_READ | PROT_WRITE) ||
                (!writes && (errno == EACCES || errno == EPERM) &&
                 map_some(m, file, about, bytes, PROT_READ));
    if (!done) {
        sl_free(m);
        return NULL;
    }
    if (m->regular) {
        m->next = mapped;
        mapped = m;
    }
    return m;
}

struct sl_file_mapping *sl_file_mapping_get(int file, const struct stat *about, size_t bytes,
                                            bool writes)
{
    pthread_mutex_lock(&lock);
    struct sl_file_mapping *m =
        S_ISREG(about->st_mode) ? find_locked(file, about, bytes, writes) : NULL;
    if (!m)
        m = add_locked(file, about, bytes, writes);
    if (m)
        m->refs++;
    pthread_mutex_unlock(&lock);
    return m;
}

void sl_file_mapping_put(struct sl_file_mapping *m)
{
    if (!m || sl_forked()) /* who held the lock is not here to let it go */
        return;
    pthread_mutex_lock(&lock);
    const bool last = !--m->refs;
    struct sl_file_mapping **at = &mapped;
    while (last && *at && *at != m)
        at = &(*at)->next;
    if (last && *at)
        *at = m->next;
    pthread_mutex_unlock(&lock);
    if (!last)
        return;
    munmap(m->start, m->bytes);
    sl_free(m);
}

void *sl_file_mapping_start(const struct sl_file_mapping *m)
{
    return m->start;
}
