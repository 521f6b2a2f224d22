/* SPDX-License-Identifier: Apache-2.0 */
/* Dominators of random graphs against the definition: without a, nothing leads to b. One thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ir/control_flow/dominators.h"

enum { MOST = 12, GRAPHS = 4000 };

static uint32_t state = 1;

static uint32_t below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

/* Is there a way from the root to `to` that leaves out one node? */
static bool is_reached(const struct sl_graph_edge *edges, uint32_t count, uint32_t root,
                       uint32_t to, uint32_t without)
{
    bool seen[MOST] = {false};
    if (root == without)
        return false;
    seen[root] = true;
    for (uint32_t round = 0; round < MOST; round++)
        for (uint32_t e = 0; e < count; e++)
            if (seen[edges[e].from] && edges[e].to != without)
                seen[edges[e].to] = true;
    return seen[to];
}

static void dominators_are_on_every_way(void **unused)
{
    (void)unused;
    for (uint32_t g = 0; g < GRAPHS; g++) {
        struct sl_graph_edge edges[3 * MOST];
        uint32_t count = 1 + below(MOST), edge_count = below(3 * count), root = below(count);
        for (uint32_t e = 0; e < edge_count; e++)
            edges[e] = (struct sl_graph_edge){below(count), below(count)};
        struct sl_dominators found = sl_make_dominators(count, edges, edge_count, root);
        const uint32_t *idom = found.idom;
        for (uint32_t b = 0; b < count; b++) {
            bool reached = is_reached(edges, edge_count, root, b, SL_NO_NODE);
            assert_int_equal(idom[b] != SL_NO_NODE, reached);
            if (!reached)
                continue;
            for (uint32_t a = 0; a < count; a++)
                assert_int_equal(sl_dominates(&found, a, b),
                                 a == b || !is_reached(edges, edge_count, root, b, a));
            /* the nearest: all others are on every way to it, too */
            for (uint32_t a = 0; a < count && b != root; a++)
                if (a != b && sl_dominates(&found, a, b))
                    assert_true(sl_dominates(&found, a, idom[b]));
        }
        sl_free_dominators(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dominators_are_on_every_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
