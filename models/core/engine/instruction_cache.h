// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/state.h"

namespace n6vp::models::core {

/// Tags of the core's instruction cache as blocks see them, with the same filter as `DataCache`.
class InstructionCache {
  public:
    static constexpr std::uint32_t kLineBytes = 32;

    InstructionCache() { clear_filter(); }
    InstructionCache(const InstructionCache&) = delete;
    InstructionCache& operator=(const InstructionCache&) = delete;
    virtual ~InstructionCache() = default;

    /// A block is about to run code in `lines` lines from `address`.
    void touch(CpuState& cpu, std::uint32_t address, unsigned lines) {
        for (std::uint32_t line = address / kLineBytes; lines-- > 0; ++line) {
            if (present_[line % kFilterLines] != line) [[unlikely]]
                miss_filter(cpu, line * kLineBytes);
        }
    }
    /// [start, end] is about to change in memory.
    virtual void memory_changes(std::uint32_t start, std::uint32_t end) = 0;

    void clear_filter() { present_.fill(kNoLine); }

  protected:
    /// Looks the line at `address` up, fills it if it misses, charges `cpu.budget`.
    virtual void miss_filter(CpuState& cpu, std::uint32_t address) = 0;

    void admit(std::uint32_t address) {
        present_[address / kLineBytes % kFilterLines] = address / kLineBytes;
    }
    void expel(std::uint32_t address) {
        if (present_[address / kLineBytes % kFilterLines] == address / kLineBytes)
            present_[address / kLineBytes % kFilterLines] = kNoLine;
    }

  private:
    static constexpr std::uint32_t kFilterLines = 256;
    static constexpr std::uint32_t kNoLine = 0xFFFFFFFF;
    std::array<std::uint32_t, kFilterLines> present_{};
};

}  // namespace n6vp::models::core
