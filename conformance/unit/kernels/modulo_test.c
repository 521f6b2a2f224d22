/* SPDX-License-Identifier: Apache-2.0 */
/* Modulo scheduling on graphs whose intervals are known, and on random ones against the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/modulo_schedule.h"
#include "timing/operators.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static struct sl_loop_graph graph_of(const struct sl_loop_operation *operations, size_t count,
                                     const struct sl_loop_dependence *dependences, size_t edges)
{
    return (struct sl_loop_graph){.operations = operations,
                                  .dependences = dependences,
                                  .operation_count = (uint32_t)count,
                                  .dependence_count = (uint32_t)edges};
}

/* Every dependence is kept, and no port is used twice. */
static void check_rules(const struct sl_loop_graph *g, const struct sl_loop_schedule *s)
{
    for (uint32_t i = 0; i < g->dependence_count; i++) {
        const struct sl_loop_dependence *d = &g->dependences[i];
        assert_true((int64_t)s->start[d->to] + (int64_t)s->interval * d->distance >=
                    (int64_t)s->start[d->from] + d->latency);
    }
    uint32_t *taken = calloc((size_t)g->resource_count * s->interval + 1, sizeof *taken);
    for (uint32_t i = 0; i < g->operation_count; i++) {
        uint32_t r = g->operations[i].resource;
        assert_true(s->start[i] + g->operations[i].latency <= s->depth);
        if (r != SL_NO_RESOURCE)
            assert_true(++taken[r * s->interval + s->start[i] % s->interval] <= g->ports[r]);
    }
    free(taken);
}

/* acc += x[i]: load 64, add 4. */
static void test_float_sum(void **state)
{
    (void)state;
    static const struct sl_loop_operation operations[] = {
        {64, SL_NO_RESOURCE}, {4, SL_NO_RESOURCE}, {0, SL_NO_RESOURCE}};
    static const struct sl_loop_dependence dependences[] = {
        {0, 1, 64, 0}, {1, 2, 4, 1}, {2, 1, 0, 0}};
    struct sl_loop_graph g = graph_of(operations, 3, dependences, 3);
    struct sl_loop_schedule s;
    assert_int_equal(sl_modulo_schedule(&g, &s), 0);
    assert_int_equal(s.recurrence_interval, 4);
    assert_int_equal(s.interval, 4);
    assert_int_equal(s.depth, 68);
    assert_int_equal(s.recurrence_count, 2);
    assert_int_equal(s.recurrence_latency, 4);
    assert_int_equal(s.recurrence_distance, 1);
    check_rules(&g, &s);
    sl_modulo_finish(&s);
}

/* A recurrence of latency 7 over distance 3 needs ceil(7 / 3); one of 5 over 2 as many. */
static void test_distances(void **state)
{
    (void)state;
    static const struct sl_loop_operation operations[] = {
        {3, SL_NO_RESOURCE}, {4, SL_NO_RESOURCE}, {5, SL_NO_RESOURCE}};
    static const struct sl_loop_dependence dependences[] = {
        {0, 1, 3, 0}, {1, 0, 4, 3}, {2, 2, 5, 2}};
    struct sl_loop_graph g = graph_of(operations, 3, dependences, 3);
    struct sl_loop_schedule s;
    assert_int_equal(sl_modulo_schedule(&g, &s), 0);
    assert_int_equal(s.recurrence_interval, 3);
    assert_int_equal(s.interval, 3);
    check_rules(&g, &s);
    sl_modulo_finish(&s);
}

static void test_no_recurrence(void **state)
{
    (void)state;
    static const struct sl_loop_operation operations[] = {{2, SL_NO_RESOURCE}, {9, SL_NO_RESOURCE}};
    static const struct sl_loop_dependence dependences[] = {{0, 1, 2, 0}};
    struct sl_loop_graph g = graph_of(operations, 2, dependences, 1);
    struct sl_loop_schedule s;
    assert_int_equal(sl_modulo_schedule(&g, &s), 0);
    assert_int_equal(s.interval, 1);
    assert_int_equal(s.depth, 11);
    assert_int_equal(s.recurrence_count, 0);
    assert_int_equal(s.resource, SL_NO_RESOURCE);
    sl_modulo_finish(&s);
    g.least_interval = 6;
    assert_int_equal(sl_modulo_schedule(&g, &s), 0);
    assert_int_equal(s.interval, 6);
    sl_modulo_finish(&s);
}

