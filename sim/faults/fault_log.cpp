// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/faults/coherence_report.h"

namespace n6vp::sim::fault_report {

namespace {

using models::core::CoreFault;
using models::core::Exception;
using NpuKind = models::npu::NpuEvent::Kind;

constexpr std::uint32_t kFirstHandler = 3, kLastFaultHandler = 7;
/// The bus saw the whole line of code that the core fetched.
constexpr std::uint32_t kLine = 64;

[[nodiscard]] Kind kind_of(const CoreFault& fault) {
    switch (fault.fault.exception) {
        case Exception::MemManage:
            return Kind::MemFault;
        case Exception::BusFault:
            return Kind::BusFault;
        case Exception::UsageFault:
            return Kind::UsageFault;
        case Exception::SecureFault:
            return Kind::SecureFault;
        default:
            return Kind::HardFault;
    }
}

[[nodiscard]] bool is_core(std::uint8_t initiator) {
    return initiator <= number(Initiator::CoreTcm);
}

[[nodiscard]] Access access_of(const models::AccessFault& fault) {
    return {static_cast<std::uint32_t>(fault.address),      fault.bytes, fault.write,
            fault.initiator == number(Initiator::CoreCode), fault.kind,  fault.reason};
}

[[nodiscard]] std::optional<Kind> kind_of(NpuKind kind) {
    switch (kind) {
        case NpuKind::EpochFault:
            return Kind::NpuProgram;
        case NpuKind::BusError:
            return Kind::NpuBusError;
        case NpuKind::BeyondLimit:
            return Kind::NpuLimit;
        case NpuKind::Deadlock:
            return Kind::NpuDeadlock;
        default:
            return std::nullopt;
    }
}

}  // namespace

void FaultLog::listen() {
    models::ChipEvents& events = platform_.events();
    events.core_fault.listen(kFaultPlace, [this](const auto& what) { core_fault(what); });
    events.access_fault.listen(kFaultPlace, [this](const auto& what) { access_fault(what); });
    events.buffer_in_use.listen(kFaultPlace, [this](const auto& what) { buffer_in_use(what); });
    events.npu_cache_coherence.listen(kFaultPlace, [this](const auto& what) { npu_cache(what); });
    events.core_coherence.listen(kFaultPlace, [this](const auto& what) { core_coherence(what); });
    platform_.npu().on_event.listen(kFaultPlace, [this](const auto& what) { npu_event(what); });
}

void FaultLog::reset() {
    chain_.clear();
    findings_.clear();
    npu_.reset();
    last_core_access_.reset();
    last_npu_access_.reset();
    not_kept_ = core_faults_ = 0;
}

FaultMoment FaultLog::now(Kind kind) const {
    FaultMoment moment = registers(kind);
    complete(moment);
    return moment;
}

FaultMoment FaultLog::registers(Kind kind) const {
    models::core::Core& core = platform_.core().core();
    FaultMoment moment;
    moment.kind = kind;
    moment.who = "core";
    moment.of_core = true;
    moment.pc = core.pc();
    for (unsigned i = 0; i < moment.registers.size(); ++i) moment.registers[i] = core.reg(i);
    moment.apsr = models::core::apsr(core.state());
    moment.ipsr = core.state().ipsr;
    moment.secure = core.state().secure;
    moment.at = platform_.time_of(platform_.core().own_time());
    return moment;
}

void FaultLog::complete(FaultMoment& moment) const {
    if (phase) moment.phase = phase();
    if (moment.of_core) fetch_code(moment);
}

void FaultLog::fetch_code(FaultMoment& moment) const {
    moment.code.clear();
    const std::uint32_t pc = moment.pc & ~1u;
    // As much as there is: the way back may leave the memory that the program stands in.
    for (std::uint32_t before = kCodeBefore;; before /= 2) {
        if (pc >= before) {
            moment.code_start = pc - before;
            moment.code.resize(before + kCodeBehind);
            if (platform_.core_view().fetch(moment.code_start, moment.code)) return;
        }
        if (before < 2) break;
    }
    moment.code.clear();
}

std::optional<Access> FaultLog::access_of(const CoreFault& fault) const {
    const bool fetch = fault.fault.exception == Exception::BusFault &&
                       (fault.fault.status & models::core::cfsr::kIbusErr) != 0;
    if (!fault.fault.address_valid && !fetch) return std::nullopt;
    const std::uint32_t address = fetch ? fault.pc : fault.fault.address;
    if (fault.fault.exception == Exception::BusFault && last_core_access_) {
        Access known = fault_report::access_of(*last_core_access_);
        if (address - known.address < std::max(known.bytes, kLine)) {
            if (known.fetch) known.address = address;
            return known;
        }
    }
    Access access;
    access.address = address;
    access.fetch = fetch;
    return access;
}

void FaultLog::core_fault(const CoreFault& fault) {
    ++core_faults_;
    const std::uint64_t instructions = platform_.core().core().instructions();
    const bool in_handler = fault.ipsr >= kFirstHandler && fault.ipsr <= kLastFaultHandler;
    const bool on_the_way = fault.where != CoreFault::Where::Instruction && !chain_.empty() &&
                            chain_.back().instructions == instructions;
    if (!in_handler && !on_the_way) chain_.clear();
    if (chain_.size() == kMaxNested) return;
    FaultMoment moment;
    moment.kind = kind_of(fault);
    moment.who = "core";
    moment.of_core = moment.exact = true;
    moment.pc = fault.pc;
    moment.registers = fault.r;
    moment.apsr = fault.apsr;
    moment.ipsr = fault.ipsr;
    moment.secure = fault.secure;
    moment.locked_up = fault.locked_up;
    moment.where = fault.where;
    moment.status = fault.fault.status;
    moment.access = access_of(fault);
    moment.instructions = instructions;
    moment.at = platform_.time_of(platform_.core().own_time());
    complete(moment);
    last_core_access_.reset();
    chain_.push_back(std::move(moment));
}

void FaultLog::access_fault(const models::AccessFault& fault) {
    const bool generated = fault.initiator >= kInitiators;
    if (is_core(fault.initiator)) {
        if (!fault.answered_zero) last_core_access_ = fault;
    } else if (!generated) {
        last_npu_access_ = fault;
    }
    if (!fault.answered_zero) return;
    FaultMoment moment = registers(Kind::DeniedAccess);
    moment.who = platform_.initiator_name(fault.initiator);
    moment.of_core = is_core(fault.initiator);
    moment.access = fault_report::access_of(fault);
    moment.at = platform_.time_of(fault.at);
    find(std::move(moment));
}

void FaultLog::buffer_in_use(const models::BufferInUse& use) {
    FaultMoment moment = registers(Kind::BufferInUse);
    moment.who = platform_.initiator_name(use.initiator);
    moment.of_core = is_core(use.initiator);
    moment.text =
        fmt::format("{} {} this buffer at the same time: {}", platform_.initiator_name(use.user),
                    use.being_written ? "writes" : "reads", use.claim);
    moment.remedy = "wait for the end of the epoch";
    moment.access = Access{
        static_cast<std::uint32_t>(use.address), use.bytes, use.write, false, std::nullopt, {}};
    moment.at = platform_.time_of(use.at);
    find(std::move(moment));
}

void FaultLog::npu_cache(const models::NpuCacheEvent& event) {
    const NpuCacheText words = npu_cache_text(event, platform_);
    const bool nobody = event.actor == models::NpuCacheEvent::kNobody;
    FaultMoment moment = registers(Kind::StaleBytes);
    moment.who =
        nobody ? "an NPU cache maintenance command" : platform_.initiator_name(event.actor);
    // A command is a store of the core to the cache's registers.
    moment.of_core = nobody || is_core(event.actor);
    moment.text = words.cause;
    moment.remedy = words.remedy;
    moment.access = Access{event.address, event.bytes, false, false, std::nullopt, {}};
    find(std::move(moment));
}

void FaultLog::core_coherence(const models::core::CoherenceEvent& event) {
    const CoherenceText words = coherence_text(event);
    FaultMoment moment = registers(Kind::StaleBytes);
    moment.of_core = event.pc != 0;
    moment.who = moment.of_core ? "core" : event.other;
    moment.text = fmt::format("{}: {} after {}", words.text, words.first, words.second);
    moment.remedy = coherence_remedy(event.kind);
    moment.access = Access{event.address, event.bytes, false, false, std::nullopt, {}};
    if (moment.of_core) moment.pc = event.pc;
    find(std::move(moment));
}

void FaultLog::npu_event(const models::npu::NpuEvent& event) {
    const std::optional<Kind> kind = kind_of(event.kind);
    if (!kind || npu_) return;
    FaultMoment moment;
    moment.kind = *kind;
    moment.who = event.unit.empty() ? "NPU" : "NPU " + event.unit;
    moment.text = event.text;
    moment.label = event.label;
    moment.at = platform_.time_of(event.at);
    complete(moment);
    if (*kind == Kind::NpuBusError && last_npu_access_) {
        moment.access = fault_report::access_of(*last_npu_access_);
    }
    npu_ = std::move(moment);
}

void FaultLog::find(FaultMoment moment) {
    const auto same = [&moment](const FaultMoment& other) {
        return other.kind == moment.kind && other.who == moment.who &&
               (moment.of_core ? other.pc == moment.pc : other.text == moment.text);
    };
    const auto known = std::find_if(findings_.begin(), findings_.end(), same);
    if (known != findings_.end()) {
        ++known->count;
    } else if (findings_.size() == kMaxFindings) {
        ++not_kept_;
    } else {
        complete(moment);
        findings_.push_back(std::move(moment));
    }
}

}  // namespace n6vp::sim::fault_report
