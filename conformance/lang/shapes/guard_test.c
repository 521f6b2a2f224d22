/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items that have something to do only below a limit, or at one place: every form of the guard,
 * limits everywhere between the least and the largest number, with offsets that ids of 32 bits wrap
 * at; and guards behind barriers, also such that the other items have something else to do.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- a kernel that begins with a guard ------------------------------------------------------- */

struct guard {
    const char *type, *text;
    bool (*holds)(uint64_t id, int64_t n, int64_t m);
};

/* The same text for the kernel and for C; 64-bit ids never come near their limits. */
typedef cl_uint uint;
#define get_global_id(DIMENSION) id
#define AS(TYPE, C_TYPE, NAME, TEXT)                                                               \
    static bool NAME(uint64_t id, int64_t n_, int64_t m_)                                          \
    {                                                                                              \
        C_TYPE i = (C_TYPE)id, n = (C_TYPE)n_, m = (C_TYPE)m_;                                     \
        (void)i, (void)n, (void)m;                                                                 \
        return TEXT;                                                                               \
    }
#define ROW(TYPE, C_TYPE, NAME, TEXT) {#TYPE, #TEXT, NAME},

#define GUARDS(M)                                                                                  \
    M(int, cl_int, int_less, i < n)                                                                \
    M(int, cl_int, int_less_equal, i <= n)                                                         \
    M(int, cl_int, int_greater, i > n)                                                             \
    M(int, cl_int, int_greater_equal, i >= n)                                                      \
    M(int, cl_int, int_turned, n > i)                                                              \
    M(int, cl_int, int_equal, i == n)                                                              \
    M(int, cl_int, int_unequal, i != n)                                                            \
    M(int, cl_int, int_not, !(n <= i))                                                             \
    M(int, cl_int, int_both, i < n && i <= m)                                                      \
    M(int, cl_int, int_none, !(i >= n || m < i))                                                   \
    M(int, cl_int, int_uniform, i < n && m > 7)                                                    \
    M(int, cl_int, int_between, i >= m && i < n)                                                   \
    M(int, cl_int, int_three, i < n && m != 3 && m >= i)                                           \
    M(int, cl_int, int_inner, i > m && i < n)                                                      \
    M(int, cl_int, int_outer, !(i <= m || i > n))                                                  \
    M(int, cl_int, int_either, i < n || i < m)                                                     \
    M(uint, cl_uint, uint_less, i < n)                                                             \
    M(uint, cl_uint, uint_less_equal, i <= n)                                                      \
    M(uint, cl_uint, uint_greater_equal, i >= n)                                                   \
    M(uint, cl_uint, uint_positive, i > 0 && i < n)                                                \
    M(uint, cl_uint, uint_inner, m <= i && i <= n)                                                 \
    M(uint, cl_uint, uint_from, i >= m && (size_t)i - m < n)                                       \
    M(uint, cl_uint, uint_far, i >= m && (size_t)i - m >= n)                                       \
    M(uint, cl_uint, uint_window, i >= m && (size_t)i - m > 3 && i < n)                            \
    M(uint, cl_uint, uint_ahead, (uint)(get_global_id(0) + 4) >= 0x80000000u && i != n)            \
    M(uint, cl_uint, uint_ahead_bit, ((uint)(get_global_id(0) + 4) & 0x80000000u) && i != n)       \
    M(uint, cl_uint, uint_ahead_one_of, (uint)(get_global_id(0) + 4) == 0x80000002u || i == n)     \
    M(uint, cl_uint, uint_ahead_chosen, (m > 7 ? (uint)(get_global_id(0) + 4) : n) > 0x7fffffffu)  \
    M(uint, cl_uint, uint_ahead_filled, ((uint)(get_global_id(0) + 4) | 3) > 0x7fffffffu && n)     \
    M(uint, cl_uint, uint_equal, n == i)                                                           \
    M(uint, cl_uint, uint_moved, i + 5 < n)                                                        \
    M(uint, cl_uint, uint_back, i - 5 < n)                                                         \
    M(uint, cl_uint, uint_equal_moved, i - 100 == n)                                               \
    M(uint, cl_uint, uint_masked, (i & 31) < n)                                                    \
    M(uint, cl_uint, uint_scaled, 2 * i < n)                                                       \
    M(long, cl_long, long_less, i < n)                                                             \
    M(long, cl_long, long_moved, i + m < n)                                                        \
    M(long, cl_long, long_back, i - 9 <= n)                                                        \
    M(long, cl_long, long_equal_moved, i + 2 == n)                                                 \
    M(ulong, cl_ulong, ulong_less, i < n)                                                          \
    M(ulong, cl_ulong, ulong_less_equal, n >= i)                                                   \
    M(ulong, cl_ulong, ulong_positive, i != 0 && i < n)                                            \
    M(ulong, cl_ulong, ulong_beyond, i > n)                                                        \
    M(ulong, cl_ulong, ulong_equal, i == n)                                                        \
    M(ushort, cl_ushort, ushort_less, i < n)                                                       \
    M(char, cl_char, char_less, i < n)
