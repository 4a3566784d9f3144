// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/faults/fault_report.h"
#include "sim/faults/no_progress.h"
#include "sim/faults/run_verdict.h"
#include "sim/host/elf.h"

namespace n6vp::sim::fault_report {

/// What a run needs to know to report its faults.
struct Setup {
    const ElfFile* program = nullptr;      ///< with symbols; may be null
    std::vector<std::string> symbols;      ///< further ELF files: of models
    const RegisterNames* names = nullptr;  ///< of peripherals; must not be null
};

/// Watches a run and explains at its end what went wrong.
class RunFaults {
  public:
    /// Reads the ELF files: fails with UserError. The platform and what `setup` points to must
    /// outlive the object.
    RunFaults(Platform& platform, const Setup& setup);

    /// Call after all other code that sets hooks.
    void listen() { log_.listen(); }
    [[nodiscard]] FaultLog& log() { return log_; }
    [[nodiscard]] const FaultLog& log() const { return log_; }
    void add_model(const ModelPlace& place) { places_.push_back(place); }
    void set_models(std::vector<ModelPlace> places) { places_ = std::move(places); }
    /// To be called at equal distances of simulated time. `activity` differs from the last call's
    /// if something happened that the program caused (`bus_activity` and the like).
    void look(std::uint64_t activity);
    void reset();
    /// Models in memory, as far as they were added.
    [[nodiscard]] const std::vector<ModelPlace>& places() const { return places_; }

    /// Explains everything, at the end of a run that came to `verdict` (with `exit_code`, if by
    /// exit) after nothing had happened for `quiet`, if that is known. The report about what ended
    /// the run comes first.
    void finish(RunVerdict verdict, std::uint32_t exit_code, models::Picoseconds quiet = 0);
    [[nodiscard]] const std::vector<FaultReport>& reports() const { return reports_; }
    /// A fault, of the program or the NPU, has ended the run or kept it from going on.
    [[nodiscard]] bool ended_run() const;
    /// Bytes were stale, a buffer in use or an access denied, whatever the program made of that.
    [[nodiscard]] bool found_some() const { return !log_.findings().empty(); }
    [[nodiscard]] const Names& names() const { return names_; }

  private:
    [[nodiscard]] bool in_fault_handler() const;
    void find_models();

    Platform& platform_;
    FaultLog log_;
    PcHistory history_;
    const RegisterNames& register_names_;
    std::vector<ModelPlace> places_;
    report::SymbolTable model_symbols_;
    Names names_;
    std::vector<FaultReport> reports_;
};

}  // namespace n6vp::sim::fault_report
