/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread goes where. No state, no lock. */
#include "common/machine/place.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

static cpu_set_t *set_at(const struct sl_places *places, uint32_t i)
{
    return (cpu_set_t *)(void *)(places->set + (size_t)i * SL_CPU_SET_BYTES);
}

static bool reserve(struct sl_places *places, uint32_t sets, uint32_t threads)
{
    places->set = calloc(sets, SL_CPU_SET_BYTES);
    places->set_of = calloc(threads, sizeof *places->set_of);
    return places->set && places->set_of;
}

/* ---- one core each --------------------------------------------------------------------------- */

static void append_cpu(struct sl_places *places, uint32_t room, int cpu)
{
    if (places->count == room)
        return;
    CPU_SET_S((size_t)cpu, SL_CPU_SET_BYTES, set_at(places, places->count));
    places->set_of[places->threads++] = places->count++;
}

/* The round-th CPU of a core that is allowed, or -1. */
static int nth_allowed(const struct sl_place_limits *limits, const struct sl_groups *cores,
                       uint32_t core, uint32_t round)
{
    for (unsigned cpu = 0; cpu < SL_MOST_CPUS; cpu++)
        if (CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, limits->allowed) && cores->of[cpu] == core &&
            !round--)
            return (int)cpu;
    return -1;
}

static void by_cores(struct sl_places *places, const struct sl_place_limits *limits,
                     const char *root)
{
    struct sl_groups cores;
    uint32_t room = limits->threads;
    if (sl_groups_find(&cores, SL_SHARED_CORE, limits->allowed, root))
        return;
    bool any = reserve(places, room, room);
    for (uint32_t round = 0; any; round++) {
        any = false;
        for (uint32_t i = 0; i < cores.count; i++) {
            int cpu = nth_allowed(limits, &cores, i, round);
            if (cpu < 0)
                continue;
            append_cpu(places, room, cpu);
            any = true;
        }
    }
    sl_groups_finish(&cores);
}

/* ---- one part of the machine each ------------------------------------------------------------ */

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

/* Parts with a last cache, or else a memory, of their own. */
static bool find_parts(struct sl_groups *parts, const struct sl_place_limits *limits,
                       const char *root)
{
    static const enum sl_shared kinds[] = {SL_SHARED_L3, SL_SHARED_MEMORY};
    for (int i = 0; i < 2; i++) {
        if (sl_groups_find(parts, kinds[i], limits->allowed, root))
            continue;
        if (parts->count > 1)
            return true;
        sl_groups_finish(parts);
    }
    return false;
}

static void by_domains(struct sl_places *places, const struct sl_place_limits *limits,
                       const char *root)
{
    struct sl_groups parts;
    if (!find_parts(&parts, limits, root))
        return;
    if (reserve(places, parts.count, limits->threads)) {
        places->count = parts.count;
        for (unsigned cpu = 0; cpu < SL_MOST_CPUS; cpu++)
            if (CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, limits->allowed))
                CPU_SET_S(cpu, SL_CPU_SET_BYTES, set_at(places, parts.of[cpu]));
        deal_threads(places, limits->threads);
    }
    sl_groups_finish(&parts);
}

/* ---- deciding -------------------------------------------------------------------------------- */

/* Where nothing is said of cores: as the CPUs are numbered. */
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
    if (placing == SL_PLACING_FREE || (placing == SL_PLACING_AUTO && !has_whole_machine(limits)))
        return;
    (placing == SL_PLACING_CORES ? by_cores : by_domains)(places, limits, root);
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
