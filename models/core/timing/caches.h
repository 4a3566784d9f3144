// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/bus.h"
#include "models/core/cache_tags.h"
#include "models/core/engine/data_cache.h"
#include "models/core/engine/instruction_cache.h"
#include "models/core/system/system.h"
#include "models/core/system/system_memory.h"
#include "models/core/timing/cache_parameters.h"

namespace n6vp::models::core {

/// Memory that the core reaches without cache and without waiting.
struct TcmRange {
    std::uint32_t start = 0, end = 0;  ///< first and last address
};

/// A line on its way from memory.
struct LineFill {
    std::uint32_t line = 1;                       ///< never a line address before the first fill
    std::uint32_t first = 0;                      ///< beat that comes first
    std::uint64_t first_beat = 0, last_beat = 0;  ///< core cycles since reset
};

/// Tags and timing of the data cache: write-back with write-allocate, write-through without, by the
/// attributes that MPU and default map give; one line fill at a time, critical beat first, the core
/// running on behind it; dirty victims through a write-back buffer; a store buffer for what goes
/// past the cache. Data are in memory at once; see Coherence for what that hides.
///
/// Not modelled: prefetch, merging of stores past the cache, ECC.
class TimedDataCache final : public DataCache {
  public:
    struct Counters {
        std::uint64_t lookups = 0;  ///< past the filter: not a number of accesses
        std::uint64_t fills = 0, write_backs = 0, uncached_reads = 0, uncached_writes = 0;
        std::uint64_t wait_cycles = 0;
    };

    TimedDataCache(const CacheParameters& parameters, CoreBus& bus, std::vector<TcmRange> tcm);

    void reset();
    void set_enabled(bool enabled, bool force_write_through);
    void maintain_line(CpuState& cpu, CacheMaintenance::Action action, std::uint32_t address);
    void maintain_set_way(CpuState& cpu, CacheMaintenance::Action action, unsigned set,
                          unsigned way);
    [[nodiscard]] const Counters& counters() const { return counters_; }

  protected:
    void miss_filter(CpuState& cpu, std::uint32_t address, bool write) override;

  private:
    [[nodiscard]] bool in_tcm(std::uint32_t address) const;
    void wait_until(CpuState& cpu, std::uint64_t when);
    void pass_by(CpuState& cpu, std::uint32_t address, bool write, const Permission& permission);
    void fill(CpuState& cpu, std::uint32_t address, const Permission& permission, LineFill& fill);
    void write_back(CpuState& cpu, std::uint32_t line, bool secure);
    [[nodiscard]] std::uint64_t available(std::uint32_t address) const;

    CacheParameters parameters_;
    CoreBus& bus_;
    std::vector<TcmRange> tcm_;
    CacheTags tags_;
    bool enabled_ = false, write_through_ = false;
    LineFill load_fill_, store_fill_;
    std::uint64_t fill_free_ = 0;
    std::vector<std::uint64_t> write_back_free_, store_free_;
    Counters counters_;
};

/// Tags and timing of the instruction cache. A block of code touches its lines before it runs.
class TimedInstructionCache final : public InstructionCache {
  public:
    struct Counters {
        std::uint64_t fills = 0, uncached = 0, wait_cycles = 0;
    };

    TimedInstructionCache(const CacheParameters& parameters, CoreBus& bus,
                          std::vector<TcmRange> tcm);

    void reset();
    void set_enabled(bool enabled);
    void invalidate_line(CpuState& cpu, std::uint32_t address);
    void invalidate_all();
    [[nodiscard]] const Counters& counters() const { return counters_; }

  protected:
    void miss_filter(CpuState& cpu, std::uint32_t address) override;

  private:
    CacheParameters parameters_;
    CoreBus& bus_;
    std::vector<TcmRange> tcm_;
    CacheTags tags_;
    bool enabled_ = false;
    Counters counters_;
};

/// Both caches as the system registers command them and as the PMU counts them.
class CoreCaches final : public CacheMaintenance, public EventSource {
  public:
    CoreCaches(const CacheParameters& parameters, CoreBus& bus, const std::vector<TcmRange>& tcm)
        : parameters_(parameters), data(parameters, bus, tcm), instructions(parameters, bus, tcm) {}

    void reset();

    void maintain_data_line(CpuState& cpu, Action action, std::uint32_t address) override;
    void maintain_data_set_way(CpuState& cpu, Action action, unsigned set, unsigned way) override;
    void invalidate_instruction_line(CpuState& cpu, std::uint32_t address) override;
    void invalidate_all_instructions(CpuState& cpu) override;
    void invalidate_branch_predictor(CpuState& cpu) override;
    void enable(CpuState& cpu, bool instruction, bool data, bool force_write_through) override;
    [[nodiscard]] bool events(const CpuState& cpu, unsigned event, std::uint64_t& total) override;

  private:
    CacheParameters parameters_;

  public:
    TimedDataCache data;
    TimedInstructionCache instructions;
};

}  // namespace n6vp::models::core
