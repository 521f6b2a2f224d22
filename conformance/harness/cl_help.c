/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of the device under test, and short forms. One thread; no lock. */
#include "cl_help.h"
#include "runner.h"
#include "through.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, NO_DEVICE = 77 };

struct test_env cl;
static char platform_name[256];

static cl_device_type type_of(cl_device_id device)
{
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type;
}

/* What SLUICE_TEST_DEVICE may say beside a number; NULL: it says nothing. 0: no such word. */
static cl_device_type type_of_word(const char *word)
{
    if (!word || !strcmp(word, "cpu"))
        return CL_DEVICE_TYPE_CPU;
    return strcmp(word, "fpga") ? 0 : CL_DEVICE_TYPE_ACCELERATOR;
}

/* The whole of it is one, so that "1x" or "" is none. */
static int is_number(const char *word)
{
    return word && *word && strspn(word, "0123456789") == strlen(word);
}

static cl_device_id pick_device(cl_platform_id platform, const char *wish)
{
    cl_device_id list[MOST];
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, list, &count) || !count)
        return NULL;
    if (is_number(wish)) {
        unsigned long index = strtoul(wish, NULL, 10);
        return index < count && index < MOST ? list[index] : NULL;
    }
    cl_device_type type = type_of_word(wish);
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        if (type_of(list[i]) & type)
            return list[i];
    }
    return wish ? NULL : list[0];
}

static cl_platform_id pick_platform(void)
{
    cl_platform_id list[MOST];
    cl_uint count = 0;
    if (clGetPlatformIDs(MOST, list, &count) || !count)
        return NULL;
    cl_platform_id chosen = list[0];
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        char name[256] = "";
        clGetPlatformInfo(list[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strcmp(name, "Sluice"))
            chosen = list[i];
    }
    clGetPlatformInfo(chosen, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);
    return chosen;
}

int env_open(void)
{
    cl.platform = pick_platform();
    if (!cl.platform) {
        fprintf(stderr, "no OpenCL platform; OCL_ICD_VENDORS=%s\n", getenv("OCL_ICD_VENDORS"));
        return 1;
    }
    const char *wish = getenv("SLUICE_TEST_DEVICE");
    if (!is_number(wish) && !type_of_word(wish)) {
        fprintf(stderr, "SLUICE_TEST_DEVICE=%s: not cpu, fpga or a number\n", wish);
        return 1;
    }
    cl.device = pick_device(cl.platform, wish);
    if (!cl.device) {
        fprintf(stderr, "no device %s on platform %s\n", wish ? wish : "at all", platform_name);
        return is_sluice() ? 1 : NO_DEVICE;
    }
    cl_int rc;
    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    if (rc) {
        fprintf(stderr, "clCreateContext: %s\n", code_name(rc));
        return 1;
    }
    cl.queue = clCreateCommandQueue(cl.context, cl.device, CL_QUEUE_PROFILING_ENABLE, &rc);
    if (rc)
        fprintf(stderr, "clCreateCommandQueue: %s\n", code_name(rc));
    return rc ? 1 : 0;
}

static cl_uint context_refs(void)
{
    cl_uint refs = 0;
    CHECK_OK(clGetContextInfo(cl.context, CL_CONTEXT_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    return refs;
}

/* Every object a case made holds the context in some drivers' counts; what is left is a leak of the
 * suite or of the driver. Some let go a moment after clFinish. */
void env_close(int check_leaks)
{
    CHECK_OK(clFinish(cl.queue));
    CHECK_OK(clReleaseCommandQueue(cl.queue));
    for (double end = now_seconds() + 2; context_refs() > 1 && now_seconds() < end;)
        ;
    if (check_leaks)
        CHECK_EQ(context_refs(), 1);
    CHECK_OK(clReleaseContext(cl.context));
}

int is_sluice(void)
{
    return !strcmp(platform_name, "Sluice");
}

/* PoCL reads any object as the one it expects: see lists/peers.md */
int wrong_handles_checked(void)
{
    return strcmp(env_list_name(), "pocl") != 0;
}

const char *env_list_name(void)
{
    if (strstr(platform_name, "Portable Computing"))
        return "pocl";
    if (strstr(platform_name, "FPGA"))
        return "intel-fpga-emu";
    return strstr(platform_name, "Intel") ? "intel-cpu" : "sluice";
}

cl_context new_context(void)
{
    cl_int rc;
    cl_context made = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    return made;
}

cl_command_queue new_queue(cl_command_queue_properties properties)
{
    cl_int rc;
    cl_command_queue made = clCreateCommandQueue(cl.context, cl.device, properties, &rc);
    REQUIRE_OK(rc);
    return made;
}

cl_mem new_buffer(cl_mem_flags flags, size_t size, void *host)
{
    cl_int rc;
    cl_mem made = clCreateBuffer(cl.context, flags, size, host, &rc);
    REQUIRE_OK(rc);
    return made;
}

cl_program new_program(const char *source)
{
    cl_int rc;
    cl_program made = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    return made;
}

char *build_log(cl_program program)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size))
        size = 0;
    char *log = calloc(1, size + 1);
    REQUIRE(log);
    if (size)
        CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
    return log;
}

cl_program built(const char *source, const char *options)
{
    cl_program program = program_through(source, options);
    if (!program)
        program = new_program(source);
    cl_int rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        fprintf(stderr, "build with \"%s\": %s\n%s\n", options ? options : "", code_name(rc), log);
        free(log);
        if (getenv("SLUICE_TEST_SOURCE"))
            fprintf(stderr, "%s\n", source);
        clReleaseProgram(program);
    }
    REQUIRE_OK(rc);
    return program;
}

cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int rc;
    cl_kernel made = clCreateKernel(program, name, &rc);
    REQUIRE_OK(rc);
    return made;
}

cl_kernel new_kernel(const char *source, const char *name, const char *options)
{
    cl_program program = built(source, options);
    cl_kernel made = kernel_of(program, name);
    CHECK_OK(clReleaseProgram(program));
    return made;
}

void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    REQUIRE_OK(clSetKernelArg(kernel, index, size, value));
}

void run_nd(cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
            const size_t *local)
{
    REQUIRE_OK(
        clEnqueueNDRangeKernel(cl.queue, kernel, dims, offset, global, local, 0, NULL, NULL));
    REQUIRE_OK(clFinish(cl.queue));
}

void run_1d(cl_kernel kernel, size_t global, size_t local)
{
    run_nd(kernel, 1, NULL, &global, local ? &local : NULL);
}

void read_back(cl_mem buffer, size_t size, void *to)
{
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

cl_int event_status(cl_event event)
{
    cl_int status = 12345;
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

size_t device_size(cl_device_info name)
{
    size_t value = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, NULL));
    return value;
}

cl_uint device_uint(cl_device_info name)
{
    cl_uint value = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, NULL));
    return value;
}

int has_extension(const char *name)
{
    char text[8192] = "";
    size_t length = strlen(name);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    for (char *at = text; (at = strstr(at, name)); at += length) {
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return 1;
    }
    return 0;
}

int device_version(void)
{
    char text[256] = "";
    int major = 0, minor = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_VERSION, sizeof text, text, NULL));
    CHECK_EQ(sscanf(text, "OpenCL %d.%d ", &major, &minor), 2);
    return major * 100 + minor * 10;
}

double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
