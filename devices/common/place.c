/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread goes where. No state, no lock. */
#include "common/place.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/hwloc.h"

enum { LIST_BYTES = 4096 };

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcasecmp(word, *words))
        words++;
    return *words;
}

enum sl_placing sl_placing_from(const char *setting)
{
    static const char *const no[] = {"0", "no", "off", "false", NULL}, *const yes[] = {"1", "yes",
                                                                                       "on", "true",
                                                                                       NULL};
    if (!setting)
        return SL_PLACING_AUTO;
    return is_one_of(setting, no)    ? SL_PLACING_FREE
           : is_one_of(setting, yes) ? SL_PLACING_CORES
                                     : SL_PLACING_AUTO;
}

/* ---- what files tell without hwloc -------------------------------------------------------------
 */

/* "0-3,8" has five. 0: there is no such file. */
static uint32_t listed_cpus(const char *root, const char *path)
{
    char full[512], text[LIST_BYTES];
    snprintf(full, sizeof full, "%s%s", root, path);
    FILE *file = fopen(full, "re");
    bool read = file && fgets(text, sizeof text, file);
    uint32_t count = 0;
    if (file)
        fclose(file);
    for (char *at = text; read && *at >= '0' && *at <= '9';) {
        unsigned long first = strtoul(at, &at, 10), last = first;
        if (*at == '-')
            last = strtoul(at + 1, &at, 10);
        count += last >= first ? (uint32_t)(last - first + 1) : 0;
        at += *at == ',';
    }
    return count;
}

/* Most machines have one memory and one last cache: nobody needs to load a library for them. */
static bool is_one_domain(const char *root, uint32_t online)
{
    return listed_cpus(root, "/sys/devices/system/node/online") == 1 &&
           listed_cpus(root, "/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list") >= online;
}

/* ---- hwloc ---------------------------------------------------------------------------------- */

struct machine {
    struct sl_hwloc hw;
    const struct sl_place_limits *limits;
};

static cpu_set_t *set_at(const struct sl_places *places, uint32_t i)
{
    return (cpu_set_t *)(void *)(places->set + (size_t)i * SL_CPU_SET_BYTES);
}

static bool is_allowed(const struct machine *machine, int cpu)
{
    return cpu < SL_MOST_CPUS &&
           CPU_ISSET_S((size_t)cpu, SL_CPU_SET_BYTES, machine->limits->allowed);
}

static bool reserve(struct sl_places *places, uint32_t sets, uint32_t threads)
{
    places->set = calloc(sets, SL_CPU_SET_BYTES);
    places->set_of = calloc(threads, sizeof *places->set_of);
    return places->set && places->set_of;
}

/* ---- one core each ----------------------------------------------------------------------------
 */

static void append_cpu(struct sl_places *places, uint32_t room, int cpu)
{
    if (places->count == room)
        return;
    CPU_SET_S((size_t)cpu, SL_CPU_SET_BYTES, set_at(places, places->count));
    places->set_of[places->threads++] = places->count++;
}

/* The round-th CPU of a core that is allowed, or -1. */
static int nth_allowed(const struct machine *machine, hwloc_obj_t core, uint32_t round)
{
    for (int cpu = -1; (cpu = machine->hw.next(core->cpuset, cpu)) >= 0;)
        if (is_allowed(machine, cpu) && !round--)
            return cpu;
    return -1;
}

static void by_cores(const struct machine *machine, struct sl_places *places)
{
    int depth;
    uint32_t room = machine->limits->threads;
    unsigned cores = sl_hwloc_count(&machine->hw, HWLOC_OBJ_CORE, &depth);
    bool any = cores && reserve(places, room, room);
    for (uint32_t round = 0; any; round++) {
        any = false;
        for (unsigned i = 0; i < cores; i++) {
            hwloc_obj_t core = machine->hw.object(machine->hw.topology, depth, i);
            int cpu = nth_allowed(machine, core, round);
            if (cpu < 0)
                continue;
            append_cpu(places, room, cpu);
            any = true;
        }
    }
}

/* ---- one part of the machine each --------------------------------------------------------------
 */

static void fill_set(const struct machine *machine, hwloc_obj_t domain, cpu_set_t *set)
{
    for (int cpu = -1; (cpu = machine->hw.next(domain->cpuset, cpu)) >= 0;)
        if (is_allowed(machine, cpu))
            CPU_SET_S((size_t)cpu, SL_CPU_SET_BYTES, set);
}

