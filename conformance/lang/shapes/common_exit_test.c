/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that items leave one by one, and all that are left after so many rounds: the count ends the
 * loop in its middle, at its end, in a loop around it, or where some items have never come. What
 * items take along is theirs.
 */
#include "cl_help.h"
#include "reference.h"

enum { ITEMS = 1003 };

static cl_uint in[ITEMS], got[ITEMS], took[ITEMS];

static const char source[] =
    "uint next(uint v) { return v * 1664525u + 1013904223u; }\n"
    "kernel void at_end(global const uint *a, global uint *o, global uint *p, int most)\n"
    "{\n"
    "  uint i = get_global_id(0), v = a[i]; int n = 0;\n"
    "  while (v >> 28 && n < most) { v = next(v); n++; }\n"
    "  o[i] = n; p[i] = v;\n"
    "}\n"
    "kernel void in_middle(global const uint *a, global uint *o, global uint *p, int most)\n"
    "{\n"
    "  uint i = get_global_id(0), v = a[i], sum = 0; int n = 0;\n"
    "  for (;;) { sum += v & 7; if (++n == most) break; v = next(v); if (v >> 29 == 3) break; }\n"
    "  o[i] = n * 1000 + sum; p[i] = v;\n"
    "}\n"
    "kernel void nested(global const uint *a, global uint *o, global uint *p, int most)\n"
    "{\n"
    "  uint i = get_global_id(0), v = a[i], sum = 0;\n"
    "  if (v & 1)\n"
    "    for (int k = 0; k < 5; k++) {\n"
    "      int n = 0;\n"
    "      do { v = next(v) + k; n++; } while (v >> 30 && n < most + k);\n"
    "      sum = sum * 3 + n;\n"
    "      if (sum > 4000) break;\n"
    "    }\n"
    "  o[i] = sum; p[i] = v;\n"
    "}\n"
    "kernel void asked_outside(global const uint *a, global uint *o, global uint *p, int most)\n"
    "{\n"
    "  uint i = get_global_id(0), v = a[i], sum = 0; bool odd;\n"
    "  do {\n"
    "    int n = 0;\n"
    "    do {\n"
    "      v = next(v); n++; odd = ((n ^ most) & 1) == 0; sum = sum * 5 + (odd ? 3 : 8);\n"
    "    } while (v >> 30);\n"
    "    sum = sum * 3 + v;\n"
    "  } while (!odd);\n"
    "  o[i] = sum; p[i] = v;\n"
    "}\n";

static cl_uint next(cl_uint v)
{
    return v * 1664525u + 1013904223u;
}

static void at_end(cl_uint v, int most, cl_uint *o, cl_uint *p)
{
    int n = 0;
    for (; v >> 28 && n < most; n++)
        v = next(v);
    *o = (cl_uint)n;
    *p = v;
}

static void in_middle(cl_uint v, int most, cl_uint *o, cl_uint *p)
{
    cl_uint sum = v & 7;
    int n = 1;
    while (n != most) {
        v = next(v);
        if (v >> 29 == 3)
            break;
        sum += v & 7;
        n++;
    }
    *o = (cl_uint)n * 1000 + sum;
    *p = v;
}

static void nested(cl_uint v, int most, cl_uint *o, cl_uint *p)
{
    cl_uint sum = 0;
    if (v & 1)
        for (int k = 0; k < 5 && sum <= 4000; k++) {
            int n = 0;
            do {
                v = next(v) + (cl_uint)k;
                n++;
            } while (v >> 30 && n < most + k);
            sum = sum * 3 + (cl_uint)n;
        }
    *o = sum;
    *p = v;
}

/* What the count of the inner loop says ends the outer one: of each item where that left. */
static void asked_outside(cl_uint v, int most, cl_uint *o, cl_uint *p)
{
    cl_uint sum = 0;
    for (int odd = 0; !odd; sum = sum * 3 + v) {
        int n = 0;
        do {
            v = next(v);
            odd = (++n & 1) == (most & 1);
            sum = sum * 5 + (odd ? 3 : 8);
        } while (v >> 30);
    }
    *o = sum;
    *p = v;
}

typedef void (*reference_fn)(cl_uint, int, cl_uint *, cl_uint *);

static void check_loop(const char *name, reference_fn reference)
{
    const size_t global = ITEMS;
    cl_kernel kernel = new_kernel(source, name, "");
    random_fill(in, sizeof in);
    for (cl_int most = 1; most < 40; most = most * 2 + 1) {
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
        cl_mem o = new_buffer(0, sizeof got, NULL), p = new_buffer(0, sizeof took, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, o);
        ARG(kernel, 2, p);
        ARG(kernel, 3, most);
        run_nd(kernel, 1, NULL, &global, NULL);
        read_back(o, sizeof got, got);
        read_back(p, sizeof took, took);
        for (int i = 0; i < ITEMS; i++) {
            cl_uint count, last;
            reference(in[i], most, &count, &last);
            REQUIRE(CHECK_EQ(got[i], count));
            REQUIRE(CHECK_EQ(took[i], last));
        }
        RELEASE_MEM(a);
        RELEASE_MEM(o);
        RELEASE_MEM(p);
    }
    RELEASE_KERNEL(kernel);
}

static void ends_at_end(void)
{
    check_loop("at_end", at_end);
}

static void ends_in_middle(void)
{
    check_loop("in_middle", in_middle);
}

static void ends_within(void)
{
    check_loop("nested", nested);
}

static void ends_outside(void)
{
    check_loop("asked_outside", asked_outside);
}

static const struct test_case cases[] = {CASE(ends_at_end), CASE(ends_in_middle), CASE(ends_within),
                                         CASE(ends_outside)};
TEST_MAIN("common_exit", cases)
