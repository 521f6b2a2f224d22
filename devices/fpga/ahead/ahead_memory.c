/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels have memory for themselves: what they read and write may happen ahead of their
 * clock. That is known when all kernels that pipes join have been launched, keep to what their
 * arguments point to, and no two have the same memory there, unless both only read it. Memory
 * objects and shared memory of this device are apart from each other and from all else; of other
 * memory - the application's, imported, somewhere in the process - it is not known what is apart,
 * so they may only read it. Of many it is not asked.
 */
#include "common/memory/memory.h"

#include "fpga/ahead/ahead_journal.h"
#include "fpga/cluster/design_data.h"
#include "fpga/profile/profile_data.h"
#include "sluice/unshared.h"

enum { MOST_USERS = 64 };

static bool is_memory(const struct sl_arg_info *arg)
{
    return arg->kind == SL_ARG_GLOBAL || arg->kind == SL_ARG_CONSTANT || arg->kind == SL_ARG_IMAGE;
}

static bool has_memory(const struct sl_kernel_info *kernel)
{
    bool any = false;
    for (uint32_t i = 0; i < kernel->arg_count && !any; i++)
        any = is_memory(&kernel->args[i]);
    return any;
}

/* NULL: other memory, or none. */
static const struct sl_memory *object_of(const struct sl_launch_args *launch, uint32_t arg)
{
    const struct sl_memory *found = NULL;
    for (uint32_t i = 0; i < launch->memory_count && !found; i++)
        if (launch->memories[i].arg_index == arg &&
            sl_host_memory_is_own(launch->memories[i].memory))
            found = launch->memories[i].memory;
    return found;
}

static bool may_write(const struct sl_arg_info *arg)
{
    return arg->kind == SL_ARG_IMAGE ? arg->access != SL_ACCESS_READ_ONLY
                                     : !(arg->qualifiers & SL_ARG_ONLY_READ);
}

/* All that it can get at is known, or only read. */
static bool is_known(const struct sl_fiber *fiber)
{
    bool known = true;
    for (uint32_t i = 0; i < fiber->kernel->arg_count && known; i++) {
        const struct sl_arg_info *arg = &fiber->kernel->args[i];
        if (is_memory(arg))
            known = fiber->work && (object_of(&fiber->work->u.kernel, i) || !may_write(arg));
    }
    return known;
}

/* The same memory, which one of them may write. */
static bool meet_in(const struct sl_fiber *a, uint32_t of_a, const struct sl_fiber *b,
                    uint32_t of_b)
{
    const struct sl_arg_info *arg_a = &a->kernel->args[of_a], *arg_b = &b->kernel->args[of_b];
    return is_memory(arg_a) && is_memory(arg_b) && (may_write(arg_a) || may_write(arg_b)) &&
           object_of(&a->work->u.kernel, of_a) == object_of(&b->work->u.kernel, of_b);
}

static bool meet(const struct sl_fiber *a, const struct sl_fiber *b)
{
    bool same = false;
    for (uint32_t i = 0; i < a->kernel->arg_count && !same; i++)
        for (uint32_t k = 0; k < b->kernel->arg_count && !same; k++)
            same = meet_in(a, i, b, k);
    return same;
}

static bool is_shared(const struct sl_ahead_group *group, const struct sl_fiber *fiber)
{
    bool shared = false;
    for (struct sl_fiber *at = group->live; at && fiber->work && !shared;
         at = ahead_of(at)->next_live)
        shared = at != fiber && at->work && meet(fiber, at);
    return shared;
}

static bool all_keep_to_arguments(const struct sl_profile *profile,
                                  const struct sl_ahead_group *group)
{
    const struct sl_module_info *info = profile->design->info;
    bool keep = true;
    for (uint32_t i = 0; i < info->kernel_count && keep; i++)
        keep = profile->kernels[i].group != group ||
               info->kernels[i].flags & SL_KERNEL_KEEPS_TO_ARGUMENTS;
    return keep;
}

static bool all_are_known(const struct sl_profile *profile, const struct sl_ahead_group *group)
{
    const struct sl_module_info *info = profile->design->info;
    bool known = all_keep_to_arguments(profile, group);
    uint32_t users = 0;
    for (uint32_t i = 0; i < info->kernel_count && known; i++) {
        if (profile->kernels[i].group != group || !has_memory(&info->kernels[i]))
            continue;
        known = ++users <= MOST_USERS &&
                atomic_load_explicit(&profile->kernels[i].launches, memory_order_relaxed);
    }
    for (struct sl_fiber *at = group->live; at && known; at = ahead_of(at)->next_live)
        known = is_known(at);
    return known;
}

/* Kernels at both ends, and other threads, may be reading others of them. */
static void set_flag(struct sl_pipe_ring *ring, uint32_t flag, bool on)
{
    if (on)
        __atomic_fetch_or(&ring->flags, flag, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&ring->flags, ~flag, __ATOMIC_RELAXED);
}

static void set_ends(const struct sl_module_info *info, int32_t kernel, bool unshared)
{
    for (uint32_t i = 0; i < info->pipe_count; i++)
        for (unsigned op = 0; op < 2; op++) {
            const uint32_t flag = (uint32_t)SL_PIPE_UNSHARED << op;
            struct sl_pipe_ring *ring = info->pipes[i].ring;
            if ((op == SL_PIPE_READ ? info->pipes[i].reader : info->pipes[i].writer) == kernel)
                set_flag(ring, flag, unshared);
        }
}

static void set_kernel(const struct sl_profile *profile, const struct sl_ahead_group *group,
                       const struct sl_kernel_info *kernel, bool known)
{
    bool unshared = known;
    for (struct sl_fiber *at = group->live; at && unshared; at = ahead_of(at)->next_live)
        unshared = at->kernel != kernel || !is_shared(group, at);
    for (struct sl_fiber *at = group->live; at; at = ahead_of(at)->next_live)
        if (at->kernel == kernel)
            sl_journal_set_shared(at, !unshared);
    set_ends(profile->design->info, (int32_t)(kernel - profile->design->info->kernels), unshared);
}

void sl_ahead_look_at_memory(const struct sl_profile *profile, struct sl_ahead_group *group)
{
    const struct sl_module_info *info = profile->design->info;
    const bool known = all_are_known(profile, group);
    if (!known && !group->unshared)
        return;
    group->unshared = known;
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (profile->kernels[i].group == group && has_memory(&info->kernels[i]))
            set_kernel(profile, group, &info->kernels[i], known);
}
