/* SPDX-License-Identifier: Apache-2.0 */
/* How fast kernels of constant rates are: the maximum cycle ratio of random graphs beside the
 * ratios of all their cycles one by one, small designs, and which kernels have work-items that
 * matter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/cycle_ratio.h"
#include "timing/network.h"
#include "timing/steady.h"

enum { MOST_NODES = 7, MOST_EDGES = 20, GRAPHS = 20000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

struct all { /* cycles of a graph, found by going every way that visits no node twice */
    const struct sl_ratio_edge *edges;
    uint32_t edge_count, start;
    bool visited[MOST_NODES];
    int64_t cycles, rounds; /* the best; rounds 0: none */
    bool impossible;        /* one that goes round in no rounds, or fewer */
};

static void go(struct all *a, uint32_t node, int64_t cycles, int64_t rounds)
{
    a->visited[node] = true;
    for (uint32_t e = 0; e < a->edge_count; e++) {
        const struct sl_ratio_edge *edge = &a->edges[e];
        if (edge->from != node || edge->to < a->start)
            continue;
        int64_t c = cycles + edge->cycles, r = rounds + edge->rounds;
        if (edge->to != a->start) {
            if (!a->visited[edge->to])
                go(a, edge->to, c, r);
        } else if (r <= 0) {
            a->impossible |= c > 0;
        } else if (!a->rounds || c * a->rounds > a->cycles * r) {
            a->cycles = c;
            a->rounds = r;
        }
    }
    a->visited[node] = false;
}

static void check_critical(const struct sl_ratio_edge *edges, const struct sl_cycle_ratio *ratio)
{
    int64_t cycles = 0, rounds = 0;
    for (uint32_t i = 0; i < ratio->count; i++) {
        const struct sl_ratio_edge *edge = &edges[ratio->edges[i]];
        assert_int_equal(edge->to, edges[ratio->edges[(i + 1) % ratio->count]].from);
        cycles += edge->cycles;
        rounds += edge->rounds;
    }
    assert_int_equal((uint64_t)cycles * ratio->rounds, (uint64_t)rounds * ratio->cycles);
}

static void test_all_cycles(void **state)
{
    (void)state;
    uint64_t seed = 35;
    uint32_t found = 0;
    for (uint32_t n = 0; n < GRAPHS; n++) {
        uint32_t nodes = 1 + (uint32_t)next_random(&seed) % MOST_NODES;
        struct sl_ratio_edge edges[MOST_EDGES];
        struct all a = {.edges = edges,
                        .edge_count = 1 + (uint32_t)next_random(&seed) % MOST_EDGES};
        for (uint32_t e = 0; e < a.edge_count; e++)
            edges[e] = (struct sl_ratio_edge){
                (uint32_t)next_random(&seed) % nodes, (uint32_t)next_random(&seed) % nodes,
                (int64_t)(next_random(&seed) % 30) + 1, (int64_t)(next_random(&seed) % 5)};
        for (a.start = 0; a.start < nodes; a.start++)
            go(&a, a.start, 0, 0);
        struct sl_cycle_ratio ratio;
        int rc = sl_cycle_ratio_find(edges, a.edge_count, nodes, &ratio);
        assert_int_equal(rc, a.impossible || !a.rounds);
        if (rc) {
            assert_null(ratio.edges);
            continue;
        }
        found++;
        assert_int_equal(ratio.cycles * (uint64_t)a.rounds, ratio.rounds * (uint64_t)a.cycles);
        check_critical(edges, &ratio);
        free(ratio.edges);
    }
    assert_true(found > GRAPHS / 10);
}

/* ---- kernels --------------------------------------------------------------------------------- */

struct kept {
    uint32_t count, steps;
    uint64_t cycles, rounds[3];
};

static void keep(void *data, const struct sl_steady_bound *bound)
{
    struct kept *kept = data;
    kept->count++;
    kept->steps = bound->step_count;
    kept->cycles = bound->cycles;
    for (uint32_t k = 0; k < 3; k++)
        kept->rounds[k] = bound->rounds[k];
}

/* `0` writes two packets a round, every 3 cycles; `1` takes three, every 4 (two at least: it reads
 * one a cycle): 12 cycles for 3 rounds of both are 9 of the first and 8 of the second. */
