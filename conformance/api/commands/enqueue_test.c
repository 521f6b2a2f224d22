/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: sizes, offsets, local sizes, tasks, native kernels, and their errors. */
#include "cl_help.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void count(global uint *hits, uint width, uint height)\n"
    "{\n"
    "    size_t x = get_global_id(0) - get_global_offset(0);\n"
    "    size_t y = get_global_id(1) - get_global_offset(1);\n"
    "    size_t z = get_global_id(2) - get_global_offset(2);\n"
    "    atomic_inc(&hits[(z * height + y) * width + x]);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void sized(global uint *hits)\n"
    "{\n"
    "    atomic_inc(hits);\n"
    "}\n"
    "kernel void task(global uint *hits) { *hits += get_global_size(0) + get_local_size(0); }\n";

static cl_program program;

static void launch(cl_uint dims, const size_t *offset, const size_t *global, const size_t *local)
{
    size_t all[3] = {1, 1, 1};
    memcpy(all, global, dims * sizeof *all);
    size_t items = all[0] * all[1] * all[2];
    cl_uint zero = 0, width = (cl_uint)all[0], height = (cl_uint)all[1];
    cl_uint *hits = calloc(items, sizeof *hits);
    REQUIRE(hits);
    cl_mem mem = new_buffer(0, items * sizeof *hits, NULL);
    CHECK_OK(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, items * 4, 0, NULL, NULL));
    cl_kernel kernel = kernel_of(program, "count");
    ARG(kernel, 0, mem);
    ARG(kernel, 1, width);
    ARG(kernel, 2, height);
    run_nd(kernel, dims, offset, global, local);
    read_back(mem, items * sizeof *hits, hits);
    size_t wrong = 0;
    for (size_t i = 0; i < items; i++)
        wrong += hits[i] != 1;
    if (wrong)
        check_fail(__FILE__, __LINE__, "%zu of %zu items of %zux%zux%zu did not run once", wrong,
                   items, all[0], all[1], all[2]);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    free(hits);
}

static void sizes(void)
{
    static const struct {
        cl_uint dims;
        size_t global[3], local[3]; /* local 0: NULL */
    } rows[] = {
        {1, {1}, {0}},
        {1, {1}, {1}},
        {1, {7}, {0}},
        {1, {97}, {0}},
        {1, {97}, {97}},
        {1, {4096}, {64}},
        {1, {1000003}, {0}},
        {1, {100000}, {1}},
        {1, {640}, {5}},
        {2, {1, 1}, {0}},
        {2, {13, 17}, {0}},
        {2, {64, 48}, {8, 8}},
        {2, {30, 42}, {5, 7}},
        {2, {1, 999}, {0}},
        {2, {999, 1}, {3, 1}},
        {3, {5, 7, 11}, {0}},
        {3, {8, 8, 8}, {2, 4, 8}},
        {3, {6, 10, 14}, {3, 5, 7}},
        {3, {1, 1, 301}, {0}},
        {3, {16, 16, 16}, {16, 1, 1}},
    };
    program = built(source, NULL);
    const size_t most = device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    for (size_t i = 0; i < LEN(rows); i++) {
        const size_t *local = rows[i].local[0] ? rows[i].local : NULL;
        if (local && local[0] * (rows[i].dims > 1 ? local[1] : 1) > most)
            continue;
        launch(rows[i].dims, NULL, rows[i].global, local);
    }
    RELEASE_PROGRAM(program);
}

static void offsets(void)
{
    program = built(source, NULL);
    const size_t offset[3] = {3, 1000, 77}, global[3] = {12, 6, 4}, local[3] = {4, 3, 2};
    for (cl_uint dims = 1; dims <= 3; dims++) {
        launch(dims, offset, global, NULL);
        launch(dims, offset, global, local);
    }
    const size_t far_away = (size_t)1 << 33, few = 8;
    launch(1, &far_away, &few, NULL);
    RELEASE_PROGRAM(program);
}

