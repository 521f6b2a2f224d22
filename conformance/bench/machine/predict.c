/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles per work-item that the compiler predicts for the kernels of kernels.def, and those that
 * they take, one thread's. Both are read from the driver's log, where a chain of additions next to
 * each launch tells how long a cycle is. Prints a row for each kernel, and how many predictions are
 * within 25 % of what was measured; with an argument, percent, fewer is an error. Another argument:
 * only kernels whose names begin so.
 *
 * Other work on the machine makes measurements larger, for microseconds or for seconds. So launches
 * are short, only those count before and after which nobody else had a part of the core, and there
 * are rounds of some of each kernel, until more of them find no less.
 */
#include "quiet.h"

#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Rows of two lengths, of which both fit into the nearest cache (half as long where elements have
 * 64 bits): what the longer ones take more is what items take, without what each row does. The ends
 * of both are too far for the processor to foresee them. */
enum { SHORT = 1024, LONG = 2048, NEAR = 25 };
/* Rows of the first launches, and of those that count, which take about so long. */
enum { FIRST_ROWS = 32, FIRST_LAUNCHES = 4, LEAST_ROWS = 4, MOST_ROWS = 8192 };
#define LAUNCH_CYCLES 200000.0
/* Launches of each length in a round; rounds end when so many found no less, by so much. What
 * counts is not the least itself: the clock's rate may change between a launch and the chain. */
enum { LAUNCHES = 8, MOST_ROUNDS = 30, IN_VAIN = 4, LEAST = 4 };
enum { QUIET_SECONDS = 150, MOST_WAITS = 300 }; /* then launches count that were not alone */
#define FASTER 0.995

static const struct kernel {
    const char *name, *type, *code;
    int in_groups;
} kernels[] = {
#define TEXT(...) #__VA_ARGS__
#define FLOAT(name, ...) {#name, "float", TEXT(__VA_ARGS__), 0},
#define DOUBLE(name, ...) {#name, "double", TEXT(__VA_ARGS__), 0},
#define INT(name, ...) {#name, "int", TEXT(__VA_ARGS__), 0},
#define UINT(name, ...) {#name, "uint", TEXT(__VA_ARGS__), 0},
#define LONG(name, ...) {#name, "long", TEXT(__VA_ARGS__), 0},
#define GROUP(name, ...) {#name, "float", TEXT(__VA_ARGS__), 1},
#include "kernels.def"
};

enum { COUNT = sizeof kernels / sizeof *kernels };

struct figures {
    double predicted;
    double cycles[2][LEAST]; /* the least measured of an item, in order, with short and long rows */
    int in_vain;             /* rounds since they changed */
    char why[160];
};

struct started {
    cl_program program;
    cl_kernel kernel;
    cl_mem arguments[4];
    size_t rows;
};

struct bench {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    FILE *log;
    struct figures *figures; /* of each kernel */
    struct started *started;
};

static char log_path[] = "/tmp/sluice-predict-XXXXXX";

static void write_source(const struct kernel *k, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "typedef %s T;\n%s"
             "kernel void %s(global T *restrict o, global const T *restrict a,\n"
             "               global const T *restrict b, global const int *restrict x)\n"
             "{ int i = get_global_id(0); %s T r; %s o[i] = r; }\n",
             k->type, k->in_groups ? "__attribute__((reqd_work_group_size(256, 1, 1)))\n" : "",
             k->name,
             k->in_groups ? "int l = get_local_id(0); local T s[256];" : "T A = a[i], B = b[i];",
             k->code);
}

static size_t size_of(const char *type)
{
    return !strcmp(type, "double") || !strcmp(type, "long") ? 8 : 4;
}

static void set(void *data, const char *type, int k, double value)
{
    if (!strcmp(type, "float"))
        ((float *)data)[k] = (float)value;
    else if (!strcmp(type, "double"))
        ((double *)data)[k] = value;
    else if (!strcmp(type, "long"))
        ((cl_long *)data)[k] = 3 + (cl_long)(value * 100);
    else
        ((cl_int *)data)[k] = 3 + (cl_int)(value * 100);
}

static size_t length_of(const struct kernel *k, int is_long)
{
    return (size_t)(is_long ? LONG : SHORT) * 4 / size_of(k->type);
}

