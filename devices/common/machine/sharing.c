/* SPDX-License-Identifier: Apache-2.0 */
/* See sharing.h. No state, no lock. */
#include "common/machine/sharing.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"

enum { PATH_BYTES = 512, MOST_CACHES = 16, NO_GROUP = UINT32_MAX };

/* ---- files ----------------------------------------------------------------------------------- */

static int why_not_opened(void)
{
    bool starved = errno == ENOMEM || errno == EMFILE || errno == ENFILE;
    return starved ? SL_OUT_OF_HOST_MEMORY : SL_INVALID_OPERATION;
}

static void add_range(cpu_set_t *cpus, unsigned first, unsigned last)
{
    for (unsigned cpu = first; cpu <= last && cpu < SL_MOST_CPUS; cpu++)
        CPU_SET_S(cpu, SL_CPU_SET_BYTES, cpus);
}

int sl_cpu_list_read(const char *path, cpu_set_t *cpus)
{
    unsigned first, last;
    int next = ',';
    memset(cpus, 0, SL_CPU_SET_BYTES);
    FILE *file = fopen(path, "re");
    if (!file)
        return why_not_opened();
    while (next == ',' && fscanf(file, "%u", &first) == 1) {
        last = first;
        next = fgetc(file);
        if (next == '-' && fscanf(file, "%u", &last) == 1)
            next = fgetc(file);
        add_range(cpus, first, last);
    }
    fclose(file);
    return 0;
}

/* The first word of a file. */
static int read_word(const char *path, char word[16])
{
    FILE *file = fopen(path, "re");
    if (!file)
        return why_not_opened();
    bool got = fscanf(file, "%15s", word) == 1;
    fclose(file);
    return got ? 0 : SL_INVALID_OPERATION;
}

/* ---- one CPU --------------------------------------------------------------------------------- */

static int read_cache(const char *root, unsigned cpu, unsigned level, cpu_set_t *list)
{
    char path[PATH_BYTES], word[16];
    for (unsigned i = 0; i < MOST_CACHES; i++) {
        int end = snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%u/cache/index%u/",
                           root, cpu, i);
        char *name = path + end;
        size_t room = sizeof path - (size_t)end;
        snprintf(name, room, "level");
        int rc = read_word(path, word);
        if (rc)
            return rc;
        if (strtoul(word, NULL, 10) != level)
            continue;
        snprintf(name, room, "type");
        rc = read_word(path, word);
        if (rc)
            return rc;
        if (*word == 'I') /* instructions */
            continue;
        snprintf(name, room, "shared_cpu_list");
        return sl_cpu_list_read(path, list);
    }
    return SL_INVALID_OPERATION;
}

/* Older kernels know the second name only. */
static int read_core(const char *root, unsigned cpu, cpu_set_t *list)
{
    static const char *const names[] = {"core_cpus_list", "thread_siblings_list"};
    int rc = SL_INVALID_OPERATION;
    for (int i = 0; i < 2 && rc == SL_INVALID_OPERATION; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%u/topology/%s", root, cpu,
                 names[i]);
        rc = sl_cpu_list_read(path, list);
    }
    return rc;
}

static int read_shared(const char *root, enum sl_shared what, unsigned cpu, cpu_set_t *list)
{
    int rc = what == SL_SHARED_CORE ? read_core(root, cpu, list)
                                    : read_cache(root, cpu, what - SL_SHARED_L1 + 1, list);
    if (!rc)
        CPU_SET_S(cpu, SL_CPU_SET_BYTES, list);
    return rc;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Who has no number yet gets the next one; true if any has. */
static void number_group(struct sl_groups *out, const cpu_set_t *list)
{
    bool any = false;
    for (unsigned cpu = 0; cpu < SL_MOST_CPUS; cpu++) {
        if (!CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, list) || out->of[cpu] != NO_GROUP)
            continue;
        out->of[cpu] = out->count;
        any = true;
    }
    out->count += any;
}

static int number_cpus(struct sl_groups *out, enum sl_shared what, const cpu_set_t *cpus,
                       const char *root, cpu_set_t *list)
{
    for (unsigned cpu = 0; cpu < SL_MOST_CPUS; cpu++) {
        if (!CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, cpus) || out->of[cpu] != NO_GROUP)
            continue;
        int rc = read_shared(root, what, cpu, list);
        if (rc)
            return rc;
        number_group(out, list);
    }
    return 0;
}

/* Where several have the same CPUs the first counts. */
static int number_memories(struct sl_groups *out, const cpu_set_t *cpus, const char *root,
                           cpu_set_t *list)
{
    cpu_set_t nodes[SL_CPU_SET_BYTES / sizeof(cpu_set_t)];
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/sys/devices/system/node/online", root);
    int rc = sl_cpu_list_read(path, list);
    if (rc == SL_INVALID_OPERATION)
        number_group(out, cpus);
    if (rc)
        return rc == SL_INVALID_OPERATION ? 0 : rc;
    memcpy(nodes, list, sizeof nodes);
    for (unsigned node = 0; node < SL_MOST_CPUS; node++) {
        if (!CPU_ISSET_S(node, SL_CPU_SET_BYTES, nodes))
            continue;
        snprintf(path, sizeof path, "%s/sys/devices/system/node/node%u/cpulist", root, node);
        rc = sl_cpu_list_read(path, list);
        if (rc)
            return rc;
        number_group(out, list);
    }
    return 0;
}

static bool has_all(const struct sl_groups *groups, const cpu_set_t *cpus)
{
    bool all = true;
    for (unsigned cpu = 0; cpu < SL_MOST_CPUS && all; cpu++)
        all = !CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, cpus) || groups->of[cpu] != NO_GROUP;
    return all;
}

int sl_groups_find(struct sl_groups *out, enum sl_shared what, const cpu_set_t *cpus,
                   const char *root)
{
    cpu_set_t *list = CPU_ALLOC(SL_MOST_CPUS);
    *out = (struct sl_groups){.of = malloc(SL_MOST_CPUS * sizeof *out->of)};
    int rc = list && out->of ? 0 : SL_OUT_OF_HOST_MEMORY;
    if (!rc) {
        memset(out->of, 0xff, SL_MOST_CPUS * sizeof *out->of);
        rc = what == SL_SHARED_MEMORY ? number_memories(out, cpus, root, list)
                                      : number_cpus(out, what, cpus, root, list);
    }
    if (!rc && !has_all(out, cpus))
        rc = SL_INVALID_OPERATION;
    CPU_FREE(list);
    if (rc)
        sl_groups_finish(out);
    return rc;
}

void sl_groups_finish(struct sl_groups *groups)
{
    free(groups->of);
    *groups = (struct sl_groups){0};
}
