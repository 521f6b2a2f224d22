/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of CL/sluice.hpp: the host's end of a pipe as a type. Two pipes are the same if and only if
 * name, packet type, capacity and properties are; nothing is ever an object.
 *
 *     struct samples;
 *     using in = sluice::pipe<samples, cl_int, 16>;
 *
 *     program source: in::declaration("samples") + "kernel void k() { read_pipe_block(samples, ...
 *     in::bind(program);          once it has been built
 *     in::write(queue, 42);       waits for room
 *     in::write(queue, 43, done); does not
 *
 * A queue is a cl_command_queue, a sluice::queue or a cl::CommandQueue, and so on. Of a transfer it
 * is what the call is ordered by; the kernels at the other end must be in another queue, or in an
 * out-of-order one. Transfers may be made by any thread; bind and unbind while none is under way.
 */
#ifndef SLUICE_PIPE_HPP
#define SLUICE_PIPE_HPP

#include <CL/sluice/endpoint.hpp>
#include <CL/sluice/opencl_type.hpp>
#include <CL/sluice/pipe_mapping.hpp>
#include <CL/sluice/pipe_properties.hpp>
#include <CL/sluice/symbol.hpp>

#include <atomic>

/* As SYCL_EXT_INTEL_DATAFLOW_PIPES: 1, since latency controls belong to kernels. */
#define SLUICE_EXT_INTEL_DATAFLOW_PIPES 1

namespace sluice
{

namespace detail
{

/* Has data() and size(): of T, or of const T. */
template <class Range, class T, class = void> struct is_span_of : std::false_type {
};
template <class Range, class T>
struct is_span_of<
    Range, T,
    std::void_t<decltype(std::declval<Range &>().data()), decltype(std::declval<Range &>().size())>>
    : std::is_convertible<decltype(std::declval<Range &>().data()), T *> {
};

/* One of these for each pipe, whatever the spelling of its list. */
template <class Name, class T, std::int64_t MinCapacity, class Properties> struct pipe_state {
    static constexpr std::string_view symbol =
        symbol_of<Name, T, MinCapacity, Properties, pipe_state>::value;
    static inline detail::endpoint end{};
};

template <class T> std::string type_text()
{
    static_assert(opencl_type<T>::known, "sluice: OpenCL C does not know this type: declare it "
                                         "with SLUICE_PACKET or specialise opencl_type");
    return std::string(opencl_type<T>::name);
}

/* The rows of a pipe's declaration; `dimensions` of arrays: "[2][3]". */
template <class T>
std::string declaration_text(std::string_view symbol, const std::string &dimensions,
                             std::int64_t capacity, const std::string &attributes,
                             std::string_view alias)
{
    const std::string name(symbol), depth = std::to_string(capacity);
    return "pipe " + type_text<T>() + " " + name + dimensions +
           (capacity ? " __attribute__((depth(" + depth + ")))" : "") + attributes + ";\n" +
           (alias.empty() || alias == symbol ? ""
                                             : "#define " + std::string(alias) + " " + name + "\n");
}

/* For the build log: a remark where pipes of one program have this name's type and differ. Names
 * that are written out are the symbol, of which there is one. */
template <class Name> std::string one_name_text(std::string_view symbol)
{
    if constexpr (has_name<Name>::value || writes_symbol<Name>::value) {
        return {};
    } else {
        const std::string macro = "sluice_pipe_named_" + std::string(name_text<Name>::value.view());
        const std::string value = std::to_string(hash_of(symbol)) + "u";
        return "#ifndef " + macro + "\n#define " + macro + " " + value + "\n#elif " + macro +
               " != " + value + "\n#pragma message(\"another pipe has the name of " +
               std::string(symbol) + " and differs from it\")\n#endif\n";
    }
}

inline constexpr char host_end[] = " __attribute__((intel_host_accessible))";

} // namespace detail

/* ---- the pipe -------------------------------------------------------------------------------- */

template <class Name, class DataT, std::int32_t MinCapacity = 0, class Properties = properties<>>
class pipe
{
    using T = std::remove_cv_t<DataT>; /* const is part of the identity, not of packets */
    static_assert(MinCapacity >= 0, "sluice: a capacity is not negative");
    static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>,
                  "sluice: packets are passed bit for bit: trivially copyable, standard layout");
    static_assert(is_property_list_v<Properties>, "sluice: a list of properties is needed");
    static_assert(detail::canonical_t<Properties>::template apply_to<pipe>(),
                  "sluice: not a property of pipes");

