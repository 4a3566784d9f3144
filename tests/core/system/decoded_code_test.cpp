// SPDX-License-Identifier: Apache-2.0
// Code that has run is looked at anew when memory, SAU or the floating-point context has changed.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

constexpr std::uint32_t kAllCode = 0xE000EF50, kCodeLine = 0xE000EF58;  // ICIALLU, ICIMVAU
constexpr std::uint32_t kSauCtrl = 0xE000EDD0, kSauRnr = 0xE000EDD8, kSauRbar = 0xE000EDDC,
                        kSauRlar = 0xE000EDE0, kSecureStatus = 0xE000EDE4;
constexpr std::uint32_t kLine = RamBus::kRam + 0x4000;
constexpr std::uint32_t kInvTran = 1u << 4;

/// Runs what is at `address` to its mark and returns r0.
std::uint32_t result_at(BareCore& bench, std::uint32_t address) {
    bench->set_reg(0, 0);
    bench->set_pc(address);
    CHECK(bench->run(100) == kMark);
    return bench->reg(0);
}

/// movs r0, #number and the mark, as one word.
constexpr std::uint32_t returning(std::uint32_t number) {
    return kStop << 16 | 0x2000 | number;
}

}  // namespace

TEST_CASE("an invalidated line of code is decoded anew, whichever of its bytes is named") {
    // Lines of 32 bytes; the code is changed behind the core's back, as by an alias.
    for (const std::uint32_t place : {0u, 12u, 28u}) {
        for (const std::uint32_t named : {0u, 1u, 14u, 31u}) {
            CAPTURE(place);
            CAPTURE(named);
            BareCore bench;
            bench.code(kLine + place, {0x2001, kStop});
            CHECK(result_at(bench, kLine + place) == 1);
            bench.set_word(kLine + place, returning(2));
            bench.set_reg(kCodeLine, kLine + named);
            CHECK(result_at(bench, kLine + place) == 2);
        }
    }
    BareCore bench;
    bench.code(kLine, {0x2001, kStop});
    CHECK(result_at(bench, kLine) == 1);
    bench.set_word(kLine, returning(3));
    bench.set_reg(kAllCode, 0);
    CHECK(result_at(bench, kLine) == 3);
}

TEST_CASE("SAU: each register that makes code Non-secure does so for code that has run") {
    struct Case {
        const char* text;
        std::uint32_t base, limit, control;     ///< before: the code is Secure
        std::uint32_t changed, value;           ///< the one write that makes it Non-secure
        std::uint32_t back_register, previous;  ///< and the one that takes it back
    };
    constexpr std::uint32_t kBelow = kLine - 0x1000, kAbove = kLine + 0x1000;
    constexpr std::uint32_t kEnd = kAbove + 0xFE0;
    for (const Case& one :
         {Case{"RBAR", kAbove, kEnd | 1, 1, kSauRbar, kLine, kSauRbar, kLine + 32},
          Case{"RLAR", kBelow, (kLine - 32) | 1, 1, kSauRlar, kLine | 1, kSauRlar,
               (kLine - 32) | 1},
          Case{"RLAR.ENABLE", kBelow, kEnd, 1, kSauRlar, kEnd | 1, kSauRlar, kEnd},
          Case{"CTRL", kBelow, kEnd | 1, 0, kSauCtrl, 1, kSauCtrl, 0}}) {
        CAPTURE(std::string(one.text));
        BareCore bench;
        bench.code(kLine, {0x2001, kStop});
        bench.code(BareCore::kHandler, {kStop});
        bench.set_reg(kSauRnr, 0);
        bench.set_reg(kSauRbar, one.base);
        bench.set_reg(kSauRlar, one.limit);
        bench.set_reg(kSauCtrl, one.control);
        CHECK(result_at(bench, kLine) == 1);
        bench.set_reg(one.changed, one.value);
        bench.set_reg(one.back_register, one.previous);
        CHECK(result_at(bench, kLine) == 1);
        CHECK(bench.reg(kSecureStatus) == 0);
        bench.set_reg(one.changed, one.value);
        CHECK(result_at(bench, kLine) == 0);
        CHECK(bench->pc() == BareCore::kHandler);
        CHECK(bench.cpu().ipsr == 3);
        CHECK(bench.reg(kSecureStatus) == kInvTran);
    }
}

