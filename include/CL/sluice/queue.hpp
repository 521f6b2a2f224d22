/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: queues and command groups, as SYCL has them. Any thread may submit.
 *
 *     event done = q.submit([&](handler &h) {
 *         auto from = h.get_access<access_mode::read>(numbers);
 *         auto to = h.get_access<access_mode::write>(result);
 *         h.depends_on(other);
 *         h.set_args(from, to, 3);
 *         h.parallel_for(scale, {1024});
 *     });
 *
 * A group has one action at most; without one its event is that of what it depends on. What is
 * submitted waits for the commands before it that use the same buffers in a way that matters, and
 * for nothing else: queues are out of order unless they are told to be in_order.
 */
#ifndef SLUICE_QUEUE_HPP
#define SLUICE_QUEUE_HPP

#include <CL/sluice/buffer.hpp>

#include <array>
#include <initializer_list>

/* Of SYCL's extension, whose macro is spelt in two ways. */
#define SLUICE_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND 1
#define SLUICE_EXT_ONEAPI_ENQUEUE_NATIVE_COMMAND 1

namespace sluice
{

class queue;

/* ---- properties of queues -------------------------------------------------------------------- */

struct in_order_key {
    using value_t = property_value<in_order_key>;
};
inline constexpr in_order_key::value_t in_order{};
inline constexpr in_order_key::value_t in_order_v{};
struct enable_profiling_key {
    using value_t = property_value<enable_profiling_key>;
};
inline constexpr enable_profiling_key::value_t enable_profiling{};
inline constexpr enable_profiling_key::value_t enable_profiling_v{};

/* Whose work is begun first where several queues have some. */
enum class queue_priority : cl_queue_properties {
    high = CL_QUEUE_PRIORITY_HIGH_KHR,
    normal = CL_QUEUE_PRIORITY_MED_KHR,
    low = CL_QUEUE_PRIORITY_LOW_KHR
};
struct priority_key {
    template <queue_priority P>
    using value_t = property_value<priority_key, std::integral_constant<queue_priority, P>>;
};
template <queue_priority P> inline constexpr priority_key::value_t<P> priority{};
template <queue_priority P> inline constexpr priority_key::value_t<P> priority_v{};
/* As in SYCL's extension. */
inline constexpr priority_key::value_t<queue_priority::low> priority_low{};
inline constexpr priority_key::value_t<queue_priority::normal> priority_normal{};
inline constexpr priority_key::value_t<queue_priority::high> priority_high{};

template <> struct is_property<priority_key> : std::true_type {
};
template <> struct is_property_of<priority_key, queue> : std::true_type {
};
template <> struct is_property<in_order_key> : std::true_type {
};
template <> struct is_property<enable_profiling_key> : std::true_type {
};
template <> struct is_property_of<in_order_key, queue> : std::true_type {
};
template <> struct is_property_of<enable_profiling_key, queue> : std::true_type {
};

/* ---- native commands ------------------------------------------------------------------------- */

/* A buffer as one command group uses it. */
template <class T, access_mode Mode> struct accessor {
    cl_mem mem;
    std::size_t place; /* among those of the group */
};

/* What the function of a native command gets: see CL/cl_ext_sluice_native_command.h. */
class interop_handle
{
  public:
    explicit interop_handle(const sluice_interop_handle *of) noexcept : handle(of)
    {
    }
    /* The command's own: what is enqueued here is part of it. Only until the function returns. */
    cl_command_queue native_queue() const noexcept
    {
        return handle->queue;
    }
    cl_device_id native_device() const noexcept
    {
        return handle->device;
    }
    cl_context native_context() const noexcept
    {
        return handle->context;
    }
    template <class T, access_mode Mode>
    std::conditional_t<Mode == access_mode::read, const T *, T *>
    native_mem(accessor<T, Mode> access) const noexcept
    {
        return static_cast<T *>(handle->mem_ptrs[access.place]);
    }
    /* For a function that returns SLUICE_NATIVE_PENDING. */
    cl_event completion() const noexcept
    {
        return handle->completion;
    }

  private:
    const sluice_interop_handle *handle;
};

namespace detail
{

/* What the function returns, or throws, as OpenCL tells it. */
template <class Function>
cl_int call_native(Function &function, const sluice_interop_handle *handle)
{
    if constexpr (std::is_void_v<std::invoke_result_t<Function &, interop_handle>>)
        return function(interop_handle(handle)), CL_SUCCESS;
    else
        return function(interop_handle(handle));
}

/* Arguments are the kernel's until it is enqueued. Kernels share a lock where there are many. */
inline std::mutex &lock_of(cl_kernel of)
{
    static std::mutex locks[64];
    return locks[std::hash<cl_kernel>()(of) / 64 % 64];
}

/* `gone`: the driver has ended it; it may do so in a call that fails. */
template <class Function> struct native_call {
    Function function;
    std::shared_ptr<bool> gone;
};

template <class Function>
cl_int CL_CALLBACK run_native(const sluice_interop_handle *handle, void *data)
{
    Function &function = static_cast<native_call<Function> *>(data)->function;
#if defined(__cpp_exceptions)
    try {
        return call_native(function, handle);
    } catch (const error &e) {
        return e.code().category() == opencl_category() ? e.code().value() : CL_INVALID_OPERATION;
    } catch (...) {
        return CL_INVALID_OPERATION;
    }
#else
    return call_native(function, handle);
#endif
}

template <class Function> void CL_CALLBACK delete_native(void *data)
{
    auto *call = static_cast<native_call<Function> *>(data);
    *call->gone = true;
    delete call;
}

} // namespace detail

/* ---- one group ------------------------------------------------------------------------------- */

class handler
{
  public:
    void depends_on(const event &before)
    {
        dependencies.push_back(before);
    }

