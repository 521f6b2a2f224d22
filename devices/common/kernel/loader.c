/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Module loading. The dynamic linker takes two objects of equal path for one, so no two loaded
 * modules may have the same: while a module's descriptor stays open its number is unique; where
 * descriptors are scarce they are closed after loading and a serial number is spelled into the
 * path. Where the dynamic linker gets no file a module is placed in memory here: it has been
 * checked to the last relocation before. No lock: the serial is atomic.
 */
#include "common/kernel/loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/base/values.h"
#include "sluice/base/elf_image.h"
#include "sluice/base/file.h"
#include "sluice/base/io.h"
#include "sluice/base/module_check.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

enum { PATH_BYTES = 512, SERIAL_BITS = 32, PAGE = 4096 };

static atomic_uint serial;
/* What one module left in memory the next one may get. The linker's own lock orders the two; this
 * is for those who look for races and do not see it. */
static atomic_uint unloads;

/* Where the application closed a standard stream its number must not become ours. */
static int above_streams(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return high;
}

static int memory_file(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_EXEC);
    if (fd < 0 && errno == EINVAL) /* kernels before 6.3 do not know MFD_EXEC */
        fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
    if (fd < 0)
        fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
    return above_streams(fd);
}

static bool descriptors_scarce(int fd)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) || (rlim_t)fd > limit.rlim_cur / 4;
}

/* Slashes and "/." mean nothing to the kernel: one of two spellings per
 * bit makes the path unique. */
static void unique_path(char *out, int fd)
{
    unsigned number = atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed);
    char *at = out + sprintf(out, "/proc/%d/fd", (int)getpid());
    for (int bit = 0; bit < SERIAL_BITS; bit++)
        at = stpcpy(at, number >> bit & 1 ? "/." : "//");
    sprintf(at, "/%d", fd);
}

/* What the image says was checked before: if the dynamic linker fails, memory is short, or files in
 * the folder may not be executed. */
static void *open_path(const char *path, const struct sl_host_ops *host)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        host->log(SL_LOG_INFO, "device", "module: %s", dlerror());
    return library;
}

/* By its descriptor, so that nobody can put another file in its place; takes `fd`. */
static int load_file(struct sl_loaded *loaded, int fd, const struct sl_host_ops *host)
{
    char path[PATH_BYTES];
    bool keep = !descriptors_scarce(fd);
    if (keep)
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    else
        unique_path(path, fd);
    loaded->library = open_path(path, host);
    loaded->fd = keep ? fd : -1;
    if (!keep)
        close(fd);
    return loaded->library ? 0 : SL_OUT_OF_RESOURCES;
}

static int load_memory(struct sl_loaded *loaded, const void *elf, size_t elf_bytes,
                       const char *name, const struct sl_host_ops *host)
{
    int fd = memory_file(name);
    if (fd < 0 || !sl_write_all(fd, elf, elf_bytes)) {
        host->log(SL_LOG_INFO, "device", "module %s: no memory file: %s", name, strerror(errno));
        if (fd >= 0)
            close(fd);
        return SL_OUT_OF_RESOURCES;
    }
    return load_file(loaded, fd, host);
}

/* A file that stays in the folder; -1: not there. */
static int kept_file(const void *elf, size_t elf_bytes, const char *name, const char *path,
                     const struct sl_host_ops *host)
{
    char file[PATH_BYTES];
    const char *why;
    unsigned number = atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed);
    int folder = sl_own_folder_open(path, &why), fd = -1;
    snprintf(file, sizeof file, "%.200s.%d.%u.so", name, (int)getpid(), number);
    if (folder >= 0) {
        fd = above_streams(sl_own_file_create(folder, file, 0755));
        if (fd < 0 || !sl_write_all(fd, elf, elf_bytes)) {
            why = strerror(errno);
            if (fd >= 0)
                close(fd);
            fd = -1;
        }
        close(folder);
    }
    if (fd < 0)
        host->log(SL_LOG_WARN, "device", "%s/%s: %s", path, file, why);
    return fd;
}

/* ---- without the dynamic linker -------------------------------------------------------------- */

static size_t whole_pages(uint64_t bytes)
{
    return (size_t)(bytes + PAGE - 1) / PAGE * PAGE;
}

