/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program-scope host pipes on a device whose kernels are played by the test: finding a pipe, the
 * line of transfers that wait, failures that show in the event, life; and what devices hear of
 * threads that sleep.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/object/alloc.h"
#include "commands/device_callbacks/host_ops.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "fake_device.h"
#include "fake_pipe.h"
#include "pipes/host_pipe_wait.h"
#include "platform/context.h"
#include "platform/device.h"
#include "program/object/program.h"

/* Not sorted by name, as modules need not be. */
enum { OUT, IN, OPEN, INNER, GRID, PIPES };
static const struct sl_pipe_info pipes[PIPES] = {
    {.name = "out", .packet_bytes = 4, .flags = SL_PIPE_HOST, .reader = -1, .writer = 0},
    {.name = "in", .packet_bytes = 4, .flags = SL_PIPE_HOST, .reader = 0, .writer = -1},
    {.name = "open", .packet_bytes = 4, .flags = SL_PIPE_HOST, .reader = -1, .writer = -1},
    {.name = "inner", .packet_bytes = 4, .reader = 0, .writer = 0},
    {.name = "grid[1][2]", .packet_bytes = 12, .flags = SL_PIPE_HOST, .reader = 0, .writer = -1},
};
static const struct sl_kernel_info kernels[] = {
    {.name = "k", .attributes = "", .vec_type_hint = "", .flags = SL_KERNEL_USES_PIPES}};
static const struct sl_module_info module = {.abi = SL_MODULE_ABI,
                                             .size = sizeof module,
                                             .kernel_count = 1,
                                             .kernels = kernels,
                                             .pipe_count = PIPES,
                                             .pipes = pipes};

static struct sl_pipe *rings[PIPES];
static int unloaded;

static struct sl_pipe *code_pipe(struct sl_code *code, uint32_t index)
{
    (void)code;
    return rings[index];
}
static void code_unload(struct sl_code *code)
{
    (void)code;
    for (int i = 0; i < PIPES; i++)
        fake_pipe_destroy(rings[i]);
    unloaded++;
}
static int reports; /* a running program has more to tell each time */
static int code_report(struct sl_code *code, enum sl_code_report what, char **text)
{
    (void)code;
    assert_int_equal(what, SL_REPORT_PIPE_PROFILE);
    return asprintf(text, "{\"sluice_profile\":1%*s}", 50 * reports++, "") < 0;
}
static const struct sl_device_ops code_ops = {.code_unload = code_unload,
                                              .code_pipe = code_pipe,
                                              .code_report = code_report,
                                              .pipe_read = fake_pipe_read,
                                              .pipe_write = fake_pipe_write};
static struct sl_device code_device = {.ops = &code_ops};

static cl_context context;
static cl_command_queue queue, second;
static cl_program program;

static void load(cl_program into)
{
    for (int i = 0; i < PIPES; i++) {
        const struct sl_pipe_desc desc = {.packet_bytes = pipes[i].packet_bytes, .max_packets = 2};
        fake_pipe_create(NULL, &desc, &rings[i]);
    }
    struct sl_code_ref *ref = sl_zalloc(sizeof *ref);
    ref->device = &code_device;
    ref->info = &module;
    atomic_init(&ref->refs, 1);
    into->builds[0].code = ref;
    into->builds[0].status = CL_BUILD_SUCCESS;
}

static int setup(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_THREADS);
    const cl_queue_properties profile[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    context = fake_context(device);
    queue = sl_clCreateCommandQueueWithProperties(context, device, profile, NULL);
    second = sl_clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    program = sl_program_new(context, 1, &device, SL_FROM_SOURCE);
    load(program);
    unloaded = 0;
    return context && queue && second && program ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    sl_clReleaseProgram(program);
    sl_clReleaseCommandQueue(queue);
    sl_clReleaseCommandQueue(second);
    sl_clReleaseContext(context);
    return atomic_load(&fake_pipes) || unloaded != 1 || atomic_load(&fake_waits) ? -1 : 0;
}

