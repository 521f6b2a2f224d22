/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that call themselves. OpenCL C has none, but programs do, and other implementations run
 * them: what is a loop runs as one, and what ends while the program is built has no call left. The
 * rest is refused, with the circle and its places. Whether code is optimised does not matter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"

enum { ITEMS = 37 };

static const char *const options[] = {"", "-cl-opt-disable", "-g"};

typedef int reference(int item);

static void compare(cl_program program, reference *wanted, const char *how)
{
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem out = new_buffer(0, ITEMS * sizeof(cl_int), NULL);
    cl_int got[ITEMS];
    ARG(kernel, 0, out);
    run_1d(kernel, ITEMS, 0);
    read_back(out, sizeof got, got);
    for (int i = 0; i < ITEMS; i++)
        if (got[i] != wanted(i)) {
            check_fail(__FILE__, __LINE__, "\"%s\", item %d: %d, not %d", how, i, got[i],
                       wanted(i));
            break;
        }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
}

static void compare_linked(const char *helper, const char *kernel, reference *wanted)
{
    cl_program parts[] = {new_program(helper), new_program(kernel)};
    cl_int rc;
    for (size_t i = 0; i < LEN(parts); i++)
        REQUIRE_OK(clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program program =
        clLinkProgram(cl.context, 0, NULL, NULL, LEN(parts), parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    compare(program, wanted, "linked");
    RELEASE_PROGRAM(program);
    for (size_t i = 0; i < LEN(parts); i++)
        RELEASE_PROGRAM(parts[i]);
}

/* In one piece with each of the options; compiled apart. */
static void runs(const char *helper, const char *kernel, reference *wanted)
{
    char source[2048];
    if (!is_sluice())
        check_skip("not OpenCL C");
    snprintf(source, sizeof source, "%s%s", helper, kernel);
    for (size_t i = 0; i < LEN(options); i++) {
        cl_program program = built(source, options[i]);
        compare(program, wanted, options[i]);
        RELEASE_PROGRAM(program);
    }
    compare_linked(helper, kernel, wanted);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static int kth_of_seven(int item)
{
    static const int sorted[] = {1, 2, 3, 5, 7, 8, 9};
    return sorted[item % 7];
}

/* Quickselect: the parts that go on differ from item to item. */
static void in_tail_position(void)
{
    runs("int kth(private int *a, int l, int r, int k)\n{\n"
         "    int x = a[r], i = l, t;\n"
         "    for (int j = l; j < r; j++)\n"
         "        if (a[j] <= x) { t = a[i]; a[i] = a[j]; a[j] = t; i++; }\n"
         "    t = a[i]; a[i] = a[r]; a[r] = t;\n"
         "    if (i - l == k - 1) return a[i];\n"
         "    if (i - l > k - 1) return kth(a, l, i - 1, k);\n"
         "    return kth(a, i + 1, r, k - i + l - 1);\n}\n",
         "int kth(private int *a, int l, int r, int k);\n"
         "kernel void k(global int *o)\n{\n"
         "    int a[7] = {9, 3, 7, 1, 8, 2, 5}, i = get_global_id(0);\n"
         "    o[i] = kth(a, 0, 6, i % 7 + 1);\n}\n",
         kth_of_seven);
}

static int walk(int n, int sum)
{
    for (int i = 0; i < n; i++) {
        sum += i;
        if (sum % 7 == 3)
            return walk(n - 1, sum * 2 % 1000);
    }
    return sum;
}

static int halves(int n, int sum)
{
    if (n > 3) {
        int next = sum + n;
        if (next % 7 == 3)
            return halves(n - 1, next * 2);
        sum = next;
        if (sum > 100) {
            int rest = sum * n;
            return halves(n / 2, rest % 64);
        }
    }
    return sum;
}

static int walk_and_halves(int item)
{
    return walk(item, 1) * 1000 + halves(item * 5, 50 + item);
}

/* Returns from inside of loops and of scopes with variables of their own. */
static void from_inner_scopes(void)
{
    runs("int walk(int n, int sum)\n{\n"
         "    for (int i = 0; i < n; i++) {\n        sum += i;\n"
         "        if (sum % 7 == 3) return walk(n - 1, sum * 2 % 1000);\n    }\n"
         "    return sum;\n}\n"
         "int halves(int n, int sum)\n{\n"
         "    if (n > 3) {\n        int next = sum + n;\n"
         "        if (next % 7 == 3) return halves(n - 1, next * 2);\n        sum = next;\n"
         "        if (sum > 100) { int rest = sum * n; return halves(n / 2, rest % 64); }\n    }\n"
         "    return sum;\n}\n",
         "int walk(int n, int sum);\nint halves(int n, int sum);\n"
         "kernel void k(global int *o)\n{\n"
         "    int i = get_global_id(0);\n"
         "    o[i] = walk(i, 1) * 1000 + halves(i * 5, 50 + i);\n}\n",
         walk_and_halves);
}

static int sum_and_product(int item)
{
    unsigned product = 1;
    for (int n = 2; n <= item; n++)
        product *= (unsigned)n;
    return (int)((unsigned)(item * (item + 1) / 2) ^ product);
}

/* What is left to do with the value is a sum or a product of integers, narrow ones too. */
static void with_a_sum(void)
{
    runs("uint product(uint n) { return n < 2 ? 1 : n * product(n - 1); }\n"
         "ushort sum(ushort n) { if (n) return n + sum(n - 1); return 0; }\n",
         "uint product(uint n);\nushort sum(ushort n);\n"
         "kernel void k(global int *o)\n{\n"
         "    int i = get_global_id(0);\n    o[i] = sum(i) ^ product(i);\n}\n",
         sum_and_product);
}

static int weights(int item)
{
    int sum = 0;
    for (int n = item * 77; n; n /= 3)
        sum += n % 3 == 1 ? 5 + n % 4 : n % 3 == 2 ? 3 * (n % 5) : 0;
    return sum;
}

/* Several returns with sums, what is added computed behind the call, sums of sums. */
static void with_several_sums(void)
{
    runs("int second(int n, int x);\n"
         "int first(int n)\n{\n"
         "    if (!n) return 0;\n"
         "    if (n % 3 == 1) return first(n / 3) + (n % 4 ? n % 4 : 0) + 5;\n"
         "    if (n % 3 == 2) return (n % 5) * 2 + second(n, n % 5);\n"
         "    return first(n / 3);\n}\n"
         "int second(int n, int x) { return first(n / 3) + (n % 2 ? x * 3 - 2 * x : x * x / (x ? x "
         ": 1)); }\n",
         "int first(int n);\n"
         "kernel void k(global int *o) { o[get_global_id(0)] = first(get_global_id(0) * 77); }\n",
         weights);
}

static int rest_of_three(int item)
{
    return item % 3 * 10 + (item % 2 ? 7 : 1);
}

static void of_several_functions(void)
{
    runs("int one(uint n); int two(uint n); bool odd(uint n);\n"
         "int zero(uint n) { return n ? one(n - 1) : 0; }\n"
         "int one(uint n) { return n ? two(n - 1) : 10; }\n"
         "int two(uint n) { if (n) return zero(n - 1); else return 20; }\n"
         "bool even(uint n) { return !n || odd(n - 1); }\n"
         "bool odd(uint n) { return n && even(n - 1); }\n",
         "int zero(uint n);\nbool odd(uint n);\n"
         "kernel void k(global int *o)\n{\n"
         "    int i = get_global_id(0);\n    o[i] = zero(i) + (odd(i) ? 7 : 1);\n}\n",
         rest_of_three);
}

static int digits(int item)
{
    int sum = 0;
    for (int n = item * item * item; n; n /= 10)
        sum += n % 10;
    return sum + 1000 * (item + 1);
}

/* Variables whose address a builtin or another function gets; arguments by value; no value. */
static void with_variables(void)
{
    runs("struct state { int rest, sum, turns[3]; };\n"
         "void cut(int *rest, int *digit) { *digit = *rest % 10; *rest /= 10; }\n"
         "struct state add(struct state s)\n{\n"
         "    int digit, local_rest = s.rest;\n    float whole;\n"
         "    if (!s.rest) return s;\n"
         "    cut(&local_rest, &digit);\n"
         "    s.sum += digit + (int)fract(0.25f * digit, &whole) + 0 * (int)whole;\n"
         "    s.rest = local_rest;\n    s.turns[digit % 3]++;\n    return add(s);\n}\n"
         "void count(global int *at, int n) { if (n < 0) return; *at += 1000; count(at, n - 1); }\n"
         "void all(global int *at, int i)\n{\n"
         "    struct state s = {i * i * i, 0, {0, 0, 0}};\n"
         "    *at = add(s).sum;\n    count(at, i);\n}\n",
         "void all(global int *at, int i);\n"
         "kernel void k(global int *o) { all(o + get_global_id(0), get_global_id(0)); }\n",
         digits);
}

/* ---- what ends while the program is built ---------------------------------------------------- */

static int depths(int item)
{
    static const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    int rays = 0;
    for (int depth = 0, width = 1; depth < 4; depth++, width *= 2)
        rays += width * (item + depth);
    return rays + fibonacci[10];
}

/* A tree of rays, by way of two functions and one in between; branches as wide as they are deep. */
static void from_constants(void)
{
    runs("int trace(int x, int depth);\n"
         "int shade(int x, int depth)\n{\n"
         "    return trace(x + 1, depth + 1) - -trace(x + 1, depth + 1);\n}\n"
         "int trace(int x, int depth) { return depth > 3 ? 0 : x + shade(x, depth); }\n"
         "int render(int x, int depth) { return trace(x, depth); }\n"
         "int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }\n"
         "int both(int x) { return render(x, 0) + fibonacci(10); }\n",
         "int both(int x);\n"
         "kernel void k(global int *o) { o[get_global_id(0)] = both(get_global_id(0)); }\n",
         depths);
}

/* The function that asks for its item is put into kernels as often as it is called. */
static void with_items(void)
{
    runs("int tree(int depth)\n{\n"
         "    if (!depth) return get_global_id(0);\n"
         "    return tree(depth - 1) ^ (3 * tree(depth - 1));\n}\n"
         "int item(int n) { return n < 1 ? get_global_id(0) : item(n - 2); }\n"
         "int both(int n) { return tree(2) * 0 + item(n); }\n",
         "int both(int n);\n"
         "kernel void k(global int *o)\n{\n"
         "    int i = get_global_id(0);\n    o[i] = i % 3 * 10 + (both(i) % 2 ? 7 : 1);\n}\n",
         rest_of_three);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_log(cl_program program, const char *const *texts)
{
    char *log = build_log(program);
    for (; *texts; texts++)
        if (!strstr(log, *texts))
            check_fail(__FILE__, __LINE__, "the log lacks \"%s\":\n%s", *texts, log);
    free(log);
}

static void refused(const char *source, const char *const *texts)
{
    if (!is_sluice())
        check_skip("not OpenCL C");
    for (size_t i = 0; i < LEN(options); i++) {
        cl_program program = new_program(source);
        FAILS(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 1, &cl.device, options[i], NULL, NULL));
        check_log(program, texts);
        RELEASE_PROGRAM(program);
    }
}

static void named_with_places(void)
{
    refused("int a(int);\n"
            "int c(int n) { return 2 * a(n - 1) + 1; }\n"
            "int b(int n)\n{\n    return n + c(n);\n}\n"
            "int a(int n) { return n < 0 ? n : b(n) * 3 + b(-n); }\n"
            "kernel void k(global int *o) { *o = a(*o); }\n",
            (const char *const[]){":7:35: error: recursion is not allowed in OpenCL C: "
                                  "a -> b -> c -> a\n",
                                  ":7:35: note: 'a' calls 'b'", ":5:16: note: 'b' calls 'c'",
                                  ":2:27: note: 'c' calls 'a'", NULL});
    refused("float sum(global float *v, int n)\n{\n    return n ? *v + sum(v + 1, n - 1) : 0;\n}\n"
            "kernel void k(global float *o) { *o = sum(o, 7 + *o); }\n",
            (const char *const[]){
                ":3:21: error: recursion is not allowed in OpenCL C: sum -> sum\n", NULL});
}

/* Variables of a turn that the next one sees; constants that do not end; kernels. */
static void no_loops(void)
{
    refused(
        "int walk(int *last, int n) { int own = *last + n; return n ? walk(&own, n - 1) : own; }\n"
        "kernel void k(global int *o) { int start = 3; *o = walk(&start, *o); }\n",
        (const char *const[]){":1:62: error: ", "walk -> walk", NULL});
    refused("int f(int x, int n) { return n > 0 ? x * f(x + 1, n + 1) - f(x, n + 1) : x; }\n"
            "kernel void k(global int *o) { *o = f(*o, 1); }\n",
            (const char *const[]){":1:", "f -> f", NULL});
    refused("kernel void k(global int *o) { if (*o) k(o); }\n",
            (const char *const[]){":1:40: error: ", "k -> k", NULL});
}

static const struct test_case cases[] = {
    CASE(in_tail_position),  CASE(from_inner_scopes),    CASE(with_a_sum),
    CASE(with_several_sums), CASE(of_several_functions), CASE(with_variables),
    CASE(from_constants),    CASE(with_items),           CASE(named_with_places),
    CASE(no_loops),
};
TEST_MAIN("recursion", cases)
