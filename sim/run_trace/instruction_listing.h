// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/exec_trace.h"
#include "sim/host/elf.h"
#include "sim/platform/platform.h"
#include "traces/trace_log.h"

namespace n6vp::sim::trace {

/// Writes every instruction of the core as it starts, with a line in between where it goes to
/// another place: time, and the symbol if there is one. Takes the core's hook for itself.
class InstructionListing {
  public:
    /// All must outlive it. `symbols` may be null; no windows: all of the time.
    InstructionListing(Platform& platform, const ElfFile* symbols, std::ostream& out,
                       std::vector<traces::TraceWindow> windows, std::uint64_t limit);

    /// Says how much is missing, if anything. Returns that.
    std::uint64_t finish();

  private:
    void executes(std::uint32_t pc, std::uint32_t encoding);
    [[nodiscard]] bool wanted(traces::TraceTime at) const;

    Platform& platform_;
    const ElfFile* symbols_;
    std::ostream& out_;
    std::vector<traces::TraceWindow> windows_;
    std::uint64_t limit_, used_ = 0, missing_ = 0;
    std::ostringstream line_;
    InstructionTrace trace_;
    std::uint32_t next_ = 1;  ///< odd: none
};

}  // namespace n6vp::sim::trace
