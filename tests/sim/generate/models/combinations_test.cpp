// SPDX-License-Identifier: Apache-2.0
// Generated networks in combinations of all settings: the outputs are the same bytes, and near
// those of the TFLite interpreter.
#include <doctest/doctest.h>

#include "tests/sim/generate/models/combinations.h"

using namespace n6vp::test;

namespace {

const std::vector<std::string> kOutside = {"--mpool", N6VP_PSRAM_POOLS};

}  // namespace

TEST_CASE("anomaly detection: the same outputs in all 24 combinations") {
    check_network(kAnomaly, kInPlace, all_ways());
}
TEST_CASE("keyword spotting: the same outputs in all 24 combinations") {
    check_network(kKeywords, kInPlace, all_ways());
}
TEST_CASE("keyword spotting with copied weights: the same outputs, all pairs of settings") {
    check_network(kKeywords, kCopied, paired_ways());
}
TEST_CASE("keyword spotting with activations in PSRAM: the same outputs in all 24 combinations") {
    check_network(kKeywords, kOutside, all_ways());
}
TEST_CASE("picture classes: the same outputs, all pairs of settings") {
    check_network(kPictures, kInPlace, paired_ways());
}
TEST_CASE("persons in pictures: the same outputs, all pairs of settings") {
    check_network(kPersons, kInPlace, paired_ways());
}
