/* SPDX-License-Identifier: Apache-2.0 */
/* See watch.h. */
#include "fpga/cluster/watch.h"

#include <stdlib.h>

#include "fpga/cluster/machine.h"
#include "sluice/base/wait.h"

static void wish(struct sl_watch *watch, uint32_t what)
{
    if (atomic_load_explicit(&watch->wishes, memory_order_seq_cst) & what)
        return;
    if (!(atomic_fetch_or_explicit(&watch->wishes, what, memory_order_seq_cst) & what))
        sl_futex_wake(&watch->wishes, 1);
}

void sl_watch_late(struct sl_watch *watch)
{
    wish(watch, SL_WISH_LATE);
}

void sl_watch_lent(struct sl_watch *watch)
{
    wish(watch, SL_WISH_LENT);
}

bool sl_watch_has_lent(struct sl_watch *watch)
{
    return atomic_load_explicit(&watch->wishes, memory_order_relaxed) & SL_WISH_LENT;
}

void sl_watch_stall(struct sl_watch *watch)
{
    wish(watch, SL_WISH_STALL);
}

struct sl_watch *sl_watch_create(struct sl_machine *machine)
{
    struct sl_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->machine = machine;
    watch->thread = (struct sl_thread){
        .name = SL_THREAD_PREFIX "watch", .run = machine->ops->watch, .data = watch};
    if (sl_thread_start(&watch->thread)) {
        free(watch);
        return NULL;
    }
    return watch;
}

void sl_watch_destroy(struct sl_watch *watch)
{
    if (!watch)
        return;
    atomic_fetch_or_explicit(&watch->wishes, SL_WISH_END, memory_order_seq_cst);
    sl_futex_wake(&watch->wishes, 1);
    pthread_join(watch->thread.id, NULL);
    free(watch);
}
