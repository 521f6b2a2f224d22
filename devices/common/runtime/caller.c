/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Thread-local data; work_queue->guest_inside guards work_queue->guest. */
#include "common/runtime/caller.h"

#include <stdint.h>

#include "common/runtime/job.h"
#include "common/runtime/scheduler.h"
#include "sluice/base/stack.h"

/* What the driver and the device need below a kernel, and above it for calls. */
enum { SPARE_BYTES = 32 << 10 };
/* Quick code keeps more on the stack than its facts say: every value that lives across blocks. */
enum { QUICK_BYTES = 1 << 20 };

/* What a submit() of this thread has yet to run; they nest when a native kernel enqueues. */
struct run {
    struct sl_work *head, *tail;
};
static _Thread_local struct run *current;

/* A thread on a stack of its own making (a coroutine) says nothing of how much is left. */
bool sl_caller_bears(const struct sl_kernel_info *kernel)
{
    size_t need = SPARE_BYTES + (size_t)kernel->stack_bytes;
    if (kernel->flags & SL_KERNEL_QUICK)
        need += QUICK_BYTES;
    return sl_stack_left() > need;
}

static void append(struct run *run, struct sl_work *work)
{
    work->next = NULL;
    *(run->tail ? &run->tail->next : &run->head) = work;
    run->tail = work;
}

static struct sl_work *take(struct run *run)
{
    struct sl_work *work = run->head;
    if (work && !(run->head = work->next))
        run->tail = NULL;
    return work;
}

/* As sl_work_queue_take() would hand it out, but to any number of threads. */
static void run_one(struct sl_work_queue *work_queue, struct sl_worker *worker,
                    struct sl_work *work)
{
    atomic_fetch_add_explicit(&work_queue->taken, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&work_queue->threads, 1, memory_order_relaxed);
    sl_work_queue_hold(work_queue);
    sl_job_run(work_queue->sched, worker, work_queue, work);
}

static void run_all(struct sl_work_queue *work_queue, struct sl_worker *worker, struct run *run)
{
    struct run *outer = current;
    current = run;
    for (struct sl_work *work; (work = take(run));)
        run_one(work_queue, worker, work);
    current = outer;
}

static bool was_enqueued_by_kernel(const struct sl_work *work)
{
    return work->kind == SL_WORK_KERNEL && work->u.kernel.child;
}

void sl_caller_run(struct sl_work_queue *work_queue, struct sl_work *work)
{
    if (current && was_enqueued_by_kernel(work)) {
        append(current, work);
        return;
    }
    struct run run = {0};
    append(&run, work);
    sl_work_queue_hold(work_queue); /* the last work may be the queue's end */
    if (!atomic_flag_test_and_set_explicit(&work_queue->guest_inside, memory_order_acquire)) {
        run_all(work_queue, &work_queue->guest, &run);
        sl_arena_trim(&work_queue->guest.arena);
        atomic_flag_clear_explicit(&work_queue->guest_inside, memory_order_release);
    } else {
        struct sl_worker own = {.guest = true};
        run_all(work_queue, &own, &run);
        sl_worker_finish(&own);
    }
    sl_work_queue_drop(work_queue);
}
