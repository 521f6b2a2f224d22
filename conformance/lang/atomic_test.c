/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics: 32 and 64 bits, global and local, and what they return. */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 4096 };

static cl_long expected(const char *op, const cl_long *v)
{
    cl_long r = strstr(op, "min") ? INT32_MAX : strstr(op, "and") ? -1 : 0;
    for (int i = 0; i < ITEMS; i++) {
        if (strstr(op, "add"))
            r += v[i];
        else if (strstr(op, "sub"))
            r -= v[i];
        else if (strstr(op, "inc"))
            r++;
        else if (strstr(op, "dec"))
            r--;
        else if (strstr(op, "min"))
            r = v[i] < r ? v[i] : r;
        else if (strstr(op, "max"))
            r = v[i] > r ? v[i] : r;
        else if (strstr(op, "xor"))
            r ^= v[i];
        else if (strstr(op, "and"))
            r &= v[i];
        else
            r |= v[i];
    }
    return r;
}

static const char ops_source[] =
    "%s\nkernel void k(global long *v, volatile global %s *x, global long *parts)\n{\n"
    "    volatile local %s l;\n"
    "    %s a = (%s)v[get_global_id(0)];\n"
    "    if (get_local_id(0) == 0) l = x[1];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    %s%s(x%s);\n"
    "    %s%s(&l%s);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) parts[get_group_id(0)] = l;\n}\n";

/* prefix: atomic_ on int, atom_ on long */
static void check_ops(const char *type, const char *prefix, const char *pragma)
{
    static const char *const ops[] = {"add", "sub", "inc", "dec", "min", "max", "and", "or", "xor"};
    static cl_long values[ITEMS];
    int is_long = !strcmp(type, "long");
    for (int i = 0; i < ITEMS; i++)
        values[i] = (cl_long)random_below(100000) - 50000;
    for (size_t o = 0; o < LEN(ops); o++) {
        char source[2048];
        int unary = !strcmp(ops[o], "inc") || !strcmp(ops[o], "dec");
        snprintf(source, sizeof source, ops_source, pragma, type, type, type, type, prefix, ops[o],
                 unary ? "" : ", a", prefix, ops[o], unary ? "" : ", a");
        cl_kernel kernel = new_kernel(source, "k", NULL);
        cl_long start = strstr(ops[o], "min") ? INT32_MAX : strstr(ops[o], "and") ? -1 : 0;
        cl_int start32[2] = {(cl_int)start, (cl_int)start};
        cl_long start64[2] = {start, start}, local_result = 0;
        cl_mem v = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
        cl_mem x = is_long ? new_buffer(CL_MEM_COPY_HOST_PTR, sizeof start64, start64)
                           : new_buffer(CL_MEM_COPY_HOST_PTR, sizeof start32, start32);
        cl_mem parts = new_buffer(0, ITEMS * sizeof(cl_long), NULL);
        ARG(kernel, 0, v);
        ARG(kernel, 1, x);
        ARG(kernel, 2, parts);
        run_1d(kernel, ITEMS, 64);
        read_back(x, is_long ? sizeof start64 : sizeof start32,
                  is_long ? (void *)start64 : (void *)start32);
        cl_long want = expected(ops[o], values), got = is_long ? start64[0] : start32[0];
        if (got != want)
            check_fail(__FILE__, __LINE__, "%s%s global %s: expected %lld, got %lld", prefix,
                       ops[o], type, (long long)want, (long long)got);
        /* the first group's local result against the same fold over its 64 values */
        CHECK_OK(clEnqueueReadBuffer(cl.queue, parts, CL_TRUE, 0, 8, &local_result, 0, NULL, NULL));
        static cl_long first[ITEMS];
        for (int i = 0; i < ITEMS; i++)
            first[i] = i < 64 ? values[i]
                       : strstr(ops[o], "min") || strstr(ops[o], "max") || strstr(ops[o], "and") ||
                               strstr(ops[o], "or")
                           ? values[i % 64]
                           : 0;
        cl_long local_want = unary ? (ops[o][0] == 'i' ? 64 : -64) : expected(ops[o], first);
        if (!strcmp(ops[o], "xor")) {
            local_want = 0;
            for (int i = 0; i < 64; i++)
                local_want ^= values[i];
        }
        if (local_result != local_want)
            check_fail(__FILE__, __LINE__, "%s%s local %s: expected %lld, got %lld", prefix, ops[o],
                       type, (long long)local_want, (long long)local_result);
        RELEASE_MEM(v);
        RELEASE_MEM(x);
        RELEASE_MEM(parts);
        RELEASE_KERNEL(kernel);
    }
}

