/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private arrays that each round moves on, as designs for FPGAs have them: up and down, by one and
 * by more, a part of one, rows of one, several in one loop, only sometimes, read at any place
 * before and behind the move, in loops that are left early. The same text is the kernel's and the
 * reference; shift_random_test.c makes such kernels up.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef cl_uint uint;
typedef cl_uchar uchar;
typedef cl_ulong ulong;
struct pair {
    uint a;
    cl_ushort b;
    uchar c;
};

enum { ROUNDS = 3001 };

/* x: the round's number from outside; k: the round; y: what comes of it. `UNROLL` is the pragma. */
#define ROUND(...)                                                                                 \
    for (int k = 0; k < n; k++) {                                                                  \
        uint x = in[k], y = 0;                                                                     \
        __VA_ARGS__ out[k] = y;                                                                    \
    }
#define ZERO(R, N)                                                                                 \
    for (int i = 0; i < N; i++)                                                                    \
        R[i] = 0;

#define BODIES(M)                                                                                  \
    M(down, uint r[301]; ZERO(r, 301) ROUND(UNROLL for (int i = 0; i < 300; i++) r[i] = r[i + 1];  \
                                            r[300] = x; y = r[0] + 3 * r[77] + 5 * r[299];))       \
    M(up, uint r[301]; ZERO(r, 301) ROUND(UNROLL for (int i = 300; i > 0; i--) r[i] = r[i - 1];    \
                                          r[0] = x; y = r[0] + 3 * r[77] + 5 * r[300];))           \
    M(by_seven, uint r[517]; ZERO(r, 517)                                                          \
          ROUND(UNROLL for (int i = 0; i < 510; i++) r[i] = r[i + 7];                              \
                for (int i = 0; i < 7; i++) r[510 + i] = x + i; y = r[0] + 3 * r[259] + r[513];))  \
    M(kept, uint r[131];                                                                           \
      ZERO(r, 131) ROUND(for (int i = 0; i < 130; i++) r[i] = r[i + 1]; if (x & 1) r[130] = x;     \
                         y = r[0] + r[129] * 3 + r[130];))                                         \
    M(a_part, uint r[200]; for (int i = 0; i < 200; i++) r[i] = i * i;                             \
      ROUND(for (int i = 11; i < 180; i++) r[i] = r[i + 3]; r[182] = x;                            \
            y = r[x % 200] + r[10] + r[11] + r[179] + r[199];))                                    \
    M(any_place, ulong r[97];                                                                      \
      ZERO(r, 97) ROUND(y = (uint)r[x % 97]; for (int i = 0; i < 96; i++) r[i] = r[i + 1];         \
                        r[96] = x; r[x / 7 % 97] += 5; y += (uint)r[x / 97 % 97] * 3;))            \
    M(sometimes, uint r[150]; ZERO(r, 150) ROUND(if (x % 3) {                                      \
          for (int i = 149; i > 0; i--)                                                            \
              r[i] = r[i - 1];                                                                     \
          r[0] = x;                                                                                \
      } y = r[0] + r[50] * 3 + r[149];))                                                           \
    M(both_ways, uint r[150]; ZERO(r, 150) ROUND(                                                  \
          if (x & 4) {                                                                             \
              for (int i = 149; i > 0; i--)                                                        \
                  r[i] = r[i - 1];                                                                 \
              r[0] = x;                                                                            \
          } else {                                                                                 \
              for (int i = 0; i < 149; i++)                                                        \
                  r[i] = r[i + 1];                                                                 \
              r[149] = ~x;                                                                         \
          } y = r[0] + r[50] * 3 + r[149];))                                                       \
    M(two, uint r[140]; uchar s[161]; ZERO(r, 140) ZERO(s, 161)                                    \
          ROUND(UNROLL for (int i = 0; i < 139; i++) {                                             \
              r[i] = r[i + 1];                                                                     \
              s[i] = s[i + 1];                                                                     \
          } for (int i = 139; i < 160; i++) s[i] = s[i + 1];                                       \
                r[139] = x; s[160] = (uchar)x; y = r[0] + s[0] + s[100] * 5 + r[70];))             \
    M(fused, uint r[171]; ZERO(r, 171) ROUND(for (int i = 0; i < 170; i++) {                       \
          r[i] = r[i + 1];                                                                         \
          y = y * 3 + r[i];                                                                        \
      } r[170] = x;))                                                                              \
    M(                                                                                             \
        records, struct pair r[90]; for (int i = 0; i < 90; i++) {                                 \
            r[i].a = i;                                                                            \
            r[i].b = 7;                                                                            \
            r[i].c = 1;                                                                            \
        } ROUND(for (int i = 0; i < 89; i++) r[i] = r[i + 1]; r[89].a = x;                         \
                r[89].b = (ushort)(x >> 3); y = r[0].a + r[44].b + r[88].c; r[88].c = (uchar)x;))  \
    M(row_by_row, uint r[5][65]; for (int i = 0; i < 325; i++) r[i / 65][i % 65] = i;              \
      ROUND(UNROLL for (int j = 0; j < 5; j++) for (int i = 0; i < 64; i++) r[j][i] = r[j][i + 1]; \
            for (int j = 0; j < 5; j++) {                                                          \
                r[j][64] = x + j;                                                                  \
                y = y * 5 + r[j][0] + r[j][x % 65];                                                \
            }))                                                                                    \
    M(whole_rows, uint r[5][33]; for (int i = 0; i < 165; i++) r[i / 33][i % 33] = i;              \
      ROUND(for (int j = 4; j > 0; j--) for (int i = 0; i < 33; i++) r[j][i] = r[j - 1][i];        \
            r[0][x % 33] = x; y = r[4][x % 33] + r[3][k % 33] * 3;))                               \
    M(smeared, uint r[111];                                                                        \
      ZERO(r, 111) ROUND(r[x % 111] = x; for (int i = 1; i < 111; i++) r[i] = r[i - 1];            \
                         y = r[0] + r[110]; r[0] = x;))                                            \
    M(                                                                                             \
        left, uint r[133]; ZERO(r, 133) for (int k = 0; k < n; k++) {                              \
            uint x = in[k];                                                                        \
            for (int i = 0; i < 132; i++)                                                          \
                r[i] = r[i + 1];                                                                   \
            r[132] = x;                                                                            \
            out[k] = r[0] + r[131];                                                                \
            if (k > 2000 && x % 64 == 9)                                                           \
                break;                                                                             \
            out[k] ^= r[66];                                                                       \
        } out[0] = r[1] + r[132];)                                                                 \
    M(half_left, uint r[133]; ZERO(r, 133) ROUND(for (int i = 0; i < 132; i++) {                   \
          if (r[i] == 77 + x % 4)                                                                  \
              break;                                                                               \
          r[i] = r[i + 1];                                                                         \
      } r[132] = x % 128;                                                                          \
                                                 y = r[0] + r[131];))                              \
    M(                                                                                             \
        anew, for (int m = 0; m < 3; m++) {                                                        \
            uint r[141];                                                                           \
            ZERO(r, 141)                                                                           \
            for (int k = m * n / 4; k < n; k++) {                                                  \
                for (int i = 0; i < 140; i++)                                                      \
                    r[i] = r[i + 1];                                                               \
                r[140] = in[k];                                                                    \
                out[k] = r[0] * 3 + r[139] + m;                                                    \
            }                                                                                      \
        })                                                                                         \
    M(sums, double r[200]; ZERO(r, 200) double s = 0;                                              \
      ROUND(r[199] = r[0] + x % 1024; for (int i = 0; i < 199; i++) r[i] = r[i + 1];               \
            y = (uint)r[199];) for (int i = 0; i < 199; i++) s += r[i];                            \
      out[0] = (uint)s;)                                                                           \
    M(through_places, uint r[100]; ZERO(r, 100) uint *p = r + 30;                                  \
      ROUND(for (int i = 0; i < 99; i++) r[i] = r[i + 1]; r[99] = x; p[x % 70] ^= x;               \
            y = p[0] + *(r + k % 100);))                                                           \
    M(chosen, uint r[100]; uint s[100]; ZERO(r, 100) ZERO(s, 100)                                  \
          ROUND(uint *p = x & 8 ? r : s; for (int i = 0; i < 99; i++) r[i] = r[i + 1]; r[99] = x;  \
                p[50] += x; y = r[0] + r[49] + s[50];))                                            \
    M(far_too_long, uint r[9001];                                                                  \
      ZERO(r, 9001) ROUND(for (int i = 0; i < 9000; i++) r[i] = r[i + 1]; r[9000] = x;             \
                          y = r[8999] + r[9000 - k] + r[x % 9001];))

