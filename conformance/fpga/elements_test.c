/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements of arrays of channels kernels use, told before they run: indices of every kind,
 * with and without an optimiser. What can be told is not refused and needs no warning; who uses the
 * same end for sure is refused; what nobody can tell is a warning, and an error of the launch when
 * two kernels do come to the same end.
 */
#include "flow.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const levels[] = {"", "-cl-opt-disable"};

/* ---- shapes ---------------------------------------------------------------------------------- */

enum { ROUNDS = 24, MOST = 256 };

struct trace { /* of writes */
    cl_uint elements[MOST];
    cl_uint count;
};

/* What the texts are made of, in C. */
#define PUT(e) put(trace, (cl_uint)(e))
#define TABLE(...) {__VA_ARGS__}
#define PAIR struct pair
#define MAKE_PAIR(a, b) ((struct pair){a, b})
#define EACH_ROUND for (int i = 0; i < n; i++)
#define ONCE
typedef unsigned char uchar;
struct pair {
    int x, y;
};
struct at {
    int a, b;
};
static const int table[4] = {1, 3, 0, 2};

static void put(struct trace *trace, cl_uint element)
{
    REQUIRE(trace->count < MOST);
    trace->elements[trace->count++] = element;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int clamp(int a, int low, int high)
{
    return max(min(a, high), low);
}

static int low_bits(int i)
{
    return i & 3;
}

static void split(int i, int *r)
{
    *r = (i >> 1) & 3;
}

/* The same in OpenCL C. */
static const char prologue[] =
    CHANNELS "channel uint c[8] __attribute__((depth(4)));\n"
             "#define PUT(e) write_channel_intel(c[e], v++)\n"
             "#define TABLE(a, b, c, d) {a, b, c, d}\n"
             "#define PAIR int2\n"
             "#define MAKE_PAIR(a, b) ((int2)(a, b))\n"
             "#define EACH_ROUND for (int i = 0; i < n; i++)\n"
             "#define ONCE\n"
             "struct at { int a, b; };\n"
             "constant int table[4] = {1, 3, 0, 2};\n"
             "int low_bits(int i) { return i & 3; }\n"
             "void split(int i, int *r) { *r = (i >> 1) & 3; }\n"
             "kernel void drain(global uint *o, global const uint *e, int m) {\n"
             "    for (int k = 0; k < m; k++) o[k] = read_channel_intel(c[e[k]]);\n"
             "}\n";

#define SHAPE(name, loop, first, second)                                                           \
    static void first_##name(struct trace *trace, int n)                                           \
    {                                                                                              \
        (void)n;                                                                                   \
        loop                                                                                       \
        {                                                                                          \
            first;                                                                                 \
        }                                                                                          \
    }                                                                                              \
    static void second_##name(struct trace *trace, int n)                                          \
    {                                                                                              \
        (void)n;                                                                                   \
        loop                                                                                       \
        {                                                                                          \
            second;                                                                                \
        }                                                                                          \
    }
#include "shapes.h"
#undef SHAPE

struct shape {
    const char *name, *loop, *first, *second;
    void (*run_first)(struct trace *, int n);
    void (*run_second)(struct trace *, int n);
};
#undef EACH_ROUND
#undef ONCE
#define SHAPE(name, loop, first, second)                                                           \
    {#name, #loop, #first, #second, first_##name, second_##name},
static const struct shape shapes[] = {
#include "shapes.h"
};
#undef SHAPE

static void add_writer(struct text *text, const char *name, const char *loop, const char *body)
{
    text_add(text, "kernel void %s(int n) { uint v = %u; %s { %s; } }\n", name,
             *name == 'l' ? 0u : 1000u, loop, body);
}

/* In the order of both writers' turns. */
static cl_uint merge(const struct trace *low, const struct trace *high, cl_uint *elements,
                     cl_uint *values)
{
    cl_uint count = 0;
    for (cl_uint k = 0; k < low->count || k < high->count; k++) {
        if (k < low->count) {
            elements[count] = low->elements[k];
            values[count++] = k;
        }
        if (k < high->count) {
            elements[count] = high->elements[k];
            values[count++] = 1000 + k;
        }
    }
    return count;
}

static void expect_values(const struct shape *shape, const char *options, cl_mem out,
                          const cl_uint *values, cl_uint count)
{
    cl_uint *got = take_uints(out, count);
    for (cl_uint k = 0; k < count; k++)
        if (got[k] != values[k]) {
            check_fail(__FILE__, __LINE__, "%s %s: packet %u is %u and not %u", shape->name,
                       options, k, got[k], values[k]);
            break;
        }
    free(got);
}

static void run_shape(const struct shape *shape, struct flow *flow, const char *options)
{
    struct trace low = {.count = 0}, high = {.count = 0};
    cl_uint elements[2 * MOST], values[2 * MOST];
    const cl_int n = ROUNDS;
    shape->run_first(&low, n);
    shape->run_second(&high, n);
    const cl_uint count = merge(&low, &high, elements, values);
    cl_mem out = new_uints(count);
    cl_mem order = new_buffer(CL_MEM_COPY_HOST_PTR, count * sizeof *elements, elements);
    ARG(flow_add(flow, "low"), 0, n);
    ARG(flow_add(flow, "high"), 0, n);
    cl_kernel drain = flow_add(flow, "drain");
    ARG(drain, 0, out);
    ARG(drain, 1, order);
    ARG(drain, 2, count);
    flow_run(flow);
    expect_values(shape, options, out, values, count);
    RELEASE_MEM(order);
    RELEASE_MEM(out);
}

static void shapes_are_told(void)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t level = 0; level < 2; level++) {
            const struct shape *shape = &shapes[s];
            struct text text = {0};
            text_add(&text, "%s", prologue);
            add_writer(&text, "low", shape->loop, shape->first);
            add_writer(&text, "high", shape->loop, shape->second);
            struct flow *flow = flow_open(text.at, levels[level]);
            char *log = build_log(flow->program);
            if (is_sluice() && strstr(log, "two kernels"))
                check_fail(__FILE__, __LINE__, "%s %s: %s", shape->name, levels[level], log);
            free(log);
            run_shape(shape, flow, levels[level]);
            flow_close(flow);
            free(text.at);
        }
}

