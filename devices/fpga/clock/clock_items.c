/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-items of a kernel with loops, or whose groups meet, on their way through the circuit one
 * behind the other. The next one begins as soon as it finds everything free that the one before
 * needs again and again: of each loop the cycles that its iterations take, ports of memories, and
 * each end of a pipe from its first operation to its last, since packets keep the order of
 * work-items. One that would overtake all the same, since it has less to do in loops, waits there
 * for the one in front.
 *
 * Meetings divide a kernel into regions. All items of a group have to be through with one before
 * the first of them begins the next, and a group begins a region when the last item of the one
 * before leaves it room there; it begins its first one when no more than a number of groups are on
 * their way. Compute units are as many such circuits, and a group begins in the one that has room
 * first. Items side by side are as one (clock_beside.h).
 */
#include <stdlib.h>
#include <string.h>

#include "fpga/clock/clock_beside.h"
#include "fpga/clock/clock_run.h"

enum { MOST_ENDS = 32 };

struct end { /* of a pipe that items have used */
    const struct sl_pipe_ring *ring;
    unsigned op;
    uint64_t item;        /* the last one that has */
    uint64_t first, last; /* nominal cycles: of that one, of all */
};

struct unit {
    uint64_t groups;      /* that have ended */
    uint64_t *free, *end; /* nominal: of each region, when the next group may begin it; of the last
                             groups, when they have ended */
};

struct sl_clock_items {
    const struct sl_clock_kernel *schedule;
    bool begun;              /* there was one */
    uint32_t region;         /* that it is in; region_count: one that the schedule does not have */
    uint64_t number;         /* of the item in its group */
    uint64_t item;           /* of all, from 1 */
    uint64_t began, through; /* nominal; through: when those of this region are */
    uint64_t exit;           /* when all are */
    uint64_t apart;          /* the next one begins so many cycles later at least */
    uint64_t spent;          /* cycles in loops, of those side by side */
    struct sl_clock_beside beside;
    struct unit *unit, *units; /* owned; unit: where the group is */
    uint64_t *taken; /* owned; of loops of the schedule: cycles that the item takes from others */
    uint32_t end_count;
    struct end ends[MOST_ENDS];
};

static bool create_units(struct sl_clock_items *items)
{
    const struct sl_clock_kernel *schedule = items->schedule;
    bool whole = true;
    items->units = calloc(schedule->units, sizeof *items->units);
    for (uint32_t u = 0; items->units && u < schedule->units; u++) {
        struct unit *unit = &items->units[u];
        unit->free = calloc(schedule->region_count + (size_t)1, sizeof *unit->free);
        unit->end = calloc(schedule->copies, sizeof *unit->end);
        whole &= unit->free && unit->end;
    }
    items->unit = items->units;
    return items->units && whole;
}

struct sl_clock_items *sl_clock_items_create(const struct sl_clock_kernel *schedule)
{
    struct sl_clock_items *items = calloc(1, sizeof *items);
    if (!items)
        return NULL;
    items->schedule = schedule;
    items->taken = calloc(schedule->loop_count + (size_t)1, sizeof *items->taken);
    if (items->taken && create_units(items))
        return items;
    sl_clock_items_destroy(items);
    return NULL;
}