static cl_int put(const char *symbol, cl_bool blocking, const void *from, size_t size,
                  cl_event *event)
{
    return sl_clEnqueueWriteHostPipeINTEL(queue, program, symbol, blocking, from, size, 0, NULL,
                                          event);
}

static cl_int get(const char *symbol, cl_bool blocking, void *to, size_t size, cl_event *event)
{
    return sl_clEnqueueReadHostPipeINTEL(queue, program, symbol, blocking, to, size, 0, NULL,
                                         event);
}

static cl_int status_of(cl_event event)
{
    cl_int status = 99;
    assert_int_equal(
        sl_clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
        0);
    return status;
}

static void test_refused(void **state)
{
    (void)state;
    int word = 0;
    cl_event none[1] = {NULL};
    cl_context other = fake_context(fake_device(FAKE_INLINE));
    cl_device_id device = fake_device(FAKE_INLINE);
    cl_command_queue foreign = sl_clCreateCommandQueueWithProperties(other, device, NULL, NULL);
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(NULL, program, "out", 1, &word, 4, 0, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(sl_clEnqueueReadHostPipeINTEL(queue, NULL, "out", 1, &word, 4, 0, NULL, NULL),
                     CL_INVALID_PROGRAM);
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(foreign, program, "out", 1, &word, 4, 0, NULL, NULL),
        CL_INVALID_CONTEXT);
    program->builds[0].status = CL_BUILD_ERROR;
    assert_int_equal(get("out", 1, &word, 4, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    program->builds[0].status = CL_BUILD_SUCCESS;
    assert_int_equal(get(NULL, 1, &word, 4, NULL), CL_INVALID_VALUE);
    assert_int_equal(get("out", 1, NULL, 4, NULL), CL_INVALID_VALUE);
    assert_int_equal(get("nothing", 1, &word, 4, NULL), CL_INVALID_VALUE);
    assert_int_equal(get("grid", 1, &word, 4, NULL), CL_INVALID_VALUE);
    assert_int_equal(get("inner", 1, &word, 4, NULL), CL_INVALID_OPERATION);
    assert_int_equal(get("out", 1, &word, 8, NULL), CL_INVALID_VALUE);
    assert_int_equal(get("out", 1, &word, 0, NULL), CL_INVALID_VALUE);
    assert_int_equal(get("in", 1, &word, 4, NULL), CL_INVALID_OPERATION);
    assert_int_equal(put("out", 1, &word, 4, NULL), CL_INVALID_OPERATION);
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(queue, program, "out", 1, &word, 4, 1, none, NULL),
        CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(queue, program, "out", 1, &word, 4, 1, NULL, NULL),
        CL_INVALID_EVENT_WAIT_LIST);
    sl_clReleaseCommandQueue(foreign);
    sl_clReleaseContext(other);
}

static void test_direction_of_first_use(void **state)
{
    (void)state;
    int word = 3;
    assert_int_equal(put("open", 1, &word, 4, NULL), CL_SUCCESS);
    assert_int_equal(get("open", 1, &word, 4, NULL), CL_INVALID_OPERATION);
    assert_int_equal(put("open", 1, &word, 4, NULL), CL_SUCCESS);
}

static void test_names(void **state)
{
    (void)state;
    size_t count = 0;
    char text[64];
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_NUM_HOST_PIPES_INTEL, sizeof count, &count, NULL),
        0);
    assert_int_equal(count, 4);
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_HOST_PIPE_NAMES_INTEL, sizeof text, text, NULL), 0);
    assert_string_equal(text, "out;in;open;grid[1][2]");
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_PIPE_PROFILE_SLUICE, sizeof text, text, NULL), 0);
    assert_string_equal(text, "{\"sluice_profile\":1}");
    size_t bytes;
    assert_int_equal(sl_clGetProgramInfo(program, CL_PROGRAM_PIPE_PROFILE_SLUICE, 0, NULL, &bytes),
                     0);
    char *all = malloc(bytes);
    assert_non_null(all);
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_PIPE_PROFILE_SLUICE, bytes, all, &bytes), 0);
    assert_int_equal(bytes, strlen(all) + 1);
    free(all);
    program->builds[0].status = CL_BUILD_NONE;
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_NUM_HOST_PIPES_INTEL, sizeof count, &count, NULL),
        CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(
        sl_clGetProgramInfo(program, CL_PROGRAM_HOST_PIPE_NAMES_INTEL, sizeof text, text, NULL),
        CL_INVALID_PROGRAM_EXECUTABLE);
    program->builds[0].status = CL_BUILD_SUCCESS;
}

