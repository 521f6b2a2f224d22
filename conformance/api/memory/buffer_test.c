/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and sub-buffers: creation, flags, queries, destructor callbacks. */
#include "cl_help.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void create_flags(void)
{
    static const cl_mem_flags good[] = {
        0,
        CL_MEM_READ_WRITE,
        CL_MEM_READ_ONLY,
        CL_MEM_WRITE_ONLY,
        CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY,
        CL_MEM_HOST_NO_ACCESS,
    };
    for (size_t i = 0; i < LEN(good); i++) {
        cl_mem mem = new_buffer(good[i], 100, NULL);
        cl_mem_flags got = 0;
        CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof got, &got, NULL));
        if (good[i])
            CHECK_EQ(got, good[i]);
        else
            CHECK(got == 0 || got == CL_MEM_READ_WRITE);
        RELEASE_MEM(mem);
    }
}

static void host_pointers(void)
{
    char data[100], back[100];
    memset(data, 7, sizeof data);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    memset(data, 9, sizeof data);
    read_back(mem, sizeof back, back);
    for (size_t i = 0; i < sizeof back; i++)
        REQUIRE(back[i] == 7);
    RELEASE_MEM(mem);
    mem = new_buffer(CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, sizeof data, data);
    read_back(mem, sizeof back, back);
    CHECK(!memcmp(back, data, sizeof back));
    RELEASE_MEM(mem);
    mem = new_buffer(CL_MEM_USE_HOST_PTR, sizeof data, data);
    void *pointer = NULL;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    CHECK(pointer == data);
    read_back(mem, sizeof back, back);
    CHECK(!memcmp(back, data, sizeof back));
    RELEASE_MEM(mem);
}

static void create_errors(void)
{
    char data[64];
    cl_context wrong = (cl_context)cl.queue;
    cl_ulong most = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    static const cl_mem_flags clashes[] = {
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
        1ull << 40,
    };
    for (size_t i = 0; i < LEN(clashes); i++)
        CREATE_FAILS(CL_INVALID_VALUE, clCreateBuffer(cl.context, clashes[i], 64, NULL, ERR));
    CREATE_FAILS(
        CL_INVALID_VALUE,
        clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, data, ERR));
    CREATE_FAILS(
        CL_INVALID_VALUE,
        clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, data, ERR));
    CREATE_WRONG(CL_INVALID_CONTEXT, clCreateBuffer(wrong, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateBuffer(NULL, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, 0, NULL, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE,
                 clCreateBuffer(cl.context, 0, (size_t)most + 1, NULL, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, SIZE_MAX, NULL, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR, clCreateBuffer(cl.context, 0, 64, data, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR,
                 clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR,
                 clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR,
                 clCreateBuffer(cl.context, CL_MEM_ALLOC_HOST_PTR, 64, data, ERR));
}

static void info(void)
{
    cl_mem mem = new_buffer(CL_MEM_READ_ONLY, 321, NULL);
    cl_mem_object_type type = 0;
    size_t size = 0, ret = 0, offset = 99;
    void *pointer = &type;
    cl_uint number = 99;
    cl_context context = NULL;
    cl_mem parent = mem;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, &ret));
    CHECK_EQ(type, CL_MEM_OBJECT_BUFFER);
    CHECK_EQ(ret, sizeof type);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, 321);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    CHECK(!pointer);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof number, &number, NULL));
    CHECK_EQ(number, 0);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == cl.context);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    CHECK(!parent);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    CHECK_EQ(offset, 0);
    FAILS(CL_INVALID_VALUE, clGetMemObjectInfo(mem, 0x7777, sizeof size, &size, NULL));
    FAILS(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_MEM_SIZE, 4, &size, NULL));
    WRONG(CL_INVALID_MEM_OBJECT,
          clGetMemObjectInfo((cl_mem)cl.queue, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_OK(clRetainMemObject(mem));
    RELEASE_MEM(mem);
    RELEASE_MEM(mem);
    WRONG(CL_INVALID_MEM_OBJECT, clRetainMemObject((cl_mem)cl.queue));
    WRONG(CL_INVALID_MEM_OBJECT, clReleaseMemObject((cl_mem)cl.queue));
}

static void sub_buffers(void)
{
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    size_t size = align * 4;
    unsigned char *data = malloc(size), *back = malloc(size);
    REQUIRE(data && back);
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(i * 7 + i / 256);
    cl_mem mem = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, data);
    cl_buffer_region part = {align, align + 3};
    cl_int rc;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &rc);
    REQUIRE_OK(rc);
    size_t offset = 0, length = 0;
    cl_mem parent = NULL;
    cl_mem_flags flags = 0;
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    CHECK_EQ(offset, align);
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_SIZE, sizeof length, &length, NULL));
    CHECK_EQ(length, align + 3);
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    CHECK(parent == mem);
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK(flags & CL_MEM_READ_ONLY);
    read_back(sub, align + 3, back);
    CHECK(!memcmp(back, data + align, align + 3));
    memset(back, 0xee, 5);
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, sub, CL_TRUE, 2, 5, back, 0, NULL, NULL));
    read_back(mem, size, back);
    memset(data + align + 2, 0xee, 5);
    CHECK(!memcmp(back, data, size));
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadBuffer(cl.queue, sub, CL_TRUE, 0, align + 4, back, 0, NULL, NULL));
    /* the parent stays while a part of it lives */
    RELEASE_MEM(mem);
    read_back(sub, align + 3, back);
    CHECK(!memcmp(back, data + align, align + 3));
    RELEASE_MEM(sub);
    free(data);
    free(back);
}

