// SPDX-License-Identifier: Apache-2.0
/*
 * SYCL programs that DPC++'s run-time compiles while this runs: kernels of one source against loops
 * of the host, unified shared memory of all kinds, variables of a program, graphs, host tasks, two
 * threads at once. Prints "pass|fail CASE". Any C++ compiler makes it; the device compiler is the
 * run-time's.
 */
#include <sycl/sycl.hpp>

#include <cmath>
#include <complex>
#include <functional>
#include <iostream>
#include <numeric>
#include <thread>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::bfloat16;

static const char source[] = R"==(
#include <sycl/sycl.hpp>
#include <cassert>
#include <complex>
namespace one = sycl::ext::oneapi;
namespace ex = sycl::ext::oneapi::experimental;
#define KERNEL(dims) extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<dims>))
static auto item() { return one::this_work_item::get_nd_item<1>(); }

KERNEL(1) void add(const float *a, const float *b, float *c, int n) {
    size_t i = item().get_global_linear_id();
    if (i < n) c[i] = a[i] + b[i];
}
KERNEL(1) void sums(const int *in, int *groups, int *rows, int *scan) {
    auto it = item();
    size_t i = it.get_global_id(0);
    int sum = sycl::reduce_over_group(it.get_group(), in[i], sycl::plus<>());
    int most = sycl::reduce_over_group(it.get_sub_group(), in[i], sycl::maximum<>());
    scan[i] = sycl::exclusive_scan_over_group(it.get_group(), in[i], sycl::plus<>());
    if (!it.get_local_id(0)) groups[it.get_group(0)] = sum;
    rows[i] = most;
}
#define IN_ROWS(n) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::sub_group_size<n>))
#define ROWS(n) extern "C" IN_ROWS(n) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>)) \
    void rows##n(int *out) { \
        auto sg = item().get_sub_group(); size_t i = item().get_global_id(0); int v = i * 3 + 1; \
        int w = sycl::shift_group_left(sg, v, 1) + 10 * sycl::permute_group_by_xor(sg, v, 2) \
                + 100 * sycl::select_from_group(sg, v, 3) + 1000 * sycl::group_broadcast(sg, v, 1); \
        if (sg.get_local_linear_id() + 1 == sg.get_local_linear_range()) w = 0; \
        out[i] = w + (int)sg.get_max_local_range()[0] * 1000000; }
ROWS(4) ROWS(8) ROWS(16) ROWS(32)
KERNEL(1) void atomics(int *n, float *f, double *d, unsigned long *mask, int *least) {
    using sycl::memory_order; using sycl::memory_scope;
    int i = item().get_global_id(0);
    sycl::atomic_ref<int, memory_order::acq_rel, memory_scope::device> a(*n); a.fetch_add(i);
    sycl::atomic_ref<float, memory_order::relaxed, memory_scope::device> b(*f); b.fetch_add(0.5f);
    sycl::atomic_ref<double, memory_order::relaxed, memory_scope::device> c(*d); c.fetch_max(i * 0.25);
    sycl::atomic_ref<unsigned long, memory_order::seq_cst, memory_scope::system> m(*mask); m.fetch_or(1ul << (i & 63));
    sycl::atomic_ref<int, memory_order::relaxed, memory_scope::device> l(*least);
    int seen = l.load(); while (-i < seen && !l.compare_exchange_strong(seen, -i)) {}
}
KERNEL(1) void narrow(const float *in, one::bfloat16 *b, sycl::half *h) {
    size_t i = item().get_global_id(0);
    b[i] = one::bfloat16(in[i]) * one::bfloat16(1.5f);
    h[i] = sycl::half(in[i]) * sycl::half(1.5f);
}
KERNEL(1) void turned(ex::work_group_memory<int[64]> room, int *data) {
    auto it = item(); size_t l = it.get_local_id(0);
    room[l] = data[it.get_global_id(0)];
    sycl::group_barrier(it.get_group());
    data[it.get_global_id(0)] = room[it.get_local_range(0) - 1 - l];
}
/* A-9: pointers by space, with decoration and without, and through generic ones; a cast to a space that is not
 * reached gives none. */
