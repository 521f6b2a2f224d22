/* SPDX-License-Identifier: Apache-2.0 */
/* clCreateSubDevices. A sub-device is a list of compute units of its root device; constant once
 * made, no lock. Spec 4.3. */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/device.h"
#include "sluice/base/stack.h"

/* A plan: for each unit of the device the sub-device it goes to, or NOWHERE. */
enum { NOWHERE = -1 };
struct plan {
    cl_uint units, parts;
    int *part_of;                     /* owned, units entries */
    cl_uint entries;                  /* of the property list that describe the partition */
    cl_device_affinity_domain domain; /* that the parts are */
};

static uint32_t root_unit(cl_device_id device, cl_uint index)
{
    return device->unit_list ? device->unit_list[index] : index;
}

static cl_int plan_equally(struct plan *plan, intptr_t units)
{
    if (units <= 0)
        return sl_refuse(CL_INVALID_VALUE, "%ld compute units each", (long)units);
    /* The text has this code for lists of counts only; the conformance suite wants it here, too. */
    if (units > plan->units)
        return sl_refuse(CL_INVALID_DEVICE_PARTITION_COUNT, "%ld units of %u", (long)units,
                         plan->units);
    if (units == plan->units)
        return sl_refuse(CL_DEVICE_PARTITION_FAILED, "one part of all units is no partition");
    plan->parts = plan->units / (cl_uint)units;
    for (cl_uint i = 0; i < plan->parts * (cl_uint)units; i++)
        plan->part_of[i] = (int)(i / (cl_uint)units);
    return CL_SUCCESS;
}

static cl_int plan_counts(struct plan *plan, const cl_device_partition_property *counts,
                          cl_uint max_parts)
{
    cl_uint next = 0;
    for (; counts[plan->parts]; plan->parts++) {
        intptr_t count = counts[plan->parts];
        if (count < 0 || plan->parts == max_parts || count > (intptr_t)(plan->units - next))
            return sl_refuse(CL_INVALID_DEVICE_PARTITION_COUNT, "entry %u is %ld, %u units left",
                             plan->parts, (long)count, plan->units - next);
        for (intptr_t i = 0; i < count; i++)
            plan->part_of[next++] = (int)plan->parts;
    }
    return plan->parts ? CL_SUCCESS : sl_refuse(CL_INVALID_VALUE, "no counts");
}

/* ---- affinity domains ------------------------------------------------------------------------ */

enum { NUMA = CL_DEVICE_AFFINITY_DOMAIN_NUMA, NEXT = CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE };
_Static_assert(NUMA << SL_DOMAIN_L1 == CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE &&
                   NUMA << SL_DOMAIN_COUNT == NEXT,
               "domains are in the order of their bits");

static bool can_partition(cl_device_id device)
{
    return sl_caps(device)->max_sub_devices > 1 && device->units > 1;
}

static bool tells_apart(cl_device_id device, const uint32_t *number)
{
    bool apart = false;
    for (cl_uint i = 1; number && i < device->units && !apart; i++)
        apart = number[root_unit(device, i)] != number[root_unit(device, 0)];
    return apart;
}

struct asking {
    struct sl_device *device;
    const struct sl_domains *found;
};

static void ask_domains(void *data)
{
    struct asking *asking = data;
    asking->found = asking->device->ops->domains(asking->device);
}

/* NULL: it has none, or memory is short. */
static const struct sl_domains *domains_of(cl_device_id device)
{
    struct asking asking = {.device = device->impl};
    bool asked = device->impl->ops->domains && !sl_on_stack(ask_domains, &asking);
    return asked ? asking.found : NULL;
}

cl_device_affinity_domain sl_affinity_domains(cl_device_id device)
{
    cl_device_affinity_domain bits = 0;
    const struct sl_domains *domains = can_partition(device) ? domains_of(device) : NULL;
    for (int i = 0; domains && i < SL_DOMAIN_COUNT; i++)
        if (tells_apart(device, domains->of[i]))
            bits |= (cl_device_affinity_domain)NUMA << i;
    return bits ? bits | NEXT : 0;
}

/* Parts are in the order of their first units. */
static void plan_by_number(struct plan *plan, cl_device_id device, const uint32_t *number)
{
    for (cl_uint i = 0; i < plan->units; i++) {
        cl_uint same = 0;
        while (number[root_unit(device, same)] != number[root_unit(device, i)])
            same++;
        plan->part_of[i] = same < i ? plan->part_of[same] : (int)plan->parts++;
    }
}

static cl_int plan_affinity(struct plan *plan, cl_device_id device, intptr_t domain)
{
    struct asking asking = {.device = device->impl};
    if (device->impl->ops->domains && sl_on_stack(ask_domains, &asking))
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory to ask for domains");
    const cl_device_affinity_domain here = sl_affinity_domains(device),
                                    known = sl_affinity_domains(device->root),
                                    wanted = (cl_device_affinity_domain)domain;
    if (!wanted || (wanted & (wanted - 1)) || !(wanted & known))
        return sl_refuse(CL_INVALID_VALUE, "affinity domain 0x%lx", (long)domain);
    if (!(wanted & here))
        return sl_refuse(CL_DEVICE_PARTITION_FAILED, "all units are in one domain");
    /* the lowest bit is what is partitioned first */
    plan->domain = wanted == NEXT ? here & -here : wanted;
    const struct sl_domains *domains = domains_of(device);
    if (!domains)
        return CL_OUT_OF_HOST_MEMORY;
    plan_by_number(plan, device, domains->of[__builtin_ctzll(plan->domain)]);
    return CL_SUCCESS;
}

