/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of kernels in parts: random ones by what has to hold, beside the way from each node to
 * each other one; chains by the best that there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fpga/cluster/partition.h"

enum { MOST = 24, GRAPHS = 3000 };

static uint64_t load[MOST];
static struct sl_partition_edge edges[3 * MOST];
static uint32_t part[MOST];

static uint32_t random_below(uint32_t below)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

static struct sl_partition graph_of(uint32_t count, uint32_t edge_count)
{
    return (struct sl_partition){.count = count,
                                 .load = load,
                                 .edges = edges,
                                 .edge_count = edge_count,
                                 .packet_load = 3,
                                 .part = part};
}

static void find_ways(const struct sl_partition *graph, bool way[MOST][MOST])
{
    memset(way, 0, sizeof(bool[MOST][MOST]));
    for (uint32_t e = 0; e < graph->edge_count; e++)
        way[edges[e].from][edges[e].to] = true;
    for (uint32_t k = 0; k < graph->count; k++)
        for (uint32_t i = 0; i < graph->count; i++)
            for (uint32_t j = 0; j < graph->count; j++)
                way[i][j] |= way[i][k] && way[k][j];
}

/* The heaviest part with what its packets cost. */
static uint64_t weight(const struct sl_partition *graph, uint64_t *crossing)
{
    uint64_t most = 0;
    *crossing = 0;
    for (uint32_t p = 0; p < MOST; p++) {
        uint64_t sum = 0, packets = 0;
        for (uint32_t i = 0; i < graph->count; i++)
            sum += part[i] == p ? load[i] : 0;
        for (uint32_t e = 0; e < graph->edge_count; e++)
            if (part[edges[e].from] != part[edges[e].to] &&
                (part[edges[e].from] == p || part[edges[e].to] == p))
                packets += edges[e].packets;
        *crossing = packets > *crossing ? packets : *crossing;
        sum += 3 * packets;
        most = sum > most ? sum : most;
    }
    return most;
}

static void random_graphs(void **state)
{
    static bool way[MOST][MOST];
    (void)state;
    for (int n = 0; n < GRAPHS; n++) {
        uint32_t count = 1 + random_below(MOST), want = 1 + random_below(5);
        uint32_t edge_count = random_below(2 * count);
        for (uint32_t i = 0; i < count; i++)
            load[i] = random_below(4) ? random_below(1000) : 0;
        for (uint32_t e = 0; e < edge_count; e++) {
            uint32_t a = random_below(count), b = random_below(count);
            bool back = random_below(8) == 0; /* few cycles */
            edges[e] = (struct sl_partition_edge){(a < b) != back ? a : b, (a < b) != back ? b : a,
                                                  random_below(50)};
        }
        struct sl_partition graph = graph_of(count, edge_count);
        uint32_t used = sl_partition(&graph, want);
        assert_in_range(used, 1, want);
        find_ways(&graph, way);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(part[i] < used);
            for (uint32_t j = 0; j < count; j++)
                if (way[i][j]) /* data goes one way between parts, so cycles have one */
                    assert_true(part[i] <= part[j]);
        }
        uint64_t crossing;
        assert_int_equal(graph.most, weight(&graph, &crossing));
        assert_int_equal(graph.crossing, crossing);
    }
}

/* Of all places where a chain may be cut in two, the one with the lightest heavier side. */
static void chains(void **state)
{
    (void)state;
    for (int n = 0; n < GRAPHS; n++) {
        uint32_t count = 2 + random_below(MOST - 2);
        uint64_t total = 0, best = UINT64_MAX, sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            load[i] = 1 + random_below(1000);
            total += load[i];
            edges[i] = (struct sl_partition_edge){i, i + 1, 0};
        }
        for (uint32_t i = 0; i + 1 < count; i++) {
            sum += load[i];
            uint64_t heavier = sum > total - sum ? sum : total - sum;
            best = heavier < best ? heavier : best;
        }
        struct sl_partition graph = graph_of(count, count - 1);
        assert_int_equal(sl_partition(&graph, 2), 2);
        assert_int_equal(graph.most, best);
    }
}

static void one_cycle_is_one_part(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        load[i] = 100;
        edges[i] = (struct sl_partition_edge){i, (i + 1) % 5, 7};
    }
    struct sl_partition graph = graph_of(5, 5);
    assert_int_equal(sl_partition(&graph, 4), 1);
    assert_int_equal(graph.most, 500);
    assert_int_equal(graph.crossing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(chains),
        cmocka_unit_test(one_cycle_is_one_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
