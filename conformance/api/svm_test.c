/* SPDX-License-Identifier: Apache-2.0 */
/* Shared virtual memory: allocations, commands, kernel arguments, values against plain C. */
#include "cl_help.h"
#include "pointer_sums.h"
#include "reference.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1003 };

static unsigned char data[SIZE], back[SIZE];

static cl_device_svm_capabilities capabilities(void)
{
    cl_device_svm_capabilities svm = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    return svm;
}

static void need(cl_device_svm_capabilities wanted)
{
    if ((capabilities() & wanted) != wanted)
        check_skip("the device has no such shared virtual memory");
}

static void *alloc(cl_svm_mem_flags flags, size_t size)
{
    void *pointer = clSVMAlloc(cl.context, flags, size, 0);
    REQUIRE(pointer);
    return pointer;
}

static void release(void *pointer)
{
    clSVMFree(cl.context, pointer);
}

static void map(void *pointer, cl_map_flags flags, size_t size)
{
    CHECK_OK(clEnqueueSVMMap(cl.queue, CL_TRUE, flags, pointer, size, 0, NULL, NULL));
}

static void unmap(void *pointer)
{
    CHECK_OK(clEnqueueSVMUnmap(cl.queue, pointer, 0, NULL, NULL));
}

static void write_svm(void *to, const void *from, size_t size)
{
    map(to, CL_MAP_WRITE_INVALIDATE_REGION, size);
    memcpy(to, from, size);
    unmap(to);
}

static void check_type(cl_event event, cl_command_type want)
{
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, want);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
}

static cl_event new_gate(void)
{
    cl_int rc;
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return gate;
}

/* ---- what there is --------------------------------------------------------------------------- */

static void reported(void)
{
    const cl_device_svm_capabilities svm = capabilities(),
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
    if (capabilities())
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
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    static const size_t sizes[] = {1, 3, 128, 1000003, (size_t)5 << 20};
    unsigned char *all[LEN(sizes)][9];
    for (size_t s = 0; s < LEN(sizes); s++)
        for (cl_uint a = 0; a < 9; a++) {
            cl_uint align = a ? 1u << (a - 1) : 0;
            unsigned char *at = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, sizes[s], align);
            REQUIRE(at);
            CHECK_EQ((uintptr_t)at % (align ? align : 128), 0);
            map(at, CL_MAP_WRITE, sizes[s]);
            memset(at, (int)(s * 9 + a), sizes[s]);
            unmap(at);
            all[s][a] = at;
        }
    for (size_t s = 0; s < LEN(sizes); s++)
        for (cl_uint a = 0; a < 9; a++) {
            unsigned char *at = all[s][a];
            map(at, CL_MAP_READ, sizes[s]);
            CHECK_EQ(at[0], s * 9 + a);
            CHECK_EQ(at[sizes[s] - 1], s * 9 + a);
            unmap(at);
            CHECK_OK(clFinish(cl.queue));
            release(at);
        }
    release(NULL);
}

