/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers and their memory; pool->lock guards the lists of unused ones. */
#include "fpga/cluster/fiber.h"

#include <string.h>

#include "common/base/values.h"
#include "common/kernel/ndrange.h"

enum { SMALLEST = 128 << 10, LARGE_CLASS = 6 /* stacks of 8 MiB */ };

void sl_fiber_pool_init(struct sl_fiber_pool *pool, void (*run)(void *fiber))
{
    memset(pool, 0, sizeof *pool);
    pool->run = run;
    pthread_mutex_init(&pool->lock, NULL);
}

static void destroy(struct sl_fiber *fiber)
{
    sl_arena_finish(&fiber->arena);
    sl_stack_unmap(&fiber->stack);
}

static bool is_large(const struct sl_fiber *fiber)
{
    return fiber->class >= LARGE_CLASS || sl_arena_is_large(&fiber->arena);
}

/* Unused fibers, all or those with much memory, for the caller to destroy. */
static struct sl_fiber *detach(struct sl_fiber_pool *pool, bool all)
{
    struct sl_fiber *out = NULL;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < SL_FIBER_CLASSES; i++) {
        for (struct sl_fiber **at = &pool->unused[i], *fiber; (fiber = *at);) {
            if (!all && !is_large(fiber)) {
                at = &fiber->next;
                continue;
            }
            *at = fiber->next;
            fiber->next = out;
            out = fiber;
        }
    }
    pool->large = 0;
    pthread_mutex_unlock(&pool->lock);
    return out;
}

static void destroy_all(struct sl_fiber *fiber)
{
    while (fiber) {
        struct sl_fiber *next = fiber->next;
        destroy(fiber);
        fiber = next;
    }
}

void sl_fiber_pool_trim(struct sl_fiber_pool *pool)
{
    destroy_all(detach(pool, true));
}

bool sl_fiber_pool_rest(struct sl_fiber_pool *pool, bool now)
{
    pthread_mutex_lock(&pool->lock);
    bool any = pool->large;
    pthread_mutex_unlock(&pool->lock);
    if (any && now)
        destroy_all(detach(pool, false));
    return any;
}

void sl_fiber_pool_finish(struct sl_fiber_pool *pool)
{
    sl_fiber_pool_trim(pool);
    pthread_mutex_destroy(&pool->lock);
}

/* ---- getting one ----------------------------------------------------------------------------- */

static int create(unsigned class, uint32_t serial, struct sl_fiber **out)
{
    struct sl_stack stack;
    int rc = sl_stack_map(&stack, (size_t)SMALLEST << class, serial);
    if (rc)
        return rc;
    size_t bytes = (sizeof(struct sl_fiber) + 63) / 64 * 64;
    struct sl_fiber *fiber = (struct sl_fiber *)((char *)stack.top - bytes);
    memset(fiber, 0, sizeof *fiber);
    fiber->stack = stack;
    fiber->class = class;
    *out = fiber;
    return 0;
}

static int take(struct sl_fiber_pool *pool, size_t stack_bytes, struct sl_fiber **out)
{
    unsigned class = 0;
    while (class < SL_FIBER_CLASSES && stack_bytes > (size_t)SMALLEST << class)
        class++;
    if (class == SL_FIBER_CLASSES)
        return SL_OUT_OF_RESOURCES;
    pthread_mutex_lock(&pool->lock);
    struct sl_fiber *fiber = pool->unused[class];
    if (fiber)
        pool->unused[class] = fiber->next;
    if (fiber && is_large(fiber))
        pool->large--;
    uint32_t serial = fiber ? 0 : pool->serial++;
    pthread_mutex_unlock(&pool->lock);
    if (!fiber)
        return create(class, serial, out);
    *out = fiber;
    return 0;
}

void sl_fiber_put(struct sl_fiber_pool *pool, struct sl_fiber *fiber)
{
    sl_context_finish(&fiber->context);
    pthread_mutex_lock(&pool->lock);
    fiber->next = pool->unused[fiber->class];
    pool->unused[fiber->class] = fiber;
    if (is_large(fiber))
        pool->large++;
    pthread_mutex_unlock(&pool->lock);
}

static int make_room(struct sl_fiber *fiber, const struct sl_launch_args *args)
{
    const struct sl_kernel_info *kernel = fiber->code;
    size_t context;
    if (__builtin_mul_overflow(sl_ndrange_group_items(&fiber->launch), kernel->context_per_item,
                               &context) ||
        __builtin_add_overflow(context, kernel->context_fixed, &context))
        return SL_OUT_OF_RESOURCES;
    fiber->arena.clear_bytes = args->clear_local ? args->local_bytes : 0;
    return sl_arena_reserve(&fiber->arena, args->local_bytes, context);
}

static void prepare(struct sl_fiber *fiber, void (*run)(void *fiber))
{
    fiber->failures = 0;
    fiber->failed = fiber->watches = fiber->doomed = false;
    fiber->design = NULL;
    fiber->work = NULL;
    fiber->ahead = NULL;
    fiber->work_queue = NULL;
    fiber->ring = fiber->polled = NULL;
    fiber->site = NULL;
    fiber->progress = fiber->asks = fiber->settled = fiber->stalled_since = 0;
    fiber->stalled_at = NULL;
    fiber->stall_counted = false;
    fiber->status = 0;
    memset(&fiber->seen, 0, sizeof fiber->seen);
    fiber->launch.owner = fiber;
    sl_context_init(&fiber->context, fiber->stack.low, fiber, run, fiber);
}

static int get(struct sl_fiber_pool *pool, const struct sl_kernel_info *kernel,
               const struct sl_launch_args *args, struct sl_fiber **out)
{
    struct sl_fiber *fiber;
    int rc = take(pool, (size_t)kernel->stack_bytes + SL_FIBER_SPARE_STACK, &fiber);
    if (rc)
        return rc;
    fiber->kernel = fiber->code = kernel;
    fiber->args = args->args;
    if (!sl_ndrange_init(&fiber->launch, args, &fiber->groups))
        rc = SL_OUT_OF_RESOURCES;
    if (!rc)
        rc = make_room(fiber, args);
    prepare(fiber, pool->run);
    if (rc) {
        sl_fiber_put(pool, fiber);
        return rc;
    }
    *out = fiber;
    return 0;
}

/* What unused fibers keep may be what is missing. */
int sl_fiber_get(struct sl_fiber_pool *pool, const struct sl_kernel_info *kernel,
                 const struct sl_launch_args *args, struct sl_fiber **out)
{
    int rc = get(pool, kernel, args, out);
    if (!rc)
        return 0;
    sl_fiber_pool_trim(pool);
    return get(pool, kernel, args, out);
}
