/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: the name that a pipe has in the program, made at compile time. It is that
 * of the identifying type, if that says `static constexpr char name[]`; else it is made of all that
 * tells pipes apart: pipe<nestA::myclass, int, 5> is pipe_N5nestA7myclassE_i_5.
 */
#ifndef SLUICE_SYMBOL_HPP
#define SLUICE_SYMBOL_HPP

#include <CL/sluice/properties.hpp>

#include <array>
#include <cstdint>

namespace sluice::detail
{

/* ---- text that is written at compile time ---------------------------------------------------- */

/* Counts what does not fit, so that a first pass with Room 0 finds the size. */
template <std::size_t Room> struct text {
    std::array<char, Room + 1> at{};
    std::size_t used = 0;

    constexpr void add(char c)
    {
        if (used < Room)
            at[used] = c;
        used++;
    }
    constexpr void add(std::string_view string)
    {
        for (char c : string)
            add(c);
    }
    constexpr void add_number(std::uint64_t number, unsigned base = 10)
    {
        std::uint64_t unit = 1;
        while (number / unit >= base)
            unit *= base;
        for (; unit; unit /= base)
            add("0123456789abcdef"[number / unit % base]);
    }
    constexpr std::string_view view() const
    {
        return {at.data(), used};
    }
};

/* ---- names of types as parts of identifiers -------------------------------------------------- */

constexpr bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* What cannot be in an identifier becomes its code, so that no two names become one: "a<int>" is
 * a_x3cint_x3e. */
template <class Text> constexpr void add_escaped(Text &to, std::string_view name)
{
    for (char c : name) {
        if (is_plain(c)) {
            to.add(c);
            continue;
        }
        to.add("_x");
        to.add_number(static_cast<unsigned char>(c), 16);
    }
}

/* One name between "::", with its length before it. */
template <class Text> constexpr void add_component(Text &to, std::string_view name)
{
    text<0> size;
    if (name == "{anonymous}" || name == "(anonymous namespace)" || name == "<unnamed>")
        name = "_GLOBAL__N_1";
    add_escaped(size, name);
    to.add_number(size.used);
    add_escaped(to, name);
}

/* The next "::" that is not between brackets. */
constexpr std::size_t end_of_component(std::string_view name)
{
    int depth = 0;
    for (std::size_t i = 0; i + 1 < name.size(); i++) {
        if (name[i] == '<' || name[i] == '(' || name[i] == '{' || name[i] == '[')
            depth++;
        else if (name[i] == '>' || name[i] == ')' || name[i] == '}' || name[i] == ']')
            depth--;
        else if (!depth && name[i] == ':' && name[i + 1] == ':')
            return i;
    }
    return name.size();
}

/* As in the C++ ABI: 7myclass, N5nestA7myclassE. */
template <class Text> constexpr void add_qualified(Text &to, std::string_view name)
{
    bool nested = end_of_component(name) != name.size();
    if (nested)
        to.add('N');
    for (std::size_t end = 0; !name.empty(); name.remove_prefix(end)) {
        if (name[0] == ':')
            name.remove_prefix(2);
        end = end_of_component(name);
        add_component(to, name.substr(0, end));
    }
    if (nested)
        to.add('E');
}

template <class T> constexpr std::string_view abi_letter()
{
    if constexpr (!std::is_arithmetic_v<T>)
        return {};
    else if constexpr (std::is_same_v<T, float>)
        return "f";
    else if constexpr (std::is_same_v<T, double>)
        return "d";
    else if constexpr (std::is_same_v<T, bool>)
        return "b";
    else if constexpr (std::is_same_v<T, char>)
        return "c";
    else if constexpr (std::is_integral_v<T>) /* long and long long are one type in OpenCL C */
        return std::string_view("ahstijlm")
            .substr((sizeof(T) == 1   ? 0
                     : sizeof(T) == 2 ? 2
                     : sizeof(T) == 4 ? 4
                                      : 6) +
                        std::is_unsigned_v<T>,
                    1);
    else
        return "e";
}

template <class T, class Text> constexpr void add_type(Text &to)
{
    constexpr std::string_view letter = abi_letter<T>();
    if (letter.empty())
        add_qualified(to, type_name<T>());
    else
        to.add(letter);
}

constexpr std::uint64_t hash_of(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

/* ---- the symbol ------------------------------------------------------------------------------ */

template <class Name, class = void> struct has_name : std::false_type {
};
template <class Name> struct has_name<Name, std::void_t<decltype(Name::name[0])>> : std::true_type {
};

/* What writes its symbol itself: elements of arrays. */
template <class Name, class = void> struct writes_symbol : std::false_type {
};
template <class Name>
struct writes_symbol<Name, std::void_t<typename Name::array_type>> : std::true_type {
};

template <class Name, class T, std::int64_t MinCapacity, class Properties, class Text>
constexpr void add_symbol(Text &to)
{
    if constexpr (writes_symbol<Name>::value) {
        Name::add_symbol(to);
    } else if constexpr (has_name<Name>::value) {
        to.add(std::string_view(Name::name));
    } else {
        to.add("pipe_");
        add_qualified(to, type_name<Name>());
        to.add('_');
        add_type<T>(to);
        if (MinCapacity != 0 || !std::is_same_v<Properties, properties<>>) {
            to.add('_');
            to.add_number(static_cast<std::uint64_t>(MinCapacity));
        }
        if (!std::is_same_v<Properties, properties<>>) {
            to.add("_p");
            to.add_number(hash_of(type_name<Properties>()), 16);
        }
    }
}

template <class Name, class T, std::int64_t MinCapacity, class Properties> struct symbol_text {
    static constexpr std::size_t size() noexcept
    {
        text<0> size;
        add_symbol<Name, T, MinCapacity, Properties>(size);
        return size.used;
    }
    static constexpr text<size()> make() noexcept
    {
        text<size()> to;
        add_symbol<Name, T, MinCapacity, Properties>(to);
        return to;
    }
    static constexpr text<size()> value = make();
};

/* Of the identifying type alone. */
template <class Name> struct name_text {
    static constexpr std::size_t size() noexcept
    {
        text<0> size;
        add_qualified(size, type_name<Name>());
        return size.used;
    }
    static constexpr text<size()> make() noexcept
    {
        text<size()> to;
        add_qualified(to, type_name<Name>());
        return to;
    }
    static constexpr text<size()> value = make();
};

/* Ends with a zero, as OpenCL wants it. */
template <class Name, class T, std::int64_t MinCapacity, class Properties>
inline constexpr std::string_view symbol =
    symbol_text<Name, T, MinCapacity, Properties>::value.view();

} // namespace sluice::detail

#endif
