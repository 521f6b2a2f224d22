/* SPDX-License-Identifier: Apache-2.0 */
/* clMemBlockingFreeINTEL: it waits for all commands that may use the memory, and for no others. */
#include "commands/command_buffer_help.h"
#include "reference.h"
#include "usm_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { SIZE = 1003 };

static unsigned char data[SIZE], back[SIZE];

/* ---- freeing what is in use ------------------------------------------------------------------ */

struct opener { /* sets the gate a while from now */
    cl_event gate;
    atomic_int open;
};

static void *open_later(void *arg)
{
    struct opener *opener = arg;
    usleep(30000);
    atomic_store(&opener->open, 1);
    CHECK_OK(clSetUserEventStatus(opener->gate, CL_COMPLETE));
    return NULL;
}

/* Commands behind the gate use `used`, and none of them `unused`. */
static void free_both(cl_event gate, void *used, void *unused)
{
    struct opener opener = {.gate = gate};
    pthread_t id;
    if (unused)
        CHECK_OK(usm.blocking_free(cl.context, unused)); /* there is nothing to wait for */
    REQUIRE(!pthread_create(&id, NULL, open_later, &opener));
    CHECK_OK(usm.blocking_free(cl.context, used));
    CHECK(atomic_load(&opener.open));
    pthread_join(id, NULL);
    RELEASE_EVENT(gate);
    usm_check_facts(cl.context, used, &usm_unknown);
}

static void free_after_fill(void)
{
    usm_need();
    for (int kind = 0; kind < USM_KINDS; kind++) {
        cl_event gate = usm_gate();
        unsigned char *at = usm_alloc(kind, SIZE), value = 5;
        CHECK_OK(usm.fill(cl.queue, at, &value, 1, 9, 1, &gate, NULL));
        free_both(gate, at, usm_alloc(kind, SIZE));
    }
}

/* Among the commands of a command-buffer that waits. */
static void free_after_replay(void)
{
    usm_need();
    cb_need();
    for (int kind = 0; kind < USM_KINDS; kind++) {
        cl_event gate = usm_gate();
        unsigned char *at = usm_alloc(kind, SIZE), value = 5;
        cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
        REQUIRE_OK(cb.fill_svm(buffer, NULL, NULL, data, &value, 1, SIZE, 0, NULL, NULL, NULL));
        REQUIRE_OK(cb.copy_svm(buffer, NULL, NULL, data, at + 3, 5, 0, NULL, NULL, NULL));
        cb_finalize(buffer);
        CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, NULL));
        free_both(gate, at, usm_alloc(kind, SIZE));
        CHECK_OK(clFinish(cl.queue));
        cb_release(buffer);
    }
}

/* Any byte of it, as source or destination, and commands that wait for their turn. */
static void free_after_touch(void)
{
    usm_need();
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        cl_command_queue queue =
            new_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        for (int end = 0; end < 3; end++) {
            cl_event gate = usm_gate();
            unsigned char *at = usm_alloc(end, SIZE), *other = usm_alloc(end, SIZE), value = 5;
            CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
            CHECK_OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
            if (end == 0)
                CHECK_OK(usm.fill(queue, at + 7, &value, 1, 9, 0, NULL, NULL));
            else if (end == 1)
                CHECK_OK(usm.copy(queue, CL_FALSE, at, data, SIZE, 0, NULL, NULL));
            else
                CHECK_OK(usm.copy(queue, CL_FALSE, back, at + SIZE - 1, 1, 0, NULL, NULL));
            free_both(gate, at, other);
        }
        RELEASE_QUEUE(queue);
    }
}

/* As an argument of commands on buffers. */
static void free_after_buffers(void)
{
    usm_need();
    cl_mem buffer = new_buffer(0, SIZE, NULL);
    for (int write = 0; write < 2; write++) {
        cl_event gate = usm_gate();
        unsigned char *at = usm_alloc(0, SIZE);
        if (write)
            CHECK_OK(clEnqueueWriteBuffer(cl.queue, buffer, CL_FALSE, 0, SIZE, at, 1, &gate, NULL));
        else
            CHECK_OK(clEnqueueReadBuffer(cl.queue, buffer, CL_FALSE, 0, SIZE, at, 1, &gate, NULL));
        free_both(gate, at, usm_alloc(0, 64));
    }
    RELEASE_MEM(buffer);
}

static void launch(cl_kernel kernel, cl_event gate)
{
    size_t global = 1;
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 1, &gate, NULL));
}

static const char *set_source = "kernel void set(int n, global int *x) { *x = n; }";
static const char *chase_source = "struct place { global int *at; };\n"
                                  "kernel void set(int n, global struct place *x)\n"
                                  "{ *x->at = n; }\n";

/* `skip`: how many numbers the argument lies behind the start of the memory. */
static void free_after_argument(int skip)
{
    usm_need();
    cl_kernel kernel = new_kernel(set_source, "set", NULL);
    for (int kind = 0; kind < USM_KINDS; kind++) {
        int *at = usm_alloc(kind, 64), n = 3;
        cl_event gate = usm_gate();
        ARG(kernel, 0, n);
        REQUIRE_OK(usm.set_arg(kernel, 1, at + skip));
        launch(kernel, gate);
        REQUIRE_OK(usm.set_arg(kernel, 1, NULL)); /* for the next launch, not for that one */
        free_both(gate, at, usm_alloc(kind, 64));
    }
    RELEASE_KERNEL(kernel);
}

static void free_after_kernel(void)
{
    free_after_argument(0);
}

