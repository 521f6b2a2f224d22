/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as somebody would install it set-uid: loads the driver (argument 1), runs a kernel on
 * the device of the short name (argument 2), and waits for a line. privilege_test.py runs it.
 */
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static const struct _cl_icd_dispatch *calls;

static int fail(const char *what, long code)
{
    fprintf(stderr, "%s: %ld\n", what, code);
    return 1;
}

typedef void *(*address_fn)(const char *);
typedef cl_int (*platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);

static cl_platform_id open_platform(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    cl_platform_id platform = NULL;
    address_fn address = NULL;
    platforms_fn platforms = NULL;
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    *(void **)&address = dlsym(library, "clGetExtensionFunctionAddress");
    if (address)
        *(void **)&platforms = address("clIcdGetPlatformIDsKHR");
    if (!platforms || platforms(1, &platform, NULL))
        return NULL;
    calls = *(const struct _cl_icd_dispatch **)platform;
    return platform;
}

static cl_device_id find_device(cl_platform_id platform, const char *name)
{
    cl_device_id devices[16];
    cl_uint count = 0;
    char text[256];
    calls->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count);
    printf("devices %u\n", count);
    cl_uint customs = 0; /* "all" does not count these */
    calls->clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 0, NULL, &customs);
    printf("customs %u\n", customs);
    for (cl_uint i = 0; i < count; i++)
        if (!calls->clGetDeviceInfo(devices[i], CL_DEVICE_VERSION, sizeof text, text, NULL) &&
            strstr(text, strcmp(name, "fpga") ? "CPU" : "FPGA"))
            return devices[i];
    return NULL;
}

static int run_kernel(cl_context context, cl_device_id device)
{
    const char *source = "kernel void k(global int *a) { a[get_global_id(0)] = native_sin(0.f) + "
                         "popcount((int)get_global_id(0)); }";
    enum { COUNT = 37 };
    cl_int values[COUNT], rc;
    size_t count = COUNT;
    cl_program program = calls->clCreateProgramWithSource(context, 1, &source, NULL, &rc);
    if ((rc = calls->clBuildProgram(program, 1, &device, "", NULL, NULL)))
        return fail("clBuildProgram", rc);
    cl_kernel kernel = calls->clCreateKernel(program, "k", &rc);
    cl_mem buffer = calls->clCreateBuffer(context, 0, sizeof values, NULL, &rc);
    cl_command_queue queue = calls->clCreateCommandQueue(context, device, 0, &rc);
    calls->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    rc = calls->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    if (rc || (rc = calls->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0,
                                               NULL, NULL)))
        return fail("running", rc);
    for (int i = 0; i < COUNT; i++)
        if (values[i] != __builtin_popcount((unsigned)i))
            return fail("a value", i);
    return 0;
}

int main(int argc, char **argv)
{
    cl_int rc;
    if (argc != 3)
        return fail("arguments", argc);
    printf("secure %lu\n", getauxval(AT_SECURE));
    cl_platform_id platform = open_platform(argv[1]);
    cl_device_id device = platform ? find_device(platform, argv[2]) : NULL;
    if (!device)
        return fail("no device", 0);
    cl_context context = calls->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    if (rc)
        return fail("clCreateContext", rc);
    if (run_kernel(context, device))
        return 1;
    printf("done\n");
    fflush(stdout);
    return getchar() == EOF; /* the test looks at the processes meanwhile */
}
