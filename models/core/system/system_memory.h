// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/system.h"

namespace n6vp::models::core {

/// What the system registers ask of the engine's memory system. Implemented by the engine.
///
/// Addresses are word-aligned, outside the private peripheral bus and already checked against MPU
/// and SAU: `permission` is the result. Time that an access takes is charged to `cpu.budget`.
class SystemMemory {
  public:
    SystemMemory() = default;
    SystemMemory(const SystemMemory&) = delete;
    SystemMemory& operator=(const SystemMemory&) = delete;
    virtual ~SystemMemory() = default;

    /// Stacking, unstacking and vector fetch. Return false for a bus error.
    [[nodiscard]] virtual bool read32(CpuState& cpu, std::uint32_t address,
                                      const Permission& permission, bool privileged,
                                      std::uint32_t& value) = 0;
    [[nodiscard]] virtual bool write32(CpuState& cpu, std::uint32_t address,
                                       const Permission& permission, bool privileged,
                                       std::uint32_t value) = 0;
    /// `System::context` may have changed: the page tables in `cpu` must be those of the new one.
    virtual void context_changed(CpuState& cpu) = 0;
    /// MPU or SAU changed: what was known about pages, for data and for code, is void.
    virtual void protection_changed(CpuState& cpu) = 0;
    /// ICIALLU (`all`) or ICIMVAU was written: code there is fetched anew.
    virtual void instructions_invalidated(CpuState& cpu, std::uint32_t address, bool all) = 0;
};

/// Cache maintenance by register writes. Implemented by the cache models.
class CacheMaintenance {
  public:
    enum class Action : std::uint8_t { Clean, Invalidate, CleanAndInvalidate };

    CacheMaintenance() = default;
    CacheMaintenance(const CacheMaintenance&) = delete;
    CacheMaintenance& operator=(const CacheMaintenance&) = delete;
    virtual ~CacheMaintenance() = default;

    /// The line that holds `address`.
    virtual void maintain_data_line(CpuState& cpu, Action action, std::uint32_t address) = 0;
    virtual void maintain_data_set_way(CpuState& cpu, Action action, unsigned set,
                                       unsigned way) = 0;
    virtual void invalidate_instruction_line(CpuState& cpu, std::uint32_t address) = 0;
    virtual void invalidate_all_instructions(CpuState& cpu) = 0;
    virtual void invalidate_branch_predictor(CpuState& cpu) = 0;
    /// CCR.IC and CCR.DC of the current state, and MSCR.FORCEWT, in Armv7-M CACR.FORCEWT.
    virtual void enable(CpuState& cpu, bool instructions, bool data, bool force_write_through) = 0;
};

/// Running totals behind the event counters of the PMU, by architectural event number.
class EventSource {
  public:
    EventSource() = default;
    EventSource(const EventSource&) = delete;
    EventSource& operator=(const EventSource&) = delete;
    virtual ~EventSource() = default;

    /// Sets `total` to the number of events since reset. Returns false if the event is not counted;
    /// the PMU then shows zero. CPU_CYCLES, INST_RETIRED, EXC_TAKEN, EXC_RETURN, SW_INCR and CHAIN
    /// need no source.
    [[nodiscard]] virtual bool events(const CpuState& cpu, unsigned event,
                                      std::uint64_t& total) = 0;
};

}  // namespace n6vp::models::core
