/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The rules are those of clock_items.c, for all items of a group at once. */
#include "fpga/clock/clock_counted.h"

#include <stdlib.h>

struct unit {
    uint64_t groups;
    uint64_t *free, *end; /* of each region, and one more; of the last groups */
};

struct counted {
    const struct sl_clock_kernel *schedule;
    struct unit *units; /* owned */
    uint64_t steps, exit;
};

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool create_units(struct counted *c)
{
    const struct sl_clock_kernel *schedule = c->schedule;
    bool whole = true;
    c->units = calloc(schedule->units, sizeof *c->units);
    for (uint32_t u = 0; c->units && u < schedule->units; u++) {
        c->units[u].free = calloc(schedule->region_count + (size_t)1, sizeof *c->units[u].free);
        c->units[u].end = calloc(schedule->copies, sizeof *c->units[u].end);
        whole &= c->units[u].free && c->units[u].end;
    }
    return c->units && whole;
}

static void destroy_units(struct counted *c)
{
    for (uint32_t u = 0; c->units && u < c->schedule->units; u++) {
        free(c->units[u].free);
        free(c->units[u].end);
    }
    free(c->units);
}

static uint64_t room_in(const struct counted *c, const struct unit *unit)
{
    const bool waits = c->schedule->groups && unit->groups >= c->schedule->copies;
    return greater(unit->free[0], waits ? unit->end[unit->groups % c->schedule->copies] : 0);
}

static struct unit *first_unit(const struct counted *c)
{
    struct unit *first = c->units;
    for (uint32_t u = 1; u < c->schedule->units; u++)
        if (room_in(c, &c->units[u]) < room_in(c, first))
            first = &c->units[u];
    return first;
}

static void add_group(struct counted *c, uint64_t steps)
{
    const struct sl_clock_kernel *schedule = c->schedule;
    struct unit *unit = first_unit(c);
    uint64_t at = room_in(c, unit);
    for (uint32_t v = 0; v < schedule->visit_count; v++) {
        const struct sl_clock_visit *visit = &schedule->visits[v];
        const uint64_t begin = greater(at, unit->free[visit->region]);
        at = begin + (steps - 1) * visit->apart + visit->through;
        unit->free[visit->region] = begin + steps * visit->apart;
    }
    unit->end[unit->groups++ % schedule->copies] = at;
    c->exit = greater(c->exit, at);
    c->steps += steps;
}

/* Of a group's items in a dimension: the last group may have fewer. */
static size_t part(size_t items, size_t group, size_t first)
{
    return items - first < group ? items - first : group;
}

static void add_groups(struct counted *c, const size_t items[3], const size_t group[3], bool joined)
{
    const uint64_t lanes = c->schedule->lanes;
    uint64_t all = 0;
    for (size_t z = 0; z < items[2]; z += group[2])
        for (size_t y = 0; y < items[1]; y += group[1])
            for (size_t x = 0; x < items[0]; x += group[0]) {
                const uint64_t own = (uint64_t)part(items[0], group[0], x) *
                                     part(items[1], group[1], y) * part(items[2], group[2], z);
                const uint64_t steps = (own + lanes - 1) / lanes;
                all += steps;
                if (!joined)
                    add_group(c, steps);
            }
    if (joined && all)
        add_group(c, all);
}

bool sl_clock_counted(const struct sl_clock_kernel *schedule, const size_t items[3],
                      const size_t group[3], uint64_t *cycles, uint64_t *steps)
{
    struct counted c = {.schedule = schedule};
    const bool good = create_units(&c);
    if (good) /* items that do not meet go on, whatever groups they are of */
        add_groups(&c, items, group, !schedule->groups && schedule->units == 1);
    destroy_units(&c);
    *cycles = c.exit;
    *steps = c.steps;
    return good;
}

bool sl_clock_heard(const struct sl_clock_kernel *schedule, const struct sl_clock_group *groups,
                    uint64_t count, uint64_t *cycles)
{
    struct counted c = {.schedule = schedule};
    const bool good = create_units(&c);
    for (uint64_t g = 0; good && g < count; g++) {
        if (!groups[g].apart) /* it has no items */
            continue;
        struct unit *unit = first_unit(&c);
        const uint64_t begin = unit->free[0];
        unit->free[0] = begin + groups[g].apart;
        c.exit = greater(c.exit, begin + groups[g].through);
    }
    destroy_units(&c);
    *cycles = c.exit;
    return good;
}
