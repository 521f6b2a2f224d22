/* SPDX-License-Identifier: Apache-2.0 */
/* Report pages: what is read from profiles and modules, what is warned of, what the page shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "container.h"
#include "report/input/demangle.h"
#include "report/page/page.h"
#include "sluice/module.h"

/* A loop of two kernels through `there` (deep) and `back` (no depth), fed by the host, one end
 * missing. */
static const char profile[] =
    "{\"sluice_profile\":1,\"program\":\"a <b> & 'c'\",\"time_ns\":1000000,"
    "\"kernels\":[{\"name\":\"first\",\"file\":\"f.cl\",\"line\":3,\"launches\":2,\"run_ns\":"
    "600000,"
    "\"stall_ns\":400000},{\"name\":\"second\",\"line\":9,\"autorun\":true,\"unit\":[1,2,3]}],"
    "\"pipes\":[{\"name\":\"there\",\"type\":\"int\",\"kind\":\"channel\",\"packet_bytes\":4,"
    "\"declared_depth\":64,\"depth\":64,\"line\":1,\"writer\":0,\"reader\":1,\"packets\":123456,"
    "\"mean_fill\":12.5,\"high_water\":64,\"full_ns\":300000,\"empty_ns\":10},"
    "{\"name\":\"back\",\"kind\":\"pipe\",\"declared_depth\":0,\"depth\":1,\"line\":2,\"writer\":1,"
    "\"reader\":0},"
    "{\"name\":\"in\",\"kind\":\"pipe\",\"depth\":8,\"declared_depth\":8,\"host\":\"writes\","
    "\"writer\":-1,\"reader\":0},"
    "{\"name\":\"lost\",\"kind\":\"channel\",\"depth\":1,\"line\":5,\"writer\":1,\"reader\":-1}],"
    "\"sites\":[{\"kernel\":1,\"pipe\":0,\"op\":\"read\",\"blocking\":true,\"file\":\"f.cl\","
    "\"line\":11,\"column\":7,\"stalls\":5,\"stall_ns\":77}],"
    "\"timeline\":[{\"kernel\":0,\"start_ns\":0,\"end_ns\":500,\"state\":\"run\"},"
    "{\"kernel\":0,\"start_ns\":500,\"end_ns\":1000,\"state\":\"full\"},"
    "{\"kernel\":7,\"start_ns\":0,\"end_ns\":1,\"state\":\"run\"},"
    "{\"kernel\":1,\"start_ns\":9,\"end_ns\":1,\"state\":\"run\"}]}";

static void load(struct sl_report_design *design, const char *text)
{
    char why[256];
    *design = (struct sl_report_design){0};
    assert_int_equal(sl_design_from_json(design, text, strlen(text), why, sizeof why), 0);
}

/* Programs without a name have those of their kernels. */
static void test_titles(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"flow.cl", "{\"name\":\"a\"}", "flow.cl"},
        {"<source>", "{\"name\":\"a\"}", "a"},
        {"<source>", "{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"},{\"name\":\"d\"}",
         "a, b, c, d"},
        {"<source>",
         "{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"},{\"name\":\"d\"},{\"name\":\"e\"}",
         "a, b, c and 2 more kernels"},
        {"<source>", "", "<source>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_report_design d;
        char text[512];
        snprintf(text, sizeof text,
                 "{\"sluice_profile\":1,\"program\":\"%s\",\"kernels\":[%s],\"pipes\":[]}",
                 rows[i][0], rows[i][1]);
        load(&d, text);
        assert_string_equal(d.title, rows[i][2]);
        sl_design_finish(&d);
    }
}

