/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: regions of a pipe that the host has mapped, as objects. */
#ifndef SLUICE_PIPE_MAPPING_HPP
#define SLUICE_PIPE_MAPPING_HPP

#include <CL/sluice/error.hpp>

#include <utility>

namespace sluice
{

/* Packets of a pipe in its own memory; goes back to the pipe when the object does. What was mapped
 * for writing is then written, whatever is in it. */
template <class Pipe, bool HostWrites> class pipe_mapping
{
  public:
    using value_type = typename Pipe::packet_type;
    using element = std::conditional_t<HostWrites, value_type, const value_type>;

    pipe_mapping(value_type *start, std::size_t packets) noexcept : at(start), count(packets)
    {
    }
    pipe_mapping(pipe_mapping &&other) noexcept
        : at(other.at), count(std::exchange(other.count, 0)), given(std::exchange(other.given, 0))
    {
    }
    pipe_mapping &operator=(pipe_mapping &&other) noexcept
    {
        std::swap(at, other.at);
        std::swap(count, other.count);
        std::swap(given, other.given);
        return *this;
    }
    ~pipe_mapping()
    {
        std::error_code ignored;
        give(size(), ignored);
    }

    /* Of what has not been given back; empty: there was nothing to map. */
    element *data() const noexcept
    {
        return at + given;
    }
    std::size_t size() const noexcept
    {
        return count - given;
    }
    bool empty() const noexcept
    {
        return size() == 0;
    }
    element *begin() const noexcept
    {
        return data();
    }
    element *end() const noexcept
    {
        return at + count;
    }
    element &operator[](std::size_t index) const noexcept
    {
        return data()[index];
    }

    /* Gives the first packets back before the others. */
    void give(std::size_t packets, std::error_code &code)
    {
        code.clear();
        if (!packets)
            return;
        Pipe::unmap(at, packets * sizeof(value_type), code);
        given += code ? 0 : packets;
    }
    void give(std::size_t packets)
    {
        std::error_code code;
        give(packets, code);
        detail::check(code, std::string("unmap ") + Pipe::symbol.data());
    }

  private:
    value_type *at;
    std::size_t count, given = 0;
};

} // namespace sluice

#endif
