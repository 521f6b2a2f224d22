/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedulers by the units they are for. set->lock guards the list and the domains; starting threads
 * under it is safe, as they need nothing of it.
 */
#include "common/runtime/domain_scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"
#include "common/runtime/hosted.h"

struct sl_bound {
    struct sl_bound *next;
    struct sl_sched sched;
    bool started;
    uint32_t count;
    uint32_t units[];
};

void sl_bound_init(struct sl_bound_set *set)
{
    pthread_mutex_init(&set->lock, NULL);
}

void sl_bound_finish(struct sl_bound_set *set)
{
    for (struct sl_bound *bound = set->scheds, *next; bound; bound = next) {
        next = bound->next;
        sl_sched_finish(&bound->sched);
        free(bound);
    }
    set->scheds = NULL;
    sl_domains_finish(&set->domains);
    pthread_mutex_destroy(&set->lock);
}

static const struct sl_domains *domains_locked(struct sl_bound_set *set, uint32_t units)
{
    if (!set->asked)
        set->asked = sl_domains_find_here(&set->domains, units);
    return set->domains.units ? &set->domains.base : NULL;
}

const struct sl_domains *sl_bound_domains(struct sl_device *device)
{
    struct sl_bound_set *set = &sl_hosted(device)->bound;
    pthread_mutex_lock(&set->lock);
    const struct sl_domains *domains = domains_locked(set, device->caps.compute_units);
    pthread_mutex_unlock(&set->lock);
    return domains;
}

static struct sl_bound *find_locked(const struct sl_bound_set *set,
                                    const struct sl_work_queue_desc *desc)
{
    struct sl_bound *bound = set->scheds;
    while (bound && (bound->count != desc->unit_count ||
                     memcmp(bound->units, desc->units, bound->count * sizeof *bound->units)))
        bound = bound->next;
    return bound;
}

static int init_sched(struct sl_bound *bound, const struct sl_machine_domains *domains,
                      const struct sl_sched *device)
{
    cpu_set_t *cpus = CPU_ALLOC(SL_MOST_CPUS);
    if (!cpus)
        return SL_OUT_OF_HOST_MEMORY;
    memset(cpus, 0, SL_CPU_SET_BYTES);
    for (uint32_t i = 0; i < bound->count; i++)
        CPU_SET_S(domains->cpu_of[bound->units[i]], SL_CPU_SET_BYTES, cpus);
    const struct sl_sched_desc desc = {.host = device->host,
                                       .device = device->device,
                                       .topic = device->topic,
                                       .units = bound->count,
                                       .cpus = cpus};
    int rc = sl_sched_init(&bound->sched, &desc);
    CPU_FREE(cpus);
    if (rc)
        return rc;
    bound->sched.stream_from = device->stream_from;
    bound->sched.most_stack = device->most_stack;
    return 0;
}

static int add_locked(struct sl_bound_set *set, const struct sl_sched *device,
                      const struct sl_work_queue_desc *desc, struct sl_bound **out)
{
    size_t list_bytes = desc->unit_count * sizeof *desc->units;
    struct sl_bound *bound = calloc(1, sizeof *bound + list_bytes);
    if (!bound)
        return SL_OUT_OF_HOST_MEMORY;
    bound->count = desc->unit_count;
    memcpy(bound->units, desc->units, list_bytes);
    int rc = init_sched(bound, &set->domains, device);
    if (rc) {
        free(bound);
        return rc;
    }
    bound->next = set->scheds;
    set->scheds = bound;
    *out = bound;
    return 0;
}

static int sched_locked(struct sl_bound_set *set, const struct sl_sched *device,
                        const struct sl_work_queue_desc *desc, struct sl_sched **out)
{
    struct sl_bound *bound = find_locked(set, desc);
    int rc = bound ? 0 : add_locked(set, device, desc, &bound);
    if (rc)
        return rc;
    if (!bound->started)
        rc = sl_pool_start(bound->sched.pool);
    if (rc)
        return rc;
    bound->started = true;
    *out = &bound->sched;
    return 0;
}

int sl_bound_sched(struct sl_bound_set *set, const struct sl_sched *device,
                   const struct sl_work_queue_desc *desc, struct sl_sched **out)
{
    pthread_mutex_lock(&set->lock);
    int rc = domains_locked(set, device->units) ? sched_locked(set, device, desc, out)
                                                : SL_OUT_OF_RESOURCES;
    pthread_mutex_unlock(&set->lock);
    return rc;
}

/* Nobody makes work queues meanwhile: the driver serialises start and stop. Threads that end may
 * still answer work, so no lock is held. */
void sl_bound_stop(struct sl_bound_set *set)
{
    for (struct sl_bound *bound = set->scheds; bound; bound = bound->next) {
        if (bound->started)
            sl_pool_stop(bound->sched.pool);
        bound->started = false;
    }
}
