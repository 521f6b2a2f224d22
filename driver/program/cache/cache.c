/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disk cache: looking up and storing. cache_evict.c keeps it small. The folder is opened for
 * each use, so that a changed SLUICE_CACHE_DIR or a removed folder needs no care. No lock: file
 * names are unique per writer and rename decides.
 */
#include "program/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "program/cache/cache_evict.h"
#include "program/cache/cache_guard.h"
#include "sluice/base/environment.h"
#include "sluice/base/io.h"

#define ENTRY_MAGIC "SLCACHE\n"
#define MAX_ENTRY_BYTES ((off_t)1 << 30)
#define PATH_BYTES 4096

struct entry_header {
    char magic[8];
    uint64_t checksum[2]; /* of all that follows this field */
    uint32_t version, header_bytes;
    struct sl_hash key;
    uint64_t dependencies_bytes, container_bytes; /* in this order after the header */
};
#define CHECKSUM_END (offsetof(struct entry_header, checksum) + 16)

/* ---- the folder ------------------------------------------------------------------------------ */

/* *given: how many of its letters name a folder that others make: a home that there is not (of
 * daemons and builds: /nonexistent) must not come to be. */
static bool folder_path(char *path, size_t *given)
{
    const char *chosen = sl_config(SL_CONFIG_CACHE_DIR);
    const char *cache = sl_environment("XDG_CACHE_HOME"), *home = sl_environment("HOME");
    int length = 0;
    *given = 0;
    if (chosen && *chosen)
        length = snprintf(path, PATH_BYTES, "%s", chosen);
    else if (cache && *cache == '/')
        length = snprintf(path, PATH_BYTES, "%s/sluice", cache);
    else if (home && *home == '/') {
        length = snprintf(path, PATH_BYTES, "%s/.cache/sluice", home);
        *given = strlen(home);
    }
    return length > 0 && length < PATH_BYTES;
}

bool sl_cache_enabled(void)
{
    char path[PATH_BYTES];
    size_t given;
    return sl_config_bool(SL_CONFIG_CACHE) && folder_path(path, &given);
}

