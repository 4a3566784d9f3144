// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/traces/sample_log.h"
#include "traces/trace_sinks.h"

using namespace n6vp::traces;
using n6vp::test::SampleLog;
using Json = nlohmann::json;

namespace {

std::string chrome_text(const TraceLog& log, const TraceOutput& output = {}) {
    std::ostringstream out;
    static_cast<void>(write_chrome_trace(out, log, output));
    return out.str();
}

/// Fails the test if times descend, or if slices are left open or closed that were not.
void check_order(const Json& trace) {
    std::map<std::pair<int, int>, int> open;
    double last = 0;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] == "M") continue;
        CHECK(event["ts"].get<double>() >= last);
        last = event["ts"];
        const std::pair<int, int> place{event["pid"], event["tid"]};
        if (event["ph"] == "B") ++open[place];
        if (event["ph"] == "E") CHECK(--open[place] >= 0);
    }
    for (const auto& row : open) CHECK(row.second == 0);
}

}  // namespace

TEST_CASE("Chrome trace: another reader finds every event") {
    const SampleLog sample;
    const std::string text = chrome_text(sample.log);
    const Json trace = Json::parse(text);
    check_order(trace);
    CHECK(trace["otherData"]["schema"] == "n6vp.trace/2");
    std::map<std::string, int> kinds;
    for (const Json& event : trace["traceEvents"]) ++kinds[event["ph"]];
    CHECK(kinds == std::map<std::string, int>{{"M", 10}, {"B", 5}, {"E", 5}, {"C", 3}, {"i", 1}});
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "B" || event["name"] != "epoch 7") continue;
        CHECK(event["ts"] == 5.0);
        CHECK(event["cat"] == "npu");
        CHECK(event["args"]["cycles"] == 2000.5);
    }
    CHECK(text.find("\"ts\":7.000500") != std::string::npos);
}

TEST_CASE("Chrome trace: an event is on the thread of its track, which bears the track's name") {
    const SampleLog sample;
    const Json trace = Json::parse(chrome_text(sample.log));
    using Place = std::pair<int, int>;
    const std::size_t tracks_in_all = sample.log.tracks().size();
    std::map<int, std::string> processes;
    std::map<Place, std::string> threads;
    for (const Json& event : trace["traceEvents"]) {
        // Thread 0 has the mark of a trace that was cut off.
        CHECK(event["pid"].get<std::int64_t>() > 0);
        CHECK(event["tid"].get<std::int64_t>() > 0);
        CHECK(event["tid"].get<std::int64_t>() <= static_cast<std::int64_t>(tracks_in_all));
        if (event["ph"] != "M") continue;
        const Place place{event["pid"], event["tid"]};
        if (event["name"] == "process_name") processes[place.first] = event["args"]["name"];
        if (event["name"] == "thread_name") threads[place] = event["args"]["name"];
    }
    std::map<std::string, std::string> tracks;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "B") continue;
        const Place place{event["pid"], event["tid"]};
        tracks[event["name"]] = processes.at(place.first) + "/" + threads.at(place);
    }
    CHECK(tracks["epoch 7"] == "NPU/epoch");
    CHECK(tracks["read"] == "NPU/STRENG0");
    CHECK(tracks["inference"] == "Core/phase");
}

TEST_CASE("Chrome trace: hostile names stay names") {
    const SampleLog sample;
    const std::string text = chrome_text(sample.log);
    for (const char c : text) CHECK((c == '\n' || (c >= ' ' && c < 0x7F)));
    unsigned found = 0;
    const Json trace = Json::parse(text);
    for (const Json& event : trace["traceEvents"]) {
        if (!event.contains("name")) continue;
        // Bytes that are no text become U+FFFD.
        if (event["name"] == "</script>\"\\\x1b[31m\n\xEF\xBF\xBD$end,=1") ++found;
    }
    CHECK(found == 2);
}

TEST_CASE("Chrome trace: the limit holds, and the file says what is missing") {
    TraceLog log;
    const TrackId group = log.add_track({"g", Track::Kind::Group, kNoTrack, "core", 0, {}});
    const TrackId track = log.add_track({"t", Track::Kind::Slices, group, "core", 1, {}});
    log.slice(track, 0, 1'000'000'000, "whole");
    for (TraceTime i = 0; i < 5000; ++i) log.slice(track, 1000 * i, 1000 * i + 500, "part");
    TraceOutput output;
    output.limit = kMinTraceLimit;
    std::ostringstream out;
    const TraceSummary summary = write_chrome_trace(out, log, output);
    CHECK(out.str().size() <= output.limit);
    CHECK(out.str().size() > output.limit * 9 / 10);
    CHECK(summary.missing > 0);
    CHECK(summary.steps + summary.missing == 10'002);
    const Json trace = Json::parse(out.str());
    check_order(trace);
    const Json& last = trace["traceEvents"].back();
    CHECK(last["name"] == "trace cut off: limit reached");
    CHECK(last["args"]["missing"] == summary.missing);
}

TEST_CASE("Chrome trace: the same log gives the same bytes") {
    CHECK(chrome_text(SampleLog().log) == chrome_text(SampleLog().log));
}