static void largest_group(void)
{
    program = built(source, NULL);
    const size_t most = device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    size_t per_dim[3] = {0};
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof per_dim, per_dim, NULL));
    size_t local = most < per_dim[0] ? most : per_dim[0], global = local * 2;
    launch(1, NULL, &global, &local);
    RELEASE_PROGRAM(program);
}

/* A global size that the local size does not divide: refused for OpenCL C 1.2. */
static void non_uniform(void)
{
    program = built(source, "-cl-std=CL1.2");
    cl_kernel kernel = kernel_of(program, "count");
    cl_mem mem = new_buffer(0, 400, NULL);
    cl_uint width = 100;
    ARG(kernel, 0, mem);
    ARG(kernel, 1, width);
    ARG(kernel, 2, width);
    const size_t global = 100, local = 7;
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
    cl_bool can = CL_FALSE;
    if (device_version() >= 300)
        can = device_uint(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
    if (can) {
        program = built(source, "-cl-std=CL3.0");
        launch(1, NULL, &global, &local);
        const size_t wide[2] = {21, 10}, tile[2] = {8, 4};
        launch(2, NULL, wide, tile);
        RELEASE_PROGRAM(program);
    }
}

static void required_size(void)
{
    program = built(source, NULL);
    cl_kernel kernel = kernel_of(program, "sized");
    cl_uint hits = 0;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof hits, &hits);
    ARG(kernel, 0, mem);
    const size_t global[3] = {8, 4, 1}, good[3] = {4, 2, 1}, bad[3] = {2, 2, 1}, odd[3] = {6, 4, 1};
    run_nd(kernel, 3, NULL, global, good);
    run_nd(kernel, 2, NULL, global, good);
    read_back(mem, sizeof hits, &hits);
    CHECK_EQ(hits, 64);
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, global, bad, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, odd, good, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
}

static void tasks(void)
{
    cl_kernel kernel = new_kernel(source, "task", NULL);
    cl_uint hits = 0;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof hits, &hits);
    cl_event event;
    cl_command_type type = 0;
    ARG(kernel, 0, mem);
    CHECK_OK(clEnqueueTask(cl.queue, kernel, 0, NULL, &event));
    CHECK_OK(clEnqueueTask(cl.queue, kernel, 1, &event, NULL));
    read_back(mem, sizeof hits, &hits);
    CHECK_EQ(hits, 4);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_TASK);
    RELEASE_EVENT(event);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void empty_range(void)
{
    cl_kernel kernel = new_kernel(source, "task", NULL);
    cl_uint hits = 5;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof hits, &hits);
    const size_t zero = 0;
    ARG(kernel, 0, mem);
    cl_int rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &zero, NULL, 0, NULL, NULL);
    CHECK_EQ(rc, device_version() >= 210 ? CL_SUCCESS : CL_INVALID_GLOBAL_WORK_SIZE);
    read_back(mem, sizeof hits, &hits);
    CHECK_EQ(hits, 5);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void errors(void)
{
    program = built(source, NULL);
    cl_kernel k = kernel_of(program, "task");
    cl_mem mem = new_buffer(0, 64, NULL);
    cl_command_queue q = cl.queue, no_queue = (cl_command_queue)mem;
    const size_t g[4] = {16, 1, 1, 1}, l[3] = {4, 1, 1}, off[3] = {SIZE_MAX - 3, 0, 0},
                 huge[3] = {(size_t)1 << 40, 1, 1}, zero[3] = {0, 1, 1};
    ARG(k, 0, mem);
#define RUN(queue, kernel, dims, offset, global, local, count)                                     \
    clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, count, NULL, NULL)
    FAILS(CL_INVALID_COMMAND_QUEUE, RUN(NULL, k, 1, NULL, g, NULL, 0));
    WRONG(CL_INVALID_COMMAND_QUEUE, RUN(no_queue, k, 1, NULL, g, NULL, 0));
    FAILS(CL_INVALID_KERNEL, RUN(q, NULL, 1, NULL, g, NULL, 0));
    WRONG(CL_INVALID_KERNEL, RUN(q, (cl_kernel)cl.context, 1, NULL, g, NULL, 0));
    FAILS(CL_INVALID_WORK_DIMENSION, RUN(q, k, 0, NULL, g, NULL, 0));
    FAILS(CL_INVALID_WORK_DIMENSION, RUN(q, k, 4, NULL, g, NULL, 0));
    FAILS(CL_INVALID_GLOBAL_OFFSET, RUN(q, k, 1, off, g, NULL, 0));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, RUN(q, k, 1, NULL, huge, huge, 0));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, RUN(q, k, 1, NULL, g, zero, 0));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, RUN(q, k, 1, NULL, g, l, 1));
    if (device_version() < 210)
        FAILS(CL_INVALID_GLOBAL_WORK_SIZE, RUN(q, k, 1, NULL, NULL, NULL, 0));
    const size_t items[2] = {device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE), 2};
    FAILS(CL_INVALID_WORK_GROUP_SIZE, RUN(q, k, 2, NULL, items, items, 0));
