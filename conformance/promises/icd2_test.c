/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small loader of our own that does what cl_khr_icd 2.0 asks of loaders, in its order: platforms,
 * tag, one address per name, the loader's word. Then every kind of object is made and must carry
 * that word behind its dispatch pointer. One thread; no lock.
 */
#include "child.h"
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG ((intptr_t)0x4F50454E434C3331)
enum { SLOT_PLATFORM_IDS = 0, SLOT_UNLOAD = 31, SLOTS = 149 };

typedef void *(CL_API_CALL *address_fn)(cl_platform_id, const char *);
typedef cl_int(CL_API_CALL *set_data_fn)(cl_platform_id, void *);
typedef void *(CL_API_CALL *extension_fn)(const char *);

static struct { /* what the simulated loader knows of the library */
    void *handle;
    cl_platform_id platform;
    extension_fn extension;
    address_fn address;
    set_data_fn set_data;
} vendor;
static char word[64]; /* its address is the loader's word */

static void *call(const char *name)
{
    void *found = vendor.address(vendor.platform, name);
    if (!found)
        check_fail(__FILE__, __LINE__, "no address for %s", name);
    REQUIRE(found);
    return found;
}
#define CALL(name) ((name##_type)call(#name))

/* The types of the calls made here, from the header that declares them. */
#define TYPE(name) typedef __typeof__(&name) name##_type
TYPE(clGetDeviceIDs);
TYPE(clGetPlatformInfo);
TYPE(clCreateSubDevices);
TYPE(clCreateContext);
TYPE(clCreateContextFromType);
TYPE(clCreateCommandQueue);
TYPE(clCreateCommandQueueWithProperties);
TYPE(clCreateBuffer);
TYPE(clCreateBufferWithProperties);
TYPE(clCreateSubBuffer);
TYPE(clCreateImage);
TYPE(clCreateSampler);
TYPE(clCreateProgramWithSource);
TYPE(clCreateProgramWithBinary);
TYPE(clCreateProgramWithBuiltInKernels);
TYPE(clGetProgramInfo);
TYPE(clBuildProgram);
TYPE(clCompileProgram);
TYPE(clLinkProgram);
TYPE(clCreateKernel);
TYPE(clCreateKernelsInProgram);
TYPE(clCloneKernel);
TYPE(clCreateUserEvent);
TYPE(clEnqueueFillBuffer);
TYPE(clEnqueueMapBuffer);
TYPE(clEnqueueUnmapMemObject);
TYPE(clEnqueueMarkerWithWaitList);
TYPE(clEnqueueNDRangeKernel);
TYPE(clSetKernelArg);
TYPE(clSetUserEventStatus);
TYPE(clFinish);
TYPE(clCreateImage2D);
TYPE(clCreateImage3D);
TYPE(clCreateImageWithProperties);
TYPE(clCreateSamplerWithProperties);
TYPE(clCreatePipe);
TYPE(clCreateProgramWithIL);
TYPE(clSVMAlloc);
TYPE(clEnqueueSVMMemFill);
TYPE(clEnqueueNativeKernel);
TYPE(clEnqueueBarrierWithWaitList);

static void *const *table_of(const void *object)
{
    return *(void *const *const *)object;
}

static void carries_word(const char *what, const void *object)
{
    if (!object || ((void *const *)object)[1] != word ||
        table_of(object) != table_of(vendor.platform))
        check_fail(__FILE__, __LINE__, "%s %p does not carry the loader's word", what, object);
}

/* ---- the sequence ---------------------------------------------------------------------------- */

