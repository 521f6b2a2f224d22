/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that decide the same in each round, other things for other items, which the compiler may
 * make a loop for each way of: branches and switches, with and without more beside them, ways that
 * leave the loop, that load and store, rounds of which items have different numbers. The same text
 * is the kernel and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>

/* The text is OpenCL C too, which has no way to say so. */
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

typedef cl_uint uint;

enum { MOST = 331, ROOM = 8 };

struct loop {
    const char *name, *text;
    uint (*item)(uint v, uint n, uint *m);
};

/* What comes of v, of n, which all items have, and of the item's own memory m is x. */
#define AS(NAME, ...)                                                                              \
    static uint NAME(uint v, uint n, uint *m)                                                      \
    {                                                                                              \
        uint x = v;                                                                                \
        (void)m, (void)n;                                                                          \
        __VA_ARGS__                                                                                \
        return x;                                                                                  \
    }
#define ROW(NAME, ...) {#NAME, #__VA_ARGS__, NAME},

#define LOOPS(M)                                                                                   \
    M(                                                                                             \
        four_ways, for (uint k = 0; k < 8; k++) switch (v & 3) {                                   \
            case 0:                                                                                \
                x = x * 3 + 1;                                                                     \
                break;                                                                             \
            case 1:                                                                                \
                x ^= x >> 3;                                                                       \
                break;                                                                             \
            case 2:                                                                                \
                x -= x << 4;                                                                       \
                break;                                                                             \
            default:                                                                               \
                x = (x & 255) * (x >> 8);                                                          \
        })                                                                                         \
    M(                                                                                             \
        as_often_as_asked, for (uint k = 0; k < n; k++) switch (v % 5) {                           \
            case 0:                                                                                \
                x += k;                                                                            \
                break;                                                                             \
            case 3:                                                                                \
                x = x * 5 + k;                                                                     \
            case 4:                                                                                \
                x ^= 77;                                                                           \
                break;                                                                             \
        })                                                                                         \
    M(                                                                                             \
        as_often_as_the_item_wants, for (uint k = 0; k < (v >> 4 & 15) + n; k++) {                 \
            if (v & 1)                                                                             \
                x = x * 69069 + 1;                                                                 \
            else                                                                                   \
                x ^= x << 5;                                                                       \
        })                                                                                         \
    M(                                                                                             \
        two_decisions, for (uint k = 0; k < n; k++) {                                              \
            if (v & 1)                                                                             \
                x += k * 3;                                                                        \
            else                                                                                   \
                x -= k;                                                                            \
            if (v & 2)                                                                             \
                x *= 5;                                                                            \
            else                                                                                   \
                x ^= x >> 1;                                                                       \
        })                                                                                         \
    M(                                                                                             \
        within_each_other, for (uint k = 0; k < n; k++) {                                          \
            if (v & 1) {                                                                           \
                if (v & 4)                                                                         \
                    x += 9;                                                                        \
                else                                                                               \
                    x = x * 7 + k;                                                                 \
            } else if (v & 8) {                                                                    \
                x ^= k;                                                                            \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        the_same_for_all, for (uint k = 0; k < 12; k++) {                                          \
            if (n & 1)                                                                             \
                x = x * 3 + k;                                                                     \
            else                                                                                   \
                x ^= x >> 7;                                                                       \
        })                                                                                         \
    M(                                                                                             \
        leaves, for (uint k = 0; k < n + 3; k++) {                                                 \
            if (v & 1) {                                                                           \
                x += 11;                                                                           \
                if (x > 0xf0000000)                                                                \
                    break;                                                                         \
            } else if (v & 2) {                                                                    \
                x = x * 3;                                                                         \
                if (x & 0x100)                                                                     \
                    continue;                                                                      \
                x++;                                                                               \
            } else                                                                                 \
                break;                                                                             \
        })                                                                                         \
    M(                                                                                             \
        until_it_is_small, while (x > 15) {                                                        \
            switch (v & 3) {                                                                       \
            case 0:                                                                                \
                x >>= 1;                                                                           \
                break;                                                                             \
            case 1:                                                                                \
                x -= x >> 2;                                                                       \
                break;                                                                             \
            case 2:                                                                                \
                x /= 3;                                                                            \
                break;                                                                             \
            default:                                                                               \
                x &= x - 1;                                                                        \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        much_beside, for (uint k = 0; k < n; k++) {                                                \
            uint y = x * 31 + k;                                                                   \
            y ^= y >> 4;                                                                           \
            y = y * 17 + (y << 3) + (y >> 9);                                                      \
            y -= y >> 2;                                                                           \
            x = (v & 1) ? y + 1 : y ^ 99;                                                          \
            if (v & 2)                                                                             \
                x++;                                                                               \
        })                                                                                         \
    M(                                                                                             \
        loads_and_stores, for (uint k = 0; k < 8; k++) {                                           \
            if (v & 1)                                                                             \
                m[k] = x + k;                                                                      \
            else                                                                                   \
                x += m[7 - k];                                                                     \
        })                                                                                         \
    M(                                                                                             \
        on_the_way_only, if (v & 16) for (uint k = 0; k < n; k++) switch (v & 1) {                 \
            case 1:                                                                                \
                x = x * 3 + 1;                                                                     \
                break;                                                                             \
            default:                                                                               \
                x ^= x >> 3;                                                                       \
        })                                                                                         \
    M(                                                                                             \
        in_another_loop, for (uint j = 0; j < 3; j++) {                                            \
            for (uint k = 0; k < n; k++) {                                                         \
                if ((v ^ j) & 1)                                                                   \
                    x = x * 3 + 1;                                                                 \
                else                                                                               \
                    x ^= x >> 3;                                                                   \
            }                                                                                      \
            x += j;                                                                                \
        })                                                                                         \
    M(                                                                                             \
        reals, float f = (float)(v & 255); for (uint k = 0; k < n; k++) {                          \
            if (v & 256)                                                                           \
                f = f * 0.5f + 1.0f;                                                               \
            else                                                                                   \
                f = f * 0.25f;                                                                     \
        } x = (uint)(f * 64.0f);)
LOOPS(AS)
static const struct loop loops[] = {LOOPS(ROW)};

static cl_uint in[MOST], out[MOST], memory[MOST * ROOM], before[MOST * ROOM];

static void check_items(const struct loop *l, size_t count, cl_uint n)
{
    for (size_t i = 0; i < count; i++) {
        cl_uint own[ROOM];
        for (size_t k = 0; k < ROOM; k++)
            own[k] = before[i * ROOM + k];
        cl_uint wanted = l->item(in[i], n, own);
        bool same = out[i] == wanted;
        for (size_t k = 0; k < ROOM; k++)
            same &= memory[i * ROOM + k] == own[k];
        if (!same) {
            check_fail(__FILE__, __LINE__, "%s: item %zu of %zu, %#x and %u: %#x, not %#x", l->name,
                       i, count, in[i], n, out[i], wanted);
            check_abandon();
        }
    }
}

static void run_loop(const struct loop *l)
{
    static const size_t locals[] = {0, 1, 13, 64};
    static const cl_uint given[] = {0, 1, 5, 40};
    char source[2048];
    snprintf(source, sizeof source,
             "kernel void k(global const uint *in, global uint *out, global uint *own, uint n)\n{\n"
             "    size_t i = get_global_id(0); uint v = in[i], x = v; global uint *m = own + i * 8;"
             "\n    %s\n    out[i] = x;\n}\n",
             l->text);
    for (size_t i = 0; i < MOST; i++)
        in[i] = (cl_uint)random_below(UINT64_C(1) << 32) >> random_below(16);
    random_fill(before, sizeof before);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem to = new_buffer(0, sizeof out, NULL), own = new_buffer(0, sizeof memory, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, own);
    for (size_t g = 0; g < LEN(given); g++)
        for (size_t s = 0; s < LEN(locals); s++) {
            size_t count = locals[s] ? MOST / locals[s] * locals[s] : MOST;
            ARG(kernel, 3, given[g]);
            REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, own, CL_TRUE, 0, sizeof before, before, 0,
                                            NULL, NULL));
            run_1d(kernel, count, locals[s]);
            read_back(to, sizeof out, out);
            read_back(own, sizeof memory, memory);
            check_items(l, count, given[g]);
        }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_MEM(own);
    RELEASE_KERNEL(kernel);
}

static void every_loop(void)
{
    for (size_t k = 0; k < LEN(loops); k++)
        run_loop(&loops[k]);
}

static const struct test_case cases[] = {CASE(every_loop)};
TEST_MAIN("decision", cases)
