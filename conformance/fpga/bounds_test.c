/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of arrays of channels that are outside: constants are refused at their line, others end
 * the launch with words that name line, kernel, channel and index; what is inside works, and so
 * does the program afterwards. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards told */
static char told[4096];

static const char *const optimised[] = {"", "-cl-opt-disable"};

static void CL_CALLBACK on_notice(const char *text, const void *info, size_t bytes, void *data)
{
    (void)info, (void)bytes, (void)data;
    pthread_mutex_lock(&lock);
    snprintf(told, sizeof told, "%s", text);
    pthread_mutex_unlock(&lock);
}

static void need_sluice(void)
{
    if (!is_sluice())
        check_skip("nobody else looks at indices");
}

static int has_words(const char *const *words)
{
    int all = 1;
    pthread_mutex_lock(&lock);
    for (; *words && all; words++)
        all = strstr(told, *words) != NULL;
    pthread_mutex_unlock(&lock);
    return all;
}

/* The callback hears it, maybe a moment later. */
static void expect_told(const char *const *words)
{
    for (int turn = 0; turn < 2500 && !has_words(words); turn++)
        usleep(2000);
    if (!has_words(words))
        check_fail(__FILE__, __LINE__, "the words for \"%s\" are \"%s\"", words[1], told);
    pthread_mutex_lock(&lock);
    told[0] = 0;
    pthread_mutex_unlock(&lock);
}

/* ---- constants ------------------------------------------------------------------------------- */

static void refused(const char *index, const char *number, const char *value)
{
    char source[512];
    snprintf(source, sizeof source,
             CHANNELS "channel int c[2][4];\n"
                      "kernel void far(global int *o) {\n"
                      "    write_channel_intel(c%s, 5);\n"
                      "}\n",
             index);
    for (size_t i = 0; i < LEN(optimised); i++)
        build_fails(source, optimised[i],
                    WORDS("4:", "error", "far", "c[2][4]", "outside", number, value));
}

static void constants(void)
{
    need_sluice();
    refused("[0][4]", "index 2", ": 4"); /* the flat index is that of c[1][0] */
    refused("[0][5]", "index 2", ": 5");
    refused("[1][4]", "index 2", ": 4");
    refused("[1][-1]", "index 2", ": -1");
    refused("[2][0]", "index 1", ": 2");
    refused("[-1][3]", "index 1", ": -1");
}

/* What launches never come to is no error, however it is written. */
static void never_reached(void)
{
    static const char source[] =
        CHANNELS "channel uint c[3] __attribute__((depth(8)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (int k = 0; k < 3; k++)\n"
                 "        if (k < 2) write_channel_intel(c[k + 1], k + 1);\n"
                 "    write_channel_intel(c[0], 0);\n"
                 "    if (0) write_channel_intel(c[7], 1);\n"
                 "    const int far = 9;\n"
                 "    if (far < 3) write_channel_intel(c[far], 1);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c[i]);\n"
                 "}\n";
    need_sluice();
    for (size_t i = 0; i < LEN(optimised); i++)
        program_expect(built(source, optimised[i]), "src dst", 3, want_same);
}

/* ---- at run time ----------------------------------------------------------------------------- */

/* All read what they have written, at line 6; o[0] becomes 7. Line 3 is for a helper. */
#define KERNEL(channels, helper, name, before, operations)                                         \
    {name, CHANNELS channels "\n" helper "\n"                                                      \
                             "kernel void " name "(global uint *o, int n, int k) {\n" before       \
                             "\n" operations "\n}\n"}
#define ROWS "channel uint c[2][4] __attribute__((depth(4)));"
#define DEEP "typedef struct { uint a[3]; } big; channel big e[2][1][3] __attribute__((depth(4)));"

