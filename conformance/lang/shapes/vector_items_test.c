/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items that read and write OpenCL vectors of words or shorts, several items at once: taken apart
 * into elements, used as they lie in memory, or both. All numbers are small and whole, so that
 * float agrees to the bit with the reference's integers.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 70, MOST_WIDTH = 16, AROUND = 16, LENGTH = MOST_ITEMS * MOST_WIDTH + AROUND };

/* Of element e of an item with n elements: what is stored at o and at p, from what is there. */
typedef void element_fn(const int *a, const int *b, int *o, int *p, int e, int n, int s);

struct row {
    const char *text; /* of V a, b, o, p at i, and T s */
    element_fn *element;
};

static int dot_of(const int *a, const int *b, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void scaled_sum(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)b, (void)p, (void)n;
    o[e] += a[e] * s;
}

static void by_dot(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)s;
    o[e] = dot_of(a, b, n) * a[e] + b[n - 1 - e];
}

static void of_constants(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n;
    o[e] = (a[e] - (e & 3) * 5) * (b[e] + s) + 7;
}

static void where_greater(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)s;
    if (a[0] > b[n - 1])
        o[e] = a[e] - b[e];
}

static void reversed(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)s;
    o[e] = a[n - 1 - e] + b[e];
}

static void both_orders(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)s;
    o[e] = a[e] * b[e] + b[e];
    p[e] = a[0] * b[0] + b[0] + o[e] + a[n - 1];
}

static void in_turns(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n;
    for (int k = 0; k < s; k++)
        o[e] += a[e] * k + b[e];
}

static void by_first(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n, (void)s;
    o[e] = a[0] * b[e];
}

static void negated(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)n;
    o[e] = -a[e] < b[e] ? s : -a[e];
    p[e] = -a[e];
}

static void lesser_scaled(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n;
    o[e] = a[e] < b[e] ? a[e] * s : b[e];
}

static void bits_of_whole(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n, (void)s;
    o[e] = (a[e] & 5) + b[e];
}

/* Nothing of it stays in memory's order. Of float the test looks at the whole part. */
static void divided(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n, (void)s;
    o[e] = b[e] / (a[e] * a[e] + 1);
}

static void copied(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)n, (void)s;
    o[e] = b[e];
    p[e] = a[e];
}

static void either_way(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n;
    if (a[0] > b[0])
        o[e] = a[e] * s;
    else
        o[e] = -a[e];
}

/* The last turn that an item takes. */
static void as_often(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)n;
    for (int k = 0; k < a[0]; k++) {
        o[e] = a[e] + k;
        if (b[1] > k)
            p[e] = (a[e] + k) * s;
    }
}

/* What is the same for all items is made in a block that some pass by, for stores in others. */
static void made_before(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)n;
    int turns = 0;
    while (turns * 3 < b[0])
        turns++;
    if (turns & 1)
        o[e] = a[e] * (s * 7 + 2) + b[1] * 3;
    if (turns & 2)
        p[e] = a[e] * (s * 7 + 2) + b[1] * 3;
}

/* Of so many items from an item's on, in memory. */
static int after(int n, int items)
{
    return items * (n == 3 ? 4 : n);
}

static void filtered(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)b, (void)p;
    for (int k = 0; k < s; k++)
        o[e] += a[after(n, k) + e] * s;
}

static void filtered_and_summed(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    int sum = 0;
    for (int k = 0; k < s; k++)
        for (int m = 0; m < n; m++)
            sum += a[after(n, k) + m] * b[after(n, k) + m];
    p[e] = sum;
    for (int k = 0; k < s; k++)
        o[e] += a[after(n, k) + e] * b[after(n, k) + e];
}

static void turned_over(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    int sum = o[e], most = p[e];
    for (int k = 0; k < s; k++) {
        int x = a[after(n, k) + e], y = a[after(n, k) + n - 1 - e];
        sum = k & 1 ? y - sum : sum + x;
        most = b[after(n, k) + e] > most ? b[after(n, k) + e] : most;
    }
    o[e] = sum;
    p[e] = most;
}

static void where_the_item_wants(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p;
    for (int k = 0; k < s; k++)
        o[e] = b[0] > k ? o[e] + a[after(n, k) + e] * b[1] : o[e];
}

static void as_long_as_the_item_wants(const int *a, const int *b, int *o, int *p, int e, int n,
                                      int s)
{
    int first = o[e];
    for (int k = 0; k < b[0]; k++) {
        first += a[after(n, k & 1) + e] * s;
        if (k == 5)
            break;
    }
    o[e] = first;
    p[e] = -first;
}

