/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory and barriers in straight code, loops, uniform branches and called functions. */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const size_t local_sizes[] = {1, 2, 3, 5, 8, 13, 16, 31, 32, 64};

/* data in, results out; one int per item each */
static void run(const char *source, size_t global, size_t local, const cl_int *in, cl_int *out,
                cl_int n)
{
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, global * sizeof *in, (void *)(size_t)in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, global * sizeof *out, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    CHECK_OK(clSetKernelArg(kernel, 2, (local + 1) * sizeof(cl_int), NULL));
    ARG(kernel, 3, n);
    run_1d(kernel, global, local);
    read_back(b, global * sizeof *out, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

enum { GROUPS = 4, MOST = 64 * GROUPS };

static cl_int in[MOST], out[MOST];

static void fill(void)
{
    for (size_t i = 0; i < MOST; i++)
        in[i] = (cl_int)random_below(1000);
}

#define HEAD                                                                                       \
    "kernel void k(global int *in, global int *out, local int *s, int n)\n{\n"                     \
    "    int l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);\n"

static void neighbour_exchange(void)
{
    fill();
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    s[l] = in[g];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    out[g] = s[(l + 1) % L] * 2 + s[L - 1 - l];\n}\n",
            local * GROUPS, local, in, out, 0);
        for (size_t g = 0; g < local * GROUPS; g++) {
            size_t l = g % local, base = g - l;
            REQUIRE(CHECK_EQ(out[g], in[base + (l + 1) % local] * 2 + in[base + local - 1 - l]));
        }
    }
}

static void reduction(void)
{
    fill();
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    s[l] = in[g];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    for (int w = 1; w < L; w *= 2) {\n"
                 "        int v = 0;\n"
                 "        if (l % (2 * w) == 0 && l + w < L) v = s[l + w];\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        s[l] += v;\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    }\n"
                 "    out[g] = s[0];\n}\n",
            local * GROUPS, local, in, out, 0);
        for (size_t g = 0; g < local * GROUPS; g++) {
            cl_int want = 0;
            for (size_t j = 0; j < local; j++)
                want += in[g / local * local + j];
            REQUIRE(CHECK_EQ(out[g], want));
        }
    }
}

static void scan(void)
{
    fill();
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    s[l] = in[g];\n"
                 "    for (int d = 1; d < L; d <<= 1) {\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        int v = l >= d ? s[l - d] : 0;\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        s[l] += v;\n"
                 "    }\n"
                 "    out[g] = s[l];\n}\n",
            local * GROUPS, local, in, out, 0);
        cl_int sum = 0;
        for (size_t g = 0; g < local * GROUPS; g++) {
            sum = (g % local ? sum : 0) + in[g];
            REQUIRE(CHECK_EQ(out[g], sum));
        }
    }
}

/* Values that live across barriers, changed differently by each item. */
static void private_values_survive(void)
{
    fill();
    run(HEAD "    int a = in[g], b = a * 3 + l, arr[4] = {l, a, b, 7};\n"
             "    s[l] = a;\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    int c = s[(l + 3) % L];\n"
             "    if (l & 1) { b += c; arr[l & 3] = c; } else { arr[2] -= c; }\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    s[l] = b + arr[0];\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    out[g] = s[(l + 5) % L] + arr[1] * 5 + arr[2] * 7 + arr[3] + a;\n}\n",
        64, 16, in, out, 0);
    for (int group = 0; group < 4; group++) {
        int arr[16][4], b[16];
        const cl_int *x = in + group * 16;
        for (int l = 0; l < 16; l++) {
            int c = x[(l + 3) % 16];
            b[l] = x[l] * 3 + l;
            const int start[4] = {l, x[l], b[l], 7};
            memcpy(arr[l], start, sizeof start);
            if (l & 1) {
                b[l] += c;
                arr[l][l & 3] = c;
            } else {
                arr[l][2] -= c;
            }
        }
        for (int l = 0; l < 16; l++) {
            int o = (l + 5) % 16;
            CHECK_EQ(out[group * 16 + l],
                     b[o] + arr[o][0] + arr[l][1] * 5 + arr[l][2] * 7 + arr[l][3] + x[l]);
        }
    }
}

