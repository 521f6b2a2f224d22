// SPDX-License-Identifier: Apache-2.0
/*
 * SYCL designs for FPGAs that DPC++ 2025 compiles while this runs: pipes of the host and between
 * kernels, I/O pipes to the files IN and OUT, attributes of loops, memories and load-store units.
 * sycl_pipes -O0|-O2 IN OUT, with SLUICE_FPGA_IO='0=file:IN;1=file:OUT'; prints "pass|fail CASE".
 * A process for each level: DPC++'s host end of a pipe does not outlive the first bundle with it.
 */
#include <sycl/sycl.hpp>

#include <sycl/detail/host_pipe_map.hpp>
#include <sycl/ext/intel/experimental/pipes.hpp>
#include <sycl/ext/intel/fpga_extensions.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
namespace iex = sycl::ext::intel::experimental;

#define HEAD                                                                                       \
    "#include <sycl/sycl.hpp>\n#include <sycl/ext/intel/fpga_extensions.hpp>\n"                    \
    "#include <sycl/ext/intel/experimental/pipes.hpp>\n"                                           \
    "namespace ex = sycl::ext::oneapi::experimental;\nnamespace in = sycl::ext::intel;\n"          \
    "namespace iex = sycl::ext::intel::experimental;\n"                                            \
    "#define TASK extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))\n"

class ToDevice;
class FromDevice;
using Source = iex::pipe<ToDevice, int, 16>;
using Sink = iex::pipe<FromDevice, int, 16>;

/* What DPC++ calls the storage of such a pipe. */
static std::string symbol(const std::string &id)
{
    return "_ZN4sycl3_V13ext5intel12experimental4pipeI" + std::to_string(id.size()) + id +
           "iLi16ENS1_6oneapi12experimental10propertiesINS7_6detail20properties_type_listIJEEEEEvE"
           "9m_StorageE";
}

static const char host_pipes[] = HEAD R"==(
class ToDevice; class FromDevice; class Values; class Pairs;
using Source = iex::pipe<ToDevice, int, 16>;
using Sink = iex::pipe<FromDevice, int, 16>;
struct Pair { int whole; float half; char tag; };
using Halves = in::pipe<Values, float, 4>;
using Both = iex::pipe<Pairs, Pair, 0>;
TASK void splits(int n) {
    for (int i = 0; i < n; i++) {
        int value = Source::read(ex::properties{iex::latency_anchor_id<0>});
        Halves::write(value * 0.5f);
        Both::write(Pair{value, value * 0.25f, char('a' + i % 26)});
    }
}
TASK void joins(int n) {
    for (int i = 0; i < n; i++) {
        float half = Halves::read();
        bool there = false; Pair pair{};
        while (!there) pair = Both::read(there);
        Sink::write(int(half * 2) + pair.whole + int(pair.half * 4) + (pair.tag == char('a' + i % 26) ? 0 : 1000000));
    }
}
)==";

static const char io_pipes[] = HEAD R"==(
struct Number0 { static constexpr unsigned id = 0; };
struct Number1 { static constexpr unsigned id = 1; };
using From = in::kernel_readable_io_pipe<Number0, int, 8>;
using To = in::kernel_writeable_io_pipe<Number1, int, 8>;
TASK void passes(int n, int *seen) {
    for (int i = 0; i < n; i++) {
        int value = From::read();
        seen[i] = in::fpga_reg(value);
        To::write(value * 3 + 1);
    }
}
)==";

static const char attributes[] = HEAD R"==(
TASK void loops(int *data, const int *extra, int n) {
    [[intel::fpga_memory("BLOCK_RAM"), intel::numbanks(2), intel::bankwidth(4)]] int kept[64];
    [[intel::initiation_interval(1), intel::max_concurrency(2)]]
    for (int i = 0; i < 64; i++) kept[i] = data[i] + extra[i & 15];
    [[intel::ivdep, intel::loop_coalesce(2)]]
    for (int i = 0; i < n; i++) {
        [[intel::speculated_iterations(3)]]
        for (int j = 0; j < 4; j++) data[i * 4 + j] = kept[(i * 5 + j) & 63];
    }
}
TASK void units(int *data, int n) {
    using Burst = in::lsu<in::burst_coalesce<true>, in::statically_coalesce<false>>;
    using Timed = iex::lsu<in::burst_coalesce<true>>;
    for (int i = 0; i < n; i++) {
        auto at = sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(data + i);
        int value = Burst::load(at);
        Burst::store(at, in::fpga_reg(value) * 2);
        int again = Timed::load(at, ex::properties{iex::latency_anchor_id<0>});
        Timed::store(at, again + i, ex::properties{iex::latency_constraint<0, iex::latency_control_type::exact, 5>});
    }
}
TASK void places(int *device, int *host) {
    auto to = sycl::address_space_cast<sycl::access::address_space::ext_intel_global_device_space, sycl::access::decorated::yes>(device);
    auto from = sycl::address_space_cast<sycl::access::address_space::ext_intel_global_host_space, sycl::access::decorated::yes>(host);
    for (int i = 0; i < 9; i++) to[i] = from[8 - i] + i;
}
)==";