GUARDS(AS)
static const struct guard guards[] = {GUARDS(ROW)};

static const size_t offsets[] = {0, 3, 0x7ffffff0, 0xfffffff5};
static const struct {
    size_t global, local;
} sizes[] = {{1, 0}, {47, 0}, {96, 32}, {150, 50}, {70, 1}};

enum { MOST = 150 };

static int64_t limit(unsigned k, size_t offset, size_t global)
{
    const int64_t fixed[] = {0,          1, -1, 5, 16, 17, CL_INT_MIN, CL_INT_MAX, CL_INT_MIN + 3,
                             CL_UINT_MAX};
    const int64_t first = (int64_t)offset, last = (int64_t)(offset + global) - 1;
    const int64_t near[] = {first - 1, first, first + 15, first + 16,
                            last - 1,  last,  last + 1,   last + 6};
    return k < LEN(fixed)               ? fixed[k]
           : k < LEN(fixed) + LEN(near) ? near[k - LEN(fixed)]
                                        : first + (int64_t)random_below(global + 1);
}
enum { LIMITS = 20 };

/* What the items do that do not pass. */
enum other { NOTHING, RETURN, SOMETHING };

static bool check_run(const struct guard *g, enum other other, cl_kernel kernel, cl_mem buffer,
                      size_t offset, size_t global, size_t local, int64_t n, int64_t m)
{
    cl_int out[MOST];
    memset(out, 0, sizeof out);
    cl_long n64 = n, m64 = m;
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    ARG(kernel, 1, n64);
    ARG(kernel, 2, m64);
    run_nd(kernel, 1, &offset, &global, local ? &local : NULL);
    read_back(buffer, sizeof out, out);
    for (size_t i = 0; i < MOST; i++) {
        bool there = i < global, runs = there && g->holds(offset + i, n, m);
        cl_int want = runs ? (cl_int)i + 1 : there && other == SOMETHING ? -7 - (cl_int)i : 0;
        if (out[i] != want) {
            check_fail(__FILE__, __LINE__, "%s %s: item %zu of %zu from %zu, n %lld, m %lld: %d",
                       g->type, g->text, i, global, offset, (long long)n, (long long)m, out[i]);
            return false;
        }
    }
    return true;
}

