/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small loader of our own that does what cl_khr_icd 2.0 asks of loaders, in its order: platforms,
 * tag, one address per name, the loader's word. Then every kind of object is made and must carry
 * that word behind its dispatch pointer. One thread; no lock.
 */
#include "child.h"
#include "cl_help.h"

#include <CL/cl_ext.h>
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
}

static void every_object_carries_the_loaders_word(void)
{
    /* nothing is released, as in a program that just ends */
    static const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0",
                                      "TSAN_OPTIONS=report_thread_leaks=0", NULL};
    child_ends(&(struct child_plan){.job = "job_sequence", .env = env}, 0);
}

/* A loader that knows only the first edition sets no word and must find it zero. */
static void job_first_edition(void)
{
    open_vendor();
    cl_device_id device;
    CHECK(!((void **)vendor.platform)[1]);
    const struct _cl_icd_dispatch *calls =
        *(const struct _cl_icd_dispatch **)(void *)vendor.platform;
    CHECK_OK(calls->clGetDeviceIDs(vendor.platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    CHECK(!((void **)device)[1]);
}

static void first_edition(void)
{
    child_ends(&(struct child_plan){.job = "job_first_edition"}, 0);
}

static const struct test_case jobs[] = {CASE(job_sequence), CASE(job_first_edition)};
static const struct test_case cases[] = {CASE(every_object_carries_the_loaders_word),
                                         CASE(first_edition)};
JOBS_MAIN("icd2", cases, jobs)