static void test_profile(void **state)
{
    (void)state;
    struct sl_report_design d;
    load(&d, profile);
    assert_int_equal(d.kernel_count, 2);
    assert_string_equal(d.kernels[1].name, "second");
    assert_true(d.kernels[1].autorun && !d.kernels[0].autorun);
    assert_int_equal(d.kernels[1].unit[2], 3);
    assert_int_equal(d.kernels[0].stall_ns, 400000);
    assert_int_equal(d.pipe_count, 4);
    assert_int_equal(d.pipes[0].packets, 123456);
    assert_true(d.pipes[0].mean_fill == 12.5);
    assert_int_equal(d.pipes[2].writer, -1);
    assert_int_equal(d.pipes[3].reader, -1);
    assert_string_equal(d.pipes[2].host, "writes");
    assert_int_equal(d.sites[0].line, 11);
    assert_false(d.sites[0].write);
    assert_int_equal(d.span_count, 2); /* no kernel 7, no time that runs backwards */
    assert_int_equal(d.spans[1].state, SL_DESIGN_FULL);
    sl_design_finish(&d);
}

static void test_hostile_profiles(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "{", "[]", "null", "{}", "{\"sluice_profile\":2}", "{\"sluice_profile\":\"1\"}",
    };
    char why[256];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sl_report_design d = {0};
        why[0] = 0;
        assert_int_equal(sl_design_from_json(&d, texts[i], strlen(texts[i]), why, sizeof why), -1);
        assert_true(strlen(why) > 5);
        sl_design_finish(&d);
    }
    struct sl_report_design d;
    load(&d, "{\"sluice_profile\":1,\"kernels\":[3,{\"name\":4,\"line\":-7,\"unit\":5}],"
             "\"pipes\":[{\"writer\":99,\"reader\":-5,\"packets\":1e300,\"depth\":1e12}],"
             "\"sites\":[{\"kernel\":5},{\"kernel\":0,\"pipe\":5}],\"timeline\":{}}");
    assert_int_equal(d.kernel_count, 2);
    assert_string_equal(d.kernels[1].name, "");
    assert_int_equal(d.pipes[0].writer, -1);
    assert_int_equal(d.pipes[0].reader, -1);
    assert_int_equal(d.pipes[0].depth, UINT32_MAX);
    assert_int_equal(d.site_count, 1);
    assert_int_equal(d.sites[0].pipe, -1);
    sl_design_finish(&d);
}

static bool mentions(char **texts, size_t count, const char *a, const char *b)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(texts[i], a) && strstr(texts[i], b))
            return true;
    return false;
}

static void test_warnings(void **state)
{
    (void)state;
    struct sl_report_design d;
    size_t count;
    load(&d, profile);
    char **texts = sl_design_warnings(&d, &count);
    assert_true(mentions(texts, count, "lost (line 5)", "never read"));
    assert_true(mentions(texts, count, "back (line 2)", "feedback loop"));
    assert_true(mentions(texts, count, "first waited 30 %", "for there because it was full"));
    assert_true(mentions(texts, count, "first has most to do", "600 us of the 600 us"));
    assert_int_equal(count, 4); /* a deep pipe in a loop and a host pipe are fine */
    sl_design_warnings_finish(texts, count);
    sl_design_finish(&d);
}

/* A wait is a share of the time of launches, and what was waited in between does not count. */
static void test_shares(void **state)
{
    (void)state;
    struct sl_report_design d;
    size_t count;
    load(&d, "{\"sluice_profile\":1,\"time_ns\":1000000,\"busy_ns\":200000,"
             "\"kernels\":[{\"name\":\"a\",\"run_ns\":50000},{\"name\":\"b\",\"run_ns\":40000},"
             "{\"name\":\"c\",\"run_ns\":30000}],"
             "\"pipes\":[{\"name\":\"x\",\"depth\":1,\"writer\":0,\"reader\":1,"
             "\"empty_ns\":900000,\"empty_held_ns\":150000},"
             "{\"name\":\"y\",\"depth\":1,\"writer\":1,\"reader\":2,"
             "\"empty_ns\":800000,\"empty_held_ns\":30000}]}");
    char **texts = sl_design_warnings(&d, &count);
    assert_true(mentions(texts, count, "b waited 75 % of the run (150 us)", "for x because"));
    assert_int_equal(count, 1);
    sl_design_warnings_finish(texts, count);
    sl_design_finish(&d);
}

