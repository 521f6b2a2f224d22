/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph against a plain reference: random commands over several queues, with failures, on a
 * device that answers at once, from threads or only when flushed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "base/api.h"
#include "base/object/callback_thread.h"
#include "base/thread/clock.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "fake_device.h"

enum { NODES = 220, QUEUES = 4, USERS = 6, MAX_DEPS = 5 };

static atomic_uint clock_ticks;

struct node {
    int queue; /* -1: a user event */
    enum { NATIVE, MARKER, BARRIER, USER } kind;
    int dep_count, deps[MAX_DEPS]; /* the wait list */
    int wanted;                    /* status it shall end with */
    int failure;                   /* what its function, or the setter, says */
    unsigned began, ended;         /* ticks of those that ran */
    cl_event event;
    unsigned char before[NODES]; /* reference: all that must have ended */
    atomic_uint callbacks;
    int callback_count;
};

struct plan {
    struct node nodes[NODES];
    bool out_of_order[QUEUES];
    unsigned seed;
};

static unsigned pick(struct plan *plan, unsigned limit)
{
    return (unsigned)rand_r(&plan->seed) % limit;
}

static void CL_CALLBACK run_node(void *data)
{
    struct node *node = *(struct node **)data;
    node->began = atomic_fetch_add(&clock_ticks, 1);
    fake_fail(node->failure);
    node->ended = atomic_fetch_add(&clock_ticks, 1);
}

/* ---- the reference --------------------------------------------------------------------------- */

static void must_follow(struct plan *plan, int i, int j)
{
    struct node *node = &plan->nodes[i];
    node->before[j] = 1;
    for (int k = 0; k < NODES; k++)
        node->before[k] |= plan->nodes[j].before[k];
}

static void follow_queue(struct plan *plan, int i)
{
    struct node *node = &plan->nodes[i];
    bool all = node->kind != NATIVE && !node->dep_count;
    for (int j = i - 1; j >= 0; j--) {
        if (plan->nodes[j].queue != node->queue)
            continue;
        if (!plan->out_of_order[node->queue] || all || plan->nodes[j].kind == BARRIER)
            must_follow(plan, i, j);
    }
}

static int expected_status(const struct plan *plan, const struct node *node)
{
    for (int d = 0; d < node->dep_count; d++)
        if (plan->nodes[node->deps[d]].wanted < 0)
            return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return node->failure;
}

static void make_plan(struct plan *plan)
{
    for (int i = 0; i < QUEUES; i++)
        plan->out_of_order[i] = pick(plan, 2);
    for (int i = 0; i < NODES; i++) {
        struct node *node = &plan->nodes[i];
        unsigned dice = pick(plan, 20);
        node->queue = i < USERS ? -1 : (int)pick(plan, QUEUES);
        node->kind = i < USERS ? USER : dice == 0 ? BARRIER : dice == 1 ? MARKER : NATIVE;
        if (node->kind == USER || node->kind == NATIVE)
            node->failure = pick(plan, 12) ? 0 : -(int)(100 + pick(plan, 50));
        unsigned deps = i < USERS || pick(plan, 3) == 0 ? 0 : pick(plan, MAX_DEPS + 1);
        for (unsigned d = 0; d < deps; d++) {
            int from = pick(plan, 8) ? i - 1 - (int)pick(plan, 12) : (int)pick(plan, USERS);
            if (from >= 0)
                node->deps[node->dep_count++] = from;
        }
        node->wanted = expected_status(plan, node);
        for (int d = 0; d < node->dep_count; d++)
            must_follow(plan, i, node->deps[d]);
        if (node->kind != USER)
            follow_queue(plan, i);
    }
}

static void check_order(const struct plan *plan)
{
    for (int i = USERS; i < NODES; i++) {
        const struct node *node = &plan->nodes[i];
        bool ran = node->kind == NATIVE && node->wanted == node->failure;
        if (node->kind == NATIVE)
            assert_int_equal(node->began != 0, ran);
        for (int j = USERS; ran && j < i; j++)
            if (node->before[j] && plan->nodes[j].began)
                assert_true(plan->nodes[j].ended < node->began);
    }
}

/* ---- running it ------------------------------------------------------------------------------ */

static void CL_CALLBACK count_callback(cl_event event, cl_int status, void *data)
{
    (void)event;
    struct node *node = data;
    if (status < 0 ? status == node->wanted : status <= CL_SUBMITTED)
        atomic_fetch_add(&node->callbacks, 1);
}