/* ---- more than one dimension, and who runs --------------------------------------------------- */

/* Both levels of optimisation: the log has none of the words, and o[i] is want(i). */
static void told_and_right(const char *source, const char *names, cl_uint n,
                           cl_uint (*want)(cl_uint))
{
    for (size_t level = 0; level < 2; level++) {
        cl_program program = built(source, levels[level]);
        char *log = build_log(program);
        if (is_sluice() && strstr(log, "warning"))
            check_fail(__FILE__, __LINE__, "%s: %s", levels[level], log);
        free(log);
        program_expect(program, names, n, want);
        RELEASE_PROGRAM(program);
    }
}

static cl_uint want_rows(cl_uint i)
{
    return i % 2 ? 100 + i / 2 : i / 2;
}

static void rows(void)
{
    told_and_right(
        CHANNELS "channel uint c[2][4] __attribute__((depth(4)));\n"
                 "kernel void a(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n / 2; i++) write_channel_intel(c[0][i & 3], i);\n"
                 "}\n"
                 "kernel void b(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n / 2; i++) write_channel_intel(c[1][i & 3], 100 + i);\n"
                 "}\n"
                 "kernel void out(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n / 2; i++) {\n"
                 "        o[2 * i] = read_channel_intel(c[0][i & 3]);\n"
                 "        o[2 * i + 1] = read_channel_intel(c[1][i & 3]);\n"
                 "    }\n"
                 "}\n",
        "a b out", 94, want_rows);
}

