/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of shared virtual memory refuse. */
#include "svm_help.h"

#include <string.h>

static unsigned char data[SVM_SIZE];

/* ---- errors ---------------------------------------------------------------------------------- */

static void command_errors(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_command_queue q = cl.queue, wrong = (cl_command_queue)cl.context;
    unsigned char *at = svm_alloc(0, 256), pattern[256] = {0};
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
    svm_release(at);
}

static void list_errors(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_command_queue q = cl.queue;
    unsigned char *at = svm_alloc(0, 256);
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
    svm_release(at);
}

static void kernel_errors(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_kernel kernel = new_kernel("kernel void k(global int *x, int n, local int *l)\n"
                                  "{ *l = n; *x = *l; }",
                                  "k", NULL);
    void *at = svm_alloc(0, 64), *list[2] = {at, at};
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
    if (!(svm_capabilities() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
        FAILS(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, system, sizeof yes, &yes));
    RELEASE_KERNEL(kernel);
    svm_release(at);
}

static const struct test_case cases[] = {
    CASE(command_errors),
    CASE(list_errors),
    CASE(kernel_errors),
};
TEST_MAIN("svm_error", cases)
