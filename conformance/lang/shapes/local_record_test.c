/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local arrays of records: items write some elements of their records and later ones read whole
 * ones, scans step through them two, four and eight apart. Arrays that begin and end anywhere in
 * the group's local memory, groups of odd sizes, only some of the items; what is not written stays.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS = 3, MOST_LOCAL = 256, MOST_STEP = 8, MOST_LENGTH = MOST_LOCAL * MOST_STEP + 16 };

static const cl_uint sizes[] = {1, 2, 7, 16, 17, 33, 129, 256};
static const struct form {
    const char *type;
    cl_uint step, front, behind; /* elements: of a record, before the first, after the last */
    cl_uint written, again;      /* fields, a bit for each; `again`: by the first items only */
} forms[] = {
    {"float", 2, 0, 0, 1, 2},    {"float", 2, 1, 0, 2, 1},      {"int", 2, 0, 1, 2, 3},
    {"int", 2, 3, 5, 1, 2},      {"float", 4, 0, 0, 8, 2},      {"int", 4, 2, 0, 5, 8},
    {"float", 4, 1, 2, 2, 8},    {"int", 4, 5, 3, 9, 6},        {"float", 8, 0, 0, 0x80, 8},
    {"int", 8, 3, 1, 0x22, 4},   {"short", 2, 0, 0, 2, 1},      {"short", 4, 1, 0, 4, 3},
    {"uchar", 2, 1, 0, 1, 2},    {"uchar", 4, 0, 0, 6, 9},      {"long", 2, 0, 0, 2, 1},
    {"long", 4, 1, 3, 3, 12},    {"long", 8, 0, 0, 0x18, 0x81}, {"float", 3, 0, 0, 2, 5},
    {"float", 6, 1, 0, 9, 0x12},
};

static cl_int out[GROUPS * MOST_LENGTH], want[MOST_LENGTH];

/* Zeros to begin with, then the fields of all items, then more of those below `n`, from all that is
 * in their records, and of one item alone; in the end all elements go out. */
static void print_kernel(char *text, size_t bytes, const struct form *f, cl_uint length)
{
    size_t n = (size_t)snprintf(
        text, bytes,
        "kernel void k(global int *out, int n) {\n"
        "  local %s t[%u]; int l = get_local_id(0), L = get_local_size(0);\n"
        "  for (int i = l; i < %u; i += L) t[i] = i %% 50;\n  barrier(CLK_LOCAL_MEM_FENCE);\n",
        f->type, length, length);
    for (cl_uint k = 0; k < f->step; k++)
        if (f->written >> k & 1)
            n += (size_t)snprintf(text + n, bytes - n, "  t[%u * l + %u] = l %% 20 + %u;\n",
                                  f->step, f->front + k, k);
    n += (size_t)snprintf(text + n, bytes - n, "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (l < n) {\n");
    for (cl_uint k = 0; k < f->step; k++)
        if (f->again >> k & 1)
            n += (size_t)snprintf(text + n, bytes - n, "    t[%u * l + %u] = t[%u * l + %u] + 3;\n",
                                  f->step, f->front + k, f->step, f->front + (k + 1) % f->step);
    snprintf(text + n, bytes - n,
             "  }\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (l == n / 2) t[%u * l + %u] += 1;\n"
             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  for (int i = l; i < %u; i += L) out[get_group_id(0) * %u + i] = t[i];\n}\n",
             f->step, f->front, length, length);
}

static void compute(const struct form *f, cl_uint length, cl_uint local, cl_uint n)
{
    for (cl_uint i = 0; i < length; i++)
        want[i] = (cl_int)(i % 50);
    for (cl_uint l = 0; l < local; l++)
        for (cl_uint k = 0; k < f->step; k++)
            if (f->written >> k & 1)
                want[f->step * l + f->front + k] = (cl_int)(l % 20 + k);
    for (cl_uint l = 0; l < local && l < n; l++)
        for (cl_uint k = 0; k < f->step; k++)
            if (f->again >> k & 1)
                want[f->step * l + f->front + k] =
                    want[f->step * l + f->front + (k + 1) % f->step] + 3;
    if (n / 2 < local)
        want[f->step * (n / 2) + f->front]++;
}

