// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace n6vp::models::core {

/// How far the data cache is apart from memory.
enum class Coherence : std::uint8_t {
    /// Tags and timing only: every access sees memory. What hardware would have served from a stale
    /// line, or lost, is detected byte by byte and reported.
    Ideal,
    /// The cache holds its own data: programs that forget maintenance compute what they would on
    /// the chip.
    Real,
};

/// A place where hardware would have done something else than an ideal cache does.
struct CoherenceEvent {
    enum class Kind : std::uint8_t {
        CoreReadStale,    ///< the core read a line that another master changed in memory
        OtherReadStale,   ///< another master read what the core's cache had not written back
        CoreWriteLost,    ///< a line was invalidated with the core's own bytes not written back
        OtherWriteLost,   ///< a line went back to memory over another master's bytes
        StaleCode,        ///< code ran from a line of the instruction cache that memory has newer
        UnwrittenCode,    ///< code was fetched while the data cache had not written it back
        UnfinishedClean,  ///< another master read what was cleaned, but no barrier had followed
    };
    Kind kind = Kind::CoreReadStale;
    std::uint32_t address = 0;  ///< first byte that differs
    std::uint32_t bytes = 0;    ///< that differ
    /// Of the core's instruction, for code of the block that runs, for an unfinished clean of the
    /// clean; 0 where another master acted.
    std::uint32_t pc = 0;
    const char* other = "";  ///< the other master's name, as it gave it
};

using CoherenceHook = std::function<void(const CoherenceEvent&)>;

/// Where events go. A hook may put another in its place, or none, while it is called.
class CoherenceReport {
  public:
    void set(CoherenceHook hook) {
        hook_ = hook ? std::make_shared<const CoherenceHook>(std::move(hook)) : nullptr;
    }
    void operator()(const CoherenceEvent& event) const {
        const std::shared_ptr<const CoherenceHook> called = hook_;
        if (called != nullptr) (*called)(event);
    }

  private:
    std::shared_ptr<const CoherenceHook> hook_;
};

/// Cases that hardware would have served from a stale line with the very same bytes.
struct CoherenceCounters {
    std::uint64_t events = 0, benign = 0;
};

}  // namespace n6vp::models::core
