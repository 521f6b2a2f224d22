/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of a group in local memory, each of which reads what the one before it wrote: reductions,
 * scans, sorting, rings, tiles, histograms. Elements of several sizes, groups of odd sizes and
 * shapes; numbers are such that all types hold them exactly, or modulo their size.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS = 3, MOST_LOCAL = 256, MOST = GROUPS * MOST_LOCAL };

static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 128, 250, 256};

static const struct type {
    const char *name;
    cl_int mask; /* of a number that it holds */
    bool is_double;
} types[] = {{"int", -1, false},      {"float", -1, false}, {"uchar", 255, false},
             {"short", 32767, false}, {"long", -1, false},  {"double", -1, true}};

static cl_int in[MOST], out[MOST], want[MOST];

static bool is_power_of_two(size_t n)
{
    return (n & (n - 1)) == 0;
}

/* All groups of `local` items: in, out, local memory for twice as many, the number of rounds. */
static void run(cl_kernel kernel, size_t local, cl_int rounds)
{
    size_t bytes = GROUPS * local * sizeof *in;
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, in);
    cl_mem to = new_buffer(CL_MEM_READ_WRITE, bytes, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    set_arg(kernel, 2, 2 * local * 8, NULL);
    ARG(kernel, 3, rounds);
    run_1d(kernel, GROUPS * local, local);
    read_back(to, bytes, out);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void compare(const struct type *type, size_t local)
{
    for (size_t i = 0; i < GROUPS * local; i++)
        REQUIRE(CHECK_EQ(out[i], want[i] & type->mask));
}

#define HEAD                                                                                       \
    "kernel void k(global const int *in, global int *out, local T *t, int n) {\n"                  \
    "  int l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);\n"                    \
    "  t[l] = (T)in[g];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
#define STEP "barrier(CLK_LOCAL_MEM_FENCE);"

/* What one group computes: `in` and `want` of its items. */
typedef void (*group_fn)(const cl_int *in, cl_int *want, size_t local, cl_int rounds);

static void in_each_type(const char *body, group_fn reference, bool powers_of_two, cl_int rounds)
{
    char source[1500], option[32];
    snprintf(source, sizeof source, HEAD "%s}\n", body);
    for (size_t t = 0; t < LEN(types); t++) {
        if (types[t].is_double && !has_extension("cl_khr_fp64"))
            continue;
        snprintf(option, sizeof option, "-DT=%s", types[t].name);
        cl_kernel kernel = new_kernel(source, "k", option);
        for (size_t s = 0; s < LEN(sizes); s++) {
            if (powers_of_two && !is_power_of_two(sizes[s]))
                continue;
            for (size_t i = 0; i < MOST; i++)
                in[i] = (cl_int)random_below(100);
            run(kernel, sizes[s], rounds);
            for (size_t g = 0; g < GROUPS; g++)
                reference(in + g * sizes[s], want + g * sizes[s], sizes[s], rounds);
            compare(&types[t], sizes[s]);
        }
        RELEASE_KERNEL(kernel);
    }
}

/* ---- reductions ------------------------------------------------------------------------------ */

static void sum_for_all(const cl_int *of, cl_int *to, size_t local, cl_int rounds)
{
    cl_int sum = rounds;
    for (size_t i = 0; i < local; i++)
        sum += of[i];
    for (size_t i = 0; i < local; i++)
        to[i] = sum;
}

static void tree_of_a_power_of_two(void)
{
    in_each_type("for (int s = L / 2; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; " STEP " }\n"
                 "out[g] = (int)(T)(t[0] + n);\n",
                 sum_for_all, true, 3);
}

static void tree_of_any_size(void)
{
    in_each_type("for (int m = L; m > 1;) { int h = (m + 1) / 2;\n"
                 "  if (l < m - h) t[l] += t[l + h]; m = h; " STEP " }\n"
                 "out[g] = (int)(T)(t[0] + n);\n",
                 sum_for_all, false, 1);
}

static void tree_with_two_guards(void)
{
    in_each_type("for (int s = 128; s > 0; s >>= 1) {\n"
                 "  if (l < s && l + s < L) t[l] += t[l + s]; " STEP " }\n"
                 "out[g] = (int)(T)(t[0] + n);\n",
                 sum_for_all, false, 0);
}

static void steps_written_out(void)
{
    in_each_type("if (l < 128 && l + 128 < L) t[l] += t[l + 128]; " STEP "\n"
                 "if (l < 64 && l + 64 < L) t[l] += t[l + 64]; " STEP "\n"
                 "if (l < 32 && l + 32 < L) t[l] += t[l + 32]; " STEP "\n"
                 "if (l < 16 && l + 16 < L) t[l] += t[l + 16]; " STEP "\n"
                 "if (l < 8 && l + 8 < L) t[l] += t[l + 8]; " STEP "\n"
                 "if (l < 4 && l + 4 < L) t[l] += t[l + 4]; " STEP "\n"
                 "if (l < 2 && l + 2 < L) t[l] += t[l + 2]; " STEP "\n"
                 "if (l < 1 && l + 1 < L) t[l] += t[l + 1]; " STEP "\n"
                 "out[g] = (int)(T)(t[0] + n);\n",
                 sum_for_all, false, 7);
}

static void first_of_the_largest(const cl_int *of, cl_int *to, size_t local, cl_int rounds)
{
    size_t best = 0;
    for (size_t i = 1; i < local; i++)
        if (of[i] > of[best])
            best = i;
    for (size_t i = 0; i < local; i++)
        to[i] = (cl_int)best * rounds;
}

static void place_of_the_largest(void)
{
    in_each_type("t[L + l] = (T)l; " STEP "\n"
                 "for (int m = L; m > 1;) { int h = (m + 1) / 2;\n"
                 "  if (l < m - h) { T a = t[l], b = t[l + h], i = t[L + l], j = t[L + l + h];\n"
                 "    if (b > a || (b == a && j < i)) { t[l] = b; t[L + l] = j; } }\n"
                 "  m = h; " STEP " }\n"
                 "out[g] = (int)t[L] * n;\n",
                 first_of_the_largest, false, 1);
}

/* ---- scans ----------------------------------------------------------------------------------- */

static void running_sum(const cl_int *of, cl_int *to, size_t local, cl_int rounds)
{
    cl_int sum = 0;
    for (size_t i = 0; i < local; i++) {
        sum += of[i];
        to[i] = sum + rounds;
    }
}

static void scan_in_two_arrays(void)
{
    in_each_type("local T *a = t, *b = t + L;\n"
                 "for (int d = 1; d < L; d <<= 1) {\n"
                 "  b[l] = l >= d ? a[l] + a[l - d] : a[l];\n"
                 "  local T *c = a; a = b; b = c; " STEP " }\n"
                 "out[g] = (int)(T)(a[l] + n);\n",
                 running_sum, false, 0);
}

static void scan_in_place(void)
{
    in_each_type("for (int d = 1; d < L; d <<= 1) {\n"
                 "  T v = 0; if (l >= d) v = t[l - d]; " STEP " t[l] += v; " STEP " }\n"
                 "out[g] = (int)(T)(t[l] + n);\n",
                 running_sum, false, 2);
}

static void scan_up_and_down(void)
{
    in_each_type("int e = 1; T own = t[l]; " STEP "\n"
                 "for (int d = L / 2; d > 0; d >>= 1, e *= 2) {\n"
                 "  if (l < d) t[e * (2 * l + 2) - 1] += t[e * (2 * l + 1) - 1]; " STEP " }\n"
                 "if (l == 0) t[L - 1] = 0; " STEP "\n"
                 "for (int d = 1; d < L; d *= 2) { e /= 2;\n"
                 "  if (l < d) { int i = e * (2 * l + 1) - 1, j = e * (2 * l + 2) - 1;\n"
                 "    T v = t[i]; t[i] = t[j]; t[j] += v; } " STEP " }\n"
                 "out[g] = (int)(T)(t[l] + own + n);\n",
                 running_sum, true, 5);
}

/* ---- sorting, rings -------------------------------------------------------------------------- */

static void sorted(const cl_int *of, cl_int *to, size_t local, cl_int rounds)
{
    for (size_t i = 0; i < local; i++) {
        size_t k = i;
        for (; k > 0 && to[k - 1] > of[i] + rounds; k--)
            to[k] = to[k - 1];
        to[k] = of[i] + rounds;
    }
}

static void bitonic_sort(void)
{
    in_each_type("for (int k = 2; k <= L; k *= 2)\n"
                 "  for (int j = k / 2; j > 0; j /= 2) { int o = l ^ j;\n"
                 "    if (o > l) { T a = t[l], b = t[o];\n"
                 "      if ((a > b) == ((l & k) == 0)) { t[l] = b; t[o] = a; } } " STEP " }\n"
                 "out[g] = (int)(T)(t[l] + n);\n",
                 sorted, true, 0);
}

static void turned(const cl_int *of, cl_int *to, size_t local, cl_int rounds)
{
    cl_int next[MOST_LOCAL];
    memcpy(to, of, local * sizeof *to);
    for (cl_int r = 0; r < rounds; r++) {
        for (size_t i = 0; i < local; i++)
            next[i] = (r & 1 ? to[local - 1 - i] : to[(i + local - 1) % local] + r) + to[i] % 2;
        memcpy(to, next, local * sizeof *to);
    }
}

/* Which way the group goes is asked behind barriers. */
static void ring_of_two_ways(void)
{
    in_each_type("for (int r = 0; r < n; r++) { T v;\n"
                 "  if (r & 1) v = t[L - 1 - l] + ((int)t[l] & 1);\n"
                 "  else v = t[(l + L - 1) % L] + r + ((int)t[l] & 1);\n"
                 "  " STEP " t[l] = v; " STEP " }\n"
                 "out[g] = (int)t[l];\n",
                 turned, false, 5);
}

/* ---- vectors that grow by an argument in each round ------------------------------------------ */

enum { LANES = 4 };
static cl_int numbers[MOST * LANES], expected[MOST * LANES];

static void expect_growing(size_t local, const cl_int *step, cl_int rounds)
{
    static cl_int v[MOST * LANES];
    const size_t items = GROUPS * local;
    memcpy(v, numbers, sizeof v);
    memcpy(expected, numbers, sizeof expected);
    for (cl_int r = 0; r <= rounds; r++)
        for (size_t i = 0; i < items; i++)
            for (size_t k = 0; k < LANES; k++) {
                size_t next = i / local * local + (i % local + 1) % local;
                cl_int other = numbers[next * LANES] + r * step[0];
                expected[i * LANES + k] += v[i * LANES + k] + (r < rounds ? other : 0);
                v[i * LANES + k] += step[k];
            }
}

static void vectors(void)
{
    static const cl_int4 step = {{3, -7, 100, 1}};
    static const cl_int rounds = 9;
    cl_kernel kernel = new_kernel(
        "kernel void k(global int4 *x, local int *t, int4 step, int n) {\n"
        "  int l = get_local_id(0), L = get_local_size(0); size_t g = get_global_id(0);\n"
        "  int4 v = x[g];\n"
        "  for (int r = 0; r < n; r++) {\n"
        "    t[l] = v.x; " STEP " x[g] += v + t[(l + 1) % L]; " STEP " v += step; }\n"
        "  x[g] += v;\n}\n",
        "k", NULL);
    for (size_t s = 0; s < LEN(sizes); s++) {
        const size_t bytes = GROUPS * sizes[s] * LANES * sizeof *numbers;
        for (int i = 0; i < MOST * LANES; i++)
            numbers[i] = (i * 7919 + 13) % 1009 - 300;
        expect_growing(sizes[s], step.s, rounds);
        cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, numbers);
        ARG(kernel, 0, x);
        set_arg(kernel, 1, sizes[s] * sizeof *numbers, NULL);
        ARG(kernel, 2, step);
        ARG(kernel, 3, rounds);
        run_1d(kernel, GROUPS * sizes[s], sizes[s]);
        read_back(x, bytes, numbers);
        for (size_t i = 0; i < GROUPS * sizes[s] * LANES; i++)
            REQUIRE(CHECK_EQ(numbers[i], expected[i]));
        RELEASE_MEM(x);
    }
    RELEASE_KERNEL(kernel);
}

