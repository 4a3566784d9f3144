// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/cache/cache_lines.h"

namespace n6vp::models {

/// A place where the NPU cache's hardware would have done something else than an ideal cache does.
struct NpuCacheEvent {
    enum class Kind : std::uint8_t {
        NpuReadStale,    ///< `actor` read through the cache what `writer` had changed behind it
        OtherReadStale,  ///< `actor` read memory that lacks what `writer` wrote into the cache
        NpuWriteLost,    ///< an invalidation dropped what `writer` wrote into the cache
        OtherWriteLost,  ///< a write-back on behalf of `actor` went over `writer`'s bytes
    };
    /// As actor: the cache's own registers. As writer: bytes that have not come by the bus, still
    /// in the writer's own cache or put there by a debugger.
    static constexpr std::uint8_t kNobody = 0xFF;

    Kind kind = Kind::NpuReadStale;
    std::uint32_t address = 0;  ///< first byte that differs
    std::uint32_t bytes = 0;    ///< that differ, of one line
    std::uint8_t writer = 0;    ///< bus port whose bytes are missed or lost
    std::uint8_t actor = 0;     ///< bus port
};

/// Detection of stale and lost bytes for an ideal cache, where memory always has the newest bytes
/// and `CacheLine` remembers what hardware would have. Differences are reported once until the
/// bytes are written again; accesses that hardware would have answered with the same bytes, and
/// those to other bytes of a touched line, are benign.
class CoherenceWatch {
  public:
    struct Counters {
        std::uint64_t events = 0, benign = 0;
    };
    std::function<void(const NpuCacheEvent&)> on_event;

    [[nodiscard]] const Counters& counters() const { return counters_; }
    void reset() { counters_ = {}; }

    // `memory`: the bytes of the line as memory has them.
    /// Others write these bytes to memory.
    static void others_write(CacheLine& line, ByteMask bytes, std::uint8_t writer);
    /// Others read these bytes of memory.
    void others_read(CacheLine& line, ByteMask bytes, const LineBytes& memory, std::uint8_t actor);
    /// The NPU reads these bytes from the line.
    void npu_read(CacheLine& line, ByteMask bytes, const LineBytes& memory, std::uint8_t actor);
    /// The NPU writes these bytes into the line; `memory` before the write, which reaches memory
    /// too if `through`.
    static void npu_write(CacheLine& line, ByteMask bytes, const LineBytes& memory, bool through);
    /// The line goes back to memory as a whole.
    void write_back(CacheLine& line, const LineBytes& memory, std::uint8_t actor);
    /// The line is dropped without being written back.
    void drop(const CacheLine& line, const LineBytes& memory);

  private:
    /// Counts and reports `wrong`, or counts a benign case if `touched` without being wrong.
    void judge(NpuCacheEvent event, const CacheLine& line, ByteMask wrong, bool touched);

    Counters counters_;
};

}  // namespace n6vp::models
