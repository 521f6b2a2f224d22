/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: buffers that remember which commands use them, so that command groups wait
 * for what they need and no more. Any number of threads may submit at once. */
#ifndef SLUICE_BUFFER_HPP
#define SLUICE_BUFFER_HPP

#include <CL/sluice/objects.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>

namespace sluice
{

enum class access_mode { read, write, read_write };

namespace detail
{

constexpr cl_mem_flags flags_of(access_mode mode)
{
    return mode == access_mode::read    ? CL_MEM_READ_ONLY
           : mode == access_mode::write ? CL_MEM_WRITE_ONLY
                                        : CL_MEM_READ_WRITE;
}

/* The commands in flight on a buffer: who reads waits for who wrote last, who writes for all. The
 * caller has its turn from the first question to the command that is added. */
class use_of_memory
{
  public:
    explicit use_of_memory(cl_mem taken_over) : mem(taken_over)
    {
    }

    void add_dependencies(access_mode mode, std::vector<event> &to) const
    {
        if (writer.get())
            to.push_back(writer);
        if (mode != access_mode::read)
            to.insert(to.end(), readers.begin(), readers.end());
    }
    void add_command(access_mode mode, const event &command)
    {
        enum { MANY = 64 };
        if (mode != access_mode::read) {
            writer = command;
            readers.clear();
            return;
        }
        if (readers.size() >= MANY)
            forget_finished();
        readers.push_back(command);
    }

    const owner<cl_mem> mem;
    /* A native command's function may submit with the buffers that its group has. */
    std::recursive_mutex lock;

  private:
    void forget_finished()
    {
        std::vector<event> left;
        for (const event &one : readers) {
            cl_int status = CL_COMPLETE;
            clGetEventInfo(one, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
            if (status > CL_COMPLETE)
                left.push_back(one);
        }
        readers = std::move(left);
    }

    event writer;
    std::vector<event> readers;
};

struct use {
    std::shared_ptr<use_of_memory> of;
    access_mode mode;
};

/* A turn at all buffers of a group; those of other groups come in the same order. */
class turn
{
  public:
    explicit turn(const std::vector<use> &uses)
    {
        std::vector<use_of_memory *> all;
        for (const use &one : uses)
            all.push_back(one.of.get());
        std::sort(all.begin(), all.end(), std::less<use_of_memory *>());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        for (use_of_memory *one : all)
            locks.emplace_back(one->lock);
    }

