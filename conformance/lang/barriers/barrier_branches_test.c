/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers in branches: of groups, of items that meet in them or leave, of ways that cross. */
#include "cl_help.h"
#include "reference.h"

#include "barrier_help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static cl_int in[MOST], out[MOST];

static void in_uniform_branches(void)
{
    fill(in);
    for (int n = 0; n < 4; n++) {
        run(HEAD "    s[l] = in[g];\n"
                 "    if (n == 1) {\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        out[g] = s[L - 1 - l];\n"
                 "    } else if (n == 2) {\n"
                 "        for (int i = 0; i < 3; i++) {\n"
                 "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "            int v = s[(l + 1) % L];\n"
                 "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "            s[l] = v;\n"
                 "        }\n"
                 "        out[g] = s[l];\n"
                 "    } else if (n == 3) {\n"
                 "        out[g] = 5;\n"
                 "        return;\n"
                 "    } else {\n"
                 "        out[g] = -l;\n"
                 "    }\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
                 "    out[g] += 1000;\n}\n",
            60, 15, in, out, n);
        for (int g = 0; g < 60; g++) {
            int l = g % 15, base = g - l;
            const cl_int want[] = {1000 - l, in[base + 14 - l] + 1000,
                                   in[base + (l + 3) % 15] + 1000, 5};
            REQUIRE(CHECK_EQ(out[g], want[n]));
        }
    }
}

/* A way that only the whole group takes leads to where its items part, so that all of it is masked;
 * what was chosen on the way is still one number for the group. */
static void chosen_on_ways_that_cross(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++)
        for (int n = 0; n < 4; n++) {
            size_t local = local_sizes[i];
            run(HEAD "    int v = in[g], r = 9;\n"
                     "    if (n & 1) {\n"
                     "        if (v & 4) goto both;\n"
                     "        goto behind;\n"
                     "    }\n"
                     "    if (n & 2) goto both;\n"
                     "    v *= 3;\n"
                     "    goto meet;\n"
                     "both:\n"
                     "    v += 100000 / (v | 1);\n"
                     "behind:\n"
                     "    r = 5;\n"
                     "    out[g] = v;\n"
                     "meet:\n"
                     "    s[l] = v;\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "    out[g] = r * s[L - 1 - l] + (r == 5 ? out[g] : 0);\n}\n",
                local * GROUPS, local, in, out, n);
            cl_int v[MOST];
            for (size_t g = 0; g < local * GROUPS; g++) {
                bool both = n & 1 ? in[g] & 4 : n & 2;
                v[g] = both ? in[g] + 100000 / (in[g] | 1) : n & 1 ? in[g] : in[g] * 3;
            }
            for (size_t g = 0; g < local * GROUPS; g++) {
                size_t l = g % local, other = g - l + local - 1 - l;
                REQUIRE(CHECK_EQ(out[g], n ? 5 * v[other] + v[g] : 9 * v[other]));
            }
        }
}

/* As a matrix product does at its edges: the question is about the item, its answer the group's. */
static void in_branches_of_all_or_none(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++)
        for (int groups = 0; groups <= GROUPS; groups++) {
            size_t local = local_sizes[i];
            run(HEAD "    int o = 0, k = 0;\n"
                     "    if (g < n) {\n"
                     "        for (; k < 3; k++) {\n"
                     "            if (l & 1) s[l] = in[g] + k;\n"
                     "            else s[l] = in[g] * 2 - k;\n"
                     "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "            o += s[(l + k) % L];\n"
                     "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "        }\n"
                     "        out[g] = o * 10 + k;\n"
                     "    } else {\n"
                     "        for (; k < 5; k += 2) {\n"
                     "            s[l] = in[g] ^ k;\n"
                     "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "            if (s[L - 1 - l] & 1) o += k;\n"
                     "            else o -= s[L - 1 - l];\n"
                     "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "        }\n"
                     "        out[g] = o + k;\n"
                     "    }\n"
                     "}\n",
                local * GROUPS, local, in, out, groups * (int)local);
            for (size_t g = 0; g < local * GROUPS; g++) {
                size_t l = g % local, base = g - l;
                cl_int want = 0;
                for (size_t k = 0; k < 3 && g < groups * local; k++) {
                    size_t from = (l + k) % local;
                    cl_int v = in[base + from], a = (cl_int)k;
                    want += from & 1 ? v + a : v * 2 - a;
                }
                for (cl_int k = 0; k < 5 && g >= groups * local; k += 2) {
                    cl_int v = in[base + local - 1 - l] ^ k;
                    want += v & 1 ? k : -v;
                }
                REQUIRE(CHECK_EQ(out[g], g < groups * local ? want * 10 + 3 : want + 6));
            }
        }
}

