// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/core/integer/machine.h"
#include "tests/core/vector_integer/vectors.h"

// Instructions that leave a number in general registers, and those that count.

namespace {

using namespace n6vp::test;

/// Folds lane `i` of n = q1 and m = q2 into the accumulator.
struct Sum {
    const char* name;
    std::uint32_t encoding;  ///< Rda = r2, RdaHi = r3, Qn = q1, Qm = q2
    unsigned bytes;
    bool is_signed, is_long, adds;
    std::function<std::int64_t(std::int64_t n, std::int64_t n_neighbour, std::int64_t m,
                               unsigned i)>
        term;
};

const std::vector<Sum>& sums() {
    using I = std::int64_t;
    const auto product = [](I n, I, I m, unsigned) { return n * m; };
    const auto lane = [](I n, I, I, unsigned) { return n; };
    static const std::vector<Sum> all = {
        {"vaddv.u8", 0xFEF12F02, 1, false, false, false, lane},
        {"vaddva.u8", 0xFEF12F22, 1, false, false, true, lane},
        {"vaddva.s8", 0xEEF12F22, 1, true, false, true, lane},
        {"vaddva.s16", 0xEEF52F22, 2, true, false, true, lane},
        {"vaddva.u16", 0xFEF52F22, 2, false, false, true, lane},
        {"vaddva.s32", 0xEEF92F22, 4, true, false, true, lane},
        {"vaddlva.u32", 0xFE992F22, 4, false, true, true, lane},
        {"vaddlv.s32", 0xEE992F02, 4, true, true, false, lane},
        {"vmlav.s8", 0xEEF22F04, 1, true, false, false, product},
        {"vmlava.s8", 0xEEF22F24, 1, true, false, true, product},
        {"vmlava.u8", 0xFEF22F24, 1, false, false, true, product},
        {"vmlava.s16", 0xEEF22E24, 2, true, false, true, product},
        {"vmlava.u16", 0xFEF22E24, 2, false, false, true, product},
        {"vmlava.s32", 0xEEF32E24, 4, true, false, true, product},
        {"vmlalva.s16", 0xEE922E24, 2, true, true, true, product},
        {"vmlalva.u16", 0xFE922E24, 2, false, true, true, product},
        {"vmlalv.s16", 0xEE922E04, 2, true, true, false, product},
        {"vmlsdavax.s16", 0xEEF23E25, 2, true, false, true,
         [](I, I neighbour, I m, unsigned i) { return (i % 2 != 0 ? -1 : 1) * neighbour * m; }},
        {"vmladavx.s8", 0xEEF23F04, 1, true, false, false,
         [](I, I neighbour, I m, unsigned) { return neighbour * m; }},
        {"vabav.u8", 0xFE822F05, 1, false, false, true,
         [](I n, I, I m, unsigned) { return std::abs(n - m); }},
        {"vabav.s32", 0xEEA22F05, 4, true, false, true,
         [](I n, I, I m, unsigned) { return std::abs(n - m); }},
    };
    return all;
}

void check_sum(Machine& machine, Random& random, const Sum& test) {
    auto& cpu = machine.cpu();
    fill_vectors(cpu, random);
    const std::uint32_t active = draw_predicate(cpu, random);
    cpu.r[2] = random();
    cpu.r[3] = random();
    const std::uint64_t before = std::uint64_t{cpu.r[3]} << 32 | cpu.r[2];
    std::uint64_t sum = test.adds ? before : 0;
    for (unsigned i = 0; i < 16 / test.bytes; ++i) {
        const auto at = [&](unsigned offset, unsigned index) {
            return element(cpu, offset, test.bytes, test.is_signed, index);
        };
        if ((active >> (i * test.bytes) & 1) == 0) continue;
        sum += static_cast<std::uint64_t>(test.term(at(16, i), at(16, i ^ 1), at(32, i), i));
    }
    const auto vectors = cpu.vector;
    REQUIRE(machine.run_wide(test.encoding));
    CHECK(cpu.r[2] == static_cast<std::uint32_t>(sum));
    CHECK(cpu.r[3] == static_cast<std::uint32_t>((test.is_long ? sum : before) >> 32));
    CHECK(cpu.vector == vectors);
}

}  // namespace