static cl_mem buffer_of(cl_context context, const char *type, double from)
{
    static cl_long data[LONG];
    cl_int order[LONG], error;
    for (int k = 0; k < LONG; k++)
        order[k] = (k * 377 + 5) % LONG;
    for (int k = 0; k < LONG; k++)
        set(data, type, k, from + (double)(k * 7919 % LONG) / LONG);
    int numbers = !strcmp(type, "order");
    return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
                          numbers ? sizeof order : LONG * size_of(type),
                          numbers ? order : (void *)data, &error);
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Of a line about the kernel what follows the word. */
static const char *after(const char *line, const char *kernel, const char *word)
{
    char begin[96];
    snprintf(begin, sizeof begin, " %s", kernel);
    const char *at = strstr(line, begin);
    char next = at ? at[strlen(begin)] : 0;
    if (next != ':' && next != ' ')
        return NULL;
    at = strstr(at, word);
    return at ? at + strlen(word) : NULL;
}

/* Regions come one after the other. */
static void read_prediction(struct figures *f, const char *at)
{
    const char *figure = strstr(at, ": ");
    const char *why = figure ? strchr(figure + 2, ':') : NULL;
    why = why ? strchr(why + 1, ':') : why;
    f->predicted += figure ? strtod(figure + 2, NULL) : 0;
    snprintf(f->why, sizeof f->why, "%s", strrchr(at, ':') + 2);
    f->why[strcspn(f->why, "\n")] = '\0';
}

/* "1.250 cycles per item: 1048576 items..." */
static void read_measured(struct figures *f, double longest, const char *at)
{
    const char *count = strstr(at, ": ");
    int is_long = count && strtod(count + 2, NULL) == longest;
    double now = strtod(at, NULL), *least = f->cycles[is_long];
    f->in_vain = now < least[LEAST - 1] * FASTER ? 0 : f->in_vain;
    for (int n = 0; n < LEAST; n++)
        if (now < least[n]) {
            double greater = least[n];
            least[n] = now;
            now = greater;
        }
}

