/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: how failures are told. Each function that can fail comes in two forms: the
 * one with a std::error_code as its last argument sets that and throws nothing, the other one
 * throws sluice::error. Without exceptions (-fno-exceptions) the latter prints what is wrong and
 * aborts.
 */
#ifndef SLUICE_ERROR_HPP
#define SLUICE_ERROR_HPP

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl_ext_sluice.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

namespace sluice
{

/* What the binding itself finds; errors of OpenCL are in opencl_category(). */
enum class errc {
    no_such_pipe = 1,
    packet_size_differs,
    packet_alignment_differs,
    packet_type_differs,
    capacity_differs,
    not_host_accessible,
    io_name_differs,
    attributes_differ,
    not_bound,
    extension_missing,
};

namespace detail
{

class binding_errors : public std::error_category
{
  public:
    const char *name() const noexcept override
    {
        return "sluice";
    }
    std::string message(int code) const override
    {
        switch (static_cast<errc>(code)) {
        case errc::no_such_pipe:
            return "the program has no such pipe";
        case errc::packet_size_differs:
            return "the program has packets of another size";
        case errc::packet_alignment_differs:
            return "the program has packets of another alignment";
        case errc::packet_type_differs:
            return "the program has packets of another type";
        case errc::capacity_differs:
            return "the program has another capacity";
        case errc::not_host_accessible:
            return "the pipe is not the host's";
        case errc::io_name_differs:
            return "the program has another I/O peripheral";
        case errc::attributes_differ:
            return "the kernel has other attributes";
        case errc::not_bound:
            return "the pipe is not bound to a program";
        case errc::extension_missing:
            return "the device lacks an extension that is needed";
        }
        return "unknown";
    }
};

class opencl_errors : public std::error_category
{
  public:
    const char *name() const noexcept override
    {
        return "OpenCL";
    }
    std::string message(int code) const override
    {
        return "error " + std::to_string(code);
    }
};

} // namespace detail

inline const std::error_category &binding_category() noexcept
{
    static const detail::binding_errors category;
    return category;
}

inline const std::error_category &opencl_category() noexcept
{
    static const detail::opencl_errors category;
    return category;
}

inline std::error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), binding_category()};
}

class error : public std::system_error
{
  public:
    using std::system_error::system_error;
};

namespace detail
{

inline std::error_code opencl_error(cl_int code) noexcept
{
    return code == CL_SUCCESS ? std::error_code{} : std::error_code{code, opencl_category()};
}

[[noreturn]] inline void fail(std::error_code code, const std::string &what)
{
#if defined(__cpp_exceptions)
    throw error(code, what);
#else
    std::fprintf(stderr, "sluice: %s: %s\n", what.c_str(), code.message().c_str());
    std::abort();
#endif
}

inline void check(std::error_code code, const std::string &what)
{
    if (code)
        fail(code, what);
}

inline void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        fail(opencl_error(code), what);
}

/* The OpenCL handle of a handle, of an object of this binding, or of one of cl.hpp. */
template <class Handle, class Object> Handle handle(const Object &object)
{
    if constexpr (std::is_convertible_v<const Object &, Handle>)
        return object;
    else
        return object();
}

} // namespace detail
} // namespace sluice

template <> struct std::is_error_code_enum<sluice::errc> : std::true_type {
};

#endif
