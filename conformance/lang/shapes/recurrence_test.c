/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that wait for their own results, of one value and of several, over neighbours and over rows
 * of the items, and chains of products without a loop, which take several registers per value: all
 * numbers of items, so that the last vector of a row is full, begun or missing.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>

typedef cl_uint uint;
typedef cl_ulong ulong;

enum { MOST = 331, ROW_OF_ITEM = 11 };

static cl_uint in[MOST * ROW_OF_ITEM]; /* what the kernels call their argument too */

struct loop {
    const char *name, *text;
    uint (*item)(uint v, uint turns, size_t i);
};

/* The same text for the kernel and for C; x is what comes of it. */
#define AS(NAME, ...)                                                                              \
    static uint NAME(uint v, uint turns, size_t i)                                                 \
    {                                                                                              \
        uint x = v;                                                                                \
        (void)i;                                                                                   \
        __VA_ARGS__                                                                                \
        return x;                                                                                  \
    }
#define ROW(NAME, ...) {#NAME, #__VA_ARGS__, NAME},

#define LOOPS(M)                                                                                   \
    M(congruent, for (uint k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;)                 \
    M(                                                                                             \
        shifted, for (uint k = 0; k < turns; k++) {                                                \
            x ^= x << 13;                                                                          \
            x ^= x >> 17;                                                                          \
            x ^= x << 5;                                                                           \
        })                                                                                         \
    M(                                                                                             \
        hashed, uint p = 1, q = 2, r = 3, s = 4; for (uint k = 0; k < turns; k++) {                \
            uint f = (q & r) | (~q & s);                                                           \
            uint t = p + f + v * (2 * k + 1) + 0x5a827999u;                                        \
            p = s;                                                                                 \
            s = r;                                                                                 \
            r = q;                                                                                 \
            q += (t << 7) | (t >> 25);                                                             \
        } x = p ^ q ^ r ^ s;)                                                                      \
    M(                                                                                             \
        cipher, uint y = ~v; uint sum = 0; for (uint k = 0; k < turns; k++) {                      \
            x += (((y << 4) ^ (y >> 5)) + y) ^ (sum + 77u);                                        \
            sum += 0x9e3779b9u;                                                                    \
            y += (((x << 4) ^ (x >> 5)) + x) ^ (sum + 99u);                                        \
        } x ^= y;)                                                                                 \
    M(                                                                                             \
        longs, ulong l = v; ulong s = 0; for (uint k = 0; k < turns; k++) {                        \
            l = l * 6364136223846793005u + 1442695040888963407u;                                   \
            s += l >> 33;                                                                          \
        } x = (uint)(s ^ l);)                                                                      \
    M(                                                                                             \
        reals, float f = (float)(v & 255); float g = 1; for (uint k = 0; k < turns; k++) {         \
            f = f * 0.5f + g;                                                                      \
            g = g * 0.25f + 2.0f;                                                                  \
        } x = (uint)(f * 64.0f) + (uint)(g * 16.0f);)                                              \
    M(eight, float f[8]; for (uint n = 0; n < 8; n++) f[n] = (float)(v >> n & 15);                 \
      for (uint k = 0; k < turns; k++) for (uint n = 0; n < 8; n++) f[n] = f[n] * 0.5f + (float)n; \
      float g = 0; for (uint n = 0; n < 8; n++) g += f[n]; x = (uint)(g * 1024.0f);)               \
    M(followed, for (uint k = 0; k < turns; k++) x = in[(x ^ k) % 331u];)                          \
    M(                                                                                             \
        followed_and_added, uint s = 0; for (uint k = 0; k < turns; k++) {                         \
            x = in[x % 331u];                                                                      \
            if (in[(x >> 7) % 331u] & 1)                                                           \
                s += x;                                                                            \
        } x ^= s;)                                                                                 \
    M(neighbours, float s = 0;                                                                     \
      for (uint k = 0; k < turns; k++) s = s * 0.5f + (float)(in[i + k] & 1023);                   \
      x = (uint)(s * 16.0f);)                                                                      \
    M(                                                                                             \
        fed_back, float y = 0; float z = 0; for (uint k = 0; k < turns; k++) {                     \
            float t = (float)(in[i * 11 + k] & 3) + 0.5f * y - 0.5f * z;                           \
            z = y;                                                                                 \
            y = t;                                                                                 \
        } x = (uint)(int)(y * 1024.0f);)                                                           \
    M(products, for (uint k = 0; k < 7; k++) x = x * v + k + turns;)                               \
    M(                                                                                             \
        decided, uint c = x & 3; for (uint k = 0; k < 8; k++) switch (c) {                         \
            case 0:                                                                                \
                x = x * 3 + turns;                                                                 \
                break;                                                                             \
            case 1:                                                                                \
                x = x ^ (x >> 3);                                                                  \
                break;                                                                             \
            case 2:                                                                                \
                x = x - (x << 4);                                                                  \
                break;                                                                             \
            default:                                                                               \
                x = (x & 255) * (x >> 8);                                                          \
        })                                                                                         \
    M(by_item, for (uint k = 0; k < (v & 31) + turns; k++) x = x * 69069u + 1u;)
LOOPS(AS)
static const struct loop loops[] = {LOOPS(ROW)};

static void run_loop(const struct loop *l)
{
    static const size_t locals[] = {0, 1, 13, 64};
    static const cl_uint turns[] = {0, 1, 3, 10};
    char source[1024];
    cl_uint out[MOST];
    snprintf(
        source, sizeof source,
        "kernel void k(global const uint *in, global uint *out, uint turns)\n{\n"
        "    size_t i = get_global_id(0); uint v = in[i], x = v;\n    %s\n    out[i] = x;\n}\n",
        l->text);
    for (size_t i = 0; i < LEN(in); i++)
        in[i] = (cl_uint)random_below(UINT64_C(1) << 32);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    for (size_t t = 0; t < LEN(turns); t++)
        for (size_t items = 1; items <= MOST; items += 1 + items / 9)
            for (size_t s = 0; s < LEN(locals); s++) {
                size_t count = locals[s] ? items / locals[s] * locals[s] : items;
                if (!count)
                    continue;
                ARG(kernel, 2, turns[t]);
                run_1d(kernel, count, locals[s]);
                read_back(to, sizeof out, out);
                for (size_t i = 0; i < count; i++)
                    if (out[i] != l->item(in[i], turns[t], i)) {
                        check_fail(__FILE__, __LINE__, "%s: item %zu of %zu, %u turns", l->name, i,
                                   count, turns[t]);
                        check_abandon();
                    }
            }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void every_loop(void)
{
    for (size_t k = 0; k < LEN(loops); k++)
        run_loop(&loops[k]);
}

static const struct test_case cases[] = {CASE(every_loop)};
TEST_MAIN("recurrence", cases)
