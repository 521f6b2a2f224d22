/* SPDX-License-Identifier: Apache-2.0 */
/* Shared virtual memory: what there is, allocations and commands, values against plain C. */
#include "reference.h"
#include "svm_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned char data[SVM_SIZE], back[SVM_SIZE];

/* ---- what there is --------------------------------------------------------------------------- */

static void reported(void)
{
    const cl_device_svm_capabilities svm = svm_capabilities(),
                                     known = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                             CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                             CL_DEVICE_SVM_FINE_GRAIN_SYSTEM |
                                             CL_DEVICE_SVM_ATOMICS;
    CHECK(!(svm & ~known));
    if (svm)
        CHECK(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    if (svm & (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS))
        CHECK(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    static const cl_device_info aligns[] = {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
                                            CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
                                            CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT};
    for (size_t i = 0; i < LEN(aligns); i++) {
        cl_uint align = device_uint(aligns[i]);
        CHECK(!(align & (align - 1)));
    }
    if (svm & CL_DEVICE_SVM_ATOMICS) {
        cl_device_atomic_capabilities atomics = 0;
        CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics,
                                 &atomics, NULL));
        CHECK(atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
        CHECK(atomics & CL_DEVICE_ATOMIC_ORDER_ACQ_REL);
    }
}

/* A device without shared virtual memory. */
static void absent(void)
{
    if (svm_capabilities())
        check_skip("the device has shared virtual memory");
    cl_kernel kernel = new_kernel("kernel void k(global int *x) { *x = 1; }", "k", NULL);
    void *list[1] = {data};
    const void *regions[1] = {data};
    CHECK(!clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0));
    FAILS(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, data));
    FAILS(CL_INVALID_OPERATION,
          clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueSVMMemcpy(cl.queue, CL_TRUE, data, data + 32, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueSVMMemFill(cl.queue, data, data + 32, 4, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, data, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueSVMUnmap(cl.queue, data, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueSVMFree(cl.queue, 1, list, NULL, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueSVMMigrateMem(cl.queue, 1, regions, NULL, 0, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void allocations(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    static const size_t sizes[] = {1, 3, 128, 1000003, (size_t)5 << 20};
    unsigned char *all[LEN(sizes)][9];
    for (size_t s = 0; s < LEN(sizes); s++)
        for (cl_uint a = 0; a < 9; a++) {
            cl_uint align = a ? 1u << (a - 1) : 0;
            unsigned char *at = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, sizes[s], align);
            REQUIRE(at);
            CHECK_EQ((uintptr_t)at % (align ? align : 128), 0);
            svm_map(at, CL_MAP_WRITE, sizes[s]);
            memset(at, (int)(s * 9 + a), sizes[s]);
            svm_unmap(at);
            all[s][a] = at;
        }
    for (size_t s = 0; s < LEN(sizes); s++)
        for (cl_uint a = 0; a < 9; a++) {
            unsigned char *at = all[s][a];
            svm_map(at, CL_MAP_READ, sizes[s]);
            CHECK_EQ(at[0], s * 9 + a);
            CHECK_EQ(at[sizes[s] - 1], s * 9 + a);
            svm_unmap(at);
            CHECK_OK(clFinish(cl.queue));
            svm_release(at);
        }
    svm_release(NULL);
}

static void allocation_flags(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    static const cl_svm_mem_flags flags[] = {0,
                                             CL_MEM_READ_WRITE,
                                             CL_MEM_READ_ONLY,
                                             CL_MEM_WRITE_ONLY,
                                             CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                             CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS};
    cl_device_svm_capabilities svm = svm_capabilities();
    for (size_t i = 0; i < LEN(flags); i++) {
        if ((flags[i] & CL_MEM_SVM_FINE_GRAIN_BUFFER) && !(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
            continue;
        if ((flags[i] & CL_MEM_SVM_ATOMICS) && !(svm & CL_DEVICE_SVM_ATOMICS))
            continue;
        svm_release(svm_alloc(flags[i], SVM_SIZE));
    }
}

static void allocation_errors(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    const cl_svm_mem_flags rw = CL_MEM_READ_WRITE;
    CHECK(!clSVMAlloc(NULL, rw, SVM_SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw, 0, 0));
    CHECK(!clSVMAlloc(cl.context, rw, SIZE_MAX, 0));
    cl_ulong most = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    CHECK(!clSVMAlloc(cl.context, rw, most + 1, 0));
    CHECK(!clSVMAlloc(cl.context, rw, SVM_SIZE, 3));
    CHECK(!clSVMAlloc(cl.context, rw, SVM_SIZE, 129));
    CHECK(!clSVMAlloc(cl.context, CL_MEM_SVM_ATOMICS, SVM_SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, SVM_SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw | CL_MEM_READ_ONLY, SVM_SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw | CL_MEM_USE_HOST_PTR, SVM_SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw | (1u << 29), SVM_SIZE, 0));
}

/* What the application forgets goes with the context. */
static void leftovers(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_context context = new_context();
    for (size_t i = 1; i < 200; i++)
        REQUIRE(clSVMAlloc(context, 0, i * 37, 0));
    RELEASE_CONTEXT(context);
}

static void *churn(void *unused)
{
    enum { LIVE = 64, ROUNDS = 3000 };
    static _Thread_local unsigned char *live[LIVE];
    unsigned seed = 17;
    for (unsigned i = 0; i < ROUNDS; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned slot = seed >> 16 & (LIVE - 1);
        if (live[slot]) {
            CHECK_EQ(*live[slot], slot);
            svm_release(live[slot]);
            live[slot] = NULL;
        } else if ((live[slot] = clSVMAlloc(cl.context, 0, 1 + (seed >> 8 & 1023), 0))) {
            *live[slot] = (unsigned char)slot;
        }
    }
    for (unsigned i = 0; i < LIVE; i++)
        svm_release(live[i]);
    return unused;
}

static void threads(void)
{
    svm_need(CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    pthread_t ids[4];
    for (size_t i = 0; i < LEN(ids); i++)
        REQUIRE(!pthread_create(&ids[i], NULL, churn, NULL));
    for (size_t i = 0; i < LEN(ids); i++)
        pthread_join(ids[i], NULL);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void copies(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    static const size_t sizes[] = {1, 7, SVM_SIZE, 65537, 3000001};
    size_t most = sizes[LEN(sizes) - 1] + 16;
    unsigned char *a = svm_alloc(0, most), *b = svm_alloc(0, most), *from = malloc(most),
                  *to = malloc(most);
    REQUIRE(from && to);
    random_fill(from, most);
    for (size_t i = 0; i < LEN(sizes); i++)
        for (int blocking = 0; blocking < 2; blocking++) {
            cl_event event;
            size_t size = sizes[i];
            memset(to, 0, most);
            CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, a + 3, from + i, size, 0, NULL, NULL));
            CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, b + 5, a + 3, size, 0, NULL, &event));
            CHECK_OK(
                clEnqueueSVMMemcpy(cl.queue, (cl_bool)blocking, to, b + 5, size, 0, NULL, NULL));
            svm_check_ended(event, CL_COMMAND_SVM_MEMCPY);
            if (!blocking)
                CHECK_OK(clFinish(cl.queue));
            CHECK(!memcmp(to, from + i, size) && !to[size]);
        }
    free(from);
    free(to);
    svm_release(a);
    svm_release(b);
}

static void fills(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    unsigned char *at = svm_alloc(0, 129 * 128), pattern[128], *to = malloc(129 * 128);
    REQUIRE(to);
    for (size_t bytes = 1; bytes <= sizeof pattern; bytes *= 2)
        for (size_t count = 1; count < 130; count += 42) {
            cl_event event;
            unsigned char zero = 0;
            random_fill(pattern, sizeof pattern);
            pattern[0] |= 1;
            CHECK_OK(clEnqueueSVMMemFill(cl.queue, at, &zero, 1, 129 * 128, 0, NULL, NULL));
            CHECK_OK(clEnqueueSVMMemFill(cl.queue, at + bytes, pattern, bytes, bytes * count, 0,
                                         NULL, &event));
            unsigned char kept[128];
            memcpy(kept, pattern, sizeof kept);
            memset(pattern, 0, sizeof pattern); /* it belongs to us again */
            CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, to, at, 129 * 128, 0, NULL, NULL));
            svm_check_ended(event, CL_COMMAND_SVM_MEMFILL);
            size_t wrong = 0;
            for (size_t i = 0; i < 129 * 128; i++)
                wrong += to[i] != (i >= bytes && i < bytes * (count + 1) ? kept[i % bytes] : 0);
            CHECK_EQ(wrong, 0);
        }
    free(to);
    svm_release(at);
}

static void maps(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    unsigned char *at = svm_alloc(0, SVM_SIZE);
    cl_event gate = svm_gate(), mapped, unmapped;
    random_fill(data, SVM_SIZE);
    svm_write(at, data, SVM_SIZE);
    CHECK_OK(clEnqueueSVMMap(cl.queue, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, at + 1, SVM_SIZE - 2,
                             1, &gate, &mapped));
    CHECK(event_status(mapped) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    svm_check_ended(mapped, CL_COMMAND_SVM_MAP);
    CHECK(!memcmp(at + 1, data + 1, SVM_SIZE - 2));
    at[SVM_SIZE - 2] ^= 0x55;
    CHECK_OK(clEnqueueSVMUnmap(cl.queue, at + 1, 0, NULL, &unmapped));
    svm_check_ended(unmapped, CL_COMMAND_SVM_UNMAP);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SVM_SIZE, 0, NULL, NULL));
    data[SVM_SIZE - 2] ^= 0x55;
    CHECK(!memcmp(back, data, SVM_SIZE));
    RELEASE_EVENT(gate);
    svm_release(at);
}

static void migrations(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    if (device_version() < 210)
        check_skip("before 2.1");
    unsigned char *a = svm_alloc(0, SVM_SIZE), *b = svm_alloc(0, 7);
    const void *list[] = {a, b, a + 100};
    const size_t sizes[] = {SVM_SIZE, 0, SVM_SIZE - 100};
    cl_event event;
    random_fill(data, SVM_SIZE);
    svm_write(a, data, SVM_SIZE);
    CHECK_OK(clEnqueueSVMMigrateMem(cl.queue, 3, list, NULL, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMigrateMem(cl.queue, 3, list, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                    &event));
    svm_check_ended(event, CL_COMMAND_SVM_MIGRATE_MEM);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, a, SVM_SIZE, 0, NULL, NULL));
    CHECK(!memcmp(back, data, SVM_SIZE));
    svm_release(a);
    svm_release(b);
}

struct freed { /* what a callback saw */
    cl_command_queue queue;
    cl_uint count;
    void *pointers[3];
    atomic_int calls;
};

static void CL_CALLBACK note_and_free(cl_command_queue queue, cl_uint count, void *pointers[],
                                      void *user_data)
{
    struct freed *freed = user_data;
    freed->queue = queue;
    freed->count = count;
    for (cl_uint i = 0; i < count && i < 3; i++) {
        freed->pointers[i] = pointers[i];
        svm_release(pointers[i]);
    }
    atomic_fetch_add(&freed->calls, 1);
}

static void free_by_callback(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    struct freed freed = {.count = 99};
    void *list[3] = {svm_alloc(0, 1), svm_alloc(0, SVM_SIZE), svm_alloc(0, 5000000)}, *kept[3];
    memcpy(kept, list, sizeof kept);
    cl_event gate = svm_gate(), event;
    CHECK_OK(clEnqueueSVMFree(cl.queue, 3, list, note_and_free, &freed, 1, &gate, &event));
    memset(list, 0, sizeof list); /* it belongs to us again */
    CHECK_EQ(atomic_load(&freed.calls), 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFlush(cl.queue));
    svm_check_ended(event, CL_COMMAND_SVM_FREE);
    CHECK_EQ(atomic_load(&freed.calls), 1);
    CHECK(freed.queue == cl.queue);
    CHECK_EQ(freed.count, 3);
    CHECK(!memcmp(freed.pointers, kept, sizeof kept));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_EVENT(gate);
}

/* Enqueued behind the kernels that use the memory, which lives until then. */
static void free_after_use(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_kernel kernel = new_kernel("kernel void add(global int *x, int n)\n"
                                  "{ x[get_global_id(0)] += n; }",
                                  "add", NULL);
    static int got[SVM_SIZE];
    for (int round = 0; round < 20; round++) {
        size_t global = SVM_SIZE;
        cl_int zero = 0;
        cl_event event;
        int *x = svm_alloc(0, sizeof got);
        void *list[1] = {x};
        CHECK_OK(clEnqueueSVMMemFill(cl.queue, x, &zero, sizeof zero, sizeof got, 0, NULL, NULL));
        for (int n = 1; n < 5; n++) {
            REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, x));
            ARG(kernel, 1, n);
            CHECK_OK(
                clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        }
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, got, x, sizeof got, 0, NULL, NULL));
        CHECK_OK(clEnqueueSVMFree(cl.queue, 1, list, NULL, NULL, 0, NULL, &event));
        CHECK_OK(clFlush(cl.queue));
        svm_check_ended(event, CL_COMMAND_SVM_FREE);
        for (int i = 0; i < SVM_SIZE; i++)
            REQUIRE(got[i] == 10);
    }
    RELEASE_KERNEL(kernel);
}