static void allocation_flags(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    static const cl_svm_mem_flags flags[] = {0,
                                             CL_MEM_READ_WRITE,
                                             CL_MEM_READ_ONLY,
                                             CL_MEM_WRITE_ONLY,
                                             CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                             CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS};
    cl_device_svm_capabilities svm = capabilities();
    for (size_t i = 0; i < LEN(flags); i++) {
        if ((flags[i] & CL_MEM_SVM_FINE_GRAIN_BUFFER) && !(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
            continue;
        if ((flags[i] & CL_MEM_SVM_ATOMICS) && !(svm & CL_DEVICE_SVM_ATOMICS))
            continue;
        release(alloc(flags[i], SIZE));
    }
}

static void allocation_errors(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    const cl_svm_mem_flags rw = CL_MEM_READ_WRITE;
    CHECK(!clSVMAlloc(NULL, rw, SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw, 0, 0));
    CHECK(!clSVMAlloc(cl.context, rw, SIZE_MAX, 0));
    cl_ulong most = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    CHECK(!clSVMAlloc(cl.context, rw, most + 1, 0));
    CHECK(!clSVMAlloc(cl.context, rw, SIZE, 3));
    CHECK(!clSVMAlloc(cl.context, rw, SIZE, 129));
    CHECK(!clSVMAlloc(cl.context, CL_MEM_SVM_ATOMICS, SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw | CL_MEM_READ_ONLY, SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw | CL_MEM_USE_HOST_PTR, SIZE, 0));
    CHECK(!clSVMAlloc(cl.context, rw | (1u << 29), SIZE, 0));
}

/* What the application forgets goes with the context. */
static void leftovers(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
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
            release(live[slot]);
            live[slot] = NULL;
        } else if ((live[slot] = clSVMAlloc(cl.context, 0, 1 + (seed >> 8 & 1023), 0))) {
            *live[slot] = (unsigned char)slot;
        }
    }
    for (unsigned i = 0; i < LIVE; i++)
        release(live[i]);
    return unused;
}

static void threads(void)
{
    need(CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    pthread_t ids[4];
    for (size_t i = 0; i < LEN(ids); i++)
        REQUIRE(!pthread_create(&ids[i], NULL, churn, NULL));
    for (size_t i = 0; i < LEN(ids); i++)
        pthread_join(ids[i], NULL);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void copies(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    static const size_t sizes[] = {1, 7, SIZE, 65537, 3000001};
    size_t most = sizes[LEN(sizes) - 1] + 16;
    unsigned char *a = alloc(0, most), *b = alloc(0, most), *from = malloc(most),
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
            check_type(event, CL_COMMAND_SVM_MEMCPY);
            if (!blocking)
                CHECK_OK(clFinish(cl.queue));
            CHECK(!memcmp(to, from + i, size) && !to[size]);
        }
    free(from);
    free(to);
    release(a);
    release(b);
}

static void fills(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    unsigned char *at = alloc(0, 129 * 128), pattern[128], *to = malloc(129 * 128);
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
            check_type(event, CL_COMMAND_SVM_MEMFILL);
            size_t wrong = 0;
            for (size_t i = 0; i < 129 * 128; i++)
                wrong += to[i] != (i >= bytes && i < bytes * (count + 1) ? kept[i % bytes] : 0);
            CHECK_EQ(wrong, 0);
        }
    free(to);
    release(at);
}

static void maps(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    unsigned char *at = alloc(0, SIZE);
    cl_event gate = new_gate(), mapped, unmapped;
    random_fill(data, SIZE);
    write_svm(at, data, SIZE);
    CHECK_OK(clEnqueueSVMMap(cl.queue, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, at + 1, SIZE - 2, 1,
                             &gate, &mapped));
    CHECK(event_status(mapped) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    check_type(mapped, CL_COMMAND_SVM_MAP);
    CHECK(!memcmp(at + 1, data + 1, SIZE - 2));
    at[SIZE - 2] ^= 0x55;
    CHECK_OK(clEnqueueSVMUnmap(cl.queue, at + 1, 0, NULL, &unmapped));
    check_type(unmapped, CL_COMMAND_SVM_UNMAP);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SIZE, 0, NULL, NULL));
    data[SIZE - 2] ^= 0x55;
    CHECK(!memcmp(back, data, SIZE));
    RELEASE_EVENT(gate);
    release(at);
}

static void migrations(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    if (device_version() < 210)
        check_skip("before 2.1");
    unsigned char *a = alloc(0, SIZE), *b = alloc(0, 7);
    const void *list[] = {a, b, a + 100};
    const size_t sizes[] = {SIZE, 0, SIZE - 100};
    cl_event event;
    random_fill(data, SIZE);
    write_svm(a, data, SIZE);
    CHECK_OK(clEnqueueSVMMigrateMem(cl.queue, 3, list, NULL, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMigrateMem(cl.queue, 3, list, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                    &event));
    check_type(event, CL_COMMAND_SVM_MIGRATE_MEM);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, a, SIZE, 0, NULL, NULL));
    CHECK(!memcmp(back, data, SIZE));
    release(a);
    release(b);
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
        release(pointers[i]);
    }
    atomic_fetch_add(&freed->calls, 1);
}

