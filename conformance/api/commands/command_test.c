/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every type of command alike: what its event says of itself, each state once to each callback,
 * four times in order and true to the host's clock, the end with an error when what it waits for
 * failed.
 */
#include "cl_help.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 4096, SIDE = 16, GATE_US = 5000, WORK_US = 4000 };

static struct bed {
    cl_command_queue queue;
    cl_mem a, b, image, other;
    cl_kernel kernel;
    void *svm, *mapped;
    unsigned char host[BYTES];
} bed;

static const size_t zero[3], rows[3] = {SIDE, 4, 1}, texels[3] = {SIDE, SIDE, 1};

/* ---- one function per command ---------------------------------------------------------------- */

typedef cl_int enqueue_fn(const cl_event *gate, cl_event *event);
#define COMMAND(name) static cl_int name(const cl_event *gate, cl_event *event)

COMMAND(read_buffer)
{
    return clEnqueueReadBuffer(bed.queue, bed.a, CL_FALSE, 0, 99, bed.host, 1, gate, event);
}
COMMAND(write_buffer)
{
    return clEnqueueWriteBuffer(bed.queue, bed.a, CL_FALSE, 0, 99, bed.host, 1, gate, event);
}
COMMAND(copy_buffer)
{
    return clEnqueueCopyBuffer(bed.queue, bed.a, bed.b, 0, 0, 99, 1, gate, event);
}
COMMAND(fill_buffer)
{
    return clEnqueueFillBuffer(bed.queue, bed.a, "abc", 1, 0, 99, 1, gate, event);
}
COMMAND(read_rect)
{
    return clEnqueueReadBufferRect(bed.queue, bed.a, CL_FALSE, zero, zero, rows, 64, 0, 32, 0,
                                   bed.host, 1, gate, event);
}
COMMAND(write_rect)
{
    return clEnqueueWriteBufferRect(bed.queue, bed.a, CL_FALSE, zero, zero, rows, 64, 0, 32, 0,
                                    bed.host, 1, gate, event);
}
COMMAND(copy_rect)
{
    return clEnqueueCopyBufferRect(bed.queue, bed.a, bed.b, zero, zero, rows, 64, 0, 32, 0, 1, gate,
                                   event);
}
COMMAND(map_buffer)
{
    cl_int rc;
    bed.mapped =
        clEnqueueMapBuffer(bed.queue, bed.a, CL_FALSE, CL_MAP_READ, 0, 64, 1, gate, event, &rc);
    return rc;
}
COMMAND(unmap)
{
    cl_int rc;
    void *at =
        clEnqueueMapBuffer(bed.queue, bed.b, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &rc);
    return rc ? rc : clEnqueueUnmapMemObject(bed.queue, bed.b, at, 1, gate, event);
}
COMMAND(migrate)
{
    return clEnqueueMigrateMemObjects(bed.queue, 1, &bed.a, CL_MIGRATE_MEM_OBJECT_HOST, 1, gate,
                                      event);
}
COMMAND(kernel)
{
    static const size_t global = BYTES / 4;
    return clEnqueueNDRangeKernel(bed.queue, bed.kernel, 1, NULL, &global, NULL, 1, gate, event);
}
COMMAND(task)
{
    return clEnqueueTask(bed.queue, bed.kernel, 1, gate, event);
}
static void CL_CALLBACK work_a_while(void *data)
{
    (void)data;
    usleep(WORK_US);
}
COMMAND(native)
{
    return clEnqueueNativeKernel(bed.queue, work_a_while, NULL, 0, 0, NULL, NULL, 1, gate, event);
}
COMMAND(marker)
{
    return clEnqueueMarkerWithWaitList(bed.queue, 1, gate, event);
}
COMMAND(barrier)
{
    return clEnqueueBarrierWithWaitList(bed.queue, 1, gate, event);
}
COMMAND(read_image)
{
    return clEnqueueReadImage(bed.queue, bed.image, CL_FALSE, zero, texels, 0, 0, bed.host, 1, gate,
                              event);
}
COMMAND(write_image)
{
    return clEnqueueWriteImage(bed.queue, bed.image, CL_FALSE, zero, texels, 0, 0, bed.host, 1,
                               gate, event);
}
COMMAND(copy_image)
{
    return clEnqueueCopyImage(bed.queue, bed.image, bed.other, zero, zero, texels, 1, gate, event);
}
COMMAND(fill_image)
{
    static const cl_float4 color;
    return clEnqueueFillImage(bed.queue, bed.image, &color, zero, texels, 1, gate, event);
}
COMMAND(image_to_buffer)
{
    return clEnqueueCopyImageToBuffer(bed.queue, bed.image, bed.a, zero, texels, 0, 1, gate, event);
}
COMMAND(buffer_to_image)
{
    return clEnqueueCopyBufferToImage(bed.queue, bed.a, bed.image, 0, zero, texels, 1, gate, event);
}
COMMAND(map_image)
{
    cl_int rc;
    size_t pitch;
    bed.mapped = clEnqueueMapImage(bed.queue, bed.image, CL_FALSE, CL_MAP_READ, zero, texels,
                                   &pitch, NULL, 1, gate, event, &rc);
    return rc;
}
COMMAND(svm_copy)
{
    return clEnqueueSVMMemcpy(bed.queue, CL_FALSE, bed.svm, bed.host, 99, 1, gate, event);
}
COMMAND(svm_fill)
{
    return clEnqueueSVMMemFill(bed.queue, bed.svm, "a", 1, 99, 1, gate, event);
}
COMMAND(svm_map)
{
    return clEnqueueSVMMap(bed.queue, CL_FALSE, CL_MAP_READ, bed.svm, 99, 1, gate, event);
}
COMMAND(svm_unmap)
{
    return clEnqueueSVMUnmap(bed.queue, bed.svm, 1, gate, event);
}
COMMAND(svm_migrate)
{
    const void *at = bed.svm;
    return clEnqueueSVMMigrateMem(bed.queue, 1, &at, NULL, 0, 1, gate, event);
}
COMMAND(svm_free)
{
    void *at = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
    return clEnqueueSVMFree(bed.queue, 1, &at, NULL, NULL, 1, gate, event);
}

