/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills as commands: what buffers and shared memory have in common. */
#ifndef SL_DRIVER_COMMANDS_TRANSFER_H
#define SL_DRIVER_COMMANDS_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/object/interval.h"
#include "base/object/object.h"
#include "commands/enqueue/tail.h"
#include "sluice/device.h"

struct sl_code_ref; /* program.h */

/* One row of `size` bytes; the places are the caller's. */
void sl_copy_linear(struct sl_copy *, size_t size);
void sl_fill_linear(struct sl_fill *, const void *pattern, size_t pattern_bytes, size_t size);
/* The rules of the fill commands; `offset` may be an address. CL_INVALID_VALUE. */
cl_int sl_check_pattern(const void *pattern, size_t bytes, size_t offset, size_t size);

/*
 * A checked copy or fill as a command that keeps the objects (NULL: none). Zero bytes, and memory
 * onto itself, are commands without work. Who makes the command ready does small copies himself.
 */
cl_int sl_enqueue_copy(cl_command_queue, cl_command_type, const struct sl_copy *, cl_mem, cl_mem,
                       const struct sl_tail *);
cl_int sl_enqueue_fill(cl_command_queue, cl_command_type, const struct sl_fill *, cl_mem,
                       const struct sl_tail *);
/* What a recorded command of SL_HOW_HOST does, on the calling thread. */
void sl_copy_on_host(const struct sl_copy *);
/* Copies without a command, by address, if nobody could tell the difference; false: it did not. */
bool sl_copy_at_once(cl_command_queue, void *dst, const void *src, size_t size, cl_mem, cl_mem,
                     const struct sl_tail *);

/* Commands on a queue that was checked; all else they check themselves. Memory is named by its
 * address in the process. A point has no work: what it does is done by the order of the graph. */
cl_int sl_enqueue_copy_at(cl_command_queue, cl_command_type, void *dst, const void *src,
                          size_t size, const struct sl_tail *);
cl_int sl_enqueue_fill_at(cl_command_queue, cl_command_type, void *at, const void *pattern,
                          size_t pattern_bytes, size_t size, const struct sl_tail *);
/* `dst` or `src` lies in loaded code, which the command keeps (NULL: neither does). */
cl_int sl_enqueue_copy_of_code(cl_command_queue, cl_command_type, void *dst, const void *src,
                               size_t size, struct sl_code_ref *, const struct sl_tail *);
cl_int sl_enqueue_point(cl_command_queue, cl_command_type, const struct sl_tail *);

/* The command, which has not ended, is a copy or a fill of memory in that range of addresses. */
bool sl_transfer_touches(const struct _cl_event *, const struct sl_interval *);

#endif