/* A vector of which no element has a value yet where the round begins. */
static void vectors_element_by_element(void)
{
    enum { AHEAD = 37 };
    static cl_short given[MOST + AHEAD];
    static cl_int got[2 * MOST];
    static const cl_int rounds = 3;
    cl_kernel kernel = new_kernel(
        "kernel void k(global const short *a, global int *out, int ahead, int n, int most) {\n"
        "  int me = get_global_id(0), all = get_global_size(0); int2 s = 0;\n"
        "  for (int r = 0; r < n; r++) { int2 x;\n"
        "    x[0] = me < most ? a[me] : 0; x[1] = me < most ? a[ahead + me] : 0;\n"
        "    " STEP " s += x; }\n"
        "  out[me] = s[0]; out[all + me] = s[1];\n}\n",
        "k", NULL);
    for (int i = 0; i < MOST + AHEAD; i++)
        given[i] = (cl_short)((i * 7919 + 13) % 1009 - 300);
    for (size_t s = 0; s < LEN(sizes); s++) {
        const cl_int items = (cl_int)(GROUPS * sizes[s]), most = items - items / 3, ahead = AHEAD;
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
        cl_mem o = new_buffer(CL_MEM_READ_WRITE, 2 * (size_t)items * sizeof *got, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, o);
        ARG(kernel, 2, ahead);
        ARG(kernel, 3, rounds);
        ARG(kernel, 4, most);
        run_1d(kernel, (size_t)items, sizes[s]);
        read_back(o, 2 * (size_t)items * sizeof *got, got);
        for (cl_int i = 0; i < items; i++) {
            REQUIRE(CHECK_EQ(got[i], i < most ? rounds * given[i] : 0));
            REQUIRE(CHECK_EQ(got[items + i], i < most ? rounds * given[AHEAD + i] : 0));
        }
        RELEASE_MEM(a);
        RELEASE_MEM(o);
    }
    RELEASE_KERNEL(kernel);
}