enum need { NOTHING, NATIVE = 1, IMAGES = 2, SVM = 4, MAPS_A = 8, MAPS_IMAGE = 16 };

static const struct row {
    enqueue_fn *enqueue;
    cl_command_type type;
    enum need need;
} commands[] = {
    {read_buffer, CL_COMMAND_READ_BUFFER, NOTHING},
    {write_buffer, CL_COMMAND_WRITE_BUFFER, NOTHING},
    {copy_buffer, CL_COMMAND_COPY_BUFFER, NOTHING},
    {fill_buffer, CL_COMMAND_FILL_BUFFER, NOTHING},
    {read_rect, CL_COMMAND_READ_BUFFER_RECT, NOTHING},
    {write_rect, CL_COMMAND_WRITE_BUFFER_RECT, NOTHING},
    {copy_rect, CL_COMMAND_COPY_BUFFER_RECT, NOTHING},
    {map_buffer, CL_COMMAND_MAP_BUFFER, MAPS_A},
    {unmap, CL_COMMAND_UNMAP_MEM_OBJECT, NOTHING},
    {migrate, CL_COMMAND_MIGRATE_MEM_OBJECTS, NOTHING},
    {kernel, CL_COMMAND_NDRANGE_KERNEL, NOTHING},
    {task, CL_COMMAND_TASK, NOTHING},
    {native, CL_COMMAND_NATIVE_KERNEL, NATIVE},
    {marker, CL_COMMAND_MARKER, NOTHING},
    {barrier, CL_COMMAND_BARRIER, NOTHING},
    {read_image, CL_COMMAND_READ_IMAGE, IMAGES},
    {write_image, CL_COMMAND_WRITE_IMAGE, IMAGES},
    {copy_image, CL_COMMAND_COPY_IMAGE, IMAGES},
    {fill_image, CL_COMMAND_FILL_IMAGE, IMAGES},
    {image_to_buffer, CL_COMMAND_COPY_IMAGE_TO_BUFFER, IMAGES},
    {buffer_to_image, CL_COMMAND_COPY_BUFFER_TO_IMAGE, IMAGES},
    {map_image, CL_COMMAND_MAP_IMAGE, IMAGES | MAPS_IMAGE},
    {svm_copy, CL_COMMAND_SVM_MEMCPY, SVM},
    {svm_fill, CL_COMMAND_SVM_MEMFILL, SVM},
    {svm_map, CL_COMMAND_SVM_MAP, SVM},
    {svm_unmap, CL_COMMAND_SVM_UNMAP, SVM},
    {svm_migrate, CL_COMMAND_SVM_MIGRATE_MEM, SVM},
    {svm_free, CL_COMMAND_SVM_FREE, SVM},
};

/* ---- the bed --------------------------------------------------------------------------------- */

static enum need abilities(void)
{
    cl_device_exec_capabilities can = 0;
    cl_device_svm_capabilities svm = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    if (device_version() >= 200)
        CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    return (can & CL_EXEC_NATIVE_KERNEL ? NATIVE : 0) |
           (device_uint(CL_DEVICE_IMAGE_SUPPORT) ? IMAGES : 0) | (svm ? SVM : 0) | MAPS_A |
           MAPS_IMAGE;
}

