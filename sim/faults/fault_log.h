// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/ir/core_fault.h"
#include "models/picoseconds.h"
#include "sim/platform/platform.h"

namespace n6vp::sim::fault_report {

enum class Kind : std::uint8_t {
    MemFault,
    BusFault,
    UsageFault,
    SecureFault,
    HardFault,
    NpuBusError,   ///< memory answered the NPU with an error
    NpuDeadlock,   ///< an epoch in which nothing goes on
    NpuProgram,    ///< the epoch controller's program cannot go on
    NpuLimit,      ///< an engine stopped at its address limit
    StaleBytes,    ///< an access found bytes that another master's cache or memory has newer
    BufferInUse,   ///< an access to bytes that an engine still works on
    DeniedAccess,  ///< an access that was refused and answered with zero: the program goes on
    NoProgress,    ///< the run ended, and nothing happened any more
    Limit,         ///< a limit ended the run while the program got on
};

/// Names as documents have them.
inline constexpr std::array<std::string_view, 14> kKindNames = {
    "mem_fault",     "bus_fault",     "usage_fault", "secure_fault", "hard_fault",
    "npu_bus_error", "npu_deadlock",  "npu_program", "npu_limit",    "stale_bytes",
    "buffer_in_use", "denied_access", "no_progress", "limit"};
[[nodiscard]] constexpr std::string_view kind_name(Kind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

/// An access as the bus, or the core itself, knows it.
struct Access {
    std::uint32_t address = 0, bytes = 0;  ///< bytes: 0 if unknown
    bool write = false, fetch = false;
    std::optional<models::AccessFault::Kind> refusal;
    std::string reason;  ///< of the guard or target that refused
};

/// What was to be seen when something went wrong. Later the program has gone on.
struct FaultMoment {
    Kind kind{};
    std::string who;   ///< "core", "NPU STRENG3", "core data"
    std::string text;  ///< what happened, one line; empty: the access says all
    std::string remedy;
    bool of_core = false;  ///< `pc`, `code` and `registers` are those of what went wrong
    bool exact = false;    ///< the registers are those before the instruction, too
    std::uint32_t pc = 0;
    std::array<std::uint32_t, 16> registers{};
    std::uint32_t apsr = 0, ipsr = 0;
    bool secure = true, locked_up = false;
    models::core::CoreFault::Where where{};
    std::uint32_t status = 0;  ///< bits of CFSR or SFSR that the fault set
    std::optional<Access> access;
    std::uint32_t code_start = 0;
    std::vector<std::uint8_t> code;  ///< around `pc`; empty where nothing can be read
    std::string phase;               ///< open phases of the program, the innermost last
    std::uint32_t label = 0;         ///< of the epoch controller, 0 if none
    std::uint64_t instructions = 0;  ///< that the core had completed
    models::Picoseconds at = 0;      ///< since reset
    std::uint64_t count = 1;
};

/// Collects faults while a run goes on. Faults that a handler returns from are forgotten when the
/// next one comes. What goes wrong on the way to a handler, or in it, belongs to the fault before;
/// of everything that does not stop the program the first few are kept.
class FaultLog {
  public:
    /// More different findings are counted, but not kept.
    static constexpr std::size_t kMaxFindings = 16, kMaxNested = 4;
    /// Bytes of code kept before and behind a fault.
    static constexpr std::uint32_t kCodeBefore = 64, kCodeBehind = 32;

    /// The platform must outlive the log.
    explicit FaultLog(Platform& platform) : platform_(platform) {}
    /// Runs before the present hooks and calls them afterwards.
    void listen();
    /// Returns the phase that the program has marked; may be empty.
    std::function<std::string()> phase;
    void reset();

    /// The fault that no handler has returned from, then those that its handlers ran into.
    [[nodiscard]] const std::vector<FaultMoment>& chain() const { return chain_; }
    /// What stopped work on the NPU first.
    [[nodiscard]] const std::optional<FaultMoment>& npu() const { return npu_; }
    [[nodiscard]] const std::vector<FaultMoment>& findings() const { return findings_; }
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }
    /// Faults of the program so far, handled ones included.
    [[nodiscard]] std::uint64_t core_faults() const { return core_faults_; }

    /// Returns the core as it stands, for reports about the end of a run.
    [[nodiscard]] FaultMoment now(Kind kind) const;

  private:
    void core_fault(const models::core::CoreFault& fault);
    void access_fault(const models::AccessFault& fault);
    void buffer_in_use(const models::BufferInUse& use);
    void npu_cache(const models::NpuCacheEvent& event);
    void core_coherence(const models::core::CoherenceEvent& event);
    void npu_event(const models::npu::NpuEvent& event);
    /// Returns the core as it stands, without code and phase, which cost more.
    [[nodiscard]] FaultMoment registers(Kind kind) const;
    void complete(FaultMoment& moment) const;
    void fetch_code(FaultMoment& moment) const;
    /// Completes and adds a moment, or counts it if the same was found before.
    void find(FaultMoment moment);
    /// Returns the access that a fault of the core is about.
    [[nodiscard]] std::optional<Access> access_of(const models::core::CoreFault& fault) const;

    Platform& platform_;
    std::vector<FaultMoment> chain_, findings_;
    std::optional<FaultMoment> npu_;
    std::optional<models::AccessFault> last_core_access_, last_npu_access_;
    std::uint64_t not_kept_ = 0, core_faults_ = 0;
};

}  // namespace n6vp::sim::fault_report
