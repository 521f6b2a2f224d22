/* SPDX-License-Identifier: Apache-2.0 */
/* One life of an application: objects of all kinds, a command of each kind, releases. A call whose
 * objects are missing is left out. One thread; no lock. */
#include "exhaust_run.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/object/object.h"
#include "exhaust_judge.h"
#include "exhaust_rare.h"

enum { COUNT = 64, BYTES = COUNT * sizeof(cl_int) };

const char *const exhaust_source[2] = {
    /* C++, with a variable that a kernel of its own sets while the module is loaded */
    "int none() { return get_global_id(0); }\n"
    "int zero = none();\n"
    "kernel void twice(global int *a, int b)\n"
    "{ a[get_global_id(0)] = a[get_global_id(0)] * 2 + b + zero; }\n",
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "channel int hin __attribute__((depth(4))) __attribute__((intel_host_accessible));\n"
    "channel int mid __attribute__((depth(4)));\n"
    "channel int hout __attribute__((depth(4))) __attribute__((intel_host_accessible));\n"
    "kernel void first(void) { write_channel_intel(mid, read_channel_intel(hin) + 5); }\n"
    "kernel void last(void) { write_channel_intel(hout, read_channel_intel(mid) * 2); }\n"
    "kernel void add(read_only pipe int __attribute__((blocking))\n"
    "                __attribute__((intel_host_accessible)) a,\n"
    "                write_only pipe int __attribute__((blocking))\n"
    "                __attribute__((intel_host_accessible)) b)\n"
    "{ int v; read_pipe(a, &v); v += 5; write_pipe(b, &v); }\n"
    "kernel void twice(global int *a, int b)\n"
    "{ a[get_global_id(0)] = a[get_global_id(0)] * 2 + b; }\n",
};

static struct {
    const char *name;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, loose;
    cl_mem buffer, part, other, image, host;
    cl_sampler sampler;
    cl_program program;
    cl_kernel kernel, copy;
    cl_event gate;
    char *svm, *usm;
    cl_int data[COUNT], back[COUNT];
} app;

static void CL_CALLBACK on_context(const char *text, const void *info, size_t bytes, void *data)
{
    (void)text, (void)info, (void)bytes, (void)data;
}
static void CL_CALLBACK on_mem(cl_mem mem, void *data)
{
    (void)mem, (void)data;
}
static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
}
static void CL_CALLBACK on_end(cl_context context, void *data)
{
    (void)context, (void)data;
}
static void CL_CALLBACK on_native(void *data)
{
    (void)data;
}

cl_device_id exhaust_device(const char *name)
{
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_uint count = 0;
    cl_device_type type = strcmp(name, "fpga") ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ACCELERATOR;
    if (sl_clGetPlatformIDs(1, &platform, &count) || !count)
        return NULL;
    return sl_clGetDeviceIDs(platform, type, 1, &device, NULL) ? NULL : device;
}

static void make_memory(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const cl_buffer_region region = {0, 64};
    static _Alignas(4096) cl_int memory[1024];
    void *made_of;
    cl_int rc;
    for (int i = 0; i < COUNT; i++)
        app.data[i] = i;
    app.buffer = MAKE(sl_clCreateBuffer(app.context, CL_MEM_COPY_HOST_PTR, BYTES, app.data, &rc));
    app.other = MAKE(sl_clCreateBuffer(app.context, 0, BYTES, NULL, &rc));
    app.host =
        MAKE(sl_clCreateBuffer(app.context, CL_MEM_USE_HOST_PTR, sizeof memory, memory, &rc));
    if (app.other)
        app.part =
            MAKE(sl_clCreateSubBuffer(app.other, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc));
    if (app.other)
        TRY(sl_clSetMemObjectDestructorCallback(app.other, on_mem, NULL));
    app.image = MAKE(sl_clCreateImage(app.context, 0, &format, &desc, NULL, &rc));
    app.sampler =
        MAKE(sl_clCreateSampler(app.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc));
    app.svm = sl_clSVMAlloc(app.context, CL_MEM_READ_WRITE, 256, 0);
    app.usm = MAKE(sl_clSharedMemAllocINTEL(app.context, app.device, NULL, 256, 0, &rc));
}

