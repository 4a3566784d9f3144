// SPDX-License-Identifier: Apache-2.0
// Programs that forget cache maintenance, and their correct twins. The NPU's traffic comes from a
// test master.
#include <doctest/doctest.h>

#include <string>

#include "sim/exec/exec_statistics.h"
#include "tests/platform/scene.h"
#include "tests/platform/target/calls.h"

using namespace n6vp;
using models::NpuCacheEvent;
using models::core::Coherence;
using models::core::CoherenceEvent;
using n6vp::test::Scene;

namespace {

// The values that the parties write, as in target/coherence.c.
constexpr std::uint32_t kOld = 0x11111111, kCores = 0x22222222, kOthers = 0x33333333;

/// What silicon does. `first` did what was wrong with what `second` had done.
struct Expected {
    std::uint32_t scenario;
    std::uint32_t right, wrong;
    std::string first, second;
};

void add(const CoherenceEvent& event, std::string& text) {
    const sim::CoherenceText told = sim::coherence_text(event);
    text += told.first + " / " + told.second + "\n";
}

void add(const NpuCacheEvent& event, std::string& text) {
    text += std::string(sim::initiator_name(event.actor)) + " / " +
            sim::initiator_name(event.writer) + "\n";
}

std::string parties(const Scene::Result& result) {
    std::string text;
    for (const CoherenceEvent& event : result.core) add(event, text);
    for (const NpuCacheEvent& event : result.npu_cache) add(event, text);
    return text;
}

/// The program with the mistake.
void check_wrong(Scene& scene, const Expected& expected, bool ideal) {
    const Scene::Result wrong = scene.run({expected.scenario, 0});
    CHECK(wrong.finished);
    CHECK(wrong.cfsr == 0);
    REQUIRE(wrong.results.size() == 1);
    CHECK(wrong.results[0] == (ideal ? expected.right : expected.wrong));
    const std::string told = parties(wrong);
    INFO(told);
    if (ideal) {
        CHECK(wrong.events() >= 1);
        CHECK(told.find(expected.first + " / " + expected.second) != std::string::npos);
    }
}

/// The same program with the maintenance in place.
void check_twin(Scene& scene, const Expected& expected) {
    const Scene::Result twin = scene.run({expected.scenario, 1});
    CHECK(twin.finished);
    REQUIRE(twin.results.size() == 1);
    CHECK(twin.results[0] == expected.right);
    const std::string told_of_twin = parties(twin);
    INFO(told_of_twin);
    CHECK(twin.events() == 0);
}

void check(const Expected& expected, Coherence coherence) {
    Scene scene("coherence", {.coherence = coherence});
    check_wrong(scene, expected, coherence == Coherence::Ideal);
    check_twin(scene, expected);
}

const std::string kData = "core's data cache", kCode = "core's instruction cache";
const std::string kNpu = "NPU port 0", kController = "epoch controller";

const Expected kMissingClean{COHERENCE_MISSING_CLEAN, kCores, kOld, kNpu, kData};
const Expected kMissingInvalidate{COHERENCE_MISSING_INVALIDATE, kOthers, kOld, kData, kNpu};
const Expected kStaleCode{COHERENCE_STALE_CODE, 2, 1, kCode, "core"};
const Expected kModelSwap{COHERENCE_MODEL_SWAP, kOthers, kOld, kNpu, "host"};
const Expected kDirtyEviction{COHERENCE_DIRTY_EVICTION, kOthers, kCores, kData, kNpu};
const Expected kMissingBarrier{COHERENCE_MISSING_BARRIER, kCores, kOld, kNpu, kData};
const Expected kDirtyBlob{COHERENCE_DIRTY_BLOB, kCores, kOld, kController, kData};
const Expected kDiscarded{COHERENCE_DISCARDED, kCores, kOld, "cache maintenance", kData};
const Expected kUnaligned{COHERENCE_UNALIGNED, kCores, kOld, "cache maintenance", kData};
const Expected kStaleNpuCache{COHERENCE_STALE_NPU_CACHE, kCores, kOld, kNpu, "core data"};

}  // namespace

TEST_CASE("ideal: no clean before the NPU reads") {
    check(kMissingClean, Coherence::Ideal);
}
TEST_CASE("real: no clean before the NPU reads") {
    check(kMissingClean, Coherence::Real);
}
TEST_CASE("ideal: no invalidation after the NPU wrote") {
    check(kMissingInvalidate, Coherence::Ideal);
}
TEST_CASE("real: no invalidation after the NPU wrote") {
    check(kMissingInvalidate, Coherence::Real);
}
TEST_CASE("ideal: I-cache not invalidated after a second installation") {
    check(kStaleCode, Coherence::Ideal);
}
TEST_CASE("real: I-cache not invalidated after a second installation") {
    check(kStaleCode, Coherence::Real);
}
TEST_CASE("ideal: NPU cache not invalidated after a model swap") {
    check(kModelSwap, Coherence::Ideal);
}
TEST_CASE("real: NPU cache not invalidated after a model swap") {
    check(kModelSwap, Coherence::Real);
}
TEST_CASE("ideal: dirty line evicted over the NPU's output") {
    check(kDirtyEviction, Coherence::Ideal);
}
TEST_CASE("real: dirty line evicted over the NPU's output") {
    check(kDirtyEviction, Coherence::Real);
}
TEST_CASE("ideal: no barrier after the clean") {
    check(kMissingBarrier, Coherence::Ideal);
}
TEST_CASE("real: no barrier after the clean") {
    check(kMissingBarrier, Coherence::Real);
}
TEST_CASE("ideal: epoch controller fetches a blob that is still in the D-cache") {
    check(kDirtyBlob, Coherence::Ideal);
}
TEST_CASE("real: epoch controller fetches a blob that is still in the D-cache") {
    check(kDirtyBlob, Coherence::Real);
}
TEST_CASE("ideal: DCIMVAC drops dirty bytes") {
    check(kDiscarded, Coherence::Ideal);
}
TEST_CASE("real: DCIMVAC drops dirty bytes") {
    check(kDiscarded, Coherence::Real);
}
TEST_CASE("ideal: a range within a line takes its neighbour along") {
    check(kUnaligned, Coherence::Ideal);
}
TEST_CASE("real: a range within a line takes its neighbour along") {
    check(kUnaligned, Coherence::Real);
}
TEST_CASE("ideal: NPU cache not maintained after the core rewrote PSRAM") {
    check(kStaleNpuCache, Coherence::Ideal);
}
TEST_CASE("real: NPU cache not maintained after the core rewrote PSRAM") {
    check(kStaleNpuCache, Coherence::Real);
}