/* Without the way back nothing is a loop, whatever the depth. */
static void test_no_loop(void **state)
{
    (void)state;
    struct sl_report_design d;
    size_t count;
    load(&d,
         "{\"sluice_profile\":1,\"kernels\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"}],"
         "\"pipes\":[{\"name\":\"x\",\"depth\":1,\"writer\":0,\"reader\":1},"
         "{\"name\":\"y\",\"depth\":1,\"writer\":1,\"reader\":2},"
         "{\"name\":\"z\",\"depth\":1,\"writer\":0,\"reader\":2}]}");
    char **texts = sl_design_warnings(&d, &count);
    assert_int_equal(count, 0);
    sl_design_warnings_finish(texts, count);
    d.pipes[2].reader = 0; /* now c writes back to a */
    d.pipes[2].writer = 2;
    texts = sl_design_warnings(&d, &count);
    assert_int_equal(count, 3);
    sl_design_warnings_finish(texts, count);
    sl_design_finish(&d);
}

static size_t occurrences(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

/* Graphviz keeps pointers into the graph it drew last: a process draws one. */
static char *page_of(const struct sl_report_design *d)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = tmpfile();
    assert_true(text && file);
    pid_t child = fork();
    if (!child)
        _exit(sl_report_page(d, file, 30) || fflush(file));
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    rewind(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 1000);
    fclose(file);
    return text;
}

static void test_page(void **state)
{
    (void)state;
    struct sl_report_design d;
    load(&d, profile);
    char *page = page_of(&d);
    assert_non_null(strstr(page, "<h1>a &lt;b&gt; &amp; &#39;c&#39;</h1>"));
    assert_null(strstr(page, "<b>"));
    assert_int_equal(occurrences(page, "<script>"), 1); /* ours; no name of the design is one */
    assert_int_equal(occurrences(page, "<script"), occurrences(page, "</script>"));
    assert_int_equal(occurrences(page, "class=\"node kernel"), 2);
    assert_int_equal(occurrences(page, "class=\"node host"), 1);
    assert_int_equal(occurrences(page, "class=\"node nobody"), 1);
    assert_int_equal(occurrences(page, "class=\"edge"), 4);
    assert_int_equal(occurrences(page, "<rect class=\"run\""), 1);
    assert_int_equal(occurrences(page, "<rect class=\"full\""), 1);
    assert_non_null(strstr(page, "f.cl:11:7"));
    assert_int_equal(occurrences(page, "<svg"), 3); /* the bars of the timeline are one in it */
    assert_int_equal(occurrences(page, "<svg"), occurrences(page, "</svg>"));
    free(page);
    sl_design_finish(&d);
}

static void test_module(void **state)
{
    (void)state;
    static const struct sl_kernel_info kernels[] = {{.name = "k", .line = 4},
                                                    {.name = "r", .flags = SL_KERNEL_AUTORUN}};
    static const struct sl_pipe_info pipes[] = {
        {"c[1]", "int", NULL, "x.cl", NULL, 4, 4, 0, 1, SL_PIPE_CHANNEL, 2, 1, 0},
        {"h", "uchar", NULL, "x.cl", NULL, 1, 1, 16, 16, SL_PIPE_HOST, 3, 0, -1},
    };
    static const struct sl_pipe_site sites[] = {{"c", "x.cl", 0, 7, 5, SL_PIPE_WRITE, 1, 0, 0, -1}};
    static const struct sl_module_info info = {
        .kernel_count = 2,
        .kernels = kernels,
        .pipe_count = 2,
        .pipes = pipes,
        .site_count = 1,
        .sites = sites,
    };
    struct sl_report_design d = {0};
    char why[256];
    assert_int_equal(sl_design_from_module(&d, &info, "x.cl", why, sizeof why), 0);
    assert_false(d.profiled);
    assert_string_equal(d.pipes[0].kind, "channel");
    assert_string_equal(d.pipes[1].kind, "pipe");
    assert_string_equal(d.pipes[1].host, "writes");
    assert_int_equal(d.pipes[0].reader, 1);
    assert_true(d.kernels[1].autorun);
    assert_true(d.sites[0].write && d.sites[0].blocking);
    char *page = page_of(&d);
    assert_non_null(strstr(page, "c[1]"));
    assert_int_equal(occurrences(page, "class=\"edge"), 2);
    assert_null(strstr(page, "stalled"));
    free(page);
    sl_design_finish(&d);
}