static void make_program(const struct exhaust_design *design)
{
    const unsigned char *binary = design->binary;
    const cl_int three = 3;
    cl_kernel all[8];
    cl_uint count = 0;
    void *made_of;
    cl_int rc;
    app.program = MAKE(sl_clCreateProgramWithBinary(app.context, 1, &app.device, &design->bytes,
                                                    &binary, NULL, &rc));
    if (app.program && !TRY(sl_clBuildProgram(app.program, 0, NULL, "", NULL, NULL))) {
        SURE(sl_clReleaseProgram(app.program));
        app.program = NULL;
    }
    if (!app.program)
        return;
    if (TRY(sl_clCreateKernelsInProgram(app.program, 8, all, &count))) {
        for (cl_uint i = 0; i < count; i++)
            SURE(sl_clReleaseKernel(all[i]));
    }
    app.kernel = MAKE(sl_clCreateKernel(app.program, "twice", &rc));
    if (!app.kernel || !app.buffer)
        return;
    TRY(sl_clSetKernelArg(app.kernel, 0, sizeof app.buffer, &app.buffer));
    TRY(sl_clSetKernelArg(app.kernel, 1, sizeof three, &three));
    if (app.usm)
        TRY(sl_clSetKernelExecInfo(app.kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof app.usm,
                                   &app.usm));
    app.copy = MAKE(sl_clCloneKernel(app.kernel, &rc));
}

static void transfers(void)
{
    static const size_t origin[3], region[3] = {4, 4, 1};
    void *made_of;
    cl_int rc;
    cl_event event = NULL;
    const cl_event *list = app.gate ? &app.gate : NULL;
    const cl_uint waits = list != NULL;
    if (!app.other)
        return;
    TRY(sl_clEnqueueWriteBuffer(app.queue, app.other, CL_FALSE, 0, BYTES, app.data, waits, list,
                                NULL));
    TRY(sl_clEnqueueReadBuffer(app.queue, app.other, CL_FALSE, 0, BYTES, app.back, 0, NULL, NULL));
    TRY(sl_clEnqueueFillBuffer(app.queue, app.other, app.data, 4, 0, BYTES, 0, NULL, NULL));
    TRY(sl_clEnqueueReadBufferRect(app.queue, app.other, CL_FALSE, origin, origin, region, 8, 0, 8,
                                   0, app.back, 0, NULL, NULL));
    if (app.host)
        TRY(sl_clEnqueueCopyBuffer(app.queue, app.host, app.other, 0, 0, BYTES, 0, NULL, NULL));
    if (app.loose && TRY(sl_clEnqueueMarkerWithWaitList(app.loose, waits, list, &event))) {
        TRY(sl_clSetEventCallback(event, CL_COMPLETE, on_event, NULL));
        TRY(sl_clEnqueueBarrierWithWaitList(app.queue, 1, &event, NULL));
        SURE(sl_clReleaseEvent(event));
    }
    TRY(sl_clEnqueueMigrateMemObjects(app.queue, 1, &app.other, 0, 0, NULL, NULL));
    if (strcmp(app.name, "fpga"))
        TRY(sl_clEnqueueNativeKernel(app.queue, on_native, app.data, 16, 0, NULL, NULL, 0, NULL,
                                     NULL));
    if (app.image) {
        size_t pitch;
        TRY(sl_clEnqueueWriteImage(app.queue, app.image, CL_FALSE, origin, region, 0, 0, app.data,
                                   0, NULL, NULL));
        TRY(sl_clEnqueueFillImage(app.queue, app.image, app.data, origin, region, 0, NULL, NULL));
        TRY(sl_clEnqueueCopyImageToBuffer(app.queue, app.image, app.other, origin, region, 0, 0,
                                          NULL, NULL));
        void *at = MAKE(sl_clEnqueueMapImage(app.queue, app.image, CL_FALSE, CL_MAP_READ, origin,
                                             region, &pitch, NULL, 0, NULL, NULL, &rc));
        if (at)
            TRY(sl_clEnqueueUnmapMemObject(app.queue, app.image, at, 0, NULL, NULL));
    }
    void *at = MAKE(sl_clEnqueueMapBuffer(app.queue, app.other, CL_FALSE, CL_MAP_WRITE, 0, 64, 0,
                                          NULL, NULL, &rc));
    if (at)
        TRY(sl_clEnqueueUnmapMemObject(app.queue, app.other, at, 0, NULL, NULL));
    if (app.svm) {
        TRY(sl_clEnqueueSVMMemFill(app.queue, app.svm, app.data, 4, 64, 0, NULL, NULL));
        TRY(sl_clEnqueueSVMMap(app.queue, CL_FALSE, CL_MAP_READ, app.svm, 64, 0, NULL, NULL));
        TRY(sl_clEnqueueSVMUnmap(app.queue, app.svm, 0, NULL, NULL));
        TRY(sl_clEnqueueSVMMemcpy(app.queue, CL_FALSE, app.svm, app.data, 64, 0, NULL, NULL));
    }
    if (app.usm) {
        TRY(sl_clEnqueueMemFillINTEL(app.queue, app.usm, app.data, 4, 64, waits, list, NULL));
        TRY(sl_clEnqueueMemcpyINTEL(app.queue, CL_FALSE, app.usm, app.data, 64, 0, NULL, NULL));
        TRY(sl_clEnqueueMigrateMemINTEL(app.queue, app.usm, 64, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                        NULL));
    }
}

