/* SPDX-License-Identifier: Apache-2.0 */
/* cl_sluice_native_command: who completes it and when, what its work waits for, and who keeps its
 * queue. */
#include "native_command_help.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static cl_int CL_CALLBACK nest(const sluice_interop_handle *handle, void *data)
{
    struct work *work = data;
    CHECK_OK(clReleaseCommandQueue(handle->queue)); /* N-D6: ours is another reference */
    CHECK_OK(enqueue_native(handle->queue, run, destroy, work, 0, NULL, NULL, 0, NULL, NULL));
    return CL_SUCCESS;
}

static void nested(void)
{
    struct work work = new_work(3);
    cl_event gate = user_event(), event;
    CHECK_OK(enqueue_native(cl.queue, nest, NULL, &work, 0, NULL, NULL, 1, &gate, &event));
    CHECK_EQ(work.calls, 1);
    CHECK(event_status(work.child) > CL_RUNNING);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    check_values(&work, 3);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    end_work(&work);
}

static void *complete_later(void *data)
{
    usleep(10000);
    cl_event *completion = data;
    CHECK_OK(complete_native(*completion, CL_COMPLETE));
    return NULL;
}

static void completed_from_another_thread(void)
{
    struct work work = new_work(1);
    cl_event event;
    pthread_t thread;
    work.answer = SLUICE_NATIVE_PENDING;
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    REQUIRE(!pthread_create(&thread, NULL, complete_later, &work.seen.completion));
    CHECK_OK(clWaitForEvents(1, &event));
    pthread_join(thread, NULL);
    CHECK_EQ(complete_native(work.seen.completion, CL_COMPLETE), CL_INVALID_OPERATION);
    CHECK_EQ(work.destroyed, 1);
    check_values(&work, 1);
    RELEASE_EVENT(event);
    end_work(&work);
}

static void completed_without_an_event(void)
{
    for (int order = 0; order < 2; order++) {
        struct work work = new_work(1);
        pthread_t thread;
        work.answer = SLUICE_NATIVE_PENDING;
        cl_command_queue queue = new_queue(order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        CHECK_OK(submit(queue, &work, NULL, NULL));
        REQUIRE(!pthread_create(&thread, NULL, complete_later, &work.seen.completion));
        CHECK_OK(clFinish(queue));
        pthread_join(thread, NULL);
        check_values(&work, 1);
        RELEASE_QUEUE(queue);
        end_work(&work);
    }
}

enum { RACES = 5000 };
static _Atomic(cl_event) raced; /* what the other thread is to complete at once */

static void *complete_those(void *data)
{
    (void)data;
    for (int done = 0; done < RACES;) {
        cl_event completion = atomic_exchange(&raced, NULL);
        if (!completion) {
            sched_yield();
            continue;
        }
        CHECK_OK(complete_native(completion, CL_COMPLETE));
        done++;
    }
    return NULL;
}

static cl_int CL_CALLBACK give_away(const sluice_interop_handle *handle, void *data)
{
    (void)data;
    atomic_store(&raced, handle->completion);
    return SLUICE_NATIVE_PENDING;
}

/* While the function returns: nothing of it is used behind its end. */
static void completed_as_it_returns(void)
{
    pthread_t thread;
    find_functions();
    REQUIRE(!pthread_create(&thread, NULL, complete_those, NULL));
    for (int i = 0; i < RACES; i++) {
        cl_event event = NULL;
        CHECK_OK(enqueue_native(cl.queue, give_away, NULL, NULL, 0, NULL, NULL, 0, NULL,
                                i % 2 ? &event : NULL));
        if (!event) {
            CHECK_OK(clFinish(cl.queue));
            continue;
        }
        CHECK_OK(clWaitForEvents(1, &event));
        CHECK_EQ(event_status(event), CL_COMPLETE);
        RELEASE_EVENT(event);
    }
    pthread_join(thread, NULL);
}

static cl_int CL_CALLBACK complete_at_once(const sluice_interop_handle *handle, void *data)
{
    (void)data;
    CHECK_EQ(complete_native(handle->completion, 1), CL_INVALID_VALUE);
    CHECK_OK(complete_native(handle->completion, -77));
    CHECK_EQ(complete_native(handle->completion, 0), CL_INVALID_OPERATION);
    return SLUICE_NATIVE_PENDING;
}

static void completed_before_it_returns(void)
{
    cl_event event;
    find_functions();
    CHECK_OK(
        enqueue_native(cl.queue, complete_at_once, NULL, NULL, 0, NULL, NULL, 0, NULL, &event));
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(event), -77);
    RELEASE_EVENT(event);
    struct work work = new_work(0);
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    CHECK_EQ(complete_native(event, CL_COMPLETE), CL_INVALID_OPERATION); /* nobody waits for it */
    CHECK_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
    end_work(&work);
}

