/* SPDX-License-Identifier: Apache-2.0 */
/* Which values of a function are needed at the start of each block. */
#ifndef SL_KERNELS_IR_LIVENESS_H
#define SL_KERNELS_IR_LIVENESS_H

#include "ir/control_flow/cfg.h"
#include "ir/memory.h"

struct sl_liveness {
    struct sl_list values; /* instructions used outside their block, or by a phi */
    struct sl_map numbers; /* value -> index + 1 */
    size_t words;          /* per row */
    uint64_t *live_in;     /* owned; a row per block */
};

void sl_liveness_init(struct sl_liveness *, const struct sl_cfg *);
void sl_liveness_finish(struct sl_liveness *);

static inline const uint64_t *sl_live_in(const struct sl_liveness *live, uint32_t block)
{
    return live->live_in + block * live->words;
}

#endif
