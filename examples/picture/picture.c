/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A photograph through OpenCL: grey, Gaussian blur, Sobel edges, histogram equalisation.
 * Each result is compared byte for byte with plain C, and a picture with all steps side by side is
 * written for the user to look at.
 *
 *     picture IN.png OUT.png [PLATFORM]      PLATFORM: part of the platform's name
 *
 * Exit status: 0 all equal, 1 a difference or an OpenCL error, 2 wrong usage.
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "picture_cl.h" /* made from picture.cl: picture_cl_source */
#include "png_file.h"
#include "reference.h"

enum { TILE = 16, RADIUS = 3, BINS = 256 };

struct machine {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

struct step {
    const char *title;
    uint8_t *result, *expected;
    double ms, first_ms;
};

static void check(cl_int rc, const char *what)
{
    if (rc == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed with OpenCL error %d\n", what, rc);
    exit(1);
}

static void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static cl_device_id find_device(const char *wanted)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; i++) {
        char name[256] = "";
        cl_device_id device;
        check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL),
              "clGetPlatformInfo");
        if (strstr(name, wanted) &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    fprintf(stderr, "no platform with \"%s\" in its name has a CPU device\n", wanted);
    exit(1);
}

static void open_machine(struct machine *m, const char *platform)
{
    cl_int rc;
    char name[256] = "", options[64];
    m->device = find_device(platform);
    check(clGetDeviceInfo(m->device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    printf("device     %s\n", name);
    m->context = clCreateContext(NULL, 1, &m->device, NULL, NULL, &rc);
    check(rc, "clCreateContext");
    m->queue = clCreateCommandQueueWithProperties(m->context, m->device, NULL, &rc);
    check(rc, "clCreateCommandQueueWithProperties");
    const char *source = picture_cl_source;
    m->program = clCreateProgramWithSource(m->context, 1, &source, NULL, &rc);
    check(rc, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "-DTILE=%d -DRADIUS=%d", TILE, RADIUS);
    rc = clBuildProgram(m->program, 1, &m->device, options, NULL, NULL);
    if (rc != CL_SUCCESS) {
        char log[8192] = "";
        clGetProgramBuildInfo(m->program, m->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(rc, "clBuildProgram");
}

static cl_mem buffer(struct machine *m, size_t bytes, const void *contents)
{
    cl_int rc;
    cl_mem mem = clCreateBuffer(m->context, contents ? CL_MEM_COPY_HOST_PTR : 0, bytes,
                                (void *)contents, &rc);
    check(rc, "clCreateBuffer");
    return mem;
}

struct arg {
    size_t size;
    const void *value;
};

/* Enqueues one kernel; waits for it. */
static void run(struct machine *m, const char *name, cl_uint dims, const size_t *global,
                const size_t *local, const struct arg *args, cl_uint arg_count)
{
    cl_int rc;
    cl_kernel kernel = clCreateKernel(m->program, name, &rc);
    check(rc, name);
    for (cl_uint i = 0; i < arg_count; i++)
        check(clSetKernelArg(kernel, i, args[i].size, args[i].value), name);
    check(clEnqueueNDRangeKernel(m->queue, kernel, dims, NULL, global, local, 0, NULL, NULL), name);
    check(clFinish(m->queue), name);
    clReleaseKernel(kernel);
}

#define ARG(variable) {sizeof(variable), &(variable)}
#define LOCAL(bytes) {(bytes), NULL}

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void fetch(struct machine *m, cl_mem mem, struct step *step, size_t bytes)
{
    step->result = must(malloc(bytes));
    check(clEnqueueReadBuffer(m->queue, mem, CL_TRUE, 0, bytes, step->result, 0, NULL, NULL),
          "clEnqueueReadBuffer");
}

/* grey -> blur -> sobel, and grey -> equalise */
static void run_opencl(struct machine *m, const uint8_t *rgb, cl_int width, cl_int height,
                       struct step step[4])
{
    const size_t count = (size_t)width * (size_t)height;
    const cl_uint pixels = (cl_uint)count;
    const size_t whole[2] = {round_up((size_t)width, TILE), round_up((size_t)height, TILE)};
    const size_t tile[2] = {TILE, TILE}, side = TILE + 2 * RADIUS;
    cl_mem in = buffer(m, 3 * count, rgb), grey = buffer(m, count, NULL);
    cl_mem blur = buffer(m, count, NULL), sobel = buffer(m, count, NULL);
    cl_mem bins = buffer(m, BINS * sizeof(cl_uint), NULL), table = buffer(m, BINS, NULL);
    cl_mem equal = buffer(m, count, NULL);

    double t = now_ms();
    run(m, "grey", 2, whole, NULL, (struct arg[]){ARG(in), ARG(grey), ARG(width), ARG(height)}, 4);
    step[0].ms = now_ms() - t;
    t = now_ms();
    run(m, "blur", 2, whole, tile,
        (struct arg[]){ARG(grey), ARG(blur), ARG(width), ARG(height), LOCAL(side * side),
                       LOCAL(side * TILE * sizeof(cl_ushort))},
        6);
    step[1].ms = now_ms() - t;
    t = now_ms();
    run(m, "sobel", 2, whole, NULL, (struct arg[]){ARG(blur), ARG(sobel), ARG(width), ARG(height)},
        4);
    step[2].ms = now_ms() - t;
    t = now_ms();
    const cl_uint zero = 0;
    check(clEnqueueFillBuffer(m->queue, bins, &zero, sizeof zero, 0, BINS * sizeof zero, 0, NULL,
                              NULL),
          "clEnqueueFillBuffer");
    run(m, "histogram", 1, (size_t[]){4096}, (size_t[]){256},
        (struct arg[]){ARG(grey), ARG(pixels), ARG(bins), LOCAL(BINS * sizeof(cl_uint))}, 4);
    run(m, "equalise_table", 1, (size_t[]){BINS}, (size_t[]){BINS},
        (struct arg[]){ARG(bins), ARG(pixels), ARG(table), LOCAL(BINS * sizeof(cl_uint))}, 4);
    run(m, "apply_table", 1, (size_t[]){round_up(count, 64)}, NULL,
        (struct arg[]){ARG(grey), ARG(table), ARG(equal), ARG(pixels)}, 4);
    step[3].ms = now_ms() - t;

    cl_mem results[4] = {grey, blur, sobel, equal},
           all[] = {in, grey, blur, sobel, bins, table, equal};
    for (int i = 0; i < 4; i++)
        fetch(m, results[i], &step[i], count);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        clReleaseMemObject(all[i]);
}

static void run_reference(const uint8_t *rgb, int width, int height, struct step step[4])
{
    for (int i = 0; i < 4; i++)
        step[i].expected = must(malloc((size_t)width * (size_t)height));
    reference_grey(rgb, step[0].expected, width, height);
    reference_blur(step[0].expected, step[1].expected, width, height);
    reference_sobel(step[1].expected, step[2].expected, width, height);
    reference_equalise(step[0].expected, step[3].expected, width, height);
}

static int compare(const struct step *step, int width, int height)
{
    long different = 0, first = -1;
    for (long i = 0; i < (long)width * height; i++)
        if (step->result[i] != step->expected[i] && different++ == 0)
            first = i;
    if (different)
        printf("%-10s %ld bytes differ from plain C, the first at x=%ld y=%ld: %d, expected %d\n",
               step->title, different, first % width, first / width, step->result[first],
               step->expected[first]);
    else
        printf("%-10s %7.2f ms (the first time %.2f), equal to plain C in all %ld bytes\n",
               step->title, step->ms, step->first_ms, (long)width * height);
    return different != 0;
}

/* The photograph, then the four steps, from left to right with a white gap. */
static int write_side_by_side(const char *path, const uint8_t *rgb, int width, int height,
                              const struct step step[4])
{
    enum { GAP = 8, PANES = 5 };
    const size_t row = (size_t)(PANES * width + (PANES - 1) * GAP) * 3;
    uint8_t *sheet = must(malloc(row * (size_t)height));
    memset(sheet, 255, row * (size_t)height);
    for (int y = 0; y < height; y++) {
        uint8_t *out = sheet + row * (size_t)y;
        memcpy(out, rgb + (size_t)y * (size_t)width * 3, (size_t)width * 3);
        for (int pane = 0; pane < 4; pane++) {
            out += (width + GAP) * 3;
            for (int x = 0; x < width; x++)
                memset(out + 3 * x, step[pane].result[(size_t)y * (size_t)width + (size_t)x], 3);
        }
    }
    int rc = png_file_write(path, sheet, PANES * width + (PANES - 1) * GAP, height);
    free(sheet);
    return rc;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: picture IN.png OUT.png [PLATFORM]\n");
        return 2;
    }
    int width, height, failed = 0;
    uint8_t *rgb = png_file_read(argv[1], &width, &height);
    if (!rgb)
        return 1;
    printf("picture    %s, %d x %d\n", argv[1], width, height);
    struct machine m;
    struct step step[4] = {
        {.title = "grey"}, {.title = "blur"}, {.title = "sobel"}, {.title = "equalise"}};
    open_machine(&m, argc > 3 ? argv[3] : "Sluice");
    run_opencl(&m, rgb, width, height, step);
    for (int i = 0; i < 4; i++) { /* kernels get their best code when they are first launched */
        step[i].first_ms = step[i].ms;
        free(step[i].result);
    }
    run_opencl(&m, rgb, width, height, step);
    run_reference(rgb, width, height, step);
    for (int i = 0; i < 4; i++)
        failed |= compare(&step[i], width, height);
    if (write_side_by_side(argv[2], rgb, width, height, step))
        failed = 1;
    else
        printf("written    %s\n", argv[2]);
    for (int i = 0; i < 4; i++) {
        free(step[i].result);
        free(step[i].expected);
    }
    free(rgb);
    clReleaseProgram(m.program);
    clReleaseCommandQueue(m.queue);
    clReleaseContext(m.context);
    return failed;
}