KERNEL(1) void pointers(ex::work_group_memory<int[16]> room, int *data, int *out) {
    using sycl::access::address_space; using sycl::access::decorated;
    auto it = item(); size_t i = it.get_global_id(0), l = it.get_local_id(0);
    int own = data[i] * 3;
    room[l] = data[i] * 2;
    sycl::group_barrier(it.get_group());
    auto global = sycl::address_space_cast<address_space::global_space, decorated::yes>(data);
    auto local = sycl::address_space_cast<address_space::local_space, decorated::no>(&room[0]);
    auto mine = sycl::address_space_cast<address_space::private_space, decorated::yes>(&own);
    sycl::multi_ptr<const int, address_space::global_space, decorated::yes> constant = global;
    using any = sycl::multi_ptr<int, address_space::generic_space, decorated::no>;
    any one = i % 3 == 0 ? any(global + i) : i % 3 == 1 ? any(local + l) : any(mine);
    auto wrong = sycl::address_space_cast<address_space::local_space, decorated::no>(data);
    *one += 5;
    out[i] = *one.get_raw() + 1000 * constant[i] + (wrong.get_raw() ? 0 : 1000000);
}
KERNEL(3) void places(int *out) {
    auto it = one::this_work_item::get_nd_item<3>();
    out[it.get_global_linear_id()] = it.get_global_id(0) * 10000 + it.get_global_id(1) * 100 + it.get_global_id(2);
}
KERNEL(1) void complex_numbers(std::complex<double> *c) {
    size_t i = item().get_global_id(0); c[i] = std::exp(c[i]) * c[i];
}
KERNEL(1) void vectors(sycl::vec<float, 8> *v, sycl::vec<int, 3> *w) {
    size_t i = item().get_global_id(0);
    v[i] = v[i].swizzle<7, 6, 5, 4, 3, 2, 1, 0>() * 2.f; w[i] = w[i] + w[i].swizzle<1, 2, 0>();
}
KERNEL(1) void tells(sycl::stream out, int n, const float *x) {
    size_t i = item().get_global_id(0);
    if (i % 5 == 2) out << "item " << i << " of " << n << ", " << x[i] << " " << sycl::hex << n << sycl::endl;
}
KERNEL(1) void says(int n) { ex::printf("said %d %s\n", n, "aloud"); assert(n > 40); }
)==";

/* By themselves: the run-time compiler of 2026.2 fails where other kernels stand beside them. */
static const char with_globals[] = R"==(
#include <sycl/sycl.hpp>
namespace one = sycl::ext::oneapi;
namespace ex = sycl::ext::oneapi::experimental;
ex::device_global<int> scale;
ex::device_global<int[4]> offsets;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>)) void globals(int *out) {
    size_t i = one::this_work_item::get_nd_item<1>().get_global_id(0);
    out[i] = (int)i * scale + offsets[i & 3];
}
)==";

static sycl::queue *queue;
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
static Bundle *bundle;

template <class T> static T *shared(size_t n)
{
    return sycl::malloc_shared<T>(n, *queue);
}

template <class... A>
static void launch_of(Bundle &from, const char *name, size_t all, size_t group, A... args)
{
    auto kernel = from.ext_oneapi_get_kernel(name);
    queue
        ->submit([&](sycl::handler &h) {
            h.set_args(args...);
            h.parallel_for(sycl::nd_range<1>{all, group}, kernel);
        })
        .wait_and_throw();
}

template <class... A> static void launch(const char *name, size_t all, size_t group, A... args)
{
    launch_of(*bundle, name, all, group, args...);
}

static Bundle compiled(const sycl::queue &q, const std::string &text)
{
    auto given =
        ex::create_kernel_bundle_from_source(q.get_context(), ex::source_language::sycl, text);
    return ex::build(given);
}

