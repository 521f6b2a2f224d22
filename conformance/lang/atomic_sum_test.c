/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by atomics of which nobody asks for the old value, which an implementation may put off: they
 * are whole when the kernel ends, and before that whenever the kernel can tell. And atomics on
 * local memory whose old values the items do use.
 */
#include "cl_help.h"
#include "reference.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 70001, MOST_COUNTERS = 5003 };

static const char scatter[] =
    "#define AT ((uint)(get_global_id(0) * 2654435761u >> 7) % n * step)\n"
    "kernel void inc(global uint *h, uint n, uint step) { atomic_inc(&h[AT]); }\n"
    "kernel void sub(global uint *h, uint n, uint step)\n"
    "{ atomic_sub(&h[AT], (uint)get_global_id(0)); }\n"
    "kernel void both(global uint *h, uint n, uint step)\n"
    "{\n"
    "    if (get_global_id(0) % 3) atomic_add(&h[AT], 5u);\n"
    "    for (uint k = 0; k < get_global_id(0) % 4; k++) atomic_dec(&h[k]);\n"
    "}\n";

/* What the kernel `name` does in item x. */
static void item(const char *name, cl_uint *h, cl_uint n, cl_uint step, cl_uint x)
{
    cl_uint at = (cl_uint)(((cl_ulong)x * 2654435761u) >> 7) % n * step;
    if (!strcmp(name, "inc"))
        h[at]++;
    else if (!strcmp(name, "sub"))
        h[at] -= x;
    else {
        if (x % 3)
            h[at] += 5;
        for (cl_uint k = 0; k < x % 4; k++)
            h[k]--;
    }
}

static void check_scatter(cl_program program, const char *name, cl_uint n, cl_uint step,
                          size_t items, size_t local)
{
    static cl_uint want[MOST_COUNTERS * 4], got[MOST_COUNTERS * 4];
    size_t bytes = ((size_t)n * step + 4) * sizeof *want;
    for (size_t i = 0; i < bytes / sizeof *want; i++)
        want[i] = got[i] = (cl_uint)i * 77;
    cl_kernel kernel = kernel_of(program, name);
    cl_mem h = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, got);
    ARG(kernel, 0, h);
    ARG(kernel, 1, n);
    ARG(kernel, 2, step);
    run_1d(kernel, items, local);
    read_back(h, bytes, got);
    for (size_t x = 0; x < items; x++)
        item(name, want, n, step, (cl_uint)x);
    for (size_t i = 0; i < bytes / sizeof *want; i++)
        if (got[i] != want[i]) {
            check_fail(__FILE__, __LINE__,
                       "%s of %u counters, step %u, %zu items: [%zu] is %u, not %u", name, n, step,
                       items, i, got[i], want[i]);
            break;
        }
    RELEASE_MEM(h);
    RELEASE_KERNEL(kernel);
}

static void many_counters(void)
{
    static const char *const names[] = {"inc", "sub", "both"};
    static const cl_uint counters[] = {1, 7, 256, 1023, MOST_COUNTERS};
    static const struct {
        size_t items, local;
    } ranges[] = {{1, 0}, {33, 11}, {1000, 250}, {4099, 1}, {MOST_ITEMS, 0}};
    cl_program program = built(scatter, NULL);
    for (size_t k = 0; k < LEN(names); k++)
        for (size_t c = 0; c < LEN(counters); c++)
            for (size_t r = 0; r < LEN(ranges); r++)
                check_scatter(program, names[k], counters[c], c % 2 ? 4 : 1, ranges[r].items,
                              ranges[r].local);
    CHECK_OK(clReleaseProgram(program));
}

/* Counters of which an item's number leads to few only, as far as the compiler can see: the same
 * text for the kernel and for C. x: the item, b: a byte, s: a short, i: an int that may be
 * anything. */