static void open_vendor(void)
{
    clIcdGetPlatformIDsKHR_fn platforms;
    vendor.handle = dlopen(driver_library(), RTLD_LAZY | RTLD_LOCAL);
    REQUIRE(vendor.handle);
    *(void **)&vendor.extension = dlsym(vendor.handle, "clGetExtensionFunctionAddress");
    REQUIRE(vendor.extension);
    /* What the first edition's loaders look for, by name and by that function. */
    CHECK(dlsym(vendor.handle, "clIcdGetPlatformIDsKHR") != NULL);
    CHECK(dlsym(vendor.handle, "clGetPlatformInfo") != NULL);
    CHECK(vendor.extension("clGetPlatformInfo") != NULL);
    CHECK(!vendor.extension("clThereIsNoSuchFunction"));
    *(void **)&platforms = vendor.extension("clIcdGetPlatformIDsKHR");
    *(void **)&vendor.address = vendor.extension("clIcdGetFunctionAddressForPlatformKHR");
    *(void **)&vendor.set_data = vendor.extension("clIcdSetPlatformDispatchDataKHR");
    REQUIRE(platforms && vendor.address && vendor.set_data);
    cl_uint count = 0;
    REQUIRE_OK(platforms(0, NULL, &count));
    CHECK_EQ(count, 1);
    REQUIRE_OK(platforms(1, &vendor.platform, NULL));
}

