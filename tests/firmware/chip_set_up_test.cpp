// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/soc/system/set_up.h"
#include "sim/platform/platform.h"
#include "tests/firmware/chip_program.h"
#include "tests/models/traffic/bus_master.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

constexpr models::Picoseconds kLimit = 20'000'000'000;  // 20 ms

/// The chip as the hardware comes up, with the program in its RAM.
class Chip {
  public:
    explicit Chip(const sim::PlatformParameters& parameters = {})
        : platform_(parameters, options()) {
        platform_.hooks.semihosting = [this](models::core::Core& core) {
            exited_ = core.reg(0) == 0x20;  // SYS_EXIT_EXTENDED
            if (exited_) platform_.stop();
            core.set_reg(0, 0);
            return true;
        };
        platform_.events().access_fault.listen(
            sim::kReportPlace, [this](const auto& fault) { faults_.push_back(fault); });
        platform_.bind_master(sim::Initiator::Npu0, npu_.port);
        for (const auto& segment : sim::ExecProgram::read(N6VP_CHIP_FIRMWARE).segments) {
            REQUIRE(platform_.load(GuestAddr{segment.address}, segment.content));
        }
    }

    chip::Result run(const chip::Job& job) {
        REQUIRE(platform_.load(chip::kJobAddress, record_bytes(job)));
        platform_.reset();
        exited_ = false;
        (void)platform_.advance({.time = kLimit});
        REQUIRE(exited_);
        chip::Result result;
        REQUIRE(platform_.fetch(chip::kResultAddress,
                                {reinterpret_cast<std::uint8_t*>(&result), sizeof result}));
        REQUIRE(result.magic == chip::kResultMagic);
        return result;
    }

    /// A register of the core, as Secure code reads it.
    std::uint32_t core_register(std::uint32_t address) {
        models::core::Core& core = platform_.core().core();
        std::uint32_t value = 0;
        REQUIRE(core.system().read_ppb(core.state(), address, 4, core.cycles(), value));
        return value;
    }
    /// What the NPU would read there, past its cache.
    std::uint32_t npu_reads(std::uint32_t address) {
        const std::vector<std::uint8_t> bytes = npu_.read(address, 8);
        std::uint32_t word = 0;
        REQUIRE(bytes.size() == 8);
        std::memcpy(&word, bytes.data(), sizeof word);
        return word;
    }
    /// A fault was reported whose reason belongs to the step and names the register.
    [[nodiscard]] bool reported(models::SetUpStep step, const std::string& name) const {
        return std::any_of(faults_.begin(), faults_.end(), [&](const models::AccessFault& fault) {
            return models::set_up_step(fault.reason) == step &&
                   std::string(fault.reason).find(name) != std::string::npos;
        });
    }
    sim::Platform& platform() { return platform_; }
    models::Peripherals& soc() { return platform_.soc(); }

  private:
    static sim::PlatformOptions options() {
        sim::PlatformOptions options;
        options.boot = sim::BootState::Reset;
        return options;
    }
    sim::Platform platform_;
    BusMaster npu_{"npu"};
    std::vector<models::AccessFault> faults_;
    bool exited_ = false;
};

chip::Job set_up_job(std::uint32_t omitted) {
    chip::Job job;
    job.kind = chip::kSetUpOnly;
    job.flags = 0;
    job.omitted = omitted;
    return job;
}

/// Whether a step has had the effect that memory-map facts give for it.
using Effect = std::function<bool(Chip&)>;

bool all_on(Chip& chip, std::initializer_list<const char*> units) {
    bool on = true;
    for (const char* unit : units) on = on && chip.soc().rcc.gate(unit)->open();
    return on;
}

std::uint32_t read(models::RegisterBlock& block, std::uint32_t offset) {
    return block.read(offset, 0).value;
}

bool memories_powered(Chip& chip) {
    bool on = true;
    for (const char* name : {"AXISRAM3", "AXISRAM4", "AXISRAM5", "AXISRAM6"}) {
        on = on && chip.soc().ram_config.power(name)->on();
    }
    return on;
}

