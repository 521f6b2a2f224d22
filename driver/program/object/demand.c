/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: see the header. A slot per kernel is empty until its code is loaded, which one
 * thread does while others that want the same wait; slots are read without a lock. demand->lock
 * guards all else; nothing is compiled, loaded or read from disk under it.
 */
#include "program/object/demand.h"
#include "base/thread/fork.h"

#include <stdio.h>
#include <string.h>

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "base/thread/clock.h"
#include "platform/context.h"
#include "platform/platform.h"
#include "program/object/demand_request.h"
#include "sluice/base/stack.h"
#include "sluice/build_mode.h"

/* From here on the rest is made at once: each kernel by itself costs some milliseconds more, and
 * who launched that many will launch most. */
#define FEWEST_BY_ITSELF 4
/* As many suffice if the application has all kernels: it will launch them. */
#define FEWEST_OF_ALL 2
#define PART_BY_ITSELF 4 /* of all kernels */
/* All at once, these get code once more: no more of them than that, or they took little longer than
 * what a kernel by itself costs beyond its code. */
#define PART_AGAIN 3
#define BY_ITSELF_NS 8000000

/* Nanoseconds that launches of a kernel may take with quick code before better code is made, which
 * takes some ten times as long. Each time that it cannot be made they may take four times as many.
 */
#define MOST_QUICK 10000000
#define MOST_FAILURES 15
/* Each launch counts as this much more: quick code needs another thread's waking, where the best
 * may be run by the thread that launches or waits. */
#define LAUNCH_NS 20000
/* An instruction of quick code, before it was measured; what the first items take beyond twice that
 * is memory that they touch first. */
#define INSTRUCTION_PS 1000u
/* Of context memory for all work-items: no launch fails for what only quick code needs. */
#define MOST_CONTEXT ((uint64_t)64 << 20)

struct slot { /* of a kernel */
    /* `whole`, which is counted once, or owned: a module of this kernel alone; NULL: none yet */
    struct sl_code_ref *_Atomic code;
    _Atomic uint64_t quick_ns; /* what launches with quick code took, as far as one can tell */
    atomic_uint failures;      /* to make it */
    atomic_bool looked;        /* the cache does not have it */
    bool busy;                 /* under the lock: somebody makes it */
};

struct sl_demand {
    const struct sl_device_caps *caps; /* borrowed from the device */
    unsigned char *rest;               /* owned */
    size_t rest_bytes;
    uint32_t kernel_count;
    bool any_quick;                    /* some kernels have quick code */
    bool always_quick;                 /* SLUICE_BUILD=quick */
    struct sl_code_ref *_Atomic whole; /* owned: code of all kernels */
    pthread_mutex_t lock;
    pthread_cond_t change;
    unsigned char *container; /* owned: of `whole` */
    size_t container_bytes;
    bool expects_all, whole_busy;
    bool whole_failed; /* one kernel may be to blame: the others are tried by themselves */
    uint32_t made;     /* kernels that have code of their own */
    uint64_t least_ns; /* one of them took */
    struct slot slots[];
};

static bool has_any_quick_code(const struct sl_module_info *info)
{
    for (uint32_t k = 0; k < info->kernel_count; k++)
        if (info->kernels[k].flags & SL_KERNEL_QUICK)
            return true;
    return false;
}