    template <access_mode Mode, class T> accessor<T, Mode> get_access(const buffer<T> &of)
    {
        uses.push_back({of.use, Mode});
        return {of, uses.size() - 1};
    }

    /* For the kernel that is launched. */
    template <class T> void set_arg(cl_uint index, const T &value)
    {
        static_assert(is_device_copyable_v<T>,
                      "sluice: an argument of a kernel is device-copyable");
        add_argument(index, &value, sizeof value);
    }
    template <class T, access_mode Mode> void set_arg(cl_uint index, accessor<T, Mode> access)
    {
        add_argument(index, &access.mem, sizeof access.mem);
    }
    template <class... Values> void set_args(const Values &...values)
    {
        cl_uint index = 0;
        (set_arg(index++, values), ...);
    }

    using sizes = std::initializer_list<std::size_t>;

    void single_task(const kernel &of)
    {
        parallel_for(of, {1}, {1});
    }
    /* One size for each dimension; without a local one the driver chooses. */
    void parallel_for(const kernel &of, sizes global, sizes local = {})
    {
        act([&](const std::vector<cl_event> &before, cl_event *command) {
            std::lock_guard<std::mutex> guard(detail::lock_of(of));
            cl_int rc = CL_SUCCESS;
            for (const argument &one : arguments)
                if (!rc)
                    rc = clSetKernelArg(of, one.index, one.bytes.size(), one.bytes.data());
            return rc ? rc
                      : clEnqueueNDRangeKernel(
                            on, of, static_cast<cl_uint>(global.size()), nullptr, global.begin(),
                            local.size() ? local.begin() : nullptr, detail::count(before),
                            detail::list(before), command);
        });
    }

    /* The same of a kernel that must have what the list says: else the group fails with
     * errc::attributes_differ, and the kernel is not launched; what came before it was. */
    template <class... P> void single_task(const kernel &of, const properties<P...> &list)
    {
        parallel_for(of, {1}, {1}, list);
    }
    template <class... P>
    void parallel_for(const kernel &of, sizes global, const properties<P...> &list)
    {
        parallel_for(of, global, {}, list);
    }
    template <class... P>
    void parallel_for(const kernel &of, sizes global, sizes local, const properties<P...> &list)
    {
        std::string difference = attributes_mismatch(of, list);
        if (difference.empty())
            return parallel_for(of, global, local);
        if (differs.empty())
            differs = std::move(difference);
        note(acted ? CL_INVALID_OPERATION : CL_INVALID_KERNEL);
        acted = true;
    }

    template <class T, access_mode From, access_mode To>
    void copy(accessor<T, From> from, accessor<T, To> to, std::size_t elements)
    {
        act([&](const std::vector<cl_event> &before, cl_event *command) {
            return clEnqueueCopyBuffer(on, from.mem, to.mem, 0, 0, elements * sizeof(T),
                                       detail::count(before), detail::list(before), command);
        });
    }

