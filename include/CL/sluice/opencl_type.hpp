/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: how OpenCL C writes the type of a packet. Numbers and vectors are known; a
 * structure is written once for both sides:
 *
 *     SLUICE_PACKET(sample, { cl_uint time; cl_float4 value[3]; });
 *     SLUICE_PACKET(pair, { sample first, second; });
 *
 * at global scope declares `struct sample` here, and in the text that pipes generate. Members are
 * of types that both sides know: those of CL/cl.h, other packets, and numbers of C.
 */
#ifndef SLUICE_OPENCL_TYPE_HPP
#define SLUICE_OPENCL_TYPE_HPP

#include <CL/sluice/error.hpp>
#include <CL/sluice/type_name.hpp>

#include <cstdint>
#include <utility>

namespace sluice
{

/* To be specialised for packets: `name` as it is used, `definition` what comes before that (may be
 * empty), `is_scalar` as below. */
template <class T, class = void> struct opencl_type {
    static constexpr bool known = false, is_scalar = false;
    static constexpr std::string_view name{}, definition{};
};

namespace detail
{

/* ---- words of a structure's text ------------------------------------------------------------- */

/* Stands for a word by its hash. Each SLUICE_PACKET declares `packet_named` of its name's. */
template <std::uint64_t Hash> struct word {
};

/* Calls `visit(word)` for each that is followed by another one: types, and what qualifies them. */
template <class Visit> constexpr void for_type_words(std::string_view text, Visit &visit)
{
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        for (end = at; end < text.size() && is_plain(text[end]);)
            end++;
        std::size_t next = end;
        while (next < text.size() && text[next] == ' ')
            next++;
        if (end != at && next != end && next < text.size() && is_plain(text[next]))
            visit(text.substr(at, end - at));
    }
}
constexpr std::size_t type_word_count(std::string_view text)
{
    std::size_t count = 0;
    auto visit = [&count](std::string_view) { count++; };
    for_type_words(text, visit);
    return count;
}
/* The hash of one of them. */
constexpr std::uint64_t type_word(std::string_view text, std::size_t index)
{
    std::uint64_t found = 0;
    auto visit = [&](std::string_view one) { found = index-- == 0 ? hash_of(one) : found; };
    for_type_words(text, visit);
    return found;
}

/* ---- numbers --------------------------------------------------------------------------------- */

template <class T> constexpr std::string_view integer_name()
{
    constexpr std::string_view names[] = {"char", "uchar", "short", "ushort",
                                          "int",  "uint",  "long",  "ulong"};
    constexpr std::size_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    return names[width + std::is_unsigned_v<T>];
}

template <class T> constexpr std::string_view number_name()
{
    if constexpr (std::is_same_v<T, float>)
        return "float";
    else if constexpr (std::is_same_v<T, double>)
        return "double";
    else if constexpr (std::is_same_v<T, bool>)
        return "bool";
    else
        return integer_name<T>();
}

} // namespace detail

template <class T>
struct opencl_type<T, std::enable_if_t<std::is_arithmetic_v<T> && sizeof(T) <= 8>> {
    static constexpr bool known = true, is_scalar = true;
    static constexpr std::string_view name = detail::number_name<T>(), definition{};
};

#define SLUICE_VECTOR(type, count)                                                                 \
    template <> struct opencl_type<cl_##type##count> {                                             \
        static constexpr bool known = true, is_scalar = true;                                      \
        static constexpr std::string_view name = #type #count, definition{};                       \
    };
#define SLUICE_VECTORS(type)                                                                       \
    SLUICE_VECTOR(type, 2) SLUICE_VECTOR(type, 4) SLUICE_VECTOR(type, 8) SLUICE_VECTOR(type, 16)
SLUICE_VECTORS(char)
SLUICE_VECTORS(uchar)
SLUICE_VECTORS(short)
SLUICE_VECTORS(ushort)
SLUICE_VECTORS(int)
SLUICE_VECTORS(uint)
SLUICE_VECTORS(long)
SLUICE_VECTORS(ulong)
SLUICE_VECTORS(float)
SLUICE_VECTORS(double)
#undef SLUICE_VECTORS
#undef SLUICE_VECTOR