/* Five accesses to a memory of two ports, and three to one of one. */
static void test_ports(void **state)
{
    (void)state;
    static const struct sl_loop_operation operations[] = {{3, 0}, {3, 0}, {3, 0}, {3, 0},
                                                          {3, 0}, {1, 1}, {1, 1}};
    static const uint32_t ports[] = {2, 1}, uses[] = {5, 2};
    struct sl_loop_graph g = graph_of(operations, COUNT(operations), NULL, 0);
    struct sl_loop_schedule s;
    g.ports = ports;
    g.uses = uses;
    g.resource_count = 2;
    assert_int_equal(sl_modulo_schedule(&g, &s), 0);
    assert_int_equal(s.resource_interval, 3);
    assert_int_equal(s.resource, 0);
    assert_int_equal(s.interval, 3);
    check_rules(&g, &s);
    sl_modulo_finish(&s);
}

/* Rau's case of a schedule that needs more than both bounds: a recurrence of three cycles whose two
 * operations may only start in the same residue class. */
static void test_more_than_both(void **state)
{
    (void)state;
    static const struct sl_loop_operation operations[] = {{2, 0}, {2, 0}};
    static const struct sl_loop_dependence dependences[] = {{0, 1, 2, 0}, {1, 0, 2, 2}};
    static const uint32_t ports[] = {1}, uses[] = {2};
    struct sl_loop_graph g = graph_of(operations, 2, dependences, 2);
    struct sl_loop_schedule s;
    g.ports = ports;
    g.uses = uses;
    g.resource_count = 1;
    assert_int_equal(sl_modulo_schedule(&g, &s), 0);
    assert_int_equal(s.recurrence_interval, 2);
    assert_int_equal(s.resource_interval, 2);
    assert_int_equal(s.interval, 3);
    check_rules(&g, &s);
    sl_modulo_finish(&s);
}

static void test_impossible(void **state)
{
    (void)state;
    static const struct sl_loop_operation operations[] = {{1, SL_NO_RESOURCE}, {1, SL_NO_RESOURCE}};
    static const struct sl_loop_dependence dependences[] = {{0, 1, 1, 0}, {1, 0, 1, 0}};
    struct sl_loop_graph g = graph_of(operations, 2, dependences, 2);
    struct sl_loop_schedule s;
    assert_int_equal(sl_modulo_schedule(&g, &s), -1);
    sl_modulo_finish(&s);
}

/* ---- random graphs --------------------------------------------------------------------------- */

enum { NODES = 12, EDGES = 20, RESOURCES = 2 };

/* By brute force: the largest latency / distance of any simple cycle, along paths from `first`. */
static uint32_t worst_cycle(const struct sl_loop_graph *g, uint32_t first, uint32_t at,
                            uint32_t seen, uint32_t latency, uint32_t distance)
{
    uint32_t worst = 1;
    for (uint32_t i = 0; i < g->dependence_count; i++) {
        const struct sl_loop_dependence *d = &g->dependences[i];
        uint32_t l = latency + d->latency, n = distance + d->distance, found = 1;
        if (d->from != at)
            continue;
        if (d->to == first)
            found = (l + n - 1) / n;
        else if (d->to > first && !(seen & 1u << d->to))
            found = worst_cycle(g, first, d->to, seen | 1u << d->to, l, n);
        worst = found > worst ? found : worst;
    }
    return worst;
}

static void test_random(void **state)
{
    (void)state;
    srand(35);
    for (int round = 0; round < 2000; round++) {
        struct sl_loop_operation operations[NODES];
        struct sl_loop_dependence dependences[EDGES];
        uint32_t ports[RESOURCES], uses[RESOURCES] = {0}, worst = 1;
        for (int r = 0; r < RESOURCES; r++)
            ports[r] = 1 + (uint32_t)rand() % 2;
        for (int i = 0; i < NODES; i++) {
            uint32_t r = (uint32_t)rand() % 4;
            operations[i] = (struct sl_loop_operation){(uint32_t)rand() % 6,
                                                       r < RESOURCES ? r : SL_NO_RESOURCE};
            if (r < RESOURCES)
                uses[r]++;
        }
        for (int e = 0; e < EDGES; e++) { /* backwards only to a later iteration */
            uint32_t from = (uint32_t)rand() % NODES, to = (uint32_t)rand() % NODES;
            dependences[e] = (struct sl_loop_dependence){
                from, to, operations[from].latency,
                (from < to ? 0 : 1) + (rand() % 4 ? 0 : (uint32_t)rand() % 3)};
        }
        struct sl_loop_graph g = graph_of(operations, NODES, dependences, EDGES);
        struct sl_loop_schedule s;
        g.ports = ports;
        g.uses = uses;
        g.resource_count = RESOURCES;
        for (uint32_t i = 0; i < NODES; i++) {
            uint32_t found = worst_cycle(&g, i, i, 1u << i, 0, 0);
            worst = found > worst ? found : worst;
        }
        assert_int_equal(sl_modulo_schedule(&g, &s), 0);
        assert_int_equal(s.recurrence_interval, worst);
        assert_true(s.interval >= s.recurrence_interval && s.interval >= s.resource_interval);
        check_rules(&g, &s);
        sl_modulo_finish(&s);
    }
}

