/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that exits without releasing its programs: what is still in output pipes is written,
 * all of them having the time that a release gives, and what could not be is counted. `list_lock`
 * guards the list.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fpga/io/io_end.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_io_end *list;
static atomic_int owner; /* process */

static bool all_done_locked(void)
{
    bool done = true;
    for (struct sl_io_end *end = list; end; end = end->next)
        done &= end->unbound || atomic_load_explicit(&end->done, memory_order_acquire);
    return done;
}

/* Other threads may go on releasing meanwhile. Looks rather than waits to be told: the process
 * ends, and ends of pipes that tell would need what is being taken down. A third of a second at
 * most. */
void sl_io_write_rest(void)
{
    enum { TURNS = 300 };
    const struct timespec moment = {.tv_nsec = 1000000};
    if (atomic_load_explicit(&owner, memory_order_relaxed) != (int)getpid())
        return; /* a child has no such threads */
    pthread_mutex_lock(&list_lock);
    for (struct sl_io_end *end = list; end; end = end->next) {
        if (end->unbound)
            sl_io_note_lost(end, UINT64_MAX, 0);
        else
            sl_io_stop(end);
    }
    for (int turn = 0; turn < TURNS && !all_done_locked(); turn++) {
        pthread_mutex_unlock(&list_lock);
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&list_lock);
    }
    pthread_mutex_unlock(&list_lock);
}

void sl_io_enlist(struct sl_io_end *end)
{
    static bool registered;
    pthread_mutex_lock(&list_lock);
    if (!registered)
        registered = !atexit(sl_io_write_rest);
    atomic_store_explicit(&owner, (int)getpid(), memory_order_relaxed);
    end->previous = NULL;
    end->next = list;
    if (list)
        list->previous = end;
    list = end;
    pthread_mutex_unlock(&list_lock);
}

void sl_io_delist(struct sl_io_end *end)
{
    pthread_mutex_lock(&list_lock);
    *(end->previous ? &end->previous->next : &list) = end->next;
    if (end->next)
        end->next->previous = end->previous;
    pthread_mutex_unlock(&list_lock);
}
