/* SPDX-License-Identifier: Apache-2.0 */
/* Failed calls tell their context's callback which call it was and why, once; nothing else does. */
#include "command_buffer_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 64, THREADS = 4, TURNS = 200 };

static const char source[] = "kernel void f(global int *p, int v) { p[get_global_id(0)] = v; }\n"
                             "kernel void falls_over(int v) { if (v) __builtin_trap(); }";
static const char wrong_source[] = "kernel void f(global int *p) { *p = no_such_name; }";
static const char no_body[] = "int nowhere(int); kernel void f(global int *p) { *p = nowhere(1); }";

struct heard {
    atomic_int times;
    atomic_long sum;  /* of the numbers of bytes that the texts name */
    char text[512];   /* the last one */
    cl_context again; /* the callback makes a call that fails */
};

/* With a callback, and what hangs on it. */
static struct bed {
    struct heard heard;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
} one, other;

static void CL_CALLBACK hear(const char *text, const void *info, size_t bytes, void *user)
{
    struct heard *heard = user;
    const char *number = strstr(text, "0 + ");
    CHECK(!info && !bytes);
    snprintf(heard->text, sizeof heard->text, "%s", text);
    atomic_fetch_add(&heard->sum, number ? atol(number + 4) : 0);
    if (heard->again)
        CREATE_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(heard->again, 0, 0, NULL, ERR));
    atomic_fetch_add(&heard->times, 1);
}

static void CL_CALLBACK pass(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    atomic_store((atomic_int *)user, 1);
}

/* Callbacks come in turn: what was to be heard has been heard behind this. */
static void settle(void)
{
    static atomic_int passed;
    cl_int rc = 1;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    atomic_store(&passed, 0);
    REQUIRE_OK(clSetEventCallback(event, CL_COMPLETE, pass, &passed));
    REQUIRE_OK(clSetUserEventStatus(event, CL_COMPLETE));
    for (double end = now_seconds() + 10; !passed && now_seconds() < end;)
        ;
    CHECK(passed);
    RELEASE_EVENT(event);
}

static int times_heard(struct bed *bed)
{
    settle();
    return atomic_exchange(&bed->heard.times, 0);
}

static void make(struct bed *bed)
{
    cl_int rc = 1;
    memset(&bed->heard, 0, sizeof bed->heard);
    bed->context = clCreateContext(NULL, 1, &cl.device, hear, &bed->heard, &rc);
    REQUIRE_OK(rc);
    bed->queue = clCreateCommandQueue(bed->context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    bed->program = clCreateProgramWithSource(bed->context, 1, &(const char *){source}, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(bed->program, 0, NULL, "", NULL, NULL));
    bed->kernel = kernel_of(bed->program, "f");
    bed->buffer = clCreateBuffer(bed->context, 0, BYTES, NULL, &rc);
    REQUIRE_OK(rc);
}

static void end(struct bed *bed)
{
    RELEASE_MEM(bed->buffer);
    RELEASE_KERNEL(bed->kernel);
    RELEASE_PROGRAM(bed->program);
    RELEASE_QUEUE(bed->queue);
    RELEASE_CONTEXT(bed->context);
}

static void setup(void)
{
    if (!is_sluice())
        check_skip("the texts are Sluice's");
    make(&one);
    make(&other);
    CHECK_EQ(times_heard(&one), 0);
}

static void teardown(void)
{
    CHECK_EQ(times_heard(&one), 0);
    CHECK_EQ(times_heard(&other), 0);
    end(&one);
    end(&other);
}

/* ---- calls that fail ------------------------------------------------------------------------- */

static cl_int buffer(void)
{
    cl_int rc = 1;
    CHECK(!clCreateBuffer(one.context, 0, 0, NULL, &rc));
    return rc;
}

static cl_int buffer_without_code(void)
{
    CHECK(!clCreateBuffer(one.context, 0, 0, NULL, NULL));
    return CL_INVALID_BUFFER_SIZE;
}

static cl_int sub_buffer(void)
{
    cl_int rc = 1;
    const cl_buffer_region region = {0, BYTES + 1};
    CHECK(!clCreateSubBuffer(one.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc));
    return rc;
}

static cl_int image(void)
{
    cl_int rc = 1;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1};
    CHECK(!clCreateImage(one.context, 0, NULL, &desc, NULL, &rc));
    return rc;
}

static cl_int queue(void)
{
    cl_int rc = 1;
    CHECK(!clCreateCommandQueue(one.context, cl.device, 1u << 20, &rc));
    return rc;
}