/* The row that gives objects their values is not shown: who names it names nobody. */
static void test_hidden_row(void **state)
{
    (void)state;
    static const struct sl_kernel_info kernels[] = {{.name = "k"},
                                                    {.name = "~", .flags = SL_KERNEL_INITIALIZES}};
    static const struct sl_pipe_info pipes[] = {
        {"c", "int", NULL, "x.cl", NULL, 4, 4, 0, 1, SL_PIPE_CHANNEL, 2, 1, 0},
        {"d", "int", NULL, "x.cl", NULL, 4, 4, 0, 1, SL_PIPE_CHANNEL, 2, 0, 1},
    };
    static const struct sl_pipe_site sites[] = {
        {"c", "x.cl", 1, 7, 5, SL_PIPE_WRITE, 1, 0, 0, -1},
        {"d", "x.cl", 0, 8, 5, SL_PIPE_WRITE, 1, 1, 0, -1},
    };
    static const struct sl_module_info info = {
        .kernel_count = 2,
        .kernels = kernels,
        .pipe_count = 2,
        .pipes = pipes,
        .site_count = 2,
        .sites = sites,
    };
    struct sl_report_design d = {0};
    char why[256];
    assert_int_equal(sl_design_from_module(&d, &info, "x.cl", why, sizeof why), 0);
    assert_int_equal(d.kernel_count, 1);
    assert_int_equal(d.pipes[0].reader, -1);
    assert_int_equal(d.pipes[0].writer, 0);
    assert_int_equal(d.pipes[1].writer, -1);
    assert_int_equal(d.site_count, 1);
    assert_int_equal(d.sites[0].line, 8);
    free(page_of(&d));
    sl_design_finish(&d);
}

/* Pipes between kernels at random. */
static struct sl_report_design tangled(int kernels, int pipes)
{
    struct sl_report_design d = {.kernel_count = (size_t)kernels, .pipe_count = (size_t)pipes};
    uint32_t random = 1;
    d.title = sl_design_copy(&d, "large");
    d.kernels = calloc((size_t)kernels, sizeof *d.kernels);
    d.pipes = calloc((size_t)pipes, sizeof *d.pipes);
    for (int i = 0; i < kernels; i++) {
        d.kernels[i].name = sl_design_copy(&d, "k");
        d.kernels[i].file = sl_design_copy(&d, "");
    }
    for (int i = 0; i < pipes; i++) {
        int32_t ends[2];
        for (int k = 0; k < 2; k++)
            ends[k] = (int32_t)((random = random * 1664525 + 1013904223) >> 8) % kernels;
        d.pipes[i] = (struct sl_design_pipe){
            .name = sl_design_copy(&d, "p"),
            .type = sl_design_copy(&d, "int"),
            .kind = sl_design_copy(&d, "pipe"),
            .host = sl_design_copy(&d, ""),
            .io = sl_design_copy(&d, ""),
            .file = sl_design_copy(&d, ""),
            .writer = ends[0],
            .reader = ends[1],
            .declared_depth = 1,
        };
    }
    return d;
}

/* A graph that takes Graphviz minutes: the page has all else. */
static void test_hopeless_graph(void **state)
{
    (void)state;
    enum { KERNELS = 900, PIPES = 3000 };
    struct sl_report_design d = tangled(KERNELS, PIPES);
    char *page = NULL;
    size_t bytes;
    FILE *out = open_memstream(&page, &bytes);
    time_t before = time(NULL);
    assert_int_equal(sl_report_page(&d, out, 1), -1);
    assert_in_range(time(NULL) - before, 0, 30);
    fclose(out);
    assert_non_null(strstr(page, "There is no graph"));
    assert_null(strstr(page, "<svg"));
    assert_int_equal(occurrences(page, "><td>p</td>"), PIPES);
    assert_non_null(strstr(page, "</html>"));
    free(page);
    sl_design_finish(&d);
}

