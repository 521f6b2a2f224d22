/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-devices, queues and programs. See the header. */
#include "exhaust_rare.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/api.h"
#include "exhaust_judge.h"

enum { MOST_PARTS = 64, WAIT_STEPS = 2000, STEP_US = 1000 };

/* ---- sub-devices ----------------------------------------------------------------------------- */

static void use_parts(cl_device_id *parts)
{
    void *made_of;
    cl_int rc, word = 7;
    cl_context context = MAKE(sl_clCreateContext(NULL, 2, parts, NULL, NULL, &rc));
    if (!context)
        return;
    cl_command_queue queue = MAKE(sl_clCreateCommandQueue(context, parts[1], 0, &rc));
    cl_mem buffer = MAKE(sl_clCreateBuffer(context, 0, 64, NULL, &rc));
    if (queue && buffer) {
        TRY(sl_clEnqueueFillBuffer(queue, buffer, &word, 4, 0, 64, 0, NULL, NULL));
        TRY(sl_clFinish(queue));
    }
    if (buffer)
        SURE(sl_clReleaseMemObject(buffer));
    if (queue)
        SURE(sl_clReleaseCommandQueue(queue));
    SURE(sl_clReleaseContext(context));
}

static void release_parts(cl_device_id *parts, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        SURE(sl_clReleaseDevice(parts[i]));
}

static void sub_devices(cl_device_id device)
{
    cl_device_id parts[MOST_PARTS];
    cl_uint units = 0, count = 0;
    cl_device_affinity_domain domains = 0;
    const cl_device_partition_property equal[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0},
                                       affine[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                   CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
    const cl_device_partition_property_ext old[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 1,
                                                    CL_PROPERTIES_LIST_END_EXT};
    TRY(sl_clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof units, &units,
                           NULL));
    TRY(sl_clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains,
                           NULL));
    if (units < 2 || units > MOST_PARTS)
        return;
    if (TRY(sl_clCreateSubDevices(device, equal, MOST_PARTS, parts, &count))) {
        use_parts(parts);
        release_parts(parts, count);
    }
    if (TRY(sl_clCreateSubDevicesEXT(device, old, MOST_PARTS, parts, &count)))
        release_parts(parts, count);
    if (domains && TRY(sl_clCreateSubDevices(device, affine, MOST_PARTS, parts, &count))) {
        use_parts(parts);
        release_parts(parts, count);
    }
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void caller_queue(cl_context context, cl_device_id device, cl_kernel kernel)
{
    const cl_queue_properties here[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL, 0};
    const size_t global = 8;
    cl_command_queue_properties offered = 0;
    void *made_of;
    cl_int rc;
    TRY(sl_clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof offered, &offered, NULL));
    if (!(offered & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL))
        return;
    cl_command_queue queue =
        MAKE(sl_clCreateCommandQueueWithProperties(context, device, here, &rc));
    if (!queue)
        return;
    if (kernel)
        TRY(sl_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    TRY(sl_clFinish(queue));
    SURE(sl_clReleaseCommandQueue(queue));
}

static void device_queue(cl_context context, cl_device_id device)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
                                        0};
    cl_uint most = 0;
    void *made_of;
    cl_int rc;
    TRY(sl_clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof most, &most, NULL));
    cl_command_queue queue =
        most ? MAKE(sl_clCreateCommandQueueWithProperties(context, device, list, &rc)) : NULL;
    if (!queue)
        return;
    TRY(sl_clSetDefaultDeviceCommandQueue(context, device, queue));
    SURE(sl_clReleaseCommandQueue(queue));
}

/* ---- programs: there is no compiler ---------------------------------------------------------- */

static void no_compiler(const char *call, cl_int rc)
{
    if (rc != CL_COMPILER_NOT_AVAILABLE && rc != CL_LINKER_NOT_AVAILABLE)
        exhaust_judge(call, rc ? rc : CL_SUCCESS);
}

static void CL_CALLBACK on_built(cl_program program, void *calls)
{
    (void)program;
    atomic_fetch_add((atomic_int *)calls, 1);
}

/* A build that began says once that it has ended, whatever it was short of. */
static void build_aside(cl_program program, cl_device_id device)
{
    static atomic_int calls;
    atomic_store(&calls, 0);
    if (sl_clBuildProgram(program, 1, &device, "-DA=1", on_built, &calls))
        return;
    for (int i = 0; i < WAIT_STEPS && !atomic_load(&calls); i++)
        usleep(STEP_US);
    if (atomic_load(&calls) != 1)
        exhaust_judge_blame("the end of a build was told %d times", atomic_load(&calls));
}

static void programs(cl_context context, cl_device_id device, cl_kernel kernel)
{
    static const char *const texts[] = {"kernel void k(global int *a)", "{ a[0] = A; }"};
    const char *const names[] = {"a.h"};
    char log[64];
    size_t bytes;
    void *made_of;
    cl_int rc;
    cl_program program =
        MAKE(sl_clCreateProgramWithSource(context, 2, (const char **)texts, NULL, &rc));
    cl_program header =
        MAKE(sl_clCreateProgramWithSource(context, 1, (const char **)texts, NULL, &rc));
    if (program) {
        no_compiler("build", sl_clBuildProgram(program, 1, &device, "-DA=1", NULL, NULL));
        TRY(sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
        build_aside(program, device);
        if (header)
            no_compiler("compile", sl_clCompileProgram(program, 1, &device, "-DA=1", 1, &header,
                                                       (const char **)names, NULL, NULL));
        SURE(sl_clReleaseProgram(program));
    }
    if (header)
        SURE(sl_clReleaseProgram(header));
    if (kernel) {
        TRY(sl_clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof log, log, NULL));
        cl_program own = NULL;
        TRY(sl_clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof own, &own, NULL));
        TRY(sl_clGetProgramInfo(own, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes));
        TRY(sl_clGetProgramInfo(own, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void another_context(void)
{
    void *made_of;
    cl_int rc;
    cl_context context =
        MAKE(sl_clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &rc));
    if (context)
        SURE(sl_clReleaseContext(context));
}

void exhaust_rare(cl_device_id device, cl_context context, cl_command_queue queue, cl_kernel kernel)
{
    sub_devices(device);
    another_context();
    caller_queue(context, device, kernel);
    device_queue(context, device);
    programs(context, device, kernel);
    exhaust_rare_memory(device, context, queue, kernel);
}
