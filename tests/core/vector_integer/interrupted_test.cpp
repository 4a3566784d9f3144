// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>

#include "models/core/ir/predication.h"
#include "tests/core/integer/machine.h"
#include "tests/core/vector_integer/vectors.h"

// Chains through the lanes of a vector, whole and after an exception that came between two beats.

namespace {

using namespace n6vp::test;
using n6vp::models::core::CpuState;
using n6vp::models::core::kEciA0A1;
constexpr std::uint32_t kCarry = 1u << 29;

std::uint64_t half(const CpuState& cpu, unsigned offset) {
    std::uint64_t value = 0;
    std::memcpy(&value, cpu.vector.data() + offset, 8);
    return value;
}

}  // namespace

TEST_CASE("VADCI and VADC add numbers of any length") {
    Machine machine;
    auto& cpu = machine.cpu();
    Random random(6);
    for (int round = 0; round < 200; ++round) {
        fill_vectors(cpu, random);
        cpu.fpscr = random() % 2 != 0 ? 0xF0000000 : 0;
        const std::uint64_t n0 = half(cpu, 16), n1 = half(cpu, 24), m0 = half(cpu, 32),
                            m1 = half(cpu, 40);
        REQUIRE(machine.run_wide(0xEE321F04));  // vadci.i32 q0, q1, q2
        const std::uint64_t carry = n0 + m0 < n0 ? 1 : 0, high = n1 + m1 + carry;
        CHECK(half(cpu, 0) == n0 + m0);
        CHECK(half(cpu, 8) == high);
        const bool out = n1 + m1 < n1 || high < carry;
        CHECK(cpu.fpscr == (out ? kCarry : 0));

        REQUIRE(machine.run_wide(0xEE320F04));  // vadc.i32 q0, q1, q2
        CHECK(half(cpu, 0) == n0 + m0 + (out ? 1 : 0));

        REQUIRE(machine.run_wide(0xFE321F04));  // vsbci.i32 q0, q1, q2
        CHECK(half(cpu, 0) == n0 - m0);
        CHECK(half(cpu, 8) == n1 - m1 - (n0 < m0 ? 1 : 0));
        CHECK(cpu.fpscr == (n1 > m1 || (n1 == m1 && n0 >= m0) ? kCarry : 0));
    }
}

TEST_CASE("a chain goes on where an exception interrupted it") {
    Machine whole, resumed;
    auto& expected = whole.cpu();
    auto& cpu = resumed.cpu();
    Random random(7);
    // vadci, vshlc r2, vidup r2, vaddv r2, vmlalv r2 r3, vabav r2
    for (const std::uint32_t encoding :
         {0xEE321F04u, 0xEEA50FC2u, 0xEE130FEEu, 0xFEF12F02u, 0xEE922E04u, 0xFE822F05u}) {
        CAPTURE(encoding);
        for (int round = 0; round < 50; ++round) {
            fill_vectors(expected, random);
            expected.r[2] = random();
            expected.r[3] = random();
            expected.vpr = 0;
            expected.fpscr = 0;
            // The state in the middle: the instruction with the upper two beats predicated off.
            cpu.vector = expected.vector;
            cpu.r = expected.r;
            cpu.fpscr = 0;
            cpu.vpr = 0;
            REQUIRE(whole.run_wide(encoding));
            const auto vectors = cpu.vector;
            const std::uint32_t r2 = cpu.r[2];
            cpu.vpr = 0x8800FF;
            REQUIRE(resumed.run_wide(encoding));
            cpu.vpr = 0;
            // VIDUP counts predicated lanes too: take back those of the upper beats.
            if (encoding == 0xEE130FEE) cpu.r[2] = r2 + 16;
            std::memcpy(cpu.vector.data() + 8, vectors.data() + 8, 8);
            cpu.eci = kEciA0A1;
            REQUIRE(resumed.run_wide(encoding));
            CHECK(cpu.eci == 0);
            CHECK(cpu.vector == expected.vector);
            CHECK(cpu.r[2] == expected.r[2]);
            CHECK(cpu.r[3] == expected.r[3]);
            CHECK(cpu.fpscr == expected.fpscr);
        }
    }
}

TEST_CASE("VQDMULL of words must not overlap its operands") {
    Machine machine;
    CHECK_FALSE(machine.run_wide(0xFE300F05));  // vqdmullb.s32 q0, q0, q2
    CHECK_FALSE(machine.run_wide(0xFE320F01));  // vqdmullb.s32 q0, q1, q0
    CHECK(machine.run_wide(0xEE300F05));        // vqdmullb.s16 q0, q0, q2
    CHECK(machine.run_wide(0xFE320F05));        // vqdmullb.s32 q0, q1, q2
}
