/* SPDX-License-Identifier: Apache-2.0 */
/* clCreateSubDevices. A sub-device is a list of compute units of its root device; constant once
 * made, no lock. Spec 4.3. */
#include <string.h>

#include "alloc.h"
#include "api.h"
#include "device.h"
#include "error.h"

/* A plan: for each unit of the device the sub-device it goes to, or NOWHERE. */
enum { NOWHERE = -1 };
struct plan {
    cl_uint units, parts;
    int *part_of;    /* owned, units entries */
    cl_uint entries; /* of the property list that describe the partition */
};

static uint32_t root_unit(cl_device_id device, cl_uint index)
{
    return device->unit_list ? device->unit_list[index] : index;
}

static cl_int plan_equally(struct plan *plan, intptr_t units)
{
    if (units <= 0)
        return sl_refuse(CL_INVALID_VALUE, "%ld compute units each", (long)units);
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

static cl_int plan_affinity(struct plan *plan, cl_device_id device, intptr_t domain)
{
    const struct sl_device_caps *caps = sl_caps(device);
    const intptr_t known = CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE |
                           CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE |
                           CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE |
                           CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    bool one_bit = domain && !(domain & (domain - 1));
    if (!one_bit || !(domain & known) || !(domain & (intptr_t)caps->affinity_domains))
        return sl_refuse(CL_INVALID_VALUE, "affinity domain 0x%lx", (long)domain);
    /* NUMA is the one domain that devices describe, so it is the next partitionable one too. */
    for (cl_uint i = 0; i < plan->units; i++) {
        int part = NOWHERE;
        for (cl_uint j = 0; caps->unit_numa && j < i && part == NOWHERE; j++)
            if (caps->unit_numa[root_unit(device, i)] == caps->unit_numa[root_unit(device, j)])
                part = plan->part_of[j];
        if (!caps->unit_numa)
            part = 0;
        plan->part_of[i] = part == NOWHERE ? (int)plan->parts : part;
        if (plan->part_of[i] == (int)plan->parts)
            plan->parts++;
    }
    if (plan->parts < 2)
        return sl_refuse(CL_DEVICE_PARTITION_FAILED, "all units are in one domain");
    return CL_SUCCESS;
}

static cl_int make_plan(struct plan *plan, cl_device_id device,
                        const cl_device_partition_property *list)
{
    const struct sl_device_caps *caps = sl_caps(device);
    bool can = caps->max_sub_devices > 1 && device->units > 1;
    plan->entries = 2;
    switch (list[0]) {
    case CL_DEVICE_PARTITION_EQUALLY:
        if (!can || list[2])
            return sl_refuse(CL_INVALID_VALUE, "partition list not supported");
        return plan_equally(plan, list[1]);
    case CL_DEVICE_PARTITION_BY_COUNTS:
        if (!can)
            return sl_refuse(CL_INVALID_VALUE, "partition by counts not supported");
        cl_int rc = plan_counts(plan, list + 1, caps->max_sub_devices);
        plan->entries = plan->parts + 2; /* the name, the counts, the end of the counts */
        return rc;
    case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
        if (!can || !caps->affinity_domains || list[2])
            return sl_refuse(CL_INVALID_VALUE, "partition list not supported");
        return plan_affinity(plan, device, list[1]);
    default:
        return sl_refuse(CL_INVALID_VALUE, "unknown partition 0x%lx", (long)list[0]);
    }
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
    memcpy(device->partition, list, plan->entries * sizeof *list);
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
