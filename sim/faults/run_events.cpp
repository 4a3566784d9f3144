// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/run_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "memmap/peripherals.h"
#include "models/npu/base/assumption.h"
#include "models/soc/system/set_up.h"
#include "sim/faults/coherence_report.h"
#include "sim/faults/fault_words.h"

namespace n6vp::sim {

namespace {

using Kind = models::AccessFault::Kind;

[[nodiscard]] const char* fault_text(Kind kind) {
    switch (kind) {
        case Kind::Unmapped:
            return "there is no memory at this address";
        case Kind::Unreachable:
            return "this master has no path to this address";
        case Kind::CrossesWindow:
            return "the burst crosses the end of its memory";
        case Kind::ReadOnly:
            return "this memory is read-only";
        case Kind::Refused:
            return "refused";
        default:
            return "not supported";
    }
}

using NpuKind = models::npu::NpuEvent::Kind;

[[nodiscard]] const char* npu_kind(NpuKind kind) {
    switch (kind) {
        case NpuKind::EpochFault:
            return "npu_fault";
        case NpuKind::Illegal:
            return "npu_illegal";
        case NpuKind::Refused:
            return "npu_refused";
        case NpuKind::Assumption:
            return "npu_assumption";
        case NpuKind::BusError:
            return "npu_bus_error";
        case NpuKind::BeyondLimit:
            return "npu_beyond_limit";
        case NpuKind::Deadlock:
            return "npu_deadlock";
        case NpuKind::GatedWrite:
            return "npu_gated_write";
        case NpuKind::NoRegister:
            break;  // the register report has it
    }
    return "";
}

[[nodiscard]] const char* npu_remedy(NpuKind kind) {
    switch (kind) {
        case NpuKind::EpochFault:
            return "check copy, relocation and D-cache clean of the blob; `n6vp ecdump` shows it";
        case NpuKind::Illegal:
        case NpuKind::BeyondLimit:
            return "correct the configuration of the unit";
        case NpuKind::Refused:
            return "the unit is skipped; --strict ends the run here";
        case NpuKind::Assumption:
            return "compare the outputs with a reference; --strict ends the run here";
        case NpuKind::BusError:
            return "the access fault at the same time gives the reason";
        case NpuKind::Deadlock:
            return "check the waiting units: is every source enabled, do the frame sizes match?";
        case NpuKind::GatedWrite:
            return "set the unit's bit in CLKCTRL.BGATES first";
        default:
            return "";
    }
}

/// The NPU does not execute its configuration.
[[nodiscard]] bool stops_work(NpuKind kind) {
    return kind == NpuKind::EpochFault || kind == NpuKind::Illegal || kind == NpuKind::BusError ||
           kind == NpuKind::BeyondLimit || kind == NpuKind::Deadlock;
}

[[nodiscard]] bool is_core(std::uint8_t initiator) {
    return initiator <= number(Initiator::CoreTcm);
}

}  // namespace

std::string nearest_memory(std::uint32_t address) {
    const memmap::Region* best = nullptr;
    GuestAddr best_start{};
    std::uint64_t best_distance = ~std::uint64_t{0};
    for (const memmap::Region& region : memmap::kRegions) {
        const bool stub = region.kind == memmap::RegionKind::Stub ||
                          region.kind == memmap::RegionKind::Rom || region.fitted_bytes == 0;
        for (const GuestAddr start : {region.non_secure, region.secure}) {
            const std::uint64_t first = to_word(start);
            const std::uint64_t last = first + region.fitted_bytes - 1;
            const std::uint64_t distance = address < first  ? first - address
                                           : address > last ? address - last
                                                            : 0;
            if (stub || distance >= best_distance) continue;
            best = &region;
            best_start = start;
            best_distance = distance;
        }
    }
    return fmt::format("nearest memory: {}, 0x{:08x} to 0x{:08x}", best->name, to_word(best_start),
                       to_word(best_start) + (best->fitted_bytes - 1));
}

RunEvents::RunEvents(Platform& platform, const ElfFile* symbols)
    : platform_(platform), symbols_(symbols) {}

void RunEvents::listen() {
    models::ChipEvents& events = platform_.events();
    events.access_fault.listen(kReportPlace, [this](const auto& what) { access_fault(what); });
    events.buffer_in_use.listen(kReportPlace, [this](const auto& what) { buffer_in_use(what); });
    events.npu_cache_coherence.listen(kReportPlace, [this](const auto& what) { npu_cache(what); });
    events.core_coherence.listen(kReportPlace,
                                 [this](const auto& what) { core_coherence_.add(what); });
    events.unwritten_read.listen(
        kReportPlace, [this](unsigned target, std::uint32_t offset, models::Picoseconds at) {
            unwritten(target, offset, at);
        });
    platform_.npu().on_event.listen(kReportPlace, [this](const auto& what) { npu(what); });
}

void RunEvents::reset() {
    events_.clear();
    keys_.clear();
    assumptions_.clear();
    not_kept_ = 0;
    npu_cache_events_ = 0;
    core_coherence_ = {};
    npu_fault_.clear();
}

std::string RunEvents::symbol(std::uint32_t pc) const {
    return symbols_ == nullptr ? std::string() : symbols_->describe(pc);
}

std::uint32_t RunEvents::pc_of(std::uint8_t initiator) const {
    return is_core(initiator) ? platform_.core().core().pc() : 0;
}

models::Picoseconds RunEvents::time_of(std::uint8_t initiator) const {
    return is_core(initiator) ? platform_.core().own_time() : sc_core::sc_time_stamp().value();
}

void RunEvents::add(const Key& key, const std::string& cause, const std::string& remedy,
                    models::Picoseconds at) {
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    if (found != keys_.end()) {
        ++events_[static_cast<std::size_t>(found - keys_.begin())].count;
        return;
    }
    if (events_.size() == kMaxKept) {
        ++not_kept_;
        return;
    }
    keys_.push_back(key);
    events_.push_back({key.kind, cause, remedy, key.pc, key.pc == 0 ? "" : symbol(key.pc), 1,
                       platform_.time_of(at)});
}

void RunEvents::access_fault(const models::AccessFault& fault) {
    const auto address = static_cast<std::uint32_t>(fault.address);
    std::string cause = fmt::format(
        "{}: {} of {} byte{} at 0x{:08x}", platform_.initiator_name(fault.initiator),
        fault.write ? "write" : "read", fault.bytes, fault.bytes == 1 ? "" : "s", address);
    const std::string place = fault_report::region_text(address);
    if (!place.empty()) cause += fmt::format(" ({})", place);
    cause += fmt::format(": {}", fault_text(fault.kind));
    if (fault.reason[0] != '\0') cause += fmt::format(": {}", fault.reason);
    cause += fault.answered_zero ? "; answered with zero" : "; bus error";
    std::string remedy;
    const models::SetUpStep step = models::set_up_step(fault.reason);
    if (fault.kind == Kind::Unmapped) {
        remedy = nearest_memory(address);
    } else if (step != models::SetUpStep::None) {
        remedy = fmt::format("set-up step {}: {}", static_cast<unsigned>(step),
                             models::set_up_text(step));
    }
    const auto what =
        static_cast<std::uint64_t>(fault.kind) << 32 |
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(fault.target + 1)) << 8 |
        static_cast<std::uint64_t>(fault.initiator) << 1 | static_cast<std::uint64_t>(fault.write);
    add({"access_fault", pc_of(fault.initiator), what}, cause, remedy, fault.at);
}

