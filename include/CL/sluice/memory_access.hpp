/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: loads, stores and pointers with properties that cost nothing at run time.
 */
#ifndef SLUICE_MEMORY_ACCESS_HPP
#define SLUICE_MEMORY_ACCESS_HPP

#include <CL/sluice/properties.hpp>

namespace sluice
{

/* What the properties below are properties of. */
struct memory_access;
template <class T, class Properties> class annotated_ptr;

/* The data is not needed again soon: past the caches where the compiler knows how. */
struct streaming_key {
    using value_t = property_value<streaming_key>;
};
inline constexpr streaming_key::value_t streaming{};
inline constexpr streaming_key::value_t streaming_v{};

/* The address is a multiple of N bytes. */
struct alignment_key {
    template <class N> struct members : detail::one_param<N> {
        static_assert(N::value != 0 && (N::value & (N::value - 1)) == 0,
                      "sluice: an alignment is a power of two");
    };
    template <std::size_t N>
    using value_t = property_value<alignment_key, std::integral_constant<std::size_t, N>>;
};
template <std::size_t N> inline constexpr alignment_key::value_t<N> alignment{};
template <std::size_t N> inline constexpr alignment_key::value_t<N> alignment_v{};

template <> struct is_property<streaming_key> : std::true_type {
};
template <> struct is_property<alignment_key> : std::true_type {
};
template <> struct is_property_of<streaming_key, memory_access> : std::true_type {
};
template <> struct is_property_of<alignment_key, memory_access> : std::true_type {
};
template <class T, class Properties>
struct is_property_of<streaming_key, annotated_ptr<T, Properties>> : std::true_type {
};
template <class T, class Properties>
struct is_property_of<alignment_key, annotated_ptr<T, Properties>> : std::true_type {
};

namespace detail
{

template <class Object, class List> constexpr void check_access() noexcept
{
    static_assert(List::template apply_to<Object>(), "sluice: not a property of memory accesses");
}

template <class List, class T> constexpr T *assume_aligned(T *at) noexcept
{
    if constexpr (List::template has_property<alignment_key>())
        return static_cast<T *>(
            __builtin_assume_aligned(at, List::template get_property<alignment_key>().value));
    else
        return at;
}

#ifdef __clang__
template <class T> inline constexpr bool can_stream = std::is_scalar_v<T> && sizeof(T) >= 4;
#else
template <class T> inline constexpr bool can_stream = false;
#endif

} // namespace detail

template <class T, class List = properties<>> T load(const T *from, List = {}) noexcept
{
    detail::check_access<memory_access, List>();
    const T *at = detail::assume_aligned<List>(from);
#ifdef __clang__
    if constexpr (detail::can_stream<T> && List::template has_property<streaming_key>())
        return __builtin_nontemporal_load(at);
#endif
    return *at;
}

template <class T, class List = properties<>> void store(T *to, const T &value, List = {}) noexcept
{
    detail::check_access<memory_access, List>();
    T *at = detail::assume_aligned<List>(to);
#ifdef __clang__
    if constexpr (detail::can_stream<T> && List::template has_property<streaming_key>()) {
        __builtin_nontemporal_store(value, at);
        return;
    }
#endif
    *at = value;
}

/* Asks for the line of memory, which is needed soon; with `streaming` once only. */
template <class T, class List = properties<>> void prefetch(const T *at, List = {}) noexcept
{
    detail::check_access<memory_access, List>();
    __builtin_prefetch(at, 0, List::template has_property<streaming_key>() ? 0 : 3);
}

/* A pointer whose accesses have the properties. It is as large as any other. */
template <class T, class Properties = properties<>> class annotated_ptr
{
    static_assert(is_property_list_v<Properties>, "sluice: a list of properties is needed");

  public:
    constexpr annotated_ptr(T *at = nullptr) noexcept : pointer(at)
    {
        static_assert(Properties::template apply_to<annotated_ptr>(),
                      "sluice: not a property of annotated pointers");
    }
    constexpr T *get() const noexcept
    {
        return pointer;
    }
    T read(std::size_t index = 0) const noexcept
    {
        return load(pointer + index, element{});
    }
    void write(const T &value, std::size_t index = 0) const noexcept
    {
        store(pointer + index, value, element{});
    }

  private:
    /* The alignment is that of the whole, not of each element. */
    using element = std::conditional_t<Properties::template has_property<streaming_key>(),
                                       properties<streaming_key::value_t>, properties<>>;
    T *pointer;
};

template <class T> annotated_ptr(T *) -> annotated_ptr<T>;

} // namespace sluice

#endif
