// SPDX-License-Identifier: Apache-2.0
// Rules of loads and stores that comparing single instructions with a reference cannot see: faults
// in the middle, limits, privilege, the monitor. Encodings by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/core/memory/machine.h"

using n6vp::models::core::Exception;
using n6vp::models::core::Intent;
using n6vp::models::core::Permission;
using n6vp::models::core::Stop;
using n6vp::test::Machine;
namespace cfsr = n6vp::models::core::cfsr;

namespace {

constexpr std::uint32_t kData = Machine::kData, kEnd = Machine::kDataEnd;

/// Remembers with which privilege data was asked for.
class Witness : public n6vp::tests::BareSystem {
  public:
    explicit Witness(std::vector<bool>& privileged) : privileged_(privileged) {}
    Permission check(const CpuState& cpu, std::uint32_t address, Intent intent, bool privileged,
                     bool secure) override {
        if (intent != Intent::Execute) privileged_.push_back(privileged);
        return BareSystem::check(cpu, address, intent, privileged, secure);
    }

  private:
    std::vector<bool>& privileged_;
};

}  // namespace

TEST_CASE("a load multiple that faults half-way leaves base and list alone") {
    Machine machine;
    machine.set_word(kEnd - 8, 0x11111111);
    machine.set_word(kEnd - 4, 0x22222222);
    machine.set(0, kEnd - 8);
    for (unsigned number = 1; number < 5; ++number) machine.set(number, number);
    SUBCASE("with writeback") {
        const Stop stop = machine.run({0xC81E});  // LDM r0!, {r1-r4}
        CHECK(machine.faulted(stop, Exception::BusFault, cfsr::kPrecisErr));
        CHECK(machine.state().fault.address == kEnd);
    }
    SUBCASE("with the base in the list") {
        const Stop stop = machine.run({0xE890, 0x001F});  // LDM.W r0, {r0-r4}
        CHECK(machine.faulted(stop, Exception::BusFault, cfsr::kPrecisErr));
    }
    CHECK(machine.core.pc() == Machine::kCode);
    CHECK(machine.reg(0) == kEnd - 8);
    for (unsigned number = 1; number < 5; ++number) CHECK(machine.reg(number) == number);
}

TEST_CASE("a load multiple across a page end is the same as within") {
    for (const std::uint32_t start : {kData + 0x100, kData + 0x1000 - 8}) {
        Machine machine;
        for (std::uint32_t i = 0; i < 4; ++i) machine.set_word(start + 4 * i, 0xA0 + i);
        machine.set(0, start + 16);
        CHECK(machine.run({0xE930, 0x01A4}) == Stop::Semihosting);  // LDMDB r0!, {r2, r5, r7, r8}
        CHECK(machine.reg(0) == start);
        CHECK(machine.reg(2) == 0xA0);
        CHECK(machine.reg(5) == 0xA1);
        CHECK(machine.reg(7) == 0xA2);
        CHECK(machine.reg(8) == 0xA3);
    }
}

TEST_CASE("a store multiple across a page end writes lowest register first") {
    for (const std::uint32_t start : {kData + 0x100, kData + 0x1000 - 8}) {
        Machine machine;
        machine.set(0, start);
        machine.set(1, 0x101);
        machine.set(9, 0x109);
        machine.set(14, 0x10E);
        CHECK(machine.run({0xE8A0, 0x4202}) == Stop::Semihosting);  // STM.W r0!, {r1, r9, lr}
        CHECK(machine.reg(0) == start + 12);
        CHECK(machine.word(start) == 0x101);
        CHECK(machine.word(start + 4) == 0x109);
        CHECK(machine.word(start + 8) == 0x10E);
    }
}

TEST_CASE("a faulting access does not move its base") {
    struct Case {
        std::uint16_t first, second;
        std::uint32_t base;
    };
    const Case cases[] = {
        {0xF850, 0x1F08, kEnd - 4},  // LDR r1, [r0, #8]!
        {0xF850, 0x1B08, kEnd},      // LDR r1, [r0], #8
        {0xF840, 0x1F08, kEnd - 4},  // STR r1, [r0, #8]!
        {0xF820, 0x1908, kEnd},      // STRH r1, [r0], #-8
        {0xE8F0, 0x1202, kEnd - 4},  // LDRD r1, r2, [r0], #8
        {0xE9E0, 0x1202, kEnd - 8},  // STRD r1, r2, [r0, #8]!
    };
    for (const Case& test : cases) {
        CAPTURE(test.second);
        Machine machine;
        machine.set(0, test.base);
        machine.set(1, 1);
        machine.set(2, 2);
        const Stop stop = machine.run({test.first, test.second});
        CHECK(machine.faulted(stop, Exception::BusFault, cfsr::kPrecisErr));
        CHECK(machine.reg(0) == test.base);
        CHECK(machine.reg(1) == 1);
        CHECK(machine.reg(2) == 2);
    }
}

