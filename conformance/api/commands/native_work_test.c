/* SPDX-License-Identifier: Apache-2.0 */
/* cl_sluice_native_command: the work of its function, whatever it is and whatever of it ends last.
 * Cases bear the numbers of the requirements, as in native_command_test.c. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILLS = 3, WORDS = 7 };

static clEnqueueNativeCommandSLUICE_fn enqueue_native;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static cl_event user_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return event;
}

/* ---- N-5: native kernels are work as well ---------------------------------------------------- */

struct native_block {
    atomic_int *calls;
    void *none, *first, *second; /* for NULL and two buffers */
};

static void CL_CALLBACK add_up(void *args)
{
    const struct native_block *block = args;
    cl_int *to = block->second;
    const cl_int *from = block->first;
    for (int i = 0; i < WORDS; i++)
        to[i] = block->none ? -1 : 10 * to[i] + from[i];
    atomic_fetch_add(block->calls, 1);
}

struct native_kernel {
    cl_mem from, to;
    atomic_int calls;
    cl_event child;
};

static cl_int CL_CALLBACK enqueues_native_kernel(const sluice_interop_handle *handle, void *data)
{
    struct native_kernel *k = data;
    struct native_block block = {&k->calls, &k, &k, &k};
    const cl_mem mems[3] = {NULL, k->from, k->to};
    const void *places[3] = {&block.none, &block.first, &block.second};
    CHECK_OK(clEnqueueNativeKernel(handle->queue, add_up, &block, sizeof block, 3, mems, places, 0,
                                   NULL, &k->child));
    memset(&block, 0x55, sizeof block); /* it has its own copy */
    return CL_SUCCESS;
}

static void n5_a_native_kernel_waits_too(void)
{
    cl_int from[WORDS], to[WORDS], got[WORDS];
    struct native_kernel k = {0};
    cl_device_exec_capabilities can = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL);
    if (!(can & CL_EXEC_NATIVE_KERNEL))
        check_skip("no native kernels");
    for (int i = 0; i < WORDS; i++) {
        from[i] = 100 - i;
        to[i] = i * i;
    }
    k.from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof from, from);
    k.to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof to, to);
    cl_event gate = user_event(), event;
    find(&enqueue_native, "clEnqueueNativeCommandSLUICE");
    CHECK_OK(enqueue_native(cl.queue, enqueues_native_kernel, NULL, &k, 0, NULL, NULL, 1, &gate,
                            &event));
    usleep(20000);
    CHECK_EQ(atomic_load(&k.calls), 0);
    CHECK(event_status(k.child) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(atomic_load(&k.calls), 1);
    read_back(k.to, sizeof got, got);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(got[i], 10 * to[i] + from[i]);
    RELEASE_EVENT(k.child);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(event);
    RELEASE_MEM(k.from);
    RELEASE_MEM(k.to);
}

/* ---- N-6: whatever ends last ----------------------------------------------------------------- */

struct fills {
    cl_mem buffer;
    cl_event gates[FILLS], children[FILLS];
};

static cl_int CL_CALLBACK fills_behind_gates(const sluice_interop_handle *handle, void *data)
{
    struct fills *f = data;
    for (cl_int i = 0; i < FILLS; i++)
        CHECK_OK(clEnqueueFillBuffer(handle->queue, f->buffer, &i, sizeof i, (size_t)i * sizeof i,
                                     sizeof i, 1, &f->gates[i], &f->children[i]));
    return CL_SUCCESS;
}

/* Out of order: all but one of three have ended, the last one that is left in turns. */
static void ends_with(int last)
{
    struct fills f = {.buffer = new_buffer(0, FILLS * sizeof(cl_int), NULL)};
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event event;
    cl_int got[FILLS] = {-1, -1, -1};
    for (int i = 0; i < FILLS; i++)
        f.gates[i] = user_event();
    CHECK_OK(enqueue_native(queue, fills_behind_gates, NULL, &f, 0, NULL, NULL, 0, NULL, &event));
    for (int i = 0; i < FILLS; i++)
        if (i != last) {
            CHECK_OK(clSetUserEventStatus(f.gates[i], CL_COMPLETE));
            CHECK_OK(clWaitForEvents(1, &f.children[i]));
        }
    usleep(5000);
    CHECK(event_status(f.children[last]) > CL_COMPLETE);
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(f.gates[last], CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(f.children[last]), CL_COMPLETE);
    read_back(f.buffer, sizeof got, got);
    for (int i = 0; i < FILLS; i++) {
        CHECK_EQ(got[i], i);
        RELEASE_EVENT(f.gates[i]);
        RELEASE_EVENT(f.children[i]);
    }
    RELEASE_EVENT(event);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(f.buffer);
}

static void n6_ends_with_whichever_is_last(void)
{
    find(&enqueue_native, "clEnqueueNativeCommandSLUICE");
    for (int last = 0; last < FILLS; last++)
        ends_with(last);
}

/* ---- N-7: another queue ---------------------------------------------------------------------- */

static cl_int CL_CALLBACK fills_elsewhere(const sluice_interop_handle *handle, void *data)
{
    const cl_int one = 1, two = 2;
    cl_mem buffer = *(cl_mem *)data;
    CHECK_OK(clEnqueueFillBuffer(handle->queue, buffer, &one, 4, 0, 4, 0, NULL, NULL));
    CHECK_OK(clEnqueueFillBuffer(cl.queue, buffer, &two, 4, 4, 4, 0, NULL, NULL));
    return CL_SUCCESS;
}

/* One command to the handle's queue, one to another, and one more when the function has returned.
 */
static void job_elsewhere(void)
{
    const cl_int three = 3;
    cl_int got[3] = {0};
    REQUIRE(!env_open());
    cl_mem buffer = new_buffer(0, sizeof got, NULL);
    find(&enqueue_native, "clEnqueueNativeCommandSLUICE");
    CHECK_OK(
        enqueue_native(cl.queue, fills_elsewhere, NULL, &buffer, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueFillBuffer(cl.queue, buffer, &three, 4, 8, 4, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    read_back(buffer, sizeof got, got);
    CHECK(got[0] == 1 && got[1] == 2 && got[2] == 3);
    RELEASE_MEM(buffer);
    env_close(1);
}

/* It is done, and the trace says that it is no part of the command: of that one, once. */
static void n7_another_queue_is_traced(void)
{
    static const char words[] = "is enqueued by a native command's function, but not to its queue";
    static const char *const env[] = {"SLUICE_TRACE=4", NULL};
    struct child child = child_run(&(struct child_plan){.job = "job_elsewhere", .env = env});
    CHECK_EQ(child.status, 0);
    const char *at = strstr(child.err, words);
    if (!at || strstr(at + 1, words))
        check_fail(__FILE__, __LINE__, "not once in\n%.2000s", child.err);
    child_finish(&child);
}

static const struct test_case jobs[] = {CASE(job_elsewhere)};
static const struct test_case cases[] = {
    CASE(n5_a_native_kernel_waits_too),
    CASE(n6_ends_with_whichever_is_last),
    CASE(n7_another_queue_is_traced),
};
JOBS_MAIN("native_work", cases, jobs)
