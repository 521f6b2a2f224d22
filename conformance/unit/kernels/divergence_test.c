/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where items part and meet again, of random graphs, against the definitions: every path is tried.
 * One thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/control_flow/divergence.h"

enum { MOST = 8, MOST_EDGES = 3 * MOST, GRAPHS = 3000 };

struct graph {
    uint32_t count, edge_count; /* blocks; the end is behind them */
    struct sl_graph_edge edges[MOST_EDGES];
};

static uint32_t state = 1;

static uint32_t below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

/* Each block has one to three successors, or leaves; forward: no loops, and blocks are in order. */
static struct graph make(bool forward)
{
    struct graph g = {.count = 2 + below(MOST - 1)};
    for (uint32_t b = 0; b < g.count; b++)
        for (uint32_t s = 0, most = 1 + below(3); s < most; s++) {
            uint32_t to = forward ? b + 1 + below(g.count - b) : below(g.count + 1);
            g.edges[g.edge_count++] = (struct sl_graph_edge){b, to};
        }
    return g;
}

/* Is there a way, of an edge at least, that comes by none of `without` in between? */
static bool leads(const struct graph *g, uint32_t from, uint32_t to, const bool *without)
{
    bool seen[MOST + 1] = {false};
    bool at[MOST + 1] = {false};
    at[from] = true;
    for (uint32_t round = 0; round <= g->count; round++)
        for (uint32_t e = 0; e < g->edge_count; e++)
            if (at[g->edges[e].from]) {
                seen[g->edges[e].to] = true;
                at[g->edges[e].to] |= !without[g->edges[e].to];
            }
    return seen[to];
}

/* Blocks without which an item could not leave any more. */
static void find_meetings(const struct graph *g, uint32_t branch, bool *meeting)
{
    bool none[MOST + 1] = {false};
    memset(meeting, 0, MOST + 1);
    if (!leads(g, branch, g->count, none))
        return;
    for (uint32_t b = 0; b <= g->count; b++) {
        bool one[MOST + 1] = {false};
        one[b] = true;
        meeting[b] = b != branch && (b == g->count || !leads(g, branch, g->count, one));
    }
}

struct pair {
    const struct graph *g;
    uint32_t to, second; /* the second way begins here */
    bool used[MOST + 1]; /* on the first way, or where nobody goes */
};

static bool is_joined_beside(struct pair *p)
{
    if (p->second == p->to)
        return true;
    return !p->used[p->second] && leads(p->g, p->second, p->to, p->used);
}

/* All first ways on from this block, each with any second one that has no block of it. */
static bool has_pair(struct pair *p, uint32_t at)
{
    if (at == p->to)
        return is_joined_beside(p);
    if (p->used[at])
        return false;
    p->used[at] = true;
    bool found = false;
    for (uint32_t e = 0; e < p->g->edge_count && !found; e++)
        if (p->g->edges[e].from == at)
            found = has_pair(p, p->g->edges[e].to);
    p->used[at] = false;
    return found;
}

/* Two ways from the branch to this block that share nothing in between. */
static bool is_join(const struct graph *g, uint32_t branch, const bool *meeting, uint32_t to)
{
    for (uint32_t e = 0; e < g->edge_count; e++)
        for (uint32_t f = e + 1; f < g->edge_count; f++) {
            if (g->edges[e].from != branch || g->edges[f].from != branch)
                continue;
            struct pair p = {.g = g, .to = to, .second = g->edges[f].to};
            memcpy(p.used, meeting, sizeof p.used);
            p.used[branch] = true;
            p.used[to] = false;
            if (has_pair(&p, g->edges[e].to))
                return true;
        }
    return false;
}

