// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/units.h"

/// Who is behind the numbers of the stream switch: 27 sources, which the LINK fields select, and 41
/// destinations, one DST register each.
namespace n6vp::memmap::npu {

/// One end of a link.
struct LinkEnd {
    const UnitType* type = nullptr;  ///< nullptr: no such source or destination
    std::uint32_t index = 0;         ///< of the unit
    std::uint32_t port = 0;
    const char* port_name = "";  ///< "" where the unit has one port on this side
};

namespace detail {

/// Ports that every unit of a kind has on one side of the switch.
struct Ports {
    const UnitType* type;
    std::uint32_t count;
    const char* names[3];
};

inline constexpr Ports kOutputs[] = {
    {&kStreng, 1, {""}},
    {&kConvacc, 1, {""}},
    {&kDecun, 1, {""}},
    {&kActiv, 1, {""}},
    {&kArith, 1, {""}},
    {&kPool, 1, {""}},
    {&kRecbuf, 3, {"out0", "out1", "out2"}},
};
inline constexpr Ports kInputs[] = {
    {&kStreng, 1, {""}},
    {&kConvacc, 3, {"features", "kernels", "accumulator"}},
    {&kDecun, 2, {"in0", "in1"}},
    {&kActiv, 1, {""}},
    {&kArith, 2, {"x", "y"}},
    {&kPool, 1, {""}},
    {&kRecbuf, 3, {"in0", "in1", "in2"}},
};

template <std::size_t kRows>
constexpr LinkEnd find_end(const Ports (&rows)[kRows], std::uint32_t number) {
    for (const Ports& row : rows) {
        const std::uint32_t ends = row.type->count * row.count;
        if (number < ends) {
            const std::uint32_t port = number % row.count;
            return {row.type, number / row.count, port, row.names[port]};
        }
        number -= ends;
    }
    return {};
}

template <std::size_t kRows>
constexpr std::uint32_t count_ends(const Ports (&rows)[kRows]) {
    std::uint32_t ends = 0;
    for (const Ports& row : rows) ends += row.type->count * row.count;
    return ends;
}

}  // namespace detail

inline constexpr std::uint32_t kLinkSources = detail::count_ends(detail::kOutputs);
inline constexpr std::uint32_t kLinkDestinations = detail::count_ends(detail::kInputs);
static_assert(kLinkSources ==
              extract(reg(kStrswitch, "VERSION").reset, field(kStrswitch, "VERSION.IPORTS")));
static_assert(kLinkDestinations ==
              extract(reg(kStrswitch, "VERSION").reset, field(kStrswitch, "VERSION.OPORTS")));
static_assert(kLinkDestinations == reg(kStrswitch, "DST").count);

/// Returns what a LINK field selects.
[[nodiscard]] constexpr LinkEnd link_source(std::uint32_t number) {
    return detail::find_end(detail::kOutputs, number);
}

/// Returns what a DST register feeds.
[[nodiscard]] constexpr LinkEnd link_destination(std::uint32_t number) {
    return detail::find_end(detail::kInputs, number);
}

}  // namespace n6vp::memmap::npu