static void test_at_once(void **state)
{
    (void)state;
    int three[3] = {1, 2, 3}, got[3] = {0}, word = 9;
    assert_int_equal(put("grid[1][2]", 1, three, 12, NULL), CL_SUCCESS);
    assert_true(fake_kernel_read(rings[GRID], got));
    assert_memory_equal(got, three, sizeof got);
    assert_true(fake_kernel_write(rings[OUT], &word));
    assert_int_equal(get("out", 0, got, 4, NULL), CL_SUCCESS);
    assert_int_equal(got[0], 9);
}

static void test_event(void **state)
{
    (void)state;
    int word = 5, got = 0;
    cl_event event = NULL;
    cl_command_type type = 0;
    cl_ulong start = 0, end = 0;
    assert_true(fake_kernel_write(rings[OUT], &word));
    assert_int_equal(get("out", 0, &got, 4, &event), CL_SUCCESS);
    assert_int_equal(sl_clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(got, 5);
    assert_int_equal(sl_clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), 0);
    assert_int_equal(type, CL_COMMAND_READ_HOST_PIPE_INTEL);
    assert_int_equal(
        sl_clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
        0);
    assert_int_equal(
        sl_clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), 0);
    assert_true(start && end >= start);
    sl_clReleaseEvent(event);
    assert_int_equal(put("in", 1, &word, 4, &event), CL_SUCCESS);
    assert_int_equal(sl_clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), 0);
    assert_int_equal(type, CL_COMMAND_WRITE_HOST_PIPE_INTEL);
    sl_clReleaseEvent(event);
}

static void test_failure_shows(void **state)
{
    (void)state;
    int word = 5, got = 77;
    cl_event event = NULL;
    assert_int_equal(get("out", 0, &got, 4, &event), CL_SUCCESS);
    assert_int_equal(sl_clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(event), CL_PIPE_EMPTY);
    assert_int_equal(got, 77);
    sl_clReleaseEvent(event);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(put("in", 0, &word, 4, &event), CL_SUCCESS);
        assert_int_equal(sl_clWaitForEvents(1, &event),
                         i < 2 ? 0 : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_int_equal(status_of(event), i < 2 ? CL_COMPLETE : CL_PIPE_FULL);
        sl_clReleaseEvent(event);
    }
    /* a failed dependency comes first */
    cl_event user = sl_clCreateUserEvent(context, NULL);
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(queue, program, "out", 0, &got, 4, 1, &user, &event), 0);
    assert_int_equal(sl_clSetUserEventStatus(user, -5), 0);
    assert_int_equal(sl_clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(queue, program, "out", 1, &got, 4, 1, &user, NULL),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    sl_clReleaseEvent(event);
    sl_clReleaseEvent(user);
}

struct reader {
    pthread_t thread;
    cl_command_queue queue;
    int got;
    cl_int rc;
};

static void *read_one(void *data)
{
    struct reader *r = data;
    r->rc = sl_clEnqueueReadHostPipeINTEL(r->queue, program, "out", 1, &r->got, 4, 0, NULL, NULL);
    return NULL;
}

static void await(atomic_int *number, int value)
{
    while (atomic_load(number) != value)
        sched_yield();
}

