/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "sluice/base/delays.h"

#include <stdlib.h>
#include <string.h>

/* Of the first entry behind that cycle; from the end, where those that are asked for are. */
static uint32_t behind(const struct sl_delays *t, uint64_t nominal)
{
    uint32_t at = t->first + t->count;
    while (at > t->first && t->later[at - 1].nominal > nominal)
        at--;
    return at;
}

uint64_t sl_delays_look(const struct sl_delays *t, uint64_t nominal)
{
    uint32_t at = behind(t, nominal);
    return at > t->first ? t->later[at - 1].delay : t->base;
}

static bool make_room(struct sl_delays *t)
{
    if (t->first + t->count < t->room)
        return true;
    if (t->first > t->room / 2) {
        memmove(t->later, t->later + t->first, t->count * sizeof *t->later);
        t->first = 0;
        return true;
    }
    uint32_t more = t->room ? 2 * t->room : 16;
    struct sl_delay *grown = realloc(t->later, more * sizeof *grown);
    if (!grown)
        return false;
    t->later = grown;
    t->room = more;
    return true;
}

bool sl_delays_insert(struct sl_delays *t, uint64_t nominal, uint64_t delay)
{
    if (!make_room(t))
        return false;
    uint32_t at = behind(t, nominal), end = t->first + t->count, past = at;
    while (past < end && t->later[past].delay <= delay)
        past++;
    if (at > t->first && t->later[at - 1].nominal == nominal)
        at--;
    memmove(t->later + at + 1, t->later + past, (end - past) * sizeof *t->later);
    t->later[at] = (struct sl_delay){nominal, delay};
    t->count = at + 1 + (end - past) - t->first;
    return true;
}

void sl_delays_finish(struct sl_delays *t)
{
    free(t->later);
    *t = (struct sl_delays){0};
}

void sl_delays_clear(struct sl_delays *t)
{
    t->base = 0;
    t->first = t->count = 0;
}