static void ops_32(void)
{
    check_ops("int", "atomic_", "");
    check_ops("int", "atom_", "");
}

static void ops_64(void)
{
    if (!has_extension("cl_khr_int64_base_atomics") ||
        !has_extension("cl_khr_int64_extended_atomics"))
        check_skip("no 64-bit atomics");
    check_ops("long", "atom_",
              "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
              "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable");
}

/* Each old value is seen exactly once. */
static void returned_values(void)
{
    static cl_uint got[ITEMS], tally[ITEMS];
    cl_uint zero = 0;
    cl_kernel kernel = new_kernel("kernel void k(volatile global uint *x, global uint *o)\n"
                                  "{ o[get_global_id(0)] = atomic_inc(x); }\n",
                                  "k", NULL);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, 4, &zero), o = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, x);
    ARG(kernel, 1, o);
    run_1d(kernel, ITEMS, 0);
    read_back(o, sizeof got, got);
    memset(tally, 0, sizeof tally);
    for (int i = 0; i < ITEMS; i++) {
        REQUIRE(got[i] < ITEMS);
        tally[got[i]]++;
    }
    for (int i = 0; i < ITEMS; i++)
        REQUIRE(tally[i] == 1);
    RELEASE_MEM(x);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

/* One address for all items, of which some pass by; the least, the greatest and any bits are not
 * those that an item alone would leave. */
static void one_address(void)
{
    enum { COUNT = 4099, KINDS = 9 };
    static const char *const body =
        "    if (v[i] % 3 != 0) {\n"
        "        atomic_add(&x[0], a); atomic_sub(&x[1], a); atomic_min(&x[2], a); "
        "atomic_max(&x[3], a);\n"
        "        atomic_and(&x[4], a); atomic_or(&x[5], a & ~k); atomic_xor(&x[6], a);\n"
        "        atomic_inc(&x[7]); atomic_add(&x[8], k);\n    }\n";
    static const char *const types[] = {"int", "uint"};
    static cl_int values[COUNT];
    for (int n = 0; n < COUNT; n++)
        values[n] = (cl_int)random_below(2000000) - 1000000;
    for (size_t t = 0; t < LEN(types); t++) {
        char source[2048];
        snprintf(source, sizeof source,
                 "kernel void k(global const int *v, volatile global %s *x, %s k)\n{\n"
                 "    size_t i = get_global_id(0);\n    %s a = (%s)v[i];\n%s}\n",
                 types[t], types[t], types[t], types[t], body);
        cl_kernel kernel = new_kernel(source, "k", NULL);
        cl_uint got[KINDS], want[KINDS], k = 5, start = 123;
        for (int n = 0; n < KINDS; n++)
            got[n] = want[n] = start;
        for (int n = 0; n < COUNT; n++) {
            cl_uint a = (cl_uint)values[n];
            bool less = t ? a < want[2] : values[n] < (cl_int)want[2];
            bool more = t ? a > want[3] : values[n] > (cl_int)want[3];
            if (values[n] % 3 == 0)
                continue;
            want[0] += a, want[1] -= a, want[4] &= a, want[5] |= a & ~k, want[6] ^= a;
            want[2] = less ? a : want[2], want[3] = more ? a : want[3];
            want[7]++, want[8] += k;
        }
        cl_mem v = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values),
               x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
        ARG(kernel, 0, v);
        ARG(kernel, 1, x);
        ARG(kernel, 2, k);
        run_1d(kernel, COUNT, 0);
        read_back(x, sizeof got, got);
        for (int n = 0; n < KINDS; n++)
            if (got[n] != want[n])
                check_fail(__FILE__, __LINE__, "%s, sum %d: expected %u, got %u", types[t], n,
                           want[n], got[n]);
        RELEASE_MEM(v);
        RELEASE_MEM(x);
        RELEASE_KERNEL(kernel);
    }
}