/* Each part gets a thread in turn, until it has as many as CPUs: few threads have all caches. */
static void deal_threads(struct sl_places *places, uint32_t threads)
{
    bool any = true;
    for (int round = 0; any && places->threads < threads; round++) {
        any = false;
        for (uint32_t i = 0; i < places->count && places->threads < threads; i++)
            if (CPU_COUNT_S(SL_CPU_SET_BYTES, set_at(places, i)) > round) {
                places->set_of[places->threads++] = i;
                any = true;
            }
    }
}

static void by_domains(const struct machine *machine, struct sl_places *places)
{
    int depth;
    unsigned domains = sl_hwloc_count(&machine->hw, HWLOC_OBJ_L3CACHE, &depth);
    if (domains < 2)
        domains = sl_hwloc_count(&machine->hw, HWLOC_OBJ_NUMANODE, &depth);
    if (domains < 2 || !reserve(places, domains, machine->limits->threads))
        return;
    places->count = domains;
    for (unsigned i = 0; i < domains; i++)
        fill_set(machine, machine->hw.object(machine->hw.topology, depth, i), set_at(places, i));
    deal_threads(places, machine->limits->threads);
}

/* ---- deciding ---------------------------------------------------------------------------------
 */

static void ask_hwloc(struct sl_places *places, enum sl_placing placing,
                      const struct sl_place_limits *limits)
{
    struct machine machine = {.limits = limits};
    if (!sl_hwloc_open(&machine.hw))
        return;
    (placing == SL_PLACING_CORES ? by_cores : by_domains)(&machine, places);
    sl_hwloc_close(&machine.hw);
}

/* Without hwloc: as the CPUs are numbered. */
static void by_numbers(struct sl_places *places, const struct sl_place_limits *limits)
{
    if (!reserve(places, limits->threads, limits->threads))
        return;
    for (int cpu = 0; cpu < SL_MOST_CPUS; cpu++)
        if (CPU_ISSET_S((size_t)cpu, SL_CPU_SET_BYTES, limits->allowed))
            append_cpu(places, limits->threads, cpu);
}

/* Who restricted us has placed us already, and other processes want the rest. */
static bool has_whole_machine(const struct sl_place_limits *limits)
{
    uint32_t allowed = (uint32_t)CPU_COUNT_S(SL_CPU_SET_BYTES, limits->allowed);
    return allowed == limits->online && limits->threads == allowed;
}

void sl_places_find(struct sl_places *places, enum sl_placing placing,
                    const struct sl_place_limits *limits, const char *root)
{
    memset(places, 0, sizeof *places);
    if (placing == SL_PLACING_FREE ||
        (placing == SL_PLACING_AUTO &&
         (!has_whole_machine(limits) || is_one_domain(root, limits->online))))
        return;
    ask_hwloc(places, placing, limits);
    if (places->threads)
        return;
    sl_places_finish(places);
    if (placing == SL_PLACING_CORES)
        by_numbers(places, limits);
}

void sl_places_find_here(struct sl_places *places, enum sl_placing placing, uint32_t threads)
{
    cpu_set_t *allowed = CPU_ALLOC(SL_MOST_CPUS);
    memset(places, 0, sizeof *places);
    if (allowed && placing != SL_PLACING_FREE && !sched_getaffinity(0, SL_CPU_SET_BYTES, allowed)) {
        struct sl_place_limits limits = {allowed, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN), threads};
        sl_places_find(places, placing, &limits, "");
    }
    CPU_FREE(allowed);
}

void sl_places_in(struct sl_places *places, const cpu_set_t *cpus)
{
    memset(places, 0, sizeof *places);
    if (!reserve(places, 1, 1)) {
        sl_places_finish(places);
        return;
    }
    memcpy(places->set, cpus, SL_CPU_SET_BYTES);
    places->count = places->threads = 1;
}

void sl_places_bind(const struct sl_places *places, uint32_t index)
{
    if (places->threads)
        sched_setaffinity(0, SL_CPU_SET_BYTES,
                          set_at(places, places->set_of[index % places->threads]));
}

void sl_places_finish(struct sl_places *places)
{
    free(places->set);
    free(places->set_of);
    memset(places, 0, sizeof *places);
}
