/* SPDX-License-Identifier: Apache-2.0 */
/* run_design SOURCE-OR-SPIR-V OPTIONS KERNEL[%PIPES][:ITEMS[:GROUP]][@MS][!]...: runs the kernels
 * as tasks, or with so many work-items in groups of so many (`61x23:8x4` in two dimensions,
 * likewise in three), each on a queue of its own; `+` in front of the name: on the queue of the one
 * before it. `@MS`: from another thread, so many milliseconds later; such kernels come last. `%ab`:
 * the arguments are pipes of `int`, in this order; those that are called the same are the same.
 * `%A`: buffers, of a million `int`, likewise;
 * `%0`, up to 4: as many in shared virtual memory; `%5`, up to 9: buffers in memory of the host's.
 * `!`: nobody waits for its end. Exit status 0: all others have ended; 3: a launch was ended
 * because nothing could move; 1: anything else. With RUN_DESIGN_TIME it says on standard error how
 * much time of the processor the run took. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_KERNELS = 64,
    PIPES = 26,
    DIGITS = 10,
    DIMENSIONS = 3,
    BUFFER_BYTES = 4 << 20,
    STALLED = 3,
    STATUS_STALLED = -1113
};

struct design {
    cl_context context;
    cl_program program;
    cl_kernel kernels[MOST_KERNELS];
    cl_command_queue queues[MOST_KERNELS];
    cl_event events[MOST_KERNELS];
    cl_mem pipes[PIPES], buffers[PIPES], host_buffers[DIGITS];
    int *shared[DIGITS]; /* the memory of those, or shared virtual memory */
    const char *arguments[MOST_KERNELS];
    size_t items[MOST_KERNELS][DIMENSIONS], groups[MOST_KERNELS][DIMENSIONS];
    cl_uint dimensions[MOST_KERNELS];
    unsigned long late_ms[MOST_KERNELS];
    int endless[MOST_KERNELS];
    int count, late; /* late: the first one that is */
};

static void need(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "run_design: %s: %d\n", what, (int)code);
    exit(1);
}

static char *read_file(const char *name, size_t *bytes)
{
    char *text = NULL;
    FILE *file = fopen(name, "rb"), *memory = open_memstream(&text, bytes);
    need(file && memory ? CL_SUCCESS : -1, name);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, memory);
    fclose(file);
    fclose(memory);
    return text;
}

