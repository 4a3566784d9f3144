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
#include "models/core/ir/data_cache.h"
#include "models/core/ir/micro_op.h"
#include "models/core/ir/system.h"
#include "models/core/system/system_memory.h"
#include "models/core/timing/cache_access.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/cache_tags.h"
#include "models/core/timing/coherence.h"

namespace n6vp::models::core {

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
/// A clean by maintenance is complete at the next DSB (exceptions are no barrier). Ideal: until
/// then another master that reads its bytes is reported, and so is one whose write it may have
/// undone. Real: until then the line waits in a write-back buffer, for `clean_delay` at most, as
/// long as no other line needs the buffer, the core does not reach for the line past the cache, and
/// it does not sleep. A reset forgets what waits.
///
/// Not modelled: prefetch, merging of stores past the cache, ECC; the time that a DSB waits for
/// write-backs of lines; invalidation that is not complete before its barrier.
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

    [[nodiscard]] PassedReads passed_reads() const override {
        return {counters_.uncached_reads, counters_.wait_cycles};
    }
    void count_passed_reads(const PassedReads& more) override;
    [[nodiscard]] bool bypassed(std::uint32_t address) const override;
    bool read(CpuState& cpu, const CacheAccess& access, const Permission& permission,
              std::uint8_t* to) override;
    bool write(CpuState& cpu, const CacheAccess& access, const Permission& permission,
               const std::uint8_t* from) override;

    /// Another master is about to write or read [start, end] in memory: what the core's lines hold
    /// is what memory holds until then.
    void other_writes(std::uint32_t start, std::uint32_t end, const char* other);
    void other_reads(std::uint32_t start, std::uint32_t end, const char* other);
    /// Returns true if the line of `address` has bytes that memory does not have yet.
    [[nodiscard]] bool hides(std::uint32_t address, std::uint32_t& first, std::uint32_t& count);
    /// Real: puts what the cache holds of [start, start + bytes.size()) over `bytes`, which are
    /// memory's. No time passes, nothing else changes.
    void look(std::uint32_t start, std::span<std::uint8_t> bytes);
    /// Real: what the cache holds of the range becomes `bytes`, as memory has become.
    void replace(std::uint32_t start, std::span<const std::uint8_t> bytes);
    void set_hook(CoherenceHook hook) { report_.set(std::move(hook)); }
    [[nodiscard]] const CoherenceCounters& coherence() const { return found_; }

    void maintain_line(CpuState& cpu, CacheMaintenance::Action action, std::uint32_t address);
    void maintain_set_way(CpuState& cpu, CacheMaintenance::Action action, unsigned set,
                          unsigned way);
    void complete_due(std::uint64_t cycle) override;
    [[nodiscard]] const Counters& counters() const { return counters_; }

    /// Real: called before a write-back changes [start, end] in memory. May be empty.
    std::function<void(std::uint32_t start, std::uint32_t end)> about_to_write_back;

  protected:
    void miss_filter(CpuState& cpu, const CacheAccess& access) override;
    void complete_all() override;
    void wait_for_stores(CpuState& cpu, const MicroOp& op) override;
    void complete_lines(std::uint32_t address, unsigned bytes) override;

  private:
    using Bytes = std::array<std::uint8_t, kLineBytes>;
    /// What tags do not say about a line.
    struct Content {
        Bytes held{};    ///< Real: the line. Ideal: what the core would see where `differs` is set
        Bytes memory{};  ///< Ideal: what memory would hold without the stores since it became dirty
        std::uint32_t differs = 0;  ///< Ideal: bytes that another master may have changed
        const char* other = "";
    };
    /// A line that maintenance cleaned, and no barrier since.
    struct OpenClean {
        std::uint64_t order = 0;  ///< of the cleans
        /// Real: `held` is on its way. Ideal: `memory` is what memory would hold; `held` where
        /// `differs` is set: what the write-back may put over another master's later write.
        Content content;
        std::uint32_t awaited = 0;  ///< Ideal: bytes of the core's that memory may not have yet
        std::uint32_t pc = 0;       ///< of the clean
        // Real: the transaction to come.
        BusAttributes with;
        std::uint64_t start = 0, due = 0;
        std::size_t buffer = 0;  ///< of `write_back_free_`
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
    /// case. Returns the bytes that differ.
    std::uint32_t compare(const Bytes& one, const Bytes& two, std::uint32_t bytes,
                          CoherenceEvent event);
    /// Remembers what `written` bytes of a line in memory are before `other` writes them.
    static void keep_before_write(Content& content, const Bytes& memory, std::uint32_t written,
                                  const char* other);
    [[nodiscard]] OpenClean* open_clean(std::uint32_t line);
    /// Ideal: the line's write-back takes place, complete at the next barrier.
    void open_ideal(CpuState& cpu, const CacheTags::Line& line);
    /// Real: the line waits in a write-back buffer.
    void open_real(CpuState& cpu, const CacheTags::Line& line);
    using Open = std::map<std::uint32_t, OpenClean>::iterator;
    [[nodiscard]] Open oldest_clean();
    void complete(Open clean);
    void note_open_cleans();
    /// Real: completes the oldest clean if cleans have all write-back buffers.
    void free_buffer();
    CacheTags::Line& line_for(CpuState& cpu, const CacheAccess& access,
                              const Permission& permission);
    [[nodiscard]] static Permission permission_of(CpuState& cpu, std::uint32_t address);
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
    std::vector<Content> contents_;            ///< by slot of the tags
    bool contents_used_ = false;               ///< since reset
    std::map<std::uint32_t, OpenClean> open_;  ///< by line
    std::uint64_t cleans_ = 0;
    CoherenceReport report_;
    CoherenceCounters found_;
};

}  // namespace n6vp::models::core