/* The same, where some rounds leave it as it is and come to no barrier; in one it is stored while
 * only its first element has a value. */
static void vectors_kept(void)
{
    enum { ROUNDS = 4, SKIPPED = 1 };
    static cl_int given[2 * MOST], got[ROUNDS][MOST][2];
    static const cl_int rounds = ROUNDS, skipped = SKIPPED;
    cl_kernel kernel = new_kernel(
        "kernel void k(global const int *a, global int2 *out, local int *t, int n, int skipped) {\n"
        "  int me = get_global_id(0), l = get_local_id(0), all = get_global_size(0); int2 x;\n"
        "  for (int r = 0; r < n; r++) {\n"
        "    if (r < skipped) continue;\n"
        "    x[0] = a[me] + r; t[l] = r + l; " STEP "\n"
        "    out[r * all + me] = x; x[1] = a[me + all] - t[l]; " STEP "}\n"
        "}\n",
        "k", NULL);
    for (int i = 0; i < 2 * MOST; i++)
        given[i] = i * 7919 % 1009 - 300;
    ARG(kernel, 3, rounds);
    ARG(kernel, 4, skipped);
    for (size_t s = 0; s < LEN(sizes); s++) {
        const size_t items = GROUPS * sizes[s], bytes = ROUNDS * items * sizeof **got;
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
        cl_mem o = new_buffer(CL_MEM_READ_WRITE, bytes, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, o);
        set_arg(kernel, 2, sizes[s] * sizeof(cl_int), NULL);
        run_1d(kernel, items, sizes[s]);
        read_back(o, bytes, got);
        for (size_t i = SKIPPED * items; i < ROUNDS * items; i++) {
            const cl_int *x = (*got)[i], r = (cl_int)(i / items);
            const size_t me = i % items;
            REQUIRE(CHECK_EQ(x[0], given[me] + r));
            if (r > SKIPPED)
                REQUIRE(CHECK_EQ(x[1], given[items + me] - (r - 1 + (cl_int)(me % sizes[s]))));
        }
        RELEASE_MEM(a);
        RELEASE_MEM(o);
    }
    RELEASE_KERNEL(kernel);
}

