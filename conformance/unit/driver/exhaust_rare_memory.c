/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers, images, samplers, pipes and shared memory. See exhaust_rare.h. */
#include "exhaust_rare.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/api.h"
#include "exhaust_judge.h"

static struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer;
    cl_uint words[256];
} here;

static void drop(cl_mem mem)
{
    if (mem)
        SURE(sl_clReleaseMemObject(mem));
}

static void buffers(void)
{
    static const size_t origin[3], region[3] = {8, 4, 2};
    const cl_mem_properties none[] = {0};
    void *made_of;
    cl_int rc;
    cl_mem mem = MAKE(sl_clCreateBufferWithProperties(here.context, none, CL_MEM_COPY_HOST_PTR,
                                                      sizeof here.words, here.words, &rc));
    if (mem) {
        TRY(sl_clEnqueueWriteBufferRect(here.queue, mem, CL_FALSE, origin, origin, region, 16, 64,
                                        8, 32, here.words, 0, NULL, NULL));
        TRY(sl_clEnqueueCopyBufferRect(here.queue, mem, here.buffer, origin, origin, region, 16, 64,
                                       8, 32, 0, NULL, NULL));
        TRY(sl_clFinish(here.queue));
    }
    drop(mem);
}

/* ---- images ---------------------------------------------------------------------------------- */

static void use_image(cl_mem image, const size_t region[3])
{
    static const size_t origin[3];
    cl_command_queue queue = here.queue;
    TRY(sl_clEnqueueFillImage(queue, image, here.words, origin, region, 0, NULL, NULL));
    TRY(sl_clEnqueueCopyBufferToImage(queue, here.buffer, image, 0, origin, region, 0, NULL, NULL));
    TRY(sl_clEnqueueCopyImage(queue, image, image, origin, (size_t[]){region[0], 0, 0}, region, 0,
                              NULL, NULL));
    TRY(sl_clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, here.words, 0, NULL,
                              NULL));
}

static void images(void)
{
    static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                               CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                               CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_BUFFER};
    void *made_of;
    cl_int rc;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const cl_mem_object_type type = types[i];
        const bool rows = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                          type == CL_MEM_OBJECT_IMAGE3D;
        const cl_image_desc desc = {.image_type = type,
                                    .image_width = 8,
                                    .image_height = rows ? 4 : 0,
                                    .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? 3 : 0,
                                    .image_array_size = 3,
                                    .buffer =
                                        type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? here.buffer : NULL};
        const size_t region[3] = {4, rows || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 3 : 1,
                                  type == CL_MEM_OBJECT_IMAGE2D_ARRAY || desc.image_depth ? 3 : 1};
        cl_mem image = MAKE(sl_clCreateImageWithProperties(here.context, NULL, CL_MEM_READ_WRITE,
                                                           &format, &desc, NULL, &rc));
        if (image)
            use_image(image, region);
        drop(image);
    }
}

static void samplers_and_pipes(void)
{
    const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_bool pipes = CL_FALSE;
    void *made_of;
    cl_int rc;
    cl_sampler sampler = MAKE(sl_clCreateSamplerWithProperties(here.context, list, &rc));
    if (sampler)
        SURE(sl_clReleaseSampler(sampler));
    TRY(sl_clGetDeviceInfo(here.device, CL_DEVICE_PIPE_SUPPORT, sizeof pipes, &pipes, NULL));
    if (pipes)
        drop(MAKE(sl_clCreatePipe(here.context, 0, 4, 16, NULL, &rc)));
}

/* ---- shared memory --------------------------------------------------------------------------- */

static void CL_CALLBACK give_back(cl_command_queue queue, cl_uint count, void *pointers[],
                                  void *data)
{
    (void)queue;
    for (cl_uint i = 0; i < count; i++)
        sl_clSVMFree(data, pointers[i]);
}

