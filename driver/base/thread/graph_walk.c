/* SPDX-License-Identifier: Apache-2.0 */
/* See graph_walk.h. */
#include "base/thread/graph_walk.h"

static _Thread_local unsigned depth;

void sl_graph_walk_begin(void)
{
    depth++;
}

void sl_graph_walk_end(void)
{
    depth--;
}

bool sl_inside_graph(void)
{
    return depth;
}
