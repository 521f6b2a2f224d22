/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow that differs from item to item: switches, loops, early returns, called functions. */
#include "cl_help.h"

#include "reference.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS = 333 };

static cl_int in[ITEMS], out[ITEMS];

static void run(const char *source)
{
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (int i = 0; i < ITEMS; i++) {
        in[i] = (cl_int)random_below(1000);
        out[i] = -1;
    }
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, ITEMS, 0);
    read_back(b, sizeof out, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

/* The same text is the kernel's function and the reference. */
#define BOTH(name, ...)                                                                            \
    static int name(int x, int i) __VA_ARGS__ static void case_##name(void)                        \
    {                                                                                              \
        run("int f(int x, int i) " #__VA_ARGS__                                                    \
            "\nkernel void k(global int *in, global int *out)\n"                                   \
            "{ int i = get_global_id(0); out[i] = f(in[i], i); }\n");                              \
        for (int i = 0; i < ITEMS; i++)                                                            \
            CHECK_EQ(out[i], name(in[i], i));                                                      \
    }

BOTH(switches, {
    int r = i;
    switch (x % 9) {
    case 0:
        r += 3;
        break;
    case 1:
        r *= 2;
        __attribute__((fallthrough));
    case 2:
        r -= 5;
        break;
    case 5: {
        for (int j = 0; j < x % 7; j++) {
            if (j == 4)
                break;
            r += j;
        }
        return r;
    }
    case 7:
        switch (i % 3) {
        case 0:
            return -1;
        case 1:
            r ^= 77;
            break;
        default:
            r = x;
        }
        break;
    default:
        r = 1000 - x;
    }
    return r;
})

BOTH(collatz, {
    int steps = 0;
    x++;
    while (x != 1 && steps < 500) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    return steps * 10 + (i & 7);
})

BOTH(nested_loops, {
    int s = 0;
    for (int a = 0; a < x % 11; a++) {
        if (a == 6)
            continue;
        for (int b = a; b < 12; b += 1 + (i & 1)) {
            if ((a * b + i) % 13 == 5)
                break;
            int c = b;
            do {
                s += c ^ a;
                c -= 3;
            } while (c > 0);
        }
        if (s > 900)
            return s;
    }
    return -s;
})

BOTH(early_returns, {
    if (i % 5 == 0)
        return 1;
    if (x > 700) {
        if (i & 2)
            return 2;
        x -= 700;
    }
    for (;;) {
        if (x < 10)
            return x;
        x = x / 3 + (i & 3);
        if (x % 7 == 0 && x)
            return -x;
    }
})

BOTH(short_circuits, {
    int n = 0;
    int a[8];
    for (int j = 0; j < 8; j++)
        a[j] = (x >> j) & 1;
    if ((n++, a[0]) && (n++, a[1]) && (n++, a[2]))
        n += 100;
    if ((n++, a[3]) || (n++, a[4]) || (n++, a[5]))
        n += 1000;
    return a[6] ? a[7] ? n : -n : n * 2 + i;
})

static void item_skips_the_end(void)
{
    run("kernel void k(global int *in, global int *out)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    if (i % 3 == 0) return;\n"
        "    out[i] = in[i] + 1;\n"
        "}\n");
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(out[i], i % 3 ? in[i] + 1 : -1);
}

static void kernels_calling_kernels(void)
{
    run("kernel void inner(global int *in, global int *out)\n"
        "{ size_t i = get_global_id(0); out[i] = in[i] * 2; }\n"
        "kernel void k(global int *in, global int *out)\n"
        "{ inner(in, out); out[get_global_id(0)] += 1; }\n");
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(out[i], in[i] * 2 + 1);
}

/* An index whose parts are made where some items are already gone, and used behind another fork. */
static void index_from_before_a_fork(void)
{
    run("kernel void k(global int *in, global int *out)\n"
        "{\n"
        "    int i = get_global_id(0), w = in[0] & 3, n = in[1] & 3;\n"
        "    if (i < 8 + w || i >= 325 + w) return;\n"
        "    int at = mul24(w, n) + i, s;\n"
        "    if (in[i] & 1)\n"
        "        s = in[i - 5] * 3 + in[i + 3] / 7 + in[in[i] % 300];\n"
        "    else\n"
        "        s = in[i + 4] - in[i - 6] * in[i + 1] + in[in[i] % 200];\n"
        "    out[at - 8] = s;\n"
        "}\n");
    int w = in[0] & 3, n = in[1] & 3;
    for (int i = 0; i < ITEMS; i++) {
        int from = i + 8 - w * n, expected = -1;
        if (from >= 8 + w && from < 325 + w)
            expected = in[from] & 1
                           ? in[from - 5] * 3 + in[from + 3] / 7 + in[in[from] % 300]
                           : in[from + 4] - in[from - 6] * in[from + 1] + in[in[from] % 200];
        CHECK_EQ(out[i], expected);
    }
}

/* More conditions in a row than LLVM has patience for: the build has to end. */
static void thousands_of_conditions(void)
{
    enum { CONDITIONS = 4000, LIMIT = 20, FEW = 19 };
    static char source[CONDITIONS * 64];
    static int u[CONDITIONS];
    int used = sprintf(source, "kernel void many(global int *a, int m, global const int *u)\n"
                               "{ int x = a[get_global_id(0)];\n");
    int a[FEW];
    uint32_t want[FEW];
    for (int k = 0; k < CONDITIONS; k++) {
        u[k] = (k * 37 + 11) % 41;
        used += sprintf(source + used, "if (u[%d] > m) x = x * %d + %d;\n", k, k % 7 + 1, k % 11);
    }
    sprintf(source + used, "a[get_global_id(0)] = x; }\n");
    for (int i = 0; i < FEW; i++) {
        want[i] = (uint32_t)(a[i] = i * 3 - 7);
        for (int k = 0; k < CONDITIONS; k++)
            if (u[k] > LIMIT)
                want[i] = want[i] * (uint32_t)(k % 7 + 1) + (uint32_t)(k % 11);
    }
    cl_kernel kernel = new_kernel(source, "many", NULL);
    cl_mem data = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem table = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof u, u);
    int limit = LIMIT;
    ARG(kernel, 0, data);
    ARG(kernel, 1, limit);
    ARG(kernel, 2, table);
    run_1d(kernel, FEW, 0);
    read_back(data, sizeof a, a);
    for (int i = 0; i < FEW; i++)
        CHECK_EQ((uint32_t)a[i], want[i]);
    RELEASE_MEM(data);
    RELEASE_MEM(table);
    RELEASE_KERNEL(kernel);
}

