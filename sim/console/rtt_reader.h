// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/host/elf.h"

namespace n6vp::sim {

/// Takes what a program has written to the up-buffers of SEGGER's Real-Time Transfer, as a debug
/// probe does: it reads the buffers and moves their RdOff. Layout of the control block:
/// SEGGER_RTT.h of the public target sources. Nothing in memory is trusted, and all of it is read
/// anew in every look: a program that starts again is followed.
class RttReader {
  public:
    struct Range {
        std::uint32_t start = 0, bytes = 0;
    };
    /// Memory as the core sees it. Both return false where there is none. A control block outside
    /// of `ram` is none.
    struct Memory {
        std::function<bool(std::uint32_t address, std::span<std::uint8_t> bytes)> read;
        std::function<bool(std::uint32_t address, std::span<const std::uint8_t> bytes)> write;
        std::vector<Range> ram;
    };

    /// The symbol `_SEGGER_RTT` is the control block; without it, or with null, it is searched for.
    RttReader(Memory memory, const ElfFile* symbols);

    /// Looks where the control block is. Without symbol or a block of earlier, it searches the RAM
    /// in the first, second, fourth, eighth look and so on: a search costs time of the host.
    void look();
    /// Returns true if the last look found one.
    [[nodiscard]] bool found() const { return block_.has_value(); }
    /// Takes what up-buffer `channel` holds.
    [[nodiscard]] std::string take(unsigned channel);

    /// Of "SEGGER RTT" and zeros, which begin a control block.
    static constexpr std::uint32_t kIdBytes = 16;
    /// Bytes of one buffer's text that one look takes; a buffer that claims more is damaged.
    static constexpr std::uint32_t kMostBytes = 16u << 20;

  private:
    [[nodiscard]] bool is_block(std::uint32_t address) const;
    [[nodiscard]] std::optional<std::uint32_t> search() const;
    [[nodiscard]] std::optional<std::uint32_t> word(std::uint32_t address) const;

    Memory memory_;
    std::optional<std::uint32_t> symbol_, block_;
    std::uint64_t looks_ = 0, next_search_ = 1;
};

}  // namespace n6vp::sim
