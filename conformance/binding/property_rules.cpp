/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of property lists, L-1 to L-21. compile_rules.py builds and runs this file once for
 * each rule (RULE), with each compiler, and builds it again for each line of the form
 *
 *     #if REFUSED == n / * words of the message * /
 *
 * which must not compile, and must say so in these words.
 */
#include <CL/sluice.hpp>

#include <cstdio>
#include <cstring>

using namespace sluice;

/* ---- properties of a user of the binding ----------------------------------------------------- */

struct foo { /* at run time */
    int value;
};
struct owner { /* at run time, and not to be copied byte for byte */
    std::string name;
};
struct flag { /* without a value */
};
struct secret { /* looks as if it could be copied byte for byte */
};
struct sharer { /* and this one as if it could not */
    sharer() = default;
    sharer(const sharer &)
    {
    }
};
struct bar_key {
    template <int N> using value_t = property_value<bar_key, std::integral_constant<int, N>>;
};
template <int N> inline constexpr bar_key::value_t<N> bar{};
template <int N> inline constexpr bar_key::value_t<N> bar_v{};
struct kind_key {
    template <class T> using value_t = property_value<kind_key, T>;
};
template <class T> inline constexpr kind_key::value_t<T> kind{};
struct none_key {
    using value_t = property_value<none_key>;
};
inline constexpr none_key::value_t none{};
template <class T, T V>
using constant_key_value = property_value<struct constant_key, std::integral_constant<T, V>>;
struct mixed_key { /* a number, a type, a number */
    template <class A, class B, class C> struct members {
        static constexpr auto least = A::value, most = C::value;
        using element = B;
    };
};
enum class shade : unsigned char { light = 3, dark = 200 };
struct pair_key {
    template <int A, int B>
    using value_t =
        property_value<pair_key, std::integral_constant<int, A>, std::integral_constant<int, B>>;
    template <class A, class B> struct members {
        static constexpr int first = A::value, second = B::value;
    };
};
template <int A, int B> inline constexpr pair_key::value_t<A, B> pair{};
struct stranger {
};
struct thing {
    template <class List, std::enable_if_t<is_property_list_v<List>, int> = 0>
    constexpr explicit thing(List)
    {
        static_assert(List::template apply_to<thing>(), "not a property of things");
    }
};

struct chosen { /* functions by what is in a list */
    template <class List>
    static constexpr std::enable_if_t<List::template has_property<bar_key>(), int> by(List)
    {
        return List::template get_property<bar_key>().value;
    }
    template <class List>
    static constexpr std::enable_if_t<!List::template has_property<bar_key>(), int> by(List)
    {
        return -1;
    }
};
template <class List> constexpr int which()
{
    return List::template has_property<foo>() + 2 * List::template has_property<flag>() +
           4 * List::template has_property<bar_key>();
}

/* Members of a property_value. */
template <class P, class = void> struct has_value : std::false_type {
};
template <class P> struct has_value<P, std::void_t<decltype(P::value)>> : std::true_type {
};
template <class P, class = void> struct has_value_t : std::false_type {
};
template <class P> struct has_value_t<P, std::void_t<typename P::value_t>> : std::true_type {
};
template <int N> struct as_argument {
};

struct functor {
    static constexpr auto properties = sluice::properties{sub_group_size<8>, work_group_size<16>};
};

template <> struct sluice::is_property<foo> : std::true_type {
};
template <> struct sluice::is_property<owner> : std::true_type {
};
template <> struct sluice::is_property<flag> : std::true_type {
};
template <> struct sluice::is_property<secret> : std::true_type {
};
template <> struct sluice::is_property<sharer> : std::true_type {
};
template <> struct sluice::is_device_copyable<secret> : std::false_type {
};
template <> struct sluice::is_device_copyable<sharer> : std::true_type {
};
template <> struct sluice::is_property<bar_key> : std::true_type {
};
template <> struct sluice::is_property<kind_key> : std::true_type {
};
template <> struct sluice::is_property<none_key> : std::true_type {
};
template <> struct sluice::is_property<pair_key> : std::true_type {
};
template <> struct sluice::is_property_of<foo, thing> : std::true_type {
};
template <> struct sluice::is_property_of<bar_key, thing> : std::true_type {
};
template <> struct sluice::conflicts<none_key, kind_key> : std::true_type {
};