/* Items part, and each way leads to a barrier of its own, which no item comes to. */
static void on_ways_that_pass_barriers_by(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t global = local_sizes[i] * GROUPS;
        run(HEAD "    int o = in[g], k = 0;\n"
                 "    if (o & 1) {\n"
                 "        for (; k < n; k++) {\n"
                 "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "            o += k;\n"
                 "        }\n"
                 "        o = o * 3 + 1;\n"
                 "    } else {\n"
                 "        if (n == 5) {\n"
                 "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "            o ^= 9;\n"
                 "        }\n"
                 "        o = o * 7 + 2;\n"
                 "    }\n"
                 "    out[g] = o;\n}\n",
            global, local_sizes[i], in, out, 0);
        for (size_t g = 0; g < global; g++)
            REQUIRE(CHECK_EQ(out[g], in[g] & 1 ? in[g] * 3 + 1 : in[g] * 7 + 2));
    }
}

/* Against the letter of the standard, and everywhere in use: the others do not wait for them. */
static void without_items_that_left(void)
{
    if (!is_sluice())
        check_skip("what becomes of items that pass a barrier by is ours to say");
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++)
        for (size_t n = 0; n <= local_sizes[i] * GROUPS; n += 1 + n / 3) {
            size_t local = local_sizes[i], global = local * GROUPS;
            for (size_t g = 0; g < global; g++)
                out[g] = -1;
            run(HEAD "    if (g >= n) return;\n"
                     "    s[l] = in[g];\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "    int o = l ? s[l - 1] : 7;\n"
                     "    for (int k = 0; k < 3; k++) {\n"
                     "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "        if (o & 1) s[l] = o + k;\n"
                     "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "        o = o * 3 + s[l ? l - 1 : 0];\n"
                     "    }\n"
                     "    out[g] = o;\n}\n",
                global, local, in, out, (cl_int)n);
            for (size_t base = 0; base < global; base += local) {
                cl_uint o[64], s[64];
                size_t stay = base >= n ? 0 : n - base < local ? n - base : local;
                for (size_t l = 0; l < stay; l++) {
                    s[l] = (cl_uint)in[base + l];
                    o[l] = l ? s[l - 1] : 7;
                }
                for (cl_uint k = 0; k < 3; k++) {
                    for (size_t l = 0; l < stay; l++)
                        if (o[l] & 1)
                            s[l] = o[l] + k;
                    for (size_t l = 0; l < stay; l++)
                        o[l] = o[l] * 3 + s[l ? l - 1 : 0];
                }
                for (size_t l = 0; l < local; l++)
                    REQUIRE(CHECK_EQ(out[base + l], l < stay ? (cl_int)o[l] : -1));
            }
        }
}

