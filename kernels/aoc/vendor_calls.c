/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intel's functions beyond OpenCL by their names, as hosts call them that are linked with the
 * vendor's libraries (-lalteracl): the loader hands them out by name only. An archive beside those
 * libraries, linked into the host; who calls none of them gets nothing of it. No state: each call
 * asks the platform anew.
 */
#include <CL/opencl.h>
#include <string.h>

/* C converts no pointer to data into one to a function. */
static void copy(void *found, void *call)
{
    memcpy(call, &found, sizeof found);
}

static void find(cl_device_id device, const char *name, void *call)
{
    cl_platform_id platform;
    void *found = NULL;
    if (!clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL))
        found = clGetExtensionFunctionAddressForPlatform(platform, name);
    copy(found, call);
}

/* By the first device of the pipe's context. */
static void find_by_pipe(cl_mem pipe, const char *name, void *call)
{
    enum { MOST = 64 };
    cl_device_id devices[MOST];
    cl_context context;
    if (clGetMemObjectInfo(pipe, CL_MEM_CONTEXT, sizeof context, &context, NULL) ||
        clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL))
        copy(NULL, call);
    else
        find(devices[0], name, call);
}

/* ---- host pipes ------------------------------------------------------------------------------ */

cl_int clReadPipeIntelFPGA(cl_mem pipe, void *packet)
{
    clReadPipeIntelFPGA_fn call;
    find_by_pipe(pipe, "clReadPipeIntelFPGA", &call);
    return call ? call(pipe, packet) : CL_INVALID_MEM_OBJECT;
}

cl_int clWritePipeIntelFPGA(cl_mem pipe, void *packet)
{
    clWritePipeIntelFPGA_fn call;
    find_by_pipe(pipe, "clWritePipeIntelFPGA", &call);
    return call ? call(pipe, packet) : CL_INVALID_MEM_OBJECT;
}

void *clMapHostPipeIntelFPGA(cl_mem pipe, cl_map_flags flags, size_t requested, size_t *mapped,
                             cl_int *errcode_ret)
{
    clMapHostPipeIntelFPGA_fn call;
    find_by_pipe(pipe, "clMapHostPipeIntelFPGA", &call);
    if (call)
        return call(pipe, flags, requested, mapped, errcode_ret);
    if (errcode_ret)
        *errcode_ret = CL_INVALID_MEM_OBJECT;
    return NULL;
}

cl_int clUnmapHostPipeIntelFPGA(cl_mem pipe, void *mapped, size_t bytes, size_t *unmapped)
{
    clUnmapHostPipeIntelFPGA_fn call;
    find_by_pipe(pipe, "clUnmapHostPipeIntelFPGA", &call);
    return call ? call(pipe, mapped, bytes, unmapped) : CL_INVALID_MEM_OBJECT;
}

/* ---- the profile ----------------------------------------------------------------------------- */

cl_int clGetProfileDataDeviceIntelFPGA(cl_device_id device, cl_program program, cl_bool enqueued,
                                       cl_bool autorun, cl_bool clear, size_t bytes, void *value,
                                       size_t *bytes_ret, cl_int *errcode_ret)
{
    clGetProfileDataDeviceIntelFPGA_fn call;
    find(device, "clGetProfileDataDeviceIntelFPGA", &call);
    if (call)
        return call(device, program, enqueued, autorun, clear, bytes, value, bytes_ret,
                    errcode_ret);
    if (errcode_ret)
        *errcode_ret = CL_INVALID_DEVICE;
    return CL_INVALID_DEVICE;
}

cl_int clGetProfileDataDeviceAltera(cl_device_id device, cl_program program, cl_bool enqueued,
                                    cl_bool autorun, cl_bool clear, size_t bytes, void *value,
                                    size_t *bytes_ret, cl_int *errcode_ret)
{
    return clGetProfileDataDeviceIntelFPGA(device, program, enqueued, autorun, clear, bytes, value,
                                           bytes_ret, errcode_ret);
}

