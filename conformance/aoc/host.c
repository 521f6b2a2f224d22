/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host program as designs bring them: loads the .aocx named on its command line, launches `feed`
 * and `drain` on queues of their own and checks out[i] = FACTOR * in[i] + ADD against plain C.
 *
 *     host FILE.aocx FACTOR ADD
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1003 };

static void check(cl_int status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s: %d\n", what, status);
        exit(2);
    }
}

static unsigned char *read_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(name);
        exit(2);
    }
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*bytes);
    if (!data || fread(data, 1, *bytes, file) != *bytes)
        exit(2);
    fclose(file);
    return data;
}

static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint p = 0; p < count; p++) {
        cl_device_id device;
        if (!clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL))
            return device;
    }
    fputs("no accelerator\n", stderr);
    exit(2);
}

int main(int argc, char **argv)
{
    size_t bytes;
    int in[COUNT], out[COUNT], wrong = 0, count = COUNT;
    if (argc != 4)
        return 2;
    const int factor = atoi(argv[2]), add = atoi(argv[3]);
    cl_int status, loaded;
    cl_device_id device = find_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    unsigned char *binary = read_file(argv[1], &bytes);
    cl_program program = clCreateProgramWithBinary(
        context, 1, &device, &bytes, (const unsigned char *[]){binary}, &loaded, &status);
    check(status, "clCreateProgramWithBinary");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    for (int i = 0; i < COUNT; i++)
        in[i] = i * 7919 - 1000;
    cl_mem from =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in, &status);
    cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &status);
    cl_command_queue queues[2];
    cl_kernel kernels[2] = {clCreateKernel(program, "feed", &status),
                            clCreateKernel(program, "drain", &status)};
    check(status, "clCreateKernel");
    for (int k = 0; k < 2; k++) {
        queues[k] = clCreateCommandQueueWithProperties(context, device, NULL, &status);
        check(status, "clCreateCommandQueueWithProperties");
        check(clSetKernelArg(kernels[k], 0, sizeof(cl_mem), k ? &to : &from), "clSetKernelArg");
        check(clSetKernelArg(kernels[k], 1, sizeof count, &count), "clSetKernelArg");
        check(clEnqueueNDRangeKernel(queues[k], kernels[k], 1, NULL, (size_t[]){1}, NULL, 0, NULL,
                                     NULL),
              "clEnqueueNDRangeKernel");
        check(clFlush(queues[k]), "clFlush");
    }
    check(clEnqueueReadBuffer(queues[1], to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
    for (int i = 0; i < COUNT; i++)
        wrong += out[i] != factor * in[i] + add;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