static void enqueue(struct plan *plan, struct node *node, cl_command_queue queue)
{
    cl_event list[MAX_DEPS];
    for (int d = 0; d < node->dep_count; d++)
        list[d] = plan->nodes[node->deps[d]].event;
    cl_uint count = (cl_uint)node->dep_count;
    const cl_event *wait = count ? list : NULL;
    cl_int rc;
    if (node->kind == NATIVE)
        rc = sl_clEnqueueNativeKernel(queue, run_node, &node, sizeof node, 0, NULL, NULL, count,
                                      wait, &node->event);
    else if (node->kind == MARKER)
        rc = sl_clEnqueueMarkerWithWaitList(queue, count, wait, &node->event);
    else
        rc = sl_clEnqueueBarrierWithWaitList(queue, count, wait, &node->event);
    assert_int_equal(rc, CL_SUCCESS);
}

static void add_callbacks(struct plan *plan, struct node *node)
{
    while (!pick(plan, 4) && node->callback_count < 5) {
        cl_int type = (cl_int)pick(plan, 3);
        assert_int_equal(sl_clSetEventCallback(node->event, type, count_callback, node),
                         CL_SUCCESS);
        node->callback_count++;
    }
}

static void set_user(struct node *node)
{
    assert_int_equal(sl_clSetUserEventStatus(node->event, node->failure), CL_SUCCESS);
}

static void run_plan(struct plan *plan, cl_command_queue *queues, cl_context context)
{
    unsigned set = 0;
    for (int i = 0; i < NODES; i++) {
        struct node *node = &plan->nodes[i];
        if (node->kind == USER) {
            node->event = sl_clCreateUserEvent(context, NULL);
            assert_non_null(node->event);
            continue;
        }
        enqueue(plan, node, queues[node->queue]);
        add_callbacks(plan, node);
        if (set < USERS && !pick(plan, NODES / USERS))
            set_user(&plan->nodes[set++]);
    }
    while (set < USERS)
        set_user(&plan->nodes[set++]);
}

static cl_int status_of(cl_event event)
{
    cl_int status = 99;
    assert_int_equal(
        sl_clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
        CL_SUCCESS);
    return status;
}

static void wait_some_way(struct plan *plan, cl_command_queue *queues)
{
    if (pick(plan, 2)) {
        for (int q = 0; q < QUEUES; q++)
            assert_int_equal(sl_clFinish(queues[q]), CL_SUCCESS);
        return;
    }
    for (int i = NODES - 1; i >= 0; i--) {
        cl_int want = plan->nodes[i].wanted < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : 0;
        assert_int_equal(sl_clWaitForEvents(1, &plan->nodes[i].event), want);
    }
}

/* Callbacks, and queues that end inside the device, are done with a moment later. */
static void await_objects(size_t wanted)
{
    /* by time, not by tries: on a busy machine other threads may not run for long */
    for (uint64_t end = sl_now_ns() + 10000000000u;
         sl_object_count() != wanted && sl_now_ns() < end;)
        sched_yield();
    assert_int_equal(sl_object_count(), wanted);
}

static void random_graph(enum fake_manner manner, unsigned seed)
{
    struct plan *plan = calloc(1, sizeof *plan);
    assert_non_null(plan);
    plan->seed = seed;
    atomic_store(&clock_ticks, 1);
    make_plan(plan);
    cl_device_id device = fake_device(manner);
    size_t live = sl_object_count();
    cl_context context = fake_context(device);
    cl_command_queue queues[QUEUES];
    for (int q = 0; q < QUEUES; q++) {
        cl_command_queue_properties bits =
            plan->out_of_order[q] ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        queues[q] = sl_clCreateCommandQueue(context, device, bits, NULL);
        assert_non_null(queues[q]);
    }
    run_plan(plan, queues, context);
    wait_some_way(plan, queues);
    for (int i = 0; i < NODES; i++) {
        assert_int_equal(status_of(plan->nodes[i].event), plan->nodes[i].wanted);
        assert_int_equal(sl_clReleaseEvent(plan->nodes[i].event), CL_SUCCESS);
    }
    check_order(plan);
    for (int q = 0; q < QUEUES; q++)
        assert_int_equal(sl_clReleaseCommandQueue(queues[q]), CL_SUCCESS);
    assert_int_equal(sl_clReleaseContext(context), CL_SUCCESS);
    await_objects(live);
    sl_callback_shutdown();
    for (int i = 0; i < NODES; i++)
        assert_int_equal(atomic_load(&plan->nodes[i].callbacks), plan->nodes[i].callback_count);
    assert_int_equal(atomic_load(&fake_work_queues), 0);
    free(plan);
}

static void test_random_graphs(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 60; seed++)
        random_graph((enum fake_manner)(seed % 3), seed);
}

