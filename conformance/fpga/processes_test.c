/* SPDX-License-Identifier: Apache-2.0 */
/* AMD's xcl_dataflow: calls that run at the same time compute what they compute one after the
 * other, and what could not is told at its place and is not divided. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

/* What kernels of (global uint *o, uint n) leave, from (i * i + 3) as the first function makes it.
 */
static cl_uint squares(cl_uint i)
{
    return i * i + 3;
}

static cl_uint doubled(cl_uint i)
{
    return 2 * squares(i) + 1;
}

#define FLOW "__attribute__((xcl_dataflow))\n"
#define STAGES                                                                                     \
    "void make(uint *to, uint from, uint n) {\n"                                                   \
    "    for (uint i = 0; i < n; i++) to[i] = (from + i) * (from + i) + 3;\n"                      \
    "}\n"                                                                                          \
    "void twice(uint *to, const uint *from, uint n) {\n"                                           \
    "    for (uint i = 0; i < n; i++) to[i] = 2 * from[i] + 1;\n"                                  \
    "}\n"                                                                                          \
    "void store(global uint *o, const uint *from, uint n) {\n"                                     \
    "    for (uint i = 0; i < n; i++) o[i] = from[i];\n"                                           \
    "}\n"

/* ---- the same values ------------------------------------------------------------------------- */

/* Each body is the whole of kernel k; o[i] is doubled(i). `loop`: it has the attribute inside. */
static const struct {
    const char *body;
    bool inside;
} good[] = {
    {"uint a[1000], b[1000]; make(a, 0, n); twice(b, a, n); store(o, b, n);", false},
    /* through a pipe that holds less */
    {"send(n); take(o, n);", false},
    {"send(n); through(n); take_on(o, n);", false},
    /* a structure by value, a number by its address, an address that is kept, halves of an array */
    {"struct range r = {0, n}; uint a[1000]; make_range(a, r); double_range(o, a, r);", false},
    {"uint a[1000], b[1000], m = n; make_some(a, &m); twice(b, a, n); store(o, b, n);", false},
    {"uint a[1000], b[1000]; uint *p = a; make(p, 0, n); twice(b, p, n); store(o, b, n);", false},
    {"uint a[2][500], b[2][500]; make(a[0], 0, n / 2); make(a[1], n / 2, n / 2);\n"
     "twice(b[0], a[0], n / 2); twice(b[1], a[1], n / 2); store(o, b[0], n / 2);\n"
     "store(o + n / 2, b[1], n / 2);",
     false},
    /* what a builtin or a small function says */
    {"uint a[1000], b[1000]; uint m = least(n, 1000u); make(a, 0, m); twice(b, a, min(m, n));\n"
     "store(o, b, m); return;",
     false},
    /* what one writes that another one reads is the same memory twice */
    {"uint a[1000]; make(a, 0, n); twice(a, a, n); store(o, a, n);", false},
    {"local uint a[1000]; make_local(a, n); store_local(o, a, n);", false},
    /* loops: arrays of a round, one that outlives it, and all in global memory */
    {"FLOW for (uint k = 0; k < n; k += 50) { uint a[50], b[50]; make(a, k, 50);\n"
     "twice(b, a, 50); store(o + k, b, 50); }",
     true},
    {"uint a[50]; FLOW for (uint k = 0; k < n; k += 50) { uint b[50]; make(a, k, 50);\n"
     "twice(b, a, 50); store(o + k, b, 50); }",
     true},
    {"uint k = 0; FLOW while (k < n) { uint b[20]; make_global(o + k, k, 20);\n"
     "load(b, o + k, 20); twice(b, b, 20); store(o + k, b, 20); k += 20; }",
     true},
    {"for (uint j = 0; j < 4; j++) { uint end = (j + 1) * 250;\n"
     "FLOW for (uint k = j * 250; k < end; k += 50) { uint a[50], b[50]; make(a, k, 50);\n"
     "twice(b, a, 50); store(o + k, b, 50); } }",
     true},
    {"FLOW for (uint k = n; k < n; k++) { uint a[1], b[1]; make(a, k, 1); store(o, a, 1); }\n"
     "uint c[1000], d[1000]; make(c, 0, n); twice(d, c, n); store(o, d, n);",
     true},
    /* one of a kernel's loops, the result of which another part of it uses */
    {"uint all[1000]; FLOW for (uint k = 0; k < n; k += 100) { uint a[100]; make(a, k, 100);\n"
     "twice(all + k, a, 100); }\n"
     "for (uint i = 0; i < n; i++) o[i] = all[i];",
     true},
    /* a function with it, called twice by a kernel and by another one */
    {"part(o, 0, n / 2); part(o + n / 2, n / 2, n / 2);", true},
    /* one that only ends if its calls overlap: called twice, in a loop and by a helper; the same
     * for processes, each of which has it for itself */
    {"flow(o, 0, n / 2); flow(o + n / 2, n / 2, n / 2);", true},
    {"for (uint k = 0; k < n; k += 250) if (k & 1) flow(o, k, 1); else flow_on(o, k, 250);", true},
    {"flow(o, 0, n / 2); flow_on(o, n / 2, n / 2);", true},
    {"part(o, 0, n / 2); part(o + n / 2, n / 2, n / 2);", false},
    {"part_on(o, 0, n / 2); part_on(o, n / 2, n / 2);", false},
    {"part(o, 0, n / 4); FLOW for (uint k = n / 4; k < n; k += n / 4) {\n"
     "part(o + k, k, n / 8); part_on(o, k + n / 8, n / 8); }",
     true},
    /* a kernel as a function */
    {"other(o, n / 2); part(o + n / 2, n / 2, n / 2); other(o, n / 2);", true},
};

