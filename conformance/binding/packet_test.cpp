/* SPDX-License-Identifier: Apache-2.0 */
/* Types of packets: what the binding declares for the host and what it generates for the program.
 */
#include "binding_test.hpp"

#include <thread>

using namespace sluice;

SLUICE_PACKET(bytes3, { cl_uchar at[3]; });
SLUICE_PACKET(record12, {
    cl_uint key;
    cl_ushort parts[3];
    cl_uchar last;
});
SLUICE_PACKET(bytes1000, { cl_uchar at[1000]; });
SLUICE_PACKET(bytes1024, { cl_uint at[256]; });
SLUICE_PACKET(bytes1500, { cl_uchar at[1500]; });
SLUICE_PACKET(wide, {
    cl_uchar tag;
    cl_double exact;
    cl_float4 place;
    cl_short3 small[3];
    cl_double2 two;
    cl_uchar16 bytes;
    cl_long8 eight;
    cl_bool yes;
});
SLUICE_PACKET(nested, {
    cl_ushort before;
    record12 parts[3];
    struct wide inside;
    cl_char wide;
});
SLUICE_PACKET(outermost, {
    nested one;
    bytes3 odd;
    cl_uint last;
});

namespace
{

using out = pipe<class out_id, cl_int, 16>;

template <class T> T pattern(int seed)
{
    T packet;
    auto *at = reinterpret_cast<unsigned char *>(&packet);
    std::memset(&packet, 0, sizeof packet);
    for (std::size_t i = 0; i < sizeof packet; i++)
        at[i] = static_cast<unsigned char>(seed * 31 + static_cast<int>(i) * 7);
    return packet;
}

class echo_in;
class echo_out;

template <class T> void echo(const char *type)
{
    using to = pipe<echo_in, T, 5>;
    using from = pipe<echo_out, T, 5>;
    design d(declarations<to, from>() + "kernel void k() { for (int i = 0; i < 13; i++) { " + type +
             " v; read_pipe_block(" + std::string(to::symbol) + ", &v); write_pipe_block(" +
             std::string(from::symbol) + ", &v); } }\n");
    bound_pipes<to, from> bound(d.program);
    d.launch("k");
    std::vector<T> sent, got(13);
    for (int i = 0; i < 13; i++)
        sent.push_back(pattern<T>(i));
    to::write(d.queue, std::vector<T>(sent.begin(), sent.begin() + 5));
    std::thread writer([&] {
        cl_command_queue queue = new_queue();
        to::write(queue, std::vector<T>(sent.begin() + 5, sent.end()));
        clReleaseCommandQueue(queue);
    });
    from::read(d.queue, got);
    writer.join();
    for (std::size_t i = 0; i < 13; i++)
        CHECK(!std::memcmp(&sent[i], &got[i], sizeof(T)));
}

void p8()
{
    echo<cl_uchar>("uchar");
    echo<bytes3>("struct bytes3");
    echo<cl_float4>("float4");
    echo<bytes1000>("struct bytes1000");
    echo<bytes1024>("struct bytes1024");
    echo<bytes1500>("struct bytes1500");
    using records = pipe<echo_in, record12, 5>;
    static_assert(sizeof(record12) == 12 && alignof(record12) == 4);
    design d(declarations<records, out>() +
             "kernel void k() { struct record12 r; read_pipe_block(" +
             std::string(records::symbol) +
             ", &r); int v = (int)(r.key * 1000 + r.parts[0] * 100 + r.parts[1] * 10 + r.parts[2]) "
             "+ r.last; write_pipe_block(" +
             std::string(out::symbol) + ", &v); }\n");
    bound_pipes<records, out> bound(d.program);
    records::write(d.queue, record12{4, {3, 2, 1}, 100});
    d.launch("k");
    CHECK(out::read(d.queue) == 4421);
}

/* What is declared here and what is generated for the program have their members at the same
 * places: a kernel says where its are. */
const std::string enable = "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n";

template <class T>
void same_layout(const std::string &members, const std::vector<std::size_t> &want)
{
    using of = pipe<class layout_id, T, 3>;
    design d(enable + of::declaration("of") + "#define AT(m) (uint)(size_t)&((global " +
             std::string(opencl_type<T>::name) + " *)0)->m\nkernel void k(global uint *to) { " +
             "const uint at[] = {" + members + "}; for (int i = 0; i < " +
             std::to_string(want.size()) + "; i++) to[i] = at[i]; " +
             std::string(opencl_type<T>::name) + " v; read_pipe(of, &v); }\n");
    cl_int rc = 0;
    std::vector<cl_uint> got(want.size());
    cl_mem to = clCreateBuffer(dut().context, 0, got.size() * 4, nullptr, &rc);
    REQUIRE_OK(rc);
    of::bind(d.program);
    of::unbind();
    d.launch("k", {to});
    d.wait();
    REQUIRE_OK(clEnqueueReadBuffer(d.queue, to, CL_TRUE, 0, got.size() * 4, got.data(), 0, nullptr,
                                   nullptr));
    for (std::size_t i = 0; i < want.size(); i++)
        if (!CHECK(got[i] == want[i]))
            std::printf("member %zu: %u in the program, %zu here\n", i, got[i], want[i]);
    clReleaseMemObject(to);
}

void packets()
{
    same_layout<wide>("AT(exact), AT(place), AT(small), AT(small[2]), AT(two), AT(bytes), "
                      "AT(eight), AT(yes), sizeof(struct wide)",
                      {offsetof(wide, exact), offsetof(wide, place), offsetof(wide, small),
                       offsetof(wide, small) + 2 * sizeof(cl_short3), offsetof(wide, two),
                       offsetof(wide, bytes), offsetof(wide, eight), offsetof(wide, yes),
                       sizeof(wide)});
    same_layout<outermost>(
        "AT(one.parts), AT(one.parts[2].last), AT(one.inside.place), AT(one.wide), AT(odd), "
        "AT(last), sizeof(struct outermost)",
        {offsetof(outermost, one.parts), offsetof(outermost, one.parts) + 2 * 12 + 10,
         offsetof(outermost, one.inside.place), offsetof(outermost, one.wide),
         offsetof(outermost, odd), offsetof(outermost, last), sizeof(outermost)});
    echo<wide>("struct wide");
    echo<outermost>("struct outermost");
    using a = pipe<class nested_a, nested>;
    using b = pipe<class nested_b, wide>;
    design twice(enable + a::declaration("a") + b::declaration("b") + declarations<a, b>() +
                 "kernel void k() { struct nested v; read_pipe_block(a, &v); "
                 "read_pipe_block(b, &v.inside); }\n");
}

const test_case cases[] = {{"p8", p8}, {"packets", packets}};

} // namespace

int main(int argc, char **argv)
{
    return run_cases(cases, argc, argv);
}