static void with_a_number_from_before(const int *a, const int *b, int *o, int *p, int e, int n,
                                      int s)
{
    (void)p;
    for (int k = 0; k < s; k++)
        o[e] += a[after(n, k) + e] * (b[0] > k ? b[1] * 2 : 1);
}

static void with_a_constant_inside(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    int sum = o[e];
    for (int k = 0; k < s; k++) {
        sum += a[after(n, k) + e] + b[after(n, k) + e];
        sum = e == 1 ? k + s : e == 0 ? b[2] + sum : sum;
    }
    o[e] = sum;
    (void)p;
}

/* SUM: of all elements; REVERSED, INDEX and its REMAINDERS of 4: as the width has them; INTS and
 * BACK: conversions. */
static void with_a_constant_last(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)b, (void)p;
    o[e] = e == n - 1 ? 9 : e == 0 ? a[1] * a[0] : a[e] * s + a[0];
}

static void with_a_constant_first(const int *a, const int *b, int *o, int *p, int e, int n, int s)
{
    (void)p, (void)n;
    o[e] = e == 0 ? 5 : a[e] * s - b[0];
}

static const struct row rows[] = {
    {"V x = a[i], y = x * s + x.s0; y.s0 = x.s1 * x.s0; y.LAST = 9; o[i] = y;",
     with_a_constant_last},
    {"V x = a[i], y = x * s - b[i].s0; y.s0 = 5; o[i] = y;", with_a_constant_first},
    {"o[i] = a[i] * s + o[i];", scaled_sum},
    {"V x = a[i], y = b[i]; T t = SUM(x * y); o[i] = t * x + REVERSED(y);", by_dot},
    {"o[i] = (a[i] - REMAINDERS * (V)(5)) * (b[i] + (V)(s)) + (V)(7);", of_constants},
    {"V x = a[i], y = b[i]; if (x.s0 > y.LAST) o[i] = x - y;", where_greater},
    {"V x = a[i]; o[i] = REVERSED(x) + b[i];", reversed},
    {"V x = a[i] * b[i] + b[i]; o[i] = x; p[i] = x.s0 + x + a[i].LAST;", both_orders},
    {"V x = a[i], y = b[i], z = o[i]; for (int k = 0; k < (int)s; k++) z += x * (T)k + y; o[i] = "
     "z;",
     in_turns},
    {"o[i] = a[i].s0 * b[i];", by_first},
    {"V x = -a[i]; o[i] = x < b[i] ? (V)(s) : x; p[i] = x;", negated},
    {"V x = a[i]; o[i] = b[i]; p[i] = x;", copied},
    {"V x = a[i]; if (x.s0 > b[i].s0) o[i] = x * s; else o[i] = -x;", either_way},
    {"V x = a[i]; for (int k = 0; k < (int)x.s0; k++) { V y = x + (T)k; o[i] = y; "
     "if (b[i].s1 > k) p[i] = y * s; }",
     as_often},
    {"if (b[i].s0 > 0) { V x = a[i] * (V)(s * 7 + 2) + (V)(b[i].s1 * 3); int turns = 0; "
     "while (turns * 3 < (int)b[i].s0) turns++; if (turns & 1) o[i] = x; if (turns & 2) p[i] = x; "
     "}",
     made_before},
    {"V x = a[i], y = b[i]; o[i] = x < y ? x * s : y;", lesser_scaled},
    {"o[i] = BACK(INTS(a[i]) & 5) + b[i];", bits_of_whole},
    {"o[i] = b[i] / (a[i] * a[i] + (V)(1));", divided},
    {"V z = o[i]; for (int k = 0; k < (int)s; k++) z += a[i + k] * s; o[i] = z;", filtered},
    {"V z = o[i]; for (int k = 0; k < (int)s; k++) z += a[(i + k) & 1023] * s; o[i] = z;",
     filtered},
    {"V z = 0; for (int k = 0; k < (int)s; k++) z += a[i + k] * b[i + k]; o[i] += z; p[i] = "
     "SUM(z);",
     filtered_and_summed},
    {"V z = o[i], m = p[i]; for (int k = 0; k < (int)s; k++) { V x = a[i + k]; "
     "if (k & 1) z = REVERSED(x) - z; else z += x; m = max(m, b[i + k]); } o[i] = z; p[i] = m;",
     turned_over},
    {"V z = o[i], y = b[i]; for (int k = 0; k < (int)s; k++) "
     "z = y.s0 > k ? z + a[i + k] * y.s1 : z; o[i] = z;",
     where_the_item_wants},
    {"V z = o[i]; for (int k = 0; k < (int)b[i].s0; k++) { z += a[i + (k & 1)] * s; "
     "if (k == 5) break; } o[i] = z; p[i] = -z;",
     as_long_as_the_item_wants},
    {"V z = o[i]; for (int k = 0; k < (int)s; k++) { V y = 1; if (b[i].s0 > k) y = b[i].s1 * 2; "
     "z += a[i + k] * y; } o[i] = z;",
     with_a_number_from_before},
    {"V z = o[i]; T y = b[i].s2; for (int k = 0; k < (int)s; k++) { z += a[i + k] + b[i + k]; "
     "z.s1 = k + s; z.s0 += y; } o[i] = z;",
     with_a_constant_inside},
};

