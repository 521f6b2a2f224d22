/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sub-groups that a compiler may put into vectors: what their items do together where all of them
 * come, at branches and in loops that they take together, behind barriers, in groups of all shapes;
 * and next to that the flow in which they part, where those do it that come.
 */
#define CL_ENABLE_BETA_EXTENSIONS
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1600, ANSWERS = 16 };

static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"};
/* Items of the whole range, and of a group, in each dimension: odd and round ones, last groups that
 * are smaller, rows that are whole sub-groups and rows that are not. */
static const struct shape {
    cl_uint dims;
    size_t global[3], local[3];
} shapes[] = {
    {1, {3, 1, 1}, {1, 1, 1}},     {1, {96, 1, 1}, {32, 1, 1}},   {1, {99, 1, 1}, {33, 1, 1}},
    {1, {250, 1, 1}, {100, 1, 1}}, {1, {512, 1, 1}, {256, 1, 1}}, {2, {64, 6, 1}, {64, 3, 1}},
    {2, {70, 6, 1}, {32, 3, 1}},   {2, {48, 4, 1}, {16, 4, 1}},   {3, {32, 4, 6}, {32, 2, 3}},
    {3, {5, 6, 4}, {5, 3, 4}},     {1, {1600, 1, 1}, {200, 1, 1}}};

static cl_int inputs[MOST], outputs[MOST * ANSWERS];

static void need(const char *extension)
{
    if (device_version() < 300 || !device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS))
        check_skip("no sub-groups");
    if (extension && !has_extension(extension))
        check_skip(extension);
    for (int i = 0; i < MOST; i++)
        inputs[i] = (i * 37 + i / 7 + 11) % 23 + 1;
}

/* ---- which items are a sub-group ------------------------------------------------------------- */

/* Numbers of the items (row-major in the range) of one group, in the order of their ids. */
struct group {
    size_t count, item[MOST];
};

static size_t part(size_t global, size_t local, size_t id)
{
    size_t left = global - id * local;
    return left < local ? left : local;
}

static void list_items(const struct shape *s, const size_t *id, struct group *g)
{
    size_t size[3];
    g->count = 0;
    for (int d = 0; d < 3; d++)
        size[d] = part(s->global[d], s->local[d], id[d]);
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < size[0]; x++) {
                size_t row = (id[2] * s->local[2] + z) * s->global[1] + id[1] * s->local[1] + y;
                g->item[g->count++] = row * s->global[0] + id[0] * s->local[0] + x;
            }
}

/* Values of one sub-group's items, and where their answers are. */
struct sub_group {
    size_t count, size, number, group_count; /* size: of those that are full */
    cl_int x[128];
    const cl_int *out[128];
};

typedef void (*check_fn)(const struct sub_group *);

static void check_group(const struct group *g, size_t size, check_fn check)
{
    struct sub_group s = {.size = size, .group_count = g->count};
    for (size_t first = 0; first < g->count; first += size, s.number++) {
        s.count = g->count - first < size ? g->count - first : size;
        for (size_t l = 0; l < s.count; l++) {
            s.x[l] = inputs[g->item[first + l]];
            s.out[l] = outputs + g->item[first + l] * ANSWERS;
        }
        check(&s);
    }
}

static size_t largest_size(cl_kernel kernel, const struct shape *s)
{
    size_t size = 0;
    REQUIRE_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                       s->dims * sizeof *s->local, s->local, sizeof size, &size,
                                       NULL));
    REQUIRE(size && size <= 128);
    return size;
}

static void run_shape(cl_kernel kernel, const struct shape *s, check_fn check)
{
    static struct group g;
    size_t items = s->global[0] * s->global[1] * s->global[2], id[3];
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *inputs, inputs);
    memset(outputs, 0xee, sizeof outputs);
    cl_mem out = new_buffer(CL_MEM_COPY_HOST_PTR, items * ANSWERS * sizeof *outputs, outputs);
    ARG(kernel, 0, in);
    ARG(kernel, 1, out);
    run_nd(kernel, s->dims, NULL, s->global, s->local);
    read_back(out, items * ANSWERS * sizeof *outputs, outputs);
    for (id[2] = 0; id[2] * s->local[2] < s->global[2]; id[2]++)
        for (id[1] = 0; id[1] * s->local[1] < s->global[1]; id[1]++)
            for (id[0] = 0; id[0] * s->local[0] < s->global[0]; id[0]++) {
                list_items(s, id, &g);
                check_group(&g, largest_size(kernel, s), check);
            }
    RELEASE_MEM(in);
    RELEASE_MEM(out);
}