/* The same in two dimensions, where whole rows may be without items. */
static void without_rows_that_left(void)
{
    if (!is_sluice())
        check_skip("what becomes of items that pass a barrier by is ours to say");
    static const size_t shapes[][2] = {{4, 3}, {8, 2}, {7, 5}, {1, 6}, {16, 4}};
    enum { SIDE = 48 };
    static cl_int got[SIDE * SIDE];
    cl_kernel kernel =
        new_kernel("kernel void k(global int *out, local int *s, int w, int h)\n{\n"
                   "    int x = get_global_id(0), y = get_global_id(1);\n"
                   "    int l = get_local_id(0), r = get_local_id(1), L = get_local_size(0);\n"
                   "    if (x >= w || y >= h) return;\n"
                   "    s[r * L + l] = x * 100 + y;\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "    out[y * 48 + x] = s[r ? (r - 1) * L + l : l] * 3 + s[r * L];\n}\n",
                   "k", NULL);
    for (size_t i = 0; i < LEN(shapes); i++)
        for (cl_int w = 0; w < 20; w += 3) {
            size_t lx = shapes[i][0], ly = shapes[i][1];
            size_t local[2] = {lx, ly}, global[2] = {lx * 3, ly * 3};
            cl_int h = (w * 7 + 1) % 19;
            memset(got, 0xff, sizeof got);
            cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
            ARG(kernel, 0, b);
            CHECK_OK(clSetKernelArg(kernel, 1, lx * ly * sizeof(cl_int), NULL));
            ARG(kernel, 2, w);
            ARG(kernel, 3, h);
            REQUIRE_OK(
                clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
            read_back(b, sizeof got, got);
            for (size_t y = 0; y < SIDE; y++)
                for (size_t x = 0; x < SIDE; x++) {
                    size_t above = y % ly ? y - 1 : y, first = x - x % lx;
                    bool stays = x < global[0] && y < global[1] && (cl_int)x < w && (cl_int)y < h;
                    cl_int want = stays ? (cl_int)((x * 100 + above) * 3 + first * 100 + y) : -1;
                    REQUIRE(CHECK_EQ(got[y * SIDE + x], want));
                }
            RELEASE_MEM(b);
        }
    RELEASE_KERNEL(kernel);
}

/* No barrier, but groups that are cut all the same: the way out of a loop is the way past the next.
 */
static void loops_past_each_other(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++)
        for (cl_uint n = 0; n < 8; n++) {
            size_t local = local_sizes[i], global = local * GROUPS;
            run(HEAD "    uint m = n & 3, r = g, turns = 0, y = in[g];\n"
                     "    if (m) { uint z = m; do { r += in[z]; z--; } while (z != 0); }\n"
                     "    if (m) { uint z = m; do { r += in[z]; z--; } while (z != 0); }\n"
                     "    do {\n"
                     "        uint t = y & 3;\n"
                     "        do { r += m; if (n & 4) break; } while (t--);\n"
                     "        if (m) { uint z = m; do { r += in[z]; z--; } while (z != 0); }\n"
                     "    } while (++turns < (get_group_id(0) & 3));\n"
                     "    out[g] = r * 3 + m;\n}\n",
                global, local, in, out, (cl_int)n);
            for (size_t g = 0; g < global; g++) {
                cl_uint turns = g / local & 3 ? g / local & 3 : 1, m = n & 3, sum = 0;
                cl_uint adds = n & 4 ? 1 : ((cl_uint)in[g] & 3) + 1;
                for (cl_uint z = 1; z <= m; z++)
                    sum += (cl_uint)in[z];
                cl_uint r = (cl_uint)g + sum * 2 + turns * (adds * m + sum);
                REQUIRE(CHECK_EQ((cl_uint)out[g], r * 3 + m));
            }
        }
}

/* Which of the branches a group takes is in n; each leads past the next one's barrier or not. */
static void in_branches_one_behind_the_other(void)
{
    static cl_int want[64], next[64];
    fill(in);
    for (cl_int n = 0; n < 64; n++) {
        size_t local = local_sizes[(size_t)n % LEN(local_sizes)];
        run(HEAD "    int turn = 1, mine = in[g];\n    s[l] = mine;\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
#define STEP(bit)                                                                                  \
    "    if (n & " #bit ") {\n        int there = s[(l + turn) % L];\n"                            \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n        if (l < L - 1 || turn == 1)\n"                 \
    "            s[l] = 3 * there + " #bit ";\n        turn += " #bit ";\n"                        \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"
            STEP(1) STEP(2) STEP(4) STEP(8) STEP(16) STEP(32)
#undef STEP
                "    out[g] = s[l] + mine * turn;\n}\n",
            local * GROUPS, local, in, out, n);
        for (size_t group = 0; group < GROUPS; group++) {
            const cl_int *own = in + group * local;
            cl_int turn = 1;
            memcpy(want, own, local * sizeof *want);
            for (cl_int bit = 1; bit < 64; bit *= 2) {
                if (!(n & bit))
                    continue;
                for (size_t l = 0; l < local; l++)
                    next[l] = l < local - 1 || turn == 1
                                  ? 3 * want[(l + (size_t)turn) % local] + bit
                                  : want[l];
                memcpy(want, next, local * sizeof *want);
                turn += bit;
            }
            for (size_t l = 0; l < local; l++)
                REQUIRE(CHECK_EQ(out[group * local + l], want[l] + own[l] * turn));
        }
    }
}

