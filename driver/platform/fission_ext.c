/* SPDX-License-Identifier: Apache-2.0 */
/* cl_ext_device_fission's functions, for programs older than clCreateSubDevices: the same with
 * other numbers. The string is not announced, for the extension's queries are not there. No lock.
 */
#include <CL/cl_ext.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"

static cl_device_partition_property core_domain(cl_device_partition_property_ext domain)
{
    switch (domain) {
    case CL_AFFINITY_DOMAIN_L1_CACHE_EXT:
        return CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE;
    case CL_AFFINITY_DOMAIN_L2_CACHE_EXT:
        return CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE;
    case CL_AFFINITY_DOMAIN_L3_CACHE_EXT:
        return CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE;
    case CL_AFFINITY_DOMAIN_L4_CACHE_EXT:
        return CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE;
    case CL_AFFINITY_DOMAIN_NUMA_EXT:
        return CL_DEVICE_AFFINITY_DOMAIN_NUMA;
    case CL_AFFINITY_DOMAIN_NEXT_FISSIONABLE_EXT:
        return CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    default:
        return 0; /* none: refused as such */
    }
}

static cl_device_partition_property core_name(cl_device_partition_property_ext name)
{
    switch (name) {
    case CL_DEVICE_PARTITION_EQUALLY_EXT:
        return CL_DEVICE_PARTITION_EQUALLY;
    case CL_DEVICE_PARTITION_BY_COUNTS_EXT:
        return CL_DEVICE_PARTITION_BY_COUNTS;
    case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT:
        return CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    default:
        return 0;
    }
}

static cl_int extension_code(cl_int code)
{
    return code == CL_DEVICE_PARTITION_FAILED          ? CL_DEVICE_PARTITION_FAILED_EXT
           : code == CL_INVALID_DEVICE_PARTITION_COUNT ? CL_INVALID_PARTITION_COUNT_EXT
                                                       : code;
}

cl_int CL_API_CALL sl_clCreateSubDevicesEXT(cl_device_id in_device,
                                            const cl_device_partition_property_ext *properties,
                                            cl_uint num_entries, cl_device_id *out_devices,
                                            cl_uint *num_devices)
{
    const cl_device_partition_property name = properties ? core_name(properties[0]) : 0;
    size_t values = 1;
    if (!name)
        return sl_refuse(CL_INVALID_VALUE, "no partition that is known");
    if (name == CL_DEVICE_PARTITION_BY_COUNTS)
        for (values = 0; properties[values + 1]; values++)
            ;
    cl_device_partition_property *list = sl_zalloc((values + 3) * sizeof *list);
    if (!list)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the list");
    list[0] = name;
    for (size_t i = 1; i <= values; i++)
        list[i] = (cl_device_partition_property)properties[i];
    if (name == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
        list[1] = core_domain(properties[1]);
    /* Has to be the end, which is for others to see. A value of 0 may be meant as the list's end.
     */
    if (name != CL_DEVICE_PARTITION_BY_COUNTS && properties[1])
        list[2] = (cl_device_partition_property)properties[2];
    cl_int rc = sl_clCreateSubDevices(in_device, list, num_entries, out_devices, num_devices);
    sl_free(list);
    return extension_code(rc);
}

cl_int CL_API_CALL sl_clRetainDeviceEXT(cl_device_id device)
{
    return sl_clRetainDevice(device);
}

cl_int CL_API_CALL sl_clReleaseDeviceEXT(cl_device_id device)
{
    return sl_clReleaseDevice(device);
}