/* What is new: it is written before the launch has ended. Measurements count if nobody else ran. */
static void read_log(struct bench *b, int k, double longest, int counts)
{
    char line[1024];
    clearerr(b->log);
    while (fgets(line, sizeof line, b->log)) {
        const char *at = after(line, kernels[k].name, "predicted for ");
        if (at)
            read_prediction(&b->figures[k], at);
        at = after(line, kernels[k].name, "measured ");
        if (at && counts)
            read_measured(&b->figures[k], longest, at);
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

static cl_int launch(struct bench *b, int k, int is_long, int must_be_alone)
{
    const struct started *s = &b->started[k];
    const size_t length = length_of(&kernels[k], is_long), longest = length_of(&kernels[k], 1);
    const size_t global[2] = {length, s->rows}, local[2] = {256, 1};
    int alone = !must_be_alone;
    for (int n = 0; n < MOST_WAITS && !alone; n++)
        alone = sl_bench_is_quiet();
    cl_int error =
        clEnqueueNDRangeKernel(b->queue, s->kernel, 2, NULL, global, local, 0, NULL, NULL);
    error = error ? error : clFinish(b->queue);
    alone = alone && (!must_be_alone || sl_bench_is_quiet());
    read_log(b, k, (double)(longest * s->rows), alone);
    return error;
}

static void forget(struct figures *f)
{
    for (int n = 0; n < 2 * LEAST; n++)
        f->cycles[n % 2][n / 2] = HUGE_VAL;
}

/* How many rows take so long. */
static cl_int choose_rows(struct bench *b, int k)
{
    struct figures *f = &b->figures[k];
    cl_int error = 0;
    forget(f);
    b->started[k].rows = FIRST_ROWS;
    for (int n = 0; n < FIRST_LAUNCHES && !error; n++)
        error = launch(b, k, 1, 0);
    double fit = LAUNCH_CYCLES / (f->cycles[1][0] * (double)length_of(&kernels[k], 1));
    b->started[k].rows = fit < LEAST_ROWS ? LEAST_ROWS : fit > MOST_ROWS ? MOST_ROWS : (size_t)fit;
    forget(f);
    return error;
}

static cl_int start(struct bench *b, int k)
{
    static char source[4096];
    const char *text = source, *type = kernels[k].type;
    struct started *s = &b->started[k];
    cl_int error;
    write_source(&kernels[k], source, sizeof source);
    s->program = clCreateProgramWithSource(b->context, 1, &text, NULL, &error);
    error = clBuildProgram(s->program, 1, &b->device, "", NULL, NULL);
    s->kernel = error ? NULL : clCreateKernel(s->program, kernels[k].name, &error);
    for (int n = 0; n < 3; n++)
        s->arguments[n] = buffer_of(b->context, type, n < 2 ? 0.5 : 1.0);
    s->arguments[3] = buffer_of(b->context, "order", 0);
    for (cl_uint n = 0; n < 4 && !error; n++)
        error = clSetKernelArg(s->kernel, n, sizeof s->arguments[n], &s->arguments[n]);
    return error ? error : choose_rows(b, k);
}

/* Some launches of a kernel whose least is not known yet. */
static cl_int go_on(struct bench *b, int k, int must_be_alone)
{
    struct figures *f = &b->figures[k];
    cl_int error = 0;
    f->in_vain++;
    for (int n = 0; n < 2 * LAUNCHES && !error; n++)
        error = launch(b, k, n % 2, must_be_alone);
    if (f->cycles[0][LEAST - 1] == HUGE_VAL || f->cycles[1][LEAST - 1] == HUGE_VAL)
        f->in_vain = 0;
    return error;
}

static void release(struct started *s)
{
    for (int n = 0; n < 4 && s->program; n++)
        clReleaseMemObject(s->arguments[n]);
    if (s->kernel)
        clReleaseKernel(s->kernel);
    if (s->program)
        clReleaseProgram(s->program);
}

static cl_int run(struct bench *b, const char *only)
{
    cl_int error = 0;
    for (int k = 0; k < COUNT && !error; k++)
        if (!strncmp(kernels[k].name, only, strlen(only)) && (error = start(b, k)))
            printf("%s: error %d\n", kernels[k].name, error);
    time_t start = time(NULL);
    for (int round = 0; round < MOST_ROUNDS && !error; round++) {
        sl_bench_find_quiet();
        for (int k = 0; k < COUNT && !error; k++)
            if (b->started[k].kernel && b->figures[k].in_vain < IN_VAIN)
                error = go_on(b, k, time(NULL) < start + QUIET_SECONDS);
    }
    for (int k = 0; k < COUNT; k++)
        release(&b->started[k]);
    return error;
}

/* ---- the figures ----------------------------------------------------------------------------- */

static double ratio_of(const struct figures *f, double *measured)
{
    const double *few = f->cycles[0], *many = f->cycles[1];
    *measured = (many[LEAST - 1] * LONG - few[LEAST - 1] * SHORT) / (LONG - SHORT);
    return *measured > 0 ? f->predicted / *measured : 0;
}

static int print(const struct bench *b, double least)
{
    int near = 0, known = 0, count = 0;
    double product = 0;
    printf("%-20s %10s %10s %7s\n", "kernel", "predicted", "measured", "ratio");
    for (int k = 0; k < COUNT; k++) {
        const struct figures *f = &b->figures[k];
        double measured, ratio = ratio_of(f, &measured);
        int is_near = fabs(ratio - 1) <= NEAR / 100.0;
        if (!b->started[k].program)
            continue;
        count++;
        near += is_near;
        known += ratio > 0;
        product += ratio > 0 ? fabs(log(ratio)) : 0;
        printf("%-20s %10.3f %10.3f %7.2f%s %s\n", kernels[k].name, f->predicted, measured, ratio,
               is_near ? " " : "!", f->why);
    }
    double share = count ? 100.0 * near / count : 0;
    printf("%d of %d kernels within %d %% (%.0f %%), %d without a prediction; typically off by a "
           "factor of %.2f\n",
           near, count, NEAR, share, count - known, known ? exp(product / known) : 0);
    return share >= least ? 0 : 1;
}

static FILE *set_up(void)
{
    int file = mkstemp(log_path);
    if (file >= 0)
        close(file);
    setenv("SLUICE_LOG", "vectorize:debug", 1);
    setenv("SLUICE_LOG_FILE", log_path, 1);
    setenv("SLUICE_CACHE", "0", 1);
    setenv("SLUICE_BUILD", "whole", 1);
    setenv("SLUICE_NUM_THREADS", "1", 1);
    setenv("SLUICE_DEVICES", "cpu", 1);
    return fopen(log_path, "re");
}

int main(int argc, char **argv)
{
    static struct figures figures[COUNT];
    static struct started started[COUNT];
    struct bench b = {.log = set_up(), .figures = figures, .started = started};
    cl_platform_id platform;
    cl_int error = 0;
    if (!b.log || clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &b.device, NULL))
        return 1;
    b.context = clCreateContext(NULL, 1, &b.device, NULL, NULL, &error);
    b.queue = clCreateCommandQueueWithProperties(b.context, b.device, NULL, &error);
    error = error ? error : run(&b, argc > 2 ? argv[2] : "");
    clReleaseCommandQueue(b.queue);
    clReleaseContext(b.context);
    int rc = error ? 1 : print(&b, argc > 1 ? atof(argv[1]) : 0);
    fclose(b.log);
    unlink(log_path);
    return rc;
}
