/* SPDX-License-Identifier: Apache-2.0 */
/* Pipe objects: creation, queries, what buffers can do and pipes cannot, kernel arguments. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void send(write_only pipe int p, int n) {\n"
    "    for (int i = 0; i < n; i++) { int v = i * 3 + 1; write_pipe(p, &v); }\n"
    "}\n"
    "kernel void receive(read_only pipe int p, int n, global int *o) {\n"
    "    for (int i = 0; i < n; i++) { int v = -1; o[i] = read_pipe(p, &v) ? -1 : v; }\n"
    "}\n"
    "kernel void wide(read_only pipe long p, global long *o) { long v; read_pipe(p, &v); *o = v; "
    "}\n";

/* A device of OpenCL 1.2 with the FPGA extensions has pipes but not the query. */
static int has_pipes(void)
{
    cl_bool answer = CL_FALSE;
    if (clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_SUPPORT, sizeof answer, &answer, NULL))
        return has_extension("cl_intel_fpga_host_pipe");
    return answer;
}

/* The FPGA's language has pipes in every version. */
static const char *language(void)
{
    return has_extension("cl_intel_channels") ? "-cl-kernel-arg-info"
                                              : "-cl-kernel-arg-info -cl-std=CL3.0";
}

static void need_pipes(void)
{
    if (!has_pipes())
        check_skip("the device has no pipes");
}

static cl_mem new_pipe(cl_mem_flags flags, cl_uint bytes, cl_uint packets)
{
    cl_int rc = 1;
    cl_mem pipe = clCreatePipe(cl.context, flags, bytes, packets, NULL, &rc);
    REQUIRE_OK(rc);
    return pipe;
}

static void create(void)
{
    const cl_pipe_properties none[] = {0};
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, ERR));
    if (!has_pipes()) {
        CREATE_FAILS(CL_INVALID_OPERATION, clCreatePipe(cl.context, 0, 4, 4, NULL, ERR));
        return;
    }
    cl_uint most = device_uint(CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    CHECK(most >= 1024);
    CREATE_FAILS(CL_INVALID_VALUE, clCreatePipe(cl.context, 1ul << 40, 4, 4, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreatePipe(cl.context, CL_MEM_USE_HOST_PTR, 4, 4, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreatePipe(cl.context, CL_MEM_READ_ONLY, 4, 4, NULL, ERR));
    CREATE_FAILS(
        CL_INVALID_VALUE,
        clCreatePipe(cl.context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 4, 4, NULL, ERR));
    CREATE_FAILS(
        CL_INVALID_VALUE,
        clCreatePipe(cl.context, CL_MEM_HOST_READ_ONLY | CL_MEM_READ_WRITE, 4, 4, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreatePipe(cl.context, 0, 4, 4, none, ERR));
    CREATE_FAILS(CL_INVALID_PIPE_SIZE, clCreatePipe(cl.context, 0, 0, 4, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PIPE_SIZE, clCreatePipe(cl.context, 0, 4, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PIPE_SIZE, clCreatePipe(cl.context, 0, most + 1, 4, NULL, ERR));
    RELEASE_MEM(new_pipe(0, most, 1));
    RELEASE_MEM(new_pipe(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 3, 5));
    CHECK(clCreatePipe(cl.context, 0, 0, 4, NULL, NULL) == NULL);
}

static void info(void)
{
    need_pipes();
    cl_mem pipe = new_pipe(CL_MEM_READ_WRITE, 12, 7);
    cl_mem buffer = new_buffer(CL_MEM_READ_WRITE, 64, NULL);
    cl_uint number = 0;
    size_t size = 99;
    cl_context context = NULL;
    CHECK_OK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size));
    CHECK_EQ(number, 12);
    CHECK_EQ(size, sizeof number);
    CHECK_OK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    CHECK_EQ(number, 7);
    CHECK_OK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    CHECK_EQ(size, 0);
    FAILS(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 1, &number, NULL));
    FAILS(CL_INVALID_VALUE, clGetPipeInfo(pipe, 0x1, sizeof number, &number, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 4, &number, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &number, NULL));
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof number, &number, NULL));
    CHECK_EQ(number, CL_MEM_OBJECT_PIPE);
    cl_mem_flags flags = 0;
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags & CL_MEM_READ_WRITE);
    CHECK(!(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)));
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == cl.context);
    CHECK_OK(clRetainMemObject(pipe));
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_REFERENCE_COUNT, sizeof number, &number, NULL));
    CHECK_EQ(number, 2);
    RELEASE_MEM(pipe);
    RELEASE_MEM(pipe);
    RELEASE_MEM(buffer);
}

