/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands that go to queues and to command buffers alike: everything behind the queue is
 * checked, with the errors of the clEnqueue* call of that name, which is this with a tail that has
 * no recording. Any thread; no lock is held.
 */
#ifndef SL_DRIVER_COMMANDS_COMMANDS_H
#define SL_DRIVER_COMMANDS_COMMANDS_H

#include <CL/cl.h>

#include "commands/enqueue/tail.h"

cl_int sl_copy_buffer(cl_command_queue, cl_mem src, cl_mem dst, size_t src_offset,
                      size_t dst_offset, size_t size, const struct sl_tail *);
cl_int sl_copy_buffer_rect(cl_command_queue, cl_mem src, cl_mem dst, const size_t *src_origin,
                           const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
                           size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
                           const struct sl_tail *);
cl_int sl_fill_buffer(cl_command_queue, cl_mem, const void *pattern, size_t pattern_size,
                      size_t offset, size_t size, const struct sl_tail *);
cl_int sl_copy_image(cl_command_queue, cl_mem src, cl_mem dst, const size_t *src_origin,
                     const size_t *dst_origin, const size_t *region, const struct sl_tail *);
/* From the image to the buffer, or the other way. */
cl_int sl_copy_image_buffer(cl_command_queue, bool to_buffer, cl_mem image, cl_mem buffer,
                            const size_t *origin, const size_t *region, size_t offset,
                            const struct sl_tail *);
cl_int sl_fill_image(cl_command_queue, cl_mem, const void *color, const size_t *origin,
                     const size_t *region, const struct sl_tail *);
cl_int sl_copy_svm(cl_command_queue, void *dst, const void *src, size_t size,
                   const struct sl_tail *);
cl_int sl_fill_svm(cl_command_queue, void *at, const void *pattern, size_t pattern_size,
                   size_t size, const struct sl_tail *);

/* As the application named it; each is an array of `dim` or NULL. */
struct sl_range {
    cl_uint dim;
    const size_t *offset, *global, *local;
};
/* A recording that allows it (record.h) gets no command while arguments are not set. */
cl_int sl_launch(cl_command_queue, cl_kernel, const struct sl_range *, const struct sl_tail *);

#endif
