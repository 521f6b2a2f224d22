/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items that write different components of one vector, in local memory and in global, in one
 * stretch between barriers: one by one, several at once, those with a number that only the item
 * knows, under conditions, and from work-groups that run at the same time. What one item writes
 * stays, whatever the others write beside it.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS = 3, MOST_LOCAL = 100, VECTORS = MOST_LOCAL + 1, MOST_WIDTH = 16, WAYS = 7 };

static const cl_uint sizes[] = {1, 7, 8, 16, 33, 64, MOST_LOCAL};
static const struct form {
    const char *type;
    cl_uint bits, width; /* bits of an integer without sign; 0: a float */
    const char *where;
} forms[] = {
    {"uchar", 8, 2, "local"},   {"uchar", 8, 3, "global"},   {"uchar", 8, 4, "local"},
    {"uchar", 8, 16, "local"},  {"ushort", 16, 2, "global"}, {"ushort", 16, 3, "local"},
    {"ushort", 16, 8, "local"}, {"uint", 32, 2, "local"},    {"uint", 32, 3, "local"},
    {"uint", 32, 4, "global"},  {"float", 0, 2, "local"},    {"float", 0, 3, "local"},
    {"float", 0, 4, "global"},  {"float", 0, 4, "local"},    {"float", 0, 8, "local"},
    {"ulong", 64, 2, "local"},  {"ulong", 64, 4, "global"},
};

/* No component is of two items, so their order does not matter. */
static const char source[] =
    "#define BEGIN(name) kernel void name(global V *all, global long *out, int n) {\\\n"
    "  PLACE; int l = get_local_id(0), L = get_local_size(0);\\\n"
    "  for (int i = l; i < VECTORS; i += L) for (int c = 0; c < W; c++) a[i][c] = i + 3 * c;\\\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "#define END barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\\\n"
    "  for (int i = l; i < VECTORS; i += L) for (int c = 0; c < W; c++)\\\n"
    "    out[(get_group_id(0) * VECTORS + i) * W + c] = (long)a[i][c]; }\n"
    "BEGIN(k0) a[l].s0 = 2 * l; a[L - 1 - l].LAST = 5 * l; a[l].s0 += 1; END\n"
    "BEGIN(k1) a[L - l].LAST += n; a[L - 1 - l].s0 = 16; a[L - l].LAST += l; END\n"
    "BEGIN(k2) a[l / W][l % W] = l + n; a[l / W][l % W] += 3; END\n"
    "BEGIN(k3) if (l % 3) a[l].s1 = n; else a[l].s1 += 2; a[L - l].s0 += l; END\n"
    "BEGIN(k4) a[L - 1 - l].LAST0 = (T2)(l, n);\n"
    "#if W > 2\n"
    "  a[l + 1].s1 = a[l + 1].s1 + (T)1;\n"
    "#endif\n"
    "  a[L - 1 - l].LAST0 = a[L - 1 - l].FIRST_LAST; END\n"
    "BEGIN(k5) PLACED V *p = &a[l]; int c = l & 1; (*p)[c] = n; p[1][c] = 7; (*p)[c] += 1; END\n"
    "BEGIN(k6) for (int c = 0; c < W; c++) a[(l + c) % L][c] += l; END\n";

static cl_long want[VECTORS][MOST_WIDTH], out[GROUPS * VECTORS * MOST_WIDTH];

static void set(const struct form *f, cl_uint at, cl_uint component, cl_long number)
{
    want[at][component] = f->bits && f->bits < 64 ? number & ((1ll << f->bits) - 1) : number;
}

static void add(const struct form *f, cl_uint at, cl_uint component, cl_long number)
{
    set(f, at, component, want[at][component] + number);
}

static void compute_item(const struct form *f, int way, cl_uint L, cl_uint l, cl_int n)
{
    const cl_uint W = f->width, last = W - 1, c = l & 1;
    switch (way) {
    case 0:
        set(f, l, 0, 2 * l + 1);
        set(f, L - 1 - l, last, 5 * l);
        break;
    case 1:
        add(f, L - l, last, n + (cl_long)l);
        set(f, L - 1 - l, 0, 16);
        break;
    case 2:
        set(f, l / W, l % W, l + n + 3);
        break;
    case 3:
        if (l % 3)
            set(f, l, 1, n);
        else
            add(f, l, 1, 2);
        add(f, L - l, 0, l);
        break;
    case 4:
        set(f, L - 1 - l, last, n);
        set(f, L - 1 - l, 0, l);
        if (W > 2)
            add(f, l + 1, 1, 1);
        break;
    case 5:
        set(f, l, c, n + 1);
        set(f, l + 1, c, 7);
        break;
    default:
        for (cl_uint k = 0; k < W; k++)
            add(f, (l + k) % L, k, l);
    }
}