/* Of more than anybody can look at no graph is tried, and tables end. */
static void test_too_large_for_a_graph(void **state)
{
    (void)state;
    enum { KERNELS = 1500, PIPES = 5001, MOST = 4000 };
    struct sl_report_design d = tangled(KERNELS, PIPES);
    char *page = NULL;
    size_t bytes;
    FILE *out = open_memstream(&page, &bytes);
    assert_int_equal(sl_report_page(&d, out, 1), 0);
    fclose(out);
    assert_non_null(strstr(page, "There is no graph of so many kernels and pipes."));
    assert_null(strstr(page, "<svg"));
    assert_int_equal(occurrences(page, "><td>p</td>"), MOST);
    assert_non_null(strstr(page, "and 1001 more"));
    assert_non_null(strstr(page, "</html>"));
    free(page);
    sl_design_finish(&d);
}

/* A chain of kernels, joined by pipes in a ring, with a spur. */
static void test_long_loop(void **state)
{
    (void)state;
    enum { KERNELS = 300000 };
    struct sl_report_design d = {.kernel_count = KERNELS, .pipe_count = KERNELS + 1};
    size_t count;
    d.kernels = calloc(KERNELS, sizeof *d.kernels);
    d.pipes = calloc(KERNELS + 1, sizeof *d.pipes);
    for (int32_t i = 0; i <= KERNELS; i++)
        d.pipes[i] = (struct sl_design_pipe){
            .name = sl_design_copy(&d, "p"),
            .kind = sl_design_copy(&d, "channel"),
            .host = sl_design_copy(&d, ""),
            .io = sl_design_copy(&d, ""),
            .declared_depth = i < KERNELS,
            .writer = i % KERNELS,
            .reader = (i + 1) % KERNELS,
            .line = (uint32_t)i,
        };
    for (int32_t i = 0; i < KERNELS; i++)
        d.kernels[i].name = sl_design_copy(&d, "k");
    char **texts = sl_design_warnings(&d, &count);
    assert_int_equal(count, 1); /* the second pipe from the first to the second kernel */
    assert_non_null(strstr(texts[0], "line 300000"));
    sl_design_warnings_finish(texts, count);
    d.pipes[KERNELS - 1].reader = -1; /* the ring is cut */
    free(d.pipes[KERNELS - 1].host);
    d.pipes[KERNELS - 1].host = sl_design_copy(&d, "reads");
    texts = sl_design_warnings(&d, &count);
    assert_int_equal(count, 0);
    sl_design_warnings_finish(texts, count);
    sl_design_finish(&d);
}

