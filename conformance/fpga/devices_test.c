/* SPDX-License-Identifier: Apache-2.0 */
/* Two emulated FPGAs: each has its own state of one program; a pipe is one device's. */
#include "child.h"
#include "flow.h"

#include <string.h>

#include <CL/cl_ext.h>
#include <CL/cl_ext_sluice.h>

enum { COUNT = 2, ITEMS = 3001 };

static cl_device_id devices[COUNT];
static cl_context both;
static cl_command_queue queues[COUNT][2];

static void set_up(void)
{
    cl_uint count = 0;
    cl_int rc;
    cl_device_type type;
    if (!is_sluice())
        check_skip("one device is all there is");
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    REQUIRE_OK(clGetDeviceIDs(cl.platform, type, COUNT, devices, &count));
    REQUIRE(count == COUNT);
    both = clCreateContext(NULL, COUNT, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    for (int d = 0; d < COUNT; d++)
        for (int q = 0; q < 2; q++) {
            queues[d][q] = clCreateCommandQueue(both, devices[d], 0, &rc);
            REQUIRE_OK(rc);
        }
}

static void tear_down(void)
{
    for (int d = 0; d < COUNT; d++)
        for (int q = 0; q < 2; q++)
            CHECK_OK(clReleaseCommandQueue(queues[d][q]));
    CHECK_OK(clReleaseContext(both));
}

static cl_program build_for_both(const char *source, const char *options)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(both, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, COUNT, devices, options, NULL, NULL));
    return program;
}

static cl_mem buffer_of_both(size_t bytes)
{
    cl_int rc;
    cl_mem mem = clCreateBuffer(both, CL_MEM_READ_WRITE, bytes, NULL, &rc);
    REQUIRE_OK(rc);
    return mem;
}

static void start(int device, int queue, cl_program program, const char *name, cl_mem out,
                  cl_uint n)
{
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    REQUIRE_OK(clEnqueueTask(queues[device][queue], kernel, 0, NULL, NULL));
    REQUIRE_OK(clFlush(queues[device][queue]));
    RELEASE_KERNEL(kernel);
}

static void names_differ(void)
{
    char names[COUNT][64];
    cl_uchar uuids[COUNT][CL_UUID_SIZE_KHR];
    set_up();
    for (int d = 0; d < COUNT; d++) {
        CHECK_OK(clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof names[d], names[d], NULL));
        CHECK_OK(clGetDeviceInfo(devices[d], CL_DEVICE_UUID_KHR, sizeof uuids[d], uuids[d], NULL));
    }
    CHECK(strcmp(names[0], names[1]) != 0);
    CHECK(memcmp(uuids[0], uuids[1], sizeof uuids[0]) != 0);
    tear_down();
}

