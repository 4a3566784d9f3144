// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// NVIC lines that firmware and runtime use. Source: CMSIS device header.
namespace n6vp::memmap {

inline constexpr std::uint32_t kNvicPriorityBits = 4;
inline constexpr std::uint32_t kNvicHighestLine = 194;
inline constexpr std::uint32_t kNvicModelledLines = 196;

/// A run of consecutive lines of one source; channel n of it has line `first` + n.
struct Interrupt {
    const char* name;
    std::uint16_t first;
    std::uint16_t count;
};

/// By ascending line.
inline constexpr Interrupt kInterrupts[] = {
    {"CACHE_ECC", 5, 1}, {"TCM_ECC", 6, 1},  {"BKP_ECC", 7, 1},   {"RIFSC_TAMPER", 12, 1},
    {"IAC", 13, 1},      {"RNG", 40, 1},     {"MCE1", 42, 1},     {"MCE2", 43, 1},
    {"MCE3", 44, 1},     {"MCE4", 45, 1},    {"PAHB_ERR", 52, 1}, {"NPU0", 53, 1},
    {"NPU1", 54, 1},     {"NPU2", 55, 1},    {"NPU3", 56, 1},     {"CACHEAXI", 57, 1},
    {"HPDMA1", 68, 16},  {"GPDMA1", 84, 16}, {"TIM2", 116, 1},    {"TIM3", 117, 1},
    {"TIM4", 118, 1},    {"TIM5", 119, 1},   {"USART1", 159, 1},  {"LPUART1", 169, 1},
    {"XSPI1", 170, 1},   {"XSPI2", 171, 1},  {"XSPI3", 172, 1},   {"FMC", 173, 1},
};

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
