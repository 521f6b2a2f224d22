/* SPDX-License-Identifier: Apache-2.0 */
/* See estimate.h. Costs are in the code object; they are read and written without a lock. */
#include "common/runtime/estimate.h"

#include "common/base/times.h"
#include "common/kernel/ndrange.h"
#include "common/runtime/code.h"
#include "common/runtime/job.h"
#include "common/runtime/scheduler.h"

/* Lines of queue, work queue, kernel and event that travel when one thread enqueues and another
 * runs. */
static const uint64_t sharing_ns = 500;

static const uint64_t guessed_item_ps = 2000, bytes_per_ns = 100;

enum { MEASURED_EVERY = 8 };

uint32_t sl_job_known_cost(const struct sl_launch_args *args)
{
    return __atomic_load_n(&args->code->cost_ps[args->kernel_index], __ATOMIC_RELAXED);
}

static uint64_t volume(const size_t region[3])
{
    return sl_times(sl_times(region[0], region[1]), region[2]);
}

uint64_t sl_job_estimate(const struct sl_work *work)
{
    switch (work->kind) {
    case SL_WORK_KERNEL: {
        uint64_t cost_ps = sl_job_known_cost(&work->u.kernel);
        return sl_times(sl_ndrange_items(&work->u.kernel), cost_ps ? cost_ps : guessed_item_ps) /
               1000;
    }
    case SL_WORK_COPY:
        return volume(work->u.copy.region) / bytes_per_ns;
    case SL_WORK_FILL:
        return volume(work->u.fill.region) / bytes_per_ns;
    case SL_WORK_NATIVE:
    case SL_WORK_PIPE:
        return 0;
    }
    return 0;
}

bool sl_job_is_short(const struct sl_work *work)
{
    bool known = work->kind == SL_WORK_KERNEL ? sl_job_known_cost(&work->u.kernel) != 0
                                              : work->kind != SL_WORK_NATIVE;
    return known && !sl_job_is_long(sl_job_estimate(work));
}

uint64_t sl_job_worth(const struct sl_work *work)
{
    if (!sl_job_is_short(work))
        return SL_JOB_WORTH_WAKING;
    uint64_t alone = sl_job_estimate(work);
    return alone > sharing_ns ? alone - sharing_ns : 0;
}

/* A single chunk is not worth the clock's price, unless somebody has to know whether it is short;
 * and if it was, that is asked now and then. */
bool sl_job_wants_cost(const struct sl_job *job)
{
    if (!job->cost_ps)
        return false;
    if (!__atomic_load_n(job->cost_ps, __ATOMIC_RELAXED))
        return true;
    unsigned turn = atomic_load_explicit(&job->work_queue->taken, memory_order_relaxed);
    return turn % MEASURED_EVERY == 0 || (job->work_queue->out_of_order && job->alone < job->total);
}

/* A moving average; one launch that was disturbed does not change the picture. */
void sl_job_learn_cost(struct sl_job *job)
{
    uint64_t busy_ns = atomic_load_explicit(&job->busy_ns, memory_order_relaxed);
    if (!job->cost_ps || !busy_ns || atomic_load_explicit(&job->status, memory_order_relaxed))
        return;
    uint64_t now = sl_clamp(sl_times(busy_ns, 1000) / (job->items ? job->items : 1), 0, UINT32_MAX);
    uint64_t before = __atomic_load_n(job->cost_ps, __ATOMIC_RELAXED);
    uint64_t cost = before ? (3 * before + now) / 4 : now;
    __atomic_store_n(job->cost_ps, (uint32_t)sl_clamp(cost, 1, UINT32_MAX), __ATOMIC_RELAXED);
}