#define HEAD                                                                                       \
    "#ifdef SIZE\n__attribute__((intel_reqd_sub_group_size(SIZE)))\n#endif\n"                      \
    "kernel void k(global const int *in, global int *out)\n"                                       \
    "{\n"                                                                                          \
    "    size_t i = get_global_linear_id();\n"                                                     \
    "    int x = in[i];\n"                                                                         \
    "    T v = (T)x;\n"                                                                            \
    "    uint me = get_sub_group_local_id();\n"                                                    \
    "    out += i * 16;\n"

static void run_shapes(const char *source, const char *more, check_fn check)
{
    for (size_t o = 0; o < LEN(options); o++) {
        char text[160];
        snprintf(text, sizeof text, "%s %s", options[o], more);
        cl_kernel kernel = new_kernel(source, "k", text);
        for (size_t s = 0; s < LEN(shapes); s++)
            run_shape(kernel, &shapes[s], check);
        RELEASE_KERNEL(kernel);
    }
}

static const char *const types[] = {"int", "uint", "long", "ulong", "float", "double"};

static void run_types(const char *source, const char *more, check_fn check)
{
    size_t count = LEN(types) - !has_extension("cl_khr_fp64");
    for (size_t t = 0; t < count; t++) {
        char text[96];
        snprintf(text, sizeof text, "-D T=%s -D T4=%s4 %s", types[t], types[t], more);
        run_shapes(source, text, check);
    }
}

/* ---- sums and numbers ------------------------------------------------------------------------ */

static const char sums_source[] =
    HEAD "    out[0] = (int)sub_group_reduce_add(v);\n"
         "    out[1] = (int)sub_group_reduce_min(v) * 100 + (int)sub_group_reduce_max(v);\n"
         "    out[2] = (int)sub_group_scan_inclusive_add(v);\n"
         "    out[3] = (int)sub_group_scan_exclusive_add(v);\n"
         "    out[4] = (int)sub_group_scan_inclusive_min(v) * 100 +\n"
         "             (int)sub_group_scan_inclusive_max(v);\n"
         "    out[5] = (int)sub_group_broadcast(v, get_sub_group_size() - 1);\n"
         "    out[6] = sub_group_all(x < 20) * 2 + sub_group_any(x == 7);\n"
         "    out[7] = get_sub_group_size() * 100 + get_sub_group_id();\n"
         "    out[8] = me;\n"
         "    out[9] = (int)sub_group_reduce_add((T)2);\n"
         "    out[10] = get_max_sub_group_size() * 100 + get_num_sub_groups();\n"
         "}\n";

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void check_sums(const struct sub_group *s)
{
    int sum = 0, least = 1000, most = 0, all = 1, any = 0, before = 0, low = 1000, high = 0;
    for (size_t l = 0; l < s->count; l++) {
        sum += s->x[l];
        least = smaller(least, s->x[l]);
        most = larger(most, s->x[l]);
        all &= s->x[l] < 20;
        any |= s->x[l] == 7;
    }
    for (size_t l = 0; l < s->count; before += s->x[l++]) {
        const cl_int *o = s->out[l];
        low = smaller(low, s->x[l]);
        high = larger(high, s->x[l]);
        CHECK_EQ(o[0], sum);
        CHECK_EQ(o[1], least * 100 + most);
        CHECK_EQ(o[2], before + s->x[l]);
        CHECK_EQ(o[3], before);
        CHECK_EQ(o[4], low * 100 + high);
        CHECK_EQ(o[5], s->x[s->count - 1]);
        CHECK_EQ(o[6], all * 2 + any);
        CHECK_EQ(o[7], s->count * 100 + s->number);
        CHECK_EQ(o[8], l);
        CHECK_EQ(o[9], 2 * s->count);
        CHECK_EQ(o[10], s->size * 100 + (s->group_count + s->size - 1) / s->size);
    }
}

static void sums(void)
{
    need(NULL);
    run_types(sums_source, "", check_sums);
}

static void sizes(void)
{
    static const char *const all[] = {"-D T=int -D SIZE=8", "-D T=float -D SIZE=16",
                                      "-D T=int -D SIZE=64"};
    need("cl_intel_required_subgroup_size");
    for (size_t k = 0; k < LEN(all); k++)
        run_shapes(sums_source, all[k], check_sums);
}

/* ---- other items' values --------------------------------------------------------------------- */

