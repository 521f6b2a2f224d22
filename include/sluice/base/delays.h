/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nominal cycles of a run and how much later they really are. A delay holds from the nominal cycle
 * on in which something waited; cycles are asked about in almost any order, but none before the
 * horizon. No shared state.
 */
#ifndef SLUICE_BASE_DELAYS_H
#define SLUICE_BASE_DELAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_delay { /* from this nominal cycle on */
    uint64_t nominal, delay;
};

struct sl_delays {
    uint64_t base;          /* the delay at the horizon */
    struct sl_delay *later; /* owned; both numbers rise */
    uint32_t first, count, room;
};

/* The usual cases are here: a clock asks at each packet. */
uint64_t sl_delays_look(const struct sl_delays *, uint64_t nominal);
bool sl_delays_insert(struct sl_delays *, uint64_t nominal, uint64_t delay);

/* Nothing before this cycle will be asked for. */
static inline void sl_delays_advance(struct sl_delays *t, uint64_t nominal)
{
    while (t->count && t->later[t->first].nominal <= nominal) {
        t->base = t->later[t->first++].delay;
        if (!--t->count)
            t->first = 0;
    }
}

static inline uint64_t sl_delays_at(const struct sl_delays *t, uint64_t nominal)
{
    if (!t->count)
        return t->base;
    const struct sl_delay *last = &t->later[t->first + t->count - 1];
    return last->nominal <= nominal ? last->delay : sl_delays_look(t, nominal);
}

/* What is in that cycle happens no earlier than with this delay. False: no memory. */
static inline bool sl_delays_hold(struct sl_delays *t, uint64_t nominal, uint64_t delay)
{
    if (sl_delays_at(t, nominal) >= delay)
        return true;
    uint32_t end = t->first + t->count;
    if (end == t->room || (t->count && t->later[end - 1].nominal >= nominal))
        return sl_delays_insert(t, nominal, delay);
    t->later[end].nominal = nominal;
    t->later[end].delay = delay;
    t->count++;
    return true;
}
void sl_delays_finish(struct sl_delays *);
/* As it was at first, but for its memory. */
void sl_delays_clear(struct sl_delays *);

SL_END_C

#endif
