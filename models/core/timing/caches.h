// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/core/bus.h"
#include "models/core/cache_tags.h"
#include "models/core/engine/data_cache.h"
#include "models/core/engine/instruction_cache.h"
#include "models/core/micro_op.h"
#include "models/core/system/system.h"
#include "models/core/system/system_memory.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/coherence.h"

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
/// past the cache. Data are in memory at once, with detection of what that hides, or really in the
/// cache: see Coherence.
///
/// Not modelled: prefetch, merging of stores past the cache, ECC; the time between a maintenance
/// operation and the barrier that completes it (operations take effect at once, so that a missing
/// DSB is neither seen nor harmful); another master that writes a line between the copy and the
/// write of an ideal write-back.
class TimedDataCache final : public DataCache {
  public:
    struct Counters {
        std::uint64_t lookups = 0;  ///< past the filter: not a number of accesses
        std::uint64_t fills = 0, write_backs = 0, uncached_reads = 0, uncached_writes = 0;
        std::uint64_t wait_cycles = 0;
    };

    TimedDataCache(const CacheParameters& parameters, CoreBus& bus, std::vector<TcmRange> tcm,
                   Coherence coherence);

    void reset();
    void set_enabled(bool enabled, bool force_write_through);

    [[nodiscard]] bool bypassed(std::uint32_t address) const override;
    bool read(CpuState& cpu, const CacheAccess& access, const Permission& permission,
              std::uint8_t* to) override;
    bool write(CpuState& cpu, const CacheAccess& access, const Permission& permission,
               const std::uint8_t* from) override;

    /// Another master is about to write or has just read [start, end] in memory. Must come before
    /// the write: what the core's lines hold is what memory holds until then.
    void other_writes(std::uint32_t start, std::uint32_t end, const char* other);
    void other_reads(std::uint32_t start, std::uint32_t end, const char* other);
    /// Returns true if the line of `address` is dirty with bytes that memory does not have yet.
    [[nodiscard]] bool hides(std::uint32_t address, std::uint32_t& first, std::uint32_t& count);
    /// Real: puts what the cache holds of [start, start + bytes.size()) over `bytes`, which are
    /// memory's. No time passes, nothing else changes.
    void look(std::uint32_t start, std::span<std::uint8_t> bytes);
    /// Real: what the cache holds of the range becomes `bytes`, as memory has become.
    void replace(std::uint32_t start, std::span<const std::uint8_t> bytes);
    void set_hook(CoherenceHook hook) { hook_ = std::move(hook); }
    [[nodiscard]] const CoherenceCounters& coherence() const { return found_; }

    void maintain_line(CpuState& cpu, CacheMaintenance::Action action, std::uint32_t address);
    void maintain_set_way(CpuState& cpu, CacheMaintenance::Action action, unsigned set,
                          unsigned way);
    [[nodiscard]] const Counters& counters() const { return counters_; }

  protected:
    void miss_filter(CpuState& cpu, const CacheAccess& access) override;

  private:
    using Bytes = std::array<std::uint8_t, kLineBytes>;
    /// What tags do not say about a line.
    struct Content {
        Bytes held{};    ///< Real: the line. Ideal: what the core would see where `differs` is set
        Bytes memory{};  ///< Ideal: what memory would hold without the stores since it became dirty
        std::uint32_t differs = 0;  ///< Ideal: bytes that another master may have changed
        const char* other = "";
    };