static void device_info(void)
{
    if (!is_sluice())
        check_skip("Sluice's own queries");
    cl_uint pipes =
        (cl_uint)has_extension("cl_intel_channels"); /* whose ends are program and host */
    int objects = device_uint(CL_DEVICE_PIPE_SUPPORT) != 0;
    CHECK_EQ(device_uint(CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024, objects);
    CHECK(objects || !pipes);
    CHECK_EQ(device_uint(CL_DEVICE_MAX_PIPE_ARGS) >= 16, objects);
    CHECK_EQ(device_uint(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1, objects);
    CHECK_EQ(device_uint(CL_DEVICE_KERNEL_KERNEL_PIPE_SUPPORT_SLUICE), pipes);
    CHECK_EQ(device_uint(CL_DEVICE_KERNEL_HOST_PIPE_SUPPORT_SLUICE), pipes);
    CHECK_EQ(device_uint(CL_DEVICE_MAX_HOST_READ_PIPES_SLUICE) > 0, pipes);
    CHECK_EQ(device_uint(CL_DEVICE_MAX_HOST_WRITE_PIPES_SLUICE) > 0, pipes);
    CHECK_EQ(has_extension("cl_intel_fpga_host_pipe"), (int)pipes);
    CHECK_EQ(has_extension("cl_intel_program_scope_host_pipe"), (int)pipes);
}

static void no_buffer(void)
{
    need_pipes();
    cl_mem pipe = new_pipe(0, 4, 64), buffer = new_buffer(CL_MEM_READ_WRITE, 256, NULL);
    cl_buffer_region part = {0, 16};
    cl_int four = 4;
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueReadBuffer(cl.queue, pipe, CL_TRUE, 0, 4, &four, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueWriteBuffer(cl.queue, pipe, CL_TRUE, 0, 4, &four, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyBuffer(cl.queue, pipe, buffer, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyBuffer(cl.queue, buffer, pipe, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT,
          clEnqueueFillBuffer(cl.queue, pipe, &four, 4, 0, 4, 0, NULL, NULL));
    CREATE_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueMapBuffer(cl.queue, pipe, CL_TRUE, CL_MAP_READ, 0,
                                                           4, 0, NULL, NULL, ERR));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(cl.queue, pipe, &four, 0, NULL, NULL));
    CREATE_FAILS(CL_INVALID_MEM_OBJECT,
                 clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, ERR));
    RELEASE_MEM(buffer);
    RELEASE_MEM(pipe);
}

static void arguments(void)
{
    need_pipes();
    cl_program program = built(source, language());
    cl_kernel send = kernel_of(program, "send"), wide = kernel_of(program, "wide");
    cl_mem pipe = new_pipe(0, 4, 16), buffer = new_buffer(CL_MEM_READ_WRITE, 64, NULL), null = NULL;
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(send, 0, 4, &pipe));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(send, 0, sizeof pipe, NULL));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(send, 0, sizeof null, &null));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(send, 0, sizeof buffer, &buffer));
    FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(wide, 1, sizeof pipe, &pipe));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(wide, 0, sizeof pipe, &pipe));
    CHECK_OK(clSetKernelArg(send, 0, sizeof pipe, &pipe));
    cl_kernel_arg_type_qualifier type = 0;
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_address_qualifier space = 0;
    char name[16] = "";
    CHECK_OK(
        clGetKernelArgInfo(send, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    CHECK_EQ(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    CHECK_OK(clGetKernelArgInfo(send, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL));
    CHECK(type & CL_KERNEL_ARG_TYPE_PIPE);
    CHECK_OK(
        clGetKernelArgInfo(send, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    CHECK_EQ(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    CHECK_OK(clGetKernelArgInfo(send, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    CHECK(!strcmp(name, "int"));
    RELEASE_KERNEL(send);
    RELEASE_KERNEL(wide);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(buffer);
    RELEASE_MEM(pipe);
}

/* What one kernel leaves in the pipe the next one finds, in order; no more than fits. */
static void contents_stay(void)
{
    need_pipes();
    enum { DEPTH = 17, ASKED = 20 };
    cl_program program = built(source, language());
    cl_kernel send = kernel_of(program, "send"), receive = kernel_of(program, "receive");
    cl_mem pipe = new_pipe(0, 4, DEPTH), out = new_buffer(CL_MEM_WRITE_ONLY, ASKED * 4, NULL);
    cl_int count = ASKED, got[ASKED];
    ARG(send, 0, pipe);
    ARG(send, 1, count);
    ARG(receive, 0, pipe);
    ARG(receive, 1, count);
    ARG(receive, 2, out);
    for (int round = 0; round < 3; round++) {
        run_1d(send, 1, 1);
        run_1d(receive, 1, 1);
        read_back(out, sizeof got, got);
        for (int i = 0; i < ASKED; i++)
            CHECK_EQ(got[i], i < DEPTH ? i * 3 + 1 : -1);
    }
    /* released while the kernels have it as an argument: that launch is refused */
    RELEASE_MEM(pipe);
    size_t one = 1;
    if (is_sluice())
        FAILS(CL_INVALID_KERNEL_ARGS,
              clEnqueueNDRangeKernel(cl.queue, send, 1, NULL, &one, NULL, 0, NULL, NULL));
    RELEASE_KERNEL(send);
    RELEASE_KERNEL(receive);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(out);
}

/* ---- a context of two devices ---------------------------------------------------------------- */

static struct {
    cl_device_id devices[2];
    cl_context context;
    cl_command_queue queues[2], aside;
} both;

static const char passed_on[] =
    "kernel void send(write_only pipe int p, int n, global volatile int *go) {\n"
    "    for (int i = 0; i < n; i++) { int v = i * 3 + 1; write_pipe(p, &v); }\n"
    "    while (!*go) ;\n"
    "}\n"
    "kernel void receive(read_only pipe int p, int n, global int *o) {\n"
    "    for (int i = 0; i < n; i++) { int v = -1; o[i] = read_pipe(p, &v) ? -1 : v; }\n"
    "}\n";

static void open_both(void)
{
    cl_uint count = 0;
    cl_int rc;
    if (!is_sluice())
        check_skip("one device is all there is");
    if (clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_CPU, 1, &both.devices[0], &count) ||
        clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &both.devices[1], &count))
        check_skip("one device is all there is");
    both.context = clCreateContext(NULL, 2, both.devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    for (int d = 0; d < 2; d++) {
        both.queues[d] = clCreateCommandQueue(both.context, both.devices[d], 0, &rc);
        REQUIRE_OK(rc);
    }
    both.aside = clCreateCommandQueue(both.context, both.devices[0], 0, &rc);
    REQUIRE_OK(rc);
}

static void close_both(void)
{
    RELEASE_QUEUE(both.aside);
    for (int d = 0; d < 2; d++)
        RELEASE_QUEUE(both.queues[d]);
    RELEASE_CONTEXT(both.context);
}

static cl_event start(int device, cl_program program, const char *name, cl_mem pipe, cl_int n,
                      cl_mem memory, cl_uint after, const cl_event *list)
{
    cl_kernel kernel = kernel_of(program, name);
    cl_event event = NULL;
    const size_t one = 1;
    ARG(kernel, 0, pipe);
    ARG(kernel, 1, n);
    ARG(kernel, 2, memory);
    REQUIRE_OK(clEnqueueNDRangeKernel(both.queues[device], kernel, 1, NULL, &one, NULL, after, list,
                                      &event));
    REQUIRE_OK(clFlush(both.queues[device]));
    RELEASE_KERNEL(kernel);
    return event;
}

/* Packets cross between the devices with the order of events, both ways and several times; while
 * one of them uses the pipe, the other's command fails. */
static void between_devices(void)
{
    enum { DEPTH = 100, LEFT = 7 };
    const char *text = passed_on;
    cl_int rc, got[DEPTH], set = 1, clear = 0;
    open_both();
    cl_program program = clCreateProgramWithSource(both.context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 2, both.devices, "-cl-std=CL3.0", NULL, NULL));
    cl_mem pipe = clCreatePipe(both.context, 0, 4, DEPTH, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem go = clCreateBuffer(both.context, CL_MEM_READ_WRITE, 4, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem out = clCreateBuffer(both.context, CL_MEM_READ_WRITE, sizeof got, NULL, &rc);
    REQUIRE_OK(rc);
    for (int round = 0; round < 4; round++) {
        int from = round % 2, to = 1 - from;
        REQUIRE_OK(clEnqueueWriteBuffer(both.aside, go, CL_TRUE, 0, 4, &clear, 0, NULL, NULL));
        cl_event sent = start(from, program, "send", pipe, DEPTH, go, 0, NULL);
        while (event_status(sent) > CL_RUNNING)
            ;
        cl_event refused = start(to, program, "receive", pipe, DEPTH, out, 0, NULL);
        CHECK_EQ(clWaitForEvents(1, &refused), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(event_status(refused), CL_INVALID_OPERATION);
        cl_event received = start(to, program, "receive", pipe, DEPTH - LEFT, out, 1, &sent);
        cl_event rest = start(from, program, "receive", pipe, LEFT + 1, out, 1, &received);
        REQUIRE_OK(clEnqueueWriteBuffer(both.aside, go, CL_TRUE, 0, 4, &set, 0, NULL, NULL));
        REQUIRE_OK(clEnqueueReadBuffer(both.queues[from], out, CL_TRUE, 0, sizeof got, got, 1,
                                       &rest, NULL));
        for (int i = 0; i < DEPTH - LEFT; i++)
            CHECK_EQ(got[i], i <= LEFT ? i == LEFT ? -1 : (DEPTH - LEFT + i) * 3 + 1 : i * 3 + 1);
        RELEASE_EVENT(sent);
        RELEASE_EVENT(refused);
        RELEASE_EVENT(received);
        RELEASE_EVENT(rest);
    }
    RELEASE_MEM(out);
    RELEASE_MEM(go);
    RELEASE_MEM(pipe);
    RELEASE_PROGRAM(program);
    close_both();
}

/* Code for one's pipes is none for the other's. */
static void binary_of_the_other(void)
{
    open_both();
    for (int d = 0; d < 2; d++) {
        const char *text = passed_on;
        size_t size = 0;
        cl_int rc, status = 0;
        cl_program program = clCreateProgramWithSource(both.context, 1, &text, NULL, &rc);
        REQUIRE_OK(rc);
        REQUIRE_OK(clBuildProgram(program, 1, &both.devices[d], "-cl-std=CL3.0", NULL, NULL));
        size_t sizes[2] = {0};
        unsigned char *binaries[2] = {NULL, NULL};
        REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
        size = sizes[d];
        REQUIRE(size && !sizes[1 - d]);
        binaries[d] = malloc(size);
        REQUIRE(binaries[d]);
        REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binaries, binaries, NULL));
        RELEASE_PROGRAM(program);
        program = clCreateProgramWithBinary(both.context, 1, &both.devices[1 - d], &size,
                                            (const unsigned char **)&binaries[d], &status, &rc);
        if (!rc) {
            rc = clBuildProgram(program, 1, &both.devices[1 - d], "", NULL, NULL);
            RELEASE_PROGRAM(program);
        }
        CHECK(rc == CL_INVALID_BINARY || rc == CL_BUILD_PROGRAM_FAILURE);
        free(binaries[d]);
    }
    close_both();
}

static const struct test_case cases[] = {
    CASE(create),    CASE(info),          CASE(device_info),     CASE(no_buffer),
    CASE(arguments), CASE(contents_stay), CASE(between_devices), CASE(binary_of_the_other),
};
TEST_MAIN("pipe", cases)