static sycl::queue *queue;
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
static std::vector<std::string> options;

static Bundle compiled(const char *text)
{
    std::string log;
    auto given =
        ex::create_kernel_bundle_from_source(queue->get_context(), ex::source_language::sycl, text);
    try {
        return ex::build(given, ex::properties{ex::build_options{options}, ex::save_log{&log}});
    } catch (...) {
        std::cout << log << std::endl;
        throw;
    }
}

template <class... A> static sycl::event task(Bundle &from, const char *name, A... args)
{
    auto kernel = from.ext_oneapi_get_kernel(name);
    return queue->submit([&](sycl::handler &h) {
        h.set_args(args...);
        h.single_task(kernel);
    });
}

static bool through_host_pipes()
{
    enum { N = 100 };
    Bundle made = compiled(host_pipes);
    auto first = task(made, "splits", (int)N), second = task(made, "joins", (int)N);
    bool right = true;
    for (int i = 0; i < N; i++) {
        Source::write(*queue, i * 7);
        right &= Sink::read(*queue) == 3 * i * 7;
    }
    first.wait_and_throw(), second.wait_and_throw();
    return right;
}

static bool through_files(const char *in, const char *out)
{
    enum { N = 333 };
    std::vector<int> words(N), back(N);
    for (int i = 0; i < N; i++)
        words[i] = i * i - 1000;
    std::ofstream(in, std::ios::binary).write((const char *)words.data(), N * sizeof(int));
    Bundle made = compiled(io_pipes);
    int *seen = sycl::malloc_shared<int>(N, *queue);
    task(made, "passes", (int)N, seen).wait_and_throw();
    std::ifstream(out, std::ios::binary).read((char *)back.data(), N * sizeof(int));
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= seen[i] == words[i] && back[i] == words[i] * 3 + 1;
    sycl::free(seen, *queue);
    return right;
}

static bool with_attributes()
{
    enum { ROWS = 11 };
    Bundle made = compiled(attributes);
    int *data = sycl::malloc_shared<int>(64, *queue), *extra = sycl::malloc_shared<int>(16, *queue);
    int *device = sycl::malloc_device<int>(9, *queue), *host = sycl::malloc_host<int>(9, *queue);
    bool right = true;
    for (int i = 0; i < 64; i++)
        data[i] = 3 * i, extra[i & 15] = 100 * (i & 15);
    task(made, "loops", data, (const int *)extra, (int)ROWS).wait_and_throw();
    for (int i = 0; i < 4 * ROWS; i++) {
        int from = (i / 4 * 5 + i % 4) & 63;
        right &= data[i] == 3 * from + 100 * (from & 15);
    }
    for (int i = 0; i < 64; i++)
        data[i] = 5 - i;
    task(made, "units", data, 63).wait_and_throw();
    for (int i = 0; i < 64; i++)
        right &= data[i] == (i < 63 ? 2 * (5 - i) + i : 5 - i);
    for (int i = 0; i < 9; i++)
        host[i] = 10 * i;
    task(made, "places", device, host).wait_and_throw();
    queue->memcpy(data, device, 9 * sizeof(int)).wait();
    for (int i = 0; i < 9; i++)
        right &= data[i] == 10 * (8 - i) + i;
    return right;
}

template <class F> static void judge(const std::string &name, F run)
{
    bool right = false;
    try {
        right = run();
    } catch (const std::exception &e) {
        std::cout << name << ": " << e.what() << std::endl;
    }
    std::cout << (right ? "pass " : "fail ") << name << std::endl;
}

int main(int, char **words)
{
    static const std::string source = symbol("ToDevice"), sink = symbol("FromDevice");
    sycl::detail::host_pipe_map::add(Source::get_host_ptr(), source.c_str());
    sycl::detail::host_pipe_map::add(Sink::get_host_ptr(), sink.c_str());
    sycl::queue first;
    queue = &first;
    std::cout << first.get_device().get_info<sycl::info::device::name>() << std::endl;
    std::string level = words[1];
    options = {"-fno-sycl-device-lib=all"};
    if (level == "-O0") // the other is what it does by itself, and no option that it knows
        options.push_back(level);
    judge("host-pipes" + level, through_host_pipes);
    judge("io-pipes" + level, [&] { return through_files(words[2], words[3]); });
    judge("attributes" + level, with_attributes);
}
