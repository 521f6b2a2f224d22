/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_fpga_host_pipe: packets and maps at the host's end, and every refusal. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <string.h>

static clReadPipeIntelFPGA_fn read_packet;
static clWritePipeIntelFPGA_fn write_packet;
static clMapHostPipeIntelFPGA_fn map_pipe;
static clUnmapHostPipeIntelFPGA_fn unmap_pipe;

static const char source[] =
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "#define HOST __attribute__((intel_host_accessible))\n"
    "kernel void add(int n, read_only pipe int __attribute__((blocking)) HOST a,\n"
    "                write_only pipe int __attribute__((blocking)) HOST b) {\n"
    "    for (int i = 0; i < n; i++) { int v; read_pipe(a, &v); v += 5; write_pipe(b, &v); }\n"
    "}\n"
    "kernel void other(read_only pipe int __attribute__((depth(8))) HOST a, global int *o) {\n"
    "    int v = -1; read_pipe(a, &v); *o = v;\n"
    "}\n"
    "kernel void plain(read_only pipe int a, global int *o) { int v = -1; read_pipe(a, &v); *o = "
    "v; "
    "}\n";

static struct {
    cl_program program;
    cl_kernel add;
    cl_mem in, out;
} design;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static cl_mem new_pipe(cl_mem_flags flags, cl_uint packets)
{
    cl_int rc = 1;
    cl_mem pipe = clCreatePipe(cl.context, flags, 4, packets, NULL, &rc);
    REQUIRE_OK(rc);
    return pipe;
}

static void open_design(void)
{
    if (!has_extension("cl_intel_fpga_host_pipe"))
        check_skip("no host pipes");
    find(&read_packet, "clReadPipeIntelFPGA");
    find(&write_packet, "clWritePipeIntelFPGA");
    find(&map_pipe, "clMapHostPipeIntelFPGA");
    find(&unmap_pipe, "clUnmapHostPipeIntelFPGA");
    design.program = built(source, "");
    design.add = kernel_of(design.program, "add");
    design.in = new_pipe(CL_MEM_HOST_WRITE_ONLY, 8);
    design.out = new_pipe(CL_MEM_HOST_READ_ONLY, 8);
    ARG(design.add, 1, design.in);
    ARG(design.add, 2, design.out);
}

static void close_design(void)
{
    RELEASE_MEM(design.in);
    RELEASE_MEM(design.out);
    RELEASE_KERNEL(design.add);
    RELEASE_PROGRAM(design.program);
}

static void run_add(cl_int count)
{
    ARG(design.add, 0, count);
    run_1d(design.add, 1, 1);
}

static void packets(void)
{
    open_design();
    cl_int got = 77;
    FAILS(CL_PIPE_EMPTY, read_packet(design.out, &got));
    CHECK_EQ(got, 77);
    for (cl_int i = 0; i < 8; i++)
        CHECK_OK(write_packet(design.in, &i));
    FAILS(CL_PIPE_FULL, write_packet(design.in, &got));
    run_add(8);
    for (cl_int i = 0; i < 8; i++) {
        CHECK_OK(read_packet(design.out, &got));
        CHECK_EQ(got, i + 5);
    }
    FAILS(CL_PIPE_EMPTY, read_packet(design.out, &got));
    close_design();
}

static void packets_refused(void)
{
    open_design();
    cl_mem plain = new_pipe(0, 8), buffer = new_buffer(CL_MEM_READ_WRITE, 64, NULL);
    cl_int value = 1;
    FAILS(CL_INVALID_MEM_OBJECT, read_packet(design.in, &value));
    FAILS(CL_INVALID_MEM_OBJECT, write_packet(design.out, &value));
    FAILS(CL_INVALID_MEM_OBJECT, read_packet(plain, &value));
    FAILS(CL_INVALID_MEM_OBJECT, write_packet(plain, &value));
    FAILS(CL_INVALID_MEM_OBJECT, read_packet(buffer, &value));
    FAILS(CL_INVALID_MEM_OBJECT, write_packet(NULL, &value));
    FAILS(CL_INVALID_VALUE, read_packet(design.out, NULL));
    FAILS(CL_INVALID_VALUE, write_packet(design.in, NULL));
    RELEASE_MEM(buffer);
    RELEASE_MEM(plain);
    close_design();
}

