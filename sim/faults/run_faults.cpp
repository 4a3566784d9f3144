// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/run_faults.h"

#include <algorithm>
#include <utility>

#include "sim/host/errors.h"
#include "sim/platform/progress_watch.h"

namespace n6vp::sim::fault_report {

namespace {

/// Distance of `look` as Platform::advance makes it.
constexpr models::Picoseconds kLookDistance = 1'000'000'000;

}  // namespace

RunFaults::RunFaults(Platform& platform, const Setup& setup)
    : platform_(platform), log_(platform), register_names_(*setup.names) {
    names_.program = setup.program;
    for (const std::string& path : setup.symbols) {
        for (auto& [address, name] : report::read_symbols(path)) {
            model_symbols_.try_emplace(address, name);
        }
    }
}

void RunFaults::look(std::uint64_t activity) {
    models::core::Core& core = platform_.core().core();
    history_.look({core.pc(), register_state(core.state()), activity});
}

void RunFaults::reset() {
    log_.reset();
    history_.reset();
    names_.models.clear();
    reports_.clear();
}

bool RunFaults::in_fault_handler() const {
    // SHCSR: MEMFAULTACT, BUSFAULTACT, HARDFAULTACT, USGFAULTACT, SECUREFAULTACT.
    constexpr std::uint32_t kHandlerState = 0xE000ED24, kOfNonSecure = 0x20000, kActive = 0x1F;
    models::core::Core& core = platform_.core().core();
    models::core::CpuState& cpu = core.state();
    const bool secure = std::exchange(cpu.secure, true);
    std::uint32_t active = 0;
    for (const std::uint32_t address : {kHandlerState, kHandlerState + kOfNonSecure}) {
        std::uint32_t value = 0;
        if (core.system().read_ppb(cpu, address, 4, core.cycles(), value))
            active |= value & kActive;
    }
    cpu.secure = secure;
    return active != 0;
}

void RunFaults::find_models() {
    names_.models.clear();
    for (const ModelPlace& place : places_) {
        auto model = InstalledModel::find(platform_, place, model_symbols_);
        if (model != nullptr) names_.models.push_back(std::move(model));
    }
}

void RunFaults::finish(RunVerdict verdict, std::uint32_t exit_code, models::Picoseconds quiet) {
    reports_.clear();
    const bool well = verdict == RunVerdict::Exit && exit_code == 0;
    const bool judged = verdict != RunVerdict::Interrupted && verdict != RunVerdict::Unmodelled;
    const bool stuck = verdict == RunVerdict::Limit || verdict == RunVerdict::Asleep ||
                       verdict == RunVerdict::NoProgress;
    const bool by_core = !well && judged && !log_.chain().empty() &&
                         (verdict == RunVerdict::Lockup || in_fault_handler());
    const bool by_npu = !well && judged && log_.npu().has_value();
    find_models();
    if (by_core) {
        reports_.push_back(explain_chain(log_.chain(), names_));
        reports_.back().ended_run = true;
    }
    if (log_.npu()) {
        reports_.push_back(explain(*log_.npu(), names_));
        reports_.back().ended_run = by_npu;
    }
    if (stuck) {
        const Looks looks{history_, kLookDistance, quiet, verdict == RunVerdict::Limit};
        reports_.push_back(explain_no_progress(platform_, log_, names_, looks, register_names_));
    }
    for (const FaultMoment& moment : log_.findings()) reports_.push_back(explain(moment, names_));
}

bool RunFaults::ended_run() const {
    return std::any_of(reports_.begin(), reports_.end(),
                       [](const FaultReport& report) { return report.ended_run; });
}

}  // namespace n6vp::sim::fault_report
