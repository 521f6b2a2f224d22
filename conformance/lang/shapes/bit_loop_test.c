/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over the bits of a number, which the compiler may take for one instruction: numbers of all
 * widths, counters that begin anywhere, loops that do more than to count, that end early, that
 * stand on a way which some items take. The same text is the kernel and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>

typedef cl_uint uint;
typedef cl_ulong ulong;
typedef cl_ushort ushort;
typedef cl_uchar uchar;

struct loop {
    const char *name, *text;
    ulong (*item)(ulong v, uint n);
};

/* What comes of v and of n, which all items have, is r. */
#define AS(NAME, ...)                                                                              \
    static ulong NAME(ulong v, uint n)                                                             \
    {                                                                                              \
        ulong r = n;                                                                               \
        uint x = (uint)v;                                                                          \
        (void)x;                                                                                   \
        __VA_ARGS__                                                                                \
        return r;                                                                                  \
    }
#define ROW(NAME, ...) {#NAME, #__VA_ARGS__, NAME},

#define LOOPS(M)                                                                                   \
    M(                                                                                             \
        ones, while (x) {                                                                          \
            x &= x - 1;                                                                            \
            r++;                                                                                   \
        })                                                                                         \
    M(                                                                                             \
        ones_of_long, while (v) {                                                                  \
            v &= v - 1;                                                                            \
            r += 1;                                                                                \
        })                                                                                         \
    M(ones_of_byte, uchar b = (uchar)v; for (; b; b &= (uchar)(b - 1)) r++;)                       \
    M(                                                                                             \
        ones_of_short, ushort h = (ushort)v; while (h) {                                           \
            h = (ushort)(h & (h - 1));                                                             \
            r++;                                                                                   \
        })                                                                                         \
    M(                                                                                             \
        ones_and_number, ulong s = 0; for (; x; x &= x - 1) {                                      \
            s = s * 3 + x;                                                                         \
            r++;                                                                                   \
        } r += s;)                                                                                 \
    M(ones_by_twos, for (; x; x &= x - 1) r += 2;)                                                 \
    M(ones_down, for (; x; x &= x - 1) r--;)                                                       \
    M(                                                                                             \
        at_least_one, do {                                                                         \
            x &= x - 1;                                                                            \
            r++;                                                                                   \
        } while (x);)                                                                              \
    M(                                                                                             \
        few_ones, for (uint k = 0; x && k < n; k++) {                                              \
            x &= x - 1;                                                                            \
            r += k;                                                                                \
        })                                                                                         \
    M(of_some_items, if ((v & 3) == 1) for (; x; x &= x - 1) r++; else r ^= x;)                    \
    M(                                                                                             \
        length, while (x) {                                                                        \
            x >>= 1;                                                                               \
            r++;                                                                                   \
        })                                                                                         \
    M(length_of_long, for (; v; v >>= 1) r++;)                                                     \
    M(length_of_byte, uchar b = (uchar)v; for (; b; b >>= 1) r++;)                                 \
    M(length_by_twos, for (; x; x >>= 2) r++;)                                                     \
    M(logarithm, while (x >>= 1) r++;)                                                             \
    M(length_at_least, do r++; while (x >>= 1);)                                                   \
    M(up, x |= 1; for (; x; x <<= 1) r++;)                                                         \
    M(behind, int s = (int)(x & 0x7fffffff); for (; s; s >>= 1) r++; r += (uint)s;)                \
    M(                                                                                             \
        zeros, if (x) while (!(x & 1)) {                                                           \
            x >>= 1;                                                                               \
            r++;                                                                                   \
        })                                                                                         \
    M(zeros_or_all, uint k = 0; for (; k < 32 && !(x & 1); k++) x >>= 1; r += k;)                  \
    M(parity, uint p = 0; for (; x; x >>= 1) p ^= x & 1; r = r * 2 + p;)                           \
    M(each, for (uint k = 0; k < 32; k++) r += x >> k & 1;)                                        \
    M(                                                                                             \
        reversed, uint y = 0; for (uint k = 0; k < 32; k++) {                                      \
            y = y << 1 | (x & 1);                                                                  \
            x >>= 1;                                                                               \
        } r ^= y;)                                                                                 \
    M(checksum, uint c = ~x;                                                                       \
      for (uint k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; r += c;)             \
    M(nested, for (uint k = 0; k < n; k++) for (uint y = x >> k; y; y &= y - 1) r++;)
LOOPS(AS)
static const struct loop loops[] = {LOOPS(ROW)};

enum { MOST = 331 };

static ulong some_number(size_t i)
{
    static const ulong edges[] = {0,
                                  1,
                                  2,
                                  3,
                                  0x80,
                                  0xff,
                                  0x8000,
                                  0xffff,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  UINT64_C(1) << 32,
                                  UINT64_C(1) << 63,
                                  UINT64_MAX};
    if (i < LEN(edges))
        return edges[i];
    ulong any = random_below(UINT64_C(1) << 32) << 32 | random_below(UINT64_C(1) << 32);
    return i % 3 == 0 ? any >> random_below(64) : i % 3 == 1 ? any & any << 7 & any >> 9 : any;
}

static void run_loop(const struct loop *l)
{
    static const size_t locals[] = {0, 1, 13, 64};
    static const cl_uint given[] = {0, 1, 5, 40};
    char source[1024];
    cl_ulong in[MOST], out[MOST];
    snprintf(source, sizeof source,
             "kernel void k(global const ulong *in, global ulong *out, uint n)\n{\n"
             "    size_t i = get_global_id(0); ulong v = in[i], r = n; uint x = (uint)v;\n"
             "    %s\n    out[i] = r;\n}\n",
             l->text);
    for (size_t i = 0; i < MOST; i++)
        in[i] = some_number(i);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    for (size_t g = 0; g < LEN(given); g++)
        for (size_t s = 0; s < LEN(locals); s++) {
            size_t count = locals[s] ? MOST / locals[s] * locals[s] : MOST;
            ARG(kernel, 2, given[g]);
            run_1d(kernel, count, locals[s]);
            read_back(to, sizeof out, out);
            for (size_t i = 0; i < count; i++)
                if (out[i] != l->item(in[i], given[g])) {
                    check_fail(__FILE__, __LINE__, "%s: item %zu, %#lx and %u: %#lx, not %#lx",
                               l->name, i, (unsigned long)in[i], given[g], (unsigned long)out[i],
                               (unsigned long)l->item(in[i], given[g]));
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
TEST_MAIN("bit_loop", cases)