TEST_CASE("sums of lanes and of products arrive in general registers") {
    Machine machine;
    Random random(4);
    for (const Sum& test : sums()) {
        // Sums over one vector have it in Qm, which these encodings make q1.
        CAPTURE(test.name);
        for (int round = 0; round < 500; ++round) check_sum(machine, random, test);
    }
}

TEST_CASE("products of the lowest halfwords do not change the sign of their sum") {
    Machine machine;
    auto& cpu = machine.cpu();
    for (unsigned i = 0; i < 64; ++i) cpu.vector.at(i) = static_cast<std::uint8_t>(i % 2 * 0x80);
    REQUIRE(machine.run_wide(0xEE922E04));  // vmlalv.s16 r2, r3, q1, q2
    CHECK(cpu.r[2] == 0);
    CHECK(cpu.r[3] == 2);  // 8 * 2^30 = 2^33
}

TEST_CASE("the extreme of the lanes and a register stays in the register") {
    Machine machine;
    auto& cpu = machine.cpu();
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        fill_vectors(cpu, random);
        const std::uint32_t active = draw_predicate(cpu, random);
        cpu.r[2] = random();
        std::int64_t largest = static_cast<int>((cpu.r[2] & 0xFF) ^ 0x80) - 0x80;
        for (unsigned i = 0; i < 16; ++i) {
            if ((active >> i & 1) != 0) largest = std::max(largest, element(cpu, 16, 1, true, i));
        }
        const std::uint32_t vpr = cpu.vpr;
        REQUIRE(machine.run_wide(0xEEE22F02));  // vmaxv.s8 r2, q1
        CHECK(cpu.r[2] == static_cast<std::uint32_t>(largest));

        cpu.vpr = vpr;
        cpu.r[2] = random();
        std::int64_t smallest = cpu.r[2] & 0xFFFF;
        for (unsigned i = 0; i < 8; ++i) {
            const std::int64_t magnitude = std::abs(element(cpu, 16, 2, true, i));
            if ((active >> (2 * i) & 1) != 0) smallest = std::min(smallest, magnitude);
        }
        REQUIRE(machine.run_wide(0xEEE42F82));  // vminav.s16 r2, q1
        CHECK(cpu.r[2] == static_cast<std::uint32_t>(smallest));
    }
}

TEST_CASE("lanes count, wrap and leave the next value") {
    Machine machine;
    auto& cpu = machine.cpu();
    cpu.r[2] = 10;
    REQUIRE(machine.run_wide(0xEE130FEE));  // vidup.u16 q0, r2, #4
    for (unsigned i = 0; i < 8; ++i) CHECK(element(cpu, 0, 2, false, i) == 10 + 4 * i);
    CHECK(cpu.r[2] == 42);

    cpu.r[2] = 8;
    cpu.r[3] = 16;
    REQUIRE(machine.run_wide(0xEE230FE2));  // viwdup.u32 q0, r2, r3, #4
    for (unsigned i = 0; i < 4; ++i) CHECK(element(cpu, 0, 4, false, i) == (8 + 4 * i) % 16);
    CHECK(cpu.r[2] == 8);

    cpu.r[2] = 4;
    cpu.r[3] = 10;
    REQUIRE(machine.run_wide(0xEE031F63));  // vdwdup.u8 q0, r2, r3, #2
    constexpr std::int64_t kExpected[] = {4, 2, 0, 8, 6, 4, 2, 0, 8, 6, 4, 2, 0, 8, 6, 4};
    for (unsigned i = 0; i < 16; ++i) CHECK(element(cpu, 0, 1, false, i) == kExpected[i]);
    CHECK(cpu.r[2] == 2);
}
