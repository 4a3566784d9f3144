// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/ir/data_cache.h"
#include "models/core/ir/state.h"

namespace n6vp::models::core {

/// The core's instruction cache as blocks see it, with the same filter as `DataCache`.
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
                miss_filter(cpu, line * kLineBytes, address);
        }
    }
    /// Returns true if to touch these lines again would do nothing, as long as no other code runs.
    [[nodiscard]] bool holds_still(std::uint32_t address, unsigned lines) const {
        for (std::uint32_t line = address / kLineBytes; lines-- > 0; ++line) {
            if (present_[line % kFilterLines] != line) return false;
        }
        return true;
    }
    /// As for `DataCache`, with the fetches that went past this cache.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }
    [[nodiscard]] virtual DataCache::PassedReads passed_reads() const { return {}; }
    virtual void count_passed_reads(const DataCache::PassedReads& /*more*/) {}

    /// [start, end] is about to change in memory.
    virtual void memory_changes(std::uint32_t start, std::uint32_t end) = 0;
    /// Returns the code at `address` that the cache holds and memory does not any more, up to the
    /// end of its line; null where memory's is what runs. `cacheable` as the access is.
    [[nodiscard]] const std::uint8_t* stale_code(std::uint32_t address, bool cacheable) const {
        return runs_stale_code_ && cacheable ? find_stale(address) : nullptr;
    }
    /// Returns true if a line of [start, end] is in the cache.
    [[nodiscard]] virtual bool holds(std::uint32_t start, std::uint32_t end) const = 0;

    void clear_filter() { present_.fill(kNoLine); }

  protected:
    /// Looks the line at `address` up, fills it if it misses, charges `cpu.budget`. `pc` is the
    /// start of the block that runs.
    virtual void miss_filter(CpuState& cpu, std::uint32_t address, std::uint32_t pc) = 0;
    [[nodiscard]] virtual const std::uint8_t* find_stale(std::uint32_t address) const = 0;

    void admit(std::uint32_t address) {
        present_[address / kLineBytes % kFilterLines] = address / kLineBytes;
    }
    void expel(std::uint32_t address) {
        if (present_[address / kLineBytes % kFilterLines] == address / kLineBytes)
            present_[address / kLineBytes % kFilterLines] = kNoLine;
    }

    std::uint64_t changes_ = 0;
    bool runs_stale_code_ = false;  ///< a line may hold what memory does not

  private:
    static constexpr std::uint32_t kFilterLines = 256;
    static constexpr std::uint32_t kNoLine = 0xFFFFFFFF;
    std::array<std::uint32_t, kFilterLines> present_{};
};

}  // namespace n6vp::models::core