TEST_CASE("the stack pointer does not go below its limit") {
    struct Case {
        std::uint16_t first, second;
        bool wide;
    };
    const Case cases[] = {
        {0xB510, 0, false},      // PUSH {r4, lr}
        {0xE92D, 0x4010, true},  // PUSH.W {r4, lr}
        {0xF84D, 0x0D08, true},  // STR r0, [sp, #-8]!
        {0xF84D, 0x0908, true},  // STR r0, [sp], #-8
        {0xE96D, 0x0102, true},  // STRD r0, r1, [sp, #-8]!
        {0xF85D, 0x0908, true},  // LDR r0, [sp], #-8
    };
    const std::uint32_t top = kData + 0x800;
    for (const Case& test : cases) {
        CAPTURE(test.first);
        for (const std::uint32_t room : {4u, 8u}) {
            CAPTURE(room);
            Machine machine;
            machine.set(13, top);
            machine.state().sp_limit = top - room;
            machine.set(0, 0xAAAAAAAA);
            machine.set_word(top, 0x55555555);
            const Stop stop =
                test.wide ? machine.run({test.first, test.second}) : machine.run({test.first});
            if (room == 8) {
                CHECK(stop == Stop::Semihosting);
                CHECK(machine.reg(13) == top - 8);
            } else {
                CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kStkOf));
                CHECK(machine.reg(13) == top);
                CHECK(machine.reg(0) == 0xAAAAAAAA);
                CHECK(machine.word(top) == 0x55555555);
                CHECK(machine.word(top - 8) == 0);
                CHECK(machine.word(top - 4) == 0);
            }
        }
    }
}

TEST_CASE("a stack pointer as a plain base is not limited") {
    Machine machine;
    machine.state().sp_limit = machine.reg(13);
    CHECK(machine.run({0xF84D, 0x0C08}) == Stop::Semihosting);  // STR r0, [sp, #-8]
}

TEST_CASE("a stack pointer that is loaded or moved stays a multiple of 4") {
    Machine machine;
    machine.set(0, kData);
    machine.set_word(kData, kData + 0x103);
    CHECK(machine.run({0xF8D0, 0xD000}) == Stop::Semihosting);  // LDR.W sp, [r0]
    CHECK(machine.reg(13) == kData + 0x100);
    CHECK(machine.run({0xF80D, 0x1B05}) == Stop::Semihosting);  // STRB r1, [sp], #5
    CHECK(machine.reg(13) == kData + 0x104);
}

TEST_CASE("alignment: single accesses need none, pairs and lists do") {
    Machine machine;
    machine.set(0, kData + 2);
    machine.set_word(kData, 0x33440000);
    machine.set_word(kData + 4, 0x00001122);
    CHECK(machine.run({0x6801}) == Stop::Semihosting);  // LDR r1, [r0]
    CHECK(machine.reg(1) == 0x11223344);
    for (const auto& code :
         {std::pair<std::uint16_t, std::uint16_t>{0xE9D0, 0x1200},  // LDRD r1, r2, [r0]
          {0xE9C0, 0x1200},                                         // STRD
          {0xE890, 0x0006},                                         // LDM
          {0xE880, 0x0006},                                         // STM
          {0xE850, 0x1F00},                                         // LDREX r1, [r0]
          {0xE840, 0x2100},                                         // STREX r1, r2, [r0]
          {0xE8D0, 0x1FAF},                                         // LDA
          {0xE8C0, 0x1FAF}}) {                                      // STL
        CAPTURE(code.first);
        const Stop stop = machine.run({code.first, code.second});
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kUnaligned));
    }
    CHECK(machine.word(kData) == 0x33440000);
}

TEST_CASE("unprivileged loads and stores ask as unprivileged") {
    std::vector<bool> privileged;
    Machine machine(std::make_unique<Witness>(privileged));
    machine.set(0, kData);
    machine.set_word(kData + 4, 0x87654321);
    privileged.clear();
    CHECK(machine.run({0xF850, 0x1E04, 0xF820, 0x1E02}) == Stop::Semihosting);  // LDRT, STRHT
    CHECK(privileged.size() >= 2);
    CHECK(std::ranges::count(privileged, true) == 0);
    CHECK(machine.reg(1) == 0x87654321);
    CHECK(machine.word(kData) == 0x43210000);
    CHECK(machine.run({0x6841}) == Stop::Semihosting);  // LDR r1, [r0, #4]
    CHECK(privileged.back());
}

