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

/* What cannot be in an identifier becomes its code, and so does what looks like one, so that no two
 * names become one: "a<int>" is a_x3cint_x3e. */
template <class Text> constexpr void add_escaped(Text &to, std::string_view name)
{
    for (std::size_t i = 0; i < name.size(); i++) {
        bool looks_escaped = name[i] == '_' && i + 1 < name.size() && name[i + 1] == 'x';
        if (is_plain(name[i]) && !looks_escaped) {
            to.add(name[i]);
            continue;
        }
        to.add("_x");
        to.add_number(static_cast<unsigned char>(name[i]), 16);
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

/* Of types that are numbers, each of which has its own; others are called by their name. */
template <class T> inline constexpr std::string_view abi_letter{};
#define SLUICE_LETTER(type, letter)                                                                \
    template <> inline constexpr std::string_view abi_letter<type> = letter;
SLUICE_LETTER(bool, "b")
SLUICE_LETTER(char, "c")
SLUICE_LETTER(signed char, "a")
SLUICE_LETTER(unsigned char, "h")
SLUICE_LETTER(short, "s")
SLUICE_LETTER(unsigned short, "t")
SLUICE_LETTER(int, "i")
SLUICE_LETTER(unsigned, "j")
SLUICE_LETTER(long, "l")
SLUICE_LETTER(unsigned long, "m")
SLUICE_LETTER(long long, "x")
SLUICE_LETTER(unsigned long long, "y")
SLUICE_LETTER(wchar_t, "w")
SLUICE_LETTER(char16_t, "Ds")
SLUICE_LETTER(char32_t, "Di")
SLUICE_LETTER(float, "f")
SLUICE_LETTER(double, "d")
SLUICE_LETTER(long double, "e")
#undef SLUICE_LETTER

template <class T, class Text> constexpr void add_type(Text &to)
{
    using plain = std::remove_cv_t<T>;
    if (std::is_volatile_v<T>)
        to.add('V');
    if (std::is_const_v<T>)
        to.add('K');
    if (abi_letter<plain>.empty())
        add_qualified(to, type_name<plain>());
    else
        to.add(abi_letter<plain>);
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

/* What else tells pipes apart: the list of properties of one with an end for the host, ... */
template <class Kind> struct kind_of_pipe {
    static constexpr bool plain = std::is_same_v<Kind, properties<>>;
    template <class Text> static constexpr void add(Text &to)
    {
        to.add("_p");
        to.add_number(hash_of(type_name<Kind>()), 16);
    }
};
/* ... the direction of one with a peripheral, ... */
template <bool KernelReads> struct io_end {
};
template <bool KernelReads> struct kind_of_pipe<io_end<KernelReads>> {
    static constexpr bool plain = false;
    template <class Text> static constexpr void add(Text &to)
    {
        to.add(KernelReads ? "_r" : "_w");
    }
};
/* ... or the dimensions of several. */
template <std::size_t... Dimensions> struct dimensions {
};
template <std::size_t... Dimensions> struct kind_of_pipe<dimensions<Dimensions...>> {
    static constexpr bool plain = false;
    template <class Text> static constexpr void add(Text &to)
    {
        to.add("_a");
        ((to.add('_'), to.add_number(Dimensions)), ...);
    }
};

template <class Name, class T, std::int64_t MinCapacity, class Kind, class Text>
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
        if (MinCapacity != 0 || !kind_of_pipe<Kind>::plain) {
            to.add('_');
            to.add_number(static_cast<std::uint64_t>(MinCapacity));
        }
        if (!kind_of_pipe<Kind>::plain)
            kind_of_pipe<Kind>::add(to);
    }
}

template <class Name, class T, std::int64_t MinCapacity, class Kind> struct symbol_text {
    static constexpr std::size_t size() noexcept
    {
        text<0> size;
        add_symbol<Name, T, MinCapacity, Kind>(size);
        return size.used;
    }
    static constexpr text<size()> make() noexcept
    {
        text<size()> to;
        add_symbol<Name, T, MinCapacity, Kind>(to);
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
template <class Name, class T, std::int64_t MinCapacity, class Kind>
inline constexpr std::string_view symbol = symbol_text<Name, T, MinCapacity, Kind>::value.view();

/* ---- one pipe for each symbol ---------------------------------------------------------------- */

/* Names of types that the compiler writes alike (of two blocks of a function), and names that are
 * written out and used for two pipes, are found by a function that the first pipe defines: its
 * result is that pipe. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <class Key> struct symbol_key {
    friend constexpr auto owner_of(symbol_key<Key>);
};
template <class Key, class Pipe> struct symbol_claim {
    friend constexpr auto owner_of(symbol_key<Key>)
    {
        return identity<Pipe>{};
    }
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class Key, class Pipe, class = void> struct is_claimed : std::false_type {
};
template <class Key, class Pipe>
struct is_claimed<Key, Pipe, std::void_t<decltype(owner_of(symbol_key<Key>{}))>> : std::true_type {
};

/* Is it the first pipe of this translation unit with the key, or the same again? */
template <class Key, class Pipe> constexpr bool is_owner() noexcept
{
    if constexpr (is_claimed<Key, Pipe>::value)
        return std::is_same_v<decltype(owner_of(symbol_key<Key>{})), identity<Pipe>>;
    else
        return sizeof(symbol_claim<Key, Pipe>) != 0;
}

/* Programs may have pipes of one name that are written out: those are told apart by the type. */
template <class Name, class T, std::int64_t MinCapacity, class Kind>
using symbol_key_t = std::conditional_t<
    has_name<Name>::value, Name,
    std::integral_constant<std::uint64_t, hash_of(symbol<Name, T, MinCapacity, Kind>)>>;

template <class Name, class T, std::int64_t MinCapacity, class Kind, class Pipe> struct symbol_of {
    static_assert(is_owner<symbol_key_t<Name, T, MinCapacity, Kind>, Pipe>(),
                  "sluice: another pipe has this symbol: its name is written out for both, or is a "
                  "type that the compiler calls by the same name");
    static constexpr std::string_view value = symbol<Name, T, MinCapacity, Kind>;
};

} // namespace sluice::detail

#endif
