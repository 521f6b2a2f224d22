/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes, copies and fills of buffers: against a plain copy in host memory. */
#include "cl_help.h"
#include "reference.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4099 };

static unsigned char model[SIZE], back[SIZE], other[SIZE];

static cl_mem random_buffer(unsigned char *copy)
{
    random_fill(copy, SIZE);
    return new_buffer(CL_MEM_COPY_HOST_PTR, SIZE, copy);
}

static void compare(cl_mem mem, const unsigned char *want)
{
    read_back(mem, SIZE, back);
    for (size_t i = 0; i < SIZE; i++) {
        if (back[i] != want[i]) {
            check_fail(__FILE__, __LINE__, "byte %zu: expected %u, got %u", i, want[i], back[i]);
            return;
        }
    }
}

static void random_reads_and_writes(void)
{
    cl_mem mem = random_buffer(model);
    for (int i = 0; i < 300; i++) {
        size_t offset = random_below(SIZE), size = 1 + random_below(SIZE - offset);
        random_fill(other, size);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, mem, i & 1, offset, size, other, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
        memcpy(model + offset, other, size);
        memset(other, 0, size);
        CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, offset, size, other, 0, NULL, NULL));
        REQUIRE(!memcmp(other, model + offset, size));
    }
    compare(mem, model);
    RELEASE_MEM(mem);
}