void RunEvents::buffer_in_use(const models::BufferInUse& use) {
    const std::string cause = fmt::format(
        "{}: {} of {} byte{} at 0x{:08x} while {} {} the buffer: {}",
        platform_.initiator_name(use.initiator), use.write ? "write" : "read", use.bytes,
        use.bytes == 1 ? "" : "s", use.address, platform_.initiator_name(use.user),
        use.being_written ? "writes" : "reads", use.claim);
    const auto what = static_cast<std::uint64_t>(use.initiator) << 16 |
                      static_cast<std::uint64_t>(use.user) << 8 |
                      static_cast<std::uint64_t>(use.write);
    add({"buffer_in_use", pc_of(use.initiator), what}, cause, "wait for the end of the epoch",
        use.at);
}

void RunEvents::npu_cache(const models::NpuCacheEvent& event) {
    ++npu_cache_events_;
    const NpuCacheText text = npu_cache_text(event, platform_);
    const auto what = static_cast<std::uint64_t>(event.kind) << 16 |
                      static_cast<std::uint64_t>(event.writer) << 8 | event.actor;
    add({"npu_cache", pc_of(event.actor), what}, text.cause, text.remedy, time_of(event.actor));
}

void RunEvents::npu(const models::npu::NpuEvent& event) {
    if (event.kind == NpuKind::NoRegister) return;
    std::string cause =
        fmt::format("NPU{}{}: {}", event.unit.empty() ? "" : " ", event.unit, event.text);
    if (event.label != 0) cause += fmt::format("; epoch label {}", event.label);
    if (stops_work(event.kind) && npu_fault_.empty()) npu_fault_ = cause;
    const std::uint64_t what = std::hash<std::string>{}(event.unit + event.text);
    add({npu_kind(event.kind), 0, what}, cause, npu_remedy(event.kind), event.at);
    if (event.kind == NpuKind::Assumption && models::npu::changes_results(event.limit)) {
        assumptions_.push_back(
            {event.unit, event.limit.feature, event.limit.unknown, platform_.time_of(event.at)});
        if (on_npu_assumption) on_npu_assumption(assumptions_.back());
    }
    if (event.kind == NpuKind::Refused && on_npu_refusal)
        on_npu_refusal(fmt::format("NPU {} with {}", event.unit, event.limit.feature));
}

