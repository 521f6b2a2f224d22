/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that each item begins or leaves at its own round: triangles, from or to an id or what
 * follows from it, counters of several types that begin below zero or beyond the end, what is
 * stored, added up or left out in the rounds, loops in such loops; any number of items, groups of
 * any size. The same text is the kernel's and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef cl_long lint;

enum { MOST = 163, ROOM = MOST * MOST };

#define BODIES(M)                                                                                  \
    M(upper, uint s = 0; for (int j = i; j < n; j++) s = s * 3 + in[j]; out[i] = s;)               \
    M(pairs, for (int j = i + 1; j < n; j++) out[j * n + i] = out[i * n + j] = in[i] - in[j];)     \
    M(last_too, uint s = 0; for (int j = i - 2; j <= n - 1; j++) s = s * 5 + (uint)j; out[i] = s;) \
    M(no_sign, uint s = 0; for (uint j = (uint)i + a; j < (uint)n; j++) s += in[j] * j;            \
      out[i] = s;)                                                                                 \
    M(wraps, uint s = 0; for (uint j = (uint)i - 3u; j < (uint)n; j++) s = s * 7 + in[j];          \
      out[i] = s;)                                                                                 \
    M(wide, uint s = 0; for (lint j = (lint)i * 2 - a; j < n; j++) s = s * 7 + (uint)j;            \
      out[i] = s;)                                                                                 \
    M(one_choice, uint s = 0; for (int j = a > 2 ? i + 1 : 0; j < n; j++) s = s * 3 + in[j];       \
      out[i] = s;)                                                                                 \
    M(from_memory, uint s = 0; for (int j = in[i] % 64; j < n; j++) s = s * 3 + in[j];             \
      out[i] = s;)                                                                                 \
    M(lower, uint s = 0; for (int j = 0; j < i; j++) s = s * 3 + in[j]; out[i] = s;)               \
    M(lower_too, uint s = 0; for (int j = a; j <= i + 1; j++) s = s * 3 + (uint)j; out[i] = s;)    \
    M(downward_end, uint s = 0; for (uint j = 0; j < (uint)(n - i); j++) s = s * 3 + in[j];        \
      out[i] = s;)                                                                                 \
    M(left_out, uint s = 0; for (int j = i; j < n; j++) if (in[j] % 4 == 1) continue;              \
      else s = s * 3 + in[j]; out[i] = s;)                                                         \
    M(                                                                                             \
        found, int at = -1; for (int j = i + 1; j < n; j++) if (in[j] % 8 == in[i] % 8) {          \
            at = j;                                                                                \
            break;                                                                                 \
        } out[i] = (uint)at;)                                                                      \
    M(                                                                                             \
        what_was, uint s = 0, before = 9; for (int j = i; j < n; j++) {                            \
            s = s * 3 + before;                                                                    \
            before = in[j];                                                                        \
        } out[i] = s + before;)                                                                    \
    M(two_counters, uint s = 0; int k = 0;                                                         \
      for (int j = i; j < n; j++, k += 2) s = s * 3 + in[j] * in[k]; out[i] = s + (uint)k;)        \
    M(                                                                                             \
        nested, for (int j = i; j < n; j++) {                                                      \
            uint s = 0;                                                                            \
            for (int k = 0; k < a; k++)                                                            \
                s = s * 3 + in[j + k] * in[i + k];                                                 \
            out[i * n + j] = s;                                                                    \
        })                                                                                         \
    M(triangles, uint s = 0;                                                                       \
      for (int j = i; j < n; j++) for (int k = j + 1; k < n; k++) if (in[k] % 2) s =               \
          s * 3 + in[j] - in[k];                                                                   \
      out[i] = s;)                                                                                 \
    M(both_sides, uint s = 0; for (int j = 0; j < i; j++) s += in[j] <= in[i];                     \
      for (int j = i + 1; j < n; j++) s += in[j] < in[i]; out[s] = in[i];)                         \
    M(                                                                                             \
        some_items, uint s = 1; if (in[i] % 4) {                                                   \
            for (int j = i; j < n; j++)                                                            \
                s = s * 3 + in[j];                                                                 \
            for (int j = 0; j < i; j++)                                                            \
                s = s * 5 + in[j];                                                                 \
        } out[i] = s;)

