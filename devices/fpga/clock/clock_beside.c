/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: a table with open addresses, of which only rows of this turn count. */
#include "fpga/clock/clock_beside.h"

#include <stdlib.h>

void sl_clock_beside_begin(struct sl_clock_beside *b, bool others)
{
    b->item++;
    if (!others)
        return;
    b->turn++;
    b->count = 0;
}

static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
    return key ^ key >> 29;
}

/* The row of this key, or the empty one where it is to be. */
static struct sl_clock_way *find(struct sl_clock_way *ways, uint64_t room, uint64_t turn,
                                 uint64_t key)
{
    uint64_t at = mix(key) & (room - 1);
    while (ways[at].turn == turn && ways[at].key != key)
        at = (at + 1) & (room - 1);
    return &ways[at];
}

static bool grow(struct sl_clock_beside *b)
{
    enum { LEAST = 64 };
    if (b->count < b->room / 2)
        return true;
    const uint64_t room = b->room ? 2 * b->room : LEAST;
    struct sl_clock_way *ways = calloc(room, sizeof *ways);
    if (!ways)
        return false;
    for (uint64_t i = 0; i < b->room; i++)
        if (b->ways[i].turn == b->turn)
            *find(ways, room, b->turn, b->ways[i].key) = b->ways[i];
    free(b->ways);
    b->ways = ways;
    b->room = room;
    return true;
}

/* A way that an item goes twice, round a loop that nobody tells of, is another one then. */
bool sl_clock_beside_leave(struct sl_clock_beside *b, uint64_t key, uint64_t iterations,
                           uint64_t *had)
{
    if (!grow(b))
        return false;
    struct sl_clock_way *way = find(b->ways, b->room, b->turn, key);
    while (way->turn == b->turn && way->item == b->item)
        way = find(b->ways, b->room, b->turn, key = mix(key + 1));
    const bool is_new = way->turn != b->turn;
    *had = is_new ? UINT64_MAX : way->iterations;
    if (is_new || iterations > way->iterations)
        way->iterations = iterations;
    b->count += is_new;
    way->key = key;
    way->turn = b->turn;
    way->item = b->item;
    return true;
}

void sl_clock_beside_finish(struct sl_clock_beside *b)
{
    free(b->ways);
}
