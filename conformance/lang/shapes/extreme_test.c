/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extremes that a loop carries on from element to element, as alignments of sequences and paths of
 * least cost have them: in one item and in many, in orders of comparison that differ, of types
 * whose sums stay within them.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 23, MOST = 131, ROOM = ROWS * MOST };

/* A row for each item: the loop over it carries `r`, and `s` in the last kernel. */
static const char source[] =
    "kernel void first(global const T *a, global const T *b, global T *y, int n, T gap)\n"
    "{ const int row = get_global_id(0) * n; T r = b[row];\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    r = max(max((T)(r - gap), a[row + i]), b[row + i]); y[row + i] = r; } }\n"
    "kernel void inner(global const T *a, global const T *b, global T *y, int n, T gap)\n"
    "{ const int row = get_global_id(0) * n; T r = b[row];\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    T k = a[row + i] <= (T)(r - gap) ? (T)(r - gap) : a[row + i];\n"
    "    r = k <= b[row + i] ? b[row + i] : k; y[row + i] = r; } }\n"
    "kernel void least(global const T *a, global const T *b, global T *y, int n, T gap)\n"
    "{ const int row = get_global_id(0) * n; T r = b[row];\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    r = (T)(gap + min(min(min(a[row + i], r), b[row + i]), (T)(a[row + i] / 2)));\n"
    "    r = min(r, (T)40); y[row + i] = r; } }\n"
    "kernel void two(global const T *a, global const T *b, global T *y, int n, T gap)\n"
    "{ const int row = get_global_id(0) * n; T r = b[row], s = gap;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    s = max((T)(s - 1), (T)(r - gap));\n"
    "    r = max(max((T)(r - a[row + i]), s), max(b[row + i], (T)20)); y[row + i] = (T)(r + s); } "
    "}\n"
    "kernel void ends(global const T *a, global const T *b, global T *y, int n, T gap)\n"
    "{ const int row = get_global_id(0) * n; T r = b[row], best = 0;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    r = max((T)(r + a[row + i] - gap), (T)10); r = min(r, (T)90); best = max(best, r);\n"
    "    y[row + i] = best; } }\n";

static cl_long a[ROOM], b[ROOM], wanted[ROOM];

static cl_long most(cl_long x, cl_long y)
{
    return x > y ? x : y;
}

static cl_long fewest(cl_long x, cl_long y)
{
    return x < y ? x : y;
}

static void expect(const char *name, int n, cl_long gap)
{
    for (int row = 0; row < ROWS; row++) {
        cl_long r = b[row * n], s = gap, best = 0;
        for (int k = row * n; k < (row + 1) * n; k++) {
            wanted[k] = 0;
            if (!strcmp(name, "first") || !strcmp(name, "inner"))
                r = most(most(a[k], b[k]), r - gap);
            else if (!strcmp(name, "least"))
                r = fewest(gap + fewest(fewest(a[k] / 2, a[k]), fewest(b[k], r)), 40);
            else if (!strcmp(name, "two"))
                s = most(s - 1, r - gap), r = most(most(r - a[k], s), most(b[k], 20)),
                wanted[k] = s;
            else
                r = fewest(most(r + a[k] - gap, 10), 90), best = most(best, r);
            wanted[k] += strcmp(name, "ends") ? r : best;
        }
    }
}

/* Numbers from 0 to 60, of the kernel's type: all sums stay between 0 and 127 where it has no sign.
 */
static void narrow(const cl_long *from, size_t bytes, unsigned char *to)
{
    for (size_t i = 0; i < ROOM; i++)
        memcpy(to + i * bytes, &from[i], bytes); /* of a little-endian machine */
}

static void one(cl_program program, const char *type, size_t bytes, const char *name, int n)
{
    static unsigned char narrowed[2][ROOM * sizeof(cl_long)], got[ROOM * sizeof(cl_long)];
    const cl_long gap = 3;
    cl_kernel kernel = kernel_of(program, name);
    for (size_t i = 0; i < ROOM; i++) {
        a[i] = (cl_long)(random_bits() % 20);
        b[i] = 30 + (cl_long)(random_bits() % 30);
    }
    narrow(a, bytes, narrowed[0]);
    narrow(b, bytes, narrowed[1]);
    expect(name, n, gap);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, ROOM * bytes, narrowed[0]);
    cl_mem beside = new_buffer(CL_MEM_COPY_HOST_PTR, ROOM * bytes, narrowed[1]);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, ROOM * bytes, narrowed[0]);
    ARG(kernel, 0, from);
    ARG(kernel, 1, beside);
    ARG(kernel, 2, to);
    ARG(kernel, 3, n);
    set_arg(kernel, 4, bytes, &gap);
    run_1d(kernel, ROWS, 0);
    read_back(to, ROOM * bytes, got);
    for (size_t i = 0; i < (size_t)ROWS * (size_t)n; i++)
        if (memcmp(got + i * bytes, &wanted[i], bytes) != 0) {
            check_fail(__FILE__, __LINE__, "%s of %s, rows of %d: [%zu] is not %lld", name, type, n,
                       i, (long long)wanted[i]);
            check_abandon();
        }
    RELEASE_MEM(from);
    RELEASE_MEM(beside);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void of_type(const char *type, size_t bytes)
{
    static const char *const names[] = {"first", "inner", "least", "two", "ends"};
    static const int lengths[] = {1, 2, 3, 8, 17, 64, MOST};
    char option[40];
    snprintf(option, sizeof option, "-DT=%s", type);
    cl_program program = built(source, option);
    for (size_t k = 0; k < LEN(names); k++)
        for (size_t i = 0; i < LEN(lengths); i++)
            one(program, type, bytes, names[k], lengths[i]);
    RELEASE_PROGRAM(program);
}