/* So many branches that variables of theirs are made values by other code than in small kernels. */
static void hundreds_of_branches(void)
{
    enum { COUNT = 1003, BRANCHES = 400, ROOM = BRANCHES * 160 + 512 };
    static char source[ROOM];
    static cl_uint given[COUNT], got[COUNT];
    int at = snprintf(source, ROOM,
                      "kernel void k(global const uint *a, global uint *o, uint n)\n{\n"
                      "    uint i = get_global_id(0), x = a[i], y = 0;\n");
    for (int b = 0; b < BRANCHES; b++)
        at += snprintf(
            source + at, (size_t)(ROOM - at),
            "    if (x & %uu) { uint z = x * %uu + a[(i + %d) %% n]; y ^= z >> 3; x = z; }\n"
            "    else { x += y * %uu; o[i] = x; }\n",
            1u << b % 20, 2u * (unsigned)b + 1, b % 7, (unsigned)b | 1);
    snprintf(source + at, (size_t)(ROOM - at), "    o[i] = x + y;\n}\n");
    for (int i = 0; i < COUNT; i++)
        given[i] = random_below(1u << 30) * 4 + random_below(4);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given),
           o = new_buffer(0, sizeof got, NULL);
    cl_uint n = COUNT;
    ARG(kernel, 0, a);
    ARG(kernel, 1, o);
    ARG(kernel, 2, n);
    run_1d(kernel, COUNT, 0);
    read_back(o, sizeof got, got);
    for (int i = 0; i < COUNT; i++) {
        cl_uint x = given[i], y = 0;
        for (unsigned b = 0; b < BRANCHES; b++) {
            if (x & 1u << b % 20) {
                x = x * (2 * b + 1) + given[((unsigned)i + b % 7) % COUNT];
                y ^= x >> 3;
            } else {
                x += y * (b | 1);
            }
        }
        CHECK_EQ(got[i], x + y);
    }
    RELEASE_MEM(a);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    {"switches", case_switches},
    {"collatz", case_collatz},
    {"nested_loops", case_nested_loops},
    {"early_returns", case_early_returns},
    {"short_circuits", case_short_circuits},
    CASE(hundreds_of_branches),
    CASE(item_skips_the_end),
    CASE(kernels_calling_kernels),
    CASE(index_from_before_a_fork),
    CASE(thousands_of_conditions),
};
TEST_MAIN("control", cases)
