/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Designs whose kernels run quick code for small launches and the best for others: both use the
 * same pipes, so nothing shows where one follows the other, or runs beside it. Each case has a
 * cache folder of its own.
 */
#include "flow.h"

#include <CL/cl_ext.h>
#include <CL/cl_ext_sluice.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- surroundings ---------------------------------------------------------------------------- */

static char folder[] = "/tmp/sluice-codes-XXXXXX";

static void begin_case(const char *mode)
{
    if (!is_sluice())
        check_skip("others have one code");
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    REQUIRE(mkdtemp(folder));
    setenv("SLUICE_CACHE_DIR", folder, 1);
    setenv("SLUICE_BUILD", mode, 1);
}

static void end_case(void)
{
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_EQ(system(command), 0);
    unsetenv("SLUICE_CACHE_DIR");
    unsetenv("SLUICE_BUILD");
}

/* ---- designs of blocking channels ------------------------------------------------------------ */

enum { MOST_KERNELS = 14, MOST_ENDS = 4, MOST_LINKS = 30, STEPS = 5 };

/* In each round a kernel reads a number of each of its inputs and writes one to each output. */
struct node {
    int in[MOST_ENDS], out[MOST_ENDS], ins, outs;
    cl_uint factor;
    cl_uint done; /* rounds in all launches so far */
};
struct graph {
    struct node nodes[MOST_KERNELS];
    int count, links;
    int from[MOST_LINKS], to[MOST_LINKS];
    cl_uint depth[MOST_LINKS];
    cl_uint *packets[MOST_LINKS]; /* what has to go through, from the first on */
};

static cl_uint drawn;

static cl_uint draw(cl_uint below)
{
    drawn = drawn * 1664525 + 1013904223;
    return (drawn >> 8) % below;
}

static void join(struct graph *g, int from, int to)
{
    struct node *a = &g->nodes[from], *b = &g->nodes[to];
    if (a->outs == MOST_ENDS || b->ins == MOST_ENDS || g->links == MOST_LINKS)
        return;
    int link = g->links++;
    g->from[link] = from;
    g->to[link] = to;
    g->depth[link] = 1 + draw(40);
    a->out[a->outs++] = link;
    b->in[b->ins++] = link;
}

/* Each kernel but the first reads from one before it, or several. */
static void make_graph(struct graph *g, int count)
{
    *g = (struct graph){.count = count};
    for (int k = 0; k < count; k++) {
        g->nodes[k].factor = 2 * draw(1000) + 1;
        if (k)
            join(g, k - 1 - (int)draw(k < 3 ? (cl_uint)k : 3), k);
        for (int more = (int)draw(3); k && more--;)
            join(g, (int)draw((cl_uint)k), k);
    }
}

static void write_kernel(const struct graph *g, int k, struct text *source)
{
    const struct node *node = &g->nodes[k];
    text_add(source,
             "kernel void k%d(global uint *o, uint first, uint n) {\n"
             "    for (uint i = 0; i < n; i++) {\n"
             "        uint x = (first + i) * %uu;\n",
             k, node->factor);
    for (int e = 0; e < node->ins; e++)
        text_add(source, "        x = x * 31 + read_channel_intel(c%d);\n", node->in[e]);
    for (int e = 0; e < node->outs; e++)
        text_add(source, "        write_channel_intel(c%d, x + %d);\n", node->out[e], e);
    text_add(source, "        o[i] = x;\n    }\n}\n");
}

static char *write_source(const struct graph *g)
{
    struct text source = {0};
    text_add(&source, CHANNELS);
    for (int link = 0; link < g->links; link++)
        text_add(&source, "channel uint c%d __attribute__((depth(%u)));\n", link, g->depth[link]);
    for (int k = 0; k < g->count; k++)
        write_kernel(g, k, &source);
    return source.at;
}

/* No packets are read that are not there, and there is room for all. */
static int is_possible(const struct graph *g, const cl_uint *rounds)
{
    int possible = 1;
    for (int link = 0; link < g->links; link++) {
        cl_uint written = rounds[g->from[link]], got = rounds[g->to[link]];
        possible &= got <= written && written - got <= g->depth[link];
    }
    for (int k = 0; k < g->count; k++)
        possible &= rounds[k] >= g->nodes[k].done;
    return possible;
}