static bool adds()
{
    int n = 1000;
    float *a = shared<float>(n), *b = shared<float>(n), *c = shared<float>(n);
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 2 * i;
    launch("add", 1024, 64, (const float *)a, (const float *)b, c, n);
    for (int i = 0; i < n; i++)
        if (c[i] != 3 * i)
            return false;
    return true;
}

static bool sums()
{
    enum { ALL = 384, GROUP = 96 };
    int *in = shared<int>(ALL), *groups = shared<int>(ALL / GROUP), *rows = shared<int>(ALL),
        *scan = shared<int>(ALL);
    for (int i = 0; i < ALL; i++)
        in[i] = (i * 37) % 101 - 50;
    launch("sums", ALL, GROUP, (const int *)in, groups, rows, scan);
    bool right = true;
    for (int g = 0; g < ALL / GROUP; g++)
        for (int i = 0, sum = 0; i < GROUP; i++) {
            right &= scan[g * GROUP + i] == sum && rows[g * GROUP + i] >= in[g * GROUP + i];
            sum += in[g * GROUP + i];
            right &= i + 1 < GROUP || groups[g] == sum;
        }
    return right;
}

static bool rows_of(const char *name, int size)
{
    enum { ALL = 128 };
    int *out = shared<int>(ALL);
    launch(name, ALL, 64, out);
    auto value = [](int i) { return i * 3 + 1; };
    for (int i = 0; i < ALL; i++) {
        int first = i / size * size, at = i - first;
        int want = value(i + 1) + 10 * value(first + (at ^ 2)) + 100 * value(first + 3) +
                   1000 * value(first + 1);
        if (out[i] != (at + 1 == size ? 0 : want) + size * 1000000)
            return false;
    }
    return true;
}

static bool rows()
{
    bool right = true;
    auto sizes = queue->get_device().get_info<sycl::info::device::sub_group_sizes>();
    for (int size : {4, 8, 16, 32})
        if (std::find(sizes.begin(), sizes.end(), size) != sizes.end())
            right &= rows_of(("rows" + std::to_string(size)).c_str(), size);
    return right;
}

static bool atomics()
{
    enum { ALL = 4096 };
    int *n = shared<int>(1), *least = shared<int>(1);
    float *f = shared<float>(1);
    double *d = shared<double>(1);
    unsigned long *mask = shared<unsigned long>(1);
    *n = *least = 0, *f = 0, *d = -1, *mask = 0;
    launch("atomics", ALL, 64, n, f, d, mask, least);
    return *n == ALL * (ALL - 1) / 2 && *f == ALL / 2 && *d == (ALL - 1) * 0.25 && ~*mask == 0 &&
           *least == 1 - ALL;
}

static bool narrow()
{
    enum { ALL = 77 };
    float *in = shared<float>(ALL);
    bfloat16 *b = shared<bfloat16>(ALL);
    sycl::half *h = shared<sycl::half>(ALL);
    for (int i = 0; i < ALL; i++)
        in[i] = (i - 30) * 0.37f;
    launch("narrow", ALL, 11, (const float *)in, b, h);
    for (int i = 0; i < ALL; i++)
        if ((float)b[i] != (float)(bfloat16(in[i]) * bfloat16(1.5f)) ||
            (float)h[i] != (float)(sycl::half(in[i]) * sycl::half(1.5f)))
            return false;
    return true;
}

static bool globals()
{
    enum { ALL = 40 };
    int *out = shared<int>(ALL), scale = 7, offsets[] = {100, 200, 300, 400};
    sycl::device device = queue->get_device();
    Bundle own = compiled(*queue, with_globals);
    queue->memcpy(own.ext_oneapi_get_device_global_address("scale", device), &scale, sizeof scale);
    queue->memcpy(own.ext_oneapi_get_device_global_address("offsets", device), offsets,
                  sizeof offsets);
    queue->wait();
    launch_of(own, "globals", ALL, 8, out);
    for (int i = 0; i < ALL; i++)
        if (out[i] != i * scale + offsets[i & 3])
            return false;
    return true;
}

