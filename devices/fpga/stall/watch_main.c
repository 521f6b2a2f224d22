/* SPDX-License-Identifier: Apache-2.0 */
/* What the thread of the watch does: see watch.h. It has no lock, but watch->wishes. */
#include <pthread.h>
#include <stdbool.h>

#include "fpga/cluster/machine.h"
#include "fpga/cluster/watch.h"
#include "fpga/stall/stall.h"
#include "sluice/base/wait.h"

static const uint64_t late_ns = 5000000, lent_ns = 200000;

/* The stall time in parts; not less, since to look costs something. */
static uint64_t look_after_ns(const struct sl_machine *machine)
{
    const uint64_t least = 200000, ns = machine->stall_ns / SL_STALL_LOOKS;
    return ns > least ? ns : least;
}

/* A cluster still waits for a thread: one more may run. */
static bool help_late(struct sl_machine *machine)
{
    pthread_mutex_lock(&machine->lock);
    bool queue = machine->queue != NULL;
    if (queue && machine->running >= machine->allowed)
        machine->allowed = machine->running + 1;
    else if (!queue && machine->running < machine->units)
        machine->allowed = machine->units;
    pthread_mutex_unlock(&machine->lock);
    if (queue)
        sl_pool_wake(machine->pool, 1);
    return queue;
}

void *sl_watch_main(void *data)
{
    struct sl_watch *watch = data;
    struct sl_machine *machine = watch->machine;
    uint64_t stall_at = 0, lent_at = 0;
    struct sl_stall stall = {0};
    for (;;) {
        uint32_t wishes = atomic_load_explicit(&watch->wishes, memory_order_seq_cst);
        if (wishes & SL_WISH_END)
            break;
        uint64_t now = sl_clock_ns(), sleep_ns = 0;
        if (wishes & SL_WISH_LENT && lent_at && now >= lent_at) {
            atomic_fetch_and_explicit(&watch->wishes, ~(uint32_t)SL_WISH_LENT,
                                      memory_order_seq_cst);
            lent_at = 0;
            if (sl_machine_end_loans(machine, SL_LOANS_LEFT))
                sl_watch_lent(watch);
            continue;
        }
        if (wishes & SL_WISH_STALL) {
            if (!stall_at) {
                sl_stall_begin(machine, &stall);
                stall_at = now + look_after_ns(machine);
            } else if (now >= stall_at) {
                stall_at = now + look_after_ns(machine);
                if (!sl_stall_look(machine, &stall)) {
                    stall_at = 0;
                    atomic_fetch_and_explicit(&watch->wishes, ~(uint32_t)SL_WISH_STALL,
                                              memory_order_seq_cst);
                    /* what began to wait meanwhile did not ask again */
                    if (sl_stall_possible(machine, &stall))
                        sl_watch_stall(watch);
                }
                continue;
            }
            sleep_ns = stall_at - now + 1; /* 0 would be for ever */
        }
        if (wishes & SL_WISH_LATE)
            sleep_ns = sleep_ns && sleep_ns < late_ns ? sleep_ns : late_ns;
        if (wishes & SL_WISH_LENT) {
            lent_at = lent_at ? lent_at : now + lent_ns;
            uint64_t left = lent_at - now;
            sleep_ns = sleep_ns && sleep_ns < left ? sleep_ns : left;
        }
        sl_futex_wait(&watch->wishes, wishes, sleep_ns);
        if (wishes & SL_WISH_LATE) {
            /* cleared before the look: what is wished for after it counts */
            atomic_fetch_and_explicit(&watch->wishes, ~(uint32_t)SL_WISH_LATE,
                                      memory_order_seq_cst);
            if (help_late(machine))
                sl_watch_late(watch);
        }
    }
    return NULL;
}