#undef RUN
    cl_context away = new_context();
    cl_int rc;
    cl_command_queue foreign = clCreateCommandQueue(away, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    cl_int got = clEnqueueNDRangeKernel(foreign, k, 1, NULL, g, NULL, 0, NULL, NULL);
    CHECK(got == CL_INVALID_CONTEXT || got == CL_INVALID_PROGRAM_EXECUTABLE);
    RELEASE_QUEUE(foreign);
    RELEASE_CONTEXT(away);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(k);
    RELEASE_PROGRAM(program);
}

struct native_args {
    int *data;
    int add;
};

static void CL_CALLBACK native(void *at)
{
    struct native_args args;
    memcpy(&args, at, sizeof args);
    for (int i = 0; i < 16; i++)
        args.data[i] += args.add;
}

static void CL_CALLBACK native_nothing(void *at)
{
    (void)at;
}

static void native_kernels(void)
{
    cl_device_exec_capabilities can = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    struct native_args args = {NULL, 5};
    const void *where[] = {&args.data};
    int data[16] = {0};
    cl_command_queue q = cl.queue;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    CHECK(!is_sluice() || (can & CL_EXEC_NATIVE_KERNEL));
    if (!(can & CL_EXEC_NATIVE_KERNEL)) {
        FAILS(CL_INVALID_OPERATION,
              clEnqueueNativeKernel(q, native, &args, sizeof args, 1, &mem, where, 0, NULL, NULL));
        RELEASE_MEM(mem);
        return;
    }
    CHECK_OK(clEnqueueNativeKernel(q, native, &args, sizeof args, 1, &mem, where, 0, NULL, NULL));
    args.add = 1000; /* the block was copied */
    read_back(mem, sizeof data, data);
    for (int i = 0; i < 16; i++)
        CHECK_EQ(data[i], 5);
    CHECK_OK(clEnqueueNativeKernel(q, native_nothing, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(q));
    FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel(q, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueNativeKernel(q, native, NULL, 8, 0, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueNativeKernel(q, native, &args, 0, 0, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueNativeKernel(q, native, &args, sizeof args, 1, NULL, where, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueNativeKernel(q, native, &args, sizeof args, 1, &mem, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueNativeKernel(q, native, &args, sizeof args, 0, &mem, where, 0, NULL, NULL));
    RELEASE_MEM(mem);
}

static void many_launches(void)
{
    cl_kernel kernel = new_kernel(source, "task", NULL);
    cl_uint hits = 0;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof hits, &hits);
    const size_t one = 1;
    ARG(kernel, 0, mem);
    for (int i = 0; i < 10000; i++)
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    read_back(mem, sizeof hits, &hits);
    CHECK_EQ(hits, 20000);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(sizes), CASE(offsets),     CASE(largest_group), CASE(non_uniform),    CASE(required_size),
    CASE(tasks), CASE(empty_range), CASE(errors),        CASE(native_kernels), CASE(many_launches),
};
TEST_MAIN("enqueue", cases)