/* How far each kernel goes in a step: as far as those before it, or not quite, so that packets stay
 * in between. */
static void draw_rounds(const struct graph *g, cl_uint more, cl_uint *rounds)
{
    const cl_uint all = g->nodes[0].done + more;
    for (int tries = 0; tries < 200; tries++) {
        rounds[0] = all;
        for (int k = 1; k < g->count; k++) {
            rounds[k] = all;
            for (int e = 0; e < g->nodes[k].ins; e++) {
                cl_uint there = rounds[g->from[g->nodes[k].in[e]]];
                rounds[k] = there < rounds[k] ? there : rounds[k];
            }
            rounds[k] -= draw(3) ? 0 : draw(rounds[k] < 30 ? rounds[k] : 30);
        }
        if (is_possible(g, rounds))
            return;
    }
    for (int k = 0; k < g->count; k++)
        rounds[k] = all;
}

/* The numbers of a kernel's rounds, from those of all before it. */
static void compute(struct graph *g, int k, cl_uint rounds, cl_uint *numbers)
{
    const struct node *node = &g->nodes[k];
    for (cl_uint i = 0; i < rounds; i++) {
        cl_uint x = i * node->factor;
        for (int e = 0; e < node->ins; e++)
            x = x * 31 + g->packets[node->in[e]][i];
        for (int e = 0; e < node->outs; e++)
            g->packets[node->out[e]][i] = x + (cl_uint)e;
        numbers[i] = x;
    }
}

static void check_kernel(struct graph *g, int k, cl_mem out, cl_uint rounds)
{
    struct node *node = &g->nodes[k];
    cl_uint *want = calloc(rounds + 1, sizeof *want), wrong = 0, count = rounds - node->done;
    cl_uint *got = take_uints(out, count);
    for (int e = 0; e < node->outs; e++)
        g->packets[node->out[e]] =
            realloc(g->packets[node->out[e]], (rounds + 1) * sizeof(cl_uint));
    compute(g, k, rounds, want);
    for (cl_uint i = 0; i < count; i++)
        wrong += got[i] != want[node->done + i];
    CHECK_EQ(wrong, 0);
    node->done = rounds;
    free(got);
    free(want);
}

static void run_step(struct graph *g, cl_program program, cl_uint source_rounds)
{
    cl_uint rounds[MOST_KERNELS];
    cl_mem outs[MOST_KERNELS];
    CHECK_OK(clRetainProgram(program));
    struct flow *flow = flow_of(program);
    draw_rounds(g, source_rounds, rounds);
    for (int n = 0; n < g->count; n++) {
        const int k = g->count % 5 ? (n * 5 + 3) % g->count : n; /* in an order of its own */
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        cl_uint first = g->nodes[k].done, count = rounds[k] - first;
        cl_kernel kernel = flow_add(flow, name);
        outs[k] = new_uints(count);
        ARG(kernel, 0, outs[k]);
        ARG(kernel, 1, first);
        ARG(kernel, 2, count);
    }
    flow_run(flow);
    for (int k = 0; k < g->count; k++) {
        check_kernel(g, k, outs[k], rounds[k]);
        RELEASE_MEM(outs[k]);
    }
    flow_close(flow);
}

/* Is there an executable and something behind it? */
static int is_divided(cl_program program)
{
    size_t bytes, found = 0;
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    REQUIRE(binary);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    for (const unsigned char *at = binary; at + 8 <= binary + bytes; at++)
        found += !memcmp(at, "SLUICE\r\n", 8);
    free(binary);
    return found > 1;
}

static void run_graph(cl_uint seed, int kernels, const char *mode, cl_uint most)
{
    struct graph g;
    drawn = seed * 7919 + 1;
    begin_case(mode);
    make_graph(&g, kernels);
    char *source = write_source(&g);
    cl_program program = built(source, "");
    CHECK_EQ(is_divided(program), strcmp(mode, "whole") != 0);
    for (int step = 0; step < STEPS; step++)
        run_step(&g, program, step % 2 ? most : 1 + draw(200));
    RELEASE_PROGRAM(program);
    for (int link = 0; link < g.links; link++)
        free(g.packets[link]);
    free(source);
    end_case();
}

