/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and pipes: a packet that is read after fences publishes what was stored before it was
 * written; a work-group barrier orders pipe operations of the group. 10^6 rounds each. */
#include "flow.h"

#include <stdlib.h>

enum { ROUNDS = 1000000 };

static cl_uint rounds(void)
{
    return is_sluice() ? ROUNDS : 20000;
}

static cl_uint no_stale_value(cl_uint i)
{
    (void)i;
    return 0;
}

#define MESSAGE(fence_out, fence_in)                                                               \
    CHANNELS "channel uint c __attribute__((depth(7)));\n"                                         \
             "channel uint back __attribute__((depth(7)));\n"                                      \
             "kernel void src(global uint *o, uint n, global uint *data) {\n"                      \
             "    for (uint i = 0; i < n; i++) {\n"                                                \
             "        data[i % 64] = i; " fence_out " write_channel_intel(c, i);\n"                \
             "        if (i >= 8) read_channel_intel(back);\n"                                     \
             "    }\n"                                                                             \
             "    for (uint i = 0; i < 8; i++) read_channel_intel(back);\n"                        \
             "}\n"                                                                                 \
             "kernel void dst(global uint *o, uint n, global uint *data) {\n"                      \
             "    uint bad = 0;\n"                                                                 \
             "    for (uint i = 0; i < n; i++) {\n"                                                \
             "        uint v = read_channel_intel(c); " fence_in " bad += data[v % 64] != v;\n"    \
             "        write_channel_intel(back, v);\n"                                             \
             "    }\n"                                                                             \
             "    *o = bad;\n"                                                                     \
             "}\n"

/* Both kernels of it, in that order, with `words` of global memory between them. */
static void pass_messages(const char *source, const char *options, const char *const names[2],
                          size_t words)
{
    struct flow *flow = flow_open(source, options);
    cl_mem out = new_uints(1), data = new_uints(words);
    cl_uint n = rounds();
    for (size_t i = 0; i < 2; i++) {
        cl_kernel kernel = flow_add(flow, names[i]);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
        ARG(kernel, 2, data);
    }
    flow_run(flow);
    expect_uints(out, 1, no_stale_value);
    RELEASE_MEM(out);
    RELEASE_MEM(data);
    flow_close(flow);
}

static void message_passing(const char *source, const char *options)
{
    pass_messages(source, options, (const char *const[]){"src", "dst"}, 64);
}

static void fences_publish(void)
{
    message_passing(MESSAGE("mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_CHANNEL_MEM_FENCE);",
                            "mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_CHANNEL_MEM_FENCE);"),
                    "");
}

static void atomic_fences_publish(void)
{
    if (!is_sluice())
        check_skip("OpenCL C 1.2");
    message_passing(MESSAGE("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, "
                            "memory_scope_device);",
                            "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, "
                            "memory_scope_device);"),
                    "-cl-std=CL3.0");
}

/* The other way round: data that comes back through global memory of a million places. */
static void a_fresh_place_each_round(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(100)));\n"
                 "kernel void src(global uint *o, uint n, global uint *data) {\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        data[i] = ~i; mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
                 "        write_channel_intel(c, i);\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n, global uint *data) {\n"
                 "    uint bad = 0;\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        uint v = read_channel_intel(c); mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
                 "        bad += data[v] != ~v;\n"
                 "    }\n"
                 "    *o = bad;\n"
                 "}\n";
    pass_messages(source, "", (const char *const[]){"dst", "src"}, rounds());
}

/* No flags: the barrier alone orders the two items' writes, and their reads. */
static void barrier_orders_pipes(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(3)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    uint l = (uint)get_local_id(0);\n"
                 "    for (uint i = 0; i < n; i += 2) {\n"
                 "        if (l == 1) write_channel_intel(c, i);\n"
                 "        barrier(0);\n"
                 "        if (l == 0) write_channel_intel(c, i + 1);\n"
                 "        barrier(0);\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    uint l = (uint)get_local_id(0), bad = 0;\n"
                 "    for (uint i = 0; i < n; i += 2) {\n"
                 "        if (l == 1) bad += read_channel_intel(c) != i;\n"
                 "        barrier(0);\n"
                 "        if (l == 0) bad += read_channel_intel(c) != i + 1;\n"
                 "        barrier(0);\n"
                 "    }\n"
                 "    o[l] = bad;\n"
                 "}\n";
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(2);
    cl_uint n = rounds();
    static const char *const names[] = {"src", "dst"};
    for (size_t i = 0; i < LEN(names); i++) {
        cl_kernel kernel = flow_add_range(flow, names[i], 2, 2);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
    }
    flow_run(flow);
    expect_uints(out, 2, no_stale_value);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* The word is seen after the barrier although its writer goes on in a loop that waits for memory.
 */
static void barrier_publishes_the_word(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(64)));\n"
                 "kernel void src(global volatile uint *o, uint n) {\n"
                 "    if (get_local_id(0) == 0) write_channel_intel(c, 5);\n"
                 "    barrier(0);\n"
                 "    if (get_local_id(0) == 1) while (o[0] == 0) ;\n"
                 "}\n"
                 "kernel void dst(global volatile uint *o, uint n) {\n"
                 "    o[1] = read_channel_intel(c); o[0] = 1;\n"
                 "}\n";
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(2);
    cl_uint n = 2;
    cl_kernel kernel = flow_add_range(flow, "src", 2, 2);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    kernel = flow_add(flow, "dst");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_run(flow);
    cl_uint *got = take_uints(out, 2);
    CHECK_EQ(got[0], 1);
    CHECK_EQ(got[1], 5);
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
}

static const struct test_case cases[] = {
    CASE(fences_publish),       CASE(atomic_fences_publish),      CASE(a_fresh_place_each_round),
    CASE(barrier_orders_pipes), CASE(barrier_publishes_the_word),
};
TEST_MAIN("litmus", cases)
