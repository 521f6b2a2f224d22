/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items that read and write a few elements of their own again and again, some at places that data
 * say: each must see what it has stored itself, however many items go at once. The same text is the
 * kernel's and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef cl_ushort ushort;
typedef cl_uchar uchar;

enum { OWN = 7, MOST = 500 }; /* elements, items */

struct row {
    const char *name, *text;
    size_t bytes; /* of an element */
    const char *type;
    void (*item)(void *p, uint v, uint u);
};

/* p: an item's elements; v, u: numbers of its own. */
#define AS(NAME, T, ...)                                                                           \
    static void NAME##_##T(void *own, uint v, uint u)                                              \
    {                                                                                              \
        T *p = own;                                                                                \
        __VA_ARGS__                                                                                \
    }
#define ROW(NAME, T, ...) {#NAME, #__VA_ARGS__, sizeof(T), #T, NAME##_##T},

#define BODIES(M, T)                                                                               \
    M(replaced, T, v += p[1] + p[0] * 2u; p[u % 4] = (T)v; p[0] = (T)(p[0] + u); p[2] = (T)u;      \
      p[u % 4] = (T)u; p[3] = (T)(p[3] ^ u);)                                                      \
    M(turned, T, for (int k = 0; k < 3; k++) p[k % 3] = (T)(p[(k + 1) % 3] + v);                   \
      p[0] = (T)(p[0] ^ u); v = v * 5u + p[0];                                                     \
      for (int k = 0; k < 3; k++) p[k % 3] = (T)(p[(k + 1) % 3] + v); u = p[u % 3];                \
      p[2] = (T)(p[2] ^ u);)                                                                       \
    M(late, T, p[1] = (T)(v >> 3); p[u % 7] = (T)1; v += p[4] + p[5] * 2u + p[1] * 3u;             \
      p[5] = (T)(p[5] + p[0]); u = u * 5u + p[6]; p[v % 7] = (T)(p[v % 7] + p[4]);                 \
      p[1] = (T)(v >> 1); p[2] = (T)v; p[0] = (T)u; v = p[1]; p[v % 7] = (T)1;                     \
      p[6] = (T)(p[6] ^ u);)                                                                       \
    M(                                                                                             \
        chosen, T,                                                                                 \
        if (v & 1) {                                                                               \
            p[v % 5] = (T)u;                                                                       \
            u += p[3];                                                                             \
        } p[3] = (T)(p[4] + u);                                                                    \
        p[u % 5] = (T)(p[2] + v); p[4] = (T)(p[3] + p[2]); p[2] = (T)(v >> 3);)

BODIES(AS, uint)
BODIES(AS, ushort)
BODIES(AS, uchar)
static const struct row rows[] = {BODIES(ROW, uint) BODIES(ROW, ushort) BODIES(ROW, uchar)};

static uint given[2 * MOST];
static unsigned char got[MOST * OWN * sizeof(uint)], wanted[sizeof got];

static void compare(cl_kernel kernel, const struct row *row, size_t items, int down)
{
    random_fill(given, sizeof given);
    random_fill(got, sizeof got);
    memcpy(wanted, got, sizeof got);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, items, 0);
    read_back(b, sizeof got, got);
    for (size_t i = 0; i < items; i++) {
        size_t own = down ? items - 1 - i : i;
        row->item(wanted + own * OWN * row->bytes, given[2 * i], given[2 * i + 1]);
    }
    for (size_t i = 0; i < sizeof got; i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__, "%s of %s, %zu items %s: byte %zu is %u, not %u",
                       row->name, row->type, items, down ? "down" : "up", i, got[i], wanted[i]);
            check_abandon();
        }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void in_place(void)
{
    static const size_t sizes[] = {1, 15, 16, 33, 129, MOST};
    for (size_t r = 0; r < LEN(rows); r++) {
        char source[2048];
        snprintf(source, sizeof source,
                 "typedef %s T;\nvoid item(global T *p, uint v, uint u) { %s }\n"
                 "kernel void up(global const uint *a, global T *b)\n{\n"
                 "    int x = get_global_id(0);\n"
                 "    item(b + x * %d, a[2 * x], a[2 * x + 1]);\n}\n"
                 "kernel void down(global const uint *a, global T *b)\n{\n"
                 "    int x = get_global_id(0), last = get_global_size(0) - 1;\n"
                 "    item(b + (last - x) * %d, a[2 * x], a[2 * x + 1]);\n}\n",
                 rows[r].type, rows[r].text, OWN, OWN);
        cl_program program = built(source, NULL);
        for (int down = 0; down < 2; down++) {
            cl_kernel kernel = kernel_of(program, down ? "down" : "up");
            for (size_t s = 0; s < LEN(sizes); s++)
                compare(kernel, &rows[r], sizes[s], down);
            RELEASE_KERNEL(kernel);
        }
        RELEASE_PROGRAM(program);
    }
}

static const struct test_case cases[] = {CASE(in_place)};
TEST_MAIN("in_place", cases)
