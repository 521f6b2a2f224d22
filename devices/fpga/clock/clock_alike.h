/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds as in clock_steady.h that are like those before: each operation comes as many cycles
 * behind the one before it, as far back as the loop looks. If one more round does so, and waits as
 * those did, so do all to come until what they wait for at a pipe is not in its row any more: an
 * operation's cycle is the latest of what it waits for, each of which is in a row then. Of the
 * thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_ALIKE_H
#define SL_FPGA_CLOCK_ALIKE_H

#include "fpga/clock/clock_rounds.h"

/* Of the operation that is so far back at that end, among those that are kept; 1: the last one. */
static inline uint64_t sl_clock_cycle_of(const struct sl_clock_move *move, uint64_t back)
{
    const struct sl_clock_ring *times = move->times;
    return move->own[(times->count[move->op] - back) & times->mask];
}

/* Operations from that one on that are in a row; 0: that is not known. */
uint64_t sl_clock_row_from(const struct sl_clock_ring *, unsigned op, uint64_t first,
                           uint64_t *stride);
/* So many of its operations have been in that row at least. */
bool sl_clock_is_in_row(const struct sl_clock_move *, uint64_t stride, uint64_t least);
/* How many of its operations a loop looks back at for slow moves. */
uint64_t sl_clock_looks_back(const struct sl_clock_moves *);
/* In how many of the rounds it does not matter to the move, or always as it did (`waits`), what
 * happens at the other end. */
uint64_t sl_clock_undisturbed(const struct sl_clock_move *, uint64_t stride, bool waits,
                              uint64_t rounds);
/* All rounds of late have been as this one, each `stride` cycles behind the one before, and so many
 * more are; part of a round may have been done. `waited`: cycles in each, by move. */
void sl_clock_repeat(struct sl_clock_moves *, uint64_t rounds, uint64_t stride,
                     const uint64_t *waited);
/* Between rounds, of which so many are known: those that are alike. How many were done. */
uint64_t sl_clock_go_alike(struct sl_clock_moves *, uint64_t rounds);

#endif
