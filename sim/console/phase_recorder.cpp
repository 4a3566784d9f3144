// SPDX-License-Identifier: Apache-2.0
#include "sim/console/phase_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sim/host/table_limit.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::Picoseconds;

/// Returns `after` less `before` for every pair that occurs in `after`.
std::vector<PhaseFlow> difference(const std::vector<PhaseFlow>& after,
                                  const std::vector<PhaseFlow>& before) {
    std::vector<PhaseFlow> flows;
    for (PhaseFlow flow : after) {
        const auto same = std::find_if(before.begin(), before.end(), [&](const PhaseFlow& other) {
            return other.initiator == flow.initiator && other.target == flow.target;
        });
        if (same != before.end()) {
            flow.bytes_read -= same->bytes_read;
            flow.bytes_written -= same->bytes_written;
            flow.waited -= same->waited;
            const std::size_t holders = std::min(flow.waited_for.size(), same->waited_for.size());
            for (std::size_t i = 0; i < holders; ++i) flow.waited_for[i] -= same->waited_for[i];
        }
        if (flow.bytes_read != 0 || flow.bytes_written != 0 || flow.waited != 0)
            flows.push_back(std::move(flow));
    }
    std::sort(flows.begin(), flows.end(), [](const PhaseFlow& a, const PhaseFlow& b) {
        return a.initiator != b.initiator ? a.initiator < b.initiator : a.target < b.target;
    });
    return flows;
}

std::string name_of(const std::vector<std::string>& names, std::size_t number) {
    return number < names.size() ? names[number] : fmt::format("#{}", number);
}

std::string label(const Phase& phase) {
    return phase.name.empty() ? fmt::format("phase {}", phase.id)
                              : traces::terminal_text(phase.name);
}

double microseconds(Picoseconds duration) {
    return static_cast<double>(duration) * 1e-6;
}

double megabytes_per_second(std::uint64_t bytes, Picoseconds duration) {
    return duration == 0 ? 0 : static_cast<double>(bytes) / microseconds(duration);
}

}  // namespace

PhaseRecorder::PhaseRecorder(PhaseNames names, Sampler sampler)
    : names_(std::move(names)), sampler_(std::move(sampler)) {
    restart(0);
}

void PhaseRecorder::restart(Picoseconds at) {
    phases_.clear();
    open_.clear();
    at_start_.clear();
    start_up_.reset();
    static_cast<void>(begin(0, "run", at));
}

PhaseRecorder::Error PhaseRecorder::begin(std::uint32_t id, std::string_view name, Picoseconds at) {
    // The whole run is open, too.
    if (open_.size() > memmap::mailbox::kMaxOpenPhases || phases_.size() > kMaxPhases)
        return Error::TooMany;
    Phase phase;
    phase.id = id;
    phase.name = name;
    phase.depth = static_cast<unsigned>(open_.size());
    phase.start = phase.end = at;
    open_.push_back(phases_.size());
    phases_.push_back(std::move(phase));
    at_start_.push_back(sampler_(at));
    if (phases_.size() == 2) end_start_up(at, at_start_.back());
    if (on_change) on_change(phases_.back());
    return Error::None;
}

void PhaseRecorder::end_start_up(Picoseconds at, const PhaseCounters& now) {
    const Picoseconds start = phases_.front().start;
    if (at <= start) return;
    const PhaseCounters& before = at_start_.front();
    start_up_ = {0, "start-up", 1, start, at, true, {}};
    start_up_->counted.cycles = now.cycles - before.cycles;
    start_up_->counted.instructions = now.instructions - before.instructions;
    start_up_->counted.flows = difference(now.flows, before.flows);
}

std::string PhaseRecorder::path() const {
    std::string text;
    for (std::size_t i = 1; i < open_.size(); ++i) {
        text += (i == 1 ? "" : ", ") + label(phases_[open_[i]]);
    }
    return text;
}

void PhaseRecorder::close(std::size_t index, Picoseconds at, const PhaseCounters& now) {
    Phase& phase = phases_[open_[index]];
    const PhaseCounters& before = at_start_[index];
    phase.end = std::max(at, phase.start);
    phase.counted.cycles = now.cycles - before.cycles;
    phase.counted.instructions = now.instructions - before.instructions;
    phase.counted.flows = difference(now.flows, before.flows);
}