static void free_by_callback(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    struct freed freed = {.count = 99};
    void *list[3] = {alloc(0, 1), alloc(0, SIZE), alloc(0, 5000000)}, *kept[3];
    memcpy(kept, list, sizeof kept);
    cl_event gate = new_gate(), event;
    CHECK_OK(clEnqueueSVMFree(cl.queue, 3, list, note_and_free, &freed, 1, &gate, &event));
    memset(list, 0, sizeof list); /* it belongs to us again */
    CHECK_EQ(atomic_load(&freed.calls), 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFlush(cl.queue));
    check_type(event, CL_COMMAND_SVM_FREE);
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
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_kernel kernel = new_kernel("kernel void add(global int *x, int n)\n"
                                  "{ x[get_global_id(0)] += n; }",
                                  "add", NULL);
    static int got[SIZE];
    for (int round = 0; round < 20; round++) {
        size_t global = SIZE;
        cl_int zero = 0;
        cl_event event;
        int *x = alloc(0, sizeof got);
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
        check_type(event, CL_COMMAND_SVM_FREE);
        for (int i = 0; i < SIZE; i++)
            REQUIRE(got[i] == 10);
    }
    RELEASE_KERNEL(kernel);
}

/* The command alone keeps its queue and context alive. */
static void free_behind_release(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_int rc;
    cl_context context = new_context();
    cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    cl_event gate = clCreateUserEvent(context, &rc), event;
    REQUIRE_OK(rc);
    void *list[1] = {clSVMAlloc(context, 0, SIZE, 0)};
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
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    struct freed freed = {.count = 99};
    unsigned char *at = alloc(0, SIZE);
    void *list[1] = {at};
    random_fill(data, SIZE);
    write_svm(at, data, SIZE);
    CHECK_OK(clFinish(cl.queue));
    cl_event gate = new_gate(), event;
    CHECK_OK(clEnqueueSVMFree(cl.queue, 1, list, note_and_free, &freed, 1, &gate, &event));
    CHECK_OK(clSetUserEventStatus(gate, -5));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK(event_status(event) < 0);
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SIZE, 1, &gate, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, at, SIZE, 1, &gate, NULL));
    CHECK_EQ(atomic_load(&freed.calls), 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SIZE, 0, NULL, NULL));
    CHECK(!memcmp(back, data, SIZE));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    release(at);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Starts and insides of allocations, NULL, and buffers in between. */
static void arguments(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    enum { COUNT = 251, AT = 17 };
    static int a[COUNT], b[COUNT], got[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int)random_below(10000);
        b[i] = (int)random_below(10000);
    }
    cl_kernel kernel = new_kernel(sum_source, "sum", NULL);
    int *sa = alloc(CL_MEM_READ_ONLY, sizeof a), *sb = alloc(0, sizeof b + AT * sizeof *b),
        *sc = alloc(0, sizeof got);
    write_svm(sa, a, sizeof a);
    write_svm(sb + AT, b, sizeof b);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, sa));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, sb + AT));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 2, sc));
    run_1d(kernel, COUNT, 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
    check_sums(got, a, b, COUNT);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, NULL));
    run_1d(kernel, COUNT, 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
    check_sums(got, a, NULL, COUNT);
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    ARG(kernel, 1, buffer);
    run_1d(kernel, COUNT, 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
    check_sums(got, a, a, COUNT);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, sb + AT));
    if (device_version() >= 210) {
        cl_int rc;
        cl_kernel clone = clCloneKernel(kernel, &rc);
        REQUIRE_OK(rc);
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, NULL));
        run_1d(clone, COUNT, 0);
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
        check_sums(got, a, b, COUNT);
        RELEASE_KERNEL(clone);
    }
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
    release(sa);
    release(sb);
    release(sc);
}