/* Kernels that differ in the middle index only, or in the last one, or in all of them together. */
static void inner_dimensions(void)
{
    static const char *const ways[][2] = {
        {"[i & 1][1][(i >> 1) & 3]", "[i & 1][2][(i >> 1) & 3]"},
        {"[i & 1][i % 3][(i & 1) * 2]", "[i & 1][i % 3][(i & 1) * 2 + 1]"},
        {"[i & 1][0][i & 1]", "[i & 1][0][1 - (i & 1)]"},
    };
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct text text = {0};
        text_add(&text,
                 CHANNELS "channel uint c[2][3][4] __attribute__((depth(4)));\n"
                          "kernel void a(global uint *o, uint n) {\n"
                          "    for (int i = 0; i < n / 2; i++) write_channel_intel(c%s, i);\n"
                          "}\n"
                          "kernel void b(global uint *o, uint n) {\n"
                          "    for (int i = 0; i < n / 2; i++) write_channel_intel(c%s, 100 + i);\n"
                          "}\n"
                          "kernel void out(global uint *o, uint n) {\n"
                          "    for (int i = 0; i < n / 2; i++) {\n"
                          "        o[2 * i] = read_channel_intel(c%s);\n"
                          "        o[2 * i + 1] = read_channel_intel(c%s);\n"
                          "    }\n"
                          "}\n",
                 ways[w][0], ways[w][1], ways[w][0], ways[w][1]);
        told_and_right(text.at, "a b out", 66, want_rows);
        free(text.at);
    }
}

/* Loops that are too long for any compiler to write out. */
static void halves(void)
{
    told_and_right(CHANNELS "channel uint c[700];\n"
                            "kernel void low(global uint *o, uint n) {\n"
                            "    for (int i = 0; i < 301; i++) write_channel_intel(c[i], i);\n"
                            "}\n"
                            "kernel void high(global uint *o, uint n) {\n"
                            "    for (int i = 699; i >= 301; i--) write_channel_intel(c[i], i);\n"
                            "}\n"
                            "kernel void out(global uint *o, uint n) {\n"
                            "    for (int i = 0; i < 700; i++) o[i] = read_channel_intel(c[i]);\n"
                            "}\n",
                   "low high out", 700, want_same);
}

static cl_uint want_units(cl_uint i)
{
    return 10 * (i / 3) + i % 3;
}

static void a_row_for_each_unit(void)
{
    static const char *const ways[] = {"[u][k & 1]", "[u][k % 2]", "[u][k++ > 5]",
                                       "[2 - (2 - u)][0]"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct text text = {0};
        bool moves = strstr(ways[w], "++"), one = strstr(ways[w], "[0]");
        text_add(&text,
                 CHANNELS
                 "channel uint in[3][2] __attribute__((depth(4)));\n"
                 "channel uint out[3] __attribute__((depth(4)));\n"
                 "__attribute__((autorun, max_global_work_dim(0), num_compute_units(3)))\n"
                 "kernel void unit(void) {\n"
                 "    int u = get_compute_id(0);\n"
                 "    for (int k = 0;;%s)\n"
                 "        write_channel_intel(out[u], read_channel_intel(in%s) + u);\n"
                 "}\n"
                 "kernel void feed(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n / 3; i++)\n"
                 "        for (int u = 0; u < 3; u++)\n"
                 "            write_channel_intel(in[u][%s], 10 * i);\n"
                 "}\n"
                 "kernel void take(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n; i++) o[i] = read_channel_intel(out[i %% 3]);\n"
                 "}\n",
                 moves ? "" : " k++", ways[w],
                 moves ? "i > 5"
                 : one ? "i & 0"
                       : "i & 1");
        for (size_t level = 0; level < 2; level++) {
            cl_program program = built(text.at, levels[level]);
            char *log = build_log(program);
            CHECK(!strstr(log, "compute units"));
            free(log);
            program_expect(program, "feed take", 63, want_units);
            RELEASE_PROGRAM(program);
        }
        free(text.at);
    }
}

/* Every third element from its own on. */
static void units_in_steps(void)
{
    static const char source[] =
        CHANNELS "channel uint in[12] __attribute__((depth(4)));\n"
                 "channel uint out[3] __attribute__((depth(4)));\n"
                 "__attribute__((autorun, max_global_work_dim(0), num_compute_units(3)))\n"
                 "kernel void unit(void) {\n"
                 "    for (int i = get_compute_id(0); i < 12; i += 3)\n"
                 "        write_channel_intel(out[i % 3], read_channel_intel(in[i]) + i % 3);\n"
                 "}\n"
                 "kernel void feed(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n; i++) write_channel_intel(in[i % 12], 10 * (i / 3));\n"
                 "}\n"
                 "kernel void take(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n; i++) o[i] = read_channel_intel(out[i % 3]);\n"
                 "}\n";
    told_and_right(source, "feed take", 60, want_units);
}