static const char shuffle_source[] =
    HEAD "    uint n = get_sub_group_size(), last = n - 1;\n"
         "    uint from = min((uint)x, last), with = in[0] & 3;\n"
         "    out[0] = (int)sub_group_shuffle(v, from);\n"
         "    out[1] = (int)sub_group_shuffle(v, last / 2);\n"
         "    out[2] = (me ^ 1) < n ? (int)sub_group_shuffle_xor(v, 1) : 0;\n"
         "    T y = sub_group_shuffle_xor(v, with);\n"
         "    out[3] = (me ^ with) < n ? (int)y : 0;\n"
         "    y = sub_group_shuffle_up(v, with);\n"
         "    out[4] = me >= with ? (int)y : 0;\n"
         "    y = sub_group_shuffle_down(v, with);\n"
         "    out[5] = me + with < n ? (int)y : 0;\n"
         "    y = sub_group_shuffle_down(v, me & 1);\n"
         "    out[6] = me + (me & 1) < n ? (int)y : 0;\n"
         "    uint4 b = sub_group_ballot(x > 9);\n"
         "    out[7] = (int)b.x;\n"
         "    out[8] = (int)b.y;\n"
         "    out[9] = (int)sub_group_ballot_bit_count(b);\n"
         "    out[10] = sub_group_elect();\n"
         "    out[11] = (int)sub_group_broadcast_first(v);\n"
         "    out[12] = (int)sub_group_broadcast((T4)(v, v + 1, v + 2, v + 3), last).z;\n"
         "    char c = (char)x;\n"
         "    out[13] = sub_group_shuffle(c, from);\n"
         "    short h = (short)(x * 256);\n"
         "    out[14] = sub_group_shuffle(h, from);\n"
         "}\n";

static void check_shuffles(const struct sub_group *s)
{
    size_t n = s->count, with = (size_t)(inputs[0] & 3);
    cl_ulong bits = 0;
    int count = 0;
    for (size_t l = 0; l < n; l++)
        if (s->x[l] > 9) {
            bits |= (cl_ulong)1 << l;
            count++;
        }
    for (size_t l = 0; l < n; l++) {
        const cl_int *o = s->out[l];
        size_t from = (size_t)s->x[l] < n - 1 ? (size_t)s->x[l] : n - 1, odd = l & 1;
        CHECK_EQ(o[0], s->x[from]);
        CHECK_EQ(o[1], s->x[(n - 1) / 2]);
        CHECK_EQ(o[2], (l ^ 1) < n ? s->x[l ^ 1] : 0);
        CHECK_EQ(o[3], (l ^ with) < n ? s->x[l ^ with] : 0);
        CHECK_EQ(o[4], l >= with ? s->x[l - with] : 0);
        CHECK_EQ(o[5], l + with < n ? s->x[l + with] : 0);
        CHECK_EQ(o[6], l + odd < n ? s->x[l + odd] : 0);
        CHECK_EQ((cl_uint)o[7], (cl_uint)bits);
        CHECK_EQ((cl_uint)o[8], (cl_uint)(bits >> 32));
        CHECK_EQ(o[9], count);
        CHECK_EQ(o[10], l == 0);
        CHECK_EQ(o[11], s->x[0]);
        CHECK_EQ(o[12], s->x[n - 1] + 2);
        CHECK_EQ(o[13], s->x[from]);
        CHECK_EQ(o[14], s->x[from] * 256);
    }
}

static void need_shuffles(void)
{
    need("cl_khr_subgroup_shuffle");
    if (!has_extension("cl_khr_subgroup_ballot") ||
        !has_extension("cl_khr_subgroup_shuffle_relative") ||
        !has_extension("cl_khr_subgroup_extended_types") ||
        !has_extension("cl_khr_subgroup_non_uniform_vote"))
        check_skip("some of the extensions");
}

static void shuffles(void)
{
    need_shuffles();
    run_types(shuffle_source, "", check_shuffles);
}

static void shuffles_of_sizes(void)
{
    need_shuffles();
    need("cl_intel_required_subgroup_size");
    run_types(shuffle_source, "-D SIZE=8", check_shuffles);
    run_types(shuffle_source, "-D SIZE=64", check_shuffles);
}

/* ---- flow ------------------------------------------------------------------------------------ */

/* All of it in step: branches on what is one for a sub-group, loops, barriers, local memory that
 * the items of a sub-group exchange values in. */