static int failures;
[[maybe_unused]] static void check(bool good, const char *what)
{
    if (!good)
        std::printf("not so: %s\n", what);
    failures += !good;
}

/* What OpenCL takes and what the binding takes never become each other, nor the object. */
template <class Object, class Old, class List> constexpr bool apart()
{
    return !std::is_convertible_v<const Old *, List> && !std::is_convertible_v<List, const Old *> &&
           !std::is_constructible_v<List, const Old *> &&
           !std::is_constructible_v<const Old *, List> && !std::is_convertible_v<List, Object> &&
           !std::is_convertible_v<const Old *, Object>;
}
template <class Object, class... Arguments> constexpr bool takes()
{
    return std::is_constructible_v<Object, Arguments...> &&
           std::is_constructible_v<Object, Arguments..., std::error_code &>;
}
#define CHECK(...) check(__VA_ARGS__, #__VA_ARGS__)
#define SAME(...) static_assert(std::is_same_v<__VA_ARGS__>)

#ifndef REFUSED
#define REFUSED 0
#endif

/* ---- the rules ------------------------------------------------------------------------------- */

static void rule()
{
#if RULE == 1
    properties all{flag{}, foo{3}, bar<4>, none};
    CHECK(all.get_property<foo>().value == 3);
    static_assert(decltype(all)::get_property<bar_key>().value == 4);
    static_assert(decltype(all)::has_property<flag>() && decltype(all)::has_property<none_key>());
#elif RULE == 2
    /* Which of three are in it, by the type alone: every combination, one of them at run time. */
    volatile int now = 5;
    properties foos{foo{now}};
    properties both{flag{}, foo{now + 1}};
    properties all{flag{}, foo{now + 2}, bar<2>};
    static_assert(which<decltype(foos)>() == 1 && which<decltype(both)>() == 3 &&
                  which<decltype(all)>() == 7);
    static_assert(which<decltype(properties{flag{}})>() == 2 && which<properties<>>() == 0 &&
                  which<decltype(properties{bar<2>})>() == 4 &&
                  which<decltype(properties{bar<2>, foo{1}})>() == 5 &&
                  which<decltype(properties{bar<2>, flag{}})>() == 6);
    CHECK(all.get_property<foo>().value == 7 && both.get_property<foo>().value == 6);
#if REFUSED == 1 /* constant */
    properties list{foo{5}, bar<2>}; /* no constant, whatever it was made of */
    static_assert(list.get_property<foo>().value == 5);
#endif
#if REFUSED == 2 /* without */
    (void)decltype(all)::get_property<foo>(); /* the type has no value of run time */
#endif
#elif RULE == 3
    constexpr properties list{foo{-7}};
    static_assert(list.get_property<foo>().value == -7);
    properties later{owner{"a name"}, foo{8}};
    CHECK(later.get_property<owner>().name == "a name");
    CHECK(later.get_property<foo>().value == 8);
#elif RULE == 4
    SAME(bar_key::value_t<3>, property_value<bar_key, std::integral_constant<int, 3>>);
    SAME(kind_key::value_t<float>, property_value<kind_key, float>);
    SAME(none_key::value_t, property_value<none_key>);
    SAME(decltype(pair<1, 2>)::key_t, pair_key);
#elif RULE == 5
    static_assert(bar<3>.value == 3);
    SAME(bar_key::value_t<3>::value_t, int);
    SAME(kind_key::value_t<float>::value_t, float);
    /* Each kind of constant keeps its type and its value; both are of the type, not of an object.
     */
    SAME(constant_key_value<bool, true>::value_t, bool);
    SAME(constant_key_value<shade, shade::dark>::value_t, shade);
    SAME(constant_key_value<unsigned long, ~0ul>::value_t, unsigned long);
    static_assert(constant_key_value<bool, true>::value &&
                  constant_key_value<shade, shade::dark>::value == shade::dark &&
                  constant_key_value<unsigned long, ~0ul>::value == ~0ul &&
                  constant_key_value<long, -5>::value == -5);
    SAME(as_argument<bar_key::value_t<-2>::value>, as_argument<-2>);
    /* A type is no number; none and several have neither. */
    static_assert(has_value<bar_key::value_t<0>>() && has_value_t<bar_key::value_t<0>>());
    static_assert(!has_value<kind_key::value_t<float>>() &&
                  has_value_t<kind_key::value_t<float>>());
    static_assert(!has_value<none_key::value_t>() && !has_value_t<none_key::value_t>());
    static_assert(!has_value<pair_key::value_t<1, 2>>() && !has_value_t<pair_key::value_t<1, 2>>());
    using mixed = property_value<mixed_key, std::integral_constant<int, -1>, double,
                                 std::integral_constant<long, 9>>;
    static_assert(mixed::least == -1 && mixed::most == 9 && !has_value<mixed>());
    SAME(mixed::element, double);
    static_assert(pair<5, 6>.first == 5 && pair<5, 6>.second == 6);
    constexpr auto limit = latency_constraint<2, latency_control_type::exact, 11>;
    static_assert(limit.target == 2 && limit.cycle == 11);
    static_assert(limit.type == latency_control_type::exact);
    static_assert(work_group_size<4, 2>.x == 4 && work_group_size<4, 2>.y == 2 &&
                  work_group_size<4, 2>.z == 1);
#if REFUSED == 1 /* value */
    (void)none.value;
#endif
#if REFUSED == 2 /* a latency is exact, max or min */
    (void)latency_constraint<0, latency_control_type(9), 1>.cycle;
#endif
#if REFUSED == 3 /* a work-group has at least one item */
    (void)work_group_size<4, 0>.x;
#endif
#elif RULE == 6
    SAME(decltype(bar<3>), decltype(bar_v<3>));
    SAME(decltype(ready_latency<3>), decltype(ready_latency_v<3>));
    SAME(decltype(work_group_size<3>), decltype(work_group_size_v<3, 1, 1>));
    SAME(decltype(autorun), decltype(autorun_v));
    SAME(decltype(protocol<protocol_name::avalon_mm>), decltype(protocol_avalon_mm));
    static_assert(uses_valid_v<false> == uses_valid_off);
    /* All that the binding has: the object with and without the suffix is the key's value. */
#define BOTH(name, ...)                                                                            \
    SAME(decltype(name<__VA_ARGS__>), decltype(name##_v<__VA_ARGS__>));                            \
    SAME(decltype(name<__VA_ARGS__>), const name##_key::value_t<__VA_ARGS__>)
#define PLAIN(name)                                                                                \
    SAME(decltype(name), decltype(name##_v));                                                      \
    SAME(decltype(name), const name##_key::value_t)
    BOTH(ready_latency, 3);
    BOTH(bits_per_symbol, 4);
    BOTH(uses_valid, false);
    BOTH(first_symbol_in_high_order_bits, true);
    BOTH(protocol, protocol_name::avalon_mm);
    BOTH(latency_anchor_id, 7);
    BOTH(latency_constraint, 1, latency_control_type::max, 9);
    BOTH(work_group_size, 2, 3, 4);
    BOTH(work_group_size_hint, 2, 3);
    BOTH(sub_group_size, 8);
    BOTH(max_concurrency, 2);
    BOTH(priority, queue_priority::low);
    BOTH(alignment, 16);
    PLAIN(autorun);
    PLAIN(in_order);
    PLAIN(enable_profiling);
    PLAIN(interop_user_sync);
    PLAIN(streaming);
#elif RULE == 7
    static_assert(is_property_v<foo> && is_property_v<bar_key> && is_property_v<decltype(bar<1>)>);
    static_assert(!is_property_v<stranger> && !is_property_v<int>);
    static_assert(is_property_of_v<foo, thing> && is_property_of_v<decltype(bar<1>), thing>);
    static_assert(!is_property_of_v<flag, thing>);
    static_assert(is_property_of_v<ready_latency_key, pipe<thing, int, 0, properties<>>>);
    static_assert(!is_property_of_v<autorun_key, pipe<thing, int, 0, properties<>>>);
    static_assert(is_property_of_v<autorun_key, kernel_function>);
    thing good{properties{foo{1}, bar<2>}};
    (void)good;
#if REFUSED == 1 /* not a property of things */
    thing bad{properties{flag{}}};
#endif
#if REFUSED == 2 /* not a property: is_property is not specialised */
    properties bad{stranger{}};
#endif
#if REFUSED == 3 /* not a property of kernels */
    kernel_attributes(properties{ready_latency<2>});
#endif
    /* The binding's own objects. */
    SAME(pipe<thing, int, 0, decltype(properties{ready_latency<2>})>::value_type, int);
#if REFUSED == 4 /* not a property of pipes */
    (void)pipe<thing, int, 0, decltype(properties{autorun})>::min_capacity;
#endif
#if REFUSED == 5 /* not a property of pipes */
    (void)pipe<thing, int, 0, decltype(property_list{streaming})>::min_capacity;
#endif
#if REFUSED == 6 /* not a property of queues */
    queue bad(nullptr, nullptr, properties{in_order, max_concurrency<2>});
#endif
#if REFUSED == 7 /* not a property of kernels */
    kernel bad(program(nullptr), "k", properties{in_order});
#endif
#if REFUSED == 8 /* not a property of memory accesses */
    int number = 0;
    store(&number, 1, properties{in_order});
#endif
#if REFUSED == 9 /* not a property: is_property is not specialised */
    (void)properties_t<foo, property_value<stranger>>::has_property<foo>();
#endif
#elif RULE == 8
    SAME(decltype(properties{foo{1}}), decltype(properties{foo{2}}));
    static_assert(!std::is_same_v<decltype(properties{bar<1>}), decltype(properties{bar<2>})>);
    static_assert(!std::is_same_v<decltype(properties{foo{1}}), decltype(properties{flag{}})>);
    static_assert(
        !std::is_same_v<decltype(properties{foo{1}}), decltype(properties{foo{1}, none})>);
#if REFUSED == 1 /* the types of a list are sorted */
    properties<flag, foo> one;
    properties<foo, flag> other;
#endif
#elif RULE == 9
    SAME(decltype(properties{bar<1>, foo{1}}), decltype(properties{foo{1}, bar<1>}));
    SAME(properties_t<foo, none_key::value_t>, properties_t<none_key::value_t, foo>);
    using four = decltype(properties{foo{1}, bar<2>, flag{}, pair<3, 4>});
#define P4(a, b, c, d)                                                                             \
    SAME(decltype(properties{a, b, c, d}), four);                                                  \
    CHECK(properties{a, b, c, d}.get_property<foo>().value == 1)
#define P3(a, b, c, d)                                                                             \
    P4(a, b, c, d);                                                                                \
    P4(a, b, d, c);                                                                                \
    P4(a, c, b, d);                                                                                \
    P4(a, c, d, b);                                                                                \
    P4(a, d, b, c);                                                                                \
    P4(a, d, c, b)
#define F foo{1}
#define B bar<2>
#define G                                                                                          \
    flag                                                                                           \
    {                                                                                              \
    }
#define PAIR (pair<3, 4>)
    P3(F, B, G, PAIR);
    P3(B, F, G, PAIR);
    P3(G, F, B, PAIR);
    P3(PAIR, F, B, G);
    SAME(decltype(properties{F, B, G, PAIR, none}), decltype(properties{none, PAIR, G, B, F}));
    SAME(decltype(property_list{F, B, G}), decltype(property_list{G, F, B}));
#elif RULE == 10
    constexpr properties list{bar<5>, kind<char>};
    static_assert(list.has_property<bar_key>() && !list.has_property<foo>());
    char room[decltype(list)::get_property<bar_key>().value];
    static_assert(sizeof room == 5);
    SAME(decltype(list.get_property<kind_key>())::value_t, char);
    properties later{foo{1}, bar<6>};
    static_assert(later.get_property<bar_key>().value == 6); /* `later` is no constant */
    auto copy = later.get_property<foo>();
    copy.value = 2;
    CHECK(later.get_property<foo>().value == 1 && copy.value == 2);
#elif RULE == 11
    static_assert(properties{bar<1>}.get_property<bar_key>() == bar<1>);
    static_assert(properties{bar<1>}.get_property<bar_key>() != bar<2>);
    static_assert(!(bar<1> == pair<1, 1>) && kind<int> != kind<unsigned>);
    static_assert(properties{bar<1>}.get_property<bar_key>() ==
                  properties{bar<1>, none}.get_property<bar_key>());
#elif RULE == 12
    static_assert(!decltype(properties{bar<1>})::has_property<foo>());
#if REFUSED == 1 /* the list does not have this property */
    properties{bar<1>}.get_property<foo>();
#endif
#if REFUSED == 2 /* the list does not have this property */
    (void)properties<>::get_property<none_key>();
#endif
#if REFUSED == 3 /* the list does not have this property */
    (void)property_list{foo{1}}.get_property<bar_key>();
#endif
#elif RULE == 13
    properties fine{none, foo{1}};
    CHECK(fine.get_property<foo>().value == 1);
#if REFUSED == 1 /* the same property is in the list twice */
    properties bad{foo{1}, bar<1>, foo{1}};
#endif
#if REFUSED == 2 /* the same property is in the list twice */
    properties bad{bar<1>, none, bar<2>};
#endif
#if REFUSED == 3 /* properties of the list are in conflict */
    properties bad{none, kind<int>};
#endif
#if REFUSED == 4 /* properties of the list are in conflict */
    properties bad{kind<int>, none};
#endif
#if REFUSED == 5 /* properties of the list are in conflict */
    properties bad{work_group_size<4>, work_group_size_hint<4>};
#endif
#if REFUSED == 6 /* the same property is in the list twice */
    property_list bad{bar<1>, bar<1>};
#endif
#elif RULE == 14
    static_assert(is_device_copyable_v<decltype(bar<1>)>);
    static_assert(is_device_copyable_v<decltype(properties{bar<1>, foo{1}, pair<1, 2>})>);
    static_assert(!is_device_copyable_v<decltype(properties{bar<1>, owner{""}})>);
    static_assert(!is_device_copyable_v<decltype(property_list{owner{""}})>);
    static_assert(is_device_copyable_v<properties<>>);
    static_assert(is_device_copyable_v<decltype(properties{foo{1}})> &&
                  is_device_copyable_v<const foo> && !is_device_copyable_v<owner>);
    static_assert(!is_device_copyable_v<decltype(properties{owner{""}, foo{1}, flag{}})>);
    /* By what is said of the properties, not by what the list looks like. */
    static_assert(!is_device_copyable_v<decltype(properties{secret{}, foo{1}})> &&
                  std::is_trivially_copyable_v<decltype(properties{secret{}, foo{1}})>);
    static_assert(is_device_copyable_v<decltype(properties{sharer{}})> &&
                  !std::is_trivially_copyable_v<decltype(properties{sharer{}})>);
    auto accepted = [](handler &h) { h.set_args(properties{bar<1>, foo{1}}, properties<>{}, 3); };
    (void)accepted;
#if REFUSED == 1 /* an argument of a kernel is device-copyable */
    [](handler &h) { h.set_args(properties{bar<1>, owner{""}}); };
#endif
#if REFUSED == 2 /* an argument of a kernel is device-copyable */
    [](handler &h) { h.set_arg(0, property_list{owner{""}}); };
#endif
#if REFUSED == 3 /* an argument of a kernel is device-copyable */
    [](handler &h) { h.set_args(1, properties{secret{}}); };
#endif
#elif RULE == 15
    properties empty{};
    SAME(decltype(empty), properties<>);
    static_assert(!properties<>::has_property<foo>() && is_property_list_v<properties<>>);
    property_list<> older;
    properties<> from = older;
    (void)from;
    static_assert(std::is_empty_v<properties<>>);
    CHECK(kernel_attributes(empty).empty());
#elif RULE == 16
    foo a{9};
    properties deduced{a, bar<1>};
    CHECK(deduced.get_property<foo>().value == 9);
    property_list P{a, bar<1>};
    CHECK(P.get_property<foo>().value == 9);
    SAME(decltype(properties(a, bar<1>)), properties_t<foo, bar_key::value_t<1>>);
    properties again{deduced};
    SAME(decltype(again), decltype(deduced));
    static_assert(std::is_convertible_v<decltype(P), decltype(deduced)>);
#elif RULE == 17
    static_assert(is_property_list_v<decltype(properties{bar<1>})>);
    static_assert(is_property_list_v<decltype(property_list{bar<1>})>);
    static_assert(!is_property_list_v<int> && !is_property_list_v<foo>);
    static_assert(!std::is_constructible_v<thing, foo>);
    static_assert(chosen::by(properties{bar<12>}) == 12 && chosen::by(properties{none}) == -1);
#elif RULE == 18
    using ordered = decltype(properties{in_order});
    using synced = decltype(properties{interop_user_sync});
    using channeled = decltype(properties{mem_channel{1}});
    static_assert(apart<queue, cl_queue_properties, ordered>());
    static_assert(apart<context, cl_context_properties, synced>());
    static_assert(apart<buffer<int>, cl_mem_properties, channeled>());
    static_assert(takes<queue, cl_context, cl_device_id, ordered>());
    static_assert(takes<queue, cl_context, cl_device_id, const cl_queue_properties *>());
    static_assert(takes<context, cl_device_id, synced>());
    static_assert(takes<context, cl_device_id, const cl_context_properties *>());
    static_assert(takes<buffer<int>, cl_context, std::size_t, channeled>());
    static_assert(takes<buffer<int>, cl_context, std::size_t, const cl_mem_properties *>());
    static_assert(takes<buffer<int>, cl_context, std::vector<int>, channeled>());
    static_assert(takes<buffer<int>, cl_context, std::vector<int>, const cl_mem_properties *>());
    static_assert(
        takes<kernel, cl_program, const char *, decltype(properties{work_group_size<4>})>());

#if REFUSED == 1 /* not a property of contexts */
    context refused(cl_device_id(), properties{in_order});
#endif
#if REFUSED == 2 /* not a property of buffers */
    buffer<int> refused(cl_context(), std::size_t(1), properties{interop_user_sync});
#endif
#if REFUSED == 3 /* not a property of queues */
    queue refused(cl_context(), cl_device_id(), properties{mem_channel{1}});
#endif
#if REFUSED == 4 /* not a property of kernels */
    kernel refused(cl_program(), "k", properties{in_order});
#endif

#elif RULE == 19
    static_assert(functor::properties.get_property<sub_group_size_key>().value == 8);
    CHECK(kernel_attributes(functor::properties) ==
          "__attribute__((intel_reqd_sub_group_size(8), reqd_work_group_size(16,1,1)))");
    CHECK(kernel_attributes(properties{max_concurrency<2>, autorun}) ==
          "__attribute__((autorun, max_concurrency(2)))");
    CHECK(kernel_attributes(properties{work_group_size_hint<8, 4, 2>}) ==
          "__attribute__((work_group_size_hint(8,4,2)))");
#if REFUSED == 1 /* properties of the list are in conflict */
    kernel_attributes(properties{autorun, work_group_size_hint<8>});
#endif
#if REFUSED == 2 /* at least 1 */
    kernel_attributes(properties{max_concurrency<0>});
#endif
#if REFUSED == 3 /* at least 1 */
    (void)max_concurrency_v<0>.value;
#endif
#if REFUSED == 4 /* at least 1 */
    kernel_attributes(properties{sub_group_size<0>});
#endif
#elif RULE == 20
    alignas(64) int numbers[16] = {1, 2, 3};
    annotated_ptr<int, decltype(properties{streaming, alignment<64>})> at{numbers};
    static_assert(sizeof at == sizeof(int *) && std::is_trivially_copyable_v<decltype(at)>);
    at.write(41, 3);
    store(&numbers[4], load(&numbers[3], properties{streaming}) + 1, properties{streaming});
    CHECK(at.read(3) == 41 && load(&numbers[4]) == 42);
    CHECK(load(at.get(), properties{alignment<64>}) == 1);
    prefetch(&numbers[5], properties{streaming});
    prefetch(numbers);
    struct wide {
        double at[3];
    } one = {{1, 2, 3}}, two = load(&one, properties{streaming});
    CHECK(std::memcmp(&one, &two, sizeof one) == 0);
#if REFUSED == 1 /* not a property of memory accesses */
    load(numbers, properties{autorun});
#endif
#if REFUSED == 5 /* not a property of memory accesses */
    prefetch(numbers, properties{autorun});
#endif
#if REFUSED == 2 /* not a property of annotated pointers */
    annotated_ptr<int, decltype(properties{autorun})> bad{numbers};
#endif
#if REFUSED == 3 /* an alignment is a power of two */
    load(numbers, properties{alignment<0>});
#endif
#if REFUSED == 4 /* an alignment is a power of two */
    load(numbers, properties{alignment<12>});
#endif
#elif RULE == 21
    /* Where a stream goes changes no type; how much a pipe holds does. */
    SAME(decltype(properties{io_target{"file:a"}}), decltype(properties{io_target{"file:b"}}));
    static_assert(
        !std::is_same_v<pipe<thing, int, 1, properties<>>, pipe<thing, int, 2, properties<>>>);
    CHECK(properties{io_target{"file:a"}}.get_property<io_target>().stream == "file:a");
#elif RULE == 101
    /* L-D1: both spellings, wherever a list is taken, are one thing. */
    properties newer{bar<4>, foo{5}};
    property_list older{foo{5}, bar<4>};
    decltype(newer) to_newer = older;
    decltype(older) to_older = newer;
    CHECK(to_newer.get_property<foo>().value == 5 && to_older.get_property<foo>().value == 5);
    SAME(decltype(newer.get_property<bar_key>()), decltype(older.get_property<bar_key>()));
    static_assert(decltype(older)::has_property<foo>() && !decltype(older)::has_property<flag>());
    static_assert(is_device_copyable_v<decltype(older)> == is_device_copyable_v<decltype(newer)>);
    thing by_newer{newer}, by_older{older};
    (void)by_newer, (void)by_older;
    CHECK(kernel_attributes(property_list{sub_group_size<8>, work_group_size<16>}) ==
          kernel_attributes(properties{work_group_size<16>, sub_group_size<8>}));
    using new_pipe = pipe<thing, int, 3, decltype(properties{ready_latency<2>})>;
    using old_pipe = pipe<thing, int, 3, decltype(property_list{ready_latency<2>})>;
    using other_pipe = pipe<thing, int, 3, decltype(property_list{ready_latency<3>})>;
    CHECK(new_pipe::pipe_declaration("p") == old_pipe::pipe_declaration("p"));
    CHECK(new_pipe::pipe_declaration("p") != other_pipe::pipe_declaration("p"));
    int number = 0;
    annotated_ptr<int, decltype(property_list{streaming})> at{&number};
    at.write(7);
    CHECK(load(&number, property_list{streaming}) == 7);
#if REFUSED == 1 /* the same property is in the list twice */
    property_list twice{foo{1}, foo{2}};
#endif
#if REFUSED == 2 /* not a property of memory accesses */
    load(&number, property_list{autorun});
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