struct taken {
    cl_ulong from, by;
};

static int by_place(const void *a, const void *b)
{
    const struct taken *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Who asks for room gets room that nobody else has, and none is left over. */
static void rooms(void)
{
    enum { COUNT = 4099, GROUP = 41 }; /* odd ones: vectors are never full everywhere */
    static const struct {
        const char *counter, *begin, *ask;
        bool down, local;
    } rows[] = {
        {"uint", "", "atomic_add(x, w)", false, false},
        {"uint", "", "atomic_sub(x, w)", true, false},
        {"ulong", "", "atom_add(x, (ulong)w)", false, false},
        {"uint",
         "local uint c; if (get_local_id(0) == 0) c = 1000000; barrier(CLK_LOCAL_MEM_FENCE); ",
         "atomic_add(&c, w)", false, true},
    };
    static cl_uint sizes[COUNT];
    static cl_ulong got[COUNT];
    static struct taken taken[COUNT];
    for (int guarded = 0; guarded < 2; guarded++)
        for (size_t r = 0; r < LEN(rows); r++) {
            char source[2048];
            snprintf(
                source, sizeof source,
                "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                "kernel void k(global const uint *s, volatile global %s *x, global ulong *o)\n{\n"
                "    size_t i = get_global_id(0);\n    uint w = s[i];\n    %s\n"
                "    ulong at = 0;\n    if (w >= %d) at = %s;\n    o[i] = at;\n}\n",
                rows[r].counter, rows[r].begin, guarded ? 5 : 0, rows[r].ask);
            cl_kernel kernel = new_kernel(source, "k", NULL);
            cl_ulong start = 1000000, from = start;
            for (int n = 0; n < COUNT; n++)
                sizes[n] = 1 + random_below(9);
            cl_mem s = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof sizes, sizes),
                   x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof start, &start),
                   o = new_buffer(0, sizeof got, NULL);
            ARG(kernel, 0, s);
            ARG(kernel, 1, x);
            ARG(kernel, 2, o);
            run_1d(kernel, COUNT / GROUP * GROUP, rows[r].local ? GROUP : 0);
            read_back(o, sizeof got, got);
            int group = rows[r].local ? GROUP : COUNT / GROUP * GROUP;
            for (int first = 0; first < COUNT / GROUP * GROUP; first += group) {
                int count = 0;
                for (int n = first; n < first + group; n++)
                    if (sizes[n] >= (guarded ? 5u : 0u))
                        taken[count++] =
                            (struct taken){rows[r].down ? 2 * start - got[n] : got[n], sizes[n]};
                qsort(taken, (size_t)count, sizeof *taken, by_place);
                from = start;
                for (int n = 0; n < count; from += taken[n++].by)
                    if (taken[n].from != from)
                        check_fail(__FILE__, __LINE__, "%s: %llu is taken, not %llu", rows[r].ask,
                                   (unsigned long long)taken[n].from, (unsigned long long)from);
            }
            RELEASE_MEM(s);
            RELEASE_MEM(x);
            RELEASE_MEM(o);
            RELEASE_KERNEL(kernel);
        }
}

static void compare_and_swap(void)
{
    cl_kernel kernel =
        new_kernel("kernel void k(volatile global uint *x, volatile global float *f)\n"
                   "{\n"
                   "    uint old;\n"
                   "    do { old = *x; } while (atomic_cmpxchg(x, old, old + 3) != old);\n"
                   "    atomic_xchg(f, 2.5f);\n"
                   "    atomic_xchg(x + 1, 9u);\n"
                   "}\n",
                   "k", NULL);
    cl_uint words[2] = {0, 0};
    float f = 0;
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof words, words),
           y = new_buffer(CL_MEM_COPY_HOST_PTR, 4, &f);
    ARG(kernel, 0, x);
    ARG(kernel, 1, y);
    run_1d(kernel, ITEMS, 0);
    read_back(x, sizeof words, words);
    read_back(y, 4, &f);
    CHECK_EQ(words[0], ITEMS * 3);
    CHECK_EQ(words[1], 9);
    CHECK(f == 2.5f);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_KERNEL(kernel);
}