static const char step_source[] =
    HEAD "    local int room[2048], sums[512];\n"
         "    size_t l = get_local_linear_id();\n"
         "    uint n = get_sub_group_size(), id = get_sub_group_id();\n"
         "    int all = 0;\n"
         "    for (uint k = 0; k < 3; k++)\n"
         "        all += sub_group_reduce_add((int)(x * (k + 1)));\n"
         "    out[0] = all;\n"
         "    room[l] = x;\n"
         "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    out[1] = room[l - me + (n - 1 - me)];\n"
         "    int s = sub_group_reduce_max(x);\n"
         "    if (me == 0)\n"
         "        sums[id] = s;\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    int t = 0;\n"
         "    if (id == 0) {\n"
         "        for (uint q = me; q < get_num_sub_groups(); q += n)\n"
         "            t += sums[q];\n"
         "        t = sub_group_reduce_add(t);\n"
         "        if (me == 0)\n"
         "            sums[0] = t;\n"
         "    }\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    out[2] = sums[0] + s;\n"
         "    int r = 0;\n"
         "    if (sub_group_any(x == 5))\n"
         "        r = sub_group_scan_inclusive_add(x);\n"
         "    else if (sub_group_all(x > 1))\n"
         "        r = -sub_group_scan_exclusive_add(x);\n"
         "    out[3] = r;\n"
         "    int turns = 0;\n"
         "    for (int y = x; sub_group_any(y > 3); y -= 2)\n"
         "        turns += sub_group_reduce_add(y & 1) + (y > 3);\n"
         "    out[4] = turns;\n"
         "}\n";

static int group_maxima;

static void add_maximum(const struct sub_group *s)
{
    int most = 0;
    for (size_t l = 0; l < s->count; l++)
        most = larger(most, s->x[l]);
    group_maxima = (s->number ? group_maxima : 0) + most;
}

static void check_steps(const struct sub_group *s)
{
    int sum = 0, most = 0, any = 0, all = 1, before = 0, odd = 0, turns = 0;
    for (size_t l = 0; l < s->count; l++) {
        sum += s->x[l];
        most = larger(most, s->x[l]);
        any |= s->x[l] == 5;
        all &= s->x[l] > 1;
        odd += s->x[l] & 1;
    }
    for (int y = most; y > 3; y -= 2)
        turns++;
    for (size_t l = 0; l < s->count; before += s->x[l++]) {
        const cl_int *o = s->out[l];
        int mine = 0;
        for (int y = s->x[l]; y > 3; y -= 2)
            mine++;
        CHECK_EQ(o[0], 6 * sum);
        CHECK_EQ(o[1], s->x[s->count - 1 - l]);
        CHECK_EQ(o[3], any ? before + s->x[l] : all ? -before : 0);
        CHECK_EQ(o[4], turns * odd + mine);
        /* The group's sum: the same for all of its items, checked against the last sub-group. */
        if (s->number * s->size + s->count == s->group_count)
            CHECK_EQ(o[2], group_maxima + most);
    }
}

static void check_both(const struct sub_group *s)
{
    add_maximum(s);
    check_steps(s);
}

static void steps(void)
{
    need(NULL);
    run_shapes(step_source, "-D T=int", check_both);
}

static void steps_of_sizes(void)
{
    need("cl_intel_required_subgroup_size");
    run_shapes(step_source, "-D T=int -D SIZE=4", check_both);
    run_shapes(step_source, "-D T=int -D SIZE=16", check_both);
}

/* Items part: who comes there is known at run time only. */
static const char apart_source[] =
    HEAD "    int r = 0;\n"
         "    if (x & 1)\n"
         "        r = sub_group_non_uniform_reduce_add(x);\n"
         "    else\n"
         "        r = -sub_group_non_uniform_scan_inclusive_add(x);\n"
         "    out[0] = r;\n"
         "    int turns = 0;\n"
         "    for (int k = 0; k < (x & 3); k++)\n"
         "        turns = turns * 64 + sub_group_non_uniform_reduce_add(1);\n"
         "    out[1] = turns;\n"
         "    out[2] = sub_group_reduce_add(x);\n"
         "    if (x > 12)\n"
         "        return;\n"
         "    out[3] = sub_group_non_uniform_reduce_max(x);\n"
         "}\n";