/* Ids of groups whose size is known. */
static void items(void)
{
    static const char source[] =
        CHANNELS "channel uint c[8] __attribute__((depth(16)));\n"
                 "__attribute__((reqd_work_group_size(4, 1, 1)))\n"
                 "kernel void a(global uint *o, uint n) {\n"
                 "    write_channel_intel(c[get_local_id(0)], get_global_id(0));\n"
                 "}\n"
                 "__attribute__((reqd_work_group_size(1, 4, 1)))\n"
                 "kernel void b(global uint *o, uint n) {\n"
                 "    write_channel_intel(c[4 + get_local_id(1)], 100 + get_global_id(1));\n"
                 "}\n"
                 "kernel void out(global uint *o, uint n) {\n"
                 "    for (int i = 0; i < n; i++)\n"
                 "        o[i] = read_channel_intel(c[(i / 2) % 4 + 4 * (i & 1)]);\n"
                 "}\n";
    for (size_t level = 0; level < 2; level++) {
        cl_program program = built(source, levels[level]);
        char *log = build_log(program);
        CHECK(!strstr(log, "warning"));
        free(log);
        cl_mem out = new_uints(32);
        struct flow *flow = flow_of(program);
        cl_kernel drain = flow_add(flow, "out");
        cl_kernel kernels[] = {kernel_of(program, "a"), kernel_of(program, "b")};
        ARG(drain, 0, out);
        ARG(drain, 1, (cl_uint){32});
        flow_start(flow);
        for (int k = 0; k < 2; k++) {
            const size_t global[] = {k ? 1 : 16, k ? 16 : 1};
            ARG(kernels[k], 0, out);
            ARG(kernels[k], 1, (cl_uint){32});
            run_nd(kernels[k], 2, NULL, global, NULL);
            RELEASE_KERNEL(kernels[k]);
        }
        flow_finish(flow);
        expect_uints(out, 32, want_rows);
        RELEASE_MEM(out);
        flow_close(flow);
    }
}

/* Rows as parameters, and what a helper is told to leave out. */
static void through_helpers(void)
{
    told_and_right(
        CHANNELS
        "channel uint c[2][4] __attribute__((depth(4)));\n"
        "void put(channel uint row[4], int i, uint v) { write_channel_intel(row[i & 3], v); }\n"
        "uint get(channel uint row[4], int i) { return read_channel_intel(row[i & 3]); }\n"
        "void put_one(int which, int i, uint v) {\n"
        "    if (which == 0) put(c[0], i, v);\n"
        "    else put(c[1], i, v);\n"
        "}\n"
        "kernel void a(global uint *o, uint n) {\n"
        "    for (int i = 0; i < n / 2; i++) put_one(0, i, i);\n"
        "}\n"
        "kernel void b(global uint *o, uint n) {\n"
        "    for (int i = 0; i < n / 2; i++) put_one(1, i, 100 + i);\n"
        "}\n"
        "kernel void out(global uint *o, uint n) {\n"
        "    for (int i = 0; i < n; i++) o[i] = get(c[i & 1], i >> 1);\n"
        "}\n",
        "a b out", 50, want_rows);
}

static void program_scope_pipes(void)
{
    if (!is_sluice())
        check_skip("no program-scope pipes in OpenCL C");
    told_and_right("pipe uint c[2][4] __attribute__((depth(4), blocking));\n"
                   "kernel void a(global uint *o, uint n) {\n"
                   "    for (uint i = 0; i < n / 2; i++) write_pipe(c[0][i & 3], &i);\n"
                   "}\n"
                   "kernel void b(global uint *o, uint n) {\n"
                   "    for (uint i = 100; i < n / 2 + 100; i++) write_pipe(c[1][i & 3], &i);\n"
                   "}\n"
                   "kernel void out(global uint *o, uint n) {\n"
                   "    for (uint i = 0; i < n / 2; i++) {\n"
                   "        read_pipe(c[0][i & 3], &o[2 * i]);\n"
                   "        read_pipe(c[1][i & 3], &o[2 * i + 1]);\n"
                   "    }\n"
                   "}\n",
                   "a b out", 94, want_rows);
}

