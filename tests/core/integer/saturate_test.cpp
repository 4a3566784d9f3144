// SPDX-License-Identifier: Apache-2.0
// Saturation and the sticky flag Q by exact arithmetic on edge values; lanes and GE by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "tests/core/integer/machine.h"

using n6vp::test::kEdges;
using n6vp::test::Machine;

namespace {

std::int64_t as_signed(std::uint32_t value) {
    return static_cast<std::int32_t>(value);
}
std::int64_t half(std::uint32_t value, bool top) {
    return static_cast<std::int16_t>(top ? value >> 16 : value & 0xFFFF);
}
std::int64_t limited(std::int64_t value) {
    return std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX);
}
bool fits(std::int64_t value) {
    return value == limited(value);
}

/// r0 = op(r1, r2, r3), with Q clear before.
std::uint32_t run(Machine& machine, std::uint32_t encoding, std::uint32_t a, std::uint32_t b,
                  std::uint32_t c = 0) {
    machine.cpu().q = 0;
    machine.reg(1) = a;
    machine.reg(2) = b;
    machine.reg(3) = c;
    REQUIRE(machine.run_wide(encoding));
    return machine.reg(0);
}

}  // namespace

TEST_CASE("SSAT and USAT at every width") {
    Machine machine;
    for (const std::uint32_t value : kEdges) {
        for (unsigned bits = 0; bits < 32; ++bits) {
            CAPTURE(value);
            CAPTURE(bits);
            const std::int64_t exact = as_signed(value);
            const std::int64_t top = (std::int64_t{1} << bits) - 1;
            const auto unsigned_result = std::clamp<std::int64_t>(exact, 0, top);
            CHECK(run(machine, 0xF3810000 | bits, value, 0) ==
                  static_cast<std::uint32_t>(unsigned_result));
            CHECK(machine.cpu().q == (unsigned_result != exact ? 1 : 0));
            // SSAT encodes its width less one.
            const auto signed_result = std::clamp<std::int64_t>(exact, -top - 1, top);
            CHECK(run(machine, 0xF3010000 | bits, value, 0) ==
                  static_cast<std::uint32_t>(signed_result));
            CHECK(machine.cpu().q == (signed_result != exact ? 1 : 0));
        }
    }
}

TEST_CASE("QADD and its kin") {
    Machine machine;
    for (const std::uint32_t n : kEdges) {
        for (const std::uint32_t m : kEdges) {
            CAPTURE(n);
            CAPTURE(m);
            const std::int64_t twice = limited(as_signed(n) * 2);
            const bool lost = !fits(as_signed(n) * 2);
            const struct {
                std::uint32_t encoding;
                std::int64_t exact;
                bool lost;
            } cases[] = {
                {0xFA81F082, as_signed(m) + as_signed(n), false},  // qadd r0, r2, r1
                {0xFA81F092, as_signed(m) + twice, lost},          // qdadd
                {0xFA81F0A2, as_signed(m) - as_signed(n), false},  // qsub
                {0xFA81F0B2, as_signed(m) - twice, lost},          // qdsub
            };
            for (const auto& one : cases) {
                CAPTURE(one.encoding);
                CHECK(run(machine, one.encoding, n, m) ==
                      static_cast<std::uint32_t>(limited(one.exact)));
                CHECK(machine.cpu().q == (one.lost || !fits(one.exact) ? 1 : 0));
            }
        }
    }
}

TEST_CASE("products of halfwords set Q where the accumulator overflows") {
    Machine machine;
    for (const std::uint32_t n : {0x80008000u, 0x7FFF8000u, 0x00017FFFu}) {
        for (const std::uint32_t m : {0x80008000u, 0x80007FFFu, 0xFFFF0002u}) {
            for (const std::uint32_t a : kEdges) {
                CAPTURE(n);
                CAPTURE(m);
                CAPTURE(a);
                const std::int64_t straight_low = half(n, false) * half(m, false);
                const std::int64_t straight_high = half(n, true) * half(m, true);
                const std::int64_t crossed_low = half(n, false) * half(m, true);
                const std::int64_t crossed_high = half(n, true) * half(m, false);
                const struct {
                    std::uint32_t encoding;
                    std::int64_t exact;
                } cases[] = {
                    {0xFB113002, straight_low + as_signed(a)},                  // smlabb
                    {0xFB113012, crossed_low + as_signed(a)},                   // smlabt
                    {0xFB113022, crossed_high + as_signed(a)},                  // smlatb
                    {0xFB113032, straight_high + as_signed(a)},                 // smlatt
                    {0xFB21F002, straight_low + straight_high},                 // smuad
                    {0xFB21F012, crossed_low + crossed_high},                   // smuadx
                    {0xFB213002, straight_low + straight_high + as_signed(a)},  // smlad
                    {0xFB413012, crossed_low - crossed_high + as_signed(a)},    // smlsdx
                };
                for (const auto& one : cases) {
                    CAPTURE(one.encoding);
                    CHECK(run(machine, one.encoding, n, m, a) ==
                          static_cast<std::uint32_t>(one.exact));
                    CHECK(machine.cpu().q == (fits(one.exact) ? 0 : 1));
                }
            }
        }
    }
}

TEST_CASE("lanes") {
    Machine machine;
    // Bytes 0x7F+1, 0x80+0xFF, 0+0, 0xFF+1.
    constexpr std::uint32_t kA = 0x7F8000FF, kB = 0x01FF0001;
    CHECK(run(machine, 0xFA81F002, kA, kB) == 0x807F0000);  // sadd8: 128, -129, 0, 0
    CHECK(machine.cpu().ge == 0b1011);
    CHECK(run(machine, 0xFA81F042, kA, kB) == 0x807F0000);  // uadd8: carries of lanes 2 and 0
    CHECK(machine.cpu().ge == 0b0101);
    CHECK(run(machine, 0xFA81F012, kA, kB) == 0x7F800000);  // qadd8
    CHECK(run(machine, 0xFA81F022, kA, kB) == 0x40BF0000);  // shadd8: 64, -65, 0, 0
    CHECK(run(machine, 0xFA81F052, kA, kB) == 0x80FF00FF);  // uqadd8
    CHECK(run(machine, 0xFA81F062, kA, kB) == 0x40BF0080);  // uhadd8: 64, 191, 0, 128
    CHECK(machine.cpu().ge == 0b0101);                      // of uadd8
    // 0x8000 + 0x0001 above, 0x0002 - 0x7FFF below.
    constexpr std::uint32_t kC = 0x80000002, kD = 0x7FFF0001;
    CHECK(run(machine, 0xFAA1F002, kC, kD) == 0x80018003);  // sasx
    CHECK(machine.cpu().ge == 0);
    CHECK(run(machine, 0xFAA1F042, kC, kD) == 0x80018003);  // uasx
    CHECK(machine.cpu().ge == 0);
    // 0x8000 - 0x0001 above, 0x0002 + 0x7FFF below.
    CHECK(run(machine, 0xFAE1F002, kC, kD) == 0x7FFF8001);  // ssax
    CHECK(machine.cpu().ge == 0b0011);
    CHECK(run(machine, 0xFAA1F082, 0x11111111, 0x22222222) == 0x22221111);  // sel
    CHECK(run(machine, 0xFAE1F012, kC, kD) == 0x80007FFF);                  // qsax
    CHECK(machine.cpu().ge == 0b0011);
    CHECK(machine.cpu().q == 0);  // lanes saturate silently
}
