/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extremes that a loop carries on from element to element, as alignments of sequences and paths of
 * least cost have them: in one item and in many, in orders of comparison that differ, of types
 * whose sums stay within them.
 */
#include "cl_help.h"
#include "reference.h"

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

static const struct test_case cases[] = {CASE(ints), CASE(longs), CASE(shorts)};
TEST_MAIN("extreme", cases)
