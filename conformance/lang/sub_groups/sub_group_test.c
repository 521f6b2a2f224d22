/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-groups: what they say of themselves, and what their items do together, in step and apart. */
#include "sub_group_help.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static const char number_source[] = "kernel void k(global uint *out)\n"
                                    "{\n"
                                    "    size_t i = get_global_linear_id() * 7;\n"
                                    "    out[i] = get_sub_group_size();\n"
                                    "    out[i + 1] = get_max_sub_group_size();\n"
                                    "    out[i + 2] = get_num_sub_groups();\n"
                                    "    out[i + 3] = get_enqueued_num_sub_groups();\n"
                                    "    out[i + 4] = get_sub_group_id();\n"
                                    "    out[i + 5] = get_sub_group_local_id();\n"
                                    "    out[i + 6] = get_local_linear_id();\n"
                                    "}\n";

static void numbers_with(cl_kernel kernel, cl_mem mem, cl_uint dims, const size_t *local)
{
    static cl_uint out[7 * MOST_ITEMS];
    size_t items = 1, global[3], size = 0, count = 0;
    for (cl_uint d = 0; d < dims; d++) {
        items *= local[d];
        global[d] = local[d];
    }
    global[0] *= 2;
    CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     dims * sizeof *local, local, sizeof size, &size, NULL));
    CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                     dims * sizeof *local, local, sizeof count, &count, NULL));
    REQUIRE(size);
    CHECK_EQ(count, (items + size - 1) / size);
    run_nd(kernel, dims, NULL, global, local);
    read_back(mem, items * 2 * 7 * sizeof *out, out);
    for (size_t i = 0; i < items * 2; i++) {
        const cl_uint *o = out + 7 * i;
        size_t me = o[6], id = me / size;
        CHECK_EQ(o[0], items - id * size < size ? items - id * size : size);
        CHECK_EQ(o[1], size);
        CHECK_EQ(o[2], count);
        CHECK_EQ(o[3], count);
        CHECK_EQ(o[4], id);
        CHECK_EQ(o[5], me % size);
    }
}

static void numbers(void)
{
    static const size_t locals[][3] = {{1, 1, 1}, {33, 1, 1}, {75, 1, 1}, {5, 7, 1}, {3, 4, 11}};
    need(NULL);
    for (size_t o = 0; o < LEN(options); o++) {
        cl_mem mem = new_buffer(0, 7 * MOST_ITEMS * sizeof(cl_uint), NULL);
        cl_kernel kernel = new_kernel(number_source, "k", options[o]);
        ARG(kernel, 0, mem);
        for (size_t l = 0; l < LEN(locals); l++)
            numbers_with(kernel, mem, l < 3 ? 1 : l == 3 ? 2 : 3, locals[l]);
        RELEASE_KERNEL(kernel);
        RELEASE_MEM(mem);
    }
}

static void host_queries(void)
{
    need(NULL);
    cl_kernel kernel = new_kernel(number_source, "k", "-cl-std=CL3.0");
    size_t size = largest_size(kernel, 50), most, count, local[3], need_bytes;
    CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                     sizeof most, &most, NULL));
    CHECK(most >= 1 && most <= device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS));
    CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL,
                                     sizeof count, &count, NULL));
    CHECK_EQ(count, 0);
    for (count = 1; count <= 3; count++) {
        CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device,
                                         CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                         &count, sizeof local, local, &need_bytes));
        CHECK_EQ(need_bytes, sizeof local);
        CHECK_EQ(local[0], count * size);
        CHECK_EQ(local[1], 1);
        CHECK_EQ(local[2], 1);
    }
    count = most + 1;
    CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                     sizeof count, &count, sizeof *local, local, NULL));
    CHECK_EQ(local[0], 0);
    FAILS(CL_INVALID_VALUE,
          clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL,
                                  sizeof count, &count, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3,
                                  &count, sizeof count, &count, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                  sizeof count, NULL, sizeof local, local, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS,
                                                    0, NULL, 1, &count, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetKernelSubGroupInfo(kernel, cl.device, 0x4711, 0, NULL, sizeof count, &count, NULL));
    RELEASE_KERNEL(kernel);
}

/* ---- in step --------------------------------------------------------------------------------- */

