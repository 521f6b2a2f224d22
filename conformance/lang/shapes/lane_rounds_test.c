/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of one item whose loops over 8 to 64 neighbours ask to be unrolled and do what they do
 * under conditions: of the place, of what is loaded, of another index that may wrap around, with
 * windows that move over a private array, and such that must not be lanes: what rounds hand on to
 * each other in values or memory, conditions that the counter decides, other distances, buffers
 * that may be one. The same text is the kernel's and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef cl_short word;

enum { MOST = 512, PAD = 128 };

/* in, out and to begin PAD elements in front of the buffer's middle; x goes on by the number of
 * rounds, as far as n, and places from 0 to end are inside. */
#define BODIES(M)                                                                                  \
    M(                                                                                             \
        inside, for (int x = -7; x < n; x += 16) {                                                 \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                int at = x + i;                                                                    \
                if (at >= 0 && at < end)                                                           \
                    out[at] = in[at] * 3 + 1;                                                      \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        choice, for (int x = 0; x < n; x += 8) {                                                   \
            UNROLL for (int i = 0; i < 8; i++)                                                     \
            {                                                                                      \
                uint v = x + i < end ? in[x + i] : 7, low = 0x7ffffff;                             \
                if (v % 3 == 0)                                                                    \
                    low = in[x + i - 1];                                                           \
                if (low < v)                                                                       \
                    out[x + i] = low;                                                              \
                else if (v & 1)                                                                    \
                    to[x + i] = v;                                                                 \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        window, uint kept[100]; for (int i = 0; i < 100; i++) kept[i] = 0; int row = 0;            \
        for (int x = 0; x < n; x += 16) {                                                          \
            UNROLL for (int i = 0; i < 84; i++) kept[i] = kept[i + 16];                            \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                uint least = 0x7ffffff, here = in[x + i] & 0xffffff;                               \
                if (row > 0) {                                                                     \
                    least = kept[3 + i];                                                           \
                    if (x + i > 0 && kept[2 + i] < least)                                          \
                        least = kept[2 + i];                                                       \
                    if (x + i < end - 1 && kept[4 + i] < least)                                    \
                        least = kept[4 + i];                                                       \
                }                                                                                  \
                if (x + i < end) {                                                                 \
                    kept[84 + i] = here + least;                                                   \
                    if (row == rows)                                                               \
                        out[x + i] = kept[84 + i];                                                 \
                }                                                                                  \
            }                                                                                      \
            if (x % 48 == 0)                                                                       \
                row = row == rows ? 0 : row + 1;                                                   \
        })                                                                                         \
    M(                                                                                             \
        wraps, for (int x = 0; x < n; x += 16) {                                                   \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                uint at = (uint)x + (uint)i - (uint)rows;                                          \
                if (at < (uint)n)                                                                  \
                    out[at] = in[at] + to[x + i];                                                  \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        handed_on, uint s = 1; for (int x = 0; x < n; x += 16) {                                   \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                if (in[x + i] % 3)                                                                 \
                    s = s * 5 + in[x + i];                                                         \
                if (x + i < end)                                                                   \
                    out[x + i] = s;                                                                \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        by_memory, for (int x = 8; x < n; x += 16) {                                               \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                if (in[x + i] & 1)                                                                 \
                    out[x + i] = out[x + i - 3] + in[x + i];                                       \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        to_the_next, for (int x = 0; x < n; x += 16) {                                             \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                if (in[x + i] & 1)                                                                 \
                    out[x + i + 1] = in[x + i];                                                    \
                if (x + i < end)                                                                   \
                    out[x + i] += 5;                                                               \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        of_counter, for (int x = 0; x < n; x += 16) {                                              \
            UNROLL for (int i = 0; i < 16; i++)                                                    \
            {                                                                                      \
                if (i % 4 == 1)                                                                    \
                    out[x + i] = in[x + i];                                                        \
                else if (i > 9 && in[x + i] % 5 < 2)                                               \
                    to[x + i] = in[x];                                                             \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        apart, for (int x = 0; x < n; x += 16) {                                                   \
            UNROLL for (int i = 0; i < 8; i++)                                                     \
            {                                                                                      \
                if (in[x + 2 * i] & 1)                                                             \
                    out[x + 15 - i] = in[x + 2 * i] + in[x + i / 2];                               \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        words, for (int x = 0; x < n; x += 64) {                                                   \
            UNROLL for (int i = 0; i < 64; i++)                                                    \
            {                                                                                      \
                word v = ((INPUT word *)in)[x + i];                                                \
                if (v > 0 && x + i < end)                                                          \
                    ((OUTPUT word *)out)[x + i] = v - 5;                                           \
            }                                                                                      \
        })                                                                                         \
    M(                                                                                             \
        uneven, for (int x = 0; x < n; x += 12) {                                                  \
            UNROLL for (int i = 0; i < 12; i++)                                                    \
            {                                                                                      \
                if (in[x + i] > 1u << 30)                                                          \
                    out[x + i] = to[x + i] / 3;                                                    \
            }                                                                                      \
        })

#define UNROLL
#define INPUT const
#define OUTPUT
#define AS(NAME, ...)                                                                              \
    static void NAME(const uint *in, uint *out, uint *to, int n, int end, int rows)                \
    {                                                                                              \
        (void)n, (void)end, (void)rows, (void)to;                                                  \
        __VA_ARGS__                                                                                \
    }
BODIES(AS)
#undef UNROLL
#undef INPUT
#undef OUTPUT
#define TEXT(...) #__VA_ARGS__
#define ROW_OF(NAME, ...) {#NAME, TEXT(__VA_ARGS__), NAME},
static const struct row {
    const char *name, *text;
    void (*item)(const uint *in, uint *out, uint *to, int n, int end, int rows);
} rows[] = {BODIES(ROW_OF)};

static uint in[MOST + 2 * PAD], start[2][MOST + 2 * PAD], got[2][MOST + 2 * PAD],
    wanted[2][MOST + 2 * PAD];

static void compare(const char *name, int n, int end, int round)
{
    for (size_t b = 0; b < 2; b++)
        for (size_t i = 0; i < LEN(got[b]); i++)
            if (got[b][i] != wanted[b][i]) {
                check_fail(__FILE__, __LINE__, "%s, %d of %d, %d: %zu of %zu is %u, not %u", name,
                           end, n, round, i, b, got[b][i], wanted[b][i]);
                return;
            }
}

/* `apart`: it is said that the buffers are not one. */
static void run_row(const struct row *row, const char *apart)
{
    static const struct {
        int n, end, rows;
    } sizes[] = {{0, 0, 0},     {16, 16, 1},  {1, 1, 0},      {40, 33, 2},   {200, 191, 3},
                 {480, 480, 1}, {480, 7, 20}, {333, 600, -9}, {128, -5, 100}};
    static char source[8192];
    snprintf(source, sizeof source,
             "typedef short word;\n#define UNROLL _Pragma(\"unroll\")\n"
             "#define INPUT const global\n#define OUTPUT global\n"
             "kernel void k(const global uint *%s in, global uint *%s out, global uint *%s to,\n"
             "              int n, int end, int rows)\n{\nin += %d; out += %d; to += %d;\n%s\n}\n",
             apart, apart, apart, PAD, PAD, PAD, row->text);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    for (size_t i = 0; i < LEN(in); i++) {
        in[i] = (uint)random_bits();
        start[0][i] = (uint)random_bits();
        start[1][i] = (uint)random_bits();
    }
    cl_mem buffers[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
                        new_buffer(CL_MEM_READ_WRITE, sizeof got[0], NULL),
                        new_buffer(CL_MEM_READ_WRITE, sizeof got[1], NULL)};
    for (cl_uint b = 0; b < LEN(buffers); b++)
        ARG(kernel, b, buffers[b]);
    for (size_t s = 0; s < LEN(sizes); s++) {
        ARG(kernel, 3, sizes[s].n);
        ARG(kernel, 4, sizes[s].end);
        ARG(kernel, 5, sizes[s].rows);
        for (size_t b = 0; b < 2; b++)
            CHECK_OK(clEnqueueWriteBuffer(cl.queue, buffers[1 + b], CL_TRUE, 0, sizeof start[b],
                                          start[b], 0, NULL, NULL));
        memcpy(wanted, start, sizeof wanted);
        row->item(in + PAD, wanted[0] + PAD, wanted[1] + PAD, sizes[s].n, sizes[s].end,
                  sizes[s].rows);
        run_1d(kernel, 1, 0);
        for (size_t b = 0; b < 2; b++)
            read_back(buffers[1 + b], sizeof got[b], got[b]);
        compare(row->name, sizes[s].n, sizes[s].end, sizes[s].rows);
    }
    for (size_t b = 0; b < LEN(buffers); b++)
        RELEASE_MEM(buffers[b]);
    RELEASE_KERNEL(kernel);
}

static void of_buffers_apart(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "restrict");
}

static void of_buffers_that_may_be_one(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "");
}

static const struct test_case cases[] = {CASE(of_buffers_apart), CASE(of_buffers_that_may_be_one)};
TEST_MAIN("lane_rounds", cases)
