/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: lists of properties, each of which may be known at compile time or at run
 * time. The type of a list tells its compile-time properties with their values and which run-time
 * properties are in it, in whatever order they were given.
 *
 *     properties p{ready_latency<2>, io_target{"file:in.bin"}};
 *     static_assert(p.get_property<ready_latency_key>().value == 2);
 *
 * A run-time property is a class of its own, which is its key as well. A compile-time property is
 * an object of property_value<Key, Params...>, which Key::value_t names. Both are made known by
 * specialising is_property for the key, and is_property_of for each kind of object that takes it.
 */
#ifndef SLUICE_PROPERTIES_HPP
#define SLUICE_PROPERTIES_HPP

#include <CL/sluice/type_name.hpp>

#include <tuple>
#include <utility>

namespace sluice
{

template <class Key, class... Params> struct property_value;
template <class... SortedProperties> class properties;
template <class... SortedProperties> class property_list;

/* ---- traits ---------------------------------------------------------------------------------- */

/* Of keys: to be specialised by who defines a property. */
template <class Property> struct is_property : std::false_type {
};
template <class Key, class... Params>
struct is_property<property_value<Key, Params...>> : is_property<Key> {
};
template <class Property> struct is_property<const Property> : is_property<Property> {
};
template <class Property> inline constexpr bool is_property_v = is_property<Property>::value;

/* May objects of this type be given the property? To be specialised for the key. */
template <class Property, class Object> struct is_property_of : std::false_type {
};
template <class Key, class... Params, class Object>
struct is_property_of<property_value<Key, Params...>, Object> : is_property_of<Key, Object> {
};
template <class Property, class Object>
struct is_property_of<const Property, Object> : is_property_of<Property, Object> {
};
template <class Property, class Object>
inline constexpr bool is_property_of_v = is_property_of<Property, Object>::value;

/* Two keys that may not be in one list: to be specialised in one order; the other follows. */
template <class Key, class OtherKey> struct conflicts : std::false_type {
};

template <class List> struct is_property_list : std::false_type {
};
template <class... P> struct is_property_list<properties<P...>> : std::true_type {
};
template <class... P> struct is_property_list<property_list<P...>> : std::true_type {
};
template <class List> struct is_property_list<const List> : is_property_list<List> {
};
template <class List> inline constexpr bool is_property_list_v = is_property_list<List>::value;

/* Can it be handed to a kernel byte for byte? To be specialised for types that can, and do not look
 * like it. */
template <class T> struct is_device_copyable : std::is_trivially_copyable<T> {
};
template <class Key, class... Params>
struct is_device_copyable<property_value<Key, Params...>> : std::true_type {
};
template <class T> struct is_device_copyable<const T> : is_device_copyable<T> {
};
template <class... P>
struct is_device_copyable<properties<P...>> : std::conjunction<is_device_copyable<P>...> {
};
template <class... P>
struct is_device_copyable<property_list<P...>> : std::conjunction<is_device_copyable<P>...> {
};
template <class T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

/* ---- one property ---------------------------------------------------------------------------- */

namespace detail
{

template <class P> struct key {
    using type = P;
};
template <class Key, class... Params> struct key<property_value<Key, Params...>> {
    using type = Key;
};
template <class P> using key_t = typename key<P>::type;

template <class P> struct is_compile_time : std::false_type {
};
template <class Key, class... Params>
struct is_compile_time<property_value<Key, Params...>> : std::true_type {
};

template <class Param, class = void> struct one_param {
    using value_t = Param;
};
template <class Param> struct one_param<Param, std::void_t<decltype(Param::value)>> {
    using value_t = std::remove_cv_t<decltype(Param::value)>;
    static constexpr value_t value = Param::value;
};

struct no_members {
};

template <class... Params> struct plain_members : no_members {
};
template <class Param> struct plain_members<Param> : one_param<Param> {
};

/* Names for several parameters come from the key, and what it asks of one: its template `members`.
 */
template <class Key, class Params, class = void> struct members;
template <class Key, class... Params>
struct members<Key, type_list<Params...>, void> : plain_members<Params...> {
};
template <class Key, class First, class... Params>
struct members<Key, type_list<First, Params...>,
               std::void_t<typename Key::template members<First, Params...>>>
    : Key::template members<First, Params...> {
};

} // namespace detail

/* A property whose value is its type. With one parameter it has `value_t` and, if that is a number,
 * `value`; with several the names that its key gives them. */
template <class Key, class... Params>
struct property_value : detail::members<Key, detail::type_list<Params...>> {
    using key_t = Key;
};

template <class A, class... AParams, class B, class... BParams>
constexpr bool operator==(property_value<A, AParams...>, property_value<B, BParams...>) noexcept
{
    return std::is_same_v<property_value<A, AParams...>, property_value<B, BParams...>>;
}
template <class A, class... AParams, class B, class... BParams>
constexpr bool operator!=(property_value<A, AParams...> a, property_value<B, BParams...> b) noexcept
{
    return !(a == b);
}

/* ---- the order of a list --------------------------------------------------------------------- */

namespace detail
{

/* By name: addresses and the order of declarations differ between translation units. */
template <class A, class B>
struct is_before : std::bool_constant<(type_name<key_t<A>>() < type_name<key_t<B>>())> {
};

template <class A, class B>
inline constexpr bool same_name_other_key =
    !std::is_same_v<key_t<A>, key_t<B>> && type_name<key_t<A>>() == type_name<key_t<B>>();

template <class A, class B>
inline constexpr bool in_conflict =
    conflicts<key_t<A>, key_t<B>>::value || conflicts<key_t<B>, key_t<A>>::value;

template <class A, class... P>
inline constexpr bool in_conflict_with_any = (in_conflict<A, P> || ...);
template <class A, class... P>
inline constexpr bool has_namesake = (same_name_other_key<A, P> || ...);

template <class... P> inline constexpr bool all_properties = (is_property_v<P> && ...);
template <class... P>
inline constexpr bool no_duplicates = ((times_in<key_t<P>, key_t<P>...> == 1) && ...);
template <class... P> inline constexpr bool no_conflicts = !(in_conflict_with_any<P, P...> || ...);
template <class... P> inline constexpr bool no_namesakes = !(has_namesake<P, P...> || ...);

template <template <class...> class List, class Types> struct list_of;
template <template <class...> class List, class... P> struct list_of<List, type_list<P...>> {
    using type = List<P...>;
};
template <template <class...> class List, class... P>
using sorted_list_t =
    typename list_of<List, typename sort<is_before, type_list<>, P...>::type>::type;

/* In the place that `Given` has among P: what has it in the sorted list. */
template <class Given, class... P> struct sorted_at {
    static constexpr std::size_t place() noexcept
    {
        constexpr bool same[] = {std::is_same_v<Given, P>...};
        std::size_t at = 0;
        while (!same[at])
            at++;
        return at;
    }
    using type = std::tuple_element_t<place(), sorted_list_t<std::tuple, P...>>;
};
template <class Given, class... P> using sorted_at_t = typename sorted_at<Given, P...>::type;

template <class... P>
inline constexpr bool is_sorted =
    std::is_same_v<type_list<P...>, typename sort<is_before, type_list<>, P...>::type>;

/* The member of a list that has the key, or void. */
template <class Key, class... P> struct find {
    using type = void;
};
template <class Key, class First, class... P>
struct find<Key, First, P...>
    : std::conditional_t<std::is_same_v<Key, key_t<First>>, identity<First>, find<Key, P...>> {
};

/* Where a list keeps a property: compile-time ones take no room. */
template <class P, bool = is_compile_time<P>::value> struct slot {
    constexpr slot() = default;
    constexpr explicit slot(P) noexcept
    {
    }
};
template <class P> struct slot<P, false> {
    P property{};
    constexpr slot() = default;
    constexpr explicit slot(P given) : property(std::move(given))
    {
    }
};

} // namespace detail

/* ---- the list -------------------------------------------------------------------------------- */

/* The types are in an order of our own: leave them to the deduction, or to properties_t. */
template <class... P> class properties : private detail::slot<P>...
{
    static_assert(detail::all_properties<P...>, "sluice: not a property: is_property is not "
                                                "specialised for it");
    static_assert(detail::no_duplicates<P...>, "sluice: the same property is in the list twice");
    static_assert(detail::no_conflicts<P...>, "sluice: properties of the list are in conflict");
    static_assert(detail::no_namesakes<P...>, "sluice: two properties have the same name, so that "
                                              "their order is not known");
    static_assert(!detail::no_duplicates<P...> || detail::is_sorted<P...>,
                  "sluice: the types of a list are sorted: use properties{...} or properties_t");

    template <class Key> using found = typename detail::find<Key, P...>::type;
    template <class Key>
    static constexpr bool has_static = detail::is_compile_time<found<Key>>::value;
    template <class Key>
    static constexpr bool has_stored = !has_static<Key> && !std::is_void_v<found<Key>>;

  public:
    constexpr properties() = default;

    /* One value for each property, in any order. */
    template <class... Given,
              std::enable_if_t<sizeof...(Given) == sizeof...(P) && sizeof...(P) != 0 &&
                                   ((detail::times_in<P, Given...> == 1) && ...),
                               int> = 0>
    constexpr explicit properties(Given... given)
        : properties(std::tuple<Given...>(std::move(given)...), nullptr)
    {
    }

    template <class Key> static constexpr bool has_property() noexcept
    {
        return !std::is_void_v<found<Key>>;
    }

    /* Of a property known at compile time: a constant expression, whatever the list. */
    template <class Key, std::enable_if_t<has_static<Key>, int> = 0>
    static constexpr auto get_property() noexcept
    {
        return found<Key>{};
    }
    /* Of others: a copy. */
    template <class Key, std::enable_if_t<has_stored<Key>, int> = 0>
    constexpr auto get_property() const
    {
        return static_cast<const detail::slot<Key> &>(*this).property;
    }
    template <class Key, std::enable_if_t<!has_static<Key> && !has_stored<Key>, int> = 0>
    static constexpr void get_property() noexcept
    {
        static_assert(detail::never<Key>, "sluice: the list does not have this property");
    }

    /* May an object of this type have all of them? */
    template <class Object> static constexpr bool apply_to() noexcept
    {
        return (is_property_of_v<P, Object> && ...);
    }

  private:
    template <class Tuple>
    constexpr properties(Tuple given, std::nullptr_t)
        : detail::slot<P>(std::move(std::get<P>(given)))...
    {
    }
};

template <class... P> properties(P...) -> properties<detail::sorted_at_t<P, P...>...>;

/* The type of a list by its properties in any order. */
template <class... P> using properties_t = detail::sorted_list_t<properties, P...>;

/* The older spelling: a list of its own type that is a `properties` in all else. */
template <class... P> class property_list : public properties<P...>
{
  public:
    using properties<P...>::properties;
    constexpr property_list() = default;
    constexpr property_list(properties<P...> list) : properties<P...>(std::move(list))
    {
    }
};

template <class... P> property_list(P...) -> property_list<detail::sorted_at_t<P, P...>...>;

namespace detail
{

/* The one type for both spellings. */
template <class List> struct canonical;
template <class... P> struct canonical<properties<P...>> {
    using type = properties<P...>;
};
template <class... P> struct canonical<property_list<P...>> {
    using type = properties<P...>;
};
template <class List> struct canonical<const List> : canonical<List> {
};
template <class List> using canonical_t = typename canonical<List>::type;

} // namespace detail
} // namespace sluice

#endif
