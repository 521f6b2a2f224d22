/* SPDX-License-Identifier: Apache-2.0 */
/* In an image of scripts/container: a kernel on each device, against plain C; "pass|fail TEST", and
 * how long it takes from the source to the end of the first kernel. */
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { COUNT = 1003 };
static const char *source =
    "kernel void k(global float *x, float by) { size_t i = get_global_id(0); "
    "x[i] = sin(x[i] * by) + i; }";
static const float by = 1.25f;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* In seconds; negative: it fails. */
static double first_kernel(cl_context context, cl_device_id device, cl_command_queue queue,
                           float *numbers)
{
    const size_t count = COUNT;
    cl_int rc;
    cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, COUNT * sizeof *numbers, numbers, &rc);
    double start = now();
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL))
        return -1;
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    clSetKernelArg(kernel, 0, sizeof x, &x);
    clSetKernelArg(kernel, 1, sizeof by, &by);
    rc = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    if (rc || clFinish(queue))
        return -1;
    double end = now();
    rc = clEnqueueReadBuffer(queue, x, CL_TRUE, 0, COUNT * sizeof *numbers, numbers, 0, NULL, NULL);
    clReleaseMemObject(x);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return rc ? -1 : end - start;
}

static int is_right(cl_device_id device, double *seconds)
{
    float numbers[COUNT];
    cl_int rc;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)i / 7;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    cl_command_queue queue = context ? clCreateCommandQueue(context, device, 0, &rc) : NULL;
    *seconds = queue ? first_kernel(context, device, queue, numbers) : -1;
    int right = *seconds >= 0;
    for (int i = 0; right && i < COUNT; i++)
        right = fabs(numbers[i] - (sin((double)((float)i / 7 * by)) + i)) < 2e-4;
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return right;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id devices[8];
    cl_uint count = 0;
    char name[64] = "";
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &count))
        return 1;
    printf("%s platform\n", strcmp(name, "Sluice") ? "fail" : "pass");
    printf("%s two_devices\n", count == 2 ? "pass" : "fail");
    for (cl_uint i = 0; i < count; i++) {
        double seconds;
        printf("%s kernel.%u\n", is_right(devices[i], &seconds) ? "pass" : "fail", i);
        printf("first kernel of device %u: %.0f ms\n", i, seconds * 1e3);
    }
    return 0;
}
