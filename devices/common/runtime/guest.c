/* SPDX-License-Identifier: Apache-2.0 */
/* See guest.h. No state. */
#include "common/runtime/guest.h"

#include "common/memory/arena.h"
#include "common/runtime/code.h"
#include "common/runtime/estimate.h"
#include "common/runtime/scheduler.h"

/* Memory that would stay with the work queue when the thread has gone. */
static bool needs_much(const struct sl_kernel_info *kernel, const struct sl_launch_args *args)
{
    uint64_t context = kernel->context_per_item;
    for (uint32_t i = 0; i < args->work_dim; i++)
        context *= args->local_size[i];
    return args->local_bytes > SL_ARENA_KEPT || context + kernel->context_fixed > SL_ARENA_KEPT;
}

/* The stack of such a thread is small, and a function of the application may wait for that very
 * thread. What quick code keeps on the stack its facts do not say. */
bool sl_job_may_be_hosted(const struct sl_work *work)
{
    const struct sl_kernel_info *kernel =
        work->kind == SL_WORK_KERNEL ? sl_launch_kernel(&work->u.kernel) : NULL;
    if (kernel)
        return kernel->stack_bytes < SL_GUEST_STACK_BYTES && !(kernel->flags & SL_KERNEL_QUICK) &&
               !needs_much(kernel, &work->u.kernel);
    return work->kind != SL_WORK_NATIVE;
}

/* What comes next in an out-of-order work queue may have nothing to do with what the thread waits
 * for. */
bool sl_job_suits_guest(const struct sl_work_queue *work_queue, const struct sl_work *work)
{
    return sl_job_may_be_hosted(work) && (!work_queue->out_of_order || sl_job_is_short(work));
}
