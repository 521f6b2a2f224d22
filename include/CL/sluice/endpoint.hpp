/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: the host's end of a pipe of a program, whatever its type. */
#ifndef SLUICE_ENDPOINT_HPP
#define SLUICE_ENDPOINT_HPP

#include <CL/sluice/error.hpp>

#include <cstring>
#include <string_view>

namespace sluice::detail
{

/* ---- functions of extensions ----------------------------------------------------------------- */

struct functions {
    clEnqueueReadHostPipeINTEL_fn read = nullptr;
    clEnqueueWriteHostPipeINTEL_fn write = nullptr;
    clGetProgramPipeInfoSLUICE_fn info = nullptr;
    clMapProgramPipeSLUICE_fn map = nullptr;
    clUnmapProgramPipeSLUICE_fn unmap = nullptr;
};

template <class Function>
bool find_function(cl_platform_id platform, const char *name, Function &to) noexcept
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    std::memcpy(&to, &found, sizeof found);
    return found != nullptr;
}

inline cl_platform_id platform_of(cl_device_id device) noexcept
{
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    return platform;
}

/* The device of which this one is a part, or itself. */
inline cl_device_id root_of(cl_device_id device) noexcept
{
    for (cl_device_id parent = device; parent;) {
        device = parent;
        parent = nullptr;
        clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, nullptr);
    }
    return device;
}

inline bool find_functions(cl_device_id device, functions &to) noexcept
{
    cl_platform_id platform = platform_of(device);
    return platform && find_function(platform, "clEnqueueReadHostPipeINTEL", to.read) &&
           find_function(platform, "clEnqueueWriteHostPipeINTEL", to.write) &&
           find_function(platform, "clGetProgramPipeInfoSLUICE", to.info) &&
           find_function(platform, "clMapProgramPipeSLUICE", to.map) &&
           find_function(platform, "clUnmapProgramPipeSLUICE", to.unmap);
}

inline bool has_extension(cl_device_id device, std::string_view name)
{
    std::size_t size = 0;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size);
    std::string all(size, ' ');
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all.data(), nullptr);
    return all.find(name) != std::string::npos;
}

/* The first device of the program that has such pipes, or null. */
inline cl_device_id device_of(cl_program program)
{
    cl_device_id devices[64] = {};
    std::size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &size))
        return nullptr;
    for (std::size_t i = 0; i < size / sizeof *devices; i++)
        if (has_extension(devices[i], "cl_sluice_program_pipe"))
            return devices[i];
    return nullptr;
}

/* ---- what the program says ------------------------------------------------------------------- */

/* What one side believes of a pipe. */
struct pipe_facts {
    cl_uint bytes = 0, alignment = 0, capacity = 0; /* as declared; 0: none */
    std::string type;                               /* "int"; empty: not to be compared */
    std::string io;                                 /* the peripheral; empty: none */
    bool host = false;
};

inline bool is_number_name(std::string_view name)
{
    constexpr std::string_view names[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                          "uint", "long", "ulong", "float", "double"};
    while (!name.empty() && name.back() >= '0' && name.back() <= '9')
        name.remove_suffix(1);
    for (std::string_view known : names)
        if (name == known)
            return true;
    return false;
}

class pipe_query
{
  public:
    pipe_query(const functions &functions, cl_program program, cl_device_id device,
               const char *symbol)
        : call(functions.info), of_program(program), of_device(device), of_pipe(symbol)
    {
    }

    /* Of a pipe that the program does not have: CL_INVALID_VALUE. */
    cl_int ask(pipe_facts &facts)
    {
        cl_mem_flags access = 0;
        number(CL_PROGRAM_PIPE_PACKET_SIZE_SLUICE, facts.bytes);
        number(CL_PROGRAM_PIPE_PACKET_ALIGNMENT_SLUICE, facts.alignment);
        number(CL_PROGRAM_PIPE_DECLARED_CAPACITY_SLUICE, facts.capacity);
        number(CL_PROGRAM_PIPE_HOST_ACCESS_SLUICE, access);
        string(CL_PROGRAM_PIPE_TYPE_SLUICE, facts.type);
        string(CL_PROGRAM_PIPE_IO_SLUICE, facts.io);
        facts.host = !(access & CL_MEM_HOST_NO_ACCESS);
        return status;
    }

  private:
    template <class T> void number(cl_program_pipe_info_sluice what, T &to)
    {
        if (status == CL_SUCCESS)
            status = call(of_program, of_device, of_pipe, what, sizeof to, &to, nullptr);
    }
    void string(cl_program_pipe_info_sluice what, std::string &to)
    {
        std::size_t size = 1;
        if (status == CL_SUCCESS)
            status = call(of_program, of_device, of_pipe, what, 0, nullptr, &size);
        to.resize(size);
        if (status == CL_SUCCESS)
            status = call(of_program, of_device, of_pipe, what, size, to.data(), nullptr);
        to.resize(size - 1);
    }

    clGetProgramPipeInfoSLUICE_fn call;
    cl_program of_program;
    cl_device_id of_device;
    const char *of_pipe;
    cl_int status = CL_SUCCESS;
};