static void check(const struct graph *g, bool exact)
{
    struct sl_divergence d;
    sl_divergence_init(&d, g->count, g->edges, g->edge_count);
    for (uint32_t b = 0; b < g->count; b++) {
        bool meeting[MOST + 1];
        find_meetings(g, b, meeting);
        sl_divergence_follow(&d, b);
        for (uint32_t to = 0; to <= g->count; to++) {
            bool reached = leads(g, b, to, meeting);
            assert_int_equal(sl_divergence_passes(&d, to), reached && !meeting[to]);
            bool join = reached && is_join(g, b, meeting, to);
            if (exact)
                assert_int_equal(sl_divergence_joins(&d, to), join);
            else /* it may say so of one more, where loops have several entries */
                assert_true(!join || sl_divergence_joins(&d, to));
        }
    }
    sl_divergence_finish(&d);
}

static void without_loops_it_is_exact(void **unused)
{
    (void)unused;
    for (uint32_t n = 0; n < GRAPHS; n++) {
        struct graph g = make(true);
        check(&g, true);
    }
}

static void with_any_loops_nothing_is_missed(void **unused)
{
    (void)unused;
    for (uint32_t n = 0; n < GRAPHS; n++) {
        struct graph g = make(false);
        check(&g, false);
    }
}

static struct graph drawn(uint32_t count, const struct sl_graph_edge *edges, uint32_t edge_count)
{
    struct graph g = {.count = count, .edge_count = edge_count};
    memcpy(g.edges, edges, edge_count * sizeof *edges);
    return g;
}

/* 0 is the header, 1 may leave, 2 goes round; 3 is behind the loop. */
static void a_loop_that_items_leave_one_by_one_is_run_by_some(void **unused)
{
    (void)unused;
    const struct sl_graph_edge edges[] = {{0, 1}, {1, 2}, {1, 3}, {2, 0}, {3, 4}};
    struct graph g = drawn(4, edges, 5);
    struct sl_divergence d;
    sl_divergence_init(&d, g.count, g.edges, g.edge_count);
    sl_divergence_follow(&d, 1);
    for (uint32_t b = 0; b <= 4; b++)
        assert_int_equal(sl_divergence_passes(&d, b), b <= 2);
    for (uint32_t b = 0; b <= 4; b++) /* one edge leads out, and one to the header again */
        assert_false(sl_divergence_joins(&d, b));
    sl_divergence_finish(&d);
}

/* a || b: 0 asks a, 1 asks b, 2 is run if one is so, 3 behind. Where items part at 1 only, those
 * that come to 2 all come from there. */
static void the_second_question_of_two_is_no_join(void **unused)
{
    (void)unused;
    const struct sl_graph_edge edges[] = {{0, 2}, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 4}};
    struct graph g = drawn(4, edges, 6);
    struct sl_divergence d;
    sl_divergence_init(&d, g.count, g.edges, g.edge_count);
    sl_divergence_follow(&d, 1);
    assert_true(sl_divergence_passes(&d, 2));
    assert_false(sl_divergence_joins(&d, 2));
    assert_true(sl_divergence_joins(&d, 3));
    sl_divergence_follow(&d, 0);
    assert_true(sl_divergence_joins(&d, 2));
    sl_divergence_finish(&d);
}

/* 0 parts items for ever: nothing is where all have met. */
static void what_cannot_end_never_meets(void **unused)
{
    (void)unused;
    const struct sl_graph_edge edges[] = {{0, 1}, {0, 2}, {1, 0}, {2, 0}};
    struct graph g = drawn(3, edges, 4);
    check(&g, true);
    struct sl_divergence d;
    sl_divergence_init(&d, g.count, g.edges, g.edge_count);
    sl_divergence_follow(&d, 0);
    assert_true(sl_divergence_passes(&d, 0));
    assert_true(sl_divergence_joins(&d, 0));
    sl_divergence_finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_loops_it_is_exact),
        cmocka_unit_test(with_any_loops_nothing_is_missed),
        cmocka_unit_test(a_loop_that_items_leave_one_by_one_is_run_by_some),
        cmocka_unit_test(the_second_question_of_two_is_no_join),
        cmocka_unit_test(what_cannot_end_never_meets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
