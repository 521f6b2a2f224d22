/* SPDX-License-Identifier: Apache-2.0 */
/* See machine.h. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* works on OpenCL 1.2 platforms too */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void check(cl_int rc, const char *what)
{
    if (rc == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed with OpenCL error %d\n", what, rc);
    exit(1);
}

void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static void find_device(struct machine *m, const char *wanted)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; i++) {
        char name[256] = "";
        m->platform = platforms[i];
        check(clGetPlatformInfo(m->platform, CL_PLATFORM_NAME, sizeof name, name, NULL),
              "clGetPlatformInfo");
        if (strstr(name, wanted) &&
            !clGetDeviceIDs(m->platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &m->device, NULL))
            return;
    }
    fprintf(stderr, "no platform with \"%s\" in its name has an accelerator\n", wanted);
    exit(1);
}

static void build(struct machine *m, const char *source, const char *options)
{
    cl_int rc;
    m->program = clCreateProgramWithSource(m->context, 1, &source, NULL, &rc);
    check(rc, "clCreateProgramWithSource");
    rc = clBuildProgram(m->program, 1, &m->device, options, NULL, NULL);
    if (rc) {
        static char log[16384];
        clGetProgramBuildInfo(m->program, m->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(rc, "clBuildProgram");
}

void open_machine(struct machine *m, const char *wanted, const char *source, const char *options)
{
    cl_int rc;
    char name[256] = "";
    find_device(m, wanted);
    check(clGetDeviceInfo(m->device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    printf("device     %s\n", name);
    m->context = clCreateContext(NULL, 1, &m->device, NULL, NULL, &rc);
    check(rc, "clCreateContext");
    double start = seconds();
    build(m, source, options);
    printf("build      %.1f ms\n", (seconds() - start) * 1e3);
}

void close_machine(struct machine *m)
{
    clReleaseProgram(m->program);
    clReleaseContext(m->context);
}

struct stage open_stage(const struct machine *m, const char *kernel)
{
    struct stage stage;
    cl_int rc;
    stage.kernel = clCreateKernel(m->program, kernel, &rc);
    check(rc, kernel);
    stage.queue = clCreateCommandQueue(m->context, m->device, 0, &rc);
    check(rc, "clCreateCommandQueue");
    return stage;
}

void set_argument(struct stage *stage, cl_uint index, size_t size, const void *value)
{
    check(clSetKernelArg(stage->kernel, index, size, value), "clSetKernelArg");
}

void start_stage(struct stage *stage)
{
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(stage->queue, stage->kernel, 1, NULL, &one, &one, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFlush(stage->queue), "clFlush");
}

void finish_stage(struct stage *stage)
{
    check(clFinish(stage->queue), "clFinish");
}

void close_stage(struct stage *stage)
{
    clReleaseKernel(stage->kernel);
    clReleaseCommandQueue(stage->queue);
}

void find_function(const struct machine *m, const char *name, void *to)
{
    void *found = clGetExtensionFunctionAddressForPlatform(m->platform, name);
    if (!found) {
        fprintf(stderr, "the platform has no %s\n", name);
        exit(1);
    }
    memcpy(to, &found, sizeof found);
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
