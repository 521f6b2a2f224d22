/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: owners of OpenCL's objects. Copies share the object; it is released with
 * the last of them. Each converts to its handle, so that all of OpenCL can be called with it.
 */
#ifndef SLUICE_OBJECTS_HPP
#define SLUICE_OBJECTS_HPP

#include <CL/sluice/endpoint.hpp>
#include <CL/sluice/kernel_properties.hpp>

#include <array>
#include <vector>

namespace sluice
{

namespace detail
{

inline cl_int retain(cl_context of)
{
    return clRetainContext(of);
}
inline cl_int retain(cl_command_queue of)
{
    return clRetainCommandQueue(of);
}
inline cl_int retain(cl_program of)
{
    return clRetainProgram(of);
}
inline cl_int retain(cl_kernel of)
{
    return clRetainKernel(of);
}
inline cl_int retain(cl_event of)
{
    return clRetainEvent(of);
}
inline cl_int retain(cl_mem of)
{
    return clRetainMemObject(of);
}
inline cl_int release(cl_context of)
{
    return clReleaseContext(of);
}
inline cl_int release(cl_command_queue of)
{
    return clReleaseCommandQueue(of);
}
inline cl_int release(cl_program of)
{
    return clReleaseProgram(of);
}
inline cl_int release(cl_kernel of)
{
    return clReleaseKernel(of);
}
inline cl_int release(cl_event of)
{
    return clReleaseEvent(of);
}
inline cl_int release(cl_mem of)
{
    return clReleaseMemObject(of);
}

template <class Handle> class owner
{
  public:
    owner() = default;
    explicit owner(Handle taken_over) noexcept : held(taken_over)
    {
    }
    owner(const owner &other) noexcept : held(other.held)
    {
        if (held)
            retain(held);
    }
    owner(owner &&other) noexcept : held(std::exchange(other.held, nullptr))
    {
    }
    owner &operator=(owner other) noexcept
    {
        std::swap(held, other.held);
        return *this;
    }
    ~owner()
    {
        if (held)
            release(held);
    }
    operator Handle() const noexcept
    {
        return held;
    }
    Handle get() const noexcept
    {
        return held;
    }

  private:
    Handle held = nullptr;
};

/* What a clCreate... answers, by way of its last argument. */
template <class Handle, class Create> Handle created(std::error_code &code, Create create)
{
    cl_int status = CL_SUCCESS;
    Handle made = create(&status);
    code = opencl_error(status);
    return made;
}
template <class Handle, class Create> Handle created(const char *what, Create create)
{
    std::error_code code;
    Handle made = created<Handle>(code, create);
    check(code, what);
    return made;
}

} // namespace detail

/* ---- devices, contexts, events --------------------------------------------------------------- */

/* The first device with dataflow pipes, or null. */
inline cl_device_id find_dataflow_device()
{
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint platform_count = 0, device_count = 0;
    clGetPlatformIDs(16, platforms, &platform_count);
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &device_count))
            continue;
        for (cl_uint d = 0; d < device_count && d < 16; d++)
            if (detail::has_extension(devices[d], "cl_sluice_program_pipe"))
                return devices[d];
    }
    return nullptr;
}

/* The application itself orders what it does to an object by OpenCL and by other interfaces. */
struct interop_user_sync_key {
    using value_t = property_value<interop_user_sync_key>;
};
inline constexpr interop_user_sync_key::value_t interop_user_sync{};
inline constexpr interop_user_sync_key::value_t interop_user_sync_v{};
template <> struct is_property<interop_user_sync_key> : std::true_type {
};
class context;
template <> struct is_property_of<interop_user_sync_key, context> : std::true_type {
};

class context : public detail::owner<cl_context>
{
  public:
    explicit context(cl_context taken_over) : owner(taken_over)
    {
    }
    /* The list of OpenCL, as it is; or one of ours. Neither becomes the other. */
    context(cl_device_id device, const cl_context_properties *list)
        : owner(make(device, list, "clCreateContext"))
    {
    }
    context(cl_device_id device, const cl_context_properties *list, std::error_code &code)
        : owner(make(device, list, code))
    {
    }
    template <class... P>
    context(cl_device_id device, const properties<P...> &)
        : context(device, array_of<properties<P...>>().data())
    {
    }
    template <class... P>
    context(cl_device_id device, const properties<P...> &, std::error_code &code)
        : context(device, array_of<properties<P...>>().data(), code)
    {
    }
    explicit context(cl_device_id device)
        : context(device, static_cast<const cl_context_properties *>(nullptr))
    {
    }
    context(cl_device_id device, std::error_code &code)
        : context(device, static_cast<const cl_context_properties *>(nullptr), code)
    {
    }

