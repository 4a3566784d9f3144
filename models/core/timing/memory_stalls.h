// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/ir/bus.h"
#include "models/core/ir/data_cache.h"
#include "models/core/ir/instruction_cache.h"
#include "models/core/timing/cache_access.h"

namespace n6vp::models::core {

// A core without caches whose memory may make it wait: flash with wait states, prefetch or a cache
// of the chip. The bus answers how long. What cost nothing is not asked for again until something
// else has cost time, since that may have displaced it.

class LoadStalls;

/// Fetches: a block asks for its lines of 32 bytes before it runs, each by one read of the
/// instruction port.
///
/// Not modelled: when within the block a line is needed; the order of uses of what was not asked
/// for again, where the chip replaces the line that was used longest ago.
class FetchStalls final : public InstructionCache {
  public:
    FetchStalls(CoreBus& bus, std::vector<TcmRange> zero_wait)
        : bus_(bus), zero_wait_(std::move(zero_wait)) {}

    void memory_changes(std::uint32_t /*start*/, std::uint32_t /*end*/) override {}
    [[nodiscard]] bool holds(std::uint32_t /*start*/, std::uint32_t /*end*/) const override {
        return false;
    }
    [[nodiscard]] std::uint64_t wait_cycles() const { return wait_cycles_; }

    /// Loads that share the memory's buffers with the code; must outlive this.
    void set_loads(LoadStalls& loads) { loads_ = &loads; }
    /// Something cost time.
    void forget();

  protected:
    void miss_filter(CpuState& cpu, std::uint32_t address, std::uint32_t pc) override;
    [[nodiscard]] const std::uint8_t* find_stale(std::uint32_t /*address*/) const override {
        return nullptr;
    }

  private:
    static constexpr std::size_t kMostFree = 256;

    CoreBus& bus_;
    std::vector<TcmRange> zero_wait_;
    LoadStalls* loads_ = nullptr;
    std::vector<std::uint32_t> free_lines_;  ///< admitted because they cost nothing
    std::uint64_t wait_cycles_ = 0;
};

/// Loads outside `zero_wait`: one read of a word each. Stores take what the pipeline says. A word
/// that cost nothing stands for the 8 bytes around it: no memory brings less at a time.
class LoadStalls final : public DataCache {
  public:
    LoadStalls(CoreBus& bus, std::vector<TcmRange> zero_wait)
        : bus_(bus), zero_wait_(std::move(zero_wait)) {}

    [[nodiscard]] bool bypassed(std::uint32_t address) const override {
        return in_ranges(zero_wait_, address);
    }
    bool read(CpuState& /*cpu*/, const CacheAccess& /*access*/, const Permission& /*permission*/,
              std::uint8_t* /*to*/) override {
        return false;
    }
    bool write(CpuState& /*cpu*/, const CacheAccess& /*access*/, const Permission& /*permission*/,
               const std::uint8_t* /*from*/) override {
        return false;
    }
    void complete_due(std::uint64_t /*cycle*/) override {}
    [[nodiscard]] std::uint64_t wait_cycles() const { return wait_cycles_; }
    void set_fetches(FetchStalls& fetches) { fetches_ = &fetches; }
    void forget();

  protected:
    void miss_filter(CpuState& cpu, const CacheAccess& access) override;
    void complete_all() override {}
    void complete_lines(std::uint32_t /*address*/, unsigned /*bytes*/) override {}
    void wait_for_stores(CpuState& /*cpu*/, const MicroOp& /*op*/) override {}

  private:
    static constexpr std::uint32_t kPartBytes = 8, kEntries = 64;
    /// Parts of a line that cost nothing.
    struct Line {
        std::uint32_t number = 0xFFFFFFFF;
        std::uint32_t parts = 0;
    };
    /// Returns true if the part is known to cost nothing.
    [[nodiscard]] bool known(std::uint32_t address) const;
    void learn(std::uint32_t address);

    CoreBus& bus_;
    std::vector<TcmRange> zero_wait_;
    FetchStalls* fetches_ = nullptr;
    std::array<Line, kEntries> lines_{};
    std::vector<std::uint32_t> used_;  ///< of `lines_`
    std::uint64_t wait_cycles_ = 0;
};

}  // namespace n6vp::models::core