struct node {
    struct node *next;
    cl_long value;
};

/* A list whose nodes lie in allocations of their own, made by the host, changed by the kernel. */
static void linked_list(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    enum { NODES = 333 };
    static void *nodes[NODES];
    cl_kernel kernel = new_kernel("struct node { global struct node *next; long value; };\n"
                                  "kernel void walk(global struct node *at, global long *sum)\n"
                                  "{\n"
                                  "    long total = 0;\n"
                                  "    for (; at; at = at->next) {\n"
                                  "        total += at->value;\n"
                                  "        at->value = -at->value;\n"
                                  "    }\n"
                                  "    *sum = total;\n"
                                  "}\n",
                                  "walk", NULL);
    cl_long *sum = alloc(0, sizeof *sum), want = 0;
    for (int i = 0; i < NODES; i++)
        nodes[i] = alloc(0, sizeof(struct node));
    for (int i = 0; i < NODES; i++) {
        struct node *node = nodes[i];
        map(node, CL_MAP_WRITE, sizeof *node);
        node->next = i + 1 < NODES ? nodes[i + 1] : NULL;
        node->value = (cl_long)random_below(1u << 20);
        want += node->value;
        unmap(node);
    }
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, nodes[0]));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, sum));
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes, nodes));
    run_1d(kernel, 1, 1);
    map(sum, CL_MAP_READ, sizeof *sum);
    CHECK_EQ(*sum, want);
    unmap(sum);
    run_1d(kernel, 1, 1);
    map(sum, CL_MAP_READ, sizeof *sum);
    CHECK_EQ(*sum, -want);
    unmap(sum);
    CHECK_OK(clEnqueueSVMFree(cl.queue, NODES, nodes, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    release(sum);
    RELEASE_KERNEL(kernel);
}

/* Host and kernel count in one place at the same time. */
static void atomics(void)
{
    need(CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS);
    enum { ITEMS = 1024, EACH = 100, MINE = 50000 };
    cl_kernel kernel = new_kernel(
        "kernel void count(volatile global atomic_int *x, volatile global atomic_long *y)\n"
        "{\n"
        "    for (int i = 0; i < 100; i++) {\n"
        "        atomic_fetch_add_explicit(x, 1, memory_order_relaxed,\n"
        "                                  memory_scope_all_svm_devices);\n"
        "        atomic_fetch_sub_explicit(y, 3, memory_order_acq_rel,\n"
        "                                  memory_scope_all_svm_devices);\n"
        "    }\n"
        "}\n",
        "count", device_version() >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    atomic_int *x = alloc(fine, 64);
    _Atomic int64_t *y = alloc(fine, 64);
    size_t global = ITEMS;
    atomic_init(x, 0);
    atomic_init(y, 0);
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, x));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, (void *)y));
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(cl.queue));
    for (int i = 0; i < MINE; i++) {
        atomic_fetch_add(x, 1);
        atomic_fetch_sub(y, 3);
    }
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(atomic_load(x), ITEMS * EACH + MINE);
    CHECK_EQ(atomic_load(y), -3 * (ITEMS * EACH + MINE));
    release(x);
    release((void *)y);
    RELEASE_KERNEL(kernel);
}

static int wait_for(atomic_int *word, int value)
{
    double end = now_seconds() + 20;
    while (atomic_load_explicit(word, memory_order_acquire) != value)
        if (now_seconds() > end)
            return 0;
    return 1;
}