static void set_word(void)
{
    CHECK_EQ((intptr_t)table_of(vendor.platform)[SLOT_PLATFORM_IDS], TAG);
    CHECK_EQ((intptr_t)table_of(vendor.platform)[SLOT_UNLOAD], TAG);
    for (int i = 0; i < SLOTS; i++)
        CHECK(table_of(vendor.platform)[i] != NULL);
    CHECK(!vendor.address(vendor.platform, "clThereIsNoSuchFunction"));
    REQUIRE_OK(vendor.set_data(vendor.platform, word));
    carries_word("platform", vendor.platform);
    char text[4096] = "";
    CHECK_OK(
        CALL(clGetPlatformInfo)(vendor.platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    CHECK(strstr(text, "cl_khr_icd"));
    CHECK_OK(CALL(clGetPlatformInfo)(vendor.platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof text, text,
                                     NULL));
    CHECK(!strcmp(text, "SLUICE"));
}

/* ---- every kind of object -------------------------------------------------------------------- */

struct basics {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
};

static void devices_and_contexts(struct basics *b)
{
    cl_int rc;
    cl_uint count = 0;
    cl_device_id all[8], sub = NULL;
    REQUIRE_OK(CALL(clGetDeviceIDs)(vendor.platform, CL_DEVICE_TYPE_ALL, 8, all, &count));
    for (cl_uint i = 0; i < count; i++)
        carries_word("device", all[i]);
    REQUIRE_OK(CALL(clGetDeviceIDs)(vendor.platform, CL_DEVICE_TYPE_CPU, 1, &b->device, NULL));
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    rc = CALL(clCreateSubDevices)(b->device, one, 1, &sub, NULL);
    if (rc != CL_INVALID_VALUE && rc != CL_DEVICE_PARTITION_FAILED) /* one core cannot be split */
        carries_word("sub-device", sub);
    b->context = CALL(clCreateContext)(NULL, 1, &b->device, NULL, NULL, &rc);
    carries_word("context", b->context);
    carries_word("context from type",
                 CALL(clCreateContextFromType)(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL, &rc));
    b->queue = CALL(clCreateCommandQueue)(b->context, b->device, 0, &rc);
    carries_word("queue", b->queue);
    carries_word("queue with properties",
                 CALL(clCreateCommandQueueWithProperties)(b->context, b->device, NULL, &rc));
}

static void memory_objects(struct basics *b)
{
    cl_int rc;
    cl_buffer_region half = {0, 2048};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    b->mem = CALL(clCreateBuffer)(b->context, CL_MEM_READ_WRITE, 4096, NULL, &rc);
    carries_word("buffer", b->mem);
    carries_word("buffer with properties",
                 CALL(clCreateBufferWithProperties)(b->context, NULL, 0, 64, NULL, &rc));
    carries_word("sub-buffer",
                 CALL(clCreateSubBuffer)(b->mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &rc));
    carries_word("image",
                 CALL(clCreateImage)(b->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &rc));
    carries_word("sampler", CALL(clCreateSampler)(b->context, CL_FALSE, CL_ADDRESS_CLAMP,
                                                  CL_FILTER_NEAREST, &rc));
}

static void events(struct basics *b, cl_kernel kernel)
{
    cl_int rc;
    cl_uint zero = 0;
    const size_t global = 16;
    cl_event made[5] = {NULL};
    made[0] = CALL(clCreateUserEvent)(b->context, &rc);
    carries_word("user event", made[0]);
    CHECK_OK(CALL(clSetUserEventStatus)(made[0], CL_COMPLETE));
    CHECK_OK(CALL(clEnqueueFillBuffer)(b->queue, b->mem, &zero, sizeof zero, 0, 4096, 0, NULL,
                                       &made[1]));
    CHECK_OK(CALL(clSetKernelArg)(kernel, 0, sizeof b->mem, &b->mem));
    CHECK_OK(
        CALL(clEnqueueNDRangeKernel)(b->queue, kernel, 1, NULL, &global, NULL, 0, NULL, &made[2]));
    void *at = CALL(clEnqueueMapBuffer)(b->queue, b->mem, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL,
                                        &made[3], &rc);
    CHECK_OK(rc);
    CHECK_OK(CALL(clEnqueueUnmapMemObject)(b->queue, b->mem, at, 0, NULL, NULL));
    CHECK_OK(CALL(clEnqueueMarkerWithWaitList)(b->queue, 0, NULL, &made[4]));
    for (size_t i = 0; i < LEN(made); i++)
        carries_word("event", made[i]);
    CHECK_OK(CALL(clFinish)(b->queue));
}

/* ---- those of extensions --------------------------------------------------------------------- */

static void other_memory(struct basics *b)
{
    cl_int rc;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    clCreateBufferWithPropertiesINTEL_fn create =
        (clCreateBufferWithPropertiesINTEL_fn)call("clCreateBufferWithPropertiesINTEL");
    carries_word("buffer of an extension", create(b->context, NULL, 0, 64, NULL, &rc));
    carries_word("image of 1.0", CALL(clCreateImage2D)(b->context, 0, &format, 8, 8, 0, NULL, &rc));
    carries_word("image of 1.0 in three dimensions",
                 CALL(clCreateImage3D)(b->context, 0, &format, 8, 8, 8, 0, 0, NULL, &rc));
    carries_word("image with properties",
                 CALL(clCreateImageWithProperties)(b->context, NULL, 0, &format, &desc, NULL, &rc));
    carries_word("sampler with properties",
                 CALL(clCreateSamplerWithProperties)(b->context, NULL, &rc));
    carries_word("pipe", CALL(clCreatePipe)(b->context, 0, 4, 7, NULL, &rc));
}

static void command_buffers(struct basics *b, cl_kernel kernel)
{
    cl_int rc;
    const size_t global = 16;
    cl_event replayed = NULL;
    cl_mutable_command_khr command = NULL;
    clCreateCommandBufferKHR_sluice_t *create =
        (clCreateCommandBufferKHR_sluice_t *)call("clCreateCommandBufferKHR");
    clCommandNDRangeKernelKHR_sluice_t *record =
        (clCommandNDRangeKernelKHR_sluice_t *)call("clCommandNDRangeKernelKHR");
    clFinalizeCommandBufferKHR_sluice_t *finalize =
        (clFinalizeCommandBufferKHR_sluice_t *)call("clFinalizeCommandBufferKHR");
    clEnqueueCommandBufferKHR_sluice_t *replay =
        (clEnqueueCommandBufferKHR_sluice_t *)call("clEnqueueCommandBufferKHR");
    cl_command_buffer_khr buffer = create(1, &b->queue, NULL, &rc);
    carries_word("command buffer", buffer);
    CHECK_OK(record(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, &command));
    carries_word("recorded command", command);
    CHECK_OK(finalize(buffer));
    CHECK_OK(replay(0, NULL, buffer, 0, NULL, &replayed));
    carries_word("event of a replay", replayed);
}

static void semaphores(struct basics *b)
{
    cl_int rc;
    cl_event events[2] = {NULL};
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
    clCreateSemaphoreWithPropertiesKHR_fn create =
        (clCreateSemaphoreWithPropertiesKHR_fn)call("clCreateSemaphoreWithPropertiesKHR");
    clEnqueueSignalSemaphoresKHR_fn signal =
        (clEnqueueSignalSemaphoresKHR_fn)call("clEnqueueSignalSemaphoresKHR");
    clEnqueueWaitSemaphoresKHR_fn wait =
        (clEnqueueWaitSemaphoresKHR_fn)call("clEnqueueWaitSemaphoresKHR");
    cl_semaphore_khr semaphore = create(b->context, list, &rc);
    carries_word("semaphore", semaphore);
    CHECK_OK(signal(b->queue, 1, &semaphore, NULL, 0, NULL, &events[0]));
    CHECK_OK(wait(b->queue, 1, &semaphore, NULL, 0, NULL, &events[1]));
    for (int i = 0; i < 2; i++)
        carries_word("event of a semaphore", events[i]);
}

static cl_int CL_CALLBACK look_at_handle(const sluice_interop_handle *handle, void *data)
{
    cl_event event = NULL;
    (void)data;
    carries_word("native command's queue", handle->queue);
    carries_word("native command's completion", handle->completion);
    CHECK_OK(CALL(clEnqueueMarkerWithWaitList)(handle->queue, 0, NULL, &event));
    carries_word("event in a native command", event);
    return CL_SUCCESS;
}

static void CL_CALLBACK do_nothing(void *args)
{
    (void)args;
}

static void other_events(struct basics *b)
{
    cl_int rc, zero = 0;
    cl_event made[5] = {NULL};
    clEnqueueNativeCommandSLUICE_fn native =
        (clEnqueueNativeCommandSLUICE_fn)call("clEnqueueNativeCommandSLUICE");
    clHostMemAllocINTEL_fn allocate = (clHostMemAllocINTEL_fn)call("clHostMemAllocINTEL");
    clEnqueueMemcpyINTEL_fn copy = (clEnqueueMemcpyINTEL_fn)call("clEnqueueMemcpyINTEL");
    char *usm = allocate(b->context, NULL, 128, 0, &rc);
    void *svm = CALL(clSVMAlloc)(b->context, CL_MEM_READ_WRITE, 64, 0);
    REQUIRE(usm && svm);
    CHECK_OK(native(b->queue, look_at_handle, NULL, NULL, 0, NULL, NULL, 0, NULL, &made[0]));
    CHECK_OK(copy(b->queue, CL_FALSE, usm, usm + 64, 64, 0, NULL, &made[1]));
    CHECK_OK(CALL(clEnqueueSVMMemFill)(b->queue, svm, &zero, sizeof zero, 64, 0, NULL, &made[2]));
    CHECK_OK(CALL(clEnqueueNativeKernel)(b->queue, do_nothing, NULL, 0, 0, NULL, NULL, 0, NULL,
                                         &made[3]));
    CHECK_OK(CALL(clEnqueueBarrierWithWaitList)(b->queue, 0, NULL, &made[4]));
    for (size_t i = 0; i < LEN(made); i++)
        carries_word("event of another command", made[i]);
    CHECK_OK(CALL(clFinish)(b->queue));
}

/* A module of SPIR-V with nothing in it. */
static void programs_of_il(struct basics *b)
{
    static const cl_uint module[] = {0x07230203, 0x00010000,     0, 1,
                                     0,          (2 << 16) | 17, 6, (2 << 16) | 17,
                                     4,          (3 << 16) | 14, 2, 2};
    cl_int rc;
    clCreateProgramWithILKHR_fn create =
        (clCreateProgramWithILKHR_fn)call("clCreateProgramWithILKHR");
    carries_word("program of IL",
                 CALL(clCreateProgramWithIL)(b->context, module, sizeof module, &rc));
    carries_word("program of IL by the extension", create(b->context, module, sizeof module, &rc));
}

static cl_program copy_by_binary(struct basics *b, cl_program program)
{
    size_t bytes = 0;
    cl_int rc, status;
    REQUIRE_OK(
        CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    REQUIRE_OK(CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program copy = CALL(clCreateProgramWithBinary)(
        b->context, 1, &b->device, &bytes, (const unsigned char **)&binary, &status, &rc);
    free(binary);
    return copy;
}

static void programs_and_kernels(struct basics *b)
{
    cl_int rc;
    const char *text = "kernel void k(global int *x) { x[get_global_id(0)] = 1; }";
    cl_program program = CALL(clCreateProgramWithSource)(b->context, 1, &text, NULL, &rc);
    carries_word("program", program);
    REQUIRE_OK(CALL(clBuildProgram)(program, 0, NULL, NULL, NULL, NULL));
    carries_word("program from binary", copy_by_binary(b, program));
    cl_kernel kernel = CALL(clCreateKernel)(program, "k", &rc), in_program = NULL;
    carries_word("kernel", kernel);
    CHECK_OK(CALL(clCreateKernelsInProgram)(program, 1, &in_program, NULL));
    carries_word("kernel of a program", in_program);
    cl_kernel clone = CALL(clCloneKernel)(kernel, &rc);
    if (rc != CL_INVALID_OPERATION)
        carries_word("cloned kernel", clone);
    events(b, kernel);
    command_buffers(b, kernel);
    cl_program object = CALL(clCreateProgramWithSource)(b->context, 1, &text, NULL, &rc);
    REQUIRE_OK(CALL(clCompileProgram)(object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    carries_word("linked program",
                 CALL(clLinkProgram)(b->context, 0, NULL, NULL, 1, &object, NULL, NULL, &rc));
}

static void job_sequence(void)
{
    struct basics basics = {0};
    open_vendor();
    set_word();
    devices_and_contexts(&basics);
    memory_objects(&basics);
    programs_and_kernels(&basics);
    other_memory(&basics);
    semaphores(&basics);
    other_events(&basics);
    programs_of_il(&basics);
}

static void every_object_carries_the_loaders_word(void)
{
    /* nothing is released, as in a program that just ends */
    static const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0",
                                      "TSAN_OPTIONS=report_thread_leaks=0", NULL};
    child_ends(&(struct child_plan){.job = "job_sequence", .env = env}, 0);
}

/* A loader that knows only the first edition sets no word. Another one in the process may know the
 * tag and call by the word all the same: it finds a table there, without the tag, that answers. */
static void job_first_edition(void)
{
    open_vendor();
    cl_device_id device = NULL;
    cl_uint count = 0;
    const struct _cl_icd_dispatch *calls =
        *(const struct _cl_icd_dispatch **)(void *)vendor.platform;
    CHECK_OK(calls->clGetDeviceIDs(vendor.platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    const struct _cl_icd_dispatch *by_word = ((void **)vendor.platform)[1];
    REQUIRE(by_word && device);
    CHECK(by_word != calls && ((void **)device)[1] == by_word);
    CHECK((intptr_t)by_word->clGetPlatformIDs != TAG);
    CHECK((intptr_t)by_word->clUnloadCompiler != TAG);
    CHECK_OK(by_word->clGetPlatformIDs(0, NULL, &count));
    CHECK_EQ(count, 1);
    CHECK_OK(by_word->clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof count, &count, NULL));
}

static void first_edition(void)
{
    child_ends(&(struct child_plan){.job = "job_first_edition"}, 0);
}

static const struct test_case jobs[] = {CASE(job_sequence), CASE(job_first_edition)};
static const struct test_case cases[] = {CASE(every_object_carries_the_loaders_word),
                                         CASE(first_edition)};
JOBS_MAIN("icd2", cases, jobs)
