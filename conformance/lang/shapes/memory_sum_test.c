/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums that a loop keeps in memory, whose buffers are two, one, parts of one that overlap or do
 * not, or shared memory: what an item has stored it reads again wherever it finds it. The same text
 * is the kernel's and the reference, each item in its own part of the memory. Once more in groups
 * of a required size that is no divisor, by kernels of which it turns out late that groups do not
 * matter to them.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef cl_uint uint;

/* Words of an item; items; words in front of the second part of one buffer, 128 bytes or more. */
enum { OWN = 40, ITEMS = 77, WORDS = 4096, SHIFT = 32, GROUP = 16 };

/* A component of a vector; the kernel has its own PART. */
#define PART(p, k, n) (p)[(k) / 4 * 4 + n]

/* s: sums; x, y: what is added; k: a place; n: rounds. */
#define BODIES(M)                                                                                  \
    M(plain, for (int i = 0; i < n; i++) s[k] += x[i] * y[i];)                                     \
    M(                                                                                             \
        two, for (int i = 0; i < n; i++) {                                                         \
            s[k] += x[i];                                                                          \
            s[k + 1] ^= y[i] + s[k];                                                               \
        })                                                                                         \
    M(                                                                                             \
        at_least_one, int i = 0; do {                                                              \
            s[k] = s[k] * 3u + x[i];                                                               \
            i++;                                                                                   \
        } while (i < n);)                                                                          \
    M(some, for (int i = 0; i < n; i++) if (x[i] & 1u) s[k] += y[i];)                              \
    M(                                                                                             \
        some_of_all, for (int i = 0; i < n; i++) {                                                 \
            s[k] += y[i];                                                                          \
            if (x[i] & 2u)                                                                         \
                s[k] = 5u;                                                                         \
        })                                                                                         \
    M(cleared, s[k] = 0u; for (int i = 0; i < n; i++) s[k] += x[i];                                \
      for (int i = 0; i < n; i++) y[i] -= x[i] * s[k]; s[0] += s[k] + y[0];)                       \
    M(nested, for (int j = 0; j < 3; j++) for (int i = 0; i < n; i++) s[k + j] += x[i] * y[j];)    \
    M(                                                                                             \
        left, for (int i = 0; i < n; i++) {                                                        \
            s[k] += x[i];                                                                          \
            if (s[k] % 11u == 3u)                                                                  \
                break;                                                                             \
        })                                                                                         \
    M(own, for (int i = 0; i < n; i++) s[k] += s[i] * x[i];)                                       \
    M(                                                                                             \
        chased, for (int i = 0; i < n; i++) {                                                      \
            s[k] += x[i] + 1u;                                                                     \
            y[s[k] % 36u] ^= x[y[i] % 36u];                                                        \
        })                                                                                         \
    M(                                                                                             \
        one_behind_the_other, for (uint m = (uint)n; m > 0; m--) {                                 \
            for (uint i = (uint)n; i > 0; i--) {                                                   \
                s[8] = 64u;                                                                        \
                s[0] ^= y[k];                                                                      \
                y[k] += m;                                                                         \
            }                                                                                      \
            for (uint i = 0; i < (uint)n; i++)                                                     \
                x[k] += s[i % 37u] + s[k / 2];                                                     \
            x[m % 24u] += 79u;                                                                     \
        })                                                                                         \
    M(                                                                                             \
        parts, for (int i = 0; i < n; i++) {                                                       \
            PART(s, k, 3) += x[i];                                                                 \
            PART(s, k, 0) += x[i] * y[i];                                                          \
            PART(s, k, 1) ^= PART(s, k, 0);                                                        \
        })                                                                                         \
    M(                                                                                             \
        parts_and_others, for (int i = 0; i < n; i++) {                                            \
            PART(s, k, 1) += PART(x, i, 2);                                                        \
            s[k / 4 * 4 + 1] += PART(s, k, 3) + 1u;                                                \
            PART(s, k, 2) = PART(s, k, 1) ^ s[i];                                                  \
        })                                                                                         \
    M(                                                                                             \
        some_parts, for (int i = 0; i < n; i++) {                                                  \
            if (x[i] & 1u)                                                                         \
                PART(s, k, 0) += y[i];                                                             \
            else                                                                                   \
                PART(s, k, 2) -= PART(s, k, 0);                                                    \
            PART(s, k + 4, 3) += PART(s, k, 2);                                                    \
        })

