/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eviction. Several processes may do it at once: removing a file that is gone is no error, and a
 * file that is open stays readable. `unseen` is an atomic counter; no lock.
 */
#include "program/cache/cache_evict.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "sluice/base/hash.h"

#define ABANDONED_SECONDS 3600

struct entry {
    char name[SL_HASH_DIGITS + 1];
    uint64_t bytes;
    struct timespec used;
};

struct listing {
    struct entry *entries; /* owned */
    size_t count, capacity;
    uint64_t bytes;
};

static _Atomic uint64_t unseen = UINT64_MAX; /* bytes added since the last look; at first: look */

static bool is_entry(const char *name)
{
    return strlen(name) == SL_HASH_DIGITS && strspn(name, "0123456789abcdef") == SL_HASH_DIGITS;
}

static void add_entry(struct listing *list, const char *name, const struct stat *file)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 256;
        struct entry *grown = sl_realloc(list->entries, capacity * sizeof *grown);
        if (!grown)
            return;
        list->entries = grown;
        list->capacity = capacity;
    }
    struct entry *entry = &list->entries[list->count++];
    memcpy(entry->name, name, sizeof entry->name);
    entry->bytes = (uint64_t)file->st_size;
    entry->used = file->st_mtim;
    list->bytes += entry->bytes;
}

static void look_at(int folder, const char *name, struct listing *list)
{
    struct stat file;
    bool temporary = !strncmp(name, SL_CACHE_TEMPORARY, strlen(SL_CACHE_TEMPORARY));
    if ((!temporary && !is_entry(name)) || fstatat(folder, name, &file, AT_SYMLINK_NOFOLLOW))
        return;
    if (!temporary)
        add_entry(list, name, &file);
    else if (time(NULL) - file.st_mtime > ABANDONED_SECONDS)
        unlinkat(folder, name, 0);
}

static void list_folder(int folder, struct listing *list)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    if (!dir) {
        if (copy >= 0)
            close(copy);
        return;
    }
    for (struct dirent *item = readdir(dir); item; item = readdir(dir))
        look_at(folder, item->d_name, list);
    closedir(dir);
}

static int oldest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct entry *)a)->used;
    const struct timespec *y = &((const struct entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void evict(int folder, struct listing *list, uint64_t limit)
{
    size_t removed = 0;
    qsort(list->entries, list->count, sizeof *list->entries, oldest_first);
    while (removed < list->count && list->bytes > limit) {
        unlinkat(folder, list->entries[removed].name, 0);
        list->bytes -= list->entries[removed++].bytes;
    }
    sl_log(SL_LOG_INFO, "cache", "%zu entries removed, %zu left", removed, list->count - removed);
}

void sl_cache_grew(int folder, size_t bytes)
{
    uint64_t limit = (uint64_t)sl_config_long(SL_CONFIG_CACHE_MAX_MB, 0, 1L << 30) << 20;
    uint64_t before = atomic_load_explicit(&unseen, memory_order_relaxed);
    if (before != UINT64_MAX && before + bytes <= limit / 16) {
        atomic_fetch_add_explicit(&unseen, bytes, memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&unseen, 0, memory_order_relaxed);
    struct listing list = {0};
    list_folder(folder, &list);
    if (list.bytes > limit - limit / 16)
        evict(folder, &list, limit - limit / 8);
    sl_free(list.entries);
}