/* Packets wait for a kernel that is not even named yet. */
static void before_it_is_bound(void)
{
    open_design();
    cl_int value = 40, got = 7, one = 1;
    cl_mem in = new_pipe(CL_MEM_HOST_WRITE_ONLY, 3), out = new_pipe(CL_MEM_HOST_READ_ONLY, 3);
    size_t size = 0;
    FAILS(CL_PIPE_EMPTY, read_packet(out, &got));
    CREATE_FAILS(CL_OUT_OF_RESOURCES, map_pipe(out, 0, 4, &size, ERR));
    CHECK_OK(write_packet(in, &value));
    cl_int *at = map_pipe(in, 0, 64, &size, NULL); /* more than there is */
    REQUIRE(at && size == 8);
    FAILS(CL_PIPE_FULL, write_packet(in, &value));
    at[0] = 41;
    CHECK_OK(unmap_pipe(in, at, 0, &size));
    CHECK_EQ(size, 0);
    CHECK_OK(unmap_pipe(in, at, 4, NULL));
    ARG(design.add, 1, in);
    ARG(design.add, 2, out);
    run_add(2);
    ARG(design.add, 0, one);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(read_packet(out, &got));
        CHECK_EQ(got, 45 + i);
    }
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    close_design();
}

/* A region holds what the host has not given back; packets are taken behind it. */
static void packets_behind_a_region(void)
{
    open_design();
    size_t size = 0;
    cl_int got = 0;
    for (cl_int i = 0; i < 4; i++)
        CHECK_OK(write_packet(design.in, &i));
    run_add(4);
    cl_int *at = map_pipe(design.out, 0, 8, &size, NULL);
    REQUIRE(at && size == 8);
    CHECK_OK(read_packet(design.out, &got));
    CHECK_EQ(got, 7);
    CHECK_EQ(at[0] + 10 * at[1], 65);
    CHECK_OK(unmap_pipe(design.out, at, 8, &size));
    CHECK_OK(read_packet(design.out, &got));
    CHECK_EQ(got, 8);
    FAILS(CL_PIPE_EMPTY, read_packet(design.out, &got));
    close_design();
}

static void binding(void)
{
    open_design();
    cl_kernel other = kernel_of(design.program, "other"), again = kernel_of(design.program, "add");
    cl_kernel bare = kernel_of(design.program, "plain");
    cl_mem plain = new_pipe(0, 8), deep = new_pipe(CL_MEM_HOST_WRITE_ONLY, 9), wide;
    cl_int rc;
    wide = clCreatePipe(cl.context, CL_MEM_HOST_WRITE_ONLY, 8, 8, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(design.add, 1, sizeof plain, &plain));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(design.add, 1, sizeof design.out, &design.out));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(design.add, 2, sizeof design.in, &design.in));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(design.add, 1, sizeof wide, &wide));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(other, 0, sizeof deep, &deep));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(other, 0, sizeof design.in, &design.in));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(bare, 0, sizeof deep, &deep));
    CHECK_OK(clSetKernelArg(again, 1, sizeof design.in, &design.in));
    CHECK_OK(clSetKernelArg(bare, 0, sizeof plain, &plain));
    RELEASE_KERNEL(other);
    RELEASE_KERNEL(again);
    RELEASE_KERNEL(bare);
    RELEASE_MEM(plain);
    RELEASE_MEM(deep);
    RELEASE_MEM(wide);
    close_design();
}