static void check(cl_kernel kernel, const struct form *f, int way, cl_uint local)
{
    const cl_int n = 9;
    const size_t bytes = (size_t)GROUPS * VECTORS * MOST_WIDTH * 8;
    cl_mem all = new_buffer(CL_MEM_READ_WRITE, bytes, NULL),
           to = new_buffer(CL_MEM_READ_WRITE, bytes, NULL);
    ARG(kernel, 0, all);
    ARG(kernel, 1, to);
    ARG(kernel, 2, n);
    run_1d(kernel, (size_t)GROUPS * local, local);
    read_back(to, bytes, out);
    RELEASE_MEM(all);
    RELEASE_MEM(to);
    for (cl_uint i = 0; i < VECTORS; i++)
        for (cl_uint c = 0; c < f->width; c++)
            want[i][c] = i + 3 * c;
    for (cl_uint l = 0; l < local; l++)
        compute_item(f, way, local, l, n);
    for (cl_uint i = 0; i < GROUPS * VECTORS * f->width; i++) {
        const cl_uint at = i / f->width % VECTORS, c = i % f->width;
        if (out[i] != want[at][c])
            check_fail(__FILE__, __LINE__,
                       "%s%u, %s, way %d, %u items: vector %u.s%x is %lld, not %lld", f->type,
                       f->width, f->where, way, local, at, c, (long long)out[i],
                       (long long)want[at][c]);
    }
}

static void options_of(const struct form *f, char *text, size_t bytes)
{
    const cl_uint last = f->width - 1;
    const int is_local = !strcmp(f->where, "local");
    snprintf(text, bytes,
             "-DT=%s -DT2=%s2 -DV=%s%u -DW=%u -DLAST=s%x -DLAST0=s%x0 -DFIRST_LAST=s0%x "
             "-DVECTORS=%d -DPLACED=%s -DPLACE=\"%s\"",
             f->type, f->type, f->type, f->width, f->width, last, last, last, VECTORS, f->where,
             is_local ? "local V a[VECTORS]" : "global V *a = all + get_group_id(0) * VECTORS");
}

static void in_one_group(void)
{
    for (size_t m = 0; m < LEN(forms); m++) {
        char options[512];
        options_of(&forms[m], options, sizeof options);
        cl_kernel first = new_kernel(source, "k0", options);
        cl_program program;
        REQUIRE_OK(clGetKernelInfo(first, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
        for (int way = 0; way < WAYS; way++) {
            const char name[] = {'k', (char)('0' + way), 0};
            cl_int error;
            cl_kernel kernel = clCreateKernel(program, name, &error);
            REQUIRE_OK(error);
            for (size_t s = 0; s < LEN(sizes); s++)
                check(kernel, &forms[m], way, sizes[s]);
            RELEASE_KERNEL(kernel);
        }
        RELEASE_KERNEL(first);
    }
}

/* The second half of the items comes by the same vectors as the first, on another thread. */
static void in_several_groups(void)
{
    enum { VECTORS_OF_ALL = 1 << 18, ROUNDS = 4 };
    static cl_uchar got[VECTORS_OF_ALL][2];
    static const char halves[] =
        "kernel void k(global uchar2 *a, int n) { int i = get_global_id(0);\n"
        "  if (i < n) a[i].x = i; else a[i - n].y = i - n + 1; }\n";
    const cl_int half = VECTORS_OF_ALL;
    cl_kernel kernel = new_kernel(halves, "k", NULL);
    cl_mem to = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    ARG(kernel, 0, to);
    ARG(kernel, 1, half);
    for (int round = 0; round < ROUNDS; round++) {
        memset(got, 0, sizeof got);
        REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, to, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        run_1d(kernel, 2 * VECTORS_OF_ALL, 64);
        read_back(to, sizeof got, got);
        for (cl_uint i = 0; i < VECTORS_OF_ALL; i++)
            if (got[i][0] != (cl_uchar)i || got[i][1] != (cl_uchar)(i + 1))
                check_fail(__FILE__, __LINE__, "vector %u is (%d, %d)", i, got[i][0], got[i][1]);
    }
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {CASE(in_one_group), CASE(in_several_groups)};
TEST_MAIN("components", cases)
