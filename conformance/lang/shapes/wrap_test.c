/* SPDX-License-Identifier: Apache-2.0 */
/* Indices that follow each other from item to item unless they wrap: numbers of 32 bits,
 * remainders, masks and shifts of ids. Each expression runs as OpenCL C and as C. */
#include <stdio.h>
#include <string.h>

#include "elementwise.h"
#include "reference.h"

enum { MOST = 5000, WINDOW = 8192, BEHIND = 8 };

/* `id`, `n` and `from` are unsigned; the index is taken modulo the window. */
#define EACH(X)                                                                                    \
    X((from + id) & 8191u)                                                                         \
    X((from - id) & 8191u)                                                                         \
    X((id * 3u + from) & 8191u)                                                                    \
    X(id % n)                                                                                      \
    X((id + from) % n)                                                                             \
    X((id / n * n + id % n) & 8191u)                                                               \
    X((id % n * 64u + id / n) & 8191u)                                                             \
    X((id / n + id) & 8191u)                                                                       \
    X((uint32_t)((int32_t)(id - 100u) % (int32_t)n + (int32_t)n))                                  \
    X((uint32_t)((int32_t)(id - 100u) / (int32_t)n + 200))                                         \
    X((uint32_t)((int32_t)(id + n - 1u) % (int32_t)n))                                             \
    X((uint32_t)((int32_t)id / -(int32_t)n + 5000) & 8191u)                                        \
    X((uint32_t)((int32_t)(id - 300u) % -(int32_t)n + 1000) & 8191u)                               \
    X((uint32_t)(7 * ((int32_t)(id - 300u) / -(int32_t)n) + (int32_t)id) & 8191u)                  \
    X(((id >> 5) + (id & 31u)) & 8191u)                                                            \
    X(((id & 63u) << 6) | ((id >> 6) & 63u))                                                       \
    X(((id + from) >> 3) & 8191u)                                                                  \
    X((uint32_t)((int32_t)(from + id) >> 4) & 8191u)                                               \
    X((uint32_t)(uint16_t)(from + id) & 8191u)                                                     \
    X((id + 7u) & 15u)                                                                             \
    X((id ^ 1u) & 8191u)

#define AS_TEXT(e) #e,
static const char *const texts[] = {EACH(AS_TEXT)};

static uint32_t index_of(size_t which, uint32_t id, uint32_t n, uint32_t from)
{
    size_t k = 0;
#define AS_VALUE(e)                                                                                \
    if (which == k++)                                                                              \
        return e;
    EACH(AS_VALUE)
    return 0;
}

#define TYPES "#define uint32_t uint\n#define int32_t int\n#define uint16_t ushort\n"

static uint32_t in[WINDOW + BEHIND], got[WINDOW], want[WINDOW];

struct run {
    size_t which, items, local;
    uint32_t n, from;
};

static void launch(cl_kernel kernel, const struct run *run, cl_mem out)
{
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    ARG(kernel, 0, a);
    ARG(kernel, 1, out);
    ARG(kernel, 2, run->n);
    ARG(kernel, 3, run->from);
    run_1d(kernel, run->items, run->local);
    RELEASE_MEM(a);
}

static void compare(const struct run *run, cl_mem out, const char *what)
{
    read_back(out, sizeof got, got);
    for (size_t i = 0; i < WINDOW; i++) {
        if (got[i] == want[i])
            continue;
        check_fail(
            __FILE__, __LINE__, "%s [%s], n %u, from %u, %zu items by %zu: %zu is %u, not %u", what,
            texts[run->which], run->n, run->from, run->items, run->local, i, got[i], want[i]);
        return;
    }
}

static cl_mem cleared(void)
{
    memset(want, 0, sizeof want);
    return new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want);
}

static void check_load(cl_kernel kernel, const struct run *run)
{
    cl_mem out = cleared();
    for (uint32_t id = 0; id < run->items; id++)
        want[id] = in[index_of(run->which, id, run->n, run->from)] + 1;
    launch(kernel, run, out);
    compare(run, out, "load");
    RELEASE_MEM(out);
}

/* Several items may store to one place, what depends on the place only. */
static void check_store(cl_kernel kernel, const struct run *run)
{
    cl_mem out = cleared();
    for (uint32_t id = 0; id < run->items; id++) {
        uint32_t at = index_of(run->which, id, run->n, run->from);
        if (id % 7)
            want[at] = at * 3 + 1;
    }
    launch(kernel, run, out);
    compare(run, out, "store");
    RELEASE_MEM(out);
}

