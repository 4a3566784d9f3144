// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "sim/console/phase_times.h"
#include "sim/exec/exec_run.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/info/report_text.h"
#include "sim/model_file/model_pools.h"
#include "sim/model_file/model_source.h"
#include "sim/platform/stall_causes.h"
#include "sim/run/image_file.h"
#include "sim/run/run_report.h"
#include "sim/run/traffic_report.h"

namespace n6vp::sim::trace {

namespace {

using models::Picoseconds;
using report::grouped;
using traces::PageLane;
using traces::PageMemory;
using traces::PagePhase;
using traces::ReportPage;
using traces::TraceTime;
using traces::TrackId;

/// More slices of one lane, and finer curves, show nothing more.
constexpr std::size_t kMaxSlices = 20'000;
constexpr TraceTime kCurveParts = 1000;
constexpr std::string_view kBlock = "block ";

[[nodiscard]] std::string milliseconds(TraceTime time) {
    return fmt::format("{:.3f} ms", static_cast<double>(time) * 1e-9);
}

[[nodiscard]] std::string percent(double part, double whole) {
    return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

/// A file's name without its folder.
[[nodiscard]] std::string short_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

[[nodiscard]] const Phase* phase_named(const std::vector<Phase>& phases, std::string_view name) {
    const auto found = std::find_if(phases.begin(), phases.end(),
                                    [name](const Phase& phase) { return phase.name == name; });
    return found == phases.end() ? nullptr : &*found;
}

/// Builds the page part by part.
class Builder {
  public:
    Builder(RunSession& session, const RunOutcome& outcome, const RunPlan& plan,
            const RunTrace& recorded)
        : session_(session),
          outcome_(outcome),
          plan_(plan),
          epochs_(recorded.epochs()),
          events_(*recorded.events()) {}

    [[nodiscard]] ReportPage page() {
        page_.end = outcome_.time;
        page_.epochs = epochs_;
        add_heading();
        add_assumptions();
        add_facts();
        add_phases();
        add_lanes();
        add_curves();
        add_memories();
        add_traffic();
        add_events();
        add_causes();
        return std::move(page_);
    }

  private:
    void add_causes() {
        const auto add = [this](const StallCauseRow& row) {
            page_.causes.push_back({row.name, row.sentence, row.light, row.dark});
        };
        for (const StallCauseRow& row : kStallCauseRows) add(row);
        add(kConfigurationRow);
    }

    void add_heading() {
        page_.title = short_name(plan_.images.empty() ? plan_.elf.text : plan_.images.front().file);
        page_.subtitle = fmt::format(
            "{}; {} timing, {} coherence; ended: {}{}",
            short_name(plan_.elf.text.empty() ? plan_.images.front().file : plan_.elf.text),
            timing_name(plan_.options.timing),
            plan_.options.coherence == models::core::Coherence::Real ? "real" : "ideal",
            verdict_name(outcome_.verdict),
            outcome_.verdict == RunVerdict::Exit ? fmt::format(" {}", outcome_.exit_code) : "");
        page_.footer = fmt::format(
            "Times are simulated; their grade is {}. Hash of the run {:016x}. The page is "
            "self-contained.",
            timing_name(plan_.options.timing), outcome_.hash);
    }

    void add_assumptions() {
        for (const RunAssumption& one : session_.events().assumptions()) {
            page_.assumptions.push_back(
                fmt::format("{} {}: {}", one.unit, one.feature, one.unknown));
        }
    }

    void add_facts() {
        const std::vector<Phase>& phases = session_.phases().phases();
        const auto whole = static_cast<double>(outcome_.time);
        page_.facts.push_back({"Simulated time", milliseconds(outcome_.time),
                               grouped(outcome_.cycles) + " core cycles"});
        if (const Phase* const install = phase_named(phases, "install")) {
            page_.facts.push_back({"Install", milliseconds(install->duration()),
                                   grouped(install->counted.cycles) + " core cycles"});
        }
        double around = whole;
        if (const Phase* const inference = phase_named(phases, "inference")) {
            around = static_cast<double>(inference->duration());
            const PhaseTimes all = ended_phases(phases, inference->name);
            page_.facts.push_back({"First inference", milliseconds(inference->duration()),
                                   all.count == 0 ? ""
                                                  : fmt::format("mean of {}: {:.2f} inferences/s",
                                                                all.count, all.per_second())});
        }
        add_npu_facts(phases, around);
        Picoseconds asleep = 0;
        for (const traces::TraceSlice& slice : events_.log().slices()) {
            if (slice.track == events_.sleep_track()) asleep += slice.end - slice.begin;
        }
        page_.facts.push_back(
            {"Core asleep", percent(static_cast<double>(asleep), whole), "of the whole run"});
    }

    void add_npu_facts(const std::vector<Phase>& phases, double around) {
        if (epochs_.empty()) return;
        const Phase* const inference = phase_named(phases, "inference");
        TraceTime busy = 0;
        std::uint64_t macs = 0;
        std::size_t count = 0;
        for (const traces::EpochRecord& epoch : epochs_) {
            const Platform& platform = session_.platform();
            const bool inside =
                inference == nullptr || (epoch.start >= platform.time_of(inference->start) &&
                                         epoch.start < platform.time_of(inference->end));
            if (!inside) continue;
            ++count;
            busy += epoch.end - epoch.start;
            macs += epoch.macs;
        }
        const char* const part = inference != nullptr ? "the first inference" : "the run";
        page_.facts.push_back({"NPU in epochs", percent(static_cast<double>(busy), around),
                               fmt::format("{} epochs of {}", count, part)});
        page_.facts.push_back({"Multiply-accumulates", grouped(macs),
                               fmt::format("of the CONVACC in {}, padding included", part)});
    }

    void add_phase(const Phase& phase) {
        PagePhase row;
        row.name = phase.name.empty() ? fmt::format("phase {}", phase.id) : phase.name;
        row.depth = phase.depth;
        row.ended = phase.ended;
        row.block = phase.name.starts_with(kBlock);
        row.start = session_.platform().time_of(phase.start);
        row.end = session_.platform().time_of(phase.end);
        row.cycles = phase.counted.cycles;
        row.instructions = phase.counted.instructions;
        for (const PhaseFlow& flow : phase.counted.flows) {
            row.bytes += flow.bytes_read + flow.bytes_written;
            row.waited += flow.waited;
        }
        page_.phases.push_back(std::move(row));
    }

    void add_phases() {
        const PhaseRecorder& recorder = session_.phases();
        for (std::size_t i = 0; i < recorder.phases().size(); ++i) {
            if (i == 1 && recorder.start_up()) add_phase(*recorder.start_up());
            add_phase(recorder.phases()[i]);
        }
    }

    void add_lanes() {
        const traces::TraceLog& log = events_.log();
        std::vector<std::pair<TrackId, const char*>> wanted{{events_.sleep_track(), "sleep"},
                                                            {events_.exception_track(), "irq"}};
        for (unsigned i = 0; i < PlatformTrace::kEngines; ++i) {
            wanted.emplace_back(events_.engine_track(i), "awake");
        }
        for (const auto& [track, color] : wanted) {
            PageLane lane;
            lane.name = track == events_.sleep_track() ? "core asleep" : log.tracks()[track].name;
            if (track == events_.exception_track()) lane.name = "exceptions";
            lane.color = color;
            std::map<std::uint32_t, std::uint32_t> names;
            for (const traces::TraceSlice& slice : log.slices()) {
                if (slice.track != track || lane.slices.size() == kMaxSlices) continue;
                const auto [name, is_new] =
                    names.emplace(slice.name, static_cast<std::uint32_t>(lane.names.size()));
                if (is_new) lane.names.push_back(log.text(slice.name));
                lane.slices.push_back({slice.begin, slice.end, name->second});
            }
            if (!lane.slices.empty()) page_.lanes.push_back(std::move(lane));
        }
    }

    /// Means over equal parts of the run, where there are more values than that.
    [[nodiscard]] std::vector<std::pair<TraceTime, double>> thinned(
        const std::vector<std::pair<TraceTime, double>>& points) const {
        if (points.size() <= kCurveParts) return points;
        const TraceTime part = outcome_.time / kCurveParts + 1;
        std::vector<std::pair<TraceTime, double>> means;
        means.reserve(kCurveParts);
        std::size_t next = 0;
        double value = 0;
        for (TraceTime from = 0; from < outcome_.time; from += part) {
            double sum = 0;
            TraceTime at = from;
            for (; next < points.size() && points[next].first < from + part; ++next) {
                const TraceTime until = std::max(at, points[next].first);
                sum += value * static_cast<double>(until - at);
                at = until;
                value = points[next].second;
            }
            sum += value * static_cast<double>(from + part - at);
            const double mean = sum / static_cast<double>(part);
            if (means.empty() || means.back().second != mean) means.emplace_back(from, mean);
        }
        return means;
    }

    void add_curves() {
        const traces::TraceLog& log = events_.log();
        std::map<TrackId, std::vector<std::pair<TraceTime, double>>> values;
        for (const traces::TracePoint& point : log.points()) {
            if (log.tracks()[point.track].kind != traces::Track::Kind::Counter) continue;
            values[point.track].emplace_back(point.at, point.value);
        }
        for (auto& [track, points] : values) {
            const traces::Track& about = log.tracks()[track];
            const char* color = "bus";
            if (about.category == "memory") color = "memory";
            if (about.category == "cache") color = "cache";
            page_.curves.push_back({about.name, about.unit, color, thinned(points)});
        }
    }

    /// What the user put where, by alias-free address.
    struct Use {
        std::uint64_t address = 0, bytes = 0;
        std::string what, kind;
    };
    [[nodiscard]] std::vector<Use> uses() const {
        std::vector<Use> list;
        const auto add = [&list](AddressRange range, std::string what, const char* kind) {
            if (range.bytes == 0) return;
            list.push_back({one_alias(range.start), range.bytes, std::move(what), kind});
        };
        for (const ExecProgram::Segment& segment : session_.program().segments) {
            add({GuestAddr{segment.address}, static_cast<std::uint32_t>(segment.content.size())},
                "program", "program");
        }
        if (plan_.exec_ram) add(*plan_.exec_ram, "exec RAM", "exec");
        for (const RunPlan::Image& image : plan_.images) {
            std::vector<HexPart> parts;
            try {
                parts = read_image(image);
            } catch (const UserError&) {
                continue;  // it was there when the run began
            }
            for (const HexPart& part : parts) {
                const GuestAddr at{part.address};
                add({at, static_cast<std::uint32_t>(part.content.size())}, short_name(image.file),
                    "image");
                if (!is_model(part.content)) continue;
                for (const UsedRange& pool : model_pools(image.file, at, part.content)) {
                    add(pool.range, pool.what, "pool");
                }
            }
        }
        return list;
    }

    void add_memories() {
        const std::vector<Use> used = uses();
        const auto whole = static_cast<double>(outcome_.time);
        Platform& platform = session_.platform();
        for (unsigned target = 0; target < platform.memories().size(); ++target) {
            const memmap::Region& region = *platform.memories()[target].region;
            PageMemory row;
            row.name = region.name;
            row.base = fmt::format("0x{:08x}", to_word(region.secure));
            row.bytes = region.fitted_bytes;
            for (unsigned initiator = 0; initiator < platform.initiators(); ++initiator) {
                const models::Flow& flow = platform.bus().flow(initiator, target);
                row.read += flow.bytes_read;
                row.written += flow.bytes_written;
            }
            const BusActivity::Served& served = events_.activity().served()[target];
            row.reading = whole > 0 ? static_cast<double>(served.reading) / whole : 0;
            row.writing = whole > 0 ? static_cast<double>(served.writing) / whole : 0;
            const std::uint64_t base = to_word(region.non_secure), end = base + row.bytes;
            for (const Use& use : used) {
                // A range may go on in the next bank.
                const std::uint64_t from = std::max(use.address, base),
                                    to = std::min(use.address + use.bytes, end);
                if (from < to) row.uses.push_back({use.what, use.kind, from - base, to - from});
            }
            if (row.read + row.written != 0 || !row.uses.empty()) {
                page_.memories.push_back(std::move(row));
            }
        }
    }

    void add_traffic() {
        for (const TrafficFlow& flow : traffic_flows(session_.platform())) {
            page_.flows.push_back({flow.initiator, flow.target, flow.bursts, flow.bytes_read,
                                   flow.bytes_written, flow.waited, causes_text(flow)});
        }
        for (const auto& master : session_.platform().traffic()) {
            const models::TrafficGenerator::Statistics& counted = master->statistics();
            if (counted.missed_bursts == 0) continue;
            page_.events.push_back(fmt::format("{}: {} of {} bytes came too late for its stream",
                                               master->pattern().name, counted.missed_bytes,
                                               counted.demanded_bytes));
        }
    }

    void add_events() {
        const RunEvents& events = session_.events();
        for (const RunEvent& event : events.events()) {
            page_.events.push_back(fmt::format("{} ({}x, first at {}{}{})", event.cause,
                                               event.count, milliseconds(event.first),
                                               event.symbol.empty() ? "" : ", in ", event.symbol));
        }
        if (const std::uint64_t missed = events.core_coherence().total(); missed != 0) {
            page_.events.push_back(
                fmt::format("missing cache maintenance of the core's caches: {}x", missed));
        }
        if (events.not_kept() != 0) {
            page_.events.push_back(fmt::format("and {} more", events.not_kept()));
        }
        if (events_.log().not_kept() != 0) {
            page_.events.push_back(fmt::format(
                "the timeline is cut off: {} events exceed its limit", events_.log().not_kept()));
        }
    }

    RunSession& session_;
    const RunOutcome& outcome_;
    const RunPlan& plan_;
    const std::vector<traces::EpochRecord>& epochs_;
    const PlatformTrace& events_;
    ReportPage page_;
};

}  // namespace

ReportPage run_page(RunSession& session, const RunOutcome& outcome, const RunPlan& plan,
                    const RunTrace& recorded) {
    return Builder(session, outcome, plan, recorded).page();
}

}  // namespace n6vp::sim::trace