static cl_int make_plan(struct plan *plan, cl_device_id device,
                        const cl_device_partition_property *list)
{
    const cl_uint most = sl_caps(device->root)->max_sub_devices;
    plan->entries = 2;
    if (list[0] < CL_DEVICE_PARTITION_EQUALLY || list[0] > CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
        return sl_refuse(CL_INVALID_VALUE, "unknown partition 0x%lx", (long)list[0]);
    /* A value of 0 may be meant as the list's end, and nothing may lie behind it. */
    bool goes_on = list[0] != CL_DEVICE_PARTITION_BY_COUNTS && list[1] && list[2];
    if (!can_partition(device->root) || goes_on)
        return sl_refuse(CL_INVALID_VALUE, "partition list not supported");
    if (list[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
        return plan_affinity(plan, device, list[1]);
    if (!can_partition(device))
        return sl_refuse(CL_DEVICE_PARTITION_FAILED, "a single unit");
    if (list[0] == CL_DEVICE_PARTITION_EQUALLY)
        return plan_equally(plan, list[1]);
    const cl_int rc = plan_counts(plan, list + 1, most);
    plan->entries = plan->parts + 2; /* the name, the counts, the end of the counts */
    return rc;
}

static cl_device_id make_part(cl_device_id parent, const struct plan *plan,
                              const cl_device_partition_property *list, int part)
{
    cl_device_id device = sl_object_new(&sl_device_type);
    if (!device)
        return NULL;
    device->unit_list = sl_alloc(plan->units * sizeof *device->unit_list);
    device->partition = sl_zalloc((plan->entries + 1) * sizeof *list);
    if (!device->unit_list || !device->partition) {
        sl_discard(device);
        return NULL;
    }
    for (cl_uint i = 0; i < plan->units; i++)
        if (plan->part_of[i] == part)
            device->unit_list[device->units++] = root_unit(parent, i);
    device->platform = parent->platform;
    device->parent = sl_hold(parent);
    device->root = parent->root;
    device->impl = parent->impl;
    device->bound = parent->bound || plan->domain;
    memcpy(device->partition, list, plan->entries * sizeof *list);
    if (plan->domain) /* what "next partitionable" turned out to be */
        device->partition[1] = (cl_device_partition_property)plan->domain;
    device->partition_count = plan->entries + 1;
    return device;
}

static cl_int make_parts(cl_device_id parent, const struct plan *plan,
                         const cl_device_partition_property *list, cl_device_id *out)
{
    for (cl_uint i = 0; i < plan->parts; i++) {
        cl_device_id device = make_part(parent, plan, list, (int)i);
        if (!device) {
            while (i)
                sl_discard(out[--i]);
            return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a sub-device");
        }
        out[i] = device;
    }
    return CL_SUCCESS;
}

/* All or nothing: the caller's array is written only when every part exists. */
static cl_int deliver(cl_device_id parent, const struct plan *plan,
                      const cl_device_partition_property *list, cl_device_id *out)
{
    cl_device_id *made = sl_alloc(plan->parts * sizeof *made);
    if (!made)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the list");
    cl_int rc = make_parts(parent, plan, list, made);
    if (!rc)
        memcpy(out, made, plan->parts * sizeof *made);
    sl_free(made);
    return rc;
}

cl_int CL_API_CALL sl_clCreateSubDevices(cl_device_id in_device,
                                         const cl_device_partition_property *properties,
                                         cl_uint num_devices, cl_device_id *out_devices,
                                         cl_uint *num_devices_ret)
{
    if (!sl_valid(in_device, &sl_device_type))
        return sl_refuse(CL_INVALID_DEVICE, "not a valid device");
    if (!properties)
        return sl_refuse(CL_INVALID_VALUE, "properties is NULL");
    struct plan plan = {.units = in_device->units};
    plan.part_of = sl_alloc(plan.units * sizeof *plan.part_of);
    if (!plan.part_of)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the plan");
    memset(plan.part_of, 0xff, plan.units * sizeof *plan.part_of); /* NOWHERE */
    cl_int rc = make_plan(&plan, in_device, properties);
    if (!rc && out_devices && num_devices < plan.parts)
        rc = sl_refuse(CL_INVALID_VALUE, "room for %u of %u sub-devices", num_devices, plan.parts);
    if (!rc && out_devices)
        rc = deliver(in_device, &plan, properties, out_devices);
    if (!rc && num_devices_ret)
        *num_devices_ret = plan.parts;
    sl_free(plan.part_of);
    return rc;
}