    [[nodiscard]] Content& content(const CacheTags::Line& line) {
        contents_used_ = true;
        return contents_[tags_.slot(line)];
    }
    /// Calls `action(held, position)` for the bytes from `start` on that the cache holds.
    template <class Action>
    void for_held(std::uint32_t start, std::size_t count, Action&& action);
    /// Copies what memory holds now. Returns false if it has no direct memory.
    bool copy_memory(std::uint32_t line, Bytes& to);
    void make_dirty(CacheTags::Line& line);
    /// Ideal: reports what the access would have met on hardware.
    void notice_access(CacheTags::Line& line, const CacheAccess& access);
    void notice_write_back(CacheTags::Line& line);
    void notice_loss(CacheTags::Line& line);
    /// Compares `bytes` of two lines; reports the first difference as `event`, or counts a benign
    /// case.
    void compare(const Bytes& one, const Bytes& two, std::uint32_t bytes, CoherenceEvent event);
    CacheTags::Line& line_for(CpuState& cpu, const CacheAccess& access,
                              const Permission& permission);
    /// Cycle of the access: the budget knows that of the block's start only.
    [[nodiscard]] std::uint64_t now(const CpuState& cpu) const;
    void note_position(const CacheAccess& access);
    void wait_until(CpuState& cpu, std::uint64_t when);
    void pass_by(CpuState& cpu, const CacheAccess& access, const Permission& permission);
    [[nodiscard]] bool cached(std::uint32_t address, const Permission& permission) const {
        return enabled_ && permission.cacheable && !bypassed(address);
    }
    void fill(CpuState& cpu, std::uint32_t address, const Permission& permission, LineFill& record);
    void write_back(CpuState& cpu, const CacheTags::Line& line, bool secure);
    [[nodiscard]] std::uint64_t available(std::uint32_t address) const;

    CacheParameters parameters_;
    CoreBus& bus_;
    std::vector<TcmRange> tcm_;
    CacheTags tags_;
    bool enabled_ = false, write_through_ = false;
    LineFill load_fill_, store_fill_;
    std::uint64_t fill_free_ = 0;
    std::uint64_t ahead_ = 0;  ///< of the access within its block
    std::vector<std::uint64_t> write_back_free_, store_free_;
    Counters counters_;
    std::vector<Content> contents_;  ///< by slot of the tags
    bool contents_used_ = false;     ///< since reset
    CoherenceHook hook_;
    CoherenceCounters found_;
};

/// Tags and timing of the instruction cache. A block of code touches its lines before it runs.
///
/// Not modelled: contents. Stale code is reported, in `real` as well, but the new code runs.
class TimedInstructionCache final : public InstructionCache {
  public:
    struct Counters {
        std::uint64_t fills = 0, uncached = 0, wait_cycles = 0;
    };

    TimedInstructionCache(const CacheParameters& parameters, CoreBus& bus,
                          std::vector<TcmRange> tcm, TimedDataCache& data);

    /// By the core or another master: lines that hold the old code are remembered as stale.
    void memory_changes(std::uint32_t start, std::uint32_t end) override;
    void set_hook(CoherenceHook hook) { hook_ = std::move(hook); }

    void reset();
    void set_enabled(bool enabled);
    void invalidate_line(CpuState& cpu, std::uint32_t address);
    void invalidate_all();
    [[nodiscard]] const Counters& counters() const { return counters_; }

  protected:
    void miss_filter(CpuState& cpu, std::uint32_t address) override;

  private:
    using Bytes = std::array<std::uint8_t, kLineBytes>;

    /// Reports a line that is used although memory has changed since it was fetched.
    void notice_stale(const CacheTags::Line& line);

    CacheParameters parameters_;
    CoreBus& bus_;
    std::vector<TcmRange> tcm_;
    TimedDataCache& data_;
    CacheTags tags_;
    bool enabled_ = false;
    Counters counters_;
    std::map<std::uint32_t, Bytes> stale_;  ///< by line address: its bytes when it was fetched
    CoherenceHook hook_;
};

/// Both caches as the system registers command them and as the PMU counts them.
class CoreCaches final : public CacheMaintenance, public EventSource {
  public:
    CoreCaches(const CacheParameters& parameters, CoreBus& bus, const std::vector<TcmRange>& tcm,
               Coherence coherence)
        : parameters_(parameters),
          data(parameters, bus, tcm, coherence),
          instructions(parameters, bus, tcm, data) {}

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