static void free_after_kernel_inside(void)
{
    free_after_argument(15);
}

/* A kernel that may reach all memory of a kind uses all of it, and none of the others. */
static void free_after_indirect(void)
{
    usm_need();
    cl_kernel kernel = new_kernel(chase_source, "set", NULL);
    for (int kind = 0; kind < USM_KINDS; kind++) {
        const cl_bool yes = CL_TRUE, no = CL_FALSE;
        const cl_kernel_exec_info name =
            CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL + (cl_uint)kind;
        int *at = usm_alloc(kind, 64), n = 3;
        int **place = usm_alloc((kind + 1) % USM_KINDS, sizeof *place);
        cl_event gate = usm_gate();
        usm_copy(place, &at, sizeof at);
        ARG(kernel, 0, n);
        REQUIRE_OK(usm.set_arg(kernel, 1, place));
        REQUIRE_OK(clSetKernelExecInfo(kernel, name, sizeof yes, &yes));
        launch(kernel, gate);
        REQUIRE_OK(clSetKernelExecInfo(kernel, name, sizeof no, &no));
        free_both(gate, at, usm_alloc((kind + 2) % USM_KINDS, 64));
        CHECK_OK(clFinish(cl.queue));
        usm_release(place);
    }
    RELEASE_KERNEL(kernel);
}

static void free_after_named(void)
{
    usm_need();
    cl_kernel kernel = new_kernel(chase_source, "set", NULL);
    int *at = usm_alloc(1, 64), n = 3, **place = usm_alloc(2, sizeof *place);
    void *list[2] = {at, place};
    cl_event gate = usm_gate();
    usm_copy(place, &at, sizeof at);
    ARG(kernel, 0, n);
    REQUIRE_OK(usm.set_arg(kernel, 1, place));
    REQUIRE_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof list, list));
    cl_int rc;
    cl_kernel clone = clCloneKernel(kernel, &rc);
    REQUIRE_OK(rc);
    launch(clone, gate);
    free_both(gate, at, usm_alloc(1, 64));
    usm_release(place);
    RELEASE_KERNEL(clone);
    RELEASE_KERNEL(kernel);
}

struct ended {
    void *pointer;
    atomic_int rc;
};

static void CL_CALLBACK free_it(cl_event event, cl_int status, void *arg)
{
    struct ended *ended = arg;
    (void)event;
    atomic_store(&ended->rc, status ? status : usm.blocking_free(cl.context, ended->pointer));
}

/* As SYCL does it: who hears of the end frees, without waiting for what he hears of. */
static void free_in_callback(void)
{
    usm_need();
    struct ended ended = {.pointer = usm_alloc(1, SIZE), .rc = 1};
    cl_event gate = usm_gate(), event;
    CHECK_OK(usm.copy(cl.queue, CL_FALSE, ended.pointer, data, SIZE, 1, &gate, &event));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, free_it, &ended));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    for (double end = now_seconds() + 10; atomic_load(&ended.rc) == 1 && now_seconds() < end;)
        usleep(1000);
    CHECK_EQ(atomic_load(&ended.rc), CL_SUCCESS);
    usm_check_facts(cl.context, ended.pointer, &usm_unknown);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
}

/* Freed in one thread while others keep their queues full of commands, some of queues that are
 * released already. */
static void *keep_busy(void *arg)
{
    atomic_int *stop = arg;
    cl_command_queue queue = new_queue(0);
    unsigned char *mine = usm_alloc(1, 4096), value = 1;
    while (!atomic_load(stop)) {
        CHECK_OK(usm.fill(queue, mine, &value, 1, 4096, 0, NULL, NULL));
        CHECK_OK(usm.blocking_free(cl.context, usm_alloc(2, 64)));
        CHECK_OK(usm.copy(queue, CL_FALSE, mine, mine + 2048, 2048, 0, NULL, NULL));
        cl_command_queue brief = new_queue(0);
        unsigned char *briefly = usm_alloc(1, 64);
        CHECK_OK(usm.fill(brief, briefly, &value, 1, 64, 0, NULL, NULL));
        RELEASE_QUEUE(brief);
        CHECK_OK(usm.blocking_free(cl.context, briefly));
        CHECK_OK(clFlush(queue));
    }
    CHECK_OK(usm.blocking_free(cl.context, mine));
    RELEASE_QUEUE(queue);
    return NULL;
}

static void free_beside_others(void)
{
    usm_need();
    atomic_int stop = 0;
    pthread_t ids[3];
    for (size_t i = 0; i < LEN(ids); i++)
        REQUIRE(!pthread_create(&ids[i], NULL, keep_busy, &stop));
    for (int round = 0; round < 300; round++) {
        unsigned char *at = usm_alloc(round % USM_KINDS, SIZE);
        CHECK_OK(usm.copy(cl.queue, CL_FALSE, at, data, SIZE, 0, NULL, NULL));
        CHECK_OK(usm.blocking_free(cl.context, at));
    }
    atomic_store(&stop, 1);
    for (size_t i = 0; i < LEN(ids); i++)
        pthread_join(ids[i], NULL);
}

static const struct test_case cases[] = {
    CASE(free_after_replay),   CASE(free_after_fill),   CASE(free_after_touch),
    CASE(free_after_buffers),  CASE(free_after_kernel), CASE(free_after_kernel_inside),
    CASE(free_after_indirect), CASE(free_after_named),  CASE(free_in_callback),
    CASE(free_beside_others),
};
TEST_MAIN("usm_free", cases)
