/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a group has made in local memory and all its items read between two barriers, then use
 * behind the second one, where something else may lie there: numbers, conditions of loops and of
 * branches with barriers in them, sums by work-group functions, groups whose items are all beyond
 * the end. Each kernel is written here again, a group after the other.
 */
#include "cl_help.h"

#include <string.h>

enum { MOST = 150, GROUPS = 3 };

static const char source[] =
    "kernel void numbers(global const uint *a, global uint *o, uint n) {"
    "  local uint t[150]; uint l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);"
    "  t[l] = a[g]; barrier(1);"
    "  if (!l) for (uint k = 1; k < L; k++) t[0] += t[k] * k;"
    "  barrier(1);"
    "  uint m = t[0], q = t[L - 1]; barrier(1);"
    "  t[l] = m / (q | 1) + l; barrier(1);"
    "  uint other = t[(l + 1) % L]; barrier(1);"
    "  t[0] = 5; barrier(1);"
    "  o[g] = m * 3 + q + other + t[0]; }"
    "kernel void rounds(global const uint *a, global uint *o, uint n) {"
    "  local uint t[150]; uint l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);"
    "  if (g >= n) return;"
    "  t[l] = a[g]; uint r = 0, s = 0; barrier(1);"
    "  do {"
    "    uint m = t[0] % 9; barrier(1);"
    "    if (m & 1) { s += m; t[l] = m + l; barrier(1); s ^= t[l]; }"
    "    barrier(1);"
    "    if (!l) t[0] = t[0] / 3 + r;"
    "    s = s * 5 + m; r++; barrier(1);"
    "  } while (t[0] > 6 && r < 12);"
    "  o[g] = s + r; }"
    "kernel void written(global const uint *a, global uint *o, uint n) {"
    "  local uint t[150]; uint l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);"
    "  t[l] = a[g]; barrier(1);"
    "  uint m = t[l / 150]; barrier(1);"
    "  uint s = 0;"
    "  for (uint k = 0; k < 3; k++) {"
    "    uint b = t[k % L]; s += b * m; barrier(1);"
    "    t[l] += b + k; barrier(1);"
    "    uint c = t[k % L]; t[l] = l == k % L ? c : t[l] ^ m; s ^= c; barrier(1);"
    "  }"
    "  o[g] = s; }"
    "kernel void functions(global const uint *a, global uint *o, uint n) {"
    "  uint g = get_global_id(0), v = a[g];"
    "  uint s = work_group_reduce_add(v), x = work_group_reduce_max(v ^ s);"
    "  uint b = work_group_broadcast(v + x, s % get_local_size(0));"
    "  o[g] = s / (x | 1) + b * (work_group_any(v == x) ? 3 : 5) + work_group_reduce_add(b ^ v); }";

struct group {
    uint32_t size, n;
    const uint32_t *a; /* its items' */
    uint32_t first;    /* global id */
    uint32_t *o;
};

static void numbers(const struct group *g)
{
    uint32_t L = g->size, t[MOST];
    memcpy(t, g->a, L * sizeof *t);
    for (uint32_t k = 1; k < L; k++)
        t[0] += t[k] * k;
    uint32_t m = t[0], q = t[L - 1];
    for (uint32_t l = 0; l < L; l++)
        g->o[l] = m * 3 + q + m / (q | 1) + (l + 1) % L + 5;
}

static void rounds(const struct group *g)
{
    uint32_t t[MOST], s[MOST] = {0}, r = 0, L = g->size;
    if (g->first >= g->n)
        return;
    L = g->n - g->first < L ? g->n - g->first : L;
    memcpy(t, g->a, L * sizeof *t);
    do {
        uint32_t m = t[0] % 9;
        for (uint32_t l = 0; l < L && m & 1; l++) {
            t[l] = m + l;
            s[l] = (s[l] + m) ^ t[l];
        }
        t[0] = t[0] / 3 + r;
        for (uint32_t l = 0; l < L; l++)
            s[l] = s[l] * 5 + m;
        r++;
    } while (t[0] > 6 && r < 12);
    for (uint32_t l = 0; l < L; l++)
        g->o[l] = s[l] + r;
}

static void written(const struct group *g)
{
    uint32_t t[MOST], s[MOST] = {0}, L = g->size;
    memcpy(t, g->a, L * sizeof *t);
    uint32_t m = t[0];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t b = t[k % L];
        for (uint32_t l = 0; l < L; l++) {
            s[l] += b * m;
            t[l] += b + k;
        }
        uint32_t c = t[k % L];
        for (uint32_t l = 0; l < L; l++) {
            t[l] = l == k % L ? c : t[l] ^ m;
            s[l] ^= c;
        }
    }
    memcpy(g->o, s, L * sizeof *s);
}

static void functions(const struct group *g)
{
    uint32_t sum = 0, most = 0, any = 0, mixed = 0, L = g->size;
    for (uint32_t l = 0; l < L; l++)
        sum += g->a[l];
    for (uint32_t l = 0; l < L; l++)
        most = (g->a[l] ^ sum) > most ? g->a[l] ^ sum : most;
    uint32_t b = g->a[sum % L] + most;
    for (uint32_t l = 0; l < L; l++) {
        any |= g->a[l] == most;
        mixed += b ^ g->a[l];
    }
    for (uint32_t l = 0; l < L; l++)
        g->o[l] = sum / (most | 1) + b * (any ? 3 : 5) + mixed;
}

static const struct {
    const char *name;
    void (*run)(const struct group *);
} kernels[] = {
    {"numbers", numbers}, {"rounds", rounds}, {"written", written}, {"functions", functions}};

static void check(cl_kernel kernel, size_t which, uint32_t size)
{
    static uint32_t a[GROUPS * MOST], is[GROUPS * MOST], should[GROUPS * MOST];
    const uint32_t count = GROUPS * size, n = size + (size + 1) / 2;
    const size_t bytes = count * sizeof *a;
    for (uint32_t k = 0; k < count; k++)
        a[k] = (k + 3) * 2654435761u >> 7;
    memset(is, 0, sizeof is);
    memset(should, 0, sizeof should);
    for (uint32_t g = 0; g < GROUPS; g++)
        kernels[which].run(&(struct group){size, n, a + g * size, g * size, should + g * size});
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, a);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, is);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, n);
    run_1d(kernel, count, size);
    read_back(to, bytes, is);
    RELEASE_MEM(to);
    RELEASE_MEM(from);
    for (uint32_t k = 0; k < count; k++)
        if (is[k] != should[k])
            check_fail(__FILE__, __LINE__, "%s, groups of %u, item %u: %u instead of %u",
                       kernels[which].name, size, k, is[k], should[k]);
}

static void steady(void)
{
    static const uint32_t sizes[] = {1, 2, 5, 16, 37, 64, MOST};
    for (size_t k = 0; k < LEN(kernels); k++) {
        cl_kernel kernel = new_kernel(source, kernels[k].name, "-cl-std=CL3.0");
        for (size_t s = 0; s < LEN(sizes); s++)
            check(kernel, k, sizes[s]);
        RELEASE_KERNEL(kernel);
    }
}

static const struct test_case cases[] = {CASE(steady)};
TEST_MAIN("steady loads", cases)
