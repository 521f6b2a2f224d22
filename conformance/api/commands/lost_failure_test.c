/* SPDX-License-Identifier: Apache-2.0 */
/* A command that failed is told of by somebody: by its event, or, if the application gave that away
 * without having asked, by the queue to who waits next, once. */
#include "cl_help.h"

#include <pthread.h>
#include <stdatomic.h>

/* A call that waits says by another number that not it has failed, but what came before: some
 * libraries do it again where it was short of something. */
enum {
    FAILED = CL_OUT_OF_RESOURCES,
    IN_FRONT = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    TURNS = 200,
    THREADS = 4
};

static cl_kernel trap;
static cl_mem mem;
static cl_command_queue loose; /* out of order */

static void open_bed(void)
{
    if (!is_sluice())
        check_skip("other libraries need not say anything, or end the process");
    trap = new_kernel("kernel void trap(void) { __builtin_trap(); }", "trap", NULL);
    mem = new_buffer(0, 64, NULL);
    loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static void close_bed(void)
{
    RELEASE_QUEUE(loose);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(trap);
}

static cl_int enqueue(cl_command_queue queue, const cl_event *gate, cl_event *event)
{
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, trap, 1, NULL, &one, NULL, gate ? 1 : 0, gate, event);
}

static void fall(cl_command_queue queue, const cl_event *gate, cl_event *event)
{
    REQUIRE_OK(enqueue(queue, gate, event));
}

static cl_event new_gate(void)
{
    cl_int rc;
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return gate;
}

static cl_int read_word(cl_command_queue queue)
{
    cl_uint word;
    return clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
}

static void finish_tells_once(cl_command_queue queue)
{
    FAILS(FAILED, clFinish(queue));
    CHECK_OK(clFinish(queue));
}

/* Ends all commands of the queue and asks about none. */
static void let_end(cl_command_queue queue)
{
    cl_event marker;
    REQUIRE_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
    REQUIRE_OK(clWaitForEvents(1, &marker));
    RELEASE_EVENT(marker);
}

static void without_an_event(void)
{
    cl_uint word = 0;
    cl_event event;
    open_bed();
    fall(cl.queue, NULL, NULL);
    finish_tells_once(cl.queue);
    fall(loose, NULL, NULL);
    finish_tells_once(loose);
    fall(cl.queue, NULL, NULL);
    FAILS(IN_FRONT, read_word(cl.queue));
    CHECK_OK(read_word(cl.queue));
    fall(cl.queue, NULL, NULL);
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, 4, &word, 0, NULL, &event));
    FAILS(IN_FRONT, clWaitForEvents(1, &event));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
    close_bed();
}

static void event_is_kept(void)
{
    cl_event event;
    open_bed();
    fall(cl.queue, NULL, &event);
    CHECK_OK(read_word(cl.queue));
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(event_status(event), FAILED);
    RELEASE_EVENT(event);
    CHECK_OK(clFinish(cl.queue));
    close_bed();
}

static void released_before(void)
{
    open_bed();
    cl_command_queue queues[] = {cl.queue, loose};
    for (size_t i = 0; i < LEN(queues); i++) {
        cl_event gate = new_gate(), event;
        fall(queues[i], &gate, &event);
        RELEASE_EVENT(event);
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        finish_tells_once(queues[i]);
        RELEASE_EVENT(gate);
    }
    close_bed();
}

static void released_after(void)
{
    open_bed();
    cl_command_queue queues[] = {cl.queue, loose};
    for (size_t i = 0; i < LEN(queues); i++) {
        cl_event event;
        fall(queues[i], NULL, &event);
        let_end(queues[i]);
        CHECK_OK(clFinish(queues[i]));
        CHECK_OK(clRetainEvent(event));
        RELEASE_EVENT(event);
        CHECK_OK(clFinish(queues[i]));
        RELEASE_EVENT(event);
        finish_tells_once(queues[i]);
    }
    close_bed();
}

static void *set_complete(void *gate)
{
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    return NULL;
}

static void released_meanwhile(void)
{
    open_bed();
    for (int i = 0; i < TURNS; i++) {
        cl_command_queue queue = i & 1 ? loose : cl.queue;
        cl_event gate = new_gate(), event;
        pthread_t thread;
        fall(queue, &gate, &event);
        REQUIRE(!pthread_create(&thread, NULL, set_complete, gate));
        RELEASE_EVENT(event);
        REQUIRE(!pthread_join(thread, NULL));
        finish_tells_once(queue);
        RELEASE_EVENT(gate);
    }
    close_bed();
}

