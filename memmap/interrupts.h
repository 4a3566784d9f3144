// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memmap/peripherals.h"

/// NVIC lines that firmware and runtime use. Source: CMSIS device header.
namespace n6vp::memmap {

inline constexpr std::uint32_t kNvicPriorityBits = 4;
inline constexpr std::uint32_t kNvicHighestLine = 194;
inline constexpr std::uint32_t kNvicModelledLines = 196;

namespace detail {
/// Lines of what is no peripheral of the address map, by ascending line.
inline constexpr Interrupt kOtherInterrupts[] = {
    {"CACHE_ECC", 5},
    {"TCM_ECC", 6},
    {"BKP_ECC", 7},
    {"PAHB_ERR", 52},
};

/// Returns true if a peripheral before this one has the same line: it stands in the table once.
constexpr bool shared_with_earlier(const Peripheral& peripheral, const Interrupt& line) {
    for (const Peripheral& earlier : kPeripherals) {
        if (&earlier == &peripheral) break;
        for (const Interrupt& row : earlier.interrupts) {
            if (row.name != nullptr && row.first == line.first) return true;
        }
    }
    return false;
}
template <class Function>
constexpr void for_each_interrupt(Function&& function) {
    for (const Interrupt& row : kOtherInterrupts) function(row);
    for (const Peripheral& peripheral : kPeripherals) {
        for (const Interrupt& row : peripheral.interrupts) {
            if (row.name != nullptr && !shared_with_earlier(peripheral, row)) function(row);
        }
    }
}
consteval std::size_t count_interrupts() {
    std::size_t count = 0;
    for_each_interrupt([&](const Interrupt&) { ++count; });
    return count;
}
consteval auto sorted_interrupts() {
    std::array<Interrupt, count_interrupts()> rows{};
    std::size_t count = 0;
    for_each_interrupt([&](const Interrupt& row) {
        std::size_t place = count++;
        for (; place > 0 && rows[place - 1].first > row.first; --place)
            rows[place] = rows[place - 1];
        rows[place] = row;
    });
    return rows;
}
}  // namespace detail

/// Those of the peripherals and the others, by ascending line.
inline constexpr auto kInterrupts = detail::sorted_interrupts();

/// Returns the first line of a source that stands in the table; another name does not compile.
[[nodiscard]] consteval std::uint16_t interrupt_line(const char* name) {
    // Past the end of the table there is no constant.
    std::size_t row = 0;
    for (std::size_t i = 0; name[i] != kInterrupts[row].name[i] || name[i] != '\0';) {
        if (name[i] == kInterrupts[row].name[i]) {
            ++i;
        } else {
            ++row;
            i = 0;
        }
    }
    return kInterrupts[row].first;
}

/// The line that the runtime enables by default: output 0 of the NPU's interrupt controller.
inline constexpr std::uint16_t kNpuDefaultLine = interrupt_line("NPU0");

/// Returns the source of a line, or nullptr if the table does not know it.
[[nodiscard]] constexpr const Interrupt* interrupt_on_line(std::uint16_t line) {
    for (const Interrupt& row : kInterrupts) {
        if (line >= row.first && line < row.first + row.count) return &row;
    }
    return nullptr;
}

namespace detail {
[[nodiscard]] constexpr bool interrupts_ascend() {
    std::uint32_t next = 0;
    for (const Interrupt& row : kInterrupts) {
        if (row.first < next || row.count == 0) return false;
        next = std::uint32_t{row.first} + row.count;
    }
    return next <= kNvicHighestLine + 1;
}
}  // namespace detail
static_assert(detail::interrupts_ascend());

}  // namespace n6vp::memmap