    using list = detail::canonical_t<Properties>;
    template <class Key, class Value> static constexpr Value value_or(Value otherwise) noexcept
    {
        if constexpr (list::template has_property<Key>())
            return list::template get_property<Key>().value;
        else
            return otherwise;
    }

    using state = detail::pipe_state<Name, DataT, MinCapacity, detail::canonical_t<Properties>>;
    static constexpr const char *name = state::symbol.data();

  public:
    using value_type = DataT;
    using packet_type = T;
    static constexpr std::int32_t min_capacity = MinCapacity;
    /* In the program; ends with a zero. */
    static constexpr std::string_view symbol = state::symbol;

    /* Of the list, or the default. */
    static constexpr int ready_latency = value_or<ready_latency_key>(0);
    static constexpr int bits_per_symbol = value_or<bits_per_symbol_key>(8);
    static constexpr bool uses_valid = value_or<uses_valid_key>(true);
    static constexpr bool first_symbol_in_high_order_bits =
        value_or<first_symbol_in_high_order_bits_key>(false);
    static constexpr protocol_name protocol =
        value_or<protocol_key>(protocol_name::avalon_streaming_uses_ready);

    pipe() = delete;

    /* ---- the program's side ---- */

    /* For OpenCL C, with what the packet's type needs before it. Kernels use the symbol, or `alias`
     * as a macro for it. The second one is for a pipe whose ends are both kernels'. */
    static std::string declaration(std::string_view alias = {})
    {
        return detail::definition_text<T>() + pipe_declaration(alias);
    }
    static std::string kernel_declaration(std::string_view alias = {})
    {
        return detail::definition_text<T>() + detail::one_name_text<Name>(symbol) +
               detail::declaration_text<T>(symbol, "", MinCapacity, "", alias);
    }
    /* The declaration alone. */
    static std::string pipe_declaration(std::string_view alias = {})
    {
        return detail::one_name_text<Name>(symbol) +
               detail::declaration_text<T>(symbol, "", MinCapacity, detail::host_end, alias);
    }

    /* How the pipe of the program differs from this type: a sentence, or nothing. */
    template <class Program> static std::string mismatch(const Program &program)
    {
        detail::functions unused;
        cl_program handle = detail::handle<cl_program>(program);
        return look(handle, detail::device_of(handle), unused).sentence;
    }

    /* The transfers go to this program from now on, which is kept until unbind. The device is the
     * first one of the program with such pipes. */
    template <class Program> static void bind(const Program &program, std::error_code &code)
    {
        code = bind_to(detail::handle<cl_program>(program), nullptr).code;
    }
    template <class Program> static void bind(const Program &program)
    {
        detail::difference found = bind_to(detail::handle<cl_program>(program), nullptr);
        detail::check(found.code, found.sentence);
    }
    template <class Program, class Device>
    static void bind(const Program &program, const Device &device, std::error_code &code)
    {
        code =
            bind_to(detail::handle<cl_program>(program), detail::handle<cl_device_id>(device)).code;
    }
    template <class Program, class Device>
    static void bind(const Program &program, const Device &device)
    {
        detail::difference found =
            bind_to(detail::handle<cl_program>(program), detail::handle<cl_device_id>(device));
        detail::check(found.code, found.sentence);
    }
    static void unbind()
    {
        state::end.unbind();
    }

    /* ---- one packet ---- */

    template <class Queue>
    static void write(const Queue &queue, const T &packet, std::error_code &code)
    {
        code =
            state::end.write(detail::handle<cl_command_queue>(queue), name, &packet, sizeof packet);
    }
    template <class Queue>
    static void write(const Queue &queue, const T &packet,
                      std::memory_order = std::memory_order_seq_cst)
    {
        std::error_code code;
        write(queue, packet, code);
        detail::check(code, text("write"));
    }
    template <class Queue> static T read(const Queue &queue, std::error_code &code)
    {
        T packet{};
        code =
            state::end.read(detail::handle<cl_command_queue>(queue), name, &packet, sizeof packet);
        return packet;
    }
    template <class Queue>
    static T read(const Queue &queue, std::memory_order = std::memory_order_seq_cst)
    {
        std::error_code code;
        T packet = read(queue, code);
        detail::check(code, text("read"));
        return packet;
    }

    /* ---- one packet, without waiting ---- */