static void histogram(void)
{
    enum { N = 1 << 16 };
    static cl_uchar data[N];
    cl_uint bins[256] = {0}, want[256] = {0};
    random_fill(data, N);
    for (int i = 0; i < N; i++)
        want[data[i]]++;
    cl_kernel kernel =
        new_kernel("kernel void k(global const uchar *d, volatile global uint *bins)\n"
                   "{\n"
                   "    local uint h[256];\n"
                   "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) h[i] = 0;\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "    atomic_inc(&h[d[get_global_id(0)]]);\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))\n"
                   "        atomic_add(&bins[i], h[i]);\n"
                   "}\n",
                   "k", NULL);
    cl_mem d = new_buffer(CL_MEM_COPY_HOST_PTR, N, data),
           b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof bins, bins);
    ARG(kernel, 0, d);
    ARG(kernel, 1, b);
    run_1d(kernel, N, 128);
    read_back(b, sizeof bins, bins);
    CHECK(!memcmp(bins, want, sizeof bins));
    RELEASE_MEM(d);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

/* OpenCL C 2.0 and later: the explicit form, which 3.0 always has for work-groups. */
static void c11_atomics(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    cl_device_atomic_capabilities can = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof can, &can, NULL));
    if (!(can & CL_DEVICE_ATOMIC_SCOPE_DEVICE))
        check_skip("no device scope");
    cl_kernel kernel = new_kernel(
        "kernel void k(volatile global atomic_int *x)\n"
        "{\n"
        "    atomic_fetch_add_explicit(x, 2, memory_order_relaxed, memory_scope_device);\n"
        "    atomic_fetch_max_explicit(x + 1, (int)get_global_id(0), memory_order_relaxed,\n"
        "                              memory_scope_device);\n"
        "}\n",
        "k", "-cl-std=CL3.0");
    cl_int words[2] = {0, 0};
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof words, words);
    ARG(kernel, 0, x);
    run_1d(kernel, ITEMS, 0);
    read_back(x, sizeof words, words);
    CHECK_EQ(words[0], ITEMS * 2);
    CHECK_EQ(words[1], ITEMS - 1);
    RELEASE_MEM(x);
    RELEASE_KERNEL(kernel);
}

#define ALL_SCOPES "memory_scope_all_svm_devices"

/* Each function on a global and a local object, one work-item, against what C says it returns. */
static const char c11_source[] =
    "#define EACH(x, o)                                                                 \\\n"
    "    atomic_init(x, 5);                                                             \\\n"
    "    o[0] = atomic_load(x);                                                         \\\n"
    "    atomic_store(x, 7);                                                            \\\n"
    "    o[1] = atomic_load_explicit(x, memory_order_acquire, memory_scope_work_group); \\\n"
    "    atomic_store_explicit(x, 9, memory_order_release, " ALL_SCOPES ");             \\\n"
    "    o[2] = atomic_exchange(x, 12);                                                 \\\n"
    "    o[3] = atomic_fetch_add(x, 30);                                                \\\n"
    "    o[4] = atomic_fetch_sub_explicit(x, 2, memory_order_acq_rel);                  \\\n"
    "    o[5] = atomic_fetch_and_explicit(x, 60, memory_order_seq_cst, " ALL_SCOPES "); \\\n"
    "    o[6] = atomic_fetch_or(x, 3);                                                  \\\n"
    "    o[7] = atomic_fetch_xor(x, 1);                                                 \\\n"
    "    o[8] = atomic_fetch_min(x, -4);                                                \\\n"
    "    o[9] = atomic_fetch_max(x, 20);                                                \\\n"
    "    e = 19;                                                                        \\\n"
    "    o[10] = atomic_compare_exchange_strong(x, &e, 1) ? 1000 : e;                   \\\n"
    "    o[11] = atomic_compare_exchange_strong_explicit(x, &e, 77, memory_order_acq_rel,\\\n"
    "        memory_order_acquire, " ALL_SCOPES ") ? 1000 : e;                          \\\n"
    "    do e = atomic_load(x);                                                         \\\n"
    "    while (!atomic_compare_exchange_weak(x, &e, e * 2));                           \\\n"
    "    o[12] = atomic_load(x);                                                        \\\n"
    "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE,             \\\n"
    "                           memory_order_seq_cst, " ALL_SCOPES ");\n"
    "kernel void k(global atomic_int *x, global int *o, global atomic_flag *flag)\n"
    "{\n"
    "    local atomic_int here;\n"
    "    int e;\n"
    "    EACH(x, o)\n"
    "    EACH(&here, (o + 13))\n"
    "    atomic_flag_clear(flag);\n"
    "    o[26] = atomic_flag_test_and_set(flag);\n"
    "    o[27] = atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel,\n"
    "                                              " ALL_SCOPES ");\n"
    "    atomic_flag_clear_explicit(flag, memory_order_release, memory_scope_device);\n"
    "    o[28] = atomic_flag_test_and_set(flag);\n"
    "}\n";

