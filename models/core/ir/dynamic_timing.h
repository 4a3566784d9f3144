// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace n6vp::models::core {

/// Cycles that depend on data, of cores whose tables give them. Null in `CpuState` where a core has
/// none, or time is functional.
struct DynamicTiming {
    /// SDIV and UDIV by the magnitudes of their operands. With b(x) the bits of x: `zero` if one of
    /// them is zero, `smaller` if b(dividend) < b(divisor), else
    /// `base` + (b(dividend) - b(divisor) + `bias`) / `bits_per_cycle`, at most `most`.
    struct Divide {
        unsigned zero = 0, smaller = 0, base = 0, bias = 0, bits_per_cycle = 1, most = 0;
        unsigned issued = 0;  ///< cycles that the issue model has charged

        [[nodiscard]] unsigned extra(std::uint32_t dividend, std::uint32_t divisor) const {
            const auto n = static_cast<unsigned>(std::bit_width(dividend));
            const auto d = static_cast<unsigned>(std::bit_width(divisor));
            unsigned cycles = zero;
            if (n != 0 && d != 0)
                cycles = n < d ? smaller : std::min(most, base + (n - d + bias) / bits_per_cycle);
            return cycles - std::min(cycles, issued);
        }
    };
    /// What an unaligned access takes beyond an aligned one.
    struct Unaligned {
        unsigned halfword = 0, word_on_halfword = 0, word_on_byte = 0;

        [[nodiscard]] unsigned cycles(std::uint32_t address, unsigned bytes) const {
            if (bytes == 2) return halfword;
            return address % 2 == 0 ? word_on_halfword : word_on_byte;
        }
    };

    Divide divide;
    Unaligned load, store;
};

/// Directions of conditional branches: two-bit counters behind addresses.
class BranchPredictor {
  public:
    /// Set before the first branch; a power of two, at most `kMostEntries`.
    static constexpr std::uint32_t kMostEntries = 1024;

    void reset(std::uint32_t entries) {
        entries_ = std::clamp(std::bit_floor(entries), 1u, kMostEntries);
        table_.fill({});
    }
    /// Takes the outcome of the branch at `pc`. Returns true if it was predicted otherwise. An
    /// unknown branch is predicted taken if it leads `backward`.
    bool mispredicts(std::uint32_t pc, bool backward, bool taken) {
        Entry& entry = table_[pc / 2 & (entries_ - 1)];
        if (entry.pc != pc) {
            entry = {pc, static_cast<std::uint8_t>(backward ? 2 : 1)};
            ++changes_;
        }
        const bool wrong = (entry.counter >= 2) != taken;
        if (taken && entry.counter < 3) {
            ++entry.counter;
            ++changes_;
        } else if (!taken && entry.counter > 0) {
            --entry.counter;
            ++changes_;
        }
        return wrong;
    }
    /// Returns how often the table has changed.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

  private:
    struct Entry {
        std::uint32_t pc = 1;  ///< no instruction is there
        std::uint8_t counter = 0;
    };
    std::uint32_t entries_ = 1;
    std::uint64_t changes_ = 0;
    std::array<Entry, kMostEntries> table_{};
};

}  // namespace n6vp::models::core