static void make_folders(char *path, size_t given)
{
    for (char *slash = strchr(path + given + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

/* A folder that was asked for and is of no use is told of, once; that a home has none is not. */
static void tell_not_kept(const char *what, int error)
{
    static atomic_bool told;
    const char *chosen = sl_config(SL_CONFIG_CACHE_DIR);
    if (chosen && *chosen && !atomic_exchange(&told, true))
        sl_log(SL_LOG_WARN, SL_LOG_SETTING, "SLUICE_CACHE_DIR=%s: %s; builds are not cached",
               chosen, strerror(error));
    sl_log(SL_LOG_INFO, "cache", "%s: %s; builds are not cached", what, strerror(error));
}

/* A descriptor, or -1: no cache. */
static int open_folder(bool create)
{
    char path[PATH_BYTES];
    size_t given;
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    if (!sl_config_bool(SL_CONFIG_CACHE) || !folder_path(path, &given))
        return -1;
    int folder = open(path, flags);
    if (folder < 0 && errno == ENOENT && create) {
        make_folders(path, given);
        folder = open(path, flags);
    }
    if (folder < 0 && create)
        tell_not_kept(path, errno);
    return folder;
}

bool sl_cache_is_writable(void)
{
    int folder = open_folder(true);
    bool writable = folder >= 0 && !faccessat(folder, ".", W_OK, AT_EACCESS);
    if (folder >= 0)
        close(folder);
    return writable;
}

static void entry_name(struct sl_hash key, char name[SL_HASH_DIGITS + 1])
{
    sl_hash_text(key, name);
}

/* ---- looking up ------------------------------------------------------------------------------ */

/* Code is loaded from here, so only the user and root may have written it. */
static bool trusted(const struct stat *file)
{
    return S_ISREG(file->st_mode) && (file->st_uid == geteuid() || !file->st_uid) &&
           !(file->st_mode & (S_IWGRP | S_IWOTH));
}

static bool well_formed(const unsigned char *entry, size_t bytes, struct sl_hash key,
                        struct entry_header *head)
{
    if (bytes < sizeof *head)
        return false;
    memcpy(head, entry, sizeof *head);
    if (memcmp(head->magic, ENTRY_MAGIC, sizeof head->magic) || head->version != SL_CACHE_VERSION ||
        head->header_bytes != sizeof *head || !sl_hash_equal(head->key, key))
        return false;
    size_t left = bytes - sizeof *head;
    if (head->dependencies_bytes > left || head->container_bytes != left - head->dependencies_bytes)
        return false;
    struct sl_hash sum = sl_hash_bytes(entry + CHECKSUM_END, bytes - CHECKSUM_END);
    return sum.low == head->checksum[0] && sum.high == head->checksum[1];
}

static bool file_unchanged(const char *path, const char *digits)
{
    struct sl_hash hash;
    char text[SL_HASH_DIGITS + 1];
    struct stat file;
    if (!memcmp(digits, SL_CACHE_ABSENT, SL_HASH_DIGITS))
        return !sl_guard_present(path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may have become a FIFO */
    if (fd < 0)
        return false;
    int rc = fstat(fd, &file) || !S_ISREG(file.st_mode) || sl_hash_fd(fd, &hash);
    close(fd);
    if (rc)
        return false;
    sl_hash_text(hash, text);
    return !memcmp(text, digits, SL_HASH_DIGITS);
}

/* Lines "HASH PATH\n"; writes NULs into them. */
static bool dependencies_unchanged(char *lines, size_t bytes)
{
    char *end = lines + bytes;
    while (lines < end) {
        char *line_end = memchr(lines, '\n', (size_t)(end - lines));
        if (!line_end || line_end - lines <= SL_HASH_DIGITS + 1)
            return false;
        *line_end = 0;
        if (!file_unchanged(lines + SL_HASH_DIGITS + 1, lines))
            return false;
        lines = line_end + 1;
    }
    return true;
}

enum verdict { USABLE, OUTDATED, BAD };

/* On success the container alone is left in *entry. */
static enum verdict examine(int fd, const struct stat *file, struct sl_hash key,
                            unsigned char **container, size_t *container_bytes)
{
    struct entry_header head;
    size_t bytes = (size_t)file->st_size;
    if (!trusted(file) || file->st_size > MAX_ENTRY_BYTES)
        return BAD;
    unsigned char *entry = sl_alloc(bytes + 1);
    if (!entry)
        return OUTDATED;
    enum verdict verdict = BAD;
    if (sl_read_all(fd, entry, bytes) && well_formed(entry, bytes, key, &head)) {
        size_t skip = sizeof head + (size_t)head.dependencies_bytes;
        verdict = OUTDATED;
        if (dependencies_unchanged((char *)entry + sizeof head, (size_t)head.dependencies_bytes)) {
            memmove(entry, entry + skip, (size_t)head.container_bytes);
            *container = entry;
            *container_bytes = (size_t)head.container_bytes;
            return USABLE;
        }
    }
    sl_free(entry);
    return verdict;
}

bool sl_cache_load(struct sl_hash key, unsigned char **container, size_t *bytes)
{
    char name[SL_HASH_DIGITS + 1];
    struct stat file;
    enum verdict verdict = OUTDATED;
    int folder = open_folder(false);
    if (folder < 0)
        return false;
    entry_name(key, name);
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0) {
        verdict = fstat(fd, &file) ? BAD : examine(fd, &file, key, container, bytes);
        if (verdict == USABLE)
            (void)!futimens(fd, NULL); /* used now: what eviction goes by */
        close(fd);
    }
    if (verdict == BAD && fd >= 0) {
        sl_log(SL_LOG_WARN, "cache", "entry %s is damaged or not ours: removed", name);
        unlinkat(folder, name, 0);
    }
    close(folder);
    sl_log(SL_LOG_DEBUG, "cache", "%s: %s", name, verdict == USABLE ? "found" : "not found");
    return verdict == USABLE;
}

/* ---- storing --------------------------------------------------------------------------------- */

static struct entry_header make_header(struct sl_hash key, const char *dependencies,
                                       size_t dependencies_bytes, const unsigned char *container,
                                       size_t bytes)
{
    struct entry_header head = {.version = SL_CACHE_VERSION,
                                .header_bytes = sizeof head,
                                .key = key,
                                .dependencies_bytes = dependencies_bytes,
                                .container_bytes = bytes};
    struct sl_hasher hasher;
    memcpy(head.magic, ENTRY_MAGIC, sizeof head.magic);
    sl_hasher_init(&hasher);
    sl_hasher_add(&hasher, (unsigned char *)&head + CHECKSUM_END, sizeof head - CHECKSUM_END);
    sl_hasher_add(&hasher, dependencies, dependencies_bytes);
    sl_hasher_add(&hasher, container, bytes);
    struct sl_hash sum = sl_hasher_finish(&hasher);
    head.checksum[0] = sum.low;
    head.checksum[1] = sum.high;
    return head;
}

static void temporary_name(char *name, size_t capacity)
{
    static atomic_uint counter;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, capacity, SL_CACHE_TEMPORARY "%d-%u-%lx", (int)getpid(),
             atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed),
             (unsigned long)now.tv_nsec);
}

void sl_cache_store(struct sl_hash key, const char *dependencies, size_t dependencies_bytes,
                    const unsigned char *container, size_t bytes)
{
    char name[SL_HASH_DIGITS + 1], temporary[64];
    int folder = open_folder(true);
    if (folder < 0)
        return;
    entry_name(key, name);
    temporary_name(temporary, sizeof temporary);
    struct entry_header head = make_header(key, dependencies, dependencies_bytes, container, bytes);
    int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool stored = fd >= 0 && sl_write_all(fd, &head, sizeof head) &&
                  sl_write_all(fd, dependencies, dependencies_bytes) &&
                  sl_write_all(fd, container, bytes);
    if (fd >= 0 && close(fd))
        stored = false;
    stored = stored && !renameat(folder, temporary, folder, name);
    if (!stored) {
        tell_not_kept(name, errno);
        if (fd >= 0)
            unlinkat(folder, temporary, 0);
    }
    if (stored)
        sl_cache_grew(folder, sizeof head + dependencies_bytes + bytes);
    close(folder);
}
