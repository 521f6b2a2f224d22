/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What blocking transfers of 4 B to 256 MiB cost beside the C library's memcpy in the same process,
 * taken in turns. Through the loader, so it also runs against other vendors' libraries. Up to a
 * cache's size memcpy runs on one thread; above, on as many as the device has units, each its part.
 * Not a test: prints the least of some samples in microseconds.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 256 << 20, MOST_THREADS = 64, SPLIT_FROM = 4 << 20, WARM_BYTES = 1 << 20 };

static cl_command_queue queue;
static cl_mem one, two;
static unsigned char *host, *other;
static cl_uint units;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void must(cl_int rc, const char *what)
{
    if (rc) {
        fprintf(stderr, "%s: %d\n", what, rc);
        exit(1);
    }
}

/* ---- what is timed --------------------------------------------------------------------------- */

static void *(*volatile plain_copy)(void *, const void *, size_t) = memcpy;

static void use_memcpy(size_t bytes)
{
    plain_copy(other, host, bytes);
}

struct part {
    pthread_t thread;
    size_t at, bytes;
};

static void *copy_part(void *data)
{
    const struct part *part = data;
    plain_copy(other + part->at, host + part->at, part->bytes);
    return NULL;
}

static void use_threads(size_t bytes)
{
    struct part parts[MOST_THREADS];
    cl_uint count = units < MOST_THREADS ? units : MOST_THREADS;
    for (cl_uint i = 0; i < count; i++) {
        size_t from = bytes / count * i;
        parts[i].at = from;
        parts[i].bytes = i + 1 < count ? bytes / count : bytes - from;
        if (i && pthread_create(&parts[i].thread, NULL, copy_part, &parts[i]))
            exit(1);
    }
    copy_part(&parts[0]);
    for (cl_uint i = 1; i < count; i++)
        pthread_join(parts[i].thread, NULL);
}

static void use_write(size_t bytes)
{
    must(clEnqueueWriteBuffer(queue, one, CL_TRUE, 0, bytes, host, 0, NULL, NULL), "write");
}

static void use_read(size_t bytes)
{
    must(clEnqueueReadBuffer(queue, one, CL_TRUE, 0, bytes, other, 0, NULL, NULL), "read");
}

static void use_copy(size_t bytes)
{
    must(clEnqueueCopyBuffer(queue, one, two, 0, 0, bytes, 0, NULL, NULL), "copy");
    must(clFinish(queue), "finish");
}

static const struct row {
    const char *name;
    void (*run)(size_t bytes);
} rows[] = {{"memcpy", use_memcpy},
            {"memcpy in parts", use_threads},
            {"write", use_write},
            {"read", use_read},
            {"copy", use_copy}};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- timing ---------------------------------------------------------------------------------- */

/* Several at a time, so that the clock's own price does not count. */
static double sample(const struct row *row, size_t bytes, int times)
{
    if (bytes <= WARM_BYTES)
        row->run(bytes); /* none shall find the caches warmer than another */
    double from = now_us();
    for (int i = 0; i < times; i++)
        row->run(bytes);
    return (now_us() - from) / times;
}

static void measure(size_t bytes)
{
    double best[ROWS];
    int times = bytes < 1 << 20 ? 1 + (1 << 16) / (int)(bytes + 1024) : 1;
    int turns = bytes < 1 << 20 ? 1000 : bytes < 32 << 20 ? 60 : 8;
    for (int i = 0; i < ROWS; i++)
        best[i] = 1e30;
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < ROWS; i++) {
            if (rows[i].run == use_threads && bytes < SPLIT_FROM)
                continue;
            double us = sample(&rows[i], bytes, times);
            best[i] = us < best[i] ? us : best[i];
        }
    if (bytes < SPLIT_FROM)
        best[1] = best[0];
    printf("%10zu", bytes);
    for (int i = 0; i < ROWS; i++)
        printf(" %11.3f", best[i]);
    double reference = best[0] < best[1] ? best[0] : best[1];
    printf("   rate/memcpy %.2f %.2f %.2f\n", reference / best[2], reference / best[3],
           reference / best[4]);
    fflush(stdout);
}

static void open_device(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int rc;
    char name[128];
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    must(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "name");
    must(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "units");
    printf("%s, %u units\n", name, units);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    must(rc, "context");
    queue = clCreateCommandQueue(context, device, 0, &rc);
    must(rc, "queue");
    one = clCreateBuffer(context, CL_MEM_READ_WRITE, LARGEST, NULL, &rc);
    must(rc, "buffer");
    two = clCreateBuffer(context, CL_MEM_READ_WRITE, LARGEST, NULL, &rc);
    must(rc, "buffer");
    clReleaseContext(context);
}

int main(void)
{
    host = aligned_alloc(4096, LARGEST);
    other = aligned_alloc(4096, LARGEST);
    if (!host || !other)
        return 1;
    memset(host, 1, LARGEST);
    memset(other, 2, LARGEST);
    open_device();
    use_write(LARGEST);
    use_copy(LARGEST);
    printf("%10s", "bytes");
    for (int i = 0; i < ROWS; i++)
        printf(" %11.11s", rows[i].name);
    printf("\n");
    for (size_t bytes = 4; bytes <= LARGEST; bytes *= 4)
        measure(bytes);
    clReleaseMemObject(one);
    clReleaseMemObject(two);
    clReleaseCommandQueue(queue);
    free(host);
    free(other);
    return 0;
}
