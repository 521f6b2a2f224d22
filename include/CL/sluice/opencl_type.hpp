/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: how OpenCL C writes the type of a packet. Numbers and vectors are known; a
 * structure is written once for both sides:
 *
 *     SLUICE_PACKET(sample, { cl_uint time; cl_float value[3]; });
 *
 * at global scope declares `struct sample` here, and in the text that pipes generate.
 */
#ifndef SLUICE_OPENCL_TYPE_HPP
#define SLUICE_OPENCL_TYPE_HPP

#include <CL/sluice/error.hpp>

#include <string_view>
#include <type_traits>

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
        static constexpr std::string_view definition = "struct " #type " " #__VA_ARGS__ ";\n";     \
    }

/* The names that CL/cl.h has for the types, in OpenCL C. */
inline constexpr std::string_view opencl_types =
    "#ifndef SLUICE_CL_TYPES\n#define SLUICE_CL_TYPES\n"
    "typedef char cl_char; typedef uchar cl_uchar; typedef short cl_short;\n"
    "typedef ushort cl_ushort; typedef int cl_int; typedef uint cl_uint;\n"
    "typedef long cl_long; typedef ulong cl_ulong; typedef float cl_float;\n"
    "#endif\n";

} // namespace sluice

#endif
