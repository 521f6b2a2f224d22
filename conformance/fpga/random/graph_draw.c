/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that a seed decides. */
#include "graph.h"

uint32_t draw_below(struct graph_random *random, uint32_t limit)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = random->state;
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    return (uint32_t)((x >> 33) % limit);
}

int draw_chance(struct graph_random *random, uint32_t percent)
{
    return draw_below(random, 100) < percent;
}
