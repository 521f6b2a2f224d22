/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_global_variable_access: the host reads and writes a program's variables by name, and
 * asks for their addresses. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static clEnqueueReadGlobalVariableINTEL_fn enqueue_read;
static clEnqueueWriteGlobalVariableINTEL_fn enqueue_write;
static clGetDeviceGlobalVariablePointerINTEL_fn get_pointer;

enum { LARGE = 200003, TABLE = 10 };
static const char source[] =
    "global int counter = 123;\n"
    "global long table[10] = {5, 4, 3};\n"
    "global uchar large[200003];\n"
    "global const int fixed[3] = {7, 8, 9};\n"
    "constant int elsewhere = 4;\n"
    "static global int hidden = 1;\n"
    "global int never_used = 55;\n"
    "global int only_read = 6;\n"
    "kernel void look(global long *out)\n"
    "{\n"
    "    static global int inside = 3;\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = counter + table[i % 10] + elsewhere + hidden + inside + only_read + large[i];\n"
    "}\n"
    "kernel void change(int by)\n"
    "{\n"
    "    counter += by; table[9] = by; hidden++; large[200002] = by;\n"
    "}\n"
    "kernel void copy(global long *from, global long *to)\n"
    "{\n"
    "    to[get_global_id(0)] = from[get_global_id(0)];\n"
    "}\n";

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static cl_program open_program(void)
{
    if (!has_extension("cl_intel_global_variable_access"))
        check_skip("variables are the program's own business");
    find(&enqueue_read, "clEnqueueReadGlobalVariableINTEL");
    find(&enqueue_write, "clEnqueueWriteGlobalVariableINTEL");
    find(&get_pointer, "clGetDeviceGlobalVariablePointerINTEL");
    return built(source, "-cl-std=CL3.0");
}

static cl_int get(cl_program program, const char *name, size_t size, size_t offset, void *to)
{
    return enqueue_read(cl.queue, program, name, CL_TRUE, size, offset, to, 0, NULL, NULL);
}

static cl_int put(cl_program program, const char *name, size_t size, size_t offset,
                  const void *from)
{
    return enqueue_write(cl.queue, program, name, CL_TRUE, size, offset, from, 0, NULL, NULL);
}

static cl_int counter_of(cl_program program)
{
    cl_int value = -1;
    CHECK_OK(get(program, "counter", sizeof value, 0, &value));
    return value;
}

