/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ten threads create, enqueue, wait and release at random: queues, programs and events that they
 * share and replace under each other, buffers of their own whose contents each knows. What is read
 * is right, each callback comes, and when all is released the context goes.
 */
#include "commands/command_buffer_help.h"
#include "random_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 10 };

static double until;
static size_t alignment; /* of sub-buffers, numbers */
static int has_images, has_svm, has_parts;

/* ---- commands on buffers whose contents are known -------------------------------------------- */

struct range {
    size_t from, count; /* numbers; at least one */
};

static struct range draw_range(struct actor *a)
{
    const size_t from = draw(a, NUMBERS);
    return (struct range){from, 1 + draw(a, NUMBERS - (unsigned)from)};
}

static void write_numbers(struct actor *a)
{
    const struct range r = draw_range(a);
    const unsigned b = draw(a, BUFFERS);
    cl_uint *data = malloc(r.count * sizeof *data);
    struct step step;
    if (!CHECK(data))
        return;
    for (size_t i = 0; i < r.count; i++)
        a->models[b][r.from + i] = data[i] = draw(a, 1u << 31);
    begin(a, &step);
    if (CHECK_OK(clEnqueueWriteBuffer(step.queue, a->buffers[b], CL_FALSE, 4 * r.from, 4 * r.count,
                                      data, WAITS(step))))
        free_after(step.event, data);
    end(a, &step);
}

static void launch(struct actor *a)
{
    const struct range r = draw_range(a);
    const unsigned b = draw(a, BUFFERS);
    const cl_uint from = (cl_uint)r.from, y = draw(a, 1000);
    cl_program program = lend(a, PROGRAMS);
    cl_int rc;
    cl_kernel kernel = clCreateKernel(program, "triple", &rc);
    struct step step;
    give_back(PROGRAMS, program);
    if (!CHECK_OK(rc))
        return;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &a->buffers[b]));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof from, &from));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof y, &y));
    begin(a, &step);
    CHECK_OK(clEnqueueNDRangeKernel(step.queue, kernel, 1, NULL, &r.count, NULL, WAITS(step)));
    end(a, &step);
    CHECK_OK(clReleaseKernel(kernel));
    for (size_t i = r.from; i < r.from + r.count; i++)
        a->models[b][i] = a->models[b][i] * 3 + y;
}

static void fill(struct actor *a)
{
    const struct range r = draw_range(a);
    const unsigned b = draw(a, BUFFERS);
    const cl_uint value = draw(a, 1000);
    struct step step;
    begin(a, &step);
    CHECK_OK(clEnqueueFillBuffer(step.queue, a->buffers[b], &value, sizeof value, 4 * r.from,
                                 4 * r.count, WAITS(step)));
    end(a, &step);
    for (size_t i = 0; i < r.count; i++)
        a->models[b][r.from + i] = value;
}

static void copy(struct actor *a)
{
    const struct range r = draw_range(a);
    const unsigned b = draw(a, BUFFERS);
    const size_t to = draw(a, NUMBERS - (unsigned)r.count + 1);
    struct step step;
    begin(a, &step);
    CHECK_OK(clEnqueueCopyBuffer(step.queue, a->buffers[b], a->buffers[!b], 4 * r.from, 4 * to,
                                 4 * r.count, WAITS(step)));
    end(a, &step);
    memcpy(&a->models[!b][to], &a->models[b][r.from], 4 * r.count);
}