static const struct form {
    const char *name, *index, *reversed, *sum;
    int width, stride;
} forms[] = {
    {"3", "0, 1, 2", "s210", "x.s0 + x.s1 + x.s2", 3, 4},
    {"4", "0, 1, 2, 3", "s3210", "x.s0 + x.s1 + x.s2 + x.s3", 4, 4},
    {"8", "0, 1, 2, 3, 4, 5, 6, 7", "s76543210",
     "x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7", 8, 8},
    {"16", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15", "sfedcba9876543210",
     "x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7 + x.s8 + x.s9 + x.sa + x.sb + x.sc + "
     "x.sd + x.se + x.sf",
     16, 16},
};

enum element { INT, FLOAT, SHORT };
static const char *const types[] = {"int", "float", "short"};

/* What an element is as a number, and the other way round. */
static int number_of(const void *from, size_t at, enum element type)
{
    return type == FLOAT   ? (int)((const float *)from)[at]
           : type == SHORT ? ((const cl_short *)from)[at]
                           : ((const int *)from)[at];
}

static void set_number(void *to, size_t at, enum element type, int number)
{
    if (type == FLOAT)
        ((float *)to)[at] = (float)number;
    else if (type == SHORT)
        ((cl_short *)to)[at] = (cl_short)number;
    else
        ((int *)to)[at] = number;
}

static void set_scalar(cl_kernel kernel, cl_uint at, enum element type, int number)
{
    cl_int any = 0;
    set_number(&any, 0, type, number);
    CHECK_OK(clSetKernelArg(kernel, at, type == SHORT ? sizeof(cl_short) : sizeof any, &any));
}

enum { A, B, O, P, BUFFERS };

/* Items' numbers in any order. */
static cl_mem order_of(size_t items, size_t offset)
{
    cl_int where[MOST_ITEMS] = {0};
    for (size_t i = offset; i < offset + items; i++) {
        size_t other = offset + (size_t)random_below(i - offset + 1);
        where[i] = where[other];
        where[other] = (cl_int)i;
    }
    return new_buffer(CL_MEM_COPY_HOST_PTR, sizeof where, where);
}

static void compare(cl_kernel kernel, const struct row *row, const struct form *f,
                    enum element type, size_t items, size_t offset)
{
    int want[BUFFERS][LENGTH];
    cl_int given[LENGTH], got[LENGTH];
    cl_mem mem[BUFFERS];
    int s = 3;
    for (cl_uint m = 0; m < BUFFERS; m++) {
        for (int n = 0; n < LENGTH; n++) {
            want[m][n] = (int)random_below(19) - 9;
            set_number(given, (size_t)n, type, want[m][n]);
        }
        mem[m] = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
        ARG(kernel, m, mem[m]);
    }
    set_scalar(kernel, BUFFERS, type, s);
    cl_mem where = order_of(items, offset);
    ARG(kernel, BUFFERS + 1, where);
    run_nd(kernel, 1, &offset, &items, NULL);
    for (size_t i = offset; i < offset + items; i++)
        for (int e = 0; e < f->width; e++) {
            size_t at = i * (size_t)f->stride;
            row->element(want[A] + at, want[B] + at, want[O] + at, want[P] + at, e, f->width, s);
        }
    for (int m = O; m < BUFFERS; m++) {
        read_back(mem[m], sizeof got, got);
        for (size_t n = 0; n < LENGTH; n++) {
            bool padding = f->width < f->stride && n % 4 == 3; /* may change in vectors of 3 */
            if (!padding && number_of(got, n, type) != want[m][n]) {
                check_fail(__FILE__, __LINE__,
                           "%s%s, %zu items from %zu: \"%s\": %c[%zu] is %d, not %d", types[type],
                           f->name, items, offset, row->text, "abop"[m], n, number_of(got, n, type),
                           want[m][n]);
                check_abandon();
            }
        }
    }
    for (int m = 0; m < BUFFERS; m++)
        RELEASE_MEM(mem[m]);
    RELEASE_MEM(where);
}

