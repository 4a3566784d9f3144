// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "traces/trace_sinks.h"

/// The part that formats with slices have in common: order and limit.
namespace n6vp::traces {

/// What is kept free for the end of the file, the mark of a cut included.
inline constexpr std::uint64_t kTailReserve = 4096;

/// How a format spells things. `Format` has:
///   std::string head()
///   std::string step(const TraceStep&)
///   std::string end(TrackId, TraceTime)              closes the innermost slice of the track
///   std::string cut(TraceTime, std::uint64_t steps)  says that steps are missing from a time on
///   std::string tail()
///   kMaxEnd                                      bytes of `end` at most
template <class Format>
TraceSummary write_steps(std::ostream& out, const TraceLog& log, const TraceOutput& output,
                         Format& format) {
    const std::vector<TraceStep> steps = ordered(log, output.choice);
    TraceSummary summary;
    std::vector<TrackId> open;
    std::uint64_t used = 0;
    const auto put = [&](const std::string& text) {
        out << text;
        used += text.size();
    };
    put(format.head());
    TraceTime last = 0;
    for (const TraceStep& step : steps) {
        const std::string text = format.step(step);
        const std::uint64_t closing = (open.size() + 1) * Format::kMaxEnd;
        last = step.at;
        if (used + text.size() + closing + kTailReserve > output.limit) break;
        put(text);
        ++summary.steps;
        if (step.kind == TraceStep::Kind::Begin) open.push_back(step.track);
        if (step.kind == TraceStep::Kind::End) {
            for (std::size_t i = open.size(); i-- != 0;) {
                if (open[i] != step.track) continue;
                open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
        }
    }
    summary.missing = steps.size() - summary.steps + log.not_kept();
    for (std::size_t i = open.size(); i-- != 0;) put(format.end(open[i], last));
    if (summary.missing != 0) put(format.cut(last, summary.missing));
    put(format.tail());
    return summary;
}

}  // namespace n6vp::traces
