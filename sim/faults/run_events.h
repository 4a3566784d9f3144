// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/cache/coherence_watch.h"
#include "models/fabric/bus_events.h"
#include "models/picoseconds.h"
#include "sim/exec/exec_statistics.h"
#include "sim/host/elf.h"
#include "sim/host/json_output.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// Something that happened in a run, as often as it happened.
struct RunEvent {
    /// "access_fault", "buffer_in_use", "npu_cache", "unwritten_read", or of the NPU: "npu_fault",
    /// "npu_illegal", "npu_refused", "npu_assumption", "npu_bus_error", "npu_beyond_limit",
    /// "npu_deadlock", "npu_gated_write"
    std::string kind;
    std::string cause;   ///< one line: who, what, where
    std::string remedy;  ///< one line; empty if there is none to give
    std::uint32_t pc = 0;
    std::string symbol;  ///< of pc
    std::uint64_t count = 0;
    models::Picoseconds first = 0;  ///< of the access, since reset
};

/// A use of the NPU whose results rest on what is not certain.
struct RunAssumption {
    std::string unit;               ///< the first that was used so: "ARITH0"
    std::string feature;            ///< by field name
    std::string unknown;            ///< what is not certain, and what was computed
    models::Picoseconds first = 0;  ///< since reset
};

/// Collects what goes wrong in a run. Events of one kind, from one place in the program, with one
/// target count as one.
class RunEvents {
  public:
    /// More different ones are counted, but not kept.
    static constexpr std::size_t kMaxKept = 100;

    /// `symbols` may be null. Both must outlive the collection.
    RunEvents(Platform& platform, const ElfFile* symbols);
    /// Sets the hooks of the platform that are about such events.
    void listen();

    [[nodiscard]] const std::vector<RunEvent>& events() const { return events_; }
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }
    [[nodiscard]] const CoherenceLog& core_coherence() const { return core_coherence_; }
    /// How often an access found missing maintenance of the NPU cache.
    [[nodiscard]] std::uint64_t npu_cache_events() const { return npu_cache_events_; }
    /// What stopped work on the NPU first: "" if nothing did.
    [[nodiscard]] const std::string& npu_fault() const { return npu_fault_; }
    /// What results of the NPU rest on; each feature once. Assumptions about time are not there.
    [[nodiscard]] const std::vector<RunAssumption>& assumptions() const { return assumptions_; }
    /// The NPU was asked for something that is not described. Called when it is, with its name.
    std::function<void(const std::string&)> on_npu_refusal;
    /// Called with each of `assumptions` when it comes.
    std::function<void(const RunAssumption&)> on_npu_assumption;
    /// "main+0x12", or "".
    [[nodiscard]] std::string symbol(std::uint32_t pc) const;
    void reset();

  private:
    struct Key {
        std::string kind;
        std::uint32_t pc = 0;
        std::uint64_t what = 0;
        bool operator==(const Key&) const = default;
    };
    /// `at`: absolute time.
    void add(const Key& key, const std::string& cause, const std::string& remedy,
             models::Picoseconds at);
    [[nodiscard]] std::uint32_t pc_of(std::uint8_t initiator) const;
    /// Returns the absolute time that an initiator has reached.
    [[nodiscard]] models::Picoseconds time_of(std::uint8_t initiator) const;

    void access_fault(const models::AccessFault& fault);
    void buffer_in_use(const models::BufferInUse& use);
    void npu_cache(const models::NpuCacheEvent& event);
    void npu(const models::npu::NpuEvent& event);
    void unwritten(unsigned target, std::uint32_t offset, models::Picoseconds at);

    Platform& platform_;
    const ElfFile* symbols_;
    std::vector<RunEvent> events_;
    std::vector<Key> keys_;  ///< of `events_`
    std::vector<RunAssumption> assumptions_;
    std::uint64_t not_kept_ = 0, npu_cache_events_ = 0;
    CoherenceLog core_coherence_;
    std::string npu_fault_;
};

/// Returns the region nearest to an address in words: "nearest memory: VENCRAM at 0x34400000".
[[nodiscard]] std::string nearest_memory(std::uint32_t address);

/// Writes nothing if there are no assumptions.
void write_assumptions(std::ostream& out, const RunEvents& events);
[[nodiscard]] Json assumptions_json(const RunEvents& events);
void write_events(std::ostream& out, const RunEvents& events);
[[nodiscard]] Json events_json(const RunEvents& events);

}  // namespace n6vp::sim