/* Through a part that is released before the command has run. */
static void fill_part(struct actor *a)
{
    const unsigned b = draw(a, BUFFERS);
    const size_t from = draw(a, (unsigned)(NUMBERS / alignment)) * alignment;
    const size_t count = 1 + draw(a, NUMBERS - (unsigned)from);
    const cl_buffer_region region = {4 * from, 4 * count};
    const cl_uint value = draw(a, 1000);
    cl_int rc;
    cl_mem part = clCreateSubBuffer(a->buffers[b], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    struct step step;
    if (!CHECK_OK(rc))
        return;
    begin(a, &step);
    CHECK_OK(
        clEnqueueFillBuffer(step.queue, part, &value, sizeof value, 0, 4 * count, WAITS(step)));
    end(a, &step);
    RELEASE_MEM(part);
    for (size_t i = from; i < from + count; i++)
        a->models[b][i] = value;
}

static void compare(const struct actor *a, unsigned b, struct range r, const cl_uint *got)
{
    for (size_t i = 0; i < r.count; i++)
        if (got[i] != a->models[b][r.from + i]) {
            check_equal(__FILE__, __LINE__, "number", got[i], a->models[b][r.from + i]);
            return;
        }
}

static void read_numbers(struct actor *a)
{
    const struct range r = draw_range(a);
    const unsigned b = draw(a, BUFFERS);
    cl_uint data[NUMBERS];
    struct step step;
    open_gate(a);
    begin(a, &step);
    if (CHECK_OK(clEnqueueReadBuffer(step.queue, a->buffers[b], CL_TRUE, 4 * r.from, 4 * r.count,
                                     data, WAITS(step))))
        compare(a, b, r, data);
    end(a, &step);
}

static void map(struct actor *a)
{
    const struct range r = draw_range(a);
    const unsigned b = draw(a, BUFFERS);
    cl_int rc;
    struct step step;
    open_gate(a);
    begin(a, &step);
    cl_uint *at = clEnqueueMapBuffer(step.queue, a->buffers[b], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                     4 * r.from, 4 * r.count, WAITS(step), &rc);
    end(a, &step);
    if (!CHECK_OK(rc))
        return;
    compare(a, b, r, at);
    at[draw(a, (unsigned)r.count)] += 5;
    memcpy(&a->models[b][r.from], at, 4 * r.count);
    begin(a, &step);
    CHECK_OK(clEnqueueUnmapMemObject(step.queue, a->buffers[b], at, WAITS(step)));
    end(a, &step);
}

/* Two launches and a fill, recorded, replayed, and released before they have run. */
static void record(struct actor *a)
{
    const unsigned b = draw(a, BUFFERS);
    const cl_uint from = draw(a, NUMBERS - 1), y = draw(a, 1000), value = draw(a, 1000);
    const size_t count = NUMBERS - from;
    cl_sync_point_khr points[2];
    cl_int rc, rc2;
    if (!cb.create)
        return;
    cl_program program = lend(a, PROGRAMS);
    cl_kernel kernel = clCreateKernel(program, "triple", &rc);
    struct step step;
    begin(a, &step);
    cl_command_buffer_khr buffer = cb.create(1, &step.queue, NULL, &rc2);
    if (CHECK_OK(rc) && CHECK_OK(rc2)) {
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &a->buffers[b]));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof from, &from));
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof y, &y));
        CHECK_OK(cb.fill(buffer, NULL, NULL, a->buffers[b], &value, sizeof value, 4 * from, 4, 0,
                         NULL, &points[0], NULL));
        CHECK_OK(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &count, NULL, 1, points, &points[1],
                           NULL));
        CHECK_OK(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &count, NULL, 1, points + 1, NULL,
                           NULL));
        CHECK_OK(cb.finalize(buffer));
        CHECK_OK(cb.enqueue(0, NULL, buffer, WAITS(step)));
        CHECK_OK(cb.release(buffer));
        CHECK_OK(clReleaseKernel(kernel));
        a->models[b][from] = value;
        for (size_t i = from; i < NUMBERS; i++)
            a->models[b][i] = (a->models[b][i] * 3 + y) * 3 + y;
    }
    end(a, &step);
    give_back(PROGRAMS, program);
}

/* ---- objects that come and go ---------------------------------------------------------------- */

static void change_queue(struct actor *a)
{
    cl_command_queue queue = new_shared_queue(a);
    if (queue)
        replace(a, QUEUES, queue);
}

static void change_program(struct actor *a)
{
    open_gate(a);
    cl_program program = new_shared_program(draw(a, 10));
    if (program)
        replace(a, PROGRAMS, program);
}

static void show_event(struct actor *a)
{
    if (!a->last)
        return;
    hold(EVENTS, a->last);
    replace(a, EVENTS, a->last);
}

static void look_at_event(struct actor *a)
{
    cl_event event = lend(a, EVENTS);
    cl_int status;
    cl_ulong queued;
    if (!event)
        return;
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status >= CL_COMPLETE && status <= CL_QUEUED);
    const cl_int rc =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL);
    CHECK(rc == CL_SUCCESS || rc == CL_PROFILING_INFO_NOT_AVAILABLE);
    expect_callback(event);
    give_back(EVENTS, event);
}