    template <class Queue>
    static void write(const Queue &queue, const T &packet, bool &success, std::error_code &code)
    {
        code = state::end.check_queue(detail::handle<cl_command_queue>(queue));
        success = !code && move_some<true>(&packet, 1, code) == 1;
    }
    template <class Queue>
    static void write(const Queue &queue, const T &packet, bool &success,
                      std::memory_order = std::memory_order_seq_cst)
    {
        std::error_code code;
        write(queue, packet, success, code);
        detail::check(code, text("write"));
    }
    template <class Queue> static T read(const Queue &queue, bool &success, std::error_code &code)
    {
        T packet{};
        code = state::end.check_queue(detail::handle<cl_command_queue>(queue));
        success = !code && move_some<false>(&packet, 1, code) == 1;
        return packet;
    }
    template <class Queue>
    static T read(const Queue &queue, bool &success, std::memory_order = std::memory_order_seq_cst)
    {
        std::error_code code;
        T packet = read(queue, success, code);
        detail::check(code, text("read"));
        return packet;
    }

    /* ---- bursts: whatever has data() and size() ---- */

    /* All of the range; waits as often as it takes. */
    template <class Queue, class Range,
              std::enable_if_t<detail::is_span_of<Range, const T>::value, int> = 0>
    static void write(const Queue &queue, const Range &packets, std::error_code &code)
    {
        move_all<true>(detail::handle<cl_command_queue>(queue), packets.data(), packets.size(),
                       code);
    }
    template <class Queue, class Range,
              std::enable_if_t<detail::is_span_of<Range, const T>::value, int> = 0>
    static void write(const Queue &queue, const Range &packets)
    {
        std::error_code code;
        write(queue, packets, code);
        detail::check(code, text("write"));
    }
    template <class Queue, class Range,
              std::enable_if_t<detail::is_span_of<Range, T>::value, int> = 0>
    static void read(const Queue &queue, Range &&packets, std::error_code &code)
    {
        move_all<false>(detail::handle<cl_command_queue>(queue), packets.data(), packets.size(),
                        code);
    }
    template <class Queue, class Range,
              std::enable_if_t<detail::is_span_of<Range, T>::value, int> = 0>
    static void read(const Queue &queue, Range &&packets)
    {
        std::error_code code;
        read(queue, packets, code);
        detail::check(code, text("read"));
    }

    /* As much of the front of the range as can be moved now: the number of packets. */
    template <class Range, std::enable_if_t<detail::is_span_of<Range, const T>::value, int> = 0>
    static std::size_t write_some(const Range &packets, std::error_code &code)
    {
        return move_some<true>(packets.data(), packets.size(), code);
    }
    template <class Range, std::enable_if_t<detail::is_span_of<Range, const T>::value, int> = 0>
    static std::size_t write_some(const Range &packets)
    {
        std::error_code code;
        std::size_t moved = write_some(packets, code);
        detail::check(code, text("write"));
        return moved;
    }
    template <class Range, std::enable_if_t<detail::is_span_of<Range, T>::value, int> = 0>
    static std::size_t read_some(Range &&packets, std::error_code &code)
    {
        return move_some<false>(packets.data(), packets.size(), code);
    }
    template <class Range, std::enable_if_t<detail::is_span_of<Range, T>::value, int> = 0>
    static std::size_t read_some(Range &&packets)
    {
        std::error_code code;
        std::size_t moved = read_some(packets, code);
        detail::check(code, text("read"));
        return moved;
    }

    /* ---- maps ---- */

    /* At most so many bytes of the pipe's own memory in one piece, fewer, or null: free room to be
     * filled if the host writes, packets that have come if it does not. Never waits. 0 stands for
     * all there is. */
    template <bool HostWrites>
    static T *map(std::size_t requested_size, std::size_t &mapped_size, std::error_code &code)
    {
        return static_cast<T *>(state::end.map(name, HostWrites ? CL_MAP_WRITE : CL_MAP_READ,
                                               requested_size, mapped_size, code));
    }
    template <bool HostWrites> static T *map(std::size_t requested_size, std::size_t &mapped_size)
    {
        std::error_code code;
        T *at = map<HostWrites>(requested_size, mapped_size, code);
        detail::check(code, text("map"));
        return at;
    }
    /* So many bytes from the front of a mapping; the number that went back. */
    static std::size_t unmap(T *mapped, std::size_t size_to_unmap, std::error_code &code)
    {
        std::size_t unmapped = 0;
        code = state::end.unmap(name, mapped, size_to_unmap, unmapped);
        return unmapped;
    }
    static std::size_t unmap(T *mapped, std::size_t size_to_unmap)
    {
        std::error_code code;
        std::size_t unmapped = unmap(mapped, size_to_unmap, code);
        detail::check(code, text("unmap"));
        return unmapped;
    }

