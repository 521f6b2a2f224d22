/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a design that keep sums in global memory between what they do with channels, in
 * buffers of their own or in one: what they have stored they read again. */
#include "flow.h"
#include "reference.h"

#include <string.h>

enum { SUMS = 3, WORDS = 64, ITEMS = 6 };

static const char source[] =
    CHANNELS "channel uint c __attribute__((depth(4)));\n"
             "kernel void give(global uint *s, global uint *x, uint n) {\n"
             "    s += 3 * get_global_id(0);\n"
             "    for (uint j = 0; j < 3; j++) {\n"
             "        for (uint i = 0; i < n; i++) s[j] += x[i];\n"
             "        write_channel_intel(c, s[j]);\n"
             "    }\n"
             "}\n"
             "kernel void take(global uint *s, global uint *x, uint n, uint times) {\n"
             "    for (uint j = 0; j < 3 * times; j++) {\n"
             "        uint v = read_channel_intel(c);\n"
             "        for (uint i = 0; i < n; i++) s[j] = s[j] * 3u + v * x[i];\n"
             "    }\n"
             "}\n";

/* What the kernels do, all work-items one behind the other. */
static void expect(cl_uint *give, const cl_uint *give_x, cl_uint *take, const cl_uint *take_x,
                   cl_uint n, cl_uint items)
{
    for (cl_uint item = 0; item < items; item++)
        for (cl_uint j = 0; j < SUMS; j++) {
            for (cl_uint i = 0; i < n; i++)
                give[item * SUMS + j] += give_x[i];
            const cl_uint packet = give[item * SUMS + j];
            for (cl_uint i = 0; i < n; i++)
                take[item * SUMS + j] = take[item * SUMS + j] * 3u + packet * take_x[i];
        }
}

/* `one`: sums and what is added are in one buffer. */
static void check(cl_uint n, cl_uint items, int one)
{
    cl_uint given[4][WORDS], got[WORDS], *at[4];
    cl_mem all[4];
    random_fill(given, sizeof given);
    for (int b = 0; b < 4; b++) {
        int of = one ? b & ~1 : b;
        all[b] = of < b ? all[of] : new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given[b], given[b]);
        at[b] = given[of];
    }
    struct flow *flow = flow_open(source, "");
    cl_kernel give = flow_add_range(flow, "give", items, 1);
    cl_kernel take = flow_add(flow, "take");
    for (int b = 0; b < 4; b++)
        ARG(b < 2 ? give : take, (cl_uint)b % 2, all[b]);
    ARG(give, 2, n);
    ARG(take, 2, n);
    ARG(take, 3, items);
    flow_run(flow);
    expect(at[0], at[1], at[2], at[3], n, items);
    for (int b = 0; b < 4; b++) {
        read_back(all[b], sizeof got, got);
        CHECK(!memcmp(got, at[b], sizeof got));
    }
    flow_close(flow);
    for (int b = 0; b < 4; b++)
        if (!one || !(b & 1))
            RELEASE_MEM(all[b]);
}

static void beside_channels(void)
{
    static const cl_uint rounds[] = {0, 1, 2, 31};
    for (size_t r = 0; r < LEN(rounds); r++)
        for (int one = 0; one < 2; one++)
            check(rounds[r], one ? 1 : ITEMS, one);
}

static const struct test_case cases[] = {CASE(beside_channels)};
TEST_MAIN("fpga.sums", cases)