static void each_run(size_t which, cl_kernel kernel, void (*check)(cl_kernel, const struct run *))
{
    static const uint32_t rows[] = {1, 3, 16, 17, 64, 100, 1000};
    static const uint32_t starts[] = {0, 5, 0x7ffffff0u, 0xfffffff3u, 0xffffff00u};
    static const size_t sizes[][2] = {{MOST, 0}, {999, 111}, {1024, 64}};
    for (size_t r = 0; r < LEN(rows); r++)
        for (size_t s = 0; s < LEN(starts); s++) {
            const size_t *size = sizes[(r + s) % LEN(sizes)];
            check(kernel, &(struct run){which, size[0], size[1], rows[r], starts[s]});
        }
}

static void test_access(const char *body, void (*check)(cl_kernel, const struct run *))
{
    random_fill(in, sizeof in);
    for (size_t which = 0; which < LEN(texts); which++) {
        char source[1024];
        snprintf(source, sizeof source,
                 TYPES "kernel void k(global uint *in, global uint *out, uint n, uint from)\n{\n"
                       "    uint id = get_global_id(0); uint at = %s;\n%s\n}\n",
                 texts[which], body);
        cl_kernel kernel = new_kernel(source, "k", NULL);
        each_run(which, kernel, check);
        RELEASE_KERNEL(kernel);
    }
}

static void loads(void)
{
    test_access("    out[id] = in[at] + 1;", check_load);
}

static void stores(void)
{
    test_access("    if (id % 7) out[at] = at * 3 + 1;", check_store);
}

static void check_several(cl_kernel kernel, const struct run *run)
{
    cl_mem out = cleared();
    for (uint32_t id = 0; id < run->items; id++) {
        const uint32_t *at = in + index_of(run->which, id, run->n, run->from);
        want[id] = at[0] + 3 * at[5];
        if (want[id] & 1)
            want[id] += 7 * at[2];
    }
    launch(kernel, run, out);
    compare(run, out, "several loads");
    RELEASE_MEM(out);
}

/* Each of them asks whether the same index wraps around, some on a branch. */
static void several(void)
{
    test_access("    uint v = in[at] + 3 * (in + 5)[at];\n"
                "    if (v & 1) v += 7 * (in + 2)[at];\n"
                "    out[id] = v;",
                check_several);
}

/* What comes from memory in its order goes back to places that wrap around once. */
static void vectors(void)
{
    static const char source[] =
        "kernel void k(global uint4 *in, global uint4 *out, uint n, uint from)\n{\n"
        "    uint id = get_global_id(0);\n"
        "    out[(from + id) & 2047u] = in[id] * 3u + (uint4)(n);\n}\n";
    static const size_t sizes[][2] = {{2048, 0}, {999, 111}, {1024, 64}, {17, 0}};
    static const uint32_t starts[] = {0, 5, 0xfffffff3u, 2040};
    cl_kernel kernel = new_kernel(source, "k", NULL);
    random_fill(in, sizeof in);
    for (size_t s = 0; s < LEN(sizes); s++) {
        cl_mem out = cleared();
        struct run run = {.items = sizes[s][0], .local = sizes[s][1], .n = 9, .from = starts[s]};
        for (uint32_t k = 0; k < 4 * run.items; k++)
            want[4 * ((run.from + k / 4) & 2047u) + k % 4] = in[k] * 3 + run.n;
        launch(kernel, &run, out);
        compare(&run, out, "vectors");
        RELEASE_MEM(out);
    }
    RELEASE_KERNEL(kernel);
}

/* Ids as longs of which a mask leaves little, and ints that are written as shifts of longs. */
static void long_ids(void)
{
    static const char source[] =
        "kernel void k(global uint *in, global uint *out, uint n, uint from)\n{\n"
        "    size_t id = get_global_id(0), l = get_local_id(0);\n"
        "    long next = ((long)(id << 32) + (2L << 32)) >> 32;\n"
        "    out[id] = in[(l + 63) & 63] + 3 * in[(id + 5) & 8191] + 5 * in[(id - 9) & 1023]\n"
        "              + 7 * in[next] + 11 * in[(l - 1) & 4095];\n}\n";
    static const size_t sizes[][2] = {{1024, 64}, {999, 111}, {777, 37}, {5000, 250}};
    cl_kernel kernel = new_kernel(source, "k", NULL);
    random_fill(in, sizeof in);
    for (size_t s = 0; s < LEN(sizes); s++) {
        cl_mem out = cleared();
        struct run run = {.items = sizes[s][0], .local = sizes[s][1], .n = 1};
        for (size_t id = 0; id < run.items; id++) {
            size_t l = id % run.local;
            want[id] = in[(l + 63) & 63] + 3 * in[(id + 5) & 8191] + 5 * in[(id - 9) & 1023] +
                       7 * in[id + 2] + 11 * in[(l - 1) & 4095];
        }
        launch(kernel, &run, out);
        compare(&run, out, "long ids");
        RELEASE_MEM(out);
    }
    RELEASE_KERNEL(kernel);
}