#define FEW(M)                                                                                     \
    M(byte, b)                                                                                     \
    M(one, b & 0)                                                                                  \
    M(thousand, x & 1023)                                                                          \
    M(more, x & 1024)                                                                              \
    M(two_thousand, x & 2047)                                                                      \
    M(shifted, s >> 7)                                                                             \
    M(rest, x % 1000)                                                                              \
    M(quotient, b / 3)                                                                             \
    M(sum, b + (x & 31) + 7)                                                                       \
    M(product, (b & 15) * 17)                                                                      \
    M(scaled, (b & 127) << 2)                                                                      \
    M(joined, (b & 3) << 4 | (x & 15))                                                             \
    M(chosen, x & 1 ? b : 700)                                                                     \
    M(wrapped, (uchar)(b + x))                                                                     \
    M(clamped, i < 0 ? 0 : i > 255 ? 255 : i)                                                      \
    M(signed_low, (i & 63) + 5)                                                                    \
    M(at_most, (uint)i < 300 ? (uint)i : 300)

#define FEW_KERNEL(NAME, AT)                                                                       \
    "kernel void " #NAME "(global const uint *in, global T *h) {\n"                                \
    "    uint x = get_global_id(0); uchar b = in[x]; ushort s = in[x] >> 3;\n"                     \
    "    int i = (int)(in[x] >> 11) - 99;\n"                                                       \
    "    ADD(&h[" #AT "], (T)(x * 5 + 1));\n"                                                      \
    "    if (b & 1) SUB(&h[(" #AT ") + 3], (T)2);\n}\n"
#define FEW_ROW(NAME, AT) {#NAME, few_##NAME},
typedef cl_uchar uchar;
typedef cl_uint uint;
#define FEW_C(NAME, AT)                                                                            \
    static size_t few_##NAME(cl_uint x, cl_uchar b, cl_ushort s, cl_int i)                         \
    {                                                                                              \
        return (void)x, (void)b, (void)s, (void)i, (size_t)(AT);                                   \
    }
FEW(FEW_C)
static const struct few {
    const char *name;
    size_t (*at)(cl_uint x, cl_uchar b, cl_ushort s, cl_int i);
} few[] = {FEW(FEW_ROW)};

enum { FEW_COUNTERS = 2100 };

static void add_few(const struct few *f, const cl_uint *in, size_t items, cl_ulong *want)
{
    for (cl_uint x = 0; x < items; x++) {
        size_t at = f->at(x, (cl_uchar)in[x], (cl_ushort)(in[x] >> 3), (cl_int)(in[x] >> 11) - 99);
        want[at] += x * 5 + 1;
        want[at + 3] -= in[x] & 1 ? 2 : 0;
    }
}

static void check_few(cl_program program, const struct few *f, size_t items, bool is_long)
{
    static cl_uint in[MOST_ITEMS], words[FEW_COUNTERS * 2];
    static cl_ulong want[FEW_COUNTERS];
    size_t each = is_long ? 2 : 1;
    for (size_t x = 0; x < items; x++)
        in[x] = x % 3 ? (cl_uint)random_below(1000000) : (cl_uint)random_bits();
    for (size_t k = 0; k < FEW_COUNTERS; k++) {
        want[k] = k * 77;
        words[k * each] = (cl_uint)k * 77;
        words[k * each + each - 1] = is_long ? 0 : (cl_uint)k * 77;
    }
    cl_kernel kernel = kernel_of(program, f->name);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *in, in);
    cl_mem h = new_buffer(CL_MEM_COPY_HOST_PTR, FEW_COUNTERS * each * sizeof *words, words);
    ARG(kernel, 0, from);
    ARG(kernel, 1, h);
    run_1d(kernel, items, 0);
    read_back(h, FEW_COUNTERS * each * sizeof *words, words);
    add_few(f, in, items, want);
    for (size_t k = 0; k < FEW_COUNTERS; k++) {
        cl_ulong got = words[k * each] | (is_long ? (cl_ulong)words[k * 2 + 1] << 32 : 0);
        if (got != (is_long ? want[k] : (cl_uint)want[k])) {
            check_fail(__FILE__, __LINE__, "%s, %zu items: [%zu] is %llu, not %llu", f->name, items,
                       k, (unsigned long long)got, (unsigned long long)want[k]);
            break;
        }
    }
    RELEASE_MEM(from);
    RELEASE_MEM(h);
    RELEASE_KERNEL(kernel);
}