#define AS(NAME, ...)                                                                              \
    static void NAME(uint *s, uint *x, uint *y, int k, int n)                                      \
    {                                                                                              \
        (void)y;                                                                                   \
        __VA_ARGS__                                                                                \
    }
#define ROW(NAME, ...) {#NAME, #__VA_ARGS__, NAME},
BODIES(AS)
static const struct row {
    const char *name, *text;
    void (*item)(uint *s, uint *x, uint *y, int k, int n);
} rows[] = {BODIES(ROW)};

/* Where the three begin in one memory, in words. */
static const struct lie {
    const char *name;
    uint s, x, y;
} lies[] = {
    {"apart", 0, WORDS, 2 * WORDS},       {"one", 0, 0, 0},
    {"sums among x", 0, 0, WORDS},        {"sums among y", 0, WORDS, 0},
    {"x is y", 0, WORDS, WORDS},          {"x behind", 0, SHIFT, WORDS},
    {"sums behind", SHIFT, 0, 2 * WORDS}, {"all", SHIFT, 0, 2 * SHIFT},
};

static uint given[3 * WORDS], got[3 * WORDS], wanted[3 * WORDS];

/* Items of which two never meet: with parts that overlap there is one. */
static size_t items_of(const struct lie *lie)
{
    bool shifted = lie->s % WORDS || lie->x % WORDS || lie->y % WORDS;
    return shifted ? 1 : ITEMS;
}

static void expect(const struct row *row, const struct lie *lie, int k, int n)
{
    memcpy(wanted, given, sizeof given);
    for (size_t i = 0; i < items_of(lie); i++)
        row->item(wanted + lie->s + i * OWN, wanted + lie->x + i * OWN, wanted + lie->y + i * OWN,
                  k, n);
}

static void compare(const struct row *row, const struct lie *lie, const char *how, int n)
{
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__, "%s, %s, %s, %d rounds: word %zu is %u, not %u",
                       row->name, lie->name, how, n, i, got[i], wanted[i]);
            check_abandon();
        }
}

static cl_mem part_of(cl_mem buffer, uint begin)
{
    cl_buffer_region region = {begin * sizeof(uint), WORDS * sizeof(uint)};
    cl_int rc;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    REQUIRE_OK(rc);
    return part;
}

/* Parts of one buffer. */
static void in_buffer(cl_kernel kernel, const struct row *row, const struct lie *lie, int n)
{
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
    cl_mem s = part_of(buffer, lie->s), x = part_of(buffer, lie->x), y = part_of(buffer, lie->y);
    ARG(kernel, 0, s);
    ARG(kernel, 1, x);
    ARG(kernel, 2, y);
    run_1d(kernel, items_of(lie), 0);
    read_back(buffer, sizeof got, got);
    compare(row, lie, "parts", n);
    RELEASE_MEM(s);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_MEM(buffer);
}

/* A buffer for each third of the memory. */
static void in_buffers(cl_kernel kernel, const struct row *row, const struct lie *lie, int n)
{
    cl_mem all[3];
    for (size_t b = 0; b < 3; b++)
        all[b] = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given / 3, given + b * WORDS);
    ARG(kernel, 0, all[lie->s / WORDS]);
    ARG(kernel, 1, all[lie->x / WORDS]);
    ARG(kernel, 2, all[lie->y / WORDS]);
    run_1d(kernel, items_of(lie), 0);
    for (size_t b = 0; b < 3; b++) {
        read_back(all[b], sizeof got / 3, got + b * WORDS);
        RELEASE_MEM(all[b]);
    }
    compare(row, lie, "buffers", n);
}

