/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes that all threads use at once, for devices without dataflow: the pipe_* calls of a device
 * and what compiled code calls (sl_runtime.shared_*). Nothing here waits or takes a lock.
 */
#ifndef SL_DEVICES_SHARED_PIPE_H
#define SL_DEVICES_SHARED_PIPE_H

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

int sl_shared_pipe_create(struct sl_device *, const struct sl_pipe_desc *, struct sl_pipe **);
void sl_shared_pipe_destroy(struct sl_pipe *); /* NULL is a no-op */
struct sl_pipe_ring *sl_shared_pipe_ring(struct sl_pipe *);
int sl_shared_pipe_pass(struct sl_pipe *, bool write, void *packet);

int32_t sl_shared_move(struct sl_pipe_ring *, uint32_t op, void *packet);
uint64_t sl_shared_reserve(struct sl_pipe_ring *, uint32_t op, uint32_t count);
int32_t sl_shared_move_at(struct sl_pipe_ring *, uint32_t op, uint64_t id, uint32_t index,
                          void *packet);
void sl_shared_commit(struct sl_pipe_ring *, uint32_t op, uint64_t id);
uint32_t sl_shared_fill(struct sl_pipe_ring *);

SL_END_C

#endif
