// SPDX-License-Identifier: Apache-2.0
// Generated networks in every combination of who programs the epochs, where the code runs, grade of
// time and kind of caches: the outputs are the same bytes, and near those of the TFLite
// interpreter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/sim/process.h"

using namespace n6vp::test;

namespace {

const std::string kNetworks = N6VP_NETWORKS;

struct Network {
    const char* name;
    int tolerance;  ///< the largest difference from the interpreter (sim/generate/README.md)
};
constexpr Network kAnomaly{"ad01_int8", 0}, kKeywords{"kws_ref_model", 0},
    kPictures{"pretrainedResnet_quant", 2}, kPersons{"vww_96_int8", 0};

struct Way {
    const char *mode, *timing, *coherence;
};
const std::vector<Way> kAllWays = [] {
    std::vector<Way> ways;
    for (const char* mode : {"xip", "copy"}) {
        for (const char* timing : {"functional", "approx", "precise"}) {
            for (const char* coherence : {"ideal", "real"}) {
                ways.push_back({mode, timing, coherence});
            }
        }
    }
    return ways;
}();
/// Every pair of values of two settings occurs in at least one of them.
const std::vector<Way> kPairs = {{"xip", "functional", "ideal"}, {"copy", "functional", "real"},
                                 {"xip", "approx", "real"},      {"copy", "approx", "ideal"},
                                 {"xip", "precise", "real"},     {"copy", "precise", "ideal"}};

/// What --strict refuses is a fault of the model or the firmware: stale bytes, buffers in use,
/// registers that are not modelled.
std::string output_of(const ScratchFolder& folder, const std::string& model, const Network& network,
                      const Way& way) {
    const std::string expected = kNetworks + "/expected/" + network.name + "/rand1";
    const std::string out = folder.file("out");
    const Outcome outcome = run_process({N6VP_BINARY,
                                         "run",
                                         model,
                                         "--strict",
                                         "--quiet",
                                         "--max-time",
                                         "2s",
                                         "--mode",
                                         way.mode,
                                         "--timing",
                                         way.timing,
                                         "--coherence",
                                         way.coherence,
                                         "-i",
                                         expected + "_in.npy",
                                         "--expect",
                                         expected + "_out0.npy",
                                         "--tolerance",
                                         std::to_string(network.tolerance),
                                         "-o",
                                         out});
    INFO(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    return read_text(out + "/output_0.npy");
}

void check(const Network& network, const std::vector<std::string>& weights,
           const std::vector<Way>& ways) {
    std::string first;
    for (const char* programmed_by : {"controller", "core"}) {
        CAPTURE(programmed_by);
        const ScratchFolder folder;
        std::vector<std::string> words = {N6VP_BINARY, "generate",
                                          kNetworks + "/" + network.name + ".tflite", "-o",
                                          folder.file("model")};
        words.insert(words.end(), weights.begin(), weights.end());
        if (programmed_by == std::string("core")) words.emplace_back("--no-ec");
        REQUIRE(run_process(words).exit_code == 0);
        for (const Way& way : ways) {
            CAPTURE(way.mode);
            CAPTURE(way.timing);
            CAPTURE(way.coherence);
            const std::string output =
                output_of(folder, folder.file("model/network_rel.bin"), network, way);
            if (first.empty()) {
                first = output;
                // Not all one value: a model that computes nothing would agree, too.
                REQUIRE(output.size() > 128);
                CHECK(std::count(output.begin() + 128, output.end(), output.back()) <
                      static_cast<std::ptrdiff_t>(output.size() - 128));
            }
            CHECK(output == first);
        }
    }
}

const std::vector<std::string> kInPlace, kCopied = {"--weights", "npuRAM6"},
                                         kOutside = {"--mpool", N6VP_PSRAM_POOLS};

}  // namespace

TEST_CASE("anomaly detection: the same outputs in all 24 combinations") {
    check(kAnomaly, kInPlace, kAllWays);
}
TEST_CASE("keyword spotting: the same outputs in all 24 combinations") {
    check(kKeywords, kInPlace, kAllWays);
}
TEST_CASE("keyword spotting with copied weights: the same outputs, all pairs of settings") {
    check(kKeywords, kCopied, kPairs);
}
TEST_CASE("keyword spotting with activations in PSRAM: the same outputs in all 24 combinations") {
    check(kKeywords, kOutside, kAllWays);
}
TEST_CASE("picture classes: the same outputs, all pairs of settings") {
    check(kPictures, kInPlace, kPairs);
}
TEST_CASE("persons in pictures: the same outputs, all pairs of settings") {
    check(kPersons, kInPlace, kPairs);
}

// ctest -C long -L long
TEST_CASE("long: picture classes in all 24 combinations" * doctest::skip()) {
    check(kPictures, kInPlace, kAllWays);
}
TEST_CASE("long: picture classes with copied weights in all 24 combinations" * doctest::skip()) {
    check(kPictures, kCopied, kAllWays);
}
TEST_CASE("long: persons in pictures in all 24 combinations" * doctest::skip()) {
    check(kPersons, kInPlace, kAllWays);
}
TEST_CASE("long: persons in pictures with copied weights in all 24 combinations" *
          doctest::skip()) {
    check(kPersons, kCopied, kAllWays);
}