static void in_uniform_branches(void)
{
    fill();
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
    fill();
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
    fill();
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
    fill();
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
    fill();
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
    fill();
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
    fill();
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

static void in_nested_loops(void)
{
    fill();
    run(HEAD "    int sum = 0;\n"
             "    for (int i = 0; i < n; i++) {\n"
             "        for (int j = 0; j <= i; j++) {\n"
             "            s[(l + i) % L] = in[g] + j;\n"
             "            barrier(CLK_LOCAL_MEM_FENCE);\n"
             "            sum += s[l] * (i + 1);\n"
             "            barrier(CLK_LOCAL_MEM_FENCE);\n"
             "            if (j == 3) break;\n"
             "        }\n"
             "        if (i == 5) continue;\n"
             "        sum ^= i;\n"
             "    }\n"
             "    out[g] = sum;\n}\n",
        48, 12, in, out, 9);
    for (int g = 0; g < 48; g++) {
        int l = g % 12, base = g - l, sum = 0;
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j <= i && j <= 3; j++)
                sum += (in[base + (l - i + 24) % 12] + j) * (i + 1);
            if (i != 5)
                sum ^= i;
        }
        CHECK_EQ(out[g], sum);
    }
}

static void in_while_and_do(void)
{
    fill();
    run(HEAD "    int i = n, v = in[g];\n"
             "    do {\n"
             "        s[l] = v;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        v = s[(l + i) % L] + 1;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    } while (--i > 0);\n"
             "    while (i < 3) {\n"
             "        i++;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        s[l] = v + l;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        v = s[L - 1 - l];\n"
             "    }\n"
             "    out[g] = v;\n}\n",
        40, 10, in, out, 4);
    for (int group = 0; group < 4; group++) {
        int v[10], s[10];
        for (int l = 0; l < 10; l++)
            v[l] = in[group * 10 + l];
        for (int i = 4; i > 0; i--) {
            memcpy(s, v, sizeof s);
            for (int l = 0; l < 10; l++)
                v[l] = s[(l + i) % 10] + 1;
        }
        for (int i = 0; i < 3; i++) {
            for (int l = 0; l < 10; l++)
                s[l] = v[l] + l;
            for (int l = 0; l < 10; l++)
                v[l] = s[9 - l];
        }
        for (int l = 0; l < 10; l++)
            CHECK_EQ(out[group * 10 + l], v[l]);
    }
}

static void in_functions(void)
{
    fill();
    run("int swap_around(local int *s, int v)\n"
        "{\n"
        "    int l = get_local_id(0), L = get_local_size(0);\n"
        "    s[l] = v;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    int r = s[L - 1 - l];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    return r;\n"
        "}\n" HEAD "    int a = swap_around(s, in[g]);\n"
        "    int b = swap_around(s, a + l);\n"
        "    out[g] = a * 1000 + b;\n}\n",
        36, 9, in, out, 0);
    for (int g = 0; g < 36; g++) {
        int l = g % 9, base = g - l;
        CHECK_EQ(out[g], in[base + 8 - l] * 1000 + in[base + l] + 8 - l);
    }
}

static void local_arrays_in_kernel(void)
{
    fill();
    run("typedef struct { int v; char pad[3]; } cell;\n" HEAD
        "    local int a[64];\n    local cell b[64];\n    local float4 c[16];\n"
        "    a[l] = in[g]; b[l].v = l * 5;\n"
        "    if (l < 16) c[l] = (float4)(l, 1, 2, 3);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[g] = a[(l + 7) % L] + b[(l + 1) % L].v + (int)c[l & 7].x;\n}\n",
        64, 16, in, out, 0);
    for (int g = 0; g < 64; g++) {
        int l = g % 16, base = g - l;
        CHECK_EQ(out[g], in[base + (l + 7) % 16] + (l + 1) % 16 * 5 + (l & 7));
    }
}

