/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock. */
#include "commands/recording/recipe.h"

#include <string.h>

#include "base/object/alloc.h"
#include "commands/enqueue/transfer.h"
#include "program/kernel.h"

/* ---- ranges ---------------------------------------------------------------------------------- */

void sl_named_range_set(struct sl_named_range *range, cl_uint dim, const size_t *offset,
                        const size_t *global, const size_t *local)
{
    const size_t bytes = dim * sizeof *offset;
    *range = (struct sl_named_range){.dim = dim, .has_global = global, .has_local = local};
    if (offset)
        memcpy(range->offset, offset, bytes);
    if (global)
        memcpy(range->global, global, bytes);
    if (local)
        memcpy(range->local, local, bytes);
}

struct sl_range sl_named_range_of(const struct sl_named_range *range)
{
    return (struct sl_range){range->dim, range->offset, range->has_global ? range->global : NULL,
                             range->has_local ? range->local : NULL};
}

/* ---- kinds ----------------------------------------------------------------------------------- */

cl_int sl_recipe_barrier(const struct sl_recipe *recipe, cl_command_queue queue,
                         const struct sl_tail *tail)
{
    (void)recipe;
    return sl_enqueue_point(queue, CL_COMMAND_BARRIER, tail);
}

cl_int sl_recipe_copy_buffer(const struct sl_recipe *recipe, cl_command_queue queue,
                             const struct sl_tail *tail)
{
    return sl_copy_buffer(queue, recipe->src, recipe->dst, recipe->src_at[0], recipe->dst_at[0],
                          recipe->region[0], tail);
}

cl_int sl_recipe_copy_rect(const struct sl_recipe *recipe, cl_command_queue queue,
                           const struct sl_tail *tail)
{
    return sl_copy_buffer_rect(queue, recipe->src, recipe->dst, recipe->src_at, recipe->dst_at,
                               recipe->region, recipe->pitches[0], recipe->pitches[1],
                               recipe->pitches[2], recipe->pitches[3], tail);
}

cl_int sl_recipe_fill_buffer(const struct sl_recipe *recipe, cl_command_queue queue,
                             const struct sl_tail *tail)
{
    return sl_fill_buffer(queue, recipe->dst, recipe->pattern, recipe->pattern_bytes,
                          recipe->dst_at[0], recipe->region[0], tail);
}

cl_int sl_recipe_copy_image(const struct sl_recipe *recipe, cl_command_queue queue,
                            const struct sl_tail *tail)
{
    return sl_copy_image(queue, recipe->src, recipe->dst, recipe->src_at, recipe->dst_at,
                         recipe->region, tail);
}

cl_int sl_recipe_image_buffer(const struct sl_recipe *recipe, cl_command_queue queue,
                              const struct sl_tail *tail)
{
    return recipe->to_buffer
               ? sl_copy_image_buffer(queue, true, recipe->src, recipe->dst, recipe->src_at,
                                      recipe->region, recipe->dst_at[0], tail)
               : sl_copy_image_buffer(queue, false, recipe->dst, recipe->src, recipe->dst_at,
                                      recipe->region, recipe->src_at[0], tail);
}

cl_int sl_recipe_fill_image(const struct sl_recipe *recipe, cl_command_queue queue,
                            const struct sl_tail *tail)
{
    return sl_fill_image(queue, recipe->dst, recipe->pattern, recipe->dst_at, recipe->region, tail);
}

cl_int sl_recipe_copy_svm(const struct sl_recipe *recipe, cl_command_queue queue,
                          const struct sl_tail *tail)
{
    return sl_copy_svm(queue, recipe->to, recipe->from, recipe->region[0], tail);
}

cl_int sl_recipe_fill_svm(const struct sl_recipe *recipe, cl_command_queue queue,
                          const struct sl_tail *tail)
{
    return sl_fill_svm(queue, recipe->to, recipe->pattern, recipe->pattern_bytes, recipe->region[0],
                       tail);
}

cl_int sl_recipe_launch(const struct sl_recipe *recipe, cl_command_queue queue,
                        const struct sl_tail *tail)
{
    const struct sl_range range = sl_named_range_of(&recipe->range);
    return sl_launch(queue, recipe->kernel, &range, tail);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct sl_recipe *sl_recipe_copy(const struct sl_recipe *from)
{
    struct sl_recipe *recipe = sl_memdup(from, sizeof *from);
    if (recipe && from->kernel && sl_kernel_clone(from->kernel, &recipe->kernel)) {
        sl_free(recipe);
        recipe = NULL;
    }
    return recipe;
}

void sl_recipe_free(struct sl_recipe *recipe)
{
    if (recipe)
        sl_discard(recipe->kernel);
    sl_free(recipe);
}
