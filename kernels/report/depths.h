/* SPDX-License-Identifier: Apache-2.0 */
/* The least depths of a design's pipes, by replays of a trace. No shared state. */
#ifndef SL_KERNELS_REPORT_DEPTHS_H
#define SL_KERNELS_REPORT_DEPTHS_H

#include "report/replay.h"

struct sl_depths {
    uint32_t *safe; /* owned; of each pipe: no kernel waits for ever, one less and one does */
    uint32_t *fast; /* owned; as many cycles as with pipes without end */
    uint64_t safe_cycles, fast_cycles;
    uint32_t replays; /* how many it took */
};

/*
 * `most`: depths with which the trace is known to run, at least 1; `fixed`: pipes that keep theirs.
 * 0, or -1 with the reason in *why: the trace does not run with `most`, or memory is out. To be
 * finished in any case.
 */
int sl_depths_find(struct sl_depths *, const struct sl_replay_trace *, const uint32_t *most,
                   const bool *fixed, const char **why);
void sl_depths_finish(struct sl_depths *);
/* With these depths; UINT64_MAX: it stands still, or there is no memory. */
uint64_t sl_depths_cycles(const struct sl_replay_trace *, const uint32_t *depths);

#endif