static cl_int CL_CALLBACK complete_and_return(const sluice_interop_handle *handle, void *data)
{
    const cl_int *given_and_answer = data;
    CHECK_OK(complete_native(handle->completion, given_and_answer[0]));
    return given_and_answer[1];
}

/* An error is not lost with a function that returns as if there were none. */
static void completed_by_one_that_does_not_wait(void)
{
    static const cl_int cases[][3] = {/* given, answer, the command's status */
                                      {-78, CL_SUCCESS, -78},
                                      {CL_COMPLETE, CL_SUCCESS, CL_COMPLETE},
                                      {-78, -79, -79},
                                      {CL_COMPLETE, -79, -79}};
    find_functions();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_event event;
        cl_int given_and_answer[] = {cases[i][0], cases[i][1]};
        CHECK_OK(enqueue_native(cl.queue, complete_and_return, NULL, given_and_answer, 0, NULL,
                                NULL, 0, NULL, &event));
        clWaitForEvents(1, &event);
        CHECK_EQ(event_status(event), cases[i][2]);
        RELEASE_EVENT(event);
    }
}

static cl_int CL_CALLBACK waits_for_itself(const sluice_interop_handle *handle, void *data)
{
    struct work *work = data;
    cl_event completion = handle->completion;
    CHECK_EQ(clEnqueueMarkerWithWaitList(handle->queue, 1, &completion, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueBarrierWithWaitList(handle->queue, 1, &completion, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(enqueue_native(handle->queue, run, NULL, work, 0, NULL, NULL, 1, &completion, NULL),
             CL_INVALID_OPERATION);
    /* Nor by way of other queues, which such a wait would lead back from. */
    CHECK_EQ(clEnqueueMarkerWithWaitList(cl.queue, 1, &completion, NULL), CL_INVALID_OPERATION);
    cl_int rc;
    cl_command_queue other = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(clEnqueueMarkerWithWaitList(other, 1, &completion, NULL), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseCommandQueue(other));
    work->calls++;
    return CL_SUCCESS;
}

/* Work that waited for the command it is part of would never end. */
static void its_work_does_not_wait_for_it(void)
{
    struct work work = new_work(1);
    CHECK_OK(
        enqueue_native(cl.queue, waits_for_itself, destroy, &work, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_EQ(work.calls, 1);
    CHECK_OK(clFinish(cl.queue));
    check_values(&work, 0);
    end_work(&work);
}

/* ---- who keeps its queue --------------------------------------------------------------------- */

static cl_int CL_CALLBACK keeps_its_queue(const sluice_interop_handle *handle, void *data)
{
    cl_command_queue *kept = data;
    CHECK_OK(clRetainCommandQueue(handle->queue));
    CHECK_OK(clRetainCommandQueue(handle->queue));
    CHECK_OK(clReleaseCommandQueue(handle->queue));
    *kept = handle->queue;
    return CL_SUCCESS;
}

/* A reference of the application's is one, also behind the function's end: the queue is there, and
 * takes no more. */
static void its_queue_is_kept(void)
{
    cl_command_queue kept = NULL;
    cl_context context = NULL;
    find_functions();
    CHECK_OK(enqueue_native(cl.queue, keeps_its_queue, NULL, &kept, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clGetCommandQueueInfo(kept, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == cl.context);
    CHECK_EQ(clEnqueueMarkerWithWaitList(kept, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(clFinish(kept));
    CHECK_OK(clReleaseCommandQueue(kept));
    CHECK_OK(clFinish(cl.queue));
}

struct sharing {
    cl_command_queue _Atomic queue;
    atomic_bool over;
};

static cl_int CL_CALLBACK shares_its_queue(const sluice_interop_handle *handle, void *data)
{
    struct sharing *s = data;
    CHECK_OK(clRetainCommandQueue(handle->queue));
    atomic_store(&s->queue, handle->queue);
    usleep(50);
    return CL_SUCCESS;
}

static void *uses_it_meanwhile(void *data)
{
    struct sharing *s = data;
    while (!atomic_load(&s->over)) {
        cl_command_queue queue = atomic_exchange(&s->queue, NULL);
        cl_int rc = CL_SUCCESS;
        while (queue && !(rc = clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL)))
            ;
        CHECK_EQ(rc, queue ? CL_INVALID_COMMAND_QUEUE : CL_SUCCESS);
        if (queue)
            CHECK_OK(clReleaseCommandQueue(queue));
    }
    return NULL;
}

/* While the function returns, another thread enqueues to what it has a reference of. */
static void its_queue_is_used_as_it_returns(void)
{
    struct sharing sharing = {NULL, false};
    pthread_t thread;
    find_functions();
    REQUIRE(!pthread_create(&thread, NULL, uses_it_meanwhile, &sharing));
    for (int i = 0; i < RACES / 10; i++) {
        CHECK_OK(enqueue_native(cl.queue, shares_its_queue, NULL, &sharing, 0, NULL, NULL, 0, NULL,
                                NULL));
        while (atomic_load(&sharing.queue))
            usleep(10);
    }
    atomic_store(&sharing.over, true);
    pthread_join(thread, NULL);
    CHECK_OK(clFinish(cl.queue));
}

struct waiting {
    cl_command_queue queue;
    cl_event child;
    cl_mem buffer;
};

static void *waits_elsewhere(void *data)
{
    struct waiting *w = data;
    cl_int word;
    CHECK_EQ(clFinish(w->queue), CL_INVALID_OPERATION);
    CHECK_EQ(
        clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    CHECK_OK(clWaitForEvents(1, &w->child));
    CHECK_OK(clEnqueueReadBuffer(w->queue, w->buffer, CL_FALSE, 0, sizeof word, &word, 0, NULL,
                                 &w->child));
    CHECK_OK(clWaitForEvents(1, &w->child));
    CHECK_EQ(word, 42);
    RELEASE_EVENT(w->child);
    return NULL;
}

static cl_int CL_CALLBACK lets_another_wait(const sluice_interop_handle *handle, void *data)
{
    struct waiting *w = data;
    const cl_int word = 42;
    pthread_t thread;
    w->queue = handle->queue;
    CHECK_OK(clEnqueueFillBuffer(w->queue, w->buffer, &word, sizeof word, 0, sizeof word, 0, NULL,
                                 &w->child));
    cl_event fill = w->child;
    REQUIRE(!pthread_create(&thread, NULL, waits_elsewhere, w));
    pthread_join(thread, NULL);
    RELEASE_EVENT(fill);
    return CL_SUCCESS;
}

/* As the header says: what might wait for the function is refused in any thread, events are not. */
static void another_thread_waits_for_its_queue(void)
{
    struct waiting w = {0};
    find_functions();
    w.buffer = new_buffer(0, sizeof(cl_int), NULL);
    CHECK_OK(enqueue_native(cl.queue, lets_another_wait, NULL, &w, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_MEM(w.buffer);
}

static cl_int CL_CALLBACK reads_behind_its_work(const sluice_interop_handle *handle, void *data)
{
    struct waiting *w = data;
    cl_int word = -1;
    CHECK_OK(clEnqueueMarkerWithWaitList(handle->queue, 0, NULL, &w->child));
    CHECK_EQ(clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof word, &word, 1, &w->child,
                                 NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(word, -1);
    return CL_SUCCESS;
}

/* Nor by a blocking command of another queue. */
static void its_work_is_not_waited_for_elsewhere(void)
{
    struct waiting w = {0};
    cl_event gate = user_event();
    find_functions();
    w.queue = new_queue(0);
    w.buffer = new_buffer(0, sizeof(cl_int), NULL);
    CHECK_OK(
        enqueue_native(cl.queue, reads_behind_its_work, NULL, &w, 0, NULL, NULL, 1, &gate, NULL));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(cl.queue));
    CHECK_OK(clFinish(w.queue));
    CHECK_EQ(event_status(w.child), CL_COMPLETE);
    RELEASE_EVENT(w.child);
    RELEASE_EVENT(gate);
    RELEASE_MEM(w.buffer);
    RELEASE_QUEUE(w.queue);
}

static cl_event of_destructor;
static cl_int answered;

static cl_int CL_CALLBACK tells_its_completion(const sluice_interop_handle *handle, void *data)
{
    (void)data;
    of_destructor = handle->completion;
    return CL_SUCCESS;
}

static void CL_CALLBACK waits_in_the_end(void *data)
{
    (void)data;
    answered = clWaitForEvents(1, &of_destructor);
}

static void its_destructor_does_not_wait_for_it(void)
{
    find_functions();
    answered = CL_SUCCESS;
    CHECK_OK(enqueue_native(cl.queue, tells_its_completion, waits_in_the_end, NULL, 0, NULL, NULL,
                            0, NULL, NULL));
    CHECK_EQ(answered, CL_INVALID_OPERATION);
    CHECK_OK(clFinish(cl.queue));
}

static const struct test_case cases[] = {
    CASE(nested),
    CASE(completed_from_another_thread),
    CASE(completed_without_an_event),
    CASE(completed_as_it_returns),
    CASE(completed_before_it_returns),
    CASE(completed_by_one_that_does_not_wait),
    CASE(its_work_does_not_wait_for_it),
    CASE(another_thread_waits_for_its_queue),
    CASE(its_work_is_not_waited_for_elsewhere),
    CASE(its_queue_is_kept),
    CASE(its_queue_is_used_as_it_returns),
    CASE(its_destructor_does_not_wait_for_it),
};
TEST_MAIN("native_completion", cases)
