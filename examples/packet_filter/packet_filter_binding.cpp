/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packet_filter.c once more, on the C++ binding: the same design between the same files. The
 * design's I/O channels are types here; the program is asked whether it agrees with them.
 *
 *     packet_filter_binding [PACKETS [FOLDER]]
 *
 * Exit status: 0 all equal, 1 a difference or an OpenCL error, 77 there is no such device.
 */
#include <CL/sluice.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

extern "C" {
#include "packet.h"
}
#include "packet_filter_cl.h" /* made from packet_filter.cl: packet_filter_cl_source */
#include "packet_h.h"         /* made from packet.h: packet_h_source */

using namespace sluice;

struct packets_in {
    static constexpr char name[] = "packets_in";
};
struct packets_out {
    static constexpr char name[] = "packets_out";
};
using capture_pipe = kernel_readable_io_pipe<packets_in, packet, 64>;
using accepted_pipe = kernel_writeable_io_pipe<packets_out, packet, 64>;

static const std::vector<rule> rules = {
    {0x0a000000, 0xff000000, 0, 0, 0, 0, 17, 1},
    {0, 0, 0xc0a80100, 0xffffff00, 80, 443, 6, 1},
    {0, 0, 0, 0, 1, 1023, 0, 0},
    {0, 0, 0, 0, 0, 0, 6, 1},
};

struct filtered {
    std::vector<packet> packets;
    std::vector<cl_uint> counters = std::vector<cl_uint>(3 + rules.size());
};

static std::vector<packet> make_capture(std::size_t count)
{
    const packet_u32 nets[] = {0x0a000000, 0xc0a80100, 0xac100000};
    std::vector<packet> capture(count);
    packet_u32 state = 7;
    for (std::size_t i = 0; i < count; i++) {
        packet &p = capture[i];
        for (packet_u8 &byte : p.payload)
            byte = static_cast<packet_u8>((state = state * 1664525u + 1013904223u) >> 24);
        p.kind = i == 0;
        p.source = nets[(state >> 9) % 3] | ((state >> 12) & 0xffff);
        p.target = nets[(state >> 17) % 3] | ((state >> 14) & 0xff);
        p.target_port = static_cast<packet_u16>((state >> 6) % 1200);
        p.length = static_cast<packet_u16>(40 + (state >> 10) % 1460);
        p.protocol = (state >> 21) % 2 ? 6 : 17;
    }
    return capture;
}

static filtered plain_filter(const std::vector<packet> &capture)
{
    filtered result;
    for (const packet &p : capture) {
        auto matches = [&p](const rule &r) {
            return !((p.source ^ r.source) & r.source_mask) &&
                   !((p.target ^ r.target) & r.target_mask) &&
                   (!r.protocol || r.protocol == p.protocol) &&
                   (!r.last_port ||
                    (p.target_port >= r.first_port && p.target_port <= r.last_port));
        };
        auto found = p.kind ? rules.end() : std::find_if(rules.begin(), rules.end(), matches);
        bool accept = p.kind || (found != rules.end() && found->accept);
        if (found != rules.end())
            result.counters[3 + static_cast<std::size_t>(found - rules.begin())]++;
        result.counters[accept ? 0 : 1]++;
        result.counters[2] += accept ? p.length : 0;
        if (accept)
            result.packets.push_back(p);
    }
    return result;
}

static filtered run(const context &on, cl_device_id device, cl_uint count)
{
    program design(on, std::string(packet_h_source) + packet_filter_cl_source);
    for (const std::string &sentence : {capture_pipe::mismatch(design, "packets_in"),
                                        accepted_pipe::mismatch(design, "packets_out")})
        if (!sentence.empty())
            std::printf("%s\n", sentence.c_str());
    queue q(on, device);
    kernel classify(design, "classify"), forward(design, "forward");
    filtered result;
    buffer table(on, rules);
    buffer counters(on, result.counters);
    q.submit([&](handler &h) {
        h.set_args(count, h.get_access<access_mode::read>(table),
                   static_cast<cl_uint>(rules.size()));
        h.single_task(classify);
    });
    q.submit([&](handler &h) {
        h.set_args(count, h.get_access<access_mode::read_write>(counters));
        h.single_task(forward);
    });
    q.wait();
    result.counters = counters.read(q);
    return result; /* the program goes, and with it what is still on its way to the file */
}

int main(int argc, char **argv)
{
    cl_device_id device = find_dataflow_device();
    if (!device)
        return 77;
    const auto count = static_cast<cl_uint>(argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 200000);
    const std::string folder = argc > 2 ? argv[2] : ".", in = folder + "/binding_in.cap",
                      out = folder + "/binding_out.cap";
    const std::vector<packet> capture = make_capture(count);
    std::ofstream(in, std::ios::binary)
        .write(reinterpret_cast<const char *>(capture.data()),
               static_cast<std::streamsize>(count * sizeof(packet)));
    capture_pipe::connect(properties{io_target{"file:" + in}}, "packets_in");
    accepted_pipe::connect(properties{io_target{"file:" + out}}, "packets_out");
    auto start = std::chrono::steady_clock::now();
    const filtered want = plain_filter(capture), got = run(context(device), device, count);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::ifstream file(out, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const bool equal = bytes.size() == want.packets.size() * sizeof(packet) &&
                       !std::memcmp(bytes.data(), want.packets.data(), bytes.size());
    std::printf("packets    %u in %.1f ms, build and check included\n", count, time.count() * 1e3);
    std::printf("accepted   %u; the file is %s, the counters are %s\n", got.counters[0],
                equal ? "right" : "WRONG", got.counters == want.counters ? "right" : "WRONG");
    return !equal || got.counters != want.counters;
}