static void change(cl_program program, cl_int by)
{
    cl_kernel kernel = kernel_of(program, "change");
    ARG(kernel, 0, by);
    run_1d(kernel, 1, 1);
    RELEASE_KERNEL(kernel);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void host_sees_kernels(void)
{
    cl_program program = open_program();
    cl_long table[TABLE];
    cl_uchar last = 9;
    CHECK_EQ(counter_of(program), 123);
    CHECK_OK(get(program, "table", sizeof table, 0, table));
    for (int i = 0; i < TABLE; i++)
        CHECK_EQ(table[i], i < 3 ? 5 - i : 0);
    change(program, 17);
    CHECK_EQ(counter_of(program), 140);
    CHECK_OK(get(program, "table", sizeof *table, 9 * sizeof *table, table));
    CHECK_EQ(table[0], 17);
    CHECK_OK(get(program, "large", 1, LARGE - 1, &last));
    CHECK_EQ(last, 17);
    CHECK_OK(get(program, "never_used", 4, 0, table));
    CHECK_EQ((cl_int)table[0], 55);
    RELEASE_PROGRAM(program);
}

static void look_after_writes(const char *options)
{
    static cl_long out[LARGE];
    cl_program program = built(source, options);
    cl_uchar *bytes = malloc(LARGE);
    cl_mem mem = new_buffer(0, sizeof out, NULL);
    cl_int value = 1000, read_value = 2000;
    const cl_long two[2] = {70, 80};
    REQUIRE(bytes);
    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (cl_uchar)(i * 7);
    CHECK_OK(put(program, "counter", sizeof value, 0, &value));
    CHECK_OK(put(program, "only_read", sizeof read_value, 0, &read_value));
    CHECK_OK(put(program, "table", sizeof two, 7 * sizeof *two, two));
    CHECK_OK(put(program, "large", LARGE, 0, bytes));
    cl_kernel kernel = kernel_of(program, "look");
    ARG(kernel, 0, mem);
    run_1d(kernel, LARGE, 0);
    read_back(mem, sizeof out, out);
    for (size_t i = 0; i < LARGE; i++) {
        static const cl_long table[TABLE] = {5, 4, 3, 0, 0, 0, 0, 70, 80, 0};
        CHECK_EQ(out[i], 1000 + table[i % TABLE] + 4 + 1 + 3 + 2000 + bytes[i]);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
    free(bytes);
}

/* Also of a variable that no kernel ever writes, which the compiler might take for a constant. */
static void kernels_see_host(void)
{
    RELEASE_PROGRAM(open_program());
    look_after_writes("-cl-std=CL3.0");
    look_after_writes("-cl-std=CL3.0 -cl-opt-disable");
}

/* As many kernels as several processes compile, and as would get their code when it is wanted. */
static void many_kernels_see_host(void)
{
    enum { KERNELS = 40 };
    static char text[KERNELS * 120 + 100] = "global int only_read = 6;\n";
    cl_mem mem = new_buffer(0, sizeof(cl_int), NULL);
    const cl_int value = 77;
    RELEASE_PROGRAM(open_program());
    for (size_t k = 0, end = strlen(text); k < KERNELS; k++)
        end += (size_t)snprintf(text + end, sizeof text - end,
                                "kernel void k%zu(global int *out) { out[0] = only_read * %zu; }\n",
                                k, k + 1);
    cl_program program = built(text, "-cl-std=CL3.0");
    CHECK_OK(put(program, "only_read", sizeof value, 0, &value));
    for (cl_int k = 0; k < KERNELS; k++) {
        char name[16];
        cl_int got = 0;
        snprintf(name, sizeof name, "k%d", k);
        cl_kernel kernel = kernel_of(program, name);
        ARG(kernel, 0, mem);
        run_1d(kernel, 1, 1);
        read_back(mem, sizeof got, &got);
        CHECK_EQ(got, 77 * (k + 1));
        RELEASE_KERNEL(kernel);
    }
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
}

static void each_program_has_its_own(void)
{
    cl_program one = open_program(), other = built(source, "-cl-std=CL3.0");
    cl_int value = 5;
    CHECK_OK(put(one, "counter", sizeof value, 0, &value));
    CHECK_EQ(counter_of(other), 123);
    CHECK_EQ(counter_of(one), 5);
    REQUIRE_OK(clBuildProgram(one, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
    CHECK_EQ(counter_of(one), 123); /* built again, it begins again */
    RELEASE_PROGRAM(one);
    RELEASE_PROGRAM(other);
}

/* One program, two devices. */
static void each_device_has_its_own(void)
{
    const char *text = source;
    cl_device_id list[16], devices[2] = {cl.device, NULL};
    cl_uint count = 0;
    cl_int rc, value = 31, got[2] = {0, 0};
    RELEASE_PROGRAM(open_program());
    CHECK_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    for (cl_uint i = 0; i < count && i < LEN(list); i++)
        if (list[i] != cl.device)
            devices[1] = list[i];
    if (!devices[1])
        check_skip("there is one device");
    cl_context both = clCreateContext(NULL, 2, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_program program = clCreateProgramWithSource(both, 1, &text, NULL, &rc);
    REQUIRE_OK(clBuildProgram(program, 2, devices, "-cl-std=CL3.0", NULL, NULL));
    for (int d = 1; d >= 0; d--) {
        cl_command_queue queue = clCreateCommandQueueWithProperties(both, devices[d], NULL, &rc);
        REQUIRE_OK(rc);
        if (d)
            CHECK_OK(
                enqueue_write(queue, program, "counter", CL_TRUE, 4, 0, &value, 0, NULL, NULL));
        CHECK_OK(enqueue_read(queue, program, "counter", CL_TRUE, 4, 0, &got[d], 0, NULL, NULL));
        RELEASE_QUEUE(queue);
    }
    CHECK_EQ(got[0], 123);
    CHECK_EQ(got[1], 31);
    void *at[2];
    for (int d = 0; d < 2; d++)
        CHECK_OK(get_pointer(devices[d], program, "counter", NULL, &at[d]));
    CHECK(at[0] != at[1]);
    RELEASE_PROGRAM(program);
    RELEASE_CONTEXT(both);
}

static void objects_and_binaries(void)
{
    cl_int rc, value = 0;
    RELEASE_PROGRAM(open_program());
    cl_program parts[2] = {
        new_program("global int shared_value = 40; static global int own = 1;\n"
                    "int next(void) { return ++shared_value + own; }\n"),
        new_program("extern global int shared_value; static global int own = 2; int next(void);\n"
                    "kernel void k(global int *out) { *out = next() + shared_value + own; }\n")};
    for (int i = 0; i < 2; i++)
        REQUIRE_OK(
            clCompileProgram(parts[i], 1, &cl.device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    cl_program linked = clLinkProgram(cl.context, 1, &cl.device, NULL, 2, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(get(linked, "shared_value", 4, 0, &value));
    CHECK_EQ(value, 40);
    FAILS(CL_INVALID_ARG_VALUE, get(linked, "own", 4, 0, &value));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE, get(parts[0], "shared_value", 4, 0, &value));
    size_t bytes;
    CHECK_OK(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    REQUIRE(binary);
    CHECK_OK(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    value = 7;
    CHECK_OK(put(linked, "shared_value", 4, 0, &value));
    cl_program again = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes,
                                                 (const unsigned char **)&binary, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(again, 1, &cl.device, NULL, NULL, NULL));
    CHECK_OK(get(again, "shared_value", 4, 0, &value));
    CHECK_EQ(value, 40);
    free(binary);
    RELEASE_PROGRAM(again);
    RELEASE_PROGRAM(linked);
    for (int i = 0; i < 2; i++)
        RELEASE_PROGRAM(parts[i]);
}

/* Names of C++ are what the linker calls them. */
static void of_cxx(void)
{
    cl_int value = 0;
    RELEASE_PROGRAM(open_program());
    if (!has_extension("cl_ext_cxx_for_opencl"))
        check_skip("no C++ for OpenCL");
    cl_program program = built("struct point { int x, y; point(int a) : x(a), y(a + 1) {} };\n"
                               "point here(20);\n"
                               "namespace deep { point there(30); }\n"
                               "kernel void k(global int *o) { *o = here.x + deep::there.y; }\n",
                               "-cl-std=CLC++2021");
    CHECK_OK(get(program, "here", 4, 4, &value));
    CHECK_EQ(value, 21);
    CHECK_OK(get(program, "_ZN4deep5thereE", 4, 0, &value));
    CHECK_EQ(value, 30);
    RELEASE_PROGRAM(program);
}

/* ---- the address ----------------------------------------------------------------------------- */

static void kernels_take_the_address(void)
{
    cl_program program = open_program();
    cl_mem mem = new_buffer(0, TABLE * sizeof(cl_long), NULL);
    cl_long out[TABLE];
    void *at = NULL, *alone = NULL;
    size_t size = 0;
    CHECK_OK(get_pointer(cl.device, program, "table", &size, &at));
    CHECK_OK(get_pointer(cl.device, program, "table", NULL, &alone));
    CHECK_EQ(size, TABLE * sizeof(cl_long));
    CHECK(at && at == alone);
    cl_kernel kernel = kernel_of(program, "copy");
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, at));
    ARG(kernel, 1, mem);
    run_1d(kernel, TABLE, 0);
    read_back(mem, sizeof out, out);
    for (int i = 0; i < TABLE; i++)
        CHECK_EQ(out[i], i < 3 ? 5 - i : 0);
    const cl_long value = 99;
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, (char *)at + 8, &value, 8, 0, NULL, NULL));
    CHECK_OK(get(program, "table", 8, 8, out));
    CHECK_EQ(out[0], 99);
    CHECK_OK(get_pointer(cl.device, program, "fixed", &size, &at));
    CHECK_EQ(size, 12);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void event_type(cl_event event, cl_command_type wanted)
{
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, wanted);
}

/* Small ones and large ones wait for their events; the order of the queue holds. */
static void order(void)
{
    static cl_uchar from[LARGE], to[LARGE];
    cl_program program = open_program();
    cl_int rc, zero = -1, one = 1;
    cl_event begin = clCreateUserEvent(cl.context, &rc), events[4];
    REQUIRE_OK(rc);
    memset(from, 0x5a, sizeof from);
    memset(to, 0, sizeof to);
    CHECK_OK(
        enqueue_write(cl.queue, program, "counter", CL_FALSE, 4, 0, &one, 1, &begin, &events[0]));
    CHECK_OK(
        enqueue_write(cl.queue, program, "large", CL_FALSE, LARGE, 0, from, 0, NULL, &events[1]));
    CHECK_OK(
        enqueue_read(cl.queue, program, "counter", CL_FALSE, 4, 0, &zero, 0, NULL, &events[2]));
    CHECK_OK(enqueue_read(cl.queue, program, "large", CL_FALSE, LARGE, 0, to, 0, NULL, &events[3]));
    CHECK_OK(clFlush(cl.queue));
    CHECK_EQ(zero, -1);
    CHECK_EQ(to[LARGE - 1], 0);
    for (int i = 0; i < 4; i++)
        event_type(events[i], i < 2 ? CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL
                                    : CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL);
    CHECK_OK(clSetUserEventStatus(begin, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(4, events));
    CHECK_EQ(zero, 1);
    CHECK(!memcmp(from, to, sizeof to));
    for (int i = 0; i < 4; i++)
        RELEASE_EVENT(events[i]);
    RELEASE_EVENT(begin);
    RELEASE_PROGRAM(program);
}

/* What waits keeps the variable, whatever becomes of the program. */
static void program_may_go(void)
{
    for (int again = 0; again < 2; again++) {
        cl_program program = open_program();
        cl_int rc, got = -1, five = 5;
        cl_event begin = clCreateUserEvent(cl.context, &rc);
        REQUIRE_OK(rc);
        CHECK_OK(
            enqueue_write(cl.queue, program, "counter", CL_FALSE, 4, 0, &five, 1, &begin, NULL));
        CHECK_OK(enqueue_read(cl.queue, program, "counter", CL_FALSE, 4, 0, &got, 0, NULL, NULL));
        if (again) {
            REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
            CHECK_OK(clSetUserEventStatus(begin, CL_COMPLETE));
            CHECK_OK(clFinish(cl.queue));
            CHECK_EQ(counter_of(program), 123);
            RELEASE_PROGRAM(program);
        } else {
            RELEASE_PROGRAM(program);
            CHECK_OK(clSetUserEventStatus(begin, CL_COMPLETE));
            CHECK_OK(clFinish(cl.queue));
        }
        CHECK_EQ(got, 5);
        RELEASE_EVENT(begin);
    }
}

static void failed_wait(void)
{
    cl_program program = open_program();
    cl_int rc, value = 5;
    cl_event failed = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(failed, -5));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          enqueue_write(cl.queue, program, "counter", CL_TRUE, 4, 0, &value, 1, &failed, NULL));
    CHECK_EQ(counter_of(program), 123);
    RELEASE_EVENT(failed);
    RELEASE_PROGRAM(program);
}

static void refused(void)
{
    cl_program program = open_program();
    cl_int value[4] = {0};
    void *at;
    FAILS(CL_INVALID_VALUE, get(program, "counter", 5, 0, value));
    FAILS(CL_INVALID_VALUE, get(program, "counter", 1, 4, value));
    FAILS(CL_INVALID_VALUE, get(program, "counter", (size_t)-1, 2, value));
    FAILS(CL_INVALID_VALUE, put(program, "table", 8, 73, value));
    CHECK_OK(get(program, "counter", 0, 4, value));
    FAILS(CL_INVALID_ARG_VALUE, get(program, "elsewhere", 4, 0, value));
    FAILS(CL_INVALID_ARG_VALUE, get(program, "hidden", 4, 0, value));
    FAILS(CL_INVALID_ARG_VALUE, get(program, "inside", 4, 0, value));
    FAILS(CL_INVALID_ARG_VALUE, get(program, "look", 4, 0, value));
    FAILS(CL_INVALID_ARG_VALUE, get(program, "", 4, 0, value));
    CHECK_OK(get(program, "fixed", 12, 0, value));
    CHECK_EQ(value[1], 8);
    FAILS(CL_INVALID_OPERATION, put(program, "fixed", 4, 0, value));
    FAILS(CL_INVALID_ARG_VALUE, get_pointer(cl.device, program, "hidden", NULL, &at));
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(host_sees_kernels),
    CASE(kernels_see_host),
    CASE(many_kernels_see_host),
    CASE(each_program_has_its_own),
    CASE(each_device_has_its_own),
    CASE(objects_and_binaries),
    CASE(of_cxx),
    CASE(kernels_take_the_address),
    CASE(order),
    CASE(program_may_go),
    CASE(failed_wait),
    CASE(refused),
};
TEST_MAIN("variable", cases)