static void check(cl_kernel kernel, const struct form *f, cl_uint length, cl_uint local, cl_uint n)
{
    cl_mem to = new_buffer(CL_MEM_READ_WRITE, GROUPS * length * sizeof *out, NULL);
    const cl_int some = (cl_int)n;
    ARG(kernel, 0, to);
    ARG(kernel, 1, some);
    run_1d(kernel, (size_t)GROUPS * local, local);
    read_back(to, GROUPS * length * sizeof *out, out);
    RELEASE_MEM(to);
    compute(f, length, local, n);
    for (cl_uint i = 0; i < GROUPS * length; i++)
        if (out[i] != want[i % length])
            check_fail(__FILE__, __LINE__,
                       "%s, records of %u at %u: element %u of %u with %u items, %u of them: %d, "
                       "not %d",
                       f->type, f->step, f->front, i % length, length, local, n, out[i],
                       want[i % length]);
}

static void records(void)
{
    for (size_t m = 0; m < LEN(forms); m++) {
        const struct form *f = &forms[m];
        const cl_uint length = f->front + MOST_LOCAL * f->step + f->behind;
        char text[4096];
        print_kernel(text, sizeof text, f, length);
        cl_kernel kernel = new_kernel(text, "k", NULL);
        for (size_t s = 0; s < LEN(sizes); s++) {
            const cl_uint some[] = {0, 1, sizes[s] / 2 + 1, sizes[s]};
            for (size_t n = 0; n < LEN(some); n++)
                check(kernel, f, length, sizes[s], some[n]);
        }
        RELEASE_KERNEL(kernel);
    }
}

/* ---- a scan up and down, steps in place of one another --------------------------------------- */

static const char scan[] =
    "kernel void k(global const T *in, global T *out) {\n"
    "  local T t[N + MORE]; int l = get_local_id(0), b = get_group_id(0) * N, off = 1;\n"
    "  t[2 * l] = in[b + 2 * l]; t[2 * l + 1] = in[b + 2 * l + 1];\n"
    "  for (int d = N / 2; d > 0; d >>= 1) { barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < d) t[off * (2 * l + 2) - 1] += t[off * (2 * l + 1) - 1]; off <<= 1; }\n"
    "  if (l == 0) t[N - 1] = 0;\n"
    "  for (int d = 1; d < N; d <<= 1) { off >>= 1; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < d) { int i = off * (2 * l + 1) - 1, j = off * (2 * l + 2) - 1;\n"
    "      T x = t[i]; t[i] = t[j]; t[j] += x; } }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[b + 2 * l] = t[2 * l]; out[b + 2 * l + 1] = t[2 * l + 1];\n}\n";

static void scan_up_and_down(void)
{
    static cl_int in[GROUPS * 512], got[GROUPS * 512];
    static const char *const types[] = {"int", "float"};
    for (cl_uint n = 2; n <= 512; n *= 2)
        for (cl_uint more = 0; more < 3; more++)
            for (size_t t = 0; t < LEN(types); t++) {
                char options[64];
                snprintf(options, sizeof options, "-DT=%s -DN=%u -DMORE=%u", types[t], n, more);
                cl_kernel kernel = new_kernel(scan, "k", options);
                for (cl_uint i = 0; i < GROUPS * n; i++) {
                    const cl_int number = (cl_int)random_below(100);
                    const cl_float real = (cl_float)number;
                    memcpy(&in[i], t ? (const void *)&real : (const void *)&number, 4);
                }
                cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, GROUPS * n * sizeof *in, in),
                       to = new_buffer(0, GROUPS * n * sizeof *in, NULL);
                ARG(kernel, 0, from);
                ARG(kernel, 1, to);
                run_1d(kernel, (size_t)GROUPS * n / 2, n / 2);
                read_back(to, GROUPS * n * sizeof *got, got);
                double sum = 0;
                for (cl_uint i = 0; i < GROUPS * n; i++) {
                    cl_float real, of;
                    memcpy(&real, &got[i], 4);
                    memcpy(&of, &in[i], 4);
                    sum = i % n ? sum : 0;
                    if ((t ? (double)real : (double)got[i]) != sum)
                        check_fail(__FILE__, __LINE__, "%s, element %u", options, i);
                    sum += t ? (double)of : (double)in[i];
                }
                RELEASE_MEM(from);
                RELEASE_MEM(to);
                RELEASE_KERNEL(kernel);
            }
}

static const struct test_case cases[] = {CASE(records), CASE(scan_up_and_down)};
TEST_MAIN("local records", cases)
