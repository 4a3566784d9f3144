// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/run_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <string_view>

#include "sim/host/nearest.h"
#include "sim/run_trace/epoch_records.h"
#include "traces/escape.h"
#include "traces/trace_sinks.h"

namespace n6vp::sim::trace {

using traces::TraceChoice;
using traces::TraceSummary;

RunTrace::RunTrace(const std::optional<TracePlan>& plan, bool page, RunSession& session)
    : plan_(plan), session_(session) {
    if (plan_) file_.emplace(plan_->file);
    const bool listing = plan_ && plan_->format == TraceFormat::Instructions;
    if (listing) {
        listing_ = std::make_unique<InstructionListing>(
            session.platform(), session.symbols(), file_->stream(), plan_->windows, plan_->limit);
    }
    if (!page && (!plan_ || listing)) return;
    log_ = &session.log_epochs();
    PlatformTrace::Choice choice;
    choice.functions = plan_ && plan_->functions && !listing;
    choice.symbols = session.symbols();
    events_ = std::make_unique<PlatformTrace>(session.platform(), choice);
    std::vector<std::string> pins;
    for (const BoardDevices::Watched& pin : session.board().watched())
        pins.push_back(pin.label.empty() ? pin.name : pin.name + " " + pin.label);
    events_->add_pins(pins);
    session.board().on_change = [this](std::size_t pin, bool level, models::Picoseconds at) {
        events_->pin(pin, level, at);
    };
}

void RunTrace::finish(std::ostream& err) {
    const std::vector<Phase>& phases = session_.phases().phases();
    if (log_ != nullptr) epochs_ = epoch_records(*log_, session_.platform(), phases);
    if (events_) events_->finish(phases, epochs_);
    if (!plan_) return;
    write(err);
    file_->commit();
}

std::string RunTrace::phases_near(const std::string& name) const {
    constexpr std::size_t kMost = 20;
    std::vector<std::string> names, shown;
    for (const Phase& phase : session_.phases().phases()) {
        // The phases of firmware need no name.
        if (phase.name.empty() || std::find(names.begin(), names.end(), phase.name) != names.end())
            continue;
        names.push_back(phase.name);
        if (shown.size() < kMost) shown.push_back(traces::terminal_text(phase.name));
    }
    if (names.empty()) return "it had no phases at all: leave the filter out";
    const std::string_view near = nearest(name, names);
    if (!near.empty()) return fmt::format("did you mean {}?", traces::terminal_text(near));
    return fmt::format("its phases: {}{}", fmt::join(shown, ", "),
                       names.size() > shown.size() ? ", ..." : "");
}

std::string RunTrace::epochs_there() const {
    if (epochs_.empty()) return "it had no epochs at all: leave the filter out";
    const auto [least, most] =
        std::minmax_element(epochs_.begin(), epochs_.end(),
                            [](const traces::EpochRecord& one, const traces::EpochRecord& other) {
                                return one.number < other.number;
                            });
    return fmt::format("its epochs: {} to {}", least->number, most->number);
}

TraceChoice RunTrace::choice(std::ostream& err) const {
    TraceChoice choice{plan_->windows, plan_->categories};
    const Platform& platform = session_.platform();
    for (const std::string& name : plan_->phases) {
        const std::size_t before = choice.windows.size();
        for (const Phase& phase : session_.phases().phases()) {
            if (phase.name != name) continue;
            choice.windows.push_back({platform.time_of(phase.start), platform.time_of(phase.end)});
        }
        if (choice.windows.size() != before) continue;
        err << fmt::format("n6vp: --trace-filter phase={}: the run had no such phase\n      {}\n",
                           traces::terminal_text(name), phases_near(name));
    }
    for (const auto& [first, last] : plan_->epochs) {
        const std::size_t before = choice.windows.size();
        for (const traces::EpochRecord& epoch : epochs_) {
            if (epoch.number < first || epoch.number > last) continue;
            choice.windows.push_back({epoch.start, epoch.end});
        }
        if (choice.windows.size() != before) continue;
        err << fmt::format(
            "n6vp: --trace-filter epoch={}-{}: the run had no such epoch\n      {}\n", first, last,
            epochs_there());
    }
    const bool narrowed = !plan_->phases.empty() || !plan_->epochs.empty();
    // Nothing was found: nothing is written, instead of everything.
    if (narrowed && choice.windows.empty()) choice.windows.push_back({~traces::TraceTime{0}, 0});
    return choice;
}

void RunTrace::write(std::ostream& err) {
    std::ostream& out = file_->stream();
    TraceSummary summary;
    if (listing_) {
        summary.missing = listing_->finish();
    } else {
        const traces::TraceOutput output{choice(err), plan_->limit};
        switch (plan_->format) {
            case TraceFormat::Chrome:
                summary = traces::write_chrome_trace(out, events_->log(), output);
                break;
            case TraceFormat::Perfetto:
                summary = traces::write_perfetto_trace(out, events_->log(), output);
                break;
            case TraceFormat::Waveform:
                summary = traces::write_waveform(out, events_->log(), output);
                break;
            default:
                summary = traces::write_epoch_csv(out, epochs_, output);
                summary.missing += log_->not_kept();
                break;
        }
    }
    if (summary.missing == 0) return;
    err << fmt::format(
        "n6vp: {}: cut off, {} {} beyond the limit are missing\n"
        "      raise --trace-limit, or select a part with --trace-filter\n",
        traces::terminal_text(plan_->file), summary.missing,
        plan_->format == TraceFormat::Instructions ? "instructions" : "steps");
}

}  // namespace n6vp::sim::trace
