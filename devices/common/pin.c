/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which thread goes to which core. hwloc knows which CPUs share a core; it is opened by name for
 * the one question, so that neither enumeration nor an installation without it pays. No state, no
 * lock.
 */
#include <dlfcn.h>
#include <hwloc.h>
#include <sched.h>
#include <stdbool.h>

#include "common/topology.h"
#include "common/values.h"

enum { MOST_CPUS = 8192 };

struct cpu_list {
    uint32_t *cpus, capacity, count;
};

static void append(struct cpu_list *list, uint32_t cpu)
{
    if (list->count < list->capacity)
        list->cpus[list->count++] = cpu;
}

struct hwloc_calls {
    __typeof__(hwloc_topology_init) *init;
    __typeof__(hwloc_topology_load) *load;
    __typeof__(hwloc_topology_destroy) *destroy;
    __typeof__(hwloc_get_type_depth) *type_depth;
    __typeof__(hwloc_get_nbobjs_by_depth) *count;
    __typeof__(hwloc_get_obj_by_depth) *object;
    __typeof__(hwloc_bitmap_next) *next;
};

static bool find_calls(void *library, struct hwloc_calls *calls)
{
    const struct {
        void *to;
        const char *name;
    } wanted[] = {
        {&calls->init, "hwloc_topology_init"},        {&calls->load, "hwloc_topology_load"},
        {&calls->destroy, "hwloc_topology_destroy"},  {&calls->type_depth, "hwloc_get_type_depth"},
        {&calls->count, "hwloc_get_nbobjs_by_depth"}, {&calls->object, "hwloc_get_obj_by_depth"},
        {&calls->next, "hwloc_bitmap_next"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(library, wanted[i].name);
        if (!symbol)
            return false;
        *(void **)wanted[i].to = symbol;
    }
    return true;
}

/* The round-th CPU of a core that `allowed` has too, or -1. */
static int nth_allowed(const struct hwloc_calls *hw, hwloc_obj_t core, const cpu_set_t *allowed,
                       uint32_t round)
{
    for (int cpu = -1; (cpu = hw->next(core->cpuset, cpu)) >= 0;) {
        if (cpu < MOST_CPUS && CPU_ISSET_S((size_t)cpu, MOST_CPUS / 8, allowed) && !round--)
            return cpu;
    }
    return -1;
}

static void order_by_cores(const struct hwloc_calls *hw, const cpu_set_t *allowed,
                           struct cpu_list *list)
{
    hwloc_topology_t topology;
    if (hw->init(&topology))
        return;
    int depth = hw->load(topology) ? -1 : hw->type_depth(topology, HWLOC_OBJ_CORE);
    unsigned cores = depth >= 0 ? hw->count(topology, depth) : 0;
    bool any = cores > 0;
    for (uint32_t round = 0; any; round++) {
        any = false;
        for (unsigned i = 0; i < cores; i++) {
            int cpu = nth_allowed(hw, hw->object(topology, depth, i), allowed, round);
            if (cpu < 0)
                continue;
            append(list, (uint32_t)cpu);
            any = true;
        }
    }
    hw->destroy(topology);
}

uint32_t sl_topology_order(uint32_t *cpus, uint32_t capacity)
{
    struct cpu_list list = {.cpus = cpus, .capacity = capacity};
    struct hwloc_calls hw;
    cpu_set_t *allowed = CPU_ALLOC(MOST_CPUS);
    if (!allowed)
        return 0;
    if (!sched_getaffinity(0, MOST_CPUS / 8, allowed)) {
        void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
        if (library && find_calls(library, &hw))
            order_by_cores(&hw, allowed, &list);
        if (library)
            dlclose(library);
        for (uint32_t cpu = 0; !library && cpu < MOST_CPUS; cpu++) {
            if (CPU_ISSET_S(cpu, MOST_CPUS / 8, allowed))
                append(&list, cpu);
        }
    }
    CPU_FREE(allowed);
    return list.count;
}

int sl_topology_pin(uint32_t cpu)
{
    cpu_set_t *set = CPU_ALLOC(MOST_CPUS);
    if (!set)
        return SL_OUT_OF_HOST_MEMORY;
    CPU_ZERO_S(MOST_CPUS / 8, set);
    CPU_SET_S(cpu, MOST_CPUS / 8, set);
    int rc = sched_setaffinity(0, MOST_CPUS / 8, set);
    CPU_FREE(set);
    return rc ? SL_OUT_OF_RESOURCES : 0;
}