#define AROUND                                                                                     \
    STAGES "pipe uint p __attribute__((xcl_reqd_pipe_depth(16))), q "                              \
           "__attribute__((xcl_reqd_pipe_depth(16)));\n"                                           \
           "struct range { uint from, count; };\n"                                                 \
           "void send(uint n) {\n"                                                                 \
           "    for (uint i = 0; i < n; i++) { uint v = i * i + 3; write_pipe_block(p, &v); }\n"   \
           "}\n"                                                                                   \
           "void take(global uint *o, uint n) {\n"                                                 \
           "    for (uint i = 0; i < n; i++) {\n"                                                  \
           "        uint v; read_pipe_block(p, &v); o[i] = 2 * v + 1; }\n"                         \
           "}\n"                                                                                   \
           "void through(uint n) {\n"                                                              \
           "    for (uint i = 0; i < n; i++) {\n"                                                  \
           "        uint v; read_pipe_block(p, &v); v = 2 * v + 1; write_pipe_block(q, &v); }\n"   \
           "}\n"                                                                                   \
           "void take_on(global uint *o, uint n) {\n"                                              \
           "    for (uint i = 0; i < n; i++) read_pipe_block(q, &o[i]);\n"                         \
           "}\n"                                                                                   \
           "void make_range(uint *to, struct range r) { make(to, r.from, r.count); }\n"            \
           "void double_range(global uint *o, uint *from, struct range r) {\n"                     \
           "    for (uint i = 0; i < r.count; i++) o[i] = 2 * from[i] + 1;\n"                      \
           "}\n"                                                                                   \
           "void make_some(uint *to, const uint *n) { make(to, 0, *n); }\n"                        \
           "void make_local(local uint *to, uint n) {\n"                                           \
           "    for (uint i = 0; i < n; i++) to[i] = i * i + 3;\n"                                 \
           "}\n"                                                                                   \
           "void store_local(global uint *o, local uint *from, uint n) {\n"                        \
           "    for (uint i = 0; i < n; i++) o[i] = 2 * from[i] + 1;\n"                            \
           "}\n"                                                                                   \
           "void make_global(global uint *to, uint from, uint n) {\n"                              \
           "    for (uint i = 0; i < n; i++) to[i] = (from + i) * (from + i) + 3;\n"               \
           "}\n"                                                                                   \
           "void load(uint *to, global const uint *from, uint n) {\n"                              \
           "    for (uint i = 0; i < n; i++) to[i] = from[i];\n"                                   \
           "}\n"                                                                                   \
           "uint least(uint a, uint b) { return a < b ? a : b; }\n" FLOW                           \
           "void part(global uint *o, uint from, uint n) {\n"                                      \
           "    uint a[1000], b[1000]; make(a, from, n); twice(b, a, n); store(o, b, n);\n"        \
           "}\n"                                                                                   \
           "void part_on(global uint *o, uint from, uint n) { part(o + from, from, n); }\n"        \
           "void send_some(uint from, uint n) {\n"                                                 \
           "    for (uint i = 0; i < n; i++) {\n"                                                  \
           "        uint v = (from + i) * (from + i) + 3; write_pipe_block(p, &v); }\n"            \
           "}\n" FLOW                                                                              \
           "void flow(global uint *o, uint from, uint n) { send_some(from, n); take(o, n); }\n"    \
           "void flow_on(global uint *o, uint from, uint n) { flow(o + from, from, n); }\n" FLOW   \
           "kernel void other(global uint *o, uint n) {\n"                                         \
           "    uint a[1000], b[1000]; make(a, 0, n); twice(b, a, n); store(o, b, n);\n"           \
           "}\n"

