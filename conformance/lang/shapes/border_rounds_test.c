/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of one item that go over rows whose first or last element has no neighbour: it is asked
 * for in each round, as a place, a way or a value, with counters of several types, from and to
 * numbers that arguments tell, in rows of one element and of many, and where the question is for
 * another round than the last. The same text is the kernel's and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef cl_long lint;

enum { ROW = 67, ROWS = 5, MOST = ROW * ROWS, PAD = ROW };

/* in and out begin a row in front of the buffer's middle, so that no place is outside of it. */
#define BODIES(M)                                                                                  \
    M(                                                                                             \
        stencil, for (int r = 0; r < rows; r++) for (int c = 0; c < n; c++) {                      \
            int i = c + r * n, south = r == rows - 1 ? 0 : n, north = r == 0 ? 0 : -n;             \
            int east = c == n - 1 ? 0 : 1, west = c == 0 ? 0 : -1;                                 \
            out[i] =                                                                               \
                3 * in[i] + in[i + south] - in[i + north] + 7 * in[i + east] + 5 * in[i + west];   \
        })                                                                                         \
    M(only_first, for (int c = 0; c < n; c++) out[c] = in[c] + in[c == 0 ? n : c - 1];)            \
    M(only_last, for (int c = 0; c < n; c++) out[c] = in[c] * 3 - in[c == n - 1 ? 0 : c + 1];)     \
    M(unsigned_counter, for (uint c = 0; c < (uint)n; c++) out[c] =                                \
                            in[c] + in[c + 1 == (uint)n ? 0 : c + 1] - in[c ? c - 1 : 0];)         \
    M(long_counter, for (lint c = 0; c < n; c++) out[c] =                                          \
                        in[c] + in[c == n - 1 ? 0 : c + 1] - in[c != 0 ? c - 1 : 0];)              \
    M(from_elsewhere,                                                                              \
      for (int c = from; c < n; c++) out[c] =                                                      \
          in[c] + 2 * in[c == from ? n : c - 1] + 5 * in[c == n - 1 ? from : c + 1];)              \
    M(                                                                                             \
        ways, for (int c = 0; c < n; c++) {                                                        \
            if (c == 0)                                                                            \
                out[c] = in[0] + 9;                                                                \
            else if (c == n - 1)                                                                   \
                out[c] = in[c] - in[c - 1];                                                        \
            else                                                                                   \
                out[c] = in[c - 1] + in[c] * in[c + 1];                                            \
        })                                                                                         \
    M(some_round, for (int c = 0; c < n; c++) out[c] = in[c == from ? 0 : c + 1] * 3 + c;)         \
    M(                                                                                             \
        carried, uint s = 1; for (int c = 0; c < n; c++) {                                         \
            s = s * 5 + in[c == n - 1 ? 0 : c + 1];                                                \
            if (c == 0)                                                                            \
                s ^= in[n];                                                                        \
            out[c] = s;                                                                            \
        } out[n] = s;)                                                                             \
    M(                                                                                             \
        left, uint s = 7; int c = 0; for (c = 0; c < n; c++) {                                     \
            s += in[c == n - 1 ? 0 : c + 1];                                                       \
            if (s % 64 == 5)                                                                       \
                break;                                                                             \
            out[c] = s;                                                                            \
        } out[n] = (uint)c;)                                                                       \
    M(in_steps, for (int c = 0; c < n; c += 2) out[c] = in[c == 0 ? n : c - 1] + in[c];)           \
    M(downward, for (int c = n - 1; c >= 0; c--) out[c] =                                          \
                    in[c == 0 ? n : c - 1] + 3 * in[c == n - 1 ? 0 : c + 1];)                      \
    M(                                                                                             \
        constant_row, for (int r = 0; r < rows; r++) for (int c = 0; c < 65; c++) {                \
            int at = r * 65 + c;                                                                   \
            out[at] = in[at] - in[at + (c == 64 ? 0 : 1)] * 3 + in[at - (c == 0 ? 0 : 1)];         \
        })                                                                                         \
    M(in_place, for (int k = 0; k < 3; k++) for (int c = 0; c < n; c++) out[c] =                   \
                    out[c == 0 ? n - 1 : c - 1] * 3 + in[c] + out[c == n - 1 ? 0 : c + 1];)        \
    M(both_the_same, for (int c = 0; c < n; c++) out[c] = in[c == 0 || c == n - 1 ? n : c + 1] +   \
                                                          (c == 0) * 11 + (c == n - 1) * 13;)

#define AS(NAME, ...)                                                                              \
    static void NAME(const uint *in, uint *out, int n, int rows, int from)                         \
    {                                                                                              \
        (void)n, (void)rows, (void)from;                                                           \
        __VA_ARGS__                                                                                \
    }
BODIES(AS)
#define TEXT(...) #__VA_ARGS__
#define ROW_OF(NAME, ...) {#NAME, TEXT(__VA_ARGS__), NAME},
static const struct row {
    const char *name, *text;
    void (*item)(const uint *in, uint *out, int n, int rows, int from);
} rows[] = {BODIES(ROW_OF)};

static uint in[MOST + 2 * PAD], start[MOST + 2 * PAD], got[MOST + 2 * PAD], wanted[MOST + 2 * PAD];

static void run_row(const struct row *row, const char *head)
{
    static const struct {
        int n, rows, from;
    } sizes[] = {{1, 1, 0},  {2, 1, 0},        {3, 2, 1},       {1, 5, 3},   {17, 3, 16}, {0, 2, 0},
                 {40, 1, 7}, {ROW, ROWS, ROW}, {ROW, ROWS, 66}, {33, 4, -1}, {64, 5, 32}};
    char source[2048];
    snprintf(source, sizeof source,
             "typedef long lint;\n"
             "%skernel void k(global const uint *restrict in, global uint *restrict out, int n,\n"
             "              int rows, int from)\n{\nin += %d; out += %d;\n%s\n}\n",
             head, PAD, PAD, row->text);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    for (size_t i = 0; i < LEN(in); i++) {
        in[i] = (uint)random_bits();
        start[i] = (uint)random_bits();
    }
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    for (size_t s = 0; s < LEN(sizes); s++) {
        ARG(kernel, 2, sizes[s].n);
        ARG(kernel, 3, sizes[s].rows);
        ARG(kernel, 4, sizes[s].from);
        CHECK_OK(
            clEnqueueWriteBuffer(cl.queue, to, CL_TRUE, 0, sizeof start, start, 0, NULL, NULL));
        memcpy(wanted, start, sizeof wanted);
        row->item(in + PAD, wanted + PAD, sizes[s].n, sizes[s].rows, sizes[s].from);
        run_1d(kernel, 1, 0);
        read_back(to, sizeof got, got);
        for (size_t i = 0; i < LEN(got); i++)
            if (got[i] != wanted[i]) {
                check_fail(__FILE__, __LINE__, "%s%s, %d of %d from %d: %zu is %u, not %u", head,
                           row->name, sizes[s].n, sizes[s].rows, sizes[s].from, i, got[i],
                           wanted[i]);
                break;
            }
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void of_one_item(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "");
}

/* A group of one, which may still have ids. */
static void of_groups_of_one(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "__attribute__((reqd_work_group_size(1, 1, 1))) ");
}

static const struct test_case cases[] = {CASE(of_one_item), CASE(of_groups_of_one)};
TEST_MAIN("border_rounds", cases)
