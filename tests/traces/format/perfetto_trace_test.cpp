// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/traces/format/protobuf_reader.h"
#include "tests/traces/sample_log.h"
#include "traces/trace_sinks.h"

using namespace n6vp::traces;
using n6vp::test::PerfettoReader;
using n6vp::test::SampleLog;

namespace {

std::string perfetto_bytes(const TraceLog& log, const TraceOutput& output = {}) {
    std::ostringstream out;
    static_cast<void>(write_perfetto_trace(out, log, output));
    return out.str();
}

}  // namespace

TEST_CASE("Perfetto trace: another reader has nothing to complain of") {
    const SampleLog sample;
    const std::string bytes = perfetto_bytes(sample.log);
    const PerfettoReader trace(bytes);
    CHECK(trace.complaints.empty());
    CHECK(trace.tracks.size() == 6);
    CHECK(trace.events.size() == 14);
    std::string types;
    for (const auto& event : trace.events) {
        if (trace.tracks.at(event.track).name == "phase") types += "?BE"[event.type];
    }
    CHECK(types == "BBEBEE");
}

TEST_CASE("Perfetto trace: names, details and values come through") {
    const SampleLog sample;
    const std::string bytes = perfetto_bytes(sample.log);
    const PerfettoReader trace(bytes);
    const auto named = [&](const std::string& name) {
        return std::find_if(trace.events.begin(), trace.events.end(),
                            [&](const auto& event) { return event.name == name; });
    };
    REQUIRE(named("epoch 7") != trace.events.end());
    const PerfettoReader::Event epoch = *named("epoch 7");
    CHECK(epoch.time == 5000);
    CHECK(epoch.category == "npu");
    CHECK(trace.tracks.at(epoch.track).name == "epoch");
    CHECK(trace.tracks.at(trace.tracks.at(epoch.track).parent).name == "NPU");
    CHECK(epoch.details.at("cycles").real == 2000.5);
    REQUIRE(named("read") != trace.events.end());
    CHECK(named("read")->details.at("bytes").number == 4096);
    std::vector<double> values;
    for (const auto& event : trace.events) {
        if (event.type == 4) values.push_back(event.value);
    }
    CHECK(values == std::vector<double>{100, 812.5, 0});
}

TEST_CASE("Perfetto trace: tracks keep the order in which the log has them") {
    const SampleLog sample;
    const std::string bytes = perfetto_bytes(sample.log);
    const PerfettoReader trace(bytes);
    std::vector<std::pair<std::uint64_t, std::string>> shown;
    for (const auto& [uuid, track] : trace.tracks) shown.emplace_back(track.rank, track.name);
    CHECK_FALSE(trace.tracks.contains(0));  // that is a track of Perfetto's own
    std::sort(shown.begin(), shown.end());
    std::vector<std::string> names;
    names.reserve(shown.size());
    for (const auto& [rank, name] : shown) names.push_back(name);
    CHECK(names ==
          std::vector<std::string>{"Core", "phase", "NPU", "epoch", "STRENG0", "NPU port 0"});
    for (std::size_t i = 1; i < shown.size(); ++i) CHECK(shown[i - 1].first < shown[i].first);
}

TEST_CASE("Perfetto trace: at the limit those slices end that are open, on their own tracks") {
    TraceLog log;
    const TrackId group = log.add_track({"g", Track::Kind::Group, kNoTrack, "core", 0, {}});
    const auto track = [&](const char* name) {
        return log.add_track({name, Track::Kind::Slices, group, "core", 1, {}});
    };
    const TrackId first = track("first"), second = track("second"), busy = track("busy");
    // The one that began first ends first.
    log.slice(first, 0, 2000, "short");
    log.slice(second, 1000, 1'000'000'000, "long");
    for (TraceTime i = 3; i < 9000; ++i) log.slice(busy, 1000 * i, 1000 * i + 500, "part");
    TraceOutput output;
    output.limit = kMinTraceLimit;
    const std::string bytes = perfetto_bytes(log, output);
    const PerfettoReader trace(bytes);
    CHECK(trace.events.back().name == "trace cut off: limit reached");
    CHECK(trace.complaints == std::vector<std::string>{});
    const auto ends = [&](const char* name) {
        return std::count_if(trace.events.begin(), trace.events.end(), [&](const auto& event) {
            return event.type == 2 && trace.tracks.at(event.track).name == name;
        });
    };
    CHECK(ends("first") == 1);
    CHECK(ends("second") == 1);
}

TEST_CASE("Perfetto trace: what the log could not keep is missing, and the file says so") {
    TraceLog log(2);
    const TrackId track = log.add_track({"t", Track::Kind::Slices, kNoTrack, "core", 1, {}});
    for (TraceTime i = 0; i < 5; ++i) log.slice(track, 1000 * i, 1000 * i + 500, "part");
    std::ostringstream out;
    const TraceSummary summary = write_perfetto_trace(out, log, {});
    CHECK(summary.steps == 4);  // a beginning and an end for each of two slices
    CHECK(summary.missing == 3);
    const std::string bytes = out.str();
    const PerfettoReader trace(bytes);
    CHECK(trace.events.back().name == "trace cut off: limit reached");
    CHECK(trace.events.back().details.at("missing").number == 3);
}

TEST_CASE("Perfetto trace: hostile names have no control characters, and stay UTF-8") {
    const SampleLog sample;
    const std::string bytes = perfetto_bytes(sample.log);
    const PerfettoReader trace(bytes);
    unsigned found = 0;
    for (const auto& event : trace.events) {
        if (event.name.starts_with("</script>")) ++found;
        for (const char c : event.name) CHECK((c >= ' ' && c < 0x7F));
    }
    CHECK(found == 2);
}

TEST_CASE("Perfetto trace: the limit holds, slices end, and a mark says what is missing") {
    TraceLog log;
    const TrackId group = log.add_track({"g", Track::Kind::Group, kNoTrack, "core", 0, {}});
    const TrackId track = log.add_track({"t", Track::Kind::Slices, group, "core", 1, {}});
    log.slice(track, 0, 1'000'000'000, "whole");
    for (TraceTime i = 0; i < 9000; ++i) log.slice(track, 1000 * i, 1000 * i + 500, "part");
    TraceOutput output;
    output.limit = kMinTraceLimit;
    const std::string bytes = perfetto_bytes(log, output);
    CHECK(bytes.size() <= output.limit);
    CHECK(bytes.size() > output.limit * 9 / 10);
    const PerfettoReader trace(bytes);
    CHECK(trace.complaints.empty());
    CHECK(trace.events.back().name == "trace cut off: limit reached");
    CHECK(trace.events.back().details.at("missing").number > 10'000);
}

TEST_CASE("Perfetto trace: the same log gives the same bytes") {
    CHECK(perfetto_bytes(SampleLog().log) == perfetto_bytes(SampleLog().log));
}
