// SPDX-License-Identifier: Apache-2.0
// Which registers of the private peripheral bus are modelled, and how they are called.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "models/core/ir/private_registers.h"
#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BareCore;

TEST_CASE("private registers have the names of CMSIS") {
    // Addresses: core_cm55.h, base of the block and offset in its structure.
    for (const auto& one : {std::pair{0xE000001Cu, "ITM->PORT[7]"},
                            {0xE0000F00u, "ITM->ITCTRL"},
                            {0xE0001008u, "DWT->CPICNT"},
                            {0xE000103Cu, "DWT->VMASK1"},
                            {0xE0001098u, "DWT->FUNCTION7"},
                            {0xE0003C40u, "PMU->INTENSET"},
                            {0xE000E00Cu, "ICB->CPPWR"},
                            {0xE000E1BCu, "NVIC->ICER[15]"},
                            {0xE002E108u, "NVIC_NS->ISER[2]"},
                            {0xE000ED1Cu, "SCB->SHPR[4]"},
                            {0xE002ED8Cu, "SCB_NS->NSACR"},
                            {0xE000EDC4u, "MPU->MAIR1"},
                            {0xE000EDE8u, "SAU->SFAR"},
                            {0xE000EE04u, "DCB->DAUTHCTRL"},
                            {0xE000EF74u, "SCB->DCCISW"},
                            {0xE001E128u, "ERRBNK->TEBR1"},
                            {0xE001E61Cu, "MEMSYSCTL->DTGU_LUT[3]"},
                            {0xE0040308u, "TPIU->PSCR"}}) {
        CAPTURE(one.first);
        CHECK(private_register_name(one.first) == one.second);
        // Any byte of it.
        CHECK(private_register_name(one.first + 3) == one.second);
    }
    for (const std::uint32_t address :
         {0xE0001024u, 0xE0001FC0u, 0xE000E000u, 0xE000E140u, 0xE000ED90u + 44, 0xE001E008u,
          0xE0042000u, 0xE00FFFFCu, 0xE002E000u, 0xDFFFFFFCu}) {
        CAPTURE(address);
        CHECK(private_register_name(address) == "");
        CHECK_FALSE(is_modelled_register(address));
    }
}

TEST_CASE("the aliases of the MPU's registers are the three regions beside the chosen one") {
    constexpr std::uint32_t kNumber = 0xE000ED98, kBase = 0xE000ED9C, kLimit = 0xE000EDA0;
    BareCore bench;
    bench.set_reg(kNumber, 4);
    for (std::uint32_t i = 1; i < 4; ++i) {
        bench.set_reg(kBase + 8 * i, (0x20000000 + 0x1000 * i) | 2);
        bench.set_reg(kLimit + 8 * i, (0x20000FE0 + 0x1000 * i) | 1);
    }
    CHECK(bench.reg(kBase) == 0);
    for (std::uint32_t i = 1; i < 4; ++i) {
        CAPTURE(i);
        CHECK(bench.reg(kBase + 8 * i) == ((0x20000000 + 0x1000 * i) | 2));
        CHECK(bench.reg(kLimit + 8 * i) == ((0x20000FE0 + 0x1000 * i) | 1));
    }
    for (std::uint32_t i = 1; i < 4; ++i) {
        CAPTURE(i);
        bench.set_reg(kNumber, 4 + i);
        CHECK(bench.reg(kBase) == ((0x20000000 + 0x1000 * i) | 2));
        CHECK(bench.reg(kLimit) == ((0x20000FE0 + 0x1000 * i) | 1));
    }
}

TEST_CASE("accesses to what is not modelled are counted until reset, by word or byte") {
    BareCore bench;
    const auto& seen = *bench->system().unmodelled_accesses();
    CHECK(bench.reg(0xE0001008) == 0);
    CHECK(bench.reg(0xE0001008) == 0);
    bench.set_reg(0xE001E304, 1);
    // A part of a register that takes words only.
    static_cast<void>(bench->system().write_ppb(bench.cpu(), 0xE000ED09, 1, 0, 1));
    // Bytes of priorities and fault status are for single access.
    static_cast<void>(bench->system().write_ppb(bench.cpu(), 0xE000E401, 1, 0, 0x40));
    static_cast<void>(bench->system().write_ppb(bench.cpu(), 0xE000ED2A, 2, 0, 1));
    CHECK(seen.size() == 3);
    CHECK(seen.at(0xE0001008).reads == 2);
    CHECK(seen.at(0xE0001008).writes == 0);
    CHECK(seen.at(0xE001E304).writes == 1);
    CHECK(seen.at(0xE000ED09).writes == 1);
    bench->reset();
    CHECK(seen.empty());
}

TEST_CASE("the set and clear registers of the NVIC take bytes and halfwords") {
    // Arm DDI 0337E, 8.1: byte, halfword and word, unless otherwise stated.
    constexpr std::uint32_t kEnable = 0xE000E100, kDisable = 0xE000E180, kPend = 0xE000E200,
                            kUnpend = 0xE000E280;
    BareCore bench;
    const auto write = [&](std::uint32_t address, unsigned bytes, std::uint32_t value) {
        CHECK(bench->system().write_ppb(bench.cpu(), address, bytes, 0, value));
    };
    for (const auto& both : {std::pair{kEnable, kDisable}, std::pair{kPend, kUnpend}}) {
        const std::uint32_t set = both.first, clear = both.second;
        CAPTURE(set);
        write(set + 4, 1, 0x81);
        write(set + 7, 1, 0x40);
        write(set + 4, 2, 0x1100);
        CHECK(bench.reg(set + 4) == 0x40001181);
        CHECK(bench.reg(clear + 4) == 0x40001181);
        CHECK(bench.reg(set) == 0);
        CHECK(bench.reg(set + 8) == 0);
        write(clear + 5, 1, 0x01);
        write(clear + 6, 2, 0xFFFF);
        CHECK(bench.reg(set + 4) == 0x1081);
    }
    CHECK(bench->system().unmodelled_accesses()->empty());
}