static void replace_word(char *text, const char *word, const char *by)
{
    for (char *at; (at = strstr(text, word));) {
        memmove(at + strlen(by), at + strlen(word), strlen(at + strlen(word)) + 1);
        memcpy(at, by, strlen(by));
    }
}

static void good_source(char *source, size_t bytes, size_t row)
{
    static char body[2000];
    snprintf(body, sizeof body, "%s", good[row].body);
    replace_word(body, "FLOW", "__attribute__((xcl_dataflow))");
    snprintf(source, bytes, AROUND "%skernel void k(global uint *o, uint n) { %s }\n",
             good[row].inside ? "" : FLOW, body);
}

static void values(void)
{
    static char source[8000];
    if (!is_sluice())
        check_skip("AMD's words");
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        good_source(source, sizeof source, i);
        build_silent_of(source, "", WORDS("note", "warning", "error"));
        flow_expect(source, "k", N, doubled);
        flow_expect(source, "k", N, doubled);
    }
}

/* The processes are nobody's kernels. */
static void kernels_of_program(void)
{
    static char source[8000];
    size_t count = 0;
    cl_int rc;
    char names[64] = "";
    if (!is_sluice())
        check_skip("AMD's words");
    good_source(source, sizeof source, 0);
    cl_program program = built(source, "");
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    CHECK(!strcmp(names, "k;other"));
    CHECK(!clCreateKernel(program, "k.make", &rc));
    CHECK_EQ(rc, CL_INVALID_KERNEL_NAME);
    RELEASE_PROGRAM(program);
}

/* Launches that overlap have the processes one after the other, each with its own arguments. */
static void launches_at_once(void)
{
    static char source[8000];
    enum { LAUNCHES = 8 };
    cl_mem out[LAUNCHES];
    const size_t one = 1;
    if (!is_sluice())
        check_skip("AMD's words");
    good_source(source, sizeof source, 10);
    cl_program program = built(source, "");
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel kernel = kernel_of(program, "k");
    for (cl_uint i = 0; i < LAUNCHES; i++) {
        const cl_uint count = N - 50 * i;
        out[i] = new_uints(N);
        ARG(kernel, 0, out[i]);
        ARG(kernel, 1, count);
        REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    }
    REQUIRE_OK(clFinish(queue));
    for (cl_uint i = 0; i < LAUNCHES; i++) {
        expect_uints(out[i], N - 50 * i, doubled);
        RELEASE_MEM(out[i]);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
    RELEASE_PROGRAM(program);
}

/* An array of channels and an index that is outside: the process ends, and so do the launch that
 * has the region and those behind it. A program built anew is whole. */
static void a_process_is_stopped(void)
{
    static const char source[] =
        "pipe uint c[2] __attribute__((xcl_reqd_pipe_depth(16)));\n"
        "void send(uint n, uint at) {\n"
        "    for (uint i = 0; i < n; i++) write_pipe_block(c[i == 5 ? at : 0], &i);\n"
        "}\n"
        "void take(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) read_pipe_block(c[0], &o[i]);\n"
        "}\n" FLOW "kernel void k(global uint *o, uint n, uint at) { send(n, at); take(o, n); }\n";
    const size_t one = 1;
    const cl_uint count = 100, inside = 0, outside = 7;
    if (!is_sluice())
        check_skip("AMD's words");
    cl_mem out = new_uints(N);
    for (int round = 0; round < 2; round++) {
        cl_program program = built(source, "");
        cl_command_queue queue = new_queue(0);
        cl_kernel kernel = kernel_of(program, "k");
        ARG(kernel, 0, out);
        ARG(kernel, 1, count);
        for (int i = 0; i < 3; i++) {
            cl_event end;
            cl_int status = 1;
            ARG(kernel, 2, *(i == 1 ? &outside : &inside));
            REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &end));
            REQUIRE_OK(clFinish(queue));
            CHECK_OK(clGetEventInfo(end, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                    NULL));
            CHECK_EQ(status, i ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
            RELEASE_EVENT(end);
        }
        RELEASE_KERNEL(kernel);
        RELEASE_QUEUE(queue);
        RELEASE_PROGRAM(program);
    }
    RELEASE_MEM(out);
}