  private:
    template <class Policy>
    static cl_context make(cl_device_id device, const cl_context_properties *list, Policy &&policy)
    {
        return detail::created<cl_context>(policy, [device, list](cl_int *status) {
            return clCreateContext(list, 1, &device, nullptr, nullptr, status);
        });
    }
    template <class List> static std::array<cl_context_properties, 3> array_of()
    {
        static_assert(List::template apply_to<context>(), "sluice: not a property of contexts");
        if (List::template has_property<interop_user_sync_key>())
            return {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
        return {};
    }
};

class event : public detail::owner<cl_event>
{
  public:
    using owner::owner;
    void wait(std::error_code &code) const
    {
        cl_event one = get();
        code = detail::opencl_error(one ? clWaitForEvents(1, &one) : CL_SUCCESS);
    }
    void wait() const
    {
        std::error_code code;
        wait(code);
        detail::check(code, "clWaitForEvents");
    }
};

/* ---- programs and kernels -------------------------------------------------------------------- */

namespace detail
{

inline std::string text_of(cl_kernel kernel, cl_kernel_info what)
{
    std::size_t bytes = 0;
    clGetKernelInfo(kernel, what, 0, nullptr, &bytes);
    std::string text(bytes, '\0');
    if (!bytes || clGetKernelInfo(kernel, what, bytes, &text[0], nullptr))
        return "";
    text.pop_back(); /* its terminator */
    return text;
}

/* Some device of the kernel's program knows the attributes of dataflow designs. */
inline bool is_dataflow(cl_kernel kernel)
{
    cl_program program = nullptr;
    return !clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr) &&
           device_of(program);
}

} // namespace detail

/* What the list has and CL_KERNEL_ATTRIBUTES of a kernel of a program has not: a sentence, or
 * nothing. Only programs for dataflow devices tell max_concurrency. */
template <class... P>
std::string attributes_mismatch(cl_kernel kernel, const properties<P...> &list)
{
    detail::check_kernel_properties(list);
    const std::string text = detail::text_of(kernel, CL_KERNEL_ATTRIBUTES), all = " " + text + " ";
    std::string sentence;
    [[maybe_unused]] const bool dataflow = detail::is_dataflow(kernel);
    [[maybe_unused]] auto look = [&](const std::string &attribute, bool told) {
        if (told && sentence.empty() && all.find(" " + attribute + " ") == std::string::npos)
            sentence = "kernel " + detail::text_of(kernel, CL_KERNEL_FUNCTION_NAME) + " has \"" +
                       text + "\" in the program, " + attribute + " in its properties";
    };
    (look(detail::attribute(P{}),
          dataflow || !std::is_same_v<detail::key_t<P>, max_concurrency_key>),
     ...);
    return sentence;
}

class kernel : public detail::owner<cl_kernel>
{
  public:
    /* With a list, the kernel of the program must have its attributes. */
    template <class... P>
    kernel(cl_program program, const char *name, const properties<P...> &list)
        : owner(make(program, name, name))
    {
        std::string sentence = attributes_mismatch(get(), list);
        if (!sentence.empty())
            detail::fail(errc::attributes_differ, sentence);
    }
    template <class... P>
    kernel(cl_program program, const char *name, const properties<P...> &list,
           std::error_code &code)
        : owner(make(program, name, code))
    {
        if (code || attributes_mismatch(get(), list).empty())
            return;
        code = errc::attributes_differ;
        static_cast<owner &>(*this) = owner();
    }
    kernel(cl_program program, const char *name) : owner(make(program, name, name))
    {
    }
    kernel(cl_program program, const char *name, std::error_code &code)
        : owner(make(program, name, code))
    {
    }

  private:
    template <class Policy>
    static cl_kernel make(cl_program program, const char *name, Policy &&policy)
    {
        return detail::created<cl_kernel>(policy, [program, name](cl_int *status) {
            return clCreateKernel(program, name, status);
        });
    }
};

class program : public detail::owner<cl_program>
{
  public:
    explicit program(cl_program taken_over) : owner(taken_over)
    {
    }
    /* Built for all devices of the context; the error's text is the log. */
    program(cl_context context, const std::string &source, const std::string &options = "")
        : owner(make(context, source, "clCreateProgramWithSource"))
    {
        std::error_code code = build(options);
        if (code)
            detail::fail(code, log());
    }
    /* If the build fails it has the log and nothing else. */
    program(cl_context context, const std::string &source, const std::string &options,
            std::error_code &code)
        : owner(make(context, source, code))
    {
        if (!code)
            code = build(options);
    }
    program(cl_context context, const std::string &source, std::error_code &code)
        : program(context, source, "", code)
    {
    }
    std::string log() const
    {
        cl_device_id device = nullptr;
        std::size_t size = 0;
        std::vector<cl_device_id> devices(64);
        if (!get())
            return {};
        clGetProgramInfo(get(), CL_PROGRAM_DEVICES, devices.size() * sizeof device, devices.data(),
                         &size);
        device = size ? devices[0] : nullptr;
        clGetProgramBuildInfo(get(), device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
        std::string text(size, ' ');
        clGetProgramBuildInfo(get(), device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
        return text;
    }

  private:
    template <class Policy>
    static cl_program make(cl_context context, const std::string &source, Policy &&policy)
    {
        return detail::created<cl_program>(policy, [&](cl_int *status) {
            const char *text = source.c_str();
            return clCreateProgramWithSource(context, 1, &text, nullptr, status);
        });
    }
    std::error_code build(const std::string &options)
    {
        return detail::opencl_error(
            clBuildProgram(get(), 0, nullptr, options.c_str(), nullptr, nullptr));
    }
};

} // namespace sluice

#endif
