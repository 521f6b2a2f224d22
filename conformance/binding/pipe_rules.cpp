/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler sees of pipes, by the numbers of the requirements (docs/requirements.md). As
 * property_rules.cpp. */
#include <CL/sluice.hpp>

#include <cstdio>
#include <vector>

using namespace sluice;

class myclass;
namespace nestA
{
struct myclass;
namespace nestB
{
struct myclass;
}
} // namespace nestA
template <int N> class number;
class number_x3c3_x3e;
struct record {
    int at;
};
struct named {
    static constexpr char name[] = "in";
};
struct counted {
    static constexpr unsigned id = 3;
};
struct incomplete;
namespace
{
struct hidden;
}

static int failures;
[[maybe_unused]] static void check(bool good, const char *what)
{
    if (!good)
        std::printf("not so: %s\n", what);
    failures += !good;
}
#define CHECK(...) check(__VA_ARGS__, #__VA_ARGS__)
#define SAME(...) static_assert(std::is_same_v<__VA_ARGS__>)

#ifndef REFUSED
#define REFUSED 0
#endif

/* Two of them are never one in a program. */
template <class... Pipes> [[maybe_unused]] constexpr void check_all_differ()
{
    constexpr std::string_view symbols[] = {Pipes::symbol...};
    constexpr bool differ = [&] {
        for (std::size_t i = 0; i < sizeof...(Pipes); i++)
            for (std::size_t j = 0; j < i; j++)
                if (symbols[i] == symbols[j])
                    return false;
        return true;
    }();
    static_assert(differ);
}

/* Two types that the compiler calls by one name. */
template <class T> [[maybe_unused]] static std::size_t local_of_a_block()
{
    std::size_t size = 0;
    if (std::is_same_v<T, void>) {
        struct local;
        size += pipe<local, int>::symbol.size();
    }
    if (!size) {
        struct local;
        size += pipe<local, int>::symbol.size();
    }
    return size;
}