static void test_blocking_sleeps(void **state)
{
    (void)state;
    struct reader r = {.queue = queue};
    int word = 21;
    assert_int_equal(pthread_create(&r.thread, NULL, read_one, &r), 0);
    await(&fake_pipe_waiting, 1);
    await(&fake_waits, 1); /* the device hears of it */
    assert_true(fake_kernel_write(rings[OUT], &word));
    pthread_join(r.thread, NULL);
    assert_int_equal(r.rc, CL_SUCCESS);
    assert_int_equal(r.got, 21);
    assert_int_equal(atomic_load(&fake_waits), 0);
}

/* One transfer at a time is with the device; the line keeps its order; who may not wait fails. */
static void test_line(void **state)
{
    (void)state;
    enum { READERS = 5 };
    struct reader r[READERS];
    cl_command_queue queues[READERS];
    cl_event event;
    int got = 0;
    for (int i = 0; i < READERS; i++) {
        queues[i] =
            sl_clCreateCommandQueueWithProperties(context, fake_device(FAKE_THREADS), NULL, NULL);
        r[i] = (struct reader){.queue = queues[i]};
        assert_int_equal(pthread_create(&r[i].thread, NULL, read_one, &r[i]), 0);
        await(&fake_waits, i + 1);
    }
    await(&fake_pipe_waiting, 1);
    assert_int_equal(get("out", 0, &got, 4, &event), CL_SUCCESS);
    assert_int_equal(status_of(event), CL_PIPE_EMPTY);
    sl_clReleaseEvent(event);
    for (int i = 0; i < READERS; i++) {
        int word = 100 + i;
        while (!fake_kernel_write(rings[OUT], &word))
            sched_yield();
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(r[i].thread, NULL);
        assert_int_equal(r[i].rc, CL_SUCCESS);
        assert_int_equal(r[i].got, 100 + i);
        sl_clReleaseCommandQueue(queues[i]);
    }
    assert_int_equal(atomic_load(&fake_pipe_waiting), 0);
}

static void test_device_gives_up(void **state)
{
    (void)state;
    struct reader r[2] = {{.queue = queue}, {.queue = second}};
    int word = 8;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&r[i].thread, NULL, read_one, &r[i]), 0);
        await(&fake_waits, i + 1);
    }
    await(&fake_pipe_waiting, 1); /* who waits may not have got there yet */
    fake_pipe_give_up(-5);
    pthread_join(r[0].thread, NULL);
    assert_int_equal(r[0].rc, -5);
    await(&fake_pipe_waiting, 1); /* the next is the device's now */
    assert_true(fake_kernel_write(rings[OUT], &word));
    pthread_join(r[1].thread, NULL);
    assert_int_equal(r[1].rc, CL_SUCCESS);
    assert_int_equal(r[1].got, 8);
}

/* Everything is released, and the program built anew, while a transfer waits. */
static void test_life(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_THREADS);
    cl_program other = sl_program_new(context, 1, &device, SL_FROM_SOURCE);
    struct sl_pipe *kept[PIPES], *ring;
    memcpy(kept, rings, sizeof kept);
    load(other);
    ring = rings[OUT];
    cl_program before = program;
    program = other;
    struct reader r = {.queue = second};
    int word = 4;
    assert_int_equal(pthread_create(&r.thread, NULL, read_one, &r), 0);
    await(&fake_waits, 1);
    sl_clReleaseProgram(other);
    assert_int_equal(unloaded, 0);
    assert_true(fake_kernel_write(ring, &word));
    pthread_join(r.thread, NULL);
    assert_int_equal(r.got, 4);
    await(&fake_pipes, PIPES);
    assert_int_equal(unloaded, 1);
    unloaded = 0;
    program = before;
    memcpy(rings, kept, sizeof kept);
}

static bool no_memory; /* for a command */

cl_int __real_sl_command_create(cl_command_queue, cl_command_type, enum sl_command_how, cl_event *);
cl_int __wrap_sl_command_create(cl_command_queue, cl_command_type, enum sl_command_how, cl_event *);

