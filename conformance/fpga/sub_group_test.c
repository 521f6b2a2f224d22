/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-groups of kernels with channels and pipes: their items wait for each other between operations
 * on pipes, and reserve packets together. */
#include "flow.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define CL3 "-cl-std=CL3.0"
enum { GROUPS = 3, MOST = GROUPS * 99 };

static const size_t locals[] = {1, 7, 8, 32, 33, 64, 99};
static const size_t required[] = {0, 8, 16, 32, 64};

/* What an item's sub-group has to do with, all in work-groups of `local` items. */
struct part {
    cl_uint first, count, me;
};

static struct part part_of(cl_uint item, cl_uint local, cl_uint size)
{
    cl_uint start = item / local * local, me = (item - start) % size;
    cl_uint first = item - me, left = start + local - first;
    return (struct part){first, left < size ? left : size, me};
}

static cl_uint value(cl_uint i)
{
    return i * 37 % 23 + 1;
}

/* SIZE is the attribute, or nothing. */
static cl_program built_for(const char *source, size_t size, const char *options)
{
    char text[2048];
    int used = size ? snprintf(text, sizeof text,
                               "#define SIZE __attribute__((intel_reqd_sub_group_size(%zu)))\n%s",
                               size, source)
                    : snprintf(text, sizeof text, "#define SIZE\n%s", source);
    REQUIRE(used > 0 && (size_t)used < sizeof text);
    return built(text, options);
}

static cl_uint size_of(cl_program program, const char *name, size_t local)
{
    size_t size = 0;
    cl_kernel kernel = kernel_of(program, name);
    REQUIRE_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                       sizeof local, &local, sizeof size, &size, NULL));
    RELEASE_KERNEL(kernel);
    REQUIRE(size);
    return (cl_uint)size;
}

typedef cl_uint (*want_fn)(cl_uint item, const struct part *);

/* src sends value(i), k has GROUPS work-groups, dst gets what it sends, in the order of its items.
 */
static void expect_built(const char *source, size_t sub_group, const char *options, want_fn want)
{
    cl_program program = built_for(source, sub_group, options);
    for (size_t l = 0; l < LEN(locals); l++) {
        cl_uint n = (cl_uint)(GROUPS * locals[l]), size = size_of(program, "k", locals[l]);
        CHECK(!sub_group || size == sub_group);
        CHECK_OK(clRetainProgram(program));
        struct flow *flow = flow_of(program);
        cl_kernel ends[] = {flow_add(flow, "src"), flow_add(flow, "dst")};
        flow_add_range(flow, "k", n, locals[l]);
        cl_mem out = new_uints(MOST);
        for (size_t e = 0; e < LEN(ends); e++) {
            ARG(ends[e], 0, out);
            ARG(ends[e], 1, n);
        }
        flow_run(flow);
        cl_uint *got = take_uints(out, MOST);
        for (cl_uint i = 0; i < n; i++) {
            struct part p = part_of(i, (cl_uint)locals[l], size);
            cl_uint wanted = want(i, &p);
            if (got[i] != wanted) {
                check_fail(__FILE__, __LINE__, "local %zu, size %u: [%u] is %u, not %u", locals[l],
                           size, i, got[i], wanted);
                break;
            }
        }
        free(got);
        flow_close(flow);
        RELEASE_MEM(out);
    }
    RELEASE_PROGRAM(program);
}

static void expect(const char *source, size_t sub_group, want_fn want)
{
    expect_built(source, sub_group, CL3, want);
}

#define ENDS                                                                                       \
    CHANNELS "channel uint a __attribute__((depth(4)));\n"                                         \
             "channel uint b __attribute__((depth(4)));\n"                                         \
             "kernel void src(global uint *o, uint n) {\n"                                         \
             "    for (uint i = 0; i < n; i++) write_channel_intel(a, i * 37 % 23 + 1);\n"         \
             "}\n"                                                                                 \
             "kernel void dst(global uint *o, uint n) {\n"                                         \
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b);\n"                    \
             "}\n"

/* ---- between a read and a write -------------------------------------------------------------- */

static cl_uint sum_and_place(cl_uint item, const struct part *p)
{
    cl_uint sum = 0, before = 0;
    for (cl_uint i = p->first; i < p->first + p->count; i++) {
        before += i < item ? value(i) : 0;
        sum += value(i);
    }
    return sum * 1000 + before;
}

static void sums_of_packets(void)
{
    static const char source[] =
        ENDS "SIZE kernel void k(void) {\n"
             "    uint v = read_channel_intel(a);\n"
             "    uint sum = sub_group_reduce_add(v), before = sub_group_scan_exclusive_add(v);\n"
             "    write_channel_intel(b, sum * 1000 + before);\n"
             "}\n";
    for (size_t r = 0; r < LEN(required); r++)
        expect(source, required[r], sum_and_place);
    expect_built(source, 16, CL3 " -cl-opt-disable", sum_and_place);
    expect_built(source, 16, CL3 " -g", sum_and_place);
}