void RunEvents::unwritten(unsigned target, std::uint32_t offset, models::Picoseconds at) {
    const std::string cause = fmt::format("read of memory that was never written: {}+0x{:x}",
                                          platform_.target_name(target), offset);
    const bool flash = platform_.memories()[target].region->kind == memmap::RegionKind::Nor;
    add({"unwritten_read", platform_.core().core().pc(), target}, cause,
        flash ? "erased flash reads 0xff: is an --image missing, or at another address?"
              : "initialise it first: memory content after power-up is undefined",
        at);
}

void write_assumptions(std::ostream& out, const RunEvents& events) {
    if (events.assumptions().empty()) return;
    out << "ASSUMED: results of the NPU depend on assumptions; --strict ends the run at the first "
           "one\n";
    for (const RunAssumption& one : events.assumptions()) {
        out << fmt::format("  {} {}: {}\n", one.unit, one.feature, one.unknown);
    }
    out << '\n';
}

Json assumptions_json(const RunEvents& events) {
    Json list = Json::array();
    for (const RunAssumption& one : events.assumptions()) {
        list.push_back({{"unit", one.unit},
                        {"feature", one.feature},
                        {"unknown", one.unknown},
                        {"first_ps", one.first}});
    }
    return list;
}

void write_events(std::ostream& out, const RunEvents& events) {
    for (const RunEvent& event : events.events()) {
        out << "  " << event.cause;
        if (event.pc != 0) out << fmt::format("; pc 0x{:08x}", event.pc);
        if (!event.symbol.empty()) out << ' ' << event.symbol;
        out << fmt::format("; at {:.3f} us", static_cast<double>(event.first) * 1e-6);
        if (event.count > 1) out << fmt::format("; {} times", event.count);
        out << '\n';
        if (!event.remedy.empty()) out << "    " << event.remedy << '\n';
    }
    if (events.not_kept() != 0) out << fmt::format("  and {} more\n", events.not_kept());
}

Json events_json(const RunEvents& events) {
    Json list = Json::array();
    for (const RunEvent& event : events.events()) {
        Json entry = {{"kind", event.kind}, {"cause", event.cause}, {"remedy", event.remedy}};
        if (event.pc != 0) {
            entry["pc"] = hex_word(event.pc);
            entry["symbol"] = event.symbol;
        }
        entry["count"] = event.count;
        entry["first_ps"] = event.first;
        list.push_back(std::move(entry));
    }
    return list;
}

}  // namespace n6vp::sim