static cl_program create(cl_context context, const char *text, size_t bytes)
{
    static const unsigned char spirv[] = {0x03, 0x02, 0x23, 0x07};
    cl_int code;
    cl_program program = bytes > sizeof spirv && !memcmp(text, spirv, sizeof spirv)
                             ? clCreateProgramWithIL(context, text, bytes, &code)
                             : clCreateProgramWithSource(context, 1, &text, NULL, &code);
    need(code, "program");
    return program;
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

/* Numbers with `x` between them; how many there are. Others stay as they are. */
static cl_uint parse_sizes(const char *text, size_t sizes[DIMENSIONS])
{
    cl_uint count = 0;
    for (char *end; text && count < DIMENSIONS; text = *end == 'x' ? end + 1 : NULL)
        sizes[count++] = strtoul(text, &end, 10);
    return count;
}

/* Takes what is behind the name off it. */
static void parse(struct design *d, int i, char *name)
{
    char *mark = strchr(name, '!'), *late = strchr(name, '@'), *pipes = strchr(name, '%');
    d->endless[i] = mark != NULL;
    d->late_ms[i] = late ? strtoul(late + 1, NULL, 10) : 0;
    d->arguments[i] = pipes ? pipes + 1 : "";
    if (pipes)
        *pipes = '\0';
    if (mark)
        *mark = '\0';
    if (late)
        *late = '\0';
    char *items = strchr(pipes ? pipes + 1 : name, ':'),
         *group = items ? strchr(items + 1, ':') : NULL;
    d->items[i][0] = 1;
    d->dimensions[i] = items ? parse_sizes(items + 1, d->items[i]) : 1;
    memcpy(d->groups[i], d->items[i], sizeof d->groups[i]);
    parse_sizes(group ? group + 1 : NULL, d->groups[i]);
    if (items)
        *items = '\0';
}

static cl_mem *find_argument(struct design *d, char name)
{
    enum { DEPTH = 8 };
    cl_int code = CL_SUCCESS;
    const int buffer = name >= 'A' && name <= 'Z';
    cl_mem *found = buffer ? &d->buffers[name - 'A'] : &d->pipes[(name - 'a') % PIPES];
    if (!*found)
        *found = buffer ? clCreateBuffer(d->context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &code)
                        : clCreatePipe(d->context, CL_MEM_HOST_NO_ACCESS, sizeof(cl_int), DEPTH,
                                       NULL, &code);
    need(code, "memory");
    return found;
}

static int is_svm(int digit)
{
    return digit < DIGITS / 2;
}

static void give_shared(struct design *d, int i, cl_uint argument, int digit)
{
    cl_int code = CL_SUCCESS;
    int **at = &d->shared[digit];
    if (!*at) {
        *at = is_svm(digit) ? clSVMAlloc(d->context, CL_MEM_READ_WRITE, BUFFER_BYTES, 0)
                            : malloc(BUFFER_BYTES);
        need(*at ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "shared memory");
        memset(*at, 0, BUFFER_BYTES);
        if (!is_svm(digit))
            d->host_buffers[digit] =
                clCreateBuffer(d->context, CL_MEM_USE_HOST_PTR, BUFFER_BYTES, *at, &code);
        need(code, "memory");
    }
    need(is_svm(digit)
             ? clSetKernelArgSVMPointer(d->kernels[i], argument, *at)
             : clSetKernelArg(d->kernels[i], argument, sizeof(cl_mem), &d->host_buffers[digit]),
         "argument");
}

static void free_shared(struct design *d)
{
    for (int i = 0; i < DIGITS; i++) {
        if (d->host_buffers[i])
            clReleaseMemObject(d->host_buffers[i]);
        if (is_svm(i) && d->shared[i])
            clSVMFree(d->context, d->shared[i]);
        else
            free(d->shared[i]);
    }
}

static void give_arguments(struct design *d, int i)
{
    for (cl_uint n = 0; d->arguments[i][n]; n++) {
        const char name = d->arguments[i][n];
        if (name >= '0' && name <= '9')
            give_shared(d, i, n, name - '0');
        else
            need(clSetKernelArg(d->kernels[i], n, sizeof(cl_mem), find_argument(d, name)),
                 "argument");
    }
}

static void launch(struct design *d, int i)
{
    need(clEnqueueNDRangeKernel(d->queues[i], d->kernels[i], d->dimensions[i], NULL, d->items[i],
                                d->groups[i], 0, NULL, &d->events[i]),
         "launch");
}

static void start(struct design *d, char **names)
{
    cl_int code;
    cl_device_id device;
    need(clGetContextInfo(d->context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL), "device");
    for (; names[d->count] && d->count < MOST_KERNELS; d->count++) {
        int i = d->count;
        parse(d, i, names[i]);
        d->late += !d->late_ms[i];
        const int same = i && *names[i] == '+';
        d->kernels[i] = clCreateKernel(d->program, names[i] + same, &code);
        need(code, names[i]);
        if (same)
            need(clRetainCommandQueue(d->queues[i] = d->queues[i - 1]), "queue");
        else
            d->queues[i] = clCreateCommandQueueWithProperties(d->context, device, NULL, &code);
        need(code, "queue");
        give_arguments(d, i);
    }
    for (int i = 0; i < d->late; i++)
        launch(d, i);
    for (int i = 0; i < d->late; i++)
        need(clFlush(d->queues[i]), "flush");
}

static void *start_late(void *design)
{
    struct design *d = design;
    for (int i = d->late; i < d->count; i++) {
        enum { MS_PER_S = 1000, NS_PER_MS = 1000000 };
        struct timespec time = {(time_t)(d->late_ms[i] / MS_PER_S),
                                (long)(d->late_ms[i] % MS_PER_S) * NS_PER_MS};
        nanosleep(&time, NULL);
        launch(d, i);
        need(clFlush(d->queues[i]), "flush");
    }
    return NULL;
}

static int finish(struct design *d, int first, int end)
{
    int result = 0;
    for (int i = first; i < end; i++) {
        cl_int status = CL_QUEUED;
        if (d->endless[i])
            continue;
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

static int run(struct design *d, char **names)
{
    pthread_t thread;
    start(d, names);
    const int late = d->late < d->count && !pthread_create(&thread, NULL, start_late, d);
    int result = finish(d, 0, d->late);
    if (!late)
        return result;
    pthread_join(thread, NULL);
    int others = finish(d, d->late, d->count);
    return result ? result : others;
}

/* Of all threads: what another one has taken Linux adds when it sleeps, or at its next tick. */
static double processor_seconds(void)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    struct timespec now;
    nanosleep(&pause, NULL);
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
    size_t bytes;
    char *source = read_file(argv[1], &bytes);
    need(clGetPlatformIDs(1, &platform, NULL), "platform");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    design.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    need(code, "context");
    design.program = create(design.context, source, bytes);
    build(design.program, device, argv[2]);
    const char *timed = getenv("RUN_DESIGN_TIME");
    double before = timed ? processor_seconds() : 0;
    int result = run(&design, argv + 3);
    if (timed)
        fprintf(stderr, "seconds %.6f\n", processor_seconds() - before);
    for (int i = 0; i < design.count; i++)
        if (design.endless[i])
            exit(result);
    for (int i = 0; i < PIPES; i++) {
        if (design.pipes[i])
            clReleaseMemObject(design.pipes[i]);
        if (design.buffers[i])
            clReleaseMemObject(design.buffers[i]);
    }
    free_shared(&design);
    clReleaseProgram(design.program);
    clReleaseContext(design.context);
    free(source);
    return result;
}
