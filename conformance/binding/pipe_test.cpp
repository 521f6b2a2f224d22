/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes of the binding against the emulated FPGA; packet_test.cpp has what goes through. Cases bear
 * the numbers of their requirements (docs/requirements.md). */
#include "binding_test.hpp"

#include <numeric>
#include <thread>

using namespace sluice;

namespace
{

struct in_id {
    static constexpr char name[] = "in";
};
struct out_id {
    static constexpr char name[] = "out";
};
using in = pipe<in_id, cl_int, 16>;
using out = pipe<out_id, cl_int, 16>;

const std::string add_seven = "kernel void k() { for (int i = 0; i < N; i++) { int v; "
                              "read_pipe_block(in, &v); v += 7; write_pipe_block(out, &v); } }\n";

std::string loops(int rounds)
{
    return "#define N " + std::to_string(rounds) + "\n" + declarations<in, out>() + add_seven;
}

/* ---- connections, identity ------------------------------------------------------------------- */

class inner_id;
class self_id;

/* Kernel to kernel, to itself, with the host; with a peripheral: p49. */
void p1()
{
    using inner = pipe<inner_id, cl_int, 3>;
    using self = pipe<self_id, cl_int, 2>;
    design d(declarations<in, out>() + inner::kernel_declaration("inner") +
             self::kernel_declaration("self") +
             "kernel void a() { for (int i = 0; i < 100; i++) { int v; read_pipe_block(in, &v); "
             "write_pipe_block(self, &v); int w; read_pipe_block(self, &w); w *= 3; "
             "write_pipe_block(inner, &w); } }\n"
             "kernel void b() { for (int i = 0; i < 100; i++) { int v; read_pipe_block(inner, &v); "
             "write_pipe_block(out, &v); } }\n");
    bound_pipes<in, out> bound(d.program);
    d.launch("a");
    d.launch("b");
    std::thread writer([&d] {
        for (int i = 0; i < 100; i++)
            in::write(d.queue, i);
    });
    cl_command_queue queue = new_queue();
    int wrong = 0;
    for (int i = 0; i < 100; i++)
        wrong += out::read(queue) != 3 * i;
    writer.join();
    CHECK(wrong == 0);
    clReleaseCommandQueue(queue);
}

/* Two programs with the same pipes are two designs: what one holds stays with it. */
void p2()
{
    design first(loops(1)), second(loops(1));
    in::bind(first.program);
    in::write(first.queue, 1);
    in::bind(second.program, dut().device);
    in::write(second.queue, 100);
    first.launch("k");
    second.launch("k");
    out::bind(first.program);
    CHECK(out::read(first.queue) == 8);
    out::bind(second.program);
    CHECK(out::read(second.queue) == 107);
    in::unbind();
    out::unbind();
}

class same;

void p3_of_a_type()
{
    using a = pipe<same, long>;
    using b = pipe<same, long long>;
    using c = pipe<same, const long>;
    design d(declarations<a, b, c>() + a::pipe_declaration("A") + b::pipe_declaration("B") +
             c::pipe_declaration("C") +
             "kernel void k() { long i, j; read_pipe_block(A, &i); read_pipe_block(B, &j); "
             "i += 10 * j; write_pipe_block(C, &i); }\n");
    bound_pipes<a, b, c> bound(d.program);
    b::write(d.queue, 2);
    a::write(d.queue, 1);
    d.launch("k");
    CHECK(c::read(d.queue) == 21);
    std::vector<long> none(3);
    CHECK(c::read_some(none) == 0);
}

void p3()
{
    p3_of_a_type();
    using a = pipe<same, cl_int>;
    using b = pipe<same, cl_float>;
    using c = pipe<same, cl_int, 5>;
    using e = pipe<same, cl_int, 5, decltype(properties{bits_per_symbol<16>})>;
    design d(declarations<a, b, c, e>() + "#define A " + std::string(a::symbol) + "\n#define B " +
             std::string(b::symbol) + "\n#define C " + std::string(c::symbol) + "\n#define E " +
             std::string(e::symbol) +
             "\nkernel void k() { int i; float f; read_pipe_block(A, &i); read_pipe_block(B, &f); "
             "int j; read_pipe_block(C, &j); int v = i + 10 * (int)f + 100 * j; "
             "write_pipe_block(E, &v); }\n");
    bound_pipes<a, b, c, e> bound(d.program);
    c::write(d.queue, 3);
    b::write(d.queue, 2.0f);
    a::write(d.queue, 1);
    d.launch("k");
    CHECK(e::read(d.queue) == 321);
}

#define TEN(a) a##a##a##a##a##a##a##a##a##a
#define TEN_OF(a) TEN(a)
#define HUNDRED(a) TEN_OF(TEN(a))
class HUNDRED(long_name_x);
using long_named = pipe<HUNDRED(long_name_x), cl_int, 4>;

/* More than a thousand letters, of which another pipe has the first ones. */
void p4_of_a_long_name()
{
    using shorter = pipe<class TEN(long_name_x), cl_int, 4>;
    static_assert(long_named::symbol.size() > 1024);
    design d(declarations<long_named, shorter, out>() +
             "kernel void k() { int v, w; read_pipe_block(" + std::string(long_named::symbol) +
             ", &v); read_pipe_block(" + std::string(shorter::symbol) +
             ", &w); v = v * 100 + w; write_pipe_block(out, &v); }\n");
    bound_pipes<long_named, shorter, out> bound(d.program);
    shorter::write(d.queue, 7);
    long_named::write(d.queue, 12);
    d.launch("k");
    CHECK(out::read(d.queue) == 1207);
}

using alias_of_in = pipe<in_id, cl_int, 16, property_list<>>;

void p4()
{
    p4_of_a_long_name();
    design d(loops(2));
    bound_pipes<in, out> bound(d.program);
    using other = in;
    other::write(d.queue, 1);
    alias_of_in::write(d.queue, 2);
    d.launch("k");
    CHECK(out::read(d.queue) == 8);
    CHECK(out::read(d.queue) == 9);
}

/* ---- arrays, I/O ----------------------------------------------------------------------------- */

struct grid_id {
    static constexpr char name[] = "grid";
};
void p10()
{
    using grid = pipe_array<grid_id, cl_int, 2, 2, 3>;
    design d(
        "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n" + grid::declaration() +
        "kernel void k() { int a, b; read_pipe_block(grid[0][2], &a); "
        "read_pipe_block(grid[1][0], &b); a = 10 * a + b; write_pipe_block(grid[1][2], &a); }\n");
    bound_pipes<grid::at<0, 2>, grid::at<1, 0>, grid::at<1, 2>> bound(d.program);
    grid::at<1, 0>::write(d.queue, 5);
    grid::at<0, 2>::write(d.queue, 4);
    d.launch("k");
    CHECK(grid::at<1, 2>::read(d.queue) == 45);
}

struct wire_in {
    static constexpr unsigned id = 7;
};
struct wire_out;

/* A peripheral by number and one whose name is known at run time only. */
void p48()
{
    using source = kernel_readable_io_pipe<wire_in, cl_int, 4>;
    using sink = kernel_writeable_io_pipe<wire_out, cl_int, 4>;
    char folder[] = "/tmp/sluice-binding-XXXXXX";
    CHECK(mkdtemp(folder));
    const std::string base = std::string(folder) + "/stream", name = "nic" + base.substr(20, 6);
    int sent[] = {3, 5, 8}, got[3] = {};
    FILE *file = std::fopen((base + ".in").c_str(), "wb");
    CHECK(file && std::fwrite(sent, 4, 3, file) == 3 && !std::fclose(file));
    source::connect(properties{io_target{"file:" + base + ".in"}});
    sink::connect(properties{io_target{"file:" + base + ".out"}}, name);
    {
        design d(source::declaration("source") + sink::declaration("sink", name) +
                 "kernel void k() { for (int i = 0; i < 3; i++) { int v; "
                 "read_pipe_block(source, &v); v = -v; write_pipe_block(sink, &v); } }\n");
        CHECK(source::mismatch(d.program).empty());
        CHECK(sink::mismatch(d.program, name).empty());
        CHECK(sink::mismatch(d.program, "other").find("the I/O peripheral is " + name) == 0);
        d.launch("k");
        d.wait();
    }
    file = std::fopen((base + ".out").c_str(), "rb");
    CHECK(file && std::fread(got, 4, 3, file) == 3 && !std::fclose(file));
    CHECK(got[0] == -3 && got[1] == -5 && got[2] == -8);
    std::remove((base + ".in").c_str());
    std::remove((base + ".out").c_str());
    std::remove(folder);
}

/* ---- transfers ------------------------------------------------------------------------------- */

void p12()
{
    design d(loops(16), "-emulator-channel-depth-model=strict");
    bound_pipes<in, out> bound(d.program);
    bool success = true;
    out::read(d.queue, success);
    CHECK(!success);
    for (int i = 0; i < 16; i++) {
        in::write(d.queue, i, success);
        CHECK(success);
    }
    in::write(d.queue, 99, success);
    CHECK(!success);
    d.launch("k");
    d.wait();
    for (int i = 0; i < 16; i++) {
        CHECK(out::read(d.queue, success) == i + 7);
        CHECK(success);
    }
    out::read(d.queue, success);
    CHECK(!success);
}

/* Both writes before any launch; names are known before any kernel is. */
void p38()
{
    design d(loops(2));
    char names[64] = "";
    REQUIRE_OK(clGetProgramInfo(d.program, CL_PROGRAM_HOST_PIPE_NAMES_INTEL, sizeof names, names,
                                nullptr));
    CHECK(!std::strcmp(names, "in;out") || !std::strcmp(names, "out;in"));
    bound_pipes<in, out> bound(d.program);
    in::write(d.queue, 35);
    in::write(d.queue, -7);
    d.launch("k");
    CHECK(out::read(d.queue) == 42);
    CHECK(out::read(d.queue) == 0);
}

/* Ranges of odd sizes through a pipe of 16, with one thread at each end. */
void bursts()
{
    constexpr int count = 20011;
    design d(loops(count));
    bound_pipes<in, out> bound(d.program);
    d.launch("k");
    std::thread writer([] {
        cl_command_queue queue = new_queue();
        std::vector<int> part;
        for (int i = 0; i < count; i += static_cast<int>(part.size())) {
            part.resize(static_cast<std::size_t>(std::min(count - i, i % 53 + 1)));
            std::iota(part.begin(), part.end(), i);
            in::write(queue, part);
        }
        clReleaseCommandQueue(queue);
    });
    int wrong = 0, next = 7;
    std::array<int, 19> part;
    for (int left = count; left;) {
        std::vector<int> rest(static_cast<std::size_t>(std::min(left, 11)));
        std::size_t some = out::read_some(part);
        for (std::size_t i = 0; i < some; i++)
            wrong += part[i] != next++;
        left -= static_cast<int>(some);
        rest.resize(std::min(rest.size(), static_cast<std::size_t>(left)));
        out::read(d.queue, rest);
        for (int value : rest)
            wrong += value != next++;
        left -= static_cast<int>(rest.size());
    }
    writer.join();
    CHECK(wrong == 0);
}

void p40()
{
    design d(loops(12), "-emulator-channel-depth-model=strict");
    bound_pipes<in, out> bound(d.program);
    std::size_t mapped = 12345;
    CHECK(!out::map<false>(64, mapped) && mapped == 0);
    int *room = in::map<true>(5 * sizeof(int), mapped);
    CHECK(room && mapped == 5 * sizeof(int));
    std::iota(room, room + 5, 0);
    CHECK(in::unmap(room, 2 * sizeof(int)) == 2 * sizeof(int)); /* P-42: in parts */
    CHECK(in::unmap(room, 3 * sizeof(int)) == 3 * sizeof(int));
    {
        auto rest = in::map_write(7);
        CHECK(rest.size() == 7);
        std::iota(rest.begin(), rest.end(), 5);
        rest.give(3);
        CHECK(rest.size() == 4 && rest[0] == 8);
        auto moved = std::move(rest);
        CHECK(moved.size() == 4 && rest.empty());
    }
    d.launch("k");
    d.wait();
    auto all = out::map_read();
    CHECK(all.size() == 12);
    for (std::size_t i = 0; i < all.size(); i++)
        CHECK(all[i] == static_cast<int>(i) + 7);
    std::error_code code;
    in::map<false>(4, mapped, code); /* P-43: the host writes this one */
    CHECK(code == std::error_code(CL_INVALID_OPERATION, opencl_category()));
}

/* Forms that need no command say the same of their queue as those that do. */
void queues()
{
    design d(loops(4));
    bound_pipes<in, out> bound(d.program);
    cl_int rc = 0;
    cl_context other = clCreateContext(nullptr, 1, &dut().device, nullptr, nullptr, &rc);
    REQUIRE_OK(rc);
    cl_command_queue foreign =
        clCreateCommandQueueWithProperties(other, dut().device, nullptr, &rc);
    REQUIRE_OK(rc);
    const std::pair<cl_command_queue, cl_int> wrong[] = {{nullptr, CL_INVALID_COMMAND_QUEUE},
                                                         {foreign, CL_INVALID_CONTEXT}};
    for (auto [queue, want] : wrong) {
        const std::error_code expected(want, opencl_category());
        std::error_code code;
        bool success = true;
        std::vector<int> two(2);
        in::write(queue, 1, code);
        CHECK(code == expected);
        out::read(queue, code);
        CHECK(code == expected);
        in::write(queue, 1, success, code);
        CHECK(code == expected && !success);
        success = true;
        out::read(queue, success, code);
        CHECK(code == expected && !success);
        in::write(queue, two, code);
        CHECK(code == expected);
        out::read(queue, two, code);
        CHECK(code == expected);
        in::write(queue, std::vector<int>(), code);
        CHECK(code == expected);
        bool thrown = false;
        try {
            in::write(queue, 1, success);
        } catch (const error &e) {
            thrown = e.code() == expected;
        }
        CHECK(thrown);
    }
    for (int i = 0; i < 4; i++) /* nothing of that has moved a packet */
        in::write(d.queue, i);
    d.launch("k");
    for (int i = 0; i < 4; i++)
        CHECK(out::read(d.queue) == i + 7);
    clReleaseCommandQueue(foreign);
    clReleaseContext(other);
}

/* ---- other translation units; what differs --------------------------------------------------- */

cl_program compiled(const std::string &source)
{
    const char *text = source.c_str();
    cl_int rc = 0;
    cl_program program = clCreateProgramWithSource(dut().context, 1, &text, nullptr, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(
        clCompileProgram(program, 1, &dut().device, "", 0, nullptr, nullptr, nullptr, nullptr));
    return program;
}

class linked_id;

void p55()
{
    using linked = pipe<linked_id, cl_int, 4>;
    std::string common = declarations<in, out>() + linked::kernel_declaration("linked");
    cl_program parts[] = {compiled(common + "kernel void a() { int v; read_pipe_block(in, &v); "
                                            "write_pipe_block(linked, &v); }\n"),
                          compiled(common +
                                   "kernel void b() { int v; read_pipe_block(linked, &v); v *= 2; "
                                   "write_pipe_block(out, &v); }\n")};
    cl_int rc = 0;
    cl_program whole =
        clLinkProgram(dut().context, 1, &dut().device, "", 2, parts, nullptr, nullptr, &rc);
    REQUIRE_OK(rc);
    design d(whole);
    bound_pipes<in, out> bound(d.program);
    d.launch("a");
    d.launch("b");
    in::write(d.queue, 21);
    CHECK(out::read(d.queue) == 42);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
}

std::string log_of(cl_program program)
{
    std::string log(8192, ' ');
    std::size_t size = 0;
    clGetProgramBuildInfo(program, dut().device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                          &size);
    log.resize(size);
    return log;
}

class shared_id;

/* A remark for pipes that share a name's type and differ, and none for one that is declared twice.
 */
/* Pipe objects of OpenCL beside the program's own pipes, in one kernel. */
void p56()
{
    design d(
        declarations<in, out>() +
        "kernel void both(read_only pipe int a, write_only pipe int b) { for (int i = 0; i < "
        "11; i++) { int v, w; read_pipe_block(in, &v); while (read_pipe(a, &w)); v = v * 100 "
        "+ w; write_pipe_block(out, &v); v++; while (write_pipe(b, &v)); } }\n"
        "kernel void give(write_only pipe int p) { for (int i = 0; i < 11; i++) { int v = i * "
        "i; while (write_pipe(p, &v)); } }\n"
        "kernel void take(read_only pipe int p, global int *to) { for (int i = 0; i < 11; i++) "
        "{ int v; while (read_pipe(p, &v)); to[i] = v; } }\n");
    bound_pipes<in, out> bound(d.program);
    cl_int rc = 0;
    cl_mem pipes[2], to = clCreateBuffer(dut().context, 0, 11 * sizeof(int), nullptr, &rc);
    REQUIRE_OK(rc);
    for (cl_mem &each : pipes) {
        each = clCreatePipe(dut().context, 0, sizeof(int), 3, nullptr, &rc);
        REQUIRE_OK(rc);
    }
    d.launch("both", {pipes[0], pipes[1]});
    d.launch("give", {pipes[0]});
    d.launch("take", {pipes[1], to});
    int wrong = 0, back[11];
    for (int i = 0; i < 11; i++) {
        in::write(d.queue, i + 5);
        wrong += out::read(d.queue) != (i + 5) * 100 + i * i;
    }
    d.wait();
    REQUIRE_OK(
        clEnqueueReadBuffer(d.queue, to, CL_TRUE, 0, sizeof back, back, 0, nullptr, nullptr));
    for (int i = 0; i < 11; i++)
        wrong += back[i] != (i + 5) * 100 + i * i + 1;
    CHECK(wrong == 0);
    for (cl_mem each : {pipes[0], pipes[1], to})
        clReleaseMemObject(each);
}

class many_id;

/* Nothing turns arbitration off: operations at two places, of many work-items, lose no packet. */
void p58()
{
    constexpr int items = 1003;
    using many = pipe<many_id, cl_int, 5>;
    design d(
        declarations<out>() + many::kernel_declaration("many") +
        "kernel void give(int n) { int v = get_global_id(0); if (v % 3) write_pipe_block(many, "
        "&v); else { v += 5000; write_pipe_block(many, &v); } }\n"
        "kernel void take(int n) { for (int i = 0; i < n; i++) { int v; read_pipe_block(many, "
        "&v); write_pipe_block(out, &v); } }\n");
    bound_pipes<out> bound(d.program);
    d.launch("take", {}, 1, items);
    d.launch("give", {}, items, items);
    std::vector<int> seen(6100);
    for (int i = 0; i < items; i++)
        seen[static_cast<std::size_t>(out::read(d.queue)) % seen.size()]++;
    int wrong = 0;
    for (int i = 0; i < items; i++)
        wrong += seen[static_cast<std::size_t>(i % 3 ? i : i + 5000)] != 1;
    CHECK(wrong == 0);
}

void p57()
{
    using one = pipe<shared_id, cl_int, 4>;
    using two = pipe<shared_id, cl_int, 8>;
    const std::string use = "kernel void k() { int v; read_pipe_block(" + std::string(one::symbol) +
                            ", &v); write_pipe_block(out, &v); }\n";
    const std::string words = "another pipe has the name of ";
    design same(declarations<one, out>() + one::pipe_declaration("again") + use);
    CHECK(log_of(same.program).find(words) == std::string::npos);
    for (const char *options : {"", "-Werror"}) {
        design d(declarations<one, out>() + two::pipe_declaration() + use, options);
        CHECK(log_of(d.program).find(words + std::string(two::symbol)) != std::string::npos);
        bound_pipes<one, out> bound(d.program);
        one::write(d.queue, 6);
        d.launch("k");
        CHECK(out::read(d.queue) == 6);
    }
}

template <class Pipe>
void refused(const std::string &declaration, errc want, const std::string &there,
             const std::string &here)
{
    design d(
        "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n" + declaration +
            "kernel void k(global int *o) { char *p = (char *)o; PACKET v; read_pipe(in, &v); *p = "
            "*(char *)&v; }\n",
        "-cl-std=CL3.0");
    std::error_code code;
    Pipe::bind(d.program, code);
    CHECK(code == want);
    std::string sentence = Pipe::mismatch(d.program);
    bool both =
        sentence.find(there) != std::string::npos && sentence.find(here) != std::string::npos;
    CHECK(both);
    if (!both)
        std::printf("%s\n", sentence.c_str());
    bool thrown = false;
    try {
        Pipe::bind(d.program);
    } catch (const error &e) {
        thrown = e.code() == want && std::strstr(e.what(), there.c_str());
    }
    CHECK(thrown);
}

struct absent_id {
    static constexpr char name[] = "absent";
};

void differences()
{
    const std::string host = " __attribute__((intel_host_accessible)) ";
    refused<in>("#define PACKET long\npipe long in __attribute__((depth(16)))" + host + ";\n",
                errc::packet_size_differs, "8 in the program", "4 in sluice::pipe<");
    refused<in>("typedef struct { char c[4]; } t;\n#define PACKET t\npipe t in "
                "__attribute__((depth(16)))" +
                    host + ";\n",
                errc::packet_alignment_differs, "1 in the program", "4 in sluice::pipe<");
    refused<in>("#define PACKET float\npipe float in __attribute__((depth(16)))" + host + ";\n",
                errc::packet_type_differs, "float in the program", "int in sluice::pipe<");
    refused<in>("#define PACKET int\npipe int in __attribute__((depth(4)))" + host + ";\n",
                errc::capacity_differs, "4 in the program", "16 in sluice::pipe<");
    refused<in>("#define PACKET int\npipe int in __attribute__((depth(16)));\n"
                "kernel void w() { int v = 1; write_pipe(in, &v); }\n",
                errc::not_host_accessible, "a kernel's in the program", "the host's in");
    refused<pipe<absent_id, cl_int>>("#define PACKET int\npipe int in __attribute__((depth(16)))" +
                                         host + ";\n",
                                     errc::no_such_pipe, "no pipe absent", "absent_id");
    std::error_code code;
    pipe<absent_id, cl_int>::read(static_cast<cl_command_queue>(nullptr), code);
    CHECK(code == errc::not_bound);
    CHECK(code.message() == "the pipe is not bound to a program");
}

/* Properties are part of the identity, in whatever order. */
class fancy_id;
void p64()
{
    using one = pipe<fancy_id, cl_int, 4, decltype(properties{ready_latency<2>, uses_valid_off})>;
    using two = pipe<fancy_id, cl_int, 4, decltype(properties{uses_valid_off, ready_latency<2>})>;
    using older =
        pipe<fancy_id, cl_int, 4, decltype(property_list{uses_valid_off, ready_latency<2>})>;
    using plain = pipe<fancy_id, cl_int, 4>;
    static_assert(std::is_same_v<one, two> && !std::is_same_v<one, plain>);
    CHECK(one::symbol == older::symbol && one::symbol != plain::symbol);
    design d(declarations<one, plain>() + "kernel void k() { int v; read_pipe_block(" +
             std::string(one::symbol) + ", &v); v++; write_pipe_block(" +
             std::string(plain::symbol) + ", &v); }\n");
    bound_pipes<one, plain> bound(d.program);
    older::write(d.queue, 1);
    d.launch("k");
    CHECK(plain::read(d.queue) == 2);
}

const test_case cases[] = {
    {"p1", p1},   {"p2", p2},           {"p3", p3},      {"p4", p4},         {"p10", p10},
    {"p12", p12}, {"p38", p38},         {"p39", bursts}, {"queues", queues}, {"p40", p40},
    {"p48", p48}, {"p55", p55},         {"p56", p56},    {"p57", p57},       {"p58", p58},
    {"p64", p64}, {"p65", differences},
};

} // namespace

int main(int argc, char **argv)
{
    return run_cases(cases, argc, argv);
}
