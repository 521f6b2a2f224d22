/* SPDX-License-Identifier: Apache-2.0 */
/* clResetKernelsIntelFPGA: kernels on an FPGA begin anew. No state, no lock. */
#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/log/error.h"
#include "platform/context.h"
#include "platform/device.h"

static cl_int check(cl_context context, cl_uint count, const cl_device_id *list)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    if (list && !count)
        return sl_refuse(CL_INVALID_VALUE, "num_devices is 0, device_list is not NULL");
    for (cl_uint i = 0; list && i < count; i++)
        if (!sl_valid(list[i], &sl_device_type) || !sl_context_has_device(context, list[i]))
            return sl_refuse(CL_INVALID_DEVICE, "device %u is not one of the context", i);
    return CL_SUCCESS;
}

cl_int sl_clResetKernelsIntelFPGA(cl_context context, cl_uint num_devices,
                                  const cl_device_id *device_list)
{
    cl_int rc = check(context, num_devices, device_list);
    if (rc)
        return rc;
    const cl_device_id *list = device_list ? device_list : context->devices;
    cl_uint count = device_list ? num_devices : context->device_count;
    for (cl_uint i = 0; !rc && i < count; i++) {
        struct sl_device *device = list[i]->root->impl;
        if (device->ops->reset_kernels)
            rc = device->ops->reset_kernels(device);
    }
    return rc ? sl_refuse(rc, "the kernels of a device cannot begin anew") : CL_SUCCESS;
}
