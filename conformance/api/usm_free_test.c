/* SPDX-License-Identifier: Apache-2.0 */
/* clMemBlockingFreeINTEL: it waits for all commands that may use the memory, and for no others. */
#include "reference.h"
#include "usm_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { SIZE = 1003 };

static unsigned char data[SIZE], back[SIZE];

/* ---- freeing what is in use --------------------------------------------------------------------
 */

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

static void free_after_commands(void)
{
    usm_need();
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        cl_command_queue queue =
            new_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        for (int end = 0; end < 3; end++) {
            cl_event gate = usm_gate();
            unsigned char *at = usm_alloc(end, SIZE), *other = usm_alloc(end, SIZE), value = 5;
            if (end == 0)
                CHECK_OK(usm.fill(queue, at + 7, &value, 1, 9, 1, &gate, NULL));
            else if (end == 1)
                CHECK_OK(usm.copy(queue, CL_FALSE, at, data, SIZE, 1, &gate, NULL));
            else
                CHECK_OK(usm.copy(queue, CL_FALSE, back, at + SIZE - 1, 1, 1, &gate, NULL));
            free_both(gate, at, other);
        }
        RELEASE_QUEUE(queue);
    }
}

static void launch(cl_kernel kernel, cl_event gate)
{
    size_t global = 1;
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 1, &gate, NULL));
}

static const char *chase_source = "struct place { global int *at; };\n"
                                  "kernel void set(int n, global struct place *x)\n"
                                  "{ *x->at = n; }\n";

static void free_after_kernels(void)
{
    usm_need();
    cl_kernel plain = new_kernel("kernel void set(int n, global int *x) { *x = n; }", "set", NULL),
              chased = new_kernel(chase_source, "set", NULL);
    for (int kind = 0; kind < USM_KINDS; kind++) {
        const cl_bool yes = CL_TRUE, no = CL_FALSE;
        const cl_kernel_exec_info name =
            CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL + (cl_uint)kind;
        int *at = usm_alloc(kind, 64), n = 3;
        int **place = usm_alloc((kind + 1) % USM_KINDS, sizeof *place);
        cl_event gate = usm_gate();
        ARG(plain, 0, n);
        REQUIRE_OK(usm.set_arg(plain, 1, at + 3));
        launch(plain, gate);
        free_both(gate, at, usm_alloc(kind, 64));
        at = usm_alloc(kind, 64);
        usm_copy(place, &at, sizeof at);
        ARG(chased, 0, n);
        REQUIRE_OK(usm.set_arg(chased, 1, place));
        REQUIRE_OK(clSetKernelExecInfo(chased, name, sizeof yes, &yes));
        gate = usm_gate();
        launch(chased, gate);
        REQUIRE_OK(clSetKernelExecInfo(chased, name, sizeof no, &no));
        free_both(gate, at, usm_alloc((kind + 2) % USM_KINDS, 64));
        usm_release(place);
    }
    RELEASE_KERNEL(plain);
    RELEASE_KERNEL(chased);
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

/* Freed in one thread while others keep their queues full of commands that do not end. */
static void *keep_busy(void *arg)
{
    atomic_int *stop = arg;
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    unsigned char *mine = usm_alloc(1, 4096), value = 1;
    while (!atomic_load(stop)) {
        CHECK_OK(usm.fill(queue, mine, &value, 1, 4096, 0, NULL, NULL));
        CHECK_OK(usm.blocking_free(cl.context, usm_alloc(2, 64)));
        CHECK_OK(usm.copy(queue, CL_FALSE, mine, mine + 2048, 2048, 0, NULL, NULL));
        cl_command_queue brief = new_queue(0);
        CHECK_OK(usm.fill(brief, mine, &value, 1, 64, 0, NULL, NULL));
        RELEASE_QUEUE(brief);
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
    CASE(free_after_commands), CASE(free_after_kernels), CASE(free_after_named),
    CASE(free_in_callback),    CASE(free_beside_others),
};
TEST_MAIN("usm_free", cases)