static void maps_refused(void)
{
    open_design();
    cl_mem plain = new_pipe(0, 8);
    size_t size = 99;
    cl_int word = 0;
    CREATE_FAILS(CL_INVALID_MEM_OBJECT, map_pipe(plain, 0, 4, &size, ERR));
    CREATE_FAILS(CL_INVALID_MEM_OBJECT, map_pipe(NULL, 0, 4, &size, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, map_pipe(design.in, CL_MAP_WRITE, 4, &size, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, map_pipe(design.in, 0, 6, &size, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, map_pipe(design.in, 0, 4, NULL, ERR));
    CHECK_EQ(size, 99);
    CREATE_FAILS(CL_OUT_OF_RESOURCES, map_pipe(design.out, 0, 4, &size, ERR));
    CHECK_EQ(size, 0);
    CHECK(map_pipe(design.out, 0, 4, &size, NULL) == NULL);
    FAILS(CL_INVALID_MEM_OBJECT, unmap_pipe(plain, &word, 4, &size));
    FAILS(CL_INVALID_VALUE, unmap_pipe(design.in, &word, 4, &size));
    FAILS(CL_INVALID_VALUE, unmap_pipe(design.in, NULL, 4, &size));
    cl_int *at = map_pipe(design.in, 0, 8, &size, NULL);
    REQUIRE(at && size == 8);
    FAILS(CL_INVALID_VALUE, unmap_pipe(design.in, at + 1, 4, &size));
    FAILS(CL_INVALID_VALUE, unmap_pipe(design.in, at, 3, &size));
    FAILS(CL_INVALID_VALUE, unmap_pipe(design.in, at, 12, &size));
    CHECK_EQ(size, 8);
    at[0] = at[1] = 0;
    CHECK_OK(unmap_pipe(design.in, at, 8, &size));
    FAILS(CL_INVALID_VALUE, unmap_pipe(design.in, at, 4, &size));
    RELEASE_MEM(plain);
    close_design();
}

/* Two regions open at once, given back in parts and out of turn. */
static void maps(void)
{
    open_design();
    size_t size = 0, done = 0;
    cl_int rc = 1, got;
    cl_int *a = map_pipe(design.in, 0, 16, &size, &rc);
    REQUIRE_OK(rc);
    REQUIRE(a && size == 16);
    cl_int *b = map_pipe(design.in, 0, 0, &size, &rc);
    REQUIRE_OK(rc);
    REQUIRE(b == a + 4 && size == 16);
    CREATE_FAILS(CL_OUT_OF_RESOURCES, map_pipe(design.in, 0, 4, &size, ERR));
    FAILS(CL_PIPE_FULL, write_packet(design.in, &rc));
    for (int i = 0; i < 4; i++)
        a[i] = i, b[i] = 4 + i;
    CHECK_OK(unmap_pipe(design.in, a, 8, &done));
    CHECK_EQ(done, 8);
    run_add(2); /* sees what was given back, at once */
    CHECK_OK(unmap_pipe(design.in, b, 16, &done));
    CHECK_OK(unmap_pipe(design.in, a, 8, &done));
    run_add(6);
    a = map_pipe(design.out, 0, 0, &size, &rc);
    REQUIRE_OK(rc);
    REQUIRE(a && size == 32);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(a[i], i + 5);
    FAILS(CL_PIPE_EMPTY, read_packet(design.out, &got));
    CHECK_OK(unmap_pipe(design.out, a, 32, &done));
    close_design();
}

/* A map adds no capacity: the kernel waits until the host has let go. */
static void maps_keep_capacity(void)
{
    open_design();
    size_t size = 0, done;
    for (cl_int i = 0; i < 8; i++)
        CHECK_OK(write_packet(design.in, &i));
    run_add(8);
    cl_int *a = map_pipe(design.out, 0, 0, &size, NULL), nine = 9, one = 1;
    REQUIRE(a && size == 32);
    CHECK_OK(write_packet(design.in, &nine));
    size_t item = 1;
    cl_event event;
    ARG(design.add, 0, one);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, design.add, 1, NULL, &item, NULL, 0, NULL, &event));
    CHECK_OK(clFlush(cl.queue));
    for (double end = now_seconds() + 0.05; now_seconds() < end;)
        ;
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(unmap_pipe(design.out, a, 4, &done));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(unmap_pipe(design.out, a, 28, &done));
    CHECK_OK(read_packet(design.out, &one));
    CHECK_EQ(one, 14);
    RELEASE_EVENT(event);
    close_design();
}

/* Everything is released with a region open, and while the kernel waits for the host: the packet
 * that it waits for still comes. */
static void released(void)
{
    open_design();
    size_t size = 0, item = 1;
    cl_int one = 1, value = 1, rc = 1;
    cl_event event;
    cl_command_queue queue = new_queue(0);
    cl_mem in = design.in;
    ARG(design.add, 0, one);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, design.add, 1, NULL, &item, NULL, 0, NULL, &event));
    CHECK_OK(clFlush(queue));
    CHECK_OK(clRetainMemObject(in));
    cl_int *open = map_pipe(in, 0, 8, &size, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(write_packet(in, &value));
    RELEASE_QUEUE(queue);
    close_design();
    CHECK(event_status(event) > CL_COMPLETE);
    *open = value;
    CHECK_OK(unmap_pipe(in, open, 4, &size));
    CHECK_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
    RELEASE_MEM(in);
    FAILS(CL_INVALID_MEM_OBJECT, write_packet(in, &value));
}

static const struct test_case cases[] = {
    CASE(packets),
    CASE(packets_refused),
    CASE(before_it_is_bound),
    CASE(packets_behind_a_region),
    CASE(binding),
    CASE(maps_refused),
    CASE(maps),
    CASE(maps_keep_capacity),
    CASE(released),
};
TEST_MAIN("host_pipe", cases)
