/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each item carries through loops with barriers: sums, values of rounds before, values that
 * change places, several loops inside one another, ways out in between. Each kernel is compiled as
 * C as well, an item alone: what items hand each other is what the item that hands it would have.
 */
#include "cl_help.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef _Bool bool; /* no macro: it goes into the text */
enum { MOST_LOCAL = 100, GROUPS = 2, RESULTS = 4 };

/* The steps of one item `l` of `L`, `n` rounds, in C and in OpenCL C. MEET(x) is what the next item
 * has as x. */
#define SUM(MEET)                                                                                  \
    uint a = l, b = 3;                                                                             \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(l * 7 + t)                                                                            \
        for (uint k = 0; k < 5; k++)                                                               \
            a += got * k + t;                                                                      \
        MEET(l ^ t)                                                                                \
        b = b * 3 + got;                                                                           \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = a ^ b, r[3] = 0;
#define CHANGE_PLACES(MEET)                                                                        \
    uint a = l, b = 100 - l, c = 5;                                                                \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(t + l)                                                                                \
        uint old = a;                                                                              \
        a = b;                                                                                     \
        b = c + got;                                                                               \
        c = old;                                                                                   \
        MEET(t - l)                                                                                \
        c += got;                                                                                  \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = c, r[3] = a - c;
#define BEFORE(MEET)                                                                               \
    uint now = l, before = 77, first = 0;                                                          \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(l + 3 * t)                                                                            \
        uint next = now + got;                                                                     \
        MEET(t)                                                                                    \
        before = now;                                                                              \
        now = next + got;                                                                          \
        first = t ? first : now;                                                                   \
    }                                                                                              \
    r[0] = now, r[1] = before, r[2] = first, r[3] = now - before;
#define NESTED(MEET)                                                                               \
    uint a = 1, all = 0;                                                                           \
    for (uint u = 0; u < 3; u++) {                                                                 \
        uint b = u + l;                                                                            \
        for (uint t = 0; t < n; t++) {                                                             \
            MEET(t + u + l)                                                                        \
            b += got * a;                                                                          \
            MEET(l - u)                                                                            \
            a += b & 7;                                                                            \
        }                                                                                          \
        all += b * (u + 1);                                                                        \
        MEET(u)                                                                                    \
        a += got;                                                                                  \
    }                                                                                              \
    r[0] = a, r[1] = all, r[2] = 0, r[3] = all - a;
#define SOME(MEET)                                                                                 \
    uint a = l, b = 0, c = 9;                                                                      \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(l * t)                                                                                \
        if (got & 1)                                                                               \
            a += got;                                                                              \
        else if (l & 2)                                                                            \
            b = a;                                                                                 \
        MEET(l + t)                                                                                \
        if (l % 3 == t % 3)                                                                        \
            c = b + got;                                                                           \
        else                                                                                       \
            b = c;                                                                                 \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = c, r[3] = a + b + c;
#define WAYS_OUT(MEET)                                                                             \
    uint a = 0, b = l;                                                                             \
    for (uint t = 0;; t++) {                                                                       \
        if (t == n)                                                                                \
            break;                                                                                 \
        MEET(l + 2)                                                                                \
        a += b + got;                                                                              \
        if (t == 4) {                                                                              \
            a = -a;                                                                                \
            break;                                                                                 \
        }                                                                                          \
        MEET(t)                                                                                    \
        b = a + got;                                                                               \
        if (t == 2)                                                                                \
            continue;                                                                              \
        MEET(l)                                                                                    \
        b ^= got;                                                                                  \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = a * 3, r[3] = 1;
#define TWO_LOOPS(MEET)                                                                            \
    uint a = l, b = 2;                                                                             \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(l)                                                                                    \
        a = a * 5 + got;                                                                           \
    }                                                                                              \
    b += a;                                                                                        \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(t * l)                                                                                \
        b = b * 3 + a + got;                                                                       \
        MEET(t)                                                                                    \
        a -= got;                                                                                  \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = 0, r[3] = 0;
#define LATE(MEET)                                                                                 \
    uint a = l, b = 1, c = 2, d = 3;                                                               \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(l + t)                                                                                \
        uint next = a * 3 + got, other = c * 5 + got;                                              \
        MEET(t)                                                                                    \
        b += a + got;                                                                              \
        MEET(l * 3)                                                                                \
        d = t & 1 ? d + c : got;                                                                   \
        a = next;                                                                                  \
        c = other;                                                                                 \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = c, r[3] = d;
