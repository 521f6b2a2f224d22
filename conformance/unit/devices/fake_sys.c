/* SPDX-License-Identifier: Apache-2.0 */
/* See fake_sys.h. One thread; no lock. */
#include "fake_sys.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64];

static int drop_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

void fake_sys_drop(void)
{
    if (*root)
        nftw(root, drop_entry, 16, FTW_DEPTH | FTW_PHYS);
    *root = 0;
}

const char *fake_sys_new(void)
{
    fake_sys_drop();
    strcpy(root, "/tmp/sluice-sys-XXXXXX");
    if (!mkdtemp(root))
        abort();
    return root;
}

void fake_sys_put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(full, 0700);
    }
    FILE *file = fopen(full, "we");
    if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file))
        abort();
}

static void put_cache(unsigned cpu, unsigned level, unsigned index, const char *type,
                      const char *list)
{
    const char *const names[] = {"level", "type", "shared_cpu_list"};
    char number[16], path[128];
    snprintf(number, sizeof number, "%u", level);
    const char *const texts[] = {number, type, list};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index,
                 names[i]);
        fake_sys_put(path, texts[i]);
    }
}

/* The first level has two, and the one for instructions is nobody's business. */
static void share_cpu(const char *what, unsigned cpu, const char *list)
{
    unsigned level = (unsigned)strtoul(what, NULL, 10);
    char path[128];
    if (level == 1)
        put_cache(cpu, 1, 0, "Instruction", "0-63");
    if (level) {
        static unsigned char next[64]; /* indexes come without gaps */
        snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%u/cache", root, cpu);
        struct stat folder;
        if (stat(path, &folder))
            next[cpu] = 0;
        next[cpu] += level == 1;
        put_cache(cpu, level, next[cpu]++, level == 1 ? "Data" : "Unified", list);
        return;
    }
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/core_cpus_list", cpu);
    fake_sys_put(path, list);
}

static void share_list(const char *what, unsigned number, const char *list)
{
    char path[128];
    if (!strcmp(what, "node")) {
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist", number);
        fake_sys_put(path, list);
        snprintf(path, sizeof path, "0-%u", number);
        fake_sys_put("/sys/devices/system/node/online", path);
        return;
    }
    for (const char *at = list; *at;) {
        char *end;
        unsigned first = (unsigned)strtoul(at, &end, 10), last = first;
        if (*end == '-')
            last = (unsigned)strtoul(end + 1, &end, 10);
        for (unsigned cpu = first; cpu <= last; cpu++)
            share_cpu(what, cpu, list);
        at = end + (*end == ',');
    }
}

void fake_sys_share(const char *what, const char *groups)
{
    char text[256];
    unsigned number = 0;
    snprintf(text, sizeof text, "%s", groups);
    for (char *at = text, *list; (list = strsep(&at, " "));)
        share_list(what, number++, list);
}