bool filters_open(Chip& chip) {
    bool open = true;
    for (const char* name : {"RISAF2", "RISAF3", "RISAF4", "RISAF5", "RISAF6", "RISAF7", "RISAF8",
                             "RISAF15", "RISAF11", "RISAF12"}) {
        models::Risaf& risaf = chip.soc().risaf(name);
        // Region 1 enabled and secure, region 2 enabled and not.
        open = open && (read(risaf, 0x40) & 0x101) == 0x101 && (read(risaf, 0x80) & 0x101) == 1;
    }
    return open;
}

struct Step {
    unsigned number;
    const char* name;
    Effect done;
};

const Step kSteps[] = {
    {chip::kStepCacheRam, "caches",
     [](Chip& chip) {
         return (chip.core_register(0xE001E000) & 0x3000) == 0x3000 &&
                (chip.core_register(0xE000ED14) & 0xB0000) == 0xB0000;  // DC, IC, LOB
     }},
    {chip::kStepRamClocks, "RAM clocks",
     [](Chip& chip) {
         return all_on(chip, {"AXISRAM3", "AXISRAM4", "AXISRAM5", "AXISRAM6", "CACHEAXIRAM",
                              "VENCRAM", "AHBSRAM1", "AHBSRAM2", "BKPSRAM"});
     }},
    {chip::kStepRamPower, "RAM power", memories_powered},
    {chip::kStepNpuClocks, "NPU clocks",
     [](Chip& chip) {
         return all_on(chip, {"NPU", "CACHEAXI"});
     }},
    {chip::kStepSleepClocks, "sleep clocks",
     [](Chip& chip) {
         models::Rcc& rcc = chip.soc().rcc;  // MEMLPENR and AHB5LPENR
         return (read(rcc, 0x28C) & 0x1FFF) == 0x1FFF && (read(rcc, 0x2A0) >> 30) == 3;
     }},
    {chip::kStepRifMaster, "RIF master",
     [](Chip& chip) { return (read(chip.soc().rifsc, 0xC14) & 0x310) == 0x310; }},
    {chip::kStepRifSlave, "RIF slave",
     [](Chip& chip) {
         return (read(chip.soc().rifsc, 0x01C) & read(chip.soc().rifsc, 0x03C) & 0x400) == 0x400;
     }},
    {chip::kStepRisaf, "RISAF", filters_open},
    {chip::kStepIac, "IAC",
     [](Chip& chip) {
         return chip.soc().rcc.gate("IAC")->open() && read(chip.soc().iac, 0) != 0 &&
                (chip.core_register(0xE000E100) >> 13 & 1) == 1;
     }},
    {chip::kStepFastPins, "fast pins",
     [](Chip& chip) {
         return chip.soc().bsec.fast_pins_xspi1() && chip.soc().bsec.fast_pins_xspi2();
     }},
    {chip::kStepVectors, "vectors",
     [](Chip& chip) {
         return chip.core_register(0xE000ED08) == 0x34000000 &&
                (chip.core_register(0xE000E104) >> (53 - 32) & 1) == 1;
     }},
};

/// Fuses keep what was programmed: the steps before theirs would see it done.
sim::PlatformParameters blank_fuses() {
    sim::PlatformParameters parameters;
    parameters.bsec.otp124.value = 0;
    return parameters;
}

}  // namespace

TEST_CASE("chip program: every step of the set-up does its part, and only if it is not omitted") {
    Chip chip(blank_fuses());
    const std::uint32_t all = 0x1FFE;
    (void)chip.run(set_up_job(all));
    for (const Step& step : kSteps) {
        CHECK_MESSAGE(!step.done(chip), step.name << " done without the step");
    }
    for (const Step& step : kSteps) {
        (void)chip.run(set_up_job(all & ~(1u << step.number)));
        for (const Step& other : kSteps) {
            const bool expected = other.number == step.number;
            CHECK_MESSAGE(other.done(chip) == expected, other.name << " after only " << step.name);
        }
    }
    (void)chip.run(set_up_job(0));
    for (const Step& step : kSteps) CHECK_MESSAGE(step.done(chip), step.name);
}