typedef cl_ushort ushort;
#define UNROLL
#define AS(NAME, ...)                                                                              \
    static void NAME(const uint *in, uint *out, int n)                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
BODIES(AS)
#undef UNROLL
#define TEXT(...) #__VA_ARGS__
#define ROW(NAME, ...) {#NAME, TEXT(__VA_ARGS__), NAME},
static const struct row {
    const char *name, *text;
    void (*item)(const uint *in, uint *out, int n);
} rows[] = {BODIES(ROW)};

static uint in[ROUNDS], got[ROUNDS], wanted[ROUNDS];

static void run_row(const struct row *row, const char *unroll)
{
    char source[4096];
    snprintf(source, sizeof source,
             "#define UNROLL %s\n"
             "struct pair { uint a; ushort b; uchar c; };\n"
             "kernel void k(global const uint *in, global uint *out, int n)\n{\n%s\n}\n",
             unroll, row->text);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    static const int rounds[] = {0, 1, 5, 700, ROUNDS};
    for (size_t r = 0; r < LEN(rounds); r++) {
        for (size_t i = 0; i < ROUNDS; i++)
            in[i] = (uint)random_bits();
        memset(got, 0, sizeof got);
        memset(wanted, 0, sizeof wanted);
        cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
               to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
        row->item(in, wanted, rounds[r]);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        ARG(kernel, 2, rounds[r]);
        run_1d(kernel, 1, 0);
        read_back(to, sizeof got, got);
        RELEASE_MEM(from);
        RELEASE_MEM(to);
        for (size_t i = 0; i < ROUNDS; i++)
            if (got[i] != wanted[i]) {
                check_fail(__FILE__, __LINE__, "%s%s, %d rounds: %zu is %u, not %u", row->name,
                           *unroll ? " unrolled" : "", rounds[r], i, got[i], wanted[i]);
                break;
            }
    }
    RELEASE_KERNEL(kernel);
}

static void as_loops(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "");
}

static void unrolled(void)
{
    for (size_t r = 0; r < LEN(rows); r++)
        run_row(&rows[r], "_Pragma(\"unroll\")");
}

static const struct test_case cases[] = {CASE(as_loops), CASE(unrolled)};
TEST_MAIN("shift_register", cases)
