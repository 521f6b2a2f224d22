/* SPDX-License-Identifier: Apache-2.0 */
/* Linear copies and fills of host memory as commands. */
#ifndef SL_DRIVER_TRANSFER_H
#define SL_DRIVER_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"
#include "sluice/device.h"

struct sl_tail { /* what all enqueue calls have at their end */
    bool blocking;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
};

/* One row of `size` bytes; the places are the caller's. */
void sl_copy_linear(struct sl_copy *, size_t size);
void sl_fill_linear(struct sl_fill *, const void *pattern, size_t pattern_bytes, size_t size);
/* The rules of the fill commands; `offset` may be an address. CL_INVALID_VALUE. */
cl_int sl_check_pattern(const void *pattern, size_t bytes, size_t offset, size_t size);

/*
 * Submits a checked copy or fill of places in host memory. Zero bytes are a command without work.
 * Who makes the command ready does small copies himself.
 */
cl_int sl_enqueue_copy(cl_command_queue, cl_command_type, const struct sl_copy *,
                       const struct sl_tail *);
cl_int sl_enqueue_fill(cl_command_queue, cl_command_type, const struct sl_fill *,
                       const struct sl_tail *);

#endif
