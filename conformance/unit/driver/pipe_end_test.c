/* SPDX-License-Identifier: Apache-2.0 */
/* The host's end of pipe objects: packets and maps; kernels are played by the test. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/api.h"
#include "fake_device.h"
#include "fake_pipe.h"
#include "memory/buffer.h"
#include "platform/device.h"

static cl_context context;
static cl_mem buffer;
static struct sl_device_caps *caps;

static int setup(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_INLINE);
    caps = &device->impl->caps;
    caps->features |= SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW;
    context = fake_context(device);
    buffer = sl_clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    return context && buffer ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    sl_clReleaseMemObject(buffer);
    sl_clReleaseContext(context);
    caps->features &= ~(uint32_t)(SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW);
    return atomic_load(&fake_pipes) ? -1 : 0;
}

static cl_mem make(cl_mem_flags flags, cl_uint packet, cl_uint packets)
{
    cl_int rc = 1;
    cl_mem mem = sl_clCreatePipe(context, flags, packet, packets, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    assert_non_null(mem);
    return mem;
}

/* ---- packets at the host's end --------------------------------------------------------------- */

static void test_packets(void **state)
{
    (void)state;
    cl_mem in = make(CL_MEM_HOST_WRITE_ONLY, 4, 3);
    struct sl_pipe *ring = fake_last_pipe;
    int got = 0;
    for (int i = 10; i < 13; i++)
        assert_int_equal(sl_clWritePipeIntelFPGA(in, &i), CL_SUCCESS);
    assert_int_equal(sl_clWritePipeIntelFPGA(in, &got), CL_PIPE_FULL);
    assert_int_equal(sl_clWritePipeIntelFPGA(in, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clReadPipeIntelFPGA(in, &got), CL_INVALID_MEM_OBJECT);
    for (int i = 10; i < 13; i++) {
        assert_true(fake_kernel_read(ring, &got));
        assert_int_equal(got, i);
    }
    cl_mem out = make(CL_MEM_HOST_READ_ONLY, 4, 3), plain = make(0, 4, 3);
    assert_int_equal(sl_clReadPipeIntelFPGA(out, &got), CL_PIPE_EMPTY);
    assert_int_equal(got, 12);
    assert_int_equal(sl_clWritePipeIntelFPGA(out, &got), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clReadPipeIntelFPGA(out, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clReadPipeIntelFPGA(plain, &got), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clWritePipeIntelFPGA(plain, &got), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clReadPipeIntelFPGA(buffer, &got), CL_INVALID_MEM_OBJECT);
    assert_int_equal(sl_clReadPipeIntelFPGA(NULL, &got), CL_INVALID_MEM_OBJECT);
    sl_clReleaseMemObject(in);
    assert_int_equal(sl_clWritePipeIntelFPGA(in, &got), CL_INVALID_MEM_OBJECT);
    sl_clReleaseMemObject(out);
    sl_clReleaseMemObject(plain);
}

enum { WRITERS = 4, EACH = 20000 };
static cl_mem shared;

static void *write_many(void *data)
{
    int base = (int)(intptr_t)data * EACH;
    for (int i = 0; i < EACH; i++) {
        int value = base + i;
        while (sl_clWritePipeIntelFPGA(shared, &value) == CL_PIPE_FULL)
            sched_yield();
    }
    return NULL;
}

static void test_many_writers(void **state)
{
    (void)state;
    pthread_t threads[WRITERS];
    int next[WRITERS], got;
    shared = make(CL_MEM_HOST_WRITE_ONLY, 4, 5);
    struct sl_pipe *ring = fake_last_pipe;
    for (int i = 0; i < WRITERS; i++) {
        next[i] = i * EACH;
        assert_int_equal(pthread_create(&threads[i], NULL, write_many, (void *)(intptr_t)i), 0);
    }
    for (int i = 0; i < WRITERS * EACH; i++) {
        while (!fake_kernel_read(ring, &got))
            sched_yield();
        assert_in_range(got, 0, WRITERS * EACH - 1);
        assert_int_equal(got, next[got / EACH]++);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_false(fake_kernel_read(ring, &got));
    sl_clReleaseMemObject(shared);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static int *map(cl_mem mem, size_t want, size_t expect)
{
    size_t bytes = 99;
    cl_int rc = 1;
    int *at = sl_clMapHostPipeIntelFPGA(mem, 0, want, &bytes, &rc);
    assert_int_equal(rc, expect ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
    assert_int_equal(bytes, expect);
    assert_int_equal(at != NULL, expect != 0);
    return at;
}

static cl_int unmap(cl_mem mem, void *at, size_t bytes)
{
    size_t done = 77;
    cl_int rc = sl_clUnmapHostPipeIntelFPGA(mem, at, bytes, &done);
    assert_int_equal(done, rc ? 77 : bytes);
    return rc;
}

static void test_map_refused(void **state)
{
    (void)state;
    cl_mem in = make(CL_MEM_HOST_WRITE_ONLY, 4, 4), plain = make(0, 4, 4);
    size_t bytes = 99;
    cl_int rc = 1;
    assert_null(sl_clMapHostPipeIntelFPGA(plain, 0, 4, &bytes, &rc));
    assert_int_equal(rc, CL_INVALID_MEM_OBJECT);
    assert_null(sl_clMapHostPipeIntelFPGA(NULL, 0, 4, &bytes, &rc));
    assert_int_equal(rc, CL_INVALID_MEM_OBJECT);
    assert_null(sl_clMapHostPipeIntelFPGA(in, CL_MAP_WRITE, 4, &bytes, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clMapHostPipeIntelFPGA(in, 0, 6, &bytes, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    rc = 1;
    assert_null(sl_clMapHostPipeIntelFPGA(in, 0, 4, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_int_equal(bytes, 99);
    assert_int_equal(unmap(plain, &bytes, 4), CL_INVALID_MEM_OBJECT);
    assert_int_equal(unmap(in, &bytes, 4), CL_INVALID_VALUE);
    assert_int_equal(unmap(in, NULL, 4), CL_INVALID_VALUE);
    int *at = sl_clMapHostPipeIntelFPGA(in, 0, 8, &bytes, NULL);
    assert_non_null(at);
    assert_int_equal(unmap(in, at + 1, 4), CL_INVALID_VALUE);
    assert_int_equal(unmap(in, at, 2), CL_INVALID_VALUE);
    assert_int_equal(unmap(in, at, 12), CL_INVALID_VALUE);
    assert_int_equal(unmap(in, at, 0), CL_SUCCESS);
    assert_int_equal(sl_clUnmapHostPipeIntelFPGA(in, at, 4, NULL), CL_SUCCESS);
    assert_int_equal(unmap(in, at, 4), CL_SUCCESS);
    assert_int_equal(unmap(in, at, 4), CL_INVALID_VALUE);
    sl_clReleaseMemObject(in);
    sl_clReleaseMemObject(plain);
}

static void expect(struct sl_pipe *ring, int want)
{
    int got = -1;
    assert_int_equal(fake_kernel_read(ring, &got), want >= 0);
    if (want >= 0)
        assert_int_equal(got, want);
}

static void test_map_to_write(void **state)
{
    (void)state;
    cl_mem in = make(CL_MEM_HOST_WRITE_ONLY, 4, 8);
    struct sl_pipe *ring = fake_last_pipe;
    int *a = map(in, 12, 12), *b = map(in, 8, 8), value = 5;
    assert_ptr_equal(b, a + 3);
    for (int i = 0; i < 3; i++)
        a[i] = i;
    b[0] = 3, b[1] = 4;
    assert_int_equal(sl_clWritePipeIntelFPGA(in, &value), CL_SUCCESS); /* behind both */
    expect(ring, -1);
    assert_int_equal(unmap(in, a, 4), CL_SUCCESS);
    expect(ring, 0);
    expect(ring, -1);
    assert_int_equal(unmap(in, b, 8), CL_SUCCESS); /* out of turn */
    expect(ring, -1);
    assert_int_equal(unmap(in, a, 8), CL_SUCCESS);
    for (int i = 1; i < 6; i++)
        expect(ring, i);
    expect(ring, -1);
    /* all there is, in one piece: up to the end of the ring, then its beginning */
    a = map(in, 0, 8);
    b = map(in, 0, 24);
    map(in, 0, 0);
    assert_int_equal(sl_clWritePipeIntelFPGA(in, &value), CL_PIPE_FULL);
    for (int i = 0; i < 2; i++)
        a[i] = 20 + i;
    for (int i = 0; i < 6; i++)
        b[i] = 22 + i;
    assert_int_equal(unmap(in, a, 8) | unmap(in, b, 24), CL_SUCCESS);
    for (int i = 20; i < 28; i++)
        expect(ring, i);
    sl_clReleaseMemObject(in);
}

static void test_map_to_read(void **state)
{
    (void)state;
    cl_mem out = make(CL_MEM_HOST_READ_ONLY, 4, 4);
    struct sl_pipe *ring = fake_last_pipe;
    int got = -1;
    map(out, 8, 0);
    for (int i = 0; i < 4; i++)
        assert_true(fake_kernel_write(ring, &i));
    int *a = map(out, 8, 8), five = 5;
    assert_int_equal(a[0], 0);
    assert_int_equal(a[1], 1);
    assert_int_equal(sl_clReadPipeIntelFPGA(out, &got), CL_SUCCESS);
    assert_int_equal(got, 2);
    assert_false(fake_kernel_write(ring, &five)); /* no capacity was added */
    int *b = map(out, 400, 4);
    assert_int_equal(*b, 3);
    assert_int_equal(unmap(out, a, 4), CL_SUCCESS);
    assert_true(fake_kernel_write(ring, &five));
    assert_false(fake_kernel_write(ring, &five));
    assert_int_equal(unmap(out, a, 4), CL_SUCCESS); /* gives back the packet that was read, too */
    assert_true(fake_kernel_write(ring, &five));
    assert_true(fake_kernel_write(ring, &five));
    assert_false(fake_kernel_write(ring, &five));
    sl_clReleaseMemObject(out); /* with b open */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets),     cmocka_unit_test(test_many_writers),
        cmocka_unit_test(test_map_refused), cmocka_unit_test(test_map_to_write),
        cmocka_unit_test(test_map_to_read),
    };
    return cmocka_run_group_tests_name("pipe_end", tests, setup, teardown);
}
