/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. demand->lock guards what is not atomic; nothing is compiled, loaded or read from
 * disk under it. */
#include "program/object/demand_make.h"

#include <stdio.h>
#include <string.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "base/thread/clock.h"
#include "platform/context.h"
#include "program/object/demand_request.h"
#include "sluice/base/stack.h"

/* How a kernel turned out is its code's own affair. */
static bool same_kernel(const struct sl_kernel_info *a, const struct sl_kernel_info *b)
{
    const uint32_t own = SL_KERNEL_QUICK | SL_KERNEL_FLAT | SL_KERNEL_USES_BARRIER |
                         SL_KERNEL_ROWS_IN_STEP | SL_KERNEL_INTERCHANGED_1 |
                         SL_KERNEL_INTERCHANGED_2 | SL_KERNEL_TILES | SL_KERNEL_BOTH_FORMS |
                         SL_KERNEL_IN_STEP | SL_KERNEL_WHOLE_GROUPS | SL_KERNEL_WHOLE_SUB_GROUPS;
    return !strcmp(a->name, b->name) && a->arg_count == b->arg_count &&
           a->args_bytes == b->args_bytes && (a->flags | own) == (b->flags | own);
}

/* Both use the memory of the same pipes. */
static bool same_pipe(const struct sl_pipe_info *a, const struct sl_pipe_info *b)
{
    return !strcmp(a->name, b->name) && a->packet_bytes == b->packet_bytes &&
           a->depth == b->depth && a->flags == b->flags && a->reader == b->reader &&
           a->writer == b->writer;
}

static bool same_pipes(const struct sl_module_info *a, const struct sl_module_info *b)
{
    bool same = a->pipe_count == b->pipe_count;
    for (uint32_t p = 0; p < a->pipe_count && same; p++)
        same = same_pipe(&a->pipes[p], &b->pipes[p]);
    return same;
}

/* What was announced is what came; and it runs any launch if it is to. */
static bool fits(const struct sl_module_info *announced, uint32_t kernel,
                 const struct sl_module_info *info, bool all, enum sl_forms forms)
{
    const uint32_t one_form = SL_KERNEL_IN_STEP | SL_KERNEL_WHOLE_GROUPS;
    uint32_t first = all ? 0 : kernel;
    if (info->kernel_count != (all ? announced->kernel_count : 1))
        return false;
    for (uint32_t k = 0; k < info->kernel_count; k++)
        if (!same_kernel(&info->kernels[k], &announced->kernels[first + k]) ||
            ((all || forms == SL_FORMS_ALL) && info->kernels[k].flags & one_form))
            return false;
    return !announced->pipe_count || same_pipes(announced, info);
}

static cl_int load(struct sl_code_ref *ref, uint32_t kernel, enum sl_forms forms, bool all,
                   struct sl_order *order, struct sl_code_ref **out)
{
    const char *why = NULL;
    cl_int rc = sl_code_load_other(ref, order->container, order->bytes, out, &why);
    if (!rc && fits(ref->info, kernel, (*out)->info, all, forms))
        return CL_SUCCESS;
    if (!rc)
        sl_code_drop(*out);
    snprintf(order->why, sizeof order->why, "%s", rc ? why : "the compiler made something else");
    return rc == CL_OUT_OF_HOST_MEMORY || rc == CL_OUT_OF_RESOURCES ? rc
                                                                    : CL_INVALID_PROGRAM_EXECUTABLE;
}

static void put_one(struct sl_demand *demand, uint32_t kernel, enum sl_forms forms,
                    struct sl_code_ref *code, uint64_t made_ns)
{
    pthread_mutex_lock(&demand->lock);
    if (made_ns && (!demand->made++ || made_ns < demand->least_ns))
        demand->least_ns = made_ns;
    /* release: who reads the slot sees the code */
    atomic_store_explicit(&demand->slots[kernel].code[forms], code, memory_order_release);
    pthread_mutex_unlock(&demand->lock);
}

static void put_all(struct sl_demand *demand, struct sl_code_ref *code, struct sl_order *order)
{
    pthread_mutex_lock(&demand->lock);
    atomic_store_explicit(&demand->whole, code, memory_order_release);
    for (uint32_t k = 0; k < demand->kernel_count; k++)
        for (int f = 0; f < SL_FORMS; f++)
            if (!atomic_load_explicit(&demand->slots[k].code[f], memory_order_relaxed))
                atomic_store_explicit(&demand->slots[k].code[f], code, memory_order_release);
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
static cl_int load_or_make(struct sl_code_ref *ref, uint32_t kernel, enum sl_forms forms, bool all,
                           struct sl_order *order, struct sl_code_ref **code)
{
    cl_int rc = load(ref, kernel, forms, all, order, code);
    if (rc == CL_INVALID_PROGRAM_EXECUTABLE && !order->made) {
        sl_free(order->container);
        order->container = NULL;
        rc = sl_order_make(order);
        if (!rc)
            rc = load(ref, kernel, forms, all, order, code);
    }
    if (!rc)
        sl_order_store(order);
    return rc;
}

struct making {
    struct sl_code_ref *ref;
    uint32_t kernel;
    enum sl_forms forms; /* of one kernel */
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
    sl_order_init(&order, demand->caps, demand->rest, demand->rest_bytes, name,
                  making->forms == SL_FORMS_ALL);
    cl_int rc = sl_order_get(&order);
    if (!rc)
        rc = load_or_make(ref, kernel, making->forms, all, &order, &code);
    if (!rc) {
        uint64_t took = sl_now_ns() - start;
        sl_log(SL_LOG_DEBUG, "build", "code of %s: made in %llu us", called,
               (unsigned long long)took / 1000);
        if (all)
            put_all(demand, code, &order);
        else
            put_one(demand, kernel, making->forms, code, order.made ? took : 0);
    } else {
        tell(making->context, called, *order.why ? order.why : "out of memory");
    }
    sl_timeline_span("build", "kernel", start, sl_now_ns(), NULL);
    sl_order_finish(&order);
    making->rc = rc ? sl_refuse_known(rc, "no code of %s", called) : CL_SUCCESS;
}

cl_int sl_demand_make(struct sl_code_ref *ref, uint32_t kernel, enum sl_forms forms, bool all,
                      cl_context context)
{
    struct making making = {
        .ref = ref, .kernel = kernel, .forms = forms, .all = all, .context = context};
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
                  ref->info->kernels[kernel].name, making->forms == SL_FORMS_ALL);
    if (sl_order_find(&order) && !load(ref, kernel, making->forms, false, &order, &code))
        put_one(demand, kernel, making->forms, code, 0);
    sl_order_finish(&order);
}

/* It may have been launched before: in another process, or in another build. */
void sl_demand_look(struct sl_code_ref *ref, uint32_t kernel, enum sl_forms forms)
{
    struct making making = {.ref = ref, .kernel = kernel, .forms = forms};
    if (sl_on_stack(look_here, &making))
        sl_log(SL_LOG_WARN, "build", "no stack for looking at the cache");
    atomic_store_explicit(&ref->demand->slots[kernel].looked, true, memory_order_release);
}