static bool protect(char *base, uint64_t start, uint64_t end, int rights)
{
    size_t from = start / PAGE * PAGE;
    return start >= end || !mprotect(base + from, whole_pages(end) - from, rights);
}

/* Segments share no page. Read-only memory ends where the linker made it end, at a page. */
static bool protect_all(const struct sl_elf_image *image, char *base)
{
    bool done = true;
    for (unsigned i = 0; i < image->segment_count && done; i++) {
        const struct sl_elf_segment *segment = &image->segments[i];
        int rights = segment->executable ? PROT_READ | PROT_EXEC : PROT_READ;
        if (!segment->writable)
            done = protect(base, segment->memory.start, segment->memory.end, rights);
    }
    const struct sl_elf_range *fixed = &image->read_only;
    return done && protect(base, whole_pages(fixed->start), fixed->end / PAGE * PAGE, PROT_READ);
}

/* Unmaps what is in front of the first address that suits, and behind the last one that is used. */
static char *map_aligned(size_t bytes, uint64_t align)
{
    char *all = mmap(NULL, bytes + align, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    size_t front = (align - (uintptr_t)all % align) % align;
    if (front)
        munmap(all, front);
    if (align > front)
        munmap(all + front + bytes, align - front);
    return all + front;
}

static int place(struct sl_loaded *loaded, struct sl_elf_image *image, const void *elf,
                 const char *name, const struct sl_host_ops *host)
{
    size_t bytes = whole_pages(sl_elf_image_bytes(image));
    char *base = map_aligned(bytes, image->align);
    if (base) {
        loaded->memory = base;
        loaded->memory_bytes = bytes;
        sl_elf_image_place(image, elf, base);
        if (protect_all(image, base))
            return 0;
    }
    host->log(SL_LOG_ERROR, "device", "module %s: no memory for its code: %s", name,
              strerror(errno));
    return SL_OUT_OF_RESOURCES;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The table in the image just loaded, if it may be followed. */
static int find_table(struct sl_loaded *loaded, struct sl_elf_image *image, const char *name,
                      const struct sl_host_ops *host)
{
    const char *at = loaded->library ? dlsym(loaded->library, SL_MODULE_SYMBOL)
                                     : image->base + image->symbol.start;
    const char *why = "no module table";
    (void)atomic_load_explicit(&unloads, memory_order_acquire);
    if (at) {
        image->base = at - image->symbol.start;
        why = sl_module_find(image, &loaded->info);
    }
    if (!why)
        return 0;
    host->log(SL_LOG_ERROR, "device", "module %s: %s", name, why);
    return SL_INVALID_BINARY;
}

int sl_loader_open(struct sl_loaded *loaded, const void *elf, size_t elf_bytes, const char *name,
                   const char *keep_folder, const struct sl_host_ops *host)
{
    struct sl_elf_image image;
    const char *why = sl_elf_image_read(&image, elf, elf_bytes, SL_MODULE_SYMBOL);
    *loaded = (struct sl_loaded){.fd = -1};
    if (why) {
        host->log(SL_LOG_ERROR, "device", "module %s: %s", name, why);
        return SL_INVALID_BINARY;
    }
    bool keep = keep_folder && *keep_folder;
    int kept = keep ? kept_file(elf, elf_bytes, name, keep_folder, host) : -1;
    int rc = kept >= 0 ? load_file(loaded, kept, host) : SL_OUT_OF_RESOURCES;
    if (rc) { /* a full disk must not fail the build it was meant to explain */
        sl_loader_close(loaded);
        rc = load_memory(loaded, elf, elf_bytes, name, host);
    }
    if (rc) {
        sl_loader_close(loaded);
        rc = place(loaded, &image, elf, name, host);
    }
    if (!rc)
        rc = find_table(loaded, &image, name, host);
    if (rc)
        sl_loader_close(loaded);
    return rc;
}

void sl_loader_close(struct sl_loaded *loaded)
{
    if (loaded->library) {
        atomic_fetch_add_explicit(&unloads, 1, memory_order_release);
        dlclose(loaded->library);
    }
    if (loaded->memory)
        munmap(loaded->memory, loaded->memory_bytes);
    if (loaded->fd > STDERR_FILENO) /* a zeroed struct holds 0, which is never ours */
        close(loaded->fd);
    *loaded = (struct sl_loaded){.fd = -1};
}
