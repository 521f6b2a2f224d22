/* SPDX-License-Identifier: Apache-2.0 */
/* ND-ranges with channels: many work-items at one end, order, barriers. */
#include "flow.h"

#include <stdlib.h>

enum { ITEMS = 4096 };

struct range {
    size_t global, local;
};

/* src and dst as ND-ranges over n = their global sizes; both write o. */
static void ranges_expect(const char *source, struct range src, struct range dst, cl_uint n,
                          cl_uint (*want)(cl_uint))
{
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(n);
    cl_kernel kernel = flow_add_range(flow, "src", src.global, src.local);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    kernel = flow_add_range(flow, "dst", dst.global, dst.local);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_run(flow);
    expect_uints(out, n, want);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* Work-items run in the order of their global ids, so values keep it. */
static void both_ends_in_global_id_order(void)
{
    static const char source[] = CHANNELS "channel uint c __attribute__((depth(8)));\n"
                                          "kernel void src(global uint *o, uint n) {\n"
                                          "    write_channel_intel(c, (uint)get_global_id(0));\n"
                                          "}\n"
                                          "kernel void dst(global uint *o, uint n) {\n"
                                          "    o[get_global_id(0)] = read_channel_intel(c);\n"
                                          "}\n";
    ranges_expect(source, (struct range){ITEMS, 0}, (struct range){ITEMS, 0}, ITEMS, want_same);
    ranges_expect(source, (struct range){ITEMS, 64}, (struct range){ITEMS, 16}, ITEMS, want_same);
    ranges_expect(source, (struct range){ITEMS, 1}, (struct range){ITEMS, 1024}, ITEMS, want_same);
    ranges_expect(source, (struct range){4001, 0}, (struct range){4001, 1}, 4001, want_same);
}

static cl_uint each_once(cl_uint i)
{
    return i % 2 ? 3 : 1;
}

/* Divergent: every third write is by another site, odd items write twice. Each value arrives as
 * often as it was sent. */
static void many_items_one_reader(void)
{
    static const char source[] = CHANNELS
        "channel uint c __attribute__((depth(3)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    uint i = (uint)get_global_id(0);\n"
        "    write_channel_intel(c, i);\n"
        "    if (i & 1) { write_channel_intel(c, i); while (!write_channel_nb_intel(c, i)) ; }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < 2 * n; i++) { uint v = read_channel_intel(c); o[v]++; }\n"
        "}\n";
    ranges_expect(source, (struct range){1024, 32}, (struct range){1, 1}, 1024, each_once);
}

static void one_writer_many_items(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(5)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    uint v = read_channel_intel(c); o[v] = v;\n"
                 "}\n";
    ranges_expect(source, (struct range){1, 1}, (struct range){999, 27}, 999, want_same);
}

/* Item 0 writes, barrier, item 1 writes: the order is kept; all groups, one after the other. */
static void barriers_order_items(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(4)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    uint l = (uint)get_local_id(0), g = (uint)get_group_id(0) * 4;\n"
                 "    for (uint turn = 4; turn-- > 0; ) {\n"
                 "        if (l == turn) write_channel_intel(c, g + 3 - turn);\n"
                 "        barrier(0);\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                 "}\n";
    ranges_expect(source, (struct range){256, 4}, (struct range){1, 1}, 256, want_same);
}

/* Reads and local memory: item 0 fetches for its group. */
static void groups_share_what_one_item_reads(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(2)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i += 8) write_channel_intel(c, i);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    local uint base;\n"
                 "    if (get_local_id(0) == 0) base = read_channel_intel(c);\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    o[get_global_id(0)] = base + (uint)get_local_id(0);\n"
                 "}\n";
    ranges_expect(source, (struct range){1, 1}, (struct range){800, 8}, 800, want_same);
}

/* Three dimensions, and work-groups of one launch at both ends of one channel. */
static void within_one_launch(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(64)));\n"
                 "kernel void k(global uint *o) {\n"
                 "    uint i = (uint)get_global_linear(0);\n"
                 "    if (get_group_id(0) % 2 == 0) write_channel_intel(c, i);\n"
                 "    else o[i] = read_channel_intel(c);\n"
                 "}\n";
    struct text text = {0};
    text_add(&text,
             "#define get_global_linear(x) ((get_global_id(2) * get_global_size(1) + "
             "get_global_id(1)) * get_global_size(0) + get_global_id(0))\n%s",
             source);
    cl_kernel kernel = new_kernel(text.at, "k", "");
    const size_t global[] = {16, 4, 2}, local[] = {8, 2, 1};
    cl_mem out = new_uints(128);
    ARG(kernel, 0, out);
    run_nd(kernel, 3, NULL, global, local);
    cl_uint *got = take_uints(out, 128), seen = 0;
    for (cl_uint i = 0; i < 128; i++)
        if (i % 16 >= 8)
            seen += CHECK(got[i] % 16 < 8 && got[i] / 32 == i / 32);
    CHECK_EQ(seen, 64);
    free(got);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
    free(text.at);
}

/* Ids with an offset, and a size that local sizes do not divide. */
static void offsets(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(8)));\n"
                 "kernel void src(void) { write_channel_intel(c, (uint)get_global_id(0)); }\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c) - 100;\n"
                 "}\n";
    struct flow *flow = flow_open(source, "");
    cl_uint n = 130;
    cl_mem out = new_uints(n);
    cl_kernel kernel = flow_add(flow, "dst");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_start(flow);
    cl_kernel src = kernel_of(flow->program, "src");
    const size_t offset = 100, global = n;
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, src, 1, &offset, &global, NULL, 0, NULL, NULL));
    REQUIRE_OK(clFinish(cl.queue));
    flow_finish(flow);
    expect_uints(out, n, want_same);
    RELEASE_KERNEL(src);
    RELEASE_MEM(out);
    flow_close(flow);
}

static const struct test_case cases[] = {
    CASE(both_ends_in_global_id_order),
    CASE(many_items_one_reader),
    CASE(one_writer_many_items),
    CASE(barriers_order_items),
    CASE(groups_share_what_one_item_reads),
    CASE(within_one_launch),
    CASE(offsets),
};
TEST_MAIN("ranges", cases)
