/* SPDX-License-Identifier: Apache-2.0 */
/* Which units share what, as hwloc has it. No state, no lock. */
#include "common/domains.h"

#include <stdlib.h>
#include <string.h>

#include "common/hwloc.h"

enum { NONE = UINT32_MAX };

static const hwloc_obj_type_t types[SL_DOMAIN_COUNT] = {
    [SL_DOMAIN_NUMA] = HWLOC_OBJ_NUMANODE, [SL_DOMAIN_L4] = HWLOC_OBJ_L4CACHE,
    [SL_DOMAIN_L3] = HWLOC_OBJ_L3CACHE,    [SL_DOMAIN_L2] = HWLOC_OBJ_L2CACHE,
    [SL_DOMAIN_L1] = HWLOC_OBJ_L1CACHE,
};

/* Units are in the order of their CPUs. */
static uint32_t unit_of(const struct sl_machine_domains *domains, uint32_t cpu)
{
    uint32_t low = 0, high = domains->units;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (domains->cpu_of[middle] < cpu)
            low = middle + 1;
        else
            high = middle;
    }
    return low < domains->units && domains->cpu_of[low] == cpu ? low : NONE;
}

/* True if each unit uses one. Where memories have the same CPUs the first counts. */
static bool number_units(const struct sl_machine_domains *domains, const struct sl_hwloc *hw,
                         hwloc_obj_type_t type, uint32_t *number)
{
    int depth;
    unsigned objects = sl_hwloc_count(hw, type, &depth);
    uint32_t left = domains->units;
    memset(number, 0xff, domains->units * sizeof *number);
    for (unsigned i = 0; i < objects; i++) {
        hwloc_obj_t object = hw->object(hw->topology, depth, i);
        for (int cpu = -1; (cpu = hw->next(object->cpuset, cpu)) >= 0;) {
            uint32_t unit = unit_of(domains, (uint32_t)cpu);
            if (unit == NONE || number[unit] != NONE)
                continue;
            number[unit] = i;
            left--;
        }
    }
    return !left;
}

static void list_cpus(struct sl_machine_domains *domains, const cpu_set_t *allowed)
{
    uint32_t unit = 0;
    for (uint32_t cpu = 0; cpu < SL_MOST_CPUS; cpu++)
        if (CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, allowed))
            domains->cpu_of[unit++] = cpu;
}

bool sl_domains_find(struct sl_machine_domains *domains, const cpu_set_t *allowed, uint32_t units)
{
    struct sl_hwloc hw;
    memset(domains, 0, sizeof *domains);
    if (CPU_COUNT_S(SL_CPU_SET_BYTES, allowed) != (int)units || !sl_hwloc_open(&hw))
        return false;
    domains->cpu_of = calloc(units, sizeof *domains->cpu_of);
    domains->numbers = calloc((size_t)units * SL_DOMAIN_COUNT, sizeof *domains->numbers);
    bool found = domains->cpu_of && domains->numbers;
    if (found) {
        domains->units = units;
        list_cpus(domains, allowed);
        for (int i = 0; i < SL_DOMAIN_COUNT; i++) {
            uint32_t *number = domains->numbers + (size_t)units * (size_t)i;
            if (number_units(domains, &hw, types[i], number))
                domains->base.of[i] = number;
        }
    } else {
        sl_domains_finish(domains);
    }
    sl_hwloc_close(&hw);
    return found;
}

/* A sandbox may let nobody say where a thread runs. */
static bool may_bind(const cpu_set_t *allowed)
{
    return !sched_setaffinity(0, SL_CPU_SET_BYTES, allowed);
}

bool sl_domains_find_here(struct sl_machine_domains *domains, uint32_t units)
{
    cpu_set_t *allowed = CPU_ALLOC(SL_MOST_CPUS);
    memset(domains, 0, sizeof *domains);
    if (allowed)
        memset(allowed, 0, SL_CPU_SET_BYTES);
    bool found = allowed && !sched_getaffinity(0, SL_CPU_SET_BYTES, allowed) &&
                 may_bind(allowed) && sl_domains_find(domains, allowed, units);
    CPU_FREE(allowed);
    return found;
}

void sl_domains_finish(struct sl_machine_domains *domains)
{
    free(domains->cpu_of);
    free(domains->numbers);
    memset(domains, 0, sizeof *domains);
}