/* One allocation, or (`each`) three. */
static void in_shared(cl_kernel kernel, const struct row *row, const struct lie *lie, int n,
                      bool each)
{
    uint *all[3] = {NULL}, *at[3];
    const uint begin[] = {lie->s, lie->x, lie->y};
    for (size_t b = 0; b < 3; b++) {
        all[b] = !b || each ? clSVMAlloc(cl.context, CL_MEM_READ_WRITE, sizeof given, 0)
                            : all[0] + b * WORDS;
        REQUIRE(all[b] != NULL);
        REQUIRE_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, all[b], given + b * WORDS,
                                      sizeof given / 3, 0, NULL, NULL));
    }
    for (cl_uint a = 0; a < 3; a++) {
        at[a] = all[begin[a] / WORDS] + begin[a] % WORDS;
        REQUIRE_OK(clSetKernelArgSVMPointer(kernel, a, at[a]));
    }
    run_1d(kernel, items_of(lie), 0);
    for (size_t b = 0; b < 3; b++)
        REQUIRE_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got + b * WORDS, all[b], sizeof got / 3, 0,
                                      NULL, NULL));
    compare(row, lie, each ? "three allocations" : "an allocation", n);
    for (size_t b = 0; b < (each ? 3 : 1); b++)
        clSVMFree(cl.context, all[b]);
}

static bool has_shared(void)
{
    cl_device_svm_capabilities all = 0;
    clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof all, &all, NULL);
    return all & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
}

static void compare_all(cl_kernel kernel, const struct row *row, int k, int n)
{
    ARG(kernel, 3, k);
    ARG(kernel, 4, n);
    for (size_t l = 0; l < LEN(lies); l++) {
        const struct lie *lie = &lies[l];
        bool thirds = !(lie->s % WORDS || lie->x % WORDS || lie->y % WORDS);
        random_fill(given, sizeof given);
        expect(row, lie, k, n);
        in_buffer(kernel, row, lie, n);
        if (thirds)
            in_buffers(kernel, row, lie, n);
        if (has_shared())
            in_shared(kernel, row, lie, n, false);
        if (has_shared() && thirds)
            in_shared(kernel, row, lie, n, true);
    }
}

static cl_program program_of(const struct row *row, bool groups)
{
    char source[2048], head[200] = "";
    if (groups)
        snprintf(head, sizeof head, "__attribute__((reqd_work_group_size(%d, 1, 1)))\n", GROUP);
    snprintf(source, sizeof source,
             "#define PART(p, k, n) ((global uint4 *)(p))[(k) / 4].s##n\n"
             "%skernel void add(global uint *s, global uint *x, global uint *y, int k, int n)\n"
             "{\n"
             "%s"
             "    s += %d * get_global_id(0);\n"
             "    x += %d * get_global_id(0);\n"
             "    y += %d * get_global_id(0);\n"
             "    %s\n}\n",
             head, groups ? "    size_t nobody_asks = get_local_id(0);\n" : "", OWN, OWN, OWN,
             row->text);
    return built(source, groups ? "-cl-std=CL3.0" : NULL);
}

static void compare_rows(bool groups)
{
    static const int rounds[] = {0, 1, 2, 7, 33};
    for (size_t r = 0; r < LEN(rows); r++) {
        cl_program program = program_of(&rows[r], groups);
        cl_kernel kernel = kernel_of(program, "add");
        for (size_t n = 0; n < LEN(rounds); n++)
            compare_all(kernel, &rows[r], n % 2 ? 3 : 35, rounds[n]);
        RELEASE_KERNEL(kernel);
        RELEASE_PROGRAM(program);
    }
}

static void sums(void)
{
    compare_rows(false);
}

static void sums_in_cut_groups(void)
{
    cl_bool uneven = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof uneven,
                             &uneven, NULL));
    if (!uneven)
        check_skip("groups of a launch have one size");
    compare_rows(true);
}

static const struct test_case cases[] = {CASE(sums), CASE(sums_in_cut_groups)};
TEST_MAIN("memory_sum", cases)
