// SPDX-License-Identifier: Apache-2.0
#include "traces/page/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include "traces/escape.h"

namespace n6vp::traces {

namespace {

/// A JSON value inside a page: markup cannot begin or end in it.
[[nodiscard]] std::string quoted(std::string_view text) {
    std::string result;
    for (const char c : json_string(text)) {
        if (c == '<' || c == '>' || c == '&') {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result;
}

[[nodiscard]] std::string shortest_nanoseconds(TraceTime at) {
    constexpr TraceTime kPerNanosecond = 1000;
    const TraceTime rest = at % kPerNanosecond;
    return rest == 0 ? fmt::format("{}", at / kPerNanosecond)
                     : fmt::format("{}.{:03}", at / kPerNanosecond, rest);
}

/// Writes a list of values, each made by `one`.
template <class List, class One>
void list(std::ostream& out, std::string_view name, const List& values, const One& one) {
    out << quoted(name) << ":[";
    const char* separator = "";
    for (const auto& value : values) {
        out << separator << one(value);
        separator = ",\n";
    }
    out << ']';
}

[[nodiscard]] std::string phase_json(const PagePhase& phase) {
    return fmt::format(
        R"({{"name":{},"depth":{},"ended":{},"block":{},"start":{},"end":{},"cycles":{},"instructions":{},"bytes":{},"waited":{}}})",
        quoted(phase.name), phase.depth, phase.ended, phase.block,
        shortest_nanoseconds(phase.start), shortest_nanoseconds(phase.end), phase.cycles,
        phase.instructions, phase.bytes, shortest_nanoseconds(phase.waited));
}

[[nodiscard]] std::string epoch_json(const EpochRecord& epoch, std::size_t index) {
    std::string bound;
    for (const EpochShare& part : epoch.bound) {
        bound +=
            fmt::format("{}[{},{:.5f}]", bound.empty() ? "" : ",", quoted(part.cause), part.share);
    }
    const std::string name =
        epoch.number < 0 ? fmt::format("#{}", index) : fmt::format("{}", epoch.number);
    return fmt::format(
        R"({{"name":{},"phase":{},"start":{},"end":{},"cycles":{:.3f},"bound":[{}],"macs":{},"use":{:.5f},"read":{},"written":{},"fetched":{},"hits":{},"misses":{},"waited":{:.3f},"bursts_waited":{},"engines":{}}})",
        quoted(name), quoted(epoch.phase), shortest_nanoseconds(epoch.start),
        shortest_nanoseconds(epoch.end), epoch.npu_cycles, bound, epoch.macs, epoch.utilisation,
        epoch.bytes_read, epoch.bytes_written, epoch.controller_bytes, epoch.cache_hits,
        epoch.cache_misses, epoch.waited_cycles, shortest_nanoseconds(epoch.bursts_waited),
        quoted(epoch.engines));
}

void write_lane(std::ostream& out, const PageLane& lane) {
    out << fmt::format("{{\"name\":{},\"color\":{},", quoted(lane.name), quoted(lane.color));
    list(out, "names", lane.names, [](const std::string& name) { return quoted(name); });
    out << ',';
    list(out, "slices", lane.slices, [](const PageLane::Slice& slice) {
        return fmt::format("[{},{},{}]", shortest_nanoseconds(slice.from),
                           shortest_nanoseconds(slice.to), slice.name);
    });
    out << '}';
}

void write_curve(std::ostream& out, const PageCurve& curve) {
    double most = 0;
    for (const auto& point : curve.points) most = std::max(most, point.second);
    out << fmt::format("{{\"name\":{},\"unit\":{},\"color\":{},\"most\":{:.5g},",
                       quoted(curve.name), quoted(curve.unit), quoted(curve.color), most);
    list(out, "points", curve.points, [](const auto& point) {
        return fmt::format("[{},{:.5g}]", shortest_nanoseconds(point.first), point.second);
    });
    out << '}';
}

[[nodiscard]] std::string use_json(const PageUse& use) {
    return fmt::format(R"({{"what":{},"kind":{},"offset":{},"bytes":{}}})", quoted(use.what),
                       quoted(use.kind), use.offset, use.bytes);
}

void write_memory(std::ostream& out, const PageMemory& memory) {
    out << fmt::format(
        R"({{"name":{},"base":{},"bytes":{},"read":{},"written":{},"reading":{:.5f},"writing":{:.5f},)",
        quoted(memory.name), quoted(memory.base), memory.bytes, memory.read, memory.written,
        memory.reading, memory.writing);
    list(out, "uses", memory.uses, use_json);
    out << '}';
}

[[nodiscard]] std::string flow_json(const PageFlow& flow) {
    return fmt::format(
        R"({{"master":{},"memory":{},"bursts":{},"read":{},"written":{},"waited":{},"because":{}}})",
        quoted(flow.master), quoted(flow.memory), flow.bursts, flow.read, flow.written,
        shortest_nanoseconds(flow.waited), quoted(flow.because));
}

/// Writes a list of values that write themselves.
template <class List, class Write>
void objects(std::ostream& out, std::string_view name, const List& values, const Write& write) {
    out << quoted(name) << ":[";
    const char* separator = "\n";
    for (const auto& value : values) {
        out << separator;
        write(out, value);
        separator = ",\n";
    }
    out << "],\n";
}

void write_data(std::ostream& out, const ReportPage& page) {
    out << fmt::format("{{\"title\":{},\"subtitle\":{},\"footer\":{},\"end\":{},\n",
                       quoted(page.title), quoted(page.subtitle), quoted(page.footer),
                       shortest_nanoseconds(page.end));
    list(out, "assumptions", page.assumptions,
         [](const std::string& text) { return quoted(text); });
    out << ",\n";
    list(out, "facts", page.facts, [](const PageFact& fact) {
        return fmt::format(R"({{"label":{},"value":{},"note":{}}})", quoted(fact.label),
                           quoted(fact.value), quoted(fact.note));
    });
    out << ",\n";
    std::size_t number = 0;
    list(out, "causes", page.causes, [&number](const EpochCause& cause) {
        return fmt::format(R"({{"name":{},"sentence":{},"color":"--cause-{}"}})",
                           quoted(cause.name), quoted(cause.sentence), number++);
    });
    out << ",\n";
    list(out, "phases", page.phases, phase_json);
    out << ",\n";
    std::size_t index = 0;
    list(out, "epochs", page.epochs,
         [&index](const EpochRecord& epoch) { return epoch_json(epoch, index++); });
    out << ",\n";
    objects(out, "lanes", page.lanes, write_lane);
    objects(out, "curves", page.curves, write_curve);
    objects(out, "memories", page.memories, write_memory);
    list(out, "flows", page.flows, flow_json);
    out << ",\n";
    list(out, "events", page.events, [](const std::string& text) { return quoted(text); });
    out << '}';
}

/// Returns a colour that may stand in a style sheet, whatever it came from.
[[nodiscard]] std::string plain_color(const std::string& color) {
    constexpr std::size_t kLength = 7;  // #rrggbb
    const bool plain = color.size() == kLength && color[0] == '#' &&
                       color.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
    return plain ? color : "#6b7280";
}

/// Writes a variable for the colour of each cause, in both themes.
void write_cause_colors(std::ostream& out, const std::vector<EpochCause>& causes) {
    std::string light, dark;
    for (std::size_t i = 0; i < causes.size(); ++i) {
        light += fmt::format("--cause-{}: {}; ", i, plain_color(causes[i].light));
        dark += fmt::format("--cause-{}: {}; ", i, plain_color(causes[i].dark));
    }
    out << fmt::format(":root {{ {}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {}}} }}\n",
                       light, dark);
}

}  // namespace

void write_report_page(std::ostream& out, const ReportPage& page) {
    // The policy refuses whatever would be loaded, should anything ever ask for it.
    out << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        << html_text(page.title) << " - n6vp</title>\n<style>\n"
        << page_style();
    write_cause_colors(out, page.causes);
    out << "</style>\n</head>\n<body>\n<main>\n<noscript>This page needs scripts to draw its "
           "charts. It is self-contained.</noscript>\n</main>\n"
           "<script type=\"application/json\" id=\"data\">";
    write_data(out, page);
    out << "</script>\n<script>\n" << page_script() << "</script>\n</body>\n</html>\n";
}

}  // namespace n6vp::traces
