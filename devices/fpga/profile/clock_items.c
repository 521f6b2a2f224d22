/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-items of a kernel with loops, or whose groups meet, on their way through the circuit one
 * behind the other. The next one begins as soon as it finds everything free that the one before
 * needs again and again: of each loop the cycles that its iterations take, and each end of a pipe
 * from its first operation to its last, since packets keep the order of work-items. One that would
 * overtake all the same, since it has less to do in loops, waits there for the one in front. Where
 * the items of a group meet all of them have to be through first; so the next group begins when the
 * one before has ended.
 */
#include <stdlib.h>
#include <string.h>

#include "fpga/profile/clock_run.h"

enum { MOST_ENDS = 32 };

struct end { /* of a pipe that items have used */
    const struct sl_pipe_ring *ring;
    unsigned op;
    uint64_t item;        /* the last one that has */
    uint64_t first, last; /* nominal cycles: of that one, of all */
};

struct sl_clock_items {
    const struct sl_clock_kernel *schedule;
    bool begun;           /* there was one */
    uint64_t number;      /* of the item in its group */
    uint64_t item;        /* of all, from 1 */
    uint64_t began, exit; /* nominal; exit: when all before it are through */
    uint64_t apart;       /* the next one begins so many cycles later at least */
    uint32_t end_count;
    struct end ends[MOST_ENDS];
    uint64_t taken[]; /* of loops of the schedule: cycles that the item has taken from others */
};

struct sl_clock_items *sl_clock_items_create(const struct sl_clock_kernel *schedule)
{
    struct sl_clock_items *items =
        calloc(1, sizeof *items + schedule->loop_count * sizeof *items->taken);
    if (items)
        items->schedule = schedule;
    return items;
}

void sl_clock_items_destroy(struct sl_clock_items *items)
{
    free(items);
}

static void keep_apart(struct sl_clock_items *items, uint64_t cycles)
{
    items->apart = cycles > items->apart ? cycles : items->apart;
}

uint64_t sl_clock_items_next(const struct sl_clock_run *run)
{
    return run->items->began + run->items->apart;
}

/* The item is through; an item takes a cycle. */
static void end_item(struct sl_clock_run *run)
{
    struct sl_clock_items *items = run->items;
    uint64_t through = run->at > items->began ? run->at : items->began + 1;
    items->exit = through > items->exit ? through : items->exit;
}

void sl_clock_items_begin(struct sl_clock_run *run, uint64_t number)
{
    struct sl_clock_items *items = run->items;
    if (items->begun) {
        end_item(run);
        bool all_through = items->schedule->groups && number <= items->number;
        run->at = all_through ? items->exit : items->began + items->apart;
    }
    items->begun = true;
    items->number = number;
    items->began = run->at;
    items->apart = 1;
    items->item++;
    memset(items->taken, 0, items->schedule->loop_count * sizeof *items->taken);
    sl_delays_advance(&run->time, run->at);
    sl_clock_come_through(run);
}

static struct end *find_end(struct sl_clock_items *items, const struct sl_pipe_ring *ring,
                            unsigned op)
{
    uint32_t i = 0;
    while (i < items->end_count && (items->ends[i].ring != ring || items->ends[i].op != op))
        i++;
    if (i == MOST_ENDS)
        return NULL;
    if (i == items->end_count)
        items->ends[items->end_count++] = (struct end){.ring = ring, .op = op};
    return &items->ends[i];
}

uint64_t sl_clock_items_use(struct sl_clock_run *run, const struct sl_pipe_ring *ring, unsigned op)
{
    struct sl_clock_items *items = run->items;
    struct end *end = find_end(items, ring, op);
    if (!end) { /* too many to be remembered: nobody overtakes */
        keep_apart(items, run->nominal - items->began + 1);
        return 0;
    }
    bool first = end->item != items->item;
    uint64_t least = end->item && first ? end->last + 1 : 0;
    uint64_t later = run->nominal < least ? least - run->nominal : 0;
    if (first)
        *end = (struct end){ring, op, items->item, run->nominal + later, end->last};
    if (run->nominal + later > end->last)
        end->last = run->nominal + later;
    keep_apart(items, end->last - end->first + 1);
    return later;
}

void sl_clock_items_leave(struct sl_clock_run *run, const struct sl_clock_loop *loop,
                          uint64_t iterations)
{
    struct sl_clock_items *items = run->items;
    uint64_t *taken = &items->taken[loop - items->schedule->loops];
    *taken += iterations * loop->slot;
    keep_apart(items, *taken);
}

void sl_clock_items_end(struct sl_clock_run *run)
{
    struct sl_clock_items *items = run->items;
    if (!items->begun)
        return;
    end_item(run);
    run->at = items->exit;
}