/* A difference, and a sentence that names both sides. */
struct difference {
    std::error_code code;
    std::string sentence;
};

inline difference compare(const pipe_facts &program, const pipe_facts &here,
                          const std::string &name)
{
    auto differs = [&](errc code, const std::string &what, const std::string &there,
                       const std::string &mine) {
        return difference{code, what + " " + there + " in the program, " + mine + " in " + name};
    };
    auto count = [](cl_uint number) { return std::to_string(number); };
    if (program.bytes != here.bytes)
        return differs(errc::packet_size_differs, "bytes of a packet:", count(program.bytes),
                       count(here.bytes));
    if (program.alignment != here.alignment)
        return differs(errc::packet_alignment_differs,
                       "alignment of a packet:", count(program.alignment), count(here.alignment));
    if (!here.type.empty() && is_number_name(program.type) && program.type != here.type)
        return differs(errc::packet_type_differs, "packets are", program.type, here.type);
    if (here.capacity && program.capacity != here.capacity)
        return differs(errc::capacity_differs, "capacity:", count(program.capacity),
                       count(here.capacity));
    if (here.host && !program.host)
        return differs(errc::not_host_accessible, "one end is",
                       program.io.empty() ? "a kernel's" : "that of I/O " + program.io,
                       "the host's");
    if (!here.io.empty() && program.io != here.io)
        return differs(errc::io_name_differs, "the I/O peripheral is",
                       program.io.empty() ? "none" : program.io, here.io);
    return {};
}

/* ---- the end --------------------------------------------------------------------------------- */

class endpoint
{
  public:
    /* Does the program have the pipe as it is described here? */
    static difference look(cl_program program, cl_device_id device, const char *symbol,
                           const pipe_facts &here, const std::string &name, functions &calls)
    {
        pipe_facts there;
        if (!device || !find_functions(device, calls))
            return {errc::extension_missing, "the program is for no device with pipes of programs"};
        cl_int status = pipe_query(calls, program, device, symbol).ask(there);
        if (status == CL_INVALID_VALUE)
            return {errc::no_such_pipe,
                    "the program has no pipe " + std::string(symbol) + ", which is " + name};
        if (status != CL_SUCCESS)
            return {opencl_error(status), "clGetProgramPipeInfoSLUICE"};
        return compare(there, here, name);
    }

    /* Keeps the program. */
    void bind(cl_program program, cl_device_id device, const functions &found)
    {
        clRetainProgram(program);
        unbind();
        bound = program;
        on = device;
        calls = found;
        clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr);
    }
    void unbind()
    {
        if (bound)
            clReleaseProgram(bound);
        bound = nullptr;
    }
    bool is_bound() const noexcept
    {
        return bound != nullptr;
    }

    /* What is wrong with the queue of a transfer that needs no command, as the others say it. */
    std::error_code check_queue(cl_command_queue queue) const
    {
        cl_context of = nullptr;
        cl_device_id device = nullptr;
        if (!bound)
            return errc::not_bound;
        cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof of, &of, nullptr);
        if (!status)
            status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
        if (status)
            return opencl_error(status);
        if (of != context)
            return opencl_error(CL_INVALID_CONTEXT);
        return opencl_error(device == on || root_of(device) == root_of(on)
                                ? CL_SUCCESS
                                : CL_INVALID_PROGRAM_EXECUTABLE);
    }

    /* These wait. */
    std::error_code write(cl_command_queue queue, const char *symbol, const void *from,
                          std::size_t bytes) const
    {
        if (!bound)
            return errc::not_bound;
        return opencl_error(
            calls.write(queue, bound, symbol, CL_TRUE, from, bytes, 0, nullptr, nullptr));
    }
    std::error_code read(cl_command_queue queue, const char *symbol, void *to,
                         std::size_t bytes) const
    {
        if (!bound)
            return errc::not_bound;
        return opencl_error(
            calls.read(queue, bound, symbol, CL_TRUE, to, bytes, 0, nullptr, nullptr));
    }

    /* Null and no error: there is nothing now. */
    void *map(const char *symbol, cl_map_flags flags, std::size_t bytes, std::size_t &mapped,
              std::error_code &code) const
    {
        cl_int status = CL_SUCCESS;
        mapped = 0;
        code = bound ? std::error_code{} : make_error_code(errc::not_bound);
        if (!bound)
            return nullptr;
        void *at = calls.map(bound, on, symbol, flags, bytes, &mapped, &status);
        if (status != CL_SUCCESS && status != CL_OUT_OF_RESOURCES)
            code = opencl_error(status);
        return at;
    }
    std::error_code unmap(const char *symbol, void *at, std::size_t bytes,
                          std::size_t &unmapped) const
    {
        unmapped = 0;
        if (!bound)
            return errc::not_bound;
        return opencl_error(calls.unmap(bound, on, symbol, at, bytes, &unmapped));
    }

  private:
    cl_program bound = nullptr;
    cl_device_id on = nullptr;
    cl_context context = nullptr;
    functions calls;
};

} // namespace sluice::detail

#endif
