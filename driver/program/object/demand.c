/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: see the header. A slot per kernel is empty until its code is loaded, which one
 * thread does while others that want the same wait; slots are read without a lock. demand->lock
 * guards all else; nothing is compiled, loaded or read from disk under it.
 */
#include "program/object/demand.h"
#include "base/thread/fork.h"

#include <string.h>

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/platform.h"
#include "program/object/demand_make.h"
#include "program/object/demand_request.h"
#include "program/object/work_rule.h"
#include "sluice/build_mode.h"

/* All is made at once only for who has launched so many kernels, and half of them: he will launch
 * most. Who gets all by one call (clCreateKernelsInProgram) need not launch more than others. */
#define FEWEST_BY_ITSELF 4
#define PART_BY_ITSELF 2 /* of all kernels */
/* Those get code once more then. It pays while what that takes is less than what the rest would
 * cost beyond its code, kernel by kernel: this much each. */
#define BY_ITSELF_NS 8000000

/* Nanoseconds that launches of a kernel may take with quick code before better code is made, which
 * takes some ten times as long. Each time that it cannot be made they may take four times as many.
 */
#define MOST_QUICK 10000000
#define MOST_FAILURES 15
/* Each launch counts as this much more: quick code needs another thread's waking, where the best
 * may be run by the thread that launches or waits. */
#define LAUNCH_NS 20000
/* Kernels that pipes join wait for each other as the best ones do: a few calls each. */
#define JOINED_LAUNCH_NS 2000
/* An instruction of quick code, before it was measured; what the first items take beyond twice that
 * is memory that they touch first. */
#define INSTRUCTION_PS 1000u
/* Of context memory for all work-items: no launch fails for what only quick code needs. */
#define MOST_CONTEXT ((uint64_t)64 << 20)

static bool has_any(const struct sl_module_info *info, uint32_t flags)
{
    for (uint32_t k = 0; k < info->kernel_count; k++)
        if (info->kernels[k].flags & flags)
            return true;
    return false;
}

struct sl_demand *sl_demand_create(const struct sl_device_caps *caps, const unsigned char *rest,
                                   size_t rest_bytes, const struct sl_module_info *info)
{
    uint32_t kernel_count = info->kernel_count;
    struct sl_demand *demand =
        sl_zalloc(sizeof *demand + kernel_count * sizeof(struct sl_demand_slot));
    if (!demand)
        return NULL;
    pthread_mutex_init(&demand->lock, NULL);
    pthread_cond_init(&demand->change, NULL);
    const enum sl_build_mode mode = sl_build_mode_of(sl_config(SL_CONFIG_BUILD));
    demand->caps = caps;
    demand->kernel_count = kernel_count;
    demand->joined = info->pipe_count;
    demand->swings = demand->joined && mode == SL_MODE_SWING;
    for (uint32_t k = 0; k < kernel_count; k++) /* who loads a program looks for all of it */
        atomic_init(&demand->slots[k].looked, demand->joined);
    demand->has_best = has_any(info, SL_KERNEL_IN_STEP | SL_KERNEL_WHOLE_GROUPS);
    demand->always_quick = mode == SL_MODE_QUICK;
    demand->rest_bytes = rest_bytes;
    demand->rest = sl_memdup(rest, rest_bytes);
    if (demand->rest)
        return demand;
    sl_demand_destroy(demand);
    return NULL;
}

void sl_demand_destroy(struct sl_demand *demand)
{
    if (!demand)
        return;
    struct sl_code_ref *whole = atomic_load_explicit(&demand->whole, memory_order_relaxed);
    for (uint32_t k = 0; k < demand->kernel_count; k++)
        for (int f = 0; f < SL_FORMS; f++) {
            struct sl_code_ref *code =
                atomic_load_explicit(&demand->slots[k].code[f], memory_order_relaxed);
            if (code != whole)
                sl_code_drop(code);
        }
    sl_code_drop(whole);
    pthread_cond_destroy(&demand->change);
    pthread_mutex_destroy(&demand->lock);
    sl_free(demand->container);
    sl_free(demand->rest);
    sl_free(demand);
}

