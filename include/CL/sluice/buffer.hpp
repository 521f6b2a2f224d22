/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: buffers that remember which commands use them, so that command groups wait
 * for what they need and no more. */
#ifndef SLUICE_BUFFER_HPP
#define SLUICE_BUFFER_HPP

#include <CL/sluice/objects.hpp>

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

/* The commands in flight on a buffer: who reads waits for who wrote last, who writes for all. */
class use_of_memory
{
  public:
    explicit use_of_memory(cl_mem taken_over) : mem(taken_over)
    {
    }

    void add_dependencies(access_mode mode, std::vector<event> &to)
    {
        std::lock_guard<std::mutex> guard(lock);
        if (writer.get())
            to.push_back(writer);
        if (mode != access_mode::read)
            to.insert(to.end(), readers.begin(), readers.end());
    }
    void add_command(access_mode mode, const event &command)
    {
        enum { MANY = 64 };
        std::lock_guard<std::mutex> guard(lock);
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

    std::mutex lock;
    event writer;
    std::vector<event> readers;
};

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
        std::vector<event> wait_for;
        use->add_dependencies(access_mode::read, wait_for);
        code.clear();
        for (const event &one : wait_for)
            if (!code)
                one.wait(code);
        if (!code)
            code = detail::opencl_error(clEnqueueReadBuffer(queue, use->mem, CL_TRUE, 0,
                                                            count * sizeof(T), elements.data(), 0,
                                                            nullptr, nullptr));
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
    template <class Policy>
    static cl_mem make(cl_context context, std::size_t elements, const T *from, Policy &&policy)
    {
        return detail::created<cl_mem>(policy, [&](cl_int *status) {
            return clCreateBuffer(context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0u),
                                  elements * sizeof(T), const_cast<T *>(from), status);
        });
    }

    std::shared_ptr<detail::use_of_memory> use;
    std::size_t count;
};

template <class Range>
buffer(cl_context, const Range &) -> buffer<
    std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const Range &>().data())>>>;
template <class Range>
buffer(cl_context, const Range &, std::error_code &) -> buffer<
    std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const Range &>().data())>>>;

} // namespace sluice

#endif