cl_int __wrap_sl_command_create(cl_command_queue on, cl_command_type type, enum sl_command_how how,
                                cl_event *out)
{
    return no_memory ? CL_OUT_OF_HOST_MEMORY : __real_sl_command_create(on, type, how, out);
}

/* Early, by what was given, and late, when the pipe was claimed already. */
static void expect_refused_transfers(cl_program shared, cl_command_queue on)
{
    int word = 1;
    cl_event event = NULL;
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(on, shared, "open", CL_TRUE, &word, 4, 1, NULL, NULL),
        CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(
        sl_clEnqueueWriteHostPipeINTEL(on, shared, "open", CL_TRUE, &word, 8, 0, NULL, NULL),
        CL_INVALID_VALUE);
    no_memory = true;
    assert_int_equal(
        sl_clEnqueueReadHostPipeINTEL(on, shared, "open", CL_FALSE, &word, 4, 0, NULL, &event),
        CL_OUT_OF_HOST_MEMORY);
    assert_int_equal(
        sl_clEnqueueWriteHostPipeINTEL(on, shared, "open", CL_FALSE, &word, 4, 0, NULL, &event),
        CL_OUT_OF_HOST_MEMORY);
    no_memory = false;
    assert_null(event);
}

/* What is refused leaves the pipe to the other device. */
static void expect_no_claim(cl_program shared, cl_command_queue on, struct sl_code_ref *code)
{
    const size_t one = 1;
    size_t local;
    struct sl_host_end *end;
    cl_kernel kernel = sl_clCreateKernel(shared, "k", NULL);
    assert_non_null(kernel);
    assert_int_equal(sl_clEnqueueNDRangeKernel(on, kernel, 4, NULL, &one, NULL, 0, NULL, NULL),
                     CL_INVALID_WORK_DIMENSION);
    assert_int_equal(sl_clEnqueueNDRangeKernel(on, kernel, 1, NULL, &one, NULL, 1, NULL, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(sl_clGetKernelSuggestedLocalWorkSize(on, kernel, 1, NULL, &one, &local), 0);
    sl_clReleaseKernel(kernel);
    assert_int_equal(sl_host_ends_claim(shared, code, 0), CL_SUCCESS);
    sl_host_ends_unclaim(shared, code, 0);
    assert_int_equal(sl_host_end_find(code, "open", &end), CL_SUCCESS);
    for (int write = 0; write < 2; write++) {
        assert_int_equal(sl_host_end_claim(end, write, shared, code), CL_SUCCESS);
        assert_int_equal(sl_host_end_claim(end, !write, shared, code), CL_INVALID_OPERATION);
        sl_host_end_unclaim(end, shared);
    }
}

static uint64_t claims_of_in(struct sl_code_ref *code)
{
    struct sl_host_end *end;
    assert_int_equal(sl_host_end_find(code, "in", &end), CL_SUCCESS);
    return end->claims;
}

/* A launch that is recorded uses the pipe from then on; one that is refused late does not. */
static void expect_claims_of_recordings(cl_program shared, cl_command_queue on,
                                        struct sl_code_ref *code)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                     CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
    const cl_command_buffer_update_type_khr types[] = {
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE,
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE};
    const size_t one = 1, none = 0; /* a size that no work-group has */
    const uint64_t before = claims_of_in(code);
    cl_mutable_command_khr commands[2];
    cl_kernel kernel = sl_clCreateKernel(shared, "k", NULL);
    cl_command_buffer_khr buffer = sl_clCreateCommandBufferKHR(1, &on, list, NULL);
    assert_non_null(buffer);
    for (int i = 0; i < 2; i++)
        assert_int_equal(sl_clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one,
                                                      NULL, 0, NULL, NULL, &commands[i]),
                         CL_SUCCESS);
    assert_int_equal(sl_clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one, &none,
                                                  0, NULL, NULL, NULL),
                     CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(sl_clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
    assert_int_equal(claims_of_in(code), before + 2);
    const cl_mutable_dispatch_config_sluice good = {.command = commands[0],
                                                    .global_work_offset = &one},
                                            bad = {.command = commands[1],
                                                   .local_work_size = &none};
    const void *refused[] = {&good, &bad}, *done[] = {&good};
    assert_int_equal(sl_clUpdateMutableCommandsKHR(buffer, 2, types, refused),
                     CL_INVALID_WORK_GROUP_SIZE);
    assert_int_equal(claims_of_in(code), before + 2);
    assert_int_equal(sl_clUpdateMutableCommandsKHR(buffer, 1, types, done), CL_SUCCESS);
    assert_int_equal(claims_of_in(code), before + 3);
    sl_clReleaseCommandBufferKHR(buffer);
    sl_clReleaseKernel(kernel);
}

/* One program for two devices: its host pipe talks to the device that used it first. */
static void test_one_device(void **state)
{
    (void)state;
    static struct sl_device other_device = {.ops = &code_ops};
    cl_device_id devices[2] = {fake_device(FAKE_THREADS), fake_device(FAKE_INLINE)};
    cl_context both = sl_clCreateContext(NULL, 2, devices, NULL, NULL, NULL);
    cl_program shared = sl_program_new(both, 2, devices, SL_FROM_SOURCE);
    struct sl_pipe *kept[PIPES];
    cl_command_queue queues[2];
    int word = 1;
    memcpy(kept, rings, sizeof kept);
    load(shared);
    struct sl_code_ref *other = sl_zalloc(sizeof *other);
    other->device = &other_device;
    other->info = &module;
    atomic_init(&other->refs, 2); /* its rings are the first one's: not to be unloaded */
    shared->builds[1].status = CL_BUILD_SUCCESS;
    shared->builds[1].code = other;
    for (int i = 0; i < 2; i++)
        queues[i] = sl_clCreateCommandQueueWithProperties(both, devices[i], NULL, NULL);
    expect_refused_transfers(shared, queues[1]);
    expect_no_claim(shared, queues[1], other);
    static const struct {
        int queue;
        const char *pipe;
        cl_int want;
    } steps[] = {{0, "in", CL_SUCCESS},
                 {1, "in", CL_INVALID_OPERATION},
                 {1, "open", CL_SUCCESS},
                 {0, "open", CL_INVALID_OPERATION},
                 {0, "in", CL_SUCCESS}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(sl_clEnqueueWriteHostPipeINTEL(queues[steps[i].queue], shared,
                                                        steps[i].pipe, 1, &word, 4, 0, NULL, NULL),
                         steps[i].want);
    /* kernel 0 is at the other end of "in" */
    assert_int_equal(sl_host_ends_claim(shared, other, 0), CL_INVALID_OPERATION);
    assert_int_equal(sl_host_ends_claim(shared, shared->builds[0].code, 0), CL_SUCCESS);
    expect_claims_of_recordings(shared, queues[0], shared->builds[0].code);
    for (int i = 0; i < 2; i++)
        sl_clReleaseCommandQueue(queues[i]);
    sl_clReleaseProgram(shared);
    sl_host_ends_destroy(atomic_load(&other->ends));
    sl_free(other);
    sl_clReleaseContext(both);
    unloaded = 0;
    memcpy(rings, kept, sizeof kept);
}

/* ---- stalls ---------------------------------------------------------------------------------- */

static atomic_int told;
static char told_text[256], told_json[64];

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes, void *data)
{
    (void)data;
    strncpy(told_text, text, sizeof told_text - 1);
    if (bytes <= sizeof told_json)
        memcpy(told_json, info, bytes);
    atomic_fetch_add(&told, 1);
}

static void test_stall_report(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_THREADS), inline_device = fake_device(FAKE_INLINE);
    cl_context with = sl_clCreateContext(NULL, 1, &device, notify, NULL, NULL);
    cl_context elsewhere = sl_clCreateContext(NULL, 1, &inline_device, notify, NULL, NULL);
    sl_host_ops.stalled(device->impl, "a waits for b\nb waits for a", "{\"stall\":1}");
    await(&told, 1);
    assert_string_equal(told_text, "a waits for b\nb waits for a");
    assert_string_equal(told_json, "{\"stall\":1}");
    sl_clReleaseContext(elsewhere);
    sl_clReleaseContext(with);
    assert_int_equal(atomic_load(&told), 1);
}

