// SPDX-License-Identifier: Apache-2.0
// Out of the hardware's reset state, firmware that leaves out one of the twelve steps of the chip's
// set-up: what comes of it, and that the report names step and register bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "models/soc/set_up.h"
#include "sim/set_up_check.h"
#include "tests/platform/scene.h"

using namespace n6vp;
using memmap::ClockDomain;
using models::SetUpStep;
using test::Scene;

namespace {

/// What target/setup.c reports, in its order.
enum Row { Cached, CacheRegister, NpuRegister, FlashCycles, Bank, NpuFinds, Interrupt, Illegal };
constexpr std::uint32_t kWord = 0x22222222, kBank = 0x34200000, kWakeLine = 54;

/// A chip whose fuses nobody has programmed.
sim::PlatformParameters fresh_chip() {
    sim::PlatformParameters parameters;
    parameters.bsec.otp124.value = 0;
    return parameters;
}

struct Run {
    Scene scene{"setup", {.boot = sim::BootState::Reset}, nullptr, fresh_chip()};
    Scene::Result result;
    std::vector<sim::SetUpGap> gaps;
    std::uint32_t found_asleep = 0;  ///< word of the bank that the NPU read while the core slept

    explicit Run(unsigned omitted) {
        scene.on_start = [this](std::uint32_t line) {
            if (line == kWakeLine) {
                sc_core::sc_spawn([this] { read_while_asleep(); });
            } else {
                interrupt(line);
            }
        };
        result = scene.run({omitted});
        gaps = sim::set_up_gaps(scene.platform());
    }
    void interrupt(std::uint32_t line) {
        scene.platform().core().set_interrupt(line, true);
        scene.platform().core().set_interrupt(line, false);
    }
    void read_while_asleep() {
        sc_core::wait(sc_core::sc_time(100, sc_core::SC_US));
        CHECK(scene.platform().core().asleep());
        std::uint32_t word = 0;
        std::array<std::uint8_t, sizeof word> bytes{};
        scene.npu(0).says.cacheable = scene.npu(0).says.allocate = false;
        if (scene.npu(0).read(kBank, bytes).ok()) std::memcpy(&word, bytes.data(), sizeof word);
        found_asleep = word;
        interrupt(kWakeLine);
    }
    [[nodiscard]] std::uint32_t row(Row which) const {
        return which < result.results.size() ? result.results[which] : 0;
    }
    /// A fault was reported whose reason belongs to the step and names the bit.
    [[nodiscard]] bool reported(SetUpStep step, const std::string& bit) const {
        return std::any_of(result.faults.begin(), result.faults.end(),
                           [&](const models::AccessFault& fault) {
                               return models::set_up_step(fault.reason) == step &&
                                      std::string(fault.reason).find(bit) != std::string::npos;
                           });
    }
    /// At the end of the run the step, and no other, is told to be missing, with this bit.
    [[nodiscard]] bool told(SetUpStep step, const std::string& bit) const {
        const bool named = std::any_of(gaps.begin(), gaps.end(), [&](const sim::SetUpGap& gap) {
            return gap.bit.find(bit) != std::string::npos;
        });
        return named && std::all_of(gaps.begin(), gaps.end(),
                                    [step](const sim::SetUpGap& gap) { return gap.step == step; });
    }
    [[nodiscard]] double mhz(ClockDomain domain) {
        return scene.platform().clocks().hz(domain) / 1e6;
    }
};

/// The deliberate violation at the program's end is one.
[[nodiscard]] std::size_t unexpected(const Scene::Result& result) {
    return static_cast<std::size_t>(
        std::count_if(result.faults.begin(), result.faults.end(),
                      [](const auto& fault) { return fault.address != 0x34400000; }));
}

}  // namespace

TEST_CASE("all twelve steps: everything works") {
    Run run(0);
    CHECK(run.result.finished);
    CHECK(run.result.cfsr == 0);
    CHECK(unexpected(run.result) == 0);
    for (const auto& fault : run.result.faults) INFO(fault.reason);
    CHECK(run.mhz(ClockDomain::Cpu) == doctest::Approx(800));
    CHECK(run.mhz(ClockDomain::Noc) == doctest::Approx(400));
    CHECK(run.mhz(ClockDomain::Npu) == doctest::Approx(1000));
    CHECK(run.mhz(ClockDomain::Nic) == doctest::Approx(900));
    CHECK(run.mhz(ClockDomain::Xspi2) == doctest::Approx(200));
    CHECK(run.row(CacheRegister) == 1);
    CHECK(run.row(Bank) == kWord);
    CHECK(run.row(NpuFinds) == kWord);
    CHECK(run.row(Interrupt) == 1);
    CHECK(run.row(Illegal) == 1);
    CHECK(run.found_asleep == kWord);
    // 512 lines once, then hits: some cycles per word in a loop.
    CHECK(run.row(Cached) < 4 * 4096 * 8);
    CHECK(run.gaps.empty());
}

