// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/core.h"

namespace n6vp::sim {

/// Where hardware would have done something else for want of cache maintenance.
class CoherenceLog {
  public:
    using Event = models::core::CoherenceEvent;
    static constexpr std::array kKinds{Event::Kind::CoreReadStale,  Event::Kind::OtherReadStale,
                                       Event::Kind::CoreWriteLost,  Event::Kind::OtherWriteLost,
                                       Event::Kind::StaleCode,      Event::Kind::UnwrittenCode,
                                       Event::Kind::UnfinishedClean};
    static constexpr std::size_t kMaxKept = 8;

    /// Semihosting is no other master for data: as a debugger does, it reaches memory through the
    /// core's data cache.
    void add(const Event& event);
    [[nodiscard]] std::uint64_t count(Event::Kind kind) const {
        return counts_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::uint64_t total() const;
    /// The first events, at most `kMaxKept`.
    [[nodiscard]] const std::vector<Event>& first() const { return first_; }

  private:
    std::array<std::uint64_t, kKinds.size()> counts_{};
    std::vector<Event> first_;
};

/// What semihosting calls itself as a master.
inline constexpr const char* kSemihostingMaster = "semihosting";

/// How reports word an event: what happened, and between whom. `first` did what was wrong with what
/// `second` had done.
struct CoherenceText {
    const char* key;   ///< "stale_code"
    const char* text;  ///< "stale code"
    std::string first, second;
};
[[nodiscard]] CoherenceText coherence_text(const models::core::CoherenceEvent& event);
[[nodiscard]] CoherenceText coherence_text(models::core::CoherenceEvent::Kind kind);

struct ExecCaches {
    models::core::TimedInstructionCache::Counters instructions;
    models::core::TimedDataCache::Counters data;
};

/// A register of the private peripheral bus that the core does not model.
struct ExecRegister {
    std::uint32_t address = 0;
    std::string name;  ///< as CMSIS has it; empty if unknown
    models::core::PrivateAccesses accesses;
};

struct ExecStatistics {
    std::optional<ExecCaches> caches;  ///< none when functional
    CoherenceLog coherence;
    std::vector<ExecRegister> unmodelled;  ///< by ascending address
};

/// Fault registers of a core.
struct FaultStatus {
    std::uint32_t cfsr = 0, hfsr = 0, bfar = 0;
};
/// Returns them as secure code reads them.
[[nodiscard]] FaultStatus read_fault_status(models::core::Core& core);

/// Name of a register of the private peripheral bus with its address, or the address alone.
[[nodiscard]] std::string register_text(std::uint32_t address);

/// Returns the registers that `core` does not model and a program accessed since its last reset.
[[nodiscard]] std::vector<ExecRegister> unmodelled_registers(models::core::Core& core);

/// Returns what `core` counted; coherence events are the log's.
[[nodiscard]] ExecStatistics collect_statistics(models::core::Core& core,
                                                const CoherenceLog& coherence);

}  // namespace n6vp::sim
