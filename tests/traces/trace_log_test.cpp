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

namespace {

/// A log with one track of slices and one counter.
struct TwoTracks {
    TraceLog log;
    TrackId slices = log.add_track({"s", Track::Kind::Slices, kNoTrack, "core", 1, {}});
    TrackId counter = log.add_track({"c", Track::Kind::Counter, kNoTrack, "bus", 0, "MB/s"});

    /// Kind, time and index of each step within a window: "B10:0".
    [[nodiscard]] std::string steps(TraceTime from, TraceTime to) const {
        TraceChoice choice;
        choice.windows = {{from, to}};
        std::string text;
        for (const TraceStep& step : ordered(log, choice)) {
            const std::size_t kind = static_cast<std::size_t>(step.kind);
            text += (text.empty() ? "" : " ") + std::string(1, "BEMV"[kind]) +
                    std::to_string(step.at) + ":" + std::to_string(step.index);
        }
        return text;
    }
};

}  // namespace

TEST_CASE("trace log: both ends of a window belong to it") {
    TwoTracks test;
    test.log.slice(test.slices, 10, 20, "a");
    test.log.mark(test.slices, 30, "m");
    CHECK(test.steps(20, 25) == "B20:0 E20:0");
    CHECK(test.steps(21, 25).empty());
    CHECK(test.steps(5, 10) == "B10:0 E10:0");
    CHECK(test.steps(5, 9).empty());
    CHECK(test.steps(12, 15) == "B12:0 E15:0");
    CHECK(test.steps(30, 30) == "M30:0");
    CHECK(test.steps(31, 40).empty());
    CHECK(test.steps(21, 29).empty());
}

TEST_CASE("trace log: a counter has its last value where a window begins, a mark is not repeated") {
    TwoTracks test;
    test.log.count(test.counter, 10, 1);
    test.log.count(test.counter, 30, 3);
    test.log.count(test.counter, 20, 2);
    test.log.count(test.counter, 20, 4);  // of two at one time the later call
    test.log.mark(test.slices, 15, "m");
    CHECK(test.steps(25, 35) == "V25:3 V30:1");
    CHECK(test.steps(20, 25) == "V20:0 V20:2 V20:3");
    CHECK(test.steps(9, 9).empty());
    CHECK(test.steps(11, 12) == "V11:0");
    CHECK(test.steps(40, 50) == "V40:1");
    CHECK(test.steps(16, 17) == "V16:0");
}

TEST_CASE("trace log: of slices that begin together the longer one is outside") {
    TwoTracks test;
    test.log.slice(test.slices, 0, 5, "short");
    test.log.slice(test.slices, 0, 9, "long");
    test.log.slice(test.slices, 5, 9, "second");
    CHECK(test.steps(0, 100) == "B0:1 B0:0 E5:0 B5:2 E9:2 E9:1");
}

TEST_CASE("trace log: windows a picosecond apart are two") {
    TwoTracks test;
    test.log.slice(test.slices, 0, 9, "a");
    TraceChoice choice;
    choice.windows = {{4, 5}, {2, 3}, {5, 6}};
    std::vector<TraceTime> times;
    for (const TraceStep& step : ordered(test.log, choice)) times.push_back(step.at);
    CHECK(times == std::vector<TraceTime>{2, 3, 4, 6});
}

TEST_CASE("trace log: details of both ends are kept in order, long texts shortened, names once") {
    TwoTracks test;
    const std::string longest(TraceLog::kMaxText, 'x');
    const std::size_t first = test.log.begin(test.slices, 5, "a", {{"one", std::uint64_t{1}}});
    test.log.end(first, 7, {{"two", longest}, {"three", longest + "y"}});
    const std::size_t second = test.log.begin(test.slices, 5, "a");
    test.log.end(second, 4, {{"late", 0.5}});
    const std::size_t third = test.log.begin(test.slices, 8, "b", {}, 42);
    test.log.end(third, 9);
    const std::size_t open = test.log.begin(test.slices, 20, "c");
    test.log.finish(15);
    const auto& slices = test.log.slices();
    const TraceDetails& details = test.log.details(slices[first].details);
    REQUIRE(details.size() == 3);
    CHECK(details[0].name == "one");
    CHECK(std::get<std::uint64_t>(details[0].value) == 1);
    CHECK(std::get<std::string>(details[1].value) == longest);
    CHECK(details[2].name == "three");
    CHECK(std::get<std::string>(details[2].value) == longest + "...");
    REQUIRE(test.log.details(slices[second].details).size() == 1);
    CHECK(test.log.details(slices[second].details)[0].name == "late");
    CHECK(slices[second].end == 5);  // not before its beginning
    CHECK(slices[third].details == 0);
    CHECK(test.log.details(0).empty());
    CHECK(slices[third].number == 42);
    CHECK(slices[first].number == 1);
    CHECK(slices[open].end == 20);
    CHECK(slices[third].end == 9);
    CHECK(slices[first].name == slices[second].name);
    CHECK(slices[first].name != slices[third].name);
    CHECK(test.log.text(slices[third].name) == "b");
    test.log.mark(test.slices, 30, "m", {{"text", longest + "y"}});
    CHECK(std::get<std::string>(test.log.details(test.log.points()[0].details)[0].value) ==
          longest + "...");
    const TrackId named =
        test.log.add_track({longest + "y", Track::Kind::Group, kNoTrack, "core", 0, {}});
    CHECK(named == 2);
    CHECK(test.log.tracks()[named].name == longest + "...");
}