static cl_uint partner_and_odd(cl_uint item, const struct part *p)
{
    cl_uint other = p->me ^ 1, odd = 0, most = 0;
    for (cl_uint i = p->first; i < p->first + p->count; i++)
        odd += value(i) & 1;
    for (cl_uint i = p->first; i < p->first + p->count; i++)
        if ((value(i) & 1) == (value(item) & 1) && value(i) > most)
            most = value(i);
    return (other < p->count ? value(p->first + other) : 0) * 10000 + odd * 100 + most;
}

/* Shuffles, ballots, and what only some items call. */
static void shuffles_and_ballots(void)
{
    static const char source[] =
        ENDS "SIZE kernel void k(void) {\n"
             "    uint v = read_channel_intel(a), me = get_sub_group_local_id(), most;\n"
             "    uint partner = sub_group_shuffle_xor(v, 1u);\n"
             "    uint odd = sub_group_ballot_bit_count(sub_group_ballot(v & 1));\n"
             "    if (v & 1) most = sub_group_non_uniform_reduce_max(v);\n"
             "    else most = sub_group_non_uniform_reduce_max(v);\n"
             "    if ((me ^ 1) >= get_sub_group_size()) partner = 0;\n"
             "    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
             "    write_channel_intel(b, partner * 10000 + odd * 100 + most);\n"
             "}\n";
    for (size_t r = 0; r < LEN(required); r++)
        expect(source, required[r], partner_and_odd);
}

/* A loop: each round has a packet of each item, and all wait. */
static cl_uint last_round(cl_uint item, const struct part *p)
{
    (void)item;
    return p->me * 100000 + p->count;
}

static void rounds(void)
{
    static const char source[] =
        ENDS "channel uint ring __attribute__((depth(8)));\n"
             "SIZE kernel void k(void) {\n"
             "    uint me = get_sub_group_local_id(), n = get_sub_group_size(), bad = 0;\n"
             "    read_channel_intel(a);\n"
             "    for (uint r = 0; r < 5; r++) {\n"
             "        write_channel_intel(ring, r * 1000 + me);\n"
             "        if (read_channel_intel(ring) != r * 1000 + me) bad++;\n"
             "        uint all = sub_group_reduce_add(r + 1);\n"
             "        if (all != n * (r + 1)) bad += 1000;\n"
             "    }\n"
             "    write_channel_intel(b, bad ? 12345678 : me * 100000 + n);\n"
             "}\n";
    for (size_t r = 0; r < LEN(required); r++)
        expect(source, required[r], last_round);
}

static cl_uint nothing(cl_uint item, const struct part *p)
{
    (void)p;
    (void)item;
    return 0;
}

/* Barriers of the group between those of sub-groups: what others of the group have read. */
static void beside_barriers(void)
{
    static const char source[] =
        ENDS "SIZE kernel void k(void) {\n"
             "    local uint sums[100];\n"
             "    uint v = read_channel_intel(a), sum = sub_group_reduce_add(v), all = 0;\n"
             "    if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    for (uint s = 0; s < get_num_sub_groups(); s++) all += sums[s];\n"
             "    uint again = work_group_reduce_add(v);\n"
             "    write_channel_intel(b, all - again);\n"
             "}\n";
    for (size_t r = 0; r < LEN(required); r++)
        expect(source, required[r], nothing);
}

/* ---- autorun --------------------------------------------------------------------------------- */

static cl_uint sum_of_sixteen(cl_uint i)
{
    cl_uint sum = 0;
    for (cl_uint k = i / 16 * 16; k < i / 16 * 16 + 16; k++)
        sum += k;
    return sum;
}

static void autorun(void)
{
    cl_program program =
        built(CHANNELS "channel uint a __attribute__((depth(4)));\n"
                       "channel uint b __attribute__((depth(4)));\n"
                       "__attribute__((autorun)) __attribute__((reqd_work_group_size(32, 1, 1)))\n"
                       "__attribute__((intel_reqd_sub_group_size(16))) kernel void k(void) {\n"
                       "    uint v = read_channel_intel(a);\n"
                       "    write_channel_intel(b, sub_group_reduce_add(v));\n"
                       "}\n"
                       "kernel void src(global uint *o, uint n) {\n"
                       "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
                       "}\n"
                       "kernel void dst(global uint *o, uint n) {\n"
                       "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b);\n"
                       "}\n",
              CL3);
    program_expect(program, "src dst", 640, sum_of_sixteen);
    RELEASE_PROGRAM(program);
}

