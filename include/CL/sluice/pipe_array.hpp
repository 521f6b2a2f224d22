/* SPDX-License-Identifier: Apache-2.0 */
/* Part of CL/sluice.hpp: arrays of pipes. pipe_array<id, int, 4, 2, 3> is `pipe int name[2][3]` in
 * the program; its element at<1, 2> is a pipe like others, whose symbol is "name[1][2]". */
#ifndef SLUICE_PIPE_ARRAY_HPP
#define SLUICE_PIPE_ARRAY_HPP

#include <CL/sluice/pipe.hpp>

namespace sluice
{

template <class Name, class DataT, std::int32_t MinCapacity, std::size_t... Dimensions>
class pipe_array
{
    using T = std::remove_cv_t<DataT>;
    static_assert(MinCapacity >= 0, "sluice: a capacity is not negative");
    static_assert(sizeof...(Dimensions) != 0 && ((Dimensions != 0) && ...),
                  "sluice: an array of pipes has dimensions, and none of them is 0");

  public:
    using value_type = DataT;
    using packet_type = T;
    static constexpr std::int32_t min_capacity = MinCapacity;
    static constexpr std::string_view symbol =
        detail::symbol_of<Name, DataT, MinCapacity, detail::dimensions<Dimensions...>,
                          pipe_array>::value;

    /* The name of an element. */
    template <std::size_t... Index> struct element {
        using array_type = pipe_array;
        template <class Text> static constexpr void add_symbol(Text &to)
        {
            to.add(symbol);
            ((to.add('['), to.add_number(Index), to.add(']')), ...);
        }
    };

    template <std::size_t... Index> struct checked_element {
        static_assert(sizeof...(Index) == sizeof...(Dimensions),
                      "sluice: an element has an index for each dimension");
        static constexpr bool inside = [] {
            constexpr std::size_t index[] = {Index...}, size[] = {Dimensions...};
            for (std::size_t i = 0; i < sizeof...(Index) && i < sizeof...(Dimensions); i++)
                if (index[i] >= size[i])
                    return false;
            return true;
        }();
        static_assert(inside, "sluice: there is no such element in the array of pipes");
        using type = pipe<element<Index...>, DataT, MinCapacity>;
    };
    template <std::size_t... Index> using at = typename checked_element<Index...>::type;

    pipe_array() = delete;

    /* As of a pipe. */
    static std::string declaration(std::string_view alias = {})
    {
        return detail::definition_text<T>() + pipe_declaration(alias);
    }
    static std::string pipe_declaration(std::string_view alias = {})
    {
        std::string dimensions = ((("[" + std::to_string(Dimensions)) + "]") + ...);
        return detail::declaration_text<T>(symbol, dimensions, MinCapacity, detail::host_end,
                                           alias);
    }
    static std::string kernel_declaration(std::string_view alias = {})
    {
        std::string dimensions = ((("[" + std::to_string(Dimensions)) + "]") + ...);
        return detail::definition_text<T>() +
               detail::declaration_text<T>(symbol, dimensions, MinCapacity, "", alias);
    }
};

} // namespace sluice

#endif
