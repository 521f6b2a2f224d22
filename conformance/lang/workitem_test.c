/* SPDX-License-Identifier: Apache-2.0 */
/* Work-item functions in one to three dimensions, with offsets and many local sizes. */
#include "cl_help.h"

#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void k(global ulong *out, uint width, uint height)\n"
    "{\n"
    "    size_t at = ((get_global_id(2) - get_global_offset(2)) * height +\n"
    "                 get_global_id(1) - get_global_offset(1)) * width +\n"
    "                get_global_id(0) - get_global_offset(0);\n"
    "    global ulong *o = out + at * 32;\n"
    "    for (uint d = 0; d < 3; d++) {\n"
    "        o[d] = get_global_id(d);\n"
    "        o[4 + d] = get_local_id(d);\n"
    "        o[8 + d] = get_group_id(d);\n"
    "        o[12 + d] = get_global_size(d);\n"
    "        o[16 + d] = get_local_size(d);\n"
    "        o[20 + d] = get_num_groups(d);\n"
    "        o[24 + d] = get_global_offset(d);\n"
    "    }\n"
    "    o[28] = get_work_dim();\n"
    "}\n";

struct shape {
    cl_uint dims;
    size_t global[3], local[3], offset[3];
};

static void fail_at(const struct shape *s, const size_t *id, const char *what, cl_uint d,
                    cl_ulong want, cl_ulong got)
{
    check_fail(__FILE__, __LINE__,
               "%u dims, global %zu,%zu,%zu local %zu,%zu,%zu item %zu,%zu,%zu: %s(%u) should be "
               "%llu, is %llu",
               s->dims, s->global[0], s->global[1], s->global[2], s->local[0], s->local[1],
               s->local[2], id[0], id[1], id[2], what, d, (unsigned long long)want,
               (unsigned long long)got);
}

static int check_item(const struct shape *s, const size_t *id, const cl_ulong *o)
{
    static const char *const names[] = {"get_global_id",    "get_local_id",   "get_group_id",
                                        "get_global_size",  "get_local_size", "get_num_groups",
                                        "get_global_offset"};
    for (cl_uint d = 0; d < 3; d++) {
        size_t local = d < s->dims ? (s->local[0] ? s->local[d] : o[16 + d]) : 1;
        cl_ulong want[7] = {0, 0, 0, 1, 1, 1, 0};
        if (d < s->dims) {
            const cl_ulong full[7] = {id[d] + s->offset[d], id[d] % local, id[d] / local,
                                      s->global[d],         local,         s->global[d] / local,
                                      s->offset[d]};
            memcpy(want, full, sizeof want);
        }
        for (int f = 0; f < 7; f++) {
            if (o[f * 4 + (int)d] == want[f])
                continue;
            fail_at(s, id, names[f], d, want[f], o[f * 4 + (int)d]);
            return 0;
        }
    }
    return CHECK_EQ(o[28], s->dims);
}

static void check_shape(cl_kernel kernel, const struct shape *s)
{
    size_t all[3] = {1, 1, 1};
    memcpy(all, s->global, s->dims * sizeof *all);
    size_t items = all[0] * all[1] * all[2], bytes = items * 32 * sizeof(cl_ulong);
    cl_ulong *out = malloc(bytes);
    REQUIRE(out);
    cl_uint width = (cl_uint)all[0], height = (cl_uint)all[1];
    cl_mem mem = new_buffer(0, bytes, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, width);
    ARG(kernel, 2, height);
    run_nd(kernel, s->dims, s->offset, s->global, s->local[0] ? s->local : NULL);
    read_back(mem, bytes, out);
    int good = 1;
    for (size_t i = 0; i < items && good; i++) {
        const size_t id[3] = {i % all[0], i / all[0] % all[1], i / all[0] / all[1]};
        good = check_item(s, id, out + i * 32);
    }
    RELEASE_MEM(mem);
    free(out);
}

static void ids(void)
{
    static const struct shape shapes[] = {
        {1, {64}, {0}, {0}},
        {1, {64}, {64}, {0}},
        {1, {63}, {7}, {0}},
        {1, {64}, {1}, {9}},
        {1, {1}, {1}, {123456}},
        {1, {61}, {0}, {5}},
        {2, {16, 8}, {4, 2}, {0}},
        {2, {16, 8}, {16, 1}, {0}},
        {2, {16, 8}, {1, 8}, {3, 4}},
        {2, {15, 21}, {5, 3}, {100, 0}},
        {2, {13, 11}, {0}, {0, 7}},
        {3, {8, 4, 6}, {2, 4, 3}, {0}},
        {3, {8, 4, 6}, {8, 1, 1}, {1, 2, 3}},
        {3, {8, 4, 6}, {1, 1, 6}, {0}},
        {3, {7, 5, 3}, {7, 5, 3}, {10, 20, 30}},
        {3, {7, 5, 3}, {0}, {0}},
    };
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (size_t i = 0; i < LEN(shapes); i++)
        check_shape(kernel, &shapes[i]);
    RELEASE_KERNEL(kernel);
}

/* A dimension number that only the run knows. */
static void dimension_as_argument(void)
{
    cl_kernel kernel = new_kernel("kernel void k(global ulong *o, uint d)\n"
                                  "{\n"
                                  "    if (get_global_id(0) == 3 && get_global_id(1) == 2) {\n"
                                  "        o[0] = get_global_id(d);\n"
                                  "        o[1] = get_local_size(d);\n"
                                  "    }\n"
                                  "}\n",
                                  "k", NULL);
    static const cl_ulong want[5][2] = {{3, 2}, {2, 4}, {0, 1}, {0, 1}, {0, 1}};
    cl_mem mem = new_buffer(0, 16, NULL);
    const size_t global[2] = {4, 4}, local[2] = {2, 4};
    for (cl_uint d = 0; d < 5; d++) {
        cl_ulong got[2] = {99, 99};
        ARG(kernel, 0, mem);
        ARG(kernel, 1, d);
        run_nd(kernel, 2, NULL, global, local);
        read_back(mem, sizeof got, got);
        CHECK_EQ(got[0], want[d][0]);
        CHECK_EQ(got[1], want[d][1]);
    }
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* The same kernel object with different local sizes, one after the other. */
static void one_kernel_many_sizes(void)
{
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (size_t local = 1; local <= 48; local++) {
        const struct shape s = {1, {48 / local * local}, {local}, {local}};
        check_shape(kernel, &s);
    }
    RELEASE_KERNEL(kernel);
}

static void helpers_in_functions(void)
{
    static const char text[] =
        "size_t where(void) { return get_global_id(0) * 10 + get_local_id(0); }\n"
        "__attribute__((noinline)) size_t deep(int n)\n"
        "{\n"
        "    size_t s = 0;\n"
        "    for (int i = 0; i < n; i++)\n"
        "        s += where();\n"
        "    return s;\n"
        "}\n"
        "kernel void k(global ulong *o) { o[get_global_id(0)] = deep(3); }\n";
    cl_kernel kernel = new_kernel(text, "k", NULL);
    cl_ulong got[32];
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 32, 8);
    read_back(mem, sizeof got, got);
    for (cl_ulong i = 0; i < 32; i++)
        CHECK_EQ(got[i], 3 * (i * 10 + i % 8));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {CASE(ids), CASE(dimension_as_argument),
                                         CASE(one_kernel_many_sizes), CASE(helpers_in_functions)};
TEST_MAIN("workitem", cases)
