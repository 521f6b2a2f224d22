/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers, sub-buffers, maps and the commands on them: values and every error code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/api.h"
#include "fake_device.h"
#include "memory/buffer.h"

static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue;

static int set_up(void **state)
{
    (void)state;
    device = fake_device(FAKE_THREADS);
    context = fake_context(device);
    other_context = fake_context(device);
    queue = sl_clCreateCommandQueue(context, device, 0, NULL);
    return !queue;
}

static int tear_down(void **state)
{
    (void)state;
    sl_clReleaseCommandQueue(queue);
    sl_clReleaseContext(context);
    sl_clReleaseContext(other_context);
    return atomic_load(&fake_memories) || atomic_load(&fake_work_queues);
}

static cl_mem buffer_of(cl_mem_flags flags, size_t size, void *host)
{
    cl_int rc = 1;
    cl_mem mem = sl_clCreateBuffer(context, flags, size, host, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    return mem;
}

static cl_int create_rc(cl_mem_flags flags, size_t size, void *host)
{
    cl_int rc = 1;
    assert_null(sl_clCreateBuffer(context, flags, size, host, &rc));
    return rc;
}

static void test_create(void **state)
{
    (void)state;
    char host[64] = "hello";
    cl_int rc;
    assert_null(sl_clCreateBuffer(NULL, 0, 64, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_CONTEXT);
    assert_int_equal(create_rc(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, NULL), CL_INVALID_VALUE);
    assert_int_equal(create_rc(1u << 20, 64, NULL), CL_INVALID_VALUE);
    assert_int_equal(create_rc(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host),
                     CL_INVALID_VALUE);
    assert_int_equal(create_rc(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(create_rc(0, 0, NULL), CL_INVALID_BUFFER_SIZE);
    assert_int_equal(create_rc(0, SIZE_MAX, NULL), CL_INVALID_BUFFER_SIZE);
    assert_int_equal(create_rc(CL_MEM_USE_HOST_PTR, 64, NULL), CL_INVALID_HOST_PTR);
    assert_int_equal(create_rc(0, 64, host), CL_INVALID_HOST_PTR);
    cl_mem_properties unknown[] = {77, 1, 0}, empty[] = {0}, got[2] = {9, 9};
    assert_null(sl_clCreateBufferWithProperties(context, unknown, 0, 64, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_PROPERTY);
    cl_mem mem = sl_clCreateBufferWithProperties(context, empty, 0, 64, NULL, &rc);
    size_t need = 0;
    assert_int_equal(sl_clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof got, got, &need), 0);
    assert_int_equal(need, sizeof *got);
    assert_int_equal(got[0], 0);
    cl_mem_flags flags;
    assert_int_equal(sl_clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL), 0);
    assert_int_equal(flags, CL_MEM_READ_WRITE);
    sl_clReleaseMemObject(mem);
    assert_int_equal(sl_clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
}

static void test_sub_buffers(void **state)
{
    (void)state;
    _Alignas(128) static char host[1024];
    cl_mem mem =
        buffer_of(CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, host);
    cl_int rc;
#define SUB(flags, ...)                                                                            \
    sl_clCreateSubBuffer(mem, flags, CL_BUFFER_CREATE_TYPE_REGION,                                 \
                         &(cl_buffer_region){__VA_ARGS__}, &rc)
    assert_null(SUB(CL_MEM_WRITE_ONLY, 0, 128));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(SUB(CL_MEM_HOST_WRITE_ONLY, 0, 128));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(SUB(CL_MEM_COPY_HOST_PTR, 0, 128));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(SUB(0, 1024, 1));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(SUB(0, 128, SIZE_MAX));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(SUB(0, 128, 0));
    assert_int_equal(rc, CL_INVALID_BUFFER_SIZE);
    assert_null(SUB(0, 64, 64));
    assert_int_equal(rc, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    assert_null(sl_clCreateSubBuffer(mem, 0, 99, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    cl_mem sub = SUB(0, 256, 512);
    assert_int_equal(rc, CL_SUCCESS);
    assert_ptr_equal(sub->host, host + 256);
    assert_int_equal(sub->flags, mem->flags);
    assert_null(sl_clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                     &(cl_buffer_region){0, 128}, &rc));
    assert_int_equal(rc, CL_INVALID_MEM_OBJECT);
    size_t offset;
    void *pointer;
    cl_mem parent;
    sl_clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    sl_clGetMemObjectInfo(sub, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL);
    sl_clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
    assert_int_equal(offset, 256);
    assert_ptr_equal(pointer, host + 256);
    assert_ptr_equal(parent, mem);
    sl_clReleaseMemObject(mem); /* the sub-buffer holds it */
    sub->host[3] = 42;
    assert_int_equal(host[259], 42);
    sl_clReleaseMemObject(sub);
}

static void test_maps(void **state)
{
    (void)state;
    char host[256];
    cl_int rc;
    cl_event event;
    cl_uint count;
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, sizeof host, host);
    void *a = sl_clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE, 16, 32, 0, NULL, NULL, &rc);
    assert_ptr_equal(a, host + 16);
    void *b = sl_clEnqueueMapBuffer(queue, mem, CL_FALSE, CL_MAP_READ, 16, 8, 0, NULL, &event, &rc);
    assert_ptr_equal(b, a);
    assert_int_equal(sl_clWaitForEvents(1, &event), CL_SUCCESS);
    sl_clReleaseEvent(event);
    sl_clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    assert_int_equal(count, 2);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, host, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, a, 1, NULL, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, a, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, b, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, a, 0, NULL, NULL), CL_INVALID_VALUE);
    sl_clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    assert_int_equal(count, 0);
#define MAP_RC(flags, offset, size)                                                                \
    (sl_clEnqueueMapBuffer(queue, mem, CL_TRUE, flags, offset, size, 0, NULL, NULL, &rc), rc)
    assert_int_equal(MAP_RC(CL_MAP_READ, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(MAP_RC(CL_MAP_READ, 250, 7), CL_INVALID_VALUE);
    assert_int_equal(MAP_RC(1u << 8, 0, 8), CL_INVALID_VALUE);
    assert_int_equal(MAP_RC(CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, 0, 8), CL_INVALID_VALUE);
    /* a map whose wait list fails leaves nothing behind */
    cl_event gate = sl_clCreateUserEvent(context, NULL);
    a = sl_clEnqueueMapBuffer(queue, mem, CL_FALSE, CL_MAP_READ, 0, 8, 1, &gate, &event, &rc);
    assert_ptr_equal(a, host);
    sl_clSetUserEventStatus(gate, -1);
    assert_int_equal(sl_clWaitForEvents(1, &event), -14);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, a, 0, NULL, NULL), CL_INVALID_VALUE);
    sl_clReleaseEvent(event);
    sl_clReleaseEvent(gate);
    sl_clReleaseMemObject(mem);
}

/* Memory of another device without a host address: no command gets it to see. */
static void test_out_of_reach(void **state)
{
    struct sl_device other = {0};
    cl_mem mem = buffer_of(CL_MEM_READ_WRITE, 64, NULL);
    struct sl_device *home = mem->home;
    void *host = mem->host;
    char bytes[64] = {0};
    const cl_int refused = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    (void)state;
    mem->home = &other; /* by its address, it works */
    assert_int_equal(sl_clEnqueueFillBuffer(queue, mem, "x", 1, 0, 64, 0, NULL, NULL), 0);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 64, bytes, 0, NULL, NULL), 0);
    assert_int_equal(bytes[63], 'x');
    mem->host = NULL;
    assert_int_equal(sl_clEnqueueFillBuffer(queue, mem, "y", 1, 0, 64, 0, NULL, NULL), refused);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 64, bytes, 0, NULL, NULL),
                     refused);
    mem->home = home;
    mem->host = host;
    sl_clReleaseMemObject(mem);
}