static void test_rates(void **state)
{
    (void)state;
    struct sl_steady_operation writes[] = {{0, true, 0, 0}, {0, true, 1, 1}};
    struct sl_steady_operation reads[] = {{0, false, 0, 0}, {0, false, 1, 1}, {0, false, 2, 2}};
    struct sl_steady_kernel kernels[] = {{writes, 2, 3}, {reads, 3, 4}, {NULL, 0, 0}};
    struct sl_steady_pipe pipe = {.depth = 64, .kernels = {1, 0}};
    struct kept kept = {0};
    assert_int_equal(sl_steady_bounds(kernels, 3, &pipe, 1, keep, &kept), 0);
    assert_int_equal(kept.count, 1);
    assert_int_equal(kept.cycles, 9);
    assert_int_equal(kept.rounds[0], 3);
    assert_int_equal(kept.rounds[1], 2);
    assert_int_equal(kept.rounds[2], 0);
    /* with room for one each packet takes two cycles, there and back */
    pipe.depth = 1;
    kept = (struct kept){0};
    assert_int_equal(sl_steady_bounds(kernels, 3, &pipe, 1, keep, &kept), 0);
    assert_true(kept.cycles >= 12);
    /* nobody is known at the other end: each for itself */
    pipe.kernels[0] = -1;
    kept = (struct kept){0};
    assert_int_equal(sl_steady_bounds(kernels, 3, &pipe, 1, keep, &kept), 0);
    assert_int_equal(kept.count, 2);
    assert_int_equal(kept.cycles, 4);
}

/* Two kernels that both read first never move; with a packet in front one round takes 2 cycles. */
static void test_ring(void **state)
{
    (void)state;
    struct sl_steady_operation a[] = {{0, false, 0, 0}, {1, true, 0, 1}};
    struct sl_steady_operation b[] = {{1, false, 0, 0}, {0, true, 0, 1}};
    struct sl_steady_kernel kernels[] = {{a, 2, 1}, {b, 2, 1}, {NULL, 0, 0}};
    struct sl_steady_pipe pipes[] = {{.depth = 4, .kernels = {0, 1}},
                                     {.depth = 4, .kernels = {1, 0}}};
    struct kept kept = {0};
    assert_int_equal(sl_steady_bounds(kernels, 3, pipes, 2, keep, &kept), 0);
    assert_int_equal(kept.count, 0);
    for (uint64_t before = 1; before < 3; before++) {
        pipes[0].before[1] = before;
        kept = (struct kept){0};
        assert_int_equal(sl_steady_bounds(kernels, 3, pipes, 2, keep, &kept), 0);
        assert_int_equal(kept.count, 1);
        assert_int_equal(kept.cycles * before, 2 * kept.rounds[0]);
    }
}

/* One kernel writes twice what another takes once a round, and as much by another way. */
static void test_mismatch(void **state)
{
    (void)state;
    struct sl_steady_operation a[] = {{0, true, 0, 0}, {0, true, 1, 1}, {1, true, 0, 2}};
    struct sl_steady_operation b[] = {{0, false, 0, 0}, {1, false, 0, 1}};
    struct sl_steady_kernel kernels[] = {{a, 3, 2}, {b, 2, 1}, {NULL, 0, 0}};
    struct sl_steady_pipe pipes[] = {{.depth = 9, .kernels = {1, 0}},
                                     {.depth = 9, .kernels = {1, 0}}};
    struct kept kept = {0};
    assert_int_equal(sl_steady_bounds(kernels, 3, pipes, 2, keep, &kept), 0);
    assert_int_equal(kept.count, 0);
}

/* Of builtins, as the front end names them; a function of the program may have one's name in its
 * own. */
static void test_names(void **state)
{
    (void)state;
    static const char *const ids[] = {"_Z13get_global_idj", "_Z12get_local_idj",
                                      "_Z12get_group_idj", "_Z20get_global_linear_idv",
                                      "_Z19get_local_linear_idv"};
    static const char *const waits[] = {"_Z7barrierj",
                                        "_Z18work_group_barrierj12memory_scope",
                                        "_Z17wait_group_eventsiPU3AS49ocl_event",
                                        "_Z21async_work_group_copyPU3AS3cPU3AS1Kcm9ocl_event",
                                        "_Z17sub_group_barrierj",
                                        "__work_group_commit_read_pipe",
                                        "_Z22get_sub_group_local_idv"};
    static const char *const others[] = {"my_get_global_id",
                                         "_Z16my_get_global_idi",
                                         "_Z15get_global_sizej",
                                         "get_global_id_of",
                                         "my_barrier",
                                         "_Z10my_barrieri",
                                         "barrier",
                                         "__read_pipe_2",
                                         ""};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_true(sl_network_asks_item(ids[i]) && !sl_network_awaits_items(ids[i]));
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        assert_true(sl_network_awaits_items(waits[i]) && !sl_network_asks_item(waits[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(sl_network_asks_item(others[i]) || sl_network_awaits_items(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cycles), cmocka_unit_test(test_rates),
        cmocka_unit_test(test_ring),       cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
