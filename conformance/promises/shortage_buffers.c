/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers, parts of them, maps, events with callbacks; images. */
#include "shortage_life.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { COUNT = 1003, WIDE = 21, HIGH = 13, WAIT_STEPS = 2000, STEP_US = 1000 };

static cl_int data[COUNT], back[COUNT];
static atomic_int calls;

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *unused)
{
    (void)event, (void)status, (void)unused;
    atomic_fetch_add(&calls, 1);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static cl_int scaled(int i)
{
    return (i * 7 - 100) * 3 + i;
}

/* A write that waits for the gate, a kernel, a read, each behind the one before. */
static void chain(const struct client *client, cl_kernel kernel, cl_mem buffer, cl_event gate)
{
    const size_t global = COUNT;
    cl_event events[3] = {NULL};
    bool told = false, all;
    all = TRY(clEnqueueWriteBuffer(client->loose, buffer, CL_FALSE, 0, sizeof data, data, 1, &gate,
                                   &events[0])) &&
          TRY(clEnqueueNDRangeKernel(client->loose, kernel, 1, NULL, &global, NULL, 1, &events[0],
                                     &events[1])) &&
          TRY(clEnqueueReadBuffer(client->loose, buffer, CL_FALSE, 0, sizeof back, back, 1,
                                  &events[1], &events[2]));
    atomic_store(&calls, 0);
    if (all)
        told = TRY(clSetEventCallback(events[2], CL_COMPLETE, on_event, NULL));
    SURE(clSetUserEventStatus(gate, CL_COMPLETE));
    TRY(clFlush(client->loose));
    if (life_ended(events, 3) && all)
        life_compare("behind a gate", back, COUNT, scaled);
    for (int i = 0; told && !atomic_load(&calls) && i < WAIT_STEPS; i++)
        usleep(STEP_US);
    if (told && atomic_load(&calls) != 1)
        exhaust_judge_blame("the end of a command was told %d times", atomic_load(&calls));
}

static cl_int mapped(int i)
{
    return i < 64 ? 1000 + i : 0;
}

/* In a part of a buffer, by way of a map; what nobody wrote is zero. */
static void parts(const struct client *client)
{
    const cl_buffer_region region = {0, 64 * sizeof(cl_int)};
    void *made_of;
    cl_int rc;
    cl_mem whole = life_buffer(client, 0, sizeof back, NULL);
    cl_mem part =
        whole ? MAKE(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc))
              : NULL;
    cl_int *at = part ? MAKE(clEnqueueMapBuffer(client->queue, part, CL_TRUE, CL_MAP_WRITE, 0,
                                                region.size, 0, NULL, NULL, &rc))
                      : NULL;
    for (int i = 0; at && i < 64; i++)
        at[i] = mapped(i);
    if (at && TRY(clEnqueueUnmapMemObject(client->queue, part, at, 0, NULL, NULL)) &&
        TRY(clEnqueueReadBuffer(client->queue, whole, CL_TRUE, 0, sizeof back, back, 0, NULL,
                                NULL)))
        life_compare("through a map", back, COUNT, mapped);
    life_drop(NULL, NULL, part, whole);
}

/* Without an event: what a call that waits answers is all that the program knows. */
static void plainly(const struct client *client, cl_kernel kernel, cl_mem buffer)
{
    const size_t global = COUNT;
    if (TRY(clEnqueueWriteBuffer(client->queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL,
                                 NULL)) &&
        TRY(clEnqueueNDRangeKernel(client->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL)) &&
        TRY(clFinish(client->queue)) &&
        TRY(clEnqueueReadBuffer(client->queue, buffer, CL_TRUE, 0, sizeof back, back, 0, NULL,
                                NULL)))
        life_compare("without events", back, COUNT, scaled);
}

void life_of_buffers(const struct client *client)
{
    static const char source[] = "kernel void scale(global int *a, int by, local int *box) {\n"
                                 "    int i = get_global_id(0), l = get_local_id(0);\n"
                                 "    box[l] = a[i] * by; barrier(CLK_LOCAL_MEM_FENCE);\n"
                                 "    a[i] = box[l] + i; }\n";
    const cl_int three = 3;
    void *made_of;
    cl_int rc;
    for (int i = 0; i < COUNT; i++)
        data[i] = i * 7 - 100;
    cl_program program = life_build(client, source, "-DUNUSED=1");
    cl_kernel kernel = life_kernel(program, "scale");
    cl_mem buffer = life_buffer(client, CL_MEM_COPY_HOST_PTR, sizeof data, data);
    if (kernel && buffer && TRY(clSetKernelArg(kernel, 0, sizeof buffer, &buffer)) &&
        TRY(clSetKernelArg(kernel, 1, sizeof three, &three)) &&
        TRY(clSetKernelArg(kernel, 2, 4096 * sizeof(cl_int), NULL))) {
        cl_event gate = MAKE(clCreateUserEvent(client->context, &rc));
        if (gate) {
            chain(client, kernel, buffer, gate);
            SURE(clReleaseEvent(gate));
        }
        plainly(client, kernel, buffer);
    }
    parts(client);
    life_drop(program, kernel, buffer, NULL);
}

/* ---- images ---------------------------------------------------------------------------------- */

static cl_mem new_image(const struct client *client)
{
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDE, .image_height = HIGH};
    void *made_of;
    cl_int rc;
    return MAKE(clCreateImage(client->context, 0, &format, &desc, NULL, &rc));
}

/* Each point is the sum of itself and its neighbour to the right, the last one's being zero. */
static cl_int summed(int i)
{
    return data[i] + (i % WIDE + 1 < WIDE ? data[i + 1] : 0);
}

static void filter(const struct client *client, cl_kernel kernel, cl_mem from, cl_mem to)
{
    static const size_t origin[3], region[3] = {WIDE, HIGH, 1};
    cl_event events[3] = {NULL};
    bool all = TRY(clEnqueueWriteImage(client->queue, from, CL_FALSE, origin, region, 0, 0, data, 0,
                                       NULL, &events[0])) &&
               TRY(clEnqueueNDRangeKernel(client->queue, kernel, 2, NULL, region, NULL, 0, NULL,
                                          &events[1])) &&
               TRY(clEnqueueReadImage(client->queue, to, CL_TRUE, origin, region, 0, 0, back, 0,
                                      NULL, &events[2]));
    if (life_ended(events, 3) && all)
        life_compare("an image", back, WIDE * HIGH, summed);
}

void life_of_images(const struct client *client)
{
    static const char source[] =
        "kernel void sum(read_only image2d_t a, sampler_t s, write_only image2d_t b) {\n"
        "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "    write_imagei(b, at, read_imagei(a, s, at) + read_imagei(a, s, at + (int2)(1, 0))); "
        "}\n";
    void *made_of;
    cl_int rc;
    for (int i = 0; i < WIDE * HIGH; i++)
        data[i] = i * i - 50;
    cl_program program = life_build(client, source, "");
    cl_kernel kernel = life_kernel(program, "sum");
    cl_mem from = new_image(client), to = new_image(client);
    cl_sampler sampler =
        MAKE(clCreateSampler(client->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc));
    if (kernel && from && to && sampler && TRY(clSetKernelArg(kernel, 0, sizeof from, &from)) &&
        TRY(clSetKernelArg(kernel, 1, sizeof sampler, &sampler)) &&
        TRY(clSetKernelArg(kernel, 2, sizeof to, &to)))
        filter(client, kernel, from, to);
    if (sampler)
        SURE(clReleaseSampler(sampler));
    life_drop(program, kernel, from, to);
}