#define LATER(MEET)                                                                                \
    uint a = l, b = 1, c = 2;                                                                      \
    for (uint t = 0; t < n; t++) {                                                                 \
        uint next = a * 3 + b, other = c ^ a;                                                      \
        MEET(t + l)                                                                                \
        c = a;                                                                                     \
        a = next + 0 * got;                                                                        \
        b = t == 3 ? b : other;                                                                    \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = c, r[3] = 0;
#define ROUNDS_IN_ROUNDS(MEET)                                                                     \
    uint a = l, b = 1;                                                                             \
    for (uint u = 0; u < n; u++) {                                                                 \
        uint next = a + u;                                                                         \
        for (uint t = 0; t < 3; t++) {                                                             \
            MEET(t + l)                                                                            \
            next = next * 3 + got;                                                                 \
            MEET(u)                                                                                \
            b += t == 1 ? a : next;                                                                \
        }                                                                                          \
        a = next;                                                                                  \
    }                                                                                              \
    r[0] = a, r[1] = b, r[2] = 0, r[3] = a + b;
#define TRUTH(MEET)                                                                                \
    bool any = 0;                                                                                  \
    uint a = 1, seen = 0;                                                                          \
    for (uint t = 0; t < n; t++) {                                                                 \
        MEET(t + l)                                                                                \
        any = any || got > 2 * n;                                                                  \
        MEET(l ^ t)                                                                                \
        a += any ? 1 : got;                                                                        \
        seen = seen * 2 + any;                                                                     \
        MEET(l)                                                                                    \
        a += got * 5;                                                                              \
    }                                                                                              \
    r[0] = a, r[1] = seen, r[2] = any ? a : ~a, r[3] = any;

#define WAYS(DO)                                                                                   \
    DO(SUM)                                                                                        \
    DO(CHANGE_PLACES)                                                                              \
    DO(BEFORE)                                                                                     \
    DO(NESTED) DO(SOME) DO(WAYS_OUT) DO(TWO_LOOPS) DO(LATE) DO(LATER) DO(ROUNDS_IN_ROUNDS) DO(TRUTH)

#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)
#define IN_KERNEL(x)                                                                               \
    share[l] = x;                                                                                  \
    barrier(1);                                                                                    \
    got = share[l + 1 < L ? l + 1 : 0];                                                            \
    barrier(1);
/* The next item's own number instead of ours. */
#define ALONE(x)                                                                                   \
    {                                                                                              \
        const uint here = l;                                                                       \
        l = l + 1 < L ? l + 1 : 0;                                                                 \
        got = (x);                                                                                 \
        l = here;                                                                                  \
    }

#define FUNCTION(NAME)                                                                             \
    static void item_##NAME(uint l, uint L, uint n, uint *r)                                       \
    {                                                                                              \
        uint got = 0;                                                                              \
        NAME(ALONE)                                                                                \
    }
WAYS(FUNCTION)

#define ROW(NAME) {#NAME, TEXT(NAME(IN_KERNEL)), item_##NAME},
static const struct way {
    const char *name, *text;
    void (*item)(uint l, uint L, uint n, uint *r);
} ways[] = {WAYS(ROW)};

static void check(cl_kernel kernel, const struct way *way, uint local, uint n)
{
    static uint got[GROUPS * MOST_LOCAL * RESULTS];
    const size_t bytes = (size_t)GROUPS * local * RESULTS * sizeof *got;
    cl_mem to = new_buffer(CL_MEM_READ_WRITE, bytes, NULL);
    ARG(kernel, 0, to);
    ARG(kernel, 1, n);
    run_1d(kernel, (size_t)GROUPS * local, local);
    read_back(to, bytes, got);
    RELEASE_MEM(to);
    for (uint i = 0; i < GROUPS * local; i++) {
        uint want[RESULTS];
        way->item(i % local, local, n, want);
        for (uint k = 0; k < RESULTS; k++)
            if (got[i * RESULTS + k] != want[k])
                check_fail(__FILE__, __LINE__,
                           "%s, %u items, %u rounds, item %u: r[%u] is %u, not %u", way->name,
                           local, n, i, k, got[i * RESULTS + k], want[k]);
    }
}

static void carried(void)
{
    static const uint sizes[] = {1, 5, 16, 37, MOST_LOCAL};
    for (size_t w = 0; w < LEN(ways); w++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "kernel void k(global uint *out, uint n) {\n local uint share[%d];\n"
                 " uint l = get_local_id(0), L = get_local_size(0), got, r[%d];\n%s\n"
                 " for (int k = 0; k < %d; k++) out[get_global_id(0) * %d + k] = r[k];\n}\n",
                 MOST_LOCAL, RESULTS, ways[w].text, RESULTS, RESULTS);
        cl_kernel kernel = new_kernel(text, "k", NULL);
        for (size_t s = 0; s < LEN(sizes); s++)
            for (uint n = 0; n < 7; n++)
                check(kernel, &ways[w], sizes[s], n);
        RELEASE_KERNEL(kernel);
    }
}

static const struct test_case cases[] = {CASE(carried)};
TEST_MAIN("carried values", cases)