static void rule()
{
#if RULE == 3
    using one = pipe<myclass, int>;
    static_assert(!std::is_same_v<one, pipe<myclass, float>>);
    static_assert(one::symbol != pipe<myclass, float>::symbol);
    static_assert(one::symbol != pipe<myclass, unsigned>::symbol);
    static_assert(one::symbol != pipe<myclass, int, 5>::symbol);
    static_assert(one::symbol != pipe<nestA::myclass, int>::symbol);
    static_assert(one::symbol !=
                  pipe<myclass, int, 0, decltype(properties{ready_latency<1>})>::symbol);
    check_all_differ<pipe<myclass, long>, pipe<myclass, long long>, pipe<myclass, unsigned long>,
                     pipe<myclass, unsigned long long>, one, pipe<myclass, const int>,
                     pipe<myclass, volatile int>, pipe<myclass, const volatile int>,
                     pipe<myclass, wchar_t>, pipe<myclass, char32_t>, pipe<myclass, unsigned>,
                     pipe<myclass, short>, pipe<myclass, char16_t>, pipe<myclass, char>,
                     pipe<myclass, signed char>, pipe<myclass, unsigned char>, pipe<myclass, bool>,
                     pipe<myclass, const record>, pipe<myclass, record>>();
    check_all_differ<one, pipe<const myclass, int>, pipe_array<myclass, int, 0, 2>,
                     pipe_array<myclass, int, 0, 3>, pipe_array<myclass, int, 0, 2, 3>,
                     kernel_readable_io_pipe<myclass, int>, kernel_writeable_io_pipe<myclass, int>,
                     pipe<number<3>, int>, pipe<number_x3c3_x3e, int>>();
    struct local;
    static_assert(pipe<local, int>::symbol == pipe<local, int>::symbol);
    SAME(pipe<myclass, const int>::value_type, const int);
    CHECK(pipe<myclass, const int>::declaration("x").find("pipe int ") != std::string::npos);
#if REFUSED == 1 /* another pipe has this symbol */
    local_of_a_block<void>();
#endif
#if REFUSED == 2 /* another pipe has this symbol */
    (void)pipe<named, int>::symbol, (void)pipe<named, float>::symbol;
#endif
#if REFUSED == 3 /* another pipe has this symbol */
    (void)pipe<named, int>::symbol, (void)pipe_array<named, int, 0, 2>::symbol;
#endif
#if REFUSED == 4 /* another pipe has this symbol */
    (void)pipe<named, long>::symbol, (void)pipe<named, long long>::symbol;
#endif
#elif RULE == 4
    using alias = myclass;
    SAME(pipe<alias, int>, pipe<myclass, int>);
    static_assert(pipe<myclass, int>::symbol == "pipe_7myclass_i");
    static_assert(pipe<nestA::myclass, float, 5>::symbol == "pipe_N5nestA7myclassE_f_5");
    static_assert(pipe<nestA::nestB::myclass, bool>::symbol == "pipe_N5nestA5nestB7myclassE_b");
    static_assert(pipe<number<3>, char>::symbol == "pipe_15number_x3c3_x3e_c");
    static_assert(pipe<hidden, char>::symbol == "pipe_N12_GLOBAL__N_16hiddenE_c");
    static_assert(pipe<named, cl_float4>::symbol == "in");
    CHECK(pipe<myclass, int>::symbol.data()[pipe<myclass, int>::symbol.size()] == 0);
#define TEN(a) a##a##a##a##a##a##a##a##a##a
    struct TEN(long_name_of_a_hundred_and_more_letters_which_goes_on_and_on_until_it_is_enough_);
    using longest =
        pipe<TEN(long_name_of_a_hundred_and_more_letters_which_goes_on_and_on_until_it_is_enough_),
             int>;
    static_assert(longest::symbol.size() > 800);
#elif RULE == 5
    using it = pipe<incomplete, int, 2>;
    CHECK(it::declaration("x").find("\npipe int pipe_10incomplete_i_2 __attribute__((depth(2)))") !=
          std::string::npos);
#elif RULE == 6
    static_assert(!std::is_default_constructible_v<pipe<myclass, int>>);
#if REFUSED == 1 /* deleted */
    pipe<myclass, int> object;
#endif
#if REFUSED == 2 /* deleted */
    kernel_readable_io_pipe<counted, int> object;
#endif
#elif RULE == 7
    SAME(pipe<myclass, float, 3>::value_type, float);
    static_assert(pipe<myclass, float, 3>::min_capacity == 3);
    static_assert(pipe<myclass, float>::min_capacity == 0);
    static_assert(kernel_writeable_io_pipe<counted, float, 9>::min_capacity == 9);
#elif RULE == 8
#if REFUSED == 1 /* packets are passed bit for bit */
    (void)pipe<myclass, std::vector<int>>::symbol;
#endif
#if REFUSED == 2 /* packets are passed bit for bit */
    (void)kernel_readable_io_pipe<counted, std::string>::symbol;
#endif
#if REFUSED == 3 /* OpenCL C does not know this type */
    struct unknown {
        int at[3];
    };
    (void)pipe<myclass, unknown>::kernel_declaration();
#endif
#elif RULE == 9
    SAME(decltype(pipe<myclass, int>::min_capacity), const std::int32_t);
    SAME(decltype(kernel_readable_io_pipe<counted, int>::min_capacity), const std::size_t);
#if REFUSED == 1 /* a capacity is not negative */
    (void)pipe<myclass, int, -1>::symbol;
#endif
#if REFUSED == 2 /* a capacity is not negative */
    (void)pipe_array<myclass, int, -1, 2>::symbol;
#endif
#if REFUSED == 3 /* a capacity is not negative */
    pipe_array<myclass, int, -1, 2>::declaration();
#endif
#if REFUSED == 4 /* a number of 31 bits */
    (void)kernel_readable_io_pipe<counted, int, 0x80000000u>::symbol;
#endif
#elif RULE == 10
    using grid = pipe_array<named, int, 4, 2, 3>;
    static_assert(grid::symbol == "in" && grid::at<1, 2>::symbol == "in[1][2]");
    static_assert(!std::is_same_v<grid::at<1, 2>, grid::at<1, 1>>);
    SAME(grid::at<0, 0>::value_type, int);
    CHECK(grid::declaration() == "pipe int in[2][3] __attribute__((depth(4))) "
                                 "__attribute__((intel_host_accessible));\n");
#if REFUSED == 1 /* there is no such element */
    (void)grid::at<2, 0>::symbol;
#endif
#if REFUSED == 2 /* an index for each dimension */
    (void)grid::at<1>::symbol;
#endif
#elif RULE == 48
    using source = kernel_readable_io_pipe<counted, int, 4>;
    CHECK(source::declaration("s") == "pipe int pipe_7counted_i_4_r __attribute__((depth(4))) "
                                      "__attribute__((io(\"3\")));\n"
                                      "#define s pipe_7counted_i_4_r\n");
    CHECK(source::declaration("", "eth0").find("io(\"eth0\")") != std::string::npos);
#if REFUSED == 1 /* has a number `id` */
    kernel_readable_io_pipe<myclass, int>::declaration();
#endif
#if REFUSED == 2 /* where the stream goes is an io_target */
    source::connect(properties<>{});
#endif
#if REFUSED == 3 /* not a property of I/O pipes */
    source::connect(properties{io_target{"null:"}, autorun});
#endif
#elif RULE == 59
    static_assert(SLUICE_EXT_INTEL_DATAFLOW_PIPES == 1);
#elif RULE == 60
    constexpr properties both{latency_constraint<1, latency_control_type::max, 5>,
                              latency_anchor_id<2>};
    static_assert(both.get_property<latency_anchor_id_key>().value == 2);
    static_assert(both.get_property<latency_constraint_key>().target == 1);
#elif RULE == 63
    static_assert(static_cast<int>(latency_control_type::none) == 0);
    static_assert(static_cast<int>(latency_control_type::exact) == 1);
    static_assert(static_cast<int>(latency_control_type::max) == 2);
    static_assert(static_cast<int>(latency_control_type::min) == 3);
#if REFUSED == 1 /* a latency is exact, max or min */
    (void)latency_constraint<0, latency_control_type(4), 1>.cycle;
#endif
#elif RULE == 64
    using plain = pipe<myclass, int>;
    static_assert(plain::ready_latency == 0 && plain::bits_per_symbol == 8 && plain::uses_valid);
    static_assert(!plain::first_symbol_in_high_order_bits);
    static_assert(plain::protocol == protocol_name::avalon_streaming_uses_ready);
    using fancy = pipe<myclass, int, 0, decltype(properties{bits_per_symbol<4>, uses_valid_off})>;
    static_assert(fancy::bits_per_symbol == 4 && !fancy::uses_valid && fancy::ready_latency == 0);
#if REFUSED == 1 /* not a property of pipes */
    (void)pipe<myclass, int, 0, decltype(properties{autorun})>::symbol;
#endif
#if REFUSED == 2 /* a list of properties is needed */
    (void)pipe<myclass, int, 0, int>::symbol;
#endif
#if REFUSED == 3 /* a latency is not negative */
    (void)ready_latency<-1>.value;
#endif
#if REFUSED == 4 /* a symbol has at least one bit */
    (void)bits_per_symbol<0>.value;
#endif
#else
#error "no such rule"
#endif
}

int main()
{
    rule();
    return failures != 0;
}
