/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fake device's pipes: plain rings. Tests play the kernel's end with fake_kernel_read() and
 * fake_kernel_write(), which also let waiting host transfers go on.
 */
#ifndef SL_UNIT_FAKE_PIPE_H
#define SL_UNIT_FAKE_PIPE_H

#include <stdatomic.h>

#include "sluice/device.h"

extern atomic_int fake_pipes;          /* alive */
extern atomic_int fake_pipe_waiting;   /* transfers that wait in the device */
extern atomic_int fake_waits;          /* sum of host_waits */
extern struct sl_pipe *fake_last_pipe; /* made by pipe_create */

int fake_pipe_create(struct sl_device *, const struct sl_pipe_desc *, struct sl_pipe **);
void fake_pipe_destroy(struct sl_pipe *);
struct sl_pipe_ring *fake_pipe_ring(struct sl_pipe *);
int fake_pipe_read(struct sl_pipe *, void *packet);
int fake_pipe_write(struct sl_pipe *, const void *packet);
void *fake_pipe_map(struct sl_pipe *, bool write, size_t want_bytes, size_t *got_bytes);
void fake_pipe_unmap(struct sl_pipe *, bool write, size_t bytes);
void fake_host_waits(struct sl_device *, int change);
/* SL_WORK_PIPE: done now, or when the kernel's end moves. */
void fake_pipe_work(struct sl_work *);

/* The kernel's end: false when the pipe is empty or full. */
bool fake_kernel_read(struct sl_pipe *, void *packet);
bool fake_kernel_write(struct sl_pipe *, const void *packet);
/* Ends the waiting transfers with an error, as a device does that gives up. */
void fake_pipe_give_up(int status);

#endif
