/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: pipes between kernels and the world outside. The host has no end of them:
 * it declares them for the program, says where their streams go, and can compare. The peripheral is
 * Name::id, or has a name that is given at run time.
 */
#ifndef SLUICE_IO_PIPE_HPP
#define SLUICE_IO_PIPE_HPP

#include <CL/sluice/pipe.hpp>

#include <limits>
#include <stdlib.h>

namespace sluice
{

namespace detail
{

template <class Name, class = void> struct has_id : std::false_type {
};
template <class Name> struct has_id<Name, std::void_t<decltype(Name::id)>> : std::true_type {
};

/* A row of SLUICE_FPGA_IO, which is read when the pipes of a program are made. */
inline std::error_code add_io_row(const std::string &row)
{
    const char *before = std::getenv("SLUICE_FPGA_IO");
    std::string rows = before && *before ? std::string(before) + ";" + row : row;
    return setenv("SLUICE_FPGA_IO", rows.c_str(), 1)
               ? std::error_code(errno, std::generic_category())
               : std::error_code();
}

template <class Pipe, bool KernelReads, class Name, class DataT, std::size_t MinCapacity>
class io_pipe
{
    using T = std::remove_cv_t<DataT>;
    static_assert(MinCapacity <= std::numeric_limits<std::int32_t>::max(),
                  "sluice: the capacity of a pipe is a number of 31 bits");
    static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>,
                  "sluice: packets are passed bit for bit: trivially copyable, standard layout");
    static constexpr std::int64_t capacity = static_cast<std::int64_t>(MinCapacity);

  public:
    using value_type = DataT;
    using packet_type = T;
    static constexpr std::size_t min_capacity = MinCapacity;
    static constexpr std::string_view symbol =
        symbol_of<Name, DataT, capacity, io_end<KernelReads>, io_pipe>::value;

    io_pipe() = delete;

    /* The peripheral of Name::id. */
    static std::string peripheral()
    {
        static_assert(has_id<Name>::value, "sluice: the name of an I/O pipe has a number `id`, or "
                                           "the peripheral is named at run time");
        return std::to_string(Name::id);
    }

    static std::string pipe_declaration(std::string_view alias, const std::string &peripheral)
    {
        return declaration_text<T>(symbol, "", capacity,
                                   " __attribute__((io(\"" + peripheral + "\")))", alias);
    }
    static std::string pipe_declaration(std::string_view alias = {})
    {
        return pipe_declaration(alias, peripheral());
    }
    static std::string declaration(std::string_view alias, const std::string &peripheral)
    {
        return definition_text<T>() + pipe_declaration(alias, peripheral);
    }
    static std::string declaration(std::string_view alias = {})
    {
        return declaration(alias, peripheral());
    }

    /* For programs that are built from now on: a row of SLUICE_FPGA_IO of this process. Not while
     * other threads look at the environment. */
    template <class... P>
    static void connect(const properties<P...> &list, const std::string &peripheral)
    {
        static_assert(properties<P...>::template apply_to<Pipe>(),
                      "sluice: not a property of I/O pipes");
        static_assert(properties<P...>::template has_property<io_target>(),
                      "sluice: where the stream goes is an io_target");
        check(add_io_row(peripheral + "=" + list.template get_property<io_target>().stream),
              "SLUICE_FPGA_IO");
    }
    template <class... P> static void connect(const properties<P...> &list)
    {
        connect(list, peripheral());
    }

    /* How the pipe of a program that is built differs from this type: a sentence, or nothing. */
    template <class Program>
    static std::string mismatch(const Program &program, const std::string &peripheral)
    {
        functions calls;
        cl_program handle = detail::handle<cl_program>(program);
        pipe_facts here{sizeof(T), alignof(T), static_cast<cl_uint>(MinCapacity),
                        "",        peripheral, false};
        if constexpr (opencl_type<T>::known)
            if (opencl_type<T>::is_scalar)
                here.type = opencl_type<T>::name;
        return endpoint::look(handle, device_of(handle), symbol.data(), here,
                              std::string(type_name<Pipe>()), calls)
            .sentence;
    }
    template <class Program> static std::string mismatch(const Program &program)
    {
        return mismatch(program, peripheral());
    }
};

} // namespace detail

template <class Name, class T, std::size_t MinCapacity = 0>
class kernel_readable_io_pipe
    : public detail::io_pipe<kernel_readable_io_pipe<Name, T, MinCapacity>, true, Name, T,
                             MinCapacity>
{
};

template <class Name, class T, std::size_t MinCapacity = 0>
class kernel_writeable_io_pipe
    : public detail::io_pipe<kernel_writeable_io_pipe<Name, T, MinCapacity>, false, Name, T,
                             MinCapacity>
{
};

} // namespace sluice

#endif
