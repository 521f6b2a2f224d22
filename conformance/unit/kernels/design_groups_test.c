/* SPDX-License-Identifier: Apache-2.0 */
/* What report pages draw as one: random designs beside a comparison of each pair of kernels and
 * pipes, and the page of an array of kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/groups.h"
#include "report/page/tables.h"

enum { MOST = 60 };

static uint32_t seed = 12345;

static uint32_t below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

/* ---- stems ----------------------------------------------------------------------------------- */

static void test_stems(void **state)
{
    (void)state;
    static const struct {
        const char *name, *kernel, *pipe;
    } rows[] = {
        {"element", "element", "element"},
        {"element.12", "element", "element.12"},
        {"element.12a", "element.12a", "element.12a"},
        {"a.1.2", "a.1", "a.1.2"},
        {".5", ".5", ".5"},
        {"a.", "a.", "a."},
        {"row[1][22]", "row[1][22]", "row"},
        {"row[]", "row[]", "row[]"},
        {"row[x]", "row[x]", "row[x]"},
        {"[3]", "[3]", "[3]"},
        {"3]", "3]", "3]"},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sl_design_kernel_stem(rows[i].name), strlen(rows[i].kernel));
        assert_int_equal(sl_design_pipe_stem(rows[i].name), strlen(rows[i].pipe));
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

struct random_design {
    struct sl_report_design d;
    struct sl_report_kernel kernels[MOST];
    struct sl_design_pipe pipes[MOST];
    char kernel_names[MOST][16], pipe_names[MOST][24];
    /* as the names were made */
    uint32_t kernel_kind[MOST], pipe_kind[MOST];
};

static void add_pipe(struct random_design *r, size_t p, int32_t writer, int32_t reader)
{
    r->pipes[p] = (struct sl_design_pipe){.name = r->pipe_names[p],
                                          .type = (char *)"int",
                                          .kind = (char *)"channel",
                                          .host = (char *)"",
                                          .io = (char *)"",
                                          .file = (char *)"f.cl",
                                          .line = 1,
                                          .writer = writer,
                                          .reader = reader};
}

static void make_random(struct random_design *r)
{
    *r = (struct random_design){.d = {.title = (char *)"random"}};
    r->d.kernels = r->kernels;
    r->d.pipes = r->pipes;
    r->d.kernel_count = 1 + below(MOST);
    r->d.pipe_count = below(MOST);
    for (size_t k = 0; k < r->d.kernel_count; k++) {
        uint32_t kind = below(6);
        snprintf(r->kernel_names[k], sizeof *r->kernel_names, "%c.%zu", 'a' + (char)(kind / 2), k);
        r->kernels[k] = (struct sl_report_kernel){
            .name = r->kernel_names[k],
            .file = (char *)(kind == 5 ? "other.cl" : "f.cl"),
            .line = kind == 3 ? 4 : 3,
            .autorun = kind > 0,
        };
        r->kernel_kind[k] = kind;
    }
    for (size_t p = 0; p < r->d.pipe_count; p++) {
        uint32_t kind = below(3);
        snprintf(r->pipe_names[p], sizeof *r->pipe_names, "%c[%zu]", 'p' + (char)kind, p);
        add_pipe(r, p, (int32_t)below((uint32_t)r->d.kernel_count + 1) - 1,
                 (int32_t)below((uint32_t)r->d.kernel_count + 1) - 1);
        r->pipe_kind[p] = kind;
    }
}

static bool alike(const struct random_design *r, size_t a, size_t b)
{
    return a == b || (r->kernel_kind[a] == r->kernel_kind[b] && r->kernels[a].autorun);
}

static size_t kernels_like(const struct random_design *r, int32_t kernel)
{
    size_t count = 0;
    for (size_t k = 0; kernel >= 0 && k < r->d.kernel_count; k++)
        count += alike(r, (size_t)kernel, k);
    return count;
}

static bool same_node(const struct random_design *r, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 && b < 0;
    return a == b || (alike(r, (size_t)a, (size_t)b) && kernels_like(r, a) >= SL_FEWEST_GROUPED);
}

static bool same_edge(const struct random_design *r, size_t a, size_t b)
{
    return r->pipe_kind[a] == r->pipe_kind[b] &&
           same_node(r, r->pipes[a].writer, r->pipes[b].writer) &&
           same_node(r, r->pipes[a].reader, r->pipes[b].reader);
}

static bool is_one(const struct random_design *r, size_t pipe)
{
    size_t count = 0;
    for (size_t p = 0; p < r->d.pipe_count; p++)
        count += same_edge(r, pipe, p);
    bool grouped = kernels_like(r, r->pipes[pipe].writer) >= SL_FEWEST_GROUPED ||
                   kernels_like(r, r->pipes[pipe].reader) >= SL_FEWEST_GROUPED;
    return count >= (grouped ? 2 : SL_FEWEST_GROUPED);
}

/* Numbers are those of first members; counts are right. */
static void check_numbers(const struct sl_design_group *groups, size_t group_count,
                          const uint32_t *of, size_t count)
{
    size_t members = 0;
    for (size_t g = 0; g < group_count; g++) {
        assert_int_equal(of[groups[g].first], g);
        assert_true(!g || groups[g - 1].first < groups[g].first);
        members += groups[g].count;
    }
    assert_int_equal(members, count);
    for (size_t i = 0; i < count; i++)
        assert_true(groups[of[i]].first <= i);
}

static void test_random(void **state)
{
    (void)state;
    static struct random_design r;
    size_t joined_kernels = 0, joined_pipes = 0;
    for (int round = 0; round < 400; round++) {
        struct sl_design_groups groups;
        make_random(&r);
        assert_int_equal(sl_design_groups_make(&groups, &r.d), 0);
        check_numbers(groups.kernels, groups.kernel_count, groups.of_kernel, r.d.kernel_count);
        check_numbers(groups.pipes, groups.pipe_count, groups.of_pipe, r.d.pipe_count);
        for (size_t a = 0; a < r.d.kernel_count; a++)
            for (size_t b = 0; b < a; b++) {
                bool one = same_node(&r, (int32_t)a, (int32_t)b);
                assert_int_equal(groups.of_kernel[a] == groups.of_kernel[b], one);
                joined_kernels += one;
            }
        for (size_t a = 0; a < r.d.pipe_count; a++)
            for (size_t b = 0; b < a; b++) {
                bool one = same_edge(&r, a, b) && is_one(&r, a);
                assert_int_equal(groups.of_pipe[a] == groups.of_pipe[b], one);
                joined_pipes += one;
            }
        sl_design_groups_finish(&groups);
    }
    assert_true(joined_kernels > 1000 && joined_pipes > 200);
}

/* ---- the page of a row of kernels ------------------------------------------------------------ */

static size_t occurrences(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

enum { UNITS = 5 };

/* feed -> u.0 -> u.1 ... -> u.4; a unit waits a tenth more than the one before it. */
static void make_row(struct random_design *r)
{
    *r = (struct random_design){.d = {.title = (char *)"row", .profiled = true, .time_ns = 1000}};
    r->d.kernels = r->kernels;
    r->d.pipes = r->pipes;
    r->d.kernel_count = UNITS + 1;
    r->d.pipe_count = UNITS;
    for (uint32_t k = 0; k <= UNITS; k++) {
        snprintf(r->kernel_names[k], sizeof *r->kernel_names, k == UNITS ? "feed" : "u.%u", k);
        r->kernels[k] = (struct sl_report_kernel){.name = r->kernel_names[k],
                                                  .file = (char *)"f.cl",
                                                  .line = k == UNITS ? 9 : 3,
                                                  .autorun = k < UNITS,
                                                  .unit = {k, 0, 0},
                                                  .run_ns = 1000 - 100 * k,
                                                  .stall_ns = 100 * k};
    }
    for (uint32_t p = 0; p < UNITS; p++) {
        snprintf(r->pipe_names[p], sizeof *r->pipe_names, "next[%u]", p);
        add_pipe(r, p, p ? (int32_t)p - 1 : UNITS, (int32_t)p);
    }
}

static void test_tables(void **state)
{
    (void)state;
    static struct random_design r;
    struct sl_design_groups groups;
    char *text = NULL;
    size_t bytes;
    make_row(&r);
    assert_int_equal(sl_design_groups_make(&groups, &r.d), 0);
    assert_int_equal(groups.kernel_count, 2); /* the units, feed */
    assert_int_equal(groups.pipe_count, 2);   /* the first one, those between units */
    uint32_t of_group[UNITS] = {0};
    const struct sl_design_pipe *slow[] = {&r.pipes[3], &r.pipes[0], &r.pipes[1], &r.pipes[4]};
    assert_int_equal(sl_design_worst_of_arrays(&groups, &r.d, slow, 4, of_group), 2);
    assert_true(slow[0] == &r.pipes[3] && slow[1] == &r.pipes[0]);
    assert_true(of_group[0] == 1 && of_group[1] == 3);
    FILE *memory = open_memstream(&text, &bytes);
    assert_non_null(memory);
    sl_report_tables(&r.d, &groups, memory);
    assert_int_equal(fclose(memory), 0);
    assert_non_null(strstr(text, "<summary>u × 5 (5 units, wait 0 to 40 %)</summary>"));
    assert_non_null(strstr(text, "<div id=\"units0\">"));
    assert_non_null(strstr(text, "<summary>next × 4</summary>"));
    assert_int_equal(occurrences(text, "<g class=\"unit works\">"), 2); /* 0 and 10 % */
    assert_int_equal(occurrences(text, "<g class=\"unit waits\">"), 3);
    assert_int_equal(occurrences(text, "<g class=\"wire\">"), UNITS - 1);
    /* Alone comes first, its members are below what they belong to. */
    assert_true(strstr(text, "<td>feed</td>") < strstr(text, "<details"));
    assert_true(strstr(text, "<td>u.0</td>") > strstr(text, "<div id=\"units0\">"));
    assert_true(strstr(text, "<td>next[0]</td>") < strstr(text, "<summary>next"));
    assert_true(strstr(text, "<td>next[1]</td>") > strstr(text, "<summary>next"));
    free(text);
    /* A number that cannot be one of so many: no places by it. */
    text = NULL;
    r.kernels[2].unit[0] = UINT32_MAX;
    assert_non_null(memory = open_memstream(&text, &bytes));
    sl_report_tables(&r.d, &groups, memory);
    assert_int_equal(fclose(memory), 0);
    assert_int_equal(occurrences(text, "<g class=\"unit"), UNITS);
    assert_non_null(strstr(text, "<svg class=\"grid\" width=\"308\" height=\"104\">")); /* 3 x 2 */
    free(text);
    sl_design_groups_finish(&groups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stems), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