static void launches(void)
{
    const size_t global = COUNT;
    cl_event event = NULL;
    cl_ulong when;
    cl_kernel kernel = app.copy ? app.copy : app.kernel;
    if (!kernel || !app.buffer)
        return;
    bool ran =
        TRY(sl_clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    if (ran && TRY(sl_clWaitForEvents(1, &event)))
        TRY(sl_clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof when, &when, NULL));
    if (ran)
        SURE(sl_clReleaseEvent(event));
    if (!TRY(sl_clEnqueueReadBuffer(app.queue, app.buffer, CL_TRUE, 0, BYTES, app.back, 0, NULL,
                                    NULL)))
        return;
    for (int i = 0; ran && exhaust_judge_whole() && i < COUNT; i++) {
        if (app.back[i] != 2 * i + 3) {
            exhaust_judge_blame("element %d is %d", i, app.back[i]);
            return;
        }
    }
}

/* What was recorded, and updated or not, computes what its launches would. */
static void check_replays(cl_int summand)
{
    if (!TRY(sl_clEnqueueReadBuffer(app.queue, app.other, CL_TRUE, 0, BYTES, app.back, 0, NULL,
                                    NULL)))
        return;
    for (int i = 0; exhaust_judge_whole() && i < COUNT; i++) {
        if (app.back[i] != 10 + summand) {
            exhaust_judge_blame("element %d is %d after a replay", i, app.back[i]);
            return;
        }
    }
}

static bool record(cl_command_buffer_khr buffer, cl_mutable_command_khr *command)
{
    const cl_int five = 5;
    const size_t global = COUNT;
    cl_sync_point_khr point = 0;
    return TRY(sl_clCommandFillBufferKHR(buffer, NULL, NULL, app.buffer, &five, 4, 0, BYTES, 0,
                                         NULL, &point, NULL)) &&
           TRY(sl_clCommandNDRangeKernelKHR(buffer, NULL, NULL, app.copy, 1, NULL, &global, NULL, 1,
                                            &point, &point, command)) &&
           TRY(sl_clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 0, NULL, NULL, NULL)) &&
           TRY(sl_clCommandCopyBufferKHR(buffer, NULL, NULL, app.buffer, app.other, 0, 0, BYTES, 0,
                                         NULL, NULL, NULL)) &&
           TRY(sl_clFinalizeCommandBufferKHR(buffer));
}

static void replays(void)
{
    static const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                            CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
    const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE;
    const cl_int seven = 7;
    const cl_mutable_dispatch_arg_khr arg = {1, sizeof seven, &seven};
    cl_mutable_dispatch_config_sluice config = {.num_args = 1, .arg_list = &arg};
    const void *configs[] = {&config};
    void *made_of;
    cl_int rc;
    if (!app.loose || !app.copy || !app.buffer || !app.other)
        return;
    cl_command_buffer_khr buffer = MAKE(sl_clCreateCommandBufferKHR(1, &app.loose, list, &rc));
    if (!buffer)
        return;
    if (record(buffer, &config.command)) {
        if (TRY(sl_clEnqueueCommandBufferKHR(1, &app.queue, buffer, 0, NULL, NULL)))
            check_replays(3);
        if (TRY(sl_clUpdateMutableCommandsKHR(buffer, 1, &type, configs)) &&
            TRY(sl_clEnqueueCommandBufferKHR(1, &app.queue, buffer, 0, NULL, NULL)))
            check_replays(7);
    }
    SURE(sl_clReleaseCommandBufferKHR(buffer));
}

static void open_gate(void)
{
    if (app.gate)
        SURE(sl_clSetUserEventStatus(app.gate, CL_COMPLETE));
    if (app.loose)
        TRY(sl_clFinish(app.loose));
    TRY(sl_clFinish(app.queue));
}

/* Channels of the host, by name: one packet through two kernels. */
static void host_channels(void)
{
    static const char *const names[] = {"first", "last"};
    void *made_of;
    cl_int rc, sent = 8, got = 0;
    cl_event events[4] = {NULL};
    cl_kernel kernels[2] = {NULL, NULL};
    if (!app.program || !app.loose)
        return;
    /* the packet first: a kernel that was started must not wait for it for ever */
    bool all = TRY(sl_clEnqueueWriteHostPipeINTEL(app.loose, app.program, "hin", CL_TRUE, &sent, 4,
                                                  0, NULL, &events[2]));
    for (int i = 0; i < 2 && all; i++) {
        kernels[i] = MAKE(sl_clCreateKernel(app.program, names[i], &rc));
        all = kernels[i] && TRY(sl_clEnqueueTask(app.loose, kernels[i], 0, NULL, &events[i]));
    }
    all = all && TRY(sl_clEnqueueReadHostPipeINTEL(app.loose, app.program, "hout", CL_TRUE, &got, 4,
                                                   0, NULL, &events[3]));
    TRY(sl_clFinish(app.loose));
    if (exhaust_judge_whole() && got != 26)
        exhaust_judge_blame("the host reads %d", got);
    for (int i = 0; i < 4; i++) {
        if (events[i])
            SURE(sl_clReleaseEvent(events[i]));
        if (i < 2 && kernels[i])
            SURE(sl_clReleaseKernel(kernels[i]));
    }
}