static void copies(void)
{
    cl_mem from = random_buffer(model), to = random_buffer(other);
    for (int i = 0; i < 200; i++) {
        size_t size = 1 + random_below(SIZE - 1);
        size_t a = random_below(SIZE - size + 1), b = random_below(SIZE - size + 1);
        CHECK_OK(clEnqueueCopyBuffer(cl.queue, from, to, a, b, size, 0, NULL, NULL));
        memcpy(other + b, model + a, size);
    }
    compare(to, other);
    compare(from, model);
    /* within one buffer, side by side */
    CHECK_OK(clEnqueueCopyBuffer(cl.queue, to, to, 0, 100, 100, 0, NULL, NULL));
    memcpy(other + 100, other, 100);
    compare(to, other);
    FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(cl.queue, to, to, 0, 99, 100, 0, NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(cl.queue, to, to, 99, 0, 100, 0, NULL, NULL));
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void overlapping_sub_buffers(void)
{
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    cl_mem mem = new_buffer(0, align * 4, NULL);
    const cl_buffer_region low = {0, align * 3}, high = {align, align * 3};
    cl_int rc;
    cl_mem a = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &rc);
    REQUIRE_OK(rc);
    cl_mem b = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(cl.queue, a, b, align, 0, 8, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, align, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(mem);
}

static void fills(void)
{
    cl_mem mem = random_buffer(model);
    for (size_t width = 1; width <= 128; width *= 2) {
        unsigned char pattern[128];
        random_fill(pattern, width);
        size_t slots = SIZE / width;
        size_t first = random_below(slots), count = 1 + random_below(slots - first);
        CHECK_OK(clEnqueueFillBuffer(cl.queue, mem, pattern, width, first * width, count * width, 0,
                                     NULL, NULL));
        for (size_t i = 0; i < count; i++)
            memcpy(model + (first + i) * width, pattern, width);
        memset(pattern, 0, width); /* the pattern is the caller's again at once */
        compare(mem, model);
    }
    RELEASE_MEM(mem);
}

struct rect {
    size_t a[3], b[3], region[3], a_row, a_slice, b_row, b_slice;
};

static struct rect random_rect(int tight)
{
    struct rect r;
    for (int i = 0; i < 3; i++) {
        r.region[i] = 1 + random_below(i ? 6 : 11);
        r.a[i] = random_below(3);
        r.b[i] = random_below(3);
    }
    r.a_row = r.b_row = r.a_slice = r.b_slice = 0;
    if (!tight) {
        r.a_row = r.region[0] + r.a[0] + random_below(9);
        r.b_row = r.region[0] + r.b[0] + random_below(9);
        r.a_slice = r.a_row * (r.region[1] + r.a[1] + random_below(3));
        r.b_slice = r.b_row * (r.region[1] + r.b[1] + random_below(3));
    }
    return r;
}

static void plain_rect(const struct rect *r, const unsigned char *from, unsigned char *to)
{
    size_t a_row = r->a_row ? r->a_row : r->region[0];
    size_t b_row = r->b_row ? r->b_row : r->region[0];
    size_t a_slice = r->a_slice ? r->a_slice : a_row * r->region[1];
    size_t b_slice = r->b_slice ? r->b_slice : b_row * r->region[1];
    for (size_t z = 0; z < r->region[2]; z++) {
        for (size_t y = 0; y < r->region[1]; y++)
            memcpy(to + (r->b[2] + z) * b_slice + (r->b[1] + y) * b_row + r->b[0],
                   from + (r->a[2] + z) * a_slice + (r->a[1] + y) * a_row + r->a[0], r->region[0]);
    }
}

static void rects(void)
{
    cl_mem from = random_buffer(model), to = random_buffer(other);
    static unsigned char host[SIZE], host_want[SIZE];
    for (int i = 0; i < 120; i++) {
        struct rect r = random_rect(i % 4 == 0);
        CHECK_OK(clEnqueueCopyBufferRect(cl.queue, from, to, r.a, r.b, r.region, r.a_row, r.a_slice,
                                         r.b_row, r.b_slice, 0, NULL, NULL));
        plain_rect(&r, model, other);
        compare(to, other);
        random_fill(host, SIZE);
        memcpy(host_want, host, SIZE);
        CHECK_OK(clEnqueueReadBufferRect(cl.queue, from, CL_TRUE, r.a, r.b, r.region, r.a_row,
                                         r.a_slice, r.b_row, r.b_slice, host, 0, NULL, NULL));
        plain_rect(&r, model, host_want);
        CHECK(!memcmp(host, host_want, SIZE));
        struct rect w = r;
        memcpy(w.a, r.b, sizeof w.a), memcpy(w.b, r.a, sizeof w.b);
        w.a_row = r.b_row, w.a_slice = r.b_slice, w.b_row = r.a_row, w.b_slice = r.a_slice;
        CHECK_OK(clEnqueueWriteBufferRect(cl.queue, to, CL_TRUE, w.b, w.a, w.region, w.b_row,
                                          w.b_slice, w.a_row, w.a_slice, host, 0, NULL, NULL));
        plain_rect(&w, host, other);
        compare(to, other);
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void rect_overlap(void)
{
    cl_mem mem = random_buffer(model);
    const size_t zero[3] = {0, 0, 0}, right[3] = {8, 0, 0}, close[3] = {7, 0, 0},
                 region[3] = {8, 8, 2};
    CHECK_OK(clEnqueueCopyBufferRect(cl.queue, mem, mem, zero, right, region, 16, 128, 16, 128, 0,
                                     NULL, NULL));
    FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(cl.queue, mem, mem, zero, close, region, 16,
                                                       128, 16, 128, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_MEM(mem);
}

static void read_write_errors(void)
{
    cl_mem mem = new_buffer(0, 64, NULL), wrong = (cl_mem)cl.queue;
    cl_command_queue no_queue = (cl_command_queue)mem, q = cl.queue;
    cl_event no_event = (cl_event)mem;
    char data[64] = {0};
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, mem, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(q, NULL, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, mem, 1, 0, 65, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, mem, 1, 64, 1, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, mem, 1, SIZE_MAX, 2, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, mem, 1, 2, SIZE_MAX, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, mem, 1, 0, 4, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(q, mem, 1, 0, 4, data, 1, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueReadBuffer(q, mem, 1, 0, 4, data, 0, &no_event, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, mem, 1, 0, 65, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, mem, 1, 60, SIZE_MAX, data, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, mem, 1, 0, 4, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueWriteBuffer(q, mem, 1, 0, 4, data, 1, NULL, NULL));
    WRONG(CL_INVALID_COMMAND_QUEUE,
          clEnqueueReadBuffer(no_queue, mem, 1, 0, 4, data, 0, NULL, NULL));
    WRONG(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(q, wrong, 1, 0, 4, data, 0, NULL, NULL));
    WRONG(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(q, wrong, 1, 0, 4, data, 0, NULL, NULL));
    WRONG(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueReadBuffer(q, mem, 1, 0, 4, data, 1, &no_event, NULL));
    cl_context away = new_context();
    cl_int rc;
    cl_mem foreign = clCreateBuffer(away, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_CONTEXT, clEnqueueReadBuffer(q, foreign, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueWriteBuffer(q, foreign, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(q, mem, foreign, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(q, foreign, mem, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueFillBuffer(q, foreign, data, 1, 0, 4, 0, NULL, NULL));
    RELEASE_MEM(foreign);
    RELEASE_CONTEXT(away);
    RELEASE_MEM(mem);
}

static void host_access_errors(void)
{
    cl_mem none = new_buffer(CL_MEM_HOST_NO_ACCESS, 64, NULL);
    cl_mem reads = new_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL);
    cl_mem writes = new_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    const size_t zero[3] = {0, 0, 0}, one[3] = {4, 1, 1};
    char data[64] = {0};
    cl_command_queue q = cl.queue;
    CHECK_OK(clEnqueueReadBuffer(q, reads, 1, 0, 4, data, 0, NULL, NULL));
    CHECK_OK(clEnqueueWriteBuffer(q, writes, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueReadBuffer(q, none, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueReadBuffer(q, writes, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueWriteBuffer(q, none, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueWriteBuffer(q, reads, 1, 0, 4, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueReadBufferRect(q, writes, 1, zero, zero, one, 0, 0, 0, 0, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueWriteBufferRect(q, reads, 1, zero, zero, one, 0, 0, 0, 0, data, 0, NULL, NULL));
    RELEASE_MEM(none);
    RELEASE_MEM(reads);
    RELEASE_MEM(writes);
}

static void copy_and_fill_errors(void)
{
    cl_mem a = new_buffer(0, 64, NULL), b = new_buffer(0, 64, NULL);
    cl_command_queue q = cl.queue;
    char p[256] = {0};
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBuffer(NULL, a, b, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(q, NULL, b, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(q, a, NULL, 0, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, a, b, 61, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, a, b, 0, 61, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, a, b, 0, 0, 65, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, a, b, SIZE_MAX, 0, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyBuffer(q, a, b, 0, 0, 4, 1, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueFillBuffer(NULL, a, p, 4, 0, 64, 0, NULL, NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(q, NULL, p, 4, 0, 64, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, NULL, 4, 0, 64, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, p, 0, 0, 64, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, p, 3, 0, 63, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, p, 256, 0, 256, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, p, 4, 2, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, p, 4, 0, 6, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, a, p, 4, 64, 4, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer(q, a, p, 4, 0, 64, 1, NULL, NULL));
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void rect_errors(void)
{
    cl_mem a = new_buffer(0, 64, NULL), b = new_buffer(0, 64, NULL);
    cl_command_queue q = cl.queue;
    const size_t o[3] = {0, 0, 0}, r[3] = {4, 4, 2}, none[3] = {0, 4, 2}, far[3] = {0, 0, 3},
                 wrap[3] = {SIZE_MAX, 0, 0}, huge[3] = {4, SIZE_MAX / 2, 4};
    char d[64];
#define READ(buffer, origin, region, row, slice, to)                                               \
    clEnqueueReadBufferRect(q, buffer, 1, origin, o, region, row, slice, 0, 0, to, 0, NULL, NULL)
    FAILS(CL_INVALID_MEM_OBJECT, READ(NULL, o, r, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, NULL, r, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, NULL, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, none, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, far, r, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, wrap, r, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, huge, 0, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, r, 3, 0, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, r, 4, 15, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, r, 5, 21, d));
    FAILS(CL_INVALID_VALUE, READ(a, o, r, 0, 0, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteBufferRect(q, a, 1, far, o, r, 0, 0, 0, 0, d, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueWriteBufferRect(q, a, 1, o, o, r, 0, 0, 3, 0, d, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferRect(q, a, b, far, o, r, 0, 0, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferRect(q, a, b, o, far, r, 0, 0, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE,
          clEnqueueCopyBufferRect(q, a, b, o, o, none, 0, 0, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferRect(q, a, a, o, o, r, 4, 16, 5, 20, 0, NULL, NULL));
#undef READ
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void migrate(void)
{
    cl_mem mem = random_buffer(model), wrong = (cl_mem)cl.queue;
    cl_command_queue q = cl.queue;
    CHECK_OK(clEnqueueMigrateMemObjects(q, 1, &mem, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueMigrateMemObjects(q, 1, &mem, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    compare(mem, model);
    CHECK_OK(clEnqueueMigrateMemObjects(q, 1, &mem, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0,
                                        NULL, NULL));
    CHECK_OK(clFinish(q));
    FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 0, &mem, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 1, NULL, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 1, &mem, 1u << 9, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemObjects(q, 1, &mem, 0, 1, NULL, NULL));
    WRONG(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(q, 1, &wrong, 0, 0, NULL, NULL));
    RELEASE_MEM(mem);
}

static void big_copy(void)
{
    enum { BIG = (32 << 20) + 13 };
    unsigned char *from = malloc(BIG), *to = calloc(1, BIG);
    REQUIRE(from && to);
    for (size_t i = 0; i < BIG; i++)
        from[i] = (unsigned char)(i ^ i >> 11);
    cl_mem a = new_buffer(0, BIG, NULL), b = new_buffer(0, BIG, NULL);
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, a, CL_FALSE, 0, BIG, from, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, BIG, 0, NULL, NULL));
    read_back(b, BIG, to);
    CHECK(!memcmp(from, to, BIG));
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    free(from);
    free(to);
}

static const struct test_case cases[] = {
    CASE(random_reads_and_writes),
    CASE(copies),
    CASE(overlapping_sub_buffers),
    CASE(fills),
    CASE(rects),
    CASE(read_write_errors),
    CASE(host_access_errors),
    CASE(rect_overlap),
    CASE(copy_and_fill_errors),
    CASE(rect_errors),
    CASE(migrate),
    CASE(big_copy),
};
TEST_MAIN("buffer_rw", cases)