void sl_clock_items_destroy(struct sl_clock_items *items)
{
    if (!items)
        return;
    for (uint32_t u = 0; items->units && u < items->schedule->units; u++) {
        free(items->units[u].free);
        free(items->units[u].end);
    }
    sl_clock_beside_finish(&items->beside);
    free(items->units);
    free(items->taken);
    free(items);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void keep_apart(struct sl_clock_items *items, uint64_t cycles)
{
    items->apart = greater(items->apart, cycles);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* When another group may begin there, as far as that is known. */
static uint64_t room_in(const struct sl_clock_items *items, const struct unit *unit)
{
    const struct sl_clock_kernel *schedule = items->schedule;
    const bool here = unit == items->unit && items->begun;
    const uint64_t copies = schedule->copies, groups = unit->groups + here;
    uint64_t room = unit->free[0];
    if (here && !items->region)
        room = greater(room, items->began + items->apart);
    if (!schedule->groups || groups < copies)
        return room;
    if (here && copies == 1) /* the group that is still there */
        return greater(room, greater(items->through, items->began + 1));
    return greater(room, unit->end[groups % copies]);
}

static struct unit *first_unit(const struct sl_clock_items *items)
{
    struct unit *first = items->units;
    for (uint32_t u = 1; u < items->schedule->units; u++)
        if (room_in(items, &items->units[u]) < room_in(items, first))
            first = &items->units[u];
    return first;
}

uint64_t sl_clock_items_next(const struct sl_clock_run *run)
{
    const struct sl_clock_items *items = run->items;
    const uint64_t item = items->began + items->apart, group = room_in(items, first_unit(items));
    return group < item ? group : item;
}

/* The item is through, or those side by side are; an item takes a cycle. */
static void end_item(struct sl_clock_run *run)
{
    struct sl_clock_items *items = run->items;
    const struct sl_clock_kernel *schedule = items->schedule;
    uint64_t through = run->beside ? items->began + items->spent : run->at;
    if (items->region < schedule->region_count) {
        through += schedule->regions[items->region].depth;
        keep_apart(items, schedule->regions[items->region].apart);
    }
    items->through = greater(items->through, greater(through, items->began + 1));
    items->exit = greater(items->exit, items->through);
    items->unit->free[items->region] = items->began + items->apart;
}

static void end_group(struct sl_clock_items *items)
{
    struct unit *unit = items->unit;
    unit->end[unit->groups++ % items->schedule->copies] = items->through;
}

static uint32_t find_region(const struct sl_clock_items *items, uint32_t line, uint32_t column)
{
    const struct sl_clock_kernel *schedule = items->schedule;
    uint32_t i = items->region;
    if (!column)
        return 0;
    if (i < schedule->region_count && schedule->regions[i].line == line &&
        schedule->regions[i].column == column)
        return i;
    for (i = 1; i < schedule->region_count; i++)
        if (schedule->regions[i].line == line && schedule->regions[i].column == column)
            break;
    return i < schedule->region_count ? i : schedule->region_count;
}

/* Is it in the region with those that began just before? */
static bool follows(const struct sl_clock_items *items, uint32_t region, uint64_t number)
{
    const struct sl_clock_kernel *schedule = items->schedule;
    const bool numbered = schedule->groups || schedule->units > 1;
    return items->begun && region == items->region && (!numbered || number > items->number);
}

static bool is_beside(const struct sl_clock_items *items, uint32_t region, uint64_t number)
{
    const uint64_t lanes = items->schedule->lanes;
    return items->begun && lanes > 1 && region == items->region && number > items->number &&
           number / lanes == items->number / lanes;
}

/* When it begins, if it is not beside another. */
static uint64_t begin_of(struct sl_clock_items *items, uint32_t region, bool follower, bool enters)
{
    uint64_t begin;
    if (follower)
        return items->began + items->apart;
    if (enters) {
        if (items->begun)
            end_group(items);
        items->begun = false;
        items->unit = first_unit(items);
        begin = room_in(items, items->unit);
    } else {
        begin = greater(items->through, items->unit->free[region]);
    }
    items->through = 0;
    return begin;
}

void sl_clock_items_begin(struct sl_clock_run *run, uint32_t line, uint32_t column, uint64_t number)
{
    struct sl_clock_items *items = run->items;
    const uint32_t region = find_region(items, line, column);
    const bool beside = is_beside(items, region, number);
    if (run->beside)
        sl_clock_beside_begin(&items->beside, !beside);
    items->item++;
    if (beside) {
        items->number = number;
        run->at = items->began;
        return;
    }
    if (items->begun)
        end_item(run);
    run->at = begin_of(items, region, follows(items, region, number), !column);
    items->begun = true;
    items->number = number;
    items->region = region;
    items->began = run->at;
    items->apart = 1;
    items->spent = 0;
    memset(items->taken, 0, items->schedule->loop_count * sizeof *items->taken);
    const uint64_t next = sl_clock_items_next(run);
    sl_delays_advance(&run->time, next < run->at ? next : run->at);
    sl_clock_come_through(run);
}

/* ---- pipes and loops ------------------------------------------------------------------------- */

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

/* Where the item is in the loops around: the same for all that go in step. */
static uint64_t way_of(const struct sl_clock_run *run, int64_t row)
{
    uint64_t key = (uint64_t)row + 1;
    for (uint32_t i = 1; i <= run->depth; i++) {
        const struct sl_clock_frame *f = &run->frames[i];
        key = (key ^ ((uint64_t)f->line << 32 | f->column)) * 0xff51afd7ed558ccd;
        key = (key ^ key >> 33 ^ f->iterations) * 0xc4ceb9fe1a85ec53;
        key ^= key >> 33;
    }
    return key;
}

struct sl_clock_lead sl_clock_items_leave(struct sl_clock_run *run,
                                          const struct sl_clock_loop *loop, uint64_t iterations)
{
    struct sl_clock_items *items = run->items;
    const int64_t row = loop - items->schedule->loops;
    uint64_t had = UINT64_MAX;
    if (run->beside && !sl_clock_beside_leave(&items->beside, way_of(run, row), iterations, &had))
        sl_clock_lose(run->clock);
    const bool first = had == UINT64_MAX;
    const uint64_t more = first ? iterations : iterations > had ? iterations - had : 0;
    const struct sl_clock_lead lead = {first, more};
    if (!loop->pipelined || !more)
        return lead;
    items->taken[row] += more * loop->slot;
    keep_apart(items, items->taken[row]);
    items->spent +=
        first || !had ? (more - 1) * loop->interval + loop->drain : more * loop->interval;
    return lead;
}

void sl_clock_items_end(struct sl_clock_run *run)
{
    struct sl_clock_items *items = run->items;
    if (!items->begun)
        return;
    end_item(run);
    run->at = items->exit;
}
