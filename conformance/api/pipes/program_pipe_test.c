/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_program_scope_host_pipe: by symbol, every refusal, events, life. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static clEnqueueReadHostPipeINTEL_fn enqueue_read;
static clEnqueueWriteHostPipeINTEL_fn enqueue_write;

static const char source[] =
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "#define HOST __attribute__((intel_host_accessible))\n"
    "channel int hin __attribute__((depth(4))) HOST;\n"
    "channel int hout __attribute__((depth(4))) HOST;\n"
    "channel int3 grid[2][3] __attribute__((depth(2))) HOST;\n"
    "channel int inner __attribute__((depth(4)));\n"
    "kernel void add(int n) {\n"
    "    for (int i = 0; i < n; i++) write_channel_intel(hout, read_channel_intel(hin) + 5);\n"
    "}\n"
    "kernel void sum(global int *o) {\n"
    "    int3 v = read_channel_intel(grid[1][2]); *o = v.x + 10 * v.y + 100 * v.z;\n"
    "}\n"
    "kernel void a(void) { write_channel_intel(inner, 1); }\n"
    "kernel void b(global int *o) { *o = read_channel_intel(inner); }\n";

static cl_program program;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static void open_design(void)
{
    if (!has_extension("cl_intel_program_scope_host_pipe"))
        check_skip("no program-scope host pipes");
    if (!is_sluice())
        check_skip("symbols of OpenCL C sources are Sluice's");
    find(&enqueue_read, "clEnqueueReadHostPipeINTEL");
    find(&enqueue_write, "clEnqueueWriteHostPipeINTEL");
    program = built(source, "");
}

static cl_int put(const char *symbol, const void *from, size_t size)
{
    return enqueue_write(cl.queue, program, symbol, CL_TRUE, from, size, 0, NULL, NULL);
}

static cl_int get(const char *symbol, void *to, size_t size)
{
    return enqueue_read(cl.queue, program, symbol, CL_TRUE, to, size, 0, NULL, NULL);
}

static void refused(void)
{
    open_design();
    cl_int word = 0;
    cl_context context = new_context();
    cl_int rc;
    cl_command_queue foreign = clCreateCommandQueueWithProperties(context, cl.device, NULL, &rc);
    REQUIRE_OK(rc);
    cl_program unbuilt = new_program(source);
    FAILS(CL_INVALID_COMMAND_QUEUE,
          enqueue_read(NULL, program, "hout", CL_TRUE, &word, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT,
          enqueue_read(foreign, program, "hout", CL_TRUE, &word, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_PROGRAM,
          enqueue_read(cl.queue, NULL, "hout", CL_TRUE, &word, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          enqueue_read(cl.queue, unbuilt, "hout", CL_TRUE, &word, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, get(NULL, &word, 4));
    FAILS(CL_INVALID_VALUE, get("hout", NULL, 4));
    FAILS(CL_INVALID_VALUE, get("absent", &word, 4));
    FAILS(CL_INVALID_VALUE, get("grid", &word, 4));
    FAILS(CL_INVALID_VALUE, get("hout", &word, 8));
    FAILS(CL_INVALID_VALUE, get("hout", &word, 2));
    FAILS(CL_INVALID_VALUE, get("hout", &word, 0));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          enqueue_read(cl.queue, program, "hout", CL_TRUE, &word, 4, 1, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, get("hin", &word, 4));
    FAILS(CL_INVALID_OPERATION, put("hout", &word, 4));
    FAILS(CL_INVALID_OPERATION, get("inner", &word, 4));
    RELEASE_PROGRAM(unbuilt);
    RELEASE_QUEUE(foreign);
    RELEASE_CONTEXT(context);
    RELEASE_PROGRAM(program);
}

static int has_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; list; list = strchr(list, ';'), list += list != NULL)
        if (!strncmp(list, name, length) && (!list[length] || list[length] == ';'))
            return 1;
    return 0;
}

static void names(void)
{
    open_design();
    size_t count = 0, bytes = 0;
    char text[200] = "";
    CHECK_OK(
        clGetProgramInfo(program, CL_PROGRAM_NUM_HOST_PIPES_INTEL, sizeof count, &count, &bytes));
    CHECK_EQ(bytes, sizeof(size_t));
    CHECK(count >= 3);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_HOST_PIPE_NAMES_INTEL, sizeof text, text, NULL));
    CHECK(has_name(text, "hin") && has_name(text, "hout") && has_name(text, "grid[1][2]"));
    CHECK(!has_name(text, "inner"));
    cl_program unbuilt = new_program(source);
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clGetProgramInfo(unbuilt, CL_PROGRAM_NUM_HOST_PIPES_INTEL, sizeof count, &count, NULL));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clGetProgramInfo(unbuilt, CL_PROGRAM_HOST_PIPE_NAMES_INTEL, sizeof text, text, NULL));
    RELEASE_PROGRAM(unbuilt);
    RELEASE_PROGRAM(program);
}

