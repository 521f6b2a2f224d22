/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Knows whether we are in a child that was forked while we had threads. No handler is registered:
 * one page is wiped by the kernel in a child (MADV_WIPEONFORK), so asking costs two loads. Where
 * that fails the process id is compared. Written by the first and the last context, under their
 * lock; read anywhere.
 */
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/thread/fork.h"

enum { PAGE_BYTES = 4096 };

static union {
    atomic_int here; /* 1 in the process that has the threads, 0 in its children */
    unsigned char page[PAGE_BYTES];
} witness __attribute__((aligned(PAGE_BYTES)));
static atomic_bool watching;
static atomic_int owner; /* process id where the page cannot be wiped, else 0 */

void sl_fork_watch(bool threads_exist)
{
    if (threads_exist) {
        bool wiped = !madvise(&witness, sizeof witness, MADV_WIPEONFORK);
        atomic_store_explicit(&owner, wiped ? 0 : (int)getpid(), memory_order_relaxed);
        atomic_store_explicit(&witness.here, 1, memory_order_relaxed);
    }
    atomic_store_explicit(&watching, threads_exist, memory_order_release);
}

bool sl_forked(void)
{
    if (!atomic_load_explicit(&watching, memory_order_acquire))
        return false;
    int pid = atomic_load_explicit(&owner, memory_order_relaxed);
    if (pid)
        return pid != (int)getpid();
    return !atomic_load_explicit(&witness.here, memory_order_relaxed);
}
