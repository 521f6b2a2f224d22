/* SPDX-License-Identifier: Apache-2.0 */
/* clGetHostTimer, clGetDeviceAndHostTimer: devices and host share one clock. No state. Spec 4.2. */
#include "base/api.h"
#include "base/log/error.h"
#include "base/thread/clock.h"
#include "platform/device.h"

cl_int CL_API_CALL sl_clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
    if (!sl_valid(device, &sl_device_type))
        return sl_refuse(CL_INVALID_DEVICE, "not a valid device");
    if (!host_timestamp)
        return sl_refuse(CL_INVALID_VALUE, "host_timestamp is NULL");
    *host_timestamp = sl_now_ns();
    return CL_SUCCESS;
}

cl_int CL_API_CALL sl_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                              cl_ulong *host_timestamp)
{
    if (!sl_valid(device, &sl_device_type))
        return sl_refuse(CL_INVALID_DEVICE, "not a valid device");
    if (!device_timestamp || !host_timestamp)
        return sl_refuse(CL_INVALID_VALUE, "a timestamp pointer is NULL");
    *device_timestamp = *host_timestamp = sl_now_ns();
    return CL_SUCCESS;
}
