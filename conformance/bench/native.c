/* SPDX-License-Identifier: Apache-2.0 */
/* What a native command costs on an idle queue, through the loader: each device, in order and out
 * of order. Prints the least of some samples; with an argument, microseconds, more is an error. */
#include <CL/cl.h>
#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 300, EACH = 1000 };

static clEnqueueNativeCommandSLUICE_fn enqueue;

static cl_int CL_CALLBACK nothing(const sluice_interop_handle *handle, void *data)
{
    (void)handle, (void)data;
    return CL_SUCCESS;
}

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* Of a submission, without the wait for all of them; negative: one has failed. */
static double least(cl_command_queue queue)
{
    double found = 1e9;
    for (int i = 0; i < SAMPLES; i++) {
        double start = microseconds();
        for (int j = 0; j < EACH; j++)
            if (enqueue(queue, nothing, NULL, NULL, 0, NULL, NULL, 0, NULL, NULL))
                return -1;
        double each = (microseconds() - start) / EACH;
        clFinish(queue);
        if (each < found)
            found = each;
    }
    return found;
}

/* False: one took more than `most`, or has failed. */
static int measure(cl_device_id device, double most)
{
    int good = 1;
    static const char *const order[] = {"in order", "out of order"};
    char name[256] = "";
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    for (cl_uint i = 0; i < 2; i++) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                            i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, NULL);
        double each = least(queue);
        printf("%s, %s: %.2f us\n", name, order[i], each);
        good &= each >= 0 && each <= most;
        clReleaseCommandQueue(queue);
    }
    clReleaseContext(context);
    return good;
}

int main(int argc, char **argv)
{
    int good = 1;
    cl_platform_id platform;
    cl_device_id devices[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &count))
        return 1;
    void *found =
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueNativeCommandSLUICE");
    memcpy(&enqueue, &found, sizeof enqueue);
    for (cl_uint i = 0; enqueue && i < count && i < 8; i++)
        good &= measure(devices[i], argc > 1 ? atof(argv[1]) : 1e9);
    return !enqueue || !good;
}
