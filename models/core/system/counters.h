// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/ir/profile.h"
#include "models/core/system/system_memory.h"

namespace n6vp::models::core {

/// DWT and PMU. Modelled: the cycle counter that both share (it wraps at 32 bits), the exception
/// overhead counter of DWT, and 8 event counters of 16 bits with CHAIN, overflow flags and software
/// increment. Not modelled: comparators (their registers keep what is written), the other DWT
/// profile counters (read zero), trace packets, PC sampling, the
/// interrupt of a PMU overflow.
///
/// The lock of some cores is that of CoreSight: one value opens it, every other closes it.
///
/// Nothing here counts unless DEMCR.TRCENA is set. Counts are computed when they are read.
class Counters {
  public:
    static constexpr unsigned kEventCounters = 8;
    static constexpr std::uint32_t kDwtStart = 0xE0001000, kPmuStart = 0xE0003000;

    explicit Counters(const CoreProfile& core) : core_(&core) {}
    void reset();
    void attach(EventSource* source) { source_ = source; }
    void set_trace_enabled(const CpuState& cpu, bool on, std::uint64_t now);

    /// The core's clock stops, or starts again: cycles in between do not count.
    void stop_clock(const CpuState& cpu, std::uint64_t now) { advance(cpu, now); }
    void start_clock(const CpuState& cpu, std::uint64_t now);

    /// `offset` is from the start of the block.
    [[nodiscard]] std::uint32_t read_dwt(const CpuState& cpu, std::uint32_t offset,
                                         std::uint64_t now);
    void write_dwt(const CpuState& cpu, std::uint32_t offset, std::uint32_t value,
                   std::uint64_t now);
    [[nodiscard]] std::uint32_t read_pmu(const CpuState& cpu, std::uint32_t offset,
                                         std::uint64_t now);
    void write_pmu(const CpuState& cpu, std::uint32_t offset, std::uint32_t value,
                   std::uint64_t now);

    void count_exception(std::uint64_t overhead_cycles);
    void count_return(std::uint64_t overhead_cycles);

  private:
    /// Brings all counters to `now`.
    void advance(const CpuState& cpu, std::uint64_t now);
    [[nodiscard]] bool cycles_run() const;
    [[nodiscard]] bool events_run() const;
    [[nodiscard]] std::uint64_t total(const CpuState& cpu, unsigned event, std::uint64_t now) const;
    /// Adds to event counter `index`, with what follows from an overflow.
    void add(unsigned index, std::uint64_t events);
    void write_control(std::uint32_t value);

    /// Returns false while a lock keeps the program from DWT.
    [[nodiscard]] bool write_lock(std::uint32_t offset, std::uint32_t value);

    EventSource* source_ = nullptr;
    const CoreProfile* core_;
    bool locked_ = false;
    bool trace_enabled_ = false;
    std::uint32_t dwt_control_ = 0;
    std::uint64_t cycles_ = 0, seen_at_ = 0;  ///< counter, and cycle it was brought to
    std::uint64_t exception_cycles_ = 0;
    std::array<std::uint32_t, 32> comparators_{};  ///< registers 0x20 to 0x9C
    std::uint32_t pmu_control_ = 0, enabled_ = 0, interrupt_ = 0, overflow_ = 0, filter_ = 0;
    std::array<std::uint32_t, kEventCounters> types_{}, values_{};
    std::array<std::uint64_t, kEventCounters> totals_{};  ///< of the event, when last looked at
    std::uint64_t exceptions_ = 0, returns_ = 0;
};

}  // namespace n6vp::models::core