/* ---- who uses the same end for sure ---------------------------------------------------------- */

static void refused(const char *first, const char *second, const char *element)
{
    struct text text = {0};
    text_add(&text,
             CHANNELS "channel uint c[8] __attribute__((depth(4)));\n"
                      "kernel void left(int n) { %s; }\n"
                      "kernel void right(int n) { %s; }\n"
                      "kernel void all(global uint *o) {\n"
                      "    for (int k = 0; k < 8; k++) o[k] = read_channel_intel(c[k]);\n"
                      "}\n",
             first, second);
    for (size_t level = 0; level < 2; level++)
        build_fails(text.at, levels[level],
                    WORDS("is written by two kernels", element, "left", "right", ":3:", ":4:"));
    free(text.at);
}

static void same_ends_are_refused(void)
{
    if (!is_sluice())
        check_skip("not refused");
#define WRITE(e) "write_channel_intel(c[" #e "], 1)"
    refused(WRITE(3), WRITE(3), "'c[3]'");
    refused("if (n) " WRITE(2), "if (!n) " WRITE(2), "'c[2]'");
    refused("for (int k = 0; k < 4; k++) " WRITE(k), WRITE(2), "'c[2]'");
    refused("for (int k = 0; k < 4; k++) " WRITE(k), "for (int k = 7; k >= 3; k--) " WRITE(k),
            "'c[3]'");
    refused("for (int k = 0; k < 8; k += 2) " WRITE(k), "for (int k = 0; k < 8; k += 3) " WRITE(k),
            "'c[0]'");
    refused("for (int k = 1; k < 8; k += 2) " WRITE(k), "for (int k = 0; k < 8; k += 3) " WRITE(k),
            "'c[3]'");
    refused("for (int k = 0; k < 4; k++) if (k != 2) " WRITE(k + 1), WRITE(4), "'c[4]'");
    refused("for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) " WRITE(a * 4 + b), WRITE(5),
            "'c[5]'");
#undef WRITE
}

static void units_without_a_row(void)
{
    if (!is_sluice())
        check_skip("not refused");
    for (size_t level = 0; level < 2; level++)
        build_fails(CHANNELS
                    "channel uint in[3][2];\n"
                    "channel uint out[3];\n"
                    "__attribute__((autorun, max_global_work_dim(0), num_compute_units(3)))\n"
                    "kernel void unit(void) {\n"
                    "    int u = get_compute_id(0);\n"
                    "    write_channel_intel(out[u], read_channel_intel(in[u / 2][1]));\n"
                    "}\n",
                    levels[level],
                    WORDS("'in[0][1]' is read by two compute units", "'unit'", "'unit.1'",
                          "get_compute_id()"));
}

/* ---- what nobody can tell -------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the notice */
static char last_notice[1024];

static void CL_CALLBACK on_notice(const char *text, const void *info, size_t bytes, void *data)
{
    (void)info;
    (void)bytes;
    (void)data;
    pthread_mutex_lock(&lock);
    if (strstr(text, "stopped"))
        snprintf(last_notice, sizeof last_notice, "%s", text);
    pthread_mutex_unlock(&lock);
}

static void replace_context(cl_context context)
{
    RELEASE_QUEUE(cl.queue);
    RELEASE_CONTEXT(cl.context);
    cl.context = context;
    cl.queue = new_queue(0);
}

/* It may come later than the launch ends. */
static void check_notice(const char *const *words)
{
    char text[sizeof last_notice] = "";
    for (int turn = 0; turn < 1000 && !*text; turn++) {
        pthread_mutex_lock(&lock);
        memcpy(text, last_notice, sizeof text);
        *last_notice = 0;
        pthread_mutex_unlock(&lock);
        usleep(2000);
    }
    for (; *words; words++)
        if (!strstr(text, *words))
            check_fail(__FILE__, __LINE__, "the notice lacks \"%s\": %s", *words, text);
}