static void run_guard(const struct guard *g, enum other other)
{
    bool returns = other == RETURN;
    char source[640];
    snprintf(
        source, sizeof source,
        "kernel void k(global int *out, long n64, long m64)\n{\n    %s i = (%s)get_global_id(0), "
        "n = (%s)n64, m = (%s)m64;\n    size_t at = get_global_id(0) - get_global_offset(0);\n"
        "    if (%s(%s)) %s out[at] += (int)at + 1;%s\n}\n",
        g->type, g->type, g->type, g->type, returns ? "!" : "", g->text, returns ? "return;" : "",
        other == SOMETHING ? " else out[at] -= (int)at + 7;" : "");
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem buffer = new_buffer(0, MOST * sizeof(cl_int), NULL);
    ARG(kernel, 0, buffer);
    for (size_t o = 0; o < LEN(offsets); o++)
        for (size_t s = 0; s < LEN(sizes); s++)
            for (unsigned k = 0; k < LIMITS; k++) {
                int64_t n = limit(k, offsets[o], sizes[s].global);
                int64_t m = limit((unsigned)random_below(LIMITS), offsets[o], sizes[s].global);
                REQUIRE(check_run(g, other, kernel, buffer, offsets[o], sizes[s].global,
                                  sizes[s].local, n, m));
            }
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
}

static void every_guard(void)
{
    for (size_t k = 0; k < LEN(guards); k++)
        run_guard(&guards[k], k % 2 ? RETURN : NOTHING);
}

static void every_guard_with_an_else(void)
{
    for (size_t k = 0; k < LEN(guards); k++)
        run_guard(&guards[k], SOMETHING);
}

/* ---- two dimensions -------------------------------------------------------------------------- */

static void picture(void)
{
    static const char source[] =
        "kernel void k(global int *out, int w, int h)\n{\n    int x = get_global_id(0), y = "
        "get_global_id(1);\n"
        "    if (x >= w || y >= h) return;\n    out[y * w + x] += 100 * y + x;\n}\n";
    enum { WIDE = 37, HIGH = 11 };
    cl_kernel kernel = new_kernel(source, "k", NULL);
    const size_t global[] = {48, 16}, local[] = {8, 4}, none[] = {0, 0};
    for (cl_int w = 0; w <= WIDE; w += w < 3 ? 1 : 17)
        for (cl_int h = 0; h <= HIGH; h += w < 3 ? 1 : 5) {
            cl_int out[WIDE * HIGH + 1] = {0};
            cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out);
            ARG(kernel, 0, buffer);
            ARG(kernel, 1, w);
            ARG(kernel, 2, h);
            run_nd(kernel, 2, none, global, w % 2 ? local : NULL);
            read_back(buffer, sizeof out, out);
            for (cl_int i = 0; i < WIDE * HIGH; i++)
                REQUIRE(CHECK_EQ(out[i], i < w * h ? 100 * (i / w) + i % w : 0));
            RELEASE_MEM(buffer);
        }
    RELEASE_KERNEL(kernel);
}

/* ---- behind barriers ------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "kernel void k(global const int *in, global int *out, local int *s)\n{\n"                      \
    "    int l = get_local_id(0), L = get_local_size(0), g = get_global_id(0);\n"                  \
    "    s[l] = in[g];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
#define FENCE " barrier(CLK_LOCAL_MEM_FENCE);"

/* Each leaves the sum of a group's numbers in its first place, and the numbers themselves elsewhere
 * or what is said. */
