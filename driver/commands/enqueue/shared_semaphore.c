/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The page's memory is sealed, so that nobody can take it away below us. */
#include "commands/enqueue/shared_semaphore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log/error.h"
#include "base/object/word_watch.h"

/* As many signals may be out of order before one is forgotten; legal programs keep two. */
enum { PLACES = 256, FILE_BYTES = 4096, LAYOUT = 1 };
static const uint64_t magic = 0x53456563696c75; /* "uliceES" */

struct sl_shared_page {
    uint64_t magic;
    uint32_t layout;
    atomic_uint changes;             /* a futex of all processes */
    _Atomic uint64_t signals, waits; /* that were enqueued: the next number */
    _Atomic uint64_t waited;         /* waits that have ended */
    /* By the number of a signal modulo PLACES, of the newest one that has ended there: twice its
     * number plus 2, and 1 more if it failed. */
    _Atomic uint64_t ended[PLACES];
};
_Static_assert(sizeof(struct sl_shared_page) <= FILE_BYTES, "one page");

/* ---- pages ----------------------------------------------------------------------------------- */

static struct sl_shared_page *map(int file)
{
    void *at = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

static struct sl_shared_page *new_page(int file)
{
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    struct sl_shared_page *page =
        ftruncate(file, FILE_BYTES) || fcntl(file, F_ADD_SEALS, seals) ? NULL : map(file);
    if (page) {
        page->layout = LAYOUT;
        page->magic = magic;
    }
    return page;
}

cl_int sl_shared_semaphore_create(struct sl_shared_semaphore *out)
{
    const int file = memfd_create("semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct sl_shared_page *page = file < 0 ? NULL : new_page(file);
    if (!page) {
        cl_int rc =
            sl_refuse(CL_OUT_OF_RESOURCES, "no memory for a semaphore: %s", strerror(errno));
        if (file >= 0)
            close(file);
        return rc;
    }
    *out = (struct sl_shared_semaphore){page, true, file};
    return CL_SUCCESS;
}

/* One that can shrink would be a fault of the bus some day. */
static bool may_be_one(int file)
{
    struct stat about;
    const int seals = fcntl(file, F_GET_SEALS);
    return seals >= 0 && seals & F_SEAL_SHRINK && !fstat(file, &about) &&
           about.st_size == FILE_BYTES;
}

cl_int sl_shared_semaphore_import(int file, struct sl_shared_semaphore *out)
{
    if (!may_be_one(file))
        return sl_refuse(CL_INVALID_PROPERTY, "descriptor %d is none of a semaphore", file);
    struct sl_shared_page *page = map(file);
    if (!page)
        return sl_refuse(CL_OUT_OF_RESOURCES, "no place for a semaphore: %s", strerror(errno));
    if (page->magic == magic && page->layout == LAYOUT) {
        *out = (struct sl_shared_semaphore){.page = page};
        return CL_SUCCESS;
    }
    munmap(page, FILE_BYTES);
    return sl_refuse(CL_INVALID_PROPERTY, "descriptor %d is none of a semaphore", file);
}

cl_int sl_shared_semaphore_export(const struct sl_shared_semaphore *shared, int *file)
{
    const int copy = fcntl(shared->file, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return sl_refuse(CL_OUT_OF_RESOURCES, "no descriptor: %s", strerror(errno));
    *file = copy;
    return CL_SUCCESS;
}

void sl_shared_semaphore_finish(struct sl_shared_semaphore *shared)
{
    if (shared->page)
        munmap(shared->page, FILE_BYTES);
    if (shared->exportable)
        close(shared->file);
    *shared = (struct sl_shared_semaphore){0};
}

/* ---- signals --------------------------------------------------------------------------------- */

uint64_t sl_shared_semaphore_promise(const struct sl_shared_semaphore *shared)
{
    return atomic_fetch_add_explicit(&shared->page->signals, 1, memory_order_relaxed);
}

void sl_shared_semaphore_signal(const struct sl_shared_semaphore *shared, uint64_t number,
                                cl_int status)
{
    struct sl_shared_page *page = shared->page;
    const uint64_t ends = number * 2 + (status < 0 ? 3 : 2);
    _Atomic uint64_t *place = &page->ended[number % PLACES];
    uint64_t before = atomic_load_explicit(place, memory_order_relaxed);
    while (before < ends && !atomic_compare_exchange_weak_explicit(
                                place, &before, ends, memory_order_release, memory_order_relaxed))
        ;
    sl_shared_semaphore_poke(shared);
}

void sl_shared_semaphore_poke(const struct sl_shared_semaphore *shared)
{
    atomic_fetch_add_explicit(&shared->page->changes, 1, memory_order_release);
    sl_word_watch_wake(&shared->page->changes);
}

/* ---- waits ----------------------------------------------------------------------------------- */

uint64_t sl_shared_semaphore_expect(const struct sl_shared_semaphore *shared)
{
    return atomic_fetch_add_explicit(&shared->page->waits, 1, memory_order_relaxed);
}

enum sl_shared_state sl_shared_semaphore_look(const struct sl_shared_semaphore *shared,
                                              uint64_t number)
{
    const uint64_t ended =
        atomic_load_explicit(&shared->page->ended[number % PLACES], memory_order_acquire);
    if (ended / 2 < number + 1)
        return SL_SHARED_PENDING;
    return ended == number * 2 + 3 ? SL_SHARED_FAILED : SL_SHARED_SIGNALED;
}

atomic_uint *sl_shared_semaphore_word(const struct sl_shared_semaphore *shared)
{
    return &shared->page->changes;
}

void sl_shared_semaphore_waited(const struct sl_shared_semaphore *shared)
{
    atomic_fetch_add_explicit(&shared->page->waited, 1, memory_order_relaxed);
}

bool sl_shared_semaphore_payload(const struct sl_shared_semaphore *shared)
{
    const uint64_t next = atomic_load_explicit(&shared->page->waited, memory_order_relaxed);
    return sl_shared_semaphore_look(shared, next) == SL_SHARED_SIGNALED;
}