static bool turned()
{
    enum { ALL = 256, GROUP = 64 };
    int *data = shared<int>(ALL);
    std::iota(data, data + ALL, 0);
    auto kernel = bundle->ext_oneapi_get_kernel("turned");
    queue
        ->submit([&](sycl::handler &h) {
            ex::work_group_memory<int[GROUP]> room{h};
            h.set_args(room, data);
            h.parallel_for(sycl::nd_range<1>{ALL, GROUP}, kernel);
        })
        .wait_and_throw();
    for (int i = 0; i < ALL; i++)
        if (data[i] != i / GROUP * GROUP + GROUP - 1 - i % GROUP)
            return false;
    return true;
}

static bool pointers()
{
    enum { ALL = 48, GROUP = 16 };
    int *data = shared<int>(ALL), *out = shared<int>(ALL);
    std::iota(data, data + ALL, 1);
    auto kernel = bundle->ext_oneapi_get_kernel("pointers");
    queue
        ->submit([&](sycl::handler &h) {
            ex::work_group_memory<int[GROUP]> room{h};
            h.set_args(room, data, out);
            h.parallel_for(sycl::nd_range<1>{ALL, GROUP}, kernel);
        })
        .wait_and_throw();
    for (int i = 0; i < ALL; i++) {
        int one = (i + 1) * (i % 3 + 1) + 5, left = i + 1 + (i % 3 ? 0 : 5);
        if (data[i] != left || out[i] != one + 1000 * left + 1000000)
            return false;
    }
    return true;
}

static bool places()
{
    int *out = shared<int>(4 * 6 * 10);
    auto kernel = bundle->ext_oneapi_get_kernel("places");
    queue
        ->submit([&](sycl::handler &h) {
            h.set_args(out);
            h.parallel_for(sycl::nd_range<3>{{4, 6, 10}, {2, 3, 5}}, kernel);
        })
        .wait_and_throw();
    for (int i = 0; i < 4 * 6 * 10; i++)
        if (out[i] != i / 60 * 10000 + i / 10 % 6 * 100 + i % 10)
            return false;
    return true;
}

static bool complex_numbers()
{
    enum { ALL = 33 };
    auto *c = shared<std::complex<double>>(ALL);
    std::vector<std::complex<double>> want;
    for (int i = 0; i < ALL; i++) {
        c[i] = {i * 0.1 - 1, 2 - i * 0.2};
        want.push_back(std::exp(c[i]) * c[i]);
    }
    launch("complex_numbers", ALL, 11, c);
    for (int i = 0; i < ALL; i++)
        if (std::abs(c[i] - want[i]) > 1e-13 * std::abs(want[i]))
            return false;
    return true;
}

static bool vectors()
{
    enum { ALL = 9 };
    auto *v = shared<sycl::vec<float, 8>>(ALL);
    auto *w = shared<sycl::vec<int, 3>>(ALL);
    for (int i = 0; i < ALL; i++) {
        for (int k = 0; k < 8; k++)
            v[i][k] = i * 8 + k;
        for (int k = 0; k < 3; k++)
            w[i][k] = i * 3 + k;
    }
    launch("vectors", ALL, 3, v, w);
    bool right = true;
    for (int i = 0; i < ALL; i++) {
        for (int k = 0; k < 8; k++)
            right &= v[i][k] == 2 * (i * 8 + 7 - k);
        for (int k = 0; k < 3; k++)
            right &= w[i][k] == i * 6 + k + (k + 1) % 3;
    }
    return right;
}

static bool says()
{
    launch("says", 1, 1, 41);
    return true;
}