/* A pipe object each way: one packet as a packet, one in a region. */
static void host_pipes(void)
{
    void *made_of;
    cl_int rc, value = 37;
    size_t bytes = 0;
    cl_mem in = MAKE(sl_clCreatePipe(app.context, CL_MEM_HOST_WRITE_ONLY, 4, 8, NULL, &rc));
    cl_mem out = MAKE(sl_clCreatePipe(app.context, CL_MEM_HOST_READ_ONLY, 4, 8, NULL, &rc));
    cl_kernel add = app.program ? MAKE(sl_clCreateKernel(app.program, "add", &rc)) : NULL;
    bool all = in && out && add;
    all = all && TRY(sl_clSetKernelArg(add, 0, sizeof in, &in));
    all = all && TRY(sl_clSetKernelArg(add, 1, sizeof out, &out));
    all = all && TRY(sl_clWritePipeIntelFPGA(in, &value));
    if (all && TRY(sl_clEnqueueTask(app.queue, add, 0, NULL, NULL)) &&
        TRY(sl_clFinish(app.queue))) {
        cl_int *at = MAKE(sl_clMapHostPipeIntelFPGA(out, 0, 4, &bytes, &rc));
        if (exhaust_judge_whole() && (!at || *at != 42))
            exhaust_judge_blame("the region holds %d", at ? *at : 0);
        if (at)
            TRY(sl_clUnmapHostPipeIntelFPGA(out, at, 4, &bytes));
    }
    if (add)
        SURE(sl_clReleaseKernel(add));
    if (in)
        SURE(sl_clReleaseMemObject(in));
    if (out)
        SURE(sl_clReleaseMemObject(out));
}

static void release_all(void)
{
    const cl_mem memory[] = {app.part, app.other, app.buffer, app.image, app.host};
    if (app.svm)
        sl_clSVMFree(app.context, app.svm);
    if (app.usm)
        SURE(sl_clMemBlockingFreeINTEL(app.context, app.usm));
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        if (memory[i])
            SURE(sl_clReleaseMemObject(memory[i]));
    }
    if (app.sampler)
        SURE(sl_clReleaseSampler(app.sampler));
    if (app.copy)
        SURE(sl_clReleaseKernel(app.copy));
    if (app.kernel)
        SURE(sl_clReleaseKernel(app.kernel));
    if (app.program)
        SURE(sl_clReleaseProgram(app.program));
    if (app.gate)
        SURE(sl_clReleaseEvent(app.gate));
    if (app.loose)
        SURE(sl_clReleaseCommandQueue(app.loose));
    if (app.queue)
        SURE(sl_clReleaseCommandQueue(app.queue));
    SURE(sl_clReleaseContext(app.context));
}

static void live(const struct exhaust_design *design)
{
    const cl_queue_properties loose[] = {CL_QUEUE_PROPERTIES,
                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    void *made_of;
    cl_int rc;
    TRY(sl_clSetContextDestructorCallback(app.context, on_end, NULL));
    app.queue = MAKE(sl_clCreateCommandQueueWithProperties(app.context, app.device, timed, &rc));
    app.loose = MAKE(sl_clCreateCommandQueueWithProperties(app.context, app.device, loose, &rc));
    app.gate = MAKE(sl_clCreateUserEvent(app.context, &rc));
    make_memory();
    make_program(design);
    if (!app.queue)
        return;
    transfers();
    open_gate();
    launches();
    exhaust_rare(app.device, app.context, app.queue, app.buffer ? app.kernel : NULL);
    replays();
    if (!strcmp(design->device, "fpga")) {
        host_channels();
        host_pipes();
    }
}

bool exhaust_run(const struct exhaust_design *design, bool nothing_fails)
{
    void *made_of;
    cl_int rc;
    exhaust_judge_begin(nothing_fails);
    memset(&app, 0, sizeof app);
    app.name = design->device;
    app.device = exhaust_device(app.name);
    if (!app.device)
        return !nothing_fails;
    app.context = MAKE(sl_clCreateContext(NULL, 1, &app.device, on_context, NULL, &rc));
    if (!app.context)
        return exhaust_judge_good();
    live(design);
    release_all();
    return exhaust_judge_good();
}
