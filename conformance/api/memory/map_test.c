/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping and unmapping of buffers. */
#include "cl_help.h"
#include "reference.h"

#include <stdint.h>
#include <string.h>

enum { SIZE = 1000 };

static unsigned char data[SIZE], back[SIZE];

static cl_uint map_count(cl_mem mem)
{
    cl_uint count = 99;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    return count;
}

static unsigned char *map(cl_mem mem, cl_map_flags flags, size_t offset, size_t size)
{
    cl_int rc;
    unsigned char *at =
        clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, flags, offset, size, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE(at);
    return at;
}

static void unmap(cl_mem mem, void *at)
{
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, at, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
}

static void read_and_write(void)
{
    static const cl_mem_flags kinds[] = {0, CL_MEM_ALLOC_HOST_PTR, CL_MEM_USE_HOST_PTR};
    for (size_t i = 0; i < LEN(kinds); i++) {
        random_fill(data, SIZE);
        int used = kinds[i] == CL_MEM_USE_HOST_PTR;
        cl_mem mem = new_buffer(kinds[i] | (used ? 0 : CL_MEM_COPY_HOST_PTR), SIZE, data);
        unsigned char *at = map(mem, CL_MAP_READ, 11, 500);
        CHECK(!memcmp(at, data + 11, 500));
        if (used)
            CHECK(at == data + 11);
        CHECK_EQ(map_count(mem), 1);
        unmap(mem, at);
        CHECK_EQ(map_count(mem), 0);
        at = map(mem, CL_MAP_WRITE, 100, 3);
        memset(at, 0x5a, 3);
        unmap(mem, at);
        at = map(mem, CL_MAP_WRITE_INVALIDATE_REGION, 200, 7);
        memset(at, 0xa5, 7);
        unmap(mem, at);
        memset(data + 100, 0x5a, 3);
        memset(data + 200, 0xa5, 7);
        read_back(mem, SIZE, back);
        CHECK(!memcmp(back, data, SIZE));
        RELEASE_MEM(mem);
    }
}

static void several_maps(void)
{
    random_fill(data, SIZE);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, SIZE, data);
    unsigned char *a = map(mem, CL_MAP_READ, 0, SIZE), *b = map(mem, CL_MAP_READ, 0, SIZE),
                  *c = map(mem, CL_MAP_READ, 5, 9);
    CHECK_EQ(map_count(mem), 3);
    CHECK(!memcmp(a, data, SIZE) && !memcmp(b, data, SIZE) && !memcmp(c, data + 5, 9));
    unmap(mem, a);
    unmap(mem, c);
    CHECK_EQ(map_count(mem), 1);
    unmap(mem, b);
    CHECK_EQ(map_count(mem), 0);
    FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, mem, b, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, mem, back, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, mem, NULL, 0, NULL, NULL));
    RELEASE_MEM(mem);
}

static void kernel_sees_mapped_writes(void)
{
    cl_kernel kernel =
        new_kernel("kernel void add(global int *x) { x[get_global_id(0)] += 5; }", "add", NULL);
    cl_mem mem = new_buffer(CL_MEM_ALLOC_HOST_PTR, 64 * sizeof(int), NULL);
    int *at = (int *)map(mem, CL_MAP_WRITE, 0, 64 * sizeof(int));
    for (int i = 0; i < 64; i++)
        at[i] = i;
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, at, 0, NULL, NULL));
    ARG(kernel, 0, mem);
    size_t global = 64;
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    at = (int *)map(mem, CL_MAP_READ, 0, 64 * sizeof(int));
    for (int i = 0; i < 64; i++)
        CHECK_EQ(at[i], i + 5);
    unmap(mem, at);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void sub_buffer_map(void)
{
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    unsigned char *use = data;
    random_fill(data, SIZE);
    cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, align * 4, use);
    const cl_buffer_region part = {align, align};
    cl_int rc;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &rc);
    REQUIRE_OK(rc);
    unsigned char *at = map(sub, CL_MAP_READ, 3, 5);
    CHECK(at == use + align + 3);
    unmap(sub, at);
    RELEASE_MEM(sub);
    RELEASE_MEM(mem);
}