struct sl_demand *sl_demand_create(const struct sl_device_caps *caps, const unsigned char *rest,
                                   size_t rest_bytes, const struct sl_module_info *info)
{
    uint32_t kernel_count = info->kernel_count;
    struct sl_demand *demand = sl_zalloc(sizeof *demand + kernel_count * sizeof(struct slot));
    if (!demand)
        return NULL;
    pthread_mutex_init(&demand->lock, NULL);
    pthread_cond_init(&demand->change, NULL);
    demand->caps = caps;
    demand->kernel_count = kernel_count;
    demand->any_quick = has_any_quick_code(info);
    demand->always_quick = sl_build_mode_of(sl_config(SL_CONFIG_BUILD)) == SL_MODE_QUICK;
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
    for (uint32_t k = 0; k < demand->kernel_count; k++) {
        struct sl_code_ref *code =
            atomic_load_explicit(&demand->slots[k].code, memory_order_relaxed);
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
                          size_t rest_bytes, unsigned char **container, size_t *bytes)
{
    struct sl_order order;
    sl_order_init(&order, caps, rest, rest_bytes, NULL);
    bool found = sl_order_find(&order);
    if (found) {
        *container = order.container;
        *bytes = order.bytes;
        order.container = NULL;
    }
    sl_order_finish(&order);
    return found;
}

/* ---- making code ----------------------------------------------------------------------------- */

/* How a kernel turned out is its code's own affair. */
static bool same_kernel(const struct sl_kernel_info *a, const struct sl_kernel_info *b)
{
    const uint32_t own = SL_KERNEL_QUICK | SL_KERNEL_FLAT | SL_KERNEL_USES_BARRIER |
                         SL_KERNEL_ROWS_IN_STEP | SL_KERNEL_INTERCHANGED_1 |
                         SL_KERNEL_INTERCHANGED_2 | SL_KERNEL_TILES | SL_KERNEL_BOTH_FORMS;
    return !strcmp(a->name, b->name) && a->arg_count == b->arg_count &&
           a->args_bytes == b->args_bytes && (a->flags | own) == (b->flags | own);
}

/* What was announced is what came. */
static bool fits(const struct sl_module_info *announced, uint32_t kernel,
                 const struct sl_module_info *info, bool all)
{
    if (!all)
        return info->kernel_count == 1 &&
               same_kernel(&info->kernels[0], &announced->kernels[kernel]);
    if (info->kernel_count != announced->kernel_count)
        return false;
    for (uint32_t k = 0; k < info->kernel_count; k++)
        if (!same_kernel(&info->kernels[k], &announced->kernels[k]))
            return false;
    return true;
}

static cl_int load(struct sl_code_ref *ref, uint32_t kernel, bool all, struct sl_order *order,
                   struct sl_code_ref **out)
{
    const char *why = NULL;
    cl_int rc = sl_code_load(ref->device, order->container, order->bytes, out, &why);
    if (!rc && fits(ref->info, kernel, (*out)->info, all))
        return CL_SUCCESS;
    if (!rc)
        sl_code_drop(*out);
    snprintf(order->why, sizeof order->why, "%s", rc ? why : "the compiler made something else");
    return rc == CL_OUT_OF_HOST_MEMORY || rc == CL_OUT_OF_RESOURCES ? rc
                                                                    : CL_INVALID_PROGRAM_EXECUTABLE;
}

static void put_one(struct sl_demand *demand, uint32_t kernel, struct sl_code_ref *code,
                    uint64_t made_ns)
{
    pthread_mutex_lock(&demand->lock);
    if (made_ns && (!demand->made++ || made_ns < demand->least_ns))
        demand->least_ns = made_ns;
    /* release: who reads the slot sees the code */
    atomic_store_explicit(&demand->slots[kernel].code, code, memory_order_release);
    pthread_mutex_unlock(&demand->lock);
}

static void put_all(struct sl_demand *demand, struct sl_code_ref *code, struct sl_order *order)
{
    pthread_mutex_lock(&demand->lock);
    atomic_store_explicit(&demand->whole, code, memory_order_release);
    for (uint32_t k = 0; k < demand->kernel_count; k++)
        if (!atomic_load_explicit(&demand->slots[k].code, memory_order_relaxed))
            atomic_store_explicit(&demand->slots[k].code, code, memory_order_release);
    demand->container = order->container;
    demand->container_bytes = order->bytes;
    order->container = NULL;
    pthread_mutex_unlock(&demand->lock);
}

static void tell(cl_context context, const char *name, const char *why)
{
    sl_log(SL_LOG_WARN, "build", "code of %s: %s", name, why);
    sl_context_notify(context, "the code of %s could not be made: %s", name, why);
}

/* What was found somewhere may be of no use; what the compiler makes is kept when it is. */
static cl_int load_or_make(struct sl_code_ref *ref, uint32_t kernel, bool all,
                           struct sl_order *order, struct sl_code_ref **code)
{
    cl_int rc = load(ref, kernel, all, order, code);
    if (rc == CL_INVALID_PROGRAM_EXECUTABLE && !order->made) {
        sl_free(order->container);
        order->container = NULL;
        rc = sl_order_make(order);
        if (!rc)
            rc = load(ref, kernel, all, order, code);
    }
    if (!rc)
        sl_order_store(order);
    return rc;
}

struct making {
    struct sl_code_ref *ref;
    uint32_t kernel;
    bool all;
    cl_context context;
    cl_int rc;
};

static void make_here(void *data)
{
    struct making *making = data;
    struct sl_code_ref *ref = making->ref;
    uint32_t kernel = making->kernel;
    bool all = making->all;
    struct sl_demand *demand = ref->demand;
    const char *name = all ? NULL : ref->info->kernels[kernel].name;
    const char *called = all ? "all kernels" : name;
    struct sl_order order;
    struct sl_code_ref *code;
    uint64_t start = sl_now_ns();
    sl_order_init(&order, demand->caps, demand->rest, demand->rest_bytes, name);
    cl_int rc = sl_order_get(&order);
    if (!rc)
        rc = load_or_make(ref, kernel, all, &order, &code);
    if (!rc) {
        uint64_t took = sl_now_ns() - start;
        sl_log(SL_LOG_DEBUG, "build", "code of %s: made in %llu us", called,
               (unsigned long long)took / 1000);
        if (all)
            put_all(demand, code, &order);
        else
            put_one(demand, kernel, code, order.made ? took : 0);
    } else {
        tell(making->context, called, *order.why ? order.why : "out of memory");
    }
    sl_timeline_span("build", "kernel", start, sl_now_ns(), NULL);
    sl_order_finish(&order);
    making->rc = rc ? sl_refuse_known(rc, "no code of %s", called) : CL_SUCCESS;
}

/* The caller has marked it as busy. */
static cl_int make(struct sl_code_ref *ref, uint32_t kernel, bool all, cl_context context)
{
    struct making making = {.ref = ref, .kernel = kernel, .all = all, .context = context};
    if (sl_on_stack(make_here, &making))
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no stack for a build");
    return making.rc;
}

static void look_here(void *data)
{
    const struct making *making = data;
    struct sl_code_ref *ref = making->ref;
    uint32_t kernel = making->kernel;
    struct sl_demand *demand = ref->demand;
    struct sl_order order;
    struct sl_code_ref *code;
    sl_order_init(&order, demand->caps, demand->rest, demand->rest_bytes,
                  ref->info->kernels[kernel].name);
    if (sl_order_find(&order) && !load(ref, kernel, false, &order, &code))
        put_one(demand, kernel, code, 0);
    sl_order_finish(&order);
}

/* It may have been launched before: in another process, or in another build. */
static void look(struct sl_code_ref *ref, uint32_t kernel)
{
    struct making making = {.ref = ref, .kernel = kernel};
    if (sl_on_stack(look_here, &making))
        sl_log(SL_LOG_WARN, "build", "no stack for looking at the cache");
    atomic_store_explicit(&ref->demand->slots[kernel].looked, true, memory_order_release);
}

static bool has_code(const struct sl_demand *demand, uint32_t kernel)
{
    return atomic_load_explicit(&demand->slots[kernel].code, memory_order_acquire);
}

static bool all_cost_less_locked(const struct sl_demand *demand)
{
    return demand->made <= demand->kernel_count / PART_AGAIN ||
           demand->least_ns < (uint64_t)BY_ITSELF_NS * demand->kernel_count / demand->made;
}

enum task { TASK_AGAIN, TASK_LOOK, TASK_ALL, TASK_ONE };

/* Waits until something has changed, or it is the caller's turn to make it. Who wants one kernel
 * does not wait for who makes all of them. */
static enum task await_task_locked(struct sl_demand *demand, uint32_t kernel, bool look_only)
{
    bool busy = demand->slots[kernel].busy;
    while (!has_code(demand, kernel) && demand->slots[kernel].busy)
        pthread_cond_wait(&demand->change, &demand->lock);
    if (has_code(demand, kernel) || busy)
        return TASK_AGAIN;
    bool many =
        demand->made >= FEWEST_BY_ITSELF && demand->made >= demand->kernel_count / PART_BY_ITSELF;
    bool hinted = demand->expects_all && (demand->made >= FEWEST_OF_ALL || !demand->any_quick);
    bool all = (hinted || many) && !look_only && !demand->whole_busy && !demand->whole_failed &&
               all_cost_less_locked(demand);
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

static struct slot *slot_of(const struct sl_kernel_device *on)
{
    return &on->code->demand->slots[on->index];
}

/* Measured, once it has run. */
static uint64_t estimate_ns(const struct sl_kernel_device *on, uint64_t items)
{
    const struct sl_device_ops *ops = on->code->device->ops;
    uint32_t cost_ps = ops->kernel_cost ? ops->kernel_cost(on->code->code, on->index) : 0;
    uint64_t estimate = (uint64_t)on->info->work * INSTRUCTION_PS, ps;
    uint64_t item = !cost_ps ? estimate : cost_ps < 2 * estimate ? cost_ps : 2 * estimate;
    return __builtin_mul_overflow(items, item, &ps) ? UINT64_MAX / 1000 : ps / 1000;
}

static bool fits_in_memory(const struct sl_kernel_info *info, uint64_t items)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(items, info->context_per_item, &bytes) &&
           !__builtin_add_overflow(bytes, info->context_fixed, &bytes) && bytes <= MOST_CONTEXT;
}

static bool quick_code_suffices(const struct sl_kernel_device *on, uint64_t items)
{
    const struct slot *slot = slot_of(on);
    if (!has_quick_code(on))
        return false;
    unsigned failures = atomic_load_explicit(&slot->failures, memory_order_relaxed);
    uint64_t most = (uint64_t)MOST_QUICK
                    << 2 * (failures < MOST_FAILURES ? failures : MOST_FAILURES);
    uint64_t ns = estimate_ns(on, items);
    return fits_in_memory(on->info, items) && ns <= most &&
           atomic_load_explicit(&slot->quick_ns, memory_order_relaxed) <= most - ns;
}

static void take(const struct sl_kernel_device *on, struct sl_code_ref *code,
                 struct sl_kernel_device *picked)
{
    picked->code = code;
    if (code != atomic_load_explicit(&on->code->demand->whole, memory_order_acquire))
        picked->index = 0;
    picked->info = &code->info->kernels[picked->index];
}

bool sl_demand_pick(const struct sl_kernel_device *on, uint64_t items,
                    struct sl_kernel_device *picked)
{
    struct sl_demand *demand = on->code->demand;
    *picked = *on;
    if (!demand || (demand->always_quick && has_quick_code(on)))
        return true;
    struct sl_code_ref *code = atomic_load_explicit(&slot_of(on)->code, memory_order_acquire);
    if (code)
        take(on, code, picked);
    return code || (atomic_load_explicit(&slot_of(on)->looked, memory_order_acquire) &&
                    quick_code_suffices(on, items));
}

void sl_demand_launched(const struct sl_kernel_device *picked, uint64_t items)
{
    if (picked->code->demand)
        atomic_fetch_add_explicit(&slot_of(picked)->quick_ns,
                                  estimate_ns(picked, items) + LAUNCH_NS, memory_order_relaxed);
}

/* What the caller has to do. */
static cl_int do_task(const struct sl_kernel_device *on, enum task task, cl_context context)
{
    struct sl_demand *demand = on->code->demand;
    cl_int rc = CL_SUCCESS;
    bool all = task == TASK_ALL;
    if (task == TASK_LOOK)
        look(on->code, on->index);
    else
        rc = make(on->code, on->index, all, context);
    if (rc && all && whole_failed(demand)) {
        all = false;
        rc = make(on->code, on->index, all, context);
    }
    if (rc)
        atomic_fetch_add_explicit(&slot_of(on)->failures, 1, memory_order_relaxed);
    end_task(demand, on->index, all);
    return rc;
}

static cl_int make_and_pick(const struct sl_kernel_device *on, uint64_t items, cl_context context,
                            struct sl_kernel_device *picked)
{
    struct sl_demand *demand = on->code->demand;
    cl_int rc = CL_SUCCESS;
    while (!rc && !sl_demand_pick(on, items, picked)) {
        bool looked = atomic_load_explicit(&slot_of(on)->looked, memory_order_relaxed);
        bool look_only = !looked && quick_code_suffices(on, items);
        pthread_mutex_lock(&demand->lock);
        enum task task = await_task_locked(demand, on->index, look_only);
        pthread_mutex_unlock(&demand->lock);
        if (task != TASK_AGAIN)
            rc = do_task(on, task, context);
    }
    return rc;
}

cl_int sl_demand_get(const struct sl_kernel_device *on, uint64_t items, cl_context context,
                     struct sl_kernel_device *picked)
{
    cl_int rc = sl_forked() ? CL_OUT_OF_RESOURCES : make_and_pick(on, items, context, picked);
    if (!rc)
        return CL_SUCCESS;
    *picked = *on;
    if (has_quick_code(on)) /* better slowly than not at all */
        return CL_SUCCESS;
    return sl_forked() ? refuse_child() : rc;
}

void sl_demand_expect_all(struct sl_code_ref *ref)
{
    if (!ref->demand || sl_forked())
        return;
    pthread_mutex_lock(&ref->demand->lock);
    ref->demand->expects_all = true;
    pthread_mutex_unlock(&ref->demand->lock);
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
        rc = make(ref, 0, true, context);
        end_task(demand, demand->kernel_count, true);
    }
    return rc ? rc : copy_container(demand, container, bytes); /* it stays as it is */
}