static void check_apart(const struct sub_group *s)
{
    int odd = 0, even = 0, sum = 0, most = 0, in_turn[3] = {0};
    for (size_t l = 0; l < s->count; l++) {
        odd += s->x[l] & 1 ? s->x[l] : 0;
        sum += s->x[l];
        most = s->x[l] <= 12 ? larger(most, s->x[l]) : most;
        for (int k = 0; k < (s->x[l] & 3); k++)
            in_turn[k]++;
    }
    for (size_t l = 0; l < s->count; l++) {
        const cl_int *o = s->out[l];
        int turns = 0;
        even += s->x[l] & 1 ? 0 : s->x[l];
        for (int k = 0; k < (s->x[l] & 3); k++)
            turns = turns * 64 + in_turn[k];
        CHECK_EQ(o[0], s->x[l] & 1 ? odd : -even);
        CHECK_EQ(o[1], turns);
        CHECK_EQ(o[2], sum);
        if (s->x[l] <= 12)
            CHECK_EQ(o[3], most);
    }
}

static void apart(void)
{
    need("cl_khr_subgroup_non_uniform_arithmetic");
    run_shapes(apart_source, "-D T=int", check_apart);
}

/* Whoever comes does it: the first of those is elected and heard, the others' bits are zeros. */
static const char parted_source[] =
    HEAD "    int n = 0;\n"
         "    uint4 b = (uint4)(0);\n"
         "    out[2] = out[3] = out[4] = out[5] = out[6] = out[7] = 0;\n"
         "    if (x > 8) {\n"
         "        b = sub_group_ballot(x & 1);\n"
         "        n = sub_group_non_uniform_scan_exclusive_add(x);\n"
         "        out[2] = sub_group_elect();\n"
         "        out[3] = sub_group_broadcast_first(x);\n"
         "        out[4] = sub_group_non_uniform_any(x == 9) * 2 +\n"
         "                 sub_group_non_uniform_all(x > 9);\n"
         "        for (int k = 0; k < x - 20; k++)\n"
         "            out[5] += sub_group_non_uniform_scan_inclusive_add(k + 1);\n"
         "        out[6] = sub_group_non_uniform_reduce_min(x);\n"
         "        out[7] = as_int(sub_group_non_uniform_scan_exclusive_add((float)x));\n"
         "    }\n"
         "    out[0] = n;\n"
         "    out[1] = (int)b.x;\n"
         "}\n";

static void check_parted(const struct sub_group *s)
{
    int sum = 0, first = 0, least = 100, nine = 0, more = 1, in_turn[3] = {0};
    cl_uint odd = 0;
    for (size_t l = 0; l < s->count; l++)
        if (s->x[l] > 8) {
            first = first ? first : s->x[l];
            least = smaller(least, s->x[l]);
            nine |= s->x[l] == 9;
            more &= s->x[l] > 9;
            odd |= l < 32 ? (cl_uint)(s->x[l] & 1) << l : 0;
        }
    for (size_t l = 0, before = 0; l < s->count; l++) {
        const cl_int *o = s->out[l];
        bool comes = s->x[l] > 8;
        int turns = 0;
        for (int k = 0; k < s->x[l] - 20; k++)
            turns += in_turn[k] += k + 1;
        CHECK_EQ(o[0], comes ? sum : 0);
        CHECK_EQ(o[1], comes ? (cl_int)odd : 0);
        CHECK_EQ(o[2], comes && !before);
        CHECK_EQ(o[3], comes ? first : 0);
        CHECK_EQ(o[4], comes ? nine * 2 + more : 0);
        CHECK_EQ(o[5], turns);
        CHECK_EQ(o[6], comes ? least : 0);
        union {
            float value;
            cl_int bits; /* a sum of nothing is 0, not -0 */
        } exclusive = {.value = comes ? (float)sum : 0.0f};
        CHECK_EQ(o[7], exclusive.bits);
        sum += comes ? s->x[l] : 0;
        before += comes;
    }
}

static void parted(void)
{
    need_shuffles();
    need("cl_khr_subgroup_non_uniform_arithmetic");
    run_shapes(parted_source, "-D T=int", check_parted);
}

/* A loop that looks as if items left it at different times. All of a sub-group come to each sum, as
 * the plain functions ask for, and only the launch knows it. */
static const char rounds_source[] =
    HEAD "    uint n = get_sub_group_size(), end = 3 * n;\n"
         "    int seen[4] = {0, 0, 0, 0}, where = 0;\n"
         "    for (uint at = me; at < end; at += n) {\n"
         "        int y = (x + at / n) & 3;\n"
         "        for (int k = 0; k < 4; k++) {\n"
         "            int before = sub_group_scan_exclusive_add(y == k ? 1 : 0);\n"
         "            where = where * (k ? 1 : 3) + (y == k ? seen[k] + before : 0);\n"
         "            seen[k] += sub_group_reduce_add(y == k ? 1 : 0);\n"
         "        }\n"
         "    }\n"
         "    out[0] = where;\n"
         "    out[1] = seen[1] * 1000 + seen[2];\n"
         "}\n";