cl_int clGetProfileInfoIntelFPGA(cl_event launch)
{
    cl_command_type type;
    cl_int status;
    if (clGetEventInfo(launch, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) ||
        clGetEventInfo(launch, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) ||
        (type != CL_COMMAND_NDRANGE_KERNEL && type != CL_COMMAND_TASK) || status != CL_RUNNING)
        return CL_INVALID_EVENT;
    return CL_PROFILING_INFO_NOT_AVAILABLE;
}

cl_int clGetProfileInfoAltera(cl_event launch)
{
    return clGetProfileInfoIntelFPGA(launch);
}

/* ---- shared virtual memory ------------------------------------------------------------------- */

#define SL_SVM_BY_NAMES_OF(vendor)                                                                 \
    void *clSVMAlloc##vendor(cl_context context, cl_bitfield flags, size_t size,                   \
                             cl_uint alignment)                                                    \
    {                                                                                              \
        return clSVMAlloc(context, flags, size, alignment);                                        \
    }                                                                                              \
    void clSVMFree##vendor(cl_context context, void *pointer)                                      \
    {                                                                                              \
        clSVMFree(context, pointer);                                                               \
    }                                                                                              \
    cl_int clSetKernelArgSVMPointer##vendor(cl_kernel kernel, cl_uint index, const void *value)    \
    {                                                                                              \
        return clSetKernelArgSVMPointer(kernel, index, value);                                     \
    }
SL_SVM_BY_NAMES_OF(IntelFPGA)
SL_SVM_BY_NAMES_OF(Altera)

cl_int clResetKernelsIntelFPGA(cl_context context, cl_uint num_devices,
                               const cl_device_id *device_list)
{
    enum { MOST = 64 };
    cl_device_id devices[MOST];
    clResetKernelsIntelFPGA_fn call = NULL;
    if (!clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL))
        find(devices[0], "clResetKernelsIntelFPGA", &call);
    return call ? call(context, num_devices, device_list) : CL_INVALID_CONTEXT;
}

/* ---- the board ------------------------------------------------------------------------------- */

void *clGetBoardExtensionFunctionAddressIntelFPGA(const char *name, cl_device_id device)
{
    (void)name;
    (void)device;
    return NULL;
}

void *clGetBoardExtensionFunctionAddressAltera(const char *name, cl_device_id device)
{
    return clGetBoardExtensionFunctionAddressIntelFPGA(name, device);
}

cl_program clCreateProgramWithBinaryAndProgramDeviceIntelFPGA(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret)
{
    return clCreateProgramWithBinary(context, num_devices, devices, lengths, binaries,
                                     binary_status, errcode_ret);
}

cl_program clCreateProgramWithBinaryAndProgramDeviceAltera(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret)
{
    return clCreateProgramWithBinary(context, num_devices, devices, lengths, binaries,
                                     binary_status, errcode_ret);
}

cl_int clSetDeviceExceptionCallbackIntelFPGA(
    cl_uint num_devices, const cl_device_id *devices, CL_EXCEPTION_TYPE_INTEL listen_mask,
    void(CL_CALLBACK *notify)(CL_EXCEPTION_TYPE_INTEL exception_type, const void *private_info,
                              size_t cb, void *user_data),
    void *user_data)
{
    const CL_EXCEPTION_TYPE_INTEL known =
        CL_DEVICE_EXCEPTION_ECC_CORRECTABLE_INTEL | CL_DEVICE_EXCEPTION_ECC_NON_CORRECTABLE_INTEL;
    (void)user_data;
    if (!num_devices || !devices || !notify || listen_mask & ~known)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_devices; i++) {
        cl_platform_id platform;
        if (clGetDeviceInfo(devices[i], CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL))
            return CL_INVALID_DEVICE;
    }
    return CL_SUCCESS;
}
