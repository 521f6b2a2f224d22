/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles per work-item that the compiler predicts for the kernels of kernels.def, and those that
 * they take, one thread's. Both are read from the driver's log. Prints a row for each kernel, and
 * how many predictions are within 25 % of what was measured; with an argument, percent, fewer is an
 * error. Other work on the machine makes measurements larger: the least of some launches counts.
 */
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows of two lengths, of which both fit into the nearest cache (half as long where elements have
 * 64 bits): what the longer ones take more is what items take, without what each row does. */
enum { SHORT = 1024, ITEMS = 2048, ROWS = 512, LAUNCHES = 12, NEAR = 25 };

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
    double cycles[2]; /* least measured, of launches with short and long rows; 0: none */
    char why[160];
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

static cl_mem buffer_of(cl_context context, const char *type, double from)
{
    static cl_long data[ITEMS];
    cl_int order[ITEMS], error;
    for (int k = 0; k < ITEMS; k++)
        order[k] = (k * 377 + 5) % ITEMS;
    for (int k = 0; k < ITEMS; k++)
        set(data, type, k, from + (double)(k * 7919 % ITEMS) / ITEMS);
    int numbers = !strcmp(type, "order");
    return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
                          numbers ? sizeof order : ITEMS * size_of(type),
                          numbers ? order : (void *)data, &error);
}

static int run(cl_context context, cl_device_id device, cl_command_queue queue,
               const struct kernel *k)
{
    static char source[4096];
    const char *text = source;
    cl_int error;
    write_source(k, source, sizeof source);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    error = clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = error ? NULL : clCreateKernel(program, k->name, &error);
    cl_mem arguments[4] = {buffer_of(context, k->type, 0.5), buffer_of(context, k->type, 0.5),
                           buffer_of(context, k->type, 1.0), buffer_of(context, "order", 0)};
    for (cl_uint n = 0; n < 4 && !error; n++)
        error = clSetKernelArg(kernel, n, sizeof arguments[n], &arguments[n]);
    for (int n = 0; n < 2 * LAUNCHES && !error; n++) {
        const size_t length = (n % 2 ? ITEMS : SHORT) / (size_of(k->type) / 4);
        const size_t global[2] = {length, ROWS}, local[2] = {256, 1};
        error = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
        if (!error)
            error = clFinish(queue);
    }
    for (int n = 0; n < 4; n++)
        clReleaseMemObject(arguments[n]);
    if (kernel)
        clReleaseKernel(kernel);
    clReleaseProgram(program);
    return error;
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

/* In a launch with long rows. */
static double items_of(const struct kernel *k)
{
    return (double)ITEMS * ROWS / ((double)size_of(k->type) / 4);
}

/* "1.250 cycles per item: 1048576 items..." */
static void read_measured(struct figures *f, double most, const char *at)
{
    const char *count = strstr(at, ": ");
    double items = count ? strtod(count + 2, NULL) : 0;
    double *cycles = &f->cycles[items == most];
    double now = strtod(at, NULL) * items;
    *cycles = *cycles && *cycles < now ? *cycles : now;
}

static void read_line(const char *line, struct figures *figures)
{
    for (int k = 0; k < COUNT; k++) {
        const char *at = after(line, kernels[k].name, "predicted for ");
        if (at)
            read_prediction(&figures[k], at);
        at = after(line, kernels[k].name, "measured ");
        if (at)
            read_measured(&figures[k], items_of(&kernels[k]), at);
    }
}

static int read_log(struct figures *figures)
{
    char line[1024];
    FILE *file = fopen(log_path, "re");
    while (file && fgets(line, sizeof line, file))
        read_line(line, figures);
    if (file)
        fclose(file);
    return file ? 0 : -1;
}

static double ratio_of(const struct figures *f, double most, double *measured)
{
    *measured = (f->cycles[1] - f->cycles[0]) / (most * (ITEMS - SHORT) / ITEMS);
    return *measured > 0 ? f->predicted / *measured : 0;
}

static int print(const struct figures *figures, double least)
{
    int near = 0, known = 0;
    double product = 0;
    printf("%-20s %10s %10s %7s\n", "kernel", "predicted", "measured", "ratio");
    for (int k = 0; k < COUNT; k++) {
        const struct figures *f = &figures[k];
        double measured, ratio = ratio_of(f, items_of(&kernels[k]), &measured);
        int is_near = fabs(ratio - 1) <= NEAR / 100.0;
        near += is_near;
        known += ratio > 0;
        product += ratio > 0 ? fabs(log(ratio)) : 0;
        printf("%-20s %10.3f %10.3f %7.2f%s %s\n", kernels[k].name, f->predicted, measured, ratio,
               is_near ? " " : "!", f->why);
    }
    double share = 100.0 * near / COUNT;
    printf("%d of %d kernels within %d %% (%.0f %%), %d without a prediction; typically off by a "
           "factor of %.2f\n",
           near, COUNT, NEAR, share, COUNT - known, known ? exp(product / known) : 0);
    return share >= least ? 0 : 1;
}

static void set_up(void)
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
}

int main(int argc, char **argv)
{
    static struct figures figures[COUNT];
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = 0;
    set_up();
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL))
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    for (int k = 0; k < COUNT && !error; k++) {
        error = run(context, device, queue, &kernels[k]);
        if (error)
            printf("%s: error %d\n", kernels[k].name, error);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    int rc = error || read_log(figures) ? 1 : print(figures, argc > 1 ? atof(argv[1]) : 0);
    unlink(log_path);
    return rc;
}