#define SLUICE_PACKET(type, ...)                                                                   \
    struct type __VA_ARGS__;                                                                       \
    template <> struct sluice::opencl_type<type> {                                                 \
        static constexpr bool known = true, is_scalar = false;                                     \
        static constexpr std::string_view name = "struct " #type;                                  \
        static constexpr std::string_view definition =                                             \
            "#ifndef SLUICE_PACKET_" #type "\n#define SLUICE_PACKET_" #type "\nstruct " #type      \
            " " #__VA_ARGS__ ";\n#endif\n";                                                        \
    };                                                                                             \
    namespace sluice::detail                                                                       \
    {                                                                                              \
    identity<::type> packet_named(word<hash_of(#type)>);                                           \
    }                                                                                              \
    static_assert(true) /* takes the semicolon */

/* The names that CL/cl.h has for the types, in OpenCL C. */
inline constexpr std::string_view opencl_types =
    "#ifndef SLUICE_CL_TYPES\n#define SLUICE_CL_TYPES\n"
    "#define SLUICE_CL_TYPE(t) typedef t cl_##t; typedef t##2 cl_##t##2; typedef t##3 cl_##t##3; "
    "typedef t##4 cl_##t##4; typedef t##8 cl_##t##8; typedef t##16 cl_##t##16;\n"
    "SLUICE_CL_TYPE(char) SLUICE_CL_TYPE(uchar) SLUICE_CL_TYPE(short) SLUICE_CL_TYPE(ushort)\n"
    "SLUICE_CL_TYPE(int) SLUICE_CL_TYPE(uint) SLUICE_CL_TYPE(long) SLUICE_CL_TYPE(ulong)\n"
    "SLUICE_CL_TYPE(float)\n"
    "#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)\nSLUICE_CL_TYPE(double)\n#endif\n"
    "typedef uint cl_bool;\n#endif\n";

/* ---- what comes before the declaration of a pipe --------------------------------------------- */

namespace detail
{

template <class Key, class Asker, class = void> struct is_packet : std::false_type {
};
template <class Key, class Asker>
struct is_packet<Key, Asker, std::void_t<decltype(packet_named(Key{}))>> : std::true_type {
};

template <class T> void add_definition(std::string &to);

/* Where a packet has others as members, those. `Asker` keeps apart what was known when. */
template <class Asker, std::uint64_t Hash> void add_member(std::string &to)
{
    if constexpr (is_packet<word<Hash>, Asker>::value) {
        using member = typename decltype(packet_named(word<Hash>{}))::type;
        const std::string tag(opencl_type<member>::name), name = tag.substr(tag.find(' ') + 1);
        const std::string guard = "SLUICE_PACKET_TYPE_" + name;
        const std::string type = "#ifndef " + guard + "\n#define " + guard + "\ntypedef " + tag +
                                 " " + name + ";\n#endif\n";
        add_definition<member>(to);
        if (to.find(type) == std::string::npos)
            to += type;
    }
}

template <class T, std::size_t... Index>
void add_members(std::string &to, std::index_sequence<Index...>)
{
    (add_member<T, type_word(opencl_type<T>::definition, Index)>(to), ...);
}

template <class T> void add_definition(std::string &to)
{
    constexpr std::string_view own = opencl_type<T>::definition;
    if (own.empty() || to.find(own) != std::string::npos)
        return;
    if (to.find(opencl_types) == std::string::npos)
        to += opencl_types;
    add_members<T>(to, std::make_index_sequence<type_word_count(own)>());
    to += own;
}

/* All that OpenCL C needs to know before it sees the type, each once; nothing for numbers. */
template <class T> std::string definition_text()
{
    std::string text;
    add_definition<T>(text);
    return text;
}

} // namespace detail

} // namespace sluice

#endif