static void ints(void)
{
    of_type("int", 4);
    of_type("uint", 4);
}

static void longs(void)
{
    of_type("long", 8);
    of_type("ulong", 8);
}

static void shorts(void)
{
    of_type("short", 2);
    of_type("uchar", 1);
}

/* ---- tables that one item fills: the last round's number is in memory ------------------------ */

#define TABLES(M)                                                                                  \
    M(                                                                                             \
        align, for (int j = 1; j < rows; j++) for (int i = 1; i < n; i++) {                        \
            int at = j * n + i, k = y[at - 1 - n] + x[at], up = y[at - n] - gap;                   \
            k = k <= y[at - 1] - gap ? y[at - 1] - gap : k;                                        \
            y[at] = k <= up ? up : k;                                                              \
        })                                                                                         \
    M(                                                                                             \
        far, for (int i = 3; i < n * rows; i++) {                                                  \
            int k = y[i - 1] - gap < x[i] ? x[i] : y[i - 1] - gap;                                 \
            y[i] = k < y[i - by] - 1 ? y[i - by] - 1 : k;                                          \
        })                                                                                         \
    M(                                                                                             \
        skips, for (int i = 1; i < n * rows; i++) {                                                \
            int k = y[i - 1] + x[i];                                                               \
            if (x[i] & 1)                                                                          \
                y[i] = k < gap ? k : gap;                                                          \
        })                                                                                         \
    M(                                                                                             \
        two_stores, for (int i = 2; i < n * rows - 2; i++) {                                       \
            int k = y[i - 1] - gap < x[i] ? x[i] : y[i - 1] - gap;                                 \
            y[i] = k;                                                                              \
            y[i - by + 1] = k < 9 ? 9 : k;                                                         \
        })

#define FILLS(NAME, ...)                                                                           \
    static void fill_##NAME(const int *x, int *y, int n, int rows, int gap, int by)                \
    {                                                                                              \
        (void)by;                                                                                  \
        __VA_ARGS__                                                                                \
    }
TABLES(FILLS)
#define TEXT(...) #__VA_ARGS__
#define ROW_OF(NAME, ...) {#NAME, TEXT(__VA_ARGS__), fill_##NAME},
static const struct table {
    const char *name, *text;
    void (*fill)(const int *x, int *y, int n, int rows, int gap, int by);
} tables[] = {TABLES(ROW_OF)};

static int from[ROOM], start[ROOM], filled[ROOM], got[ROOM];

/* `same`: what is read beside the table is the table. */
static void run_table(const struct table *table, const char *head, const char *apart, bool same)
{
    static const struct {
        int n, rows, gap, by;
    } sizes[] = {{2, 2, 3, 1}, {MOST, ROWS, 3, 2}, {17, 5, -2, 3}, {64, 7, 0, 1}, {3, ROWS, 5, 3}};
    char text[2048];
    snprintf(text, sizeof text,
             "%skernel void k(global const int *%s x, global int *%s y, int n, int rows,\n"
             "               int gap, int by)\n{\n%s\n}\n",
             head, apart, apart, table->text);
    cl_kernel kernel = new_kernel(text, "k", NULL);
    for (size_t i = 0; i < ROOM; i++) {
        from[i] = (int)(random_bits() % 21) - 10;
        start[i] = (int)(random_bits() % 41) - 20;
    }
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof from, from),
           y = new_buffer(CL_MEM_READ_WRITE, sizeof start, NULL);
    ARG(kernel, 0, *(same ? &y : &x));
    ARG(kernel, 1, y);
    for (size_t s = 0; s < LEN(sizes); s++) {
        ARG(kernel, 2, sizes[s].n);
        ARG(kernel, 3, sizes[s].rows);
        ARG(kernel, 4, sizes[s].gap);
        ARG(kernel, 5, sizes[s].by);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, y, CL_TRUE, 0, sizeof start, start, 0, NULL, NULL));
        memcpy(filled, start, sizeof filled);
        table->fill(same ? filled : from, filled, sizes[s].n, sizes[s].rows, sizes[s].gap,
                    sizes[s].by);
        run_1d(kernel, 1, 0);
        read_back(y, sizeof got, got);
        for (size_t i = 0; i < ROOM; i++)
            if (got[i] != filled[i]) {
                check_fail(__FILE__, __LINE__, "%s%s, size %zu: [%zu] is %d, not %d", head,
                           table->name, s, i, got[i], filled[i]);
                break;
            }
    }
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_KERNEL(kernel);
}

static void of_one_item(void)
{
    for (size_t t = 0; t < LEN(tables); t++) {
        run_table(&tables[t], "", "restrict", false);
        run_table(&tables[t], "", "", false);
        run_table(&tables[t], "", "", true);
        run_table(&tables[t], "__attribute__((reqd_work_group_size(1, 1, 1))) ", "restrict", false);
    }
}

static const struct test_case cases[] = {CASE(ints), CASE(longs), CASE(shorts), CASE(of_one_item)};
TEST_MAIN("extreme", cases)
