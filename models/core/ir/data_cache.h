// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "models/core/ir/state.h"

namespace n6vp::models::core {

struct MicroOp;
struct Permission;

/// One access as the cache sees it.
struct CacheAccess {
    std::uint32_t address = 0;
    unsigned bytes = 4;  ///< within one line
    bool write = false;
    const MicroOp* op = nullptr;  ///< of the instruction, where known
};

/// The core's data cache as loads and stores see it.
///
/// A small direct-mapped filter holds lines that are known to be in the cache with the right state,
/// so that the common hit costs one comparison; a miss of the filter calls `miss_filter`, which
/// checks the tags and charges the time. A change of the tags must clear the filter.
class DataCache {
  public:
    static constexpr std::uint32_t kLineBytes = 32;

    DataCache() { clear_filter(); }
    DataCache(const DataCache&) = delete;
    DataCache& operator=(const DataCache&) = delete;
    virtual ~DataCache() = default;

    /// A load or store of `bytes` (at most a line) is about to happen. Returns true if the bus may
    /// have been asked: what the caller knew of direct memory may have changed.
    bool touch_read(CpuState& cpu, std::uint32_t address, unsigned bytes, const MicroOp* op) {
        const std::uint32_t line = address / kLineBytes;
        if (readable_[line % kFilterLines] == line) [[likely]]
            return false;
        miss_filter(cpu, {address, bytes, false, op});
        return true;
    }
    bool touch_write(CpuState& cpu, std::uint32_t address, unsigned bytes, const MicroOp* op) {
        const std::uint32_t line = address / kLineBytes;
        if (writable_[line % kFilterLines] == line) [[likely]]
            return false;
        miss_filter(cpu, {address, bytes, true, op});
        return true;
    }
    /// The same for what may lie in several lines.
    bool touch_range(CpuState& cpu, std::uint32_t address, unsigned bytes, bool write,
                     const MicroOp* op) {
        bool asked = false;
        while (bytes != 0) {
            const unsigned room = kLineBytes - address % kLineBytes;
            const unsigned piece = bytes < room ? bytes : room;
            if (write) {
                asked |= touch_write(cpu, address, piece, op);
            } else {
                asked |= touch_read(cpu, address, piece, op);
            }
            address += piece;
            bytes -= piece;
        }
        return asked;
    }

    /// Returns a number that grows whenever more changes than the counts of `PassedReads` and the
    /// filter's knowledge of lines that cost nothing.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }
    /// Reads that went past this cache.
    struct PassedReads {
        std::uint64_t count = 0, wait_cycles = 0;
    };
    [[nodiscard]] virtual PassedReads passed_reads() const { return {}; }
    /// Counts reads that would have gone past it, had they been executed.
    virtual void count_passed_reads(const PassedReads& /*more*/) {}

    /// Returns true if accesses to `address` never reach this cache.
    [[nodiscard]] virtual bool bypassed(std::uint32_t address) const = 0;
    /// Returns true if cached data are in the cache, not in memory: accesses then go through
    /// `read` and `write`.
    [[nodiscard]] bool holds_data() const { return holds_data_; }
    /// Moves data of an access within one line through the cache. `permission` is that of the
    /// access. Return false if the line must not be cached: the caller goes to memory.
    virtual bool read(CpuState& cpu, const CacheAccess& access, const Permission& permission,
                      std::uint8_t* to) = 0;
    virtual bool write(CpuState& cpu, const CacheAccess& access, const Permission& permission,
                       const std::uint8_t* from) = 0;

    // Maintenance that cleans lines is complete at the next DSB.

    /// DSB: what the core cleaned before is in memory, and time goes on to the end of the stores
    /// past this cache.
    void barrier(CpuState& cpu, const MicroOp& op) {
        if (cleans_open_) [[unlikely]]
            complete_all();
        wait_for_stores(cpu, op);
    }
    /// The core is about to reach [address, address + bytes) past this cache: its own cleans of
    /// these lines come first.
    void pass_cleans(std::uint32_t address, unsigned bytes) {
        if (cleans_open_) [[unlikely]]
            complete_lines(address, bytes);
    }
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    /// Returns the cycle at which the oldest clean is complete without a barrier.
    [[nodiscard]] std::uint64_t clean_due() const { return clean_due_; }
    /// Between blocks: completes the cleans that are due up to the cycle.
    virtual void complete_due(std::uint64_t cycle) = 0;

    void clear_filter() {
        readable_.fill(kNoLine);
        writable_.fill(kNoLine);
    }

  protected:
    /// Looks the line up, fills it if it misses, charges `cpu.budget`, and enters the line into the
    /// filter where a repetition would cost nothing.
    virtual void miss_filter(CpuState& cpu, const CacheAccess& access) = 0;

    virtual void complete_all() = 0;
    virtual void complete_lines(std::uint32_t address, unsigned bytes) = 0;
    virtual void wait_for_stores(CpuState& cpu, const MicroOp& op) = 0;

    void admit(std::uint32_t address, bool write) {
        const std::uint32_t line = address / kLineBytes;
        readable_[line % kFilterLines] = line;
        if (write) writable_[line % kFilterLines] = line;
    }
    void expel(std::uint32_t address) {
        const std::uint32_t line = address / kLineBytes;
        if (readable_[line % kFilterLines] == line) readable_[line % kFilterLines] = kNoLine;
        if (writable_[line % kFilterLines] == line) writable_[line % kFilterLines] = kNoLine;
    }

    std::uint64_t changes_ = 0;
    bool holds_data_ = false;
    bool cleans_open_ = false;
    std::uint64_t clean_due_ = kNever;

  private:
    static constexpr std::uint32_t kFilterLines = 256;
    static constexpr std::uint32_t kNoLine = 0xFFFFFFFF;
    std::array<std::uint32_t, kFilterLines> readable_{}, writable_{};
};

}  // namespace n6vp::models::core