/* ---- tables of operators --------------------------------------------------------------------- */

static void test_operators(void **state)
{
    (void)state;
    struct sl_operator_table table, generic;
    char why[128];
    sl_operators_generic(&generic);
    table = generic;
    assert_int_equal(sl_operators_read(&table,
                                       "# a board\nfloat.add 3 # fast\n\n\tlocal.ports\t4\r\n"
                                       "clock.mhz 480",
                                       why, sizeof why),
                     0);
    assert_int_equal(table.latency[SL_OPERATOR_FLOAT_ADD], 3);
    assert_int_equal(table.local_ports, 4);
    assert_int_equal(table.clock_mhz, 480);
    assert_int_equal(table.latency[SL_OPERATOR_FLOAT_MULTIPLY],
                     generic.latency[SL_OPERATOR_FLOAT_MULTIPLY]);
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"float.add", "line 1: a number is missing"},
        {"\nfloat.sub 3\n", "line 2: no such key"},
        {"float.add -1", "line 1: a number is missing"},
        {"float.add 3x", "line 1: the number cannot be"},
        {"float.add 99999999999999999999", "line 1: the number cannot be"},
        {"local.ports 0", "line 1: the number cannot be"},
        {"float.add 3 4", "line 1: more than a key and a number"},
        {"loop", "line 1: a number is missing"},
        {"loop d.cl:7 2", "line 1: a number is missing"},
        {"loop 7 1 2\nloop d.cl:0 1 1", "line 2: the number cannot be"},
        {"loop d.cl 1 1", "line 1: a number is missing"},
        {"loop 7 0 1", "line 1: the number cannot be"},
        {"loop 7 1 2 3", "line 1: more than a place, II and depth"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct sl_operator_table before = table;
        assert_int_equal(sl_operators_read(&table, bad[i].text, why, sizeof why), -1);
        assert_string_equal(why, bad[i].why);
        assert_memory_equal(&table, &before, sizeof table);
    }
}

/* Rows of loops: by line, by the end of a path; the last one that fits. */
static void test_rows_of_loops(void **state)
{
    (void)state;
    struct sl_operator_table table;
    char why[128];
    sl_operators_generic(&table);
    assert_null(sl_operators_loop(&table, "d.cl", 7));
    assert_int_equal(sl_operators_read(&table, "loop 3 9 9", why, sizeof why), 0);
    assert_int_equal(sl_operators_read(&table,
                                       "loop 7 2 5\nloop a/d.cl:7 3 6 # a report's\nloop 8 1 1\n",
                                       why, sizeof why),
                     0);
    static const struct {
        const char *file;
        uint32_t line, interval, depth;
    } right[] = {{"d.cl", 7, 2, 5},      {"/b/a/d.cl", 7, 3, 6}, {"a/d.cl", 7, 3, 6},
                 {"ba/d.cl", 7, 2, 5},   {"/b/a/d.cl", 8, 1, 1}, {"d.cl", 3, 0, 0},
                 {"/b/a/d.clx", 7, 2, 5}};
    for (size_t i = 0; i < COUNT(right); i++) {
        const struct sl_operator_loop *loop =
            sl_operators_loop(&table, right[i].file, right[i].line);
        assert_int_equal(loop ? loop->interval : 0, right[i].interval);
        assert_int_equal(loop ? loop->depth : 0, right[i].depth);
    }
    sl_operators_finish(&table);
}

/* The file that is installed is the table that is built in. */
static void test_generic_file(void **state)
{
    (void)state;
    struct sl_operator_table table, generic;
    char text[8192], why[128];
    FILE *file = fopen(SL_OPERATORS_FILE, "rb");
    assert_non_null(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    sl_operators_generic(&generic);
    sl_operators_generic(&table);
    memset(table.latency, 0xff, sizeof table.latency);
    assert_int_equal(sl_operators_read(&table, text, why, sizeof why), 0);
    assert_memory_equal(&table, &generic, sizeof table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float_sum),      cmocka_unit_test(test_distances),
        cmocka_unit_test(test_no_recurrence),  cmocka_unit_test(test_ports),
        cmocka_unit_test(test_more_than_both), cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_random),         cmocka_unit_test(test_operators),
        cmocka_unit_test(test_rows_of_loops),  cmocka_unit_test(test_generic_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