static const char open_source[] = CHANNELS
    "channel uint c[4][2] __attribute__((depth(8)));\n"                     /* line 2 */
    "kernel void left(int i, int j) { write_channel_intel(c[i][j], 7); }\n" /* 3 */
    "kernel void right(int i, int j) {\n"
    "    if (i > 0) write_channel_intel(c[i][j & 1], 8);\n" /* 5 */
    "    if (j > 9) write_channel_intel(c[0][0], 9);\n"     /* 6 */
    "}\n"
    "kernel void take(global uint *o, int i, int j) { *o = read_channel_intel(c[i][j]); }\n";

static cl_int put_at(cl_program program, const char *name, cl_int i, cl_int j)
{
    cl_kernel kernel = kernel_of(program, name);
    cl_event event;
    const size_t one = 1;
    ARG(kernel, 0, i);
    ARG(kernel, 1, j);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    clFinish(cl.queue);
    cl_int status = event_status(event);
    RELEASE_EVENT(event);
    RELEASE_KERNEL(kernel);
    return status;
}

static cl_uint take_from(cl_program program, cl_int i, cl_int j)
{
    cl_uint value = 0;
    cl_kernel kernel = kernel_of(program, "take");
    cl_mem out = new_uints(1);
    const size_t one = 1;
    ARG(kernel, 0, out);
    ARG(kernel, 1, i);
    ARG(kernel, 2, j);
    run_nd(kernel, 1, NULL, &one, NULL);
    read_back(out, sizeof value, &value);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
    return value;
}

static void found_out_at_run_time(void)
{
    if (!is_sluice())
        check_skip("not checked");
    for (size_t level = 0; level < 2; level++) {
        cl_int rc;
        cl_context listening = clCreateContext(NULL, 1, &cl.device, on_notice, NULL, &rc);
        REQUIRE_OK(rc);
        replace_context(listening);
        cl_program program = built(open_source, levels[level]);
        char *log = build_log(program);
        if (!strstr(log, ":5:16: warning: channel 'c[1][0]' (and 5 more of the array) may be "
                         "written by two kernels: by 'right' here, and by 'left' at ") ||
            strstr(log, "never"))
            check_fail(__FILE__, __LINE__, "%s", log);
        free(log);
        CHECK_EQ(put_at(program, "left", 1, 0), CL_COMPLETE);
        CHECK_EQ(put_at(program, "right", 1, 1), CL_COMPLETE);
        CHECK_EQ(put_at(program, "right", 2, 0), CL_COMPLETE);
        CHECK_EQ(put_at(program, "left", 1, 0), CL_COMPLETE);
        CHECK_EQ(take_from(program, 1, 0), 7);
        CHECK_EQ(take_from(program, 1, 1), 8);
        CHECK_EQ(put_at(program, "left", 2, 0), -5);
        CHECK_EQ(take_from(program, 2, 0), 8);
        CHECK_EQ(put_at(program, "right", 3, 0), CL_COMPLETE);
        check_notice(WORDS("kernel left stopped", "writes channel 'c[2][0]' at ",
                           ":3:", "kernel right has written at ", ":5:16"));
        RELEASE_PROGRAM(program);
        replace_context(new_context());
    }
}

/* Code is simplified to find elements, by LLVM, which would print such words by functions of C that
 * no device has. */
static const char print_source[] = CHANNELS
    "channel uint c[4];\n"
    "kernel void put(int i) {\n"
    "    printf(\"begins\\n\"); printf(\"%s\\n\", \"goes\"); printf(\"%c\", 'o'); printf(\"n\");\n"
    "    write_channel_intel(c[i & 3], 7);\n"
    "}\n";

static void beside_printf(void)
{
    for (size_t level = 0; level < 2; level++)
        RELEASE_PROGRAM(built(print_source, levels[level]));
}

static const struct test_case cases[] = {
    CASE(shapes_are_told),
    CASE(rows),
    CASE(inner_dimensions),
    CASE(halves),
    CASE(a_row_for_each_unit),
    CASE(units_in_steps),
    CASE(items),
    CASE(through_helpers),
    CASE(program_scope_pipes),
    CASE(same_ends_are_refused),
    CASE(units_without_a_row),
    CASE(found_out_at_run_time),
    CASE(beside_printf),
};
TEST_MAIN("elements", cases)
