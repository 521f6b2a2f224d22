/* SPDX-License-Identifier: Apache-2.0 */
/* run_design SOURCE OPTIONS KERNEL[:ITEMS[:GROUP]]...: runs the kernels as tasks, or with so many
 * work-items in groups of so many, each on a queue of its own. Exit status 0: all have ended; 3: a
 * launch was ended because nothing could move; 1: anything else. With RUN_DESIGN_TIME it says on
 * standard error how much time of the processor the run took. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_KERNELS = 64, STALLED = 3, STATUS_STALLED = -1113 };

struct design {
    cl_context context;
    cl_program program;
    cl_kernel kernels[MOST_KERNELS];
    cl_command_queue queues[MOST_KERNELS];
    cl_event events[MOST_KERNELS];
    size_t items[MOST_KERNELS], groups[MOST_KERNELS];
    int count;
};

static void need(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "run_design: %s: %d\n", what, (int)code);
    exit(1);
}

static char *read_file(const char *name)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = fopen(name, "rb"), *memory = open_memstream(&text, &bytes);
    need(file && memory ? CL_SUCCESS : -1, name);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, memory);
    fclose(file);
    fclose(memory);
    return text;
}

static void build(cl_program program, cl_device_id device, const char *options)
{
    static char log[65536];
    cl_int code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code &&
        !clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL))
        fputs(log, stderr);
    need(code, "build");
}

static void start(struct design *d, char **names)
{
    cl_int code;
    for (; names[d->count] && d->count < MOST_KERNELS; d->count++) {
        int i = d->count;
        cl_device_id device;
        need(clGetContextInfo(d->context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL),
             "device");
        char *items = strchr(names[i], ':'), *group = items ? strchr(items + 1, ':') : NULL;
        d->items[i] = items ? strtoul(items + 1, NULL, 10) : 1;
        d->groups[i] = group ? strtoul(group + 1, NULL, 10) : d->items[i];
        if (items)
            *items = '\0';
        d->kernels[i] = clCreateKernel(d->program, names[i], &code);
        need(code, names[i]);
        d->queues[i] = clCreateCommandQueueWithProperties(d->context, device, NULL, &code);
        need(code, "queue");
    }
    for (int i = 0; i < d->count; i++) {
        need(clEnqueueNDRangeKernel(d->queues[i], d->kernels[i], 1, NULL, &d->items[i],
                                    &d->groups[i], 0, NULL, &d->events[i]),
             "launch");
    }
    for (int i = 0; i < d->count; i++)
        need(clFlush(d->queues[i]), "flush");
}

static int finish(struct design *d)
{
    int result = 0;
    for (int i = 0; i < d->count; i++) {
        cl_int status = CL_QUEUED;
        clWaitForEvents(1, &d->events[i]);
        need(clGetEventInfo(d->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL),
             "status");
        if (status != CL_COMPLETE && status != STATUS_STALLED)
            need(status, "kernel");
        result = status == STATUS_STALLED ? STALLED : result;
        clReleaseEvent(d->events[i]);
        clReleaseKernel(d->kernels[i]);
        clReleaseCommandQueue(d->queues[i]);
    }
    return result;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    struct design design = {.count = 0};
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if (argc < 4)
        return 1;
    char *source = read_file(argv[1]);
    need(clGetPlatformIDs(1, &platform, NULL), "platform");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    design.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    need(code, "context");
    design.program =
        clCreateProgramWithSource(design.context, 1, (const char **)&source, NULL, &code);
    need(code, "program");
    build(design.program, device, argv[2]);
    double before = processor_seconds();
    start(&design, argv + 3);
    int result = finish(&design);
    if (getenv("RUN_DESIGN_TIME"))
        fprintf(stderr, "seconds %.6f\n", processor_seconds() - before);
    clReleaseProgram(design.program);
    clReleaseContext(design.context);
    free(source);
    return result;
}