static void c11_functions(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    cl_device_atomic_capabilities can = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof can, &can, NULL));
    if (!(can & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) || !(can & CL_DEVICE_ATOMIC_ORDER_SEQ_CST))
        check_skip("not all scopes and orders");
    static const cl_int want[13] = {5, 7, 9, 12, 42, 40, 40, 43, 42, -4, 20, 1000, 154};
    cl_int got[29];
    cl_kernel kernel = new_kernel(c11_source, "k", "-cl-std=CL3.0");
    cl_mem x = new_buffer(0, 64, NULL), o = new_buffer(0, sizeof got, NULL),
           flag = new_buffer(0, 64, NULL);
    ARG(kernel, 0, x);
    ARG(kernel, 1, o);
    ARG(kernel, 2, flag);
    run_1d(kernel, 1, 1);
    read_back(o, sizeof got, got);
    for (int i = 0; i < 26; i++)
        CHECK_EQ(got[i], want[i % 13]);
    CHECK_EQ(got[26], 0);
    CHECK_EQ(got[27], 1);
    CHECK_EQ(got[28], 0);
    RELEASE_MEM(x);
    RELEASE_MEM(o);
    RELEASE_MEM(flag);
    RELEASE_KERNEL(kernel);
}

/* atomic_uintptr_t takes a ptrdiff_t. */
static void c11_pointers(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    cl_kernel kernel = new_kernel("kernel void k(global atomic_uintptr_t *x, global ulong *o)\n"
                                  "{\n"
                                  "    local atomic_uintptr_t here;\n"
                                  "    ptrdiff_t step = -3;\n"
                                  "    atomic_init(x, 100);\n"
                                  "    atomic_init(&here, 200);\n"
                                  "    o[0] = atomic_fetch_add(x, step);\n"
                                  "    o[1] = atomic_fetch_sub_explicit(x, step * 2,\n"
                                  "        memory_order_relaxed, memory_scope_work_group);\n"
                                  "    o[2] = atomic_load(x);\n"
                                  "    o[3] = atomic_fetch_add_explicit(&here, step,\n"
                                  "        memory_order_relaxed, memory_scope_work_group);\n"
                                  "    o[4] = atomic_load(&here);\n"
                                  "}\n",
                                  "k", "-cl-std=CL3.0");
    cl_ulong got[5];
    cl_mem x = new_buffer(0, 64, NULL), o = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, x);
    ARG(kernel, 1, o);
    run_1d(kernel, 1, 1);
    read_back(o, sizeof got, got);
    static const cl_ulong want[5] = {100, 97, 103, 200, 197};
    for (int i = 0; i < 5; i++)
        CHECK_EQ(got[i], want[i]);
    RELEASE_MEM(x);
    RELEASE_MEM(o);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(ops_32),        CASE(ops_64),           CASE(returned_values), CASE(one_address),
    CASE(rooms),         CASE(compare_and_swap), CASE(histogram),       CASE(c11_atomics),
    CASE(c11_functions), CASE(c11_pointers)};
TEST_MAIN("atomic", cases)
