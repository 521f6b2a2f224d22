/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this thread starts or ends commands, or answers a device. Meanwhile it must not wait for
 * a device or join its threads, and no code of the application's may run on it: what needs that is
 * left to the callback thread. Each thread knows it of itself; no lock.
 */
#ifndef SL_DRIVER_BASE_GRAPH_WALK_H
#define SL_DRIVER_BASE_GRAPH_WALK_H

#include <stdbool.h>

/* Pairs nest. */
void sl_graph_walk_begin(void);
void sl_graph_walk_end(void);
bool sl_inside_graph(void);

#endif