    /* Calls the function, with an interop_handle, before submit returns. Others that submit with
     * the group's buffers wait until it has returned: it must not wait for them. */
    template <class Function> void native_command(Function function)
    {
        act([&](const std::vector<cl_event> &before, cl_event *command) {
            clEnqueueNativeCommandSLUICE_fn enqueue = nullptr;
            cl_device_id device = nullptr;
            cl_int rc = clGetCommandQueueInfo(on, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
            if (rc)
                return rc;
            if (!detail::find_function(detail::platform_of(device), "clEnqueueNativeCommandSLUICE",
                                       enqueue))
                return static_cast<cl_int>(CL_INVALID_OPERATION);
            return enqueue_native(enqueue, std::move(function), before, command);
        });
    }

  private:
    friend class queue;

    struct argument {
        cl_uint index;
        std::vector<unsigned char> bytes;
    };

    explicit handler(cl_command_queue queue) : on(queue)
    {
    }

    void note(cl_int rc)
    {
        status = status ? status : rc;
    }
    template <class Enqueue> void act(Enqueue enqueue)
    {
        note(acted ? CL_INVALID_OPERATION : CL_SUCCESS); /* a group has one action */
        acted = true;
        if (!status)
            note(detail::enqueue_in_turn(uses, dependencies, enqueue, done));
    }
    template <class Function>
    cl_int enqueue_native(clEnqueueNativeCommandSLUICE_fn enqueue, Function function,
                          const std::vector<cl_event> &before, cl_event *command)
    {
        std::vector<cl_mem> mems;
        std::vector<cl_mem_flags> flags;
        for (const detail::use &one : uses) {
            mems.push_back(one.of->mem);
            flags.push_back(detail::flags_of(one.mode));
        }
        auto gone = std::make_shared<bool>(false);
        std::unique_ptr<detail::native_call<Function>> owned(
            new detail::native_call<Function>{std::move(function), gone});
        cl_int rc =
            enqueue(on, detail::run_native<Function>, detail::delete_native<Function>, owned.get(),
                    static_cast<cl_uint>(mems.size()), mems.empty() ? nullptr : mems.data(),
                    flags.empty() ? nullptr : flags.data(), detail::count(before),
                    detail::list(before), command);
        if (!rc || *gone)
            (void)owned.release(); /* delete_native has it */
        return rc;
    }
    void add_argument(cl_uint index, const void *value, std::size_t bytes)
    {
        const auto *at = static_cast<const unsigned char *>(value);
        arguments.push_back({index, {at, at + bytes}});
    }
    cl_int finish(event &last)
    {
        if (!acted)
            act([&](const std::vector<cl_event> &before, cl_event *command) {
                return clEnqueueMarkerWithWaitList(on, detail::count(before), detail::list(before),
                                                   command);
            });
        last = done;
        return status ? status : clFlush(on);
    }

    cl_command_queue on;
    event done;
    cl_int status = CL_SUCCESS;
    std::string differs; /* not empty: how a kernel differs from what it was to be */
    bool acted = false;
    std::vector<event> dependencies;
    std::vector<argument> arguments;
    std::vector<detail::use> uses;
};

/* ---- queues ---------------------------------------------------------------------------------- */

class queue : public detail::owner<cl_command_queue>
{
  public:
    explicit queue(cl_command_queue taken_over) : owner(taken_over)
    {
    }
    /* The list of OpenCL, as it is; or one of ours. Neither becomes the other. */
    queue(cl_context context, cl_device_id device, const cl_queue_properties *list)
        : owner(make(context, device, list, "clCreateCommandQueueWithProperties"))
    {
    }
    queue(cl_context context, cl_device_id device, const cl_queue_properties *list,
          std::error_code &code)
        : owner(make(context, device, list, code))
    {
    }
    template <class... P>
    queue(cl_context context, cl_device_id device, const properties<P...> &)
        : queue(context, device, array_of<properties<P...>>().data())
    {
    }
    template <class... P>
    queue(cl_context context, cl_device_id device, const properties<P...> &, std::error_code &code)
        : queue(context, device, array_of<properties<P...>>().data(), code)
    {
    }
    queue(cl_context context, cl_device_id device) : queue(context, device, properties<>{})
    {
    }
    queue(cl_context context, cl_device_id device, std::error_code &code)
        : queue(context, device, properties<>{}, code)
    {
    }

    /* The event of the group's action. */
    template <class Group> event submit(Group group, std::error_code &code)
    {
        std::string why;
        return submit_group(group, code, why);
    }
    template <class Group> event submit(Group group)
    {
        std::error_code code;
        std::string why;
        event done = submit_group(group, code, why);
        detail::check(code, why.empty() ? "submit" : why);
        return done;
    }

    void wait(std::error_code &code) const
    {
        code = detail::opencl_error(clFinish(get()));
    }
    void wait() const
    {
        detail::check(clFinish(get()), "clFinish");
    }

  private:
    template <class Group> event submit_group(Group &group, std::error_code &code, std::string &why)
    {
        event done;
        handler one(get());
        group(one);
        code = detail::opencl_error(one.finish(done));
        why = one.differs;
        if (!why.empty())
            code = errc::attributes_differ;
        return done;
    }
    template <class Policy>
    static cl_command_queue make(cl_context context, cl_device_id device,
                                 const cl_queue_properties *list, Policy &&policy)
    {
        return detail::created<cl_command_queue>(policy, [&](cl_int *status) {
            return clCreateCommandQueueWithProperties(context, device, list, status);
        });
    }
    template <class List> static std::array<cl_queue_properties, 5> array_of()
    {
        static_assert(List::template apply_to<queue>(), "sluice: not a property of queues");
        cl_queue_properties bits = 0;
        if (!List::template has_property<in_order_key>())
            bits |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        if (List::template has_property<enable_profiling_key>())
            bits |= CL_QUEUE_PROFILING_ENABLE;
        if constexpr (List::template has_property<priority_key>())
            return {
                CL_QUEUE_PROPERTIES, bits, CL_QUEUE_PRIORITY_KHR,
                static_cast<cl_queue_properties>(List::template get_property<priority_key>().value),
                0};
        else
            return {CL_QUEUE_PROPERTIES, bits, 0};
    }
};

} // namespace sluice

#endif