bool sl_demand_find_whole(const struct sl_device_caps *caps, const unsigned char *rest,
                          size_t rest_bytes, bool make, unsigned char **container, size_t *bytes)
{
    struct sl_order order;
    sl_order_init(&order, caps, rest, rest_bytes, NULL, true);
    bool found = make ? !sl_order_get(&order) : sl_order_find(&order);
    if (found) {
        *container = order.container;
        *bytes = order.bytes;
        order.container = NULL;
    }
    sl_order_finish(&order);
    return found;
}

/* ---- whose turn it is ------------------------------------------------------------------------ */

static bool has_code(const struct sl_demand *demand, uint32_t kernel, enum sl_forms forms)
{
    return atomic_load_explicit(&demand->slots[kernel].code[forms], memory_order_acquire);
}

static bool all_cost_less_locked(const struct sl_demand *demand)
{
    return demand->least_ns < (uint64_t)BY_ITSELF_NS * demand->kernel_count / demand->made;
}

enum task { TASK_AGAIN, TASK_LOOK, TASK_ALL, TASK_ONE };

/* Waits until something has changed, or it is the caller's turn to make it. Who wants one kernel
 * does not wait for who makes all of them. */
static enum task await_task_locked(struct sl_demand *demand, uint32_t kernel, enum sl_forms forms,
                                   bool look_only)
{
    const bool *others = demand->joined ? &demand->whole_busy : &demand->slots[kernel].busy;
    bool busy = *others;
    while (!has_code(demand, kernel, forms) && *others)
        pthread_cond_wait(&demand->change, &demand->lock);
    if (has_code(demand, kernel, forms) || busy)
        return TASK_AGAIN;
    bool many =
        demand->made >= FEWEST_BY_ITSELF && demand->made >= demand->kernel_count / PART_BY_ITSELF;
    bool all = demand->joined || (many && !look_only && !demand->whole_busy &&
                                  !demand->whole_failed && all_cost_less_locked(demand));
    demand->slots[kernel].busy = true;
    demand->whole_busy |= all;
    return look_only ? TASK_LOOK : all ? TASK_ALL : TASK_ONE;
}

/* True: the kernel is to be tried by itself now, and stays the caller's. */
static bool whole_failed(struct sl_demand *demand)
{
    pthread_mutex_lock(&demand->lock);
    demand->whole_busy = false;
    demand->whole_failed = true;
    pthread_cond_broadcast(&demand->change);
    pthread_mutex_unlock(&demand->lock);
    return true;
}

static void end_task(struct sl_demand *demand, uint32_t kernel, bool all)
{
    pthread_mutex_lock(&demand->lock);
    if (all)
        demand->whole_busy = false;
    if (kernel < demand->kernel_count)
        demand->slots[kernel].busy = false;
    pthread_cond_broadcast(&demand->change);
    pthread_mutex_unlock(&demand->lock);
}

/* A thread of the parent's may have been at it, and does not exist here. */
static cl_int refuse_child(void)
{
    return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
}

/* ---- quick code, or better ------------------------------------------------------------------- */

static bool has_quick_code(const struct sl_kernel_device *on)
{
    return on->info->flags & SL_KERNEL_QUICK;
}

static struct sl_demand_slot *slot_of(const struct sl_kernel_device *on)
{
    return &on->code->demand->slots[on->index];
}

/* Where launches and failures count: kernels that are only made together have one account, since
 * who waits for a design waits for the sum of its kernels. */
static struct sl_demand_slot *account_of(const struct sl_kernel_device *on)
{
    struct sl_demand *demand = on->code->demand;
    return &demand->slots[demand->joined ? 0 : on->index];
}

