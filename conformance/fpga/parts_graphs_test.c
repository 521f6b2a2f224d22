/* SPDX-License-Identifier: Apache-2.0 */
/* As parts_test.c, for designs that are no chains: what kernels on several threads compute is what
 * one thread computes, by the same in C. */
#include "flow.h"
#include "watched.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- graphs ---------------------------------------------------------------------------------- */

enum { WORKERS = 3 };

static cl_uint by_workers(cl_uint i)
{
    return work(i, 500 + 2500 * (i % WORKERS)) + 7;
}

/* One splits, workers of unlike weight, one joins in turn. */
static void workers(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint in[3] __attribute__((depth(3)));\n"
                      "channel uint out[3] __attribute__((depth(2)));\n"
                      "kernel void split(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        if (i % 3 == 0) write_channel_intel(in[0], i);\n"
                      "        if (i % 3 == 1) write_channel_intel(in[1], i);\n"
                      "        if (i % 3 == 2) write_channel_intel(in[2], i);\n"
                      "    }\n"
                      "}\n"
                      "#define WORKER(w)                                                      \\\n"
                      "    kernel void worker##w(global uint *o, uint n) {                    \\\n"
                      "        for (uint i = w; i < n; i += 3)                                \\\n"
                      "            write_channel_intel(out[w],                                \\\n"
                      "                work(read_channel_intel(in[w]), 500 + 2500 * w));      \\\n"
                      "    }\n"
                      "WORKER(0)\nWORKER(1)\nWORKER(2)\n"
                      "kernel void join(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        uint x;\n"
                      "        if (i % 3 == 0) x = read_channel_intel(out[0]);\n"
                      "        if (i % 3 == 1) x = read_channel_intel(out[1]);\n"
                      "        if (i % 3 == 2) x = read_channel_intel(out[2]);\n"
                      "        o[i] = x + 7;\n"
                      "    }\n"
                      "}\n";
    flow_expect(source, "join worker0 worker1 worker2 split", 4001, by_workers);
    flow_expect(source, "split worker2 worker1 worker0 join", 1, by_workers);
}

static cl_uint by_cycle(cl_uint i)
{
    cl_uint sum = 0;
    for (cl_uint k = 0; k <= i; k++)
        sum = work(work(k, 300) + sum, 20);
    return work(sum, 300);
}

/* Two kernels feed each other, between two that do not. */
static void cycle_in_the_middle(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint a __attribute__((depth(8))), d __attribute__((depth(8)));\n"
                      "channel uint b, c;\n"
                      "kernel void first(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(a, work(i, 300));\n"
                      "}\n"
                      "kernel void adds(global uint *o, uint n) {\n"
                      "    uint sum = 0;\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        write_channel_intel(b, read_channel_intel(a) + sum);\n"
                      "        sum = read_channel_intel(c);\n"
                      "        write_channel_intel(d, sum);\n"
                      "    }\n"
                      "}\n"
                      "kernel void mixes(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++)\n"
                      "        write_channel_intel(c, work(read_channel_intel(b), 20));\n"
                      "}\n"
                      "kernel void last(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) o[i] = work(read_channel_intel(d), 300);\n"
                      "}\n";
    flow_expect(source, "first adds mixes last", 503, by_cycle);
}

