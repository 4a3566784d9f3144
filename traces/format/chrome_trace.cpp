// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "traces/escape.h"
#include "traces/format/limited_steps.h"
#include "traces/trace_sinks.h"

namespace n6vp::traces {

namespace {

constexpr TraceTime kMicrosecond = 1'000'000;  // ps

[[nodiscard]] std::string microseconds(TraceTime at) {
    return fmt::format("{}.{:06}", at / kMicrosecond, at % kMicrosecond);
}

[[nodiscard]] std::string value_text(const TraceDetail& detail) {
    if (const auto* const whole = std::get_if<std::uint64_t>(&detail.value)) {
        return fmt::format("{}", *whole);
    }
    if (const auto* const number = std::get_if<double>(&detail.value)) {
        return fmt::format("{:.6g}", *number);
    }
    return json_string(std::get<std::string>(detail.value));
}

[[nodiscard]] std::string details_text(const TraceDetails& details) {
    std::string text;
    for (const TraceDetail& detail : details) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", json_string(detail.name),
                            value_text(detail));
    }
    return text;
}

class ChromeTrace {
  public:
    static constexpr std::uint64_t kMaxEnd = 96;

    explicit ChromeTrace(const TraceLog& log) : log_(log) {}

    [[nodiscard]] std::string head() const {
        std::string text = fmt::format(
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"schema\":\"n6vp.trace/{}\"}},\n"
            "\"traceEvents\":[",
            kTraceSchema);
        const char* separator = "\n";
        for (TrackId i = 0; i < log_.tracks().size(); ++i) {
            const Track& track = log_.tracks()[i];
            const bool process = track.parent == kNoTrack;
            if (!process && track.kind != Track::Kind::Slices) continue;
            const char* const what = process ? "process" : "thread";
            text += fmt::format(
                "{}{{\"ph\":\"M\",{},\"name\":\"{}_name\",\"args\":{{\"name\":{}}}}},\n"
                "{{\"ph\":\"M\",{},\"name\":\"{}_sort_index\",\"args\":{{\"sort_index\":{}}}}}",
                separator, place(i), what, json_string(track.name), place(i), what, i);
            separator = ",\n";
        }
        return text;
    }

    [[nodiscard]] std::string step(const TraceStep& step) const {
        switch (step.kind) {
            case TraceStep::Kind::Begin: {
                const TraceSlice& slice = log_.slices()[step.index];
                return event("B", step, slice.name, slice.details);
            }
            case TraceStep::Kind::End:
                return end(step.track, step.at);
            case TraceStep::Kind::Mark: {
                const TracePoint& point = log_.points()[step.index];
                return event("i\",\"s\":\"t", step, point.name, point.details);
            }
            default:
                return fmt::format(
                    ",\n{{\"ph\":\"C\",{},\"ts\":{},\"name\":{},\"args\":{{{}:{:.6g}}}}}",
                    place(step.track), microseconds(step.at),
                    json_string(log_.tracks()[step.track].name),
                    json_string(log_.tracks()[step.track].unit), log_.points()[step.index].value);
        }
    }
    [[nodiscard]] std::string end(TrackId track, TraceTime at) const {
        return fmt::format(",\n{{\"ph\":\"E\",{},\"ts\":{}}}", place(track), microseconds(at));
    }
    [[nodiscard]] std::string cut(TraceTime at, std::uint64_t steps) const {
        return fmt::format(
            ",\n{{\"ph\":\"i\",\"s\":\"g\",\"pid\":1,\"tid\":0,\"ts\":{},\"name\":\"trace cut off: "
            "limit reached\",\"args\":{{\"missing\":{}}}}}",
            microseconds(at), steps);
    }
    [[nodiscard]] std::string tail() const { return "\n]}\n"; }

  private:
    /// A process per group at the top, a thread per track.
    [[nodiscard]] std::string place(TrackId track) const {
        TrackId top = track;
        while (log_.tracks()[top].parent != kNoTrack) top = log_.tracks()[top].parent;
        return fmt::format("\"pid\":{},\"tid\":{}", top + 1, track + 1);
    }
    [[nodiscard]] std::string event(const char* kind, const TraceStep& step, std::uint32_t name,
                                    std::uint32_t details) const {
        return fmt::format(
            ",\n{{\"ph\":\"{}\",{},\"ts\":{},\"name\":{},\"cat\":{},\"args\":{{{}}}}}", kind,
            place(step.track), microseconds(step.at), json_string(log_.text(name)),
            json_string(log_.tracks()[step.track].category), details_text(log_.details(details)));
    }

    const TraceLog& log_;
};

}  // namespace

TraceSummary write_chrome_trace(std::ostream& out, const TraceLog& log, const TraceOutput& output) {
    ChromeTrace format(log);
    return write_steps(out, log, output, format);
}

}  // namespace n6vp::traces