/* What a command was to free and did not stays the caller's. */
static void svm(void)
{
    void *at[2] = {sl_clSVMAlloc(here.context, 0, 64, 0), sl_clSVMAlloc(here.context, 0, 64, 0)};
    const void *one = at[0];
    if (here.kernel && at[0])
        TRY(sl_clSetKernelArgSVMPointer(here.kernel, 0, at[0]));
    if (at[0])
        TRY(sl_clEnqueueSVMMigrateMem(here.queue, 1, &one, NULL, 0, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        if (!at[i] || !TRY(sl_clEnqueueSVMFree(here.queue, 1, &at[i], i ? give_back : NULL,
                                               here.context, 0, NULL, NULL)))
            sl_clSVMFree(here.context, at[i]);
    }
    TRY(sl_clFinish(here.queue));
}

static void use_usm(cl_int *at)
{
    const size_t global = 8;
    cl_mem_alloc_flags_intel flags;
    size_t bytes = 0;
    SURE(sl_clGetMemAllocInfoINTEL(here.context, at, CL_MEM_ALLOC_SIZE_INTEL, sizeof bytes, &bytes,
                                   NULL));
    SURE(sl_clGetMemAllocInfoINTEL(here.context, at, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags,
                                   NULL));
    bool all = bytes == 64;
    all = TRY(sl_clEnqueueMemsetINTEL(here.queue, at, 0, bytes, 0, NULL, NULL)) && all;
    all = TRY(sl_clEnqueueMemAdviseINTEL(here.queue, at, bytes, 0, 0, NULL, NULL)) && all;
    if (here.kernel) {
        SURE(sl_clSetKernelArgMemPointerINTEL(here.kernel, 0, at));
        all = TRY(sl_clEnqueueNDRangeKernel(here.queue, here.kernel, 1, NULL, &global, NULL, 0,
                                            NULL, NULL)) &&
              all;
    }
    all = TRY(sl_clFinish(here.queue)) && all;
    if (all && here.kernel && at[7] != 3)
        exhaust_judge_blame("element 7 is %d", at[7]);
}

static void usm(void)
{
    const cl_mem_properties_intel list[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    void *made_of, *blocks[2];
    cl_int rc;
    blocks[0] = MAKE(sl_clHostMemAllocINTEL(here.context, list, 64, 0, &rc));
    blocks[1] = MAKE(sl_clDeviceMemAllocINTEL(here.context, here.device, list, 64, 0, &rc));
    for (int i = 0; i < 2; i++) {
        if (!blocks[i])
            continue;
        use_usm(blocks[i]);
        SURE(sl_clMemFreeINTEL(here.context, blocks[i]));
    }
}

/* ---- what other processes share -------------------------------------------------------------- */

static void external_memory(void)
{
    void *made_of;
    cl_int rc;
    int file = memfd_create("shared", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, sizeof here.words))
        return;
    const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                      (cl_mem_properties)file, 0};
    cl_mem mem =
        MAKE(sl_clCreateBufferWithProperties(here.context, list, 0, sizeof here.words, NULL, &rc));
    if (!mem) {
        close(file); /* it stays ours */
        return;
    }
    TRY(sl_clEnqueueAcquireExternalMemObjectsKHR(here.queue, 1, &mem, 0, NULL, NULL));
    TRY(sl_clEnqueueReleaseExternalMemObjectsKHR(here.queue, 1, &mem, 0, NULL, NULL));
    TRY(sl_clFinish(here.queue));
    drop(mem);
}

/* The wait is enqueued while the signal cannot run, so that it has to be watched for. */
static void signal_and_wait(cl_semaphore_khr signals, cl_semaphore_khr waits)
{
    void *made_of;
    cl_int rc;
    cl_event gate = MAKE(sl_clCreateUserEvent(here.context, &rc));
    if (!gate)
        return;
    if (TRY(sl_clEnqueueSignalSemaphoresKHR(here.queue, 1, &signals, NULL, 1, &gate, NULL)))
        TRY(sl_clEnqueueWaitSemaphoresKHR(here.queue, 1, &waits, NULL, 0, NULL, NULL));
    SURE(sl_clSetUserEventStatus(gate, CL_COMPLETE));
    TRY(sl_clFinish(here.queue));
    SURE(sl_clReleaseEvent(gate));
}

static void shared_semaphore(void)
{
    const cl_semaphore_properties_khr exports[] = {CL_SEMAPHORE_TYPE_KHR,
                                                   CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                   CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                   CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                   0,
                                                   0};
    void *made_of;
    cl_int rc;
    int file;
    cl_semaphore_khr one = MAKE(sl_clCreateSemaphoreWithPropertiesKHR(here.context, exports, &rc));
    if (!one)
        return;
    if (TRY(sl_clGetSemaphoreHandleForTypeKHR(one, here.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                              sizeof file, &file, NULL))) {
        const cl_semaphore_properties_khr list[] = {
            CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
            (cl_semaphore_properties_khr)file, 0};
        cl_semaphore_khr two = MAKE(sl_clCreateSemaphoreWithPropertiesKHR(here.context, list, &rc));
        if (two) {
            signal_and_wait(one, two);
            SURE(sl_clReleaseSemaphoreKHR(two));
        } else {
            close(file);
        }
    }
    SURE(sl_clReleaseSemaphoreKHR(one));
}

void exhaust_rare_memory(cl_device_id device, cl_context context, cl_command_queue queue,
                         cl_kernel kernel)
{
    void *made_of;
    cl_int rc;
    here.device = device;
    here.context = context;
    here.queue = queue;
    here.kernel = kernel;
    here.buffer = MAKE(sl_clCreateBuffer(context, 0, sizeof here.words, NULL, &rc));
    if (here.buffer) {
        buffers();
        images();
    }
    samplers_and_pipes();
    svm();
    usm();
    external_memory();
    shared_semaphore();
    drop(here.buffer);
}