/* Launches take turns, and neighbours begin with different codes. */
static void codes_in_turns(void)
{
    for (cl_uint seed = 1; seed <= 8; seed++)
        run_graph(seed, 2 + (int)(seed * 5 % 11), "swing", 3000);
}

static void one_code_only(void)
{
    static const char *const modes[] = {"whole", "quick", "on-demand"};
    for (size_t m = 0; m < LEN(modes); m++)
        for (cl_uint seed = 20; seed <= 22; seed++)
            run_graph(seed, 3 + (int)seed % 7, modes[m], 2000);
}

/* The rounds of every other step are more work than quick code is for. */
static void by_the_work(void)
{
    run_graph(40, 11, "auto", 400000);
    run_graph(41, 8, "auto", 300000);
}

static int files_in(const char *path)
{
    int files = 0;
    DIR *all = opendir(path);
    REQUIRE(all);
    for (struct dirent *entry; (entry = readdir(all));) {
        char inner[PATH_MAX];
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            files += entry->d_type == DT_DIR ? files_in(inner) : 1;
    }
    closedir(all);
    return files;
}

/* A design is worth its best code when its launches come to it, though no kernel does: twelve that
 * are a millisecond or two each. The code that is made is kept in the cache. */
static void by_the_sum(void)
{
    struct graph g;
    drawn = 99;
    begin_case("auto");
    make_graph(&g, 12);
    char *source = write_source(&g);
    cl_program program = built(source, "");
    CHECK(is_divided(program));
    run_step(&g, program, 100);
    const int few = files_in(folder);
    for (int step = 0; step < 12; step++)
        run_step(&g, program, 1000);
    CHECK(files_in(folder) > few);
    RELEASE_PROGRAM(program);
    for (int link = 0; link < g.links; link++)
        free(g.packets[link]);
    free(source);
    end_case();
}