PhaseRecorder::Error PhaseRecorder::end(std::uint32_t id, Picoseconds at) {
    std::size_t found = open_.size();
    while (found > 1 && phases_[open_[found - 1]].id != id) --found;
    if (found <= 1) return Error::BadRequest;
    const PhaseCounters now = sampler_(at);
    while (open_.size() >= found) {
        close(open_.size() - 1, at, now);
        Phase& phase = phases_[open_.back()];
        phase.ended = true;
        open_.pop_back();
        at_start_.pop_back();
        if (on_change) on_change(phase);
    }
    return Error::None;
}

std::string_view PhaseRecorder::current() const {
    return open_.size() > 1 ? std::string_view(phases_[open_.back()].name) : std::string_view();
}

void PhaseRecorder::finish(Picoseconds at) {
    if (open_.empty()) return;
    const PhaseCounters now = sampler_(at);
    for (std::size_t i = 0; i < open_.size(); ++i) close(i, at, now);
    phases_.front().ended = true;
    open_.clear();
    at_start_.clear();
}

namespace {

/// Returns whether a flow of it waited.
bool write_phase(std::ostream& out, const PhaseNames& names, const Phase& phase) {
    bool waited = false;
    const std::string indent(std::size_t{2} * phase.depth, ' ');
    out << fmt::format("{:<32}{:>14.3f}{:>14.3f}{:>14}{:>14}\n",
                       indent + label(phase) + (phase.ended ? "" : " (not ended)"),
                       microseconds(phase.start), microseconds(phase.duration()),
                       phase.counted.cycles, phase.counted.instructions);
    for (const PhaseFlow& flow : phase.counted.flows) {
        const std::uint64_t bytes = flow.bytes_read + flow.bytes_written;
        std::string line = fmt::format(
            "{}    {} with {}: {} B read, {} B written, {:.1f} MB/s", indent,
            name_of(names.initiators, flow.initiator), name_of(names.targets, flow.target),
            flow.bytes_read, flow.bytes_written, megabytes_per_second(bytes, phase.duration()));
        waited = waited || flow.waited != 0;
        if (flow.waited != 0) line += fmt::format(", waited {:.3f} us", microseconds(flow.waited));
        for (std::size_t i = 0; i < flow.waited_for.size(); ++i) {
            if (flow.waited_for[i] != 0)
                line += fmt::format(", {:.3f} for {}", microseconds(flow.waited_for[i]),
                                    name_of(names.initiators, i));
        }
        out << line << '\n';
    }
    return waited;
}

[[nodiscard]] Json phase_json(const PhaseNames& names, const Phase& phase) {
    Json entry;
    entry["id"] = phase.id;
    entry["name"] = phase.name;
    entry["depth"] = phase.depth;
    entry["ended"] = phase.ended;
    entry["start_ps"] = phase.start;
    entry["end_ps"] = phase.end;
    entry["cycles"] = phase.counted.cycles;
    entry["instructions"] = phase.counted.instructions;
    Json flows = Json::array();
    for (const PhaseFlow& flow : phase.counted.flows) {
        Json traffic;
        traffic["initiator"] = name_of(names.initiators, flow.initiator);
        traffic["target"] = name_of(names.targets, flow.target);
        traffic["bytes_read"] = flow.bytes_read;
        traffic["bytes_written"] = flow.bytes_written;
        traffic["waited_ps"] = flow.waited;
        Json waits = Json::object();
        for (std::size_t i = 0; i < flow.waited_for.size(); ++i) {
            if (flow.waited_for[i] != 0) waits[name_of(names.initiators, i)] = flow.waited_for[i];
        }
        traffic["waited_for_ps"] = std::move(waits);
        flows.push_back(std::move(traffic));
    }
    entry["traffic"] = std::move(flows);
    return entry;
}

}  // namespace

void write_phases(std::ostream& out, const PhaseRecorder& report) {
    out << fmt::format("{:<32}{:>14}{:>14}{:>14}{:>14}\n", "phase", "start us", "time us", "cycles",
                       "instructions");
    bool waited = false;
    const std::size_t shown = std::min(report.phases().size(), kMaxTableRows);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i == 1 && report.start_up()) {
            waited = write_phase(out, report.names(), *report.start_up()) || waited;
        }
        waited = write_phase(out, report.names(), report.phases()[i]) || waited;
    }
    out << hidden_rows(report.phases().size());
    if (waited) {
        out << "waited: stall time due to busy ports, summed over all bursts, overlapping stalls "
               "included\n";
    }
}

Json phases_json(const PhaseRecorder& report) {
    Json list = Json::array();
    for (const Phase& phase : report.phases()) list.push_back(phase_json(report.names(), phase));
    return list;
}

Json start_up_json(const PhaseRecorder& report) {
    return report.start_up() ? phase_json(report.names(), *report.start_up()) : Json();
}

}  // namespace n6vp::sim