/* ---- long chains ----------------------------------------------------------------------------- */

static atomic_uint ran;

static void CL_CALLBACK count_run(void *unused)
{
    (void)unused;
    atomic_fetch_add(&ran, 1);
}

static void chain(enum fake_manner manner, bool fail)
{
    /* Where a thread runs each of them the chain is not longer than what hand-overs cost. */
    const unsigned length = manner == FAKE_THREADS && !fail ? 5000 : 100000;
    cl_device_id device = fake_device(manner);
    cl_context context = fake_context(device);
    cl_command_queue queue = sl_clCreateCommandQueue(context, device, 0, NULL);
    cl_event gate = sl_clCreateUserEvent(context, NULL), event = gate, next;
    atomic_store(&ran, 0);
    for (unsigned i = 0; i < length; i++) {
        assert_int_equal(
            sl_clEnqueueNativeKernel(queue, count_run, NULL, 0, 0, NULL, NULL, 1, &event, &next),
            CL_SUCCESS);
        if (event != gate)
            sl_clReleaseEvent(event);
        event = next;
    }
    assert_int_equal(sl_clSetUserEventStatus(gate, fail ? -7 : CL_COMPLETE), CL_SUCCESS);
    assert_int_equal(sl_clWaitForEvents(1, &event), fail ? -14 : 0);
    assert_int_equal(atomic_load(&ran), fail ? 0 : length);
    sl_clReleaseEvent(event);
    sl_clReleaseEvent(gate);
    sl_clReleaseCommandQueue(queue);
    sl_clReleaseContext(context);
}

static void test_chains(void **state)
{
    (void)state;
    for (int manner = FAKE_INLINE; manner <= FAKE_HELD; manner++) {
        chain((enum fake_manner)manner, false);
        chain((enum fake_manner)manner, true);
    }
}

/* ---- failures and user events ---------------------------------------------------------------- */

struct rig {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

static struct rig rig(enum fake_manner manner, cl_command_queue_properties bits)
{
    struct rig r = {.device = fake_device(manner)};
    r.context = fake_context(r.device);
    r.queue = sl_clCreateCommandQueue(r.context, r.device, bits, NULL);
    assert_non_null(r.queue);
    return r;
}

static void unrig(struct rig r)
{
    assert_int_equal(sl_clReleaseCommandQueue(r.queue), CL_SUCCESS);
    assert_int_equal(sl_clReleaseContext(r.context), CL_SUCCESS);
}

static void test_failed_wait_list(void **state)
{
    (void)state;
    struct rig r = rig(FAKE_THREADS, 0);
    cl_int rc;
    cl_mem buffer = sl_clCreateBuffer(r.context, 0, 64, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    cl_event gate = sl_clCreateUserEvent(r.context, NULL), late, again = NULL;
    char data[64];
    assert_int_equal(
        sl_clEnqueueReadBuffer(r.queue, buffer, CL_FALSE, 0, 64, data, 1, &gate, &late),
        CL_SUCCESS);
    assert_int_equal(status_of(late), CL_QUEUED);
    assert_int_equal(sl_clSetUserEventStatus(gate, -5), CL_SUCCESS);
    assert_int_equal(sl_clSetUserEventStatus(gate, 0), CL_INVALID_OPERATION);
    assert_int_equal(sl_clWaitForEvents(1, &late), -14);
    assert_int_equal(status_of(late), -14);
    assert_int_equal(status_of(gate), -5);
    /* the event has failed before the blocking call */
    assert_int_equal(
        sl_clEnqueueReadBuffer(r.queue, buffer, CL_TRUE, 0, 64, data, 1, &gate, &again), -14);
    assert_null(again);
    assert_int_equal(sl_clEnqueueWriteBuffer(r.queue, buffer, CL_TRUE, 0, 64, data, 1, &late, NULL),
                     -14);
    void *map =
        sl_clEnqueueMapBuffer(r.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 1, &late, NULL, &rc);
    assert_null(map);
    assert_int_equal(rc, -14);
    /* and the queue goes on */
    assert_int_equal(sl_clEnqueueReadBuffer(r.queue, buffer, CL_TRUE, 0, 64, data, 0, NULL, NULL),
                     CL_SUCCESS);
    sl_clReleaseEvent(late);
    sl_clReleaseEvent(gate);
    sl_clReleaseMemObject(buffer);
    unrig(r);
}

static void test_released_gate(void **state)
{
    (void)state;
    struct rig r = rig(FAKE_THREADS, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = sl_clCreateUserEvent(r.context, NULL), marker;
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 1, &gate, &marker), CL_SUCCESS);
    assert_int_equal(sl_clReleaseEvent(gate), CL_SUCCESS);
    assert_int_equal(sl_clReleaseEvent(gate), CL_INVALID_EVENT);
    assert_int_equal(sl_clWaitForEvents(1, &marker), -14);
    sl_clReleaseEvent(marker);
    unrig(r);
}

static void test_marker_on_idle_queue(void **state)
{
    (void)state;
    struct rig r = rig(FAKE_THREADS, 0);
    for (int i = 0; i < 1000; i++) {
        cl_event marker;
        assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 0, NULL, &marker), CL_SUCCESS);
        assert_int_equal(status_of(marker), CL_COMPLETE);
        sl_clReleaseEvent(marker);
    }
    unrig(r);
}

