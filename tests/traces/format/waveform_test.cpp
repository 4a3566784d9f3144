// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/traces/sample_log.h"
#include "traces/trace_sinks.h"

using namespace n6vp::traces;
using n6vp::test::SampleLog;

namespace {

/// A reader of value change dumps: signals by name with scopes, values as they are waveform_text.
struct Dump {
    using Change = std::pair<std::uint64_t, std::string>;
    std::map<std::string, std::vector<Change>> signals;
    std::string timescale;
    bool ascends = true;
    unsigned comments = 0;

    explicit Dump(const std::string& text) {
        std::istringstream in(text);
        std::map<std::string, std::string> names;
        std::string scope, word;
        std::uint64_t now = 0;
        bool timed = false;
        while (in >> word) {
            if (word == "$scope") {
                in >> word >> word;
                scope += word + ".";
                until_end(in);
            } else if (word == "$upscope") {
                const std::size_t dot = scope.rfind('.', scope.size() - 2);
                scope = dot == std::string::npos ? "" : scope.substr(0, dot + 1);
                until_end(in);
            } else if (word == "$var") {
                std::string kind, bits, code, name;
                in >> kind >> bits >> code >> name;
                if (!names.emplace(code, scope + name).second) {
                    throw std::runtime_error("a code twice");
                }
                if (!signals.emplace(scope + name, std::vector<Change>()).second) {
                    throw std::runtime_error("a name twice");
                }
                until_end(in);
            } else if (word == "$timescale") {
                timescale = until_end(in);
            } else if (word == "$comment") {
                ++comments;
                until_end(in);
            } else if (word == "$version" || word == "$enddefinitions") {
                until_end(in);
            } else if (word[0] == '#') {
                const std::uint64_t at = std::stoull(word.substr(1));
                ascends = ascends && (!timed || at > now);
                timed = true;
                now = at;
            } else if (word[0] != '$') {
                std::string value = word.substr(0, 1), code = word.substr(1);
                if (word[0] == 'b' || word[0] == 'r') {
                    value = word.substr(1);
                    in >> code;
                }
                signals.at(names.at(code)).emplace_back(now, value);
            }
        }
    }

  private:
    static std::string until_end(std::istream& in) {
        std::string word, text;
        while (in >> word && word != "$end") text += word;
        return text;
    }
};

std::string waveform_text(const TraceLog& log, const TraceOutput& output = {}) {
    std::ostringstream out;
    static_cast<void>(write_waveform(out, log, output));
    return out.str();
}

using Changes = std::vector<Dump::Change>;

}  // namespace

TEST_CASE("waveform: wires, numbers and counters change when they should") {
    const SampleLog sample;
    const Dump dump(waveform_text(sample.log));
    CHECK(dump.timescale == "1ps");
    CHECK(dump.ascends);
    CHECK(dump.signals.size() == 4);
    CHECK(dump.signals.at("n6vp.NPU.STRENG0") ==
          Changes{{1'000'000, "0"}, {5'500'000, "1"}, {6'500'000, "0"}});
    CHECK(dump.signals.at("n6vp.NPU.epoch") ==
          Changes{{1'000'000, "0"}, {5'000'000, "111"}, {7'000'500, "0"}});
    // The number of the innermost slice.
    CHECK(dump.signals.at("n6vp.Core.phase") == Changes{{1'000'000, "0"},
                                                        {1'000'000, "11"},
                                                        {2'000'000, "100"},
                                                        {4'000'000, "11"},
                                                        {8'000'000, "101"},
                                                        {9'000'000, "0"}});
    CHECK(dump.signals.at("n6vp.NPU.NPU_port_0") ==
          Changes{{1'000'000, "0"}, {5'000'000, "100"}, {6'000'000, "812.5"}, {7'000'000, "0"}});
}

TEST_CASE("waveform: counters are reals, all else has as many wires as it needs") {
    const std::string text = waveform_text(SampleLog().log);
    CHECK(text.find("$var wire 1 ") != std::string::npos);   // the engine
    CHECK(text.find("$var wire 32 ") != std::string::npos);  // epoch and phase
    CHECK(text.find("$var real 64 ") != std::string::npos);  // the port
    CHECK(text.find("$var real 64 ") == text.rfind("$var real "));
}

TEST_CASE("waveform: tracks of one name get names of their own") {
    TraceLog log;
    const TrackId group = log.add_track({"1 $end", Track::Kind::Group, kNoTrack, "core", 0, {}});
    for (int i = 0; i < 100; ++i) {
        log.add_track({"a b", Track::Kind::Slices, group, "core", 1, {}});
    }
    const Dump dump(waveform_text(log));
    CHECK(dump.signals.size() == 100);
    CHECK(dump.signals.contains("n6vp._1__end.a_b"));
    CHECK(dump.signals.contains("n6vp._1__end.a_b_100"));
}

TEST_CASE("waveform: the limit holds and a comment says so") {
    TraceLog log;
    const TrackId group = log.add_track({"g", Track::Kind::Group, kNoTrack, "core", 0, {}});
    const TrackId track = log.add_track({"t", Track::Kind::Slices, group, "core", 1, {}});
    for (TraceTime i = 0; i < 9000; ++i) log.slice(track, 1000 * i, 1000 * i + 500, "part");
    TraceOutput output;
    output.limit = kMinTraceLimit;
    const std::string text = waveform_text(log, output);
    CHECK(text.size() <= output.limit);
    CHECK(text.size() > output.limit * 9 / 10);
    const Dump dump(text);
    CHECK(dump.ascends);
    CHECK(dump.comments == 1);
    CHECK(dump.signals.at("n6vp.g.t").back().second == "0");
}

TEST_CASE("waveform: the same log gives the same bytes") {
    CHECK(waveform_text(SampleLog().log) == waveform_text(SampleLog().log));
}
