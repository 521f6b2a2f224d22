// SPDX-License-Identifier: Apache-2.0
// Boost.Compute's algorithms against the standard library's, on odd sizes; prints "pass|fail CASE".
// C++ because Boost.Compute is: it is the client. No locks: one thread.
#include <boost/compute.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace compute = boost::compute;

namespace
{

constexpr size_t size = 10007; // prime: no work-group size divides it

compute::command_queue *queue;
int failed;

void report(const char *name, bool good)
{
    std::printf("%s %s\n", good ? "pass" : "fail", name);
    std::fflush(stdout);
    failed += !good;
}

std::vector<int> numbers(int range, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<int> values(size);
    for (int &value : values)
        value = (int)(random() % (unsigned)range) - range / 2;
    return values;
}

template <typename T> compute::vector<T> there(const std::vector<T> &values)
{
    return compute::vector<T>(values.begin(), values.end(), *queue);
}

template <typename T> std::vector<T> back(const compute::vector<T> &values)
{
    std::vector<T> host(values.size());
    compute::copy(values.begin(), values.end(), host.begin(), *queue);
    return host;
}

void sorting()
{
    std::vector<int> host = numbers(1000000, 1);
    auto device = there(host);
    compute::sort(device.begin(), device.end(), *queue);
    std::vector<int> sorted = host;
    std::sort(sorted.begin(), sorted.end());
    report("sort", back(device) == sorted);

    device = there(host);
    compute::sort(device.begin(), device.end(), compute::greater<int>(), *queue);
    report("sort.greater", back(device) == std::vector<int>(sorted.rbegin(), sorted.rend()));

    std::vector<int> keys = numbers(50, 2), values(size);
    std::iota(values.begin(), values.end(), 0);
    auto device_keys = there(keys);
    auto device_values = there(values);
    compute::stable_sort_by_key(device_keys.begin(), device_keys.end(), device_values.begin(),
                                *queue);
    std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    report("stable_sort_by_key", back(device_values) == values);

    std::vector<float> floats(host.begin(), host.end());
    auto device_floats = there(floats);
    compute::sort(device_floats.begin(), device_floats.end(), *queue);
    std::sort(floats.begin(), floats.end());
    report("sort.float", back(device_floats) == floats);
}

void sums()
{
    std::vector<int> host = numbers(1000, 3);
    auto device = there(host);
    int sum = 0;
    compute::reduce(device.begin(), device.end(), &sum, *queue);
    report("reduce", sum == std::accumulate(host.begin(), host.end(), 0));
    int most = 0;
    compute::reduce(device.begin(), device.end(), &most, compute::max<int>(), *queue);
    report("reduce.max", most == *std::max_element(host.begin(), host.end()));
    auto place = compute::min_element(device.begin(), device.end(), *queue);
    report("min_element", (size_t)(place - device.begin()) ==
                              (size_t)(std::min_element(host.begin(), host.end()) - host.begin()));
    compute::vector<int> scanned(size, queue->get_context());
    std::vector<int> expected(size);
    compute::inclusive_scan(device.begin(), device.end(), scanned.begin(), *queue);
    std::partial_sum(host.begin(), host.end(), expected.begin());
    report("inclusive_scan", back(scanned) == expected);
    compute::exclusive_scan(device.begin(), device.end(), scanned.begin(), *queue);
    expected.insert(expected.begin(), 0);
    expected.pop_back();
    report("exclusive_scan", back(scanned) == expected);
    report("inner_product",
           compute::inner_product(device.begin(), device.end(), device.begin(), 0, *queue) ==
               std::inner_product(host.begin(), host.end(), host.begin(), 0));
}

void choosing()
{
    using compute::lambda::_1;
    std::vector<int> host = numbers(100, 4);
    auto device = there(host);
    auto positive = [](int value) { return value > 7; };
    report("count_if", compute::count_if(device.begin(), device.end(), _1 > 7, *queue) ==
                           (size_t)std::count_if(host.begin(), host.end(), positive));
    compute::vector<int> kept(size, queue->get_context());
    auto end = compute::copy_if(device.begin(), device.end(), kept.begin(), _1 > 7, *queue);
    std::vector<int> found = back(kept), expected;
    found.resize((size_t)(end - kept.begin()));
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), positive);
    report("copy_if", found == expected);

    auto parted = device;
    auto middle = compute::stable_partition(parted.begin(), parted.end(), _1 > 7, *queue);
    expected = host;
    auto host_middle = std::stable_partition(expected.begin(), expected.end(), positive);
    report("stable_partition",
           back(parted) == expected && middle - parted.begin() == host_middle - expected.begin());

    auto less = there(host);
    auto unique_end = compute::unique(less.begin(), less.end(), *queue);
    expected = host;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    found = back(less);
    found.resize((size_t)(unique_end - less.begin()));
    report("unique", found == expected);
    report("find", compute::find(device.begin(), device.end(), 31, *queue) - device.begin() ==
                       std::find(host.begin(), host.end(), 31) - host.begin());
}

void sets()
{
    std::vector<int> a = numbers(30000, 5), b = numbers(30000, 6);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    auto device_a = there(a), device_b = there(b);
    compute::vector<int> both(2 * size, queue->get_context());
    std::vector<int> expected(2 * size);
    compute::merge(device_a.begin(), device_a.end(), device_b.begin(), device_b.end(), both.begin(),
                   *queue);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    report("merge", back(both) == expected);

    auto end = compute::set_intersection(device_a.begin(), device_a.end(), device_b.begin(),
                                         device_b.end(), both.begin(), *queue);
    auto host_end = std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    std::vector<int> found = back(both);
    found.resize((size_t)(end - both.begin()));
    expected.resize((size_t)(host_end - expected.begin()));
    report("set_intersection", found == expected);
}

void own_functions()
{
    BOOST_COMPUTE_FUNCTION(float, wave, (float x), { return sin(x) * exp(-fabs(x) / 100.0f); });
    std::vector<float> host(size);
    for (size_t i = 0; i < size; i++)
        host[i] = 0.01f * (float)i;
    auto device = there(host);
    compute::transform(device.begin(), device.end(), device.begin(), wave, *queue);
    float worst = 0;
    std::vector<float> found = back(device);
    for (size_t i = 0; i < size; i++)
        worst = std::max(worst, std::fabs(found[i] - std::sin(host[i]) * std::exp(-host[i] / 100)));
    report("transform", worst < 1e-6f);

    compute::mersenne_twister_engine<compute::uint_> engine(*queue, 5489);
    compute::vector<compute::uint_> drawn(size, queue->get_context());
    engine.generate(drawn.begin(), drawn.end(), *queue);
    std::mt19937 random(5489);
    std::vector<compute::uint_> expected(size);
    std::generate(expected.begin(), expected.end(), random);
    report("mersenne_twister", back(drawn) == expected);

    std::vector<int> values = numbers(1000, 7), order(size);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    auto device_order = there(order);
    auto device_values = there(values);
    compute::vector<int> gathered(size, queue->get_context());
    compute::gather(device_order.begin(), device_order.end(), device_values.begin(),
                    gathered.begin(), *queue);
    found.clear();
    for (int index : order)
        found.push_back((float)values[(size_t)index]);
    std::vector<int> got = back(gathered);
    report("gather", std::equal(got.begin(), got.end(), found.begin()));
}

} // namespace

int main()
{
    compute::device device = compute::system::default_device();
    compute::context context(device);
    compute::command_queue own(context, device);
    queue = &own;
    std::printf("# %s\n", device.name().c_str());
    sorting();
    sums();
    choosing();
    sets();
    own_functions();
    return failed != 0;
}