static void test_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *copy;
    } cases[] = {
        {"a\tb\n", "a\tb\n"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\x01\x1b[0m\x7f", "??[0m?"},
        {"\xc3", "?"},
        {"\xc3x\x80", "?x?"},
        {"\xc0\xaf\xe0\x80\x80", "?????"},
        {"\xed\xa0\x80", "???"},
        {"\xf4\x90\x80\x80\xfe", "?????"},
        {"\xe2\x82", "??"},
        {NULL, ""},
    };
    struct sl_report_design d = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *copy = sl_design_copy(&d, cases[i].text);
        assert_string_equal(copy, cases[i].copy);
        free(copy);
    }
}

/* Containers are checked like the driver checks them. */
/* Each argument names the one in front of it twice: as a text 2^26 times as long. */
#define TWICE(n) "1aIS" n "_S" n "_E"
#define DOUBLED                                                                                    \
    "_ZN4sycl4pipeI1aIiiE" TWICE("2") TWICE("4") TWICE("6") TWICE("8") TWICE("A") TWICE("C")       \
        TWICE("E") TWICE("G") TWICE("I") TWICE("K") TWICE("M") TWICE("O") TWICE("Q") TWICE("S")    \
            TWICE("U") TWICE("W") TWICE("Y") TWICE("10") TWICE("12") TWICE("14") TWICE("16")       \
                TWICE("18") TWICE("1A") TWICE("1C") TWICE("1E") TWICE("1G") "E9m_StorageE"

/* Names of SYCL's pipes, wherever they stand in a text, and what only looks like one. */
static void test_readable_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"_ZN4sycl3_V13ext5intel4pipeI7NumbersfLi8EE9m_StorageE", "pipe<Numbers,float,8>"},
        {"{\"name\":\"_ZN4sycl3_V13ext5intel12experimental4pipeI5Pairs4PairLi0ENS1_6oneapi12"
         "experimental10propertiesINS8_6detail20properties_type_listIJEEEEEvE9m_StorageE\",1}",
         "{\"name\":\"pipe<Pairs,Pair,0>\",1}"},
        {"of _ZN4sycl3_V13ext5intel4pipeI2ID3vecIiELi1EE9m_StorageE and "
         "_ZN4sycl3_V13ext5intel4pipeI1BhLi2EE9m_StorageE at",
         "of pipe<ID,vec<int>,1> and pipe<B,unsigned char,2> at"},
        {"_ZN4sycl3_V13ext5intel4pipeI7NumbersfLi8EE9m_StorageE.7f", "pipe<Numbers,float,8>.7f"},
        {"_ZN4sycl3_V15otherE _ZN4sycl9m_StorageE _ZN4syclpipe9m_StorageE _ZN4sycl",
         "_ZN4sycl3_V15otherE _ZN4sycl9m_StorageE _ZN4syclpipe9m_StorageE _ZN4sycl"},
        {DOUBLED, DOUBLED},
        {"{\"name\":\"_ZTS5Stage\"} '_ZTSN3one5StageILi3EEE' waits",
         "{\"name\":\"Stage\"} 'one::Stage<3>' waits"},
        {"_ZTSZZ4mainENKUlvE_clEvEUlvE_ a_ZTS5Stage _ZTSI _ZTS",
         "_ZTSZZ4mainENKUlvE_clEvEUlvE_ a_ZTS5Stage _ZTSI _ZTS"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t bytes;
        char *text = sl_readable_names(__cxa_demangle, rows[i].text, strlen(rows[i].text), &bytes);
        assert_non_null(text);
        assert_string_equal(text, rows[i].want);
        assert_int_equal(bytes, strlen(text));
        free(text);
    }
}

static void test_bad_containers(void **state)
{
    (void)state;
    static const struct {
        uint32_t kind;
        size_t cut, change; /* bytes left out at the end; where a byte is changed, 0: nowhere */
        const char *why;
    } cases[] = {
        {SL_BINARY_EXECUTABLE, 0, 0, "not a shared object"},
        {SL_BINARY_EXECUTABLE, 0, 190, "checksum"},
        {SL_BINARY_EXECUTABLE, 16, 0, "truncated"},
        {SL_BINARY_EXECUTABLE, 100, 0, "truncated"},
        {SL_BINARY_OBJECT, 0, 0, "only executables"},
        {SL_BINARY_LIBRARY, 0, 0, "only executables"},
        {77, 0, 0, "unknown kind"},
    };
    struct container_text text = {.target = "x86_64:avx2", .options = "-g"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sl_report_design d = {0};
        char why[256] = "";
        size_t bytes;
        text.kind = cases[i].kind;
        text.payload = container_elf(&text.payload_bytes);
        char *container = (char *)container_make(&text, &bytes);
        container[cases[i].change] ^= cases[i].change ? 1 : 0;
        assert_int_equal(sl_design_read(&d, container, bytes - cases[i].cut, "x", why, sizeof why),
                         -1);
        if (!strstr(why, cases[i].why))
            fail_msg("case %zu: %s", i, why);
        free(container);
        sl_design_finish(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_hostile_profiles),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_no_loop),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_module),
        cmocka_unit_test(test_hidden_row),
        cmocka_unit_test(test_long_loop),
        cmocka_unit_test(test_hopeless_graph),
        cmocka_unit_test(test_too_large_for_a_graph),
        cmocka_unit_test(test_bad_containers),
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_readable_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