/* Items that are done early still take part in the barriers of the rest. */
static void divergent_between_barriers(void)
{
    fill(in);
    run(HEAD "    int v = in[g];\n"
             "    for (int step = 0; step < n; step++) {\n"
             "        if (v % 3 == 0) v = v / 3 + l;\n"
             "        else if (v & 1) { for (int k = 0; k < (v & 7); k++) v += k; }\n"
             "        else v = v * 2 + 1;\n"
             "        s[l] = v;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        v += s[(l + step) % L] & 15;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    }\n"
             "    out[g] = v;\n}\n",
        56, 14, in, out, 6);
    for (int group = 0; group < 4; group++) {
        int v[14], s[14];
        for (int l = 0; l < 14; l++)
            v[l] = in[group * 14 + l];
        for (int step = 0; step < 6; step++) {
            for (int l = 0; l < 14; l++) {
                if (v[l] % 3 == 0)
                    v[l] = v[l] / 3 + l;
                else if (v[l] & 1)
                    for (int k = 0; k < (v[l] & 7); k++)
                        v[l] += k;
                else
                    v[l] = v[l] * 2 + 1;
                s[l] = v[l];
            }
            for (int l = 0; l < 14; l++)
                v[l] += s[(l + step) % 14] & 15;
        }
        for (int l = 0; l < 14; l++)
            CHECK_EQ(out[group * 14 + l], v[l]);
    }
}

/* Behind the barriers, where some ways come together, is a value that turns of a loop in front of
 * them made, as many as each item took. */
static void after_turns_of_their_own(void)
{
    static const char source[] =
        HEAD "    int v = 296, G = get_global_size(0);\n"
             "    out[g] = 0;\n"
             "    for (int j = 0; j < (in[g] & 7); j++) {\n"
             "        if (in[(g + j) % G] & 1)\n            continue;\n"
             "        for (int q = in[j % G] & 3; q > 0; q--)\n"
             "            v = (in[(g + q) % G] + v) % 1024;\n    }\n"
             "    if (n > 3) {\n        out[g] = v;\n        if (n < 6) {\n"
             "            s[l] = g + v;\n            barrier(CLK_LOCAL_MEM_FENCE);\n"
             "            out[g] += s[(l + 1) % L];\n            barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        }\n        v = 407;\n    }\n    out[g] += v * 10000;\n}\n";
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i += 3)
        for (cl_int n = 3; n <= 6; n++) {
            size_t local = local_sizes[i], items = local * GROUPS;
            cl_int v[MOST];
            run(source, items, local, in, out, n);
            for (size_t g = 0; g < items; g++) {
                v[g] = 296;
                for (int j = 0; j < (in[g] & 7); j++)
                    for (int q = in [(g + (size_t)j) % items] & 1 ? 0 : in [(size_t)j % items] & 3;
                         q > 0; q--)
                        v[g] = (in[(g + (size_t)q) % items] + v[g]) % 1024;
            }
            for (size_t g = 0; g < items; g++) {
                size_t next = g - g % local + (g + 1) % local;
                cl_int kept = n > 3 ? v[g] : 0;
                kept += n > 3 && n < 6 ? (cl_int)next + v[next] : 0;
                REQUIRE(CHECK_EQ(out[g], (n > 3 ? 407 : v[g]) * 10000 + kept));
            }
        }
}

static const struct test_case cases[] = {
    CASE(after_turns_of_their_own),         CASE(in_uniform_branches),
    CASE(chosen_on_ways_that_cross),        CASE(in_branches_of_all_or_none),
    CASE(on_ways_that_pass_barriers_by),    CASE(without_items_that_left),
    CASE(without_rows_that_left),           CASE(loops_past_each_other),
    CASE(in_branches_one_behind_the_other), CASE(divergent_between_barriers),
};
TEST_MAIN("barrier_branches", cases)
