/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fir_fft.c once more, on the C++ binding: the host's pipes are types, of which the design has its
 * declarations.
 *
 *     fir_fft_binding [BLOCKS]
 *
 * Exit status: 0 all bins right, 1 a difference or an OpenCL error, 77 there is no such device.
 */
#include <CL/sluice.hpp>

#include <chrono>
#include <cstdio>

#include "fir_fft_cl.h" /* made from fir_fft.cl: fir_fft_cl_source */
#include "signal_reference.h"

using namespace sluice;

struct samples_name {
    static constexpr char name[] = "samples";
};
struct bins_name {
    static constexpr char name[] = "bins";
};
using samples = pipe<samples_name, float, 8192>;
using bins = pipe<bins_name, float, 8192>;

/* What is left of numbers behind the first few. */
template <class T> struct rest {
    T *at;
    std::size_t count;
    T *data() const
    {
        return at;
    }
    std::size_t size() const
    {
        return count;
    }
};

static double stream(const context &on, cl_device_id device, std::vector<float> &taps,
                     const std::vector<float> &signal, std::vector<float> &power)
{
    program design(on, declarations<samples, bins>() + fir_fft_cl_source,
                   "-DPIPES_OF_PROGRAM -DTAPS=" + std::to_string(TAPS) +
                       " -DLOG_POINTS=" + std::to_string(LOG_POINTS));
    bound_pipes<samples, bins> bound(design);
    std::vector<float> turns(POINTS);
    make_twiddles(turns.data());
    buffer filter(on, taps), twiddles(on, turns);
    queue q(on, device); /* out of order: kernels that feed each other run at once */
    const auto count = static_cast<cl_uint>(signal.size());
    auto launch = [&](const char *name, auto... arguments) {
        q.submit([&](handler &h) {
            h.set_args(arguments(h)...);
            h.single_task(kernel(design, name));
        });
    };
    auto value = [](cl_uint number) { return [number](handler &) { return number; }; };
    auto table = [](buffer<float> &of) {
        return [&of](handler &h) { return h.get_access<access_mode::read>(of); };
    };
    auto start = std::chrono::steady_clock::now();
    launch("fir", value(count), table(filter));
    launch("fft", value(count / POINTS), table(twiddles));
    launch("power", value(count));
    for (std::size_t sent = 0, got = 0; got < power.size();) {
        const std::size_t in =
            samples::write_some(rest<const float>{signal.data() + sent, count - sent});
        const std::size_t out = bins::read_some(rest<float>{power.data() + got, count - got});
        sent += in;
        got += out;
        if (!in && !out) /* the kernels are busy: sleep until there is a bin */
            power[got++] = bins::read(q);
    }
    q.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int main(int argc, char **argv)
{
    cl_device_id device = find_dataflow_device();
    if (!device)
        return 77;
    const std::size_t blocks = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1000;
    const std::size_t count = blocks * POINTS;
    std::vector<float> taps(TAPS), signal(count), power(count);
    std::vector<double> filtered(count);
    make_signal(signal.data(), count);
    make_taps(taps.data());
    filter_samples(signal.data(), taps.data(), filtered.data(), count);
    const double time = stream(context(device), device, taps, signal, power);
    const std::size_t wrong = wrong_bins(power.data(), filtered.data(), blocks);
    std::printf("samples    %zu in %.1f ms: %.1f Msamples/s\n", count, time * 1e3,
                static_cast<double>(count) / time * 1e-6);
    std::printf("bins       %zu, %zu wrong\n", count, wrong);
    return wrong != 0;
}