/* Measured, once it has run, if it always is the same. */
static uint64_t item_ps(const struct sl_kernel_device *on, const struct sl_demand_launch *launch)
{
    const struct sl_device_ops *ops = on->code->device->ops;
    uint64_t estimate;
    if (on->info->work_rule)
        return __builtin_mul_overflow(sl_work_by_rule(on->info, launch->values), INSTRUCTION_PS,
                                      &estimate)
                   ? UINT64_MAX
                   : estimate;
    uint32_t cost_ps = ops->kernel_cost ? ops->kernel_cost(on->code->code, on->index) : 0;
    estimate = (uint64_t)on->info->work * INSTRUCTION_PS;
    return !cost_ps ? estimate : cost_ps < 2 * estimate ? cost_ps : 2 * estimate;
}

static uint64_t estimate_ns(const struct sl_kernel_device *on,
                            const struct sl_demand_launch *launch)
{
    uint64_t ps;
    return __builtin_mul_overflow(launch->items, item_ps(on, launch), &ps) ? UINT64_MAX / 1000
                                                                           : ps / 1000;
}

static bool fits_in_memory(const struct sl_kernel_info *info, uint64_t items)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(items, info->context_per_item, &bytes) &&
           !__builtin_add_overflow(bytes, info->context_fixed, &bytes) && bytes <= MOST_CONTEXT;
}

static bool quick_code_suffices(const struct sl_kernel_device *on,
                                const struct sl_demand_launch *launch)
{
    if (!has_quick_code(on) || on->code->demand->swings)
        return false;
    const struct sl_demand_slot *account = account_of(on);
    unsigned failures = atomic_load_explicit(&account->failures, memory_order_relaxed);
    uint64_t most = (uint64_t)MOST_QUICK
                    << 2 * (failures < MOST_FAILURES ? failures : MOST_FAILURES);
    uint64_t ns = estimate_ns(on, launch);
    return fits_in_memory(on->info, launch->items) && ns <= most &&
           atomic_load_explicit(&account->quick_ns, memory_order_relaxed) <= most - ns;
}

static void take(const struct sl_kernel_device *on, struct sl_code_ref *code,
                 struct sl_kernel_device *picked)
{
    picked->code = code;
    if (code != atomic_load_explicit(&on->code->demand->whole, memory_order_acquire))
        picked->index = 0;
    picked->info = &code->info->kernels[picked->index];
}

static bool runs(const struct sl_kernel_device *picked, const struct sl_demand_launch *launch)
{
    const struct sl_kernel_info *info = picked->info;
    if (info->flags & SL_KERNEL_WHOLE_GROUPS &&
        !sl_launch_has_whole_groups(info->reqd_size, launch->global))
        return false;
    return !(info->flags & SL_KERNEL_IN_STEP) ||
           sl_launch_goes_in_step(info, launch->offset, launch->global, launch->local);
}

/* Neighbours begin with different codes. */
static bool swings_to_quick(const struct sl_kernel_device *on)
{
    return on->code->demand->swings &&
           (on->index + atomic_load_explicit(&slot_of(on)->launches, memory_order_relaxed)) % 2;
}

bool sl_demand_pick(const struct sl_kernel_device *on, const struct sl_demand_launch *launch,
                    struct sl_kernel_device *picked)
{
    struct sl_demand *demand = on->code->demand;
    *picked = *on;
    if (!demand || (has_quick_code(on) && (demand->always_quick || swings_to_quick(on))) ||
        (demand->has_best && runs(on, launch)))
        return true;
    for (int f = 0; f < SL_FORMS; f++) {
        struct sl_code_ref *code =
            atomic_load_explicit(&slot_of(on)->code[f], memory_order_acquire);
        *picked = *on;
        if (code)
            take(on, code, picked);
        if (code && runs(picked, launch))
            return true;
    }
    *picked = *on;
    return atomic_load_explicit(&slot_of(on)->looked, memory_order_acquire) &&
           quick_code_suffices(on, launch);
}

