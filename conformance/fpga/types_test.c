/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of every type and size pass bit for bit, through channels of several depths. */
#include "flow.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 65536, COUNT = 37 };

/* bytes: sizeof on the host side; used: the first bytes of it that carry data, the rest is padding.
 */
struct packet {
    const char *declare, *type;
    size_t bytes, used;
};

static const struct packet packets[] = {
    {"", "char", 1, 1},
    {"", "uchar", 1, 1},
    {"", "short", 2, 2},
    {"", "ushort", 2, 2},
    {"", "int", 4, 4},
    {"", "uint", 4, 4},
    {"", "long", 8, 8},
    {"", "ulong", 8, 8},
    {"", "float", 4, 4},
    {"", "char2", 2, 2},
    {"", "char3", 4, 3},
    {"", "uchar16", 16, 16},
    {"", "short3", 8, 6},
    {"", "int3", 16, 12},
    {"", "float4", 16, 16},
    {"", "uint8", 32, 32},
    {"", "long3", 32, 24},
    {"", "float16", 64, 64},
    {"", "ulong16", 128, 128},
    {"struct one { uchar a; };", "struct one", 1, 1},
    {"struct three { uchar a[3]; };", "struct three", 3, 3},
    {"struct five { char a; short b; } __attribute__((packed));", "struct five", 3, 3},
    {"struct twelve { int a; char b[8]; };", "struct twelve", 12, 12},
    {"struct holes { ulong a[2]; char b; };", "struct holes", 24, 17},
    {"struct inner { int4 v; }; struct line { struct inner a[4]; };", "struct line", 64, 64},
    {"typedef struct { uchar a[1000]; } thousand;", "thousand", 1000, 1000},
    {"typedef struct { uint a[256]; } kilo;", "kilo", 1024, 1024},
    {"typedef struct { uint a[512]; } more;", "more", 2048, 2048},
    {"typedef struct { ulong a[8192]; } most;", "most", MOST_BYTES, MOST_BYTES},
};

static char *source_for(const struct packet *packet, int depth, int polling)
{
    struct text source = {0};
    text_add(&source, CHANNELS "%s\ntypedef %s T;\n", packet->declare, packet->type);
    text_add(&source, "channel T c __attribute__((depth(%d)));\n", depth);
    text_add(&source,
             "kernel void src(global const T *in, uint n) {\n"
             "    for (uint i = 0; i < n; i++) %s;\n"
             "}\n",
             polling ? "while (!write_channel_nb_intel(c, in[i]))"
                     : "write_channel_intel(c, in[i])");
    text_add(&source, "kernel void dst(global T *out, uint n) {\n"
                      "    for (uint i = 0; i < n; i++)\n");
    text_add(&source, polling ? "        for (bool ok = false; !ok; ) {\n"
                                "            T v = read_channel_nb_intel(c, &ok);\n"
                                "            if (ok) out[i] = v;\n"
                                "        }\n}\n"
                              : "        out[i] = read_channel_intel(c);\n}\n");
    return source.at;
}

static void check_packets(const struct packet *packet, const unsigned char *sent,
                          const unsigned char *got, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(sent + i * packet->bytes, got + i * packet->bytes, packet->used)) {
            check_fail(__FILE__, __LINE__, "%s: packet %zu of %zu differs", packet->type, i, count);
            return;
        }
    }
}

static void pass(const struct packet *packet, int depth, int polling)
{
    cl_uint count = packet->bytes > 4096 ? 7 : COUNT;
    size_t size = packet->bytes * count;
    unsigned char *sent = malloc(size), *got = calloc(1, size);
    char *source = source_for(packet, depth, polling);
    REQUIRE(sent && got);
    random_fill(sent, size);
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, size, sent);
    cl_mem out = new_buffer(CL_MEM_COPY_HOST_PTR, size, got);
    struct flow *flow = flow_open(source, "");
    cl_kernel kernel = flow_add(flow, "src");
    ARG(kernel, 0, in);
    ARG(kernel, 1, count);
    kernel = flow_add(flow, "dst");
    ARG(kernel, 0, out);
    ARG(kernel, 1, count);
    flow_run(flow);
    read_back(out, size, got);
    check_packets(packet, sent, got, count);
    flow_close(flow);
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    free(source);
    free(sent);
    free(got);
}

static void all_types(void)
{
    for (size_t i = 0; i < LEN(packets); i++)
        pass(&packets[i], 1 + (int)(i % 5) * 3, 0);
}

static void all_types_polling(void)
{
    for (size_t i = 0; i < LEN(packets); i++)
        pass(&packets[i], 1 + (int)(i % 4) * 2, 1);
}