static void open_bed(enum need able, cl_command_queue_properties properties)
{
    cl_int rc;
    memset(&bed, 0, sizeof bed);
    bed.queue = new_queue(properties);
    bed.a = new_buffer(0, BYTES, NULL);
    bed.b = new_buffer(0, BYTES, NULL);
    bed.kernel = new_kernel("kernel void k(global float *x) {"
                            " size_t i = get_global_id(0); x[i] = sqrt(x[i] + i); }",
                            "k", "");
    ARG(bed.kernel, 0, bed.a);
    if (able & SVM)
        bed.svm = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, BYTES, 0);
    if (!(able & IMAGES))
        return;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    bed.image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    bed.other = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);
    REQUIRE_OK(rc);
}

static void close_bed(void)
{
    CHECK_OK(clFinish(bed.queue));
    RELEASE_QUEUE(bed.queue);
    RELEASE_KERNEL(bed.kernel);
    RELEASE_MEM(bed.a);
    RELEASE_MEM(bed.b);
    if (bed.image) {
        RELEASE_MEM(bed.image);
        RELEASE_MEM(bed.other);
    }
    if (bed.svm)
        clSVMFree(cl.context, bed.svm);
}

static cl_event user_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return event;
}

static void undo(const struct row *row)
{
    cl_mem mapped = row->need & MAPS_A ? bed.a : row->need & MAPS_IMAGE ? bed.image : NULL;
    if (mapped)
        CHECK_OK(clEnqueueUnmapMemObject(bed.queue, mapped, bed.mapped, 0, NULL, NULL));
}

/* ---- callbacks ------------------------------------------------------------------------------- */

struct heard {
    atomic_int times, status;
};

static void CL_CALLBACK hear(cl_event event, cl_int status, void *user)
{
    struct heard *heard = user;
    (void)event;
    heard->status = status;
    atomic_fetch_add(&heard->times, 1);
}

static void check_heard(struct heard *heard, cl_int want)
{
    for (double end = now_seconds() + 10; !heard->times && now_seconds() < end;)
        usleep(100);
    CHECK_EQ(heard->times, 1);
    if (want < 0)
        CHECK(heard->status < 0);
    else
        CHECK_EQ(heard->status, want);
}

static void check_event(cl_event event, cl_command_type type)
{
    cl_command_type got = 0;
    cl_command_queue queue = NULL;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL));
    CHECK_EQ(got, type);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CHECK(queue == bed.queue);
}

/* Behind a gate that opens with `outcome`: each state once, and in the end `outcome` or an error.
 */
static void one_through_its_states(const struct row *row, cl_int outcome)
{
    static const cl_int states[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
    static struct heard heard[3]; /* outlives a callback that comes too late */
    cl_event gate = user_event(), event = NULL;
    memset(heard, 0, sizeof heard);
    REQUIRE_OK(row->enqueue(&gate, &event));
    check_event(event, row->type);
    for (size_t i = 0; i < LEN(states); i++)
        CHECK_OK(clSetEventCallback(event, states[i], hear, &heard[i]));
    CHECK_OK(clFlush(bed.queue));
    CHECK(event_status(event) >= CL_SUBMITTED);
    CHECK_EQ(heard[2].times, 0);
    CHECK_OK(clSetUserEventStatus(gate, outcome));
    FAILS(outcome < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS,
          clWaitForEvents(1, &event));
    for (size_t i = 0; i < LEN(states); i++)
        check_heard(&heard[i], outcome < 0 ? outcome : states[i]);
    if (outcome == CL_COMPLETE)
        CHECK_EQ(event_status(event), CL_COMPLETE);
    else
        CHECK(event_status(event) < 0);
    if (outcome == CL_COMPLETE)
        undo(row); /* a map that failed is none */
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
}

static void through_states(cl_command_queue_properties properties, cl_int outcome)
{
    const enum need able = abilities();
    open_bed(able, properties);
    for (size_t i = 0; i < LEN(commands); i++)
        if ((commands[i].need & able) == commands[i].need)
            one_through_its_states(&commands[i], outcome);
    close_bed();
}

static void each_state_once(void)
{
    through_states(0, CL_COMPLETE);
    through_states(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_COMPLETE);
}

static void each_fails_with_its_wait_list(void)
{
    through_states(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, -5);
}

/* ---- times ----------------------------------------------------------------------------------- */

static void read_times(cl_event event, cl_ulong t[4])
{
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED,
                                              CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    for (int i = 0; i < 4; i++)
        CHECK_OK(clGetEventProfilingInfo(event, names[i], sizeof t[i], &t[i], NULL));
}

static cl_ulong device_now(void)
{
    cl_ulong device = 0, host = 0;
    if (clGetDeviceAndHostTimer(cl.device, &device, &host))
        return 0;
    return device;
}

/* Queued when it was enqueued, started after the gate, ended before the wait returned. */
static void one_timed(const struct row *row)
{
    cl_event gate = user_event(), event = NULL;
    cl_ulong t[4] = {0}, complete = 0;
    const cl_ulong before = device_now();
    REQUIRE_OK(row->enqueue(&gate, &event));
    const cl_ulong enqueued = device_now();
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof *t, t, NULL));
    CHECK_OK(clFlush(bed.queue));
    usleep(GATE_US);
    const cl_ulong opened = device_now();
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    const cl_ulong after = device_now();
    read_times(event, t);
    if (!CHECK(t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]))
        check_fail(__FILE__, __LINE__, "command %#x", row->type);
    if (before && !CHECK(before <= t[0] && t[0] <= enqueued && opened <= t[2] && t[3] <= after))
        check_fail(__FILE__, __LINE__, "command %#x: %lld %lld %lld %lld of %lld", row->type,
                   (long long)(t[0] - before), (long long)(t[1] - before),
                   (long long)(t[2] - before), (long long)(t[3] - before),
                   (long long)(after - before));
    if (row->need == NATIVE)
        CHECK(t[3] - t[2] >= WORK_US * 1000);
    if (device_version() >= 200) {
        CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof complete,
                                         &complete, NULL));
        CHECK(complete >= t[3]);
    }
    undo(row);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
}

