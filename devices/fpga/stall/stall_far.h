/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that wait for those of other hosts, at I/O pipes that libraries serve (stream/engine.h).
 * Whoever has an end of such a pipe tells the other end, at each look, where its kernel waits, and
 * what it has heard at that place: so words go round, from each that waits to those that wait for
 * it. A word that comes back with the mark of the wait that is still on closes a cycle. It is no
 * guess: where a kernel reads, the word has how much was written, which it must have read; so each
 * word that is passed on is true as long as the one before is, and the last one is one's own.
 */
#ifndef SL_FPGA_STALL_FAR_H
#define SL_FPGA_STALL_FAR_H

#include "fpga/stall/stall.h"

/* The row waits at such a pipe. */
bool sl_far_waits(const struct sl_stall_row *);
/* Tells at all ends of the row's kernel that it waits, in the end, as the row `at` does (NULL: it
 * does not). */
void sl_far_tell(const struct sl_stall_row *, const struct sl_stall_row *at);
/* As sl_shm_find_cycle(). */
uint32_t sl_far_find_cycle(const struct sl_stall_row *, struct sl_shm_hop *hops, uint32_t most);

#endif