/* What it prints is the script's to check: three lines in any order. */
static bool tells()
{
    float *x = shared<float>(16);
    for (int i = 0; i < 16; i++)
        x[i] = i * 0.25f - 1;
    auto kernel = bundle->ext_oneapi_get_kernel("tells");
    queue
        ->submit([&](sycl::handler &h) {
            sycl::stream out(4096, 256, h);
            h.set_args(out, 77, (const float *)x);
            h.parallel_for(sycl::nd_range<1>{16, 8}, kernel);
        })
        .wait_and_throw();
    return true;
}

/* From each kind of memory to each, the application's own included, by way of the device. */
static bool memory_of_all_kinds()
{
    enum { N = 1001 };
    std::vector<int> own(N), back(N);
    int *kinds[] = {sycl::malloc_host<int>(N, *queue), sycl::malloc_device<int>(N, *queue),
                    sycl::malloc_shared<int>(N, *queue), own.data()};
    bool right = true;
    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 4; to++) {
            if (from == to)
                continue;
            int seed = from * 100 + to;
            for (int i = 0; i < N; i++)
                back[i] = seed + i;
            auto first = queue->memcpy(kinds[from], back.data(), N * sizeof(int));
            auto second = queue->memcpy(kinds[to], kinds[from], N * sizeof(int), first);
            queue->memcpy(back.data(), kinds[to], N * sizeof(int), second).wait();
            for (int i = 0; i < N; i++)
                right &= back[i] == seed + i;
        }
    queue->fill(kinds[1], 0x1234567, N).wait();
    queue->memset(kinds[1] + 1, 0x5a, 8).wait();
    queue->memcpy(back.data(), kinds[1], N * sizeof(int)).wait();
    right &= back[0] == 0x1234567 && back[1] == 0x5a5a5a5a && back[3] == 0x1234567;
    auto context = queue->get_context();
    right &= sycl::get_pointer_type(kinds[0], context) == sycl::usm::alloc::host &&
             sycl::get_pointer_type(kinds[1] + 5, context) == sycl::usm::alloc::device &&
             sycl::get_pointer_type(kinds[2], context) == sycl::usm::alloc::shared &&
             sycl::get_pointer_type(kinds[3], context) == sycl::usm::alloc::unknown;
    for (int k = 0; k < 3; k++)
        sycl::free(kinds[k], *queue);
    return right;
}

static bool buffers_and_host_tasks()
{
    enum { N = 500 };
    std::vector<float> a(N, 1.5f), c(N);
    float *b = shared<float>(N), *sum = shared<float>(N);
    std::fill(b, b + N, 0.f);
    auto kernel = bundle->ext_oneapi_get_kernel("add");
    float *given = shared<float>(N);
    std::copy(a.begin(), a.end(), given);
    bool ran = false;
    auto filled = queue->submit([&](sycl::handler &h) {
        h.host_task([&] {
            for (int i = 0; i < N; i++)
                b[i] = i;
        });
    });
    auto added = queue->submit([&](sycl::handler &h) {
        h.depends_on(filled);
        h.set_args((const float *)given, (const float *)b, sum, (int)N);
        h.parallel_for(sycl::nd_range<1>{512, 64}, kernel);
    });
    queue
        ->submit([&](sycl::handler &h) {
            h.depends_on(added);
            h.host_task([&] { ran = sum[7] == 8.5f; });
        })
        .wait();
    return ran && sum[N - 1] == N + 0.5f;
}

static bool graphs()
{
    enum { N = 256 };
    if (!queue->get_device().has(sycl::aspect::ext_oneapi_limited_graph))
        return true;
    float *a = shared<float>(N), *b = shared<float>(N), *c = shared<float>(N);
    std::fill(a, a + N, 1.f), std::fill(b, b + N, 0.f), std::fill(c, c + N, 0.f);
    auto kernel = bundle->ext_oneapi_get_kernel("add");
    sycl::queue own{queue->get_context(), queue->get_device(), sycl::property::queue::in_order()};
    ex::command_graph<ex::graph_state::modifiable> graph{own};
    graph.begin_recording(own);
    own.submit([&](sycl::handler &h) {
        h.set_args((const float *)a, (const float *)b, c, (int)N);
        h.parallel_for(sycl::nd_range<1>{N, 32}, kernel);
    });
    own.memcpy(b, c, N * sizeof(float));
    graph.end_recording();
    auto ready = graph.finalize();
    for (int k = 0; k < 5; k++)
        own.ext_oneapi_graph(ready);
    own.wait();
    return c[0] == 5.f && b[N - 1] == 5.f;
}