static void close_gate(struct actor *a)
{
    cl_int rc;
    if (a->gate)
        return;
    a->gate = clCreateUserEvent(shared_context, &rc);
    CHECK_OK(rc);
}

static void wait(struct actor *a)
{
    open_gate(a);
    if (a->last && draw(a, 2)) {
        CHECK_OK(clWaitForEvents(1, &a->last));
        return;
    }
    cl_command_queue queue = lend(a, QUEUES);
    CHECK_OK(clFinish(queue));
    give_back(QUEUES, queue);
}

static void barrier(struct actor *a)
{
    struct step step;
    begin(a, &step);
    if (draw(a, 2))
        CHECK_OK(clEnqueueBarrierWithWaitList(step.queue, WAITS(step)));
    else
        CHECK_OK(clEnqueueMarkerWithWaitList(step.queue, WAITS(step)));
    end(a, &step);
}

static void picture(struct actor *a)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = 5 + draw(a, 20),
                                .image_height = 3 + draw(a, 20)};
    const size_t origin[3] = {0}, region[3] = {desc.image_width, desc.image_height, 1};
    const cl_uint color[4] = {draw(a, 256), draw(a, 256), 7, 9};
    unsigned char got[25 * 25 * 4] = {0};
    cl_int rc;
    struct step step;
    if (!has_images)
        return;
    open_gate(a);
    cl_mem image = clCreateImage(shared_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &rc);
    if (!CHECK_OK(rc))
        return;
    begin(a, &step);
    CHECK_OK(clEnqueueFillImage(step.queue, image, color, origin, region, WAITS(step)));
    end(a, &step);
    begin(a, &step);
    CHECK_OK(
        clEnqueueReadImage(step.queue, image, CL_TRUE, origin, region, 0, 0, got, WAITS(step)));
    end(a, &step);
    for (size_t i = 0; i < 4 * region[0] * region[1]; i++)
        if (!CHECK_EQ(got[i], color[i % 4]))
            break;
    RELEASE_MEM(image);
}

static void shared_memory(struct actor *a)
{
    const cl_uint value = draw(a, 1000);
    struct step step;
    if (!has_svm)
        return;
    open_gate(a);
    cl_uint *at =
        clSVMAlloc(shared_context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 400, 0);
    if (!CHECK(at))
        return;
    begin(a, &step);
    CHECK_OK(clEnqueueSVMMemFill(step.queue, at, &value, sizeof value, 400, WAITS(step)));
    end(a, &step);
    CHECK_OK(clWaitForEvents(1, &a->last));
    CHECK_EQ(at[0], value);
    CHECK_EQ(at[99], value);
    if (draw(a, 2)) {
        clSVMFree(shared_context, at);
        return;
    }
    begin(a, &step);
    void *list[] = {at};
    CHECK_OK(clEnqueueSVMFree(step.queue, 1, list, NULL, NULL, WAITS(step)));
    end(a, &step);
}

/* A command whose event never comes well, on a queue of its own. */
static void fail(struct actor *a)
{
    const cl_int reason = -1 - (cl_int)draw(a, 50);
    const cl_uint zero = 0;
    cl_int rc, rc2, status;
    cl_event event = NULL;
    open_gate(a);
    cl_command_queue queue = clCreateCommandQueue(shared_context, cl.device, 0, &rc);
    cl_event trigger = clCreateUserEvent(shared_context, &rc2);
    cl_mem buffer = clCreateBuffer(shared_context, 0, 64, NULL, ERR);
    if (!CHECK_OK(rc) || !CHECK_OK(rc2) || !CHECK(buffer))
        return;
    CHECK_OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 64, 1, &trigger, &event));
    FAILS(CL_INVALID_VALUE,
          clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 4, 64, 1, &trigger, &event));
    CHECK_OK(clSetUserEventStatus(trigger, reason));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status < 0);
    give_back(EVENTS, trigger);
    give_back(EVENTS, event);
    RELEASE_MEM(buffer);
    RELEASE_QUEUE(queue);
}

/* Everything a thread can own, the context first to go; on a part of the device where it has any.
 */