struct listener {
    atomic_bool gone; /* its context's destructor callback has begun */
};
static atomic_bool enough;
static atomic_int heard, heard_late;

static void CL_CALLBACK hear(const char *text, const void *info, size_t bytes, void *data)
{
    struct listener *listener = data;
    (void)text;
    (void)info;
    (void)bytes;
    atomic_fetch_add(&heard, 1);
    atomic_fetch_add(&heard_late, atomic_load(&listener->gone));
}

static void CL_CALLBACK say_gone(cl_context from, void *data)
{
    struct listener *listener = data;
    (void)from;
    atomic_store(&listener->gone, true);
}

static void *report_on(void *data)
{
    const struct timespec breath = {.tv_nsec = 1000};
    while (!atomic_load(&enough)) {
        for (int i = 0; i < 8; i++)
            sl_context_notify_all(data, "stalled", "{}");
        nanosleep(&breath, NULL); /* a mutex is not fair: the other thread would never get it */
    }
    return NULL;
}

/* A report may come while its context is released: before the farewells, or not at all. */
static void test_no_late_report(void **state)
{
    enum { ROUNDS = 1500 };
    static struct listener listeners[ROUNDS];
    cl_device_id device = fake_device(FAKE_THREADS);
    pthread_t reporter;
    (void)state;
    assert_int_equal(pthread_create(&reporter, NULL, report_on, device->impl), 0);
    for (int i = 0; i < ROUNDS; i++) {
        cl_context each = sl_clCreateContext(NULL, 1, &device, hear, &listeners[i], NULL);
        assert_int_equal(sl_clSetContextDestructorCallback(each, say_gone, &listeners[i]), 0);
        for (int turn = 0; turn < i % 8; turn++)
            sched_yield();
        assert_int_equal(sl_clReleaseContext(each), 0);
    }
    atomic_store(&enough, true);
    assert_int_equal(pthread_join(reporter, NULL), 0);
    for (int i = 0; i < ROUNDS; i++)
        while (!atomic_load(&listeners[i].gone))
            sched_yield();
    assert_int_equal(atomic_load(&heard_late), 0);
}