void sl_demand_launched(const struct sl_kernel_device *picked,
                        const struct sl_demand_launch *launch)
{
    const struct sl_code_ref *first = sl_code_of_pipes(picked->code);
    if (first->demand && first->demand->swings)
        atomic_fetch_add_explicit(&first->demand->slots[picked->index].launches, 1,
                                  memory_order_relaxed);
    if (picked->code->demand && has_quick_code(picked))
        atomic_fetch_add_explicit(&account_of(picked)->quick_ns,
                                  estimate_ns(picked, launch) +
                                      (first->demand->joined ? JOINED_LAUNCH_NS : LAUNCH_NS),
                                  memory_order_relaxed);
}

/* What the caller has to do. */
static cl_int do_task(const struct sl_kernel_device *on, enum task task, enum sl_forms forms,
                      cl_context context)
{
    struct sl_demand *demand = on->code->demand;
    cl_int rc = CL_SUCCESS;
    bool all = task == TASK_ALL;
    if (task == TASK_LOOK)
        sl_demand_look(on->code, on->index, forms);
    else
        rc = sl_demand_make(on->code, on->index, forms, all, context);
    if (rc && all && !demand->joined && whole_failed(demand)) {
        all = false;
        rc = sl_demand_make(on->code, on->index, forms, all, context);
    }
    if (rc)
        atomic_fetch_add_explicit(&account_of(on)->failures, 1, memory_order_relaxed);
    end_task(demand, on->index, all);
    return rc;
}

static cl_int make_and_pick(const struct sl_kernel_device *on,
                            const struct sl_demand_launch *launch, cl_context context,
                            struct sl_kernel_device *picked)
{
    struct sl_demand *demand = on->code->demand;
    cl_int rc = CL_SUCCESS;
    while (!rc && !sl_demand_pick(on, launch, picked)) {
        bool looked = atomic_load_explicit(&slot_of(on)->looked, memory_order_relaxed);
        bool look_only = !looked && quick_code_suffices(on, launch);
        /* The usual one does not run the launch, or it would have been picked. */
        bool usual = demand->has_best || has_code(demand, on->index, SL_FORMS_USUAL);
        enum sl_forms forms = usual ? SL_FORMS_ALL : SL_FORMS_USUAL;
        pthread_mutex_lock(&demand->lock);
        enum task task = await_task_locked(demand, on->index, forms, look_only);
        pthread_mutex_unlock(&demand->lock);
        if (task != TASK_AGAIN)
            rc = do_task(on, task, forms, context);
    }
    return rc;
}

cl_int sl_demand_get(const struct sl_kernel_device *on, const struct sl_demand_launch *launch,
                     cl_context context, struct sl_kernel_device *picked)
{
    cl_int rc = sl_forked() ? CL_OUT_OF_RESOURCES : make_and_pick(on, launch, context, picked);
    if (!rc)
        return CL_SUCCESS;
    *picked = *on;
    if (has_quick_code(on)) /* better slowly than not at all */
        return CL_SUCCESS;
    return sl_forked() ? refuse_child() : rc;
}

/* ---- the whole program ----------------------------------------------------------------------- */

static cl_int copy_container(struct sl_demand *demand, unsigned char **container, size_t *bytes)
{
    unsigned char *copy = sl_memdup(demand->container, demand->container_bytes);
    if (!copy)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "program binary");
    *container = copy;
    *bytes = demand->container_bytes;
    return CL_SUCCESS;
}

cl_int sl_demand_container(struct sl_code_ref *ref, cl_context context, unsigned char **container,
                           size_t *bytes)
{
    struct sl_demand *demand = ref->demand;
    cl_int rc = CL_SUCCESS;
    if (sl_forked())
        return refuse_child();
    pthread_mutex_lock(&demand->lock);
    while (demand->whole_busy)
        pthread_cond_wait(&demand->change, &demand->lock);
    bool missing = !demand->container;
    demand->whole_busy = missing;
    pthread_mutex_unlock(&demand->lock);
    if (missing) {
        rc = sl_demand_make(ref, 0, SL_FORMS_ALL, true, context);
        end_task(demand, demand->kernel_count, true);
    }
    return rc ? rc : copy_container(demand, container, bytes); /* it stays as it is */
}
