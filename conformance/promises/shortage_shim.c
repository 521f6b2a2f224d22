/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded: the C library's functions that ask for memory, threads and descriptors, which fail
 * when a test says so (shortage.h). What the program itself and the OpenCL loader ask for is given:
 * they are not what is tested. Counters are atomic; all else is written before the program begins.
 */
#include "shortage.h"
#include "shortage_limit.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_SPARED = 8 };

static struct shortage_page none, *page = &none;
static struct {
    uintptr_t from, to;
} spared[MOST_SPARED];
static int spared_count;

/* ---- who fails ------------------------------------------------------------------------------- */

static int spare(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    bool own = !*info->dlpi_name || strstr(info->dlpi_name, "libOpenCL");
    for (int i = 0; own && i < info->dlpi_phnum && spared_count < MOST_SPARED; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        spared[spared_count].from = info->dlpi_addr + part->p_vaddr;
        spared[spared_count++].to = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

static void note(const void *caller, const char *what)
{
    Dl_info info = {0};
    if (!dladdr(caller, &info))
        return;
    const char *file = info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    snprintf(page->where, sizeof page->where, "%s, asked for by %s+0x%zx (%s)", what,
             file ? file + 1 : "?", (size_t)((const char *)caller - (const char *)info.dli_fbase),
             info.dli_sname ? info.dli_sname : "?");
}

static bool refused(unsigned kind, const void *caller, const char *what)
{
    if (!atomic_load(&page->active) || !(page->kinds & kind))
        return false;
    for (int i = 0; i < spared_count; i++) {
        if ((uintptr_t)caller >= spared[i].from && (uintptr_t)caller < spared[i].to)
            return false;
    }
    long n = atomic_fetch_add(&page->requests, 1) + 1;
    if (!page->first || page->what || n < page->first || n > page->last)
        return false;
    if (!atomic_fetch_add(&page->refused, 1))
        note(caller, what);
    errno = kind == SHORTAGE_MEMORY ? ENOMEM : kind == SHORTAGE_THREADS ? EAGAIN : EMFILE;
    return true;
}

#define REFUSED(kind, what) refused(SHORTAGE_##kind, __builtin_return_address(0), what)

void shortage_begin(void)
{
    if (page->what)
        shortage_limit_begin(page);
    atomic_store(&page->active, true);
}

void shortage_lift(void)
{
    atomic_store(&page->active, false);
    if (page->what)
        shortage_limit_lift();
}

void shortage_end(void)
{
    atomic_store(&page->active, false);
    if (page->what)
        shortage_limit_end();
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv(SHORTAGE_PAGE);
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *at = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return;
    page = at;
    if (!page->own)
        dl_iterate_phdr(spare, NULL);
    if (page->at_once)
        shortage_begin();
}

/* ---- memory ---------------------------------------------------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

void *malloc(size_t size)
{
    return REFUSED(MEMORY, "malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return REFUSED(MEMORY, "calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return REFUSED(MEMORY, "realloc") ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return REFUSED(MEMORY, "aligned_alloc") ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    void *block = REFUSED(MEMORY, "posix_memalign") ? NULL : __libc_memalign(align, size);
    if (block)
        *out = block;
    return block ? 0 : ENOMEM;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (REFUSED(MEMORY, "mmap"))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

/* ---- threads and processes ------------------------------------------------------------------- */

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define NEXT(function, type, name)                                                                 \
    static type *function;                                                                         \
    if (!function)                                                                                 \
    *(void **)&function = next(name)

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *arg)
{
    typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (REFUSED(THREADS, "pthread_create"))
        return EAGAIN;
    NEXT(create, create_fn, "pthread_create");
    return create(thread, how, run, arg);
}

/* The child begins in `run`, on a stack of its own: nothing of this frame is used there. */
int clone(int (*run)(void *), void *stack, int flags, void *arg, ...)
{
    typedef int clone_fn(int (*)(void *), void *, int, void *, ...);
    va_list list;
    va_start(list, arg);
    void *parent = va_arg(list, void *), *tls = va_arg(list, void *), *child = va_arg(list, void *);
    va_end(list);
    if (REFUSED(THREADS, "clone"))
        return -1;
    NEXT(real, clone_fn, "clone");
    return real(run, stack, flags, arg, parent, tls, child);
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list list)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    return REFUSED(DESCRIPTORS, "open") ? -1
                                        : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    return REFUSED(DESCRIPTORS, "openat") ? -1
                                          : (int)syscall(SYS_openat, folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    typedef FILE *open_fn(const char *, const char *);
    if (REFUSED(DESCRIPTORS, "fopen"))
        return NULL;
    NEXT(real, open_fn, "fopen");
    return real(path, mode);
}

DIR *opendir(const char *path)
{
    typedef DIR *open_fn(const char *);
    if (REFUSED(DESCRIPTORS, "opendir"))
        return NULL;
    NEXT(real, open_fn, "opendir");
    return real(path);
}

void *dlopen(const char *path, int flags)
{
    typedef void *open_fn(const char *, int);
    if (REFUSED(DESCRIPTORS, "dlopen"))
        return NULL;
    NEXT(real, open_fn, "dlopen");
    return real(path, flags);
}

/* A call of the system that gives a descriptor. */
#define GIVES(name, number, parameters, ...)                                                       \
    int name parameters                                                                            \
    {                                                                                              \
        return REFUSED(DESCRIPTORS, #name) ? -1 : (int)syscall(number, __VA_ARGS__);               \
    }
GIVES(memfd_create, SYS_memfd_create, (const char *name, unsigned flags), name, flags)
GIVES(eventfd, SYS_eventfd2, (unsigned value, int flags), value, flags)
GIVES(epoll_create1, SYS_epoll_create1, (int flags), flags)
GIVES(pipe, SYS_pipe2, (int ends[2]), ends, 0)
GIVES(pipe2, SYS_pipe2, (int ends[2], int flags), ends, flags)
GIVES(socket, SYS_socket, (int family, int type, int protocol), family, type, protocol)
GIVES(socketpair, SYS_socketpair, (int family, int type, int protocol, int ends[2]), family, type,
      protocol, ends)
GIVES(dup, SYS_dup, (int fd), fd)