/* A kernel that is running and the host answer each other. */
static void conversation(void)
{
    need(CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS);
    enum { ROUNDS = 100 };
    cl_kernel kernel = new_kernel(
        "kernel void talk(volatile global atomic_int *word, global int *text, int rounds)\n"
        "{\n"
        "    for (int i = 0; i < rounds; i++) {\n"
        "        for (long spin = 0; atomic_load_explicit(word, memory_order_acquire,\n"
        "                                memory_scope_all_svm_devices) != 2 * i + 1; spin++)\n"
        "            if (spin > 4000000000L)\n"
        "                return;\n"
        "        *text = *text * 2 + 1;\n"
        "        atomic_store_explicit(word, 2 * i + 2, memory_order_release,\n"
        "                              memory_scope_all_svm_devices);\n"
        "    }\n"
        "}\n",
        "talk", device_version() >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    atomic_int *word = alloc(fine, 256);
    int *text = (int *)(word + 32), rounds = ROUNDS;
    size_t global = 1;
    atomic_init(word, 0);
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, word));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, text));
    ARG(kernel, 2, rounds);
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(cl.queue));
    for (int i = 0; i < ROUNDS; i++) {
        *text = i;
        atomic_store_explicit(word, 2 * i + 1, memory_order_release);
        if (!CHECK(wait_for(word, 2 * i + 2)))
            break;
        CHECK_EQ(*text, 2 * i + 1);
    }
    CHECK_OK(clFinish(cl.queue));
    release(word);
    RELEASE_KERNEL(kernel);
}

/* Memory that no OpenCL call made: the heap, a static array, the stack. */
static void whole_system(void)
{
    need(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    enum { COUNT = 321 };
    static int a[COUNT];
    int *b = malloc(sizeof a), c[COUNT];
    REQUIRE(b);
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int)random_below(10000);
        b[i] = (int)random_below(10000);
        c[i] = 0;
    }
    cl_kernel kernel = new_kernel(sum_source, "sum", NULL);
    const cl_bool yes = CL_TRUE;
    CHECK_OK(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, a));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, b));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 2, c));
    run_1d(kernel, COUNT, 0);
    check_sums(c, a, b, COUNT);
    free(b);
    RELEASE_KERNEL(kernel);
}

/* ---- buffers over shared virtual memory ------------------------------------------------------ */

static cl_bool uses_svm(cl_mem mem)
{
    cl_bool uses = 7;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    return uses;
}