static const char in_step_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void k(global const long *x, global long *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    T v = (T)x[i];\n"
    "    out += i * 10;\n"
    "    out[0] = (long)sub_group_reduce_add(v);\n"
    "    out[1] = (long)sub_group_reduce_min(v);\n"
    "    out[2] = (long)sub_group_reduce_max(v);\n"
    "    out[3] = (long)sub_group_scan_inclusive_add(v);\n"
    "    out[4] = (long)sub_group_scan_exclusive_add(v);\n"
    "    out[5] = (long)sub_group_scan_inclusive_max(v);\n"
    "    T least = sub_group_scan_exclusive_min(v);\n"
    "    out[6] = get_sub_group_local_id() ? (long)least : 0;\n"
    "    out[7] = (long)sub_group_broadcast(v, get_sub_group_size() / 2);\n"
    "    out[8] = sub_group_all(x[i] < 20) * 2 + sub_group_any(x[i] == 7);\n"
    "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[9] = (long)sub_group_broadcast(sub_group_scan_inclusive_add((T)1), 0u);\n"
    "}\n";

static void check_in_step(size_t item, size_t group, size_t size, const cl_long *o, int bits)
{
    struct part p = part_of(item, group, size);
    cl_long sum = 0, before = 0, least = 1000, least_before = 1000, most = 0, most_here = 0;
    bool all = true, any = false;
    for (size_t i = p.first; i < p.first + p.count; i++) {
        cl_long v = inputs[i];
        if (i == item) {
            before = sum;
            least_before = least;
        }
        sum += v;
        least = v < least ? v : least;
        most = v > most ? v : most;
        all &= v < 20;
        any |= v == 7;
        if (i == item)
            most_here = most;
    }
    cl_long mask = bits == 8 ? 0xff : -1;
    CHECK_EQ(o[0] & mask, sum & mask);
    CHECK_EQ(o[1], least);
    CHECK_EQ(o[2], most);
    CHECK_EQ(o[3] & mask, (before + inputs[item]) & mask);
    CHECK_EQ(o[4] & mask, before & mask);
    CHECK_EQ(o[5], most_here);
    CHECK_EQ(o[6], item == p.first ? 0 : least_before);
    CHECK_EQ(o[7], inputs[p.first + p.count / 2]);
    CHECK_EQ(o[8], all * 2 + any);
    CHECK_EQ(o[9], 1);
}

static void in_step_with(const char *type, const char *standard, int bits)
{
    char text[128];
    snprintf(text, sizeof text, "%s -D T=%s", standard, type);
    cl_kernel kernel = new_kernel(in_step_source, "k", text);
    for (size_t g = 0; g < LEN(group_sizes); g++) {
        size_t size = largest_size(kernel, group_sizes[g]);
        run_three(kernel, inputs, group_sizes[g], 10, outputs);
        for (size_t i = 0; i < 3 * group_sizes[g]; i++)
            check_in_step(i, group_sizes[g], size, outputs + 10 * i, bits);
    }
    RELEASE_KERNEL(kernel);
}

static void in_step(void)
{
    static const char *const types[] = {"int", "uint", "long", "ulong", "float"};
    need(NULL);
    fill_inputs();
    for (size_t o = 0; o < LEN(options); o++)
        in_step_with("int", options[o], 32);
    for (size_t t = 1; t < LEN(types); t++)
        in_step_with(types[t], options[0], 32);
    if (has_extension("cl_khr_fp64"))
        in_step_with("double", options[0], 32);
    if (has_extension("cl_khr_fp16"))
        in_step_with("half", options[0], 11);
}

static void extended_types(void)
{
    need("cl_khr_subgroup_extended_types");
    fill_inputs();
    in_step_with("char", options[0], 8);
    in_step_with("uchar", options[0], 8);
    in_step_with("short", options[0], 16);
    in_step_with("ushort", options[0], 16);
    cl_kernel kernel = new_kernel(
        "kernel void k(global const long *x, global long *out)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    long3 a = sub_group_broadcast((long3)(x[i], 2, -x[i]), 0u);\n"
        "    char16 b = sub_group_broadcast((char16)((char)x[i]), get_sub_group_size() - 1);\n"
        "    float2 c = sub_group_broadcast((float2)(x[i], 0.5f), 0u);\n"
        "    long16 d = sub_group_broadcast((long16)(x[i] - 1), 0u);\n"
        "    out[i] = a.x * 1000000 + a.z * 1000 + b.sf * 10 + (long)(c.y * 2) + (d.sf + 1 == "
        "c.x);\n"
        "}\n",
        "k", options[0]);
    size_t size = largest_size(kernel, 33);
    run_three(kernel, inputs, 33, 1, outputs);
    for (size_t i = 0; i < 99; i++) {
        struct part p = part_of(i, 33, size);
        CHECK_EQ(outputs[i], inputs[p.first] * 999000 + inputs[p.first + p.count - 1] * 10 + 2);
    }
    RELEASE_KERNEL(kernel);
}

/* ---- apart ----------------------------------------------------------------------------------- */

/* Sub-groups go through different numbers of rounds; then the group meets, and again. */
static void sub_groups_apart(void)
{
    static const char source[] =
        "kernel void k(global const long *x, global long *out)\n"
        "{\n"
        "    local long sums[128];\n"
        "    size_t i = get_global_id(0);\n"
        "    uint me = get_sub_group_id();\n"
        "    long sum = 0, kept[3] = {x[i], 0, 0};\n"
        "    for (uint round = 0; round <= me; round++) {\n"
        "        sum += sub_group_reduce_add(x[i] + round);\n"
        "        kept[1] += sub_group_scan_exclusive_add(1);\n"
        "    }\n"
        "    if (me & 1)\n"
        "        sum = -sub_group_broadcast(sum, 0u);\n"
        "    if (get_sub_group_local_id() == 0)\n"
        "        sums[me] = sum;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    kept[2] = sub_group_reduce_max(kept[0]);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    long all = 0;\n"
        "    for (uint s = 0; s < get_num_sub_groups(); s++)\n"
        "        all += sums[s];\n"
        "    out[i * 3] = all; out[i * 3 + 1] = kept[1]; out[i * 3 + 2] = kept[2];\n"
        "}\n";
    need(NULL);
    fill_inputs();
    for (size_t o = 0; o < LEN(options); o++) {
        cl_kernel kernel = new_kernel(source, "k", options[o]);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g], size = largest_size(kernel, group);
            run_three(kernel, inputs, group, 3, outputs);
            for (size_t i = 0; i < 3 * group; i++) {
                size_t start = i / group * group;
                cl_long all = 0, most = 0, place = (cl_long)((i - start) % size);
                for (size_t k = 0; k < group; k++) {
                    cl_long id = (cl_long)(k / size), sign = id & 1 ? -1 : 1;
                    all += sign * ((id + 1) * inputs[start + k] + id * (id + 1) / 2);
                }
                struct part p = part_of(i, group, size);
                for (size_t k = p.first; k < p.first + p.count; k++)
                    most = inputs[k] > most ? inputs[k] : most;
                CHECK_EQ(outputs[3 * i], all);
                CHECK_EQ(outputs[3 * i + 1], place * (cl_long)((i - start) / size + 1));
                CHECK_EQ(outputs[3 * i + 2], most);
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

static const char votes_source[] =
    "ulong word(uint4 b) { return b.x | (ulong)b.y << 32; }\n"
    "kernel void k(global const long *x, global long *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out += i * 14;\n"
    "    for (int j = 0; j < 14; j++) out[j] = -1;\n"
    "    if (x[i] % 3) {\n"
    "        uint4 b = sub_group_ballot(x[i] > 9);\n"
    "        out[0] = word(b);\n"
    "        out[1] = sub_group_elect();\n"
    "        out[2] = sub_group_non_uniform_any(x[i] == 5) + \n"
    "                 2 * sub_group_non_uniform_all(x[i] < 23) +\n"
    "                 4 * sub_group_non_uniform_all_equal(x[i] % 3);\n"
    "        out[3] = sub_group_broadcast_first(x[i]);\n"
    "        out[4] = sub_group_ballot_bit_count(b);\n"
    "        out[5] = sub_group_ballot_inclusive_scan(b);\n"
    "        out[6] = sub_group_ballot_exclusive_scan(b);\n"
    "        out[7] = word(b) ? sub_group_ballot_find_lsb(b) : 0;\n"
    "        out[8] = word(b) ? sub_group_ballot_find_msb(b) : 0;\n"
    "        out[9] = sub_group_inverse_ballot(b);\n"
    "    } else {\n"
    "        out[10] = word(sub_group_ballot(1));\n"
    "        if (x[i] % 2)\n"
    "            out[11] = word(sub_group_ballot(1));\n"
    "        else\n"
    "            out[11] = word(sub_group_ballot(x[i] > 12));\n"
    "    }\n"
    "    out[12] = word(sub_group_ballot(1));\n"
    "    out[13] = word(get_sub_group_eq_mask()) == 1ul << get_sub_group_local_id() &&\n"
    "              word(get_sub_group_lt_mask()) + 1 == word(get_sub_group_eq_mask()) &&\n"
    "              (word(get_sub_group_le_mask()) ^ word(get_sub_group_lt_mask())) ==\n"
    "              word(get_sub_group_eq_mask()) &&\n"
    "              (word(get_sub_group_ge_mask()) ^ word(get_sub_group_gt_mask())) ==\n"
    "              word(get_sub_group_eq_mask()) &&\n"
    "              !(word(get_sub_group_le_mask()) & word(get_sub_group_gt_mask()));\n"
    "}\n";

static void votes_and_ballots(void)
{
    need("cl_khr_subgroup_ballot");
    need("cl_khr_subgroup_non_uniform_vote");
    fill_inputs();
    for (size_t o = 0; o < LEN(options); o++) {
        cl_kernel kernel = new_kernel(votes_source, "k", options[o]);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g], size = largest_size(kernel, group);
            run_three(kernel, inputs, group, 14, outputs);
            for (size_t i = 0; i < 3 * group; i++) {
                struct part p = part_of(i, group, size);
                const cl_long *v = inputs + p.first, *out = outputs + 14 * i;
                size_t me = i - p.first;
                cl_ulong here = 0, large = 0, rest = 0, odd = 0, even = 0, all = 0;
                bool any = false, below = true, equal = true;
                cl_long first = -1;
                for (size_t k = 0; k < p.count; k++) {
                    cl_ulong bit = (cl_ulong)1 << k;
                    all |= bit;
                    if (v[k] % 3) {
                        first = first < 0 ? v[k] : first;
                        here |= bit;
                        large |= v[k] > 9 ? bit : 0;
                        any |= v[k] == 5;
                        below &= v[k] < 23;
                        equal &= v[k] % 3 == first % 3;
                    } else {
                        rest |= bit;
                        odd |= v[k] % 2 ? bit : 0;
                        even |= v[k] % 2 == 0 && v[k] > 12 ? bit : 0;
                    }
                }
                CHECK_EQ(out[12], (cl_long)all);
                CHECK_EQ(out[13], 1);
                if (v[me] % 3 == 0) {
                    CHECK_EQ(out[0], -1);
                    CHECK_EQ(out[10], (cl_long)rest);
                    CHECK_EQ(out[11], (cl_long)(v[me] % 2 ? odd : even));
                    continue;
                }
                cl_ulong lower = ((cl_ulong)1 << me) - 1;
                CHECK_EQ(out[0], (cl_long)large);
                CHECK_EQ(out[1], !(here & lower));
                CHECK_EQ(out[2], any + 2 * below + 4 * equal);
                CHECK_EQ(out[3], first);
                CHECK_EQ(out[4], __builtin_popcountll(large));
                CHECK_EQ(out[5], __builtin_popcountll(large & (lower << 1 | 1)));
                CHECK_EQ(out[6], __builtin_popcountll(large & lower));
                CHECK_EQ(out[7], large ? __builtin_ctzll(large) : 0);
                CHECK_EQ(out[8], large ? 63 - __builtin_clzll(large) : 0);
                CHECK_EQ(out[9], (cl_long)(large >> me & 1));
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

/* Items leave a loop one after the other; who is left counts, and takes from those still there. */
static void loops_apart(void)
{
    static const char source[] =
        "kernel void k(global const long *x, global long *out)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    long rounds = x[i] % 5, sum = 0, product = 1;\n"
        "    for (long r = 0; r < rounds; r++) {\n"
        "        if (r == 3 && x[i] & 1)\n"
        "            continue;\n"
        "        sum += sub_group_non_uniform_reduce_add(x[i] + r) * (r + 1);\n"
        "    }\n"
        "    if (x[i] % 2)\n"
        "        product += sub_group_non_uniform_scan_inclusive_add(1);\n"
        "    else\n"
        "        product += sub_group_non_uniform_reduce_max((int)x[i]);\n"
        "    out[i * 3] = sum;\n"
        "    out[i * 3 + 1] = product;\n"
        "    out[i * 3 + 2] = sub_group_reduce_add(1);\n"
        "}\n";
    need("cl_khr_subgroup_non_uniform_arithmetic");
    fill_inputs();
    for (size_t o = 0; o < LEN(options); o++) {
        cl_kernel kernel = new_kernel(source, "k", options[o]);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g], size = largest_size(kernel, group);
            run_three(kernel, inputs, group, 3, outputs);
            for (size_t i = 0; i < 3 * group; i++) {
                struct part p = part_of(i, group, size);
                cl_long sum = 0, odd = 0, most = 0;
                for (cl_long r = 0; r < inputs[i] % 5; r++) {
                    cl_long here = 0;
                    if (r == 3 && inputs[i] & 1)
                        continue;
                    for (size_t k = p.first; k < p.first + p.count; k++)
                        here += inputs[k] % 5 <= r || (r == 3 && inputs[k] & 1) ? 0 : inputs[k] + r;
                    sum += here * (r + 1);
                }
                for (size_t k = p.first; k < p.first + p.count; k++) {
                    odd += inputs[k] % 2 && k <= i;
                    most = inputs[k] % 2 == 0 && inputs[k] > most ? inputs[k] : most;
                }
                CHECK_EQ(outputs[3 * i], sum);
                CHECK_EQ(outputs[3 * i + 1], 1 + (inputs[i] % 2 ? odd : most));
                CHECK_EQ(outputs[3 * i + 2], (cl_long)p.count);
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

/* ---- shuffles -------------------------------------------------------------------------------- */

static const char shuffles_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void k(global const long *x, global long *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    uint me = get_sub_group_local_id(), n = get_sub_group_size();\n"
    "    uint m = get_max_sub_group_size();\n"
    "    T v = (T)x[i];\n"
    "    out += i * 9;\n"
    "    for (int j = 0; j < 9; j++) out[j] = -1;\n"
    "    T a = sub_group_shuffle(v, (me * 5 + 1) % n); out[0] = (long)a;\n"
    "    T b = sub_group_shuffle_xor(v, 3); if ((me ^ 3) < n) out[1] = (long)b;\n"
    "    T c = sub_group_shuffle_up(v, 2); if (me >= 2) out[2] = (long)c;\n"
    "    T d = sub_group_shuffle_down(v, 1); if (me + 1 < n) out[3] = (long)d;\n"
    "    if (n == m) {\n"
    "        out[4] = (long)sub_group_rotate(v, 3);\n"
    "        out[5] = (long)sub_group_clustered_rotate(v, -1, 4);\n"
    "    }\n"
    "    out[6] = (long)sub_group_clustered_reduce_add(v, 4);\n"
    "    out[7] = (long)sub_group_clustered_reduce_max(v, 8);\n"
    "    if (me & 2)\n"
    "        out[8] = (long)sub_group_shuffle(v, (me | 2) ^ ((me ^ 1) < n));\n"
    "}\n";

static void shuffles(void)
{
    static const char *const types[] = {"int", "uchar", "short", "ulong", "float", "half"};
    need("cl_khr_subgroup_shuffle");
    need("cl_khr_subgroup_shuffle_relative");
    need("cl_khr_subgroup_rotate");
    need("cl_khr_subgroup_clustered_reduce");
    fill_inputs();
    for (size_t t = 0; t < LEN(types); t++) {
        char text[64];
        if (!strcmp(types[t], "half") && !has_extension("cl_khr_fp16"))
            continue;
        snprintf(text, sizeof text, "-cl-std=CL3.0 -D T=%s", types[t]);
        cl_kernel kernel = new_kernel(shuffles_source, "k", text);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            size_t group = group_sizes[g], size = largest_size(kernel, group);
            run_three(kernel, inputs, group, 9, outputs);
            for (size_t i = 0; i < 3 * group; i++) {
                struct part p = part_of(i, group, size);
                const cl_long *v = inputs + p.first, *out = outputs + 9 * i;
                size_t me = i - p.first, n = p.count;
                bool whole = n == size;
                cl_long four = 0, eight = 0;
                for (size_t k = me & ~(size_t)3; k < (me & ~(size_t)3) + 4 && k < n; k++)
                    four += v[k];
                for (size_t k = me & ~(size_t)7; k < (me & ~(size_t)7) + 8 && k < n; k++)
                    eight = v[k] > eight ? v[k] : eight;
                CHECK_EQ(out[0], v[(me * 5 + 1) % n]);
                CHECK_EQ(out[1], (me ^ 3) < n ? v[me ^ 3] : -1);
                CHECK_EQ(out[2], me >= 2 ? v[me - 2] : -1);
                CHECK_EQ(out[3], me + 1 < n ? v[me + 1] : -1);
                CHECK_EQ(out[4], whole ? v[(me + 3) % size] : -1);
                CHECK_EQ(out[5], whole ? v[(me & ~(size_t)3) | ((me + 3) & 3)] : -1);
                CHECK_EQ(out[6], four);
                CHECK_EQ(out[7], eight);
                CHECK_EQ(out[8], me & 2 ? v[(me ^ 1) < n ? me ^ 1 : me] : -1);
            }
        }
        RELEASE_KERNEL(kernel);
    }
}

/* ---- required size --------------------------------------------------------------------------- */

static const char sized_source[] =
    "__attribute__((intel_reqd_sub_group_size(SIZE)))\n"
    "kernel void k(global const long *x, global long *out)\n"
    "{\n"
    "    size_t i = get_global_id(0), n = get_sub_group_size(), me = get_sub_group_local_id();\n"
    "    out += i * 6;\n"
    "    out[0] = sub_group_reduce_add(x[i]) * 100 + get_max_sub_group_size();\n"
    "    out[1] = sub_group_scan_exclusive_add(x[i]);\n"
    "    out[2] = sub_group_broadcast(x[i], n - 1);\n"
    "    long turned = sub_group_rotate(x[i], 1);\n"
    "    out[3] = me + 1 < n ? turned : -1;\n"
    "    long other = sub_group_shuffle_xor(x[i], 2);\n"
    "    out[4] = (me ^ 2) < n ? other : -1;\n"
    "    out[5] = sub_group_ballot_bit_count(sub_group_ballot(me & 1)) * 100 + sub_group_any(me == "
    "3);\n"
    "}\n";

static void check_sized(size_t group, size_t size)
{
    for (size_t i = 0; i < 3 * group; i++) {
        struct part p = part_of(i, group, size);
        const cl_long *v = inputs + p.first, *out = outputs + 6 * i;
        size_t me = i - p.first;
        cl_long sum = 0, before = 0;
        for (size_t k = 0; k < p.count; k++) {
            sum += v[k];
            before += k < me ? v[k] : 0;
        }
        CHECK_EQ(out[0], sum * 100 + (cl_long)size);
        CHECK_EQ(out[1], before);
        CHECK_EQ(out[2], v[p.count - 1]);
        CHECK_EQ(out[3], me + 1 < p.count ? v[me + 1] : -1);
        CHECK_EQ(out[4], (me ^ 2) < p.count ? v[me ^ 2] : -1);
        CHECK_EQ(out[5] / 100, p.count / 2);
        CHECK_EQ(out[5] % 100 != 0, p.count > 3);
    }
}

static void required_size(void)
{
    size_t sizes[16], bytes = 0, compiled = 0;
    need("cl_intel_required_subgroup_size");
    need("cl_khr_subgroup_ballot");
    fill_inputs();
    REQUIRE_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
    CHECK(bytes >= sizeof *sizes);
    for (size_t s = 0; s < bytes / sizeof *sizes; s++) {
        char text[128];
        snprintf(text, sizeof text, "-DSIZE=%zu %s", sizes[s], options[0]);
        cl_kernel kernel = new_kernel(sized_source, "k", text);
        CHECK_EQ(largest_size(kernel, 99), sizes[s]);
        CHECK_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
                                         0, NULL, sizeof compiled, &compiled, NULL));
        CHECK_EQ(compiled, sizes[s]);
        for (size_t g = 0; g < LEN(group_sizes); g++) {
            run_three(kernel, inputs, group_sizes[g], 6, outputs);
            check_sized(group_sizes[g], sizes[s]);
        }
        RELEASE_KERNEL(kernel);
    }
    cl_program program =
        new_program("__attribute__((intel_reqd_sub_group_size(7)))\n"
                    "kernel void k(global uint *x) { *x = get_sub_group_size(); }");
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, options[0], NULL, NULL));
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(numbers),        CASE(host_queries),     CASE(in_step),
    CASE(extended_types), CASE(sub_groups_apart), CASE(votes_and_ballots),
    CASE(loops_apart),    CASE(shuffles),         CASE(required_size),
};
TEST_MAIN("sub_group", cases)