/* The command alone keeps its queue and context alive. */
static void free_behind_release(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_int rc;
    cl_context context = new_context();
    cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    cl_event gate = clCreateUserEvent(context, &rc), event;
    REQUIRE_OK(rc);
    void *list[1] = {clSVMAlloc(context, 0, SVM_SIZE, 0)};
    REQUIRE(list[0]);
    REQUIRE_OK(clEnqueueSVMFree(queue, 1, list, NULL, NULL, 1, &gate, &event));
    RELEASE_QUEUE(queue);
    RELEASE_CONTEXT(context);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
}

/* A free that fails with its wait list frees nothing and calls nobody. */
static void failed_predecessor(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    struct freed freed = {.count = 99};
    unsigned char *at = svm_alloc(0, SVM_SIZE);
    void *list[1] = {at};
    random_fill(data, SVM_SIZE);
    svm_write(at, data, SVM_SIZE);
    CHECK_OK(clFinish(cl.queue));
    cl_event gate = svm_gate(), event;
    CHECK_OK(clEnqueueSVMFree(cl.queue, 1, list, note_and_free, &freed, 1, &gate, &event));
    CHECK_OK(clSetUserEventStatus(gate, -5));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK(event_status(event) < 0);
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SVM_SIZE, 1, &gate, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, at, SVM_SIZE, 1, &gate, NULL));
    CHECK_EQ(atomic_load(&freed.calls), 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SVM_SIZE, 0, NULL, NULL));
    CHECK(!memcmp(back, data, SVM_SIZE));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    svm_release(at);
}

static const struct test_case cases[] = {
    CASE(reported),
    CASE(absent),
    CASE(allocations),
    CASE(allocation_flags),
    CASE(allocation_errors),
    CASE(leftovers),
    CASE(threads),
    CASE(copies),
    CASE(fills),
    CASE(maps),
    CASE(migrations),
    CASE(free_by_callback),
    CASE(free_after_use),
    CASE(free_behind_release),
    CASE(failed_predecessor),
};
TEST_MAIN("svm", cases)