/* Two work queues that hold work back, one waiting for the other, and nobody flushes. */
static void test_held_back_work_queues(void **state)
{
    (void)state;
    struct rig r = rig(FAKE_HELD, 0);
    cl_command_queue other = sl_clCreateCommandQueue(r.context, r.device, 0, NULL);
    cl_event first, second;
    atomic_store(&ran, 0);
    assert_int_equal(
        sl_clEnqueueNativeKernel(other, count_run, NULL, 0, 0, NULL, NULL, 0, NULL, &first),
        CL_SUCCESS);
    assert_int_equal(atomic_load(&ran), 0);
    assert_int_equal(
        sl_clEnqueueNativeKernel(r.queue, count_run, NULL, 0, 0, NULL, NULL, 1, &first, &second),
        CL_SUCCESS);
    assert_int_equal(sl_clWaitForEvents(1, &second), CL_SUCCESS);
    assert_int_equal(atomic_load(&ran), 2);
    sl_clReleaseEvent(first);
    sl_clReleaseEvent(second);
    sl_clReleaseCommandQueue(other);
    unrig(r);
}

static void test_profiling(void **state)
{
    (void)state;
    struct rig r = rig(FAKE_THREADS, CL_QUEUE_PROFILING_ENABLE);
    cl_ulong times[4], before = sl_now_ns();
    cl_event gate = sl_clCreateUserEvent(r.context, NULL), event;
    assert_int_equal(
        sl_clEnqueueNativeKernel(r.queue, count_run, NULL, 0, 0, NULL, NULL, 1, &gate, &event),
        CL_SUCCESS);
    assert_int_equal(sl_clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, times, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    sl_clSetUserEventStatus(gate, CL_COMPLETE);
    assert_int_equal(sl_clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_END, 8, times, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_int_equal(sl_clWaitForEvents(1, &event), CL_SUCCESS);
    for (cl_uint i = 0; i < 4; i++)
        assert_int_equal(
            sl_clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, 8, &times[i], NULL),
            CL_SUCCESS);
    assert_true(before <= times[0] && times[0] <= times[1] && times[1] <= times[2] &&
                times[2] <= times[3] && times[3] <= sl_now_ns());
    assert_int_equal(sl_clGetEventProfilingInfo(event, 0x1299, 8, times, NULL), CL_INVALID_VALUE);
    sl_clReleaseEvent(gate);
    sl_clReleaseEvent(event);
    unrig(r);
    r = rig(FAKE_INLINE, 0);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(sl_clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, times, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    sl_clReleaseEvent(event);
    unrig(r);
}

/* ---- everything released while work is in flight --------------------------------------------- */

static void CL_CALLBACK release_context(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status;
    sl_clReleaseContext(data);
}

static void test_release_in_flight(void **state)
{
    (void)state;
    fake_device(FAKE_THREADS);
    size_t live = sl_object_count();
    for (int i = 0; i < 200; i++) {
        struct rig r = rig(FAKE_THREADS, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        for (int k = 0; k < 20; k++)
            assert_int_equal(
                sl_clEnqueueNativeKernel(r.queue, count_run, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
                CL_SUCCESS);
        unrig(r);
    }
    for (int i = 0; i < 50; i++) { /* the last context goes inside a callback */
        struct rig r = rig(FAKE_THREADS, 0);
        cl_event event;
        assert_int_equal(
            sl_clEnqueueNativeKernel(r.queue, count_run, NULL, 0, 0, NULL, NULL, 0, NULL, &event),
            CL_SUCCESS);
        sl_clSetEventCallback(event, CL_COMPLETE, release_context, r.context);
        sl_clReleaseEvent(event);
        sl_clReleaseCommandQueue(r.queue);
    }
    await_objects(live);
    assert_int_equal(atomic_load(&fake_work_queues), 0);
}

/* ---- several threads, one queue -------------------------------------------------------------- */

static void *enqueue_many(void *data)
{
    cl_command_queue queue = data;
    cl_event last = NULL;
    for (int i = 0; i < 2000; i++) {
        cl_event event = NULL;
        cl_int rc = sl_clEnqueueNativeKernel(queue, count_run, NULL, 0, 0, NULL, NULL, last ? 1 : 0,
                                             last ? &last : NULL, i % 3 ? NULL : &event);
        if (rc)
            return data;
        if (i % 50 == 0 && sl_clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL))
            return data;
        if (i % 64 == 0 && sl_clFinish(queue))
            return data;
        if (event) {
            sl_clReleaseEvent(last ? last : NULL);
            last = event;
        }
    }
    sl_clReleaseEvent(last);
    return NULL;
}

static void test_shared_queue(void **state)
{
    (void)state;
    for (int ooo = 0; ooo < 2; ooo++) {
        struct rig r = rig(FAKE_THREADS, ooo ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        atomic_store(&ran, 0);
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, enqueue_many, r.queue), 0);
        for (int i = 0; i < 3; i++) {
            void *failed = r.queue;
            pthread_join(threads[i], &failed);
            assert_null(failed);
        }
        assert_int_equal(sl_clFinish(r.queue), CL_SUCCESS);
        assert_int_equal(atomic_load(&ran), 6000);
        assert_null(r.queue->last);
        assert_null(r.queue->barrier);
        assert_null(r.queue->live_head);
        assert_null(r.queue->live_tail);
        unrig(r);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    struct rig r = rig(FAKE_INLINE, 0), other = rig(FAKE_INLINE, 0);
    cl_event gate = sl_clCreateUserEvent(r.context, NULL), marker;
    cl_event foreign = sl_clCreateUserEvent(other.context, NULL), none = NULL;
    cl_int rc;
    assert_null(sl_clCreateUserEvent(NULL, &rc));
    assert_int_equal(rc, CL_INVALID_CONTEXT);
    assert_int_equal(sl_clWaitForEvents(0, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clWaitForEvents(1, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clWaitForEvents(1, &none), CL_INVALID_EVENT);
    assert_int_equal(sl_clWaitForEvents(2, (cl_event[]){gate, foreign}), CL_INVALID_CONTEXT);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 1, NULL, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 0, &gate, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 1, &none, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(r.queue, 1, &foreign, NULL),
                     CL_INVALID_CONTEXT);
    assert_int_equal(sl_clEnqueueMarker(r.queue, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueWaitForEvents(r.queue, 0, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueWaitForEvents(r.queue, 1, &none), CL_INVALID_EVENT);
    assert_int_equal(sl_clSetUserEventStatus(gate, 1), CL_INVALID_VALUE);
    assert_int_equal(sl_clEnqueueMarker(r.queue, &marker), CL_SUCCESS);
    assert_int_equal(sl_clSetUserEventStatus(marker, 0), CL_INVALID_EVENT);
    assert_int_equal(sl_clSetEventCallback(NULL, 0, count_callback, NULL), CL_INVALID_EVENT);
    assert_int_equal(sl_clSetEventCallback(gate, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clSetEventCallback(gate, CL_QUEUED, count_callback, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clSetCommandQueueProperty(r.queue, 0, CL_TRUE, NULL), CL_INVALID_OPERATION);
    assert_null(sl_clCreateCommandQueue(r.context, r.device, 1u << 9, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clCreateCommandQueue(r.context, r.device, CL_QUEUE_ON_DEVICE, &rc));
    assert_int_equal(rc, CL_INVALID_QUEUE_PROPERTIES);
    assert_null(sl_clCreateCommandQueue(r.context, fake_device(FAKE_HELD), 0, &rc));
    assert_int_equal(rc, CL_INVALID_DEVICE);
    cl_queue_properties twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0};
    assert_null(sl_clCreateCommandQueueWithProperties(r.context, r.device, twice, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_int_equal(sl_clGetCommandQueueInfo(r.queue, CL_QUEUE_SIZE, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    sl_clReleaseEvent(marker);
    sl_clReleaseEvent(gate);
    sl_clReleaseEvent(foreign);
    unrig(r);
    unrig(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_failed_wait_list),
        cmocka_unit_test(test_released_gate),
        cmocka_unit_test(test_marker_on_idle_queue),
        cmocka_unit_test(test_held_back_work_queues),
        cmocka_unit_test(test_profiling),
        cmocka_unit_test(test_release_in_flight),
        cmocka_unit_test(test_shared_queue),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
