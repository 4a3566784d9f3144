// SPDX-License-Identifier: Apache-2.0
// Worked epochs of public networks as the words that software writes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace n6vp::test {

struct ExampleEpoch {
    /// First entries of a coefficient memory; of the others only the number is known.
    struct Coefficients {
        std::uint32_t page = 0;  ///< of the ARITH
        std::uint32_t entries = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> first;  ///< words AB and C
    };

    const char* name;
    /// Offset in the window and value, in the order of the tables; CTRL has EN where they have it.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> destinations;  ///< of the switch: DST
    std::vector<Coefficients> coefficients;
    std::vector<std::uint32_t> enabled;  ///< pages, in the order of enabling
    std::uint32_t outputs = 0;           ///< how many of them, at the front, are output engines
};

/// Registers that every engine has beside those of the tables: LIMITEN, POS, EVENT.
inline constexpr std::pair<std::uint32_t, std::uint32_t> kEngineWords[] = {
    {0x30, 7}, {0x24, 0x24}, {0x28, 0x00100000}};

/// Returns all of them, E1 to E16.
const std::vector<ExampleEpoch>& example_epochs();
/// Returns those from E9 on.
std::vector<ExampleEpoch> later_examples();

}  // namespace n6vp::test