    /* The same as objects; the number is of packets, and 0 stands for all there is. */
    static pipe_mapping<pipe, true> map_write(std::size_t packets = 0)
    {
        return mapping<true>(packets);
    }
    static pipe_mapping<pipe, false> map_read(std::size_t packets = 0)
    {
        return mapping<false>(packets);
    }

  private:
    static std::string text(const char *what)
    {
        return std::string(what) + " " + name;
    }

    static detail::difference look(cl_program program, cl_device_id device,
                                   detail::functions &calls)
    {
        detail::pipe_facts here{sizeof(T), alignof(T), static_cast<cl_uint>(MinCapacity),
                                "",        "",         true};
        if constexpr (opencl_type<T>::known)
            if (opencl_type<T>::is_scalar)
                here.type = opencl_type<T>::name;
        return detail::endpoint::look(program, device, name, here,
                                      std::string(detail::type_name<pipe>()), calls);
    }

    static detail::difference bind_to(cl_program program, cl_device_id device)
    {
        detail::functions calls;
        if (!device)
            device = detail::device_of(program);
        detail::difference found = look(program, device, calls);
        if (!found.code)
            state::end.bind(program, device, calls);
        return found;
    }

    template <bool HostWrites> static pipe_mapping<pipe, HostWrites> mapping(std::size_t packets)
    {
        std::size_t bytes = 0;
        T *at = map<HostWrites>(packets * sizeof(T), bytes);
        return {at, bytes / sizeof(T)};
    }

    using source = const T *;
    using target = T *;

    /* Twice at most: the memory of a pipe may go round. */
    template <bool HostWrites>
    static std::size_t move_some(std::conditional_t<HostWrites, source, target> packets,
                                 std::size_t count, std::error_code &code)
    {
        std::size_t moved = 0;
        code.clear();
        for (int part = 0; part < 2 && moved < count && !code; part++) {
            std::size_t bytes = 0;
            T *at = map<HostWrites>((count - moved) * sizeof(T), bytes, code);
            if (!at)
                break;
            if constexpr (HostWrites)
                std::memcpy(at, packets + moved, bytes);
            else
                std::memcpy(packets + moved, at, bytes);
            unmap(at, bytes, code);
            moved += bytes / sizeof(T);
        }
        return moved;
    }

    /* What is not there yet is waited for with a transfer of one packet. */
    template <bool HostWrites>
    static void move_all(cl_command_queue queue,
                         std::conditional_t<HostWrites, source, target> packets, std::size_t count,
                         std::error_code &code)
    {
        code = state::end.check_queue(queue);
        std::size_t moved = code ? 0 : move_some<HostWrites>(packets, count, code);
        while (moved < count && !code) {
            if constexpr (HostWrites)
                write(queue, packets[moved], code);
            else
                packets[moved] = read(queue, code);
            moved += code ? 0 : 1;
            if (!code)
                moved += move_some<HostWrites>(packets + moved, count - moved, code);
        }
    }
};

/* ---- several pipes --------------------------------------------------------------------------- */

/* What an OpenCL C program needs in front of its kernels to use the pipes: each packet type once.
 */
template <class... Pipes> std::string declarations()
{
    std::string text = "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n";
    text += opencl_types;
    (detail::add_definition<typename Pipes::packet_type>(text), ...);
    ((text += Pipes::pipe_declaration()), ...);
    return text;
}

/* Pipes that are bound to a program as long as this lives. */
template <class... Pipes> class bound_pipes
{
  public:
    template <class Program> explicit bound_pipes(const Program &program)
    {
        std::error_code code;
        std::string sentence;
        ((code || (Pipes::bind(program, code), code && (sentence = Pipes::mismatch(program), 0))),
         ...);
        if (code)
            (Pipes::unbind(), ...);
        detail::check(code, sentence);
    }
    bound_pipes(const bound_pipes &) = delete;
    bound_pipes &operator=(const bound_pipes &) = delete;
    ~bound_pipes()
    {
        (Pipes::unbind(), ...);
    }
};

} // namespace sluice

#endif
