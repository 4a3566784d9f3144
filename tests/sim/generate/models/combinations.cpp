// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/generate/models/combinations.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

#include "tests/support/process.h"

namespace n6vp::test {

namespace {

const std::string kNetworks = N6VP_NETWORKS;

/// Demands that neither the model nor the firmware did what only --strict refuses: stale bytes,
/// buffers in use, registers that are not modelled. Assumptions of the NPU are no fault of theirs.
void check_clean(const nlohmann::json& report) {
    CHECK(report.at("coherence").at("events") == 0);
    CHECK(report.at("registers_not_modelled").empty());
    CHECK(report.at("faults").empty());
    for (const nlohmann::json& event : report.at("events")) {
        const std::string kind = event.at("kind");
        CAPTURE(kind);
        CHECK((kind == "npu_assumption" || kind == "unwritten_read"));
    }
}

std::string output_of(const std::string& model, const Way& way, const Expectation& expectation) {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    const Outcome outcome = run_process({N6VP_BINARY,   "run",
                                         model,         "--json",
                                         "--max-time",  "2s",
                                         "--mode",      way.mode,
                                         "--timing",    way.timing,
                                         "--coherence", way.coherence,
                                         "-i",          expectation.input,
                                         "--expect",    expectation.output,
                                         "--tolerance", std::to_string(expectation.tolerance),
                                         "-o",          out});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    check_clean(nlohmann::json::parse(outcome.out));
    return read_text(out + "/output_0.npy");
}

}  // namespace

const std::vector<Way>& all_ways() {
    static const std::vector<Way> ways = [] {
        std::vector<Way> all;
        for (const char* mode : {"xip", "copy"}) {
            for (const char* timing : {"functional", "approx", "precise"}) {
                for (const char* coherence : {"ideal", "real"}) {
                    all.push_back({mode, timing, coherence});
                }
            }
        }
        return all;
    }();
    return ways;
}

const std::vector<Way>& paired_ways() {
    static const std::vector<Way> ways = {
        {"xip", "functional", "ideal"}, {"copy", "functional", "real"},
        {"xip", "approx", "real"},      {"copy", "approx", "ideal"},
        {"xip", "precise", "real"},     {"copy", "precise", "ideal"}};
    return ways;
}

void check_ways(const std::string& model, const std::vector<Way>& ways,
                const Expectation& expectation, std::string& first) {
    constexpr std::size_t kHead = 128;  // of a .npy file
    for (const Way& way : ways) {
        CAPTURE(way.mode);
        CAPTURE(way.timing);
        CAPTURE(way.coherence);
        const std::string output = output_of(model, way, expectation);
        if (first.empty()) {
            first = output;
            // Not all one value: a model that computes nothing would agree, too.
            REQUIRE(output.size() > kHead);
            CHECK(std::count(output.begin() + kHead, output.end(), output.back()) <
                  static_cast<std::ptrdiff_t>(output.size() - kHead));
        }
        CHECK(output == first);
    }
}

void check_network(const Network& network, const std::vector<std::string>& options,
                   const std::vector<Way>& ways) {
    const std::string expected = kNetworks + "/expected/" + network.name + "/rand1";
    std::string first;
    for (const bool controller : {true, false}) {
        CAPTURE(controller);
        const ScratchFolder folder;
        std::vector<std::string> words = {N6VP_BINARY, "generate",
                                          kNetworks + "/" + network.name + ".tflite", "-o",
                                          folder.file("model")};
        words.insert(words.end(), options.begin(), options.end());
        if (!controller) words.emplace_back("--no-ec");
        REQUIRE(run_process(words).exit_code == 0);
        check_ways(folder.file("model/network_rel.bin"), ways,
                   {expected + "_in.npy", expected + "_out0.npy", network.tolerance}, first);
    }
}

}  // namespace n6vp::test