/* Only an unmap that has ended well takes the map away, and there is one unmap for a map. */
static void test_unmap_fails(void **state)
{
    cl_int code;
    cl_event gate = sl_clCreateUserEvent(context, &code);
    cl_mem mem = sl_clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
    cl_uint count = 0;
    (void)state;
    void *at = sl_clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, at, 1, &gate, NULL), CL_SUCCESS);
    sl_clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    assert_int_equal(count, 1);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, at, 0, NULL, NULL), CL_INVALID_VALUE);
    sl_clSetUserEventStatus(gate, -7);
    sl_clFinish(queue);
    sl_clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    assert_int_equal(count, 1);
    assert_int_equal(sl_clEnqueueUnmapMemObject(queue, mem, at, 0, NULL, NULL), CL_SUCCESS);
    sl_clFinish(queue);
    sl_clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    assert_int_equal(count, 0);
    sl_clReleaseEvent(gate);
    sl_clReleaseMemObject(mem);
}

static void test_host_access(void **state)
{
    (void)state;
    char data[16] = {0};
    cl_int rc;
    const cl_mem_flags flags[] = {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY,
                                  CL_MEM_HOST_NO_ACCESS};
    const cl_int may_read[] = {CL_SUCCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION};
    const cl_int may_write[] = {CL_INVALID_OPERATION, CL_SUCCESS, CL_INVALID_OPERATION};
    const size_t zero[3] = {0}, one[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        cl_mem mem = buffer_of(flags[i], 16, NULL);
        assert_int_equal(sl_clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 16, data, 0, NULL, NULL),
                         may_read[i]);
        assert_int_equal(sl_clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 16, data, 0, NULL, NULL),
                         may_write[i]);
        assert_int_equal(sl_clEnqueueReadBufferRect(queue, mem, CL_TRUE, zero, zero, one, 0, 0, 0,
                                                    0, data, 0, NULL, NULL),
                         may_read[i]);
        assert_int_equal(sl_clEnqueueWriteBufferRect(queue, mem, CL_TRUE, zero, zero, one, 0, 0, 0,
                                                     0, data, 0, NULL, NULL),
                         may_write[i]);
        void *map =
            sl_clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0, 16, 0, NULL, NULL, &rc);
        assert_int_equal(rc, may_read[i]);
        assert_int_equal(map != NULL, !rc);
        sl_clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE, 0, 16, 0, NULL, NULL, &rc);
        assert_int_equal(rc, may_write[i]);
        sl_clFinish(queue);
        sl_clReleaseMemObject(mem);
    }
}

