// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "models/soc/ram_config.h"
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