static void few_counters(void)
{
    static const size_t items[] = {1, 33, 4099, MOST_ITEMS};
    bool longs = has_extension("cl_khr_int64_base_atomics");
    for (unsigned l = 0; l < (longs ? 2 : 1); l++) {
        cl_program program =
            built("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" FEW(FEW_KERNEL),
                  l ? "-DT=ulong -DADD=atom_add -DSUB=atom_sub"
                    : "-DT=uint -DADD=atomic_add -DSUB=atomic_sub");
        for (size_t k = 0; k < LEN(few); k++)
            for (size_t n = 0; n < LEN(items); n++)
                check_few(program, &few[k], items[n], l);
        CHECK_OK(clReleaseProgram(program));
    }
}

static void long_sums(void)
{
    if (!has_extension("cl_khr_int64_base_atomics"))
        check_skip("no 64-bit atomics");
    enum { N = 10007, COUNTERS = 13 };
    cl_kernel kernel = new_kernel("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                                  "kernel void k(global long *h)\n"
                                  "{\n"
                                  "    long x = get_global_id(0);\n"
                                  "    atom_add(&h[x % 13], x * 0x123456789L);\n"
                                  "    if (x & 1) atom_sub(&h[x % 7], 3L);\n"
                                  "}\n",
                                  "k", NULL);
    cl_long got[COUNTERS] = {0}, want[COUNTERS] = {0};
    cl_mem h = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, h);
    run_1d(kernel, N, 0);
    read_back(h, sizeof got, got);
    for (cl_long x = 0; x < N; x++) {
        want[x % 13] += x * 0x123456789L;
        want[x % 7] -= x & 1 ? 3 : 0;
    }
    for (int i = 0; i < COUNTERS; i++)
        CHECK_EQ(got[i], want[i]);
    RELEASE_MEM(h);
    RELEASE_KERNEL(kernel);
}

/* Each kernel writes what it sees of its own additions to `o`. */
static const char watchers[] =
    /* by the same address, under another name: both arguments are the same buffer */
    "kernel void alias(global uint *h, global uint *o)\n"
    "{ size_t x = get_global_id(0); atomic_add(&h[x], 3u); o[x] += 4; }\n"
    "kernel void loaded(global uint *h, global uint *o)\n"
    "{ size_t x = get_global_id(0); for (uint k = 0; k < 5; k++) atomic_add(&h[x], o[x] + 1); }\n"
    "kernel void atomic(global uint *h, global uint *o)\n"
    "{ size_t x = get_global_id(0); atomic_add(&h[x], 3u); o[x] = atomic_or(&h[x], 0u); }\n"
    "kernel void group(global uint *h, global uint *o)\n"
    "{\n"
    "    global uint *mine = h + get_group_id(0);\n"
    "    atomic_inc(mine);\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    o[get_global_id(0)] = *mine;\n"
    "}\n"
    "kernel void fence(global uint *h, global uint *o)\n"
    "{\n"
    "    size_t x = get_global_id(0);\n"
    "    atomic_add(&h[x], 9u);\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "    o[x] = *(volatile global uint *)&h[x];\n"
    "}\n";

static void run_watcher(cl_program program, const char *name, bool same, cl_uint *got, size_t n,
                        size_t local)
{
    cl_kernel kernel = kernel_of(program, name);
    memset(got, 0, n * sizeof *got);
    cl_mem h = new_buffer(CL_MEM_COPY_HOST_PTR, n * sizeof *got, got),
           o = new_buffer(CL_MEM_COPY_HOST_PTR, n * sizeof *got, got);
    ARG(kernel, 0, h);
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof o, same ? &h : &o));
    run_1d(kernel, n, local);
    read_back(same ? h : o, n * sizeof *got, got);
    RELEASE_MEM(h);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

static void who_looks_sees(void)
{
    enum { LOCAL = 30, N = LOCAL * 101 };
    static cl_uint got[N];
    static const struct {
        const char *name;
        bool same;
        cl_uint want;
    } rows[] = {{"alias", true, 7},
                {"loaded", true, 31},
                {"atomic", false, 3},
                {"group", false, LOCAL},
                {"fence", false, 9}};
    cl_program program = built(watchers, NULL);
    for (size_t r = 0; r < LEN(rows); r++) {
        run_watcher(program, rows[r].name, rows[r].same, got, N, LOCAL);
        for (size_t i = 0; i < N; i++)
            if (got[i] != rows[r].want) {
                check_fail(__FILE__, __LINE__, "%s: item %zu saw %u, not %u", rows[r].name, i,
                           got[i], rows[r].want);
                break;
            }
    }
    CHECK_OK(clReleaseProgram(program));
}