static void times(void)
{
    const enum need able = abilities();
    if (!is_sluice())
        check_skip("a command may become submitted after its gate opens");
    open_bed(able, CL_QUEUE_PROFILING_ENABLE);
    for (size_t i = 0; i < LEN(commands); i++)
        if ((commands[i].need & able) == commands[i].need)
            one_timed(&commands[i]);
    close_bed();
}

/* In order: each starts when the one before has ended; and they fill the time that passes. */
static void times_of_a_queue(void)
{
    enum { COUNT = 50 };
    cl_event events[COUNT];
    cl_ulong last = 0, spent = 0, t[4];
    const enum need able = abilities();
    open_bed(able, CL_QUEUE_PROFILING_ENABLE);
    cl_event gate = user_event();
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    const cl_ulong before = device_now();
    for (int i = 0; i < COUNT; i++)
        REQUIRE_OK(commands[i % 3 == 0 ? 10 : i % 3].enqueue(&gate, &events[i]));
    CHECK_OK(clFinish(bed.queue));
    const cl_ulong after = device_now();
    for (int i = 0; i < COUNT; i++) {
        read_times(events[i], t);
        CHECK(t[2] >= last);
        last = t[3];
        spent += t[3] - t[2];
        RELEASE_EVENT(events[i]);
    }
    CHECK(!before || spent <= after - before);
    RELEASE_EVENT(gate);
    close_bed();
}

/* ---- what the context's callback hears ------------------------------------------------------- */

static char told[512];
static atomic_int tellings;

static void CL_CALLBACK listen(const char *text, const void *info, size_t bytes, void *user)
{
    (void)info, (void)bytes;
    if (user == told && !tellings)
        strncpy(told, text, sizeof told - 1);
    atomic_fetch_add(&tellings, 1);
}

/* A kernel that traps: its event has the code, the callback the words. */
static void failing_kernel_is_told(void)
{
    if (!is_sluice())
        check_skip("a trap ends other implementations' processes");
    const char *source = "kernel void good(global int *x) { *x = 3; }\n"
                         "kernel void falls_over(global int *x) { if (*x) __builtin_trap(); }\n";
    int one = 1;
    cl_int rc;
    tellings = 0;
    memset(told, 0, sizeof told);
    cl_context context = clCreateContext(NULL, 1, &cl.device, listen, told, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof one, &one, &rc);
    REQUIRE_OK(rc);
    cl_kernel good = kernel_of(program, "good"), bad = kernel_of(program, "falls_over");
    ARG(good, 0, mem);
    ARG(bad, 0, mem);
    cl_event event = NULL;
    CHECK_OK(clEnqueueTask(queue, good, 0, NULL, NULL));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(tellings, 0);
    CHECK_OK(clEnqueueTask(queue, bad, 0, NULL, &event));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_OUT_OF_RESOURCES);
    for (double end = now_seconds() + 10; !tellings && now_seconds() < end;)
        usleep(100);
    CHECK(strstr(told, "falls_over") && strstr(told, "trap"));
    RELEASE_EVENT(event);
    RELEASE_KERNEL(good);
    RELEASE_KERNEL(bad);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
    RELEASE_CONTEXT(context);
    usleep(10000);
    CHECK_EQ(tellings, 1);
}

static const struct test_case cases[] = {
    CASE(each_state_once),  CASE(each_fails_with_its_wait_list), CASE(times),
    CASE(times_of_a_queue), CASE(failing_kernel_is_told),
};
TEST_MAIN("command", cases)