static void non_blocking(void)
{
    random_fill(data, SIZE);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, SIZE, data);
    cl_int rc;
    cl_event gate = clCreateUserEvent(cl.context, &rc), mapped = NULL;
    REQUIRE_OK(rc);
    unsigned char *at =
        clEnqueueMapBuffer(cl.queue, mem, CL_FALSE, CL_MAP_READ, 0, SIZE, 1, &gate, &mapped, &rc);
    REQUIRE_OK(rc);
    CHECK(event_status(mapped) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &mapped));
    CHECK(!memcmp(at, data, SIZE));
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(mapped, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_MAP_BUFFER);
    unmap(mem, at);
    RELEASE_EVENT(mapped);
    RELEASE_EVENT(gate);
    RELEASE_MEM(mem);
}

static void errors(void)
{
    cl_mem mem = new_buffer(0, 64, NULL), none = new_buffer(CL_MEM_HOST_NO_ACCESS, 64, NULL),
           reads = new_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL),
           writes = new_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL), wrong = (cl_mem)cl.queue;
    cl_command_queue q = cl.queue;
    const cl_map_flags r = CL_MAP_READ, w = CL_MAP_WRITE, i = CL_MAP_WRITE_INVALIDATE_REGION;
#define MAP(queue, buffer, flags, offset, size, count)                                             \
    clEnqueueMapBuffer(queue, buffer, 1, flags, offset, size, count, NULL, NULL, ERR)
    CREATE_FAILS(CL_INVALID_COMMAND_QUEUE, MAP(NULL, mem, r, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_MEM_OBJECT, MAP(q, NULL, r, 0, 4, 0));
    CREATE_WRONG(CL_INVALID_MEM_OBJECT, MAP(q, wrong, r, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_VALUE, MAP(q, mem, r, 0, 65, 0));
    CREATE_FAILS(CL_INVALID_VALUE, MAP(q, mem, r, 64, 1, 0));
    CREATE_FAILS(CL_INVALID_VALUE, MAP(q, mem, r, SIZE_MAX, 4, 0));
    CREATE_FAILS(CL_INVALID_VALUE, MAP(q, mem, 1u << 7, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_VALUE, MAP(q, mem, r | i, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_VALUE, MAP(q, mem, w | i, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_EVENT_WAIT_LIST, MAP(q, mem, r, 0, 4, 1));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP(q, none, r, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP(q, none, w, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP(q, reads, w, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP(q, reads, i, 0, 4, 0));
    CREATE_FAILS(CL_INVALID_OPERATION, MAP(q, writes, r, 0, 4, 0));
#undef MAP
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueUnmapMemObject(NULL, mem, data, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(q, NULL, data, 0, NULL, NULL));
    WRONG(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(q, wrong, data, 0, NULL, NULL));
    unsigned char *at = map(mem, CL_MAP_READ, 0, 4);
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueUnmapMemObject(q, mem, at, 1, NULL, NULL));
    unmap(mem, at);
    cl_context away = new_context();
    cl_int rc;
    cl_mem foreign = clCreateBuffer(away, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
    CREATE_FAILS(CL_INVALID_CONTEXT,
                 clEnqueueMapBuffer(q, foreign, 1, r, 0, 4, 0, NULL, NULL, ERR));
    RELEASE_MEM(foreign);
    RELEASE_CONTEXT(away);
    RELEASE_MEM(mem);
    RELEASE_MEM(none);
    RELEASE_MEM(reads);
    RELEASE_MEM(writes);
}

static const struct test_case cases[] = {
    CASE(read_and_write), CASE(several_maps), CASE(kernel_sees_mapped_writes),
    CASE(sub_buffer_map), CASE(non_blocking), CASE(errors),
};
TEST_MAIN("map", cases)