static const char *const sums[] = {
    /* halves of any size */
    HEAD "    for (int n = L; n > 1;) { int h = (n + 1) / 2; if (l + h < n) s[l] += s[l + h]; n = "
         "h;" FENCE " }\n    if (l == 0) out[get_group_id(0)] = s[0];\n}\n",
    HEAD "    for (uint n = L; n > 1;) { uint h = (n + 1) / 2; if (l < n / 2) s[l] += s[l + h]; n "
         "= h;" FENCE " }\n    if (get_local_id(0) == 0) out[get_group_id(0)] = s[0];\n}\n",
    /* steps that grow; who runs is no row */
    HEAD "    for (int d = 1; d < L; d *= 2) { if (l % (2 * d) == 0 && l + d < L) s[l] += s[l + "
         "d];" FENCE " }\n    if (!l) out[get_group_id(0)] = s[0];\n}\n",
    /* consecutive items for scattered places */
    HEAD "    for (int d = 1; d < L; d *= 2) { int at = 2 * d * l; if (at + d < L) s[at] += s[at + "
         "d];" FENCE " }\n    if (l == L - 1) out[get_group_id(0)] = s[0];\n}\n",
    /* what runs once counts along, and the last one of it says where */
    HEAD "    int turns = 0, n = L;\n    while (n > 1) { turns++; int h = n - n / 2;"
         " if (l < n / 2) s[l] += s[l + h];" FENCE
         " n = h; if (l == turns && turns > L) s[0] = -1;" FENCE
         " }\n    if (l <= 0) out[get_group_id(0)] = s[0];\n}\n",
    /* a prefix sum; its last place is the group's sum */
    HEAD "    for (int d = 1; d < L; d *= 2) { int v = l >= d ? s[l - d] : 0;" FENCE
         " if (l >= d) s[l] += v;" FENCE
         " }\n    if (l == L - 1) out[get_group_id(0)] = s[l];\n}\n",
    /* one item alone between barriers */
    HEAD "    for (int k = 1; k < L; k++) { if (l == k) s[0] += s[k];" FENCE
         " }\n    if (l < 1) out[get_group_id(0)] = s[l];\n}\n",
};

static void group_sums(const char *source, size_t local, size_t groups)
{
    cl_int in[64 * 5], out[5], want[5] = {0};
    for (size_t i = 0; i < local * groups; i++) {
        in[i] = (cl_int)random_below(100000) - 50000;
        want[i / local] += in[i];
    }
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, local * groups * sizeof *in, in);
    cl_mem to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    CHECK_OK(clSetKernelArg(kernel, 2, local * sizeof *in, NULL));
    run_1d(kernel, local * groups, local);
    read_back(to, sizeof out, out);
    for (size_t g = 0; g < groups; g++)
        REQUIRE(CHECK_EQ(out[g], want[g]));
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void behind_barriers(void)
{
    static const size_t locals[] = {1, 2, 7, 16, 17, 31, 48, 64};
    for (size_t k = 0; k < LEN(sums); k++)
        for (size_t i = 0; i < LEN(locals); i++)
            group_sums(sums[k], locals[i], 1 + i % 5);
}

/* ---- one thing below the limit, another one beyond it ---------------------------------------- */

enum { STEPS = 3, GROUPS = 2, LARGEST_GROUP = 100 };

static void expect_steps(const struct guard *g, size_t local, int64_t n, int64_t m, cl_int *want)
{
    cl_int now[2][LARGEST_GROUP];
    for (size_t group = 0; group < GROUPS; group++) {
        for (size_t l = 0; l < local; l++)
            now[0][l] = (cl_int)(1000 * group + 7 * l);
        for (unsigned r = 0; r < STEPS; r++)
            for (size_t l = 0; l < local; l++)
                now[1 - r % 2][l] = g->holds(l, n + 7 * (int64_t)r, m)
                                        ? 3 * now[r % 2][l] + now[r % 2][(l + 1) % local]
                                        : now[r % 2][l] - now[r % 2][(l + 2) % local];
        memcpy(want + group * local, now[STEPS % 2], local * sizeof *want);
    }
}

static cl_kernel two_sided_kernel(const struct guard *g)
{
    char source[1024];
    snprintf(source, sizeof source,
             "kernel void k(global int *out, local int *s, long n64, long m64)\n{\n"
             "    int l = get_local_id(0), L = get_local_size(0), in = 0;\n"
             "    s[l] = 1000 * get_group_id(0) + 7 * l;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    for (int r = 0; r < %d; r++) {\n"
             "        %s i = (%s)get_local_id(0), n = (%s)(n64 + 7 * r), m = (%s)m64;\n"
             "        s[(1 - in) * L + l] = (%s) ? 3 * s[in * L + l] + s[in * L + (l + 1) %% L]\n"
             "                                  : s[in * L + l] - s[in * L + (l + 2) %% L];\n"
             "        in = 1 - in;\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"
             "    out[get_global_id(0)] = s[in * L + l];\n}\n",
             STEPS, g->type, g->type, g->type, g->type, g->text);
    return new_kernel(source, "k", NULL);
}

