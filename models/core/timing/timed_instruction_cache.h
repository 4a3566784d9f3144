// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/core/ir/bus.h"
#include "models/core/ir/instruction_cache.h"
#include "models/core/timing/cache_access.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/cache_tags.h"
#include "models/core/timing/coherence.h"
#include "models/core/timing/timed_data_cache.h"

namespace n6vp::models::core {

/// Tags and timing of the instruction cache. A block of code touches its lines before it runs. A
/// line whose memory changes is stale, and keeps what it held: using it is reported, and in `real`
/// that is the code which runs until the line is invalidated, evicted or the cache disabled.
///
/// Not modelled: prefetch, and contents of lines whose memory has not changed: they are memory's.
class TimedInstructionCache final : public InstructionCache {
  public:
    struct Counters {
        std::uint64_t fills = 0, uncached = 0, wait_cycles = 0;
    };

    TimedInstructionCache(const CacheParameters& parameters, CoreBus& bus,
                          std::vector<TcmRange> tcm, TimedDataCache& data, Coherence coherence);

    /// By the core or another master: lines that hold the old code are remembered as stale.
    void memory_changes(std::uint32_t start, std::uint32_t end) override;
    [[nodiscard]] bool holds(std::uint32_t start, std::uint32_t end) const override;
    [[nodiscard]] DataCache::PassedReads passed_reads() const override {
        return {counters_.uncached, counters_.wait_cycles};
    }
    void count_passed_reads(const DataCache::PassedReads& more) override {
        counters_.uncached += more.count;
        counters_.wait_cycles += more.wait_cycles;
    }
    /// A debugger changed memory to `bytes`: stale code there changes, too.
    void replace(std::uint32_t start, std::span<const std::uint8_t> bytes);
    void set_hook(CoherenceHook hook) { report_.set(std::move(hook)); }
    /// Called when code in [start, end] must be decoded again although memory has not changed:
    /// the cache was switched off, or in `real` a stale line was dropped. May be empty.
    std::function<void(std::uint32_t start, std::uint32_t end)> on_other_code;

    void reset();
    void set_enabled(bool enabled);
    void invalidate_line(CpuState& cpu, std::uint32_t address);
    void invalidate_all();
    [[nodiscard]] const Counters& counters() const { return counters_; }

  protected:
    void miss_filter(CpuState& cpu, std::uint32_t address, std::uint32_t pc) override;
    [[nodiscard]] const std::uint8_t* find_stale(std::uint32_t address) const override;

  private:
    using Bytes = std::array<std::uint8_t, kLineBytes>;

    /// Reports a line that is used although memory has changed since it was fetched.
    void notice_stale(const CacheTags::Line& line, std::uint32_t pc);
    /// The line goes: whatever was stale in it is no more.
    void forget_stale(std::uint32_t line);
    /// Real: the code of stale lines may be another from now on.
    void tell_other_code();

    CacheParameters parameters_;
    CoreBus& bus_;
    std::vector<TcmRange> tcm_;
    TimedDataCache& data_;
    CacheTags tags_;
    bool enabled_ = false;
    Counters counters_;
    bool real_ = false;
    std::map<std::uint32_t, Bytes> stale_;  ///< by line address: its bytes when it was fetched
    CoherenceReport report_;
};

}  // namespace n6vp::models::core
