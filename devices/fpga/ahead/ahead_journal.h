/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel has noted, of loops that run ahead of its clock (kernels/pipes/journal.h), and what
 * the clock makes of it. Words, one behind the other:
 *
 *     an event of the compiler's table       its number, then what marks say that vary
 *     a packet that the runtime has moved    SINGLE, ring, site
 *     rounds of a batch                      ROUNDS | which of the kinds, how many; the compiler's
 *                                            are the first ones
 *
 * All of the thread that runs the cluster.
 */
#ifndef SL_FPGA_AHEAD_JOURNAL_H
#define SL_FPGA_AHEAD_JOURNAL_H

#include "fpga/ahead/ahead_data.h"

/* False: there is no room, or it notes nothing. */
bool sl_journal_add_move(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *);
bool sl_journal_add_rounds(struct sl_fiber *, const struct sl_pipe_rounds *, uint64_t rounds);

/* The clock goes on with it, nothing being left of what it did before, as far as all is known: what
 * is not known, a packet or rounds, becomes that. `one`: not even what is known. Rounds: with how
 * many the caller has to begin, *what and the result; else 0. */
uint64_t sl_journal_go(struct sl_profile *, struct sl_fiber *, bool one,
                       const struct sl_pipe_rounds **what);

/* Of a run that will never go on: visits all packets that are left in it, in their order. */
void sl_journal_each(struct sl_fiber *, const uint64_t *from, const uint64_t *end,
                     void (*visit)(void *, struct sl_pipe_ring *, const struct sl_pipe_site *),
                     void *);
/* Its memory turned out to be others', or its own again. */
void sl_journal_set_shared(struct sl_fiber *, bool shared);
void sl_journal_free(struct ahead *);

#endif