/* ---- what is not divided --------------------------------------------------------------------- */

#define NOTE "note: xcl_dataflow: the calls of 'k'"

static const struct {
    const char *body, *place, *why;
} wrong[] = {
    {"uint a[1000], b[1000]; make(a, 0, n);\n    if (n > 1) twice(b, a, n);\n    store(o, b, n);",
     ":2:", "branches or loops around its calls"},
    {"uint a[1000], b[1000];\n    make(a, 0, n); twice(b, a, n); o[0] = b[0]; store(o, b, n);",
     ":2:", "it uses itself what 'twice' writes"},
    {"uint a[1000], b[1000]; make(a, 0, n);\n    a[0] = 3; twice(b, a, n); store(o, b, n);",
     ":2:", "it writes itself what 'make' uses"},
    {"uint a[1000], b[1000]; make(a, 0, n); twice(b, a, n);\n    if (counted(b, n)) store(o, b, "
     "n);",
     ":2:", "branches"},
    {"uint a[1000], b[1000]; make(a, 0, n); twice(b, a, n);\n    uint m = counted(b, n); store(o, "
     "b, m);",
     ":2:", "the result of 'counted' is used"},
    {"uint a[1000], b[1000]; make(a, 0, n);\n    twice_by_id(b, a, n); store(o, b, n);",
     ":2:", "'twice_by_id' asks for work-items"},
    {"\n    send(1); take_if(o, n);", ":2:", "pipe 'p', and an operation there does not wait"},
    {"\n    all(o, n);", ":2:", "but one call"},
    {"\n    for (uint i = 0; i < n; i++) o[i] = 2 * (i * i + 3) + 1;", ":", "branches or loops"},
    {"\n    send(1); send(1); take_two(o, n);", ":2:", "'send' and something else write pipe 'p'"},
    {"uint a[1000], b[1000]; uint *both[2] = {a, b};\n    make(both[0], 0, n); twice(b, a, n); "
     "store(o, b, n);",
     ":2:", "a pointer is read from memory"},
    {"uint a[1000], b[1000]; uint *p = a; if (n > 1000) p = b;\n    __attribute__((xcl_dataflow)) "
     "for (uint j = 0; j < n; j++) { make(p, j, 1); twice(b, a, 1); store(o + j, b, 1); }",
     ":", "a pointer is one of several"},
    {"uint a[1000], b[1000]; uint *p = same(a);\n    __attribute__((xcl_dataflow)) "
     "for (uint j = 0; j < n; j++) { make(p, j, 1); twice(b, a, 1); store(o + j, b, 1); }",
     ":", "a function gives a pointer"},
    {"uint a[1000], b[1000]; struct both c = {a, b};\n    make(a, 0, n); twice_in(&c, n); "
     "store(o, b, n);",
     ":2:", "in 'twice_in' a pointer is read from memory"},
    {"uint a[1000], b[1000];\n    make(a, 0, n); twice_at(b, (ulong)a, n); store(o, b, n);",
     ":2:", "a pointer is a number"},
    {"uint a[1] = {0}, b[1000];\n    __attribute__((xcl_dataflow)) while (less(a, n)) { more(a); "
     "first(b); }\n    doubles(o, a[0]);",
     ":", "the loop's condition calls 'less'"},
};