static void sub_buffer_errors(void)
{
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    cl_mem mem = new_buffer(CL_MEM_READ_ONLY, align * 2, NULL);
    cl_mem closed = new_buffer(CL_MEM_HOST_READ_ONLY, align * 2, NULL);
    cl_mem write_only = new_buffer(CL_MEM_WRITE_ONLY, align * 2, NULL);
    const cl_buffer_region good = {0, align}, empty = {0, 0}, off = {1, 4},
                           big = {align, align + 1}, wraps = {align, SIZE_MAX - align + 2};
    cl_int rc;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &rc);
    REQUIRE_OK(rc);
    const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
    CREATE_FAILS(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, region, &good, ERR));
    CREATE_WRONG(CL_INVALID_MEM_OBJECT, clCreateSubBuffer((cl_mem)cl.queue, 0, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, CL_MEM_READ_WRITE, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, CL_MEM_WRITE_ONLY, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateSubBuffer(write_only, CL_MEM_READ_ONLY, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateSubBuffer(closed, CL_MEM_HOST_WRITE_ONLY, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateSubBuffer(mem, CL_MEM_ALLOC_HOST_PTR, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, CL_MEM_USE_HOST_PTR, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateSubBuffer(mem, CL_MEM_COPY_HOST_PTR, region, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, 0x7777, &good, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, region, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, region, &big, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, region, &wraps, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(mem, 0, region, &empty, ERR));
    CREATE_FAILS(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(mem, 0, region, &off, ERR));
    RELEASE_MEM(sub);
    RELEASE_MEM(mem);
    RELEASE_MEM(closed);
    RELEASE_MEM(write_only);
}

static atomic_int calls;

static void CL_CALLBACK on_destroy(cl_mem mem, void *user)
{
    (void)mem;
    *(int *)user = ++calls;
}

static void destructor_callbacks(void)
{
    static int first, second;
    calls = 0;
    cl_mem mem = new_buffer(0, 64, NULL);
    CHECK_OK(clSetMemObjectDestructorCallback(mem, on_destroy, &first));
    CHECK_OK(clSetMemObjectDestructorCallback(mem, on_destroy, &second));
    FAILS(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(mem, NULL, NULL));
    WRONG(CL_INVALID_MEM_OBJECT,
          clSetMemObjectDestructorCallback((cl_mem)cl.queue, on_destroy, NULL));
    CHECK_OK(clRetainMemObject(mem));
    RELEASE_MEM(mem);
    CHECK_EQ(calls, 0);
    RELEASE_MEM(mem);
    for (double end = now_seconds() + 5; calls < 2 && now_seconds() < end;)
        ;
    CHECK_EQ(first, 2);
    CHECK_EQ(second, 1);
}

static void with_properties(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    const cl_mem_properties none[] = {0}, unknown[] = {0x7777, 1, 0};
    cl_int rc;
    cl_mem mem = clCreateBufferWithProperties(cl.context, NULL, CL_MEM_READ_ONLY, 64, NULL, &rc);
    REQUIRE_OK(rc);
    size_t size = 99;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, 0, NULL, &size));
    CHECK_EQ(size, 0);
    RELEASE_MEM(mem);
    mem = clCreateBufferWithProperties(cl.context, none, CL_MEM_READ_ONLY, 64, NULL, &rc);
    REQUIRE_OK(rc);
    RELEASE_MEM(mem);
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, unknown, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE,
                 clCreateBufferWithProperties(cl.context, none, 0, 0, NULL, ERR));
}

static void features_off(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    cl_device_svm_capabilities svm = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!svm)
        CHECK(!clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0));
    if (!device_uint(CL_DEVICE_PIPE_SUPPORT))
        CREATE_FAILS(CL_INVALID_OPERATION, clCreatePipe(cl.context, 0, 4, 16, NULL, ERR));
}

/* Designs of FPGAs write all of a wide word where their buffer ends in its middle: what lies behind
 * a buffer up to a multiple of what CL_DEVICE_MEM_BASE_ADDR_ALIGN says is nobody's. */
static void rest_of_a_word(void)
{
    enum { COUNT = 64, WORD = 128 };
    cl_program program = built("kernel void fill(global uchar *all, uchar value)\n"
                               "{ for (int i = 0; i < 128; i++) all[i] = value; }",
                               NULL);
    cl_kernel kernel = kernel_of(program, "fill");
    cl_mem buffers[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        buffers[i] = new_buffer(i & 1 ? CL_MEM_ALLOC_HOST_PTR : 0, 1 + i * 3 % WORD, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        const cl_uchar value = (cl_uchar)(i + 1);
        ARG(kernel, 0, buffers[i]);
        ARG(kernel, 1, value);
        run_1d(kernel, 1, 1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        const size_t size = 1 + i * 3 % WORD;
        unsigned char bytes[WORD];
        read_back(buffers[i], size, bytes);
        for (size_t k = 0; k < size; k++)
            CHECK(bytes[k] == i + 1);
        RELEASE_MEM(buffers[i]);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(create_flags),    CASE(host_pointers),     CASE(create_errors), CASE(info),
    CASE(sub_buffers),     CASE(sub_buffer_errors), CASE(features_off),  CASE(destructor_callbacks),
    CASE(with_properties), CASE(rest_of_a_word),
};
TEST_MAIN("buffer", cases)