#define AS_FUNCTION(NAME, ...)                                                                     \
    static void NAME(const uint *in, uint *out, int n, int a, int i)                               \
    {                                                                                              \
        (void)in, (void)n, (void)a;                                                                \
        __VA_ARGS__                                                                                \
    }
BODIES(AS_FUNCTION)
#define TEXT(...) #__VA_ARGS__
#define ROW_OF(NAME, ...) {#NAME, TEXT(__VA_ARGS__), NAME},
static const struct row {
    const char *name, *text;
    void (*item)(const uint *in, uint *out, int n, int a, int i);
} rows[] = {BODIES(ROW_OF)};

static uint in[2 * MOST], start[ROOM], got[ROOM], wanted[ROOM];

static void compare(const struct row *row, const char *where, int n, int a)
{
    for (size_t k = 0; k < LEN(got); k++)
        if (got[k] != wanted[k]) {
            check_fail(__FILE__, __LINE__, "%s%s, %d items, %d: %zu is %u, not %u", where,
                       row->name, n, a, k, got[k], wanted[k]);
            break;
        }
}

/* `id`: the item's; there are more of them than elements. */
static void run_row(const struct row *row, const char *where, const char *id)
{
    static const struct {
        int n, a;
        size_t local;
    } sizes[] = {{1, 0, 0},  {2, 3, 1},   {5, 1, 4},    {16, 2, 16},    {17, 4, 0},
                 {33, 7, 3}, {64, 2, 64}, {100, 5, 16}, {MOST, 3, 128}, {MOST, 0, 0}};
    char source[2048];
    snprintf(source, sizeof source,
             "typedef long lint;\n"
             "kernel void k(global const uint *restrict in, global uint *restrict out, int n,\n"
             "              int a)\n{\nint i = %s;\nif (i >= n) return;\n%s\n}\n",
             id, row->text);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    random_fill(in, sizeof in);
    random_fill(start, sizeof start);
    for (size_t k = 0; k < LEN(in); k++)
        in[k] = in[k] % 4096 * 4096 + (uint)k; /* all different */
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    for (size_t s = 0; s < LEN(sizes); s++) {
        const int n = sizes[s].n, a = sizes[s].a;
        ARG(kernel, 2, n);
        ARG(kernel, 3, a);
        CHECK_OK(
            clEnqueueWriteBuffer(cl.queue, to, CL_TRUE, 0, sizeof start, start, 0, NULL, NULL));
        memcpy(wanted, start, sizeof wanted);
        for (int i = 0; i < n; i++)
            row->item(in, wanted, n, a, i);
        const size_t local = sizes[s].local ? sizes[s].local : 1;
        run_1d(kernel, ((size_t)n + local - 1) / local * local, sizes[s].local);
        read_back(to, sizeof got, got);
        compare(row, where, n, a);
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void of_rows(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "", "get_global_id(0)");
}

/* Items that are no neighbours in memory, and such as go backward. */
static void of_other_orders(void)
{
    for (size_t r = 0; r < LEN(rows); r++) {
        run_row(&rows[r], "swapped ",
                "(int)get_global_id(0) < n / 2 * 2 ? get_global_id(0) ^ 1 : get_global_id(0)");
        run_row(&rows[r], "backward ",
                "get_global_id(0) < (uint)n ? n - 1 - (int)get_global_id(0) : n");
    }
}

static const struct test_case cases[] = {CASE(of_rows), CASE(of_other_orders)};
TEST_MAIN("rounds_in_step", cases)