static bool compiles_and_adds(int seed)
{
    sycl::queue own{queue->get_context(), queue->get_device()};
    std::string text = "#include <sycl/sycl.hpp>\n"
                       "namespace ex = sycl::ext::oneapi::experimental;\n"
                       "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))\n"
                       "void one(int *out) { size_t i = sycl::ext::oneapi::this_work_item::"
                       "get_nd_item<1>().get_global_id(0); out[i] = i + " +
                       std::to_string(seed) + "; }\n";
    Bundle made = compiled(own, text);
    auto kernel = made.ext_oneapi_get_kernel("one");
    int *out = sycl::malloc_shared<int>(64, own);
    for (int k = 0; k < 50; k++)
        own.submit([&](sycl::handler &h) {
               h.set_args(out);
               h.parallel_for(sycl::nd_range<1>{64, 8}, kernel);
           })
            .wait();
    bool right = true;
    for (int i = 0; i < 64; i++)
        right &= out[i] == i + seed;
    sycl::free(out, own);
    return right;
}

static bool two_threads()
{
    bool right[2] = {};
    std::thread other([&] { right[1] = compiles_and_adds(2000); });
    right[0] = compiles_and_adds(1000);
    other.join();
    return right[0] && right[1];
}

static bool empty_launches()
{
    auto kernel = bundle->ext_oneapi_get_kernel("add");
    float *a = shared<float>(1);
    for (int i = 0; i < 2000; i++)
        queue->submit([&](sycl::handler &h) {
            h.set_args((const float *)a, (const float *)a, a, 0);
            h.parallel_for(sycl::nd_range<1>{1, 1}, kernel);
        });
    queue->wait();
    return true;
}

/* The launch ends, or the process. */
static bool fails_assertion()
{
    launch("says", 1, 1, 40);
    return true;
}

/* Of the named case alone, or of all but this last one. */
int main(int count, char **names)
{
    static const struct {
        const char *name;
        bool (*run)();
    } cases[] = {{"add", adds},
                 {"sums-and-scans", sums},
                 {"sub-groups", rows},
                 {"atomics", atomics},
                 {"bfloat16-and-half", narrow},
                 {"device-global", globals},
                 {"work-group-memory", turned},
                 {"multi-ptr", pointers},
                 {"three-dimensions", places},
                 {"complex", complex_numbers},
                 {"vectors", vectors},
                 {"printf-and-assert", says},
                 {"stream", tells},
                 {"memory-of-all-kinds", memory_of_all_kinds},
                 {"host-tasks", buffers_and_host_tasks},
                 {"graphs", graphs},
                 {"two-threads", two_threads},
                 {"empty-launches", empty_launches},
                 {"failed-assertion", fails_assertion}};
    sycl::queue first{sycl::property::queue::in_order()};
    queue = &first;
    std::cout << first.get_device().get_info<sycl::info::device::name>() << std::endl;
    Bundle made = compiled(first, source);
    bundle = &made;
    for (auto &one : cases) {
        bool right = false, alone = one.run == fails_assertion;
        if (count > 1 ? one.name != std::string(names[1]) : alone)
            continue;
        try {
            right = one.run();
        } catch (const std::exception &e) {
            std::cout << one.name << ": " << e.what() << std::endl;
        }
        std::cout << (right ? "pass " : "fail ") << one.name << std::endl;
    }
}