static void run_two_sided(const struct guard *g)
{
    static const size_t locals[] = {1, 7, 16, 17, 31, 50, LARGEST_GROUP};
    cl_kernel kernel = two_sided_kernel(g);
    cl_mem buffer = new_buffer(0, GROUPS * LARGEST_GROUP * sizeof(cl_int), NULL);
    ARG(kernel, 0, buffer);
    for (size_t s = 0; s < LEN(locals); s++)
        for (unsigned k = 0; k < LIMITS; k++) {
            cl_int out[GROUPS * LARGEST_GROUP], want[GROUPS * LARGEST_GROUP];
            cl_long n = limit(k, 0, locals[s]);
            cl_long m = limit((unsigned)random_below(LIMITS), 0, locals[s]);
            CHECK_OK(clSetKernelArg(kernel, 1, 2 * locals[s] * sizeof(cl_int), NULL));
            ARG(kernel, 2, n);
            ARG(kernel, 3, m);
            run_1d(kernel, GROUPS * locals[s], locals[s]);
            read_back(buffer, GROUPS * locals[s] * sizeof *out, out);
            expect_steps(g, locals[s], n, m, want);
            for (size_t i = 0; i < GROUPS * locals[s]; i++)
                if (out[i] != want[i]) {
                    check_fail(__FILE__, __LINE__,
                               "%s %s: item %zu in groups of %zu, n %lld, m "
                               "%lld: %d, not %d",
                               g->type, g->text, i, locals[s], (long long)n, (long long)m, out[i],
                               want[i]);
                    return;
                }
        }
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
}

static void two_sided(void)
{
    for (size_t k = 0; k < LEN(guards); k++)
        run_two_sided(&guards[k]);
}

/* ---- a limit that only items behind a guard ask about ---------------------------------------- */

/* The guard says of a number that it does not wrap; for the items that do not pass it does. */
struct guarded {
    const char *type, *guard, *limit;
    int (*side)(cl_uint l, cl_uint n, cl_uint m); /* 0: does not pass; 1: not below; 2: below */
};

#define SIDE(TYPE, C_TYPE, NAME, GUARD, LIMIT)                                                     \
    static int NAME(cl_uint l_, cl_uint n_, cl_uint m_)                                            \
    {                                                                                              \
        C_TYPE l = (C_TYPE)l_, n = (C_TYPE)n_, m = (C_TYPE)m_;                                     \
        return !(GUARD) ? 0 : (LIMIT) ? 2 : 1;                                                     \
    }
#define GUARDED_ROW(TYPE, C_TYPE, NAME, GUARD, LIMIT) {#TYPE, #GUARD, #LIMIT, NAME},

#define S(L) (7 * (L) + 1) /* what is in local memory */

#define GUARDED(M)                                                                                 \
    M(uint, cl_uint, beyond, n <= l && m > 0, l - n < m)                                           \
    M(ulong, cl_ulong, beyond_64, n <= l && m > 0, l - n < m)                                      \
    M(int, cl_int, beyond_signed, n <= l && m > 0, l - n < m)                                      \
    M(uint, cl_uint, turned, n <= l && m != 7, m > l - n)                                          \
    M(uint, cl_uint, up_to, n < l && l != 5, l - n <= m)                                           \
    M(uint, cl_uint, far_beyond, n <= l && l > m, l - n >= m)                                      \
    M(uint, cl_uint, plain, l - n < m && m > 0, l < n + 2)                                         \
    M(uint, cl_uint, both, l <= n && S(l) < 300, S(l) > m)                                         \
    M(uint, cl_uint, either, S(l) != m || n > l, m < l)                                            \
    M(int, cl_int, both_beyond, l >= n && S(l) != m, l - n < m)
GUARDED(SIDE)
static const struct guarded guarded[] = {GUARDED(GUARDED_ROW)};