static void check_rounds(const struct sub_group *s)
{
    int seen[4] = {0}, where[128] = {0};
    for (int round = 0; round < 3; round++)
        for (size_t l = 0; l < s->count; l++)
            where[l] = where[l] * 3 + seen[(s->x[l] + round) & 3]++;
    for (size_t l = 0; l < s->count; l++) {
        CHECK_EQ(s->out[l][0], where[l]);
        CHECK_EQ(s->out[l][1], seen[1] * 1000 + seen[2]);
    }
}

static void rounds(void)
{
    need(NULL);
    run_shapes(rounds_source, "-D T=int", check_rounds);
}

/* ---- values that are no number --------------------------------------------------------------- */

enum { NO_NUMBER = 1000 };

static const char nan_source[] =
    HEAD "    float f = x % 5 == 2 ? nan(0u) : (float)(x % 19) - 7;\n"
         "    float all[] = {sub_group_reduce_min(f), sub_group_reduce_max(f),\n"
         "                   sub_group_scan_inclusive_min(f), work_group_reduce_min(f)};\n"
         "    for (int n = 0; n < 4; n++)\n"
         "        out[n] = (int)all[n];\n"
         "}\n";

static int least_of(const struct sub_group *s, size_t count, int least, int sign)
{
    for (size_t l = 0; l < count; l++) {
        int f = s->x[l] % 5 == 2 ? NO_NUMBER : sign * (s->x[l] % 19 - 7);
        least = f < least ? f : least;
    }
    return least;
}

/* Where there is no number at all, the answer is open. */
static void check_number(cl_int got, int wanted)
{
    if (wanted != NO_NUMBER)
        CHECK_EQ(got, wanted);
}

static void check_nan(const struct sub_group *s)
{
    static int of_group;
    int least = least_of(s, s->count, NO_NUMBER, 1), most = least_of(s, s->count, NO_NUMBER, -1);
    of_group = least_of(s, s->count, s->number ? of_group : NO_NUMBER, 1);
    for (size_t l = 0; l < s->count; l++) {
        check_number(s->out[l][0], least);
        check_number(s->out[l][1], most == NO_NUMBER ? most : -most);
        check_number(s->out[l][2], least_of(s, l + 1, NO_NUMBER, 1));
        if (s->number * s->size + s->count == s->group_count)
            check_number(s->out[l][3], of_group);
    }
}

static void no_numbers(void)
{
    need(NULL);
    run_shapes(nan_source, "-D T=int", check_nan);
}

/* ---- functions of the program ---------------------------------------------------------------- */

#define OVERLOAD "__attribute__((overloadable)) "
static const char own_source[] =
    "int " OVERLOAD "sub_group_shuffle(int v, int by) { return v + v + by; }\n"
    "int " OVERLOAD "sub_group_rotate(int v, short by) { return v * 11 - by; }\n"
    "int " OVERLOAD "sub_group_any(uint v) { return (int)v + 100; }\n" HEAD
    "    out[0] = sub_group_shuffle(x, 5);\n"
    "    out[1] = sub_group_rotate(x, (short)3);\n"
    "    out[2] = sub_group_any((uint)x);\n"
    "    out[3] = sub_group_reduce_add(x);\n"
    "}\n";

static void check_own(const struct sub_group *s)
{
    int sum = 0;
    for (size_t l = 0; l < s->count; l++)
        sum += s->x[l];
    for (size_t l = 0; l < s->count; l++) {
        CHECK_EQ(s->out[l][0], 2 * s->x[l] + 5);
        CHECK_EQ(s->out[l][1], s->x[l] * 11 - 3);
        CHECK_EQ(s->out[l][2], s->x[l] + 100);
        CHECK_EQ(s->out[l][3], sum);
    }
}

static void functions_of_the_program(void)
{
    need(NULL);
    run_shapes(own_source, "-D T=int", check_own);
}

static const struct test_case cases[] = {
    CASE(sums),
    CASE(sizes),
    CASE(shuffles),
    CASE(shuffles_of_sizes),
    CASE(steps),
    CASE(steps_of_sizes),
    CASE(apart),
    CASE(parted),
    CASE(rounds),
    CASE(no_numbers),
    CASE(functions_of_the_program),
};
TEST_MAIN("sub_group_lanes", cases)