TEST_CASE("without step 1 the caches stay off") {
    const Run run(1);
    CHECK(run.result.finished);
    // 4 passes over 4,096 words, each of which costs the way to the bank: 16 cycles and more.
    CHECK(run.row(Cached) > 4 * 4096 * 16);
    CHECK(run.told(SetUpStep::CacheRam, "SCB_CCR.DC = 0"));
}

TEST_CASE("without step 2 all runs from the oscillator") {
    Run run(2);
    CHECK(run.result.finished);
    CHECK(run.mhz(ClockDomain::Cpu) == doctest::Approx(64));
    CHECK(run.mhz(ClockDomain::Npu) == doctest::Approx(64));
    CHECK(run.told(SetUpStep::Clocks, "RCC_CFGR1.CPUSW = 0"));
}

TEST_CASE("without step 3 banks without clock answer with bus errors") {
    const Run run(3);
    CHECK_FALSE(run.result.finished);
    CHECK((run.result.cfsr & 0xFF00) != 0);  // BusFault
    CHECK(run.reported(SetUpStep::RamClocks, "RCC_MEMENR.AXISRAM3EN = 0"));
    CHECK(run.told(SetUpStep::RamClocks, "RCC_MEMENR.AXISRAM3EN = 0"));
}

TEST_CASE("without step 4 banks without power read zero") {
    const Run run(4);
    CHECK(run.row(Bank) == 0);
    CHECK(run.reported(SetUpStep::RamPower, "RAMCFG_AXISRAM3CR.SRAMSD = 1"));
    CHECK(run.told(SetUpStep::RamPower, "RAMCFG_AXISRAM3CR.SRAMSD = 1"));
}

TEST_CASE("without step 5 the registers of NPU and NPU cache are dead") {
    const Run run(5);
    CHECK(run.result.finished);
    CHECK(run.row(CacheRegister) == 0);
    CHECK(run.reported(SetUpStep::NpuClocks, "RCC_AHB5ENR.NPUEN = 0"));
    CHECK(run.reported(SetUpStep::NpuClocks, "RCC_AHB5ENR.CACHEAXIEN = 0"));
    CHECK(run.told(SetUpStep::NpuClocks, "RCC_AHB5ENR.NPUEN = 0"));
}

TEST_CASE("without step 6 the NPU stops when the core sleeps") {
    const Run run(6);
    CHECK(run.result.finished);
    CHECK(run.row(NpuFinds) == kWord);  // while the core is awake
    CHECK(run.found_asleep == 0);
    CHECK(run.reported(SetUpStep::SleepClocks, "RCC_MEMLPENR.AXISRAM3LPEN = 0"));
    CHECK(run.told(SetUpStep::SleepClocks, "RCC_AHB5LPENR.NPULPEN = 0"));
}

TEST_CASE("without step 7 the NPU's traffic is blocked") {
    const Run run(7);
    CHECK(run.result.finished);
    CHECK(run.row(Bank) == kWord);
    CHECK(run.row(NpuFinds) == 0);
    CHECK(run.reported(SetUpStep::RifMaster, "RIFSC_RIMC_ATTR1"));
    CHECK(run.told(SetUpStep::RifMaster, "RIFSC_RIMC_ATTR1"));
}

TEST_CASE("without step 8 the core does not reach the NPU's registers") {
    const Run run(8);
    CHECK(run.result.finished);
    CHECK(run.reported(SetUpStep::RifSlave, "RIFSC_RISC_SECCFGR3 and PRIVCFGR3 bit 10"));
    CHECK(run.told(SetUpStep::RifSlave, "RIFSC_RISC_SECCFGR3"));
}

TEST_CASE("without step 9 reads of the NPU return zero and the violation is flagged") {
    const Run run(9);
    CHECK(run.result.finished);
    CHECK(run.row(NpuFinds) == 0);
    CHECK(run.row(Illegal) == 1);
    CHECK(run.reported(SetUpStep::Risaf, "RISAF4"));
    CHECK(run.told(SetUpStep::Risaf, "RISAF4_REG1_CFGR.BREN = 0"));
}

TEST_CASE("without step 10 violations are silent") {
    const Run run(10);
    CHECK(run.result.finished);
    CHECK(run.row(Illegal) == 0);
    CHECK(run.told(SetUpStep::Iac, "IAC"));
}

TEST_CASE("without step 11 the serial memories are limited to 50 MHz") {
    const Run run(11);
    CHECK(run.result.finished);
    // 64 KiB at 100 MB/s are 524,288 cycles of 800 MHz.
    CHECK(run.row(FlashCycles) > 520'000);
    CHECK(run.row(FlashCycles) < 600'000);
    CHECK(run.told(SetUpStep::FastPins, "OTP124 bit 15"));
}

TEST_CASE("without step 12 no completion interrupt comes") {
    const Run run(12);
    CHECK(run.result.finished);
    CHECK(run.row(Interrupt) == 0);
    CHECK(run.told(SetUpStep::Vectors, "NVIC_ISER1 bit 21 = 0"));
}