/* A program from the binary has the same two halves; one that is built again has empty pipes. */
static void rebuilt(void)
{
    struct graph g;
    size_t bytes;
    cl_int rc, status;
    drawn = 77;
    begin_case("swing");
    make_graph(&g, 9);
    char *source = write_source(&g);
    cl_program first = built(source, "");
    run_step(&g, first, 300);
    REQUIRE_OK(clGetProgramInfo(first, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    REQUIRE(binary);
    REQUIRE_OK(clGetProgramInfo(first, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program second = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes,
                                                  (const unsigned char **)&binary, &status, &rc);
    REQUIRE_OK(rc);
    for (int build = 0; build < 3; build++) {
        REQUIRE_OK(clBuildProgram(second, 1, &cl.device, "", NULL, NULL));
        for (int k = 0; k < g.count; k++)
            g.nodes[k].done = 0;
        for (int step = 0; step < 3; step++)
            run_step(&g, second, 200);
    }
    free(binary);
    RELEASE_PROGRAM(second);
    RELEASE_PROGRAM(first);
    for (int link = 0; link < g.links; link++)
        free(g.packets[link]);
    free(source);
    end_case();
}

static void *found(const char *name)
{
    void *function = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(function);
    return function;
}

/* What the host has written before a launch is there for whichever code. */
static void host_pipes(void)
{
    static const char source[] =
        CHANNELS HOST_PIPES "channel uint in __attribute__((depth(64)))"
                            " __attribute__((intel_host_accessible));\n"
                            "channel uint out __attribute__((depth(64)))"
                            " __attribute__((intel_host_accessible));\n"
                            "channel uint c __attribute__((depth(64)));\n"
                            "kernel void a(uint n) { for (uint i = 0; i < n; i++)"
                            " write_channel_intel(c, read_channel_intel(in) * 3 + i); }\n"
                            "kernel void b(uint n) { for (uint i = 0; i < n; i++)"
                            " write_channel_intel(out, read_channel_intel(c) ^ 5); }\n";
    clEnqueueReadHostPipeINTEL_fn read = NULL;
    clEnqueueWriteHostPipeINTEL_fn write = NULL;
    void *functions[] = {found("clEnqueueReadHostPipeINTEL"), found("clEnqueueWriteHostPipeINTEL")};
    memcpy(&read, &functions[0], sizeof read);
    memcpy(&write, &functions[1], sizeof write);
    begin_case("swing");
    cl_program program = built(source, "");
    CHECK(is_divided(program));
    cl_kernel a = kernel_of(program, "a"), b = kernel_of(program, "b");
    cl_command_queue other = new_queue(0);
    const cl_uint n = 10;
    ARG(a, 0, n);
    ARG(b, 0, n);
    for (cl_uint i = 0; i < 4 * n; i++)
        CHECK_OK(write(cl.queue, program, "in", CL_TRUE, &i, sizeof i, 0, NULL, NULL));
    for (int launch = 0; launch < 4; launch++) {
        CHECK_OK(clEnqueueTask(launch < 2 ? cl.queue : other, a, 0, NULL, NULL));
        CHECK_OK(clFinish(launch < 2 ? cl.queue : other));
        CHECK_OK(clEnqueueTask(cl.queue, b, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
    }
    for (cl_uint i = 0; i < 4 * n; i++) {
        cl_uint got = 0;
        CHECK_OK(read(cl.queue, program, "out", CL_TRUE, &got, sizeof got, 0, NULL, NULL));
        CHECK_EQ(got, (i * 3 + i % n) ^ 5);
    }
    RELEASE_KERNEL(a);
    RELEASE_KERNEL(b);
    RELEASE_QUEUE(other);
    RELEASE_PROGRAM(program);
    end_case();
}

/* ---- what stays as it is --------------------------------------------------------------------- */

#define MANY                                                                                       \
    "kernel void a(global uint *o) { o[0] = 1; } kernel void b(global uint *o) { o[0] = 2; }\n"    \
    "kernel void e(global uint *o) { o[0] = 3; } kernel void f(global uint *o) { o[0] = 4; }\n"    \
    "kernel void g(global uint *o) { o[0] = 5; } kernel void h(global uint *o) { o[0] = 6; }\n"

static void expect_divided(const char *source, int divided)
{
    cl_program program = built(source, "");
    if (is_divided(program) != divided)
        check_fail(__FILE__, __LINE__, "divided: %d\n%s", !divided, source);
    RELEASE_PROGRAM(program);
}

static void which_designs(void)
{
    begin_case("auto");
#define SINK "kernel void dst(global uint *o, uint n) {\n    for (uint i = 0; i < n; i++) "
#define SOURCE                                                                                     \
    "kernel void src(uint n) { for (uint i = 0; i < n; i++) write_channel_intel(c, i); }\n"
    expect_divided(
        CHANNELS "channel uint c;\n" MANY SOURCE SINK "o[i] = read_channel_intel(c); }\n", 1);
    /* few kernels; what does not wait; a loop of which nobody can tell; what runs by itself */
    expect_divided(CHANNELS "channel uint c;\n" SOURCE SINK "o[i] = read_channel_intel(c); }\n", 0);
    expect_divided(CHANNELS "channel uint c;\n" MANY SOURCE SINK
                            "{ bool v; o[i] = read_channel_nb_intel(c, &v); } }\n",
                   0);
    expect_divided(CHANNELS "channel uint c;\n" MANY SOURCE "kernel void dst(global uint *o) {\n"
                            "    while (o[0]) o[1] += read_channel_intel(c); }\n",
                   0);
    expect_divided(CHANNELS "channel uint c, d;\n" MANY SOURCE
                            "__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
                            "kernel void mid() { write_channel_intel(d, read_channel_intel(c)); }\n"
                            "kernel void dst(global uint *o, uint n) {\n"
                            "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(d); }\n",
                   0);
    static const char *const settings[] = {"SLUICE_FPGA_SEED", "SLUICE_FPGA_DEPTH",
                                           "SLUICE_FPGA_PROFILE"};
    static const char *const values[] = {"5", "default", "/dev/null"};
    for (size_t k = 0; k < LEN(settings); k++) {
        setenv(settings[k], values[k], 1);
        expect_divided(
            CHANNELS "channel uint c;\n" MANY SOURCE SINK "o[i] = read_channel_intel(c); }\n", 0);
        unsetenv(settings[k]);
    }
    end_case();
}

static const struct test_case cases[] = {
    CASE(codes_in_turns), CASE(one_code_only), CASE(by_the_work),   CASE(by_the_sum),
    CASE(rebuilt),        CASE(host_pipes),    CASE(which_designs),
};
TEST_MAIN("two_codes", cases)