/* A vector declared in front of a loop, of which each round sets three elements and keeps the
 * fourth, which nothing ever set. */
static void vectors_with_an_unset_element(void)
{
    static cl_int given[LANES * MOST], got[MOST];
    static const cl_int rounds = 3;
    cl_kernel kernel = new_kernel(
        "kernel void k(global const int4 *a, global int *out, int n) {\n"
        "  int me = get_global_id(0); int4 sum = 0, low;\n"
        "  for (int r = 0; r < n; r++) {\n"
        "    int4 v = a[me], best = v;\n"
        "    for (int i = 0; i < n; i++) if ((v.w >> i) & 1) best = min(best, v * i - r);\n"
        "    low.xyz = best.xyz; sum += low > -50 ? low : v - low; }\n"
        "  out[me] = sum.x + 3 * sum.y + 5 * sum.z;\n}\n",
        "k", NULL);
    for (int i = 0; i < LANES * MOST; i++)
        given[i] = (i * 7919 + 13) % 1009 - 300;
    for (size_t s = 0; s < LEN(sizes); s++) {
        const cl_int items = (cl_int)(GROUPS * sizes[s]);
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
        cl_mem o = new_buffer(CL_MEM_READ_WRITE, (size_t)items * sizeof *got, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, o);
        ARG(kernel, 2, rounds);
        run_1d(kernel, (size_t)items, sizes[s]);
        read_back(o, (size_t)items * sizeof *got, got);
        for (cl_int me = 0; me < items; me++) {
            static const cl_int weights[] = {1, 3, 5};
            const cl_int *v = given + LANES * me;
            cl_int wanted = 0;
            for (cl_int r = 0; r < rounds; r++)
                for (size_t e = 0; e < LEN(weights); e++) {
                    cl_int best = v[e];
                    for (cl_int i = 0; i < rounds; i++)
                        if (((v[3] >> i) & 1) && v[e] * i - r < best)
                            best = v[e] * i - r;
                    wanted += weights[e] * (best > -50 ? best : v[e] - best);
                }
            REQUIRE(CHECK_EQ(got[me], wanted));
        }
        RELEASE_MEM(a);
        RELEASE_MEM(o);
    }
    RELEASE_KERNEL(kernel);
}