static void a_blocking_call_tells(void)
{
    cl_event event;
    open_bed();
    fall(cl.queue, NULL, &event);
    RELEASE_EVENT(event);
    FAILS(IN_FRONT, read_word(cl.queue));
    CHECK_OK(read_word(cl.queue));
    CHECK_OK(clFinish(cl.queue));
    close_bed();
}

static void CL_CALLBACK hear(cl_event event, cl_int status, void *heard)
{
    (void)event;
    atomic_store((atomic_int *)heard, status);
}

static void hear_of(cl_event event)
{
    atomic_int heard = 0;
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, hear, &heard));
    while (!atomic_load(&heard))
        ;
    CHECK_EQ(atomic_load(&heard), FAILED);
}

static void who_was_told_is_not_told_again(void)
{
    open_bed();
    for (int i = 0; i < 8; i++) {
        cl_command_queue queue = i & 1 ? loose : cl.queue;
        cl_event event;
        fall(queue, NULL, &event);
        if (i < 2) {
            FAILS(IN_FRONT, clWaitForEvents(1, &event));
        } else if (i < 4) {
            let_end(queue);
            CHECK_EQ(event_status(event), FAILED);
        } else if (i < 6) {
            hear_of(event);
        } else {
            cl_uint word;
            let_end(queue);
            FAILS(IN_FRONT, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &word, 1, &event, NULL));
            CHECK_EQ(event_status(event), FAILED);
        }
        RELEASE_EVENT(event);
        CHECK_OK(clFinish(queue));
    }
    close_bed();
}

/* How long the answer is, and other facts, tell nobody that it failed. */
static void other_questions(void)
{
    cl_event event;
    size_t bytes;
    cl_uint number;
    cl_int status;
    open_bed();
    fall(cl.queue, NULL, &event);
    CHECK_OK(clFinish(cl.queue));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 0, NULL, &bytes));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof number, &number, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 1, &status, NULL));
    RELEASE_EVENT(event);
    finish_tells_once(cl.queue);
    close_bed();
}

/* What failed only because the application made its own event fail is no news. */
static void failed_on_purpose(void)
{
    open_bed();
    cl_event gate = new_gate(), event;
    fall(loose, &gate, &event);
    RELEASE_EVENT(event);
    CHECK_OK(clSetUserEventStatus(gate, -7));
    RELEASE_EVENT(gate);
    CHECK_OK(clFinish(loose));
    close_bed();
}

/* ---- many threads ---------------------------------------------------------------------------- */

static struct {
    int asks;
    atomic_int told; /* by clFinish */
} job;

static void *fall_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < TURNS; i++) {
        cl_event event;
        cl_int status = 0;
        if (!CHECK_OK(enqueue(loose, NULL, &event)))
            break;
        if (i % 3 == 0)
            CHECK_OK(clFlush(loose));
        if (job.asks)
            while (status >= 0 && CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                          sizeof status, &status, NULL)))
                if (status == CL_COMPLETE)
                    break;
        CHECK_EQ(status, job.asks ? FAILED : 0);
        CHECK_OK(clReleaseEvent(event));
        if (i % 7 == 0 && clFinish(loose))
            atomic_fetch_add(&job.told, 1);
    }
    return NULL;
}

static void run_threads(int asks)
{
    pthread_t threads[THREADS];
    job.asks = asks;
    atomic_store(&job.told, 0);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, fall_often, NULL));
    for (int i = 0; i < THREADS; i++)
        REQUIRE(!pthread_join(threads[i], NULL));
    if (clFinish(loose))
        atomic_fetch_add(&job.told, 1);
    CHECK_OK(clFinish(loose));
}

static void many_threads(void)
{
    open_bed();
    run_threads(1);
    CHECK_EQ(atomic_load(&job.told), 0);
    run_threads(0);
    CHECK(atomic_load(&job.told) > 0);
    CHECK(atomic_load(&job.told) <= THREADS * TURNS);
    close_bed();
}

static const struct test_case cases[] = {
    CASE(without_an_event),   CASE(event_is_kept),
    CASE(released_before),    CASE(released_after),
    CASE(released_meanwhile), CASE(a_blocking_call_tells),
    CASE(other_questions),    CASE(who_was_told_is_not_told_again),
    CASE(failed_on_purpose),  CASE(many_threads),
};
TEST_MAIN("lost_failure", cases)
