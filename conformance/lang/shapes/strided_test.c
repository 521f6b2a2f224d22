/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops in which an item takes every so many-th element, counted from its local id: fewer elements
 * than steps, as many, more, none; counters with and without a sign, from ids that something is
 * added to or taken from; groups of one item up to more than there is to do. Between barriers,
 * where they fill local memory and add to sums in global memory.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 512, GROUPS = 3 };

static const char source[] =
    "kernel void k(global const uint *in, global uint *sums, global uint *seen, int shift)\n"
    "{\n"
    "    local uint mine[COUNT + 1];\n"
    "    int id = get_local_id(0), group = get_group_id(0);\n"
    "    for (int i = id; i < COUNT; i += get_local_size(0))\n"
    "        mine[i] = 5;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (T i = id; i < COUNT; i += STEP)\n"
    "        mine[i] = in[group * 512 + i];\n"
    "    for (T i = id + COUNT; i < COUNT + 1; i += STEP)\n"
    "        mine[i] = 17;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < 2; k++) {\n"
    "        for (T i = id; i < COUNT; i += STEP)\n"
    "            for (int j = 0; j < COUNT; j++)\n"
    "                sums[group * 512 + i] += mine[j] * (uint)(i + j + k);\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    }\n"
    "    int rounds = 0;\n"
    "    for (int i = id - shift; i < COUNT; i += STEP)\n"
    "        rounds++;\n"
    "    for (int i = COUNT - id; i > 0; i -= STEP)\n"
    "        rounds += 100;\n"
    "    seen[get_global_id(0)] = rounds + mine[COUNT];\n"
    "}\n";

static cl_uint in[GROUPS * MOST], sums[GROUPS * MOST], seen[GROUPS * MOST];

static cl_uint rounds_of(int id, int count, int step, int shift)
{
    cl_uint rounds = 17;
    for (int i = id - shift; i < count; i += step)
        rounds++;
    for (int i = count - id; i > 0; i -= step)
        rounds += 100;
    return rounds;
}

/* A group with fewer items than a step leaves some elements as they are. */
static bool is_taken(int i, int count, int step, int local)
{
    return i < count && i % step < local;
}

static void check_sums(int count, int step, int local)
{
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < MOST; i++) {
            cl_uint want = 0;
            for (int j = 0; is_taken(i, count, step, local) && j < count; j++)
                want += (is_taken(j, count, step, local) ? in[g * MOST + j] : 5) *
                        (cl_uint)(2 * i + 2 * j + 1);
            REQUIRE(CHECK_EQ(sums[g * MOST + i], want));
        }
}

static void run(const char *type, int count, int step)
{
    static const int locals[] = {1, 3, 16, 64, 100, 128, 256};
    char options[80];
    snprintf(options, sizeof options, "-DT=%s -DCOUNT=%d -DSTEP=%d", type, count, step);
    cl_kernel kernel = new_kernel(source, "k", options);
    for (size_t l = 0; l < LEN(locals); l++) {
        const int local = locals[l], shift = (int)random_below(40);
        if (local > step) /* several items would add to one sum */
            continue;
        memset(sums, 0, sizeof sums);
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
               to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof sums, sums),
               times = new_buffer(CL_MEM_READ_WRITE, sizeof seen, NULL);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        ARG(kernel, 2, times);
        ARG(kernel, 3, shift);
        run_1d(kernel, (size_t)(GROUPS * local), (size_t)local);
        read_back(to, sizeof sums, sums);
        read_back(times, sizeof seen, seen);
        check_sums(count, step, local);
        for (int i = 0; i < GROUPS * local; i++)
            REQUIRE(CHECK_EQ(seen[i], rounds_of(i % local, count, step, shift)));
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        RELEASE_MEM(times);
    }
    RELEASE_KERNEL(kernel);
}

static void each(const char *type)
{
    static const int counts[][2] = {{100, 128}, {128, 128}, {99, 16}, {1, 64},
                                    {7, 3},     {300, 256}, {64, 1}};
    for (size_t i = 0; i < LEN(in); i++)
        in[i] = (cl_uint)random_bits();
    for (size_t c = 0; c < LEN(counts); c++)
        run(type, counts[c][0], counts[c][1]);
}

static void with_int(void)
{
    each("int");
}

static void with_uint(void)
{
    each("uint");
}

static void with_long(void)
{
    each("long");
}

static const struct test_case cases[] = {CASE(with_int), CASE(with_uint), CASE(with_long)};
TEST_MAIN("strided", cases)
