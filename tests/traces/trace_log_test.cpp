// SPDX-License-Identifier: Apache-2.0
#include "traces/trace_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/traces/sample_log.h"

using namespace n6vp::traces;
using n6vp::test::SampleLog;
using Kind = TraceStep::Kind;

namespace {

/// "B" and "E" with the slice's index, of one track.
std::string nesting(const std::vector<TraceStep>& steps, TrackId track) {
    std::string text;
    for (const TraceStep& step : steps) {
        if (step.track != track) continue;
        if (step.kind == Kind::Begin) text += "B" + std::to_string(step.index);
        if (step.kind == Kind::End) text += "E" + std::to_string(step.index);
    }
    return text;
}

bool ascending(const std::vector<TraceStep>& steps) {
    return std::is_sorted(steps.begin(), steps.end(),
                          [](const auto& one, const auto& two) { return one.at < two.at; });
}

}  // namespace

TEST_CASE("trace log: steps ascend and slices of a track nest") {
    const SampleLog sample;
    const std::vector<TraceStep> steps = ordered(sample.log);
    CHECK(ascending(steps));
    // Slices in the order of the calls: epoch, inference, hostile, outputs, engine.
    CHECK(nesting(steps, sample.phase) == "B1B2E2B3E3E1");
    CHECK(nesting(steps, sample.epoch) == "B0E0");
    // What would outlast the slice around it ends with that.
    for (const TraceStep& step : steps) {
        if (step.kind == Kind::End && step.index == 3) CHECK(step.at == 9'000'000);
    }
}

TEST_CASE("trace log: slices that follow each other at one time do not nest") {
    TraceLog log;
    const TrackId track = log.add_track({"t", Track::Kind::Slices, kNoTrack, "core", 1, {}});
    log.slice(track, 10, 20, "second");
    log.slice(track, 0, 10, "first");
    CHECK(nesting(ordered(log), track) == "B1E1B0E0");
}

TEST_CASE("trace log: a window clips slices and keeps the value of counters") {
    const SampleLog sample;
    TraceChoice choice;
    choice.windows = {{6'200'000, 6'400'000}};
    const std::vector<TraceStep> steps = ordered(sample.log, choice);
    REQUIRE(!steps.empty());
    CHECK(steps.front().at == 6'200'000);
    CHECK(steps.back().at == 6'400'000);
    CHECK(nesting(steps, sample.phase) == "B1E1");
    CHECK(nesting(steps, sample.engine) == "B4E4");
    const auto value = std::find_if(steps.begin(), steps.end(),
                                    [](const TraceStep& step) { return step.kind == Kind::Value; });
    REQUIRE(value != steps.end());
    CHECK(value->at == 6'200'000);
    CHECK(sample.log.points()[value->index].value == 812.5);
}

TEST_CASE("trace log: windows that touch are one, and others leave a gap") {
    const SampleLog sample;
    TraceChoice choice;
    choice.windows = {{8'500'000, 8'600'000}, {1'500'000, 1'600'000}, {1'600'000, 1'700'000}};
    const std::vector<TraceStep> steps = ordered(sample.log, choice);
    CHECK(ascending(steps));
    CHECK(nesting(steps, sample.phase) == "B1E1B1B3E3E1");
    // One within another does not cut it.
    choice.windows = {{1'500'000, 1'900'000}, {1'600'000, 1'700'000}};
    CHECK(ordered(sample.log, choice).back().at == 1'900'000);
    choice.windows = {{1, 0}};
    CHECK(ordered(sample.log, choice).empty());
}

TEST_CASE("trace log: categories choose tracks") {
    const SampleLog sample;
    TraceChoice choice;
    choice.categories = {"engine", "bus"};
    const std::vector<TraceStep> steps = ordered(sample.log, choice);
    CHECK(steps.size() == 6);  // a slice, a mark, three values
    for (const TraceStep& step : steps) {
        CHECK((step.track == sample.engine || step.track == sample.port));
    }
}

TEST_CASE("trace log: what is beyond the limit is counted") {
    TraceLog log(2);
    const TrackId track = log.add_track({"t", Track::Kind::Slices, kNoTrack, "core", 1, {}});
    log.slice(track, 0, 10, "a");
    log.mark(track, 5, "b");
    CHECK(log.begin(track, 6, "c") == TraceLog::kNotKept);
    log.end(TraceLog::kNotKept, 7);
    log.mark(track, 8, "d");
    CHECK(log.not_kept() == 2);
    log.allow(1);
    log.mark(track, 9, "e");
    CHECK(log.not_kept() == 2);
    CHECK(ordered(log).size() == 4);
}

TEST_CASE("trace log: long names are cut between characters") {
    TraceLog log;
    const TrackId track = log.add_track({"t", Track::Kind::Slices, kNoTrack, "core", 1, {}});
    std::string name(TraceLog::kMaxText - 1, 'x');
    log.mark(track, 0, name + "\xC3\xA9" + std::string(100'000, 'y'));
    CHECK(log.text(log.points()[0].name) == name + "...");
}

TEST_CASE("trace log: what nobody ended ends with the run") {
    TraceLog log;
    const TrackId track = log.add_track({"t", Track::Kind::Slices, kNoTrack, "core", 1, {}});
    log.begin(track, 4, "open");
    log.finish(9);
    CHECK(log.slices()[0].end == 9);
}
