/* SPDX-License-Identifier: Apache-2.0 */
/*
 * systolic.c once more, on the C++ binding.
 *
 *     systolic_binding [TILES]
 *
 * Exit status: 0 all equal, 1 a difference or an OpenCL error, 77 there is no such device.
 */
#include <CL/sluice.hpp>

#include <chrono>
#include <cstdio>

#include "systolic_cl.h" /* made from systolic.cl: systolic_cl_source */

using namespace sluice;

static constexpr std::size_t SIDE = 8, INNER = 128;
using numbers = std::vector<float>;

static numbers small_numbers(std::size_t count, std::size_t factor, std::size_t range)
{
    numbers all(count);
    for (std::size_t i = 0; i < count; i++)
        all[i] = static_cast<float>(i * factor % range) - static_cast<float>(range / 2);
    return all;
}

static std::size_t wrong_elements(const numbers &a, const numbers &b, const numbers &c,
                                  std::size_t columns)
{
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size(); i++) {
        float sum = 0;
        for (std::size_t k = 0; k < INNER; k++)
            sum += a[i / columns * INNER + k] * b[k * columns + i % columns];
        wrong += c[i] != sum;
    }
    return wrong;
}

static numbers multiply(const context &on, cl_device_id device, const numbers &a, const numbers &b,
                        cl_uint down, cl_uint across)
{
    program design(on, systolic_cl_source,
                   "-DSIDE=" + std::to_string(SIDE) + " -DINNER=" + std::to_string(INNER));
    buffer left(on, a), above(on, b);
    buffer<float> sums(on, down * SIDE * across * SIDE);
    queue q(on, device); /* out of order: kernels that feed each other run at once */
    auto launch = [&](const char *name, auto &of, auto mode) {
        q.submit([&](handler &h) {
            h.set_args(h.get_access<decltype(mode)::value>(of), down, across);
            h.single_task(kernel(design, name));
        });
    };
    launch("feed_a", left, std::integral_constant<access_mode, access_mode::read>());
    launch("feed_b", above, std::integral_constant<access_mode, access_mode::read>());
    launch("collect", sums, std::integral_constant<access_mode, access_mode::write>());
    return sums.read(q);
}

int main(int argc, char **argv)
{
    cl_device_id device = find_dataflow_device();
    if (!device)
        return 77;
    const auto tiles = static_cast<cl_uint>(argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 16);
    const std::size_t rows = tiles * SIDE, columns = (tiles + 1) * SIDE;
    const numbers a = small_numbers(rows * INNER, 7, 31),
                  b = small_numbers(columns * INNER, 13, 29);
    auto start = std::chrono::steady_clock::now();
    const numbers c = multiply(context(device), device, a, b, tiles, tiles + 1);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    const std::size_t wrong = wrong_elements(a, b, c, columns);
    std::printf("matrices   %zu x %zu times %zu x %zu: %.1f ms, build included\n", rows, INNER,
                INNER, columns, time.count() * 1e3);
    std::printf("elements   %zu, %zu wrong\n", c.size(), wrong);
    return wrong != 0 || c.size() != rows * columns;
}