static void buffers(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_int rc;
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    unsigned char *at = alloc(0, align * 8);
    cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, align * 8, at),
           part = new_buffer(CL_MEM_USE_HOST_PTR, align * 4, at + align * 4),
           other = new_buffer(0, SIZE, NULL);
    const cl_buffer_region region = {align, align};
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(uses_svm(mem), CL_TRUE);
    CHECK_EQ(uses_svm(part), CL_TRUE);
    CHECK_EQ(uses_svm(sub), CL_TRUE);
    CHECK_EQ(uses_svm(other), CL_FALSE);
    cl_kernel kernel = new_kernel("kernel void add(global uchar *x, uchar n)\n"
                                  "{ x[get_global_id(0)] += n; }",
                                  "add", NULL);
    cl_uchar n = 5, zero = 0;
    CHECK_OK(clEnqueueSVMMemFill(cl.queue, at, &zero, 1, align * 8, 0, NULL, NULL));
    ARG(kernel, 0, mem);
    ARG(kernel, 1, n);
    run_1d(kernel, align * 8, 0);
    ARG(kernel, 0, sub);
    run_1d(kernel, align, 0);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, at + align * 4));
    run_1d(kernel, align * 4, 0);
    unsigned char *mapped =
        clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0, align * 8, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK(mapped == at);
    for (size_t i = 0; i < align * 8; i++)
        REQUIRE(mapped[i] == (i / align == 1 || i / align >= 4 ? 10 : 5));
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, mapped, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE,
                 clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, align * 8 + 1, at, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE,
                 clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, align * 8, at + align, ERR));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(sub);
    RELEASE_MEM(mem);
    RELEASE_MEM(part);
    RELEASE_MEM(other);
    release(at);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void command_errors(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_command_queue q = cl.queue, wrong = (cl_command_queue)cl.context;
    unsigned char *at = alloc(0, 256), pattern[256] = {0};
    cl_context away = new_context();
    cl_int rc;
    cl_event foreign = clCreateUserEvent(away, &rc), none = NULL;
    REQUIRE_OK(rc);
#define COPY(queue, dst, src, size, count, list)                                                   \
    clEnqueueSVMMemcpy(queue, CL_FALSE, dst, src, size, count, list, NULL)
    FAILS(CL_INVALID_COMMAND_QUEUE, COPY(NULL, at, data, 8, 0, NULL));
    WRONG(CL_INVALID_COMMAND_QUEUE, COPY(wrong, at, data, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, COPY(q, NULL, data, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, COPY(q, at, NULL, 8, 0, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, COPY(q, at, data, 8, 1, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, COPY(q, at, data, 8, 0, &foreign));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, COPY(q, at, data, 8, 1, &none));
    FAILS(CL_INVALID_CONTEXT, COPY(q, at, data, 8, 1, &foreign));
    FAILS(CL_MEM_COPY_OVERLAP, COPY(q, at + 7, at, 8, 0, NULL));
    FAILS(CL_MEM_COPY_OVERLAP, COPY(q, at, at + 7, 8, 0, NULL));
    CHECK_OK(COPY(q, at, at + 8, 8, 0, NULL));
#undef COPY
#define FILL(queue, dst, bytes, size, count, list)                                                 \
    clEnqueueSVMMemFill(queue, dst, pattern, bytes, size, count, list, NULL)
    FAILS(CL_INVALID_COMMAND_QUEUE, FILL(NULL, at, 4, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, FILL(q, NULL, 4, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, FILL(q, at + 2, 4, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, at, NULL, 4, 8, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, FILL(q, at, 0, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, FILL(q, at, 3, 9, 0, NULL));
    FAILS(CL_INVALID_VALUE, FILL(q, at, 256, 256, 0, NULL));
    FAILS(CL_INVALID_VALUE, FILL(q, at, 4, 9, 0, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, FILL(q, at, 4, 8, 1, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, FILL(q, at, 4, 8, 0, &foreign));
    FAILS(CL_INVALID_CONTEXT, FILL(q, at, 4, 8, 1, &foreign));
#undef FILL
#define MAP(queue, flags, pointer, size, count, list)                                              \
    clEnqueueSVMMap(queue, CL_FALSE, flags, pointer, size, count, list, NULL)
    FAILS(CL_INVALID_COMMAND_QUEUE, MAP(NULL, CL_MAP_READ, at, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, MAP(q, CL_MAP_READ, NULL, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, MAP(q, CL_MAP_READ, at, 0, 0, NULL));
    FAILS(CL_INVALID_VALUE, MAP(q, 1u << 9, at, 8, 0, NULL));
    FAILS(CL_INVALID_VALUE, MAP(q, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, at, 8, 0, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, MAP(q, CL_MAP_READ, at, 8, 1, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, MAP(q, CL_MAP_READ, at, 8, 0, &foreign));
    FAILS(CL_INVALID_CONTEXT, MAP(q, CL_MAP_READ, at, 8, 1, &foreign));
#undef MAP
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(NULL, at, 0, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueSVMUnmap(q, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap(q, at, 1, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap(q, at, 0, &foreign, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueSVMUnmap(q, at, 1, &foreign, NULL));
    CHECK_OK(clFinish(q));
    RELEASE_EVENT(foreign);
    RELEASE_CONTEXT(away);
    release(at);
}

static void list_errors(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_command_queue q = cl.queue;
    unsigned char *at = alloc(0, 256);
    void *list[1] = {at};
    cl_context away = new_context();
    cl_int rc;
    cl_event foreign = clCreateUserEvent(away, &rc);
    REQUIRE_OK(rc);
#define FREE(queue, count, pointers, waits, events)                                                \
    clEnqueueSVMFree(queue, count, pointers, NULL, NULL, waits, events, NULL)
    FAILS(CL_INVALID_COMMAND_QUEUE, FREE(NULL, 1, list, 0, NULL));
    FAILS(CL_INVALID_VALUE, FREE(q, 0, list, 0, NULL));
    FAILS(CL_INVALID_VALUE, FREE(q, 1, NULL, 0, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, FREE(q, 1, list, 1, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, FREE(q, 1, list, 0, &foreign));
    FAILS(CL_INVALID_CONTEXT, FREE(q, 1, list, 1, &foreign));
#undef FREE
    if (device_version() >= 210) {
        const void *inside[1] = {at}, *null[1] = {NULL}, *outside[1] = {data};
        const size_t fits[1] = {256}, large[1] = {257};
#define MIGRATE(queue, count, pointers, sizes, flags, waits, events)                               \
    clEnqueueSVMMigrateMem(queue, count, pointers, sizes, flags, waits, events, NULL)
        FAILS(CL_INVALID_COMMAND_QUEUE, MIGRATE(NULL, 1, inside, fits, 0, 0, NULL));
        FAILS(CL_INVALID_VALUE, MIGRATE(q, 0, inside, fits, 0, 0, NULL));
        FAILS(CL_INVALID_VALUE, MIGRATE(q, 1, NULL, fits, 0, 0, NULL));
        FAILS(CL_INVALID_VALUE, MIGRATE(q, 1, null, fits, 0, 0, NULL));
        FAILS(CL_INVALID_VALUE, MIGRATE(q, 1, outside, fits, 0, 0, NULL));
        FAILS(CL_INVALID_VALUE, MIGRATE(q, 1, inside, large, 0, 0, NULL));
        FAILS(CL_INVALID_VALUE, MIGRATE(q, 1, inside, fits, 1u << 20, 0, NULL));
        FAILS(CL_INVALID_EVENT_WAIT_LIST, MIGRATE(q, 1, inside, fits, 0, 1, NULL));
        FAILS(CL_INVALID_EVENT_WAIT_LIST, MIGRATE(q, 1, inside, fits, 0, 0, &foreign));
        FAILS(CL_INVALID_CONTEXT, MIGRATE(q, 1, inside, fits, 0, 1, &foreign));
#undef MIGRATE
    }
    CHECK_OK(clFinish(q));
    RELEASE_EVENT(foreign);
    RELEASE_CONTEXT(away);
    release(at);
}

static void kernel_errors(void)
{
    need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_kernel kernel = new_kernel("kernel void k(global int *x, int n, local int *l)\n"
                                  "{ *l = n; *x = *l; }",
                                  "k", NULL);
    void *at = alloc(0, 64), *list[2] = {at, at};
    const cl_bool yes = CL_TRUE;
    const cl_kernel_exec_info pointers = CL_KERNEL_EXEC_INFO_SVM_PTRS,
                              system = CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
    FAILS(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(NULL, 0, at));
    WRONG(CL_INVALID_KERNEL, clSetKernelArgSVMPointer((cl_kernel)cl.queue, 0, at));
    FAILS(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel, 3, at));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 1, at));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 2, at));
    FAILS(CL_INVALID_KERNEL, clSetKernelExecInfo(NULL, pointers, sizeof list, list));
    FAILS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x7777, sizeof list, list));
    FAILS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, pointers, sizeof list, NULL));
    FAILS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, pointers, sizeof list - 1, list));
    FAILS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, system, sizeof yes, NULL));
    FAILS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, system, sizeof yes + 1, &yes));
    CHECK_OK(clSetKernelExecInfo(kernel, pointers, sizeof list, list));
    CHECK_OK(clSetKernelExecInfo(kernel, pointers, 0, NULL));
    if (!(capabilities() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
        FAILS(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, system, sizeof yes, &yes));
    RELEASE_KERNEL(kernel);
    release(at);
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
    CASE(arguments),
    CASE(linked_list),
    CASE(atomics),
    CASE(conversation),
    CASE(whole_system),
    CASE(buffers),
    CASE(command_errors),
    CASE(list_errors),
    CASE(kernel_errors),
};
TEST_MAIN("svm", cases)