/* Written before a kernel object exists, read after the launch; contents outlive launches. */
static void transfers(void)
{
    open_design();
    cl_int got = 0;
    for (cl_int i = 0; i < 4; i++)
        CHECK_OK(put("hin", &i, 4));
    cl_kernel add = kernel_of(program, "add");
    for (cl_int i = 0; i < 4; i++) {
        cl_int one = 1;
        ARG(add, 0, one);
        run_1d(add, 1, 1);
    }
    for (cl_int i = 0; i < 4; i++) {
        CHECK_OK(get("hout", &got, 4));
        CHECK_EQ(got, i + 5);
    }
    RELEASE_KERNEL(add);
    RELEASE_PROGRAM(program);
}

static void element_of_an_array(void)
{
    open_design();
    cl_int three[4] = {1, 2, 3, 0}, got = 0;
    cl_mem out = new_buffer(CL_MEM_WRITE_ONLY, 4, NULL);
    cl_kernel sum = kernel_of(program, "sum");
    ARG(sum, 0, out);
    CHECK_OK(put("grid[1][2]", three, 16));
    run_1d(sum, 1, 1);
    read_back(out, 4, &got);
    CHECK_EQ(got, 321);
    RELEASE_KERNEL(sum);
    RELEASE_MEM(out);
    RELEASE_PROGRAM(program);
}

static void events(void)
{
    open_design();
    cl_int got = 77, value[6] = {0}, rc;
    cl_event event, user;
    cl_command_type type = 0;
    REQUIRE_OK(enqueue_read(cl.queue, program, "hout", CL_FALSE, &got, 4, 0, NULL, &event));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_PIPE_EMPTY);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_READ_HOST_PIPE_INTEL);
    CHECK_EQ(got, 77);
    RELEASE_EVENT(event);
    for (int i = 0; i < 6; i++) {
        REQUIRE_OK(
            enqueue_write(cl.queue, program, "hin", CL_FALSE, &value[i], 4, 0, NULL, &event));
        rc = clWaitForEvents(1, &event);
        CHECK_EQ(rc, i < 4 ? CL_SUCCESS : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(event_status(event), i < 4 ? CL_COMPLETE : CL_PIPE_FULL);
        RELEASE_EVENT(event);
    }
    user = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(user, -7));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          enqueue_read(cl.queue, program, "hout", CL_TRUE, &got, 4, 1, &user, NULL));
    REQUIRE_OK(enqueue_read(cl.queue, program, "hout", CL_FALSE, &got, 4, 1, &user, &event));
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(event_status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    RELEASE_EVENT(event);
    RELEASE_EVENT(user);
    RELEASE_PROGRAM(program);
}

static void *read_later(void *data)
{
    cl_command_queue queue = new_queue(0);
    CHECK_OK(enqueue_read(queue, program, "hout", CL_TRUE, data, 4, 0, NULL, NULL));
    RELEASE_QUEUE(queue);
    return NULL;
}

/* A read that waits for a kernel that is launched later, in another queue. */
static void waits_for_kernel(void)
{
    open_design();
    pthread_t thread;
    cl_int got = 0, one = 1, value = 37;
    cl_kernel add = kernel_of(program, "add");
    REQUIRE(!pthread_create(&thread, NULL, read_later, &got));
    ARG(add, 0, one);
    CHECK_OK(put("hin", &value, 4));
    run_1d(add, 1, 1);
    REQUIRE(!pthread_join(thread, NULL));
    CHECK_EQ(got, 42);
    RELEASE_KERNEL(add);
    RELEASE_PROGRAM(program);
}

/* Two programs of one source have pipes of their own; building again empties them. */
static void independent(void)
{
    open_design();
    cl_int value = 3;
    cl_event event;
    cl_program other = built(source, "");
    for (int i = 0; i < 4; i++)
        CHECK_OK(put("hin", &value, 4));
    for (int i = 0; i < 4; i++)
        CHECK_OK(enqueue_write(cl.queue, other, "hin", CL_TRUE, &value, 4, 0, NULL, NULL));
    REQUIRE_OK(enqueue_write(cl.queue, program, "hin", CL_FALSE, &value, 4, 0, NULL, &event));
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(event_status(event), CL_PIPE_FULL);
    RELEASE_EVENT(event);
    CHECK_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    for (int i = 0; i < 4; i++)
        CHECK_OK(put("hin", &value, 4));
    RELEASE_PROGRAM(other);
    RELEASE_PROGRAM(program);
}

/* DPC++ searches the list for it in each read and write of a pipe, which took a third of the time.
 */
static void is_announced_first(void)
{
    static const char name[] = "cl_intel_program_scope_host_pipe ";
    char list[8192];
    open_design();
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL));
    CHECK_EQ(strncmp(list, name, sizeof name - 1), 0);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(refused),     CASE(names),
    CASE(transfers),   CASE(element_of_an_array),
    CASE(events),      CASE(waits_for_kernel),
    CASE(independent), CASE(is_announced_first),
};
TEST_MAIN("program_pipe", cases)