static const struct form {
    const char *name, *source;
} forms[] = {
    KERNEL(ROWS, "", "row", "",
           "write_channel_intel(c[n][k], 7); o[0] = read_channel_intel(c[n][k]);"),
    KERNEL(ROWS, "uint take(channel uint r[4], int k) { return read_channel_intel(r[k]); }",
           "helper", "write_channel_intel(c[n][k & 3], 7);", "o[0] = take(c[n], k);"),
    KERNEL("channel uchar d[3] __attribute__((depth(4)));", "", "bytes", "bool fine;",
           "write_channel_nb_intel(d[k], 7); o[0] = read_channel_nb_intel(d[k], &fine);"),
    KERNEL(DEEP, "", "deep", "big v = {{1, 2, 4}};",
           "write_channel_intel(e[n][0][k], v); v = read_channel_intel(e[n][0][k]);"
           " o[0] = v.a[0] + v.a[1] + v.a[2];"),
    KERNEL(DEEP, "", "middle", "big v = {{1, 2, 4}};",
           "write_channel_intel(e[0][n][k], v); o[0] = read_channel_intel(e[0][n][k]).a[2] + 3;"),
    KERNEL(ROWS, "", "looped", "for (int i = n; i <= k; i++)",
           "write_channel_intel(c[1][i], 7); o[0] = read_channel_intel(c[1][k]);"),
    KERNEL(ROWS, "", "items", "int i = get_global_id(0) + k;",
           "write_channel_intel(c[n][i], 7); o[0] = read_channel_intel(c[n][i]);"),
    KERNEL("pipe uint p[5] __attribute__((depth(4)));", "", "piped", "uint v = 7;",
           "write_pipe(p[k], &v); v = 0; read_pipe(p[k], &v); o[0] = v;"),
};

static const struct form *form_of(const char *name)
{
    const struct form *form = forms;
    while (strcmp(form->name, name))
        form++;
    return form;
}

struct launch {
    const char *form;
    int n, k;
    const char *line, *words, *value; /* line NULL: it is fine */
};

