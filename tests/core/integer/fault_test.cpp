// SPDX-License-Identifier: Apache-2.0
// What stops data processing: the stack limit, division by zero, unpredictable operands.
#include <doctest/doctest.h>

#include <cstdint>

#include "tests/core/integer/machine.h"

using n6vp::models::core::Exception;
using n6vp::test::Machine;
namespace cfsr = n6vp::models::core::cfsr;

namespace {

constexpr std::uint32_t kLimit = 0x20001000;

/// Executes a wide (or, below 0x10000, narrow) instruction that moves the stack pointer from
/// `from` to `to`, which r2 and r3 serve as they need.
void check_stack_move(std::uint32_t encoding, std::uint32_t from, std::uint32_t to) {
    CAPTURE(encoding);
    CAPTURE(to);
    Machine machine;
    machine.cpu().sp_limit = kLimit;
    machine.reg(13) = from;
    machine.reg(2) = to;
    machine.reg(3) = to - from;
    machine.reg(4) = from - to;
    machine.set_nzcv(0xF);
    const bool done = encoding < 0x10000 ? machine.run({static_cast<std::uint16_t>(encoding)})
                                         : machine.run_wide(encoding);
    CHECK(done == (to >= kLimit));
    if (done) {
        CHECK(machine.reg(13) == (to & ~3u));
    } else {
        CHECK(machine.cpu().fault.exception == Exception::UsageFault);
        CHECK(machine.cpu().fault.status == cfsr::kStkOf);
        CHECK(machine.reg(13) == from);
        CHECK(machine.nzcv() == 0xF);
    }
}

}  // namespace

TEST_CASE("moves of the stack pointer respect its limit") {
    for (const std::uint32_t to : {kLimit + 8, kLimit, kLimit - 8}) {
        check_stack_move(0x4695, kLimit + 16, to);      // mov sp, r2
        check_stack_move(0x449D, kLimit + 16, to);      // add sp, r3
        check_stack_move(0xEB0D0D03, kLimit + 16, to);  // add.w sp, sp, r3
        check_stack_move(0xEBAD0D04, kLimit + 16, to);  // sub.w sp, sp, r4
        check_stack_move(0xEBBD0D04, kLimit + 16, to);  // subs.w sp, sp, r4, but for the flags
    }
    check_stack_move(0xB082, kLimit + 8, kLimit);                  // sub sp, #8
    check_stack_move(0xB082, kLimit + 4, kLimit - 4);              // sub sp, #8
    check_stack_move(0xF1AD0D08, kLimit + 8, kLimit);              // sub.w sp, sp, #8
    check_stack_move(0xF1AD0D08, kLimit, kLimit - 8);              // sub.w sp, sp, #8
    check_stack_move(0xF6AD7D00, kLimit + 8, kLimit + 8 - 0xF00);  // subw sp, sp, #0xf00
    check_stack_move(0xB002, kLimit - 8, kLimit);                  // add sp, #8
    check_stack_move(0xB001, kLimit - 8, kLimit - 4);              // add sp, #4: still below
}

TEST_CASE("the stack pointer stays aligned to words") {
    Machine machine;
    machine.reg(2) = 0x20002007;
    REQUIRE(machine.run({0x4695}));  // mov sp, r2
    CHECK(machine.reg(13) == 0x20002004);
}

TEST_CASE("division") {
    Machine machine;
    const auto divide = [&](std::uint32_t encoding, std::uint32_t a, std::uint32_t b) {
        machine.reg(0) = 99;
        machine.reg(1) = a;
        machine.reg(2) = b;
        return machine.run_wide(encoding);
    };
    constexpr std::uint32_t kSigned = 0xFB91F0F2, kUnsigned = 0xFBB1F0F2;
    REQUIRE(divide(kSigned, 0x80000000, 0xFFFFFFFF));
    CHECK(machine.reg(0) == 0x80000000);
    REQUIRE(divide(kSigned, 0xFFFFFFF9, 2));  // -7 / 2 rounds towards zero
    CHECK(machine.reg(0) == 0xFFFFFFFD);
    REQUIRE(divide(kSigned, 7, 0xFFFFFFFF));
    CHECK(machine.reg(0) == 0xFFFFFFF9);
    REQUIRE(divide(kUnsigned, 0xFFFFFFF9, 2));
    CHECK(machine.reg(0) == 0x7FFFFFFC);
    for (const std::uint32_t encoding : {kSigned, kUnsigned}) {
        REQUIRE(divide(encoding, 5, 0));
        CHECK(machine.reg(0) == 0);
    }
    machine.trap_division_by_zero();
    for (const std::uint32_t encoding : {kSigned, kUnsigned}) {
        CHECK_FALSE(divide(encoding, 5, 0));
        CHECK(machine.cpu().fault.exception == Exception::UsageFault);
        CHECK(machine.cpu().fault.status == cfsr::kDivByZero);
        CHECK(machine.reg(0) == 99);
        CHECK(divide(encoding, 5, 1));
    }
}

TEST_CASE("encodings that no core need understand are undefined") {
    for (const std::uint32_t encoding : {
             0xEB510F02u,  // adcs.w pc, r1, r2
             0xF36000C1u,  // bfi r0, r0, #3, with bit 1 as the last
             0xF34070DFu,  // sbfx r0, r0, #31, #32
             0xEA500D0Fu,  // lsll r0, sp, #32
             0xEA50D10Du,  // lsll r0, r1, sp
             0xEA50010Du,  // lsll r0, r1, r0: the amount in the pair itself
             0xEA5D0F0Fu,  // uqshl sp, #32
             0xEA511F2Du,  // sqrshr r1, r1
             0xEA518D02u,  // csel sp, r1, r2, eq
             0xEA5D8002u,  // csel r0, sp, r2, eq
         }) {
        CAPTURE(encoding);
        Machine machine;
        CHECK_FALSE(machine.run_wide(encoding));
        CHECK(machine.cpu().fault.exception == Exception::UsageFault);
        CHECK(machine.cpu().fault.status == cfsr::kUndefInstr);
    }
}