  private:
    std::vector<std::unique_lock<std::recursive_mutex>> locks;
};

inline cl_uint count(const std::vector<cl_event> &events)
{
    return static_cast<cl_uint>(events.size());
}
inline const cl_event *list(const std::vector<cl_event> &events)
{
    return events.empty() ? nullptr : events.data();
}

/* Of those that are events. */
inline std::vector<cl_event> handles(const std::vector<event> &of)
{
    std::vector<cl_event> events;
    for (const event &one : of)
        if (one.get())
            events.push_back(one);
    return events;
}

/* Enqueues a command that waits for `before` and for the commands that use the same buffers, which
 * from then on wait for it. */
template <class Enqueue>
cl_int enqueue_in_turn(const std::vector<use> &uses, std::vector<event> before, Enqueue enqueue,
                       event &done)
{
    turn mine(uses);
    cl_event command = nullptr;
    for (const use &one : uses)
        one.of->add_dependencies(one.mode, before);
    cl_int status = enqueue(handles(before), &command);
    done = event(command);
    for (const use &one : uses)
        if (!status)
            one.of->add_command(one.mode, done);
    return status;
}

} // namespace detail

template <class T> class buffer;

/* The memory that it lies in, of a device with several; others refuse it. */
struct mem_channel {
    cl_uint value;
};
template <> struct is_property<mem_channel> : std::true_type {
};
template <class T> struct is_property_of<mem_channel, buffer<T>> : std::true_type {
};

namespace detail
{

#ifdef CL_VERSION_3_0
/* What a buffer is created with: a list of OpenCL, or one of ours. */
template <class List>
using if_mem_list = std::enable_if_t<std::is_convertible_v<List, const cl_mem_properties *> ||
                                     is_property_list_v<List>>;

/* A list of ours as OpenCL's. */
template <class Buffer> class mem_array
{
  public:
    explicit mem_array(const cl_mem_properties *as_it_is) : list(as_it_is)
    {
    }
    template <class... P> explicit mem_array(const properties<P...> &ours)
    {
        using given = properties<P...>;
        static_assert(given::template apply_to<Buffer>(), "sluice: not a property of buffers");
        if constexpr (given::template has_property<mem_channel>()) {
            own = {CL_MEM_CHANNEL_INTEL, ours.template get_property<mem_channel>().value, 0};
            list = own.data();
        }
    }
    mem_array(const mem_array &) = delete;
    mem_array &operator=(const mem_array &) = delete;
    const cl_mem_properties *get() const noexcept
    {
        return list;
    }

  private:
    std::array<cl_mem_properties, 3> own{};
    const cl_mem_properties *list = nullptr;
};
#endif

} // namespace detail

/* Copies are the same buffer. */
template <class T> class buffer
{
    static_assert(is_device_copyable_v<T>, "sluice: elements of a buffer are device-copyable");

  public:
    using value_type = T;

    /* Not initialised. */
    buffer(cl_context context, std::size_t elements)
        : buffer(make(context, elements, nullptr, "clCreateBuffer"), elements)
    {
    }
    buffer(cl_context context, std::size_t elements, std::error_code &code)
        : buffer(make(context, elements, nullptr, code), elements)
    {
    }
    /* A copy of the elements; whatever has data() and size(). */
    template <class Range, class = decltype(std::declval<const Range &>().data())>
    buffer(cl_context context, const Range &elements)
        : buffer(make(context, elements.size(), elements.data(), "clCreateBuffer"), elements.size())
    {
    }
    template <class Range, class = decltype(std::declval<const Range &>().data())>
    buffer(cl_context context, const Range &elements, std::error_code &code)
        : buffer(make(context, elements.size(), elements.data(), code), elements.size())
    {
    }

#ifdef CL_VERSION_3_0
    /* With the list of OpenCL, as it is; or one of ours. Neither becomes the other. */
    template <class List, class = detail::if_mem_list<List>>
    buffer(cl_context context, std::size_t elements, List list)
        : buffer(make(context, elements, nullptr, list, "clCreateBufferWithProperties"), elements)
    {
    }
    template <class List, class = detail::if_mem_list<List>>
    buffer(cl_context context, std::size_t elements, List list, std::error_code &code)
        : buffer(make(context, elements, nullptr, list, code), elements)
    {
    }
    template <class Range, class List, class = decltype(std::declval<const Range &>().data()),
              class = detail::if_mem_list<List>>
    buffer(cl_context context, const Range &elements, List list)
        : buffer(
              make(context, elements.size(), elements.data(), list, "clCreateBufferWithProperties"),
              elements.size())
    {
    }
    template <class Range, class List, class = decltype(std::declval<const Range &>().data()),
              class = detail::if_mem_list<List>>
    buffer(cl_context context, const Range &elements, List list, std::error_code &code)
        : buffer(make(context, elements.size(), elements.data(), list, code), elements.size())
    {
    }
#endif

    std::size_t size() const noexcept
    {
        return count;
    }
    operator cl_mem() const noexcept
    {
        return use->mem;
    }

    /* When all commands that write it have ended. */
    std::vector<T> read(cl_command_queue queue, std::error_code &code) const
    {
        std::vector<T> elements(count);
        event done;
        code = detail::opencl_error(detail::enqueue_in_turn(
            {{use, access_mode::read}}, {},
            [&](const std::vector<cl_event> &before, cl_event *command) {
                return clEnqueueReadBuffer(queue, use->mem, CL_FALSE, 0, count * sizeof(T),
                                           elements.data(), detail::count(before),
                                           detail::list(before), command);
            },
            done));
        if (!code)
            done.wait(code);
        return elements;
    }
    std::vector<T> read(cl_command_queue queue) const
    {
        std::error_code code;
        std::vector<T> elements = read(queue, code);
        detail::check(code, "clEnqueueReadBuffer");
        return elements;
    }

  private:
    friend class handler;

    buffer(cl_mem taken_over, std::size_t elements)
        : use(std::make_shared<detail::use_of_memory>(taken_over)), count(elements)
    {
    }
    static cl_mem_flags flags(const T *from)
    {
        return CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0u);
    }
    template <class Policy>
    static cl_mem make(cl_context context, std::size_t elements, const T *from, Policy &&policy)
    {
        return detail::created<cl_mem>(policy, [&](cl_int *status) {
            return clCreateBuffer(context, flags(from), elements * sizeof(T), const_cast<T *>(from),
                                  status);
        });
    }
#ifdef CL_VERSION_3_0
    template <class List, class Policy>
    static cl_mem make(cl_context context, std::size_t elements, const T *from, const List &list,
                       Policy &&policy)
    {
        const detail::mem_array<buffer> array(list);
        return detail::created<cl_mem>(policy, [&](cl_int *status) {
            return clCreateBufferWithProperties(context, array.get(), flags(from),
                                                elements * sizeof(T), const_cast<T *>(from),
                                                status);
        });
    }
#endif

    std::shared_ptr<detail::use_of_memory> use;
    std::size_t count;
};

template <class Range>
buffer(cl_context, const Range &) -> buffer<
    std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const Range &>().data())>>>;
template <class Range>
buffer(cl_context, const Range &, std::error_code &) -> buffer<
    std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const Range &>().data())>>>;
#ifdef CL_VERSION_3_0
template <class Range, class List, class = detail::if_mem_list<List>>
buffer(cl_context, const Range &, List) -> buffer<
    std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const Range &>().data())>>>;
template <class Range, class List, class = detail::if_mem_list<List>>
buffer(cl_context, const Range &, List, std::error_code &) -> buffer<
    std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const Range &>().data())>>>;
#endif

} // namespace sluice

#endif