TEST_CASE("chip program: sets the clocks with overdrive from those after reset") {
    Chip chip;
    using memmap::ClockDomain;
    const auto hz = [&chip](ClockDomain domain) { return chip.platform().clocks().hz(domain); };
    (void)chip.run(set_up_job(1u << chip::kStepClocks));
    CHECK(hz(ClockDomain::Cpu) == 64e6);  // HSI
    CHECK(hz(ClockDomain::Npu) < 800e6);
    CHECK(hz(ClockDomain::Xspi2) < 200e6);
    (void)chip.run(set_up_job(0));
    CHECK(hz(ClockDomain::Cpu) == 800e6);
    CHECK(hz(ClockDomain::Noc) == 400e6);
    CHECK(hz(ClockDomain::Npu) == 1000e6);
    CHECK(hz(ClockDomain::Nic) == 900e6);
    CHECK(hz(ClockDomain::Ahb) == 100e6);
    CHECK(hz(ClockDomain::Xspi1) == 200e6);
    CHECK(hz(ClockDomain::Xspi2) == 200e6);
}

TEST_CASE("chip program: the probe finds everything open, and an illegal access interrupts") {
    Chip chip;
    chip::Job job;
    job.kind = chip::kProbe;
    job.flags = chip::kProvoke | chip::kWaitForNpu;
    job.wait_cycles = 100'000;
    const chip::Result result = chip.run(job);
    CHECK(result.state == chip::kDone);
    for (const std::uint32_t word : result.memory_words) CHECK(word == chip::kProbeWord);
    CHECK(result.psram_word == chip::kProbeWord);
    CHECK((result.cache_control & 1) == 1);
    CHECK(result.iac_interrupts == 1);
    CHECK(result.provoked_word == 0);
    CHECK(result.npu_interrupts == 0);
    CHECK(result.timed_out == 1);
}

TEST_CASE("chip program: the NPU's line wakes the core") {
    Chip chip;
    chip::Job job;
    job.kind = chip::kProbe;
    job.flags = chip::kWaitForNpu;
    job.wait_cycles = 0xFFFFFF;
    chip.platform().core().set_interrupt(53, true);
    const chip::Result result = chip.run(job);
    CHECK(result.npu_interrupts == 1);
    CHECK(result.timed_out == 0);
}

TEST_CASE("chip program: memory that is shut down reads zero, and without clock is a fault") {
    Chip chip;
    chip::Job job;
    job.kind = chip::kProbe;
    job.flags = 0;
    job.omitted = 1u << chip::kStepRamPower;
    const chip::Result off = chip.run(job);
    CHECK(off.memory_words[0] == 0);
    CHECK(off.memory_words[3] == 0);
    CHECK(off.memory_words[4] == chip::kProbeWord);
    job.omitted = 1u << chip::kStepRamClocks;
    const chip::Result unclocked = chip.run(job);
    CHECK(unclocked.state == chip::kFaulted);
    CHECK(unclocked.fault.bfar == 0x34200000);
    job.omitted = 1u << chip::kStepNpuClocks;
    const chip::Result dead = chip.run(job);
    CHECK(dead.cache_control == 0);
}

TEST_CASE("chip program: what the NPU reads with all steps, and without who it is or who may") {
    constexpr std::uint32_t kBank = 0x34200000;  // AXISRAM3, where the probe wrote its word
    constexpr std::uint32_t kFlagged = 0x80;     // IAC_ISR0
    sim::PlatformParameters parameters;
    parameters.rif.npu_ports_closed.value = 1;
    Chip chip(parameters);
    chip::Job job;
    job.kind = chip::kProbe;
    job.flags = 0;
    (void)chip.run(job);
    CHECK(chip.npu_reads(kBank) == chip::kProbeWord);
    job.omitted = 1u << chip::kStepRifMaster;
    (void)chip.run(job);
    CHECK(chip.npu_reads(kBank) == 0);
    CHECK(chip.reported(models::SetUpStep::RifMaster, "RIFSC_RIMC_ATTR1"));
    CHECK_FALSE(chip.reported(models::SetUpStep::Risaf, "RISAF4"));
    job.omitted = 1u << chip::kStepRisaf;
    (void)chip.run(job);
    CHECK(chip.npu_reads(kBank) == 0);
    CHECK(chip.reported(models::SetUpStep::Risaf, "RISAF4"));
    std::uint32_t flags = 0;
    for (std::uint32_t i = 0; i < 5; ++i) flags |= read(chip.soc().iac, kFlagged + 4 * i);
    CHECK(flags != 0);
}