/* Both run at once; what one's writer puts into the channel the other's reader never sees. */
static void own_channels(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(4)));\n"
                 "kernel void src(global uint *base, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, base[0] + i);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                 "}\n";
    static const cl_uint bases[COUNT] = {1000, 700000};
    static cl_uint got[ITEMS];
    cl_mem in[COUNT], out[COUNT];
    set_up();
    cl_program program = build_for_both(source, "");
    for (int d = 0; d < COUNT; d++) {
        in[d] = buffer_of_both(sizeof bases[d]);
        out[d] = buffer_of_both(sizeof got);
        REQUIRE_OK(clEnqueueWriteBuffer(queues[d][0], in[d], CL_TRUE, 0, sizeof bases[d], &bases[d],
                                        0, NULL, NULL));
    }
    for (int d = 0; d < COUNT; d++)
        start(d, 0, program, "dst", out[d], ITEMS);
    for (int d = 0; d < COUNT; d++)
        start(d, 1, program, "src", in[d], ITEMS);
    for (int d = 0; d < COUNT; d++) {
        REQUIRE_OK(
            clEnqueueReadBuffer(queues[d][0], out[d], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        REQUIRE_OK(clFinish(queues[d][1]));
        for (cl_uint i = 0; i < ITEMS; i++)
            if (got[i] != bases[d] + i) {
                check_fail(__FILE__, __LINE__, "device %d: [%u] is %u, not %u", d, i, got[i],
                           bases[d] + i);
                break;
            }
        RELEASE_MEM(in[d]);
        RELEASE_MEM(out[d]);
    }
    RELEASE_PROGRAM(program);
    tear_down();
}

/* The host's end of a pipe is one device's from its first use on. */
static void one_device_per_host_pipe(void)
{
    static const char source[] = CHANNELS HOST_PIPES
        "channel uint there __attribute__((depth(8))) __attribute__((intel_host_accessible));\n"
        "kernel void dst(global uint *o, uint n) { o[0] = read_channel_intel(there) + n; }\n";
    clEnqueueWriteHostPipeINTEL_fn write = NULL;
    void *found =
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clEnqueueWriteHostPipeINTEL");
    cl_uint value = 41, got = 0;
    REQUIRE(found);
    memcpy(&write, &found, sizeof write);
    set_up();
    cl_program program = build_for_both(source, "");
    cl_mem out = buffer_of_both(sizeof got);
    REQUIRE_OK(write(queues[1][0], program, "there", CL_TRUE, &value, 4, 0, NULL, NULL));
    CHECK_EQ(write(queues[0][0], program, "there", CL_TRUE, &value, 4, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    start(1, 1, program, "dst", out, 1);
    REQUIRE_OK(clEnqueueReadBuffer(queues[1][1], out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK_EQ(got, 42);
    RELEASE_MEM(out);
    RELEASE_PROGRAM(program);
    tear_down();
}

/* Each device has its own variables; what gives them their values runs on both. */
static void own_variables(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(4)));\n"
                 "global uint next = 10;\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, next++);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                 "}\n";
    static const cl_uint counts[COUNT] = {100, 1};
    static cl_uint got[100];
    set_up();
    cl_program program = build_for_both(source, "-cl-std=CL3.0");
    cl_mem out = buffer_of_both(sizeof got);
    cl_uint next[COUNT] = {10, 10};
    for (int round = 0; round < 2 * COUNT; round++) {
        int d = round % COUNT;
        start(d, 0, program, "src", out, counts[d]);
        start(d, 1, program, "dst", out, counts[d]);
        REQUIRE_OK(clFinish(queues[d][0]));
        REQUIRE_OK(
            clEnqueueReadBuffer(queues[d][1], out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (cl_uint i = 0; i < counts[d]; i++)
            CHECK_EQ(got[i], next[d]++);
    }
    RELEASE_MEM(out);
    RELEASE_PROGRAM(program);
    tear_down();
}

/* ---- which there are ------------------------------------------------------------------------- */

static void job_listed(void)
{
    static const char *const names[] = {"emulator 2", "CPU", "emulator", "emulator 3"};
    cl_platform_id platform;
    cl_device_id found[LEN(names)];
    cl_uint count;
    char name[128];
    REQUIRE_OK(clGetPlatformIDs(1, &platform, NULL));
    REQUIRE_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, LEN(names), found, &count));
    CHECK_EQ(count, LEN(names));
    for (cl_uint i = 0; i < count && i < LEN(names); i++) {
        REQUIRE_OK(clGetDeviceInfo(found[i], CL_DEVICE_NAME, sizeof name, name, NULL));
        const char *end = strstr(name, names[i]);
        if (!strcmp(names[i], "CPU"))
            CHECK(!strstr(name, "FPGA"));
        else
            CHECK(end && !strcmp(end, names[i]));
    }
}

/* Blanks beside the commas and letters of either case are no reason to find nothing. */
static void listed_as_people_write(void)
{
    const char *env[] = {"SLUICE_FPGA_DEVICES=3", "SLUICE_DEVICES= Fpga2 , CPU,\tfpga ", NULL};
    if (!is_sluice())
        check_skip("a setting of Sluice");
    child_ends(&(struct child_plan){.job = "job_listed", .env = env}, 0);
}

/* Who asks for several and names fpga gets them all, but those that stand elsewhere in the list. */
static void listed_by_one_name(void)
{
    const char *env[] = {"SLUICE_FPGA_DEVICES=3", "SLUICE_DEVICES=fpga2,cpu,fpga", NULL};
    if (!is_sluice())
        check_skip("a setting of Sluice");
    child_ends(&(struct child_plan){.job = "job_listed", .env = env}, 0);
}

static const struct test_case cases[] = {
    CASE(names_differ),  CASE(own_channels),       CASE(one_device_per_host_pipe),
    CASE(own_variables), CASE(listed_by_one_name), CASE(listed_as_people_write),
};
static const struct test_case jobs[] = {CASE(job_listed)};
JOBS_MAIN("devices", cases, jobs)