static cl_int sampler(void)
{
    cl_int rc = 1;
    CHECK(!clCreateSampler(one.context, CL_TRUE, 0x7777, CL_FILTER_NEAREST, &rc));
    return rc;
}

static cl_int kernel(void)
{
    cl_int rc = 1;
    CHECK(!clCreateKernel(one.program, "no_such_kernel", &rc));
    return rc;
}

static cl_int argument_index(void)
{
    return clSetKernelArg(one.kernel, 7, sizeof(cl_int), &(cl_int){0});
}

static cl_int argument_size(void)
{
    return clSetKernelArg(one.kernel, 1, 3, "ab");
}

static cl_int launch(size_t global, size_t local)
{
    return clEnqueueNDRangeKernel(one.queue, one.kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static cl_int unset_argument(void)
{
    return launch(8, 4);
}

static cl_int local_size(void)
{
    ARG(one.kernel, 0, one.buffer);
    ARG(one.kernel, 1, (cl_int){5});
    return launch((size_t)1 << 24, (size_t)1 << 24);
}

/* The queue is no way to the context any more, the kernel is. */
static cl_int dead_queue(void)
{
    cl_int rc = 1;
    cl_command_queue gone = clCreateCommandQueue(one.context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    RELEASE_QUEUE(gone);
    return clEnqueueTask(gone, one.kernel, 0, NULL, NULL);
}

static cl_int read_bytes(size_t bytes)
{
    char to[BYTES + TURNS + 1];
    return clEnqueueReadBuffer(one.queue, one.buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
}

static cl_int read_behind(void)
{
    return read_bytes(BYTES + 1);
}

static cl_int map_behind(void)
{
    cl_int rc = 1;
    CHECK(!clEnqueueMapBuffer(one.queue, one.buffer, CL_TRUE, CL_MAP_READ, 1, BYTES, 0, NULL, NULL,
                              &rc));
    return rc;
}

static cl_int status_twice(void)
{
    cl_int rc = 1;
    cl_event event = clCreateUserEvent(one.context, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(event, CL_COMPLETE));
    rc = clSetUserEventStatus(event, CL_COMPLETE);
    RELEASE_EVENT(event);
    return rc;
}

static cl_program program_of(const char *text)
{
    cl_int rc = 1;
    cl_program program = clCreateProgramWithSource(one.context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    return program;
}

static cl_int build_with(const char *text, const char *options)
{
    cl_program program = program_of(text);
    cl_int rc = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    RELEASE_PROGRAM(program);
    return rc;
}

static cl_int build(void)
{
    return build_with(wrong_source, "");
}

static cl_int build_options(void)
{
    return build_with(source, "--no-such-option");
}

static cl_int compile(void)
{
    cl_program program = program_of(wrong_source);
    cl_int rc = clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL);
    RELEASE_PROGRAM(program);
    return rc;
}

static cl_int link_nothing(void)
{
    cl_int rc = 1;
    CHECK(!clLinkProgram(one.context, 0, NULL, "", 0, NULL, NULL, NULL, &rc));
    return rc;
}

static cl_int link_open_end(void)
{
    cl_program program = program_of(no_body);
    REQUIRE_OK(clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_int rc = 1;
    cl_program linked = clLinkProgram(one.context, 0, NULL, "", 1, &program, NULL, NULL, &rc);
    if (linked)
        RELEASE_PROGRAM(linked);
    RELEASE_PROGRAM(program);
    return rc;
}

static void failed_calls(void)
{
    static const struct {
        cl_int (*call)(void);
        cl_int code;
        const char *name, *why; /* what the text begins with and what it contains */
    } rows[] = {
        {buffer, CL_INVALID_BUFFER_SIZE, "clCreateBuffer", "0 bytes"},
        {buffer_without_code, CL_INVALID_BUFFER_SIZE, "clCreateBuffer", "0 bytes"},
        {sub_buffer, CL_INVALID_VALUE, "clCreateSubBuffer", "not inside the buffer"},
        {queue, CL_INVALID_VALUE, "clCreateCommandQueue", "0x100000"},
        {sampler, CL_INVALID_VALUE, "clCreateSampler", "7777"},
        {kernel, CL_INVALID_KERNEL_NAME, "clCreateKernel", "no_such_kernel"},
        {argument_index, CL_INVALID_ARG_INDEX, "clSetKernelArg", "argument 7 of 2"},
        {argument_size, CL_INVALID_ARG_SIZE, "clSetKernelArg", "has 4 bytes, not 3"},
        {unset_argument, CL_INVALID_KERNEL_ARGS, "clEnqueueNDRangeKernel", "0 is not set"},
        {local_size, CL_INVALID_WORK_GROUP_SIZE, "clEnqueueNDRangeKernel", "16777216"},
        {dead_queue, CL_INVALID_COMMAND_QUEUE, "clEnqueueTask", "not a valid queue"},
        {read_behind, CL_INVALID_VALUE, "clEnqueueReadBuffer", "0 + 65 bytes of 64"},
        {map_behind, CL_INVALID_VALUE, "clEnqueueMapBuffer", "1 + 64 bytes of 64"},
        {status_twice, CL_INVALID_OPERATION, "clSetUserEventStatus", "set before"},
        {build, CL_BUILD_PROGRAM_FAILURE, "clBuildProgram", "no_such_name"},
        {build_options, CL_INVALID_BUILD_OPTIONS, "clBuildProgram", "--no-such-option"},
        {compile, CL_COMPILE_PROGRAM_FAILURE, "clCompileProgram", "no_such_name"},
        {link_nothing, CL_INVALID_VALUE, "clLinkProgram", "no input programs"},
        {link_open_end, CL_LINK_PROGRAM_FAILURE, "clLinkProgram", "nowhere"},
        {image, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "clCreateImage", "format"}, /* last: optional */
    };
    size_t count = LEN(rows) - !device_uint(CL_DEVICE_IMAGE_SUPPORT);
    for (size_t i = 0; i < count; i++) {
        char start[128];
        snprintf(start, sizeof start, "%s failed: %s (%d): ", rows[i].name, code_name(rows[i].code),
                 rows[i].code);
        FAILS(rows[i].code, rows[i].call());
        CHECK_EQ(times_heard(&one), 1);
        if (strncmp(one.heard.text, start, strlen(start)) || !strstr(one.heard.text, rows[i].why))
            check_fail(__FILE__, __LINE__, "row %zu: %s", i, one.heard.text);
    }
    CHECK_EQ(times_heard(&other), 0);
}

static void CL_CALLBACK built_aside(cl_program program, void *user)
{
    (void)program;
    atomic_store((atomic_int *)user, 1);
}

/* The call succeeds, the build does not. */
static void failed_build_aside(void)
{
    static atomic_int done;
    cl_program program = program_of(wrong_source);
    done = 0;
    CHECK_OK(clBuildProgram(program, 0, NULL, "", built_aside, &done));
    for (double end = now_seconds() + 60; !done && now_seconds() < end;)
        ;
    REQUIRE(done);
    CHECK_EQ(times_heard(&one), 1);
    CHECK(strstr(one.heard.text, "clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE"));
    CHECK(strstr(one.heard.text, "no_such_name"));
    RELEASE_PROGRAM(program);
}

static void svm(void)
{
    cl_device_svm_capabilities able = 0;
    if (clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof able, &able, NULL) || !able)
        return;
    CHECK(!clSVMAlloc(one.context, CL_MEM_READ_WRITE, SIZE_MAX, 0));
    CHECK_EQ(times_heard(&one), 1);
    CHECK(strstr(one.heard.text, "clSVMAlloc failed: "));
}

/* ---- what is no failed call ------------------------------------------------------------------ */

static void successes(void)
{
    ARG(one.kernel, 0, one.buffer);
    ARG(one.kernel, 1, (cl_int){5});
    CHECK_OK(launch(8, 4));
    CHECK_OK(read_bytes(BYTES));
    CHECK_OK(clFinish(one.queue));
    CHECK_OK(build_with(source, "-DX"));
    CHECK_EQ(times_heard(&one), 0);
}

static void queries(void)
{
    char small;
    size_t need;
    FAILS(CL_INVALID_VALUE, clGetContextInfo(one.context, CL_CONTEXT_DEVICES, 1, &small, &need));
    FAILS(CL_INVALID_VALUE, clGetContextInfo(one.context, 0x7777, 0, NULL, &need));
    FAILS(CL_INVALID_VALUE, clGetMemObjectInfo(one.buffer, CL_MEM_SIZE, 1, &small, &need));
    FAILS(CL_INVALID_VALUE, clGetProgramInfo(one.program, 0x7777, 0, NULL, &need));
    FAILS(CL_INVALID_VALUE,
          clGetKernelWorkGroupInfo(one.kernel, cl.device, 0x7777, 0, NULL, &need));
    FAILS(CL_INVALID_VALUE, clGetCommandQueueInfo(one.queue, CL_QUEUE_CONTEXT, 1, &small, &need));
    FAILS(CL_INVALID_VALUE, clGetSupportedImageFormats(one.context, 0, 0x7777, 0, NULL, NULL));
    CHECK_EQ(times_heard(&one), 0);
}

/* Whoever waits for a command that failed hears of it from the code. */
static void waits(void)
{
    char to[BYTES];
    cl_int rc = 1;
    cl_event event = clCreateUserEvent(one.context, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(event, -7));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueReadBuffer(one.queue, one.buffer, CL_TRUE, 0, BYTES, to, 1, &event, NULL));
    RELEASE_EVENT(event);
    CHECK_EQ(times_heard(&one), 0);
}

/* Of several commands that are replayed, the one that failed is named. */
static void replays(void)
{
    if (!cb_find())
        return;
    const cl_int yes = 1;
    const size_t size = 1;
    cl_kernel trap = kernel_of(one.program, "falls_over");
    cl_command_buffer_khr buffer = cb_new(one.queue, 0);
    ARG(trap, 0, yes);
    ARG(one.kernel, 0, one.buffer);
    ARG(one.kernel, 1, yes);
    REQUIRE_OK(
        cb.launch(buffer, NULL, NULL, one.kernel, 1, NULL, &size, NULL, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.launch(buffer, NULL, NULL, trap, 1, NULL, &size, NULL, 0, NULL, NULL, NULL));
    cb_finalize(buffer);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
        CHECK_EQ(clFinish(one.queue), is_sluice() ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
        CHECK_EQ(times_heard(&one), 1);
        CHECK(strstr(one.heard.text, "NDRANGE_KERNEL falls_over failed: "));
    }
    cb_release(buffer);
    RELEASE_KERNEL(trap);
}

static void without_callback(void)
{
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateBuffer((cl_context)cl.device, 0, 1, NULL, ERR));
    CHECK_EQ(times_heard(&one), 0);
}

static void callback_that_fails(void)
{
    one.heard.again = one.context;
    FAILS(CL_INVALID_BUFFER_SIZE, buffer());
    CHECK_EQ(times_heard(&one), 1);
    settle();
    CHECK_EQ(times_heard(&one), 0);
    one.heard.again = other.context;
    FAILS(CL_INVALID_BUFFER_SIZE, buffer());
    CHECK_EQ(times_heard(&one), 1);
    one.heard.again = NULL;
    FAILS(CL_INVALID_BUFFER_SIZE, buffer()); /* the thread of callbacks is not deaf for good */
    CHECK_EQ(times_heard(&one), 1);
}

static void *fail_often(void *unused)
{
    (void)unused;
    for (size_t i = 1; i <= TURNS; i++)
        FAILS(CL_INVALID_VALUE, read_bytes(BYTES + i));
    return NULL;
}

/* Each failure is told with its own reason. */
static void threads(void)
{
    pthread_t thread[THREADS];
    atomic_store(&one.heard.sum, 0);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(!pthread_create(&thread[i], NULL, fail_often, NULL));
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    CHECK_EQ(times_heard(&one), THREADS * TURNS);
    CHECK_EQ(atomic_load(&one.heard.sum), THREADS * (TURNS * BYTES + TURNS * (TURNS + 1) / 2));
}

#define BETWEEN(fn)                                                                                \
    static void fn##_case(void)                                                                    \
    {                                                                                              \
        setup();                                                                                   \
        fn();                                                                                      \
        teardown();                                                                                \
    }
BETWEEN(failed_calls)
BETWEEN(failed_build_aside)
BETWEEN(svm)
BETWEEN(successes)
BETWEEN(queries)
BETWEEN(waits)
BETWEEN(replays)
BETWEEN(without_callback)
BETWEEN(callback_that_fails)
BETWEEN(threads)

static const struct test_case cases[] = {{"failed_calls", failed_calls_case},
                                         {"failed_build_aside", failed_build_aside_case},
                                         {"svm", svm_case},
                                         {"successes", successes_case},
                                         {"queries", queries_case},
                                         {"waits", waits_case},
                                         {"replays", replays_case},
                                         {"without_callback", without_callback_case},
                                         {"callback_that_fails", callback_that_fails_case},
                                         {"threads", threads_case}};
TEST_MAIN("notify", cases)