static void launch(cl_program program, const struct launch *row)
{
    const size_t one = 1;
    cl_event event;
    cl_kernel kernel = kernel_of(program, row->form);
    cl_mem out = new_uints(1);
    ARG(kernel, 0, out);
    ARG(kernel, 1, row->n);
    ARG(kernel, 2, row->k);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    clFinish(cl.queue);
    CHECK_EQ(event_status(event), row->line ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
    cl_uint *got = take_uints(out, 1);
    CHECK_EQ(*got, row->line ? 0 : 7);
    if (row->line)
        expect_told(WORDS(row->form, row->line, row->words, "outside", row->value));
    free(got);
    RELEASE_EVENT(event);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
}

/* Each in a program of its own; what is inside still works in it afterwards. */
static void launch_alone(const struct launch *row, const char *options)
{
    cl_program program = built(form_of(row->form)->source, options);
    launch(program, row);
    if (row->line && !strcmp(row->form, "row"))
        launch(program, &(struct launch){row->form, 1, 2, NULL, NULL, NULL});
    RELEASE_PROGRAM(program);
}

static void job_launches(void)
{
    static const struct launch rows[] = {
        {"row", 0, 0, NULL, NULL, NULL},
        {"row", 1, 3, NULL, NULL, NULL},
        {"row", 0, 4, ":6:", "index 2 of channel 'c[2][4]'", ": 4"},
        {"row", 0, 5, ":6:", "index 2 of channel 'c[2][4]'", ": 5"},
        {"row", 1, -1, ":6:", "index 2 of channel 'c[2][4]'", ": -1"},
        {"row", 2, 0, ":6:", "index 1 of channel 'c[2][4]'", ": 2"},
        {"row", -1, 3, ":6:", "index 1 of channel 'c[2][4]'", ": -1"},
        {"row", INT_MIN, 3, ":6:", "index 1 of channel 'c[2][4]'", ": -2147483648"},
        {"row", 1, INT_MAX, ":6:", "index 2 of channel 'c[2][4]'", ": 2147483647"},
        {"helper", 1, 2, NULL, NULL, NULL},
        {"helper", 0, 4, ":3:", "index 2 of channel 'c[2][4]'", ": 4"},
        {"helper", 1, -4, ":3:", "index 2 of channel 'c[2][4]'", ": -4"},
        {"helper", 2, 0, ":5:", "index 1 of channel 'c[2][4]'", ": 2"},
        {"bytes", 0, 2, NULL, NULL, NULL},
        {"bytes", 0, 3, ":6:", "the index of channel 'd[3]'", ": 3"},
        {"bytes", 0, -1, ":6:", "the index of channel 'd[3]'", ": -1"},
        {"deep", 1, 2, NULL, NULL, NULL},
        {"deep", 1, 3, ":6:", "index 3 of channel 'e[2][1][3]'", ": 3"},
        {"deep", 2, 0, ":6:", "index 1 of channel 'e[2][1][3]'", ": 2"},
        {"middle", 0, 1, NULL, NULL, NULL},
        {"middle", 1, 1, ":6:", "index 2 of channel 'e[2][1][3]'", ": 1"},
        {"looped", 3, 3, NULL, NULL, NULL},
        {"looped", 2, 4, ":6:", "index 2 of channel 'c[2][4]'", ": 4"},
        {"items", 0, 3, NULL, NULL, NULL},
        {"items", 0, 4, ":6:", "index 2 of channel 'c[2][4]'", ": 4"},
        {"piped", 0, 4, NULL, NULL, NULL},
        {"piped", 0, 5, ":6:", "the index of pipe 'p[5]'", ": 5"},
    };
    open_heard(on_notice);
    for (size_t o = 0; o < LEN(optimised); o++)
        for (size_t i = 0; i < LEN(rows); i++)
            launch_alone(&rows[i], optimised[o]);
    env_close(1);
}

/* Nobody has launched it: the callback is told, and the host's kernel ends as one that nobody will
 * serve. */
static void job_autorun(void)
{
    static const char source[] =
        CHANNELS "channel int in __attribute__((depth(4)));\n"
                 "channel int q[3] __attribute__((depth(4)));\n"
                 "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
                 "kernel void route() {\n"
                 "    int v = read_channel_intel(in);\n"
                 "    write_channel_intel(q[v], v);\n"
                 "}\n"
                 "kernel void host(global uint *o, int n, int k) {\n"
                 "    for (int i = 0; i <= n; i++) {\n"
                 "        write_channel_intel(in, i);\n"
                 "        o[0] = read_channel_intel(q[i % 3]) + k;\n"
                 "    }\n"
                 "}\n";
    open_heard(on_notice);
    cl_program program = built(source, "");
    launch(program, &(struct launch){"host", 2, 5, NULL, NULL, NULL});
    RELEASE_PROGRAM(program);
    program = built(source, "");
    cl_kernel kernel = kernel_of(program, "host");
    cl_mem out = new_uints(1);
    const int n = 3, k = 0;
    const size_t one = 1;
    cl_event event;
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    ARG(kernel, 2, k);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    CHECK_OK(clFlush(cl.queue));
    expect_told(WORDS("kernel route stopped", ":7:", "the index of channel 'q[3]'", ": 3"));
    clWaitForEvents(1, &event);
    CHECK(event_status(event) < 0);
    RELEASE_EVENT(event);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(out);
    env_close(1);
}

static void outside(void)
{
    need_sluice();
    child_ends(&(struct child_plan){.job = "job_launches"}, 0);
}

static void autorun(void)
{
    const char *env[] = {"SLUICE_FPGA_ON_STALL=error", "SLUICE_FPGA_STALL_MS=200", NULL};
    need_sluice();
    child_ends(&(struct child_plan){.job = "job_autorun", .env = env}, 0);
}

/* A line on stderr though nobody asked for a log: clFinish says nothing of it. */
static void said_by_default(void)
{
    const char *env[] = {"SLUICE_LOG", "SLUICE_LOG_FILE", NULL};
    need_sluice();
    struct child child = child_run(&(struct child_plan){.job = "job_launches", .env = env});
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, "kernel row stopped: ") &&
          strstr(child.err, "index 2 of channel 'c[2][4]' is outside of the array: 4"));
    child_finish(&child);
}

static const struct test_case cases[] = {CASE(constants), CASE(never_reached), CASE(outside),
                                         CASE(autorun), CASE(said_by_default)};
static const struct test_case jobs[] = {CASE(job_launches), CASE(job_autorun)};
JOBS_MAIN("bounds", cases, jobs)