static void whole_life(struct actor *a)
{
    const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                      CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    const cl_uint value = draw(a, 1000);
    cl_uint got = value + 1;
    cl_device_id device = cl.device;
    cl_int rc, rc2, rc3;
    open_gate(a);
    if (has_parts && draw(a, 2) &&
        !CHECK_OK(clCreateSubDevices(cl.device, by_counts, 1, &device, NULL)))
        return;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &rc2);
    cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, &rc3);
    if (!CHECK_OK(rc) || !CHECK_OK(rc2) || !CHECK_OK(rc3))
        return;
    RELEASE_CONTEXT(context);
    CHECK_OK(clReleaseDevice(device));
    CHECK_OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, 64, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 60, 4, &got, 0, NULL, NULL));
    CHECK_EQ(got, value);
    RELEASE_MEM(buffer);
    RELEASE_QUEUE(queue);
}

/* ---- threads --------------------------------------------------------------------------------- */

static const struct {
    void (*call)(struct actor *);
    unsigned weight;
} calls[] = {
    {write_numbers, 6}, {launch, 10},       {fill, 4},       {copy, 5},         {fill_part, 3},
    {read_numbers, 4},  {map, 3},           {record, 3},     {change_queue, 2}, {change_program, 1},
    {show_event, 8},    {look_at_event, 5}, {close_gate, 3}, {wait, 2},         {barrier, 3},
    {picture, 2},       {shared_memory, 2}, {fail, 1},       {whole_life, 1},
};

static void call_any(struct actor *a)
{
    unsigned all = 0, i = 0;
    for (size_t k = 0; k < LEN(calls); k++)
        all += calls[k].weight;
    unsigned at = draw(a, all);
    for (; at >= calls[i].weight; i++)
        at -= calls[i].weight;
    calls[i].call(a);
}

static atomic_long done;

static void *live(void *seed)
{
    struct actor a = {.state = *(unsigned *)seed};
    cl_int rc;
    for (int b = 0; b < BUFFERS; b++) {
        a.buffers[b] = clCreateBuffer(shared_context, CL_MEM_COPY_HOST_PTR, sizeof a.models[b],
                                      a.models[b], &rc);
        if (!CHECK_OK(rc))
            return NULL;
    }
    for (; now_seconds() < until; atomic_fetch_add(&done, 1))
        call_any(&a);
    read_numbers(&a);
    for (int b = 0; b < BUFFERS; b++)
        RELEASE_MEM(a.buffers[b]);
    if (a.last)
        RELEASE_EVENT(a.last);
    return NULL;
}

static void CL_CALLBACK context_gone(cl_context context, void *flag)
{
    (void)context;
    atomic_store((atomic_int *)flag, 1);
}

static int within_seconds(double limit, int (*holds)(void *), void *of)
{
    for (double end = now_seconds() + limit; !holds(of);)
        if (now_seconds() > end)
            return 0;
    return 1;
}

static int no_callback_due(void *unused)
{
    (void)unused;
    return !atomic_load(&callbacks_due);
}

static int is_set(void *flag)
{
    return atomic_load((atomic_int *)flag);
}

static void ask_device(void)
{
    cl_bool images = CL_FALSE;
    cl_device_svm_capabilities svm = 0;
    cl_uint parts = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof parts, &parts,
                               NULL));
    if (device_version() >= 200)
        REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    has_images = images;
    has_svm = !!(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    has_parts = parts > 1;
    alignment = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 32;
    cb_find();
}

static void any_calls(void)
{
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    static atomic_int gone;
    const char *time = getenv("SLUICE_TEST_THREAD_SECONDS"), *seed = getenv("SLUICE_TEST_SEED");
    const unsigned first = seed ? (unsigned)atoi(seed) * THREADS : 0;
    ask_device();
    open_shared();
    gone = 0;
    done = 0;
    REQUIRE_OK(clSetContextDestructorCallback(shared_context, context_gone, &gone));
    until = now_seconds() + (time ? atof(time) : 3);
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = first + i;
        REQUIRE(!pthread_create(&threads[i], NULL, live, &seeds[i]));
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    close_shared();
    printf("%ld calls\n", atomic_load(&done));
    CHECK(done >= THREADS);
    CHECK(within_seconds(20, no_callback_due, NULL));
    CHECK(within_seconds(20, is_set, &gone));
}

static const struct test_case cases[] = {CASE(any_calls)};
TEST_MAIN("random_calls", cases)
