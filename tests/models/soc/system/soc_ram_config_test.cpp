// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "models/soc/system/ram_config.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {
constexpr std::uint32_t kShutDown = 1u << 20;
}

TEST_CASE("ramcfg: AXISRAM3 to 6 are shut down after reset and wake when SRAMSD is cleared") {
    RamConfig ramcfg({});
    Transfer transfer;
    CHECK(ramcfg.power("AXISRAM2")->on());
    // 0x80 apart in the order AXISRAM1 to 6.
    const char* const names[] = {"AXISRAM3", "AXISRAM4", "AXISRAM5", "AXISRAM6"};
    for (std::uint32_t i = 0; i < 4; ++i) {
        CAPTURE(names[i]);
        PowerSwitch* power = ramcfg.power(names[i]);
        REQUIRE(power != nullptr);
        CHECK(power->judge(transfer, {}) == AccessFilter::Verdict::Zero);
        const std::uint32_t cr = 0x100 + 0x80 * i;
        const std::uint32_t held = ramcfg.read(cr, 0).value;
        CHECK((held & kShutDown) != 0);
        (void)ramcfg.write(cr, held & ~kShutDown, kWord, 0);
        CHECK(power->passes(transfer, {}));
    }
    CHECK(ramcfg.power("AXISRAM1") == nullptr);
    CHECK(ramcfg.power("FLEXMEM") == nullptr);
}

TEST_CASE("ramcfg: a switch says which bit, and when it changes") {
    RamConfigParameters parameters;
    parameters.shut_down_error.value = 1;
    RamConfig ramcfg(parameters);
    Transfer transfer;
    PowerSwitch& power = *ramcfg.power("AXISRAM2");
    int changes = 0;
    power.on_change = [&] { ++changes; };
    (void)ramcfg.write(0x80, kShutDown, kWord, 0);
    CHECK(changes == 1);
    CHECK(power.judge(transfer, {}) == AccessFilter::Verdict::Error);
    CHECK(std::string(power.reason()) == "RAMCFG_AXISRAM2CR.SRAMSD = 1");
    ramcfg.reset();
    CHECK(changes == 2);
    CHECK(power.on());
}

TEST_CASE("ramcfg: size of the TCMs is kept, an erase is done at once") {
    RamConfig ramcfg({});
    std::string erased;
    ramcfg.on_erase = [&](const char* memory) { erased += memory; };
    (void)ramcfg.write(0x500, 2u << 16 | 1u << 24, kWord, 0);
    CHECK(ramcfg.itcm_config() == 2);
    CHECK(ramcfg.dtcm_config() == 1);
    CHECK(erased.empty());
    (void)ramcfg.write(0x80, 1u << 8, kWord, 0);
    CHECK(erased == "AXISRAM2");
    CHECK((ramcfg.read(0x80, 0).value & 1u << 8) == 0);
    CHECK((ramcfg.read(0x88, 0).value & 1u << 8) == 0);  // SRAMBUSY
    CHECK(ramcfg.read(0x500, 0).modelled);
    CHECK_FALSE(ramcfg.read(0x504, 0).modelled);
    CHECK_FALSE(ramcfg.read(0x580, 0).modelled);
}

