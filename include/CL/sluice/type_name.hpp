/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: names of types at compile time, text, and lists of types. */
#ifndef SLUICE_TYPE_NAME_HPP
#define SLUICE_TYPE_NAME_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace sluice::detail
{

/* ---- names of types -------------------------------------------------------------------------- */

template <class T> constexpr auto signature() noexcept
{
    return std::string_view(__PRETTY_FUNCTION__);
}

/* What stands before and behind the type is the same for all types. */
inline constexpr std::size_t name_start = signature<double>().find("double");
inline constexpr std::size_t name_rest =
    signature<double>().size() - name_start - std::string_view("double").size();

/* As the compiler writes it: "int", "nestA::myclass". The type may be incomplete. */
template <class T> constexpr std::string_view type_name() noexcept
{
    constexpr auto whole = signature<T>();
    return whole.substr(name_start, whole.size() - name_start - name_rest);
}

/* ---- text ------------------------------------------------------------------------------------ */

constexpr bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr std::uint64_t hash_of(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

/* ---- lists of types -------------------------------------------------------------------------- */

template <class... T> struct type_list {
};

template <class T> struct identity {
    using type = T;
};

template <class T, class... List>
inline constexpr std::size_t times_in = (std::size_t{std::is_same_v<T, List>} + ... + 0);

/* Depends on T, for a static_assert that is to fail when it is instantiated. */
template <class...> inline constexpr bool never = false;

/* `Item` before the first of Rest that it is less than; Done is what lies before Rest. */
template <template <class, class> class Less, class Item, class Done, class Rest> struct insert;
template <template <class, class> class Less, class Item, class... Done>
struct insert<Less, Item, type_list<Done...>, type_list<>> {
    using type = type_list<Done..., Item>;
};
template <template <class, class> class Less, class Item, class... Done, class First, class... Rest>
struct insert<Less, Item, type_list<Done...>, type_list<First, Rest...>>
    : std::conditional_t<Less<Item, First>::value,
                         identity<type_list<Done..., Item, First, Rest...>>,
                         insert<Less, Item, type_list<Done..., First>, type_list<Rest...>>> {
};

template <template <class, class> class Less, class Done, class... Rest> struct sort {
    using type = Done;
};
template <template <class, class> class Less, class Done, class First, class... Rest>
struct sort<Less, Done, First, Rest...>
    : sort<Less, typename insert<Less, First, type_list<>, Done>::type, Rest...> {
};

} // namespace sluice::detail

#endif
