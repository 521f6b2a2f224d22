/* SPDX-License-Identifier: Apache-2.0 */
/* clResetKernelsIntelFPGA: launches that hang end, channels are empty, autorun kernels begin anew,
 * and what comes afterwards runs as if the program had just been loaded. */
#include "flow.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <stdlib.h>

static clResetKernelsIntelFPGA_fn reset_kernels;

/* The autorun kernel numbers what comes by. */
static const char counted[] =
    CHANNELS "channel uint a __attribute__((depth(16)));\n"
             "channel uint b __attribute__((depth(16)));\n"
             "channel uint odd __attribute__((depth(16)));\n"
             "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
             "kernel void number() {\n"
             "    for (uint n = 0;; n++) write_channel_intel(b, 100 * n + read_channel_intel(a));\n"
             "}\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b);\n"
             "}\n"
             "kernel void leave(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(odd, 7000 + i);\n"
             "}\n"
             "kernel void take(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(odd);\n"
             "}\n";

static cl_uint numbered(cl_uint i)
{
    return 101 * i;
}

static cl_uint left(cl_uint i)
{
    return 7000 + i;
}

static cl_uint untouched(cl_uint i)
{
    (void)i;
    return 0;
}

static void find_call(void)
{
    reset_kernels = (clResetKernelsIntelFPGA_fn)(size_t)clGetExtensionFunctionAddressForPlatform(
        cl.platform, "clResetKernelsIntelFPGA");
    if (!reset_kernels && !is_sluice())
        check_skip("no clResetKernelsIntelFPGA");
    REQUIRE(reset_kernels != NULL);
}

static void open_all(void)
{
    REQUIRE(!env_open());
    find_call();
}

static void reset_all(void)
{
    CHECK_OK(reset_kernels(cl.context, 1, &cl.device));
}

static cl_event start(cl_command_queue queue, cl_kernel kernel, cl_mem out, cl_uint n)
{
    const size_t one = 1;
    cl_event event;
    REQUIRE_OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    REQUIRE_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    REQUIRE_OK(clFlush(queue));
    return event;
}

static void was_ended(cl_event event)
{
    cl_int status = 1;
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    REQUIRE_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_OUT_OF_RESOURCES);
    REQUIRE_OK(clReleaseEvent(event));
}

/* Odd numbers of packets, so that a count that went on would show. */
static void begins_anew(void)
{
    open_all();
    cl_program program = built(counted, "");
    for (int round = 0; round < 20; round++) {
        program_expect(program, "src dst", 13, numbered);
        program_expect(program, "src", 5, untouched); /* they wait behind `number` */
        reset_all();
    }
    program_expect(program, "src dst", 77, numbered);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void empties_channels(void)
{
    open_all();
    cl_program program = built(counted, "");
    cl_kernel leave = kernel_of(program, "leave");
    cl_mem out = new_uints(16);
    for (cl_uint n = 1; n <= 16; n += 5) {
        cl_event event = start(cl.queue, leave, out, n);
        REQUIRE_OK(clWaitForEvents(1, &event));
        REQUIRE_OK(clReleaseEvent(event));
        reset_all();
        program_expect(program, "leave take", 3 + n, left);
    }
    REQUIRE_OK(clReleaseMemObject(out));
    REQUIRE_OK(clReleaseKernel(leave));
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void ends_who_hangs(void)
{
    open_all();
    cl_program program = built(counted, "");
    cl_kernel dst = kernel_of(program, "dst"), leave = kernel_of(program, "leave");
    cl_mem out = new_uints(100);
    cl_command_queue other = clCreateCommandQueue(cl.context, cl.device, 0, NULL);
    for (int round = 0; round < 20; round++) {
        cl_event reads = start(cl.queue, dst, out, 3), writes = start(other, leave, out, 1000);
        reset_all();
        was_ended(reads);
        was_ended(writes);
        program_expect(program, "src dst", 29, numbered);
        program_expect(program, "leave take", 40, left);
        reset_all();
    }
    REQUIRE_OK(clReleaseCommandQueue(other));
    REQUIRE_OK(clReleaseMemObject(out));
    REQUIRE_OK(clReleaseKernel(dst));
    REQUIRE_OK(clReleaseKernel(leave));
    RELEASE_PROGRAM(program);
    env_close(1);
}

/* Behind a reset come launches at once, whether or not a cluster was divided when it came. */
static void next_to_launches(void)
{
    open_all();
    cl_program program = built(counted, "");
    cl_kernel src = kernel_of(program, "src");
    cl_mem out = new_uints(1);
    for (cl_uint round = 0; round < 200; round++) {
        cl_event event = start(cl.queue, src, out, 1000 + round); /* more than the channels hold */
        reset_all();
        if (round % 3 == 0)
            reset_all();
        program_expect(program, "src dst", 1 + round, numbered);
        reset_all();
        was_ended(event);
    }
    REQUIRE_OK(clReleaseMemObject(out));
    REQUIRE_OK(clReleaseKernel(src));
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void is_released_behind_it(void)
{
    open_all();
    for (int round = 0; round < 50; round++) {
        cl_program program = built(counted, "");
        if (round % 2)
            program_expect(program, "src dst", 5, numbered);
        reset_all();
        RELEASE_PROGRAM(program);
    }
    env_close(1);
}

static void checks_its_arguments(void)
{
    open_all();
    CHECK_OK(reset_kernels(cl.context, 0, NULL)); /* all of them, no program there */
    cl_program program = built(counted, "");
    CHECK_OK(reset_kernels(cl.context, 0, NULL));
    program_expect(program, "src dst", 9, numbered);
    cl_device_id twice[2] = {cl.device, cl.device};
    CHECK_OK(reset_kernels(cl.context, 2, twice));
    program_expect(program, "src dst", 9, numbered);
    FAILS(CL_INVALID_CONTEXT, reset_kernels(NULL, 1, &cl.device));
    FAILS(CL_INVALID_VALUE, reset_kernels(cl.context, 0, &cl.device));
    twice[1] = NULL;
    FAILS(CL_INVALID_DEVICE, reset_kernels(cl.context, 2, twice));
    RELEASE_PROGRAM(program);
    env_close(1);
}

static const struct test_case cases[] = {CASE(begins_anew),           CASE(empties_channels),
                                         CASE(ends_who_hangs),        CASE(next_to_launches),
                                         CASE(is_released_behind_it), CASE(checks_its_arguments)};
TEST_MAIN("reset", cases)