/* The first item's index lies before the buffer, but it does not look. */
static void inactive_first(void)
{
    static const char source[] =
        "kernel void k(global uint *in, global uint *out, uint n, uint from)\n{\n"
        "    uint id = get_global_id(0); uint sum = 0;\n"
        "    for (uint k = 0; k < n; k++) if (id >= k) sum += in[id - k];\n"
        "    out[id] = sum;\n}\n";
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem out = cleared();
    struct run run = {.items = 777, .local = 37, .n = 40};
    random_fill(in, sizeof in);
    for (uint32_t id = 0; id < run.items; id++)
        for (uint32_t k = 0; k < run.n && k <= id; k++)
            want[id] += in[id - k];
    launch(kernel, &run, out);
    compare(&run, out, "inactive");
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
}

/* The same, where the index is a part of a number that goes in steps of whole parts: of a word that
 * went on below zero the part would be far from the other items'. */
static void inactive_part(void)
{
    static const char source[] =
        "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
        "kernel void k(global uint *in, global uint *out, uint n, uint from)\n{\n"
        "    uint x = get_local_id(0), id = get_global_id(0), sum = in[id];\n"
        "    if (x >= n) sum += in[((x - n) * 12 + (from & 255)) >> 2];\n"
        "    if (x >= 2) sum += 3 * in[((x - 2) * 20 + (from & 255)) / 4];\n"
        "    out[id] = sum + in[(x * 20 + (from & 255)) / 4];\n}\n";
    static const uint32_t firsts[] = {0, 1, 7, 16, 37, 63, 64};
    cl_kernel kernel = new_kernel(source, "k", NULL);
    random_fill(in, sizeof in);
    for (size_t f = 0; f < LEN(firsts); f++) {
        cl_mem out = cleared();
        struct run run = {.items = 256, .local = 64, .n = firsts[f], .from = 37};
        for (uint32_t id = 0; id < run.items; id++) {
            const uint32_t x = id % 64;
            want[id] = in[id] + in[(x * 20 + run.from) / 4];
            want[id] += x >= run.n ? in[((x - run.n) * 12 + run.from) >> 2] : 0;
            want[id] += x >= 2 ? 3 * in[((x - 2) * 20 + run.from) / 4] : 0;
        }
        launch(kernel, &run, out);
        compare(&run, out, "inactive part");
        RELEASE_MEM(out);
    }
    RELEASE_KERNEL(kernel);
}

/* A stride that the compiler does not know, in numbers that may wrap. */
static void strided_loop(void)
{
    static const char source[] =
        "kernel void k(global uint *in, global uint *out, int n, int from)\n{\n"
        "    uint sum = from;\n"
        "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i] * 5u;\n"
        "    out[get_global_id(0)] = sum;\n}\n";
    static const size_t sizes[][2] = {{64, 64}, {33, 11}, {1000, 250}, {7, 1}};
    cl_kernel kernel = new_kernel(source, "k", NULL);
    random_fill(in, sizeof in);
    for (size_t s = 0; s < LEN(sizes); s++) {
        cl_mem out = cleared();
        struct run run = {
            .items = sizes[s][0], .local = sizes[s][1], .n = WINDOW - 3, .from = (uint32_t)s};
        for (uint32_t id = 0; id < run.items; id++) {
            want[id] = run.from;
            for (size_t i = id; i < run.n; i += run.items)
                want[id] += in[i] * 5;
        }
        launch(kernel, &run, out);
        compare(&run, out, "loop");
        RELEASE_MEM(out);
    }
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(loads),    CASE(stores),         CASE(several),       CASE(vectors),
    CASE(long_ids), CASE(inactive_first), CASE(inactive_part), CASE(strided_loop),
};
TEST_MAIN("wrap", cases)
