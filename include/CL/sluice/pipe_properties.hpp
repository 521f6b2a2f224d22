/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: what a pipe may be given. The emulated FPGA tells them and has no hardware
 * that they could change; they are part of the pipe's identity. */
#ifndef SLUICE_PIPE_PROPERTIES_HPP
#define SLUICE_PIPE_PROPERTIES_HPP

#include <CL/sluice/properties.hpp>

#include <cstdint>
#include <string>

namespace sluice
{

template <class Name, class T, std::int32_t MinCapacity, class Properties> class pipe;

/* ---- of pipes -------------------------------------------------------------------------------- */

enum class protocol_name : std::uint16_t {
    avalon_streaming,
    avalon_streaming_uses_ready,
    avalon_mm,
    avalon_mm_uses_ready,
};

namespace detail
{

template <class Value, int Least> struct number_of_at_least : one_param<Value> {
    static_assert(static_cast<int>(Value::value) >= Least,
                  "sluice: a latency is not negative, and a symbol has at least one bit");
};

} // namespace detail

/* Defines `name_key`, the objects `name<Value>` and `name_v<Value>`. */
#define SLUICE_PIPE_PROPERTY(name, type, least)                                                    \
    struct name##_key {                                                                            \
        template <class Value> using members = detail::number_of_at_least<Value, least>;           \
        template <type Value>                                                                      \
        using value_t = property_value<name##_key, std::integral_constant<type, Value>>;           \
    };                                                                                             \
    template <type Value> inline constexpr name##_key::value_t<Value> name{};                      \
    template <type Value> inline constexpr name##_key::value_t<Value> name##_v{};                  \
    template <> struct is_property<name##_key> : std::true_type {                                  \
    };                                                                                             \
    template <class Name, class T, std::int32_t MinCapacity, class Properties>                     \
    struct is_property_of<name##_key, pipe<Name, T, MinCapacity, Properties>> : std::true_type {   \
    }

SLUICE_PIPE_PROPERTY(ready_latency, int, 0);
SLUICE_PIPE_PROPERTY(bits_per_symbol, int, 1);
SLUICE_PIPE_PROPERTY(uses_valid, bool, 0);
SLUICE_PIPE_PROPERTY(first_symbol_in_high_order_bits, bool, 0);
SLUICE_PIPE_PROPERTY(protocol, protocol_name, 0);
#undef SLUICE_PIPE_PROPERTY

inline constexpr auto uses_valid_on = uses_valid<true>;
inline constexpr auto uses_valid_off = uses_valid<false>;
inline constexpr auto first_symbol_in_high_order_bits_on = first_symbol_in_high_order_bits<true>;
inline constexpr auto first_symbol_in_high_order_bits_off = first_symbol_in_high_order_bits<false>;
inline constexpr auto protocol_avalon_streaming = protocol<protocol_name::avalon_streaming>;
inline constexpr auto protocol_avalon_streaming_uses_ready =
    protocol<protocol_name::avalon_streaming_uses_ready>;
inline constexpr auto protocol_avalon_mm = protocol<protocol_name::avalon_mm>;
inline constexpr auto protocol_avalon_mm_uses_ready = protocol<protocol_name::avalon_mm_uses_ready>;

/* ---- of I/O pipes ---------------------------------------------------------------------------- */

template <class Name, class T, std::size_t MinCapacity> class kernel_readable_io_pipe;
template <class Name, class T, std::size_t MinCapacity> class kernel_writeable_io_pipe;

/* Where the stream comes from or goes to, as a row of SLUICE_FPGA_IO has it: "file:in.bin". Known
 * at run time, hence no part of any type. */
struct io_target {
    std::string stream;
};

template <> struct is_property<io_target> : std::true_type {
};
template <class Name, class T, std::size_t MinCapacity>
struct is_property_of<io_target, kernel_readable_io_pipe<Name, T, MinCapacity>> : std::true_type {
};
template <class Name, class T, std::size_t MinCapacity>
struct is_property_of<io_target, kernel_writeable_io_pipe<Name, T, MinCapacity>> : std::true_type {
};

/* ---- of operations --------------------------------------------------------------------------- */

enum class latency_control_type { none, exact, max, min };

struct latency_anchor_id_key {
    template <int Anchor>
    using value_t = property_value<latency_anchor_id_key, std::integral_constant<int, Anchor>>;
};
template <int Anchor> inline constexpr latency_anchor_id_key::value_t<Anchor> latency_anchor_id{};
template <int Anchor> inline constexpr latency_anchor_id_key::value_t<Anchor> latency_anchor_id_v{};
template <> struct is_property<latency_anchor_id_key> : std::true_type {
};

struct latency_constraint_key {
    template <int Target, latency_control_type Type, int Cycle>
    using value_t = property_value<latency_constraint_key, std::integral_constant<int, Target>,
                                   std::integral_constant<latency_control_type, Type>,
                                   std::integral_constant<int, Cycle>>;
    template <class Target, class Type, class Cycle> struct members {
        static_assert(Type::value == latency_control_type::none ||
                          Type::value == latency_control_type::exact ||
                          Type::value == latency_control_type::max ||
                          Type::value == latency_control_type::min,
                      "sluice: a latency is exact, max or min");
        static constexpr int target = Target::value;
        static constexpr latency_control_type type = Type::value;
        static constexpr int cycle = Cycle::value;
    };
};
template <int Target, latency_control_type Type, int Cycle>
inline constexpr latency_constraint_key::value_t<Target, Type, Cycle> latency_constraint{};
template <int Target, latency_control_type Type, int Cycle>
inline constexpr latency_constraint_key::value_t<Target, Type, Cycle> latency_constraint_v{};
template <> struct is_property<latency_constraint_key> : std::true_type {
};

} // namespace sluice

#endif