/* A single item is a sub-group as well. */
static void of_one_item(void)
{
    cl_program program =
        built(CHANNELS "channel uint a __attribute__((depth(4)));\n"
                       "channel uint b __attribute__((depth(4)));\n"
                       "__attribute__((autorun)) __attribute__((max_global_work_dim(0)))\n"
                       "kernel void k(void) {\n"
                       "    uint v = sub_group_reduce_add(read_channel_intel(a));\n"
                       "    write_channel_intel(b, v + get_sub_group_size() - sub_group_all(1));\n"
                       "}\n"
                       "kernel void src(global uint *o, uint n) {\n"
                       "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
                       "}\n"
                       "kernel void dst(global uint *o, uint n) {\n"
                       "    for (uint i = 0; i < n; i++)\n"
                       "        o[i] = sub_group_broadcast(read_channel_intel(b), 0u);\n"
                       "}\n",
              CL3);
    program_expect(program, "src dst", 500, want_same);
    RELEASE_PROGRAM(program);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* A sub-group reserves as many packets as it has items; those it gets are its neighbours. */
#define TOGETHER(declared, put_arguments, get_arguments)                                           \
    declared "SIZE kernel void put(" put_arguments "global uint *o) {\n"                           \
             "    uint n = get_sub_group_size(), me = get_sub_group_local_id();\n"                 \
             "    uint v = get_global_id(0);\n"                                                    \
             "    reserve_id_t id = sub_group_reserve_write_pipe(p, n);\n"                         \
             "    if (!is_valid_reserve_id(id)) { o[v] = 1000; return; }\n"                        \
             "    write_pipe(p, id, n - 1 - me, &v);\n"                                            \
             "    sub_group_commit_write_pipe(p, id);\n"                                           \
             "}\n"                                                                                 \
             "SIZE kernel void get(" get_arguments "global uint *o) {\n"                           \
             "    uint n = get_sub_group_size(), me = get_sub_group_local_id(), v = 0;\n"          \
             "    reserve_id_t id = sub_group_reserve_read_pipe(p, n);\n"                          \
             "    if (!is_valid_reserve_id(id)) { o[0] = 1000; return; }\n"                        \
             "    read_pipe(p, id, me, &v);\n"                                                     \
             "    sub_group_commit_read_pipe(p, id);\n"                                            \
             "    atomic_add(o + v, 1);\n"                                                         \
             "}\n"

static void run_alone(cl_program program, const char *name, cl_mem pipe, cl_mem out, size_t n,
                      size_t local)
{
    cl_kernel kernel = kernel_of(program, name);
    if (pipe)
        ARG(kernel, 0, pipe);
    set_arg(kernel, pipe ? 1 : 0, sizeof out, &out);
    run_1d(kernel, n, local);
    RELEASE_KERNEL(kernel);
}

static void reserve_with(const char *source, bool arguments)
{
    for (size_t r = 0; r < LEN(required); r++) {
        cl_program program = built_for(source, required[r], CL3);
        for (size_t l = 0; l < LEN(locals); l++) {
            size_t n = GROUPS * locals[l];
            cl_int rc = CL_SUCCESS;
            cl_mem out = new_uints(MOST);
            cl_mem pipe = arguments ? clCreatePipe(cl.context, 0, 4, MOST, NULL, &rc) : NULL;
            REQUIRE_OK(rc);
            run_alone(program, "put", pipe, out, n, locals[l]);
            run_alone(program, "get", pipe, out, n, locals[l]);
            cl_uint *got = take_uints(out, MOST);
            for (size_t i = 0; i < MOST; i++)
                CHECK_EQ(got[i], i < n);
            free(got);
            RELEASE_MEM(out);
            if (pipe)
                RELEASE_MEM(pipe);
        }
        RELEASE_PROGRAM(program);
    }
}

static void reserve_of_arguments(void)
{
    reserve_with(TOGETHER("", "write_only pipe uint p, ", "read_only pipe uint p, "), true);
}

static void reserve_of_the_program(void)
{
    reserve_with(TOGETHER("pipe uint p __attribute__((depth(300)));\n", "", ""), false);
}

static void reserve_of_an_array(void)
{
    static const char source[] = "#define p q[get_group_id(0) % 2]\n"
                                 "pipe uint q[2] __attribute__((depth(300)));\n";
    char text[2048];
    snprintf(text, sizeof text, "%s%s", source, TOGETHER("", "", ""));
    reserve_with(text, false);
}

static const struct test_case cases[] = {
    CASE(sums_of_packets),
    CASE(shuffles_and_ballots),
    CASE(rounds),
    CASE(beside_barriers),
    CASE(autorun),
    CASE(of_one_item),
    CASE(reserve_of_arguments),
    CASE(reserve_of_the_program),
    CASE(reserve_of_an_array),
};
TEST_MAIN("sub_group", cases)
