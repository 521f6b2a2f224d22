/* SPDX-License-Identifier: Apache-2.0 */
/* Which units share what. No state, no lock. */
#include "common/machine/domains.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"

static const enum sl_shared shared[SL_DOMAIN_COUNT] = {
    [SL_DOMAIN_NUMA] = SL_SHARED_MEMORY, [SL_DOMAIN_L4] = SL_SHARED_L4,
    [SL_DOMAIN_L3] = SL_SHARED_L3,       [SL_DOMAIN_L2] = SL_SHARED_L2,
    [SL_DOMAIN_L1] = SL_SHARED_L1,
};

static void list_cpus(struct sl_machine_domains *domains, const cpu_set_t *allowed)
{
    uint32_t unit = 0;
    for (uint32_t cpu = 0; cpu < SL_MOST_CPUS; cpu++)
        if (CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, allowed))
            domains->cpu_of[unit++] = cpu;
}

/* What the system does not tell of each unit is left out. */
static int number_units(struct sl_machine_domains *domains, enum sl_domain domain,
                        const cpu_set_t *allowed, const char *root)
{
    struct sl_groups groups;
    uint32_t *number = domains->numbers + (size_t)domains->units * domain;
    int rc = sl_groups_find(&groups, shared[domain], allowed, root);
    if (rc)
        return rc == SL_INVALID_OPERATION ? 0 : rc;
    for (uint32_t i = 0; i < domains->units; i++)
        number[i] = groups.of[domains->cpu_of[i]];
    domains->base.of[domain] = number;
    sl_groups_finish(&groups);
    return 0;
}

bool sl_domains_find(struct sl_machine_domains *domains, const cpu_set_t *allowed, uint32_t units,
                     const char *root)
{
    memset(domains, 0, sizeof *domains);
    if (CPU_COUNT_S(SL_CPU_SET_BYTES, allowed) != (int)units)
        return false;
    domains->cpu_of = calloc(units, sizeof *domains->cpu_of);
    domains->numbers = calloc((size_t)units * SL_DOMAIN_COUNT, sizeof *domains->numbers);
    int rc = domains->cpu_of && domains->numbers ? 0 : SL_OUT_OF_HOST_MEMORY;
    if (!rc) {
        domains->units = units;
        list_cpus(domains, allowed);
    }
    for (int i = 0; i < SL_DOMAIN_COUNT && !rc; i++)
        rc = number_units(domains, (enum sl_domain)i, allowed, root);
    if (rc)
        sl_domains_finish(domains);
    return !rc;
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
    bool found = allowed && !sched_getaffinity(0, SL_CPU_SET_BYTES, allowed) && may_bind(allowed) &&
                 sl_domains_find(domains, allowed, units, "");
    CPU_FREE(allowed);
    return found;
}

void sl_domains_finish(struct sl_machine_domains *domains)
{
    free(domains->cpu_of);
    free(domains->numbers);
    memset(domains, 0, sizeof *domains);
}