TEST_CASE("an exclusive store passes once, at the address of the exclusive load") {
    Machine machine;
    machine.set(0, kData);
    machine.set(3, 0x77);
    // LDREX r1, [r0]; STREX r2, r3, [r0]; STREX r4, r3, [r0, #4]
    CHECK(machine.run({0xE850, 0x1F00, 0xE840, 0x3200, 0xE840, 0x3401}) == Stop::Semihosting);
    CHECK(machine.reg(2) == 0);
    CHECK(machine.reg(4) == 1);
    CHECK(machine.word(kData) == 0x77);
    CHECK(machine.word(kData + 4) == 0);
    SUBCASE("elsewhere it fails and opens the monitor") {
        // LDREX r1, [r0]; STREX r2, r3, [r0, #4]; STREX r4, r3, [r0]
        CHECK(machine.run({0xE850, 0x1F00, 0xE840, 0x3201, 0xE840, 0x3400}) == Stop::Semihosting);
        CHECK(machine.reg(2) == 1);
        CHECK(machine.reg(4) == 1);
        CHECK(machine.word(kData + 4) == 0);
    }
    SUBCASE("CLREX opens the monitor") {
        // LDAEXB r1, [r0]; CLREX; STLEXB r2, r3, [r0]
        CHECK(machine.run({0xE8D0, 0x1FCF, 0xF3BF, 0x8F2F, 0xE8C0, 0x3FC2}) == Stop::Semihosting);
        CHECK(machine.reg(2) == 1);
    }
    SUBCASE("byte and halfword") {
        machine.set(3, 0xABCD);
        // LDREXH r1, [r0]; STREXH r2, r3, [r0]; LDAEXB r1, [r0]; STREXB r4, r1, [r0]
        CHECK(machine.run({0xE8D0, 0x1F5F, 0xE8C0, 0x3F52, 0xE8D0, 0x1FCF, 0xE8C0, 0x1F44}) ==
              Stop::Semihosting);
        CHECK(machine.reg(2) == 0);
        CHECK(machine.reg(4) == 0);
        CHECK(machine.reg(1) == 0xCD);
        CHECK(machine.word(kData) == 0x0000ABCD);
    }
}

TEST_CASE("CLRM clears registers and flags") {
    Machine machine;
    for (unsigned number = 0; number < 13; ++number) machine.set(number, 0xFF);
    n6vp::models::core::set_apsr_nzcvq(machine.state(), 0xF8000000);
    machine.state().ge = 15;
    CHECK(machine.run({0xE89F, 0x5005}) == Stop::Semihosting);  // CLRM {r0, r2, r12, lr}
    CHECK(machine.reg(0) == 0);
    CHECK(machine.reg(1) == 0xFF);
    CHECK(machine.reg(2) == 0);
    CHECK(machine.reg(12) == 0);
    CHECK(machine.reg(14) == 0);
    CHECK(n6vp::models::core::apsr(machine.state()) == 0xF80F0000);
    CHECK(machine.run({0xE89F, 0x8002}) == Stop::Semihosting);  // CLRM {r1, APSR}
    CHECK(machine.reg(1) == 0);
    CHECK(n6vp::models::core::apsr(machine.state()) == 0);
}

TEST_CASE("literals lie relative to the aligned PC") {
    Machine machine;
    // At 0x1000: NOP; LDR r0, [pc, #4] at 0x1002, whose PC is 0x1006, aligned 0x1004.
    CHECK(machine.run({0xBF00, 0x4801, 0xE003, 0xBF00, 0x2211, 0x4433, 0xBF00}) ==
          Stop::Semihosting);
    CHECK(machine.reg(0) == 0x44332211);
    // LDRSH.W r1, [pc, #-2] at 0x1002: 0x1002 itself.
    CHECK(machine.run({0xBF00, 0xF93F, 0x1002}) == Stop::Semihosting);
    CHECK(machine.reg(1) == 0xFFFFF93F);
}

TEST_CASE("loads of the PC branch") {
    Machine machine;
    machine.set(0, kData);
    SUBCASE("LDR") {
        machine.set_word(kData, Machine::kCode + 7);
        // LDR.W pc, [r0]; MOVS r1, #1; MOVS r2, #2
        CHECK(machine.run({0xF8D0, 0xF000, 0x2101, 0x2202}) == Stop::Semihosting);
        CHECK(machine.reg(1) == 0);
        CHECK(machine.reg(2) == 2);
    }
    SUBCASE("POP, the stack pointer moves first") {
        const std::uint32_t sp = machine.reg(13);
        machine.set_word(sp, 0x1234);
        machine.set_word(sp + 4, Machine::kCode + 5);
        CHECK(machine.run({0xBD02, 0x2201, 0x2302}) == Stop::Semihosting);  // POP {r1, pc}; ...
        CHECK(machine.reg(1) == 0x1234);
        CHECK(machine.reg(2) == 0);
        CHECK(machine.reg(3) == 2);
        CHECK(machine.reg(13) == sp + 8);
    }
    SUBCASE("without the Thumb bit there is no state to execute in") {
        machine.set_word(kData + 4, Machine::kCode);
        const Stop stop = machine.run({0xE8B0, 0x8002});  // LDM.W r0!, {r1, pc}
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kInvState));
    }
}