static void run_guarded(const struct guarded *g, size_t local)
{
    static const cl_uint numbers[] = {0, 1, 3, 5, 8, 17, 30, 64};
    char source[640];
    snprintf(source, sizeof source,
             "#define S(L) s[L]\n"
             "kernel void k(global int *out, local int *s, uint n32, uint m32)\n{\n"
             "    %s l = get_local_id(0), n = n32, m = m32; uint L = get_local_size(0);\n"
             "    s[l] = 7 * l + 1;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    if (%s) {\n        if (%s) out[l] = s[(l + 1) %% L];\n"
             "        else out[l] = 3 * s[(l + 2) %% L];\n    } else out[l] = -1;\n}\n",
             g->type, g->guard, g->limit);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem buffer = new_buffer(0, local * sizeof(cl_int), NULL);
    ARG(kernel, 0, buffer);
    CHECK_OK(clSetKernelArg(kernel, 1, local * sizeof(cl_int), NULL));
    for (size_t k = 0; k < LEN(numbers) * LEN(numbers); k++) {
        cl_uint n = numbers[k % LEN(numbers)], m = numbers[k / LEN(numbers)];
        cl_int out[64];
        ARG(kernel, 2, n);
        ARG(kernel, 3, m);
        run_1d(kernel, local, local);
        read_back(buffer, local * sizeof *out, out);
        for (cl_uint l = 0; l < local; l++) {
            const cl_int sides[] = {-1, (cl_int)(3 * (7 * ((l + 2) % local) + 1)),
                                    (cl_int)(7 * ((l + 1) % local) + 1)};
            cl_int want = sides[g->side(l, n, m)];
            if (out[l] == want)
                continue;
            check_fail(__FILE__, __LINE__, "%s %s, %s: item %u of %zu, n %u, m %u: %d, not %d",
                       g->type, g->guard, g->limit, l, local, n, m, out[l], want);
            return;
        }
    }
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
}

static void inside_a_guard(void)
{
    static const size_t locals[] = {64, 50, 17};
    for (size_t k = 0; k < LEN(guarded); k++)
        for (size_t s = 0; s < LEN(locals); s++)
            run_guarded(&guarded[k], locals[s]);
}

/* Who looks for an id in what a guard compares does not look at every way to it: there are 2^60. */
static void run_hashed(const char *format)
{
    enum { ITEMS = 131, LINES = 60 };
    char hash[LINES * 12 + 1] = "", source[LINES * 12 + 400];
    cl_uint out[ITEMS], offset = 12345;
    for (int k = 0; k < LINES; k++)
        snprintf(hash + strlen(hash), 12, "h^=h>>%d;", 1 + k % 5);
    snprintf(source, sizeof source, format, hash);
    memset(out, 0, sizeof out);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, offset);
    run_1d(kernel, ITEMS, ITEMS);
    read_back(mem, sizeof out, out);
    for (cl_uint i = 0; i < ITEMS; i++) {
        cl_uint h = i + offset;
        for (int k = 0; k < LINES; k++)
            h ^= h >> (1 + k % 5);
        CHECK_EQ(out[i], h & 1 ? h : 0);
    }
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void hashed(void)
{
    run_hashed("kernel void k(global uint *o, uint n) { uint i = get_global_id(0), h = i + n; %s "
               "if (h & 1) o[i] = h; }");
    run_hashed("kernel void k(global uint *o, uint n) { local uint t[131]; uint i = "
               "get_global_id(0), h = i + n; %s if (n == h) return; t[i] = h; "
               "barrier(CLK_LOCAL_MEM_FENCE); if (t[i] & 1) o[i] = t[i]; }");
}

static const struct test_case cases[] = {
    CASE(hashed),          CASE(every_guard), CASE(every_guard_with_an_else), CASE(picture),
    CASE(behind_barriers), CASE(two_sided),   CASE(inside_a_guard),
};
TEST_MAIN("guard", cases)