/* Types that no kernel argument can point to. */
static void bool_and_size_t(void)
{
    static const char source[] =
        CHANNELS "channel bool b __attribute__((depth(3)));\n"
                 "channel size_t s __attribute__((depth(2)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        write_channel_intel(b, (i & 1) != 0);\n"
                 "        write_channel_intel(s, (size_t)i << 33 | i);\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        bool odd = read_channel_intel(b); size_t v = read_channel_intel(s);\n"
                 "        o[i] = odd == (i & 1) && v >> 33 == i ? (uint)v : 12345;\n"
                 "    }\n"
                 "}\n";
    flow_expect(source, "src dst", 100, want_same);
}

/* Numbers convert as in an assignment; structures and vectors do not. */
static void conversions(void)
{
    static const char source[] = CHANNELS
        "channel float f __attribute__((depth(3))); channel uchar u __attribute__((depth(3)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        int v = (int)i; write_channel_intel(f, v); write_channel_intel(u, 256 + v);\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        float v = read_channel_intel(f);\n"
        "        o[i] = read_channel_intel(u) == (uchar)i ? (uint)v : 12345;\n"
        "    }\n"
        "}\n";
    flow_expect(source, "src dst", 300, want_same);
    build_fails(CHANNELS "typedef struct { int a; } S;\nchannel int c;\n"
                         "kernel void k(void) { S s = {1}; write_channel_intel(c, s); }\n",
                "", WORDS("error"));
    build_fails(CHANNELS "channel int4 c;\n"
                         "kernel void k(void) { float4 v = 1.f; write_channel_intel(c, v); }\n",
                "", WORDS("error"));
}

/* A packet is what a variable was when it was written, however long that waits; also one so large
 * that it is no copy. */
static void large_variables_go_on_changing(void)
{
    static const char source[] =
        CHANNELS "typedef struct { uint a[521]; } L;\n"
                 "channel L c __attribute__((depth(1))); channel L d __attribute__((depth(3)));\n"
                 "channel L e __attribute__((depth(2)));\n"
                 "void begin(L *x) { for (uint k = 0; k < 521; k++) x->a[k] = k * k; }\n"
                 "void go_on(L *x, uint i) { x->a[i % 521] += i; x->a[i * 5 % 521] ^= i + 7; }\n"
                 "uint differ(L *x, L *y) {\n"
                 "    uint wrong = 0;\n"
                 "    for (uint k = 0; k < 521; k++) wrong += x->a[k] != y->a[k];\n"
                 "    return wrong;\n"
                 "}\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    L x, before; begin(&x);\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        before = x; go_on(&x, i); write_channel_intel(c, x);\n"
                 "        go_on(&x, 3 * i); write_channel_intel(d, x);\n"
                 "        while (!write_channel_nb_intel(e, before)) ;\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    L x, before; begin(&x);\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        uint wrong = 0; L y = read_channel_intel(c);\n"
                 "        before = x; go_on(&x, i); wrong += differ(&x, &y);\n"
                 "        y = read_channel_intel(d); go_on(&x, 3 * i); wrong += differ(&x, &y);\n"
                 "        y = read_channel_intel(e); wrong += differ(&before, &y);\n"
                 "        o[i] = wrong ? 12345 : i;\n"
                 "    }\n"
                 "}\n";
    flow_expect(source, "src dst", 300, want_same);
}

/* Where results are to be put, and where more of the input is, may go on as addresses. */
static void addresses(void)
{
    static const char source[] = CHANNELS
        "typedef struct { global uint *restrict to; constant uint *from; uint add; } job;\n"
        "typedef global uint *place;\n"
        "channel job c __attribute__((depth(3))); channel place d __attribute__((depth(2)));\n"
        "constant uint table[4] = {5, 6, 7, 8};\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) o[i] = i - 10;\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        job j = {o + i, table + i % 4, 5 - i % 4}; mem_fence(CLK_CHANNEL_MEM_FENCE);\n"
        "        write_channel_intel(c, j); *read_channel_intel(d) += 0;\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *unused, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        job j = read_channel_intel(c);\n"
        "        *j.to += *j.from + j.add; mem_fence(CLK_CHANNEL_MEM_FENCE);\n"
        "        write_channel_intel(d, j.to);\n"
        "    }\n"
        "}\n";
    flow_expect(source, "src dst", 100, want_same);
}

static const struct test_case cases[] = {
    CASE(all_types),
    CASE(all_types_polling),
    CASE(bool_and_size_t),
    CASE(conversions),
    CASE(large_variables_go_on_changing),
    CASE(addresses),
};
TEST_MAIN("types", cases)