static void test_linear(void **state)
{
    (void)state;
    unsigned char in[256], out[256];
    for (int i = 0; i < 256; i++)
        in[i] = (unsigned char)i;
    cl_mem a = buffer_of(CL_MEM_COPY_HOST_PTR, 256, in), b = buffer_of(0, 256, NULL);
    assert_int_equal(sl_clEnqueueCopyBuffer(queue, a, b, 0, 0, 256, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueCopyBuffer(queue, a, a, 0, 128, 128, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueFillBuffer(queue, b, "xy", 2, 10, 6, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, b, CL_TRUE, 4, 16, out, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_memory_equal(out, "\4\5\6\7\10\11xyxyxy\20\21\22\23", 16);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, a, CL_TRUE, 128, 128, out, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_memory_equal(out, in, 128);
    /* zero bytes are a no-op in order */
    assert_int_equal(sl_clEnqueueReadBuffer(queue, a, CL_TRUE, 256, 0, out, 0, NULL, NULL),
                     CL_SUCCESS);
#define COPY(s, d, n) sl_clEnqueueCopyBuffer(queue, a, a, s, d, n, 0, NULL, NULL)
    assert_int_equal(COPY(0, 1, 8), CL_MEM_COPY_OVERLAP);
    assert_int_equal(COPY(8, 0, 8), CL_SUCCESS);
    assert_int_equal(COPY(0, 250, 8), CL_INVALID_VALUE);
    assert_int_equal(COPY(SIZE_MAX, 0, 8), CL_INVALID_VALUE);
#define FILL(p, n, o, s) sl_clEnqueueFillBuffer(queue, a, p, n, o, s, 0, NULL, NULL)
    assert_int_equal(FILL(NULL, 4, 0, 8), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 3, 0, 9), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 256, 0, 256), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 0, 0, 8), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 4, 2, 8), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 4, 0, 6), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 4, 256, 4), CL_INVALID_VALUE);
    assert_int_equal(FILL(in, 128, 0, 256), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 8, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, 8, out, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clEnqueueReadBuffer(NULL, a, CL_TRUE, 0, 8, out, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    cl_mem foreign = sl_clCreateBuffer(other_context, 0, 16, NULL, NULL);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, foreign, CL_TRUE, 0, 8, out, 0, NULL, NULL),
                     CL_INVALID_CONTEXT);
    sl_clFinish(queue);
    sl_clReleaseMemObject(foreign);
    sl_clReleaseMemObject(a);
    sl_clReleaseMemObject(b);
}