TEST_CASE("ramcfg: interrupt enables are kept by bank and byte, status shows no error") {
    RamConfig ramcfg({});
    constexpr std::uint32_t kBanksApart = 0x80, kEnables = 4, kStatus = 8;
    for (std::uint32_t bank = 0; bank < 6; ++bank) {
        CAPTURE(bank);
        const std::uint32_t at = kBanksApart * bank;
        const RegisterBlock::Answer answer = ramcfg.write(at + kEnables, 0x101 + bank, kWord, 0);
        CHECK_FALSE(answer.modelled);
        CHECK(answer.name == std::string("IER"));
        CHECK(ramcfg.write(at + kStatus, 0xF, kWord, 0).name == std::string("ISR"));
    }
    for (std::uint32_t bank = 0; bank < 6; ++bank) {
        CAPTURE(bank);
        const std::uint32_t at = kBanksApart * bank;
        CHECK(ramcfg.read(at + kEnables, 0).value == 0x101 + bank);
        CHECK(ramcfg.read(at + kStatus, 0).value == 0);
    }
    (void)ramcfg.write(kEnables, 0xABCD, 0xFF00, 0);
    CHECK(ramcfg.read(kEnables, 0).value == 0xAB01);
    CHECK(ramcfg.read(kBanksApart + kEnables, 0).value == 0x102);
    // Nothing stands between ICR and ECCKEYR.
    for (const std::uint32_t hole : {0x18u, 0x1Cu, 0x20u, 0x2Cu}) {
        CAPTURE(hole);
        (void)ramcfg.write(hole, 0xFFFFFFFF, kWord, 0);
        CHECK(ramcfg.read(hole, 0).value == 0);
        CHECK(std::string(ramcfg.read(hole, 0).name).empty());
    }
    ramcfg.reset();
    CHECK(ramcfg.read(kEnables, 0).value == 0);
}

TEST_CASE("ramcfg: errors of BKPSRAM raise flags and a line, and latch the number of the word") {
    RamConfig ramcfg({});
    constexpr std::uint32_t kBkpCr = 0x480, kIer = 0x484, kIsr = 0x488, kEsear = 0x48C,
                            kEdear = 0x490, kIcr = 0x494;
    std::string told;
    ramcfg.on_checks = [&](bool on) { told += on ? '+' : '-'; };
    ramcfg.on_interrupt = [&](bool level) { told += level ? '1' : '0'; };
    (void)ramcfg.write(kBkpCr, 1, kWord, 0);  // ECCE
    CHECK(told == "+");
    ramcfg.note_error(false, 0x204);
    CHECK(ramcfg.read(kIsr, 0).value == 1);    // SEDC
    CHECK(ramcfg.read(kEsear, 0).value == 0);  // ALE = 0
    CHECK(told == "+");
    (void)ramcfg.write(kIer, 1, kWord, 0);
    CHECK(told == "+1");
    (void)ramcfg.write(kIcr, 1, kWord, 0);
    CHECK(told == "+10");
    (void)ramcfg.write(kBkpCr, 0x11, kWord, 0);  // ALE
    ramcfg.note_error(false, 0x204);
    ramcfg.note_error(true, 0x1FFC);
    CHECK(ramcfg.read(kIsr, 0).value == 3);
    CHECK(ramcfg.read(kEsear, 0).value == 0x81);
    CHECK(ramcfg.read(kEdear, 0).value == 0x7FF);
    (void)ramcfg.write(kIcr, 1, kWord, 0);
    CHECK(ramcfg.read(kIsr, 0).value == 2);  // DED, which does not interrupt
    CHECK(told == "+1010");
    CHECK(ramcfg.read(kEdear, 0).modelled);
    ramcfg.reset();
    CHECK(told == "+1010-");
    CHECK(ramcfg.read(kIsr, 0).value == 0);
}

TEST_CASE("ramcfg: ECCE is cleared after both keys only") {
    RamConfig ramcfg({});
    constexpr std::uint32_t kBkpCr = 0x480, kEcckeyr = 0x4A4;
    const auto enabled_after = [&](std::initializer_list<std::uint32_t> keys) {
        (void)ramcfg.write(kBkpCr, 1, kWord, 0);
        for (const std::uint32_t key : keys) (void)ramcfg.write(kEcckeyr, key, kWord, 0);
        (void)ramcfg.write(kBkpCr, 0, kWord, 0);
        return (ramcfg.read(kBkpCr, 0).value & 1) != 0;
    };
    CHECK(enabled_after({}));
    CHECK(enabled_after({0xAE}));
    CHECK(enabled_after({0x75, 0xAE}));
    CHECK(enabled_after({0xAE, 0x75, 0x11}));
    CHECK_FALSE(enabled_after({0xAE, 0x75}));
}
