/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "commands/enqueue/args_apart.h"

#include "memory/buffer.h"
#include "memory/svm_allocation.h"
#include "sluice/module.h"

static bool is_external(cl_mem mem)
{
    while (mem && mem->parent)
        mem = mem->parent;
    return mem && sl_is_external(mem);
}

void sl_extents_put(struct sl_extents *extents, uint32_t argument, cl_mem mem, const void *address)
{
    if (argument >= SL_EXTENTS)
        return;
    uintptr_t start = (uintptr_t)(mem ? mem->host : address);
    extents->of[argument] = (struct sl_extent){.start = start,
                                               .end = start + (mem ? mem->size : 0),
                                               .inside = !mem && address,
                                               .external = is_external(mem)};
}

/* False: it may be anything. */
static bool resolve(struct sl_extent *extent, cl_context context)
{
    struct sl_allocation found;
    if (!extent->inside)
        return true;
    if (!sl_allocation_find(context, (const void *)extent->start, &found))
        return false;
    *extent =
        (struct sl_extent){.start = found.range.start, .end = found.range.start + found.range.size};
    return true;
}

static bool overlap(const struct sl_extent *a, const struct sl_extent *b)
{
    return (a->start < b->end && b->start < a->end) || (a->external && b->external);
}

static bool is_pointer(const struct sl_arg_info *arg)
{
    return arg->kind == SL_ARG_GLOBAL || arg->kind == SL_ARG_CONSTANT;
}

bool sl_extents_apart(struct sl_extents *extents, cl_context context,
                      const struct sl_kernel_info *info)
{
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (is_pointer(&info->args[i]) && (i >= SL_EXTENTS || !resolve(&extents->of[i], context)))
            return false;
    uint32_t count = info->arg_count < SL_EXTENTS ? info->arg_count : SL_EXTENTS;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; info->apart >> i & 1 && j < count; j++)
            if (i != j && overlap(&extents->of[i], &extents->of[j]))
                return false;
    return true;
}
