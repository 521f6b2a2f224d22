/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a recorded command came to be: what a command buffer keeps of each clCommand*KHR so that the
 * same command can be recorded for another queue, with all checks (clRemapCommandBufferKHR). It
 * does not change; any thread.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_RECIPE_H
#define SL_DRIVER_COMMANDS_RECORDING_RECIPE_H

#include <CL/cl.h>
#include <stdbool.h>

#include "commands/enqueue/commands.h"

/* A range as the application named it; what it did not name is 0. */
struct sl_named_range {
    cl_uint dim;
    bool has_global, has_local;
    size_t offset[3], global[3], local[3];
};
/* The checked range of a launch, and back; the second borrows from the first. */
void sl_named_range_set(struct sl_named_range *, cl_uint dim, const size_t *offset,
                        const size_t *global, const size_t *local);
struct sl_range sl_named_range_of(const struct sl_named_range *);

struct sl_recipe {
    cl_int (*record)(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
    bool barrier;
    cl_mem src, dst; /* held by the recorded command */
    bool to_buffer;  /* src is an image, and dst a buffer; else the other way */
    const void *from;
    void *to;
    size_t src_at[3], dst_at[3], region[3]; /* bytes, or elements of images */
    size_t pitches[4];                      /* of src, then of dst */
    size_t pattern_bytes;
    _Alignas(16) unsigned char pattern[128]; /* also the colour of an image */
    cl_kernel kernel;                        /* owned, with its arguments of then; or NULL */
    struct sl_named_range range;
    bool allows_unset;
};

/* What `record` may be. A barrier's edges are not its matter. */
cl_int sl_recipe_barrier(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_copy_buffer(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_copy_rect(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_fill_buffer(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_copy_image(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_image_buffer(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_fill_image(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_copy_svm(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_fill_svm(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);
cl_int sl_recipe_launch(const struct sl_recipe *, cl_command_queue, const struct sl_tail *);

/* A copy with a kernel of its own; NULL when memory is out. */
struct sl_recipe *sl_recipe_copy(const struct sl_recipe *) __attribute__((warn_unused_result));
void sl_recipe_free(struct sl_recipe *); /* NULL is a no-op */

#endif
