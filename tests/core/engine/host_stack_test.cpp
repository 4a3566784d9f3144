// SPDX-License-Identifier: Apache-2.0
// Instructions that leave the quick way go on as the others do: a frame left behind for each would
// end the host's stack (8 MiB, by default) long before the code of the guest ends.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::BenchCore;

TEST_CASE("a million instructions on the slow way leave nothing on the host's stack") {
    constexpr std::uint32_t kRounds = 1'000'000;
    constexpr std::uint64_t kMostCycles = 100'000'000;
    BenchCore bench;
    bench.bus.program(BenchBus::kCode, {0xEEA2, 0x2B10,  //    vdup.32 q1,r2
                                        0xEEA4, 0x2B10,  //    vdup.32 q2,r2
                                        0xEEED, 0x0A10,  //    vmsr p0,r0
                                        0xFE71, 0x0F4D,  // 1: vpst
                                        0xEF00, 0x0842,  //    vaddt.i8 q0,q0,q1
                                        0xFE71, 0x0F4D,  //    vpst
                                        0xEF14, 0x0552,  //    vqrshlt.s16 q0,q1,q2
                                        0xFE71, 0x0F4D,  //    vpst
                                        0xEF02, 0x0D44,  //    vaddt.f32 q0,q1,q2
                                        0xEF02, 0x0D44,  //    vadd.f32 q0,q1,q2
                                        0xEE32, 0x6A04,  //    vadd.f32 s12,s4,s8
                                        0x3901,          //    subs r1,#1
                                        0xD1ED,          //    bne 1b
                                        0x4770});        //    bx lr
    constexpr std::uint32_t kHalfTheLanes = 0x0F0F, kDenormal = 1;
    constexpr std::array kArguments{kHalfTheLanes, kRounds, kDenormal};
    CHECK(bench.core.call(BenchBus::kCode, kArguments, kMostCycles) == Stop::Returned);
    CHECK(bench.core.reg(1) == 0);
    CHECK(bench.core.instructions() == 3 + kRounds * 10 + 1);
}