/* `item`: which one a work-item takes */
static void all_rows(enum element element, const char *item)
{
    static const size_t sizes[] = {1, 7, 8, 9, 16, 31, 33, 64, 67};
    char source[16384];
    const char *type = types[element];
    for (size_t w = 0; w < sizeof forms / sizeof *forms; w++) {
        const struct form *f = &forms[w];
        size_t bytes =
            (size_t)snprintf(source, sizeof source,
                             "typedef %s T; typedef %s%s V;\n"
                             "#define INDEX (V)(%s)\n#define REVERSED(x) (x).%s\n"
                             "#define LAST s%c\n"
                             "#define REMAINDERS %s\n"
                             "#define INTS convert_int%s\n#define BACK convert_%s%s\n"
                             "T SUM(V x) { return %s; }\n",
                             type, type, f->name, f->index, f->reversed, f->reversed[1],
                             element == FLOAT ? "fmod(INDEX, (V)(4))" : "(INDEX & (V)(3))", f->name,
                             type, f->name, f->sum);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            bytes += (size_t)snprintf(source + bytes, sizeof source - bytes,
                                      "kernel void k%zu(global const V *a, global const V *b, "
                                      "global V *o, global V *p, T s, global const int *where)\n"
                                      "{ size_t i = %s; %s }\n",
                                      r, item, rows[r].text);
        cl_program program = built(source, "");
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            char name[24];
            snprintf(name, sizeof name, "k%zu", r);
            cl_int rc;
            cl_kernel kernel = clCreateKernel(program, name, &rc);
            REQUIRE_OK(rc);
            for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
                compare(kernel, &rows[r], f, element, sizes[n], n % 3);
            RELEASE_KERNEL(kernel);
        }
        RELEASE_PROGRAM(program);
    }
}

static void of_int(void)
{
    all_rows(INT, "get_global_id(0)");
}

static void of_float(void)
{
    all_rows(FLOAT, "get_global_id(0)");
}

static void anywhere_of_int(void)
{
    all_rows(INT, "where[get_global_id(0)]");
}

static void anywhere_of_float(void)
{
    all_rows(FLOAT, "where[get_global_id(0)]");
}

static void of_short(void)
{
    all_rows(SHORT, "get_global_id(0)");
}

static void anywhere_of_short(void)
{
    all_rows(SHORT, "where[get_global_id(0)]");
}

/* A vector without a value yet gets its elements in rounds of a loop. */
static void in_rounds(void)
{
    enum { WIDTH = 4 };
    static const char text[] = "kernel void one(global const int *a, global int4 *o, int n)\n"
                               "{\n"
                               "    int me = get_global_id(0), all = get_global_size(0);\n"
                               "    int4 x;\n"
                               "    for (int r = 0; r < n; r++) x[r & 3] = a[me + r * all];\n"
                               "    o[me] = x;\n"
                               "}\n"
                               "kernel void other(global const int *a, global int4 *o, int n)\n"
                               "{\n"
                               "    int me = get_global_id(0), all = get_global_size(0);\n"
                               "    int4 x;\n"
                               "    for (int r = 0; r < n; r++)\n"
                               "        for (int q = r; q < n; q++) if (q & 1) x[q] = a[me + q * "
                               "all]; else x[q & 2] = a[me + "
                               "q * all];\n"
                               "    o[me] = x;\n"
                               "}\n";
    static const char *const names[] = {"one", "other"};
    static const cl_int rounds = WIDTH;
    static cl_int given[WIDTH * MOST_ITEMS], got[MOST_ITEMS][WIDTH];
    for (int i = 0; i < WIDTH * MOST_ITEMS; i++)
        given[i] = i * 7919 % 1009 - 500;
    for (size_t k = 0; k < LEN(names); k++) {
        cl_kernel kernel = new_kernel(text, names[k], NULL);
        for (cl_int items = 1; items <= MOST_ITEMS; items += 23) {
            cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
            cl_mem o = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
            ARG(kernel, 0, a);
            ARG(kernel, 1, o);
            ARG(kernel, 2, rounds);
            run_1d(kernel, (size_t)items, 0);
            read_back(o, (size_t)items * sizeof *got, got);
            for (cl_int i = 0; i < items * WIDTH; i++)
                REQUIRE(CHECK_EQ(got[i / WIDTH][i % WIDTH], given[i / WIDTH + i % WIDTH * items]));
            RELEASE_MEM(a);
            RELEASE_MEM(o);
        }
        RELEASE_KERNEL(kernel);
    }
}

static const struct test_case cases[] = {
    CASE(of_int),   CASE(of_float),          CASE(anywhere_of_int), CASE(anywhere_of_float),
    CASE(of_short), CASE(anywhere_of_short), CASE(in_rounds),
};
TEST_MAIN("vector_items", cases)