/* Sub-buffers of one parent are one memory. */
static void test_sub_buffer_overlap(void **state)
{
    (void)state;
    cl_mem mem = buffer_of(0, 1024, NULL);
    cl_int rc;
    cl_mem low = SUB(0, 0, 512), high = SUB(0, 256, 512);
    assert_int_equal(sl_clEnqueueCopyBuffer(queue, low, high, 256, 128, 256, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    assert_int_equal(sl_clEnqueueCopyBuffer(queue, low, high, 0, 0, 256, 0, NULL, NULL),
                     CL_SUCCESS);
    const size_t zero[3] = {0}, region[3] = {8, 4, 1};
    assert_int_equal(sl_clEnqueueCopyBufferRect(queue, low, high, (size_t[]){0, 16, 0}, zero,
                                                region, 16, 0, 8, 0, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    assert_int_equal(sl_clEnqueueCopyBufferRect(queue, low, high, zero, zero, region, 16, 0, 8, 0,
                                                0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(sl_clEnqueueCopyBufferRect(queue, mem, mem, zero, (size_t[]){0, 8, 0}, region,
                                                16, 0, 8, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE); /* two pitches in one buffer */
    assert_int_equal(sl_clEnqueueCopyBufferRect(queue, mem, mem, zero, (size_t[]){8, 0, 0}, region,
                                                16, 0, 16, 0, 0, NULL, NULL),
                     CL_SUCCESS); /* side by side */
    assert_int_equal(sl_clEnqueueCopyBufferRect(queue, mem, mem, zero, (size_t[]){7, 0, 0}, region,
                                                16, 0, 16, 0, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    sl_clFinish(queue);
    sl_clReleaseMemObject(low);
    sl_clReleaseMemObject(high);
    sl_clReleaseMemObject(mem);
}

static void test_rect_values(void **state)
{
    (void)state;
    unsigned char space[512], host[512];
    for (size_t i = 0; i < sizeof space; i++)
        space[i] = (unsigned char)(i * 7);
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof space, space);
    const size_t from[3] = {2, 1, 1}, to[3] = {1, 0, 2}, region[3] = {5, 3, 2};
    memset(host, 0xee, sizeof host);
    assert_int_equal(sl_clEnqueueReadBufferRect(queue, mem, CL_TRUE, from, to, region, 10, 60, 7,
                                                28, host, 0, NULL, NULL),
                     CL_SUCCESS);
    size_t touched = 0;
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 3; y++)
            for (size_t x = 0; x < 5; x++, touched++)
                assert_int_equal(host[(z + 2) * 28 + y * 7 + x + 1],
                                 space[(z + 1) * 60 + (y + 1) * 10 + x + 2]);
    size_t untouched = 0;
    for (size_t i = 0; i < sizeof host; i++)
        untouched += host[i] == 0xee;
    assert_true(untouched + touched >= sizeof host && untouched < sizeof host);
    assert_int_equal(sl_clEnqueueReadBufferRect(queue, mem, CL_TRUE, (size_t[]){0, 0, 8}, to,
                                                region, 10, 60, 0, 0, host, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueReadBufferRect(queue, mem, CL_TRUE, from, to, region, 10, 60, 4, 0,
                                                host, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueReadBufferRect(queue, mem, CL_TRUE, from, to, region, 10, 60, 7,
                                                28, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    sl_clReleaseMemObject(mem);
}

/* A buffer in the application's memory, read to its own place, is not copied. */
static void test_read_in_place(void **state)
{
    (void)state;
    char host[64];
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, sizeof host, host);
    memset(host, 1, 32);
    memset(host + 32, 2, 32);
    unsigned before = atomic_load(&fake_submitted);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, mem, CL_TRUE, 8, 16, host + 8, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(sl_clEnqueueReadBuffer(queue, mem, CL_TRUE, 8, 16, host + 32, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(host[8], 1);
    assert_int_equal(host[47], 1);
    assert_int_equal(host[48], 2);
    /* and small copies do not trouble the device */
    assert_int_equal(atomic_load(&fake_submitted), before);
    sl_clReleaseMemObject(mem);
}

/* Large ones are the device's, each in its turn. */
static void test_large(void **state)
{
    (void)state;
    enum { BYTES = 1100 * 1024, ROUNDS = 6 };
    unsigned char *in = malloc(BYTES), *out = malloc(BYTES);
    assert_true(in && out);
    for (size_t i = 0; i < BYTES; i++)
        in[i] = (unsigned char)(i * 31 >> 3);
    cl_mem a = buffer_of(0, BYTES, NULL), b = buffer_of(0, BYTES, NULL);
    unsigned before = atomic_load(&fake_submitted);
    for (int round = 0; round < ROUNDS; round++) {
        in[BYTES - 1]++;
        assert_int_equal(sl_clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, BYTES, in, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(sl_clEnqueueCopyBuffer(queue, a, b, 0, 0, BYTES, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(sl_clEnqueueFillBuffer(queue, a, "z", 1, 0, BYTES, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(sl_clEnqueueReadBuffer(queue, b, CL_TRUE, 0, BYTES, out, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_memory_equal(in, out, BYTES);
    }
    assert_int_equal(atomic_load(&fake_submitted), before + 4 * ROUNDS);
    sl_clReleaseMemObject(a);
    sl_clReleaseMemObject(b);
    free(in);
    free(out);
}

static int order[4], called;

static void CL_CALLBACK note_end(cl_mem mem, void *data)
{
    (void)mem;
    order[called++] = *(int *)data;
}

static void test_destructors(void **state)
{
    (void)state;
    static int numbers[3] = {1, 2, 3};
    cl_mem mem = buffer_of(0, 64, NULL);
    assert_int_equal(sl_clSetMemObjectDestructorCallback(NULL, note_end, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clSetMemObjectDestructorCallback(mem, NULL, NULL), CL_INVALID_VALUE);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sl_clSetMemObjectDestructorCallback(mem, note_end, &numbers[i]),
                         CL_SUCCESS);
    assert_int_equal(sl_clReleaseMemObject(mem), CL_SUCCESS);
    assert_int_equal(called, 3);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[2], 1);
}

struct native_args {
    void *a, *b;
    int value;
};

static void CL_CALLBACK native(void *data)
{
    struct native_args *args = data;
    if (!args->b)
        *(int *)args->a = args->value;
}

static void test_native(void **state)
{
    (void)state;
    struct native_args args = {.b = &args, .value = 77};
    cl_mem mem = buffer_of(0, 64, NULL), list[2] = {mem, NULL};
    const void *places[2] = {&args.a, &args.b};
    int got = 0;
    assert_int_equal(
        sl_clEnqueueNativeKernel(queue, native, &args, sizeof args, 2, list, places, 0, NULL, NULL),
        CL_SUCCESS);
    args.value = 1; /* the command has its own copy */
    assert_int_equal(
        sl_clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(got, 77);
#define NATIVE(f, a, n, m, l, p) sl_clEnqueueNativeKernel(queue, f, a, n, m, l, p, 0, NULL, NULL)
    assert_int_equal(NATIVE(NULL, &args, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(NATIVE(native, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(NATIVE(native, &args, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(NATIVE(native, &args, 8, 1, NULL, places), CL_INVALID_VALUE);
    assert_int_equal(NATIVE(native, &args, 8, 0, list, NULL), CL_INVALID_VALUE);
    assert_int_equal(NATIVE(native, &args, 8, 2, list, places), CL_INVALID_VALUE);
    cl_mem bad = (cl_mem)queue;
    assert_int_equal(NATIVE(native, &args, sizeof args, 1, &bad, places), CL_INVALID_MEM_OBJECT);
    sl_clReleaseMemObject(mem);
}

static void test_migrate(void **state)
{
    (void)state;
    cl_mem mem = buffer_of(0, 64, NULL), none = NULL;
    assert_int_equal(sl_clEnqueueMigrateMemObjects(queue, 1, &mem, 0, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(sl_clEnqueueMigrateMemObjects(queue, 0, &mem, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueMigrateMemObjects(queue, 1, &none, 0, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clEnqueueMigrateMemObjects(queue, 1, &mem, 1u << 5, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    sl_clReleaseMemObject(mem);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_create),       TEST(test_sub_buffers),
        TEST(test_maps),         TEST(test_unmap_fails),
        TEST(test_out_of_reach), TEST(test_host_access),
        TEST(test_linear),       TEST(test_sub_buffer_overlap),
        TEST(test_rect_values),  TEST(test_read_in_place),
        TEST(test_large),        TEST(test_destructors),
        TEST(test_native),       TEST(test_migrate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
