/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches of two and three dimensions whose items take long: from the second launch on, when that
 * is known, groups run in another order than before. Products of matrices of whole numbers at odd
 * sizes, each item adds up what it finds, so that one that is left out or run twice is seen.
 */
#include "cl_help.h"
#include "reference.h"

#include <string.h>

enum { DEPTH = 3000, MOST_WIDE = 332, MOST_HIGH = 42, PLANES = 2, LAUNCHES = 3 };

static cl_uint a[MOST_HIGH * DEPTH], b[DEPTH * MOST_WIDE], c[MOST_WIDE * MOST_HIGH * PLANES],
    want[MOST_WIDE * MOST_HIGH * PLANES];

static const struct shape {
    size_t global[3], local[3]; /* 0: the driver's choice */
} shapes[] = {{{330, 39, 1}, {10, 3, 1}}, {{330, 39, 1}, {2, 13, 1}}, {{330, 39, 1}, {66, 39, 1}},
              {{331, 41, 1}, {0, 0, 0}},  {{331, 41, 1}, {1, 1, 1}},  {{320, 40, 1}, {16, 8, 1}},
              {{330, 21, 2}, {15, 7, 1}}, {{64, 42, 2}, {16, 2, 2}},  {{7, 42, 1}, {7, 1, 1}},
              {{330, 1, 2}, {33, 1, 1}}};

/* Each sum is added to what the launches before have left. */
static void compute(const struct shape *s)
{
    size_t n = s->global[0], m = s->global[1];
    for (size_t z = 0; z < s->global[2]; z++)
        for (size_t y = 0; y < m; y++) {
            cl_uint *row = want + (z * m + y) * n;
            for (size_t k = 0; k < DEPTH; k++)
                for (size_t x = 0; x < n; x++)
                    row[x] += (a[y * DEPTH + k] + (cl_uint)z) * b[k * n + x];
        }
}

static void check(cl_kernel kernel)
{
    for (size_t i = 0; i < LEN(a); i++)
        a[i] = (cl_uint)random_below(1000);
    for (size_t i = 0; i < LEN(b); i++)
        b[i] = (cl_uint)random_below(1000);
    for (size_t i = 0; i < LEN(shapes); i++) {
        const struct shape *s = &shapes[i];
        size_t bytes = s->global[0] * s->global[1] * s->global[2] * sizeof *c;
        memset(c, 0, sizeof c);
        memset(want, 0, sizeof want);
        cl_mem ma = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
        cl_mem mb = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
        cl_mem mc = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, c);
        ARG(kernel, 0, ma);
        ARG(kernel, 1, mb);
        ARG(kernel, 2, mc);
        compute(s);
        for (cl_uint launch = 1; launch <= LAUNCHES; launch++) {
            run_nd(kernel, 3, NULL, s->global, s->local[0] ? s->local : NULL);
            read_back(mc, bytes, c);
            for (size_t at = 0; at < bytes / sizeof *c; at++)
                REQUIRE(CHECK_EQ(c[at], launch * want[at]));
        }
        RELEASE_MEM(ma);
        RELEASE_MEM(mb);
        RELEASE_MEM(mc);
    }
}

#define HEAD                                                                                       \
    "kernel void k(global const uint *a, global const uint *b, global uint *c) {\n"                \
    "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"                    \
    "  int n = get_global_size(0), m = get_global_size(1);\n"                                      \
    "  uint sum = 0;\n"

/* Groups of a row may be merged. */
static void by_items(void)
{
    cl_kernel kernel = new_kernel(HEAD "  for (int i = 0; i < DEPTH; i++)\n"
                                       "    sum += (a[y * DEPTH + i] + z) * b[i * n + x];\n"
                                       "  c[(z * m + y) * n + x] += sum;\n"
                                       "}\n",
                                  "k", "-DDEPTH=3000");
    check(kernel);
    RELEASE_KERNEL(kernel);
}

/* Each group for itself. */
static void by_groups(void)
{
    cl_kernel kernel =
        new_kernel(HEAD "  local uint s[50];\n"
                        "  int id = get_local_linear_id(), count = get_local_size(0) *\n"
                        "      get_local_size(1) * get_local_size(2);\n"
                        "  bool row = get_local_size(1) == 1 && get_local_size(2) == 1;\n"
                        "  for (int t = 0; t < DEPTH; t += 50) {\n"
                        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "    for (int i = id; i < 50 && row; i += count)\n"
                        "      s[i] = a[y * DEPTH + t + i];\n"
                        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "    for (int i = 0; i < 50; i++)\n"
                        "      sum += ((row ? s[i] : a[y * DEPTH + t + i]) + z) *\n"
                        "             b[(t + i) * n + x];\n"
                        "  }\n"
                        "  c[(z * m + y) * n + x] += sum;\n"
                        "}\n",
                   "k", "-cl-std=CL2.0 -DDEPTH=3000");
    check(kernel);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {CASE(by_items), CASE(by_groups)};
TEST_MAIN("strips", cases)