static void matrix_product(void)
{
    static const char source[] =
        "#define T 8\n"
        "kernel void mul(global const float *a, global const float *b, global float *c, int n)\n"
        "{\n"
        "    local float ta[T][T], tb[T][T + 1];\n"
        "    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0),\n"
        "        ly = get_local_id(1);\n"
        "    float sum = 0;\n"
        "    for (int t = 0; t < n; t += T) {\n"
        "        ta[ly][lx] = a[y * n + t + lx];\n"
        "        tb[ly][lx] = b[(t + ly) * n + x];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        for (int k = 0; k < T; k++)\n"
        "            sum += ta[ly][k] * tb[k][lx];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    }\n"
        "    c[y * n + x] = sum;\n"
        "}\n";
    enum { N = 48 };
    static float a[N * N], b[N * N], c[N * N];
    cl_int n = N;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)random_below(64);
        b[i] = (float)random_below(64);
    }
    cl_kernel kernel = new_kernel(source, "mul", NULL);
    cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
                    new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b), new_buffer(0, sizeof c, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        ARG(kernel, i, mem[i]);
    ARG(kernel, 3, n);
    const size_t global[] = {N, N}, local[] = {8, 8};
    run_nd(kernel, 2, NULL, global, local);
    read_back(mem[2], sizeof c, c);
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            float want = 0;
            for (int k = 0; k < N; k++)
                want += a[y * N + k] * b[k * N + x];
            REQUIRE(CHECK_EQ(c[y * N + x], want));
        }
    }
    for (int i = 0; i < 3; i++)
        RELEASE_MEM(mem[i]);
    RELEASE_KERNEL(kernel);
}

static int by_value(const void *a, const void *b)
{
    cl_int x = *(const cl_int *)a, y = *(const cl_int *)b;
    return (x > y) - (x < y);
}

static void bitonic_sort(void)
{
    for (size_t local = 2; local <= 64; local *= 2) {
        fill();
        run(HEAD "    s[l] = in[g];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    for (int size = 2; size <= L; size *= 2) {\n"
                 "        for (int stride = size / 2; stride > 0; stride /= 2) {\n"
                 "            int other = l ^ stride;\n"
                 "            if (other > l) {\n"
                 "                int up = (l & size) == 0, x = s[l], y = s[other];\n"
                 "                if ((x > y) == up) { s[l] = y; s[other] = x; }\n"
                 "            }\n"
                 "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        }\n"
                 "    }\n"
                 "    out[g] = s[l];\n}\n",
            local * GROUPS, local, in, out, 0);
        for (size_t group = 0; group < GROUPS; group++) {
            qsort(in + group * local, local, sizeof *in, by_value);
            CHECK(!memcmp(in + group * local, out + group * local, local * sizeof *in));
        }
    }
}

/* Items that are done early still take part in the barriers of the rest. */
static void divergent_between_barriers(void)
{
    fill();
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

/* Of the vector that lives across the barrier only one element is ever computed. */
static void one_element_kept(void)
{
    fill();
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    char4 v = select((char4)(char)(l * 3 + in[g]), (char4)(char)g, "
                 "(char4)(char)n == (char4)7);\n"
                 "    s[l] = g;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    out[g] = v.s0 + s[(l + 1) "
                 "% L];\n}\n",
            local * GROUPS, local, in, out, (cl_int)(7 * (i % 2)));
        for (size_t g = 0; g < local * GROUPS; g++) {
            size_t l = g % local, next = g - l + (l + 1) % local;
            cl_char v = (cl_char)(i % 2 ? (cl_int)g : (cl_int)l * 3 + in[g]);
            REQUIRE(CHECK_EQ(out[g], v + (cl_int)next));
        }
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
    fill();
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
    CASE(after_turns_of_their_own),
    CASE(one_element_kept),
    CASE(neighbour_exchange),
    CASE(reduction),
    CASE(scan),
    CASE(private_values_survive),
    CASE(in_uniform_branches),
    CASE(chosen_on_ways_that_cross),
    CASE(in_branches_of_all_or_none),
    CASE(on_ways_that_pass_barriers_by),
    CASE(without_items_that_left),
    CASE(without_rows_that_left),
    CASE(loops_past_each_other),
    CASE(in_branches_one_behind_the_other),
    CASE(in_nested_loops),
    CASE(in_while_and_do),
    CASE(in_functions),
    CASE(local_arrays_in_kernel),
    CASE(matrix_product),
    CASE(bitonic_sort),
    CASE(divergent_between_barriers),
};
TEST_MAIN("barrier", cases)