#define AROUND_WRONG                                                                               \
    STAGES "uint counted(const uint *from, uint n) { return from[0] == 7 ? n : 0; }\n"             \
           "void twice_by_id(uint *to, const uint *from, uint n) {\n"                              \
           "    for (uint i = get_global_id(0); i < n; i++) to[i] = 2 * from[i] + 1;\n"            \
           "}\n"                                                                                   \
           "uint *same(uint *a) { return a; }\n"                                                   \
           "struct both { uint *a, *b; };\n"                                                       \
           "void twice_in(struct both *c, uint n) { twice(c->b, c->a, n); }\n"                     \
           "void twice_at(uint *to, ulong from, uint n) { twice(to, (uint *)from, n); }\n"         \
           "bool less(uint *a, uint n) { return a[0] < n; }\n"                                     \
           "void more(uint *a) { a[0]++; }\n"                                                      \
           "void first(uint *b) { b[0] = 1; }\n"                                                   \
           "void doubles(global uint *o, uint n) {\n"                                              \
           "    for (uint i = 0; i < n; i++) o[i] = 2 * (i * i + 3) + 1;\n"                        \
           "}\n"                                                                                   \
           "void all(global uint *o, uint n) {\n"                                                  \
           "    for (uint i = 0; i < n; i++) o[i] = 2 * (i * i + 3) + 1;\n"                        \
           "}\n"                                                                                   \
           "pipe uint p __attribute__((xcl_reqd_pipe_depth(16)));\n"                               \
           "void send(uint v) { write_pipe_block(p, &v); }\n"                                      \
           "void take_if(global uint *o, uint n) {\n"                                              \
           "    uint v = 0; if (read_pipe(p, &v)) v = 9;\n"                                        \
           "    for (uint i = 0; i < n; i++) o[i] = 2 * (i * i + 3) + v;\n"                        \
           "}\n"                                                                                   \
           "void take_two(global uint *o, uint n) {\n"                                             \
           "    uint a, b; read_pipe_block(p, &a); read_pipe_block(p, &b);\n"                      \
           "    for (uint i = 0; i < n; i++) o[i] = (a + b) * (i * i + 3) + 1;\n"                  \
           "}\n"

static void one_after_the_other(void)
{
    static char source[8000], place[40];
    if (!is_sluice())
        check_skip("AMD's words");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(source, sizeof source,
                 AROUND_WRONG "\n#line 1 \"k.cl\"\n" FLOW
                              "kernel void k(global uint *o, uint n) { %s }\n",
                 wrong[i].body);
        replace_word(source, FLOW, "__attribute__((xcl_dataflow)) ");
        snprintf(place, sizeof place, "k.cl%s", wrong[i].place);
        build_tells(source, "", WORDS(NOTE, wrong[i].why, place));
        flow_expect(source, "k", N, doubled);
    }
}

/* A loop of another file at the place of one that is told of is none itself: divided, it would say
 * why it is not. */
static void loops_of_other_files(void)
{
    static const char source[] =
        STAGES "#line 1 \"one.cl\"\n"
               "kernel void k(global uint *o, uint n) {\n"
               "    __attribute__((xcl_dataflow))\n"
               "    for (uint k = 0; k < n; k += 50) { uint a[50], b[50]; make(a, k, 50);\n"
               "        twice(b, a, 50); store(o + k, b, 50); }\n"
               "}\n"
               "#line 1 \"two.cl\"\n"
               "kernel void other(global uint *o, uint n) {\n"
               "\n"
               "    for (uint k = 0; k < n; k += 50) o[k] = 1;\n"
               "}\n";
    if (!is_sluice())
        check_skip("AMD's words");
    build_silent_of(source, "", WORDS("note", "warning", "error"));
    flow_expect(source, "k", N, doubled);
}

/* ---- what stands still ----------------------------------------------------------------------- */

static void job_short(void)
{
    static const char source[] =
        "pipe uint p __attribute__((xcl_reqd_pipe_depth(16)));\n"
        "void send(uint n) { for (uint i = 0; i < n; i++) write_pipe_block(p, &i); }\n"
        "void take(global uint *o, uint n) {\n"
        "    for (uint i = 0; i <= n; i++) read_pipe_block(p, &o[i]);\n"
        "}\n" FLOW "kernel void k(global uint *o, uint n) { send(n); take(o, n); }\n";
    open_watched();
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(200);
    add(flow, "k", out, 100);
    flow_start(flow);
    ends_with_errors(flow);
    check_report(WORDS("k waits to read k.take.end (empty: 0 of 1)", "for k.take",
                       "k.take waits to read p (empty: 0 of", "for k.send"));
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

static void named_in_reports(void)
{
    if (!is_sluice())
        check_skip("our report");
    stall_job("job_short", "error", NULL);
}

static const struct test_case cases[] = {
    CASE(values),
    CASE(kernels_of_program),
    CASE(launches_at_once),
    CASE(one_after_the_other),
    CASE(named_in_reports),
    CASE(a_process_is_stopped),
    CASE(loops_of_other_files),
};

static const struct test_case jobs[] = {CASE(job_short)};
JOBS_MAIN("processes", cases, jobs)
