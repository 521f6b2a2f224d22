/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads are worth having (affinity, cgroup, SLUICE_NUM_THREADS), and cores, caches and
 * memory, from the system's files. No state, no lock.
 */
#include "common/machine/topology.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

static bool read_line(char *out, size_t cap, const char *root, const char *folder, const char *name)
{
    char full[2 * PATH_BYTES];
    if (snprintf(full, sizeof full, "%s%s/%s", root, folder, name) >= (int)sizeof full)
        return false;
    FILE *file = fopen(full, "re");
    if (!file)
        return false;
    bool got = fgets(out, (int)cap, file) != NULL;
    fclose(file);
    return got;
}

/* A number in a file of its own; `fallback` when absent, unreadable or "max". */
static uint64_t read_number(const char *root, const char *folder, const char *name,
                            uint64_t fallback)
{
    char line[64], *end;
    if (!read_line(line, sizeof line, root, folder, name))
        return fallback;
    unsigned long long value = strtoull(line, &end, 10);
    return end == line || line[0] == '-' ? fallback : value;
}

/* ---- control groups -------------------------------------------------------------------------- */

/* One place a limit may stand, written to *limit when it is lower. */
typedef void (*limit_fn)(const char *root, const char *folder, uint64_t *limit);

static void lower(uint64_t *limit, uint64_t value)
{
    if (value < *limit)
        *limit = value;
}

/* Microseconds of a period to whole cores, rounded up: half a core is still one thread. */
static void quota_to_cores(uint64_t quota, uint64_t period, uint64_t *limit)
{
    if (quota && period)
        lower(limit, (quota + period - 1) / period);
}

static void cpu_v2(const char *root, const char *folder, uint64_t *limit)
{
    char line[64];
    unsigned long long quota, period;
    if (read_line(line, sizeof line, root, folder, "cpu.max") &&
        sscanf(line, "%llu %llu", &quota, &period) == 2)
        quota_to_cores(quota, period, limit);
}

static void cpu_v1(const char *root, const char *folder, uint64_t *limit)
{
    quota_to_cores(read_number(root, folder, "cpu.cfs_quota_us", 0),
                   read_number(root, folder, "cpu.cfs_period_us", 0), limit);
}

static void memory_v2(const char *root, const char *folder, uint64_t *limit)
{
    lower(limit, read_number(root, folder, "memory.max", UINT64_MAX));
}

static void memory_v1(const char *root, const char *folder, uint64_t *limit)
{
    lower(limit, read_number(root, folder, "memory.limit_in_bytes", UINT64_MAX));
}

/* From our group up to the mount: each ancestor's limit counts. */
static void walk_up(const char *root, const char *mount, const char *group, limit_fn read_limit,
                    uint64_t *limit)
{
    char folder[PATH_BYTES];
    size_t base = strlen(mount);
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
        return;
    for (;;) {
        read_limit(root, folder, limit);
        char *slash = strrchr(folder + base, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
}

static bool has_controller(const char *list, const char *name)
{
    size_t bytes = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += bytes) {
        bool starts = at == list || at[-1] == ',';
        if (starts && (at[bytes] == '\0' || at[bytes] == ','))
            return true;
    }
    return false;
}

/* One line of /proc/self/cgroup: "number:controllers:path"; version 2 has no controllers. */
static void apply_cgroup_line(char *line, const char *root, uint64_t *cores, uint64_t *memory)
{
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return;
    *group++ = '\0';
    controllers++;
    group[strcspn(group, "\n")] = '\0';
    if (*controllers == '\0') {
        walk_up(root, "/sys/fs/cgroup", group, cpu_v2, cores);
        walk_up(root, "/sys/fs/cgroup", group, memory_v2, memory);
    }
    if (has_controller(controllers, "cpu"))
        walk_up(root, "/sys/fs/cgroup/cpu", group, cpu_v1, cores);
    if (has_controller(controllers, "memory"))
        walk_up(root, "/sys/fs/cgroup/memory", group, memory_v1, memory);
}

static void read_cgroup(const char *root, uint64_t *cores, uint64_t *memory)
{
    char path[PATH_BYTES], line[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        apply_cgroup_line(line, root, cores, memory);
    fclose(file);
}

/* ---- cores, caches, clock -------------------------------------------------------------------- */

/* Grows the set until the kernel's fits: more than 1024 CPUs do exist. */
static uint32_t affinity_count(void)
{
    for (int cpus = CPU_SETSIZE; cpus <= 1 << 20; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        size_t bytes = CPU_ALLOC_SIZE(cpus);
        int count = set && !sched_getaffinity(0, bytes, set) ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return (uint32_t)count;
    }
    return 1;
}

uint64_t sl_topology_threads(const char *text)
{
    char *end;
    if (*text < '0' || *text > '9')
        return 0;
    unsigned long long value = strtoull(text, &end, 10);
    return *end ? 0 : value;
}

static uint32_t count_units(uint64_t cores, const char *num_threads)
{
    uint64_t units = affinity_count();
    lower(&units, cores);
    uint64_t wanted = num_threads ? sl_topology_threads(num_threads) : 0;
    if (wanted)
        lower(&units, wanted);
    return (uint32_t)units;
}

static uint64_t positive(long value, uint64_t fallback)
{
    return value > 0 ? (uint64_t)value : fallback;
}

/* "cpu MHz" of the first processor. One short read: the kernel makes the text of each CPU anew. */
static uint32_t clock_from_cpuinfo(const char *root)
{
    char path[PATH_BYTES], text[1024];
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    setvbuf(file, NULL, _IONBF, 0);
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    const char *at = strstr(text, "cpu MHz");
    const char *colon = at ? strchr(at, ':') : NULL;
    return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

static uint32_t read_clock(const char *root)
{
    uint64_t khz = read_number(root, "/sys/devices/system/cpu/cpu0/cpufreq", "cpuinfo_max_freq", 0);
    uint32_t mhz = khz ? (uint32_t)(khz / 1000) : clock_from_cpuinfo(root);
    return mhz ? mhz : 1000;
}

/* The C library's figure is the last resort: on AMD's processors it is all of the package, also of
 * parts that this machine, a virtual one say, has no core of. */
static uint64_t read_last_cache(const char *root, uint64_t fallback)
{
    char line[64], *end;
    if (!read_line(line, sizeof line, root, "/sys/devices/system/cpu/cpu0/cache/index3", "size"))
        return positive(sysconf(_SC_LEVEL3_CACHE_SIZE), fallback);
    uint64_t value = strtoull(line, &end, 10);
    return positive((long)(value << (*end == 'K' ? 10 : *end == 'M' ? 20 : 0)), fallback);
}

void sl_topology_read(struct sl_topology *out, const char *num_threads, const char *root)
{
    struct sysinfo info;
    uint64_t cores = UINT64_MAX, memory = UINT64_MAX;
    if (!sysinfo(&info))
        memory = (uint64_t)info.totalram * info.mem_unit;
    read_cgroup(root, &cores, &memory);
    out->units = count_units(cores, num_threads);
    out->memory_bytes = memory == UINT64_MAX ? (uint64_t)1 << 30 : memory;
    out->cacheline_bytes = (uint32_t)positive(sysconf(_SC_LEVEL1_DCACHE_LINESIZE), 64);
    out->l2_bytes = positive(sysconf(_SC_LEVEL2_CACHE_SIZE), 256 << 10);
    out->last_cache_bytes = read_last_cache(root, out->l2_bytes);
    out->clock_mhz = read_clock(root);
}