/* ---- rows, of which some items take part ----------------------------------------------------- */

static const char in_rows[] =
    "kernel void k(global const int *in, global int *out, local int *t, int n) {\n"
    "  int x = get_local_id(0), y = get_local_id(1), X = get_local_size(0), mine = 0;\n"
    "  int at = y * X + x, g = get_group_id(0) * X * get_local_size(1) + at;\n"
    "  t[at] = in[g];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int s = 1; s <= X; s += n) {\n"
    "    if (x >= s) mine += t[at - s];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (x == X - s) t[at] += 5;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (x < X - s && y < n) t[at] ^= s;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (x > s && x + s < X) { mine ^= t[at]; t[at] = mine; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n"
    "  out[g] = 1000 * mine + t[at];\n}\n";

static void expect_in_rows(const cl_int *of, cl_int *to, cl_int width, cl_int height, cl_int n)
{
    cl_int t[MOST_LOCAL], mine[MOST_LOCAL] = {0};
    for (cl_int at = 0; at < width * height; at++)
        t[at] = of[at];
    for (cl_int s = 1; s <= width; s += n) {
        for (cl_int at = 0; at < width * height; at++)
            mine[at] += at % width >= s ? t[at - s] : 0;
        for (cl_int at = 0; at < width * height; at++) {
            const cl_int x = at % width, y = at / width;
            t[at] += x == width - s ? 5 : 0;
            t[at] ^= x < width - s && y < n ? s : 0;
            if (x > s && x + s < width)
                t[at] = mine[at] ^= t[at];
        }
    }
    for (cl_int at = 0; at < width * height; at++)
        to[at] = 1000 * mine[at] + t[at];
}

static void some_of_each_row(void)
{
    static const cl_int shapes[][2] = {{1, 1},  {1, 7},  {2, 3},  {5, 3},  {7, 1},
                                       {8, 8},  {15, 4}, {16, 4}, {17, 2}, {33, 3},
                                       {64, 4}, {3, 50}, {100, 2}};
    cl_kernel kernel = new_kernel(in_rows, "k", NULL);
    for (size_t k = 0; k < LEN(shapes); k++)
        for (cl_int n = 1; n <= 4; n++) {
            const size_t local[] = {(size_t)shapes[k][0], (size_t)shapes[k][1]};
            const size_t global[] = {GROUPS * local[0], local[1]}, items = local[0] * local[1];
            for (size_t i = 0; i < MOST; i++)
                in[i] = (cl_int)random_below(100);
            cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, GROUPS * items * sizeof *in, in);
            cl_mem to = new_buffer(CL_MEM_READ_WRITE, GROUPS * items * sizeof *in, NULL);
            ARG(kernel, 0, from);
            ARG(kernel, 1, to);
            set_arg(kernel, 2, items * sizeof *in, NULL);
            ARG(kernel, 3, n);
            run_nd(kernel, 2, NULL, global, local);
            read_back(to, GROUPS * items * sizeof *in, out);
            for (size_t g = 0; g < GROUPS; g++)
                expect_in_rows(in + g * items, want + g * items, shapes[k][0], shapes[k][1], n);
            for (size_t i = 0; i < GROUPS * items; i++)
                REQUIRE(CHECK_EQ(out[i], want[i]));
            RELEASE_MEM(from);
            RELEASE_MEM(to);
        }
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(tree_of_a_power_of_two),
    CASE(tree_of_any_size),
    CASE(tree_with_two_guards),
    CASE(steps_written_out),
    CASE(place_of_the_largest),
    CASE(scan_in_two_arrays),
    CASE(scan_in_place),
    CASE(scan_up_and_down),
    CASE(bitonic_sort),
    CASE(ring_of_two_ways),
    CASE(some_of_each_row),
    CASE(vectors),
    CASE(vectors_element_by_element),
    CASE(vectors_kept),
    CASE(vectors_with_an_unset_element),
};
TEST_MAIN("local_steps", cases)