/* Whether somebody may set them is for outlook.c: who sleeps, sleeps. */
static void test_user_events_and_sleepers(void **state)
{
    (void)state;
    struct reader r = {.queue = queue};
    int word = 1;
    assert_int_equal(pthread_create(&r.thread, NULL, read_one, &r), 0);
    await(&fake_waits, 1);
    cl_event a = sl_clCreateUserEvent(context, NULL), b = sl_clCreateUserEvent(context, NULL);
    assert_int_equal(atomic_load(&fake_waits), 1);
    sl_clSetUserEventStatus(a, CL_COMPLETE);
    assert_int_equal(atomic_load(&fake_waits), 1);
    sl_clReleaseEvent(a);
    sl_clReleaseEvent(b); /* unset: it ends with an error */
    assert_int_equal(atomic_load(&fake_waits), 1);
    assert_true(fake_kernel_write(rings[OUT], &word));
    pthread_join(r.thread, NULL);
    assert_int_equal(atomic_load(&fake_waits), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_refused),         TEST(test_direction_of_first_use),
        TEST(test_names),           TEST(test_at_once),
        TEST(test_event),           TEST(test_failure_shows),
        TEST(test_blocking_sleeps), TEST(test_line),
        TEST(test_device_gives_up), TEST(test_life),
        TEST(test_one_device),      TEST(test_stall_report),
        TEST(test_no_late_report),  TEST(test_user_events_and_sleepers),
    };
    return cmocka_run_group_tests_name("program_pipe", tests, NULL, NULL);
}
