// SPDX-License-Identifier: Apache-2.0
// Instructions that leave the quick way go on as the others do: a frame left behind for each would
// fill the small stack that the core's thread has on the host.
#include <doctest/doctest.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::BenchCore;

namespace {

constexpr std::uint32_t kRounds = 2000, kRepeats = 7;  // as many as a conditional branch reaches
constexpr std::uint32_t kInstructions = 3 + kRounds * (kRepeats * 8 + 2) + 1;

/// Seven of eight take the slow way: lanes that are off, and sums of denormal numbers.
void put_slow_line(BenchBus& bus) {
    bus.program(BenchBus::kCode, {0xEEA2, 0x2B10,    // vdup.32 q1,r2
                                  0xEEA4, 0x2B10,    // vdup.32 q2,r2
                                  0xEEED, 0x0A10});  // vmsr p0,r0
    constexpr std::uint32_t kFirst = BenchBus::kCode + 12, kBytes = 32;
    for (std::uint32_t i = 0; i < kRepeats; ++i) {
        bus.program(kFirst + i * kBytes, {0xFE31, 0x2F4D,    // vpstttt
                                          0xEF00, 0x0842,    // vaddt.i8 q0,q0,q1
                                          0xEF14, 0x0552,    // vqrshlt.s16 q0,q1,q2
                                          0xEF02, 0x0D44,    // vaddt.f32 q0,q1,q2
                                          0xEF02, 0x0044,    // vhaddt.s8 q0,q1,q2
                                          0xEF02, 0x0D44,    // vadd.f32 q0,q1,q2
                                          0xEE32, 0x6A04,    // vadd.f32 s12,s4,s8
                                          0xEE22, 0x6A04});  // vmul.f32 s12,s4,s8
    }
    bus.program(kFirst + kRepeats * kBytes, {0x3901,    // subs r1,#1
                                             0xD18D,    // bne to the first vpstttt
                                             0x4770});  // bx lr
}

struct SlowRun {
    BenchCore bench;
    Stop stop = Stop::Lockup;
};

void* run_slow_line(void* argument) {
    auto& run = *static_cast<SlowRun*>(argument);
    constexpr std::uint32_t kHalfTheLanes = 0x0F0F, kDenormal = 1;
    run.stop = run.bench.call(0, {kHalfTheLanes, kRounds, kDenormal});
    return nullptr;
}

}  // namespace

TEST_CASE("instructions on the slow way leave nothing on the host's stack") {
    constexpr std::size_t kStackBytes = std::size_t{64} << 10;
    SlowRun run;
    put_slow_line(run.bench.bus);
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, kStackBytes) == 0);
    pthread_t thread = 0;
    REQUIRE(pthread_create(&thread, &attributes, run_slow_line, &run) == 0);
    CHECK(pthread_join(thread, nullptr) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    CHECK(run.stop == Stop::Returned);
    CHECK(run.bench.core.reg(1) == 0);
    CHECK(run.bench.core.instructions() == kInstructions);
}
