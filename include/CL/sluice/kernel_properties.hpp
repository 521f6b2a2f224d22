/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: what a kernel may be given, as the attributes of OpenCL C that mean it. */
#ifndef SLUICE_KERNEL_PROPERTIES_HPP
#define SLUICE_KERNEL_PROPERTIES_HPP

#include <CL/sluice/properties.hpp>

#include <string>

namespace sluice
{

/* What the properties below are properties of. */
struct kernel_function;

namespace detail
{

template <std::size_t N> using size_constant = std::integral_constant<std::size_t, N>;

template <class X, class Y, class Z> struct extent_members {
    static_assert(X::value != 0 && Y::value != 0 && Z::value != 0,
                  "sluice: a work-group has at least one item");
    static constexpr std::size_t x = X::value, y = Y::value, z = Z::value;
};

template <class N> struct count_member : one_param<N> {
    static_assert(N::value != 0, "sluice: a size or a number of launches is at least 1");
};

} // namespace detail

/* ---- the properties, in the order of OpenCL: x varies fastest -------------------------------- */

struct work_group_size_key {
    static constexpr char attribute[] = "reqd_work_group_size";
    template <std::size_t X, std::size_t Y = 1, std::size_t Z = 1>
    using value_t = property_value<work_group_size_key, detail::size_constant<X>,
                                   detail::size_constant<Y>, detail::size_constant<Z>>;
    template <class X, class Y, class Z> using members = detail::extent_members<X, Y, Z>;
};
template <std::size_t X, std::size_t Y = 1, std::size_t Z = 1>
inline constexpr work_group_size_key::value_t<X, Y, Z> work_group_size{};
template <std::size_t X, std::size_t Y = 1, std::size_t Z = 1>
inline constexpr work_group_size_key::value_t<X, Y, Z> work_group_size_v{};

struct work_group_size_hint_key {
    static constexpr char attribute[] = "work_group_size_hint";
    template <std::size_t X, std::size_t Y = 1, std::size_t Z = 1>
    using value_t = property_value<work_group_size_hint_key, detail::size_constant<X>,
                                   detail::size_constant<Y>, detail::size_constant<Z>>;
    template <class X, class Y, class Z> using members = detail::extent_members<X, Y, Z>;
};
template <std::size_t X, std::size_t Y = 1, std::size_t Z = 1>
inline constexpr work_group_size_hint_key::value_t<X, Y, Z> work_group_size_hint{};
template <std::size_t X, std::size_t Y = 1, std::size_t Z = 1>
inline constexpr work_group_size_hint_key::value_t<X, Y, Z> work_group_size_hint_v{};

struct sub_group_size_key {
    static constexpr char attribute[] = "intel_reqd_sub_group_size";
    template <class N> using members = detail::count_member<N>;
    template <std::size_t N>
    using value_t = property_value<sub_group_size_key, detail::size_constant<N>>;
};
template <std::size_t N> inline constexpr sub_group_size_key::value_t<N> sub_group_size{};
template <std::size_t N> inline constexpr sub_group_size_key::value_t<N> sub_group_size_v{};

struct max_concurrency_key {
    static constexpr char attribute[] = "max_concurrency";
    template <class N> using members = detail::count_member<N>;
    template <std::size_t N>
    using value_t = property_value<max_concurrency_key, detail::size_constant<N>>;
};
template <std::size_t N> inline constexpr max_concurrency_key::value_t<N> max_concurrency{};
template <std::size_t N> inline constexpr max_concurrency_key::value_t<N> max_concurrency_v{};

struct autorun_key {
    static constexpr char attribute[] = "autorun";
    using value_t = property_value<autorun_key>;
};
inline constexpr autorun_key::value_t autorun{};
inline constexpr autorun_key::value_t autorun_v{};

template <> struct is_property<work_group_size_key> : std::true_type {
};
template <> struct is_property<work_group_size_hint_key> : std::true_type {
};
template <> struct is_property<sub_group_size_key> : std::true_type {
};
template <> struct is_property<max_concurrency_key> : std::true_type {
};
template <> struct is_property<autorun_key> : std::true_type {
};
template <> struct is_property_of<work_group_size_key, kernel_function> : std::true_type {
};
template <> struct is_property_of<work_group_size_hint_key, kernel_function> : std::true_type {
};
template <> struct is_property_of<sub_group_size_key, kernel_function> : std::true_type {
};
template <> struct is_property_of<max_concurrency_key, kernel_function> : std::true_type {
};
template <> struct is_property_of<autorun_key, kernel_function> : std::true_type {
};
/* A size that is required needs no hint, and nobody launches an autorun kernel. */
template <> struct conflicts<work_group_size_hint_key, work_group_size_key> : std::true_type {
};
template <> struct conflicts<work_group_size_hint_key, autorun_key> : std::true_type {
};

/* ---- as text --------------------------------------------------------------------------------- */

namespace detail
{

template <class... Params> std::string arguments(type_list<Params...>)
{
    std::string text;
    ((text += (text.empty() ? "(" : ",") + std::to_string(Params::value)), ...);
    return text.empty() ? text : text + ")";
}

template <class Key, class... Params> std::string attribute(property_value<Key, Params...>)
{
    return Key::attribute + arguments(type_list<Params...>{});
}

template <class... P> constexpr void check_kernel_properties(const properties<P...> &) noexcept
{
    static_assert(properties<P...>::template apply_to<kernel_function>(),
                  "sluice: not a property of kernels");
}

} // namespace detail

/* "__attribute__((autorun, reqd_work_group_size(4,1,1)))", to be put before a kernel in OpenCL C;
 * nothing for an empty list. */
template <class... P> std::string kernel_attributes(const properties<P...> &list)
{
    std::string text;
    detail::check_kernel_properties(list);
    ((text += (text.empty() ? "" : ", ") + detail::attribute(P{})), ...);
    return text.empty() ? text : "__attribute__((" + text + "))";
}

} // namespace sluice

#endif