TEST_CASE("SAU: registers keep the bits that the architecture gives them, for each region") {
    BareCore bench;
    CHECK(bench.reg(kSauCtrl + 4) == 8);  // SAU_TYPE.SREGION
    for (std::uint32_t i = 0; i < 8; ++i) {
        bench.set_reg(kSauRnr, i);
        bench.set_reg(kSauRbar, 0x20001FFF + 0x10000 * i);
        bench.set_reg(kSauRlar, 0x20002FFC + 0x10000 * i + i % 4);
    }
    for (std::uint32_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        bench.set_reg(kSauRnr, i);
        CHECK(bench.reg(kSauRnr) == i);
        CHECK(bench.reg(kSauRbar) == 0x20001FE0 + 0x10000 * i);
        CHECK(bench.reg(kSauRlar) == 0x20002FE0 + 0x10000 * i + i % 4);
    }
    bench.set_reg(kSauCtrl, 0xFFFFFFFE);
    CHECK(bench.reg(kSauCtrl) == 2);
}

TEST_CASE("code behind a move of FPCXT_S begins a context of its own") {
    // Arm ARM: a read of FPCXT_S, or a write of zero, clears SFPA; the next instruction of the unit
    // begins a Secure context with FPDSCR_S.
    struct Case {
        const char* text;
        std::uint32_t encoding, base;  ///< where r0 ends, from kData
    };
    constexpr std::uint32_t kFpdscr = 0xE000EF3C, kTowardsZero = 3u << 22, kNoTails = 4u << 16;
    constexpr std::uint32_t kActive = 1u << 2, kSecureActive = 1u << 3;
    for (const Case& one :
         {Case{"vstr fpcxts, [r0]", 0xEDC0EF80, 0}, Case{"vstr fpcxts, [r0, #4]!", 0xEDE0EF81, 4},
          Case{"vstr fpcxts, [r0], #4", 0xECE0EF81, 4}, Case{"vmrs r3, fpcxts", 0xEEFF3A10, 0},
          Case{"vldr fpcxts, [r0]", 0xEDD0EF80, 0}, Case{"vmsr fpcxts, r4", 0xEEEF4A10, 0}}) {
        for (const bool used : {false, true}) {
            CAPTURE(std::string(one.text));
            CAPTURE(used);
            BareCore bench;
            bench.set_reg(0xE000ED88, 0xFu << 20);  // CPACR
            bench.set_reg(kFpdscr, kTowardsZero);
            bench->set_reg(0, BareCore::kData);
            bench->set_reg(4, kNoTails);
            bench.set_word(BareCore::kData, kNoTails);
            const unsigned first = used ? 0xEE30 : 0xF3AF, second = used ? 0x0A81 : 0x8000;
            // vadd.f32 s0, s1, s2; the move; vadd or nop.w; mrs r1, control
            bench.code(BareCore::kCode, {0xEE30, 0x0A81, one.encoding >> 16, one.encoding & 0xFFFF,
                                         first, second, 0xF3EF, 0x8114, kStop});
            CHECK(bench->run(100) == kMark);
            CHECK(bench->reg(0) == BareCore::kData + one.base);
            CHECK((bench->reg(1) & (kActive | kSecureActive)) ==
                  (used ? kActive | kSecureActive : kActive));
            CHECK(whole_fpscr(bench.cpu()) == (used ? kTowardsZero | kNoTails : kNoTails));
            // What the moves out have read: SFPA in bit 31.
            constexpr std::uint32_t kRead = 1u << 31 | kTowardsZero | kNoTails;
            if (one.encoding == 0xEEFF3A10) CHECK(bench->reg(3) == kRead);
            if (one.encoding == 0xEDC0EF80 || one.encoding == 0xECE0EF81)
                CHECK(bench.word(BareCore::kData) == kRead);
            if (one.encoding == 0xEDE0EF81) CHECK(bench.word(BareCore::kData + 4) == kRead);
        }
    }
}