struct answerer {
    volatile cl_int *words;
    atomic_bool stop;
};

static void *answer(void *data)
{
    struct answerer *a = data;
    while (!atomic_load(&a->stop))
        a->words[1] = a->words[0];
    return NULL;
}

/* Each item waits until the host has seen, and said so, that the items before it have added. */
static void host_answers(void)
{
    enum { N = 64 };
    cl_device_svm_capabilities can = 0;
    if (device_version() < 200 ||
        clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL) ||
        !(can & CL_DEVICE_SVM_ATOMICS))
        check_skip("no atomics between host and kernel");
    cl_kernel kernel = new_kernel("kernel void k(volatile global int *p)\n"
                                  "{\n"
                                  "    int x = get_global_id(0);\n"
                                  "    while (p[1] < x) {}\n"
                                  "    atomic_inc(p);\n"
                                  "}\n",
                                  "k", NULL);
    struct answerer a = {
        .words = clSVMAlloc(cl.context,
                            CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                            64, 0)};
    REQUIRE(a.words);
    a.words[0] = a.words[1] = 0;
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, answer, &a));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, (void *)a.words));
    run_1d(kernel, N, N);
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(a.words[0], N);
    atomic_store(&a.stop, true);
    pthread_join(thread, NULL);
    clSVMFree(cl.context, (void *)a.words);
    RELEASE_KERNEL(kernel);
}

/* Which of the group's items pass a test, packed: places come from a local counter. */
static void local_places(void)
{
    enum { LOCAL = 93, GROUPS = 17, N = LOCAL * GROUPS };
    static cl_int data[N], got[N], lens[GROUPS * 3];
    cl_kernel kernel = new_kernel(
        "kernel void k(global const int *d, global int *o, global int *lens)\n"
        "{\n"
        "    local int count, most; local uint lock;\n"
        "    size_t l = get_local_id(0), g = get_group_id(0);\n"
        "    int x = d[get_global_id(0)];\n"
        "    if (l == 0) { count = 0; most = INT_MIN; lock = 0; }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (x % 3 == 0) o[g * get_local_size(0) + atomic_inc(&count)] = x;\n"
        "    int seen = most;\n"
        "    while (seen < x) { int old = atomic_cmpxchg(&most, seen, x);\n"
        "                       if (old == seen) break; seen = old; }\n"
        "    atomic_xchg(&lock, 77u + (uint)g);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (l == 0) { lens[g * 3] = count; lens[g * 3 + 1] = most; lens[g * 3 + 2] = lock; }\n"
        "}\n",
        "k", NULL);
    for (int i = 0; i < N; i++)
        data[i] = (cl_int)random_below(100000) - 50000;
    cl_mem d = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data),
           o = new_buffer(0, sizeof got, NULL), lengths = new_buffer(0, sizeof lens, NULL);
    ARG(kernel, 0, d);
    ARG(kernel, 1, o);
    ARG(kernel, 2, lengths);
    run_1d(kernel, N, LOCAL);
    read_back(o, sizeof got, got);
    read_back(lengths, sizeof lens, lens);
    for (int g = 0; g < GROUPS; g++) {
        int count = 0, most = INT32_MIN;
        cl_long sum = 0;
        for (int i = g * LOCAL; i < (g + 1) * LOCAL; i++) {
            most = data[i] > most ? data[i] : most;
            if (data[i] % 3 == 0) {
                sum += (cl_long)data[i] * data[i];
                count++;
            }
        }
        REQUIRE(lens[g * 3] == count);
        CHECK_EQ(lens[g * 3 + 1], most);
        CHECK_EQ(lens[g * 3 + 2], 77 + g);
        for (int i = 0; i < count; i++)
            sum -= (cl_long)got[g * LOCAL + i] * got[g * LOCAL + i];
        CHECK(sum == 0);
    }
    RELEASE_MEM(d);
    RELEASE_MEM(o);
    RELEASE_MEM(lengths);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {CASE(many_counters), CASE(few_counters),
                                         CASE(long_sums),     CASE(who_looks_sees),
                                         CASE(host_answers),  CASE(local_places)};
TEST_MAIN("atomic_sum", cases)