/* Packets of odd sizes, and of more than a line. */
static void large_packets(void)
{
    static const char source[] =
        CHANNELS WORK "typedef struct { uint at[33]; } big;\n"
                      "typedef struct __attribute__((packed)) { uchar at[3]; } odd;\n"
                      "channel big c __attribute__((depth(3)));\n"
                      "channel odd d __attribute__((depth(3)));\n"
                      "kernel void src(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        big b;\n"
                      "        for (uint k = 0; k < 33; k++) b.at[k] = i + k * 3;\n"
                      "        write_channel_intel(c, b);\n"
                      "    }\n"
                      "}\n"
                      "kernel void mid(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        big b = read_channel_intel(c);\n"
                      "        uint sum = work(0, 1000) & 0;\n"
                      "        for (uint k = 0; k < 33; k++) sum += b.at[k];\n"
                      "        odd x = {{sum, sum >> 8, sum >> 16}};\n"
                      "        write_channel_intel(d, x);\n"
                      "    }\n"
                      "}\n"
                      "kernel void dst(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        odd x = read_channel_intel(d);\n"
                      "        o[i] = x.at[0] | (uint)x.at[1] << 8 | (uint)x.at[2] << 16;\n"
                      "    }\n"
                      "}\n";
    struct flow *flow = flow_open(source, "");
    cl_uint n = 4001;
    cl_mem out = new_uints(n);
    add(flow, "dst", out, n);
    add(flow, "src", out, n);
    add(flow, "mid", out, n);
    flow_run(flow);
    cl_uint *got = take_uints(out, n), bad = 0;
    for (cl_uint i = 0; i < n && !bad; i++)
        bad = got[i] != 33 * i + 3 * 528 ? i + 1 : 0;
    CHECK_EQ(bad, 0);
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* ---- random graphs --------------------------------------------------------------------------- */

enum { MOST_KERNELS = 9, MOST_EDGES = 24 };

/* Each kernel takes a packet of each edge that leads to it, and sends one over each that leaves. */
struct graph {
    cl_uint kernels, edges, n;
    cl_uint rounds[MOST_KERNELS];
    struct {
        cl_uint from, to, depth;
    } edge[MOST_EDGES];
};

static cl_uint random_below(cl_uint below)
{
    static cl_ulong state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (cl_uint)(state >> 20) % below;
}

static struct graph make_graph(void)
{
    static const cl_uint rounds[] = {0, 1, 50, 700, 2000};
    struct graph graph = {.kernels = 2 + random_below(MOST_KERNELS - 1),
                          .n = 1 + random_below(1200)};
    for (cl_uint k = 0; k < graph.kernels; k++) {
        graph.rounds[k] = rounds[random_below(LEN(rounds))];
        cl_uint inputs = k ? 1 + (random_below(3) == 0) + (random_below(6) == 0) : 0;
        for (cl_uint i = 0; i < inputs; i++) {
            graph.edge[graph.edges].from = random_below(k);
            graph.edge[graph.edges].to = k;
            graph.edge[graph.edges++].depth = 1 + random_below(random_below(3) ? 4 : 70);
        }
    }
    return graph;
}

/* Their places in the arrays of results are those of the kernels. */
static char *graph_source(const struct graph *graph)
{
    struct text text = {0};
    text_add(&text, CHANNELS WORK);
    for (cl_uint e = 0; e < graph->edges; e++)
        text_add(&text, "channel uint c%u __attribute__((depth(%u)));\n", e, graph->edge[e].depth);
    for (cl_uint k = 0; k < graph->kernels; k++) {
        text_add(&text, "kernel void k%u(global uint *o, uint n) {\n", k);
        text_add(&text, "    for (uint i = 0; i < n; i++) {\n        uint x = %s;\n",
                 k ? "0" : "i");
        for (cl_uint e = 0; e < graph->edges; e++)
            if (graph->edge[e].to == k)
                text_add(&text, "        x = x * 5 + read_channel_intel(c%u);\n", e);
        text_add(&text, "        x = work(x, %uu);\n        o[%u * n + i] = x;\n", graph->rounds[k],
                 k);
        for (cl_uint e = 0; e < graph->edges; e++)
            if (graph->edge[e].from == k)
                text_add(&text, "        write_channel_intel(c%u, x + %u);\n", e, e);
        text_add(&text, "    }\n}\n");
    }
    return text.at;
}

static int is_right(const struct graph *graph, const cl_uint *got, cl_uint i)
{
    cl_uint value[MOST_KERNELS];
    int right = 1;
    for (cl_uint k = 0; k < graph->kernels; k++) {
        cl_uint x = k ? 0 : i;
        for (cl_uint e = 0; e < graph->edges; e++)
            if (graph->edge[e].to == k)
                x = x * 5 + value[graph->edge[e].from] + e;
        value[k] = work(x, graph->rounds[k]);
        right &= got[k * graph->n + i] == value[k];
    }
    return right;
}

static void random_graphs(void)
{
    enum { GRAPHS = 25 };
    for (int g = 0; g < GRAPHS; g++) {
        struct graph graph = make_graph();
        char *source = graph_source(&graph);
        struct flow *flow = flow_open(source, "");
        cl_mem out = new_uints((size_t)graph.kernels * graph.n);
        for (cl_uint k = 0; k < graph.kernels; k++) {
            char name[16];
            snprintf(name, sizeof name, "k%u", (k * 7 + (cl_uint)g) % graph.kernels);
            if (graph.kernels == 7) /* 7 would come to the same one again and again */
                snprintf(name, sizeof name, "k%u", k);
            add(flow, name, out, graph.n);
        }
        flow_run(flow);
        cl_uint *got = take_uints(out, (size_t)graph.kernels * graph.n), bad = 0;
        for (cl_uint i = 0; i < graph.n && !bad; i++)
            bad = is_right(&graph, got, i) ? 0 : i + 1;
        CHECK_EQ(bad, 0);
        if (bad)
            fprintf(stderr, "graph %d:\n%s", g, source);
        free(got);
        free(source);
        RELEASE_MEM(out);
        flow_close(flow);
    }
}

static const struct test_case cases[] = {
    CASE(workers),
    CASE(cycle_in_the_middle),
    CASE(large_packets),
    CASE(random_graphs),
};
TEST_MAIN("parts_graphs", cases)
